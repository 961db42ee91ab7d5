"""Each drawing function puts the right thing in the right place."""

import matplotlib as mpl
import numpy as np
import pytest

from mllab import draw, theme
from mllab.stage import Stage
from tests.mllab import live

X = np.array([[0.0, 0.0], [1.0, 0.5], [-1.0, 1.0], [0.5, -1.0]])
CODES = np.array([0, 1, 1, 2])


@pytest.fixture
def stage():
    made = Stage(size=(6.0, 4.0))
    made.grid = draw.plane(made.ax, (-2, 2), (-1.5, 1.5))
    made.show(lambda: None)
    return made


def pixel(stage, x, y):
    """The colour shown at a place given in data coordinates, in [0, 1]."""
    frame = live(stage)
    across, up = stage.ax.transData.transform((x, y))
    return frame[int(len(frame) - up), int(across), :3] / 255


def rgb(color):
    return np.array(mpl.colors.to_rgb(color))


def drawn(ax):
    """Markers of each line or scatter: places by colour."""
    return {
        mpl.colors.to_hex(line.get_markerfacecolor()).upper(): np.array(line.get_data()).T.tolist()
        for line in ax.lines
    }


def test_plane_and_grid(stage):
    ax, grid = stage.ax, stage.grid
    assert (ax.get_xlim(), ax.get_ylim()) == ((-2, 2), (-1.5, 1.5))
    assert ax.get_aspect() == 1
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x₁", "x₂")
    assert grid.points.shape == (grid.shape[0] * grid.shape[1], 2)
    assert grid.points[0].tolist() == [-2, -1.5]
    assert grid.points[-1].tolist() == [2, 1.5]
    table = grid.points[:, 0].reshape(grid.shape)
    assert (table == table[0]).all(), "along a row only x changes"


def test_drawing_does_not_move_the_limits(stage):
    draw.points(stage.ax, 100 * X, CODES)
    draw.ring(stage.ax, 100 * X)
    draw.curve(stage.ax, [0, 1000], [0, 1000], "far")
    assert (stage.ax.get_xlim(), stage.ax.get_ylim()) == ((-2, 2), (-1.5, 1.5))


def test_points_have_colour_and_shape_of_their_class(stage):
    stage.show(lambda: draw.points(stage.ax, X, CODES, size=100))
    assert drawn(stage.ax) == {theme.CLASS_COLORS[c]: X[c == CODES].tolist() for c in (0, 1, 2)}
    assert {line.get_marker() for line in stage.ax.lines} == set(theme.CLASS_MARKERS[:3])
    for x, c in zip(X, CODES, strict=True):
        np.testing.assert_allclose(pixel(stage, *x), rgb(theme.CLASS_COLORS[c]), atol=0.02)


def test_points_of_many_sizes_and_hollow_ones(stage):
    sizes = np.array([10.0, 40.0, 90.0, 160.0])
    stage.show(lambda: draw.points(stage.ax, X, CODES, size=sizes, hollow=True))
    shown = {
        tuple(place): size
        for scatter in stage.ax.collections
        for place, size in zip(scatter.get_offsets().tolist(), scatter.get_sizes(), strict=True)
    }
    shown |= {tuple(line.get_xydata()[0]): line.get_markersize() ** 2 for line in stage.ax.lines}
    assert shown == pytest.approx({tuple(x): s for x, s in zip(X.tolist(), sizes, strict=True)})
    assert pixel(stage, 0.5, -1.0).tolist() == [1, 1, 1], "nothing inside"


def test_no_points_at_all(stage):
    stage.show(lambda: draw.points(stage.ax, np.empty((0, 2)), np.empty(0, dtype=int)))
    stage.show(lambda: draw.ring(stage.ax, np.empty((0, 2))))
    stage.show(lambda: draw.cross(stage.ax, np.empty((0, 2))))
    stage.show(lambda: draw.links(stage.ax, np.zeros(2), np.empty((0, 2))))


def test_surface_has_the_right_colour_in_every_corner(stage):
    """Four classes, one in each quarter: catches a picture that is turned or mirrored."""
    x, y = stage.grid.points.T
    quarter = (x > 0).astype(int) + 2 * (y > 0)
    stage.show(lambda: draw.surface(stage.ax, stage.grid, np.eye(4)[quarter], strength=0.5))
    for c, place in enumerate([(-1, -1), (1, -1), (-1, 1), (1, 1)]):
        tint = 1 - 0.5 * (1 - rgb(theme.CLASS_COLORS[c]))
        np.testing.assert_allclose(pixel(stage, *place), tint, atol=0.01)
        corner = 0.97 * np.array(place) * (2, 1.5)
        np.testing.assert_allclose(pixel(stage, *corner), tint, atol=0.01)


def test_surface_mixes_by_probability(stage):
    p = np.full((len(stage.grid.points), 2), 0.5)
    stage.show(lambda: draw.surface(stage.ax, stage.grid, p, strength=1.0))
    middle = (rgb(theme.CLASS_COLORS[0]) + rgb(theme.CLASS_COLORS[1])) / 2
    np.testing.assert_allclose(pixel(stage, 0.3, 0.3), middle, atol=0.01)


def test_boundary_lies_where_the_lead_changes(stage):
    p = 1 / (1 + np.exp(-2 * (stage.grid.points @ [1.0, 1.0] - 0.5)))
    draw.boundary(stage.ax, stage.grid, np.c_[1 - p, p])
    (line,) = stage.ax.lines
    assert len(line.get_xydata()) > 50
    assert np.abs(line.get_xydata() @ [1.0, 1.0] - 0.5).max() < 1e-3


def test_boundary_of_three_classes_and_of_none(stage):
    """Each class left of the next: two lines, at −0.5 and 0.5."""
    x = stage.grid.points[:, 0]
    p = np.c_[-x - 0.5, 0 * x, x - 0.5]
    p = np.exp(p) / np.exp(p).sum(axis=1, keepdims=True)
    draw.boundary(stage.ax, stage.grid, p)
    at = np.concatenate([line.get_xdata() for line in stage.ax.lines])
    at = at[np.isfinite(at)]
    assert np.allclose(np.minimum(abs(at - 0.5), abs(at + 0.5)), 0, atol=0.03)
    assert {-1.0, 1.0} == set(np.sign(at))
    count = len(stage.ax.lines)
    draw.boundary(stage.ax, stage.grid, np.c_[1 + 0 * x, 0 * x])
    assert len(stage.ax.lines) == count


def test_level_draws_where_it_is_told(stage):
    draw.level(stage.ax, stage.grid, (stage.grid.points**2).sum(axis=1), at=1.0, color="red")
    (line,) = stage.ax.lines
    assert np.abs(np.hypot(*line.get_xydata().T) - 1).max() < 0.01
    assert line.get_color() == "red"


def test_links_and_segments_are_separate_lines(stage):
    draw.links(stage.ax, X[0], X[1:])
    draw.segments(stage.ax, X[:2], X[2:])
    links, segments = (line.get_xydata() for line in stage.ax.lines)
    assert np.array_equal(links[0::3], np.zeros((3, 2)))
    assert np.array_equal(links[1::3], X[1:])
    assert np.isnan(links[2::3]).all()
    assert np.array_equal(segments[0::3], X[:2])
    assert np.array_equal(segments[1::3], X[2:])
    assert np.isnan(segments[2::3]).all()


def test_curve_carries_its_name(stage):
    draw.curve(stage.ax, [0, 1, 2], [0, 1, 0], "hat", color="green", where=1)
    (text,) = stage.ax.texts
    assert (text.get_text(), text.xy, text.get_color()) == ("hat", (1, 1), "green")
    assert stage.ax.lines[0].get_color() == "green"


def test_marker_line_circle_star_ring_cross(stage):
    draw.marker_line(stage.ax, 0.7, "here")
    draw.circle(stage.ax, np.array([1.0, 0.5]), 0.25)
    vertical, circle = stage.ax.lines
    assert set(vertical.get_xdata()) == {0.7}
    assert stage.ax.texts[0].get_text() == "here"
    assert np.allclose(np.hypot(*(circle.get_xydata() - (1.0, 0.5)).T), 0.25)
    for function in (draw.ring, draw.cross):
        function(stage.ax, X)
        assert np.array_equal(stage.ax.collections[-1].get_offsets(), X)
    draw.star(stage.ax, X[1])
    assert stage.ax.collections[-1].get_offsets().tolist() == [X[1].tolist()]


def test_street_is_white_between_its_margins(stage):
    def scene():
        p = np.full((len(stage.grid.points), 2), [1.0, 0.0])
        draw.surface(stage.ax, stage.grid, p)
        draw.street(stage.ax, stage.grid, 2 * stage.grid.points[:, 0])

    stage.show(scene)
    at = sorted(float(np.nanmean(line.get_xdata())) for line in stage.ax.lines)
    np.testing.assert_allclose(at, [-0.5, 0, 0.5], atol=1e-6)
    assert pixel(stage, 0.25, 0.5).min() > pixel(stage, 1.5, 0.5).min() + 0.1
    tint = 1 - 0.45 * (1 - rgb(theme.CLASS_COLORS[0]))
    np.testing.assert_allclose(pixel(stage, 1.5, 0.5), tint, atol=0.02)


def test_slack_cases_have_their_colours(stage):
    cases = np.array([0, 1, 2, 3])
    stage.show(lambda: draw.slack_cases(stage.ax, X, np.array([0, 1, 0, 1]), cases))
    for x, case in zip(X, cases, strict=True):
        np.testing.assert_allclose(pixel(stage, *x), rgb(theme.SLACK_COLORS[case]), atol=0.02)


def test_slack_legend_names_all_four(stage):
    draw.slack_legend(stage.ax)
    shown = [text.get_text() for text in stage.ax.get_legend().get_texts()]
    assert shown == list(theme.SLACK_NAMES)


def test_weights_are_areas(stage):
    D = np.array([0.1, 0.2, 0.3, 0.4])
    draw.weights(stage.ax, X, np.zeros(4, dtype=int), D, area=40)
    (scatter,) = stage.ax.collections
    assert np.allclose(scatter.get_sizes(), 40 * D / 0.25)
    assert scatter.get_sizes().mean() == pytest.approx(40)


def test_matrix_has_zero_white_and_signs_in_colour():
    stage = Stage(size=(4.0, 4.0))
    draw.matrix(stage.ax, np.array([[0.0, 2.0], [-2.0, 1.0]]), title="K")
    colors = stage.ax.images[0].get_array()
    np.testing.assert_allclose(colors[0, 0], [1, 1, 1])
    np.testing.assert_allclose(colors[0, 1], rgb(theme.CLASS_COLORS[1]))
    np.testing.assert_allclose(colors[1, 0], rgb(theme.CLASS_COLORS[0]))
    np.testing.assert_allclose(colors[1, 1], (1 + rgb(theme.CLASS_COLORS[1])) / 2)
    assert stage.ax.get_title(loc="left") == "K" or stage.ax.get_title() == "K"
    draw.matrix(stage.ax, np.zeros((2, 2)))
    np.testing.assert_allclose(stage.ax.images[-1].get_array(), 1)
