"""Scenes of 16_decision_trees."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes

from mlcore.datasets import make_blobs, make_circles, make_moons, make_sine, make_xor
from mlcore.tree import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    Tree,
    assemble,
    entropy,
    gini,
    information_gain,
)
from mllab import draw, theme, trees
from mllab.explore import Explorer, Points, choice, explore, menu, real_slider, slider
from mllab.play import Player, play
from mllab.stage import Picture, Pointer, Stage

BRUSH = ("● blue", "▲ orange")
WINDOW = (-2.4, 2.4), (-2.0, 2.0)
DEPTH_MAX = 10
FIRST_ASKED = 5
BLUE, ORANGE = theme.CLASS_COLORS[:2]


# ---- points to ask about ------------------------------------------------------------------------


def _slanted(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A border that runs across, where every question runs along an axis."""
    rng = np.random.default_rng(seed)
    X = rng.uniform((-2.2, -1.8), (2.2, 1.8), size=(n, 2))
    return X, (X[:, 0] + X[:, 1] + rng.normal(scale=0.25, size=n) > 0).astype(int)


def _moons(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    X, y = make_moons(n, noise=0.38, random_state=seed)
    return X - np.array([0.5, 0.25]), y


SHAPES = {
    "moons": _moons,
    "a slanted border": _slanted,
    "circles": lambda n, seed: _stretched(make_circles(n, ratio=0.5, noise=0.2, random_state=seed)),
    "four corners": lambda n, seed: make_xor(n, noise=0.4, random_state=seed),
}


def _stretched(points: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    X, y = points
    return 1.25 * X, y


@functools.cache
def sample(shape: str, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """n points in two classes, none of them outside the window."""
    X, y = SHAPES[shape](n, seed)
    low, high = np.array(WINDOW).T
    return np.clip(X, low + 0.05, high - 0.05), y


# ---- a tree and the plane it cuts ---------------------------------------------------------------


def staged_errors(tree: Tree, X: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """The share of wrong answers after 0, 1, 2, … , DEPTH_MAX questions."""
    wrong = [np.mean(tree.value[node].argmax(axis=1) != codes) for node in tree.walk(X)]
    return np.array([wrong[min(depth, len(wrong) - 1)] for depth in range(DEPTH_MAX + 1)])


def tally(tree: Tree, node: int) -> str:
    """The points of a node, counted by class."""
    blue, orange = np.rint(tree.value[node] * tree.n[node]).astype(int)
    return f"{blue} blue and {orange} orange"


# ---- depth, criterion, minimum leaf -------------------------------------------------------------


class Growing:
    """The whole tree is grown once and kept: a smaller depth only cuts it."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.asked = FIRST_ASKED  # the point whose way is shown
        self.points: Points | None = None
        self.key: tuple[object, ...] = ()

    def grow(self, points: Points, criterion: str, least: int, data: str) -> None:
        key = (id(points), points.version, criterion, least, data)
        if key == self.key:
            return
        model = DecisionTreeClassifier(criterion=criterion, min_samples_leaf=least)
        self.tree = model.fit(points.X, points.codes).tree_
        self.train_error = staged_errors(self.tree, points.X, points.codes)
        self.test_error = staged_errors(self.tree, *sample(data, 1000, seed=1))
        self.key = key

    def __call__(self, points: Points, depth: int, criterion: str, least: int, data: str) -> str:
        self.grow(points, criterion, least, data)
        tree = self.tree.cut(depth)
        if points is not self.points:  # made anew
            self.points, self.asked = points, FIRST_ASKED
        self.asked = min(self.asked, len(points.X) - 1)
        path = [int(node[0]) for node in tree.walk(points.X[[self.asked]])]
        plane, curve = self.stage.axes["plane"], self.stage.axes["errors"]
        trees.regions(plane, tree, at=path[-1])
        draw.points(plane, points.X, points.codes, size=26)
        draw.ring(plane, points.X[[self.asked]], size=130)
        trees.diagram(self.stage.axes["tree"], tree, path=path)
        _two_curves(curve, self.test_error, self.train_error)
        draw.marker_line(curve, depth)
        return self.caption(tree, depth, least, path)

    def caption(self, tree: Tree, depth: int, least: int, path: list[int]) -> str:
        leaves = np.count_nonzero(tree.feature < 0)
        grown = tree.depth.max()
        asks = "no question at all" if depth == 0 else f"at most {_count(depth, 'question')}"
        stops = f" (it stops by itself after {grown})" if grown < depth else ""
        held = f", each with at least {_count(least, 'point')}" if least > 1 else ""
        return (
            f"<b>Depth {depth}</b>: {asks}{stops}, {_count(leaves, 'leaf')}{held}. Wrong: "
            f"{self.train_error[depth]:.1%} of the training points, "
            f"{self.test_error[depth]:.1%} of 1000 new ones. The ringed point {_way(tree, path)}"
        )


def _two_curves(ax: Axes, test: np.ndarray, train: np.ndarray) -> None:
    """Both errors against depth, their names far enough apart to be read."""
    gap = 150 * (test[-1] - train[-1])  # in points, about
    up = max(0, 13 - abs(gap)) / 2 * (1 if gap >= 0 else -1)
    depths = np.arange(len(test))
    draw.curve(ax, depths, test, "test", offset=(6, 6 + up))
    draw.curve(ax, depths, train, "training", color=theme.SOFT, style="--", offset=(6, 6 - up))


def _way(tree: Tree, path: list[int]) -> str:
    """What one point answers, and where it ends."""
    answers = [
        f"{trees.question(tree, node)}: {'yes' if child == tree.left[node] else 'no'}"
        for node, child in itertools.pairwise(path)
    ]
    shown = ", ".join(answers[:3]) + (", …" if len(answers) > 3 else "")
    said = f"answers {shown}, and lands" if answers else "lands at once"
    return f"{said} in a leaf of {tally(tree, path[-1])}."


def _count(n: int, noun: str) -> str:
    plural = {"leaf": "leaves"}.get(noun, f"{noun}s")
    return f"{n} {noun if n == 1 else plural}"


def tree_explorer() -> Explorer:
    """The tree beside the plane it cuts. Point at a dot: its way and its region light up."""
    rows = [["plane", "tree"], ["plane", "tree"], ["errors", "tree"]]
    stage = Stage(rows, size=(8.0, 5.2), widths=(1, 1.12))
    draw.plane(stage.ax, *WINDOW, trees.FEATURES)
    draw.frame(stage.axes["errors"], (-0.3, 13.8), (0, 0.55), ("depth", "wrong"))
    stage.axes["errors"].set_xticks([0, 2, 4, 6, 8, 10])
    trees.trunk(stage.axes["tree"])
    stage.hovers = True
    scene = Growing(stage)

    def pointed(event: Pointer) -> None:
        if event.i is None or event.kind == "remove":
            return
        scene.asked = event.i
        if event.kind == "hover":  # the others redraw by themselves
            explorer.update()

    stage.on_pointer(pointed)
    explorer = explore(
        scene,
        stage,
        points=lambda data: sample(data, 160, seed=0),
        brush=BRUSH,
        depth=slider("depth", 0, DEPTH_MAX, 3),
        criterion=choice("criterion", ["gini", "entropy"]),
        least=slider("minimum leaf", 1, 40, 1),
        data=menu("data", list(SHAPES)),
    )
    return explorer


# ---- one question -------------------------------------------------------------------------------


def _board(right: str) -> Stage:
    """The plane, the gains of the cuts of x₁ under it and of x₂ beside it, and one more."""
    rows = [["plane", "up", right]] * 5 + [["across", ".", right]] * 2
    stage = Stage(rows, size=(8.0, 4.8), widths=(2, 0.55, 2.1))
    draw.frame(stage.ax, *WINDOW, ("", trees.FEATURES[1]))
    stage.ax.tick_params(labelbottom=False)
    for name, limits, labels in (
        ("across", (WINDOW[0], (0, 1.08)), (trees.FEATURES[0], "gain / Q")),
        ("up", ((0, 1.08), WINDOW[1]), ("gain / Q", "")),
    ):
        draw.frame(stage.axes[name], *limits, labels)
    stage.axes["across"].set_yticks([0, 0.5, 1], ["0", "½", "1"])
    stage.axes["up"].set_xticks([0, 0.5, 1], ["0", "½", "1"])
    stage.axes["up"].tick_params(labelleft=False)
    return stage


def _gains(stage: Stage, feature: np.ndarray, threshold: np.ndarray, share: np.ndarray) -> None:
    """The share of impurity that every cut removes: along x₁ under the plane, along x₂ beside."""
    across, up = stage.axes["across"], stage.axes["up"]
    at, height = threshold[feature == 0], share[feature == 0]
    across.fill_between(at, height, color=theme.FAINT, linewidth=0)
    across.plot(at, height, ".-", color=theme.INK, linewidth=1, markersize=3.5)
    at, height = threshold[feature == 1], share[feature == 1]
    up.fill_betweenx(at, height, color=theme.FAINT, linewidth=0)
    up.plot(height, at, ".-", color=theme.INK, linewidth=1, markersize=3.5)


def _cut(
    stage: Stage, j: int, theta: float, share: float, ends: Sequence[float] | None = None
) -> None:
    """One cut: a line through the plane between `ends`, and its place on the curve of its gain."""
    strip = stage.axes["across"] if j == 0 else stage.axes["up"]
    low, high = ends if ends is not None else WINDOW[1 - j]
    line = np.array([[theta, low], [theta, high]])[:, [0, 1] if j == 0 else [1, 0]]
    stage.ax.plot(*line.T, color=theme.HIGHLIGHT, linewidth=3, zorder=2.6)
    stick = np.array([[theta, 0], [theta, share]])[:, [0, 1] if j == 0 else [1, 0]]
    strip.plot(*stick.T, color=theme.HIGHLIGHT, linewidth=2, zorder=3)
    strip.plot(
        *stick[1:].T, "o", color=theme.HIGHLIGHT, markersize=8, markeredgecolor=theme.INK, zorder=4
    )


def _shares(ax: Axes, codes: np.ndarray, left: np.ndarray, Q: Callable) -> None:
    """A set and its two parts as areas: across the classes, down the size of each part."""
    n = len(codes)
    whole, part = np.ones_like(left), {"left": left, "right": ~left}
    rows = [("all", whole, 1.22, 1.0)]
    rows += [
        ("left", part["left"], 1.0 - left.mean(), left.mean()),
        ("right", part["right"], 0.0, 1 - left.mean()),
    ]
    for name, mine, bottom, height in rows:
        p = np.bincount(codes[mine], minlength=2) / max(mine.sum(), 1)
        for c, start in ((0, 0.0), (1, p[0])):
            ax.barh(
                bottom + height / 2,
                p[c],
                height,
                start,
                color=theme.CLASS_COLORS[c],
                alpha=0.75,
                edgecolor="white",
                linewidth=2,
            )
        middle = bottom + height / 2
        middle = {"left": max(middle, 0.55), "right": min(middle, 0.45)}.get(name, middle)
        text = f"{name}: {mine.sum()} of {n}\nQ = {Q(p):.3f}" if mine.any() else f"{name}: empty"
        ax.text(1.04, middle, text, va="center", fontsize=10)


def cut_explorer() -> Explorer:
    """One question: move θ and watch both sides; the curves show what every θ would gain."""
    stage = _board("parts")
    draw.frame(stage.axes["parts"], (0, 1.75), (-0.1, 2.3), ("", ""))
    stage.axes["parts"].set_axis_off()

    def scene(points: Points, feature: str, theta: float, criterion: str) -> str:
        j = trees.FEATURES.index(feature)
        left = points.X[:, j] <= theta
        gain = information_gain(points.codes, left, criterion)
        model = DecisionTreeClassifier(criterion=criterion, max_depth=1)
        root = next(model.grow_steps(points.X, points.codes))
        asked, at, gains = root.candidates.of(0)
        _gains(stage, asked, at, gains / root.impurity[0])
        draw.points(stage.ax, points.X, points.codes)
        _cut(stage, j, theta, gain / root.impurity[0])
        Q = gini if criterion == "gini" else entropy
        _shares(stage.axes["parts"], points.codes, left, Q)
        best = f"{trees.FEATURES[root.feature[0]]} ≤ {root.threshold[0]:.2f}".replace("-", "−")
        return (
            f"<b>{feature} ≤ {theta:.2f}</b> sends {left.sum()} points to the left and "
            f"{(~left).sum()} to the right, and gains "
            f"<b>{gain:.3f}</b>, {gain / root.impurity[0]:.0%} of the impurity. "
            f"The best question here is {best}: it gains {root.gain[0]:.3f}."
        ).replace("≤ -", "≤ −")

    return explore(
        scene,
        stage,
        points=lambda: make_blobs(
            60, centers=[[-0.7, 0.45], [0.7, -0.35]], spread=0.75, random_state=4
        ),
        brush=BRUSH,
        feature=choice("ask about", list(trees.FEATURES)),
        theta=real_slider("θ", -2.3, 2.3, 0.8, step=0.1),
        criterion=choice("criterion", ["gini", "entropy"]),
    )


# ---- why a cut never loses ----------------------------------------------------------------------


def _error(p: np.ndarray) -> np.ndarray:
    """The share of wrong answers if the leading class is answered."""
    return 1 - np.max(p, axis=-1)


IMPURITIES = {"gini": gini, "entropy": entropy, "share wrong": _error}


def concavity_explorer() -> Explorer:
    """The gain of a split is the gap between the impurity curve and a chord under it."""
    stage = Stage(("curve",), size=(8.0, 3.8))
    draw.frame(stage.ax, (-0.12, 1.12), (-0.02, 0.78), ("p, share of orange", "impurity Q"))
    stage.ax.set_xticks(np.linspace(0, 1, 6))
    p = np.linspace(0, 1, 201)

    def scene(left: float, right: float, share: float, criterion: str) -> str:
        Q = IMPURITIES[criterion]
        x = np.array([left, share * left + (1 - share) * right, right])
        own = Q(np.c_[1 - x, x])
        after = share * own[0] + (1 - share) * own[2]
        gain = abs(own[1] - after)  # never below 0 but for rounding
        stage.ax.plot(p, Q(np.c_[1 - p, p]), color=theme.SOFT)
        stage.ax.plot(x[[0, 2]], own[[0, 2]], "o--", color=BLUE, markersize=8)
        stage.ax.plot([x[1]] * 2, [after, own[1]], color=theme.HIGHLIGHT, linewidth=5, zorder=4)
        stage.ax.plot(x[1], own[1], "o", color=theme.INK, markersize=8, zorder=5)
        _names_of_three(stage.ax, x, own)
        return (
            f"{criterion.capitalize()}: before the cut {x[1]:.0%} are orange and "
            f"<b>Q = {own[1]:.3f}</b>. The left part ({share:.0%} of the points) has "
            f"{own[0]:.3f}, the right one {own[2]:.3f}: on average <b>{after:.3f}</b>. "
            f"The orange bar is the gain, <b>{gain:.3f}</b>."
        )

    return explore(
        scene,
        stage,
        left=real_slider("orange on the left", 0, 1, 0.1, step=0.05),
        right=real_slider("orange on the right", 0, 1, 0.7, step=0.05),
        share=real_slider("share that goes left", 0.05, 0.95, 0.5, step=0.05),
        criterion=choice("impurity", list(IMPURITIES)),
    )


def _names_of_three(ax: Axes, x: np.ndarray, own: np.ndarray) -> None:
    """The ends of the chord named outside of it, what was before it above."""
    side = 1 if x[2] >= x[0] else -1
    for i, name, out in ((0, "left", -side), (2, "right", side)):
        ax.annotate(
            name,
            (x[i], own[i]),
            (9 * out, 0),
            textcoords="offset points",
            ha="left" if out > 0 else "right",
            va="center",
        )
    ax.annotate(
        "gain", (x[1], own[1]), (7, -14), textcoords="offset points", color=theme.SOFT, fontsize=10
    )
    ax.annotate("before", (x[1], own[1]), (0, 13), textcoords="offset points", ha="center")


# ---- growth, question by question ---------------------------------------------------------------


class Question(NamedTuple):
    """The tree up to and with the question of `node`, and every question that node weighed."""

    tree: Tree
    node: int
    feature: np.ndarray
    threshold: np.ndarray
    gain: np.ndarray


def questions(model: DecisionTreeClassifier, X: np.ndarray, y: np.ndarray) -> Iterator[Question]:
    """The growth of `model`, level by level and within a level node by node."""
    levels = list(model.grow_steps(X, y))
    (tree,) = assemble(levels)
    for node in np.flatnonzero(tree.feature >= 0):
        candidates = levels[tree.depth[node]].candidates
        yield Question(_until(tree, node), int(node), *candidates.of(node))


def _until(tree: Tree, node: int) -> Tree:
    """The tree in which the nodes after `node` have not been asked yet."""
    last = tree.right[: node + 1].max()
    kept = Tree._make(field[: last + 1] for field in tree)
    waits = np.arange(last + 1) > node
    return kept._replace(
        feature=np.where(waits, -1, kept.feature), threshold=np.where(waits, np.nan, kept.threshold)
    )


def growth_player() -> Player:
    """A tree grows; under and beside the plane stands what every possible cut would gain."""
    X, y = _stretched(make_circles(100, ratio=0.45, noise=0.15, random_state=2))
    stage = _board("tree")
    trees.trunk(stage.axes["tree"])
    model = DecisionTreeClassifier(max_depth=4, min_samples_leaf=3)

    def scene(history: list[Question]) -> str:
        tree, node, feature, threshold, gain = history[-1]
        lower, upper = tree.boxes(*np.array(WINDOW).T)
        j, theta = tree.feature[node], tree.threshold[node]
        inside = ((lower[node] <= X) & (upper[node] >= X)).all(axis=1)
        trees.regions(stage.ax, tree, at=node, color=theme.INK)
        draw.points(stage.ax, X[inside], y[inside], size=30)
        draw.points(stage.ax, X[~inside], y[~inside], size=30, alpha=0.3)
        _gains(stage, feature, threshold, gain / tree.impurity[node])
        share = tree.gain[node] / tree.impurity[node]
        _cut(stage, j, theta, share, (lower[node, 1 - j], upper[node, 1 - j]))
        trees.diagram(stage.axes["tree"], tree, path=_ancestry(tree, node), room=0.24)
        parts = [tally(tree, child) for child in (tree.left[node], tree.right[node])]
        return (
            f"<b>Level {tree.depth[node] + 1}, question {len(history)}.</b> The framed region "
            f"holds {tally(tree, node)}. Of {len(gain)} possible cuts "
            f"<b>{trees.question(tree, node)}</b> gains most, {tree.gain[node]:.3f}: it leaves "
            f"{parts[0]} on one side, {parts[1]} on the other."
        )

    return play(questions(model, X, y), scene, stage, start=2, interval=1200)


def _ancestry(tree: Tree, node: int) -> list[int]:
    """The nodes from the root to `node`."""
    way = [node]
    while way[0]:
        way.insert(0, int(np.flatnonzero((tree.left == way[0]) | (tree.right == way[0]))[0]))
    return way


# ---- a mean instead of a vote -------------------------------------------------------------------


def regression_explorer() -> Explorer:
    """A tree that answers with a number: a staircase."""
    X, y = make_sine(80, noise=0.3, random_state=0)
    x = np.linspace(0, 2 * np.pi, 800)
    stage = Stage(("plane",), size=(8.0, 3.4))
    draw.frame(stage.ax, (-0.1, 6.9), (-1.9, 1.9), ("x", "y"))

    def scene(depth: int, least: int) -> str:
        model = DecisionTreeRegressor(max_depth=depth, min_samples_leaf=least).fit(X, y)
        f = model.predict(x[:, None])
        stage.ax.plot(X[:, 0], y, "o", color=theme.SOFT, alpha=0.6, markersize=5, mew=0)
        up = 8 if f[-1] >= 0 else -8
        draw.curve(stage.ax, x, np.sin(x), "sin x", color=BLUE, style="--", offset=(6, -up))
        draw.curve(stage.ax, x, f, "tree", color=ORANGE, offset=(6, up))
        steps = np.count_nonzero(model.tree_.feature < 0)
        error = np.sqrt(np.mean((f - np.sin(x)) ** 2))
        return (
            f"<b>Depth {depth}</b>, at least {_count(least, 'point')} a leaf: a staircase of "
            f"{_count(steps, 'step')}, each as high as the mean of its points. "
            f"Typical distance to the true curve: {error:.2f}."
        )

    return explore(
        scene,
        stage,
        depth=slider("depth", 1, 8, 3),
        least=slider("minimum leaf", 1, 30, 1),
    )


# ---- pictures that stand still ------------------------------------------------------------------


def impurity_picture() -> Picture:
    """Gini and entropy of two classes, and of three as maps."""
    picture = Picture(
        ("two", "gini", "entropy"),
        size=(8.0, 2.9),
        widths=(1.5, 1, 1),
        text="Both impurities are 0 for a pure set and largest when all classes are equally many.",
    )
    two = picture.axes["two"]
    draw.frame(two, (0, 1), (0, 0.78), ("p, share of one of two classes", "impurity Q"))
    p = np.linspace(0, 1, 201)
    pairs = np.c_[p, 1 - p]
    draw.curve(two, p, entropy(pairs), "entropy", where=100, offset=(-24, 8))
    draw.curve(two, p, gini(pairs), "Gini", where=100, color=theme.SOFT, offset=(-13, -10))
    for name, Q in (("gini", gini), ("entropy", entropy)):
        _triangle(picture.axes[name], Q, f"{name.capitalize()}, three classes")
    return picture


def _triangle(ax: Axes, Q: Callable, title: str) -> None:
    """An impurity over all mixtures of three classes: corners are pure, the middle is even."""
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])
    grid = draw.Grid((-0.1, 1.1), (-0.12, 1.0), 240, 220)
    solve = np.linalg.inv(np.c_[corners, np.ones(3)])
    p = np.c_[grid.points, np.ones(len(grid.points))] @ solve
    inside = (p >= 0).all(axis=1)
    height = np.where(inside, Q(np.clip(p, 0, 1)), np.nan)
    depth = height / np.nanmax(height)
    tint = np.where(inside[:, None], 1 - 0.75 * depth[:, None], 1.0) * np.ones(3)
    draw.plane(ax, (-0.1, 1.1), (-0.12, 1.0), ("", ""))
    ax.set_axis_off()
    ax.imshow(tint.reshape(*grid.shape, 3), origin="lower", extent=(-0.1, 1.1, -0.12, 1.0))
    for share in (0.3, 0.5, 0.7, 0.9):
        level = np.where(inside, depth, 0).reshape(grid.shape)
        ax.contour(grid.x, grid.y, level, [share], colors="white", linewidths=0.8)
    ax.plot(*np.vstack([corners, corners[:1]]).T, color=theme.INK, linewidth=1)
    draw.points(ax, corners, np.arange(3), size=90)
    ax.plot(*corners.mean(axis=0), "+", color="white", markersize=9)
    ax.set_title(title, fontsize=10)


def greedy_picture(X: np.ndarray, y: np.ndarray, grown: dict[str, Tree]) -> Picture:
    """Several trees on the same points, side by side."""
    picture = Picture(
        list(grown), size=(8.0, 3.0), text="The same points, cut by each tree: " + ", ".join(grown)
    )
    for name, tree in grown.items():
        ax = picture.axes[name]
        draw.plane(ax, (-1.05, 1.05), (-1.05, 1.05), ("", ""))
        ax.set(title=name, xticks=[], yticks=[])
        trees.regions(ax, tree)
        draw.points(ax, X, y, size=12)
    return picture


def depth_picture(train: np.ndarray, test: np.ndarray, depths: Sequence[str]) -> Picture:
    """Error against depth: one thin line a data set, the mean thick. Rows are data sets."""
    picture = Picture(
        size=(8.0, 3.2), text="Deeper: the training error falls, the test error rises."
    )
    ax, x = picture.ax, np.arange(len(depths))
    draw.frame(ax, (-0.2, len(depths) - 0.35), (-0.01, 0.42), ("depth", "share wrong"))
    ax.set_xticks(x, depths)
    for errors, name, color in ((test, "test", theme.INK), (train, "training", theme.SOFT)):
        ax.plot(x, errors.T, color=color, linewidth=0.6, alpha=0.35)
        style = "-" if name == "test" else "--"
        draw.curve(ax, x, errors.mean(axis=0), name, color=color, style=style)
    return picture


def named_tree_picture(
    model: DecisionTreeClassifier, names: Sequence[str], x: np.ndarray | None = None
) -> Picture:
    """A tree over named columns; the way of one row `x` lit up."""
    path = [] if x is None else [int(node[0]) for node in model.tree_.walk(x[None])]
    picture = Picture(size=(8.0, 3.8), text="The tree, with the way of one sample.")
    trees.trunk(picture.ax)
    trees.diagram(picture.ax, model.tree_, path=path, names=names, room=0.2, plate=108)
    for c, label in enumerate(model.classes_):
        picture.ax.plot([], [], "o", color=theme.CLASS_COLORS[c], label=str(label))
    picture.ax.legend(loc="lower right", handletextpad=0.1, frameon=False)
    return picture


def scores_picture(depths: Sequence[int], scores: dict[str, np.ndarray]) -> Picture:
    """Cross-validated accuracy against depth: the mean over the folds ± its standard error."""
    picture = Picture(size=(8.0, 3.0), text="Cross-validated accuracy against depth.")
    look = zip((theme.SOFT, theme.INK), ("s--", "o-"), (-0.04, 0.04), strict=True)
    for (name, values), (color, style, aside) in zip(scores.items(), look, strict=True):
        error = values.std(axis=1, ddof=1) / np.sqrt(values.shape[1])
        picture.ax.errorbar(
            np.asarray(depths) + aside,
            values.mean(axis=1),
            error,
            fmt=style,
            color=color,
            capsize=3,
            label=name,
        )
    picture.ax.set(xlabel="depth", ylabel="accuracy ± s.e.", xticks=list(depths))
    picture.ax.legend(loc="lower right", frameon=False)
    return picture
