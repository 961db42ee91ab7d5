"""Scenes of 17_bagging."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgba
from numpy.polynomial import Polynomial
from numpy.polynomial.chebyshev import chebvander
from numpy.typing import ArrayLike

from mlcore.datasets import make_moons, make_sine
from mlcore.ensemble import BaggingRegressor, bootstrap_indices, inclusion_probability
from mlcore.tree import Limits, SquaredError, grow_steps
from mllab import draw, theme
from mllab.explore import Explorer, Points, explore, log_slider, real_slider, slider
from mllab.play import Player, play
from mllab.stage import Picture, Stage

PERIOD = 2 * np.pi
PLACES = np.linspace(0, PERIOD, 240)
TRUTH, MODEL, ONE = theme.CLASS_COLORS[1], theme.INK, theme.CLASS_COLORS[5]
BIAS, VARIANCE, NOISE = theme.CLASS_COLORS[0], theme.HIGHLIGHT, "#BBBBBB"
WINDOW = (-0.15, PERIOD + 0.15), (-2.3, 2.3)


# ---- many trees at once -------------------------------------------------------------------------
LEGEND = {"fontsize": 10, "handlelength": 1.4, "handletextpad": 0.3, "columnspacing": 0.9}


def as_weights(bags: ArrayLike, n: int) -> np.ndarray:
    """(m, n): how often each of the n samples is in each bag."""
    return np.array([np.bincount(bag, minlength=n) for bag in np.asarray(bags)], dtype=float)


def staged_trees(
    x: np.ndarray, Y: np.ndarray, W: np.ndarray, places: np.ndarray, max_depth: float = np.inf
) -> Iterator[np.ndarray]:
    """What m trees say at `places` at depth 0, 1, 2, …: (m, places) each.

    All trees ask about the one number x; row t of Y holds the targets of tree t and row t of W
    how often each sample counts. They grow side by side, so hundreds take as long as a few.
    """
    m, across = len(Y), np.tile(places, len(Y))
    no_draws = [np.random.default_rng(0)] * m  # with one feature there is none to choose
    grown = SquaredError(np.ravel(Y), np.ravel(W))
    node, said = np.repeat(np.arange(m), len(places)), np.empty(m * len(places))
    moving = np.arange(len(node))
    for level in grow_steps(x[:, None], grown, Limits(max_depth, 2, 1, 1), no_draws):
        where = np.argsort(level.node)[node[moving] - level.node.min()]
        said[moving] = level.value[where, 0]
        yield said.reshape(m, -1).copy()
        on, where = moving[level.feature[where] >= 0], where[level.feature[where] >= 0]
        right = across[on] > level.threshold[where]
        node[on] = np.where(right, level.right[where], level.left[where])
        moving = on


def fit_trees(
    x: np.ndarray,
    Y: np.ndarray,
    bags: ArrayLike | None = None,
    places: np.ndarray = PLACES,
    max_depth: float = np.inf,
) -> np.ndarray:
    """One tree for each row of targets Y (and of `bags`), by default full: (trees, places)."""
    W = np.ones_like(Y) if bags is None else as_weights(bags, len(x))
    *_, last = staged_trees(x, Y, W, places, max_depth)
    return last


# ---- the average of bags --------------------------------------------------------------------

BAGS, DEPTHS, SETS, BAGS_A_SET = 50, np.arange(1, 9), 60, 8
SINE_X = np.sort(make_sine(40, random_state=0)[0][:, 0])
EPSILON = np.random.default_rng(4).standard_normal(len(SINE_X))


class Parts(NamedTuple):
    """Where the squared error comes from, for each depth."""

    bias2: np.ndarray
    variance: np.ndarray  # s²: of one bag's tree
    shared: np.ndarray  # ρs²: what two bags of the same data have in common
    single: np.ndarray  # the whole squared error of one tree that sees all the data

    def of_average(self, m: int) -> np.ndarray:
        """ρs² + (1 − ρ)s²/m."""
        return self.shared + (self.variance - self.shared) / m


@lru_cache(maxsize=64)
def parts_by_depth(noise: float) -> Parts:
    """Grow trees on many data sets with the same x and new noise, and see how they spread."""
    rng, n, places = np.random.default_rng(1), len(SINE_X), PLACES[4::6]
    Y = np.sin(SINE_X) + noise * rng.standard_normal((SETS, n))
    W = np.vstack([as_weights(bootstrap_indices(n, SETS * BAGS_A_SET, rng), n), np.ones((SETS, n))])
    Y = np.vstack([np.repeat(Y, BAGS_A_SET, axis=0), Y])
    steps = list(staged_trees(SINE_X, Y, W, places, DEPTHS[-1]))[1:]
    F = np.array([steps[min(depth, len(steps)) - 1] for depth in DEPTHS])
    bagged = F[:, :-SETS].reshape(len(DEPTHS), SETS, BAGS_A_SET, -1)
    whole = F[:, -SETS:]
    s2 = bagged.var(axis=(1, 2)).mean(axis=-1)
    of_means = bagged.mean(axis=2).var(axis=1).mean(axis=-1)  # ρs² + (1 − ρ)s²/bags
    shared = np.maximum((BAGS_A_SET * of_means - s2) / (BAGS_A_SET - 1), 0)
    bias2 = ((bagged.mean(axis=(1, 2)) - np.sin(places)) ** 2).mean(axis=-1)
    single = ((whole - np.sin(places)) ** 2).mean(axis=(1, 2)) + noise**2
    return Parts(bias2, s2, np.minimum(shared, s2), single)


class AverageOfBags:
    """The trees of all bags are grown once for the points as they are, then cut to any depth."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.key: tuple[object, ...] = ()

    def grow(self, points: Points) -> None:
        key = (id(points), points.version)
        if key == self.key:
            return
        x, y = _at_least_two(points).T
        W = as_weights(bootstrap_indices(len(x), BAGS, 0), len(x))
        self.curves = list(staged_trees(x, np.tile(y, (BAGS, 1)), W, PLACES, DEPTHS[-1]))
        self.key = key

    def __call__(self, points: Points, depth: int, noise: float, m: int) -> str:
        self.grow(points)
        curves = self.curves[min(depth, len(self.curves) - 1)][:m]
        average = curves.mean(axis=0)
        ax = self.stage.ax
        many(ax, PLACES, curves)
        data(ax, *points.X.T)
        ax.plot(PLACES, np.sin(PLACES), "--", color=TRUTH, zorder=4)
        ax.plot(PLACES, average, color=MODEL, linewidth=3, zorder=5)
        parts = parts_by_depth(round(noise, 2))
        variance = parts.of_average(m)
        stacked(self.stage.axes["parts"], DEPTHS, parts.bias2, variance, noise**2, chosen=depth)
        self.alone(parts.single)
        return self.caption(curves, average, parts, depth, noise, m)

    def alone(self, error: np.ndarray) -> None:
        """What one tree on all the data would do."""
        ax = self.stage.axes["parts"]
        ax.plot(DEPTHS, error, "D", color=theme.INK, markersize=4, zorder=3)
        ax.text(DEPTHS[-1] + 0.36, error[-1] + 0.02, "one tree", ha="right", color=theme.INK)

    @staticmethod
    def caption(
        curves: np.ndarray, average: np.ndarray, parts: Parts, depth: int, noise: float, m: int
    ) -> str:
        truth, at = np.sin(PLACES), depth - 1
        one = np.sqrt(np.mean((curves - truth) ** 2))
        all_of_them = np.sqrt(np.mean((average - truth) ** 2))
        bias2, variance = parts.bias2[at], parts.of_average(m)[at]
        trees = "One tree on one bag is" if m == 1 else f"A tree on one of the {m} bags is"
        return (
            f"<b>Depth {depth}, {m} {'bag' if m == 1 else 'bags'}.</b> {trees} typically "
            f"{one:.2f} away from sin x; <b>the average is {all_of_them:.2f} away</b>. Over many "
            f"data sets: bias² {bias2:.3f} + variance {variance:.3f} + noise {noise**2:.3f} = "
            f"{bias2 + variance + noise**2:.3f} (◆ one tree on all the data: "
            f"{parts.single[at]:.3f})."
        )


def _at_least_two(points: Points) -> np.ndarray:
    if len(points.X) < 2:
        raise ValueError("At least two points are needed. Press reset to have them back.")
    return points.X


def average_explorer() -> Explorer:
    """Every bag's curve thin, their average thick, and what the squared error is made of."""
    stage = Stage(("plane", "parts"), widths=(1.55, 1))
    draw.frame(stage.ax, *WINDOW, ("x", "y"))
    _names(
        stage.ax, (ONE, "-", 1.2, "one bag"), (MODEL, "-", 3, "average"), (TRUTH, "--", 2, "sin x")
    )
    parts = stage.axes["parts"]
    draw.frame(parts, (0.4, 8.6), (0, 0.82), ("depth", "squared error on new points"))
    parts.set_xticks(DEPTHS)
    _part_names(parts)
    return explore(
        AverageOfBags(stage),
        stage,
        points=lambda noise: (np.c_[SINE_X, np.sin(SINE_X) + noise * EPSILON], np.zeros(40, int)),
        depth=slider("depth", 1, 8, 6),
        noise=real_slider("noise σ", 0.0, 0.6, 0.4, step=0.05),
        m=slider("bags m", 1, BAGS, 25),
    )


def many(ax: Axes, x: np.ndarray, curves: np.ndarray, *, alpha: float = 0.55) -> None:
    """Thin curves, as one artist."""
    gap = np.full((len(curves), 1), np.nan)
    across = np.tile(np.append(x, np.nan), len(curves))
    ax.plot(
        across, np.hstack([curves, gap]).ravel(), color=ONE, linewidth=0.8, alpha=alpha, zorder=2
    )


def data(ax: Axes, x: np.ndarray, y: np.ndarray) -> None:
    """The samples of a regression problem."""
    look = {"markerfacecolor": theme.SOFT, "markeredgecolor": "white", "markeredgewidth": 0.7}
    ax.plot(x, y, "o", markersize=6, zorder=6, **look)


def stacked(
    ax: Axes,
    at: ArrayLike,
    bias2: np.ndarray,
    variance: np.ndarray,
    noise: float,
    *,
    chosen: int | None = None,
) -> None:
    """Noise, bias² and variance as stacked bars; all but the chosen one pale."""
    at, floor = np.asarray(at), np.zeros(len(at))
    pale = np.array([1.0 if chosen in (None, depth) else 0.4 for depth in at])
    left, right = at - 0.36, at + 0.36
    boxes, colors = [], []
    for part, color in ((noise, NOISE), (bias2, BIAS), (variance, VARIANCE)):
        top = floor + part
        corners = [(left, floor), (right, floor), (right, top), (left, top)]
        boxes += list(np.array(corners).transpose(2, 0, 1))
        colors += [to_rgba(color, alpha) for alpha in pale]
        floor = top
    # One artist for all of them: as many bars would take ten times as long.
    ax.add_collection(PolyCollection(boxes, facecolors=colors, zorder=2), autolim=False)


def _part_names(ax: Axes) -> None:
    for color, name in ((VARIANCE, "variance"), (BIAS, "bias²"), (NOISE, "noise")):
        ax.plot([], [], "s", color=color, markersize=8, label=name)
    draw.legend_above(ax, 4, **LEGEND)


def _names(ax: Axes, *lines: tuple[str, str, float, str]) -> None:
    """Names of the lines, once and for all, above the axes."""
    for color, style, width, name in lines:
        ax.plot([], [], style, color=color, linewidth=width, label=name)
    draw.legend_above(ax, 4, **LEGEND)


# ---- too stiff, too nervous ---------------------------------------------------------------------

POLY_X = np.linspace(0, PERIOD, 12)
SAMPLES = 25
POLY_EPSILON = np.random.default_rng(2).standard_normal((SAMPLES, len(POLY_X)))


def poly_data(rng: np.random.Generator, sigma: float = 0.3) -> tuple[np.ndarray, np.ndarray]:
    """A new training set: the same twelve x, sin x with new noise."""
    return POLY_X[:, None], np.sin(POLY_X) + sigma * rng.standard_normal(len(POLY_X))


class PolynomialFit:
    """Least squares with a polynomial of one number, by numpy, as a model with fit and predict."""

    def __init__(self, degree: int) -> None:
        self.degree = degree

    def fit(self, X: np.ndarray, y: np.ndarray) -> PolynomialFit:
        self.curve = Polynomial.fit(X[:, 0], y, self.degree)
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return self.curve(X[:, 0])


def _powers(x: np.ndarray) -> np.ndarray:
    """(len(x), 12): polynomials of degree 0 … 11 that do not get large between 0 and 2π."""
    return chebvander(2 * x / PERIOD - 1, len(POLY_X) - 1)


@lru_cache(maxsize=1)
def _smoothers() -> list[np.ndarray]:
    """For each degree the matrix that turns twelve targets at POLY_X into the fit at PLACES."""
    V, P = _powers(POLY_X), _powers(PLACES)
    return [P[:, : M + 1] @ np.linalg.pinv(V[:, : M + 1]) for M in range(len(POLY_X))]


def all_degrees(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Least-squares fits of degree 0 … 11: at the data, and at PLACES."""
    V, P = _powers(x), _powers(PLACES)
    weights = [np.linalg.lstsq(V[:, : M + 1], y, rcond=None)[0] for M in range(V.shape[1])]
    return (
        np.array([V[:, : len(w)] @ w for w in weights]),
        np.array([P[:, : len(w)] @ w for w in weights]),
    )


def degree_explorer() -> Explorer:
    """A polynomial through twelve points: too stiff, about right, too nervous."""
    stage = Stage(("plane", "error"), widths=(1.55, 1))
    draw.frame(stage.ax, *WINDOW, ("x", "y"))
    _names(
        stage.ax,
        (ONE, "-", 1.2, "other samples"),
        (MODEL, "-", 3, "this sample"),
        (TRUTH, "--", 2, "sin x"),
    )
    error = stage.axes["error"]
    draw.frame(error, (-0.5, 14.8), (0, 1.2), ("degree M", "typical error"))
    error.set_xticks(range(0, 12, 2))
    _names(error, (MODEL, "-", 2, "new points"), (theme.SOFT, "--", 2, "training"))

    def scene(points: Points, M: int, noise: float, sample: int) -> str:
        x, y = _at_least_two(points).T
        at_data, at_places = all_degrees(x, y)
        train = np.sqrt(np.mean((at_data - y) ** 2, axis=1))
        test = np.sqrt(np.mean((at_places - np.sin(PLACES)) ** 2, axis=1) + noise**2)
        others = (np.sin(POLY_X) + noise * POLY_EPSILON) @ _smoothers()[M].T
        many(stage.ax, PLACES, others)
        data(stage.ax, x, y)
        stage.ax.plot(PLACES, np.sin(PLACES), "--", color=TRUTH, zorder=4)
        stage.ax.plot(PLACES, at_places[M], color=MODEL, linewidth=3, zorder=5)
        degrees = np.arange(len(train))
        error.plot(degrees, train, "--", color=theme.SOFT, marker="o", markersize=4)
        error.plot(degrees, test, "-", color=MODEL, marker="o", markersize=4)
        draw.marker_line(error, M, f"M = {M}")
        spread = others.std(axis=0).mean()
        return (
            f"<b>Degree {M}, sample {sample}</b>: typical error {train[M]:.2f} on the training "
            f"points and <b>{test[M]:.2f} on new ones</b>. From one sample to the next the curve "
            f"moves by {spread:.2f}; the mean of all {SAMPLES} curves misses sin x by "
            f"{np.sqrt(np.mean((others.mean(axis=0) - np.sin(PLACES)) ** 2)):.2f}."
        )

    return explore(
        scene,
        stage,
        points=_poly_points,
        M=slider("degree M", 0, 11, 3),
        noise=real_slider("noise σ", 0.0, 0.6, 0.3, step=0.05),
        sample=slider("sample", 1, SAMPLES, 1),
    )


def _poly_points(noise: float, sample: int) -> tuple[np.ndarray, np.ndarray]:
    y = np.sin(POLY_X) + noise * POLY_EPSILON[sample - 1]
    return np.c_[POLY_X, y], np.zeros(len(POLY_X), int)


# ---- the average of guesses -----------------------------------------------------------------

REPEATS, ROWS, GUESSES = 4000, 24, 60


def guesses(rho: float, repeats: int = REPEATS, m: int = GUESSES, seed: int = 0) -> np.ndarray:
    """(repeats, m): guesses of 0 with variance 1 and pairwise correlation ρ.

    Each is √ρ of an error that all of a row share, and √(1 − ρ) of one of its own.
    """
    rng = np.random.default_rng(seed)
    own, shared = rng.standard_normal((repeats, m)), rng.standard_normal((repeats, 1))
    return np.sqrt(rho) * shared + np.sqrt(1 - rho) * own


def guesses_explorer() -> Explorer:
    """m guesses and their average, again and again; how the average's variance falls with m."""
    stage = Stage(("plane", "curve"), widths=(1.3, 1))
    draw.frame(stage.ax, (-3.6, 3.6), (-0.8, ROWS - 0.2), ("guess (the truth is 0)", "repetition"))
    curve, ms = stage.axes["curve"], np.arange(1, GUESSES + 1)
    draw.frame(
        curve, (0, GUESSES + 2), (0, 1.15), ("number of guesses m", "variance of the average")
    )
    own, shared = guesses(0.0), guesses(1.0)[:, :1]
    _names(stage.ax, (ONE, ".", 1, "one guess"), (MODEL, "o", 1, "average"))
    _names(curve, (MODEL, "-", 2, "ρ + (1 − ρ)/m"), (VARIANCE, "o", 1, "measured"))

    def scene(m: int, rho: float) -> str:
        tries = np.sqrt(rho) * shared + np.sqrt(1 - rho) * own
        rows, averages = np.arange(ROWS), tries[:, :m].mean(axis=1)
        across = tries[:ROWS, :m]
        stage.ax.axvline(0, color=TRUTH, linestyle="--", zorder=1)
        stage.ax.plot(across.ravel(), np.repeat(rows, m), ".", color=ONE, markersize=6, alpha=0.8)
        stage.ax.plot(averages[:ROWS], rows, "o", color=MODEL, markersize=6, zorder=4)
        curve.plot(ms, rho + (1 - rho) / ms, color=MODEL)
        curve.axhline(rho, color=theme.SOFT, linestyle=":", zorder=1)
        curve.plot(m, averages.var(), "o", color=VARIANCE, markersize=10, zorder=4)
        draw.marker_line(curve, m)
        floor = "and falls towards 0" if rho == 0 else f"and never falls below ρ = {rho:.2f}"
        return (
            f"<b>m = {m}, ρ = {rho:.2f}</b>: the average has variance {averages.var():.3f} over "
            f"{REPEATS} repetitions; the formula says {rho + (1 - rho) / m:.3f}, {floor}. One "
            f"guess alone has variance 1."
        )

    return explore(
        scene,
        stage,
        m=slider("guesses m", 1, GUESSES, 10),
        rho=real_slider("correlation ρ", 0.0, 1.0, 0.0, step=0.05),
    )


# ---- a bag is drawn -------------------------------------------------------------------------

IN_BAG, LIMIT = theme.CLASS_COLORS[0], 1 - np.exp(-1)


def bootstrap_player(n: int = 30, seed: int = 8) -> Player:
    """n draws with replacement from n samples: who is in the bag, who is left out?"""
    stage = Stage(("balls", "share"), widths=(1.3, 1), size=(8.0, 3.6))
    balls, share = stage.axes["balls"], stage.axes["share"]
    draw.frame(balls, (-0.8, n - 0.2), (-0.9, 5.6), ("sample", "times in the bag"))
    draw.frame(share, (0, n), (0, 1), ("draws", "share of the samples in the bag"))
    balls.plot([], [], "o", color=IN_BAG, markersize=7, label="in the bag")
    balls.plot([], [], "o", mfc="none", mec=theme.SOFT, markersize=7, label="left out")
    balls.plot([], [], "o", color=theme.HIGHLIGHT, markersize=8, label="newest draw")
    draw.legend_above(balls, 4, **LEGEND)
    _names(share, (IN_BAG, "-", 2.5, "this bag"), (MODEL, "--", 1.5, "expected"))
    share.axhline(LIMIT, color=TRUTH, linewidth=1, linestyle=":")
    share.annotate("1 − 1/e", (0.4, LIMIT), va="bottom", color=TRUTH)
    draws = np.arange(n + 1)
    expected = 1 - (1 - 1 / n) ** draws

    def scene(history: list[int]) -> str:
        times = np.bincount(history, minlength=n)
        inside = np.flatnonzero(times)
        height = np.concatenate([np.arange(1, times[i] + 1) for i in inside])
        left_out = np.flatnonzero(times == 0)
        balls.plot(left_out, 0 * left_out, "o", markersize=7, mfc="none", mec=theme.SOFT)
        balls.plot(np.repeat(inside, times[inside]), height, "o", markersize=7, color=IN_BAG)
        newest = history[-1]
        balls.plot(newest, times[newest], "o", markersize=9, color=theme.HIGHLIGHT, zorder=4)
        seen = [len(set(history[:t])) / n for t in range(len(history) + 1)]
        share.plot(draws, expected, "--", color=MODEL, linewidth=1.5)
        share.plot(draws[: len(seen)], seen, color=IN_BAG, linewidth=2.5)
        again = "for the first time" if times[newest] == 1 else f"for time number {times[newest]}"
        return (
            f"Draw {len(history)} of {n}: sample {newest}, {again}. In the bag: {len(inside)} of "
            f"{n} samples, <b>{len(inside) / n:.0%}</b> (on average {expected[len(history)]:.0%} "
            f"at this stage). Left out so far: {n - len(inside)}."
        )

    bag = bootstrap_indices(n, 1, seed)[0]
    return play([int(i) for i in bag], scene, stage, start=n - 1, interval=500)


def share_explorer() -> Explorer:
    """How large a part of n samples ends up in a bag, as n grows."""
    stage = Stage(("bags", "curve"), widths=(1, 1.1), size=(8.0, 3.4))
    bags, curve = stage.axes["bags"], stage.axes["curve"]
    draw.frame(
        bags, (0, 1.02), (0, 1.08), ("share of the samples in the bag", "bags (largest = 1)")
    )
    _names(
        bags,
        (IN_BAG, "-", 3, "bags"),
        (theme.HIGHLIGHT, "-", 1.6, "expected"),
        (TRUTH, ":", 1, "1 − 1/e"),
    )
    ns = np.arange(1, 1001)
    curve.set_xscale("log")
    draw.frame(curve, (0.9, 1100), (0.55, 1.02), ("samples n", "chance of being in the bag"))
    curve.set_xticks([1, 10, 100, 1000], ["1", "10", "100", "1000"])
    curve.plot(ns, inclusion_probability(ns), color=IN_BAG)
    curve.axhline(LIMIT, color=TRUTH, linewidth=1, linestyle=":")
    curve.annotate("1 − 1/e = 0.632", (1, LIMIT), va="top", xytext=(0, -3),
                   textcoords="offset points", color=TRUTH)  # fmt: skip

    def scene(n: float) -> str:
        n = round(n)
        share = shares(n, min(4000, 300_000 // n))
        values, counts = np.unique(share, return_counts=True)
        bags.vlines(values, 0, counts / counts.max(), color=IN_BAG, linewidth=3)
        chance = float(inclusion_probability(n))
        draw.marker_line(bags, chance)
        bags.axvline(LIMIT, color=TRUTH, linewidth=1, linestyle=":")
        curve.plot(n, chance, "o", color=theme.HIGHLIGHT, markersize=10, zorder=4)
        return (
            f"<b>n = {n}</b>: a sample is in a bag with chance 1 − (1 − 1/n)ⁿ = {chance:.4f}. "
            f"In {len(share)} bags {share.mean():.3f} of the samples were found on average; the "
            f"bags ranged from {share.min():.0%} to {share.max():.0%}."
        )

    return explore(scene, stage, n=log_slider("samples n", 1, 1000, 5.0))


def shares(n: int, bags: int, seed: int = 0) -> np.ndarray:
    """The share of n samples that is in each of so many bags."""
    return (as_weights(bootstrap_indices(n, bags, seed), n) > 0).mean(axis=1)


# ---- bagging, bag by bag --------------------------------------------------------------------


def bagging_player(m: int = 30) -> Player:
    """One bag after the other: its samples, its tree, the average so far, the score."""
    X, y = make_sine(40, noise=0.4, random_state=5)
    new_X, new_y = make_sine(1000, noise=0.4, random_state=4)
    model = BaggingRegressor(m=m, random_state=0).fit(X, y)
    curves = np.array([tree.predict(PLACES[:, None]) for tree in model.estimators_])
    bags, ms = range(1, m + 1), np.arange(1, m + 1)[:, None]
    on_new = np.cumsum([tree.predict(new_X) for tree in model.estimators_], axis=0) / ms
    on_own = np.cumsum([tree.predict(X) for tree in model.estimators_], axis=0) / ms
    lines = {
        "training": (r_squared(y, on_own), theme.SOFT, "--"),
        "new points": (r_squared(new_y, on_new), MODEL, "-"),
        "out of bag": (model.oob_curve_, VARIANCE, "-"),
    }
    stage = Stage(("plane", "score"), widths=(1.5, 1))
    draw.frame(stage.ax, *WINDOW, ("x", "y"))
    _names(stage.ax, (VARIANCE, "-", 1.6, "this bag"), (ONE, "-", 1.2, "bags before"),
           (MODEL, "-", 3, "average"))  # fmt: skip
    score = stage.axes["score"]
    draw.frame(score, (0, m + 1), (0.2, 1.02), ("bags", "R² of the average"))
    for name, (_, color, style) in lines.items():
        score.plot([], [], style, color=color, label=name)
    score.legend(loc="lower right", frameon=False)

    def scene(history: list[np.ndarray]) -> str:
        t = len(history)
        times = np.bincount(history[-1], minlength=len(y))
        many(stage.ax, PLACES, curves[: t - 1])
        stage.ax.plot(PLACES, curves[t - 1], color=VARIANCE, linewidth=1.6, zorder=4)
        stage.ax.plot(PLACES, curves[:t].mean(axis=0), color=MODEL, linewidth=3, zorder=5)
        for count in range(times.max() + 1):
            look = {"mfc": theme.SOFT if count else "white", "mec": theme.SOFT, "zorder": 6}
            mine = times == count
            stage.ax.plot(X[mine, 0], y[mine], "o", markersize=5 + 2 * max(count - 1, 0), **look)
        for values, color, style in lines.values():
            score.plot(bags[:t], values[:t], style, color=color, marker=".", markersize=5)
        out = int(np.sum(times == 0))
        return (
            f"<b>Bag {t}</b> leaves out {out} of {len(y)} samples (hollow); the largest dots are "
            f"in it {times.max()} times. R² of the average so far: training "
            f"{lines['training'][0][t - 1]:.2f}, out of bag <b>{model.oob_curve_[t - 1]:.2f}</b>, "
            f"1000 new points {lines['new points'][0][t - 1]:.2f}."
        )

    return play(model.bags_, scene, stage, start=m - 1, interval=700)


def r_squared(y: np.ndarray, predicted: np.ndarray) -> np.ndarray:
    """1 − Σ(y − f)²/Σ(y − ȳ)², for predictions along the last axis."""
    return 1 - np.sum((y - predicted) ** 2, axis=-1) / np.sum((y - y.mean()) ** 2)


# ---- pictures that stand still ------------------------------------------------------------------


def residuals_picture(x: np.ndarray, y: np.ndarray, line: np.ndarray) -> Picture:
    """A straight line on a sine: what is left over still has a shape."""
    picture = Picture(
        ("line", "left over"),
        size=(8.0, 2.8),
        text="A straight line on noisy sin x, and what it leaves over: one clear wave.",
    )
    left, right = picture.axes.values()
    draw.frame(left, (-0.15, PERIOD + 0.15), (-2.1, 2.1), ("x", "y"))
    draw.frame(right, (-0.15, PERIOD + 0.15), (-2.1, 2.1), ("x", "y − line"))
    data(left, x, y)
    left.plot(x, line, color=MODEL)
    above = y > line
    for mine, color in ((above, theme.CLASS_COLORS[0]), (~above, theme.CLASS_COLORS[1])):
        right.vlines(x[mine], 0, (y - line)[mine], color=color, linewidth=2)
    right.axhline(0, color=MODEL)
    left.set_title("a line takes the wave for noise")
    right.set_title("what is left over comes in runs")
    return picture


def parts_picture(rows: dict[str, tuple[float, float, float]]) -> Picture:
    """bias², variance and noise of several models, side by side."""
    text = "; ".join(
        f"{name}: bias² {bias2:.3f}, variance {variance:.3f}, noise {noise:.3f}"
        for name, (bias2, variance, noise) in rows.items()
    )
    picture = Picture(("parts",), size=(6.4, 2.9), text=text)
    ax, at = picture.ax, np.arange(len(rows))
    bias2, variance, noise = np.array(list(rows.values())).T
    stacked(ax, at, bias2, variance, noise)
    top = (bias2 + variance + noise).max()
    draw.frame(ax, (-0.6, len(rows) - 0.4), (0, 1.15 * top), ("", "squared error"))
    for k, total in enumerate(bias2 + variance + noise):
        ax.annotate(f"{total:.2f}", (k, total), ha="center", va="bottom")
    ax.set_xticks(at, list(rows))
    _part_names(ax)
    return picture


def vote_picture(models: dict[str, object], X: np.ndarray, y: np.ndarray) -> Picture:
    """The regions of several classifiers side by side, over the points they were given."""
    picture = Picture(list(models), size=(8.0, 2.9), text="; ".join(models))
    for name, model in models.items():
        ax = picture.axes[name]
        grid = draw.plane(ax, (-2.1, 3.1), (-1.7, 2.2))
        ax.set_title(name)
        share = model.predict_proba(grid.points)
        draw.surface(ax, grid, share)
        draw.boundary(ax, grid, share)
        draw.points(ax, X, y, size=16)
    return picture


def noisy_moons(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Two half circles whose points overlap."""
    return make_moons(n, noise=0.35, random_state=seed)


def depths_picture(
    depths: list[int], tree: np.ndarray, bagged: np.ndarray, oob_curve: np.ndarray
) -> Picture:
    """R² against depth for one tree and for many bags; R² out of bag against the number of bags."""
    picture = Picture(
        ("depth", "bags"),
        size=(8.0, 3.2),
        text="One tree is best when shallow and useless when deep; bagged, it is good throughout.",
    )
    left, right = picture.axes.values()
    draw.frame(left, (0.5, depths[-1] + 4), (-0.5, 0.55), ("depth", "R² on patients not seen"))
    left.set_xticks(depths)
    draw.curve(left, depths, bagged, "bagged", color=MODEL)
    draw.curve(left, depths, tree, "one tree", color=VARIANCE)
    draw.frame(right, (0, len(oob_curve) + 2), (-0.5, 0.55), ("bags m", "R² out of bag"))
    right.plot(np.arange(1, len(oob_curve) + 1), oob_curve, color=MODEL)
    for ax in (left, right):
        ax.axhline(0, color=theme.FAINT, zorder=1)
    return picture
