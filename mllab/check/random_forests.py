"""Exercises of 18_random_forests."""

from __future__ import annotations

import numpy as np

from mllab.check.exercise import Case, Exercise, Mistake

# ---- node_features --------------------------------------------------------------------------


def node_features(key, c):
    return np.sort(np.argsort(key, axis=1)[:, :c], axis=1)


def _node_cases() -> list[Case]:
    rng = np.random.default_rng(0)
    two = np.array([[0.3, 0.1, 0.2], [0.2, 0.9, 0.7]])
    drawn = [(rng.random((nodes, d)), c) for nodes, d, c in ((3, 4, 2), (5, 6, 3), (8, 12, 4))]
    return [(two, 1), (two, 2), *drawn]


def _once_a_tree(key, c):
    return np.tile(np.sort(np.argsort(key[0])[:c]), (len(key), 1))


def _largest_keys(key, c):
    return np.sort(np.argsort(-key, axis=1)[:, :c], axis=1)


def _in_order_of_key(key, c):
    return np.argsort(key, axis=1)[:, :c]


def _the_keys_themselves(key, c):
    return np.sort(key, axis=1)[:, :c]


def _once_a_feature(key, c):
    return np.sort(np.argsort(key, axis=0)[:, :c], axis=1)


check_node_features = Exercise(
    node_features,
    _node_cases,
    hints=[
        "np.argsort(key, axis=1) lists, for every row, the features from the smallest key to the "
        "largest. The first c of them are the draw.",
        "np.sort(…, axis=1) puts the features of each node in increasing order.",
    ],
    mistakes=[
        Mistake(
            _once_a_tree,
            "you draw once and use it for all nodes, so the tree never sees the other features. "
            "Every node draws for itself: row i of key belongs to node i.",
        ),
        Mistake(_largest_keys, "you take the c largest keys of each row; take the smallest."),
        Mistake(
            _in_order_of_key,
            "the right features, but in the order of their keys; sort each row.",
        ),
        Mistake(
            _the_keys_themselves,
            "you return the keys; wanted are the numbers of the features (np.argsort).",
        ),
        Mistake(
            _once_a_feature,
            "you sort along the nodes (axis=0); sort along the features of each node (axis=1).",
        ),
    ],
)


# ---- product_of_trees -----------------------------------------------------------------------


def product_of_trees(P, prior):
    log_p = np.log(P).sum(axis=0) - (len(P) - 1) * np.log(prior)
    p = np.exp(log_p - log_p.max())
    return p / p.sum()


def _product_cases() -> list[Case]:
    rng = np.random.default_rng(1)
    cases: list[Case] = [
        (np.array([[0.7, 0.3]]), np.array([0.9, 0.1])),
        (np.array([[0.7, 0.3], [0.6, 0.4]]), np.array([0.9, 0.1])),
        (np.array([[0.2, 0.8], [0.4, 0.6], [0.9, 0.1]]), np.array([0.5, 0.5])),
    ]
    for m, K in ((4, 3), (10, 3), (2000, 2)):  # the last one is too long for a plain product
        prior = rng.dirichlet(np.full(K, 5.0))
        near = prior if m > 100 else np.ones(K)
        cases.append((rng.dirichlet(40 * near, size=m), prior))
    return cases


def _same_or_both_nan(given, expected):
    given = np.asarray(given)
    alike = given.shape == expected.shape
    return alike and np.allclose(given, expected, rtol=1e-7, atol=1e-9, equal_nan=True)


def _normalised(log_p):
    p = np.exp(log_p - log_p.max())
    return p / p.sum()


def _prior_in_every_tree(P, prior):
    return _normalised(np.log(P).sum(axis=0))


def _prior_divided_out_of_all(P, prior):
    return _normalised(np.log(P).sum(axis=0) - len(P) * np.log(prior))


def _prior_multiplied(P, prior):
    return _normalised(np.log(P).sum(axis=0) + np.log(prior))


def _plain_product(P, prior):
    with np.errstate(all="ignore"):
        p = np.prod(P, axis=0) / prior ** (len(P) - 1)
        return p / p.sum()


def _mean_of_trees(P, prior):
    return P.mean(axis=0)


def _not_normalised(P, prior):
    return np.exp(np.log(P).sum(axis=0) - (len(P) - 1) * np.log(prior))


check_product_of_trees = Exercise(
    product_of_trees,
    _product_cases,
    hints=[
        "log p(c|x) = Σₜ log pₜ(c|x) − (m − 1) log p(c) + a constant that is the same for every c.",
        "Subtract the largest of the K logarithms before np.exp: then one term is e⁰ = 1 and "
        "nothing vanishes. The constant cancels when you divide by the sum.",
    ],
    mistakes=[
        Mistake(
            _prior_in_every_tree,
            "every pₜ contains the prior, so your product counts it m times. Subtract "
            "(m − 1) log p(c).",
        ),
        Mistake(
            _prior_divided_out_of_all,
            "you divide the prior out of all m trees; it should stay in once: m − 1 times.",
        ),
        Mistake(
            _prior_multiplied,
            "the prior is already in every pₜ; you multiply it in once more. Divide m − 1 out.",
        ),
        Mistake(
            _plain_product,
            "with thousands of trees the product of probabilities is rounded to 0. Add "
            "logarithms, subtract the largest, then np.exp.",
        ),
        Mistake(_mean_of_trees, "this is the mean of the trees; the product is wanted."),
        Mistake(_not_normalised, "your probabilities do not sum to 1: divide by their sum."),
    ],
    same=_same_or_both_nan,
)


# ---- oob_vote -------------------------------------------------------------------------------


def oob_vote(bags, votes, K):
    n = votes.shape[1]
    answer = np.full(n, -1)
    for i in range(n):
        unseen = [t for t in range(len(bags)) if i not in bags[t]]
        if unseen:
            answer[i] = np.bincount(votes[unseen, i], minlength=K).argmax()
    return answer


def _oob_cases() -> list[Case]:
    rng = np.random.default_rng(2)
    cases: list[Case] = [
        (np.array([[0, 0], [1, 1]]), np.array([[0, 1], [1, 0]]), 2),
        (
            np.array([[0, 1, 1], [0, 2, 2], [0, 0, 1]]),
            np.array([[0, 0, 1], [1, 1, 0], [1, 0, 1]]),
            2,
        ),
    ]
    for m, n, K in ((5, 6, 2), (9, 8, 3), (15, 20, 4)):
        cases.append((rng.integers(n, size=(m, n)), rng.integers(K, size=(m, n)), K))
    return cases


def _count_votes(bags, votes, K, asked, nobody=-1):
    """The winner among the trees t for which asked(i, bags[t]) holds."""
    n = votes.shape[1]
    answer = np.full(n, nobody)
    for i in range(n):
        who = [t for t in range(len(bags)) if asked(i, bags[t])]
        if who:
            answer[i] = np.bincount(votes[who, i], minlength=K).argmax()
    return answer


def _everybody_votes(bags, votes, K):
    return _count_votes(bags, votes, K, lambda i, bag: True)


def _in_the_bag(bags, votes, K):
    return _count_votes(bags, votes, K, lambda i, bag: i in bag)


def _zero_for_nobody(bags, votes, K):
    return _count_votes(bags, votes, K, lambda i, bag: i not in bag, nobody=0)


def _drawn_at_most_once(bags, votes, K):
    return _count_votes(bags, votes, K, lambda i, bag: np.sum(bag == i) <= 1)


check_oob_vote = Exercise(
    oob_vote,
    _oob_cases,
    hints=[
        "For each sample i collect the trees t with `i not in bags[t]`; only they may vote.",
        "np.bincount(votes[those, i], minlength=K).argmax() is their most frequent class, the "
        "smallest of equals. If there is no such tree, the answer is -1.",
    ],
    mistakes=[
        Mistake(
            _everybody_votes,
            "all trees vote, also those that were trained on the sample: they know it by heart.",
        ),
        Mistake(
            _in_the_bag,
            "you ask the trees that have seen the sample; ask those that have not.",
        ),
        Mistake(
            _zero_for_nobody,
            "a sample that is in every bag has no vote: answer -1, not class 0.",
        ),
        Mistake(
            _drawn_at_most_once,
            "a sample that was drawn once has been seen; only trees without it may vote.",
        ),
    ],
)


# ---- shuffled_drop --------------------------------------------------------------------------


def shuffled_drop(predict, X, y, j, order):
    shuffled = X.copy()
    shuffled[:, j] = X[order, j]
    return np.mean(predict(X) == y) - np.mean(predict(shuffled) == y)


def _first_column_decides(X):
    return (X[:, 0] > 0).astype(int)


def _sum_decides(X):
    return (X[:, 0] + 0.5 * X[:, -1] > 0).astype(int)


def _drop_cases() -> list[Case]:
    rng = np.random.default_rng(3)
    four = np.array([[-1.0, 1.0], [-2.0, -1.0], [1.0, 2.0], [2.0, -2.0]])
    label = np.array([0, 0, 1, 1])
    cases: list[Case] = [
        (_first_column_decides, four, label, 0, np.array([2, 1, 0, 3])),
        (_first_column_decides, four, label, 1, np.array([2, 1, 0, 3])),
    ]
    for n, d, j in ((12, 2, 0), (30, 3, 2), (40, 4, 0), (40, 4, 3)):
        X = rng.normal(size=(n, d))
        y = (X[:, 0] + X[:, -1] > rng.normal(size=n)).astype(int)
        cases.append((_sum_decides, X, y, j, rng.permutation(n)))
    return cases


def _wrong_sign(predict, X, y, j, order):
    return -shuffled_drop(predict, X, y, j, order)


def _only_after(predict, X, y, j, order):
    return np.mean(predict(X) == y) - shuffled_drop(predict, X, y, j, order)


def _whole_rows(predict, X, y, j, order):
    return np.mean(predict(X) == y) - np.mean(predict(X[order]) == y)


def _set_to_zero(predict, X, y, j, order):
    erased = X.copy()
    erased[:, j] = 0
    return np.mean(predict(X) == y) - np.mean(predict(erased) == y)


def _in_place(predict, X, y, j, order):
    X[:, j] = X[order, j]
    return np.mean(predict(X) == y) - np.mean(predict(X) == y)


check_shuffled_drop = Exercise(
    shuffled_drop,
    _drop_cases,
    hints=[
        "Copy X, put X[order, j] into column j of the copy, and leave the other columns alone.",
        "np.mean(predict(X) == y) is the accuracy; subtract the accuracy on the copy.",
    ],
    mistakes=[
        Mistake(_wrong_sign, "the sign is turned around: accuracy before minus accuracy after."),
        Mistake(
            _only_after,
            "this is the accuracy after shuffling; wanted is how much it fell.",
        ),
        Mistake(
            _whole_rows,
            "you shuffle whole rows, so every column loses its tie to y. Shuffle column j only.",
        ),
        Mistake(
            _set_to_zero,
            "you erase the column; shuffled, it keeps its values and loses only their order.",
        ),
        Mistake(
            _in_place,
            "you change X itself, so both accuracies are measured after shuffling. Copy it first.",
        ),
    ],
)
