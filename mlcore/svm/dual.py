"""The soft-margin problem and its dual: what every solver shares.

    primal   min_{w, b}  ½‖w‖² + Σᵢ Cᵢ max(0, 1 − yᵢ f(xᵢ))           f(x) = w·φ(x) + b
    dual     max_α       Σα − ½ Σᵢⱼ αᵢαⱼ yᵢyⱼ K(xᵢ, xⱼ)               0 ≤ α ≤ C,  yᵀα = 0

At the optimum w = Σ αᵢyᵢ φ(xᵢ), and the two values agree.

One vector carries most of what follows: bᵢ = yᵢ − Σⱼ αⱼyⱼ Kᵢⱼ is *the intercept that would put
point i exactly on its margin*, yᵢ f(xᵢ) = 1. The KKT conditions say that one b serves all:

    bᵢ ≤ b  wherever yᵢαᵢ may still rise       (α < C for y = +1,  α > 0 for y = −1)
    bᵢ ≥ b  wherever yᵢαᵢ may still fall       (α > 0 for y = +1,  α < C for y = −1)

so free points, 0 < α < C, have bᵢ = b. How far the two sides overlap is the KKT violation.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcore.validation import FloatArray, IntArray, check_matrix


def check_problem(K: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """A Gram matrix (n, n) and n labels ±1, both of which occur."""
    K, y = check_matrix(K, "K"), np.asarray(y, dtype=np.float64)
    if y.ndim != 1 or set(y.tolist()) != {-1.0, 1.0}:
        raise ValueError(f"y must hold the labels −1 and +1, both, but it holds {np.unique(y)}.")
    if K.shape != (len(y), len(y)):
        raise ValueError(
            f"K must be the {len(y)}×{len(y)} matrix of kernel values of the points that y labels, "
            f"but its shape is {K.shape}."
        )
    return K, y


def to_bounds(alpha: FloatArray, C: FloatArray) -> FloatArray:
    """α with those put onto their bound that only rounding keeps a hair inside the box.

    They would pass for free points, and a free point says what b is.
    """
    hair = 1e-14 * np.where(np.isfinite(C), C, 0)
    return np.where(alpha < hair, 0, np.where(alpha > C - hair, C, alpha))


def may_rise(alpha: FloatArray, y: FloatArray, C: FloatArray | float) -> NDArray[np.bool_]:
    """Where yᵢαᵢ can still grow inside the box."""
    rises: NDArray[np.bool_] = np.where(y > 0, alpha < C, alpha > 0)
    return rises


def may_fall(alpha: FloatArray, y: FloatArray, C: FloatArray | float) -> NDArray[np.bool_]:
    """Where yᵢαᵢ can still shrink inside the box."""
    return may_rise(alpha, -y, C)


class Interval(NamedTuple):
    """What the two sides ask of b: at least `up`, at most `low`; at the optimum up ≤ low."""

    up: float
    low: float

    @property
    def violation(self) -> float:
        """By how much the KKT conditions fail (≤ 0 at the optimum)."""
        return self.up - self.low


def intercept_interval(
    b_i: FloatArray, alpha: FloatArray, y: FloatArray, C: FloatArray | float
) -> Interval:
    """[max of bᵢ where yᵢαᵢ may rise, min of bᵢ where it may fall]."""
    up = b_i[may_rise(alpha, y, C)].max()
    low = b_i[may_fall(alpha, y, C)].min()
    return Interval(float(up), float(low))


def intercept(b_i: FloatArray, alpha: FloatArray, y: FloatArray, C: FloatArray | float) -> float:
    """The b that serves all points: the mean of bᵢ over the free ones, 0 < αᵢ < C.

    Bound points, αᵢ = C, say nothing exact: theirs is another bᵢ. When *no* point is free,
    every b of an interval is optimal, and its middle is taken.
    """
    free = (alpha > 0) & (alpha < C)
    if free.any():
        return float(b_i[free].mean())
    return sum(intercept_interval(b_i, alpha, y, C)) / 2


def dual_objective(alpha: FloatArray, y: FloatArray, b_i: FloatArray) -> float:
    """Σα − ½‖w‖², where ‖w‖² = Σ αᵢyᵢ(yᵢ − bᵢ)."""
    return float(alpha.sum() - 0.5 * (alpha * y) @ (y - b_i))


def primal_objective(
    alpha: FloatArray, y: FloatArray, b_i: FloatArray, b: float, C: FloatArray | float
) -> float:
    """½‖w‖² + Σ Cᵢξᵢ with ξᵢ = max(0, 1 − yᵢ f(xᵢ)) = max(0, yᵢ(bᵢ − b))."""
    xi = np.maximum(0, y * (b_i - b))
    return float(0.5 * (alpha * y) @ (y - b_i) + np.sum(C * xi))


class SlackCase(IntEnum):
    """Where a training point can lie, and what its α is there."""

    BEYOND = 0  # yf > 1,      ξ = 0,      α = 0
    ON_MARGIN = 1  # yf = 1,      ξ = 0,      0 ≤ α ≤ C
    INSIDE = 2  # 0 ≤ yf < 1,  0 < ξ ≤ 1,  α = C
    MISCLASSIFIED = 3  # yf < 0,      ξ > 1,      α = C


def slack_cases(alpha: ArrayLike, margins: ArrayLike, C: float, tol: float = 1e-3) -> IntArray:
    """The case of each point from its α and its margin yᵢ f(xᵢ), as codes of `SlackCase`.

    Complementary slackness, αᵢ(1 − yᵢf(xᵢ) − ξᵢ) = 0 and (C − αᵢ)ξᵢ = 0, leaves these four.
    A free α, 0 < α < C, puts its point on the margin, however roughly f was computed; the
    others are on it when their margin is 1 to within `tol`.
    """
    alpha, margins = np.asarray(alpha, float), np.asarray(margins, float)
    on_margin = ((alpha > 0) & (alpha < C)) | (np.abs(margins - 1) <= tol)
    cases = np.select(
        [on_margin, margins > 1, margins >= 0],
        [SlackCase.ON_MARGIN, SlackCase.BEYOND, SlackCase.INSIDE],
        default=SlackCase.MISCLASSIFIED,
    )
    return cases.astype(np.intp)


def project(v: FloatArray, y: FloatArray, C: FloatArray | float) -> FloatArray:
    """The point nearest to v that is feasible: argmin ‖α − v‖² s.t. 0 ≤ α ≤ C, yᵀα = 0.

        Π(v) = clip(v − νy, 0, C)    with ν such that    yᵀΠ(v) = 0

    ν is the multiplier of yᵀα = 0. h(ν) = yᵀclip(v − νy, 0, C) never rises and is linear
    between the values of ν at which some α meets a bound: bisect over those, then interpolate.
    """
    C = np.minimum(C, np.abs(v).sum() + 1)  # Π(v) is no longer than v, so this binds nowhere
    kinks = np.sort(np.concatenate([y * v, y * (v - C)]))

    def h(nu: float) -> float:
        return float(y @ np.clip(v - nu * y, 0, C))

    left, right = 0, len(kinks) - 1  # h ≥ 0 at the first kink, h ≤ 0 at the last
    while right - left > 1:
        middle = (left + right) // 2
        left, right = (middle, right) if h(kinks[middle]) >= 0 else (left, middle)
    h_left, h_right = h(kinks[left]), h(kinks[right])
    share = h_left / (h_left - h_right) if h_left > h_right else 0.0
    return np.clip(v - (kinks[left] + share * (kinks[right] - kinks[left])) * y, 0, C)
