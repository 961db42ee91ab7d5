"""Scenes of 00_start_here: one board, all methods."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from mlcore.datasets import make_blobs, make_circles, make_moons, make_spirals, make_xor
from mlcore.ensemble import AdaBoostClassifier, RandomForestClassifier
from mlcore.neighbors import KNeighborsClassifier
from mlcore.svm import SVC
from mlcore.tree import DecisionTreeClassifier
from mllab import draw, theme
from mllab.explore import Explorer, Points, explore, menu, slider
from mllab.stage import Picture, Stage

NAMES = ("● blue", "▲ orange")
STEPS = 9  # of the slider from stiff to supple
NEIGHBOURS = (51, 35, 25, 17, 11, 7, 5, 3, 1)


class Method(NamedTuple):
    """A way to draw the line: a model for each step of the slider, and words for it."""

    model: Callable[[int], Any]
    words: Callable[[Any], str]


METHODS = {
    "nearest neighbours": Method(
        lambda step: KNeighborsClassifier(k=NEIGHBOURS[step - 1]),
        lambda model: (
            f"the {model.k} nearest points vote" if model.k > 1 else "the nearest decides"
        ),
    ),
    "linear SVM": Method(
        lambda step: SVC(kernel="linear", C=10.0 ** ((step - 5) / 2)),
        lambda model: f"one straight street, violations cost C = {model.C:.2g}",
    ),
    "SVM with RBF kernel": Method(
        lambda step: SVC(kernel="rbf", C=10.0, sigma=3.0 * 0.7 ** (step - 1)),
        lambda model: f"bumps of width σ = {model.sigma:.2f}, one for each support vector",
    ),
    "decision tree": Method(
        lambda step: DecisionTreeClassifier(max_depth=step),
        lambda model: f"at most {model.max_depth} question(s) in a row",
    ),
    "random forest": Method(
        lambda step: RandomForestClassifier(m=30, max_depth=step, random_state=0),
        lambda model: f"{model.m} trees of depth {model.max_depth}, each on its own sample, vote",
    ),
    "AdaBoost": Method(
        lambda step: AdaBoostClassifier(T=2 ** (step - 1)),
        lambda model: f"{model.T} weak rule(s), each mending what the last got wrong",
    ),
}
DATA = {
    "moons": lambda: make_moons(80, noise=0.2, random_state=0),
    "two clouds": lambda: make_blobs(
        80, centers=[[-0.2, 0.8], [1.2, -0.3]], spread=0.5, random_state=1
    ),
    "circles": lambda: _moved(make_circles(80, ratio=0.4, noise=0.1, random_state=0)),
    "four corners": lambda: _moved(make_xor(80, noise=0.25, random_state=0)),
    "spirals": lambda: _moved(make_spirals(120, turns=1.25, noise=0.04, random_state=0)),
}


def _moved(points: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    X, y = points
    return X + np.array([0.5, 0.25]), y


def board_explorer() -> Explorer:
    """Pick a method, drag points, watch the boundary."""
    stage = Stage(("plane",), size=(7.0, 4.6))
    grid = draw.plane(stage.ax, (-1.8, 2.8), (-1.45, 1.95))

    def scene(points: Points, method: str, supple: int, data: str) -> str:
        kind = METHODS[method]
        model = kind.model(supple)
        if isinstance(model, KNeighborsClassifier):
            model.k = min(model.k, len(points.X))
        model.fit(points.X, points.codes)
        share = class_shares(model, grid.points)
        draw.surface(stage.ax, grid, share)
        draw.boundary(stage.ax, grid, share)
        draw.points(stage.ax, points.X, points.codes)
        wrong = model.predict(points.X) != points.codes
        draw.ring(stage.ax, points.X[wrong], size=120, color=theme.INK)
        return (
            f"<b>{method}</b>: {kind.words(model)}. {wrong.sum()} of {len(wrong)} points lie on "
            "the wrong side (circled)."
        )

    return explore(
        scene,
        stage,
        points=lambda data: DATA[data](),
        brush=NAMES,
        method=menu("method", list(METHODS)),
        supple=slider("stiff → supple", 1, STEPS, 5),
        data=menu("data", list(DATA)),
    )


def class_shares(model: Any, places: np.ndarray) -> np.ndarray:
    """How far each class leads, as shares that sum to 1: probabilities where the model has them."""
    if hasattr(model, "predict_proba"):
        return np.asarray(model.predict_proba(places))
    p = 1 / (1 + np.exp(-2 * np.clip(model.decision_function(places), -30, 30)))
    return np.column_stack([1 - p, p])


def costs_picture(a: np.ndarray, costs: dict[str, np.ndarray]) -> Picture:
    """Two costs of a score a for a point with y = +1, one under the other."""
    picture = Picture(size=(8.0, 3.0), text="Squared error through a sigmoid is flat where it is "
                      "most wrong; the log loss is a bowl.")  # fmt: skip
    for (name, cost), color in zip(costs.items(), theme.CLASS_COLORS, strict=False):
        draw.curve(picture.ax, a, cost, name, color=color, where=0, offset=(6, 12))
    picture.ax.set(xlabel="score a = f(x) of a point with y = +1", ylabel="cost")
    return picture


def validation_picture(Cs: np.ndarray, curves: dict[str, np.ndarray], chosen: float) -> Picture:
    """Error against C, on the training and on the validation set."""
    picture = Picture(
        size=(8.0, 3.0), text=f"Training and validation error against C; C = {chosen:g} chosen."
    )
    styles = zip(curves.items(), (theme.SOFT, theme.INK), ("--", "-"), strict=True)
    for (name, curve), color, style in styles:
        draw.curve(picture.ax, Cs, curve, name, color=color, style=style)
    picture.ax.set(xscale="log", xlabel="C", ylabel="share of points wrong")
    picture.ax.set(xlim=(Cs[0], Cs[-1] * 8), ylim=(0, None))
    draw.marker_line(picture.ax, chosen, f"C = {chosen:g}")
    return picture
