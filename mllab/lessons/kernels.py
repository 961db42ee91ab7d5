"""Scenes of 13_kernels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, islice, product
from math import comb
from typing import Any, NamedTuple

import numpy as np
from contourpy import contour_generator
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb

from mlcore.datasets import make_blobs, make_circles, make_moons, make_spirals, make_xor
from mlcore.kernels import linear, polynomial, rbf, rbf_on_grid, rbf_partial_sum
from mlcore.metrics import count_regions
from mlcore.neighbors import squared_distances
from mlcore.svm import intercept, slack_cases, smo_steps
from mlcore.theory import cover_count, separable_fraction
from mllab import draw, theme
from mllab.explore import Explorer, Points, choice, explore, log_slider, menu, real_slider, slider
from mllab.play import Player, play
from mllab.stage import Picture, Pointer, Stage

NAMES = ("● blue", "▲ orange")
BLUE, ORANGE = theme.CLASS_COLORS[:2]
WINDOW = (-1.9, 1.9), (-1.6, 1.6)


# ---- data ---------------------------------------------------------------------------------------

SHAPES: dict[str, Callable[[int, int], tuple[np.ndarray, np.ndarray]]] = {
    "circles": lambda n, seed: make_circles(n, ratio=0.45, noise=0.13, random_state=seed),
    "moons": lambda n, seed: _moved(make_moons(n, noise=0.2, random_state=seed), (-0.5, -0.25)),
    "four corners": lambda n, seed: _moved(make_xor(n, noise=0.45, random_state=seed), scale=0.8),
    "spirals": lambda n, seed: make_spirals(n, turns=1.35, noise=0.06, random_state=seed),
    "two clouds": lambda n, seed: make_blobs(
        n, centers=[[-0.6, -0.3], [0.6, 0.3]], spread=0.5, random_state=seed
    ),
}


def _moved(
    points: tuple[np.ndarray, np.ndarray], by: tuple[float, float] = (0, 0), scale: float = 1.0
) -> tuple[np.ndarray, np.ndarray]:
    X, codes = points
    return scale * (X + np.array(by)), codes


def sample(shape: str, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """n points of a shape, all of them inside the window."""
    X, codes = SHAPES[shape](n, seed)
    low, high = np.array(WINDOW).T
    return np.clip(X, low + 0.05, high - 0.05), codes


def signs(codes: np.ndarray) -> np.ndarray:
    """−1 and +1 for the classes 0 and 1, both of which must be there."""
    if len(np.unique(codes)) < 2:
        raise ValueError("Both classes are needed: add a point of the other one.")
    return 2.0 * codes - 1


# ---- a kernel, and the machine that runs on it --------------------------------------------------


class Kernel(NamedTuple):
    """One of the three kernels with its parameters."""

    name: str
    sigma: float = 1.0
    degree: int = 1

    def __call__(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        if self.name == "RBF":
            return rbf(X, Z, self.sigma)
        return polynomial(X, Z, self.degree) if self.name == "polynomial" else linear(X, Z)

    def on(self, grid: draw.Grid, Z: np.ndarray, coef: np.ndarray) -> np.ndarray:
        """Σ cᵢ K(zᵢ, ·) at every place of the grid, by small matrix products."""
        if self.name == "RBF":
            return rbf_on_grid(grid.x, grid.y, Z, coef, self.sigma).ravel()
        if self.name == "linear":
            return grid.points @ (coef @ Z)
        return polynomial_on_grid(grid, Z, coef, self.degree)

    def __str__(self) -> str:
        settings = {"RBF": f", σ = {self.sigma:.2g}", "polynomial": f" of degree {self.degree}"}
        return self.name + settings.get(self.name, "")


def polynomial_on_grid(grid: draw.Grid, Z: np.ndarray, coef: np.ndarray, degree: int) -> np.ndarray:
    """Σ cᵢ (1 + zᵢ·x)^p = Σ_ab W_ab x₁ᵃ x₂ᵇ: gather the coefficients first, then two products."""
    p = degree
    a = np.arange(p + 1)
    weight = np.array([[comb(p, i) * comb(p - i, j) if i + j <= p else 0 for j in a] for i in a])
    W = weight * ((coef[:, None] * Z[:, :1] ** a).T @ Z[:, 1:] ** a)
    return (grid.y[:, None] ** a @ W.T @ (grid.x[:, None] ** a).T).ravel()


class Machine(NamedTuple):
    """f(x) = Σ αᵢyᵢ K(xᵢ, x) + b."""

    alpha: np.ndarray
    beta: np.ndarray  # αᵢyᵢ
    b: float
    f: np.ndarray  # on the training points


def machine(
    K: np.ndarray, y: np.ndarray, C: float, alpha0: np.ndarray | None = None, at_most: int = 1500
) -> Machine:
    """The soft-margin machine on a Gram matrix."""
    alpha = np.zeros_like(y) if alpha0 is None else alpha0
    for step in islice(smo_steps(K, y, C, 1e-3, alpha0, newton=True), at_most):
        alpha = step.alpha
    beta = alpha * y
    b = intercept(y - K @ beta, alpha, y, C)
    return Machine(alpha, beta, b, K @ beta + b)


def sides(f: np.ndarray) -> np.ndarray:
    """The two sides of f as shares of two classes, for a tint."""
    return np.eye(2)[(f > 0).astype(int)]


class Watch:
    """Which point the pointer is on; the explorer is redrawn when that changes."""

    def __init__(self, stage: Stage) -> None:
        stage.hovers = True
        stage.on_pointer(self.look)
        self.explorer: Explorer | None = None
        self.points: Points | None = None
        self.i: int | None = None

    def look(self, event: Pointer) -> None:
        if self.explorer is None or event.kind not in ("hover", "drag"):
            self.i = None
            return
        self.points, self.i = self.explorer.points, event.i
        if event.kind == "hover":
            self.explorer.update()

    def on(self, points: Points) -> int | None:
        """The point of `points` that is looked at."""
        there = self.points is points and self.i is not None and self.i < len(points.X)
        return self.i if there else None

    def over(self, explorer: Explorer) -> Explorer:
        self.explorer = explorer
        return explorer


# ---- kernel, σ, degree, C: plane and Gram matrix ------------------------------------------------


def gram_order(X: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Class by class, and within a class around the middle: neighbours stand side by side."""
    angle = np.arctan2(*(X - X.mean(axis=0)).T)
    return np.lexsort([angle, codes])


def gram_image(ax: Axes, K: np.ndarray, codes: np.ndarray, row: int | None = None) -> None:
    """A Gram matrix with the classes of its rows and columns along the edges; one row framed."""
    n = len(K)
    gap = 0.045 * n
    draw.matrix(ax, K, title="Gram matrix K(xᵢ, xⱼ)")
    ax.set(xlim=(-0.5 - 2 * gap, n - 0.5), ylim=(n - 0.5, -0.5 - 2 * gap))
    ends = np.r_[0, np.count_nonzero(codes == 0), n] - 0.5
    for c in (0, 1):
        look = {"color": theme.CLASS_COLORS[c], "linewidth": 5, "solid_capstyle": "butt"}
        ax.plot([-0.5 - gap] * 2, ends[c : c + 2], **look)
        ax.plot(ends[c : c + 2], [-0.5 - gap] * 2, **look)
    if row is not None:
        x, y = [-0.5, n - 0.5, n - 0.5, -0.5, -0.5], np.array([0, 0, 1, 1, 0]) + row - 0.5
        ax.plot(x, y, color=theme.INK, linewidth=1.4, zorder=5)


class Bent:
    """The fit is kept while only the pointer moves, and a drag starts from the last fit."""

    def __init__(self, stage: Stage, grid: draw.Grid) -> None:
        self.stage, self.grid, self.watch = stage, grid, Watch(stage)
        self.key: tuple[Any, ...] = ()
        self.fresh: dict[str, tuple[np.ndarray, np.ndarray]] = {}

    def solve(self, points: Points, kernel: Kernel, C: float) -> None:
        key = (points, points.version, kernel, C)
        if key == self.key:
            return
        y = signs(points.codes)
        dragged = self.key[:1] == (points,) and self.key[2:] == key[2:]
        alpha0 = self.fit.alpha if dragged and len(self.fit.alpha) == len(y) else None
        self.K = kernel(points.X, points.X)
        self.fit = machine(self.K, y, C, alpha0)
        self.f = kernel.on(self.grid, points.X, self.fit.beta) + self.fit.b
        eigenvalues = np.linalg.eigvalsh(self.K)[::-1]
        self.directions = 1 + int(np.sum(eigenvalues.cumsum() < 0.99 * eigenvalues.sum()))
        self.cases = slack_cases(self.fit.alpha, y * self.fit.f, C)
        self.key = key

    def __call__(
        self, points: Points, kernel: str, sigma: float, degree: int, C: float, data: str
    ) -> str:
        chosen = Kernel(kernel, sigma, degree)
        self.solve(points, chosen, C)
        plane = self.stage.ax
        draw.surface(plane, self.grid, sides(self.f), strength=0.3)
        draw.street(plane, self.grid, self.f)
        support = self.fit.alpha > 0
        draw.points(plane, points.X, points.codes, size=30)
        plane.plot(*points.X[support].T, "o", mfc="none", mec=theme.INK, ms=10, mew=1.1, zorder=4)
        order = gram_order(points.X, points.codes)
        i = self.watch.on(points)
        row = None if i is None else int(np.flatnonzero(order == i)[0])
        gram_image(self.stage.axes["gram"], self.K[np.ix_(order, order)], points.codes[order], row)
        if i is not None:
            draw.ring(plane, points.X[[i]], size=260, color=theme.HIGHLIGHT)
        return self.caption(points, chosen, C, data, i)

    def wrong_on_new(self, points: Points, kernel: Kernel, data: str) -> float:
        if data not in self.fresh:
            self.fresh[data] = sample(data, 1000, seed=1)
        new, truth = self.fresh[data]
        support = self.fit.alpha > 0
        f = kernel(new, points.X[support]) @ self.fit.beta[support] + self.fit.b
        return float(np.mean((f > 0) != truth))

    def caption(self, points: Points, kernel: Kernel, C: float, data: str, i: int | None) -> str:
        regions = count_regions((self.f > 0).reshape(self.grid.shape))
        wrong = np.mean((self.fit.f > 0) != (points.codes == 1))
        tail = (
            f"Almost all of the Gram matrix (99%) lies in {self.directions} of its "
            f"{len(points.X)} directions."
        )
        if i is not None:
            others = np.delete(self.K[i], i)
            tail = (
                f"The ringed point: K with itself {self.K[i, i]:.3g}, with the others from "
                f"{others.min():.2g} to {others.max():.2g}."
            ).replace(" -", " −")
        return (
            f"<b>{kernel}</b>, C = {C:.3g}: {np.count_nonzero(self.fit.alpha)} of "
            f"{len(points.X)} points hold the boundary (circled), the plane falls into "
            f"<b>{regions} regions</b>. Wrong: {wrong:.1%} of these points, "
            f"{self.wrong_on_new(points, kernel, data):.1%} of 1000 new ones. {tail}"
        )


def kernel_explorer() -> Explorer:
    """Kernel, σ, degree, C; the Gram matrix beside the plane, its row linked to the point."""
    stage = Stage(("plane", "gram"), size=(8.0, 3.9), widths=(1.35, 1))
    grid = draw.plane(stage.ax, *WINDOW)
    gram = stage.axes["gram"]
    gram.set_axis_off()
    scene = Bent(stage, grid)
    explorer = explore(
        scene,
        stage,
        points=lambda data: sample(data, 64, seed=0),
        brush=NAMES,
        kernel=choice("kernel", ["RBF", "linear", "polynomial"]),
        sigma=log_slider("σ (RBF)", 0.05, 5, 10**-0.3),
        degree=slider("degree (polynomial)", 1, 8, 2),
        C=log_slider("C", 0.01, 1000, 1),
        data=menu("data", list(SHAPES)),
    )

    def only_its_own(_: Any = None) -> None:
        explorer.controls["sigma"].disabled = explorer.controls["kernel"].value != "RBF"
        explorer.controls["degree"].disabled = explorer.controls["kernel"].value != "polynomial"

    explorer.controls["kernel"].observe(only_its_own, "value")
    only_its_own()
    return scene.watch.over(explorer)


# ---- a picture of three dimensions --------------------------------------------------------------


class View:
    """Looking at three dimensions from `turn` and `tilt` degrees, without perspective."""

    def __init__(self, turn: float, tilt: float) -> None:
        a, e = np.radians([turn, tilt])
        across = np.array([np.cos(a), np.sin(a), 0])
        away = np.array([-np.sin(a), np.cos(a), 0])
        up = np.array([0, 0, 1])
        self.screen = np.c_[across, np.sin(e) * away + np.cos(e) * up]
        self.towards = np.sin(e) * up - np.cos(e) * away  # from the scene to the eye

    def __call__(self, places: np.ndarray) -> np.ndarray:
        """(n, 3) → (n, 2)."""
        return places @ self.screen

    def depth(self, places: np.ndarray) -> np.ndarray:
        """Large for what is near."""
        return places @ self.towards


def box_cut(w: np.ndarray, b: float, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """The polygon in which the plane w·x + b = 0 cuts a box, (k, 3); k = 0 if it misses it."""
    corners = np.array(list(product(*zip(low, high, strict=True))))
    ends = [(i, j) for i, j in combinations(range(8), 2) if np.sum(corners[i] != corners[j]) == 1]
    value = corners @ w + b
    cut = [
        corners[i] + value[i] / (value[i] - value[j]) * (corners[j] - corners[i])
        for i, j in ends
        if value[i] * value[j] < 0
    ]
    if len(cut) < 3:
        return np.empty((0, 3))
    places = np.array(cut)
    spokes = places - places.mean(axis=0)
    across = spokes[0] / np.linalg.norm(spokes[0])
    up = np.cross(w / np.linalg.norm(w), across)
    return places[np.argsort(np.arctan2(spokes @ up, spokes @ across))]


class Lift(NamedTuple):
    """A third coordinate, and how it is drawn: heights from `low` to `high`, times `scale`."""

    height: Callable[[np.ndarray, np.ndarray], np.ndarray]
    low: float
    high: float
    scale: float
    polar: bool = False  # draw its sheet by circles and spokes


LIFTS = {
    "x₁² + x₂²": Lift(lambda x, y: x**2 + y**2, 0.0, 1.8, 0.9, polar=True),
    "x₁x₂": Lift(lambda x, y: x * y, -1.6, 1.6, 0.75),
    "x₁²": Lift(lambda x, y: x**2 + 0 * y, 0.0, 2.3, 0.75),
    "x₁ + x₂": Lift(lambda x, y: x + y, -2.0, 2.0, 0.55),
}
FLAT = {
    "circles": lambda: make_circles(40, ratio=0.45, noise=0.08, random_state=3),
    "four corners": lambda: _moved(make_xor(44, noise=0.25, random_state=1), scale=0.75),
    "on a line": lambda: _on_a_line(30),
}
FLOOR = 1.5


def _on_a_line(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Orange in the middle of a line, blue on both sides of it."""
    x = np.linspace(-1.4, 1.4, n)
    kept = np.abs(np.abs(x) - 0.6) > 0.08
    return np.c_[x, 0 * x][kept], (np.abs(x) < 0.6).astype(int)[kept]


class Lifted:
    """The plane on the left; on the right the points raised, and the plane that cuts them."""

    def __init__(self, stage: Stage, grid: draw.Grid) -> None:
        self.stage, self.grid, self.watch = stage, grid, Watch(stage)

    def __call__(
        self,
        points: Points,
        lift: str,
        share: float,
        C: float,
        turn: float,
        tilt: float,
        data: str,
    ) -> str:
        raised, y = LIFTS[lift], signs(points.codes)
        X, grid = points.X, self.grid
        Phi = np.c_[X, share * raised.height(*X.T)]
        fit = machine(linear(Phi, Phi), y, C)
        w = fit.beta @ Phi
        f = grid.points @ w[:2] + share * w[2] * raised.height(*grid.points.T) + fit.b
        draw.surface(self.stage.ax, grid, sides(f), strength=0.3)
        draw.level(self.stage.ax, grid, f)
        draw.points(self.stage.ax, X, points.codes, size=34)
        view = View(turn, tilt)
        self.draw_lifted(points, view, raised, share, w, fit.b, f)
        i = self.watch.on(points)
        if i is not None:
            draw.ring(self.stage.ax, X[[i]], size=200, color=theme.HIGHLIGHT)
            there = view(np.c_[X[[i]], share * raised.scale * raised.height(*X[[i]].T)])
            draw.ring(self.stage.axes["lifted"], there, size=200, color=theme.HIGHLIGHT)
        return self.caption(lift, share, w, fit, y)

    def draw_lifted(
        self,
        points: Points,
        view: View,
        lift: Lift,
        share: float,
        w: np.ndarray,
        b: float,
        f: np.ndarray,
    ) -> None:
        ax, k = self.stage.axes["lifted"], share * lift.scale
        floor = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0], [-1, -1, 0]]) * FLOOR
        ax.plot(*view(floor).T, color=theme.SOFT, linewidth=0.9, zorder=1)
        ax.plot(*view(_net(lift, k)).T, color=theme.FAINT, linewidth=0.8, zorder=1)
        X = points.X
        foot = np.c_[X, np.zeros(len(X))]
        top = np.c_[X, k * lift.height(*X.T)]
        draw.segments(ax, view(foot), view(top), color=theme.FAINT)
        normal = np.array([w[0], w[1], w[2] / lift.scale])
        self.cut(ax, view, normal, b, lift)
        front = (top @ normal + b) * (normal @ view.towards) >= 0
        for before, alpha in ((~front, 0.55), (front, 1.0)):
            if before.any():
                draw.points(ax, view(top[before]), points.codes[before], size=34, alpha=alpha)
        seam = _level_line(self.grid, f, FLOOR)
        if len(seam):
            ax.plot(*view(np.c_[seam, k * lift.height(*seam.T)]).T, color=theme.INK, zorder=2.7)
            ax.plot(*view(np.c_[seam, 0 * seam[:, 0]]).T, color=theme.INK, lw=0.9, zorder=1.5)

    def cut(self, ax: Axes, view: View, normal: np.ndarray, b: float, lift: Lift) -> None:
        if np.linalg.norm(normal) < 1e-9:
            return
        low = np.array([-FLOOR, -FLOOR, min(lift.low * lift.scale, -0.25)])
        high = np.array([FLOOR, FLOOR, max(lift.high * lift.scale, 0.25)])
        polygon = box_cut(normal, b, low, high)
        if len(polygon):
            ax.fill(*view(polygon).T, color=theme.HIGHLIGHT, alpha=0.32, zorder=2.6, lw=1.5)

    def caption(self, lift: str, share: float, w: np.ndarray, fit: Machine, y: np.ndarray) -> str:
        wrong = np.count_nonzero(y * fit.f <= 0)
        if share == 0:
            where = "Nothing is raised: the plane stands upright, and its cut is a straight line"
        elif lift == "x₁ + x₂":
            where = "The sheet is tilted but flat, so its cut with a plane is a straight line"
        else:
            where = f"Every point is raised to {share:.2g}·({lift}); where the plane cuts the sheet"
            where += " is the curve"
        verdict = "no point is" if wrong == 0 else f"<b>{wrong} of {len(y)} points are</b>"
        return (
            f"{where}, and {verdict} on the wrong side. f = "
            f"{_signed(w[0])}·x₁ {_plus(w[1])}·x₂ {_plus(w[2])}·height {_plus(fit.b)}."
        )


def _signed(value: float) -> str:
    return f"{value:.2f}".replace("-0.00", "0.00").replace("-", "−")


def _plus(value: float) -> str:
    return f"{'−' if value < -0.005 else '+'} {abs(value):.2f}"


def _net(lift: Lift, k: float) -> np.ndarray:
    """The lifted sheet as lines along both directions, in one stroke with gaps."""
    t, reach = np.linspace(0, 1, 41), np.sqrt(lift.high)
    if lift.polar:
        lines = [r * _spoke(2 * np.pi * t) for r in np.linspace(reach / 4, reach, 4)]
        lines += [reach * np.outer(t, _spoke(a)) for a in np.pi * np.arange(8) / 4]
        flat = np.array(lines)
    else:
        across = np.array([np.c_[t, np.full_like(t, at)] for at in np.linspace(0, 1, 9)])
        flat = FLOOR * (2 * np.concatenate([across, across[..., ::-1]]) - 1)
    height = lift.height(flat[..., 0], flat[..., 1])
    height[(height > lift.high + 1e-9) | (height < lift.low - 1e-9)] = np.nan
    gap = np.full((len(flat), 1, 3), np.nan)
    return np.concatenate([np.dstack([flat, k * height]), gap], axis=1).reshape(-1, 3)


def _spoke(angle: np.ndarray | float) -> np.ndarray:
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1)


def _level_line(grid: draw.Grid, f: np.ndarray, reach: float) -> np.ndarray:
    """The line f = 0 as places with gaps, (k, 2), inside a square."""
    tracer = contour_generator(grid.x, grid.y, f.reshape(grid.shape), line_type="ChunkCombinedNan")
    line = tracer.lines(0.0)[0][0]
    if line is None:
        return np.empty((0, 2))
    inside = np.abs(line).max(axis=1, keepdims=True) <= reach
    return np.where(inside, line, np.nan)


def lift_explorer() -> Explorer:
    """Points raised into a third dimension, and the plane that cuts them there."""
    stage = Stage(("plane", "lifted"), size=(8.0, 3.9), widths=(1, 1.2))
    grid = draw.plane(stage.ax, (-1.6, 1.6), (-1.6, 1.6))
    draw.plane(stage.axes["lifted"], (-2.2, 2.2), (-2.15, 2.15), ("", ""))
    stage.axes["lifted"].set_axis_off()
    scene = Lifted(stage, grid)
    explorer = explore(
        scene,
        stage,
        points=lambda data: FLAT[data](),
        brush=NAMES,
        lift=choice("height", list(LIFTS)),
        share=real_slider("how far raised", 0, 1, 1, step=0.05),
        C=log_slider("C", 0.01, 1000, 10),
        turn=slider("turn", -90, 90, 30, step=5),
        tilt=slider("tilt", 0, 80, 20, step=5),
        data=menu("data", list(FLAT)),
    )
    return scene.watch.over(explorer)


# ---- a surface as a sum of bumps ----------------------------------------------------------------


def bump_rings(ax: Axes, X: np.ndarray, beta: np.ndarray, sigma: float, *, top: float) -> None:
    """A circle of radius σ around each support vector, the stronger the larger its α."""
    angle = np.linspace(0, 2 * np.pi, 50)
    circle = sigma * np.c_[np.cos(angle), np.sin(angle)]
    for x, c in zip(X, beta, strict=True):
        strength = min(abs(c) / top, 1.0)
        ax.plot(
            *(x + circle).T,
            color=ORANGE if c > 0 else BLUE,
            linewidth=0.7 + 1.3 * strength,
            alpha=0.25 + 0.55 * strength,
            zorder=2.4,
        )


class Sliced:
    """A cut through f along x₂ = const: the bumps one by one, and their sum."""

    def __init__(self, stage: Stage, grid: draw.Grid) -> None:
        self.stage, self.grid, self.watch = stage, grid, Watch(stage)
        self.key: tuple[Any, ...] = ()

    def __call__(self, points: Points, sigma: float, C: float, cut: float, data: str) -> str:
        key = (points, points.version, sigma, C)
        if key != self.key:
            self.fit = machine(rbf(points.X, points.X, sigma), signs(points.codes), C)
            self.key = key
        X, fit, plane = points.X, self.fit, self.stage.ax
        f = rbf_on_grid(self.grid.x, self.grid.y, X, fit.beta, sigma).ravel() + fit.b
        support = np.flatnonzero(fit.alpha)
        draw.surface(plane, self.grid, sides(f), strength=0.3)
        draw.level(plane, self.grid, f)
        bump_rings(plane, X[support], fit.beta[support], sigma, top=C)
        draw.points(plane, X, points.codes, size=30)
        plane.axhline(cut, color=theme.HIGHLIGHT, linewidth=2, zorder=2.6)
        x = self.grid.x
        bumps = fit.beta[support, None] * rbf(X[support], np.c_[x, np.full_like(x, cut)], sigma)
        i = self.watch.on(points)
        self.draw_slice(x, cut, bumps, support, i)
        if i is not None:
            draw.ring(plane, X[[i]], size=200, color=theme.INK)
        return self.caption(bumps, sigma, C, cut, i)

    def draw_slice(
        self, x: np.ndarray, cut: float, bumps: np.ndarray, support: np.ndarray, i: int | None
    ) -> None:
        ax, fit = self.stage.axes["slice"], self.fit
        gap = np.full((len(bumps), 1), np.nan)
        for mine, color in ((fit.beta[support] < 0, BLUE), (fit.beta[support] > 0, ORANGE)):
            flat = np.c_[bumps[mine], gap[mine]].ravel()
            ax.plot(np.tile(np.r_[x, np.nan], mine.sum()), flat, color=color, lw=1, alpha=0.6)
        total = bumps.sum(axis=0) + fit.b
        ax.axhline(fit.b, color=theme.SOFT, linewidth=1, linestyle=(0, (4, 3)), zorder=1.5)
        ax.annotate("b", (1.93, fit.b), color=theme.SOFT, va="center", annotation_clip=False)
        ax.plot(x, total, color=theme.INK, linewidth=2.6, zorder=4)
        cross = np.flatnonzero(total[:-1] * total[1:] < 0)
        at = x[cross] - total[cross] * (x[1] - x[0]) / (total[cross + 1] - total[cross])
        for axes, level in ((ax, 0.0), (self.stage.ax, cut)):
            level = np.full_like(at, level)
            axes.plot(at, level, "o", color=theme.HIGHLIGHT, mec=theme.INK, ms=8, zorder=5)
        if i is not None and fit.alpha[i] > 0:
            ax.plot(x, bumps[support == i][0], color=theme.CLASS_COLORS[int(fit.beta[i] > 0)], lw=3)

    def caption(self, bumps: np.ndarray, sigma: float, C: float, cut: float, i: int | None) -> str:
        here = np.count_nonzero(np.abs(bumps).max(axis=1, initial=0) > 0.05)
        text = (
            f"σ = {sigma:.2g}, C = {C:.2g}: <b>{len(bumps)} support vectors, so {len(bumps)} "
            f"bumps</b>. Along x₂ = {cut:.1f} (the orange line) {here} of them are higher or "
            f"deeper than 0.05; they and b = {_signed(self.fit.b)} add up to the black curve, "
            "which changes sign where the line meets the boundary."
        ).replace("= -", "= −")
        if i is not None:
            text += f" The ringed point has α = {self.fit.alpha[i]:.2f}."
        return text


def landscape(ax: Axes, view: View, grid: draw.Grid, f: np.ndarray, scale: float) -> None:
    """f as hills and valleys over the plane, tinted by its sign, far ones first."""
    x, y = np.meshgrid(grid.x, grid.y)
    height = np.clip(f, -2.2, 2.2).reshape(grid.shape)
    nodes = np.dstack([x, y, scale * height])
    quads = np.stack([nodes[:-1, :-1], nodes[:-1, 1:], nodes[1:, 1:], nodes[1:, :-1]], axis=2)
    quads = quads.reshape(-1, 4, 3)
    middle = quads.mean(axis=1)
    order = np.argsort(view.depth(middle * [1, 1, 0]))
    level = np.clip(middle[order, 2] / scale, -1.6, 1.6) / 1.6
    ends = np.array([to_rgb(BLUE), to_rgb(ORANGE)])[(level > 0).astype(int)]
    slope = (quads[order, 2] - quads[order, 0])[:, 2] / scale
    tint = 1 - (0.12 + 0.75 * np.abs(level))[:, None] * (1 - ends)
    tint *= 1 - 0.12 * np.clip(1 + 4 * slope, 0, 2)[:, None]  # the light comes from one side
    shape = view(quads[order].reshape(-1, 3)).reshape(-1, 4, 2)
    look = {"edgecolors": "face", "antialiaseds": False, "linewidths": 0.3, "zorder": 2}
    ax.add_collection(PolyCollection(shape, facecolors=tint, **look), autolim=False)


class Heap(NamedTuple):
    """The bumps added so far, the newest last."""

    added: np.ndarray
    f: np.ndarray  # on the grid


def heaps(grid: draw.Grid, X: np.ndarray, fit: Machine, sigma: float) -> Iterator[Heap]:
    """b alone, then one support vector after another, from left to right."""
    support = np.flatnonzero(fit.alpha)
    order = support[np.argsort(X[support, 0])]
    for k in range(len(order) + 1):
        added = order[:k]
        bumps = rbf_on_grid(grid.x, grid.y, X[added], fit.beta[added], sigma)
        yield Heap(added, bumps.ravel() + fit.b)


def bumps_player() -> Player:
    """An RBF machine put together bump by bump, as a landscape."""
    X, codes = sample("moons", 26, seed=1)
    sigma, C = 0.5, 2.0
    fit = machine(rbf(X, X, sigma), signs(codes), C)
    stage = Stage(("plane", "land"), size=(8.0, 3.7), widths=(1, 1.25))
    fine = draw.plane(stage.ax, *WINDOW)
    coarse = draw.Grid(*WINDOW, 31, 27)
    land = stage.axes["land"]
    draw.plane(land, (-2.3, 2.3), (-1.85, 2.0), ("", ""))
    land.set_axis_off()
    view = View(25, 35)
    right = np.count_nonzero(signs(codes) * fit.f > 0)

    def scene(history: list[Heap]) -> str:
        added, rough = history[-1]
        f = rbf_on_grid(fine.x, fine.y, X[added], fit.beta[added], sigma).ravel() + fit.b
        draw.surface(stage.ax, fine, sides(f), strength=0.3)
        draw.level(stage.ax, fine, f)
        draw.points(stage.ax, X, codes, size=22, alpha=0.45)
        draw.points(stage.ax, X[added], codes[added], size=50)
        bump_rings(stage.ax, X[added], fit.beta[added], sigma, top=C)
        landscape(land, view, coarse, rough, 0.55)
        own = rbf(X, X[added], sigma) @ fit.beta[added] + fit.b
        good = np.count_nonzero((own > 0) == (codes == 1))
        if not len(added):
            return (
                f"No bump yet: f = b = {_signed(fit.b)} everywhere, a plain. {good} of {len(X)} "
                "points are on their right side."
            )
        draw.ring(stage.ax, X[added[-1:]], size=200, color=theme.HIGHLIGHT)
        i = added[-1]
        what = "a hill" if fit.beta[i] > 0 else "a valley"
        return (
            f"<b>Bump {len(added)} of {np.count_nonzero(fit.alpha)}</b> (ringed): {what}, "
            f"{fit.alpha[i]:.2f} {'high' if fit.beta[i] > 0 else 'deep'} and σ = {sigma} wide. "
            f"{good} of {len(X)} points are on their right side; with all bumps it will be {right}."
        )

    return play(heaps(coarse, X, fit, sigma), scene, stage, start=8, interval=600)


def bumps_explorer() -> Explorer:
    """σ, C and a cut through the surface: which bumps is it made of?"""
    stage = Stage(("plane", "slice"), size=(8.0, 3.5), widths=(1.2, 1))
    grid = draw.plane(stage.ax, *WINDOW)
    ax = stage.axes["slice"]
    draw.frame(ax, (-1.9, 1.9), (-3.2, 3.2), ("x₁ along the orange line", "f, and its bumps"))
    ax.axhline(0, color=theme.FAINT, linewidth=1, zorder=0)
    scene = Sliced(stage, grid)

    explorer = explore(
        scene,
        stage,
        points=lambda data: sample(data, 26, seed=1),
        brush=NAMES,
        sigma=log_slider("σ", 0.1, 3, 10**-0.3),
        C=log_slider("C", 0.1, 10, 10**0.3),
        cut=real_slider("cut at x₂", -1.4, 1.4, 0.1, step=0.1),
        data=menu("data", ["moons", "circles", "four corners", "two clouds"]),
    )
    return scene.watch.over(explorer)


# ---- the RBF kernel as a sum of polynomial kernels ----------------------------------------------


class Series(NamedTuple):
    """The kernel after so many terms: along a line, and what a machine makes of it."""

    terms: int
    curve: np.ndarray
    f: np.ndarray
    wrong: int


def series(
    X: np.ndarray, codes: np.ndarray, grid: draw.Grid, x: np.ndarray, z: float, sigma: float
) -> Iterator[Series]:
    """Σ_{n < terms}, one term more each time."""
    y = signs(codes)
    for terms in range(1, 21):
        curve = rbf_partial_sum(x[:, None], [[z]], 1.0, terms)[:, 0]
        fit = machine(rbf_partial_sum(X, X, sigma, terms), y, 10.0)
        support = fit.alpha > 0
        K = rbf_partial_sum(grid.points, X[support], sigma, terms)
        wrong = np.count_nonzero((fit.f > 0) != (codes == 1))
        yield Series(terms, curve, K @ fit.beta[support] + fit.b, wrong)


def series_player() -> Player:
    """The RBF kernel built up from polynomial kernels, term by term."""
    X, codes = sample("moons", 60, seed=2)
    z, sigma = 1.5, 0.6
    stage = Stage(("curve", "plane"), size=(8.0, 3.5), widths=(1, 1.1))
    ax = stage.axes["curve"]
    x = np.linspace(-2, 5, 281)
    draw.frame(ax, (-2, 5), (-0.1, 1.12), ("x", f"K(x, {z})"))
    draw.plane(stage.axes["plane"], *WINDOW)
    grid = draw.Grid(*WINDOW, 64, 54)
    whole = rbf(x[:, None], [[z]], 1.0)[:, 0]
    final = machine(rbf(X, X, sigma), signs(codes), 10.0)
    goal = rbf_on_grid(grid.x, grid.y, X, final.beta, sigma).ravel() + final.b

    def scene(history: list[Series]) -> str:
        now = history[-1]
        before = history[-2].curve if len(history) > 1 else 0 * now.curve
        draw.curve(ax, x, whole, "RBF", color=theme.SOFT, style="--", where=185, offset=(8, 4))
        for step in history[:-1]:
            ax.plot(x, step.curve, color=theme.CLASS_COLORS[0], linewidth=0.7, alpha=0.35)
        ax.fill_between(x, before, now.curve, color=theme.HIGHLIGHT, alpha=0.45, linewidth=0)
        ax.plot(x, now.curve, color=theme.CLASS_COLORS[0], zorder=4)
        plane = stage.axes["plane"]
        draw.surface(plane, grid, sides(now.f), strength=0.3)
        draw.level(plane, grid, goal, color=theme.SOFT, linewidth=1.2, linestyle=(0, (4, 3)))
        draw.level(plane, grid, now.f)
        draw.points(plane, X, codes, size=28)
        missing = np.abs(whole - now.curve).max()
        same = np.mean((now.f > 0) == (goal > 0))
        return (
            f"<b>{now.terms} term{'s' if now.terms > 1 else ''}</b>, up to degree "
            f"{now.terms - 1}: the newest term is the orange strip, and at worst {missing:.3f} is "
            f"still missing to the RBF kernel. A machine with this kernel (right) gets "
            f"{now.wrong} of {len(X)} points wrong and agrees with the RBF machine (dashed) on "
            f"{same:.0%} of the plane."
        )

    return play(series(X, codes, grid, x, z, sigma), scene, stage, start=3, interval=700)


# ---- which labelings can a line separate? -------------------------------------------------------


def separable_labelings(X: np.ndarray, *, through_origin: bool = False) -> set[tuple[int, ...]]:
    """All labelings 0/1 of points in the plane that a line separates strictly.

    Turn a direction once around. The order of the points along it changes only where it is
    at a right angle to the difference of two of them, so one direction in between stands for
    all; along each, the line may cut at any gap (or only at 0).
    """
    pairs = X if through_origin else np.array([a - b for a, b in combinations(X, 2)])
    critical = np.arctan2(pairs[:, 1], pairs[:, 0]) + np.pi / 2
    critical = np.unique(np.round(np.r_[critical, critical + np.pi] % (2 * np.pi), 12))
    middle = (critical + np.r_[critical[1:], critical[0] + 2 * np.pi]) / 2
    along = np.c_[np.cos(middle), np.sin(middle)] @ X.T
    if through_origin:
        return {tuple(row) for row in (along > 0).astype(int).tolist()}
    found = set()
    for row in along:
        for cut in (-np.inf, *row):
            found.add(tuple((row > cut).astype(int).tolist()))
    return found


def labelings_explorer() -> Explorer:
    """Drag a few points; every labeling of them on a small board, crossed out if no line can."""
    stage = Stage(("plane", "boards"), widths=(1, 1.5))
    draw.plane(stage.ax, (-1.5, 1.5), (-1.5, 1.5))
    stage.ax.plot(0, 0, "+", color=theme.SOFT, markersize=10)
    boards = stage.axes["boards"]
    boards.set_axis_off()
    boards.set_aspect("equal")
    draw.frame(boards, (-0.1, 8.1), (-5.6, 0.1), ("", ""))

    def scene(points: Points, p: int, line: str) -> str:
        X = points.X
        origin = line == "through the origin"
        can = separable_labelings(X, through_origin=origin)
        rows = list(product([0, 1], repeat=p))[: 2 ** (p - 1)]  # the rest are their mirror images
        separable = [row in can for row in rows]
        _boards(boards, X, np.array(rows), np.array(separable))
        for i, x in enumerate(X):
            stage.ax.plot(*x, "o", color=theme.INK, markersize=9)
            stage.ax.annotate(f"{i + 1}", x, (8, 5), textcoords="offset points")
        count, most = 2 * sum(separable), cover_count(2 if origin else 3, p)
        verdict = f"exactly Cover's count, {most}"
        if count < most:
            verdict = f"below Cover's count, {most}: the points are not in general position"
        return (
            f"{p} points have {2**p} labelings. A line {line} separates <b>{count}</b> of them, "
            f"{count / 2**p:.0%}: {verdict}. (The boards show half of them; the other half has the "
            "colours swapped.)"
        )

    return explore(
        scene,
        stage,
        points=lambda p: (SPOTS[:p], np.zeros(p, dtype=int)),
        p=slider("points", 3, 6, 4),
        line=choice("a line", ["anywhere", "through the origin"]),
    )


SPOTS = np.array([[-0.8, -0.6], [0.9, -0.8], [0.7, 0.9], [-0.9, 0.7], [0.1, 1.2], [0.2, -0.3]])


def _boards(ax: Axes, X: np.ndarray, rows: np.ndarray, separable: np.ndarray) -> None:
    """One small board a labeling, in the middle of the axes; crossed out where no line will do."""
    columns = {4: 4, 8: 4, 16: 6, 32: 8}[len(rows)]
    lines = -(-len(rows) // columns)
    side = min(8 / columns, 5.5 / lines)
    k = np.arange(len(rows))
    corner = side * np.c_[k % columns, lines / 2 - 1 - k // columns] + [0.04 * side, -2.75]
    size = side * 0.92
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * size
    tint = np.where(separable[:, None], 0.955, 0.78) * np.ones(3)
    ax.add_collection(PolyCollection(corner[:, None] + square, facecolors=tint), autolim=False)
    starts, ends = (
        np.concatenate([corner[~separable] + square[i] for i in pair]) for pair in ((0, 1), (2, 3))
    )
    draw.segments(ax, starts, ends, color="white")
    places = corner[:, None] + size * (X / 3.0 + 0.5)
    draw.points(ax, places.reshape(-1, 2), rows.ravel(), size=44 if len(rows) < 16 else 22)


# ---- is this a kernel? --------------------------------------------------------------------------

CANDIDATES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "RBF, σ = 0.5": lambda X: rbf(X, X, 0.5),
    "x·z": lambda X: linear(X, X),
    "(1 + x·z)²": lambda X: polynomial(X, X, 2),
    "10 − ‖x − z‖²": lambda X: 10 - squared_distances(X, X),
    "tanh(x·z − 1)": lambda X: np.tanh(X @ X.T - 1),
}


def mercer_explorer() -> Explorer:
    """A function of two points, its Gram matrix on points that you drag, and the eigenvalues."""
    stage = Stage(("plane", "gram", "bars"), size=(8.0, 3.4), widths=(1.2, 1, 1.35))
    draw.plane(stage.ax, (-2, 2), (-2, 2))
    gram, bars = stage.axes["gram"], stage.axes["bars"]
    gram.set_axis_off()
    draw.frame(bars, (0.3, 12.7), (-1.05, 1.08), ("eigenvalue, largest first", "share of largest"))
    bars.set_xticks([1, 4, 8, 12])
    bars.axhline(0, color=theme.SOFT, linewidth=0.8)

    def scene(points: Points, function: str, n: int) -> str:
        K = CANDIDATES[function](points.X)
        values = np.linalg.eigvalsh(K)[::-1]
        share = values / np.abs(values).max()
        zero = np.abs(share) < 1e-9
        share[zero] = 0
        draw.matrix(gram, K, title="K(xᵢ, xⱼ)")
        gram.set(xlim=(-0.5, len(K) - 0.5), ylim=(len(K) - 0.5, -0.5))
        k = np.arange(1, len(K) + 1)
        bars.vlines(k, 0, share, colors=[ORANGE if s < 0 else BLUE for s in share], linewidth=9)
        bars.plot(k[zero], 0 * k[zero], "o", mfc="white", mec=theme.SOFT, ms=7, zorder=4)
        stage.ax.plot(*points.X.T, "o", color=theme.INK, markersize=8, mec="white")
        below, flat = np.count_nonzero(share < 0), np.count_nonzero(zero)
        if below:
            verdict = (
                f"<b>{below} eigenvalue{'s are' if below > 1 else ' is'} negative</b> (lowest "
                f"{values[-1]:.3g}): no vectors have these inner products, so {function} is "
                "<b>not a kernel</b>."
            ).replace("-", "−")
        else:
            verdict = (
                f"No eigenvalue is negative, {flat} are zero: <b>on these {len(K)} points</b> it "
                "is a matrix of inner products."
            )
        return f"{function} on {len(K)} points. {verdict}"

    return explore(
        scene,
        stage,
        points=lambda n: (SCATTER[:n], np.zeros(n, dtype=int)),
        function=menu("K(x, z)", list(CANDIDATES)),
        n=slider("points", 2, 12, 8),
    )


SCATTER = np.array(
    [
        [0.2, 0.3],
        [-0.3, -0.1],
        [1.1, 0.9],
        [-1.2, 0.8],
        [0.9, -1.1],
        [-0.8, -1.3],
        [1.6, -0.2],
        [-1.7, -0.4],
        [0.1, 1.6],
        [0.2, -1.7],
        [1.6, 1.6],
        [-1.6, 1.7],
    ]
)


# ---- pictures that stand still ------------------------------------------------------------------


def degree_picture(
    degrees: Sequence[int], errors: Mapping[str, np.ndarray], shown: Mapping[int, Any]
) -> Picture:
    """Errors against the degree, and the boundary at some degrees over the training points.

    `shown[degree]` is (f, X, codes): a decision function and its training points.
    """
    names = [f"degree {degree}" for degree in shown]
    picture = Picture(
        ["errors", *names],
        size=(8.0, 2.45),
        widths=(1.5, *[1] * len(names)),
        text="Higher degree: the training error falls, the test error turns and rises.",
    )
    ax = picture.axes["errors"]
    draw.frame(ax, (0.5, len(degrees) + 2.2), (0, 0.4), ("degree", "share wrong"))
    at = np.arange(1, len(degrees) + 1)
    ax.set_xticks(at, [str(degree) for degree in degrees])
    for (name, values), color, style in zip(
        errors.items(), (theme.INK, theme.SOFT), ("-", "--"), strict=True
    ):
        draw.curve(ax, at, values.mean(axis=0), name, color=color, style=style)
    for name, (f, X, codes) in zip(names, shown.values(), strict=True):
        _board(picture.axes[name], name, f, X, codes)
    return picture


def _board(ax: Axes, title: str, f: Callable, X: np.ndarray, codes: np.ndarray) -> None:
    grid = draw.plane(ax, *WINDOW, ("", ""))
    ax.set(xticks=[], yticks=[])
    ax.set_title(title, fontsize=10)
    values = f(grid.points)
    draw.surface(ax, grid, sides(values), strength=0.35)
    draw.level(ax, grid, values, linewidth=1.2)
    draw.points(ax, X, codes, size=9)


def gram_picture(K: np.ndarray, labels: np.ndarray, X: np.ndarray) -> Picture:
    """A Gram matrix of two classes, each ordered by its own strongest direction."""
    classes, codes = np.unique(labels, return_inverse=True)
    place = np.zeros(len(K))
    for c in range(len(classes)):
        centred = X[codes == c] - X[codes == c].mean(axis=0)
        place[codes == c] = centred @ np.linalg.svd(centred, full_matrices=False)[2][0]
    order = np.lexsort([place, codes])
    picture = Picture(
        size=(8.0, 3.0), text=f"The Gram matrix: {classes[0]} first, then {classes[1]}."
    )
    picture.ax.set_axis_off()
    gram_image(picture.ax, K[np.ix_(order, order)], codes[order])
    return picture


def cover_picture(dimensions: Sequence[int]) -> Picture:
    """Cover's fraction against p/N: the larger N, the steeper the fall at p = 2N."""
    picture = Picture(
        size=(8.0, 2.3), text="The share of separable labelings falls from 1 to 0 around p = 2N."
    )
    ax = picture.ax
    draw.frame(ax, (0, 4), (-0.02, 1.05), ("p / N, points per dimension", "share separable"))
    colors = [theme.CLASS_COLORS[c] for c in (2, 0, 3, 1)]
    for N, color in zip(dimensions, colors, strict=True):
        p = np.unique(np.linspace(1, 4 * N, min(4 * N, 240)).astype(int))
        ax.plot(p / N, [separable_fraction(N, int(k)) for k in p], color=color, label=f"N = {N}")
    ax.plot(2, 0.5, "o", color=theme.INK, zorder=5)
    ax.annotate("p = 2N: ½", (2, 0.5), (10, 4), textcoords="offset points")
    ax.legend(loc="upper right", frameon=False)
    return picture


def grid_picture(sigmas: Sequence[float], scores: Mapping[str, np.ndarray]) -> Picture:
    """Cross-validated accuracy of RBF machines against σ, with other kernels as lines."""
    picture = Picture(size=(8.0, 3.0), text="Accuracy against σ; the other kernels as lines.")
    ax = picture.ax
    ax.set_xscale("log")
    straight = max(np.max(values) for values in scores.values() if not np.ndim(values))
    for (name, values), color in zip(
        scores.items(), (theme.INK, *theme.CLASS_COLORS), strict=False
    ):
        mean = np.broadcast_to(values, len(sigmas))
        style, up = ("-o", 0) if np.ndim(values) else ("--", 7 if values == straight else -7)
        draw.curve(ax, sigmas, mean, name, color=color, style=style, offset=(6, up))
    ax.set(xlabel="σ", ylabel="accuracy", xlim=(sigmas[0] * 0.8, sigmas[-1] * 3.2))
    ax.set_xticks(list(sigmas), [f"{s:g}" for s in sigmas])
    ax.minorticks_off()
    return picture


def digits_picture(
    images: np.ndarray, titles: Sequence[object], text: str, *, columns: int = 8
) -> Picture:
    """8 × 8 digits in a row, each with a title."""
    names = [f"{k}" for k in range(len(images))]
    rows = [names[k : k + columns] for k in range(0, len(names), columns)]
    picture = Picture(rows, size=(8.0, 1.35 * len(rows)), text=text)
    for name, pixels, title in zip(names, images, titles, strict=True):
        ax = picture.axes[name]
        ax.imshow(pixels.reshape(8, 8), cmap="gray_r")
        ax.set(xticks=[], yticks=[])
        ax.set_title(str(title), fontsize=10, loc="center")
        for spine in ax.spines.values():
            spine.set_visible(False)
    return picture
