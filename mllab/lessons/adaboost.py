"""Scenes of 19_adaboost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from numpy.lib.stride_tricks import sliding_window_view

from mlcore.datasets import load, make_blobs, make_moons, make_xor
from mlcore.ensemble import (
    AdaBoostClassifier,
    CascadeClassifier,
    Round,
    Stump,
    StumpSearch,
    adaboost_steps,
)
from mlcore.theory import adaboost_training_bound
from mllab import draw, theme
from mllab.explore import Explorer, Points, choice, explore, log_slider, menu, slider
from mllab.play import Player, play
from mllab.stage import Picture, Pointer, Stage

T_MAX = 60
NAMES = ("● blue", "▲ orange")
WINDOW = (-1.7, 1.7)


# ---- data ---------------------------------------------------------------------------------------


def disc(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Points anywhere in a square, +1 inside a circle that covers half of it, −1 outside."""
    X = np.random.default_rng(seed).uniform(-1.5, 1.5, (n, 2))
    return X, np.where(np.hypot(*X.T) < 1.5 * np.sqrt(2 / np.pi), 1, -1)


def sum_of_ten(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Ten normal features; the label is the sign of their sum. No stump sees more than one."""
    X = np.random.default_rng(seed).normal(size=(n, 10))
    return X, np.where(X.sum(axis=1) > 0, 1, -1)


def _signed(points: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    X, y = points
    return X, 2 * y - 1


def _moons(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    X, y = make_moons(n, noise=0.16, random_state=seed)
    return 0.9 * (X - np.array([0.5, 0.25])), 2 * y - 1


SHAPES: dict[str, Callable[[int, int], tuple[np.ndarray, np.ndarray]]] = {
    "disc": disc,
    "moons": _moons,
    "two clouds": lambda n, seed: _signed(
        make_blobs(n, centers=[[-0.5, -0.3], [0.5, 0.3]], spread=0.42, random_state=seed)
    ),
    "four corners": lambda n, seed: _signed(make_xor(n, noise=0.27, random_state=seed)),
}


def with_noise(y: np.ndarray, percent: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Labels of which `percent` are flipped, and which ones those are."""
    flipped = np.zeros(len(y), dtype=bool)
    order = np.random.default_rng(seed).permutation(len(y))
    flipped[order[: round(len(y) * percent / 100)]] = True
    return np.where(flipped, -y, y), flipped


# ---- weak learners besides the stump ------------------------------------------------------------


class SmallTree(NamedTuple):
    """A stump that passes the question on to one of two more stumps."""

    root: Stump
    yes: Stump
    no: Stump

    def predict(self, X: np.ndarray) -> np.ndarray:
        """The label of each row of X."""
        left = X[:, self.root.feature] <= self.root.threshold
        return np.where(left, self.yes.predict(X), self.no.predict(X))


class TreeSearch:
    """The best stump, then the best stump on either side of it."""

    def __init__(self, X: np.ndarray, y: np.ndarray) -> None:
        self.X, self.y, self.root = X, y, StumpSearch(X, y)

    def __call__(self, D: np.ndarray) -> SmallTree:
        root = self.root(D)
        left = self.X[:, root.feature] <= root.threshold
        sides = (np.flatnonzero(side) for side in (left, ~left))
        return SmallTree(
            root,
            *(StumpSearch(self.X, self.y, side)(D) if side.size else root for side in sides),
        )


class Line(NamedTuple):
    """A straight cut in any direction: a stump on the rows of X projected onto it."""

    direction: np.ndarray
    cut: Stump

    def predict(self, X: np.ndarray) -> np.ndarray:
        """The label of each row of X."""
        return self.cut.predict(X @ self.direction[:, None])


class LineSearch:
    """The best straight cut across one of 24 directions."""

    def __init__(self, X: np.ndarray, y: np.ndarray) -> None:
        angle = np.linspace(0, np.pi, 24, endpoint=False)
        self.directions = np.c_[np.cos(angle), np.sin(angle)]
        self.search = StumpSearch(X @ self.directions.T, y)

    def __call__(self, D: np.ndarray) -> Line:
        cut = self.search(D)
        return Line(self.directions[cut.feature], cut._replace(feature=0))


class Box(NamedTuple):
    """One label inside a box, the other outside."""

    low: np.ndarray
    high: np.ndarray
    inside: int

    def predict(self, X: np.ndarray) -> np.ndarray:
        """The label of each row of X."""
        within = _within(X, self.low, self.high)
        return np.where(within, self.inside, -self.inside)


def _within(X: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Which rows of X lie in the box?"""
    inside = np.ones(len(X), dtype=bool)
    for x, a, b in zip(X.T, low, high, strict=True):
        inside &= (a <= x) & (x <= b)
    return inside


class BoxSearch:
    """A good box, side by side: the best interval of one feature, given those of the others.

    Calling a point "inside" instead of "outside" saves label · yᵢDᵢ of weighted error, so the
    best interval is the run of points, in the order of the feature, with the largest sum of it.
    """

    def __init__(self, X: np.ndarray, y: np.ndarray) -> None:
        self.X, self.y = X, y
        self.order = np.argsort(X, axis=0, kind="stable").T
        value = np.sort(X, axis=0).T
        edge = np.full((len(value), 1), np.inf)
        self.cuts = np.hstack([-edge, (value[:, :-1] + value[:, 1:]) / 2, edge])

    def __call__(self, D: np.ndarray) -> Box:
        found = [self._grow(D, label) for label in (1, -1)]
        return min(found, key=lambda box: D[box.predict(self.X) != self.y].sum())

    def _grow(self, D: np.ndarray, label: int) -> Box:
        d = self.X.shape[1]
        low, high = np.full(d, -np.inf), np.full(d, np.inf)
        gain = label * self.y * D
        for j in (*range(d), *range(d)):
            low[j], high[j] = -np.inf, np.inf
            within = _within(self.X, low, high)
            total = np.cumsum(np.append(0, (gain * within)[self.order[j]]))
            below = np.minimum.accumulate(total)
            end = (total - below).argmax()
            start = total[: end + 1].argmin()
            low[j], high[j] = self.cuts[j, start], self.cuts[j, end]
        return Box(low, high, label)


WEAK: dict[str, Callable[[np.ndarray, np.ndarray], Callable[[np.ndarray], Any]]] = {
    "stump": StumpSearch,
    "small tree": TreeSearch,
    "box": BoxSearch,
    "line": LineSearch,
}


def boost(X: np.ndarray, y: np.ndarray, weak: str, T: int) -> list[Round]:
    """Up to T rounds with one of the weak learners of this page."""
    D = np.full(len(y), 1 / len(y))
    return list(islice(adaboost_steps(X, y, WEAK[weak](X, y), D), T))


def vote(rounds: list[Round], X: np.ndarray) -> np.ndarray:
    """F(x) = Σₜ αₜ hₜ(x) for the rows of X."""
    return np.sum([r.alpha * r.h.predict(X) for r in rounds], axis=0)


# ---- many weak rules vote -----------------------------------------------------------------------


def _tint(F: np.ndarray) -> np.ndarray:
    """The vote as two shares, (places, 2): 1 / (1 + e^{−2F}) for orange."""
    p = 1 / (1 + np.exp(-2 * np.clip(F, -20, 20)))
    return np.c_[1 - p, p]


class Boosting:
    """Rounds are run as far as T asks for and kept; moving T back only draws fewer of them."""

    def __init__(self, stage: Stage, grid: draw.Grid) -> None:
        self.stage, self.grid = stage, grid
        self.flipped = np.zeros(0, dtype=bool)
        self.key: tuple[object, ...] = ()
        stage.on_pointer(self.pointed)

    def make_points(self, data: str, noise: int) -> tuple[np.ndarray, np.ndarray]:
        X, y = SHAPES[data](150, 0)
        y, self.flipped = with_noise(y, noise)
        return X, (y + 1) // 2

    def pointed(self, event: Pointer) -> None:
        if event.kind == "remove":
            self.flipped = np.delete(self.flipped, event.i)
        elif event.kind == "add":
            self.flipped = np.append(self.flipped, False)

    def start(self, points: Points, weak: str, data: str) -> None:
        """New points or another weak learner: from the first round again."""
        key = (id(points), points.version, weak)
        if key == self.key:
            return
        if len(points.X) < 2:
            raise ValueError("With fewer than two points there is nothing to learn.")
        X, y = points.X.copy(), 2 * points.codes - 1
        test_X, self.test_y = SHAPES[data](1000, 1)
        self.y, self.n = y, len(y)
        self.places = np.vstack([X, test_X, self.grid.points])
        D = np.full(len(y), 1 / len(y))
        self.steps = adaboost_steps(X, y, WEAK[weak](X, y), D)
        self.rounds: list[Round] = []
        self.D, self.F = [D], [np.zeros(len(self.places))]
        self.errors: list[tuple[float, float]] = []
        self.key = key

    def run_to(self, T: int) -> int:
        """Run rounds until there are T, or boosting ends; returns how many of T there are."""
        for r in islice(self.steps, max(T - len(self.rounds), 0)):
            self.rounds.append(r)
            F = self.F[-1] + r.alpha * r.h.predict(self.places)
            self.F.append(F)
            self.D.append(r.D)
            called = np.where(F[: self.n + 1000] > 0, 1, -1)
            train, test = called[: self.n] != self.y, called[self.n :] != self.test_y
            self.errors.append((train.mean(), test.mean()))
        return min(T, len(self.rounds))

    def __call__(self, points: Points, T: int, weak: str, noise: int, data: str) -> str:
        self.start(points, weak, data)
        T = self.run_to(T)
        plane = self.stage.ax
        F = self.F[T][self.n + 1000 :]
        draw.surface(plane, self.grid, _tint(F))
        if T:
            draw.level(plane, self.grid, F)
            h = self.rounds[T - 1].h.predict(self.grid.points)
            draw.level(plane, self.grid, h, color=theme.HIGHLIGHT, linestyle=(0, (4, 2)))
        draw.weights(plane, points.X, points.codes, self.D[T])
        if self.flipped.any():
            draw.ring(plane, points.X[self.flipped], size=60)
        if not T:
            return "No weak rule is better than chance on these points: boosting cannot begin."
        self.draw_curves(T)
        self.draw_says(T)
        return self.caption(T, weak)

    def draw_curves(self, T: int) -> None:
        ax = self.stage.axes["curve"]
        t = np.arange(1, T + 1)
        train, test = np.array(self.errors[:T]).T
        bound = adaboost_training_bound([r.epsilon for r in self.rounds[:T]])
        lines = [
            ("bound", bound, theme.HIGHLIGHT, ":"),
            ("test", test, theme.INK, "-"),
            ("training", train, theme.SOFT, "--"),
        ]
        marker = "o" if T == 1 else ""
        ends = _apart([values[-1] for _, values, *_ in lines], 0.1)
        for (name, values, color, style), end in zip(lines, ends, strict=True):
            ax.plot(t, values, style, color=color, marker=marker, markersize=4, zorder=3)
            ax.text(T + 1.5, end, name, color=theme.INK, va="center", fontsize=9.5)

    def draw_says(self, T: int) -> None:
        alpha = np.minimum([r.alpha for r in self.rounds[:T]], 1.0)
        colors = [theme.SOFT] * (T - 1) + [theme.HIGHLIGHT]
        t = np.arange(1, T + 1)
        self.stage.axes["alpha"].vlines(t, 0, alpha, colors=colors, linewidth=2.6, capstyle="butt")

    def caption(self, T: int, weak: str) -> str:
        train, test = self.errors[T - 1]
        D = self.D[T]
        tenth = -(-len(D) // 10)
        heavy = np.sort(D)[-tenth:].sum()
        last = self.rounds[T - 1]
        who = f"one {weak} decides" if T == 1 else f"{T} rules vote, each a {weak}"
        noisy = (
            f" The ringed points have flipped labels: {self.flipped.mean():.0%} of the points, "
            f"{D[self.flipped].sum():.0%} of the weight."
            if self.flipped.any()
            else ""
        )
        end = " It makes no mistake, so boosting ends here." if last.epsilon == 0 else ""
        return (
            f"<b>T = {T}</b>: {who}. Wrong: <b>{train:.1%}</b> of the training points, "
            f"<b>{test:.1%}</b> of 1000 new ones. The newest rule (dashed) has weighted error "
            f"{last.epsilon:.2f} and gets the say α = {last.alpha:.2f}. The heaviest tenth of the "
            f"points now holds {heavy:.0%} of the weight.{noisy}{end}"
        )


def _apart(values: list[float], gap: float) -> list[float]:
    """The values, moved up where needed so that text written at them does not overlap."""
    placed: dict[int, float] = {}
    lowest = -np.inf
    for i in np.argsort(values, kind="stable"):
        lowest = placed[int(i)] = max(values[i], lowest + gap)
    return [placed[i] for i in range(len(values))]


def boosting_explorer() -> Explorer:
    """T, the weak learner and label noise; the area of a point is its weight."""
    stage = Stage([["plane", "curve"], ["plane", "alpha"]], size=(8.0, 4.6), widths=(1.35, 1))
    draw.plane(stage.ax, WINDOW, WINDOW)
    grid = draw.Grid(WINDOW, WINDOW, 96, 96)
    draw.frame(stage.axes["curve"], (0, 77), (-0.04, 1.02), ("", "share wrong"))
    draw.frame(stage.axes["alpha"], (0, 77), (0, 1.0), ("round t", "say αₜ"))
    for name in ("curve", "alpha"):
        stage.axes[name].set_xticks([1, 20, 40, 60])
    scene = Boosting(stage, grid)
    return explore(
        scene,
        stage,
        points=scene.make_points,
        brush=NAMES,
        T=slider("T", 1, T_MAX, 25),
        noise=slider("flipped labels, %", 0, 30, 0, step=5),
        weak=choice("weak learner", list(WEAK)),
        data=menu("data", list(SHAPES)),
    )


# ---- one round in its parts ---------------------------------------------------------------------


class Part(NamedTuple):
    """A third of a round, and the weights at the end of it (they need not sum to 1)."""

    kind: str  # "choose", "reweight" or "normalise"
    t: int
    round: Round
    D: np.ndarray


def parts(X: np.ndarray, y: np.ndarray, T: int) -> Iterator[Part]:
    """The rounds of AdaBoost with stumps, each in three parts."""
    D = np.full(len(y), 1 / len(y))
    for t, r in enumerate(islice(adaboost_steps(X, y, StumpSearch(X, y), D), T), start=1):
        yield Part("choose", t, r, D)
        yield Part("reweight", t, r, D * np.exp(np.where(r.h.predict(X) != y, r.alpha, -r.alpha)))
        yield Part("normalise", t, r, r.D)
        D = r.D


def cut_errors(x: np.ndarray, y: np.ndarray, D: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every cut through one feature and its weighted error, with the better pair of labels."""
    order = np.argsort(x)
    error = D[y == 1].sum() - np.cumsum((y * D)[order])[:-1]  # right of the cut −1, left of it +1
    cuts = (x[order][:-1] + x[order][1:]) / 2
    return cuts, np.minimum(error, D.sum() - error)


class OneRound:
    """Choose a stump, reweight the points, normalise."""

    def __init__(self, X: np.ndarray, y: np.ndarray) -> None:
        self.X, self.y = X, y
        self.stage = Stage([["plane", "cuts"], ["plane", "mass"]], size=(8.0, 4.6), widths=(1.3, 1))
        self.grid = draw.plane(self.stage.ax, WINDOW, WINDOW)
        cuts, mass = self.stage.axes["cuts"], self.stage.axes["mass"]
        draw.frame(cuts, WINDOW, (0, 0.66), ("cut at", "weighted error"))
        draw.frame(mass, (0, 1.18), (-0.6, 1.6), ("weight held by the points that are", ""))
        mass.set_yticks([0, 1], ["wrong", "right"])
        mass.set_xticks([0, 0.5, 1])

    def __call__(self, history: list[Part]) -> str:
        now = history[-1]
        wrong = now.round.h.predict(self.X) != self.y
        plane = self.stage.ax
        h = now.round.h.predict(self.grid.points)
        draw.surface(plane, self.grid, np.eye(2)[(h > 0).astype(int)], strength=0.25)
        draw.weights(plane, self.X, (self.y + 1) // 2, now.D, area=60 * now.D.sum())
        draw.ring(plane, self.X[wrong], size=60 + 75 * len(self.y) * now.D[wrong])
        _draw_cut(plane, now.round.h)
        self.draw_cuts(now)
        self.draw_mass(now.D, wrong)
        return getattr(self, now.kind)(now, wrong)

    def draw_cuts(self, now: Part) -> None:
        """The weighted error of every stump, under weights that sum to 1."""
        ax, h = self.stage.axes["cuts"], now.round.h
        D = now.D / now.D.sum()
        ax.axhline(0.5, color=theme.FAINT, zorder=1)
        for j, (color, style) in enumerate(((theme.INK, "-"), (theme.SOFT, "--"))):
            cuts, error = cut_errors(self.X[:, j], self.y, D)
            ax.plot(cuts, error, style, color=color, linewidth=1.4)
            ax.plot([-1.55, -1.3], [0.15 - 0.09 * j] * 2, style, color=color, linewidth=1.4)
            ax.text(-1.25, 0.15 - 0.09 * j, f"cuts through x{'₁₂'[j]}", va="center", fontsize=9.5)
        chosen = D[h.predict(self.X) != self.y].sum()
        at = min(h.threshold, WINDOW[1] - 0.08)  # a cut behind all points is drawn at the edge
        ax.plot([at], [chosen], "o", color=theme.HIGHLIGHT, markersize=9, zorder=4)

    def draw_mass(self, D: np.ndarray, wrong: np.ndarray) -> None:
        ax = self.stage.axes["mass"]
        mass = [D[wrong].sum(), D[~wrong].sum()]
        ax.axvline(0.5, color=theme.FAINT, zorder=1)
        ax.barh([0, 1], mass, color=[theme.HIGHLIGHT, theme.FAINT], height=0.6, zorder=2)
        for row, value in enumerate(mass):
            ax.text(value + 0.02, row, f"{value:.3f}", va="center")
        ax.text(1.16, 0.5, f"sum {D.sum():.3f}", ha="right", va="center", color=theme.SOFT)

    def choose(self, now: Part, wrong: np.ndarray) -> str:
        h, epsilon = now.round.h, now.round.epsilon
        cut = f"x{'₁₂'[h.feature]} ≤ {_minus(h.threshold)}"
        if np.isinf(h.threshold):
            cut = f"the one behind all points (everything is {NAMES[(h.left + 1) // 2]})"
        return (
            f"<b>Round {now.t}, choose.</b> Of all cuts, {cut} has the least weighted "
            f"error, ε = {epsilon:.3f}: so much do the {wrong.sum()} ringed points weigh together."
        )

    def reweight(self, now: Part, wrong: np.ndarray) -> str:
        alpha, Z = now.round.alpha, now.D.sum()
        return (
            f"<b>Round {now.t}, reweight.</b> The say is α = ½ ln((1−ε)/ε) = {alpha:.2f}. Wrong "
            f"points grow by e^α = {np.exp(alpha):.2f}, right ones shrink by e^−α = "
            f"{np.exp(-alpha):.2f}. Both groups now weigh {Z / 2:.3f}, together Z = {Z:.3f}."
        )

    def normalise(self, now: Part, wrong: np.ndarray) -> str:
        return (
            f"<b>Round {now.t}, normalise.</b> Divide by Z: the weights sum to 1 again, and the "
            f"ringed points hold {now.D[wrong].sum():.3f}. Under the new weights this stump (the "
            f"dot) is a coin toss. The next one must be another."
        )


def _minus(value: float, digits: int = 2) -> str:
    """A number with a proper minus sign."""
    return f"{value:.{digits}f}".replace("-", "−")


def _draw_cut(ax: Axes, h: Stump) -> None:
    if np.isinf(h.threshold):
        return
    look = {"color": theme.HIGHLIGHT, "linewidth": 2.4, "zorder": 2}
    (ax.axhline if h.feature else ax.axvline)(h.threshold, **look)


def round_player() -> Player:
    """Twelve rounds on 36 points, each in three parts."""
    X, y = disc(36, 23)
    scene = OneRound(X, y)
    return play(parts(X, y, 12), scene, scene.stage, start=3, interval=1200)


# ---- how much say, and what the weights become --------------------------------------------------

CONVENTIONS = {
    "½ log, both ways": (0.5, 1.0),  # α as a share of the full logarithm; the right ones shrink
    "log, wrong only": (1.0, 0.0),
    "log, both ways (a mix-up)": (1.0, 1.0),
}


def say_explorer() -> Explorer:
    """Of 1000 points a share ε is wrong: the say α, and what the two groups weigh afterwards."""
    stage = Stage(("alpha", "mass"), size=(8.0, 3.6), widths=(1, 1.15))
    draw.frame(stage.ax, (0, 1), (-4.8, 4.8), ("weighted error ε", "say α"))
    mass = stage.axes["mass"]
    draw.frame(mass, (-0.6, 2.6), (0, 2.35), ("", "weight"))
    mass.set_xticks([0, 1, 2], ["before", "multiplied", "normalised"])
    mass.set_yticks([0, 0.5, 1, 1.5, 2])
    grid = np.linspace(0.005, 0.995, 199)

    def scene(wrong: int, rule: str) -> str:
        epsilon = wrong / 1000
        share, shrinks = CONVENTIONS[rule]
        alpha = share * np.log((1 - epsilon) / epsilon)
        ax = stage.ax
        ax.axhline(0, color=theme.FAINT, zorder=1)
        ax.axvline(0.5, color=theme.FAINT, zorder=1)
        ax.plot(grid, share * np.log((1 - grid) / grid), color=theme.INK)
        ax.plot([epsilon], [alpha], "o", color=theme.HIGHLIGHT, markersize=10, zorder=4)
        grown = np.array([epsilon * np.exp(alpha), (1 - epsilon) * np.exp(-shrinks * alpha)])
        rows = np.array([[epsilon, 1 - epsilon], grown, grown / grown.sum()])
        _draw_mass_columns(mass, rows)
        return _say_caption(wrong, alpha, rows)

    return explore(
        scene,
        stage,
        wrong=slider("wrong, of 1000", 20, 980, 400, step=20),
        rule=choice("rule", list(CONVENTIONS)),
    )


def _draw_mass_columns(ax: Axes, rows: np.ndarray) -> None:
    """Wrong below, right above, before and after."""
    ax.axhline(0.5, color=theme.INK, linewidth=1, linestyle=(0, (4, 3)), zorder=4)
    ax.bar(range(3), rows[:, 0], color=theme.HIGHLIGHT, width=0.6)
    ax.bar(range(3), rows[:, 1], bottom=rows[:, 0], color=theme.FAINT, width=0.6)
    for column, (wrong, right) in enumerate(rows):
        text = f"wrong {wrong:.2f}\nsum {wrong + right:.2f}"
        ax.text(column, wrong + right + 0.03, text, ha="center", va="bottom", fontsize=9.5)


def _say_caption(wrong: int, alpha: float, rows: np.ndarray) -> str:
    each = rows[2] / np.array([wrong, 1000 - wrong])
    if wrong == 500:
        verdict = "A coin: no say, and no weight changes."
    elif wrong < 500:
        verdict = "Better than a coin: it gets a positive say."
    else:
        verdict = "Worse than a coin: its say is negative, so its opposite is used."
    half = abs(rows[2, 0] - 0.5) < 1e-9
    after = "exactly half" if half else "not half: the two halves of the rule do not fit together"
    return (
        f"{wrong} of 1000 equal points are wrong, <b>α = {_minus(alpha, 4)}</b>. {verdict} "
        f"Afterwards a wrong point weighs 1/{1 / each[0]:.0f}, a right one "
        f"1/{1 / each[1]:.0f}; the wrong ones hold <b>{rows[2, 0]:.3f}</b> of the weight, {after}."
    )


# ---- after the last training error --------------------------------------------------------------


def staged_margins(model: AdaBoostClassifier, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """(T, n): yᵢF(xᵢ) / Σαₛ after every round, for labels y = ±1."""
    F = np.array(list(model.staged_decision_function(X)))
    return y * F / np.cumsum(model.alphas_)[:, None]


def margin_explorer() -> Explorer:
    """All margins of the training set, from the first round to long after the last error."""
    X, y = sum_of_ten(300, 0)
    model = AdaBoostClassifier(T=600).fit(X, y)
    train, test = (staged_margins(model, *points) for points in ((X, y), sum_of_ten(2000, 100)))
    train_error, test_error = ((m <= 0).mean(axis=1) for m in (train, test))
    rounds = np.arange(1, len(train) + 1)
    stage = Stage(("margins", "curve"), size=(8.0, 3.6), widths=(1.15, 1))
    draw.frame(stage.ax, (-1, 1), (0, 1.02), ("margin  yF(x) / Σα", "share of points below it"))
    stage.ax.set_xticks([-1, -0.5, 0, 0.5, 1])
    curve = stage.axes["curve"]
    curve.set_xscale("log")
    draw.frame(curve, (1, 4000), (-0.015, 0.5), ("T", "share wrong"))

    def scene(T: float) -> str:
        t = round(T)
        margins = np.sort(train[t - 1])
        share = np.arange(1, len(margins) + 1) / len(margins)
        stage.ax.axvline(0, color=theme.FAINT, zorder=1)
        stage.ax.step(margins, share, where="post", color=theme.INK)
        stage.ax.plot([margins[0]], [share[0]], "o", color=theme.HIGHLIGHT, markersize=9, zorder=4)
        draw.curve(curve, rounds, test_error, "test", offset=(6, 4))
        draw.curve(curve, rounds, train_error, "training", color=theme.SOFT, style="--")
        draw.marker_line(curve, t, f"T = {t}")
        done = " No training error is left." if train_error[t - 1] == 0 else ""
        return (
            f"<b>T = {t}</b>: {train_error[t - 1]:.1%} of the training points and "
            f"<b>{test_error[t - 1]:.1%}</b> of 2000 new ones are wrong.{done} The smallest margin "
            f"(the dot) is <b>{_minus(margins[0], 3)}</b>, the median {np.median(margins):.2f}."
        )

    return explore(scene, stage, T=log_slider("T", 1, 600, 60, steps_a_decade=12))


# ---- a cascade reads a page ---------------------------------------------------------------------


class Page(NamedTuple):
    """A page of scattered digits, seen through a window of 8 × 8 pixels."""

    image: np.ndarray
    corners: np.ndarray  # (zeros, 2): row and column of the upper left pixel of every 0
    positive: np.ndarray  # (rows, columns): does the window at this corner show a 0?
    judged: np.ndarray  # (rows, columns): or no part of a 0? What lies between is not counted
    X: np.ndarray  # (rows · columns, 16): the ink in the sixteenths of every window


@lru_cache
def page(seed: int, zeros: int, side: int) -> Page:
    """`side` × `side` cells: a few zeros, many other digits, many blanks, some dirt.

    Even seeds take their digits from the first two thirds of the data, odd ones from the rest.
    """
    X, y = load("digits")
    rng, cut = np.random.default_rng(seed), 2 * len(y) // 3
    X, y = (X[cut:], y[cut:]) if seed % 2 else (X[:cut], y[:cut])
    zero, other = (rng.permutation(np.flatnonzero(mask)) for mask in (y == 0, y != 0))
    used = np.r_[zero[:zeros], other[: side**2 // 2]]
    cell = np.array(np.divmod(rng.permutation(side**2)[: len(used)], side)).T
    corners = 11 * cell + rng.integers(0, 4, cell.shape)
    image = np.zeros((11 * side, 11 * side))
    for digit, (row, column) in zip(X[used], corners, strict=True):
        image[row : row + 8, column : column + 8] = digit.reshape(8, 8)
    image = np.clip(image + rng.normal(0, 1.5, image.shape), 0, 16)
    return _windows(image, corners[:zeros])


def _windows(image: np.ndarray, corners: np.ndarray) -> Page:
    seen = sliding_window_view(image, (8, 8))
    positive, judged = np.zeros(seen.shape[:2], dtype=bool), np.ones(seen.shape[:2], dtype=bool)
    for row, column in corners:
        judged[max(row - 7, 0) : row + 8, max(column - 7, 0) : column + 8] = False
    positive[tuple(corners.T)] = judged[tuple(corners.T)] = True
    X = seen.reshape(-1, 4, 2, 4, 2).mean(axis=(2, 4)).reshape(-1, 16)
    return Page(image, corners, positive, judged, X)


def examples(page: Page, per_positive: int = 1000) -> tuple[np.ndarray, np.ndarray]:
    """The windows of a page with and without a 0, so many of the latter for each of the former."""
    yes, no = page.positive.ravel(), (page.judged & ~page.positive).ravel()
    drawn = np.random.default_rng(0).permutation(np.flatnonzero(no))[: per_positive * yes.sum()]
    rows = np.r_[np.flatnonzero(yes), drawn]
    return page.X[rows], yes[rows].astype(int)


def cascade_player(model: CascadeClassifier | None = None) -> Player:
    """A page that the cascade has never seen: which windows are still in play after each stage?"""
    if model is None:
        model = CascadeClassifier(stages=6, T=3, detection=0.98).fit(*examples(page(0, 60, 26)))
    seen = page(1, 16, 16)
    rows, columns = seen.positive.shape
    passed = [np.ones(len(seen.X), dtype=bool)]
    for one in model.stages_:
        passed.append(passed[-1] & one.passes(seen.X))
    left = [
        [(mask.reshape(rows, columns) & kind).sum() for mask in passed]
        for kind in (seen.judged & ~seen.positive, seen.positive)
    ]
    stage = Stage(("page", "left"), size=(8.0, 4.2), widths=(1.25, 1))
    _set_up_page(stage, seen, len(model.stages_))

    def scene(history: list[int]) -> str:
        s = history[-1]
        row, column = np.divmod(np.flatnonzero(passed[s]), columns)
        stage.ax.plot(
            column + 3.5, row + 3.5, ",", color=theme.CLASS_COLORS[0], alpha=0.9, zorder=2
        )
        if len(row) < 2000:
            stage.ax.plot(column + 3.5, row + 3.5, "s", color=theme.CLASS_COLORS[0], markersize=3)
        stage.ax.plot(
            seen.corners[:, 1] + 3.5,
            seen.corners[:, 0] + 3.5,
            "o",
            markerfacecolor="none",
            markeredgecolor=theme.CLASS_COLORS[1],
            markersize=13,
            markeredgewidth=1.6,
        )
        _draw_left(stage.axes["left"], left, s)
        return _cascade_caption(model, left, s)

    return play(range(len(passed)), scene, stage, start=2, interval=1200)


def _ink(seen: Page) -> np.ndarray:
    """The page in five shades of grey, 0 to 4: enough to read it."""
    return np.round(seen.image / 4)


def _set_up_page(stage: Stage, seen: Page, stages: int) -> None:
    ax, bars = stage.ax, stage.axes["left"]
    side = len(seen.image)
    ax.imshow(_ink(seen), cmap="gray_r", vmax=8, interpolation="nearest", zorder=0)
    ax.set(xlim=(-0.5, side - 0.5), ylim=(side - 0.5, -0.5), xticks=[], yticks=[])
    bars.set_yscale("log")
    draw.frame(bars, (-0.6, stages + 0.6), (0.7, 2e5), ("stages passed", "windows left"))
    bars.set_xticks(range(stages + 1))


def _draw_left(ax: Axes, left: list[list[int]], s: int) -> None:
    looks = zip(left, ("without a 0", "with a 0"), (0, 1), ("o-", "^-"), strict=True)
    for counts, name, c, style in looks:
        shown = np.maximum(counts[: s + 1], 0.75)
        color = theme.CLASS_COLORS[c]
        ax.plot(range(s + 1), shown, style, color=color, markersize=6)
        ax.annotate(name, (0, counts[0]), xytext=(0, 9), textcoords="offset points", color=color)


def _cascade_caption(model: CascadeClassifier, left: list[list[int]], s: int) -> str:
    negatives, positives = left
    if s == 0:
        return (
            f"<b>Before the first stage</b> all windows are in play: {negatives[0]} without a 0 "
            f"and {positives[0]} with one (ringed)."
        )
    before, after = negatives[s - 1], negatives[s]
    return (
        f"<b>After stage {s}</b>, {len(model.stages_[s - 1].model.alphas_)} stumps: of {before} "
        f"windows without a 0 that came this far, {after} are left (blue); of the "
        f"{positives[0]} zeros (ringed) {positives[s]} are still in."
    )


# ---- pictures that stand still ------------------------------------------------------------------


def weights_picture(X: np.ndarray, y: np.ndarray, rounds: list[Round]) -> Picture:
    """The points before the first round and after some others, their area being their weight."""
    shown = [t for t in (0, 1, 2, 3, 10, 40) if t <= len(rounds)]
    names = [f"after round {t}" if t else "at the start" for t in shown]
    picture = Picture(
        [names[:3], names[3:]],
        size=(8.0, 5.4),
        text="The same points after several rounds; area is weight, the line is the newest stump.",
    )
    for t, name in zip(shown, names, strict=True):
        ax = picture.axes[name]
        grid = draw.plane(ax, WINDOW, WINDOW, ("", ""))
        ax.set(title=name, xticks=[], yticks=[])
        if t:
            F = vote(rounds[:t], grid.points)
            draw.surface(ax, grid, _tint(F), strength=0.3)
            draw.level(ax, grid, F, linewidth=1.2)
            _draw_cut(ax, rounds[t - 1].h)
        draw.weights(ax, X, (y + 1) // 2, rounds[t - 1].D if t else np.full(len(y), 1 / len(y)))
    return picture


def learners_picture(X: np.ndarray, y: np.ndarray, T: int) -> Picture:
    """The first rule of each weak learner above, the vote of T of them below."""
    first, after = ([f"{kind} {name}" for name in WEAK] for kind in ("one", str(T)))
    picture = Picture(
        [first, after],
        size=(8.0, 4.3),
        text=f"Stump, small tree, box and line: the first rule alone, and {T} of them voting.",
    )
    for name, *both in zip(WEAK, first, after, strict=True):
        rounds = boost(X, y, name, T)
        for title, some in zip(both, (rounds[:1], rounds), strict=True):
            ax = picture.axes[title]
            draw.plane(ax, WINDOW, WINDOW, ("", ""))
            grid = draw.Grid(WINDOW, WINDOW, 240, 240)
            F = vote(some, grid.points)
            wrong = np.mean(np.sign(vote(some, X)) != y)
            draw.surface(ax, grid, _tint(F))
            draw.level(ax, grid, F)
            draw.points(ax, X, (y + 1) // 2, size=10)
            plural = "boxes" if name == "box" else f"{name}s"
            ax.set(xticks=[], yticks=[])
            ax.set_title(f"one {name}" if some is not rounds else f"{T} {plural}", fontsize=10)
            ax.set_xlabel(f"{wrong:.0%} wrong", fontsize=9.5)
    return picture


def bound_picture(error: np.ndarray, bound: np.ndarray, without_two: np.ndarray) -> Picture:
    """Training error and both products, on a logarithmic scale."""
    picture = Picture(
        size=(8.0, 3.2),
        text="The training error stays below the right bound and above the one without the 2.",
    )
    ax, t = picture.ax, np.arange(1, len(error) + 1)
    ax.set_yscale("log")
    draw.frame(ax, (0, len(t) * 1.25), (3e-3, 1.5), ("rounds T", "share wrong, or bound"))
    ax.plot(t, bound, ":", color=theme.HIGHLIGHT, linewidth=2.4)
    ax.text(t[-1] + 1, bound[-1], "Π 2√(ε(1−ε))", va="center")
    shown = without_two > 3e-3
    ax.plot(t[shown], without_two[shown], "--", color=theme.CLASS_COLORS[0])
    ax.text(t[shown][-1] + 1, 5e-3, "the same without the 2", color=theme.CLASS_COLORS[0])
    wrong = error > 0
    ax.plot(t[wrong], error[wrong], color=theme.INK)
    ax.text(t[wrong][-1] + 1, error[wrong][-1], "training error", va="center")
    return picture


def rounds_picture(curves: dict[str, np.ndarray], best: int) -> Picture:
    """Errors against T on real data; `best` is where the validation curve is lowest."""
    picture = Picture(
        size=(8.0, 3.2), text=f"Errors against the number of rounds; chosen T = {best}."
    )
    ax = picture.ax
    T = len(next(iter(curves.values())))
    ax.set_xscale("log")
    draw.frame(ax, (0.9, T * 2.6), (-0.008, 0.15), ("rounds T", "share wrong"))
    styles = zip(curves.items(), ("--", "-"), (theme.SOFT, theme.INK), strict=True)
    for (name, values), style, color in styles:
        draw.curve(ax, np.arange(1, T + 1), values, name, style=style, color=color)
    draw.marker_line(ax, best, f"T = {best}")
    return picture


def stages_picture(seen: Page, evaluated: np.ndarray, accepted: np.ndarray) -> Picture:
    """A page, the work that each of its windows cost, and what is accepted in the end."""
    picture = Picture(
        ("the page", "stages run at each window"),
        size=(8.0, 4.1),
        text="Nearly all windows are dismissed by the first stage; work gathers around digits.",
    )
    rows, columns = seen.positive.shape
    for name, values in (("the page", _ink(seen)), ("stages run at each window", evaluated)):
        ax = picture.axes[name]
        ax.imshow(
            values if values.ndim == 2 else values.reshape(rows, columns),
            cmap="gray_r",
            interpolation="nearest",
        )
        ax.set(title=name, xticks=[], yticks=[])
    row, column = np.divmod(np.flatnonzero(accepted), columns)
    ax = picture.axes["the page"]
    look = {"markerfacecolor": "none", "linestyle": ""}
    ax.plot(
        *(seen.corners.T[::-1] + 3.5),
        marker="o",
        markeredgecolor=theme.CLASS_COLORS[1],
        markersize=13,
        markeredgewidth=1.6,
        **look,
    )
    ax.plot(column + 3.5, row + 3.5, "s", color=theme.CLASS_COLORS[0], markersize=2.5)
    return picture
