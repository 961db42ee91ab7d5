"""Projected gradient on the dual: step uphill, then back to the nearest feasible point.

    α ← Π(α + η(1 − Qα)),        Π onto {0 ≤ α ≤ C, yᵀα = 0}

Clipping to the box alone would forget yᵀα = 0, and solve the SVM that has no intercept.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mlcore.svm.dual import Interval, check_problem, dual_objective, intercept_interval, project
from mlcore.validation import FloatArray, check_number


class GradientStep(NamedTuple):
    """α after a step, the dual objective there, and what the KKT conditions ask of b."""

    alpha: FloatArray
    objective: float
    interval: Interval


def dual_curvature(K: FloatArray, iterations: int = 100) -> float:
    """λ_max of PQP, P = I − yyᵀ/n: the greatest curvature of the dual on the plane yᵀα = 0.

    With Q = YKY and y = Y1 it is λ_max of HKH, H = I − 11ᵀ/n: the centred Gram matrix, so the
    labels do not matter. By power iteration: v ← HKHv / ‖HKHv‖. λ_max of Q itself may be many
    times larger, and its step so much shorter than needed.
    """
    v = np.random.default_rng(0).normal(size=len(K))
    curvature = 0.0
    for _ in range(iterations):
        v -= v.mean()
        v /= np.linalg.norm(v)
        v = K @ v
        curvature = float(np.linalg.norm(v - v.mean()))
        if curvature == 0:
            break
    return curvature


def projected_gradient_steps(
    K: FloatArray,
    y: FloatArray,
    C: FloatArray | float,
    tol: float = 1e-3,
    alpha0: FloatArray | None = None,
    *,
    eta: float | None = None,
) -> Iterator[GradientStep]:
    """Climb max_α 1ᵀα − ½αᵀQα s.t. 0 ≤ α ≤ C, yᵀα = 0 until the KKT violation is ≤ tol.

    The step η is 1/λ_max(PQP) unless given: then the objective never falls.
    """
    check_number("tol", tol, above=0)
    K, y = check_problem(K, y)
    if eta is None:
        eta = 1 / max(dual_curvature(K), 1e-300)
    alpha = project(np.zeros_like(y) if alpha0 is None else alpha0, y, C)
    b_i = y - K @ (alpha * y)
    while intercept_interval(b_i, alpha, y, C).violation > tol:
        alpha = project(alpha + eta * y * b_i, y, C)  # 1 − Qα = y ∘ bᵢ
        b_i = y - K @ (alpha * y)
        interval = intercept_interval(b_i, alpha, y, C)
        yield GradientStep(alpha, dual_objective(alpha, y, b_i), interval)
