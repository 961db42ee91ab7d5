"""Scenes of 18_random_forests."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from mlcore.datasets import make_blobs, make_circles, make_moons, make_spirals, make_xor
from mlcore.ensemble import AdaBoostClassifier, CascadeClassifier, RandomForestClassifier
from mllab import draw, theme, trees
from mllab.explore import Explorer, Points, choice, explore, menu, real_slider, slider, switch
from mllab.play import Player, play
from mllab.stage import Picture, Stage

GROWN = 30  # trees that are grown; the slider asks the first m of them
NEW = 400  # points that no tree has seen
WINDOW = (-2.1, 3.1), (-1.9, 2.4)
NAMES = ("● blue", "▲ orange")


# ---- data ---------------------------------------------------------------------------------------

SHAPES = {
    "spirals": lambda n, seed: _shifted(make_spirals(n, noise=0.1, random_state=seed), 1.1),
    "circles": lambda n, seed: _shifted(make_circles(n, ratio=0.45, noise=0.2, random_state=seed)),
    "four corners": lambda n, seed: _shifted(make_xor(n, noise=0.45, random_state=seed)),
    "moons": lambda n, seed: make_moons(n, noise=0.35, random_state=seed),
    "five clouds": lambda n, seed: _shifted(
        make_blobs(n, centers=5, spread=1.7, random_state=seed), 0.3
    ),
}


def _shifted(
    points: tuple[np.ndarray, np.ndarray], scale: float = 1.0
) -> tuple[np.ndarray, np.ndarray]:
    """Shapes around the origin, moved to where the moons are, so that one window fits all."""
    X, y = points
    return scale * X + np.array([0.5, 0.25]), y


def sample(shape: str, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """n points at random places of a shape, so that out of the bag is as new as new points."""
    X, y = SHAPES[shape](8 * n, seed)
    return X[:n], y[:n]


def four_columns(X: np.ndarray) -> np.ndarray:
    """x₁, x₂, their sum and their difference: four questions that a node can ask."""
    return np.c_[X, X[:, 0] + X[:, 1], X[:, 0] - X[:, 1]]


def clues(n: int, seed: int, strength: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Twelve columns and two classes: one good clue, six weak ones, five that know nothing."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    shift = strength * np.r_[1.0, np.full(6, 0.5), np.zeros(5)]
    return np.where(y == 1, 1, -1)[:, None] * shift + rng.normal(size=(n, 12)), y


def looks(n: int, seed: int, views: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """(views, n, 2): each object seen several times, every look drawn anew given its class."""
    rng = np.random.default_rng(seed)
    drawn = [make_moons(n, noise=0.5, random_state=rng) for _ in range(views)]
    X = np.array([X[np.argsort(y, kind="stable")] for X, y in drawn])
    return X, np.sort(drawn[0][1])


def rare(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """One positive in a thousand, its eight measurements higher and less spread."""
    centers = np.array([np.zeros(8), np.full(8, 2.0)])
    return make_blobs(n, centers=centers, spread=[1, 0.7], weights=[1000, 1], random_state=seed)


# ---- the forest in the plane --------------------------------------------------------------------


def _combined(forest: RandomForestClassifier, totals: np.ndarray, m: int) -> np.ndarray:
    """What the first m trees say together, from the sums of what the first 1, 2, … say."""
    return forest._combine(totals[m - 1], np.full(totals.shape[1], float(m)))


class Trees:
    """The trees grow anew when the data or a limit changes; m only says how many are asked."""

    def __init__(self, stage: Stage, grid: draw.Grid) -> None:
        self.stage, self.grid = stage, grid
        self.places = four_columns(grid.points)
        self.key: tuple[object, ...] = ()

    def grow(self, points: Points, data: str, combine: str, **limits: int) -> None:
        """The forest, what each tree says about the plane, and its errors as it grows."""
        key = (id(points), points.version, data, combine, *limits.values())
        if key == self.key:
            return
        forest = RandomForestClassifier(m=GROWN, combine=combine, random_state=0, **limits)
        self.forest = forest.fit(four_columns(points.X), points.codes)
        new, self.truth = sample(data, NEW, seed=1)
        everywhere = np.vstack([self.places, four_columns(new)])
        said = np.array([forest._output(tree, everywhere) for tree in forest.estimators_])
        here, there = np.split(np.cumsum(said, axis=0), [len(self.places)], axis=1)
        self.said, self.totals = said[:, : len(self.places)], here
        self.votes = said[:, len(self.places) :].argmax(axis=2)
        self.new_p = np.array([_combined(forest, there, m) for m in range(1, GROWN + 1)])
        self.wrong = forest.classes_[self.votes] != self.truth
        found = forest.classes_[self.new_p.argmax(axis=2)]
        self.test_error = (found != self.truth).mean(axis=1)
        self.key = key

    def __call__(
        self,
        points: Points,
        m: int,
        max_features: int,
        max_depth: int,
        combine: str,
        data: str,
        single: bool,
    ) -> str:
        self.grow(points, data, combine, max_features=max_features, max_depth=max_depth)
        ax, curve = self.stage.axes["plane"], self.stage.axes["curve"]
        p = _combined(self.forest, self.totals, m)
        draw.surface(ax, self.grid, self._by_code(p))
        if single:
            outlines(ax, self.grid, self.said[:m])
        draw.boundary(ax, self.grid, p)
        draw.points(ax, points.X, points.codes, size=26)
        self.draw_errors(curve, m)
        return self.caption(m, max_features, max_depth)

    def _by_code(self, p: np.ndarray) -> np.ndarray:
        """Columns at the class's own number, also when a class before it has lost its points."""
        full = np.zeros((len(p), self.forest.classes_.max() + 1))
        full[:, self.forest.classes_] = p
        return full

    def draw_errors(self, curve: Axes, m: int) -> None:
        """Against m: the error on new points, and what the bags say about it."""
        ms, oob = np.arange(1, GROWN + 1), 1 - self.forest.oob_curve_
        one = self.wrong.mean()
        up = 8 if oob[-1] >= self.test_error[-1] else -8
        curve.axhline(one, color=theme.FAINT, linewidth=1.4, zorder=1)
        above = max(one + 0.008, oob[-1] + 0.037, self.test_error[-1] + 0.037)
        curve.text(31.6, above, "one tree", color=theme.SOFT)
        draw.curve(curve, ms, oob, "out of bag", offset=(6, up))
        draw.curve(
            curve, ms, self.test_error, "new points", color=theme.SOFT, style="--", offset=(6, -up)
        )
        draw.marker_line(curve, m, f"m = {m}")

    def caption(self, m: int, max_features: int, max_depth: int) -> str:
        """How good one tree is, how much they differ, how good and how sure they are together."""
        one, error = self.wrong[:m].mean(), self.test_error[m - 1]
        choose = "all 4 columns" if max_features == 4 else f"{max_features} of the 4 columns"
        sure = self.new_p[m - 1].max(axis=1).mean()
        start = (
            f"<b>{m} tree{'s' * (m > 1)}</b> of depth {max_depth} at most, every node choosing "
            f"from {choose}. "
        )
        if m == 1:
            return start + f"It is wrong on <b>{error:.1%}</b> of {NEW} new points."
        return start + (
            f"One tree alone is wrong on {one:.0%} of {NEW} new points, two trees differ on "
            f"{disagreement(self.votes[:m]):.0%}; together they are wrong on <b>{error:.1%}</b> "
            f"(out of bag {1 - self.forest.oob_curve_[m - 1]:.1%}). They are {sure:.0%} sure of "
            f"themselves, and {1 - error:.0%} right."
        )


def disagreement(votes: np.ndarray) -> float:
    """Of votes (m, n): the share of the places on which two of the m trees differ, on average."""
    m = len(votes)
    for_class = (votes[:, :, None] == np.arange(votes.max() + 1)).sum(axis=0)
    agree = (for_class * (for_class - 1)).sum(axis=1) / (m * (m - 1))
    return float(1 - agree.mean())


def outlines(ax: Axes, grid: draw.Grid, said: np.ndarray) -> None:
    """The boundaries of up to eight single trees as thin lines, (trees, places, classes)."""
    for p in said[:8]:
        for c in range(1, p.shape[1]):
            lead = p[:, c] - np.delete(p, c, axis=1).max(axis=1)
            draw.level(ax, grid, np.sign(lead), color=theme.INK, linewidth=0.7, alpha=0.5)


def forest_explorer() -> Explorer:
    """m trees, c columns a node, depth, mean or product; out-of-bag and test error beside it."""
    stage = Stage(("plane", "curve"), widths=(1.6, 1))
    draw.plane(stage.ax, *WINDOW)
    grid = draw.Grid(*WINDOW, columns=64, rows=53)
    curve = stage.axes["curve"]
    draw.frame(curve, (0, 50), (0, 0.5), ("trees m", "share of points wrong"))
    curve.set_xticks([1, 10, 20, 30])
    return explore(
        Trees(stage, grid),
        stage,
        points=lambda data: sample(data, 150, seed=3),
        brush=NAMES,
        m=slider("trees m", 1, GROWN, 20),
        max_features=slider("columns a node may choose from", 1, 4, 2),
        max_depth=slider("depth at most", 1, 8, 5),
        combine=choice("combine", ["mean", "product"]),
        data=menu("data", list(SHAPES)),
        single=switch("outline single trees"),
    )


# ---- a forest, tree by tree ---------------------------------------------------------------------


def forest_player(seed: int = 0) -> Player:
    """Each step plants one tree: its bag and its regions, the average so far, the OOB error."""
    X, y = sample("moons", 120, seed)
    forest = RandomForestClassifier(m=30, max_features=1, random_state=seed).fit(four_columns(X), y)
    stage = Stage(("tree", "forest", "curve"), widths=(1.15, 1.15, 1), size=(8.0, 3.1))
    for name in ("tree", "forest"):
        draw.plane(stage.axes[name], *WINDOW, ("", ""))
        stage.axes[name].set(xticks=[], yticks=[])
    grid = draw.Grid(*WINDOW)
    places = four_columns(grid.points)
    alone = np.array([tree.predict_proba(places) for tree in forest.estimators_])
    together = np.cumsum(alone, axis=0) / np.arange(1, forest.m + 1)[:, None, None]
    curve = stage.axes["curve"]
    draw.frame(curve, (0, 31), (0, 0.4), ("trees", "out-of-bag error"))
    curve.set_yticks([0, 0.1, 0.2, 0.3, 0.4])

    def scene(history: list[np.ndarray]) -> str:
        t = len(history)
        drawn = np.bincount(history[-1], minlength=len(X))
        left, right = stage.axes["tree"], stage.axes["forest"]
        left.set_title(f"tree {t} and its bag")
        right.set_title(f"trees 1 to {t}" if t > 1 else "tree 1")
        draw.surface(left, grid, alone[t - 1])
        draw.points(left, X[drawn > 0], y[drawn > 0], size=16.0 * drawn[drawn > 0])
        draw.points(left, X[drawn == 0], y[drawn == 0], size=16, hollow=True)
        draw.surface(right, grid, together[t - 1])
        draw.boundary(right, grid, together[t - 1])
        draw.points(right, X, y, size=14)
        error = 1 - forest.oob_curve_[:t]
        curve.plot(np.arange(1, t + 1), error, "o-", color=theme.INK, markersize=3.5)
        return (
            f"Bag {t} holds <b>{np.sum(drawn > 0)} of the {len(X)} points</b>, one of them "
            f"{drawn.max()} times; the {np.sum(drawn == 0)} hollow ones were not drawn. Judged "
            f"only by trees that have not seen them, {error[-1]:.0%} of the points are wrong."
        )

    return play(forest.bags_, scene, stage, start=11, interval=700)


# ---- mean or product? ---------------------------------------------------------------------------

RULES = ("mean", "product", "product,\nprior once")
RULE_COLORS = (theme.INK, theme.CLASS_COLORS[3], theme.CLASS_COLORS[2])
DISSENT = {"the same": None, "0.1": 0.1, "0.01": 0.01, "0": 0.0}


def three_rules(p: np.ndarray, prior: float, m: int) -> list[np.ndarray]:
    """What m trees say together of class ▲ if they say p (m, places): by each of the rules."""
    with np.errstate(divide="ignore", invalid="ignore"):
        log_odds = np.log(p / (1 - p)).sum(axis=0)
    share = (m - 1) * np.log(prior / (1 - prior))
    return [p.mean(axis=0), 1 / (1 + np.exp(-log_odds)), 1 / (1 + np.exp(share - log_odds))]


def combine_explorer() -> Explorer:
    """m − 1 trees say p, one may say something else; three ways to hear them all."""
    stage = Stage(("curves", "bars"), widths=(1.5, 1))
    curves, bars = stage.axes["curves"], stage.axes["bars"]
    draw.frame(curves, (0, 1), (0, 1), ("what each tree says of ▲", "what they say together"))
    draw.frame(bars, (-0.6, 2.6), (0, 1.08), ("", "at the orange line"))
    bars.set_xticks([0, 1, 2], RULES)
    bars.axhline(0.5, color=theme.FAINT, linewidth=1.2, zorder=0)
    x = np.linspace(0.002, 0.998, 499)

    def said(p: np.ndarray, prior: float, m: int, dissent: str, smooth: bool) -> list[np.ndarray]:
        P = np.tile(p, (m, 1))
        if DISSENT[dissent] is not None:
            P[-1] = DISSENT[dissent]
        return three_rules((10 * P + prior) / 11 if smooth else P, prior, m)

    def scene(m: int, p: float, prior: int, dissent: str, smooth: bool) -> str:
        prior = prior / 100
        at = [float(q[0]) for q in said(np.array([p]), prior, m, dissent, smooth)]
        for q, color in zip(said(x, prior, m, dissent, smooth), RULE_COLORS, strict=True):
            curves.plot(x, q, color=color, zorder=3)
        draw.marker_line(curves, p)
        curves.axvline(prior, color=theme.SOFT, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
        curves.text(prior + 0.01, 0.93, "prior", color=theme.SOFT)
        bars.bar([0, 1, 2], at, color=RULE_COLORS, width=0.7)
        for c, q in enumerate(at):
            bars.text(c, q + 0.015, f"{q:.2f}", ha="center")
        others = f"{m} trees say {p:.2f}"
        if DISSENT[dissent] is not None:
            others = f"{m - 1} trees say {p:.2f} and one says {dissent}"
        return (
            f"▲ is {prior:.0%} of all objects. {others}. Their mean is <b>{at[0]:.2f}</b>; the "
            f"plain product makes it <b>{at[1]:.2f}</b>; with the prior counted once it is "
            f"<b>{at[2]:.2f}</b>."
        )

    return explore(
        scene,
        stage,
        m=slider("trees m", 2, 30, 5),
        p=real_slider("each tree says", 0.02, 0.98, 0.3, step=0.02),
        prior=slider("▲, % of all objects", 5, 95, 10, step=5),
        dissent=choice("one tree says", list(DISSENT)),
        smooth=switch("one more sample in every leaf"),
    )


# ---- pictures that stand still ------------------------------------------------------------------


def disagreement_picture(rows: dict[int, tuple[float, float, float, float]]) -> Picture:
    """Against the features a node may choose from: variance and ρ; errors of tree and forest."""
    picture = Picture(
        ("variance", "error"),
        size=(8.0, 3.0),
        text="Fewer features a node: one tree varies more, two trees correlate less, and the "
        "forest errs least in between.",
    )
    c = list(rows)
    s2, rho, tree, forest = np.array(list(rows.values())).T
    left, right = picture.axes["variance"], picture.axes["error"]
    draw.frame(left, (0.3, 15.5), (0, 0.22), ("features a node may choose from", ""))
    draw.frame(right, (0.3, 15.5), (0, 0.32), ("features a node may choose from", "share wrong"))
    for ax in (left, right):
        ax.set_xticks(c)
    draw.curve(left, c, s2, "s²", color=theme.CLASS_COLORS[0])
    draw.curve(left, c, rho, "ρ", color=theme.CLASS_COLORS[1])
    draw.curve(left, c, rho * s2, "ρ s²")
    draw.curve(right, c, tree, "one tree", color=theme.SOFT, style="--")
    draw.curve(right, c, forest, "forest")
    return picture


def trees_picture(errors: np.ndarray) -> Picture:
    """(seeds, m): test error against the number of trees, each seed thin, the mean thick."""
    picture = Picture(
        size=(8.0, 2.9), text="Error against the number of trees: it falls, then levels off."
    )
    ms = np.arange(1, errors.shape[1] + 1)
    picture.ax.plot(ms, errors.T, color=theme.SOFT, linewidth=0.7, alpha=0.5)
    picture.ax.plot(ms, errors.mean(axis=0), color=theme.CLASS_COLORS[1])
    picture.ax.set(xlabel="trees m", ylabel="share wrong", xscale="log", xlim=(1, ms[-1]))
    shown = [m for m in (1, 2, 5, 10, 20, 50, 100, 200, 400) if m in ms]
    picture.ax.set_xticks(shown, [str(m) for m in shown])
    picture.ax.minorticks_off()
    return picture


def shapes_picture(
    forest: RandomForestClassifier, boosted: AdaBoostClassifier, cascade: CascadeClassifier
) -> Picture:
    """A tree of the forest, a boosted sum, a cascade: bushy, flat, a chain."""
    picture = Picture(
        ("forest", "sum", "cascade"),
        size=(8.0, 3.2),
        text="A forest tree is deep and bushy, a boosted sum is flat, a cascade is a chain.",
    )
    ax, tree = picture.axes["forest"], forest.estimators_[0].tree_
    trees.trunk(ax)
    trees.diagram(ax, tree, names=[f"x{j + 1}" for j in range(forest.n_features_in_)], room=1.0)
    ax.set_title("one tree of a forest")
    _flat(picture.axes["sum"], len(boosted.alphas_))
    _chain(picture.axes["cascade"], len(cascade.stages_))
    return picture


def _flat(ax: Axes, T: int) -> None:
    """A sum over T stumps: all are asked, none stands below another."""
    x = np.arange(T, dtype=float)
    places, top = np.c_[x, np.full(T, -1.0)], np.array([(T - 1) / 2, 0.0])
    draw.links(ax, top, places)
    for side, color in ((-0.25, theme.CLASS_COLORS[0]), (0.25, theme.CLASS_COLORS[1])):
        ends = places + np.array([side, -0.5])
        draw.segments(ax, places, ends, color=theme.SOFT)
        ax.plot(*ends.T, "o", color=color, markersize=6, zorder=3)
    ax.plot(*places.T, "s", color="white", markeredgecolor=theme.SOFT, markersize=8, zorder=3)
    ax.text(*top, "Σ α h", ha="center", va="center", bbox=_box(), zorder=4)
    ax.set(xlim=(-0.8, T - 0.2), ylim=(-2.6, 0.6), title="AdaBoost: a sum")
    ax.set_axis_off()


def _chain(ax: Axes, stages: int) -> None:
    """A cascade: each stage turns most away, the rest go on."""
    places = np.c_[np.arange(stages + 1), -np.arange(stages + 1)].astype(float)
    ax.plot(*places.T, color=theme.SOFT, linewidth=1, zorder=1)
    ends = places[:-1] + np.array([-0.8, -1.0])
    draw.segments(ax, places[:-1], ends, color=theme.SOFT)
    ax.plot(*ends.T, "o", color=theme.CLASS_COLORS[0], markersize=8, zorder=3)
    ax.plot(*places[-1], "^", color=theme.CLASS_COLORS[1], markersize=11, zorder=3)
    for s, place in enumerate(places[:-1], start=1):
        ax.text(*place, f"stage {s}", ha="center", va="center", fontsize=9, bbox=_box(), zorder=4)
    ax.set(xlim=(-1.3, stages + 0.7), ylim=(-stages - 0.6, 0.6), title="a cascade")
    ax.set_axis_off()


def _box() -> dict[str, str]:
    return {"boxstyle": "round,pad=0.25", "facecolor": "white", "edgecolor": theme.FAINT}


def importance_picture(names: Sequence[str], drops: np.ndarray, shown: int = 10) -> Picture:
    """(d, repeats): the largest falls of the score when a column is shuffled, each try a dot."""
    picture = Picture(
        size=(8.0, 3.4), text="Columns by how much accuracy falls when they are shuffled."
    )
    ax = picture.ax
    best = np.argsort(-drops.mean(axis=1), kind="stable")[:shown]
    rows = np.arange(len(best))[::-1]
    ax.barh(rows, drops[best].mean(axis=1), color=theme.CLASS_COLORS[0], alpha=0.6, height=0.7)
    apart = np.linspace(-0.22, 0.22, drops.shape[1])  # equal ones would hide each other
    for row, j in zip(rows, best, strict=True):
        ax.plot(np.sort(drops[j]), row + apart, "o", color=theme.INK, markersize=3)
    ax.axvline(0, color=theme.SOFT, linewidth=0.8)
    ax.set_xlim(left=min(0.0, drops[best].min()) - 0.0005)
    ax.set_yticks(rows, [names[j].replace("_", " ") for j in best])
    ax.set_xlabel("accuracy lost when this column is shuffled")
    return picture


def pixels_picture(mean_digit: np.ndarray, drops: np.ndarray, used: np.ndarray) -> Picture:
    """Three 8 × 8 pictures: mean ink, how often a node asks about a pixel, what shuffling costs."""
    picture = Picture(
        ("ink", "asked", "lost"),
        size=(8.0, 2.9),
        text="Mean ink, how often the trees ask about each pixel, and what shuffling it costs.",
    )
    titles = ("mean ink", "how often nodes ask about it", "accuracy lost by shuffling")
    values = (mean_digit, used, np.maximum(drops, 0))
    for ax, title, value in zip(picture.axes.values(), titles, values, strict=True):
        ax.imshow(value.reshape(8, 8), cmap="gray_r", vmin=0)
        ax.set(xticks=[], yticks=[])
        ax.set_title(title, loc="center")
        ax.spines[:].set_visible(True)
    return picture
