"""Exercises of 13_kernels."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlcore.kernels import polynomial, rbf
from mlcore.svm import SVC
from mllab.check.exercise import Case, Exercise, Mistake

# ---- square_features ------------------------------------------------------------------------


def square_features(X):
    x1, x2 = X.T
    root = np.sqrt(2)
    return np.column_stack([np.ones(len(X)), root * x1, root * x2, x1**2, root * x1 * x2, x2**2])


def _planar_cases() -> list[Case]:
    rng = np.random.default_rng(0)
    fixed = [[[1, 0]], [[0, 2]], [[1, 1]], [[1, 2], [3, -1]]]
    return [(np.array(X, dtype=float),) for X in fixed] + [
        (rng.normal(size=(n, 2)),) for n in (2, 3, 5, 8)
    ]


def _same_products(given: Any, expected: Any) -> bool:
    """φ is known up to a rotation only, so the inner products are compared."""
    given = np.asarray(given, dtype=float)
    return given.ndim == 2 and np.allclose(given @ given.T, expected @ expected.T, atol=1e-9)


def _bare_monomials(X):
    x1, x2 = X.T
    return np.column_stack([np.ones(len(X)), x1, x2, x1**2, x1 * x2, x2**2])


def _two_for_its_root(X):
    x1, x2 = X.T
    return np.column_stack([np.ones(len(X)), 2 * x1, 2 * x2, x1**2, 2 * x1 * x2, x2**2])


def _without_the_one(X):
    return square_features(X)[:, 1:]


def _without_the_mixed_term(X):
    return np.delete(square_features(X), 4, axis=1)


def _of_a_half(X):
    x1, x2 = X.T
    return np.column_stack([np.full(len(X), 0.5), x1, x2, x1**2, x1 * x2, x1 * x2, x2**2])


check_square_features = Exercise(
    square_features,
    _planar_cases,
    hints=[
        "Multiply (1 + x₁z₁ + x₂z₂)² out. Each term is something of x times the same of z.",
        "The term 2x₁z₁ is (√2 x₁)(√2 z₁): so √2 x₁ is an entry of φ.",
    ],
    mistakes=[
        Mistake(
            _bare_monomials,
            "the monomials are right, their weights are not: 2x₁z₁ has to come out, and x₁ times "
            "z₁ gives only half of that.",
        ),
        Mistake(
            _two_for_its_root,
            "2x₁ times 2z₁ is 4x₁z₁. The weight appears in φ(x) and in φ(z): take its square root.",
        ),
        Mistake(_without_the_one, "the constant is missing: (1 + x·z)² is 1 at x = 0."),
        Mistake(_without_the_mixed_term, "the term 2 x₁x₂z₁z₂ is missing."),
        Mistake(_of_a_half, "that is the feature map of (½ + x·z)²."),
    ],
    same=_same_products,
)


# ---- rbf_gram -------------------------------------------------------------------------------


def rbf_gram(X, sigma):
    norms = (X**2).sum(axis=1)
    squared = norms[:, None] + norms - 2 * X @ X.T
    return np.exp(-squared / (2 * sigma**2))


def _sigma_cases() -> list[Case]:
    rng = np.random.default_rng(1)
    fixed = [([[0.0]], 1.0), ([[0.0], [1.0]], 1.0), ([[0.0], [2.0]], 0.5), ([[0, 0], [3, 4]], 5.0)]
    return [(np.array(X, dtype=float), sigma) for X, sigma in fixed] + [
        (rng.normal(size=(n, d)), sigma) for n, d, sigma in ((3, 2, 0.7), (6, 3, 2.0), (9, 5, 1.5))
    ]


def _squared(X):
    return ((X[:, None] - X) ** 2).sum(axis=2)


def _sigma_not_squared(X, sigma):
    return np.exp(-_squared(X) / (2 * sigma))


def _without_the_two(X, sigma):
    return np.exp(-_squared(X) / sigma**2)


def _distance_not_squared(X, sigma):
    return np.exp(-np.sqrt(_squared(X)) / (2 * sigma**2))


def _without_the_minus(X, sigma):
    return np.exp(_squared(X) / (2 * sigma**2))


def _distances_only(X, sigma):
    return _squared(X)


check_rbf_gram = Exercise(
    rbf_gram,
    _sigma_cases,
    hints=[
        "‖x − z‖² = ‖x‖² + ‖z‖² − 2 x·z, for all pairs at once: X @ X.T holds the products.",
        "norms[:, None] + norms is the table of all sums of two norms. Then divide by 2σ².",
    ],
    mistakes=[
        Mistake(_sigma_not_squared, "σ is squared in 2σ²; yours divides by 2σ."),
        Mistake(
            _without_the_two,
            "you divide by σ². Some books do; here it is 2σ², so that K = e^(−1/2) one σ away.",
        ),
        Mistake(_distance_not_squared, "the exponent holds the squared distance."),
        Mistake(_without_the_minus, "far points must get a small value: a minus sign is missing."),
        Mistake(
            _distances_only, "these are the squared distances: exp(−… / 2σ²) is still to come."
        ),
    ],
)


# ---- may_be_gram ----------------------------------------------------------------------------


def may_be_gram(K):
    symmetric = np.allclose(K, K.T)
    return bool(symmetric and np.linalg.eigvalsh(K).min() >= -1e-9)


def _matrix_cases() -> list[Case]:
    rng = np.random.default_rng(2)
    fixed = [
        [[1]],
        [[-1]],
        [[2, -1], [-1, 2]],
        [[1, 2], [2, 1]],
        [[1, 1], [1, 1]],
        [[-1, 0], [0, -1]],
        [[2, 0], [1, 2]],
        [[0, 0], [0, 0]],
    ]
    X = rng.normal(size=(6, 2))
    made = [X @ X.T, rbf(X, X, 1.0), polynomial(X, X, 2), 3 - _squared(X), np.tanh(X @ X.T - 1)]
    return [(np.array(K, dtype=float),) for K in fixed] + [(K,) for K in made]


def _positive_entries(K):
    return bool(np.allclose(K, K.T) and (K >= 0).all())


def _positive_definite(K):
    return bool(np.allclose(K, K.T) and np.linalg.eigvalsh(K).min() > 1e-9)


def _symmetry_forgotten(K):
    return bool(np.linalg.eigvalsh(K).min() >= -1e-9)


def _determinant_only(K):
    return bool(np.allclose(K, K.T) and np.linalg.det(K) >= -1e-9)


def _symmetry_only(K):
    return bool(np.allclose(K, K.T))


check_may_be_gram = Exercise(
    may_be_gram,
    _matrix_cases,
    hints=[
        "Two things: K equals K.T, and no eigenvalue is below 0 (but for rounding: ≥ −1e-9).",
        "np.linalg.eigvalsh(K) returns the eigenvalues of a symmetric matrix. It looks at one half "
        "of the matrix only, so it never notices when K is not symmetric.",
    ],
    mistakes=[
        Mistake(
            _positive_entries,
            "the entries may be negative: the inner product of two vectors may. The eigenvalues "
            "may not.",
        ),
        Mistake(
            _positive_definite,
            "eigenvalues of 0 are allowed: positive semidefinite, not positive definite.",
        ),
        Mistake(
            _symmetry_forgotten,
            "a matrix that is not symmetric holds no inner products: x·z = z·x.",
        ),
        Mistake(
            _determinant_only,
            "the determinant is the product of the eigenvalues: two negative ones hide in it.",
        ),
        Mistake(_symmetry_only, "symmetric is not enough: look at the eigenvalues as well."),
    ],
)


# ---- image_distances ------------------------------------------------------------------------


def image_distances(K):
    own = np.diag(K)
    squared = own[:, None] + own - 2 * K
    return np.sqrt(np.maximum(squared, 0))


def _gram_cases() -> list[Case]:
    rng = np.random.default_rng(3)
    fixed = [[[1]], [[1, 0], [0, 1]], [[4, 2], [2, 9]]]
    X = rng.normal(size=(5, 2))
    made = [X @ X.T, polynomial(X, X, 3), rbf(X, X, 0.8)]
    return [(np.array(K, dtype=float),) for K in fixed] + [(K,) for K in made]


def _not_rooted(K):
    return image_distances(K) ** 2


def _own_taken_for_one(K):
    return np.sqrt(np.maximum(2 - 2 * K, 0))


def _factor_forgotten(K):
    own = np.diag(K)
    return np.sqrt(np.maximum(own[:, None] + own - K, 0))


def _one_minus(K):
    return 1 - K


check_image_distances = Exercise(
    image_distances,
    _gram_cases,
    hints=[
        "‖φ(x) − φ(z)‖² = φ(x)·φ(x) + φ(z)·φ(z) − 2 φ(x)·φ(z), and each of these is an entry of K.",
        "np.diag(K) holds the K(xᵢ, xᵢ). Take np.maximum(…, 0) before the root, for rounding.",
    ],
    mistakes=[
        Mistake(_not_rooted, "these are the squared distances: take the root."),
        Mistake(
            _own_taken_for_one,
            "K(x, x) = 1 holds for the RBF kernel only. The diagonal of K has it for any kernel.",
        ),
        Mistake(_factor_forgotten, "the mixed product occurs twice: − 2 K(x, z)."),
        Mistake(
            _one_minus, "1 − K grows with the distance for the RBF kernel, but it is no distance."
        ),
    ],
)


# ---- kernel_decision ------------------------------------------------------------------------


def kernel_decision(K_new, K, alpha, y, C):
    beta = alpha * y
    free = (alpha > 0) & (alpha < C)
    b = np.mean(y[free] - K[free] @ beta)
    return K_new @ beta + b


def _fitted_cases() -> list[Case]:
    rng = np.random.default_rng(4)
    two = np.array([[1.0, 0.0], [0.0, 1.0]])
    cases: list[Case] = [
        (np.array([[1.0, 0.0]]), two, np.array([1.0, 1.0]), np.array([1.0, -1.0]), 2.0)
    ]
    for n, C in ((8, 1.0), (14, 0.5), (20, 2.0)):
        X, new = rng.normal(size=(n, 2)), rng.normal(size=(4, 2))
        y = np.where(X[:, 0] + rng.normal(size=n) > 0, 1.0, -1.0)
        y[:2] = 1.0, -1.0
        alpha = SVC(C=C, kernel="rbf", sigma=1.0).fit(X, y).alpha_
        cases.append((rbf(new, X, 1.0), rbf(X, X, 1.0), alpha, y, C))
    return cases


def _without_b(K_new, K, alpha, y, C):
    return K_new @ (alpha * y)


def _labels_forgotten(K_new, K, alpha, y, C):
    free = (alpha > 0) & (alpha < C)
    return K_new @ alpha + np.mean(y[free] - K[free] @ alpha)


def _b_from_bound_ones_too(K_new, K, alpha, y, C):
    beta, support = alpha * y, alpha > 0
    return K_new @ beta + np.mean(y[support] - K[support] @ beta)


def _b_of_the_wrong_sign(K_new, K, alpha, y, C):
    beta = alpha * y
    return 2 * K_new @ beta - kernel_decision(K_new, K, alpha, y, C)


def _signs_only(K_new, K, alpha, y, C):
    return np.sign(kernel_decision(K_new, K, alpha, y, C))


check_kernel_decision = Exercise(
    kernel_decision,
    _fitted_cases,
    hints=[
        "f(x) = Σ αᵢyᵢ K(xᵢ, x) + b: for all new points at once, K_new @ (alpha * y) + b.",
        "A free point, 0 < α < C, lies on its margin: y_p = Σ αᵢyᵢ K(xᵢ, x_p) + b. Solve for b, "
        "take the mean over the free points.",
    ],
    mistakes=[
        Mistake(_without_b, "b is missing."),
        Mistake(_labels_forgotten, "each α comes with its label: Σ αᵢyᵢ K(xᵢ, x)."),
        Mistake(
            _b_from_bound_ones_too,
            "points with α = C need not lie on their margin: take b from 0 < α < C only.",
        ),
        Mistake(_b_of_the_wrong_sign, "b = y_p − Σ αᵢyᵢ K(xᵢ, x_p): yours has the other sign."),
        Mistake(_signs_only, "the value of f is wanted, not only its sign."),
    ],
)
