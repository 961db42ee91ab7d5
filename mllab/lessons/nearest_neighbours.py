"""Scenes of 01_nearest_neighbours."""

from __future__ import annotations

import numpy as np

from mlcore.datasets import make_blobs, make_circles, make_moons, make_sine, make_xor
from mlcore.metrics import count_regions
from mlcore.neighbors import (
    KNeighborsClassifier,
    KNeighborsRegressor,
    Prototype,
    condense_steps,
    squared_distances,
)
from mllab import draw, theme
from mllab.explore import Explorer, Points, choice, explore, menu, slider
from mllab.play import Player, play
from mllab.stage import Picture, Stage

K_MAX = 51
NAMES = ("● blue", "▲ orange")


# ---- how wiggly is the boundary? --------------------------------------------------------------

SHAPES = {
    "moons": lambda n, seed: make_moons(n, noise=0.35, random_state=seed),
    "two clouds": lambda n, seed: make_blobs(
        n, centers=[[0, 0.7], [1.0, -0.2]], spread=0.65, random_state=seed
    ),
    "circles": lambda n, seed: _shifted(make_circles(n, ratio=0.45, noise=0.2, random_state=seed)),
    "four corners": lambda n, seed: _shifted(make_xor(n, noise=0.45, random_state=seed)),
}


def _shifted(points: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Shapes around the origin, moved to where the moons are, so that one window fits all."""
    X, y = points
    return X + np.array([0.5, 0.25]), y


def sample(shape: str, share: int, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """n points, `share` per cent of them of class 1."""
    X, y = SHAPES[shape](2 * n, seed)
    of_one = round(n * share / 100)
    kept = np.r_[np.flatnonzero(y == 0)[: n - of_one], np.flatnonzero(y == 1)[:of_one]]
    return X[kept], y[kept]


class VoteOfTheNearest:
    """What changes with the points is computed once and kept while only k moves."""

    def __init__(self, stage: Stage, grid: draw.Grid) -> None:
        self.stage, self.grid = stage, grid
        self.key: tuple[object, ...] = ()

    def look_around(self, points: Points, shape: str, share: int, votes: str) -> None:
        """The neighbours of every place of the plane, and the error for every k at once."""
        key = (id(points), points.version, shape, share, votes)
        if key == self.key:
            return
        k = min(K_MAX, len(points.X))
        self.model = KNeighborsClassifier(k=k, weights=votes).fit(points.X, points.codes)
        self.near = self.model.kneighbors(self.grid.points)
        self.test_X, self.test_y = sample(shape, share, 1000, seed=1)
        self.staged = np.array(list(self.model.staged_predict(self.test_X)))
        own = np.array(list(self.model.staged_predict(points.X)))
        self.train_error = (own != points.codes).mean(axis=1)
        self.test_error = (self.staged != self.test_y).mean(axis=1)
        self.key = key

    def __call__(self, points: Points, k: int, votes: str, share: int, data: str) -> str:
        if k > len(points.X):
            raise ValueError(f"k = {k} neighbours, but only {len(points.X)} points are left.")
        self.look_around(points, data, share, votes)
        share_of_votes = self.model.vote(*(part[:, :k] for part in self.near))
        regions = share_of_votes.argmax(axis=1)
        plane, curve = self.stage.axes["plane"], self.stage.axes["curve"]
        draw.surface(plane, self.grid, share_of_votes)
        draw.boundary(plane, self.grid, share_of_votes)
        draw.points(plane, points.X, points.codes)
        ks = np.arange(1, len(self.train_error) + 1)
        up = 8 if self.test_error[-1] >= self.train_error[-1] else -8
        draw.curve(curve, ks, self.test_error, "test", offset=(6, up))
        draw.curve(
            curve, ks, self.train_error, "training", color=theme.SOFT, style="--", offset=(6, -up)
        )
        draw.marker_line(curve, k, f"k = {k}")
        return self.caption(k, regions)

    def caption(self, k: int, regions: np.ndarray) -> str:
        islands = count_regions(regions.reshape(self.grid.shape))
        found = [np.mean(self.staged[k - 1][self.test_y == c] == c) for c in (0, 1)]
        asks = "its nearest point" if k == 1 else f"its {k} nearest points"
        return (
            f"<b>k = {k}</b>: every place asks {asks}, and the plane falls into "
            f"<b>{islands} regions</b>. Wrong: {self.train_error[k - 1]:.1%} of the training "
            f"points, {self.test_error[k - 1]:.1%} of 1000 new ones; of these it finds "
            f"{found[0]:.0%} of the blue and {found[1]:.0%} of the orange."
        )


def boundary_explorer() -> Explorer:
    """k, the kind of vote and the class sizes; islands and errors counted."""
    stage = Stage(("plane", "curve"), widths=(1.6, 1))
    grid = draw.plane(stage.ax, (-2.2, 3.2), (-2.0, 2.5))
    draw.frame(stage.axes["curve"], (0, 66), (0, 0.5), ("k", "share of points wrong"))
    stage.axes["curve"].set_xticks([1, 11, 21, 31, 41, 51])
    scene = VoteOfTheNearest(stage, grid)
    return explore(
        scene,
        stage,
        points=lambda data, share: sample(data, share, 200, seed=0),
        brush=NAMES,
        k=slider("k", 1, K_MAX, 15),
        share=slider("orange, % of all", 5, 50, 50, step=5),
        votes=choice("votes", ["uniform", "distance", "balanced"]),
        data=menu("data", list(SHAPES)),
    )


# ---- who votes? ---------------------------------------------------------------------------------


def voters_explorer() -> Explorer:
    """Drag the star: its k nearest points are joined to it, their votes are counted."""
    X, y = sample("moons", 50, 60, seed=3)
    stage = Stage(("plane", "votes"), widths=(1.6, 1))
    draw.plane(stage.ax, (-1.9, 2.6), (-1.7, 2.1))
    bars = stage.axes["votes"]
    draw.frame(bars, (-0.6, 1.6), (0, 1), ("", "share of the votes"))
    bars.set_xticks([0, 1], NAMES)

    def scene(points: Points, k: int, votes: str) -> str:
        model = KNeighborsClassifier(k=k, weights=votes).fit(X, y)
        distances, indices = model.kneighbors(points.X)
        share = model.vote(distances, indices)[0]
        voters = indices[0]
        draw.points(stage.ax, X, y, alpha=0.35)
        draw.points(stage.ax, X[voters], y[voters], size=60)
        draw.links(stage.ax, points.X[0], X[voters])
        draw.circle(stage.ax, points.X[0], distances[0, -1])
        draw.star(stage.ax, points.X[0])
        bars.bar([0, 1], share, color=theme.CLASS_COLORS[:2], width=0.7)
        for c in (0, 1):
            bars.annotate(f"{share[c]:.2f}", (c, share[c]), ha="center", va="bottom")
        counts = np.bincount(y[voters], minlength=2)
        winner = NAMES[int(share.argmax())]
        tie = " A tie: the first class wins." if share[0] == share[1] else ""
        return (
            f"The {k} nearest: {counts[0]} blue, {counts[1]} orange; the farthest of them is "
            f"{distances[0, -1]:.2f} away. The star is called <b>{winner}</b>.{tie}"
        )

    return explore(
        scene,
        stage,
        points=lambda: (np.array([[0.45, 0.35]]), np.array([0])),
        k=slider("k", 1, 25, 5),
        votes=choice("votes", ["uniform", "distance"]),
    )


# ---- a mean instead of a vote -------------------------------------------------------------------


def regression_explorer() -> Explorer:
    """The same neighbours, but they answer with a number: k-NN regression on a noisy sine."""
    X, y = make_sine(60, noise=0.3, random_state=0)
    x = np.linspace(0, 2 * np.pi, 400)
    stage = Stage(("plane",), size=(8.0, 3.4))
    draw.frame(stage.ax, (-0.1, 6.9), (-1.9, 1.9), ("x", "y"))

    def scene(k: int, weights: str) -> str:
        f = KNeighborsRegressor(k=k, weights=weights).fit(X, y).predict(x[:, None])
        stage.ax.scatter(X[:, 0], y, s=26, color=theme.SOFT, alpha=0.6, edgecolor="none")
        draw.curve(stage.ax, x, np.sin(x), "sin x", color=theme.CLASS_COLORS[0], style="--")
        draw.curve(stage.ax, x, f, "k-NN", color=theme.CLASS_COLORS[1])
        error = np.sqrt(np.mean((f - np.sin(x)) ** 2))
        return (
            f"<b>k = {k}</b>: at every x the mean of the {k} nearest targets. "
            f"Typical distance to the true curve: {error:.2f}."
        )

    return explore(
        scene,
        stage,
        k=slider("k", 1, 60, 9),
        weights=choice("weights", ["uniform", "distance"]),
    )


# ---- condensed nearest neighbours ---------------------------------------------------------------


def rings(n: int = 400, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """A circle inside a circle."""
    return make_circles(n, ratio=0.45, noise=0.08, random_state=seed)


def condense_player(seed: int = 0) -> Player:
    """Hart's rule picking prototypes one by one."""
    X, y = rings(200, seed)
    order = np.random.default_rng(seed).permutation(len(X))
    stage = Stage(("plane", "curve"), widths=(1.25, 1))
    window = (-1.4, 1.4)
    grid = draw.plane(stage.ax, window, window)
    curve = stage.axes["curve"]
    draw.frame(curve, (0, 24), (0, 110), ("prototypes", "points still misclassified"))

    def scene(history: list[Prototype]) -> str:
        now = history[-1]
        P = now.prototypes
        lead = _lead(X[P], y[P], grid.points)
        draw.surface(stage.ax, grid, np.eye(2)[(lead > 0).astype(int)])
        draw.level(stage.ax, grid, lead)
        draw.points(stage.ax, X, y, size=22, alpha=0.5)
        draw.cross(stage.ax, X[now.wrong])
        draw.points(stage.ax, X[P], y[P], size=70)
        draw.ring(stage.ax, X[P])
        draw.ring(stage.ax, X[[now.i]], size=220, color=theme.HIGHLIGHT)
        wrong = [len(step.wrong) for step in history]
        curve.plot(np.arange(1, len(wrong) + 1), wrong, "o-", color=theme.INK, markersize=4)
        return (
            f"Sweep {now.sweep}: the newest prototype is circled in orange. "
            f"<b>{len(P)} prototypes</b>, {len(now.wrong)} of {len(X)} points still wrong (×)."
        )

    return play(condense_steps(X, y, order), scene, stage, start=2, interval=700)


def _lead(X: np.ndarray, y: np.ndarray, places: np.ndarray) -> np.ndarray:
    """How much farther the nearest prototype of class 0 is than that of class 1, squared."""
    D = squared_distances(places, X)
    far = D.max() + 1  # as far as a class without a prototype is
    return D[:, y == 0].min(axis=1, initial=far) - D[:, y == 1].min(axis=1, initial=far)


# ---- pictures that stand still ------------------------------------------------------------------


def remedies_picture(
    models: dict[str, tuple[KNeighborsClassifier, np.ndarray, np.ndarray]],
) -> Picture:
    """The regions of several models side by side, each over the points it was given."""
    picture = Picture(
        list(models),
        size=(8.0, 1.9),
        text="The region of the small class under each remedy: from a few islands to its share.",
    )
    window = (-3.5, 5.5), (-3.5, 3.5)
    for name, (model, X, y) in models.items():
        ax = picture.axes[name]
        grid = draw.plane(ax, *window, ("", ""))
        ax.set(title=name, xticks=[], yticks=[])
        share = model.predict_proba(grid.points)
        draw.surface(ax, grid, share)
        draw.boundary(ax, grid, share)
        draw.points(ax, X, y, size=8)
    return picture


def scores_picture(ks: list[int], scores: np.ndarray, best: int) -> Picture:
    """Cross-validated accuracy against k: the mean over the folds ± its standard error."""
    picture = Picture(
        size=(8.0, 3.0), text=f"Cross-validated accuracy against k; highest at k = {best}."
    )
    ax = picture.ax
    mean = scores.mean(axis=1)
    error = scores.std(axis=1, ddof=1) / np.sqrt(scores.shape[1])
    ax.errorbar(ks, mean, error, fmt="o-", color=theme.INK, ecolor=theme.SOFT, capsize=3)
    ax.set(xlabel="k", ylabel="accuracy ± s.e.", xticks=ks[::2])
    draw.marker_line(ax, best, f"k = {best}")
    return picture


def digits_picture(
    images: np.ndarray, truth: np.ndarray, near: np.ndarray, near_labels: np.ndarray
) -> Picture:
    """Rows of one digit and the neighbours that decided about it."""
    rows, k = near_labels.shape
    names = [f"{row} {column}" for row in range(rows) for column in range(k + 1)]
    picture = Picture(
        [names[row * (k + 1) : (row + 1) * (k + 1)] for row in range(rows)],
        size=(8.0, 1.35 * rows),
        text="Misread digits, each with the neighbours that outvoted the truth.",
    )
    for row in range(rows):
        shown = [images[row], *near[row]]
        titles = [f"a {truth[row]}", *(f"{label}" for label in near_labels[row])]
        for column, (pixels, title) in enumerate(zip(shown, titles, strict=True)):
            ax = picture.axes[f"{row} {column}"]
            ax.imshow(pixels.reshape(8, 8), cmap="gray_r")
            ax.set(xticks=[], yticks=[])
            ax.set_title(title, color=theme.INK if column else theme.CLASS_COLORS[1], loc="center")
            for spine in ax.spines.values():
                spine.set_visible(column == 0)
                spine.set_color(theme.CLASS_COLORS[1])
    return picture
