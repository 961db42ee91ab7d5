"""Scenes of 14_multiclass_svm."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from itertools import combinations, islice
from typing import Any, NamedTuple

import numpy as np
from contourpy import contour_generator
from matplotlib.axes import Axes
from matplotlib.patches import Patch, PathPatch
from matplotlib.path import Path

from mlcore.datasets import make_blobs
from mlcore.svm import (
    SVC,
    CrammerSingerSVC,
    OneVsOneClassifier,
    OneVsRestClassifier,
    Sweep,
    crammer_singer_steps,
)
from mllab import draw, theme
from mllab.explore import Explorer, Points, choice, explore, log_slider, menu, real_slider, slider
from mllab.play import Player, play
from mllab.stage import Picture, Stage

BRUSH = ("● blue", "▲ orange", "■ green")
NAMES = ("blue", "orange", "green", "purple", "yellow", "sky")
WINDOW = (-3.0, 3.0), (-3.0, 3.0)
SEVERAL, NOBODY = "xxx", "///"  # how a region is hatched that several models claim, or none
SWEEPS_SHOWN = 31


# ---- classes in the plane -----------------------------------------------------------------------


def triangle(
    n: int, seed: int, *, apart: float = 1.5, spread: float = 0.5
) -> tuple[np.ndarray, np.ndarray]:
    """Three clouds at the corners of a triangle."""
    angle = np.pi / 2 + 2 * np.pi * np.arange(3) / 3
    centers = apart * np.c_[np.cos(angle), np.sin(angle)]
    return make_blobs(n, centers=centers, spread=spread, random_state=seed)


def row_of_blobs(K: int, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """K clouds side by side, their centres on a line and two apart."""
    centers = np.c_[2.0 * np.arange(K) - (K - 1), np.zeros(K)]
    return make_blobs(n, centers=centers, spread=0.35, random_state=seed)


def _small_class() -> tuple[np.ndarray, np.ndarray]:
    return make_blobs(
        45,
        centers=[[-1.6, -0.9], [1.6, -0.9], [0, 0.9]],
        spread=0.55,
        weights=[4, 4, 1],
        random_state=3,
    )


def _in_the_window(points: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    X, codes = points
    return np.clip(X, -2.85, 2.85), codes


SHAPES: dict[str, Callable[[], tuple[np.ndarray, np.ndarray]]] = {
    "a triangle": lambda: triangle(45, 2),
    "in a row": lambda: row_of_blobs(3, 45, 0),
    "crowded": lambda: triangle(45, 5, apart=1.1, spread=0.75),
    "a small class": _small_class,
}


# ---- three machines for three classes -----------------------------------------------------------


class Scores(NamedTuple):
    """The linear scores of the three ways, each (places, 3)."""

    rest: np.ndarray  # class k against all others
    pair: np.ndarray  # (0, 1), (0, 2), (1, 2): positive for the second
    joint: np.ndarray  # Crammer and Singer's


class Machines(NamedTuple):
    """One-vs-rest, one-vs-one and Crammer–Singer, fitted to the same points with the same C."""

    rest: OneVsRestClassifier
    pair: OneVsOneClassifier
    joint: CrammerSingerSVC

    @classmethod
    def of(cls, X: np.ndarray, codes: np.ndarray, C: float) -> Machines:
        if len(np.unique(codes)) < 3:
            raise ValueError("All three classes are needed: add a point of the missing one.")
        base = SVC(C=C)
        return cls(
            OneVsRestClassifier(base=base).fit(X, codes),
            OneVsOneClassifier(base=base).fit(X, codes),
            CrammerSingerSVC(C=C, tol=0.01).fit(X, codes),
        )

    def scores(self, X: np.ndarray) -> Scores:
        rest, pair = (
            np.stack([X @ m.w_ + m.b_ for m in models], axis=1)
            for models in (self.rest.models_, self.pair.models_)
        )
        return Scores(rest, pair, X @ self.joint.w_.T + self.joint.b_)


def claimed_by_several(f: np.ndarray) -> np.ndarray:
    """Positive where at least two models say "mine": the second-largest of the scores."""
    return np.sort(f, axis=1)[:, -2]


def claimed_by_nobody(f: np.ndarray) -> np.ndarray:
    """Positive where every model says "not mine"."""
    return -f.max(axis=1)


def wins_of_its_pairs(f: np.ndarray) -> np.ndarray:
    """For each of three classes the lesser of its two pair scores: positive where it wins both."""
    for_class = np.stack([-f[:, :2], np.c_[f[:, 0], -f[:, 2]], f[:, 1:]])
    return for_class.min(axis=2).T


def vote_cycle(f: np.ndarray) -> np.ndarray:
    """Positive where three classes win one pair each."""
    around = np.c_[f[:, 0], f[:, 2], -f[:, 1]]  # 1 beats 0, 2 beats 1, 0 beats 2
    return np.maximum(around.min(axis=1), (-around).min(axis=1))


def hatched(ax: Axes, grid: draw.Grid, values: np.ndarray, hatch: str) -> None:
    """The region of the grid in which `values` are positive, hatched."""
    if values.max() <= 0:
        return
    tracer = contour_generator(
        grid.x, grid.y, values.reshape(grid.shape), fill_type="ChunkCombinedCode"
    )
    points, codes = tracer.filled(0, 2 * values.max())
    for corners, kinds in zip(points, codes, strict=True):
        if corners is None:
            continue
        look = {"facecolor": (1, 1, 1, 0.35), "edgecolor": theme.SOFT, "linewidth": 0}
        ax.add_artist(PathPatch(Path(corners, kinds), hatch=hatch, zorder=0.5, **look))


def _legend_below(ax: Axes, entries: Mapping[str, str]) -> None:
    """What a hatch stands for, below the axes where no data can be."""
    look = {"facecolor": "white", "edgecolor": theme.SOFT, "linewidth": 0.5}
    patches = [Patch(hatch=hatch, label=name, **look) for name, hatch in entries.items()]
    ax.legend(
        handles=patches,
        loc="upper center",
        bbox_to_anchor=(0.5, -0.01),
        ncols=2,
        fontsize=9,
        frameon=False,
        handlelength=1.6,
        columnspacing=1.0,
        borderpad=0.2,
    )


# ---- the three, side by side --------------------------------------------------------------------


class SideBySide:
    """Three planes; the machines are kept for as long as neither points nor C change."""

    def __init__(self) -> None:
        self.stage = Stage(("rest", "pair", "joint"), size=(8.0, 3.35))
        titles = ("one-vs-rest", "one-vs-one", "Crammer–Singer")
        for ax, title in zip(self.stage.axes.values(), titles, strict=True):
            self.grid = draw.plane(ax, *WINDOW, ("", ""))
            ax.set(title=title, xticks=[], yticks=[])
        _legend_below(self.stage.axes["rest"], {"nobody": NOBODY, "several": SEVERAL})
        _legend_below(self.stage.axes["pair"], {"tied votes": NOBODY})
        _legend_below(self.stage.axes["joint"], {})
        self.key: Any = None

    def fit(self, points: Points, C: float) -> Machines:
        key = (id(points), points.version, C)
        if key != self.key:
            self.machines = Machines.of(points.X, points.codes, C)
            self.key = key
        return self.machines

    def scene(self, points: Points, shape: str, C: float) -> str:
        machines = self.fit(points, C)
        f, axes = machines.scores(self.grid.points), self.stage.axes
        self._rest(axes["rest"], f.rest)
        self._pair(axes["pair"], f.pair)
        self._plane(axes["joint"], f.joint, f.joint)
        misses = [model.predict(points.X) != points.codes for model in machines]
        for ax, wrong in zip(axes.values(), misses, strict=True):
            draw.points(ax, points.X, points.codes, size=30)
            ax.plot(*points.X[wrong].T, "x", color=theme.INK, markersize=9, mew=1.4, zorder=4)
        return _side_by_side_caption(f, [np.count_nonzero(m) for m in misses], len(points.X), C)

    def _plane(self, ax: Axes, leads: np.ndarray, answers: np.ndarray) -> None:
        """The tint of the answers; black lines between the leaders."""
        draw.surface(ax, self.grid, np.eye(3)[answers.argmax(axis=1)], strength=0.4)
        draw.boundary(ax, self.grid, leads)

    def _rest(self, ax: Axes, f: np.ndarray) -> None:
        self._plane(ax, f, f)
        hatched(ax, self.grid, claimed_by_nobody(f), NOBODY)
        hatched(ax, self.grid, claimed_by_several(f), SEVERAL)
        for k, color in enumerate(theme.CLASS_COLORS[:3]):
            draw.level(ax, self.grid, f[:, k], color=color, linestyle=(0, (5, 2)), linewidth=1.8)

    def _pair(self, ax: Axes, f: np.ndarray) -> None:
        wins = wins_of_its_pairs(f)
        cycle = vote_cycle(f)
        answers = np.where(cycle[:, None] > 0, _tie_scores(f), wins)
        draw.surface(ax, self.grid, np.eye(3)[answers.argmax(axis=1)], strength=0.4)
        hatched(ax, self.grid, cycle, NOBODY)
        for score, (i, j) in zip(f.T, combinations(range(3), 2), strict=True):
            look = {"linestyle": (0, (4, 4)), "linewidth": 1.8}
            colors = {"color": theme.CLASS_COLORS[j], "gapcolor": theme.CLASS_COLORS[i]}
            draw.level(ax, self.grid, score, **look, **colors)


def _tie_scores(f: np.ndarray) -> np.ndarray:
    """What settles a tie: the sum of the scores of a class in its pairs."""
    return np.c_[-f[:, 0] - f[:, 1], f[:, 0] - f[:, 2], f[:, 1] + f[:, 2]]


def _side_by_side_caption(f: Scores, wrong: list[int], n: int, C: float) -> str:
    none, several = (np.mean(g(f.rest) > 0) for g in (claimed_by_nobody, claimed_by_several))
    tied = np.mean(vote_cycle(f.pair) > 0)
    ties = f"The votes tie on {_percent(tied)} of it." if tied else "The votes tie nowhere."
    return (
        f"<b>C = {C:.2g}.</b> One-vs-rest: {_percent(none)} of the plane is claimed by nobody, "
        f"{_percent(several)} by several. One-vs-one: {ties} Crammer–Singer leaves nothing open. "
        f"Wrong, of {n} points: <b>{wrong[0]}</b>, <b>{wrong[1]}</b> and "
        f"<b>{wrong[2]}</b> (crosses)."
    )


def _percent(share: float) -> str:
    return "less than 1 %" if 0 < share < 0.01 else f"{100 * share:.0f} %"


def three_ways_explorer() -> Explorer:
    """Three machines for three classes on the same points; what each leaves open is hatched."""
    board = SideBySide()
    return explore(
        board.scene,
        board.stage,
        points=lambda shape: _in_the_window(SHAPES[shape]()),
        brush=BRUSH,
        shape=menu("data", list(SHAPES)),
        C=log_slider("C", 0.01, 10**0.5, 1.0, steps_a_decade=10),
    )


# ---- scores along a row of classes --------------------------------------------------------------


@functools.cache
def _row_on_a_line(K: int) -> tuple[np.ndarray, np.ndarray]:
    """Six points of each of K classes, side by side on a line of fixed length."""
    rng = np.random.default_rng(K)
    codes = np.repeat(np.arange(K), 6)
    gap = 11.0 / K
    x = gap * (codes - (K - 1) / 2) + rng.uniform(-0.3, 0.3, size=codes.size) * gap
    return x, codes


@functools.cache
def _row_scores(K: int, C: float, method: str) -> tuple[np.ndarray, np.ndarray]:
    """Slopes and intercepts of the K scores; what differs by rounding only is equal."""
    x, codes = _row_on_a_line(K)
    if method == "joint":
        joint = CrammerSingerSVC(C=C, tol=0.01).fit(x[:, None], codes)
        return joint.w_[:, 0], joint.b_ - joint.b_.mean()
    rest = OneVsRestClassifier(base=SVC(C=C)).fit(x[:, None], codes)
    w, b = np.array([(m.w_[0], m.b_) for m in rest.models_[-K:]]).T.round(9)
    return (w, b) if K > 2 else (np.r_[-w, w], np.r_[-b, b])  # one model speaks for both classes


def _score_lines(ax: Axes, K: int, w: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The K scores, the greatest thick; below them who wins where, and the points."""
    x, codes = _row_on_a_line(K)
    at = np.linspace(-6, 6, 601)
    f = np.outer(at, w) + b
    winner = f.argmax(axis=1)
    for k, color in enumerate(theme.CLASS_COLORS[:K]):
        ax.plot(at, f[:, k], color=color, linewidth=1.2)
        mine = np.where(winner == k, f[:, k], np.nan)
        ax.plot(at, mine, color=color, linewidth=4, solid_capstyle="butt")
        strip = np.where(winner == k, -6.1, np.nan)
        ax.plot(at, strip, color=color, linewidth=11, alpha=0.45, solid_capstyle="butt")
    ax.axhline(0, color=theme.FAINT, linewidth=1, zorder=0)
    draw.points(ax, np.c_[x, np.full_like(x, -6.1)], codes, size=30)
    return (np.outer(x, w) + b).argmax(axis=1)


def row_explorer() -> Explorer:
    """K classes in a row: the scores that one-vs-rest learns, and those learned together."""
    stage = Stage(("rest", "joint"), size=(8.0, 3.5))
    for name, title in (("rest", "one-vs-rest"), ("joint", "Crammer–Singer")):
        draw.frame(stage.axes[name], (-6, 6), (-7, 9), ("x", "score f" if name == "rest" else ""))
        stage.axes[name].set_title(title)

    def scene(K: int, C: float) -> str:
        said = {
            name: _score_lines(ax, K, *_row_scores(K, C, name)) for name, ax in stage.axes.items()
        }
        codes = _row_on_a_line(K)[1]
        right = {name: np.mean(answers == codes) for name, answers in said.items()}
        w, b = _row_scores(K, C, "rest")
        claims = (np.outer(_row_on_a_line(K)[0], w) + b > 0).sum(axis=1)
        flat = np.count_nonzero(w == 0)
        verb = "is" if flat == 1 else "are"
        constant = f"{flat} of the {K} scores {verb} the constant −1. " if flat else ""
        return (
            f"<b>{K} classes in a row, C = {C:.2g}.</b> Right: one-vs-rest "
            f"<b>{right['rest']:.0%}</b>, Crammer–Singer <b>{right['joint']:.0%}</b>. "
            f"One-vs-rest: {constant}{np.mean(claims != 1):.0%} of the points are claimed by no "
            f"model or by several."
        )

    return explore(
        scene,
        stage,
        K=slider("K", 2, 5, 5),
        C=log_slider("C", 0.1, 10**0.2, 1.0, steps_a_decade=5),
    )


# ---- one point and its hinge --------------------------------------------------------------------


def multiclass_hinge(f: np.ndarray, right: int) -> float:
    """max(0, 1 + the best rival's score − the score of the right class)."""
    return max(0.0, 1 + float(np.delete(f, right).max()) - float(f[right]))


def hinge_explorer() -> Explorer:
    """The three scores of one point, the bar its rivals must stay under, and what it costs."""
    stage = Stage(("bars",), size=(8.0, 3.2))
    draw.frame(stage.ax, (-0.6, 3.1), (-3.4, 3.4), ("", "score f"))
    stage.ax.set_xticks(range(3), NAMES[:3])
    stage.ax.plot([-0.6, 2.6], [0, 0], color=theme.SOFT, linewidth=0.8, zorder=0)

    def scene(right: str, blue: float, orange: float, green: float) -> str:
        f, y = np.array([blue, orange, green]), NAMES.index(right)
        loss = multiclass_hinge(f, y)
        for k, color in enumerate(theme.CLASS_COLORS[:3]):
            stage.ax.bar(k, f[k], 0.5, color=color, alpha=0.85 if k == y else 0.45)
        rival = int(np.where(np.arange(3) == y, -np.inf, f).argmax())
        _hinge_marks(stage.ax, f, y, rival, loss)
        sign = np.where(np.arange(3) == y, 1, -1)
        alone = np.maximum(0, 1 - sign * f)
        verdict = "The right class leads" if f[y] > f[rival] else "The right class does not lead"
        return (
            f"{verdict}: {_number(f[y])} against {_number(f[rival])} of the best rival, "
            f"{NAMES[rival]}. <b>Multiclass hinge: {loss:.1f}.</b> "
            f"Only the difference counts. One-vs-rest looks at each score alone and charges "
            f"{' + '.join(f'{part:.1f}' for part in alone)} = {alone.sum():.1f}."
        )

    return explore(
        scene,
        stage,
        right=choice("right class", list(NAMES[:3])),
        blue=real_slider("score of blue", -3, 3, 1.2, step=0.1),
        orange=real_slider("score of orange", -3, 3, 0.6, step=0.1),
        green=real_slider("score of green", -3, 3, -1.5, step=0.1),
    )


def _hinge_marks(ax: Axes, f: np.ndarray, y: int, rival: int, loss: float) -> None:
    """The bar at f_y − 1, and what of the best rival stands above it."""
    ax.plot([-0.6, 2.6], [f[y] - 1] * 2, color=theme.INK, linestyle=(0, (5, 3)), linewidth=1.4)
    ax.annotate(
        "rivals\nbelow here",
        (2.62, np.clip(f[y] - 1, -3.0, 3.0)),
        va="center",
        fontsize=9,
        annotation_clip=False,
    )
    if loss > 0:
        ends = np.clip([f[y] - 1, f[rival]], -3.4, 3.4)
        ax.plot([rival + 0.33] * 2, ends, color=theme.HIGHLIGHT, linewidth=5, zorder=4)
        ax.annotate(
            f"{loss:.1f}",
            (rival + 0.33, ends.mean()),
            (6, 0),
            textcoords="offset points",
            va="center",
        )


def _number(value: float) -> str:
    return f"{value:.1f}".replace("-", "−")


# ---- the joint problem, sweep by sweep ----------------------------------------------------------


def primal(X: np.ndarray, codes: np.ndarray, W: np.ndarray, b: np.ndarray, C: float) -> float:
    """½ Σ ‖wₖ‖² + C Σ multiclass hinge."""
    f = X @ W.T + b
    right = np.eye(len(W))[codes]
    xi = (f + 1 - right).max(axis=1) - (f * right).sum(axis=1)
    return float(0.5 * (W**2).sum() + C * xi.sum())


def joint_player() -> Player:
    """Crammer and Singer's dual: each point shares its C out among the classes, again and again."""
    X, codes = _in_the_window(triangle(45, 5, apart=1.1, spread=0.75))
    X, C = X - X.mean(axis=0), 1.0
    stage = Stage(("plane", "objective"), size=(8.0, 3.7), widths=(1, 1.15))
    grid = draw.plane(stage.ax, *WINDOW)
    steps = list(islice(crammer_singer_steps(X, codes, C, 0.01), SWEEPS_SHOWN))
    values = np.array([primal(X, codes, step.W, step.b, C) for step in steps])
    best = CrammerSingerSVC(C=C, tol=1e-4).fit(X, codes).primal_objective_
    axis = stage.axes["objective"]
    draw.frame(axis, (-1, len(steps)), (0, 1.1 * values.max()), ("sweep", "primal objective"))
    axis.axhline(best, color=theme.SOFT, linewidth=1, linestyle=(0, (4, 3)), zorder=0)
    axis.text(len(steps) - 1, 0.93 * best, "optimum", ha="right", va="top", color=theme.SOFT)

    def scene(history: list[Sweep]) -> str:
        step, at = history[-1], len(history) - 1
        f = grid.points @ step.W.T + step.b
        leads = np.eye(3)[f.argmax(axis=1)] if at else np.full((len(f), 3), 1 / 3)
        draw.surface(stage.ax, grid, leads, strength=0.4)
        if at:
            draw.boundary(stage.ax, grid, f)
        given = C - step.mu[np.arange(len(X)), codes]
        draw.points(stage.ax, X, codes, size=14 + 110 * given / C)
        axis.plot(np.arange(at + 1), values[: at + 1], "o-", color=theme.INK, markersize=4)
        n = np.count_nonzero(given > 1e-9)
        if not at:
            return (
                "<b>Before the first sweep.</b> Every point keeps its whole multiplier C for its "
                "own class, so that every w is 0 and all scores are equal. Press play."
            )
        return (
            f"<b>Sweep {at}.</b> {n} of {len(X)} points have given a part of their C to rivals; "
            f"the larger the point, the larger that part. The objective is "
            f"{values[at]:.1f}, the optimum {best:.1f}."
        )

    return play(steps, scene, stage, start=8, interval=500)


# ---- pictures that stand still ------------------------------------------------------------------


def row_picture(X: np.ndarray, codes: np.ndarray, models: Mapping[str, Any]) -> Picture:
    """What each model answers on a row of classes; of scores equal to six digits the first wins."""
    picture = Picture(
        [[name] for name in models],
        size=(8.0, 1.35 * len(models)),
        text="What each model answers: " + ", ".join(models),
    )
    width = np.abs(X[:, 0]).max() + 0.5
    for name, model in models.items():
        ax = picture.axes[name]
        draw.frame(ax, (-width, width), (-1.6, 1.6), ("", ""))
        grid = draw.Grid((-width, width), (-1.6, 1.6), 400, 60)
        answers = model.decision_function(grid.points).round(6).argmax(axis=1)
        draw.surface(ax, grid, np.eye(len(model.classes_))[answers])
        draw.points(ax, X, codes, size=26)
        never = len(model.classes_) - len(np.unique(answers))
        note = "every class is answered" if not never else f"never answered: {never} class"
        ax.set_title(f"{name}: {note}{'es' if never > 1 else ''}", fontsize=10)
        ax.set(xticks=[], yticks=[])
    return picture


def templates_picture(W: np.ndarray, names: np.ndarray) -> Picture:
    """The weights of each class as an image of 8 × 8 pixels."""
    labels = [f"w of {name}" for name in names]
    half = (len(labels) + 1) // 2
    picture = Picture(
        [labels[:half], labels[half:]],
        size=(8.0, 3.6),
        text="The weights of each class as an image: vermilion speaks for it, blue against it.",
    )
    for label, w in zip(labels, W, strict=True):
        ax = picture.axes[label]
        draw.matrix(ax, w.reshape(8, 8))
        ax.set_title(label, fontsize=10)
        ax.set(xticks=[], yticks=[])
    return picture


def scores_picture(scores: Mapping[str, Mapping[str, np.ndarray]]) -> Picture:
    """Cross-validated accuracy of each method on each data set: the mean ± its standard error."""
    picture = Picture(size=(8.0, 2.8), text="Cross-validated accuracy of the three methods.")
    markers = ("o", "^", "s")
    methods = list(next(iter(scores.values())))
    for j, (method, marker) in enumerate(zip(methods, markers, strict=True)):
        values = np.array([of_data[method] for of_data in scores.values()])
        picture.ax.errorbar(
            np.arange(len(scores)) + 0.16 * (j - 1),
            values.mean(axis=1),
            values.std(axis=1, ddof=1) / np.sqrt(values.shape[1]),
            fmt=marker,
            color=theme.CLASS_COLORS[j],
            markersize=8,
            capsize=4,
            label=method,
        )
    picture.ax.set(ylabel="accuracy ± s.e.", xlim=(-0.5, len(scores) + 0.1))
    picture.ax.set_xticks(range(len(scores)), list(scores))
    picture.ax.legend(loc="center right")
    return picture
