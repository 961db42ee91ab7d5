"""Scenes of 12_smo."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes

from mlcore.datasets import make_blobs
from mlcore.kernels import linear, rbf, rbf_on_grid
from mlcore.svm import (
    PAIR_RULES,
    GradientStep,
    PairStep,
    RegularizationPath,
    dual_curvature,
    intercept,
    pair_bounds,
    project,
    projected_gradient_steps,
    regularization_path,
    slack_cases,
    smo_steps,
)
from mllab import draw, theme
from mllab.explore import Explorer, Points, choice, explore, log_slider, menu, real_slider, slider
from mllab.lessons.duality_and_slackness import labels
from mllab.play import Player, play
from mllab.stage import Picture, Pointer, Stage

NAMES = ("● blue", "▲ orange")
WINDOW = (-1.7, 1.7), (-1.4, 1.4)
SIGMA = 0.5
RULES = tuple(PAIR_RULES)
RULE_COLORS = dict(zip(RULES, (theme.INK, *theme.CLASS_COLORS[2:4]), strict=True))
RULE_STYLES = dict(zip(RULES, ("-", "--", ":"), strict=True))
BOX = {"color": theme.SOFT, "linewidth": 1.4, "zorder": 2}


# ---- data, and the machine that a vector α stands for -------------------------------------------


def clouds(
    n: int, seed: int, *, spread: float = 0.42, weights: Sequence[float] = (1, 1)
) -> tuple[np.ndarray, np.ndarray]:
    """Two clouds, y = −1 and +1, inside the window."""
    X, codes = make_blobs(
        n, centers=[[-0.5, -0.25], [0.5, 0.25]], spread=spread, weights=weights, random_state=seed
    )
    low, high = np.array(WINDOW).T
    return np.clip(X, low + 0.05, high - 0.05), 2.0 * codes - 1


def off_centre(n: int, seed: int, *, spread: float = 0.7) -> tuple[np.ndarray, np.ndarray]:
    """Two clouds that both lie far to one side of the origin, so that b matters."""
    X, codes = make_blobs(n, centers=[[1.5, 1], [3.5, 2.5]], spread=spread, random_state=seed)
    return X, 2.0 * codes - 1


SHAPES = {
    "two clouds": {"spread": 0.46},
    "far apart": {"spread": 0.22},
    "mixed up": {"spread": 0.7},
    "unequal classes": {"weights": (4, 1)},
}


def objectives(K: np.ndarray, y: np.ndarray, A: np.ndarray) -> np.ndarray:
    """The dual objective Σα − ½αᵀQα of every row of A."""
    beta = A * y
    return A.sum(axis=1) - 0.5 * ((beta @ K) * beta).sum(axis=1)


class Machine(NamedTuple):
    """f(x) = Σ αᵢyᵢ K(xᵢ, x) + b, and in which case each training point is."""

    kernel: str
    X: np.ndarray
    beta: np.ndarray  # αᵢyᵢ
    b: float
    cases: np.ndarray

    @classmethod
    def of(
        cls, kernel: str, X: np.ndarray, K: np.ndarray, y: np.ndarray, alpha: np.ndarray, C: float
    ) -> Machine:
        b_i = y - K @ (alpha * y)
        b = intercept(b_i, alpha, y, C)
        cases = slack_cases(alpha, 1 - y * (b_i - b), C)
        return cls(kernel, X, alpha * y, b, cases)

    def on(self, grid: draw.Grid) -> np.ndarray:
        """f at every place of the grid."""
        if self.kernel == "RBF":
            bumps = rbf_on_grid(grid.x, grid.y, self.X, self.beta, SIGMA)
            return bumps.ravel() + self.b
        return grid.points @ (self.beta @ self.X) + self.b


def gram_of(kernel: str, X: np.ndarray) -> np.ndarray:
    """The Gram matrix of X."""
    return rbf(X, X, SIGMA) if kernel == "RBF" else linear(X, X)


# ---- which pair? --------------------------------------------------------------------------------

LIMIT = 600


class Run(NamedTuple):
    """One SMO run: all its α, and the KKT violation and the dual objective after each step."""

    A: np.ndarray
    violation: np.ndarray
    objective: np.ndarray
    finished: bool

    @property
    def count(self) -> str:
        return f"{len(self.A) - 1}" if self.finished else f"more than {LIMIT}"


def run(K: np.ndarray, y: np.ndarray, C: float, tol: float, rule: str) -> Run:
    """SMO from α = 0 (where the violation is 2) until it stops, or for `LIMIT` steps."""
    steps = list(islice(smo_steps(K, y, C, tol, rule=rule, random_state=0), LIMIT))
    A = np.array([np.zeros_like(y), *(step.alpha for step in steps)])
    violation = np.array([2.0, *(step.interval.violation for step in steps)])
    return Run(A, violation, objectives(K, y, A), bool(violation[-1] <= tol))


class ThreeRules:
    """The runs are computed when data, C or tolerance change, and kept while the rule does."""

    def __init__(self, stage: Stage, grid: draw.Grid) -> None:
        self.stage, self.grid = stage, grid
        self.key: tuple[object, ...] = ()

    def solve(self, points: Points, C: float, tol: float) -> None:
        key = (id(points), points.version, C, tol)
        if key == self.key:
            return
        self.y = labels(points.codes)
        self.K = linear(points.X, points.X)
        self.runs = {rule: run(self.K, self.y, C, tol, rule) for rule in RULES}
        best = self.runs[RULES[0]].A[-1]
        for step in islice(smo_steps(self.K, self.y, C, 1e-8, best, newton=True), 300):
            best = step.alpha
        self.top = float(objectives(self.K, self.y, best[None])[0])
        self.key = key

    def __call__(self, points: Points, C: float, tol: float, rule: str, data: str) -> str:
        self.solve(points, C, tol)
        chosen = self.runs[rule]
        machine = Machine.of("linear", points.X, self.K, self.y, chosen.A[-1], C)
        draw.street(self.stage.ax, self.grid, machine.on(self.grid))
        draw.slack_cases(self.stage.ax, points.X, points.codes, machine.cases)
        violation, missing = self.stage.axes["violation"], self.stage.axes["missing"]
        for name, one in self.runs.items():
            look = {
                "color": RULE_COLORS[name],
                "linewidth": 2.6 if name == rule else 1.2,
                "linestyle": RULE_STYLES[name],
                "zorder": 4 if name == rule else 3,
            }
            steps = np.arange(1, len(one.A))
            violation.plot(steps, np.maximum(one.violation[1:], 1e-9), **look)
            missing.plot(steps, np.maximum(1 - one.objective[1:] / self.top, 1e-12), **look)
            if one.finished:
                end = max(one.violation[-1], 3e-6)
                violation.plot(steps[-1:], [end], "o", color=look["color"], zorder=5, markersize=5)
        violation.axhline(tol, color=theme.HIGHLIGHT, linewidth=1.6, zorder=1)
        return self.caption(C, tol, rule)

    def caption(self, C: float, tol: float, rule: str) -> str:
        chosen = self.runs[rule]
        others = " and ".join(
            f"{'random pairs need' if name == 'random' else f'{name} needs'} {one.count}"
            for name, one in self.runs.items()
            if name != rule
        )
        done = f"every KKT condition holds to the tolerance after <b>{chosen.count} pair steps</b>"
        if not chosen.finished:
            done = f"after {LIMIT} pair steps the KKT conditions <b>do not hold yet</b>"
        alpha = chosen.A[-1]
        free = (alpha > 0) & (alpha < C)
        return (
            f"C = {C:.3g}, tolerance {tol:.2g}. <b>{rule}</b>: {done}; {others}. "
            f"Now {(alpha == 0).sum()} α are at 0, {free.sum()} free, {(alpha == C).sum()} at C."
        )


def rules_explorer() -> Explorer:
    """Three ways to choose the pair, raced on the same points."""
    stage = Stage((("plane", "violation"), ("plane", "missing")), size=(8.0, 4.6), widths=(1.35, 1))
    grid = draw.plane(stage.ax, *WINDOW)
    draw.slack_legend(stage.ax)
    violation, missing = stage.axes["violation"], stage.axes["missing"]
    for ax in (violation, missing):
        ax.set(xscale="log", yscale="log")
    draw.frame(violation, (0.9, 1.3 * LIMIT), (2e-6, 300), ("", "KKT violation"))
    draw.frame(missing, (0.9, 1.3 * LIMIT), (1e-7, 6), ("pair step", "share of dual missing"))
    for ax in (violation, missing):
        ax.set_xticks([1, 10, 100], ["1", "10", "100"])
    violation.set_yticks([100, 1, 1e-2, 1e-4])
    missing.set_yticks([1, 1e-3, 1e-6])
    for rule in RULES:
        violation.plot([], [], RULE_STYLES[rule], color=RULE_COLORS[rule], label=rule, linewidth=2)
    violation.plot([], [], color=theme.HIGHLIGHT, label="tolerance", linewidth=2)
    draw.legend_above(violation, 2, handlelength=1.7, handletextpad=0.5, labelspacing=0.2)
    return explore(
        ThreeRules(stage, grid),
        stage,
        points=lambda data: _coded(clouds(40, seed=53, **SHAPES[data])),
        brush=NAMES,
        C=log_slider("C", 0.01, 100, 3.1622776601683795),
        tol=log_slider("tolerance", 1e-5, 1, 1e-3, steps_a_decade=4),
        rule=choice("pair", RULES),
        data=menu("data", list(SHAPES)),
    )


def _coded(points: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    X, y = points
    return X, (y > 0).astype(int)


# ---- one pair in its box ------------------------------------------------------------------------

ROOM = (-0.5, 1.7)  # the box [0, C]² with some room around it


class Diagonal(NamedTuple):
    """The line on which a pair may move: both ends inside the box, start, top and landing."""

    start: np.ndarray
    target: np.ndarray
    ends: np.ndarray  # where αⱼ = L and where αⱼ = H
    landing: np.ndarray

    @classmethod
    def through(
        cls, start: np.ndarray, target: np.ndarray, L: float, H: float, same: bool
    ) -> Diagonal:
        slope = -1.0 if same else 1.0  # of αᵢ against αⱼ
        at = np.array([L, H, np.clip(target[1], L, H)])
        places = np.c_[start[0] + slope * (at - start[1]), at]
        return cls(np.asarray(start), np.asarray(target), places[:2], places[2])

    @property
    def clipped(self) -> bool:
        return bool(np.abs(self.target - self.landing).max() > 1e-9)

    def draw(self, ax: Axes) -> None:
        """The dashed line, its part inside the box, start (○), top (×) and landing (●)."""
        way = self.ends[1] - self.ends[0]
        way = way / np.hypot(*way) if np.hypot(*way) > 0 else np.array([1.0, 1.0]) / np.sqrt(2)
        long = self.start + np.outer([-9, 9], way)
        ax.plot(*long.T, color=theme.FAINT, linewidth=1.4, linestyle=(0, (4, 3)), zorder=1)
        ax.plot(*self.ends.T, color=theme.INK, linewidth=2.2, zorder=2.5)
        ax.plot(*np.c_[self.start, self.target], color=theme.HIGHLIGHT, linewidth=1.4, zorder=2.6)
        ax.plot(*self.target, "x", color=theme.INK, markersize=8, mew=2.2, zorder=6)
        ax.plot(*self.landing, "o", color=theme.HIGHLIGHT, markersize=9, mec=theme.INK, zorder=5)
        ax.plot(*self.start, "o", mfc="white", mec=theme.INK, markersize=8, mew=1.6, zorder=4)


def _box(ax: Axes, C: float) -> None:
    ax.plot([0, C, C, 0, 0], [0, 0, C, C, 0], **BOX)


def _legend(ax: Axes) -> None:
    """What the three marks on a diagonal mean."""
    for marker, face, edge, name in (
        ("o", "white", theme.INK, "start"),
        ("x", theme.INK, theme.INK, "top"),
        ("o", theme.HIGHLIGHT, theme.INK, "landing"),
    ):
        ax.plot([], [], marker, mfc=face, mec=edge, mew=1.6, label=name, markersize=7)
    draw.legend_above(ax, 3)


def box_explorer() -> Explorer:
    """Drag the start of a pair step through its box; the way, its top and the clipping follow."""
    stage = Stage(("box", "gain"), widths=(1, 1.15))
    box, gain = stage.axes["box"], stage.axes["gain"]
    draw.plane(box, ROOM, ROOM, ("αᵢ", "αⱼ"))
    draw.frame(gain, ROOM, (-1.6, 2.6), ("αⱼ", "gain of the dual"))
    box.set(xticks=[0, 0.5, 1, 1.5], yticks=[0, 0.5, 1, 1.5])
    _legend(box)

    def scene(points: Points, labels: str, slope: float, eta: float, C: float) -> str:
        start = np.clip(points.X[0], 0, C)
        stage.handles(start)
        same = labels == "equal"
        y_j = 1.0 if same else -1.0
        top = slope / eta
        target = start + top * np.array([1.0, -y_j])
        L, H = pair_bounds(start[0], start[1], same, C, C)
        way = Diagonal.through(start, target, L, H, same)
        _box(box, C)
        way.draw(box)
        for at, name in ((L, "L"), (H, "H")):
            box.axhline(at, color=theme.FAINT, linewidth=1, zorder=0)
            box.annotate(name, (ROOM[1], at), ha="right", va="top" if name == "L" else "bottom")
        t = np.linspace(-3, 3, 400)
        _parabola(gain, start[1] - y_j * t, slope * t - eta * t**2 / 2, (L, H))
        reached = (start[1] - way.landing[1]) * y_j
        value = slope * reached - eta * reached**2 / 2
        gain.plot(target[1], slope * top / 2, "x", color=theme.INK, markersize=8, mew=2.2, zorder=6)
        gain.plot(start[1], 0, "o", mfc="white", mec=theme.INK, markersize=8, mew=1.6, zorder=4)
        gain.plot(
            way.landing[1], value, "o", color=theme.HIGHLIGHT, mec=theme.INK, markersize=9, zorder=5
        )
        kept = "αᵢ + αⱼ" if same else "αⱼ − αᵢ"
        sum_kept = start[1] + y_j * start[0]
        clipped = "outside: clipped" if way.clipped else "inside: no clipping"
        return (
            f"Labels {labels}: {kept} stays at {sum_kept:.2f}, and αⱼ may go from <b>L = {L:.2f}"
            f"</b> to <b>H = {H:.2f}</b>. The top of the parabola is at αⱼ = {target[1]:.2f}, "
            f"<b>{clipped}</b>. The pair lands on ({way.landing[0]:.2f}, {way.landing[1]:.2f}) "
            f"and the dual gains {abs(value):.2f}."
        )

    return explore(
        scene,
        stage,
        points=lambda: (np.array([[0.35, 0.55]]), np.array([0])),
        labels=choice("labels", ["unequal", "equal"]),
        slope=real_slider("bᵢ − bⱼ", -1.5, 1.5, 0.9, step=0.1),
        eta=log_slider("curvature η", 0.5, 8, 1.0),
        C=real_slider("C", 0.2, 1.3, 1.0, step=0.05),
    )


def _parabola(ax: Axes, x: np.ndarray, y: np.ndarray, inside: tuple[float, float]) -> None:
    """The objective along the diagonal: dashed outside the box, solid where L ≤ αⱼ ≤ H."""
    ax.axhline(0, color=theme.FAINT, linewidth=1, zorder=0)
    ax.plot(x, y, color=theme.SOFT, linewidth=1.2, linestyle=(0, (4, 3)), zorder=2)
    within = np.linspace(*inside, 60)
    order = np.argsort(x)
    ax.plot(within, np.interp(within, x[order], y[order]), color=theme.INK, zorder=3)
    near = inside[1] - inside[0] < 0.25
    for at, name, side in (
        (inside[0], "L", "right" if near else "center"),
        (inside[1], "H", "left" if near else "center"),
    ):
        ax.axvline(at, color=BOX["color"], linewidth=1.4, zorder=1)
        ax.annotate(
            f" {name} ",
            (at, 1),
            xycoords=("data", "axes fraction"),
            ha=side,
            va="bottom",
            color=theme.INK,
            annotation_clip=False,
        )


# ---- SMO, pair by pair --------------------------------------------------------------------------

SMALL = {"n": 16, "seed": 20, "C": 2.0}


def smo_player() -> Player:
    """One pair a step: the pair in the plane, its box, and the dual objective rising."""
    X, y = clouds(SMALL["n"], SMALL["seed"])
    K, C = linear(X, X), SMALL["C"]
    codes = (y > 0).astype(int)
    stage = Stage((("plane", "box"), ("plane", "rise")), size=(8.0, 5.0), widths=(1.35, 1))
    grid = draw.plane(stage.ax, *WINDOW)
    box, rise = stage.axes["box"], stage.axes["rise"]
    draw.plane(box, (-0.6 * C, 1.6 * C), (-0.6 * C, 1.6 * C), ("αᵢ", "αⱼ"))
    box.set(xticks=[0, C], yticks=[0, C], xticklabels=["0", "C"], yticklabels=["0", "C"])
    _legend(box)
    steps = list(smo_steps(K, y, C, 1e-3))
    value = np.array([0.0, *objectives(K, y, np.array([step.alpha for step in steps]))])
    draw.frame(rise, (0, len(steps)), (0, 1.15 * value[-1]), ("step", "dual objective"))
    rise.set_xticks(np.arange(0, len(steps) + 1, 3))

    def scene(history: list[PairStep]) -> str:
        now, at = history[-1], len(history)
        machine = Machine.of("linear", X, K, y, now.alpha, C)
        draw.street(stage.ax, grid, machine._replace(b=sum(now.interval) / 2).on(grid))
        draw.points(stage.ax, X, codes, size=26 + 130 * now.alpha / C, alpha=0.85)
        for k, name in ((now.i, "i"), (now.j, "j")):
            draw.ring(stage.ax, X[[k]], size=330, color=theme.HIGHLIGHT)
            stage.ax.annotate(
                name, X[k], xytext=(11, 8), textcoords="offset points", fontsize=13, weight="bold"
            )
        same = y[now.i] == y[now.j]
        way = Diagonal.through(np.array(now.before), np.array(now.target), now.L, now.H, same)
        _box(box, C)
        way.draw(box)
        rise.axhline(value[-1], color=theme.FAINT, linewidth=1.4, linestyle=(0, (4, 3)))
        rise.plot(np.arange(at + 1), value[: at + 1], "o-", color=theme.INK, markersize=4)
        return _pair_caption(now, way, same, at, value[at] - value[at - 1], C)

    return play(steps, scene, stage, start=4, interval=1200)


def _pair_caption(now: PairStep, way: Diagonal, same: bool, at: int, gain: float, C: float) -> str:
    kept = "equal labels, so αᵢ + αⱼ stays" if same else "unequal labels, so αⱼ − αᵢ stays"
    bound = [name for name, a in zip("ᵢⱼ", way.landing, strict=True) if min(a, C - a) < 1e-12]
    end = "the top (×) lies inside the box, and the pair goes there"
    if way.clipped:
        end = "the top (×) lies outside the box, and the pair is clipped at its edge"
    where = f"; α{' and α'.join(bound)} at a bound" if bound else ""
    closed = " <b>No pair violates the KKT conditions by more than 0.001: finished.</b>"
    return (
        f"Step {at}: {kept}; {end}{where}. The dual gains {gain:.2g}. KKT violation now "
        f"{max(now.interval.violation, 0):.2g}. The area of a point is its α."
        f"{closed if now.interval.violation <= 1e-3 else ''}"
    )


# ---- the projection -----------------------------------------------------------------------------


def bisect_nu(v: np.ndarray, y: np.ndarray, C: float, halvings: int) -> tuple[float, float]:
    """The bracket of ν with yᵀclip(v − νy, 0, C) = 0 after so many halvings."""
    low, high = -2.4, 2.4
    for _ in range(halvings):
        middle = (low + high) / 2
        if y @ np.clip(v - middle * y, 0, C) > 0:
            low = middle
        else:
            high = middle
    return low, high


def projection_explorer() -> Explorer:
    """Drag v: clipped to the box alone, or projected onto box and line, ν found by halving."""
    y = np.array([1.0, -1.0])
    nus = np.linspace(-2.4, 2.4, 481)
    stage = Stage(("plane", "h"), widths=(1, 1.1))
    window = (-0.9, 1.9)
    draw.plane(stage.ax, window, window, ("α₁  (y = +1)", "α₂  (y = −1)"))
    ax, curve = stage.ax, stage.axes["h"]
    draw.frame(curve, (-2.4, 2.4), (-1.55, 1.55), ("ν", "h(ν) = yᵀclip(v − νy, 0, C)"))

    def scene(points: Points, C: float, halvings: int) -> str:
        v = points.X[0]
        slid = np.clip(v - np.outer(nus, y), 0, C)
        low, high = bisect_nu(v, y, C, halvings)
        now = np.clip(v - (low + high) / 2 * y, 0, C)
        right, clipped = project(v, y, C), np.clip(v, 0, C)
        _box(ax, C)
        ax.plot(window, window, color=theme.FAINT, linewidth=1.4, linestyle=(0, (4, 3)), zorder=1)
        ax.plot([0, C], [0, C], color=theme.INK, linewidth=3, zorder=2.5)
        ax.plot(*slid.T, color=theme.CLASS_COLORS[5], linewidth=5, alpha=0.45, zorder=2.2)
        draw.links(ax, v, right[None])
        draw.circle(ax, v, float(np.hypot(*(v - right))))
        inside = np.array_equal(clipped, v)
        _named(ax, clipped, "s", "white", "" if inside else "clip only", (-9, -13))
        _named(ax, right, "D", theme.CLASS_COLORS[2], "Π(v)", (-11, 9) if v[0] > v[1] else (9, -15))
        ax.plot(*now, "o", color=theme.HIGHLIGHT, mec=theme.INK, markersize=7, zorder=6)
        draw.star(ax, v)
        _named(ax, v, "", theme.INK, "v", (11, -4))
        curve.axhline(0, color=theme.SOFT, linewidth=1)
        curve.axvspan(low, high, color=theme.HIGHLIGHT, alpha=0.25, linewidth=0)
        curve.plot(nus, slid @ y, color=theme.INK, zorder=3)
        middle = (low + high) / 2
        curve.plot(middle, y @ now, "o", color=theme.HIGHLIGHT, mec=theme.INK, zorder=5)
        times = "halving" if halvings == 1 else "halvings"
        return (
            f"v = ({v[0]:.2f}, {v[1]:.2f}). Clipping alone (□) leaves yᵀα = {y @ clipped:.2f}. "
            f"Π(v) (◆) is the nearest point of the thick segment, {np.hypot(*(v - right)):.2f} "
            f"away. After {halvings} {times} ν lies within {high - low:.3g}, and at its "
            f"middle (●) yᵀα = <b>{y @ now:.3f}</b>."
        )

    return explore(
        scene,
        stage,
        points=lambda: (np.array([[1.45, 0.35]]), np.array([0])),
        halvings=slider("halvings", 0, 10, 2),
        C=real_slider("C", 0.4, 1.4, 1.0, step=0.05),
    )


def _named(
    ax: Axes, place: np.ndarray, marker: str, face: str, name: str, offset: tuple[float, float]
) -> None:
    ax.plot(*place, marker, mfc=face, mec=theme.INK, markersize=8, mew=1.4, zorder=5)
    side = "right" if offset[0] < 0 else "left"
    ax.annotate(name, place, xytext=offset, textcoords="offset points", ha=side, zorder=7)


# ---- projected gradient beside SMO --------------------------------------------------------------


def gradient_player() -> Player:
    """Projected gradient: α before and after the projection, and the work compared with SMO."""
    X, y = clouds(SMALL["n"], SMALL["seed"])
    K, C = linear(X, X), SMALL["C"]
    codes, n = (y > 0).astype(int), len(y)
    stage = Stage((("plane", "alpha"), ("plane", "work")), size=(8.0, 5.0), widths=(1.2, 1))
    grid = draw.plane(stage.ax, *WINDOW)
    bars, work = stage.axes["alpha"], stage.axes["work"]
    draw.frame(bars, (-0.8, n - 0.2), (-0.45 * C, 1.45 * C), ("point", "αᵢ"))
    bars.set(xticks=[], yticks=[0, C], yticklabels=["0", "C"])
    bars.set_title("– before, bars after the projection", fontsize=9.5)
    work.set(xscale="log", yscale="log")
    draw.frame(work, (1.5, 1e4), (1e-6, 3), ("rows of K read", "share missing"))
    work.set(xticks=[10, 100, 1000], xticklabels=["10", "100", "1000"])
    work.set_yticks([1, 1e-3, 1e-6])
    steps = list(islice(projected_gradient_steps(K, y, C, 1e-4), 400))
    pairs = [step.alpha for step in smo_steps(K, y, C, 1e-6)]
    top = objectives(K, y, np.array(pairs[-1:]))[0]
    by_pairs = 1 - objectives(K, y, np.array(pairs)) / top
    eta, order = 1 / dual_curvature(K), np.lexsort((X[:, 0], y))

    def scene(history: list[GradientStep]) -> str:
        now, at = history[-1], len(history)
        before = history[-2].alpha if at > 1 else np.zeros(n)
        v = before + eta * (1 - y * (K @ (before * y)))
        machine = Machine.of("linear", X, K, y, now.alpha, C)
        draw.street(stage.ax, grid, machine._replace(b=sum(now.interval) / 2).on(grid))
        draw.points(stage.ax, X, codes, size=26 + 130 * now.alpha / C, alpha=0.85)
        colors = np.array(theme.CLASS_COLORS)[codes[order]]
        bars.bar(np.arange(n), now.alpha[order], color=colors, width=0.75, alpha=0.85)
        bars.plot(np.arange(n), v[order], "_", color=theme.INK, markersize=9, mew=2, zorder=4)
        for level in (0, C):
            bars.axhline(level, color=theme.SOFT, linewidth=1)
        missing = 1 - np.array([step.objective for step in history]) / top
        _falling(work, 2 * (1 + np.arange(len(by_pairs))), by_pairs, theme.SOFT, "SMO", (-6, 9))
        side = (7, 6) if at * n < 500 else (-10, 5)
        _falling(work, n * (1 + np.arange(at)), missing, theme.INK, "projected\ngradient", side)
        outside = int(((v < 0) | (v > C)).sum())
        return (
            f"Step {at}: all {n} α move at once. Before the projection (–) {outside} of them are "
            f"outside the box and yᵀα = {y @ v:.2f}; after it (bars) none is, and yᵀα = 0. "
            f"{max(missing[-1], 0):.2%} of the dual objective are still missing, after "
            f"{at * n} rows of K. The grey curve is SMO on the same points."
        )

    return play(steps, scene, stage, start=4, interval=300)


def _falling(
    ax: Axes, x: np.ndarray, y: np.ndarray, color: str, name: str, offset: tuple[float, float]
) -> None:
    """A falling curve on log axes with its name at its end, cut off at the lower edge."""
    shown = int(np.argmax(np.append(y, 0) < 1.2e-6)) or 1
    ax.plot(x[:shown], y[:shown], color=color, zorder=3)
    ax.plot(x[shown - 1], y[shown - 1], "o", color=color, markersize=4, zorder=4)
    ax.annotate(
        name,
        (x[shown - 1], y[shown - 1]),
        xytext=offset,
        textcoords="offset points",
        color=color,
        ha="right" if offset[0] < 0 else "left",
        fontsize=9.5,
    )


# ---- every C at once ----------------------------------------------------------------------------

C_MAX = 2.0
LIVE = 60  # up to this many points the whole path follows a drag; above, when it is let go


class ExactPath:
    """The path is followed once for each data set; moving C only reads it off."""

    def __init__(self, stage: Stage, grid: draw.Grid) -> None:
        self.stage, self.grid = stage, grid
        self.key: tuple[object, ...] = ()
        self.watched: tuple[int, int] = (0, -1)  # for which Points, and which of them
        self.dragging = False
        stage.hovers = True
        stage.on_pointer(self.look_at)

    def look_at(self, event: Pointer) -> None:
        """The point under the pointer is the one whose α is drawn thick."""
        self.dragging = event.kind == "drag"
        if event.i is not None and event.kind in ("drag", "hover"):
            self.watched = (self.key[0] if self.key else 0, event.i)
            if event.kind == "hover":
                self.explorer.update()

    def follow(self, points: Points, kernel: str) -> None:
        """The path, and its curves as two long lines, one a class."""
        key = (id(points), points.version, kernel)
        if key == self.key:
            return
        y, K = labels(points.codes), gram_of(kernel, points.X)
        self.path = regularization_path(K, y, C_MAX)
        self.Cs = thinned(self.path)
        self.A = np.array([self.path.alpha(C) for C in self.Cs])
        self.key = key

    def solve(self, points: Points, kernel: str, C: float) -> np.ndarray:
        """α(C): read off the path, or by SMO from the last α while a large set is dragged."""
        if len(points.X) <= LIVE or not self.dragging or points.version == 0:
            self.follow(points, kernel)
            return self.path.alpha(C)
        K, alpha = gram_of(kernel, points.X), self.path.alpha(C)
        for step in islice(smo_steps(K, labels(points.codes), C, 1e-3, alpha, newton=True), 200):
            alpha = step.alpha
        return alpha

    def __call__(self, points: Points, C: float, kernel: str, n: int, data: str) -> str:
        alpha = self.solve(points, kernel, C)
        self.dragging = False
        y, K = labels(points.codes), gram_of(kernel, points.X)
        machine = Machine.of(kernel, points.X, K, y, alpha, C)
        i = self.watch(points)
        draw.street(self.stage.ax, self.grid, machine.on(self.grid))
        draw.slack_cases(self.stage.ax, points.X, points.codes, machine.cases)
        draw.ring(self.stage.ax, points.X[[i]], size=200, color=theme.INK)
        self.curves(alpha, machine.cases, C, i)
        return self.caption(machine, alpha, C, i)

    def watch(self, points: Points) -> int:
        """The point last pointed at; before that, the one that is free for longest."""
        whose, i = self.watched
        if whose == id(points) and 0 <= i < len(points.X):
            return i
        free = (self.A > 0) & (self.Cs[:, None] > self.A)
        return int((free * np.gradient(self.Cs)[:, None]).sum(axis=0).argmax())

    def curves(self, alpha: np.ndarray, cases: np.ndarray, C: float, i: int) -> None:
        ax = self.stage.axes["path"]
        gap = np.full((1, self.A.shape[1]), np.nan)
        x = np.tile(np.append(self.Cs, np.nan), self.A.shape[1])
        ax.plot(x, np.r_[self.A, gap].T.ravel(), color=theme.SOFT, linewidth=0.8, alpha=0.55)
        if i < self.A.shape[1]:
            ax.plot(self.Cs, self.A[:, i], color=theme.INK, linewidth=2.6, zorder=3)
        for case, color in enumerate(theme.SLACK_COLORS):
            mine = np.flatnonzero(cases == case)
            ax.plot(np.full(len(mine), C), alpha[mine], "o", color=color, zorder=4, markersize=6)
        ax.plot(C, alpha[i], "o", mfc="none", mec=theme.INK, mew=1.6, markersize=12, zorder=5)
        draw.marker_line(ax, C)

    def caption(self, machine: Machine, alpha: np.ndarray, C: float, i: int) -> str:
        bends = len(self.path.breakpoints)
        passed = int((self.path.breakpoints <= C).sum())
        free = int(((alpha > 0) & (alpha < C)).sum())
        width = ""
        if machine.kernel == "linear":
            w = machine.beta @ machine.X
            width = f" The street is {2 / np.hypot(*w):.2f} wide."
        return (
            f"<b>C = {C:.2f}</b>: {free} α are free, {(alpha == C).sum()} at C, "
            f"{(alpha == 0).sum()} at 0.{width} Up to C = {C_MAX:g} the path has {bends} straight "
            f"pieces, this is number {passed}. The ringed point has α = {alpha[i]:.2f}: "
            f"<b>{theme.SLACK_NAMES[machine.cases[i]]}</b>."
        )


def thinned(path: RegularizationPath, finest: float = 0.004) -> np.ndarray:
    """Where to draw the path: at its breakpoints, but those closer than half a pixel once."""
    at = np.append(path.breakpoints[path.breakpoints < C_MAX], C_MAX)
    _, first = np.unique(np.round(at / (finest * C_MAX)), return_index=True)
    chosen = at[first]
    chosen[0] = max(chosen[0], 1e-9)
    return np.unique(np.append(chosen, C_MAX))


def path_explorer() -> Explorer:
    """α(C) for every C as straight pieces; slide C, and see the street and every α at that C."""
    stage = Stage(("plane", "path"), widths=(1.25, 1))
    grid = draw.plane(stage.ax, *WINDOW)
    ax = stage.axes["path"]
    draw.frame(ax, (0, 1.02 * C_MAX), (-0.04, 1.02 * C_MAX), ("C", "αᵢ"))
    ax.plot([0, C_MAX], [0, C_MAX], color=theme.FAINT, linewidth=1.4, linestyle=(0, (4, 3)))
    ax.text(0.63 * C_MAX, 0.7 * C_MAX, "α = C", rotation=45, ha="center", color=theme.SOFT)
    draw.slack_legend(stage.ax)
    scene = ExactPath(stage, grid)
    scene.explorer = explore(
        scene,
        stage,
        points=lambda data, n: _coded(clouds(n, seed=53, **SHAPES[data])),
        brush=NAMES,
        C=real_slider("C", 0.01, C_MAX, 1.0, step=0.01),
        n=slider("points", 20, 200, 40, step=20),
        kernel=choice("kernel", ["linear", "RBF"]),
        data=menu("data", list(SHAPES)),
    )
    return scene.explorer


# ---- pictures that stand still ------------------------------------------------------------------


def no_single_move_picture(C: float = 1.0) -> Picture:
    """Why one multiplier cannot move: off the diagonal the sum is broken."""
    picture = Picture(
        ("alone", "together"),
        size=(8.0, 3.4),
        text="One multiplier alone leaves the diagonal; two together may slide along it.",
    )
    start = np.array([0.35, 0.55])
    moves = {
        "alone": ([[0.75, 0.55], [0.35, 0.95]], "alone: the sum breaks"),
        "together": ([[0.7, 0.9], [0.1, 0.3]], "together: the sum stays"),
    }
    for name, (ends, title) in moves.items():
        ax = picture.axes[name]
        draw.plane(ax, (-0.25, 1.35), (-0.2, 1.2), ("αᵢ  (yᵢ = +1)", "αⱼ  (yⱼ = −1)"))
        ax.set(title=title, xticks=[0, C], yticks=[0, C])
        ax.set_xticklabels(["0", "C"])
        ax.set_yticklabels(["0", "C"])
        _box(ax, C)
        ax.plot([0, 0.8], [0.2, 1], color=theme.INK, linewidth=2.2, zorder=2.5)
        color = theme.CLASS_COLORS[1] if name == "alone" else theme.CLASS_COLORS[2]
        for end in ends:
            ax.annotate(
                "",
                end,
                start,
                arrowprops={"arrowstyle": "-|>", "color": color, "lw": 2.4, "shrinkB": 0},
                zorder=4,
            )
        ax.plot(*start, "o", mfc="white", mec=theme.INK, markersize=9, mew=1.6, zorder=5)
    return picture


def steps_picture(counts: dict[str, dict[str, list[int]]]) -> Picture:
    """Pair steps of each rule, a panel a kernel: a dot a data set, joined where it is the same."""
    picture = Picture(
        list(counts),
        size=(8.0, 2.7),
        text="Pair steps needed by each rule, one dot for each data set.",
    )
    height = np.arange(len(RULES))[::-1]
    for kernel, of_kernel in counts.items():
        ax = picture.axes[kernel]
        rows = np.array([of_kernel[rule] for rule in RULES])
        ax.plot(rows, height, color=theme.FAINT, linewidth=0.8, zorder=1)
        for level, rule, row in zip(height, RULES, rows, strict=True):
            ax.plot(row, np.full(len(row), level), "o", color=RULE_COLORS[rule], alpha=0.6)
            ax.plot(np.median(row), level, "|", color=theme.INK, markersize=26, mew=2.4)
        ax.set(xscale="log", xlabel="pair steps", xlim=(8, 8000), ylim=(-0.5, 2.5), title=kernel)
        ax.set_yticks(height, RULES if ax is picture.ax else [""] * len(RULES))
    return picture


def step_sizes_picture(curves: dict[str, np.ndarray]) -> Picture:
    """The dual objective over the steps of projected gradient for several step sizes."""
    picture = Picture(
        size=(8.0, 3.0), text="The dual objective over 60 steps for each step size η."
    )
    ax = picture.ax
    looks = ((theme.INK, "-"), (theme.CLASS_COLORS[2], "--"), (theme.CLASS_COLORS[1], "-"))
    draw.frame(ax, (0, 60), (-1.1, 1.1), ("step", "dual / best dual"))
    for (name, values), (color, style) in zip(curves.items(), looks, strict=True):
        ax.plot(values, style, color=color, label=name, linewidth=1.8)
    for height in (0, 1):
        ax.axhline(height, color=theme.FAINT, linewidth=1, zorder=0)
    draw.legend_above(ax, 3)
    return picture


def two_streets_picture(
    X: np.ndarray, y: np.ndarray, machines: dict[str, tuple[np.ndarray, float]]
) -> Picture:
    """The lines of several machines (w, b) over the same points, the origin marked."""
    picture = Picture(
        list(machines),
        size=(8.0, 3.3),
        text="With the projection the line separates; with clipping alone it must pass the origin.",
    )
    for name, (w, b) in machines.items():
        ax = picture.axes[name]
        grid = draw.plane(ax, (-0.6, 5.8), (-0.9, 4.3))
        ax.set_title(name)
        draw.street(ax, grid, grid.points @ w + b)
        draw.points(ax, X, (y > 0).astype(int), size=20)
        ax.plot(0, 0, "+", color=theme.INK, markersize=12, mew=2, zorder=5)
        ax.annotate("0", (0, 0), xytext=(6, 5), textcoords="offset points")
    return picture


def errors_picture(Cs: np.ndarray, train: np.ndarray, test: np.ndarray) -> Picture:
    """Error against C, read off one path."""
    picture = Picture(
        size=(8.0, 2.9), text="Training and test error for every C, all read off one path."
    )
    ax = picture.ax
    ax.set_xscale("log")
    top = 1.15 * max(train.max(), test.max())
    draw.frame(ax, (Cs[0], Cs[-1] * 2.2), (-0.025, top), ("C", "share of points wrong"))
    draw.curve(ax, Cs, test, "test", offset=(6, 6))
    draw.curve(ax, Cs, train, "training", color=theme.SOFT, style="--", offset=(6, -5))
    return picture
