"""The theorems of the course as numbers.

| name | what it says |
| --- | --- |
| `perceptron_mistake_bound` | mistakes of the perceptron ≤ (R/γ)² |
| `adaboost_training_bound` | training error of AdaBoost ≤ Πₜ 2√(εₜ(1−εₜ)) |
| `adaboost_rounds_needed` | rounds until that is below 1/n |
| `cover_count`, `separable_fraction` | how many labelings of p points a plane can separate |
| `gd_bound` | gap of averaged (sub)gradient steps ≤ Bρ/√T |
| `stability_bound`, `best_lambda` | gap between test and training loss of a regularised fit |
| `bias_variance` | E(y − f̂)² = bias² + variance + noise, measured for any regressor |
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from mlcore.validation import (
    FloatArray,
    RandomState,
    check_generator,
    check_integer,
    check_matrix,
    check_number,
    check_target,
)


def perceptron_mistake_bound(
    X: ArrayLike, y: ArrayLike, w: ArrayLike, b: float | None = None
) -> float:
    """(R/γ)² with R = maxᵢ ‖xᵢ‖ and γ = minᵢ yᵢ w·xᵢ / ‖w‖, for labels y = ±1 (Novikoff).

    Holds for any w that separates the classes; the one of largest γ gives the best bound.
    A perceptron that also learns an intercept works on (x, 1) with (w, b): so does this, if b
    is given.
    """
    A, w = check_matrix(X), np.asarray(w, dtype=float)
    if b is not None:
        A, w = np.column_stack([A, np.ones(len(A))]), np.append(w, b)
    R = np.linalg.norm(A, axis=1).max()
    gamma = np.min(check_target(y, len(A)) * (A @ w)) / np.linalg.norm(w)
    if not gamma > 0:
        raise ValueError(f"w must separate the classes, but its margin on X is {gamma:.4g}.")
    return float((R / gamma) ** 2)


def adaboost_training_bound(errors: ArrayLike, K: int = 2) -> FloatArray:
    """Πₛ₌₁ᵗ Zₛ for t = 1 … T, with Z = 2√(ε(1−ε)) from the weighted errors ε of the rounds.

    A sample that the vote gets wrong has exp(−Σₜ αₜ sₜ) ≥ 1, where sₜ = ±1 says whether hₜ is
    right; the mean of these is Πₜ Zₜ, so the share of wrong samples is no larger. With
    γₜ = ½ − εₜ the product is at most exp(−2 Σₜ γₜ²). For K > 2 classes (SAMME),
    Z = (√(K−1) + 1/√(K−1)) √(ε(1−ε)).
    """
    epsilon = np.asarray(errors, dtype=float)
    if np.any((epsilon < 0) | (epsilon > 1)):
        raise ValueError("errors must hold weighted errors between 0 and 1.")
    root = math.sqrt(check_integer("K", K, at_least=2) - 1)
    return np.cumprod((root + 1 / root) * np.sqrt(epsilon * (1 - epsilon)))


def adaboost_rounds_needed(n: int, gamma: float) -> int:
    """The first T ≥ ln(2n) / (2γ²): no training error is left if every εₜ ≤ ½ − γ.

    The error is at most exp(−2γ²T) ≤ 1/(2n) then, and it is a multiple of 1/n.
    """
    check_integer("n", n)
    check_number("gamma", gamma, above=0, at_most=0.5)
    return math.ceil(math.log(2 * n) / (2 * gamma**2))


def cover_count(N: int, p: int) -> int:
    """C(p, N) = 2 Σ_{k<N} binom(p−1, k): the labelings ±1 of p points in ℝᴺ that a plane
    through the origin separates, if the points are in general position (Cover).

    For planes with an intercept, count them in ℝᴺ⁺¹.
    """
    check_integer("N", N)
    check_integer("p", p)
    return 2 * sum(math.comb(p - 1, k) for k in range(min(N, p)))


def separable_fraction(N: int, p: int) -> float:
    """C(p, N) / 2ᵖ: the share of all labelings that is separable. 1 for p ≤ N, ½ for p = 2N."""
    return cover_count(N, p) / 2**p


def gd_bound(B: float, rho: float, T: int) -> float:
    """f(w̄) − f(w*) ≤ Bρ/√T for the mean w̄ of T subgradient steps of size B/(ρ√T) from 0.

    f convex with ‖∂f‖ ≤ ρ, and w* its minimiser over ‖w‖ ≤ B.
    """
    check_number("B", B, above=0)
    check_number("rho", rho, above=0)
    return B * rho / math.sqrt(check_integer("T", T))


def stability_bound(rho: float, lam: float, m: int) -> float:
    """E[L_D(ŵ) − L_S(ŵ)] ≤ 2ρ²/(λm) for ŵ = argmin L_S(w) + λ‖w‖² on m samples.

    The loss is convex and ρ-Lipschitz in w.
    """
    check_number("rho", rho, above=0)
    check_number("lam", lam, above=0)
    return 2 * rho**2 / (lam * check_integer("m", m))


def best_lambda(rho: float, B: float, m: int) -> float:
    """λ* = (ρ/B) √(2/m), which minimises λB² + 2ρ²/(λm); the minimum is ρB √(8/m)."""
    check_number("rho", rho, above=0)
    check_number("B", B, above=0)
    return rho / B * math.sqrt(2 / check_integer("m", m))


class BiasVariance(NamedTuple):
    """The parts of the expected squared error, as means over the test points."""

    bias2: float
    variance: float
    noise: float
    mse: float  # measured on fresh targets, to be compared with bias2 + variance + noise
    mse_error: float  # standard error of mse
    predictions: FloatArray  # (repeats, test points): f̂ of every training set


def bias_variance(
    model: Any,
    make_data: Callable[[np.random.Generator], tuple[ArrayLike, ArrayLike]],
    f: Callable[[FloatArray], ArrayLike],
    X_test: ArrayLike,
    sigma: float,
    *,
    repeats: int = 200,
    random_state: RandomState = None,
) -> BiasVariance:
    """E(y − f̂(x))² = (E f̂(x) − f(x))² + Var f̂(x) + σ²,  for y = f(x) + noise of variance σ².

    The expectation runs over the training set that f̂ was fitted to and over the noise of y.
    `model` is refitted to `repeats` training sets (X, y) = make_data(rng); each fit is asked
    at the fixed points `X_test`, and compared with new noisy targets there.
    """
    rng = check_generator(random_state)
    X_test = check_matrix(X_test, "X_test")
    truth = check_target(f(X_test), len(X_test), "f(X_test)")
    check_number("sigma", sigma, at_least=0)
    check_integer("repeats", repeats, at_least=2)
    fits = [model.fit(*make_data(rng)).predict(X_test) for _ in range(repeats)]
    predictions = np.asarray(fits, dtype=float)
    y = truth + sigma * rng.standard_normal(predictions.shape)
    squared_error = np.mean((y - predictions) ** 2, axis=1)
    return BiasVariance(
        bias2=float(np.mean((predictions.mean(axis=0) - truth) ** 2)),
        variance=float(np.mean(predictions.var(axis=0))),
        noise=float(sigma) ** 2,
        mse=float(squared_error.mean()),
        mse_error=float(squared_error.std(ddof=1) / math.sqrt(repeats)),
        predictions=predictions,
    )
