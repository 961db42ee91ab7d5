"""Kernels: inner products K(x, z) = φ(x)·φ(z) that never build the feature vectors φ.

| name | K(x, z) or what it does |
| --- | --- |
| `linear` | x·z |
| `polynomial` | (γ x·z + r)^degree |
| `rbf` | exp(−‖x − z‖² / 2σ²) |
| `rbf_rows` | single rows of that matrix, quickly, one after another |
| `gram` | the matrix [K(xᵢ, xⱼ)] of one set with itself |
| `is_positive_semidefinite` | Mercer's test of one such matrix |
| `polynomial_feature_map` | the φ behind the polynomial kernel, written out |
| `rbf_partial_sum` | the RBF kernel as a sum of polynomial kernels, cut off |
| `rbf_on_grid` | Σ cᵢ K(zᵢ, ·) on a whole mesh in one small matrix product |

A kernel here is a function of two sets, (n, d) and (m, d), that returns all (n, m) values.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations_with_replacement
from math import exp, factorial, prod, sqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from mlcore.neighbors import squared_distances
from mlcore.validation import FloatArray, IntArray, check_integer, check_matrix, check_number

Kernel: TypeAlias = Callable[[FloatArray, FloatArray], FloatArray]


def linear(X: ArrayLike, Z: ArrayLike) -> FloatArray:
    """K(x, z) = x·z; its feature map is φ(x) = x."""
    X, Z = _pair(X, Z)
    K: FloatArray = X @ Z.T
    return K


def polynomial(
    X: ArrayLike, Z: ArrayLike, degree: int, gamma: float = 1.0, r: float = 1.0
) -> FloatArray:
    """K(x, z) = (γ x·z + r)^degree; `polynomial_feature_map` writes its φ out.

    r ≥ 0 and γ > 0 make every weight in φ real, so that K is a kernel.
    """
    check_integer("degree", degree)
    check_number("gamma", gamma, above=0)
    check_number("r", r, at_least=0)
    K = linear(X, Z)
    K *= gamma
    K += r
    K **= degree
    return K


def rbf(X: ArrayLike, Z: ArrayLike, sigma: float) -> FloatArray:
    """K(x, z) = exp(−‖x − z‖² / 2σ²): 1 at x = z, e^(−1/2) one σ away, then soon nothing.

    The literature also writes exp(−γ‖x − z‖²): γ = 1/(2σ²).
    """
    check_number("sigma", sigma, above=0)
    K = squared_distances(*_pair(X, Z))
    K *= -0.5 / sigma**2
    return np.exp(K, out=K)


def rbf_rows(X: FloatArray, sigma: float) -> Callable[[IntArray], FloatArray]:
    """A function of indices I that returns the rows [K(xᵢ, xⱼ)] for i in I and every j.

    For solvers that ask for one row at a time: the norms in ‖x‖² + ‖z‖² − 2x·z are computed
    once, about the centre of the points, where the difference loses the fewest digits.
    """
    check_number("sigma", sigma, above=0)
    X = X - X.mean(axis=0)
    norms = np.einsum("ij,ij->i", X, X)

    def rows(indices: IntArray) -> FloatArray:
        K = X[indices] @ X.T
        K *= -2
        K += norms
        K += norms[indices, None]
        K[range(len(indices)), indices] = 0
        np.maximum(K, 0, out=K)
        K *= -0.5 / sigma**2
        return np.exp(K, out=K)

    return rows


def gram(kernel: Kernel, X: ArrayLike) -> FloatArray:
    """The matrix [K(xᵢ, xⱼ)] of all inner products among the rows of X."""
    A = check_matrix(X)
    return kernel(A, A)


def is_positive_semidefinite(K: ArrayLike, tol: float = 1e-10) -> bool:
    """Can K be a matrix of inner products? Only if K = Kᵀ and cᵀKc ≥ 0 for every c.

    The second holds when no eigenvalue is negative; `tol` (relative to the largest) allows
    for rounding. A *function* is a kernel only if this holds for every set of points.
    """
    A = check_matrix(K, "K")
    if A.shape[0] != A.shape[1]:
        raise ValueError(f"K must be square, but its shape is {A.shape}.")
    allowed = tol * np.abs(A).max()
    if np.abs(A - A.T).max() > allowed:
        return False
    eigenvalues = np.linalg.eigvalsh(A)
    return bool(eigenvalues[0] >= -tol * np.abs(eigenvalues).max())


def polynomial_feature_map(
    X: ArrayLike, degree: int, gamma: float = 1.0, r: float = 1.0
) -> FloatArray:
    """φ with φ(x)·φ(z) = (γ x·z + r)^degree: all C(d+degree, degree) monomials, weighted.

        (γ x·z + r)^p = Σ_a  p! / (a₀! a₁! … a_d!) · r^a₀ · Πⱼ (γ xⱼ zⱼ)^aⱼ ,   Σ a = p

    so the monomial Πⱼ xⱼ^aⱼ enters φ with the *square root* of its multinomial weight. For
    d = 2, p = 2: φ(x) = (1, √2 x₁, √2 x₂, x₁², √2 x₁x₂, x₂²).
    """
    A = check_matrix(X)
    check_integer("degree", degree)
    check_number("gamma", gamma, above=0)
    check_number("r", r, at_least=0)
    columns = []
    for total in range(degree + 1):
        for factors in combinations_with_replacement(range(A.shape[1]), total):
            counts = [degree - total, *(factors.count(j) for j in set(factors))]
            multinomial = factorial(degree) // prod(map(factorial, counts))
            weight = sqrt(multinomial * r ** (degree - total) * gamma**total)
            columns.append(weight * A[:, list(factors)].prod(axis=1))
    return np.stack(columns, axis=1)


def rbf_partial_sum(X: ArrayLike, Z: ArrayLike, sigma: float, terms: int) -> FloatArray:
    """The first `terms` terms of the RBF kernel as a sum of polynomial kernels.

        exp(−‖x−z‖²/2σ²) = e⁻¹ · e^(−‖x‖²/2σ²) · e^(−‖z‖²/2σ²) · Σ_{n=0}^∞ (1 + x·z/σ²)ⁿ / n!

    Term n is the polynomial kernel of degree n with the Taylor weight 1/n!: the feature space
    of the RBF kernel holds the monomials of every degree.
    """
    check_number("sigma", sigma, above=0)
    check_integer("terms", terms)
    X, Z = _pair(X, Z)
    S = 1 + X @ Z.T / sigma**2
    term = np.ones_like(S)
    total = np.ones_like(S)
    for n in range(1, terms):
        term *= S / n
        total += term
    decay_x, decay_z = (np.exp(-(A**2).sum(axis=1) / (2 * sigma**2)) for A in (X, Z))
    return exp(-1) * np.outer(decay_x, decay_z) * total


def rbf_on_grid(
    x_axis: ArrayLike, y_axis: ArrayLike, Z: ArrayLike, coef: ArrayLike, sigma: float
) -> FloatArray:
    """Σᵢ cᵢ K(zᵢ, ·) on the mesh of the two axes, shape (len(y_axis), len(x_axis)).

    The exponential of a sum is a product, exp(−(Δx² + Δy²)/2σ²) = e^(−Δx²/2σ²) e^(−Δy²/2σ²),
    so the exponentials are needed along the two axes only, not at every node.
    """
    check_number("sigma", sigma, above=0)
    Z, coef = np.asarray(Z, float), np.asarray(coef, float)
    along_x, along_y = (
        np.exp(-(np.subtract.outer(np.asarray(axis, float), z) ** 2) / (2 * sigma**2))
        for axis, z in zip((x_axis, y_axis), Z.T, strict=True)
    )
    values: FloatArray = (along_y * coef) @ along_x.T
    return values


def _pair(X: ArrayLike, Z: ArrayLike) -> tuple[FloatArray, FloatArray]:
    X, Z = np.asarray(X, dtype=np.float64), np.asarray(Z, dtype=np.float64)
    if X.ndim != 2 or Z.ndim != 2 or X.shape[1] != Z.shape[1]:
        raise ValueError(
            "A kernel takes two sets X (n, d) and Z (m, d) with the same number d of columns, "
            f"but their shapes are {X.shape} and {Z.shape}."
        )
    return X, Z
