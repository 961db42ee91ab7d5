"""`explore`: controls and pointer change the picture; errors become a sentence and pass."""

import numpy as np
import pytest

from mllab import draw
from mllab.explore import (
    Points,
    choice,
    explore,
    log_slider,
    menu,
    real_slider,
    slider,
    switch,
)
from mllab.stage import Stage
from tests.mllab import Screen, decoded, live


def cross_of(size):
    return np.array([[0, 0], [size, 0], [-size, 0], [0, size], [0, -size]]), np.array(
        [0, 0, 0, 1, 1]
    )


def explorer(**more):
    stage = Stage(size=(4.0, 3.0))
    draw.plane(stage.ax, (-4, 4), (-3, 3))

    def scene(points, k, size):
        if k == 3:
            raise ValueError("k = 3 is not < allowed >.")
        if k == 4:
            raise KeyError("four")
        draw.points(stage.ax, points.X, points.codes, size=20 + 20 * k)
        return f"<b>k &lt; {k + 1}</b>: {len(points.X)} points"

    return explore(
        scene,
        stage,
        points=lambda size: cross_of(size),
        brush=("round", "pointed"),
        k=slider("k", 1, 9, 2),
        size=real_slider("size", 0.5, 3.0, 1.0, step=0.5),
        **more,
    )


def has_error(explorer):
    return "mllab-error" in explorer.caption._dom_classes


# ---- controls ---------------------------------------------------------------------------------


def test_a_control_redraws_at_once():
    e = explorer()
    screen = Screen(e.stage)
    screen.hello()
    before = screen.pixels.copy()
    e.controls["k"].value = 8
    assert not np.array_equal(screen.pixels, before)
    assert np.array_equal(screen.pixels, live(e.stage)[:, :, :3])
    assert e.caption.value == "<b>k &lt; 9</b>: 5 points"
    assert e.caption.plain == e.stage.label == "k < 9: 5 points"
    assert e.values == {"k": 8, "size": 1.0}
    assert screen.frames == 2, "one frame a move"


def test_data_controls_make_new_points_and_others_keep_them():
    e = explorer()
    e.points.move(0, 2, 2)
    e.controls["k"].value = 5
    assert e.points.X[0].tolist() == [2, 2]
    e.controls["size"].value = 2.0
    assert np.array_equal(e.points.X, cross_of(2.0)[0])


def test_the_same_setting_gives_the_same_pixels():
    a, b = explorer(), explorer()
    first = live(a.stage)
    a.controls["k"].value = 9
    a.controls["size"].value = 3.0
    b.controls["size"].value = 3.0
    b.controls["k"].value = 9
    assert np.array_equal(live(a.stage), live(b.stage))
    a.controls["size"].value = 1.0
    a.controls["k"].value = 2
    assert np.array_equal(live(a.stage), first)


def test_the_builders_set_range_and_value():
    assert (slider("k", 1, 9, 2).min, slider("k", 1, 9, 2, step=2).step) == (1, 2)
    log = log_slider("C", 0.01, 100, 1.0, steps_a_decade=5)
    assert (log.min, log.max, log.base, log.step) == (-2, 2, 10, 0.2)
    assert log.value == 1
    assert log_slider("T", 1, 600, 60, steps_a_decade=12).value == pytest.approx(10 ** (21 / 12))
    assert real_slider("x", 0, 1, 0.5, step=0.25).step == 0.25
    assert (choice("votes", ["a", "b"]).value, menu("data", ["c", "d"]).value) == ("a", "c")
    assert [switch("on", value).value for value in (True, False)] == [True, False]


def test_without_points_there_is_nothing_to_drag():
    stage = Stage(size=(3.0, 2.0))
    seen = []
    e = explore(lambda on: seen.append(on) or "text", stage, on=switch("on"))
    screen = Screen(stage)
    for kind in ("drag", "add", "remove", "drop"):
        screen.point(kind, 50, 50, i=0)
    e.controls["on"].value = True
    assert seen == [False, True]
    assert not stage.adds


# ---- pointer ----------------------------------------------------------------------------------


def test_drag_moves_a_point_while_the_button_is_down():
    e = explorer()
    screen = Screen(e.stage)
    screen.hello()
    x, y = screen.handles[1]
    for step in range(1, 6):
        before = screen.pixels.copy()
        screen.point("drag", x + 10 * step, y - 5 * step, i=1)
        assert not np.array_equal(screen.pixels, before)
        np.testing.assert_allclose(screen.handles[1], (x + 10 * step, y - 5 * step), atol=0.1)
    screen.point("drop", x + 50, y - 25, i=1)
    assert e.points.X[1, 0] > 1.5
    assert e.points.X[1, 1] > 0.3
    assert np.array_equal(np.delete(e.points.X, 1, axis=0), np.delete(cross_of(1.0)[0], 1, axis=0))
    assert screen.done == 6


def test_click_adds_a_point_of_the_chosen_class_and_remove_takes_it_away():
    e = explorer()
    screen = Screen(e.stage)
    screen.hello()
    bare = screen.pixels.copy()
    assert e.stage.adds
    e.brush.value = 1
    screen.point("add", 300, 60)
    assert e.points.codes.tolist() == [0, 0, 0, 1, 1, 1]
    np.testing.assert_allclose(screen.handles[-1], (300, 60), atol=0.1)
    assert e.caption.plain.endswith("6 points")
    screen.point("remove", 300, 60, i=5)
    assert np.array_equal(screen.pixels, bare)
    assert e.caption.plain.endswith("5 points")


def test_an_event_for_a_point_that_has_gone_does_nothing():
    e = explorer()
    screen = Screen(e.stage)
    screen.point("drag", 100, 100, i=5)
    screen.point("remove", 100, 100, i=99)
    assert np.array_equal(e.points.X, cross_of(1.0)[0])
    assert screen.done == 2


def test_reset_restores_controls_points_and_pixels():
    e = explorer()
    screen = Screen(e.stage)
    screen.hello()
    start = screen.pixels.copy()
    e.controls["k"].value = 9
    e.controls["size"].value = 2.5
    e.brush.value = 1
    screen.point("add", 300, 60)
    screen.point("remove", 0, 0, i=0)
    screen.point("drag", 100, 100, i=1)
    frames = screen.frames
    e.reset_button.click()
    assert e.values == {"k": 2, "size": 1.0}
    assert e.brush.value == 0
    assert np.array_equal(e.points.X, cross_of(1.0)[0])
    assert np.array_equal(screen.pixels, start)
    assert screen.frames == frames + 1, "one frame for everything"


# ---- errors -----------------------------------------------------------------------------------


def test_an_error_becomes_the_caption_and_the_picture_stays():
    e = explorer()
    before = live(e.stage)
    e.controls["k"].value = 3
    assert has_error(e)
    assert e.caption.value == "k = 3 is not &lt; allowed &gt;."
    assert np.array_equal(live(e.stage), before)
    e.controls["k"].value = 4
    assert has_error(e)
    assert e.caption.plain == "KeyError: 'four'", "what is no sentence of ours carries its name"
    e.controls["k"].value = 5
    assert not has_error(e)
    assert e.caption.plain == "k < 6: 5 points"
    other = explorer()
    other.controls["k"].value = 5
    assert np.array_equal(live(e.stage), live(other.stage))


def test_an_error_while_dragging_passes_too():
    stage = Stage(size=(4.0, 3.0))
    draw.plane(stage.ax, (-4, 4), (-3, 3))

    def scene(points):
        if points.X[0, 0] > 1:
            raise ValueError("too far to the right.")
        draw.points(stage.ax, points.X, points.codes)
        return "fine"

    e = explore(scene, stage, points=lambda: (np.zeros((1, 2)), np.array([0])))
    screen = Screen(stage)
    screen.hello()
    x, y = screen.handles[0]
    screen.point("drag", x + 100, y, i=0)
    assert (e.caption.plain, has_error(e)) == ("too far to the right.", True)
    screen.point("drag", x + 10, y, i=0)
    assert (e.caption.plain, has_error(e)) == ("fine", False)
    assert screen.done == 2


def test_data_that_cannot_be_made_is_an_error_in_the_caption():
    stage = Stage(size=(3.0, 2.0))

    def make(n):
        if n == 2:
            raise ValueError("no two points.")
        return np.zeros((n, 2)), np.zeros(n, dtype=int)

    e = explore(lambda points, n: f"{len(points.X)}", stage, points=make, n=slider("n", 1, 3, 1))
    e.controls["n"].value = 2
    assert (e.caption.plain, has_error(e)) == ("no two points.", True)
    e.controls["n"].value = 3
    assert (e.caption.plain, has_error(e)) == ("3", False)


# ---- what is stored ---------------------------------------------------------------------------


def test_the_bundle_holds_picture_and_caption():
    e = explorer()
    data, metadata = e._repr_mimebundle_()
    assert data["text/plain"] == "k < 3: 5 points"
    assert decoded(data["image/png"]).shape == (450, 600, 3)
    assert metadata["image/png"] == {"width": 400, "height": 300}
    assert e._repr_mimebundle_()[0]["image/png"] == data["image/png"]
    assert explorer()._repr_mimebundle_()[0]["image/png"] == data["image/png"]


def test_points_count_their_versions_and_keep_the_callers_arrays():
    X, codes = cross_of(1.0)
    points = Points(X, codes)
    points.move(0, 5, 6)
    points.add(7, 8, 1)
    points.remove(1)
    assert points.version == 3
    assert points.X.tolist() == [[5, 6], [-1, 0], [0, 1], [0, -1], [7, 8]]
    assert points.codes.tolist() == [0, 0, 1, 1, 1]
    assert np.array_equal(X, cross_of(1.0)[0])


@pytest.mark.parametrize("text", ["plain", "<b>bold</b> &amp; <i>slanted</i>"])
def test_plain_captions_have_no_markup(text):
    e = explorer()
    e.caption.say(text)
    assert e.caption.plain == text.replace("<b>bold</b> &amp; <i>slanted</i>", "bold & slanted")
