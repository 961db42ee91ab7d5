"""Crammer and Singer's multiclass machine: one w for each class, fitted together.

    min_{W,b}  ½ Σₖ ‖wₖ‖² + C Σᵢ ξᵢ,     ξᵢ = maxₖ (fₖ(xᵢ) + eᵢₖ) − f_{yᵢ}(xᵢ),   fₖ(x) = wₖ·x + bₖ

where eᵢₖ is 1 for the wrong classes k ≠ yᵢ and 0 for the right one: the right class has to beat
every other by a margin of 1. Each point shares out a multiplier of C among the classes,

    max_μ  Σᵢₖ μᵢₖ eᵢₖ − ½ Σₖ ‖wₖ‖²        s.t.  μᵢₖ ≥ 0,  Σₖ μᵢₖ = C,
           wₖ = Σᵢ (C·1[yᵢ = k] − μᵢₖ) xᵢ,       Σᵢ (C·1[yᵢ = k] − μᵢₖ) = 0

and the gradient in μᵢₖ is eᵢₖ + fₖ(xᵢ): weight goes to the rivals that come too close.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcore.base import Classifier
from mlcore.validation import (
    ConvergenceWarning,
    FloatArray,
    IntArray,
    check_integer,
    check_number,
)


class Sweep(NamedTuple):
    """The multipliers after a sweep over the points, and how far from the optimum they are."""

    mu: FloatArray  # (n, K)
    W: FloatArray  # (K, d)
    b: FloatArray  # (K,)
    violation: float


def project_to_simplex(v: FloatArray, C: float) -> FloatArray:
    """argmin ‖μ − v‖² s.t. μ ≥ 0, Σμ = C: max(0, v − θ), with the θ that makes the sum C."""
    v = v - v.max()  # changes θ only, and keeps C visible beside huge entries
    descending = np.sort(v)[::-1]
    thetas = (descending.cumsum() - C) / np.arange(1, len(v) + 1)
    theta = thetas[descending > thetas][-1]  # for as many entries as stay above it
    return np.maximum(v - theta, 0)


def crammer_singer_steps(
    X: FloatArray, codes: IntArray, C: float, tol: float, fit_intercept: bool = True
) -> Iterator[Sweep]:
    """Sweep over the points, giving each its best multipliers, until all agree to `tol`.

    For one point the dual is −½‖xᵢ‖²‖μᵢ − v‖² with v = μᵢ + gradient/‖xᵢ‖²: its best μᵢ is the
    projection of v onto the simplex. Only points that are not at their best are visited.

    The constraint that belongs to b ties all points together. It is put into the objective,
    as (ρ/2)‖imbalance‖² and with b as its multiplier; whenever the sweeps have settled more
    than it, b moves on by ρ·imbalance, until there is none (the method of multipliers).
    """
    K = int(codes.max()) + 1
    squares = (X**2).sum(axis=1)
    rho = max(0.1 * float(squares.mean()), 1e-12) if fit_intercept else 0.0
    curvature = np.maximum(squares + rho, 1e-12)
    right = np.eye(K)[codes]
    e, mu = 1 - right, C * right
    W, b = np.zeros((K, X.shape[1])), np.zeros(K)
    while True:
        G = e + X @ W.T + b
        violation = G.max(axis=1) - np.where(mu > 0, G, np.inf).min(axis=1)
        shift = rho * (C * right - mu).sum(axis=0)
        yield Sweep(mu.copy(), W.copy(), b.copy(), max(violation.max(), np.abs(shift).max()))
        if violation.max() <= max(tol, np.abs(shift).max() / 2):
            if np.abs(shift).max() <= tol:
                return
            b += shift
        for i in np.flatnonzero(violation > tol):
            gradient = e[i] + W @ X[i] + b
            change = project_to_simplex(mu[i] + gradient / curvature[i], C) - mu[i]
            mu[i] += change
            W -= change[:, None] * X[i]
            b -= rho * change


class CrammerSingerSVC(Classifier):
    """The linear machine for several classes that fits them together; see the module's text.

        min_{W,b}  ½ Σₖ ‖wₖ‖² + C Σᵢ max(0, 1 + max_{k≠yᵢ} fₖ(xᵢ) − f_{yᵢ}(xᵢ)),  fₖ(x) = wₖ·x + bₖ

    For two classes w₁ = −w₀, and w₁ − w₀ is the w of `SVC` with twice this C.

    Fitted: `w_` (K, d), `b_` (K,), `mu_` (n, K), `n_iter_` sweeps, `dual_objective_`,
    `primal_objective_`, `duality_gap_`.
    """

    def __init__(
        self,
        *,
        C: float = 1.0,
        fit_intercept: bool = True,
        tol: float = 1e-3,
        max_iter: int = 10_000,
    ) -> None:
        self.C = C
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: ArrayLike, y: ArrayLike) -> CrammerSingerSVC:
        """Solve the dual by sweeps over the points."""
        A, codes = self._start_fit_labels(X, y)
        check_number("C", self.C, above=0)
        check_number("tol", self.tol, above=0)
        check_integer("max_iter", self.max_iter)
        centre = A.mean(axis=0) if self.fit_intercept else np.zeros(A.shape[1])
        steps = crammer_singer_steps(A - centre, codes, self.C, self.tol, self.fit_intercept)
        step = next(steps)  # the start: nothing swept yet
        self.n_iter_ = 0
        for sweep in islice(steps, self.max_iter):
            step = sweep
            self.n_iter_ += 1
        if step.violation > self.tol:
            warnings.warn(
                f"CrammerSingerSVC stopped after max_iter={self.max_iter} sweeps with a KKT "
                f"violation of {step.violation:.2g}, above tol={self.tol:g}.",
                ConvergenceWarning,
                stacklevel=2,
            )
        self.mu_, self.w_, self.b_ = step.mu, step.W, step.b - step.W @ centre
        self._set_objectives(A, np.eye(len(self.classes_))[codes])
        return self

    def _set_objectives(self, X: FloatArray, right: FloatArray) -> None:
        f = X @ self.w_.T + self.b_
        xi = (f + 1 - right).max(axis=1) - (f * right).sum(axis=1)
        norms = 0.5 * float((self.w_**2).sum())
        self.dual_objective_ = float((self.mu_ * (1 - right)).sum()) - norms
        self.primal_objective_ = norms + self.C * float(xi.sum())
        self.duality_gap_ = self.primal_objective_ - self.dual_objective_

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """fₖ(x) for each class; for two classes their difference, positive for the second."""
        f = self._start_predict(X) @ self.w_.T + self.b_
        return f[:, 1] - f[:, 0] if len(self.classes_) == 2 else f

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """The label of each row of X: the class with the greatest score."""
        f = self.decision_function(X)
        return self.classes_[(f > 0).astype(int) if f.ndim == 1 else f.argmax(axis=1)]
