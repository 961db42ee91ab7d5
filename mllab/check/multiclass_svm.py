"""Exercises of 14_multiclass_svm."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from mllab.check.exercise import Case, Exercise, Mistake

# ---- surest_class ---------------------------------------------------------------------------


def surest_class(X, W, b):
    return np.argmax(X @ W.T + b, axis=1)


def _score_cases() -> list[Case]:
    rng = np.random.default_rng(0)
    one = np.array([[1.0, 0.0]]), np.array([[1.0, 0.0], [-2.0, 1.0], [0.0, 3.0]]), np.zeros(3)
    nobody = np.array([[0.5, 0.5], [-1.0, 2.0]]), -np.eye(2), np.array([-1.0, -2.0])
    shifted = np.zeros((2, 3)), np.ones((4, 3)), np.array([0.0, 1.0, 4.0, 2.0])
    drawn = [
        (rng.normal(size=(n, d)), rng.normal(size=(K, d)), rng.normal(size=K))
        for n, d, K in ((4, 2, 3), (6, 3, 4), (10, 5, 7))
    ]
    return [one, nobody, shifted, *drawn]


def _first_yes(X, W, b):
    return np.argmax(X @ W.T + b > 0, axis=1)


def _largest_size(X, W, b):
    return np.argmax(np.abs(X @ W.T + b), axis=1)


def _without_b(X, W, b):
    return np.argmax(X @ W.T, axis=1)


def _over_the_points(X, W, b):
    return np.argmax(X @ W.T + b, axis=0)


check_surest_class = Exercise(
    surest_class,
    _score_cases,
    hints=[
        "All scores at once are X @ W.T + b, one row a point and one column a class.",
        "np.argmax(..., axis=1) goes along the columns of each row.",
    ],
    mistakes=[
        Mistake(
            _first_yes,
            "you take the first class whose model says yes; where none or several do, that is "
            "wrong. Compare the scores themselves.",
        ),
        Mistake(
            _largest_size,
            "you compare the sizes of the scores; a score of −5 is a clear no. Leave abs out.",
        ),
        Mistake(_without_b, "the intercepts b are missing: fₖ(x) = wₖ·x + bₖ."),
        Mistake(_over_the_points, "axis=0 compares the points with each other; take axis=1."),
    ],
)


# ---- count_votes ----------------------------------------------------------------------------


def count_votes(f, K):
    votes = np.zeros(K, dtype=int)
    for score, (first, second) in zip(f, combinations(range(K), 2), strict=True):
        votes[second if score > 0 else first] += 1
    return votes


def _vote_cases() -> list[Case]:
    rng = np.random.default_rng(1)
    fixed = [
        ([1.0], 2),
        ([-1.0, -2.0, 0.5], 3),
        ([2.0, -0.1, 0.3], 3),
        ([0.2, 5.0, -0.4], 3),
        ([-3.0, 0.2, 0.1, 4.0, -1.0, 0.3], 4),
    ]
    drawn = [(rng.normal(size=K * (K - 1) // 2), K) for K in (4, 5, 7)]
    return [(np.array(f), K) for f, K in fixed + drawn]


def _first_for_second(f, K):
    return count_votes(-f, K)


def _sum_of_scores(f, K):
    votes = np.zeros(K)
    for score, (first, second) in zip(f, combinations(range(K), 2), strict=True):
        votes[second] += score
        votes[first] -= score
    return votes


def _wins_minus_losses(f, K):
    return 2 * count_votes(f, K) - (K - 1)


def _winner_only(f, K):
    return int(np.argmax(count_votes(f, K)))


check_count_votes = Exercise(
    count_votes,
    _vote_cases,
    hints=[
        "itertools.combinations(range(K), 2) yields the pairs (0, 1), (0, 2), …, (1, 2), … in the "
        "order of f.",
        "A score above 0 is one vote for the second class of its pair, any other for the first.",
    ],
    mistakes=[
        Mistake(_first_for_second, "a positive score is a vote for the second class of its pair."),
        Mistake(_sum_of_scores, "you add up the scores; a vote is 1, however clear it was."),
        Mistake(
            _wins_minus_losses,
            "a pair that is lost takes no vote away: count the wins only.",
        ),
        Mistake(_winner_only, "return the votes of all classes, not the winner alone."),
    ],
)


# ---- joint_hinge ----------------------------------------------------------------------------


def joint_hinge(F, y):
    rows = np.arange(len(y))
    right = F[rows, y]
    rivals = F.copy()
    rivals[rows, y] = -np.inf
    return np.maximum(0, 1 + rivals.max(axis=1) - right)


def _hinge_cases() -> list[Case]:
    rng = np.random.default_rng(2)
    fixed = [
        ([[2.0, 0.0]], [0]),
        ([[0.5, 0.0, -1.0]], [0]),
        ([[0.0, 0.4, 0.2], [3.0, 1.0, 2.5]], [2, 0]),
    ]
    drawn = [(2 * rng.normal(size=(n, K)), rng.integers(0, K, size=n)) for n, K in ((5, 3), (8, 5))]
    return [(np.array(F), np.array(y)) for F, y in fixed + drawn]


def _with_itself(F, y):
    return np.maximum(0, 1 + F.max(axis=1) - F[np.arange(len(y)), y])


def _all_rivals(F, y):
    rows = np.arange(len(y))
    each = np.maximum(0, 1 + F - F[rows, y][:, None])
    each[rows, y] = 0
    return each.sum(axis=1)


def _class_by_class(F, y):
    sign = np.where(np.arange(F.shape[1]) == y[:, None], 1, -1)
    return np.maximum(0, 1 - sign * F).sum(axis=1)


def _no_floor(F, y):
    rows = np.arange(len(y))
    rivals = F.copy()
    rivals[rows, y] = -np.inf
    return 1 + rivals.max(axis=1) - F[rows, y]


def _no_margin(F, y):
    return F.max(axis=1) - F[np.arange(len(y)), y]


check_joint_hinge = Exercise(
    joint_hinge,
    _hinge_cases,
    hints=[
        "F[np.arange(len(y)), y] holds the score of the right class of every row.",
        "Put −np.inf in its place in a copy of F: the maximum of a row is then the best rival.",
    ],
    mistakes=[
        Mistake(
            _with_itself,
            "your best rival may be the right class itself, which then costs 1 for nothing: leave "
            "it out of the maximum.",
        ),
        Mistake(
            _all_rivals,
            "you add up all rivals that come too close; here only the best rival counts.",
        ),
        Mistake(
            _class_by_class,
            "this is the sum of K binary hinges, as one-vs-rest has it; compare with the best "
            "rival instead.",
        ),
        Mistake(_no_floor, "a point that is right by more than 1 costs nothing: max(0, …)."),
        Mistake(_no_margin, "to lead is not enough, the lead must be 1: add the 1."),
    ],
)


# ---- onto_simplex ---------------------------------------------------------------------------


def onto_simplex(v, C):
    descending = np.sort(v)[::-1]
    thetas = (np.cumsum(descending) - C) / np.arange(1, len(v) + 1)
    theta = thetas[descending > thetas][-1]
    return np.maximum(v - theta, 0)


def _simplex_cases() -> list[Case]:
    rng = np.random.default_rng(3)
    fixed = [
        ([0.5, 0.5], 1.0),
        ([2.0, 0.0], 1.0),
        ([1.0, 0.8, -3.0], 1.0),
        ([0.2, 0.1, 0.0], 2.0),
        ([-1.0, -2.0, -1.5], 0.5),
    ]
    drawn = [(2 * rng.normal(size=K), C) for K, C in ((4, 1.0), (6, 3.0), (10, 0.5))]
    return [(np.array(v), C) for v, C in fixed + drawn]


def _shift_only(v, C):
    return v - (v.sum() - C) / len(v)


def _shift_then_clip(v, C):
    return np.maximum(_shift_only(v, C), 0)


def _clip_then_scale(v, C):
    positive = np.maximum(v, 0)
    return C * positive / max(positive.sum(), 1e-12)


def _winner_takes_all(v, C):
    return C * (np.arange(len(v)) == np.argmax(v))


check_onto_simplex = Exercise(
    onto_simplex,
    _simplex_cases,
    hints=[
        "The answer is np.maximum(v − θ, 0) with the one θ for which it sums to C.",
        "If the m largest entries stay positive, θ = (their sum − C) / m. Try every m: sort v in "
        "descending order and use np.cumsum.",
        "The right m is the last one for which the m-th largest entry is still above its θ.",
    ],
    mistakes=[
        Mistake(_shift_only, "the sum is right, but entries below 0 are not allowed."),
        Mistake(
            _shift_then_clip,
            "after clipping at 0 the sum is no longer C: find the θ for which it is, among the "
            "entries that stay positive.",
        ),
        Mistake(
            _clip_then_scale,
            "scaling leads to a point of the simplex, not to the nearest one: subtract one θ from "
            "all entries instead.",
        ),
        Mistake(
            _winner_takes_all, "this is a corner of the simplex; the nearest point is rarely one."
        ),
    ],
)
