"""Exercises of 10_soft_margin_svm."""

from __future__ import annotations

import numpy as np

from mllab.check.exercise import Case, Exercise, Mistake

# ---- hinge_of_score -------------------------------------------------------------------------


def hinge_of_score(y, f):
    return np.maximum(0, 1 - y * f)


def _score_cases() -> list[Case]:
    rng = np.random.default_rng(0)
    fixed = [
        (np.array([1.0]), np.array([0.3])),
        (np.array([-1.0]), np.array([-0.5])),
        (np.array([1.0, -1.0, 1.0]), np.array([2.0, 2.0, -0.5])),
        (np.array([-1.0, 1.0, -1.0]), np.array([0.0, 1.0, -3.0])),
    ]
    return fixed + [(rng.choice([-1.0, 1.0], size=n), 2 * rng.normal(size=n)) for n in (5, 20)]


def _perceptron_loss(y, f):
    return np.maximum(0, -y * f)


def _without_max(y, f):
    return 1 - y * f


def _plus_margin(y, f):
    return np.maximum(0, 1 + y * f)


def _without_label(y, f):
    return np.maximum(0, 1 - f)


def _zero_one(y, f):
    return np.where(y * f > 0, 0.0, 1.0)


check_hinge_of_score = Exercise(
    hinge_of_score,
    _score_cases,
    hints=[
        "The hinge looks at the margin y·f alone: it is 0 from 1 on, and rises by one for every "
        "unit below 1.",
        "np.maximum(a, b) takes the larger of the two entry by entry.",
    ],
    mistakes=[
        Mistake(
            _perceptron_loss,
            "your loss is 0 as soon as the point is on the right side. The hinge asks for more: "
            "it is 0 only from a margin of 1 on.",
        ),
        Mistake(_without_max, "a point beyond its margin gets no reward: the loss stops at 0."),
        Mistake(_plus_margin, "the sign is wrong: the loss falls as y·f grows."),
        Mistake(_without_label, "the label is missing: for y = −1 a score of −2 is good."),
        Mistake(_zero_one, "you count errors; the hinge says how large each one is."),
    ],
)


# ---- distance_to_margin ---------------------------------------------------------------------


def distance_to_margin(w, b, x, y):
    xi = max(0.0, 1 - y * (w @ x + b))
    return xi / np.linalg.norm(w)


def _distance_cases() -> list[Case]:
    rng = np.random.default_rng(1)
    fixed = [
        (np.array([2.0]), 0.0, np.array([0.0]), 1),
        (np.array([3.0, 4.0]), 0.0, np.array([0.0, 0.1]), 1),
        (np.array([3.0, 4.0]), 1.0, np.array([0.2, 0.0]), -1),
        (np.array([0.0, 0.5]), -0.5, np.array([7.0, 5.0]), 1),
        (np.array([0.0, 0.5]), -0.5, np.array([7.0, 5.0]), -1),
    ]
    drawn = [(rng.normal(size=d), rng.normal(), rng.normal(size=d), 1) for d in (2, 3, 3, 5)]
    return fixed + drawn


def _just_the_slack(w, b, x, y):
    return max(0.0, 1 - y * (w @ x + b))


def _to_the_boundary(w, b, x, y):
    return abs(w @ x + b) / np.linalg.norm(w)


def _by_the_square(w, b, x, y):
    return max(0.0, 1 - y * (w @ x + b)) / (w @ w)


def _also_beyond(w, b, x, y):
    return abs(1 - y * (w @ x + b)) / np.linalg.norm(w)


check_distance_to_margin = Exercise(
    distance_to_margin,
    _distance_cases,
    hints=[
        "The slack ξ = max(0, 1 − y(w·x + b)) says by how much the score falls short. One step of "
        "length 1 along w/‖w‖ changes the score by ‖w‖.",
        "So the distance is ξ/‖w‖; np.linalg.norm(w) is ‖w‖.",
    ],
    mistakes=[
        Mistake(
            _just_the_slack,
            "this is the slack ξ, counted in units of the score. As a distance it is ξ/‖w‖.",
        ),
        Mistake(
            _to_the_boundary,
            "this is the distance to the boundary f = 0; the margin of class y is the plane f = y.",
        ),
        Mistake(_by_the_square, "divide by ‖w‖, not by its square."),
        Mistake(_also_beyond, "a point beyond its margin has slack 0, and so no way to go."),
    ],
)


# ---- objective_subgradient ------------------------------------------------------------------


def objective_subgradient(X, y, C, w, b):
    short = 1 - y * (X @ w + b) > 0
    in_w = w - C * (y[short] @ X[short])
    in_b = -C * y[short].sum()
    return np.append(in_w, in_b)


def _subgradient_cases() -> list[Case]:
    rng = np.random.default_rng(2)
    fixed = [
        (np.array([[1.0]]), np.array([1.0]), 2.0, np.array([0.5]), 0.0),
        (np.array([[1.0], [-2.0]]), np.array([1.0, -1.0]), 3.0, np.array([0.7]), 0.1),
    ]
    drawn = []
    for n, d in ((4, 2), (10, 3), (30, 2)):
        y = np.tile([1.0, -1.0], n // 2)
        X = rng.normal(size=(n, d)) + 0.8 * y[:, None]
        drawn.append((X, y, float(rng.uniform(0.3, 3)), rng.normal(size=d), float(rng.normal())))
    return fixed + drawn


def _only_the_wrong_ones(X, y, C, w, b):
    wrong = y * (X @ w + b) < 0
    return np.append(w - C * (y[wrong] @ X[wrong]), -C * y[wrong].sum())


def _without_price(X, y, C, w, b):
    return objective_subgradient(X, y, 1.0, w, b)


def _uphill(X, y, C, w, b):
    short = 1 - y * (X @ w + b) > 0
    return np.append(w + C * (y[short] @ X[short]), C * y[short].sum())


def _penalised_intercept(X, y, C, w, b):
    return objective_subgradient(X, y, C, w, b) + np.append(np.zeros_like(w), b)


def _mean_for_sum(X, y, C, w, b):
    return objective_subgradient(X, y, C / len(y), w, b)


def _without_the_decay(X, y, C, w, b):
    return objective_subgradient(X, y, C, w, b) - np.append(w, 0.0)


check_objective_subgradient = Exercise(
    objective_subgradient,
    _subgradient_cases,
    hints=[
        "Only points with 1 − y f(x) > 0 push: short = 1 − y*(X@w + b) > 0 marks them.",
        "In w: w − C Σ y x over those points; in b: −C Σ y. np.append(in_w, in_b) joins the two.",
    ],
    mistakes=[
        Mistake(
            _only_the_wrong_ones,
            "you let only misclassified points push. Points inside the street, 0 < y f < 1, push "
            "too.",
        ),
        Mistake(_without_price, "C is missing in front of the sum."),
        Mistake(_uphill, "the sign of the sum is wrong: the loss falls when w moves along y x."),
        Mistake(_penalised_intercept, "b is not in ½‖w‖²: its part of the gradient has no b."),
        Mistake(_mean_for_sum, "the objective has the sum over the points, not their mean."),
        Mistake(_without_the_decay, "½‖w‖² has a gradient too: w."),
    ],
)


# ---- hinge_sgd ------------------------------------------------------------------------------


def hinge_sgd(X, y, C, etas):
    n = len(X)
    w, b = np.zeros(X.shape[1]), 0.0
    for t, eta in enumerate(etas):
        i = t % n
        short = 1 - y[i] * (w @ X[i] + b) > 0
        w = w - eta * (w / n - C * y[i] * X[i] * short)
        b = b + eta * C * y[i] * short
    return np.append(w, b)


def _sgd_cases() -> list[Case]:
    rng = np.random.default_rng(3)
    cases: list[Case] = [
        (np.array([[1.0]]), np.array([1.0]), 2.0, np.array([0.1])),
        (np.array([[1.0], [-1.0]]), np.array([1.0, -1.0]), 0.5, np.array([0.4, 0.3, 0.2])),
    ]
    for n, C in ((4, 0.5), (6, 2.0), (10, 5.0)):
        y = np.tile([1.0, -1.0], n // 2)
        X = rng.normal(size=(n, 2)) + 0.8 * y[:, None]
        cases.append((X, y, C, 1 / (2.0 + np.arange(4 * n))))
    return cases


def _loop(test, decay):
    """The loop with another test or another decay; `decay(w, b, n)` is what they lose."""

    def answer(X, y, C, etas):
        n = len(X)
        w, b = np.zeros(X.shape[1]), 0.0
        for t, eta in enumerate(etas):
            i = t % n
            short = test(y[i] * (w @ X[i] + b), C)
            lost_w, lost_b = decay(w, b, n)
            w = w - eta * (lost_w - C * y[i] * X[i] * short)
            b = b - eta * (lost_b - C * y[i] * short)
        return np.append(w, b)

    return answer


def _below_one(m, C):
    return 1 - m > 0


def _above_price(m, C):
    return 1 - m > C


def _right(w, b, n):
    return w / n, 0.0


def _decay_afterwards(X, y, C, etas):
    n = len(X)
    w, b = np.zeros(X.shape[1]), 0.0
    for t, eta in enumerate(etas):
        i = t % n
        if 1 - y[i] * (w @ X[i] + b) > 0:
            w, b = w + eta * C * y[i] * X[i], b + eta * C * y[i]
        w = w - eta * w / n
    return np.append(w, b)


check_hinge_sgd = Exercise(
    hinge_sgd,
    _sgd_cases,
    hints=[
        "Step t looks at point i = t % n. Its part of the objective is ‖w‖²/(2n) + C·hinge, with "
        "the gradient w/n − C y x if 1 − y f > 0, and w/n otherwise.",
        "b moves only when 1 − y f > 0: b ← b + η C y. Start from w = 0, b = 0 and return "
        "np.append(w, b).",
    ],
    mistakes=[
        Mistake(
            _loop(_above_price, _right),
            "the test compares 1 − y f with C. It must be > 0: C is the price, not the threshold.",
        ),
        Mistake(
            _loop(_below_one, lambda w, b, n: (w / (2 * n), 0.0)),
            "the decay is half of what it should be: the derivative of ‖w‖²/(2n) is w/n.",
        ),
        Mistake(
            _loop(_below_one, lambda w, b, n: (w, 0.0)),
            "w decays n times too fast: each point carries only 1/n of ½‖w‖².",
        ),
        Mistake(_loop(_below_one, lambda w, b, n: (0 * w, 0.0)), "w never decays: ½‖w‖² is lost."),
        Mistake(
            _loop(lambda m, C: m <= 0, _right),
            "you update on misclassified points only. The hinge is active up to y f = 1.",
        ),
        Mistake(
            _loop(_below_one, lambda w, b, n: (w / n, b / n)),
            "b does not decay: only w is in ½‖w‖².",
        ),
        Mistake(
            _decay_afterwards,
            "you decay the w that was just changed. That works as well in the end, but a gradient "
            "step takes both parts at the old w.",
        ),
    ],
)
