"""The Stage: frames are right to the last pixel, events arrive, errors leave no trace."""

import matplotlib as mpl
import numpy as np
import pytest
from PIL import Image

from mllab import draw, theme
from mllab.stage import Picture, Stage, _png
from tests.mllab import Screen, decoded, drawn_whole, live

X = np.random.default_rng(0).normal(size=(30, 2))
CODES = np.arange(30) % 3


def plane_and_curve():
    stage = Stage(("plane", "curve"), widths=(1.6, 1))
    stage.grid = draw.plane(stage.ax, (-2, 2), (-1.5, 1.5))
    draw.frame(stage.axes["curve"], (0, 10), (0, 1), ("k", "error"))
    return stage


def scene(stage, t):
    """A bit of everything, different for every t."""

    def draw_it():
        p = 1 / (1 + np.exp(-3 * (stage.grid.points[:, 0] - t / 5)))
        draw.surface(stage.ax, stage.grid, np.c_[1 - p, p])
        draw.boundary(stage.ax, stage.grid, np.c_[1 - p, p])
        draw.points(stage.ax, X + t / 10, CODES)
        stage.ax.set_title(f"t = {t}")
        draw.curve(stage.axes["curve"], [0, 5 + t / 2], [0, 0.5], "slope")
        stage.axes["curve"].bar([1, 2], [0.2, t / 10])
        draw.marker_line(stage.axes["curve"], t, f"t = {t}")
        stage.handles(X + t / 10)
        return t

    return draw_it


def shown(*times):
    stage = plane_and_curve()
    for t in times:
        stage.show(scene(stage, t))
    return stage


def differ(a, b):
    return int((a != b).any(axis=2).sum())


# ---- frames -----------------------------------------------------------------------------------


def test_show_returns_what_the_scene_returns():
    stage = plane_and_curve()
    assert stage.show(scene(stage, 4)) == 4


@pytest.mark.parametrize("scale", [1, 2])
def test_a_live_frame_is_a_whole_drawing(scale):
    stage = shown(0, 3, 7)
    Screen(stage).hello(scale)
    stage.show(scene(stage, 2))
    frame = live(stage)
    assert differ(frame, drawn_whole(stage)) == 0


def test_a_frame_does_not_depend_on_what_was_shown_before():
    assert differ(live(shown(1, 8, 2, 5)), live(shown(5))) == 0
    assert differ(live(shown(5)), live(shown(6))) > 100


@pytest.mark.parametrize(
    "change",
    [
        lambda stage: stage.ax.set_xlabel("another name"),
        lambda stage: stage.ax.set_ylabel("one that is\ntwo lines high"),
        lambda stage: stage.axes["curve"].set_xlim(0, 1000),
        lambda stage: stage.axes["curve"].set_ylim(-3, 3),
        lambda stage: stage.axes["curve"].set_xscale("symlog"),
        lambda stage: stage.axes["curve"].set_axis_off(),
    ],
    ids=["xlabel", "ylabel", "xlim", "ylim", "scale", "off"],
)
def test_the_backdrop_follows_a_change_of_the_axes(change):
    stage = shown(3)
    before = live(stage)
    change(stage)
    stage.show(scene(stage, 3))
    fresh = plane_and_curve()
    change(fresh)
    fresh.show(scene(fresh, 3))
    assert differ(before, live(stage)) > 50
    assert differ(live(stage), live(fresh)) == 0
    assert differ(live(stage), drawn_whole(fresh)) == 0


def test_the_callers_matplotlib_settings_do_not_show():
    with mpl.rc_context({"font.size": 30, "axes.edgecolor": "red", "lines.linewidth": 9}):
        other = live(shown(3))
    assert differ(other, live(shown(3))) == 0


def test_nothing_piles_up():
    stage = plane_and_curve()
    counts = []
    for t in range(20):
        stage.show(scene(stage, t % 10))
        counts.append([len(a.get_children()) + len(a.containers) for a in stage.axes.values()])
    assert counts == [counts[0]] * 20


def test_every_frame_begins_with_the_first_colour():
    stage = plane_and_curve()
    for _ in range(3):
        stage.show(lambda: stage.ax.plot([0, 1], [0, 1]))
        assert stage.ax.lines[0].get_color() == theme.CLASS_COLORS[0]


def test_an_empty_scene_shows_the_bare_axes():
    stage = plane_and_curve()
    stage.show(lambda: None)
    bare = live(stage)
    stage.show(lambda: stage.ax.plot([0, 1], [0, 1]))
    stage.show(lambda: None)
    assert differ(live(stage), bare) == 0


# ---- what is sent -----------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [1, 2])
def test_patches_add_up_to_the_frame(scale):
    stage = shown(0)
    screen = Screen(stage)
    screen.hello(scale)
    for t in (1, 1, 7, 3, 3, 9, 0):
        stage.show(scene(stage, t))
        assert differ(screen.pixels, live(stage)[:, :, :3]) == 0, f"t = {t}"
    assert screen.frames == 8
    assert (1, 1) in screen.patches, "where nothing changes, next to nothing is sent"


def test_only_what_changed_is_sent():
    stage = plane_and_curve()
    screen = Screen(stage)
    for x in (0.0, 0.5):
        stage.show(lambda x=x: stage.ax.plot([x], [0], "o"))
    (height, width), (rows, columns) = screen.patches
    assert (height, width) == (420, 800)
    assert rows < 20
    assert columns < 80


def test_png_holds_exactly_these_pixels():
    noise = np.random.default_rng(0).integers(0, 256, size=(37, 53, 3), dtype=np.uint8)
    assert np.array_equal(decoded(_png(noise)), noise)
    assert np.array_equal(decoded(_png(noise[5:6, 7:8])), noise[5:6, 7:8])
    assert np.array_equal(decoded(_png(noise[:, ::2])), noise[:, ::2])


@pytest.mark.parametrize(
    ("asked", "given"), [(1, 1), (2, 2), (1.5, 1.5), (0.5, 1), (3, 2)], ids=str
)
def test_hello_is_answered_by_the_whole_picture(asked, given):
    stage = shown(3)
    screen = Screen(stage)
    screen.hello(asked)
    assert screen.pixels.shape == (420 * given, 800 * given, 3)
    assert differ(screen.pixels, live(stage)[:, :, :3]) == 0
    assert (stage.width, stage.height) == (800, 420), "the size on the page stays"


def test_a_second_view_gets_the_whole_picture_too():
    stage = shown(3)
    first = Screen(stage)
    first.hello()
    second = Screen(stage)
    second.hello()
    assert second.patches == [(420, 800)]
    assert differ(first.pixels, second.pixels) == 0


# ---- pointer ----------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [1, 2])
def test_pointer_events_arrive_in_data_coordinates(scale):
    stage = shown(3)
    screen = Screen(stage)
    screen.hello(scale)
    heard = []
    stage.on_pointer(heard.append)
    a_pixel = np.ptp(stage.ax.get_xlim()) / (stage.ax.bbox.width / scale)
    inside = np.flatnonzero(np.abs(X + 0.3).max(axis=1) < 1.4)
    for i in inside:
        screen.point("drag", *screen.handles[i], i=int(i))
        assert (heard[-1].kind, heard[-1].i) == ("drag", i)
        assert np.abs(np.array(heard[-1][2:]) - (X[i] + 0.3)).max() < a_pixel
    assert screen.done == len(inside) > 10


def test_handles_stand_where_the_points_are_drawn():
    stage = plane_and_curve()
    screen = Screen(stage)
    stage.handles([[1.0, -1.0]])
    stage.show(lambda: stage.ax.plot([1.0], [-1.0], "s", color="lime", markersize=5))
    (x, y), *_ = screen.handles
    rows, columns = np.nonzero((screen.pixels == (0, 255, 0)).all(axis=2))
    assert abs(columns.mean() + 0.5 - x) < 1
    assert abs(rows.mean() + 0.5 - y) < 1


def test_the_pointer_is_held_inside_the_axes():
    stage = shown(3)
    screen = Screen(stage)
    heard = []
    stage.on_pointer(heard.append)
    screen.point("drag", -500, 5000, i=0)
    screen.point("drag", 5000, -500, i=0)
    np.testing.assert_allclose([e[2:] for e in heard], [(-2, -1.5), (2, 1.5)], atol=1e-9)


def test_handles_may_be_on_any_axes():
    stage = plane_and_curve()
    screen = Screen(stage)
    heard = []
    stage.on_pointer(heard.append)
    curve = stage.axes["curve"]
    stage.show(lambda: stage.handles([[5.0, 0.5]], curve))
    screen.point("drag", *screen.handles[0], i=0)
    np.testing.assert_allclose(heard[0][2:], (5.0, 0.5), atol=0.02)


def test_every_event_is_answered_also_if_a_listener_raises():
    stage = shown(3)
    screen = Screen(stage)
    for kind in ("drag", "drop", "add", "remove", "hover"):
        screen.point(kind, 100, 100, i=None)
    assert screen.done == 5

    def listener(_):
        raise RuntimeError("no")

    stage.on_pointer(listener)
    with pytest.raises(RuntimeError):
        screen.point("drag", 100, 100, i=0)
    assert screen.done == 6


# ---- errors -----------------------------------------------------------------------------------


def test_a_scene_that_raises_leaves_the_last_picture():
    stage = shown(3)
    before, handles = live(stage), stage._handle_pixels()
    children = [len(ax.get_children()) for ax in stage.axes.values()]
    screen = Screen(stage)
    screen.hello()

    def fails():
        draw.points(stage.ax, X, CODES)
        stage.handles([[0, 0]])
        raise ValueError("half way")

    for _ in range(3):
        with pytest.raises(ValueError, match="half way"):
            stage.show(fails)
    assert screen.frames == 1
    assert [len(ax.get_children()) for ax in stage.axes.values()] == children
    assert np.array_equal(stage._handle_pixels(), handles)
    assert differ(live(stage), before) == 0
    stage.show(scene(stage, 6))
    assert differ(live(stage), live(shown(6))) == 0


# ---- where there is no kernel -----------------------------------------------------------------


def test_the_bundle_holds_picture_and_fixed_text():
    stage = shown(3)
    stage.label = "three"
    data, metadata = stage._repr_mimebundle_()
    assert data["text/plain"] == "three"
    assert metadata == {"image/png": {"width": 800, "height": 420}}
    assert "application/vnd.jupyter.widget-view+json" in data
    assert decoded(data["image/png"]).shape == (630, 1200, 3)
    assert b"Software" not in data["image/png"], "the file would change with matplotlib's version"
    assert stage._repr_mimebundle_()[0]["image/png"] == data["image/png"]
    assert shown(3)._repr_mimebundle_()[0]["image/png"] == data["image/png"]
    assert shown(4)._repr_mimebundle_()[0]["image/png"] != data["image/png"]


@pytest.mark.parametrize("scale", [1, 2])
def test_printing_does_not_disturb_the_live_picture(scale):
    stage, undisturbed = shown(3), shown(3)
    screen = Screen(stage)
    for each in (screen, Screen(undisturbed)):
        each.hello(scale)
    handles = screen.handles
    stage.png()
    assert differ(live(stage), live(undisturbed)) == 0
    stage.png()
    stage.show(scene(stage, 4))
    undisturbed.show(scene(undisturbed, 4))
    assert differ(screen.pixels, live(undisturbed)[:, :, :3]) == 0
    stage.show(scene(stage, 3))
    assert screen.handles == handles


def test_the_stored_picture_is_the_live_one():
    """Reduced to the size of the screen, the two hardly differ."""
    stage = shown(3)
    small = Image.fromarray(decoded(stage.png())).resize((800, 420), Image.Resampling.BOX)
    gap = np.abs(np.asarray(small).astype(int) - live(stage)[:, :, :3])
    assert gap.mean() < 2
    assert np.abs(gap - np.abs(np.asarray(small).astype(int) - 255)).mean() > 5


def test_a_still_picture_prints_the_same_twice():
    def picture():
        made = Picture(("a", "b"), size=(6.0, 2.0), text="two panels")
        draw.plane(made.axes["a"], (-2, 2), (-1, 1))
        draw.points(made.axes["a"], X, CODES)
        made.axes["b"].set(xlabel="x", title="b")
        return made

    first = picture()
    png, size = first._repr_png_()
    assert repr(first) == "two panels"
    assert size == {"width": 600, "height": 200}
    assert decoded(png).shape == (300, 900, 3)
    assert first._repr_png_()[0] == png
    assert picture()._repr_png_()[0] == png


def test_theme_tells_classes_apart():
    assert len(set(theme.CLASS_COLORS)) == len(set(theme.CLASS_MARKERS)) == 10
    assert theme.class_rgb(3).shape == (3, 3)
