"""Scenes of 11_duality_and_slackness."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgba_array
from numpy.typing import ArrayLike

from mlcore.datasets import make_blobs
from mlcore.kernels import linear
from mlcore.svm import (
    SVC,
    dual_objective,
    intercept,
    intercept_interval,
    primal_objective,
    project,
    slack_cases,
    smo_steps,
)
from mlcore.svm.dual import may_fall, may_rise
from mllab import draw, theme
from mllab.explore import Explorer, Points, explore, log_slider, menu, real_slider, switch
from mllab.play import Player, play
from mllab.stage import Picture, Pointer, Stage

NAMES = ("● blue", "▲ orange")
WINDOW = (-1.7, 1.7), (-1.4, 1.4)
PRIMAL, DUAL = theme.CLASS_COLORS[3], theme.CLASS_COLORS[2]  # from above, from below
CASE_WORDS = ("beyond its margin", "on its margin", "inside the street", "misclassified")


# ---- data ---------------------------------------------------------------------------------------


def clouds(
    n: int, seed: int, *, spread: float = 0.42, weights: Sequence[float] = (1, 1)
) -> tuple[np.ndarray, np.ndarray]:
    """Two clouds, y = −1 and +1. First the blue ones, far to near; then the orange, near to far."""
    X, codes = make_blobs(
        n, centers=[[-0.5, -0.25], [0.5, 0.25]], spread=spread, weights=weights, random_state=seed
    )
    low, high = np.array(WINDOW).T
    X = np.clip(X, low + 0.05, high - 0.05)
    order = np.lexsort((X @ [2, 1], codes))
    return X[order], 2.0 * codes[order] - 1


def separable(n: int = 30, seed: int = 7) -> tuple[np.ndarray, np.ndarray]:
    """Two clouds with room for a street between them, off the origin, so that b matters."""
    X, y = clouds(n, seed, spread=0.2)
    return X + np.array([0.6, 0.9]), y


SHAPES = {
    "two clouds": {"spread": 0.42},
    "far apart": {"spread": 0.22},
    "mixed up": {"spread": 0.7},
    "unequal classes": {"weights": (4, 1)},
}


def labels(codes: np.ndarray) -> np.ndarray:
    """−1 and +1 for the classes 0 and 1, both of which must be there."""
    if len(np.unique(codes)) < 2:
        raise ValueError("Both classes are needed: add a point of the other one.")
    return 2.0 * codes - 1


def _codes(y: np.ndarray) -> np.ndarray:
    return (y > 0).astype(int)


# ---- small solvers, for the right problem and for wrong ones -------------------------------------


def solve(
    K: np.ndarray,
    y: np.ndarray,
    C: float,
    start: np.ndarray | None = None,
    *,
    tol: float = 1e-9,
    at_most: int = 2000,
) -> np.ndarray:
    """argmax Σα − ½ Σᵢⱼ αᵢαⱼyᵢyⱼKᵢⱼ s.t. 0 ≤ α ≤ C, yᵀα = 0; C = ∞ is the hard margin."""
    alpha = np.zeros_like(y) if start is None else project(start, y, C)
    for step in islice(smo_steps(K, y, C, tol, alpha, newton=True), at_most):
        alpha = step.alpha
    near = np.minimum(1e-9 * C, 1e-9)  # a warm start can leave an α a rounding away from C
    return np.where(alpha >= C - near, C, alpha) if np.isfinite(C) else alpha


def ascend(
    slope: Callable[[np.ndarray], np.ndarray],
    onto: Callable[[np.ndarray], np.ndarray],
    start: np.ndarray,
    *,
    eta: float,
    steps: int = 3000,
) -> np.ndarray:
    """α ← onto(α + η slope(α)), again and again: climbs any objective over any feasible set."""
    alpha = onto(start)
    for _ in range(steps):
        alpha = onto(alpha + eta * slope(alpha))
    return alpha


def onto_simplex(v: np.ndarray, total: float = 1.0) -> np.ndarray:
    """The nearest α ≥ 0 with Σα = total: argmin ‖α − v‖²."""
    u = np.sort(v)[::-1]
    nu = (np.cumsum(u) - total) / np.arange(1, len(u) + 1)
    return np.maximum(v - nu[np.flatnonzero(u > nu)[-1]], 0)


# ---- the state of a soft-margin machine ----------------------------------------------------------


class State(NamedTuple):
    """What one α says about its points: the street, their margins, and both objectives."""

    w: np.ndarray
    b: float
    margins: np.ndarray  # yᵢ f(xᵢ)
    xi: np.ndarray
    cases: np.ndarray
    primal: float
    dual: float
    gaps: np.ndarray  # each point's part of primal − dual

    @classmethod
    def of(
        cls, X: np.ndarray, y: np.ndarray, alpha: np.ndarray, C: float, solved: bool = True
    ) -> State:
        """`solved`: whether α is optimal. If not, b is the best for this w."""
        w = (alpha * y) @ X
        b_i = y - X @ w
        b = intercept(b_i, alpha, y, C) if solved else best_intercept(b_i, y)
        margins = 1 - y * (b_i - b)
        xi = np.maximum(0, 1 - margins)
        return cls(
            w,
            b,
            margins,
            xi,
            slack_cases(alpha if solved else np.zeros_like(alpha), margins, C),
            primal_objective(alpha, y, b_i, b, C),
            dual_objective(alpha, y, b_i),
            (C - alpha) * xi + alpha * (margins - 1 + xi),
        )


def best_intercept(b_i: np.ndarray, y: np.ndarray) -> float:
    """argmin_b Σ max(0, yᵢ(bᵢ − b)): it is one of the bᵢ."""
    return float(b_i[np.maximum(0, y * (b_i - b_i[:, None])).sum(axis=1).argmin()])


# ---- the multipliers, as bars --------------------------------------------------------------------

FIRST_ASKED = 39  # the orange point farthest to the right is lit at first
GAP = theme.CLASS_COLORS[3]
GAP_RGBA = to_rgba_array(("#7A7A7A", "#BDBDBD", "#9A9A9A", GAP, "#7D3260"))  # last: the lit point's
SLACK_RGBA = to_rgba_array(theme.SLACK_COLORS)
CLASS_RGBA = to_rgba_array(theme.CLASS_COLORS)


class Multipliers:
    """The dual is solved from the last α on, so that it keeps up with a drag."""

    def __init__(self, stage: Stage, grid: draw.Grid) -> None:
        self.stage, self.grid = stage, grid
        self.points: Points | None = None
        self.asked = FIRST_ASKED
        self.owners = np.empty(0, int)  # whose bar each handle beyond the points belongs to
        stage.hovers = True
        stage.on_pointer(self.pointed)

    def pointed(self, event: Pointer) -> None:
        """The point under the pointer, or the one whose bar is under it, is lit."""
        if event.i is None or self.points is None:
            return
        n = len(self.points.X)
        if event.kind == "remove":
            if event.i < n:
                self.alpha = np.delete(self.alpha, event.i)
            return
        if event.i < n + len(self.owners):
            self.asked = int(np.r_[np.arange(n), self.owners][event.i])
        if event.kind == "hover":  # the others redraw by themselves
            self.explorer.update()

    def solve(self, points: Points, C: float, hold: bool) -> np.ndarray:
        """α for these points: solved for, or, if it is held, only made feasible again."""
        y, K = labels(points.codes), linear(points.X, points.X)
        if points is not self.points:  # made anew
            self.points, self.version, self.asked = points, points.version, FIRST_ASKED
            self.alpha, self.C, self.solved = np.zeros(len(y)), C, {}
        new = len(y) - len(self.alpha)
        start = np.append(self.alpha, np.zeros(new)) if new else self.alpha
        if hold:
            return project(start, y, C)
        if points.version != self.version:
            self.version, self.solved = points.version, {}
        if C not in self.solved:
            self.solved[C] = solve(K, y, C, start * (C / self.C), tol=1e-4, at_most=400)
        self.alpha, self.C = self.solved[C], C
        return self.alpha

    def __call__(self, points: Points, C: float, hold: bool, data: str) -> str:
        alpha = self.solve(points, C, hold)
        self.asked = min(self.asked, len(alpha) - 1)
        y = labels(points.codes)
        state = State.of(points.X, y, alpha, C, solved=not hold)
        plane, bars = self.stage.axes["plane"], self.stage.axes["bars"]
        draw.street(plane, self.grid, self.grid.points @ state.w + state.b)
        draw.slack_cases(plane, points.X, points.codes, state.cases)
        lit = points.X[self.asked]
        plane.plot(*lit, "o", mfc="none", mec=theme.INK, mew=1.8, markersize=15, zorder=5)
        alpha_bars(bars, alpha / C, points.codes, state.cases, self.asked)
        places, self.owners = along_bars(alpha / C)
        self.stage.handles(np.vstack([points.X, self.in_the_plane(places)]))
        objective_bars(self.stage.axes["gap"], state, self.asked)
        return self.caption(state, alpha, C, hold)

    def in_the_plane(self, places: np.ndarray) -> np.ndarray:
        """Places on the bars in coordinates of the plane, where the stage looks for handles."""
        bars, plane = self.stage.axes["bars"], self.stage.axes["plane"]
        return plane.transData.inverted().transform(bars.transData.transform(places))

    def caption(self, state: State, alpha: np.ndarray, C: float, hold: bool) -> str:
        i = self.asked
        share = alpha[i] / C
        price = "0" if share == 0 else "C" if share == 1 else f"{share:.2f} C"
        closed = state.primal - state.dual <= 5e-4 * state.primal
        gap = max(0.0, 1 - state.dual / state.primal)
        counts = np.bincount(state.cases, minlength=4)
        groups = ", ".join(f"{k} {name}" for k, name in zip(counts, theme.SLACK_NAMES, strict=True))
        told = (
            "The gap is <b>closed</b>."
            if closed
            else f"The gap is <b>{gap:.0%}</b> of the primal, and "
            f"{state.gaps[i] / state.gaps.sum():.0%} of it is the ringed point's."
        )
        return (
            f"<b>C = {C:.3g}</b>{', α held' if hold else ''}: {groups}. The ringed point is "
            f"<b>{CASE_WORDS[state.cases[i]]}</b>: yf = {_signed(state.margins[i])}, "
            f"ξ = {state.xi[i]:.2f}, α = {price}. "
            f"Primal {_three(state.primal)}, dual {_three(state.dual)}. {told}"
        )


def _signed(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")


def _three(value: float) -> str:
    """Three digits, and never an exponent."""
    return f"{value:#.3g}".rstrip(".") if abs(value) < 1000 else f"{value:.0f}"


def alpha_bars(
    ax: Axes, shares: np.ndarray, codes: np.ndarray, cases: np.ndarray, lit: int
) -> None:
    """αᵢ/C as bars in the colour of the case, the class under each, one of them framed."""
    n = len(shares)
    x, half = (np.arange(n) + 0.5) / n, 0.4 / n
    height = np.maximum(shares, 0.012)
    foot, under = np.zeros(n), np.full(n, -0.075)
    sides = np.r_[x - half, x - half], np.r_[x + half, x + half]
    colors = np.vstack([SLACK_RGBA[cases], CLASS_RGBA[codes]])
    _boxes(ax, *sides, np.r_[foot, under], np.r_[height, under + 0.045], colors)
    frame = np.array([[-1, 0], [-1, 1], [1, 1], [1, 0], [-1, 0]]) * [1.5 * half, height[lit] + 0.02]
    ax.plot(x[lit] + frame[:, 0], frame[:, 1] - 0.01, color=theme.INK, linewidth=1.8, zorder=4)
    ax.plot(x[lit], height[lit] + 0.07, "v", color=theme.INK, markersize=6, zorder=4)


def along_bars(shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Places on the bars, close enough together to be pointed at, and whose bar each is on."""
    n = len(shares)
    level, owner = np.nonzero(np.arange(0, 1.01, 0.125)[:, None] <= shares + 0.06)
    return np.c_[(owner + 0.5) / n, 0.125 * level], owner


def _boxes(
    ax: Axes,
    left: ArrayLike,
    right: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    colors: np.ndarray,
) -> None:
    """Boxes in one stamp: much quicker than `ax.bar`."""
    corners = np.stack([left, low, right, low, right, high, left, high], axis=1)
    ax.add_collection(
        PolyCollection(corners.reshape(-1, 4, 2), facecolor=colors, linewidth=0, zorder=2),
        autolim=False,
    )


def objective_bars(ax: Axes, state: State, lit: int) -> None:
    """Primal and dual as shares of the primal: what is missing below is the gap."""
    half_w = 0.5 * state.w @ state.w / state.primal
    reached = float(np.clip(state.dual / state.primal, 0, 1))
    total = max(state.gaps.sum(), 1e-12)
    others = reached + (1 - reached) * (1 - state.gaps[lit] / total)
    row = np.array([1, 1, 0, 0, 0])
    left, right = np.array([0, half_w, 0, reached, others]), [half_w, 1, reached, others, 1]
    _boxes(ax, left, right, row - 0.33, row + 0.33, GAP_RGBA)
    for k, (name, ink) in enumerate(
        (("½‖w‖²", "white"), ("C Σξ", theme.INK), ("Σα − ½‖w‖²", "white"))
    ):
        if right[k] - left[k] > 0.055 * len(name):
            x = (left[k] + right[k]) / 2
            ax.text(x, row[k], name, ha="center", va="center", color=ink, fontsize=9)
    if reached < 0.998:
        for edge in (reached, 1):
            ax.plot([edge, edge], [-0.45, 1.4], color=GAP, linewidth=1.2)
        ax.text(min((reached + 1) / 2, 0.95), -0.72, "gap", ha="center", va="center", color=GAP)


def multipliers_explorer() -> Explorer:
    """Points and their α, linked: point at either and both light up; hold α to open the gap."""
    rows = [["plane", "bars"], ["plane", "bars"], ["plane", "gap"]]
    stage = Stage(rows, size=(8.0, 4.5), widths=(1.62, 1))
    grid = draw.plane(stage.ax, *WINDOW)
    draw.slack_legend(stage.ax)
    bars, gap = stage.axes["bars"], stage.axes["gap"]
    draw.frame(bars, (-0.02, 1.02), (-0.09, 1.14), ("", ""))
    bars.set(xticks=[], yticks=[0, 0.5, 1], yticklabels=["0", "C/2", "C"])
    bars.set_title("αᵢ of every point", loc="left", fontsize=10)
    bars.axhline(1, color=theme.SOFT, linewidth=1, linestyle=(0, (4, 3)))
    draw.frame(gap, (-0.02, 1.02), (-1.0, 1.6), ("", ""))
    gap.set(xticks=[], yticks=[0, 1], yticklabels=["dual", "primal"])
    for side in ("bottom", "left"):
        gap.spines[side].set_visible(False)
    gap.tick_params(left=False)
    scene = Multipliers(stage, grid)
    scene.explorer = explore(
        scene,
        stage,
        points=lambda data: _with_codes(clouds(40, seed=2, **SHAPES[data])),
        brush=NAMES,
        C=log_slider("C", 0.01, 100, 1.0),
        hold=switch("hold α still"),
        data=menu("data", list(SHAPES)),
    )
    scene.explorer.update()  # now that the axes have their places, the bars can be pointed at
    return scene.explorer


def _with_codes(points: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    X, y = points
    return X, _codes(y)


# ---- the saddle of the smallest machine there is -------------------------------------------------

TOY = (-0.4, 2.4), (0.0, 2.0)


def toy_lagrangian(w: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """L(w, α) = ½w² + α(1 − w): one point at x = 1, no b."""
    return 0.5 * w**2 + alpha * (1 - w)


def toy_primal(w: np.ndarray, C: float) -> np.ndarray:
    """P(w) = max over 0 ≤ α ≤ C of L."""
    return 0.5 * w**2 + C * np.maximum(0, 1 - w)


def toy_dual(alpha: np.ndarray) -> np.ndarray:
    """g(α) = min over w of L, taken on at w = α."""
    return alpha - 0.5 * alpha**2


def _saddle_ground(ax: Axes) -> None:
    """Heights of L over the (w, α) plane: lines of equal height, and the lowest w of each row."""
    draw.plane(ax, *TOY, ("w", "α"))
    grid = draw.Grid(*TOY, 280, 200)
    L = toy_lagrangian(*grid.points.T)
    steps = np.array([0.0, 0.3, 0.44, 0.5, 0.56, 0.7, 1.0, 1.5])
    heights = np.r_[-0.4, (steps[:-1] + steps[1:]) / 2, 2.0][np.searchsorted(steps, L)]
    share = np.abs(np.clip((heights - 0.5) / 1.6, -1, 1))
    ends = theme.class_rgb(4)[[2, 3]]  # low in the colour of the dual, high in the primal's
    tint = 1 - 0.5 * share[:, None] * (1 - ends[(heights > 0.5).astype(int)])
    ax.add_artist(draw.Tint(tint.reshape(*grid.shape, 3)))
    for at in steps:
        draw.level(ax, grid, L, at, color=theme.SOFT, linewidth=0.6, alpha=0.6)
    ax.plot([0, 2], [0, 2], color=DUAL, linewidth=2.2)
    ax.text(0.24, 0.11, "w's best answer", color=DUAL, rotation=45, rotation_mode="anchor")
    ax.text(1.05, 0.05, "α's best answer", color=PRIMAL, zorder=2.8)


def _answer_of_alpha(ax: Axes, C: float) -> None:
    """The highest α of each column: C left of w = 1, 0 right of it; above C nothing is allowed."""
    ax.fill([-1, 3, 3, -1], [C, C, 3, 3], color="white", alpha=0.8, lw=0, zorder=2.5)
    ax.plot([-1, 1, 1, 3], [C, C, 0, 0], color=PRIMAL, linewidth=2.6, zorder=2.7, clip_on=True)
    if C < 1.9:
        ax.text(2.36, C + 0.03, "α > C: not allowed", ha="right", va="bottom", color=theme.SOFT)
    at = min(1.0, C)
    ax.plot(at, at, "*", color="white", mec=theme.INK, mew=1.2, markersize=17, zorder=4)


def _sections(stage: Stage) -> None:
    """Set up the two sections through the saddle."""
    for name, limits, label, title in (
        ("along w", TOY[0], "w", "L along the row, under P(w)"),
        ("along alpha", (-0.06, 2.06), "α", "L along the column, over g(α)"),
    ):
        draw.frame(stage.axes[name], limits, (0, 2.6), (label, ""))
        stage.axes[name].set_yticks([0, 0.5, 1, 2], ["0", "½", "1", "2"])
        stage.axes[name].set_title(title, loc="left", fontsize=9.5)


def saddle_explorer() -> Explorer:
    """Drag (w, α): the best answer of w is below, the best answer of α above; they meet once."""
    stage = Stage((("plane", "along w"), ("plane", "along alpha")), widths=(1.7, 1))
    _saddle_ground(stage.ax)
    _sections(stage)
    w_line, alpha_line = np.linspace(*TOY[0], 141), np.linspace(*TOY[1], 101)

    def scene(points: Points, C: float) -> str:
        w, alpha = points.X[0, 0], min(points.X[0, 1], C)
        stage.handles([[w, alpha]])
        L, g, P = toy_lagrangian(w, alpha), toy_dual(alpha), toy_primal(w, C)
        ax, top, bottom = stage.axes.values()
        _answer_of_alpha(ax, C)
        ax.plot(TOY[0], [alpha, alpha], color=DUAL, linewidth=1.2, linestyle=(0, (3, 2)), zorder=3)
        ax.plot([w, w], [0, C], color=PRIMAL, linewidth=1.2, linestyle=(0, (3, 2)), zorder=3)
        _dot(ax, w, alpha, theme.INK)
        top.plot(w_line, toy_primal(w_line, C), color=PRIMAL, linewidth=2.4)
        top.plot(w_line, toy_lagrangian(w_line, alpha), color=theme.SOFT, linewidth=1.2)
        inside = alpha_line[alpha_line <= C]
        bottom.plot(inside, toy_dual(inside), color=DUAL, linewidth=2.4)
        bottom.plot([0, C], toy_lagrangian(w, np.array([0, C])), color=theme.SOFT, linewidth=1.2)
        for section, x, answer in ((top, w, alpha), (bottom, alpha, C if w < 1 else 0)):
            _dot(section, x, L, theme.INK)
            _dot(section, answer, g if section is top else P, DUAL if section is top else PRIMAL)
        return _saddle_caption(w, alpha, C, L, g, P)

    return explore(
        scene,
        stage,
        points=lambda: (np.array([[0.45, 1.3]]), np.array([0])),
        C=real_slider("C", 0.1, 2.0, 1.6, step=0.05),
    )


def _dot(ax: Axes, x: float, y: float, color: str) -> None:
    ax.plot(x, y, "o", color=color, mec="white", mew=1.2, markersize=10, zorder=5)


def _saddle_caption(w: float, alpha: float, C: float, L: float, g: float, P: float) -> str:
    answer = "any α, it makes no difference" if w == 1 else f"α = {C if w < 1 else 0:.3g}"
    met = " The three agree: you stand on the saddle." if P - g < 0.005 else ""
    hard = " (C ≥ 1: as with a hard margin)" if C >= 1 else ""
    return (
        f"<b>C = {C:.2f}</b>{hard}. You stand at w = {_signed(w)}, α = {alpha:.2f}, where "
        f"L = {L:.2f}. w alone would go to {alpha:.2f}, down to <b>g(α) = {g:.2f}</b>; α alone to "
        f"{answer}, up to <b>P(w) = {P:.2f}</b>. The gap is {P - g:.2f}.{met}"
    )


class Move(NamedTuple):
    """A place on the saddle, and what the two players could reach from it."""

    w: float
    alpha: float
    primal: float
    dual: float


def descent_ascent_steps(w: float, alpha: float, C: float, eta: float) -> Iterator[Move]:
    """Both players step at once: w down the slope of L, α up, held inside [0, C].

    w ← w − η ∂L/∂w = w − η(w − α),   α ← clip(α + η ∂L/∂α) = clip(α + η(1 − w), 0, C)
    """
    while True:
        yield Move(w, alpha, float(toy_primal(w, C)), float(toy_dual(alpha)))
        w, alpha = w - eta * (w - alpha), min(max(alpha + eta * (1 - w), 0.0), C)


def saddle_player(C: float = 1.6, eta: float = 0.25) -> Player:
    """Down in w and up in α at the same time: a spiral into the saddle, and the gap closing."""
    stage = Stage(("plane", "values"), widths=(1.5, 1))
    _saddle_ground(stage.ax)
    values = stage.axes["values"]
    draw.frame(values, (0, 41), (-0.05, 1.85), ("step", "value"))
    values.axhline(0.5, color=theme.FAINT, linewidth=1, zorder=0.5)

    def scene(history: list[Move]) -> str:
        now, at = history[-1], np.arange(len(history))
        w, alpha, primal, dual = np.array(history).T
        _answer_of_alpha(stage.ax, C)
        stage.ax.plot(w, alpha, "o-", color=theme.INK, markersize=3.5, linewidth=1.2, zorder=4)
        _dot(stage.ax, now.w, now.alpha, theme.INK)
        values.fill_between(at, dual, primal, color=GAP, alpha=0.15, lw=0)
        values.plot(at, primal, color=PRIMAL)
        values.plot(at, dual, color=DUAL)
        for value, color, name, up in (
            (now.primal, PRIMAL, "P(w)", 8),
            (now.dual, DUAL, "g(α)", -9),
        ):
            values.plot(at[-1], value, "o", color=color, markersize=5)
            values.annotate(
                name,
                (at[-1], value),
                xytext=(-8 if at[-1] > 30 else 6, up),
                textcoords="offset points",
                ha="right" if at[-1] > 30 else "left",
                va="center",
                color=color,
            )
        pull = "up" if now.w < 1 else "down"
        return (
            f"Step {at[-1]}: w = {now.w:.2f}, α = {now.alpha:.2f}. The constraint w ≥ 1 is "
            f"{'violated' if now.w < 1 else 'met'}, so α is pushed <b>{pull}</b>; w runs after α. "
            f"P(w) = {now.primal:.3f} from above, g(α) = {now.dual:.3f} from below: gap "
            f"{now.primal - now.dual:.3f}."
        )

    steps = descent_ascent_steps(0.0, 0.0, C, eta)
    return play(steps, scene, stage, start=12, at_most=41, interval=250)


# ---- one point on its way through the street -----------------------------------------------------


class Stop(NamedTuple):
    """One place of the traveller, and the machine that is optimal then."""

    X: np.ndarray
    alpha: np.ndarray
    state: State


def journey_steps(C: float) -> Iterator[Stop]:
    """The last point walks from its own side to the other; the dual is solved at every place.

    It takes small steps where its α rises.
    """
    X, y = clouds(30, seed=4, spread=0.34)
    X, y = np.vstack([X, [0.0, 0.0]]), np.append(y, 1.0)
    alpha = np.zeros(len(y))
    places = np.r_[
        np.linspace(1.55, 0.55, 12), np.linspace(0.5, 0.3, 25), np.linspace(0.22, -1.45, 20)
    ]
    for x in places:
        X = X.copy()
        X[-1] = x, -0.25 + 0.35 * x
        alpha = solve(linear(X, X), y, C, alpha)
        yield Stop(X, alpha, State.of(X, y, alpha, C))


def staircase(ax: Axes) -> None:
    """Set up the plane of (yf, α): the only places that complementary slackness leaves."""
    draw.frame(ax, (-2.2, 4.2), (-0.1, 1.12), ("yf(x)", "α"))
    ax.set_yticks([0, 0.5, 1], ["0", "C/2", "C"])
    ax.set_xticks([-2, -1, 0, 1, 2, 3, 4])
    ax.plot([-9, 1, 1, 9], [1, 1, 0, 0], color=theme.FAINT, linewidth=7, zorder=0.5)


def _on_the_stairs(ax: Axes, state: State, shares: np.ndarray) -> None:
    for case in np.unique(state.cases):
        mine = state.cases == case
        color = theme.SLACK_COLORS[case]
        ax.plot(
            state.margins[mine], shares[mine], "o", color=color, mec="white", mew=0.7, markersize=7
        )


def journey_player(C: float = 1.0) -> Player:
    """One orange point walks through the street; on the right it climbs the staircase."""
    stage = Stage(("plane", "stairs"), widths=(1.25, 1))
    grid = draw.plane(stage.ax, *WINDOW)
    draw.slack_legend(stage.ax)
    ax = stage.axes["stairs"]
    staircase(ax)
    codes = np.append(_codes(clouds(30, seed=4, spread=0.34)[1]), 1)

    def scene(history: list[Stop]) -> str:
        X, alpha, state = history[-1]
        way = np.array([stop.X[-1] for stop in history])
        trail = np.array([[stop.state.margins[-1], stop.alpha[-1] / C] for stop in history])
        draw.street(stage.ax, grid, grid.points @ state.w + state.b)
        stage.ax.plot(*way.T, color=theme.INK, linewidth=1, linestyle=(0, (1, 2)), zorder=2)
        draw.slack_cases(stage.ax, X, codes, state.cases)
        _on_the_stairs(ax, state, alpha / C)
        ax.plot(*trail.T, color=theme.INK, linewidth=1.4, zorder=3)
        for place, on in ((X[-1], stage.ax), (trail[-1], ax)):
            on.plot(*place, "o", mfc="none", mec=theme.INK, mew=2, markersize=15, zorder=5)
        i, share = -1, alpha[-1] / C
        beta = C - alpha[i]
        return (
            f"The ringed point is <b>{CASE_WORDS[state.cases[i]]}</b>: "
            f"yf = {_signed(state.margins[i])}, ξ = {state.xi[i]:.2f}, α = {share:.2f} C, "
            f"β = C − α = {beta / C:.2f} C. Products: α(yf − 1 + ξ) = "
            f"{abs(alpha[i] * (state.margins[i] - 1 + state.xi[i])):.2f}, βξ = "
            f"{abs(beta * state.xi[i]):.2f}. The street is {2 / np.hypot(*state.w):.2f} wide."
        )

    return play(journey_steps(C), scene, stage, start=22, interval=200)


# ---- which b? ------------------------------------------------------------------------------------


def intercept_explorer() -> Explorer:
    """What every point asks of b; slide C until no α is free, then b has an interval to itself."""
    stage = Stage((("plane", "wishes"), ("plane", "cost")), size=(8.0, 4.3), widths=(1.5, 1))
    grid = draw.plane(stage.ax, *WINDOW)
    draw.slack_legend(stage.ax)
    wishes, cost = stage.axes["wishes"], stage.axes["cost"]
    draw.frame(wishes, (-2.6, 2.6), (-0.5, 1.5), ("", ""))
    wishes.set_yticks([0, 1], ["b at most", "b at least"])
    wishes.set_title("bᵢ = yᵢ − w·xᵢ, one dot a point", loc="left", fontsize=9.5)
    draw.frame(cost, (-2.6, 2.6), (0.95, 1.5), ("b", "primal / best"))
    X, y = clouds(20, seed=7, spread=0.34)
    K, span = linear(X, X), np.linspace(-2.6, 2.6, 521)
    solved: dict[float, np.ndarray] = {}

    def scene(C: float, where: float) -> str:
        alpha = solved.setdefault(C, solve(K, y, C))
        w = (alpha * y) @ X
        b_i = y - X @ w
        up, low = intercept_interval(b_i, alpha, y, C)
        free = (alpha > 0) & (alpha < C)
        b = intercept(b_i, alpha, y, C) if free.any() else up + where * (low - up)
        cases = slack_cases(alpha, 1 - y * (b_i - b), C)
        draw.street(stage.ax, grid, grid.points @ w + b)
        draw.slack_cases(stage.ax, X, _codes(y), cases)
        for row, asks in ((1, may_rise(alpha, y, C)), (0, may_fall(alpha, y, C))):
            draw.slack_cases(
                wishes, np.c_[b_i, np.full(len(y), row)][asks], _codes(y)[asks], cases[asks]
            )
        total = 0.5 * w @ w + C * np.maximum(0, y * (b_i - span[:, None])).sum(axis=1)
        best = primal_objective(alpha, y, b_i, b, C)
        cost.plot(span, total / best, color=theme.INK)
        for ax in (wishes, cost):
            ax.axvspan(up, max(low, up), color=DUAL, alpha=0.25, lw=0)
            draw.marker_line(ax, b)
        return _intercept_caption(C, free.sum(), b, (up, low), b_i[(alpha == C)])

    return explore(
        scene,
        stage,
        C=log_slider("C", 0.003, 3.0, 0.03),
        where=real_slider("b inside its interval", 0, 1, 0.5, step=0.05),
    )


def _intercept_caption(
    C: float, free: int, b: float, interval: tuple[float, float], bound: np.ndarray
) -> str:
    spread = f"from {_signed(bound.min())} to {_signed(bound.max())}" if bound.size else "nothing"
    said = f"The {len(bound)} points at α = C would say {spread}."
    if free:
        points = "one point is" if free == 1 else f"{free} points are"
        return (
            f"<b>C = {C:.3g}</b>: {points} free, 0 &lt; α &lt; C, and say the same: "
            f"<b>b = {_signed(b)}</b>. {said}"
        )
    ends = " to ".join(_signed(end) for end in interval)
    return (
        f"<b>C = {C:.3g}</b>: no point is free. Every b from <b>{ends}</b> has the same "
        f"objective; you stand at b = {_signed(b)}. {said}"
    )


# ---- pictures that stand still ------------------------------------------------------------------


def constraint_picture() -> Picture:
    """min (x − 2)² + y² under x ≤ 1 and under x ≤ 3, with both gradients where it ends."""
    picture = Picture(
        ("binding", "idle"),
        size=(8.0, 3.2),
        text="Left the constraint binds and the gradients are opposed; right it does nothing.",
    )
    for name, c, x in (("binding", 1.0, 1.0), ("idle", 3.0, 2.0)):
        ax = picture.axes[name]
        grid = draw.plane(ax, (-0.6, 4.2), (-1.5, 1.5), ("x", "y"))
        f = (grid.points[:, 0] - 2) ** 2 + grid.points[:, 1] ** 2
        for at in (0.1, 0.4, 1.0, 1.9, 3.2):
            draw.level(ax, grid, f, at, color=theme.SOFT, linewidth=0.8)
        ax.axvspan(c, 4.2, color=theme.FAINT, alpha=0.6, lw=0)
        ax.axvline(c, color=theme.INK, linewidth=1.6)
        ax.plot(x, 0, "*", color=theme.HIGHLIGHT, mec=theme.INK, markersize=16, zorder=5)
        ax.set_title(f"x ≤ {c:g}: μ = {max(0, 2 * (2 - c)):g}", loc="left")
    ax = picture.axes["binding"]
    for end, color, label, at in (
        (0.1, PRIMAL, "∇f", (0.15, 0.18)),
        (1.9, theme.INK, "∇g", (1.62, 0.18)),
    ):
        arrow = {"arrowstyle": "-|>", "color": color, "lw": 2.4, "shrinkA": 6, "shrinkB": 0}
        ax.annotate("", (end, 0), (1, 0), arrowprops=arrow, zorder=4)
        ax.text(*at, label, color=color, fontsize=12)
    return picture


def staircase_picture(state: State, alpha: np.ndarray, C: float) -> Picture:
    """Every point at (yf, α): all of them on the staircase."""
    picture = Picture(size=(8.0, 3.0), text="All points lie on the staircase of (yf, α).")
    staircase(picture.ax)
    _on_the_stairs(picture.ax, state, alpha / C)
    draw.slack_legend(picture.ax, loc="center right")
    return picture


def streets_picture(
    X: np.ndarray, y: np.ndarray, machines: dict[str, tuple[np.ndarray, SVC]]
) -> Picture:
    """The street of several machines, each over the points it was given (a mask)."""
    picture = Picture(
        list(machines), size=(8.0, 2.8), text="The street: " + "; ".join(machines) + "."
    )
    whole = next(iter(machines.values()))[1]
    for name, (kept, model) in machines.items():
        ax = picture.axes[name]
        grid = draw.plane(ax, *WINDOW, ("", ""))
        ax.set(xticks=[], yticks=[])
        ax.set_title(name, loc="left")
        draw.street(ax, grid, model.decision_function(grid.points))
        draw.level(
            ax, grid, whole.decision_function(grid.points), color=theme.HIGHLIGHT, linewidth=3.5,
            zorder=1.9,
        )  # fmt: skip
        draw.points(ax, X[kept], _codes(y)[kept], size=16)
    return picture


def sparsity_picture(Cs: np.ndarray, shares: dict[str, np.ndarray]) -> Picture:
    """The share of points with α > 0 against C."""
    picture = Picture(size=(8.0, 3.0), text="The share of support vectors against C.")
    ax = picture.ax
    ax.set_xscale("log")
    draw.frame(ax, (Cs[0] / 1.3, Cs[-1] * 14), (0, 1.08), ("C", "share with α > 0"))
    ax.set_xticks(Cs[::2])
    for (name, values), color in zip(
        shares.items(), (theme.SOFT, theme.INK, theme.CLASS_COLORS[1]), strict=False
    ):
        draw.curve(ax, Cs, values, name, color=color, offset=(6, 5))
        ax.plot(Cs, values, "o", color=color, markersize=4)
    return picture


def curved_picture(X: np.ndarray, y: np.ndarray, models: dict[str, SVC]) -> Picture:
    """The streets of several machines over the same points."""
    picture = Picture(
        list(models), size=(8.0, 3.4), text="Streets over the same points: " + ", ".join(models)
    )
    reach = (-1.9, 1.9)
    for name, model in models.items():
        ax = picture.axes[name]
        grid = draw.plane(ax, reach, reach)
        ax.set_title(name, loc="left")
        draw.street(ax, grid, model.decision_function(grid.points))
        f = model.decision_function(X)
        draw.slack_cases(ax, X, _codes(y), slack_cases(model.alpha_, y * f, model.C))
    return picture
