"""Exercises of 09_hard_margin_svm."""

from __future__ import annotations

import numpy as np

from mlcore.svm import HardMarginSVC
from mllab.check.exercise import Case, Exercise, Mistake

# ---- distance_to_plane ----------------------------------------------------------------------


def distance_to_plane(w, b, X):
    return np.abs(X @ w + b) / np.linalg.norm(w)


def _plane_cases() -> list[Case]:
    rng = np.random.default_rng(0)
    fixed = [
        (np.array([2.0]), -2.0, np.array([[4.0]])),
        (np.array([3.0, 4.0]), 5.0, np.array([[1.0, 1.0], [-5.0, -5.0]])),
        (np.array([0.0, 0.5]), 1.0, np.array([[7.0, 0.0], [7.0, -2.0], [7.0, -6.0]])),
    ]
    drawn = [
        (rng.normal(size=d), rng.normal(), rng.normal(size=(n, d))) for n, d in ((4, 2), (6, 5))
    ]
    return fixed + drawn


def _signed(w, b, X):
    return (X @ w + b) / np.linalg.norm(w)


def _functional(w, b, X):
    return np.abs(X @ w + b)


def _by_the_square(w, b, X):
    return np.abs(X @ w + b) / (w @ w)


def _norm_with_b(w, b, X):
    return np.abs(X @ w + b) / np.sqrt(w @ w + b * b)


def _without_b(w, b, X):
    return np.abs(X @ w) / np.linalg.norm(w)


check_distance_to_plane = Exercise(
    distance_to_plane,
    _plane_cases,
    hints=[
        "f = X @ w + b holds f of every row. Equation (2) turns it into a distance.",
        "A distance is never negative: np.abs. The length of w is np.linalg.norm(w).",
    ],
    mistakes=[
        Mistake(
            _signed,
            "yours is negative for points behind the plane; the distance is its absolute value.",
        ),
        Mistake(_functional, "this is |f|, which changes when w and b are doubled. Divide by ‖w‖."),
        Mistake(_by_the_square, "you divide by ‖w‖² = w·w; divide by ‖w‖, its root."),
        Mistake(_norm_with_b, "b shifts the plane but is no part of its direction: divide by ‖w‖."),
        Mistake(_without_b, "b is missing: your plane goes through the origin."),
    ],
)


# ---- canonical ------------------------------------------------------------------------------


def canonical(w, b, X, y):
    nearest = (y * (X @ w + b)).min()
    return w / nearest, b / nearest


def _canonical_cases() -> list[Case]:
    rng = np.random.default_rng(1)
    cases: list[Case] = [
        (np.array([1.0]), -1.0, np.array([[-1.0], [4.0]]), np.array([-1.0, 1.0])),
        (
            np.array([3.0, 4.0]),
            -5.0,
            np.array([[0.0, 0.0], [2.0, 1.0], [3.0, 3.0]]),
            np.array([-1.0, 1.0, 1.0]),
        ),
    ]
    for n, d in ((5, 2), (12, 3), (20, 2)):
        w, b, X = 3 * rng.normal(size=d), rng.normal(), rng.normal(size=(n, d))
        cases.append((w, b, X, np.sign(X @ w + b)))
    return cases


def _same_pair(given, expected):
    w, b = given
    return np.shape(w) == np.shape(expected[0]) and bool(
        np.allclose(w, expected[0], atol=1e-6) and np.allclose(b, expected[1], atol=1e-6)
    )


def _b_unchanged(w, b, X, y):
    return canonical(w, b, X, y)[0], b


def _unit_length(w, b, X, y):
    return w / np.linalg.norm(w), b / np.linalg.norm(w)


def _times_nearest(w, b, X, y):
    nearest = (y * (X @ w + b)).min()
    return w * nearest, b * nearest


def _by_the_distance(w, b, X, y):
    nearest = (y * (X @ w + b)).min() / np.linalg.norm(w)
    return w / nearest, b / nearest


check_canonical = Exercise(
    canonical,
    _canonical_cases,
    hints=[
        "Compute y f for every point. The smallest of them is to become 1.",
        "Multiplying w and b by λ multiplies every y f by λ. Which λ makes the smallest one 1?",
    ],
    mistakes=[
        Mistake(
            _b_unchanged, "b must be divided too, or the line moves and is another line altogether."
        ),
        Mistake(
            _unit_length,
            "you made ‖w‖ = 1. That is the other scale of this lesson; here the smallest y f is 1.",
        ),
        Mistake(_times_nearest, "you multiply by the smallest y f; divide by it."),
        Mistake(
            _by_the_distance,
            "you divide by the smallest distance y f/‖w‖; divide by the smallest y f.",
        ),
    ],
    same=_same_pair,
)


# ---- q_matrix -------------------------------------------------------------------------------


def q_matrix(X, y):
    return np.outer(y, y) * (X @ X.T)


def _q_cases() -> list[Case]:
    rng = np.random.default_rng(2)
    fixed = [
        (np.array([[1.0], [3.0]]), np.array([-1.0, 1.0])),
        (np.array([[1.0, 2.0], [3.0, 0.0], [-1.0, 1.0]]), np.array([1.0, -1.0, 1.0])),
    ]
    drawn = [
        (rng.normal(size=(n, d)), rng.choice([-1.0, 1.0], size=n)) for n, d in ((4, 2), (7, 5))
    ]
    return fixed + drawn


def _gram_only(X, y):
    return X @ X.T


def _one_label(X, y):
    return y[:, None] * (X @ X.T)


def _distances(X, y):
    return np.outer(y, y) * ((X[:, None] - X[None]) ** 2).sum(axis=2)


def _columns(X, y):
    Z = y[:, None] * X
    return Z.T @ Z


check_q_matrix = Exercise(
    q_matrix,
    _q_cases,
    hints=[
        "X @ X.T holds x_i·x_j for every pair; np.outer(y, y) holds y_i y_j.",
        "Multiply the two entry by entry, with *.",
    ],
    mistakes=[
        Mistake(_gram_only, "the labels are missing: each entry is y_i y_j x_i·x_j."),
        Mistake(_one_label, "only y_i is in it; each entry carries both labels, y_i y_j."),
        Mistake(_distances, "these are squared distances; Q wants inner products x_i·x_j."),
        Mistake(
            _columns,
            "you pair the columns of X; Q has a row and a column for each point: X @ X.T.",
        ),
    ],
)


# ---- from_alpha -----------------------------------------------------------------------------


def from_alpha(alpha, X, y):
    w = (alpha * y) @ X
    support = alpha > 0
    return w, np.mean(y[support] - X[support] @ w)


def _alpha_cases() -> list[Case]:
    rng = np.random.default_rng(3)
    cases: list[Case] = [
        (np.array([0.5, 0.5]), np.array([[0.0], [2.0]]), np.array([-1.0, 1.0])),
        (
            np.array([0.0, 0.5, 0.5]),
            np.array([[7.0], [2.0], [4.0]]),
            np.array([1.0, -1.0, 1.0]),
        ),
    ]
    for n, d in ((6, 2), (12, 2), (20, 3)):
        y = np.resize([1.0, -1.0], n)
        X = rng.normal(size=(n, d)) + 4 * y[:, None] + 1
        alpha = HardMarginSVC(tol=1e-9).fit(X, y).alpha_
        order = np.argsort(alpha, kind="stable")  # the first point is no support vector
        cases.append((alpha[order], X[order], y[order]))
    return cases


def _w_of(alpha, X, y):
    return (alpha * y) @ X


def _no_labels(alpha, X, y):
    w, support = alpha @ X, alpha > 0
    return w, np.mean(y[support] - X[support] @ w)


def _first_point(alpha, X, y):
    w = _w_of(alpha, X, y)
    return w, y[0] - X[0] @ w


def _all_points(alpha, X, y):
    w = _w_of(alpha, X, y)
    return w, np.mean(y - X @ w)


def _other_sign(alpha, X, y):
    w, b = from_alpha(alpha, X, y)
    return w, -b


check_from_alpha = Exercise(
    from_alpha,
    _alpha_cases,
    hints=[
        "w = Σ α_i y_i x_i: (alpha * y) @ X does the sum.",
        "A support vector (alpha > 0) stands on its kerb: y_i (w·x_i + b) = 1. As y_i is ±1, that "
        "means w·x_i + b = y_i. Solve for b, and take the mean over the support vectors.",
    ],
    mistakes=[
        Mistake(_no_labels, "the labels are missing in w = Σ α_i y_i x_i."),
        Mistake(
            _first_point,
            "you take b from the first point, which need not be a support vector. Only where "
            "alpha > 0 is y f = 1.",
        ),
        Mistake(
            _all_points,
            "you average y − w·x over all points; only support vectors (alpha > 0) have y f = 1.",
        ),
        Mistake(_other_sign, "the sign of b is wrong: from w·x + b = y follows b = y − w·x."),
    ],
    same=_same_pair,
)
