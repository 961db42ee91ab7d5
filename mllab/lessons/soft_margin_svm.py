"""Scenes of 10_soft_margin_svm."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes

from mlcore.datasets import load, make_blobs
from mlcore.kernels import linear
from mlcore.model_selection import train_test_split
from mlcore.preprocessing import StandardScaler
from mlcore.svm import (
    SVC,
    HingeStep,
    SlackCase,
    hinge_objective,
    hinge_sgd_steps,
    regularization_path,
    slack_cases,
)
from mllab import draw, theme
from mllab.explore import Explorer, Points, choice, explore, log_slider, menu, real_slider
from mllab.play import Player, play
from mllab.stage import Picture, Stage

NAMES = ("● blue", "▲ orange")
WINDOW = (-3.2, 3.2), (-2.6, 2.6)
CASE_WORDS = ("beyond its margin", "on its margin", "inside the street", "misclassified")
GUIDE = {"color": theme.FAINT, "linewidth": 1, "zorder": 0}


# ---- data, and where its points lie -------------------------------------------------------------


def clouds(
    n: int, seed: int, *, apart: float = 1.0, spread: float = 0.9
) -> tuple[np.ndarray, np.ndarray]:
    """Two clouds around ±(apart, 0.4 apart), y = −1 and +1; they overlap unless far apart."""
    centers = np.outer([-apart, apart], [1, 0.4])
    X, codes = make_blobs(n, centers=centers, spread=spread, random_state=seed)
    low, high = np.array(WINDOW).T  # the few far out come to its edge
    return np.clip(X, low + 0.1, high - 0.1), 2.0 * codes - 1


def _with_a_lone_point(
    X: np.ndarray, y: np.ndarray, lone: Sequence[float]
) -> tuple[np.ndarray, np.ndarray]:
    """The classes as codes, and one blue point more: the one to take hold of first."""
    return np.vstack([X, lone]), np.append((y > 0).astype(int), 0)


SHAPES = {
    "two clouds": lambda: _with_a_lone_point(*clouds(60, 2), (-2.5, 1.9)),
    "one outlier": lambda: _with_a_lone_point(*clouds(40, 5, apart=1.5, spread=0.5), (1.2, 1.9)),
    "far apart": lambda: _with_a_lone_point(*clouds(40, 3, apart=1.6, spread=0.5), (-2.3, 1.7)),
    "200 points": lambda: _with_a_lone_point(*clouds(199, 1), (-2.6, 2.1)),
}


class Fit(NamedTuple):
    """A separator, and for each training point its margin y·f(x), its slack and its case."""

    alpha: np.ndarray
    w: np.ndarray
    b: float
    margins: np.ndarray
    xi: np.ndarray
    cases: np.ndarray
    feet: np.ndarray  # where the perpendicular from a point meets the margin of its class

    @classmethod
    def of(
        cls, X: np.ndarray, codes: np.ndarray, C: float, alpha0: np.ndarray | None = None
    ) -> Fit:
        """Solve the soft margin; `alpha0`, the α of a moment ago, makes it quick."""
        if len(np.unique(codes)) < 2:
            raise ValueError("Both classes are needed: add a point of the other one.")
        model = SVC(C=C, tol=1e-4).fit(X, codes, alpha0=alpha0)
        y, w, b = 2.0 * codes - 1, model.w_, model.b_
        margins = y * (X @ w + b)
        xi = np.maximum(0, 1 - margins)
        steps = y * xi / max(w @ w, 1e-12)
        feet = X + np.outer(steps, w)
        return cls(model.alpha_, w, b, margins, xi, slack_cases(model.alpha_, margins, C), feet)

    @property
    def norm(self) -> float:
        return float(np.linalg.norm(self.w))


def draw_street(ax: Axes, grid: draw.Grid, fit: Fit, X: np.ndarray, codes: np.ndarray) -> None:
    """The street, the slacks as lines to the margin, the points in the colour of their case."""
    f = grid.points @ fit.w + fit.b
    draw.surface(ax, grid, np.eye(2)[(f > 0).astype(int)], strength=0.25)
    draw.street(ax, grid, f)
    slack = fit.xi > 1e-6
    draw.segments(ax, X[slack], fit.feet[slack], color=theme.SOFT)
    draw.slack_cases(ax, X, codes, fit.cases)


def _ring(ax: Axes, place: Sequence[float]) -> None:
    """A circle around one point, quicker than a scatter of one."""
    ax.plot(*place, "o", markersize=13, mfc="none", mec=theme.INK, mew=1.8, zorder=5)


def number(value: float) -> str:
    """Three digits, no exponent, a true minus sign; what rounding left of a zero is 0."""
    if abs(value) < 1e-6:
        return "0"
    return (f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}").replace("-", "−")


# ---- the street with its slacks -----------------------------------------------------------------


class StreetWithSlack:
    """The fit, and the point the reader took hold of last."""

    def __init__(self, stage: Stage, grid: draw.Grid) -> None:
        self.stage, self.grid = stage, grid
        self.points: Points | None = None

    def follow(self, points: Points) -> np.ndarray | None:
        """Which point is held now; the α of a moment ago if the points were only dragged."""
        if points is not self.points:
            self.points, self.held, self.alpha = points, len(points.X) - 1, None
        elif len(points.X) != len(self.X):
            self.held = len(points.X) - 1 if len(points.X) > len(self.X) else None
            self.alpha = None
        elif points.version != self.version:
            self.held = int(np.abs(points.X - self.X).sum(axis=1).argmax())
        else:
            self.alpha = None  # only C moved: start afresh, so that a setting has one picture
        self.X, self.version = points.X.copy(), points.version
        return self.alpha

    def __call__(self, points: Points, C: float, data: str) -> str:
        fit = Fit.of(points.X, points.codes, C, self.follow(points))
        self.alpha = fit.alpha
        draw_street(self.stage.ax, self.grid, fit, points.X, points.codes)
        hinge_ax = self.stage.axes["hinge"]
        self.draw_hinge(hinge_ax, fit)
        self.draw_bill(self.stage.axes["bill"], fit, C)
        if self.held is not None:
            i = self.held
            place = np.clip(fit.margins[i], -3, 6), min(fit.xi[i], 4)
            _ring(self.stage.ax, points.X[i])
            _ring(hinge_ax, place)
        return self.caption(fit, C)

    def draw_hinge(self, ax: Axes, fit: Fit) -> None:
        """Every point on the graph of the hinge: its margin across, its slack up."""
        for case in np.unique(fit.cases):
            mine = fit.cases == case
            ax.plot(
                np.clip(fit.margins[mine], -3, 6),
                np.minimum(fit.xi[mine], 4),
                "o",
                color=theme.SLACK_COLORS[case],
                markeredgecolor="white",
                markeredgewidth=0.6,
                markersize=6.5,
            )

    def draw_bill(self, ax: Axes, fit: Fit, C: float) -> None:
        """½‖w‖², Σξ and CΣξ as bars, with their values."""
        bill = np.array([0.5 * fit.w @ fit.w, fit.xi.sum(), C * fit.xi.sum()])
        lengths = np.maximum(np.log10(np.maximum(bill, 1e-9)) + 4, 0)  # decades above 10⁻⁴
        colors = (theme.CLASS_COLORS[5], theme.FAINT, theme.HIGHLIGHT)
        ax.barh([0, -1, -2], lengths, height=0.62, color=colors, zorder=2)
        for row, (value, length) in enumerate(zip(bill, lengths, strict=True)):
            ax.text(length + 0.2, -row, number(value), va="center")

    def caption(self, fit: Fit, C: float) -> str:
        counts = np.bincount(fit.cases, minlength=4)
        names = ", ".join(f"{n} {name}" for n, name in zip(counts, theme.SLACK_NAMES, strict=True))
        half, slack = 0.5 * fit.w @ fit.w, fit.xi.sum()
        return (
            f"<b>C = {C:.3g}</b>: the street is {2 / max(fit.norm, 1e-9):.2f} wide; {names}. "
            f"The bill: ½‖w‖² + CΣξ = {number(half)} + {number(C * slack)} = "
            f"{number(half + C * slack)}."
            f"{self.about_the_held(fit)}"
        )

    def about_the_held(self, fit: Fit) -> str:
        if self.held is None:
            return ""
        margin, xi = fit.margins[self.held], fit.xi[self.held]
        words = CASE_WORDS[fit.cases[self.held]]
        away = f", {xi / fit.norm:.2f} away from its margin" if xi > 1e-3 and fit.norm > 0 else ""
        return f" The ringed point: y·f(x) = {number(margin)}, ξ = {xi:.2f}: <b>{words}</b>{away}."


def street_explorer() -> Explorer:
    """C and every point in your hand: street, slacks, the four cases, and what it all costs."""
    stage = Stage((("plane", "hinge"), ("plane", "bill")), size=(8.0, 4.5), widths=(1.55, 1))
    grid = draw.plane(stage.ax, *WINDOW)
    draw.slack_legend(stage.ax)
    _hinge_frame(stage.axes["hinge"], (-3.2, 6.2), (-0.4, 4.2), "y·f(x)", "slack ξ")
    _bill_frame(stage.axes["bill"])
    return explore(
        StreetWithSlack(stage, grid),
        stage,
        points=lambda data: SHAPES[data](),
        brush=NAMES,
        C=log_slider("C", 0.001, 100, 1.0),
        data=menu("data", list(SHAPES)),
    )


def _hinge_frame(
    ax: Axes, xlim: tuple[float, float], ylim: tuple[float, float], xlabel: str, ylabel: str
) -> None:
    """Axes with the graph of the hinge and guides at the boundary (0) and the margin (1)."""
    draw.frame(ax, xlim, ylim, (xlabel, ylabel))
    m = np.array([xlim[0], 1, xlim[1]])
    ax.plot(m, np.maximum(0, 1 - m), color=theme.SOFT, linewidth=1.4, zorder=1)
    for at in (0, 1):
        ax.axvline(at, **GUIDE)
    ax.set_xticks([-2, 0, 1, 3, 5])


def _bill_frame(ax: Axes) -> None:
    """Three bars on a logarithmic ruler that begins at 10⁻⁴."""
    draw.frame(ax, (0, 10.5), (-2.55, 0.55), ("", ""))
    ax.set_yticks([0, -1, -2], ["½‖w‖²", "Σξ", "C·Σξ"])
    ax.set_xticks([1, 3, 5, 7], ["0.001", "0.1", "10", "1000"])
    ax.tick_params(axis="y", labelsize=11, labelcolor=theme.INK, length=0)


# ---- one score, one label -----------------------------------------------------------------------


def score_explorer() -> Explorer:
    """Slide the score of one point along, for either label, and read off its hinge loss."""
    stage = Stage(("plane",), size=(8.0, 3.2))
    ax = stage.ax
    draw.frame(ax, (-3.4, 3.9), (-0.25, 4.4), ("score f(x)", "hinge loss"))
    f_line = np.linspace(-3.2, 3.2, 3)
    for at, name in ((-1, "margin of −1"), (0, "boundary"), (1, "margin of +1")):
        ax.axvline(at, **GUIDE)
        ax.annotate(name, (at, 4.4), ha="center", va="top", fontsize=9, color=theme.SOFT)

    def scene(f: float, y: str) -> str:
        sign = 1 if y == "+1" else -1
        for label in (-1, 1):
            code = (label + 1) // 2
            kinked = np.sort([*f_line, label])
            draw.curve(
                ax,
                kinked,
                np.maximum(0, 1 - label * kinked),
                f"y = {'+1' if label > 0 else '−1'}",
                color=theme.CLASS_COLORS[code],
                style="-" if label == sign else ":",
                where=-1,
                offset=(6, 7 if label > 0 else 0),
            )
        margin = sign * f
        loss = max(0.0, 1 - margin)
        case = slack_cases([0.0], [margin], 1.0)[0]
        ax.plot([f, f], [0, loss], color=theme.SOFT, linewidth=1.2)
        draw.points(ax, np.array([[f, loss]]), np.array([(sign + 1) // 2]), size=130)
        where = "exactly on the boundary" if abs(margin) < 1e-6 else CASE_WORDS[case]
        inner = f"({number(margin)})" if margin < 0 else number(margin)
        return (
            f"y = {y}, f(x) = {number(f)}: the margin is y·f(x) = {number(margin)}, "
            f"<b>{where}</b>. The hinge is max(0, 1 − {inner}) = <b>{loss:.1f}</b>."
        )

    return explore(
        scene,
        stage,
        f=real_slider("score f(x)", -3.0, 3.0, 0.3, step=0.1),
        y=choice("label y", ["+1", "−1"]),
    )


def scores_picture(f: np.ndarray, y: np.ndarray) -> Picture:
    """How often each score occurs, by class, with the boundary and both margins."""
    picture = Picture(
        size=(8.0, 2.9), text="Histogram of the scores: each class beyond and inside its margin."
    )
    ax = picture.ax
    edges = np.arange(np.floor(4 * f.min()) / 4, f.max() + 0.25, 0.25)
    for code, sign in enumerate((-1, 1)):
        color = theme.CLASS_COLORS[code]
        ax.hist(f[y == sign], edges, color=color, alpha=0.55, edgecolor="white")
        middle = np.median(f[y == sign])
        ax.annotate(
            f"y = {sign:+d}".replace("-", "−"),
            (middle, 1.0),
            xycoords=("data", "axes fraction"),
            color=color,
            ha="center",
            va="bottom",
        )
    for at in (-1, 0, 1):
        ax.axvline(at, color=theme.INK, linewidth=1.4 if at == 0 else 1, linestyle="-:"[at != 0])
    ax.set(xlabel="score f(x)", ylabel="points")
    return picture


# ---- what C trades against what -----------------------------------------------------------------

CS = np.logspace(-3, 2, 101)
SAMPLES = {"sample 1": 11, "sample 2": 6, "sample 3": 3}


class Trade(NamedTuple):
    """½‖w‖², Σξ and the number of errors, one entry for each C of `CS`."""

    half: np.ndarray
    slack: np.ndarray
    errors: np.ndarray

    @classmethod
    def of(cls, X: np.ndarray, y: np.ndarray) -> Trade:
        """All of them from the exact path α(C)."""
        path = regularization_path(linear(X, X), y, C_max=1.01 * CS[-1])
        W = np.array([(path.alpha(C) * y) @ X for C in CS])
        b = np.array([path.b(C) for C in CS])
        M = y * (W @ X.T + b[:, None])
        return cls(0.5 * (W**2).sum(axis=1), np.maximum(0, 1 - M).sum(axis=1), (M < 0).sum(axis=1))


class TradeOff:
    """The path is followed when the points change, and kept while only C moves."""

    def __init__(self, stage: Stage, grid: draw.Grid) -> None:
        self.stage, self.grid = stage, grid
        self.known: tuple[Points | None, int] = (None, 0)

    def __call__(self, points: Points, C: float, data: str) -> str:
        fit = Fit.of(points.X, points.codes, C)
        if self.known[0] is not points or self.known[1] != points.version:
            self.trade = Trade.of(points.X, 2.0 * points.codes - 1)
            self.known = points, points.version
        half, slack = 0.5 * fit.w @ fit.w, fit.xi.sum()
        errors = int((fit.margins < 0).sum())
        draw_street(self.stage.ax, self.grid, fit, points.X, points.codes)
        self.draw_trade(self.stage.axes["trade"], half, slack, C)
        ax = self.stage.axes["errors"]
        ax.step(CS, self.trade.errors, where="mid", color=theme.INK, linewidth=1.6)
        draw.marker_line(ax, C)
        ax.plot(C, errors, "o", color=theme.HIGHLIGHT, mec=theme.INK, markersize=8, zorder=5)
        return (
            f"<b>C = {C:.3g}</b>: ½‖w‖² = {half:.2f} (street {2 / fit.norm:.2f} wide), "
            f"Σξ = {slack:.1f}, <b>{errors} errors</b>. The dashed line holds all pairs that cost "
            f"as much, J = {number(half + C * slack)}; no separator lies below it."
        )

    def draw_trade(self, ax: Axes, half: float, slack: float, C: float) -> None:
        """The curve of best pairs, and the line of equal cost that touches it."""
        J = half + C * slack
        x, y = np.append(self.trade.half, 99), np.append(self.trade.slack, self.trade.slack[-1])
        ax.fill_between(x, y, 99, color=theme.FAINT, alpha=0.5, linewidth=0)
        ax.plot(self.trade.half, self.trade.slack, color=theme.INK)
        ax.plot([0, J], [J / C, 0], "--", color=theme.HIGHLIGHT, linewidth=1.6)
        ax.plot(half, slack, "o", color=theme.HIGHLIGHT, mec=theme.INK, markersize=8, zorder=5)


def tradeoff_explorer() -> Explorer:
    """Wide street against little slack: every C picks one point of one curve."""
    stage = Stage((("plane", "trade"), ("plane", "errors")), size=(8.0, 4.5), widths=(1.4, 1))
    grid = draw.plane(stage.ax, *WINDOW)
    draw.slack_legend(stage.ax)
    draw.frame(stage.axes["trade"], (0, 3), (0, 40), ("½‖w‖²", "Σξ"))
    errors = stage.axes["errors"]
    errors.set_xscale("log")
    draw.frame(errors, (0.009, 1.2 * CS[-1]), (0, 12.5), ("C", "errors"))
    errors.set_xticks([0.01, 0.1, 1, 10, 100], ["0.01", "0.1", "1", "10", "100"])
    errors.set_yticks([0, 4, 8, 12])
    return explore(
        TradeOff(stage, grid),
        stage,
        points=lambda data: trade_sample(SAMPLES[data]),
        C=log_slider("C", 0.01, 100, 0.1),
        data=menu("data", list(SAMPLES)),
    )


def trade_sample(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Forty points of two clouds that overlap, with their codes."""
    X, y = clouds(40, seed, apart=0.9, spread=1.0)
    return X, (y > 0).astype(int)


# ---- stochastic subgradient descent -------------------------------------------------------------


class Snapshot(NamedTuple):
    """A step, and how far above the optimum the last and the averaged separator are."""

    step: HingeStep
    last: float
    mean: float


def snapshots(X: np.ndarray, y: np.ndarray, C: float, steps: int, seed: int) -> Iterator[Snapshot]:
    """The first 20 steps one by one, then fewer and fewer of them."""
    best = SVC(C=C, tol=1e-8).fit(X, y).primal_objective_
    shown = set(np.unique(np.geomspace(1, steps, 120).astype(int))) | set(range(1, 21))
    for step in islice(hinge_sgd_steps(X, y, C, random_state=seed), steps):
        if step.t in shown:
            last = hinge_objective(X, y, C, step.w, step.b) / best - 1
            mean = hinge_objective(X, y, C, step.w_mean, step.b_mean) / best - 1
            yield Snapshot(step, max(last, 1e-6), max(mean, 1e-6))


def sgd_player(C: float = 1.0, seed: int = 0) -> Player:
    """One point at a time: the separator jumps, its average settles."""
    X, y = clouds(60, 2)
    codes = (y > 0).astype(int)
    stage = Stage(("plane", "curve"), widths=(1.35, 1))
    grid = draw.plane(stage.ax, *WINDOW)
    curve = stage.axes["curve"]
    curve.set(xscale="log", yscale="log")
    draw.frame(curve, (0.9, 20_000), (3e-4, 30), ("step t", "J above its minimum, share of it"))
    curve.set_xticks([1, 10, 100, 1000, 10_000], ["1", "10", "100", "1000", "10⁴"])
    curve.set_yticks([1e-3, 1e-2, 0.1, 1, 10], ["0.001", "0.01", "0.1", "1", "10"])
    curve.plot([], [], color=theme.HIGHLIGHT, label="last")
    curve.plot([], [], color=theme.INK, label="average")
    curve.legend(loc="lower left", fontsize=10)

    def scene(history: list[Snapshot]) -> str:
        now = history[-1]
        step = now.step
        f, mean = (grid.points @ w + b for w, b in ((step.w, step.b), (step.w_mean, step.b_mean)))
        draw.surface(stage.ax, grid, np.eye(2)[(mean > 0).astype(int)], strength=0.25)
        draw.street(stage.ax, grid, mean)
        draw.level(stage.ax, grid, f, color=theme.HIGHLIGHT, linewidth=2)
        draw.points(stage.ax, X, codes, size=30, alpha=0.75)
        draw.ring(stage.ax, X[step.batch])
        t = [seen.step.t for seen in history]
        for color, values in (
            (theme.HIGHLIGHT, [seen.last for seen in history]),
            (theme.INK, [seen.mean for seen in history]),
        ):
            curve.plot(t, values, color=color, linewidth=1.6)
            curve.plot(t[-1:], values[-1:], "o", color=color, markersize=5)
        return (
            f"<b>Step {step.t}</b> looks at the ringed point, η = {step.eta:.2g}. The last "
            f"separator (amber line) costs {now.last:.1%} more than the best one, the average of "
            f"all steps (street) <b>{now.mean:.1%}</b>."
        )

    return play(snapshots(X, y, C, 12_000, seed), scene, stage, start=60, interval=250)


def descent_picture(curves: dict[str, np.ndarray], best: float) -> Picture:
    """How far above its minimum the objective is after each pass, for several schedules."""
    picture = Picture(
        size=(8.0, 3.2),
        text="Excess of the objective against passes: a constant step stops at a floor.",
    )
    ax = picture.ax
    colors = (theme.INK, *theme.CLASS_COLORS[1:4])
    styles = ("-", "--", ":", "-.")
    for (name, J), color, style in zip(curves.items(), colors, styles, strict=False):
        passes = np.arange(1, len(J) + 1)
        draw.curve(ax, passes, J / best - 1, name, color=color, style=style)
    longest = max(map(len, curves.values()))
    ax.set(yscale="log", xlabel="passes over the data", ylabel="J above its minimum")
    ax.set_xlim(0, 1.28 * longest)
    return picture


# ---- 1-D, and the outlier -----------------------------------------------------------------------


def thresholds_picture(
    x: np.ndarray, y: np.ndarray, cuts: dict[str, float], errors: np.ndarray, places: np.ndarray
) -> Picture:
    """Points on a line, the errors of every threshold above them, two thresholds named."""
    picture = Picture(
        (("count",), ("line",)),
        size=(8.0, 3.0),
        text="Errors of every threshold on a line; the machine's is not the lowest.",
    )
    line, count = picture.axes["line"], picture.axes["count"]
    count.step(places, errors, where="mid", color=theme.INK, linewidth=1.6)
    count.set(ylabel="errors", xticks=[], ylim=(0, errors.max() + 1), xlim=(x.min(), x.max()))
    rows = np.where(y > 0, 0.35, -0.35)
    draw.points(line, np.c_[x, rows], (y > 0).astype(int), size=40, alpha=0.8)
    line.set(yticks=[], ylim=(-1, 1), xlabel="x", xlim=(x.min() - 0.2, x.max() + 0.2))
    count.set_xlim(line.get_xlim())
    look = (("right", -4, theme.CLASS_COLORS[2]), ("left", 4, theme.HIGHLIGHT))
    for (name, at), (side, shift, color) in zip(cuts.items(), look, strict=True):
        for ax in (line, count):
            ax.axvline(at, color=color, linewidth=2)
        count.annotate(
            name,
            (at, 1),
            xycoords=("data", "axes fraction"),
            xytext=(shift, -2),
            textcoords="offset points",
            ha=side,
            va="top",
        )
    return picture


# ---- real data ----------------------------------------------------------------------------------

ACROSS = ("mean_radius", "worst_radius", "mean_concave_points", "worst_concave_points")
UP = ("mean_texture", "worst_texture", "mean_smoothness", "worst_smoothness")


def cancer_explorer() -> Explorer:
    """Breast cancer by two measurements: choose them, choose C, read the test error."""
    data = load("breast_cancer")
    codes = (data.y == "malignant").astype(int)
    train, test, train_y, test_y = train_test_split(
        data.X, codes, test_size=0.5, stratify=codes, random_state=0
    )
    scaler = StandardScaler().fit(train)
    train, test = scaler.transform(train), scaler.transform(test)
    column = {name: data.feature_names.index(name) for name in (*ACROSS, *UP)}
    stage = Stage(("plane",), size=(8.0, 4.4))
    grid = draw.plane(stage.ax, (-3.4, 4.6), (-2.6, 3.4))
    draw.slack_legend(stage.ax)

    def scene(C: float, first: str, second: str) -> str:
        pair, names = [column[first], column[second]], [_words(first), _words(second)]
        stage.ax.set(xlabel=f"{names[0]}, standardised", ylabel=names[1])
        X = train[:, pair]
        fit = Fit.of(X, train_y, C)
        draw_street(stage.ax, grid, fit, np.clip(X, (-3.3, -2.5), (4.5, 3.3)), train_y)
        wrong = [
            np.mean(((part[:, pair] @ fit.w + fit.b) > 0) != of)
            for part, of in ((train, train_y), (test, test_y))
        ]
        needed = np.mean(fit.cases != SlackCase.BEYOND)
        return (
            f"<b>C = {C:.3g}</b>, {names[0]} and {names[1]}: "
            f"{wrong[0]:.1%} of the {len(train)} training patients wrong, <b>{wrong[1]:.1%}</b> "
            f"of {len(test)} others. {needed:.0%} of the points are not beyond their margin."
        )

    return explore(
        scene,
        stage,
        C=log_slider("C", 0.001, 100, 0.1),
        first=menu("across", [(_words(name), name) for name in ACROSS]),
        second=menu("up", [(_words(name), name) for name in UP]),
    )


def _words(name: str) -> str:
    return name.replace("_", " ")


def accuracy_picture(Cs: np.ndarray, train: np.ndarray, test: np.ndarray) -> Picture:
    """Cross-validated accuracy against C, on the folds trained on and on those left out."""
    picture = Picture(size=(8.0, 3.0), text="Accuracy against C, on training and held-out folds.")
    ax = picture.ax
    ax.set_xscale("log")
    error = test.std(axis=1, ddof=1) / np.sqrt(test.shape[1])
    draw.curve(ax, Cs, train.mean(axis=1), "training folds", color=theme.SOFT, style="--")
    ax.errorbar(Cs, test.mean(axis=1), error, fmt="o-", color=theme.INK, capsize=3)
    ax.annotate(
        "left-out folds",
        (Cs[-1], test.mean(axis=1)[-1]),
        (6, 0),
        va="center",
        textcoords="offset points",
    )
    ax.set(xlabel="C", ylabel="accuracy ± s.e.", xlim=(Cs[0] / 1.5, Cs[-1] * 6))
    ax.set_xticks(Cs, [f"{C:g}" for C in Cs])
    ax.minorticks_off()
    return picture
