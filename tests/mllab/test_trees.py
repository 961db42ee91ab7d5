"""A drawn tree has everything where it belongs, and so has the plane it cuts."""

import matplotlib as mpl
import numpy as np

from mlcore.tree import DecisionTreeClassifier
from mllab import draw, theme, trees
from mllab.stage import Stage


def grown():
    """x₁ ≤ 0.5, and to the right of it x₂ ≤ 0.25."""
    X = np.array([[0, 0], [0, 1], [0, 0.5], [1, 0], [1, 0.5], [1, 1]], dtype=float)
    return DecisionTreeClassifier().fit(X, [0, 0, 0, 0, 1, 1]).tree_


def drawn(**options):
    stage = Stage(size=(5.0, 4.0))
    trees.trunk(stage.ax)
    before = len(stage.ax.texts)
    trees.diagram(stage.ax, grown(), **options)
    return stage.ax, {text.get_text(): text.get_position() for text in stage.ax.texts[before:]}


def test_a_tree_has_its_leaves_below_and_yes_to_the_left():
    ax, questions = drawn()
    assert set(questions) == {"x₁ ≤ 0.50", "x₂ ≤ 0.25"}
    root, child = questions["x₁ ≤ 0.50"], questions["x₂ ≤ 0.25"]
    assert child[0] > root[0]
    assert child[1] < root[1]
    (leaves,) = ax.collections
    x, y = leaves.get_offsets().T
    assert (np.diff(x) > 0).all(), "leaves from left to right"
    assert y[0] == child[1] > y[1] == y[2], "a leaf stands one level below its question"
    colors = [mpl.colors.to_hex(color).upper() for color in leaves.get_facecolor()]
    assert colors == [theme.CLASS_COLORS[c] for c in (0, 0, 1)]
    assert np.diff(leaves.get_sizes()[[1, 2, 0]]).min() > 0, "larger with more samples"


def test_questions_without_room_stay_unwritten():
    _, questions = drawn(room=1.0, names=["a", "b"])
    assert set(questions) == {"a ≤ 0.50"}


def test_a_path_is_lit():
    ax, _ = drawn(path=[0, 1])
    lit = [line for line in ax.lines if line.get_color() == theme.HIGHLIGHT]
    assert any(len(line.get_xdata()) == 2 for line in lit)


def test_every_leaf_has_its_region():
    stage = Stage(size=(5.0, 4.0))
    draw.plane(stage.ax, (-2, 2), (-1.5, 1.5))
    trees.regions(stage.ax, grown(), at=2)
    (polygons,) = stage.ax.collections
    boxes = [path.get_extents().extents.tolist() for path in polygons.get_paths()]
    assert boxes == [[-2, -1.5, 0.5, 1.5], [0.5, -1.5, 2, 0.25], [0.5, 0.25, 2, 1.5]]
    (outline,) = stage.ax.lines
    assert outline.get_xydata().min(axis=0).tolist() == [0.5, -1.5]
    assert outline.get_xydata().max(axis=0).tolist() == [2, 1.5]
