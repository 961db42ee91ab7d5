"""Exercises of 11_duality_and_slackness."""

from __future__ import annotations

from itertools import islice

import numpy as np

from mlcore.svm import smo_steps
from mllab.check.exercise import Case, Exercise, Mistake


def _problem(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """n points of two overlapping classes, y = ±1, both of them there."""
    y = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
    return rng.normal(size=(n, 2)) + 0.6 * y[:, None], y


def _solved(X: np.ndarray, y: np.ndarray, C: float) -> np.ndarray:
    alpha = np.zeros_like(y)
    for step in islice(smo_steps(X @ X.T, y, C, 1e-10, newton=True), 2000):
        alpha = step.alpha
    return alpha


# ---- from_alpha_alone -----------------------------------------------------------------------


def from_alpha_alone(alpha, C):
    return ["≥ 1" if a == 0 else "≤ 1" if a == C else "= 1" for a in alpha]


def _alone_cases() -> list[Case]:
    rng = np.random.default_rng(0)
    fixed = [([0.0], 1.0), ([0.5], 1.0), ([1.0], 1.0), ([0.0, 1.0, 2.0], 2.0), ([3.0, 0.0], 3.0)]
    drawn = []
    for C in (0.1, 0.5, 10.0, 40.0):
        drawn.append((C * np.clip(rng.normal(0.5, 0.7, size=8), 0, 1), C))
    return [(np.array(alpha), C) for alpha, C in fixed] + drawn


def _swapped(alpha, C):
    return ["≤ 1" if a == 0 else "≥ 1" if a == C else "= 1" for a in alpha]


def _all_on_the_margin(alpha, C):
    return ["≥ 1" if a == 0 else "= 1" for a in alpha]


def _every_one_violates(alpha, C):
    return ["≥ 1" if a == 0 else "≤ 1" for a in alpha]


def _as_if_c_were_one(alpha, C):
    return ["≥ 1" if a == 0 else "≤ 1" if a == 1 else "= 1" for a in alpha]


check_from_alpha_alone = Exercise(
    from_alpha_alone,
    _alone_cases,
    hints=[
        "Go through complementary slackness, α(yf − 1 + ξ) = 0 and (C − α)ξ = 0, once for α = 0, "
        "once for 0 < α < C and once for α = C.",
        "α = 0 makes (C − α)ξ = Cξ = 0, so ξ = 0, so yf ≥ 1. α > 0 makes yf = 1 − ξ ≤ 1.",
    ],
    mistakes=[
        Mistake(
            _swapped, "the ends are swapped: α = 0 costs nothing, that point is far enough away."
        ),
        Mistake(
            _all_on_the_margin,
            "that is true of the hard margin; with slack a point with α = C may lie inside the "
            "street or on the wrong side.",
        ),
        Mistake(
            _every_one_violates,
            "a free α, 0 < α < C, leaves no slack: β = C − α > 0 forces ξ = 0, so yf = 1.",
        ),
        Mistake(_as_if_c_were_one, "the upper bound is C, not 1."),
    ],
)


# ---- lagrangian_value -----------------------------------------------------------------------


def lagrangian_value(X, y, C, w, b, xi, alpha, beta):
    f = X @ w + b
    return 0.5 * w @ w + C * xi.sum() + alpha @ (1 - y * f - xi) - beta @ xi


def _lagrangian_cases() -> list[Case]:
    rng = np.random.default_rng(1)
    one = np.array([[1.0]]), np.array([1.0]), 2.0, np.array([0.5]), 0.0
    cases: list[Case] = [
        (*one, np.zeros(1), np.zeros(1), np.zeros(1)),
        (*one, np.array([0.5]), np.array([1.0]), np.array([1.0])),
        (*one, np.array([0.0]), np.array([1.0]), np.array([3.0])),
    ]
    for n in (2, 4, 7):
        X, y = _problem(rng, n)
        cases.append(
            (X, y, float(rng.uniform(0.5, 3)), rng.normal(size=2), 0.3, *rng.random((3, n)))
        )
    return cases


def _plus_beta(X, y, C, w, b, xi, alpha, beta):
    return lagrangian_value(X, y, C, w, b, xi, alpha, -beta)


def _constraint_turned(X, y, C, w, b, xi, alpha, beta):
    return lagrangian_value(X, y, C, w, b, xi, -alpha, beta)


def _slack_added(X, y, C, w, b, xi, alpha, beta):
    f = X @ w + b
    return 0.5 * w @ w + C * xi.sum() + alpha @ (1 - y * f + xi) - beta @ xi


def _without_half(X, y, C, w, b, xi, alpha, beta):
    return lagrangian_value(X, y, C, w, b, xi, alpha, beta) + 0.5 * w @ w


def _without_b(X, y, C, w, b, xi, alpha, beta):
    return lagrangian_value(X, y, C, w, 0.0, xi, alpha, beta)


check_lagrangian_value = Exercise(
    lagrangian_value,
    _lagrangian_cases,
    hints=[
        "Objective first: ½‖w‖² + CΣξ. Then each constraint, written as something ≤ 0, times its "
        "multiplier: α times (1 − yf − ξ), β times (−ξ).",
        "f = X @ w + b has all n values; alpha @ v is the sum Σ αᵢvᵢ.",
    ],
    mistakes=[
        Mistake(_plus_beta, "ξ ≥ 0 is −ξ ≤ 0: its term is − Σβξ. With + it would reward slack."),
        Mistake(
            _constraint_turned,
            "the sign of the α term is turned: a violated constraint, yf < 1 − ξ, must cost.",
        ),
        Mistake(_slack_added, "the constraint is yf ≥ 1 − ξ, so 1 − yf − ξ ≤ 0, with − ξ."),
        Mistake(_without_half, "½ is missing before ‖w‖²."),
        Mistake(_without_b, "f(x) = w·x + b: b is missing."),
    ],
)


# ---- duality_gap ----------------------------------------------------------------------------


def duality_gap(X, y, alpha, b, C):
    w = (alpha * y) @ X
    xi = np.maximum(0, 1 - y * (X @ w + b))
    primal = 0.5 * w @ w + C * xi.sum()
    dual = alpha.sum() - 0.5 * w @ w
    return primal - dual


def _gap_cases() -> list[Case]:
    rng = np.random.default_rng(2)
    X, y = np.array([[-1.0], [1.0]]), np.array([-1.0, 1.0])
    cases: list[Case] = [
        (X, y, np.zeros(2), 0.0, 1.0),
        (X, y, np.array([0.25, 0.25]), 0.0, 1.0),
        (X, y, np.array([0.5, 0.5]), 0.0, 1.0),
        (X, y, np.array([0.75, 0.75]), 0.5, 1.0),
    ]
    for n in (4, 6, 10):
        X, y = _problem(rng, n)
        C = float(rng.uniform(0.5, 3))
        alpha = _solved(X, y, C)
        cases.append((X, y, alpha, float(rng.normal()), C))
        cases.append((X, y, rng.uniform(0.3, 0.9) * alpha, float(rng.normal()), C))
    return cases


def _dual_without_half(X, y, alpha, b, C):
    w = (alpha * y) @ X
    return duality_gap(X, y, alpha, b, C) + 0.5 * w @ w


def _slack_not_clipped(X, y, alpha, b, C):
    w = (alpha * y) @ X
    xi = 1 - y * (X @ w + b)
    return w @ w + C * xi.sum() - alpha.sum()


def _without_c(X, y, alpha, b, C):
    return duality_gap(X, y, alpha, b, 1.0)


def _dual_minus_primal(X, y, alpha, b, C):
    return -duality_gap(X, y, alpha, b, C)


def _w_without_labels(X, y, alpha, b, C):
    w = alpha @ X
    xi = np.maximum(0, 1 - y * (X @ w + b))
    return w @ w + C * xi.sum() - alpha.sum()


check_duality_gap = Exercise(
    duality_gap,
    _gap_cases,
    hints=[
        "w = Σ αᵢyᵢxᵢ = (alpha * y) @ X. Then ξ = max(0, 1 − yf), primal ½‖w‖² + CΣξ, dual "
        "Σα − ½‖w‖².",
        "np.maximum(0, 1 - y * (X @ w + b)) is the slack of every point.",
    ],
    mistakes=[
        Mistake(_dual_without_half, "the dual is Σα − ½‖w‖²; you took off the whole ‖w‖²."),
        Mistake(
            _slack_not_clipped,
            "slack is never negative: ξ = max(0, 1 − yf). A point beyond its margin earns nothing.",
        ),
        Mistake(_without_c, "the slacks cost C each: CΣξ."),
        Mistake(_dual_minus_primal, "primal minus dual; yours has the opposite sign."),
        Mistake(_w_without_labels, "w = Σ αᵢyᵢxᵢ: the labels yᵢ are missing."),
    ],
)


# ---- slackness_violation --------------------------------------------------------------------


def slackness_violation(alpha, margins, C):
    xi = np.maximum(0, 1 - margins)
    first = np.abs(alpha * (1 - margins - xi))
    second = (C - alpha) * xi
    return max(first.max(), second.max())


def _slackness_cases() -> list[Case]:
    rng = np.random.default_rng(3)
    fixed = [
        ([0.0], [2.0], 1.0),
        ([1.0], [2.0], 1.0),
        ([0.5], [0.5], 1.0),
        ([1.0, 0.0], [-0.5, 3.0], 1.0),
        ([2.0, 0.5, 0.0], [0.2, 1.0, 1.5], 2.0),
        ([0.5, 0.25], [1.5, 3.0], 2.0),
    ]
    drawn = []
    for n in (3, 5, 9):
        C = float(rng.uniform(0.5, 4))
        drawn.append((C * rng.random(n), rng.normal(1, 1, size=n), C))
    return [(np.array(a), np.array(m), C) for a, m, C in fixed] + drawn


def _wrong_sign(alpha, margins, C):
    xi = np.maximum(0, 1 - margins)
    return max(np.abs(alpha * (1 - margins + xi)).max(), ((C - alpha) * xi).max())


def _first_only(alpha, margins, C):
    xi = np.maximum(0, 1 - margins)
    return np.abs(alpha * (1 - margins - xi)).max()


def _c_times_slack(alpha, margins, C):
    xi = np.maximum(0, 1 - margins)
    return max(np.abs(alpha * (1 - margins - xi)).max(), (C * xi).max())


def _hard_margin(alpha, margins, C):
    return np.abs(alpha * (1 - margins)).max()


check_slackness_violation = Exercise(
    slackness_violation,
    _slackness_cases,
    hints=[
        "ξ = max(0, 1 − yf). Then two products for each point: α(1 − yf − ξ), and βξ with "
        "β = C − α.",
        "Take absolute values, and the largest of all of them: a single number.",
    ],
    mistakes=[
        Mistake(_wrong_sign, "it is 1 − yf − ξ; with + ξ it is not 0 even at the optimum."),
        Mistake(_first_only, "there are two products; βξ with β = C − α is missing."),
        Mistake(
            _c_times_slack,
            "the second product is βξ with β = C − α, not Cξ: slack is allowed where α = C.",
        ),
        Mistake(
            _hard_margin, "that is the hard margin: points with slack may have 1 − yf > 0 here."
        ),
    ],
)


# ---- intercept_from_alpha -------------------------------------------------------------------


def intercept_from_alpha(X, y, alpha, C):
    b_i = y - X @ ((alpha * y) @ X)
    free = (alpha > 0) & (alpha < C)
    if free.any():
        return b_i[free].mean()
    at_least = np.where(y > 0, alpha == 0, alpha == C)  # points that ask b ≥ bᵢ
    return (b_i[at_least].max() + b_i[~at_least].min()) / 2


def _intercept_cases() -> list[Case]:
    rng = np.random.default_rng(4)
    X, y = np.array([[-1.0], [1.0]]), np.array([-1.0, 1.0])
    three = np.array([[0.0], [1.0], [3.0]]), np.array([-1.0, -1.0, 1.0])
    four = np.array([[-2.0], [-1.0], [1.0], [4.0]]), np.array([-1.0, -1.0, 1.0, 1.0])
    small = [(X, y, 0.1), (X, y, 1.0), (X + 2, y, 0.2), (*three, 1.0), (*four, 0.05)]
    problems = [(*_problem(rng, n), C) for n, C in ((6, 0.01), (8, 0.5), (12, 2.0), (20, 0.3))]
    return [(X, y, _solved(X, y, C), C) for X, y, C in small + problems]


def _over_support_vectors(X, y, alpha, C):
    return (y - X @ ((alpha * y) @ X))[alpha > 0].mean()


def _first_support_vector(X, y, alpha, C):
    return (y - X @ ((alpha * y) @ X))[alpha > 0][0]


def _over_all(X, y, alpha, C):
    return (y - X @ ((alpha * y) @ X)).mean()


def _zero_if_none_is_free(X, y, alpha, C):
    free = (alpha > 0) & (alpha < C)
    return intercept_from_alpha(X, y, alpha, C) if free.any() else 0.0


def _all_if_none_is_free(X, y, alpha, C):
    free = (alpha > 0) & (alpha < C)
    return intercept_from_alpha(X, y, alpha, C) if free.any() else _over_all(X, y, alpha, C)


def _to_six_digits(given, expected):
    return np.ndim(given) == 0 and bool(np.isclose(given, expected, rtol=1e-6, atol=1e-6))


check_intercept_from_alpha = Exercise(
    intercept_from_alpha,
    _intercept_cases,
    hints=[
        "bᵢ = yᵢ − w·xᵢ is the b that would put point i on its margin. A free point, 0 < α < C, is "
        "on its margin: take the mean of bᵢ over these.",
        "No free point: b must be at least bᵢ where y = +1 and α = 0, or y = −1 and α = C; and at "
        "most bᵢ for all the others. Take the middle between the largest of the first and the "
        "smallest of the second.",
    ],
    mistakes=[
        Mistake(
            _over_support_vectors,
            "you average over all support vectors; those with α = C are not on their margin, and "
            "their bᵢ is another number. Only 0 < α < C.",
        ),
        Mistake(
            _first_support_vector,
            "the first support vector may have α = C, and then it is not on its margin. Use those "
            "with 0 < α < C.",
        ),
        Mistake(_over_all, "you average over all points; only those with 0 < α < C are on theirs."),
        Mistake(
            _zero_if_none_is_free,
            "right wherever some α is free. If none is, b is not 0: it is any number of an "
            "interval, and its middle is wanted.",
        ),
        Mistake(
            _all_if_none_is_free,
            "right wherever some α is free. If none is, the mean of all bᵢ can fall outside the "
            "interval; take the middle of its two ends.",
        ),
    ],
    same=_to_six_digits,
)
