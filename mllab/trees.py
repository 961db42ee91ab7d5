"""Draw a decision tree, and the plane it cuts.

trunk(ax)                once: limits that no tree changes
diagram(ax, tree)        the tree, questions written where they have room
regions(ax, tree)        the region of every leaf, tinted by the classes in it
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection

from mlcore.tree import Tree
from mllab import draw, theme

FEATURES = ("x₁", "x₂")


def trunk(ax: Axes) -> None:
    """Set up axes for `diagram`: limits that no tree changes, so that only the tree is redrawn."""
    draw.frame(ax, (0, 1), (-1.07, 0.1), ("", ""))
    ax.set_axis_off()
    for x, word in ((0, "◂ yes"), (1, "no ▸")):
        side = "right" if x else "left"
        ax.text(x, 0.07, word, ha=side, va="top", color=theme.SOFT)


def diagram(
    ax: Axes,
    tree: Tree,
    *,
    path: Sequence[int] = (),
    names: Sequence[str] = FEATURES,
    room: float = 0.19,
    plate: float = 56,
) -> None:
    """A tree that fills its axes, "yes" to the left; questions where they have `room`.

    `room` is a share of the width of the axes, `plate` the width of a question in points. A leaf
    has the mixed colours of its points and an area that grows with their number.
    """
    place = np.c_[_across(tree), -tree.depth / max(tree.depth.max(), 3)]
    asks, leaves = np.flatnonzero(tree.feature >= 0), np.flatnonzero(tree.feature < 0)
    ends = np.r_[tree.left[asks], tree.right[asks]]
    draw.segments(ax, place[np.tile(asks, 2)], place[ends], color=theme.SOFT)
    ax.plot(*place[list(path)].T, color=theme.HIGHLIGHT, linewidth=4, zorder=2.6)
    on_path = np.isin(leaves, path)
    ax.scatter(
        *place[leaves].T,
        s=40 + 400 * tree.n[leaves] / tree.n[0] + 50 * on_path,
        c=tree.value[leaves] @ theme.class_rgb(tree.value.shape[1]),
        edgecolor=[theme.HIGHLIGHT if on else "white" for on in on_path],
        linewidth=[3.0 if on else 0.8 for on in on_path],
        zorder=3,
    )
    labelled = _with_room(tree, place[:, 0], room)
    silent = np.setdiff1d(asks, labelled)
    ax.plot(*place[silent].T, "o", color=theme.SOFT, markersize=4, zorder=2.7)
    _plates(ax, place[labelled], np.isin(labelled, path), plate)
    for node in labelled:
        ax.text(
            *place[node],
            question(tree, node, names),
            ha="center",
            va="center",
            fontsize=8.5,
            zorder=4,
        )


def _plates(ax: Axes, places: np.ndarray, lit: np.ndarray, width: float) -> None:
    """White plates to write on, all of one colour in one stamp: much quicker than boxed text."""
    high = 15 / width
    corners = [(-1, -high), (1, -high), (1, high), (-1, high), (-1, -high)]
    for mine, edge in ((~lit, theme.FAINT), (lit, theme.HIGHLIGHT)):
        ax.plot(
            *places[mine].T,
            linestyle="",
            marker=corners,
            markersize=width,
            markerfacecolor="white",
            markeredgecolor=edge,
            zorder=3.5,
            clip_on=False,
            in_layout=False,
        )


def question(tree: Tree, node: int, names: Sequence[str] = FEATURES) -> str:
    """What a node asks."""
    theta = tree.threshold[node]
    number = f"{theta:.2f}" if abs(theta) < 10 else f"{theta:.4g}"
    return f"{names[tree.feature[node]]} ≤ {number}".replace("-", "−")


def _across(tree: Tree) -> np.ndarray:
    """Leaves evenly from left to right, a parent midway between its children."""
    x = np.zeros(len(tree.n))
    leaves = np.count_nonzero(tree.feature < 0)
    waiting, seen = [0], 0
    while waiting:  # depth first, left before right: the leaves from left to right
        node = waiting.pop()
        if tree.feature[node] < 0:
            x[node] = 0.05 + 0.9 * (seen + 0.5) / leaves
            seen += 1
        else:
            waiting += [tree.right[node], tree.left[node]]
    for node in np.flatnonzero(tree.feature >= 0)[::-1]:  # children have the higher numbers
        x[node] = (x[tree.left[node]] + x[tree.right[node]]) / 2
    return x


def _with_room(tree: Tree, x: np.ndarray, room: float) -> np.ndarray:
    """The nodes whose question can be written without covering a neighbour of the same depth."""
    shown: list[int] = []
    for depth in range(tree.depth.max()):
        level = np.flatnonzero(tree.depth == depth)
        level = level[np.argsort(x[level])]
        asks = tree.feature[level] >= 0
        width = np.where(asks, room, 0.06)  # of a label, of a leaf
        free = np.diff(x[level]) >= (width[:-1] + width[1:]) / 2
        fits = np.r_[True, free] & np.r_[free, True]
        shown.extend(level[asks & fits])
    return np.array(shown, dtype=int)


def regions(ax: Axes, tree: Tree, *, at: int | None = None, color: str = theme.HIGHLIGHT) -> None:
    """The region of every leaf, tinted by the classes in it; the region of node `at` outlined."""
    lower, upper = tree.boxes(*np.array([ax.get_xlim(), ax.get_ylim()]).T)
    x, y = np.stack([lower[:, 0], upper[:, 0]], 1), np.stack([lower[:, 1], upper[:, 1]], 1)
    corners = np.stack([x[:, [0, 1, 1, 0]], y[:, [0, 0, 1, 1]]], axis=2)
    leaf = tree.feature < 0
    tint = 1 - 0.45 * (1 - tree.value[leaf] @ theme.class_rgb(tree.value.shape[1]))
    ax.add_collection(
        PolyCollection(corners[leaf], facecolor=tint, edgecolor=theme.INK, linewidth=0.9, zorder=1)
    )
    if at is not None:
        outline = np.vstack([corners[at], corners[at][:1]])
        ax.plot(*outline.T, color=color, linewidth=3, zorder=2.5, clip_on=False, in_layout=False)
