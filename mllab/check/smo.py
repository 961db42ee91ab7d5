"""Exercises of 12_smo."""

from __future__ import annotations

import numpy as np

from mlcore.kernels import rbf
from mllab.check.exercise import Case, Exercise, Mistake

# ---- box_bounds -----------------------------------------------------------------------------


def box_bounds(alpha_i, alpha_j, y_i, y_j, C):
    if y_i == y_j:
        return max(0, alpha_i + alpha_j - C), min(C, alpha_i + alpha_j)
    return max(0, alpha_j - alpha_i), min(C, C + alpha_j - alpha_i)


def _bounds_cases() -> list[Case]:
    rng = np.random.default_rng(0)
    fixed = [
        (0.0, 0.0, 1, -1, 1.0),
        (0.25, 0.5, 1, -1, 1.0),
        (0.25, 0.5, 1, 1, 1.0),
        (0.75, 0.5, -1, -1, 1.0),
        (0.75, 0.5, -1, 1, 1.0),
        (2.0, 0.5, 1, 1, 2.0),
    ]
    drawn = []
    for _ in range(12):
        C = float(rng.uniform(0.5, 5))
        signs = rng.choice([-1, 1], size=2)
        drawn.append((*(C * rng.random(2)), *signs, C))
    return fixed + drawn


def _labels_swapped(alpha_i, alpha_j, y_i, y_j, C):
    return box_bounds(alpha_i, alpha_j, y_i, -y_j, C)


def _whole_side(alpha_i, alpha_j, y_i, y_j, C):
    return 0, C


def _of_the_other(alpha_i, alpha_j, y_i, y_j, C):
    return box_bounds(alpha_j, alpha_i, y_j, y_i, C)


def _without_the_box(alpha_i, alpha_j, y_i, y_j, C):
    if y_i == y_j:
        return alpha_i + alpha_j - C, alpha_i + alpha_j
    return alpha_j - alpha_i, C + alpha_j - alpha_i


check_box_bounds = Exercise(
    box_bounds,
    _bounds_cases,
    hints=[
        "Equal labels keep αᵢ + αⱼ, unequal ones keep αⱼ − αᵢ. Draw the box and the diagonal.",
        "αⱼ must stay in [0, C], and so must αᵢ. Write αᵢ through αⱼ and the quantity that is "
        "kept: 0 ≤ αᵢ ≤ C then bounds αⱼ as well.",
    ],
    mistakes=[
        Mistake(
            _labels_swapped,
            "equal and unequal labels are swapped: equal ones keep the sum αᵢ + αⱼ.",
        ),
        Mistake(
            _whole_side,
            "αᵢ moves along with αⱼ and must stay in the box as well: not all of [0, C] is open.",
        ),
        Mistake(_of_the_other, "these are the bounds of αᵢ; those of αⱼ are wanted."),
        Mistake(
            _without_the_box,
            "that keeps αᵢ in [0, C] but lets αⱼ leave it: take max(0, …) for L and min(C, …) "
            "for H.",
        ),
    ],
)


# ---- clipped_step ---------------------------------------------------------------------------


def clipped_step(alpha_i, alpha_j, y_i, y_j, slope, eta, C):
    L, H = box_bounds(alpha_i, alpha_j, y_i, y_j, C)
    new_j = min(max(alpha_j - y_j * slope / eta, L), H)
    new_i = alpha_i + y_i * y_j * (alpha_j - new_j)
    return new_i, new_j


def _step_cases() -> list[Case]:
    rng = np.random.default_rng(1)
    fixed = [
        (0.0, 0.0, 1, -1, 2.0, 4.0, 1.0),
        (0.0, 0.0, 1, -1, 2.0, 0.5, 1.0),
        (0.25, 0.5, 1, 1, 0.5, 2.0, 1.0),
        (0.25, 0.5, -1, 1, 3.0, 1.0, 1.0),
        (0.75, 0.5, -1, -1, 3.0, 1.0, 1.0),
    ]
    drawn = []
    for _ in range(12):
        C = float(rng.uniform(0.5, 3))
        signs = rng.choice([-1, 1], size=2)
        slope, eta = float(rng.uniform(0.1, 2)), float(rng.uniform(0.5, 4))
        drawn.append((*(C * rng.random(2)), *signs, slope, eta, C))
    return fixed + drawn


def _not_clipped(alpha_i, alpha_j, y_i, y_j, slope, eta, C):
    return alpha_i + y_i * slope / eta, alpha_j - y_j * slope / eta


def _each_clipped_alone(alpha_i, alpha_j, y_i, y_j, slope, eta, C):
    new = _not_clipped(alpha_i, alpha_j, y_i, y_j, slope, eta, C)
    return tuple(np.clip(new, 0, C))


def _one_moves(alpha_i, alpha_j, y_i, y_j, slope, eta, C):
    return alpha_i, clipped_step(alpha_i, alpha_j, y_i, y_j, slope, eta, C)[1]


def _downhill(alpha_i, alpha_j, y_i, y_j, slope, eta, C):
    return clipped_step(alpha_i, alpha_j, y_i, y_j, -slope, eta, C)


def _label_forgotten(alpha_i, alpha_j, y_i, y_j, slope, eta, C):
    L, H = box_bounds(alpha_i, alpha_j, y_i, y_j, C)
    new_j = min(max(alpha_j - slope / eta, L), H)
    return alpha_i + y_i * y_j * (alpha_j - new_j), new_j


check_clipped_step = Exercise(
    clipped_step,
    _step_cases,
    hints=[
        "The top is at t = slope/η: αⱼ would become αⱼ − yⱼt. Clip that to [L, H].",
        "αᵢ follows from αⱼ: yᵢαᵢ + yⱼαⱼ must stay what it was, so αᵢ changes by "
        "yᵢyⱼ(old αⱼ − new αⱼ).",
    ],
    mistakes=[
        Mistake(
            _not_clipped, "the top of the parabola may lie outside the box: clip αⱼ to [L, H]."
        ),
        Mistake(
            _each_clipped_alone,
            "clipping each one alone leaves the diagonal: yᵢαᵢ + yⱼαⱼ is no longer what it was.",
        ),
        Mistake(_one_moves, "αⱼ is right, but αᵢ has to move as well to keep yᵢαᵢ + yⱼαⱼ."),
        Mistake(_downhill, "you walk down the parabola: αᵢ changes by +yᵢt and αⱼ by −yⱼt."),
        Mistake(_label_forgotten, "αⱼ changes by −yⱼt: the label yⱼ is missing."),
    ],
)


# ---- worst_pair -----------------------------------------------------------------------------


def worst_pair(b, alpha, y, C):
    rises = np.where(y > 0, alpha < C, alpha > 0)
    falls = np.where(y > 0, alpha > 0, alpha < C)
    i = np.where(rises, b, -np.inf).argmax()
    j = np.where(falls, b, np.inf).argmin()
    return i, j


def _pair_cases() -> list[Case]:
    rng = np.random.default_rng(2)
    cases: list[Case] = [
        (np.array([0.5, -0.5]), np.zeros(2), np.array([1.0, -1.0]), 1.0),
        (
            np.array([2.0, 1.0, -1.0, -2.0]),
            np.array([1.0, 0.5, 0.5, 1.0]),
            np.array([1.0, 1.0, -1.0, -1.0]),
            1.0,
        ),
    ]
    for n in (5, 8, 12, 20, 30, 30):
        y = np.r_[1.0, -1.0, rng.choice([-1.0, 1.0], size=n - 2)]
        alpha = np.clip(rng.uniform(-1, 3, size=n), 0, 2)
        alpha[:2] = 1.0  # both sets hold at least these
        cases.append((rng.normal(size=n), alpha, y, 2.0))
    return cases


def _box_ignored(b, alpha, y, C):
    return b.argmax(), b.argmin()


def _labels_ignored(b, alpha, y, C):
    return np.where(alpha < C, b, -np.inf).argmax(), np.where(alpha > 0, b, np.inf).argmin()


def _other_way_round(b, alpha, y, C):
    return worst_pair(b, alpha, y, C)[::-1]


def _only_free(b, alpha, y, C):
    free = (alpha > 0) & (alpha < C)
    return np.where(free, b, -np.inf).argmax(), np.where(free, b, np.inf).argmin()


check_worst_pair = Exercise(
    worst_pair,
    _pair_cases,
    hints=[
        "i has the largest b of those whose yα may still rise, j the smallest of those whose yα "
        "may still fall.",
        "yα may rise where α < C if y = +1, and where α > 0 if y = −1. np.where(may_rise, b, "
        "-np.inf) leaves the others no chance.",
    ],
    mistakes=[
        Mistake(
            _box_ignored,
            "a point whose α is at its bound may be unable to move that way; leave it out.",
        ),
        Mistake(
            _labels_ignored,
            "for y = −1 it is the other way round: yα rises when α falls, so it needs α > 0.",
        ),
        Mistake(_other_way_round, "the two are swapped: first the one that rises, then the other."),
        Mistake(
            _only_free,
            "not only free points may move: an α at 0 may go up, an α at C may go down.",
        ),
    ],
)


# ---- onto_feasible --------------------------------------------------------------------------


def onto_feasible(v, y, C):
    low, high = -np.abs(v).max() - C, np.abs(v).max() + C
    for _ in range(200):
        nu = (low + high) / 2
        if y @ np.clip(v - nu * y, 0, C) > 0:
            low = nu
        else:
            high = nu
    return np.clip(v - nu * y, 0, C)


def _projection_cases() -> list[Case]:
    rng = np.random.default_rng(3)
    cases: list[Case] = [
        (np.array([1.5, 0.25]), np.array([1.0, -1.0]), 1.0),
        (np.array([0.5, 0.5, 2.0]), np.array([1.0, -1.0, 1.0]), 1.0),
    ]
    for n in (4, 6, 10, 30):
        y = np.r_[1.0, -1.0, rng.choice([-1.0, 1.0], size=n - 2)]
        cases.append((rng.normal(1, 2, size=n), y, 2.0))
    return cases


def _near(given, expected):
    given = np.asarray(given, float)
    return given.shape == expected.shape and np.allclose(given, expected, rtol=0, atol=1e-6)


def _clip_only(v, y, C):
    return np.clip(v, 0, C)


def _onto_plane(v, y):
    return v - y * (y @ v) / len(y)


def _plane_then_box(v, y, C):
    return np.clip(_onto_plane(v, y), 0, C)


def _box_then_plane(v, y, C):
    return _onto_plane(np.clip(v, 0, C), y)


def _nu_without_label(v, y, C):
    low, high = -np.abs(v).max() - C, np.abs(v).max() + C
    for _ in range(200):
        nu = (low + high) / 2
        if y @ np.clip(v - nu, 0, C) > 0:
            low = nu
        else:
            high = nu
    return np.clip(v - nu, 0, C)


check_onto_feasible = Exercise(
    onto_feasible,
    _projection_cases,
    hints=[
        "Look for the ν with yᵀclip(v − νy, 0, C) = 0. This sum never rises with ν: halve an "
        "interval that begins where it is ≥ 0 and ends where it is ≤ 0.",
        "At ν = −max|v| − C every α of y = +1 is clipped to C and every other to 0; at "
        "ν = max|v| + C it is the other way round.",
        "Sixty halvings reach the last digit of ν.",
    ],
    mistakes=[
        Mistake(_clip_only, "that stays in the box but forgets yᵀα = 0."),
        Mistake(
            _plane_then_box,
            "after the clipping yᵀα = 0 is broken again. Clipping and shifting have to agree: "
            "look for ν.",
        ),
        Mistake(
            _box_then_plane,
            "after the shift some α have left the box again. Clipping and shifting have to "
            "agree: look for ν.",
        ),
        Mistake(_nu_without_label, "the shift is νy, not ν: along y, so signed by the label."),
    ],
    same=_near,
)


# ---- solve_dual -----------------------------------------------------------------------------


def solve_dual(K, y, C):
    alpha = np.zeros(len(y))
    for _ in range(100_000):
        b = y - K @ (alpha * y)
        i, j = worst_pair(b, alpha, y, C)
        if b[i] - b[j] <= 1e-8:
            break
        eta = K[i, i] + K[j, j] - 2 * K[i, j]
        alpha[i], alpha[j] = clipped_step(alpha[i], alpha[j], y[i], y[j], b[i] - b[j], eta, C)
    return alpha


def _dual_cases() -> list[Case]:
    rng = np.random.default_rng(4)
    cases: list[Case] = [
        (np.array([[2.0, 0.0], [0.0, 1.0]]), np.array([1.0, -1.0]), 5.0),
        (np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([1.0, -1.0]), 0.5),
    ]
    for n, C in ((4, 1.0), (8, 1.0), (12, 4.0), (16, 10.0)):
        X = rng.normal(size=(n, 2))
        y = np.where(X[:, 0] + 0.7 * rng.normal(size=n) > 0.3, 1.0, -1.0)
        y[:2] = 1.0, -1.0
        cases.append((rbf(X, X, 1.0) + 0.1 * np.eye(n), y, C))
    return cases


def _close(given, expected):
    given = np.asarray(given, float)
    return given.shape == expected.shape and np.allclose(given, expected, rtol=0, atol=1e-3)


def _one_at_a_time(K, y, C):
    alpha, Q = np.zeros(len(y)), K * np.outer(y, y)
    for _ in range(2000):
        for i in range(len(y)):
            alpha[i] = np.clip(alpha[i] + (1 - Q[i] @ alpha) / Q[i, i], 0, C)
    return alpha


def _no_ceiling(K, y, C):
    return solve_dual(K, y, 1e6)


def _sets_ignored(K, y, C):
    alpha = np.zeros(len(y))
    for _ in range(2000):
        b = y - K @ (alpha * y)
        i, j = b.argmax(), b.argmin()
        eta = K[i, i] + K[j, j] - 2 * K[i, j]
        new = clipped_step(alpha[i], alpha[j], y[i], y[j], b[i] - b[j], eta, C)
        if b[i] - b[j] <= 1e-8 or new == (alpha[i], alpha[j]):
            break
        alpha[i], alpha[j] = new
    return alpha


check_solve_dual = Exercise(
    solve_dual,
    _dual_cases,
    hints=[
        "Begin with α = 0. Again and again: b = y − K(αy), the worst pair, stop if "
        "b[i] − b[j] ≤ 1e-6, else the clipped step with η = K[i,i] + K[j,j] − 2K[i,j].",
        "Call your own worst_pair and clipped_step. Compute b anew in every step: it is not the "
        "quickest way, but it cannot go stale.",
    ],
    mistakes=[
        Mistake(
            _one_at_a_time,
            "you move one α at a time, which breaks yᵀα = 0: that is the machine without b.",
        ),
        Mistake(_no_ceiling, "no α may exceed C: the upper edge of the box is missing."),
        Mistake(
            _sets_ignored,
            "the pair is chosen without asking whether its α can still move that way: the run "
            "gets stuck at the first pair that cannot.",
        ),
    ],
    same=_close,
)
