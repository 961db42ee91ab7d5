"""Exercises of 17_bagging."""

from __future__ import annotations

import numpy as np

from mllab.check.exercise import Case, Exercise, Mistake

# ---- in_bag -----------------------------------------------------------------------------------


def in_bag(n):
    return 1 - (1 - 1 / n) ** n


def _in_bag_cases() -> list[Case]:
    return [(n,) for n in (1, 2, 5, 30, 1000)]


def _left_out(n):
    return (1 - 1 / n) ** n


def _one_draw(n):
    return 1 / n


def _limit(n):
    return 1 - np.exp(-1)


def _sum_of_chances(n):
    return n * (1 / n)


check_in_bag = Exercise(
    in_bag,
    _in_bag_cases,
    hints=[
        "Ask first for the chance that one draw misses the sample, then that all n draws miss it.",
        "One draw misses it with chance 1 − 1/n; the draws are independent.",
    ],
    mistakes=[
        Mistake(_left_out, "that is the chance of being left out; one minus it is wanted."),
        Mistake(_one_draw, "1/n is the chance for one draw; a bag takes n draws."),
        Mistake(_limit, "1 − 1/e is the limit for large n; here n counts."),
        Mistake(
            _sum_of_chances,
            "chances add up only for events that exclude each other, and a sample can be drawn "
            "twice. Multiply the chances of being missed.",
        ),
    ],
)


# ---- variance_of_average ----------------------------------------------------------------------


def variance_of_average(s2, rho, m):
    return rho * s2 + (1 - rho) * s2 / m


def _variance_cases() -> list[Case]:
    rng = np.random.default_rng(0)
    fixed = [(1.0, 0.0, 4), (1.0, 1.0, 4), (4.0, 0.5, 1), (2.0, 0.25, 10)]
    return fixed + [
        (rng.uniform(0.1, 5), rng.uniform(), int(rng.integers(2, 60))) for _ in range(6)
    ]


def _as_if_independent(s2, rho, m):
    return s2 / m


def _swapped(s2, rho, m):
    return (1 - rho) * s2 + rho * s2 / m


def _over_m_squared(s2, rho, m):
    return rho * s2 + (1 - rho) * s2 / m**2


def _without_s2(s2, rho, m):
    return rho + (1 - rho) / m


def _m_pairs(s2, rho, m):
    return (m * s2 + m * rho * s2) / m**2


check_variance_of_average = Exercise(
    variance_of_average,
    _variance_cases,
    hints=[
        "The variance of a sum is the sum of all m² covariances; the average divides it by m².",
        "m of the m² covariances are variances s²; the other m(m − 1) are ρs².",
    ],
    mistakes=[
        Mistake(_as_if_independent, "s²/m holds only for ρ = 0; the covariances are missing."),
        Mistake(_swapped, "the parts are swapped: what the models share, ρs², does not shrink."),
        Mistake(_over_m_squared, "the second part falls like 1/m, not like 1/m²."),
        Mistake(_without_s2, "the scale is missing: both parts are multiples of s²."),
        Mistake(_m_pairs, "each model meets m − 1 others: m(m − 1) covariances, not m."),
    ],
)


# ---- bootstrap --------------------------------------------------------------------------------


def bootstrap(n, m, seed):
    rng = np.random.default_rng(seed)
    return rng.integers(n, size=(m, n))


def _bootstrap_cases() -> list[Case]:
    return [(3, 1, 0), (4, 2, 1), (5, 3, 2), (10, 4, 3), (50, 6, 4)]


def _without_replacement(n, m, seed):
    rng = np.random.default_rng(seed)
    return np.array([rng.permutation(n) for _ in range(m)])


def _the_same_bag(n, m, seed):
    return np.array([np.random.default_rng(seed).integers(n, size=n) for _ in range(m)])


def _never_the_last(n, m, seed):
    return np.random.default_rng(seed).integers(n - 1, size=(m, n))


def _counted_from_one(n, m, seed):
    return np.random.default_rng(seed).integers(1, n + 1, size=(m, n))


def _bags_of_m(n, m, seed):
    return np.random.default_rng(seed).integers(n, size=(n, m))


check_bootstrap = Exercise(
    bootstrap,
    _bootstrap_cases,
    hints=[
        "rng.integers(n, size=…) draws whole numbers from 0 to n − 1, each as likely, with "
        "replacement.",
        "The result has m rows, one for each bag, and n columns: size=(m, n).",
    ],
    mistakes=[
        Mistake(
            _without_replacement,
            "a permutation draws without replacement: every bag is the whole data set again.",
        ),
        Mistake(
            _the_same_bag,
            "all your bags are the same one: make the generator once, before the loop.",
        ),
        Mistake(
            _never_the_last,
            "rng.integers(k) stops before k already: with n − 1 the last sample is never drawn.",
        ),
        Mistake(_counted_from_one, "the samples are numbered from 0 to n − 1."),
        Mistake(_bags_of_m, "a row is a bag: m rows of n draws."),
    ],
)


# ---- sign_vote ---------------------------------------------------------------------------------


def sign_vote(H):
    return np.where(H.mean(axis=0) >= 0, 1, -1)


def _sign_vote_cases() -> list[Case]:
    rng = np.random.default_rng(5)
    fixed = [[[1]], [[1, -1], [1, -1], [-1, -1]], [[1, -1], [-1, -1]]]
    drawn = [rng.choice([-1, 1], size=size) for size in ((4, 6), (5, 8), (2, 9), (25, 12))]
    return [(np.array(H),) for H in fixed] + [(H,) for H in drawn]


def _sign_of_zero(H):
    return np.sign(H.mean(axis=0)).astype(int)


def _above_a_half(H):
    return np.where(H.mean(axis=0) >= 0.5, 1, -1)


def _across(H):
    return np.where(H.mean(axis=1) >= 0, 1, -1)


def _no_sign(H):
    return H.mean(axis=0)


check_sign_vote = Exercise(
    sign_vote,
    _sign_vote_cases,
    hints=[
        "Take the mean over the models (rows), then compare with the threshold that fits labels "
        "−1 and +1.",
        "np.where(condition, 1, -1) has no third answer.",
    ],
    mistakes=[
        Mistake(
            _sign_of_zero, "np.sign answers 0 in a tie, which is no label; a tie counts as +1."
        ),
        Mistake(_above_a_half, "½ is the threshold for labels 0 and 1; for −1 and +1 it is 0."),
        Mistake(_across, "a column is a sample: average over the models, axis 0."),
        Mistake(_no_sign, "that is the mean of the votes; the label is its sign."),
    ],
)


# ---- out_of_bag -------------------------------------------------------------------------------


def out_of_bag(F, bags, y):
    m, n = F.shape
    out = np.ones((m, n), dtype=bool)
    for t in range(m):
        out[t, bags[t]] = False
    judged = out.any(axis=0)
    f = (F * out).sum(axis=0)[judged] / out.sum(axis=0)[judged]
    return np.mean((y[judged] - f) ** 2)


def _oob_cases() -> list[Case]:
    rng = np.random.default_rng(7)
    small = (
        np.array([[1.0, 2.0, 4.0], [3.0, 2.0, 0.0]]),
        np.array([[0, 0, 1], [1, 2, 1]]),
        np.array([1.0, 2.0, 3.0]),
    )
    drawn = []
    for n, m in ((5, 2), (8, 6), (20, 4), (20, 30)):
        y = rng.normal(size=n)
        drawn.append((y + 0.5 * rng.normal(size=(m, n)), rng.integers(n, size=(m, n)), y))
    return [small, *drawn]


def _is_out(bags: np.ndarray) -> np.ndarray:
    return np.array([[i not in bag for i in range(bags.shape[1])] for bag in bags])


def _all_models(F, bags, y):
    return np.mean((y - F.mean(axis=0)) ** 2)


def _in_the_bag(F, bags, y):
    inside = ~_is_out(bags)
    seen = inside.any(axis=0)
    f = (F * inside).sum(axis=0)[seen] / inside.sum(axis=0)[seen]
    return np.mean((y[seen] - f) ** 2)


def _mean_of_errors(F, bags, y):
    return np.mean((y - F)[_is_out(bags)] ** 2)


def _over_all_models(F, bags, y):
    out = _is_out(bags)
    judged = out.any(axis=0)
    return np.mean((y - (F * out).mean(axis=0))[judged] ** 2)


def _nobody_says_zero(F, bags, y):
    out = _is_out(bags)
    f = (F * out).sum(axis=0) / np.maximum(out.sum(axis=0), 1)
    return np.mean((y - f) ** 2)


check_out_of_bag = Exercise(
    out_of_bag,
    _oob_cases,
    hints=[
        "Make a table out of shape (m, n): True where sample i is not in bag t. Start with all "
        "True and set out[t, bags[t]] = False.",
        "For each sample average F over the models that have not seen it: "
        "(F * out).sum(axis=0) / out.sum(axis=0).",
        "A sample that is in every bag has no judge: leave it out of the mean.",
    ],
    mistakes=[
        Mistake(
            _all_models,
            "every model may speak in yours, also those that were trained on the sample. Ask only "
            "the models whose bag does not hold it.",
        ),
        Mistake(_in_the_bag, "you ask the models that have seen the sample; ask the others."),
        Mistake(
            _mean_of_errors,
            "you average the errors of single models. Average their predictions first: it is the "
            "average that is to be judged.",
        ),
        Mistake(
            _over_all_models,
            "divide by the number of models that have not seen the sample, not by m.",
        ),
        Mistake(
            _nobody_says_zero,
            "a sample that is in every bag counts as predicted 0 in yours; leave it out.",
        ),
    ],
)
