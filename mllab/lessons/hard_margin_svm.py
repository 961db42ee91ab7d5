"""Scenes of 09_hard_margin_svm."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes

from mlcore.datasets import ADMISSION_LINES, make_admissions, make_blobs
from mlcore.svm import HardMarginSVC, NotSeparableError, PairStep, smo_steps
from mllab import draw, theme
from mllab.explore import Explorer, Points, choice, explore, menu, real_slider, slider, switch
from mllab.play import Player, play
from mllab.stage import Picture, Stage

NAMES = ("● blue", "▲ orange")
WINDOW = (-3.2, 3.2), (-2.6, 2.6)
FAR = 40.0  # longer than any window
ANGLES = np.deg2rad(np.arange(-90.0, 90.5, 0.5))
DASHED = (0, (5, 3))
BLUE, ORANGE = theme.CLASS_COLORS[:2]


# ---- data ---------------------------------------------------------------------------------------


def clouds(
    n: int = 40, seed: int = 1, *, apart: float = 1.4, spread: float = 0.5
) -> tuple[np.ndarray, np.ndarray]:
    """Two clouds around ±(apart, 0.4 apart), y = −1 and +1."""
    centers = np.outer([-apart, apart], [1, 0.4])
    X, codes = make_blobs(n, centers=centers, spread=spread, random_state=seed)
    low, high = np.array(WINDOW).T  # the few far out come to its edge
    return np.clip(X, low + 0.1, high - 0.1), 2.0 * codes - 1


def with_outlier(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """One orange point more: in the street, sideways, nearly at the blue kerb.

    The classes stay separable: a line just behind the blue kerb has it on its right side.
    """
    model = HardMarginSVC(tol=1e-6).fit(X, y)
    middle = model.support_vectors_.mean(axis=0)
    on_line = middle - (middle @ model.w_ + model.b_) * model.w_ / (model.w_ @ model.w_)
    along = np.array([-model.w_[1], model.w_[0]]) * model.margin_
    lone = on_line + 1.2 * along - 0.8 * model.margin_**2 * model.w_
    return np.vstack([X, lone]), np.append(y, 1.0)


def _codes(y: np.ndarray) -> np.ndarray:
    return (y > 0).astype(int)


def _few() -> tuple[np.ndarray, np.ndarray]:
    X = np.array([[-1.6, 0.9], [-0.9, -0.8], [-2.3, -0.4], [1.1, 0.7], [1.9, -0.7], [1.6, 1.7]])
    return X, np.repeat([0, 1], 3)


def _coded(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return X, _codes(y)


SHAPES = {
    "two clouds": lambda: _coded(*clouds(40, 1)),
    "six points": _few,
    "one outlier": lambda: _coded(*with_outlier(*clouds(40, 0))),
    "touching": lambda: _coded(*clouds(60, 2, apart=1.05)),
    "200 points": lambda: _coded(*clouds(200, 3, apart=1.6, spread=0.45)),
}


# ---- lines, streets, gaps -----------------------------------------------------------------------


class Line(NamedTuple):
    """w·x + b = 0, and which points hold it there."""

    w: np.ndarray
    b: float
    support: np.ndarray

    @property
    def norm(self) -> float:
        return float(np.linalg.norm(self.w))

    def distances(self, X: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """y f(x)/‖w‖: how far each point is, negative on the wrong side."""
        return (2 * codes - 1) * (X @ self.w + self.b) / self.norm


def gaps(X: np.ndarray, y: np.ndarray, angles: np.ndarray = ANGLES) -> np.ndarray:
    """Half the free room between the classes, seen along each direction of w.

    It is the largest M with y(u·x + b) ≥ M for a unit vector u of that direction, with the best
    b; negative where no b separates.
    """
    along = np.c_[np.cos(angles), np.sin(angles)] @ X.T
    return (along[:, y > 0].min(axis=1) - along[:, y <= 0].max(axis=1)) / 2


def widest(X: np.ndarray, codes: np.ndarray) -> Line | None:
    """The widest street, or None where no line separates the classes."""
    if len(np.unique(codes)) < 2:
        raise ValueError("Both classes are needed: add a point of the other one.")
    room = gaps(X, codes)
    if max(room.max(), gaps(-X, codes).max()) < -0.05:
        return None  # plainly mixed: no need to try
    try:
        model = HardMarginSVC(tol=1e-4).fit(X, codes)
    except NotSeparableError:
        return None
    return Line(model.w_, model.b_, model.support_)


def _along(line: Line, at: float = 0.0) -> np.ndarray:
    """Two far ends of the line f = at."""
    foot = (at - line.b) * line.w / line.norm**2
    side = np.array([-line.w[1], line.w[0]]) * FAR / line.norm
    return np.array([foot - side, foot + side])


def draw_line(ax: Axes, line: Line, at: float = 0.0, **style: Any) -> None:
    """The line f = at, straight from w and b."""
    look = {"color": theme.INK, "linewidth": 1.8, "zorder": 2} | style
    ax.plot(*_along(line, at).T, scalex=False, scaley=False, **look)


def draw_sides(ax: Axes, line: Line, kerb: float = 1.0) -> None:
    """A tint of its class on each side, beyond f = ±kerb."""
    for side, color in ((-1, BLUE), (1, ORANGE)):
        near = _along(line, side * kerb)
        away = side * FAR * line.w / line.norm
        corners = np.vstack([near, near[::-1] + away])
        ax.fill(*corners.T, color=color, alpha=0.16, linewidth=0, zorder=0)


def draw_street(ax: Axes, line: Line, width: bool = True) -> None:
    """The line, its two kerbs f = ±1, the street white between them and its width."""
    draw_sides(ax, line)
    draw_line(ax, line)
    for side, color in ((-1.0, BLUE), (1.0, ORANGE)):
        draw_line(ax, line, side, color=color, linewidth=1.4, linestyle=DASHED)
    if width:
        _draw_width(ax, line)


def _draw_width(ax: Axes, line: Line) -> None:
    """A measure across the street, near the lower end of the line."""
    low, high = np.array([ax.get_xlim(), ax.get_ylim()]).T
    middle, half = (low + high) / 2, (high - low) / 2
    foot = middle - (middle @ line.w + line.b) * line.w / line.norm**2
    side = np.array([-line.w[1], line.w[0]]) / line.norm
    side = -side if side[1] > 0 else side
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = np.nanmin((half * np.sign(side) - (foot - middle)) / side)
    foot = foot + 0.65 * max(reach, 0) * side
    ends = foot + np.outer([-1, 1], line.w / line.norm**2)
    ax.plot(*ends.T, color=theme.INK, linewidth=1.2, marker="o", markersize=3, zorder=5)
    ax.text(
        *foot,
        f"{2 / line.norm:.2f}",
        ha="center",
        va="center",
        fontsize=10,
        clip_on=True,
        zorder=6,
        bbox={"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"},
    )


def rings(ax: Axes, X: np.ndarray) -> None:
    """Circles around support vectors."""
    ax.plot(*X.T, "o", markersize=13, mfc="none", mec=theme.INK, mew=1.8, zorder=4)


def hull(X: np.ndarray) -> np.ndarray:
    """The corners of the convex hull of points in the plane, in order (Andrew's two chains)."""
    ordered = np.unique(X, axis=0)
    if len(ordered) < 3:
        return ordered
    chains = []
    for points in (ordered, ordered[::-1]):
        chain: list[np.ndarray] = []
        for p in points:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], p) <= 0:
                chain.pop()
            chain.append(p)
        chains += chain[:-1]
    return np.array(chains)


def _turn(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> float:
    """Positive where the way from a over b to c bends to the left."""
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def draw_hulls(ax: Axes, X: np.ndarray, codes: np.ndarray) -> None:
    """A thread around each class."""
    for c in np.unique(codes):
        corners = hull(X[codes == c])
        color = theme.CLASS_COLORS[c]
        ax.fill(*corners.T, facecolor=color, alpha=0.12, linewidth=0, zorder=0.5)
        ax.plot(*np.vstack([corners, corners[:1]]).T, color=color, linewidth=1, zorder=1)


NO_STREET = (
    "<b>No line separates these points</b>, so there is no street to draw. A thread pulled tight "
    "around each class shows why: the two shapes overlap. Drag a point back out, or press reset."
)


# ---- the street ---------------------------------------------------------------------------------


class WidestStreet:
    """The street, and the same points turned until it stands upright."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    def __call__(self, points: Points, data: str, only: bool) -> str:
        X, codes = points.X, points.codes
        line = widest(X, codes)
        if line is None:
            draw_hulls(self.stage.ax, X, codes)
            draw.points(self.stage.ax, X, codes)
            return NO_STREET
        shown = np.isin(np.arange(len(X)), line.support)
        if only:
            line = widest(X[shown], codes[shown])._replace(support=line.support)
        draw_street(self.stage.ax, line)
        self.upright(line, X, codes, shown, only)
        self.draw_points(self.stage.ax, X, codes, shown, only, 36)
        return self.caption(line, len(X), only)

    def upright(
        self, line: Line, X: np.ndarray, codes: np.ndarray, held: np.ndarray, only: bool
    ) -> None:
        """Every point at its signed distance from the line."""
        ax, r = self.stage.axes["upright"], 1 / line.norm
        side = np.array([-line.w[1], line.w[0]]) / line.norm
        turned = np.c_[(X @ line.w + line.b) / line.norm, X @ side]
        ax.axvspan(-FAR, -r, color=BLUE, alpha=0.16, linewidth=0, zorder=0)
        ax.axvspan(r, FAR, color=ORANGE, alpha=0.16, linewidth=0, zorder=0)
        ax.axvline(0, color=theme.INK, linewidth=1.8, zorder=1)
        ax.axvline(-r, color=BLUE, linewidth=1.4, linestyle=DASHED, zorder=1)
        ax.axvline(r, color=ORANGE, linewidth=1.4, linestyle=DASHED, zorder=1)
        self.draw_points(ax, turned, codes, held, only, 22)

    def draw_points(
        self, ax: Axes, X: np.ndarray, codes: np.ndarray, held: np.ndarray, only: bool, size: float
    ) -> None:
        """The points, the ones that hold the street ringed, the others faded if unused."""
        bright = held if only else np.ones_like(held)
        draw.points(ax, X[bright], codes[bright], size=size)
        draw.points(ax, X[~bright], codes[~bright], size=size, alpha=0.08)
        rings(ax, X[held])

    def caption(self, line: Line, n: int, only: bool) -> str:
        held = len(line.support)
        if only:
            return (
                f"Only the <b>{held} ringed points</b> were used, the other {n - held} thrown "
                f"away: the street is again {2 / line.norm:.2f} wide, the line is the same."
            )
        others = f"; the other {n - held} can move about behind their kerb and change nothing"
        return (
            f"The widest street is <b>{2 / line.norm:.2f} wide</b>: the nearest points of either "
            f"class are {1 / line.norm:.2f} away from the line. It rests on the <b>{held} ringed "
            f"points</b>{others if n > held else ''}."
        )


def street_explorer() -> Explorer:
    """Drag points; the widest street follows."""
    stage = Stage(("plane", "upright"), widths=(1.55, 1))
    draw.plane(stage.ax, *WINDOW)
    draw.frame(stage.axes["upright"], (-3.4, 3.4), (-3.4, 3.4), ("signed distance to the line", ""))
    stage.axes["upright"].set_yticks([])
    stage.axes["upright"].set_title("the same points, turned upright", fontsize=10)
    return explore(
        WidestStreet(stage),
        stage,
        points=lambda data: SHAPES[data](),
        brush=NAMES,
        data=menu("data", list(SHAPES)),
        only=switch("keep only the ringed points"),
    )


# ---- three rival lines --------------------------------------------------------------------------

RIVALS = {
    "L1: both alike": ADMISSION_LINES[0],
    "L2: research double": ADMISSION_LINES[1],
    "L3: grade double": ADMISSION_LINES[2],
}
WIDEST = "widest street"


def rival_lines(X: np.ndarray, codes: np.ndarray) -> dict[str, Line | None]:
    """The lines of the three committees, and the widest street (None if there is none)."""
    nobody = np.empty(0, dtype=int)
    lines: dict[str, Line | None] = {
        name: Line(np.array(w), b, nobody) for name, (w, b) in RIVALS.items()
    }
    return lines | {WIDEST: widest(X, codes)}


def rivals_explorer() -> Explorer:
    """Applicants, three committees that agree about all of them, and how near each line comes."""
    stage = Stage(("plane", "bars"), widths=(1.1, 1))
    draw.plane(stage.ax, (-0.3, 10.3), (-0.3, 10.3), ("research score", "grade"))
    bars = stage.axes["bars"]
    draw.frame(bars, (-1.2, 2.1), (-3.6, 0.6), ("distance to its nearest point", ""))
    bars.set_yticks([])
    bars.axvline(0, color=theme.SOFT, linewidth=1, zorder=0.5)
    for row, name in enumerate([*RIVALS, WIDEST]):
        bars.text(0.04, -row + 0.13, name, va="bottom", fontsize=10, zorder=0.5)

    def scene(points: Points, line: str) -> str:
        X, codes = points.X, points.codes
        lines = rival_lines(X, codes)
        for name, other in lines.items():
            if other is not None and name != line:
                draw_line(stage.ax, other, color=theme.SOFT, linewidth=1, alpha=0.6, zorder=1)
        nearest = {
            name: None if other is None else float(other.distances(X, codes).min())
            for name, other in lines.items()
        }
        _draw_bars(bars, nearest, line)
        draw.points(stage.ax, X, codes)
        chosen = lines[line]
        if chosen is None:
            draw_hulls(stage.ax, X, codes)
            return NO_STREET
        return _draw_rival(stage.ax, chosen, X, codes, line)

    return explore(
        scene,
        stage,
        points=lambda: make_admissions(40, random_state=0),
        brush=("● rejected", "▲ selected"),
        line=choice("line", [*RIVALS, WIDEST]),
    )


def _draw_bars(ax: Axes, nearest: dict[str, float | None], chosen: str) -> None:
    for row, (name, d) in enumerate(nearest.items()):
        color = theme.HIGHLIGHT if name == chosen else theme.FAINT
        text = "none" if d is None else f"{d:.2f}".replace("-", "−")
        shown = 0.0 if d is None else float(np.clip(d, -1.1, 1.7))
        ax.barh(-row - 0.12, shown, height=0.42, color=color, zorder=2)
        ax.text(max(shown, 0) + 0.06, -row - 0.12, text, va="center", fontsize=10)


def _draw_rival(ax: Axes, line: Line, X: np.ndarray, codes: np.ndarray, name: str) -> str:
    """The chosen line with the way to its nearest point; what to say about it."""
    d = line.distances(X, codes)
    draw_sides(ax, line, kerb=0.0)
    draw_line(ax, line)
    i = int(d.argmin())
    foot = X[i] - (X[i] @ line.w + line.b) * line.w / line.norm**2
    ax.plot(*np.c_[X[i], foot], color=theme.HIGHLIGHT, linewidth=3, zorder=2.5)
    ax.plot(*X[i], "o", markersize=13, mfc="none", mec=theme.HIGHLIGHT, mew=2, zorder=4)
    if d[i] <= 0:
        n = int((d <= 0).sum())
        count = "one applicant" if n == 1 else f"{n} applicants"
        return f"<b>{name}</b> has {count} on the wrong side: it no longer separates the classes."
    sides = [float(d[codes == c].min()) for c in (0, 1)]
    midway = " It runs midway." if abs(sides[0] - sides[1]) < 0.005 else ""
    return (
        f"<b>{name}</b> separates all {len(X)} applicants. The nearest rejected one is "
        f"{sides[0]:.2f} away, the nearest selected one {sides[1]:.2f}.{midway}"
    )


# ---- turn it yourself ---------------------------------------------------------------------------


def turn_explorer() -> Explorer:
    """Angle and shift by hand; the curve shows how much room every angle leaves."""
    stage = Stage(("plane", "curve"), widths=(1.45, 1))
    draw.plane(stage.ax, *WINDOW)
    curve = stage.axes["curve"]
    draw.frame(curve, (-90, 90), (-2.1, 1.4), ("angle of w in degrees", "distance of the nearest"))
    curve.set_xticks([-90, -45, 0, 45, 90])

    def scene(points: Points, angle: int, shift: float) -> str:
        X, codes = points.X, points.codes
        if len(np.unique(codes)) < 2:
            raise ValueError("Both classes are needed: add a point of the other one.")
        u = np.array([np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))])
        along = X @ u
        middle = (along[codes == 1].min() + along[codes == 0].max()) / 2
        line = Line(u, -middle - shift, np.empty(0, int))
        d = line.distances(X, codes)
        room = gaps(X, codes)
        curve.plot([-90, 90], [0, 0], color=theme.FAINT, linewidth=1)
        curve.plot(np.rad2deg(ANGLES), np.maximum(room, -2.3), color=theme.SOFT)
        curve.plot(angle, max(d.min(), -2.1), "o", color=theme.HIGHLIGHT, markersize=10, zorder=4)
        _draw_turned(stage.ax, line, X, codes, d)
        top = int(room.argmax())
        best = (
            f"The top of the curve, {room[top]:.2f} at {np.rad2deg(ANGLES[top]):.0f}°, is as far "
            "as any line can stay away."
            if room[top] > 0
            else "The curve stays below 0: no angle separates these points."
        )
        return f"{_verdict(d, codes, angle)} {best}".replace("at -", "at −")

    return explore(
        scene,
        stage,
        points=lambda: _coded(*clouds(40, 1)),
        brush=NAMES,
        angle=slider("angle of w", -90, 90, -20),
        shift=real_slider("shift from midway", -1.0, 1.0, 0.0, step=0.05),
    )


def _draw_turned(ax: Axes, line: Line, X: np.ndarray, codes: np.ndarray, d: np.ndarray) -> None:
    """The line, as wide a street as it has room for, and the nearest point of either class."""
    r = float(d.min())
    if r > 0:
        draw_sides(ax, line, kerb=r)
        for side, color in ((-r, BLUE), (r, ORANGE)):
            draw_line(ax, line, side, color=color, linewidth=1.4, linestyle=DASHED)
    draw_line(ax, line)
    draw.points(ax, X, codes)
    wrong = X[d <= 0]
    ax.plot(*wrong.T, "x", color=theme.INK, markersize=6, zorder=5)
    near = [int(np.flatnonzero(codes == c)[d[codes == c].argmin()]) for c in (0, 1)]
    feet = X[near] - np.outer(X[near] @ line.w + line.b, line.w)
    draw.segments(ax, X[near], feet, color=theme.INK)


def _verdict(d: np.ndarray, codes: np.ndarray, angle: int) -> str:
    turned = f"{angle}°".replace("-", "−")
    if d.min() <= 0:
        n = int((d <= 0).sum())
        count = "One point is" if n == 1 else f"{n} points are"
        return f"<b>{turned}</b>: {count} on the wrong side (×)."
    blue, orange = (float(d[codes == c].min()) for c in (0, 1))
    return (
        f"<b>{turned}</b>: the nearest blue point is {blue:.2f} away, the nearest orange one "
        f"{orange:.2f}, so this line keeps a distance of <b>{d.min():.2f}</b>."
    )


# ---- the same line, other numbers ---------------------------------------------------------------


def scale_explorer() -> Explorer:
    """(w, b) → (λw, λb): the line stays, the lines f = ±1 move, a negative λ swaps the sides."""
    X, y = clouds(40, 1)
    codes = _codes(y)
    fitted = widest(X, codes)
    stage = Stage(("plane", "bars"), widths=(1.5, 1))
    draw.plane(stage.ax, *WINDOW)
    bars = stage.axes["bars"]
    draw.frame(bars, (-0.7, 1.7), (-9.6, 4.4), ("", "smallest over all points"))
    bars.set_xticks([0, 1], ["y f", "y f / ‖w‖"])

    def scene(lam: float) -> str:
        bars.axhline(0, color=theme.SOFT, linewidth=1)
        if abs(lam) < 1e-9:
            draw.points(stage.ax, X, codes)
            return "<b>λ = 0</b>: w = 0 and b = 0. There is no line any more, and no distance."
        line = Line(lam * fitted.w, lam * fitted.b, fitted.support)
        draw_street(stage.ax, line, width=False)
        _name_kerbs(stage.ax, line)
        draw.points(stage.ax, X, codes)
        rings(stage.ax, X[line.support])
        d = line.distances(X, codes)
        values = [d.min() * line.norm, d.min()]
        bars.bar([0, 1], values, width=0.6, color=[theme.HIGHLIGHT, theme.CLASS_COLORS[5]])
        for place, value in enumerate(values):
            va = "bottom" if value > 0 else "top"
            text = f"{value:.2f}".replace("-", "−")
            bars.annotate(text, (place, value), ha="center", va=va)
        return _scale_words(lam, line)

    return explore(scene, stage, lam=real_slider("λ", -2.0, 3.0, 1.0, step=0.1))


def _name_kerbs(ax: Axes, line: Line) -> None:
    """f = −1, 0 and 1 written on their lines, near the upper edge, or lower where they crowd."""
    for at, height in ((-1, 2.2), (0, 1.75), (1, 1.3)):
        across = (at - line.b - line.w[1] * height) / line.w[0]
        ax.text(
            across,
            height,
            f"f = {at}".replace("-", "−"),
            ha="center",
            va="center",
            fontsize=9,
            clip_on=True,
            zorder=6,
            bbox={"boxstyle": "round,pad=0.1", "facecolor": "white", "edgecolor": "none"},
        )


def _scale_words(lam: float, line: Line) -> str:
    shown = f"{lam:.1f}".replace("-", "−")
    kerbs = f"f = ±1 lie {1 / line.norm:.2f} from it"
    if lam < 0:
        return (
            f"<b>λ = {shown}</b>: the same line, but f changed its sign. Blue ground became orange "
            "ground, every point is on the wrong side, and the distances are negative."
        )
    if abs(lam - 1) < 1e-9:
        return (
            f"<b>λ = 1</b>, the canonical scale: the dashed lines {kerbs}, exactly where the "
            "nearest points stand. The smallest y f is 1."
        )
    where = "short of the nearest points" if lam > 1 else "behind the nearest points"
    return (
        f"<b>λ = {shown}</b>: the same line and the same distances. Only the dashed lines moved: "
        f"{kerbs}, {where}."
    )


# ---- the street being found ---------------------------------------------------------------------


def street_player() -> Player:
    """The dual of the hard margin, pair by pair: multipliers as areas, and the line they make."""
    X, y = clouds(40, 4, apart=1.3)
    codes = _codes(y)
    K = X @ X.T
    stage = Stage(("plane", "curve"), widths=(1.45, 1))
    draw.plane(stage.ax, *WINDOW)
    steps = list(smo_steps(K, y, np.inf, 1e-3))
    goal = _dual(steps[-1].alpha, y, K)
    curve = stage.axes["curve"]
    draw.frame(curve, (0, len(steps) + 1), (0, 1.15 * goal), ("step", "Σα − ½‖w‖²"))
    curve.set_xticks(range(0, len(steps) + 1, 2))

    def scene(history: list[PairStep]) -> str:
        now = history[-1]
        line = Line((now.alpha * y) @ X, sum(now.interval) / 2, np.flatnonzero(now.alpha))
        draw_street(stage.ax, line)
        inside = y * (X @ line.w + line.b) < 1 - 1e-2
        draw.points(stage.ax, X, codes, size=20, alpha=0.6)
        area = 20 + 200 * now.alpha[line.support] / now.alpha.max()
        draw.points(stage.ax, X[line.support], codes[line.support], size=area)
        draw.cross(stage.ax, X[inside])
        rings(stage.ax, X[[now.i, now.j]])
        heights = [_dual(step.alpha, y, K) for step in history]
        curve.axhline(goal, color=theme.SOFT, linewidth=1, linestyle=DASHED)
        curve.plot(np.arange(1, len(heights) + 1), heights, "o-", color=theme.INK, markersize=4)
        count = int(inside.sum())
        stand = (
            f"{count} points (×)</b> stand" if count > 1 else f"{count or 'no'} point</b> stands"
        )
        return (
            f"Step {len(history)}: the multipliers of the two ringed points moved. "
            f"<b>{len(line.support)} points</b> carry weight (the large ones). "
            f"<b>{stand} in the street or beyond it. The street is {2 / line.norm:.2f} wide."
        )

    return play(steps, scene, stage, start=2, interval=900)


def _dual(alpha: np.ndarray, y: np.ndarray, K: np.ndarray) -> float:
    beta = alpha * y
    return float(alpha.sum() - 0.5 * beta @ K @ beta)


# ---- pictures that stand still ------------------------------------------------------------------


def distance_picture() -> Picture:
    """A point, its foot on the line, and w."""
    picture = Picture(
        size=(8.0, 3.4), text="The way from a point straight to the line runs along w."
    )
    ax = picture.ax
    draw.plane(ax, (-1.6, 6.4), (-0.2, 3.2))
    line = Line(np.array([1.0, 2.0]), -4.0, np.empty(0, int))
    draw_sides(ax, line, kerb=0.0)
    draw_line(ax, line)
    x = np.array([3.2, 2.4])
    foot = x - (x @ line.w + line.b) * line.w / line.norm**2
    base = np.array([0.4, 1.8])
    ax.plot(*np.c_[foot, x], color=theme.HIGHLIGHT, linewidth=3, zorder=2.5)
    draw.points(ax, x[None], np.array([1]), size=90)
    ax.plot(*foot, "o", color=theme.INK, markersize=5, zorder=4)
    arrow = {"arrowstyle": "-|>", "color": theme.INK, "linewidth": 1.8, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", base + line.w / line.norm, base, arrowprops=arrow)
    words = (
        (base + line.w / line.norm, (5, -4), "w / ‖w‖"),
        (x, (9, 2), "x"),
        (foot, (-76, -14), "foot: f = 0"),
        ((x + foot) / 2, (8, -6), "d = f(x) / ‖w‖"),
    )
    for place, offset, text in words:
        ax.annotate(text, place, offset, textcoords="offset points")
    ax.text(-1.4, 0.1, "f(x) = w·x + b < 0", color=BLUE)
    ax.text(4.4, 2.8, "f(x) > 0", color=ORANGE)
    return picture


def outlier_picture(panels: dict[str, tuple[Any, np.ndarray, np.ndarray]]) -> Picture:
    """Streets of several fitted models side by side; the last point of each set is circled."""
    picture = Picture(
        list(panels),
        size=(8.0, 2.7),
        text="One orange point turns the hard margin and hardly moves the soft one.",
    )
    for name, (model, X, y) in panels.items():
        ax = picture.axes[name]
        draw.plane(ax, *WINDOW, ("", ""))
        ax.set(xticks=[], yticks=[])
        ax.set_title(name, fontsize=10)
        draw_street(ax, Line(model.w_, model.b_, model.support_))
        draw.points(ax, X, _codes(y), size=16)
        if len(y) % 2:
            ax.plot(*X[-1], "o", markersize=13, mfc="none", mec=theme.HIGHLIGHT, mew=2, zorder=5)
    return picture


def separable_picture(distance: np.ndarray, share: np.ndarray) -> Picture:
    """How often two clouds can be separated at all, against how far apart they are."""
    picture = Picture(size=(8.0, 2.6), text="Overlapping clouds are hardly ever separable.")
    ax = picture.ax
    limits = (distance[0] - 0.1, distance[-1] + 0.1)
    draw.frame(ax, limits, (-0.03, 1.06), ("centres apart, in spreads", "share separable"))
    ax.plot(distance, share, "o-", color=theme.INK, markersize=6)
    return picture


def iris_picture(
    model: HardMarginSVC, X: np.ndarray, codes: np.ndarray, names: tuple[str, str]
) -> Picture:
    """Two measurements of the irises, the street between setosa and the rest."""
    picture = Picture(
        size=(8.0, 3.6), text="Setosa on one side of a wide empty street, the rest on the other."
    )
    ax = picture.ax
    draw.plane(ax, (0.5, 7.3), (-0.2, 2.8), names)
    draw_street(ax, Line(model.w_, model.b_, model.support_))
    draw.points(ax, X, codes, size=24, alpha=0.8)
    rings(ax, X[model.support_])
    ax.text(0.6, 1.0, "setosa", color=BLUE)
    ax.text(5.6, 1.0, "the other two", color=ORANGE)
    return picture
