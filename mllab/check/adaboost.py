"""Exercises of 19_adaboost."""

from __future__ import annotations

import numpy as np

from mllab.check.exercise import Case, Exercise, Mistake

# ---- weighted_error -------------------------------------------------------------------------


def weighted_error(w, y, predicted):
    return w[predicted != y].sum() / w.sum()


def _error_cases() -> list[Case]:
    rng = np.random.default_rng(0)
    fixed = [
        (np.array([0.5, 0.3, 0.2]), np.array([1, 1, -1]), np.array([1, -1, -1])),
        (np.array([1.0, 2.0, 3.0, 4.0]), np.array([1, -1, 1, -1]), np.array([1, -1, -1, 1])),
        (np.array([0.25, 0.75]), np.array([1, -1]), np.array([1, -1])),
    ]
    drawn = [
        (rng.exponential(size=n), rng.choice([-1, 1], n), rng.choice([-1, 1], n))
        for n in (5, 8, 20, 50)
    ]
    return fixed + drawn


def _unweighted(w, y, predicted):
    return np.mean(predicted != y)


def _weight_of_the_right(w, y, predicted):
    return w[predicted == y].sum() / w.sum()


def _not_divided(w, y, predicted):
    return w[predicted != y].sum()


def _mean_weight(w, y, predicted):
    return w[predicted != y].sum() / len(w)


check_weighted_error = Exercise(
    weighted_error,
    _error_cases,
    hints=[
        "Add up the weights of the samples that are wrong, and divide by the sum of all weights.",
        "predicted != y is an array of True and False; w[predicted != y] holds the weights of the "
        "wrong ones.",
    ],
    mistakes=[
        Mistake(_unweighted, "you count the wrong samples; add up their weights instead."),
        Mistake(_weight_of_the_right, "that is the weight of the samples that are right."),
        Mistake(_not_divided, "the weights need not sum to 1: divide by w.sum()."),
        Mistake(_mean_weight, "divide by the sum of the weights, not by how many there are."),
    ],
)


# ---- say ------------------------------------------------------------------------------------


def say(epsilon):
    return 0.5 * np.log((1 - epsilon) / epsilon)


def _say_cases() -> list[Case]:
    rng = np.random.default_rng(1)
    return [(e,) for e in (0.4, 0.5, 0.1, 0.7, *rng.uniform(0.02, 0.98, 6))]


def _full_log(epsilon):
    return np.log((1 - epsilon) / epsilon)


def _upside_down(epsilon):
    return 0.5 * np.log(epsilon / (1 - epsilon))


def _base_ten(epsilon):
    return 0.5 * np.log10((1 - epsilon) / epsilon)


def _accuracy_only(epsilon):
    return 0.5 - epsilon


check_say = Exercise(
    say,
    _say_cases,
    hints=["α = ½ ln((1−ε)/ε), equation (3); the natural logarithm is np.log."],
    mistakes=[
        Mistake(
            _full_log,
            "that is the other convention, twice as large. Here the ½ belongs to the formula.",
        ),
        Mistake(
            _upside_down, "the fraction is upside down: a small error must give a positive say."
        ),
        Mistake(_base_ten, "the logarithm is the natural one: np.log, not np.log10."),
        Mistake(_accuracy_only, "½ − ε is the edge γ; the say is ½ ln((1−ε)/ε)."),
    ],
)


# ---- multiplied -----------------------------------------------------------------------------


def multiplied(D, wrong, full_log):
    epsilon = D[wrong].sum()
    alpha = np.log((1 - epsilon) / epsilon)
    if full_log:
        return np.where(wrong, D * np.exp(alpha), D)
    return np.where(wrong, D * np.exp(alpha / 2), D * np.exp(-alpha / 2))


def _multiplied_cases() -> list[Case]:
    rng = np.random.default_rng(2)
    few = np.array([0.25, 0.25, 0.25, 0.25]), np.array([True, False, False, False])
    five = np.array([0.1, 0.4, 0.2, 0.2, 0.1]), np.array([False, True, False, False, True])
    cases: list[Case] = [(*few, False), (*few, True), (*five, False)]
    for n, full in ((6, False), (6, True), (15, False), (30, True)):
        D = rng.exponential(size=n)
        cases.append((D / D.sum(), np.arange(n) % 3 == 0, full))
    return cases


def _log_ratio(D, wrong, share):
    epsilon = D[wrong].sum()
    return share * np.log((1 - epsilon) / epsilon)


def _mixed(D, wrong, full_log):
    alpha = _log_ratio(D, wrong, 1 if full_log else 0.5)
    return np.where(wrong, D * np.exp(alpha), D * np.exp(-alpha))


def _never_shrinks(D, wrong, full_log):
    return np.where(wrong, D * np.exp(_log_ratio(D, wrong, 1 if full_log else 0.5)), D)


def _normalised(D, wrong, full_log):
    D = multiplied(D, wrong, full_log)
    return D / D.sum()


def _other_way_round(D, wrong, full_log):
    alpha = _log_ratio(D, wrong, 1 if full_log else 0.5)
    return np.where(wrong, D if full_log else D * np.exp(-alpha), D * np.exp(alpha))


def _unweighted_epsilon(D, wrong, full_log):
    alpha = np.log((1 - wrong.mean()) / wrong.mean())
    if full_log:
        return np.where(wrong, D * np.exp(alpha), D)
    return np.where(wrong, D * np.exp(alpha / 2), D * np.exp(-alpha / 2))


check_multiplied = Exercise(
    multiplied,
    _multiplied_cases,
    hints=[
        "ε is the weight of the wrong samples, D[wrong].sum(). With full_log, α = ln((1−ε)/ε) and "
        "only the wrong ones change; otherwise α is half of that and all change.",
        "np.where(wrong, D * np.exp(alpha), D * np.exp(-alpha)) multiplies both ways at once.",
    ],
    mistakes=[
        Mistake(
            _mixed,
            "you mix the conventions: with the full logarithm the right samples keep their "
            "weights.",
        ),
        Mistake(
            _never_shrinks,
            "with the half logarithm the right samples shrink by e^−α; yours stay as they are.",
        ),
        Mistake(_normalised, "you divide by the sum already; here the products are asked for."),
        Mistake(_other_way_round, "the wrong samples must grow, not the right ones."),
        Mistake(
            _unweighted_epsilon, "ε is the weight of the wrong samples, not their share in number."
        ),
    ],
)


# ---- error_bound ----------------------------------------------------------------------------


def error_bound(errors):
    return np.cumprod(2 * np.sqrt(errors * (1 - errors)))


def _bound_cases() -> list[Case]:
    rng = np.random.default_rng(3)
    fixed = [np.array([0.2]), np.array([0.5, 0.1]), np.array([0.3, 0.3, 0.4])]
    return [(errors,) for errors in (*fixed, *(rng.uniform(0.05, 0.5, T) for T in (4, 10, 40)))]


def _without_two(errors):
    return np.cumprod(np.sqrt(errors * (1 - errors)))


def _two_once(errors):
    return 2 * np.cumprod(np.sqrt(errors * (1 - errors)))


def _last_only(errors):
    return np.prod(2 * np.sqrt(errors * (1 - errors)))


def _product_of_errors(errors):
    return np.cumprod(errors)


def _no_root(errors):
    return np.cumprod(4 * errors * (1 - errors))


def _exponential(errors):
    return np.exp(-2 * np.cumsum((0.5 - errors) ** 2))


check_error_bound = Exercise(
    error_bound,
    _bound_cases,
    hints=[
        "Each round contributes the factor Z = 2√(ε(1−ε)); the bound after round t is the product "
        "of the first t factors.",
        "np.cumprod returns all partial products at once.",
    ],
    mistakes=[
        Mistake(
            _without_two, "each factor is 2√(ε(1−ε)): the 2 is missing, and the bound is false."
        ),
        Mistake(_two_once, "the 2 belongs to every factor, not once in front of the product."),
        Mistake(_last_only, "the bound after every round is wanted, not only after the last one."),
        Mistake(_product_of_errors, "that is the product of the errors; a factor is 2√(ε(1−ε))."),
        Mistake(_no_root, "the root is missing: 4ε(1−ε) is the square of the factor."),
        Mistake(
            _exponential,
            "exp(−2Σγ²) is a bound too, but a looser one; the product itself is asked for.",
        ),
    ],
)


# ---- boost ----------------------------------------------------------------------------------


def boost(H, y, T):
    D = np.full(len(y), 1 / len(y))
    F = np.zeros(len(y))
    for _ in range(T):
        wrong = y[:, None] != H
        errors = D @ wrong
        j = errors.argmin()
        alpha = 0.5 * np.log((1 - errors[j]) / errors[j])
        F = F + alpha * H[:, j]
        D = D * np.exp(np.where(wrong[:, j], alpha, -alpha))
        D = D / D.sum()
    return F


def _boost_cases() -> list[Case]:
    rng = np.random.default_rng(4)
    y = np.array([1, 1, 1, -1, -1, -1, -1])
    H = np.tile(y[:, None], 3)
    H[[0], 0] *= -1
    H[[1, 3], 1] *= -1
    H[[2, 4, 5], 2] *= -1
    cases: list[Case] = [(H, y, 1), (H, y, 2), (H, y, 3)]
    for n, m, T in ((20, 6, 4), (40, 10, 8), (60, 12, 15)):
        y = rng.choice([-1, 1], n)
        flips = rng.random((n, m)) < rng.uniform(0.2, 0.4, m)
        flips[:m, :] |= np.eye(m, dtype=bool)  # nobody is perfect
        cases.append((np.where(flips, -y[:, None], y[:, None]), y, T))
    return cases


def _never_reweights(H, y, T):
    return T * boost(H, y, 1)


def _no_new_choice(H, y, T):
    return boost(H[:, [(y[:, None] != H).sum(axis=0).argmin()]], y, 1)


def _last_round_only(H, y, T):
    return boost(H, y, T) - (boost(H, y, T - 1) if T > 1 else 0)


def _equal_say(H, y, T):
    D, F = np.full(len(y), 1 / len(y)), np.zeros(len(y))
    for _ in range(T):
        wrong = y[:, None] != H
        j = (D @ wrong).argmin()
        epsilon = D @ wrong[:, j]
        F = F + H[:, j]
        D = np.where(wrong[:, j], D / (2 * epsilon), D / (2 - 2 * epsilon))
    return F


def _full_logarithm(H, y, T):
    return 2 * boost(H, y, T)


def _sign_only(H, y, T):
    return np.sign(boost(H, y, T))


check_boost = Exercise(
    boost,
    _boost_cases,
    hints=[
        "Begin with D = 1/n and F = 0. A round: weighted error of every column, the best column j, "
        "its α, F += α H[:, j], then reweight and normalise D.",
        "wrong = y[:, None] != H is an (n, m) table, and D @ wrong holds all m weighted errors.",
    ],
    mistakes=[
        Mistake(
            _never_reweights,
            "every round chooses the same column: D must change between the rounds.",
        ),
        Mistake(
            _no_new_choice,
            "you reweight, but do not choose again: the old column has error ½ then, and α = 0.",
        ),
        Mistake(_last_round_only, "F is the sum over all rounds; you return the last term alone."),
        Mistake(_equal_say, "the columns do not vote equally: each counts with its α."),
        Mistake(_full_logarithm, "your F is twice as large: α = ½ ln((1−ε)/ε), with the ½."),
        Mistake(_sign_only, "return F itself, not its sign."),
    ],
)
