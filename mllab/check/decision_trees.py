"""Exercises of 16_decision_trees."""

from __future__ import annotations

import numpy as np

from mllab.check.exercise import Case, Exercise, Mistake

# ---- gini_of --------------------------------------------------------------------------------


def gini_of(labels):
    p = np.bincount(labels) / len(labels)
    return 1 - np.sum(p**2)


def _label_cases() -> list[Case]:
    rng = np.random.default_rng(0)
    fixed = [[0], [0, 1], [1, 1, 1], [0, 0, 1], [0, 1, 2], [2, 2, 0, 0]]
    return [(np.array(labels),) for labels in fixed] + [
        (rng.integers(0, 4, size=size),) for size in (5, 12, 40)
    ]


def _sum_of_squares(labels):
    p = np.bincount(labels) / len(labels)
    return np.sum(p**2)


def _counts_for_proportions(labels):
    return 1 - np.sum(np.bincount(labels) ** 2)


def _share_wrong(labels):
    return 1 - np.max(np.bincount(labels)) / len(labels)


def _one_class_only(labels):
    p = np.mean(labels == labels[0])
    return p * (1 - p)


check_gini_of = Exercise(
    gini_of,
    _label_cases,
    hints=[
        "np.bincount(labels) counts every class; divided by len(labels) these are the proportions.",
        "Q = 1 − Σ p², equation (3).",
    ],
    mistakes=[
        Mistake(_sum_of_squares, "Σ p² is the purity, largest for a pure set; Q is 1 − Σ p²."),
        Mistake(
            _counts_for_proportions,
            "you square the counts; divide them by the number of labels first.",
        ),
        Mistake(
            _share_wrong, "1 − max p is the share of wrong answers; Gini is 1 minus the sum of p²."
        ),
        Mistake(
            _one_class_only, "p(1 − p) of one class is only one term; add those of all classes."
        ),
    ],
)


# ---- entropy_of -----------------------------------------------------------------------------


def entropy_of(p):
    p = p[p > 0]
    return -np.sum(p * np.log(p))


def _proportion_cases() -> list[Case]:
    rng = np.random.default_rng(1)
    fixed = [[0.5, 0.5], [1.0, 0.0], [0.25, 0.75], [0.5, 0.25, 0.25, 0.0]]
    return [(np.array(p),) for p in fixed] + [(rng.dirichlet(np.ones(K)),) for K in (2, 3, 6)]


def _without_care_for_zero(p):
    with np.errstate(all="ignore"):
        return -np.sum(p * np.log(p))


def _in_bits(p):
    p = p[p > 0]
    return -np.sum(p * np.log2(p))


def _plus_sign(p):
    p = p[p > 0]
    return np.sum(p * np.log(p))


def _same_number(given, expected):
    given = float(given)
    if np.isnan(given) or np.isnan(expected):
        return bool(np.isnan(given) and np.isnan(expected))
    return bool(np.isclose(given, expected, rtol=1e-9, atol=1e-9))


check_entropy_of = Exercise(
    entropy_of,
    _proportion_cases,
    hints=[
        "Classes with p = 0 add nothing: keep p[p > 0] and sum −p ln p over those.",
        "np.log is the natural logarithm.",
    ],
    mistakes=[
        Mistake(
            _without_care_for_zero,
            "0 · ln 0 comes out as nan here; it counts as 0. Leave the classes with p = 0 out.",
        ),
        Mistake(_in_bits, "you took the logarithm to base 2 (bits); np.log is the natural one."),
        Mistake(_plus_sign, "ln p is negative for p < 1: the sum needs a minus sign."),
    ],
    same=_same_number,
)


# ---- gain_of_split --------------------------------------------------------------------------


def gain_of_split(y, left):
    gain = gini_of(y)
    for part in (y[left], y[~left]):
        if len(part):
            gain -= len(part) / len(y) * gini_of(part)
    return gain


def _split_cases() -> list[Case]:
    rng = np.random.default_rng(2)
    fixed = [
        ([0, 1], [True, False]),
        ([0, 0, 1], [True, True, False]),
        ([0, 0, 1], [True, False, False]),
        ([0, 1, 0, 1, 1, 1], [True, False, False, False, True, False]),
        ([0, 1, 1], [True, True, True]),
    ]
    drawn = [(rng.integers(0, 3, size=n), rng.random(n) < 0.3) for n in (8, 20, 50)]
    return [(np.array(y), np.array(left)) for y, left in fixed + drawn]


def _unweighted_parts(y, left):
    parts = [gini_of(part) for part in (y[left], y[~left]) if len(part)]
    return gini_of(y) - np.mean(parts)


def _plain_sum(y, left):
    return gini_of(y) - sum(gini_of(part) for part in (y[left], y[~left]) if len(part))


def _after_only(y, left):
    return gini_of(y) - gain_of_split(y, left)


def _left_only(y, left):
    return gini_of(y) - np.mean(left) * gini_of(y[left])


def _empty_part(y, left):
    with np.errstate(all="ignore"):
        shares = [np.bincount(part, minlength=1) / len(part) for part in (y[left], y[~left])]
    weights = np.mean(left), np.mean(~left)
    return gini_of(y) - sum(w * (1 - np.sum(p**2)) for w, p in zip(weights, shares, strict=True))


check_gain_of_split = Exercise(
    gain_of_split,
    _split_cases,
    hints=[
        "Q before, minus the impurity of each part times its share of the points: equation (5).",
        "y[left] are the labels of one part, y[~left] those of the other; len(part) / len(y) is "
        "its weight.",
        "A part without points adds nothing: skip it.",
    ],
    mistakes=[
        Mistake(
            _unweighted_parts,
            "you count both parts alike; weigh each by its share of the points, "
            "len(part) / len(y).",
        ),
        Mistake(
            _plain_sum,
            "you subtract both impurities in full; each counts with its share of the points.",
        ),
        Mistake(
            _after_only,
            "this is the impurity after the split; the gain is the impurity before minus that.",
        ),
        Mistake(_left_only, "the right part is missing: y[~left]."),
        Mistake(_empty_part, "a part without points must add 0; yours divides by zero there."),
    ],
    same=_same_number,
)


# ---- best_cut -------------------------------------------------------------------------------


def best_cut(x, y):
    order = np.argsort(x, kind="stable")
    x, y, n = x[order], y[order], len(x)
    left = np.cumsum(np.eye(y.max() + 1)[y], axis=0)[:-1]
    right = np.bincount(y) - left
    n_left = np.arange(1, n)
    purity = (left**2).sum(axis=1) / n_left + (right**2).sum(axis=1) / (n - n_left)
    purity[x[:-1] == x[1:]] = -np.inf
    i = purity.argmax()
    return (x[i] + x[i + 1]) / 2


def _cut_cases() -> list[Case]:
    rng = np.random.default_rng(3)
    cases = [
        ([1.0, 2.0], [0, 1]),
        ([3.0, 1.0, 2.0], [1, 0, 0]),
        ([0.0, 1.0, 2.0, 2.0, 4.0], [0, 0, 0, 1, 1]),
        ([0.0, 1.0, 1.0, 1.0, 5.0, 6.0], [0, 0, 1, 1, 0, 0]),
        ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], [0, 0, 1, 0, 1, 1, 1]),
    ]
    for n in (10, 15, 25, 40):
        x = rng.integers(0, 12, size=n).astype(float)
        cases.append((x, np.r_[0, 1, 2, (x[3:] + rng.normal(scale=4, size=n - 3) > 6)].astype(int)))
    return [(np.array(x), np.array(y)) for x, y in cases]


def _at_a_value(x, y):
    return np.max(x[x < best_cut(x, y)])


def _between_equals(x, y):
    order = np.argsort(x, kind="stable")
    x, y, n = x[order], y[order], len(x)
    left = np.cumsum(np.eye(y.max() + 1)[y], axis=0)[:-1]
    right, n_left = np.bincount(y) - left, np.arange(1, n)
    purity = (left**2).sum(axis=1) / n_left + (right**2).sum(axis=1) / (n - n_left)
    i = purity.argmax()
    return (x[i] + x[i + 1]) / 2


def _unsorted_labels(x, y):
    n = len(x)
    s = np.sort(x)
    left = np.cumsum(np.eye(y.max() + 1)[y], axis=0)[:-1]
    right, n_left = np.bincount(y) - left, np.arange(1, n)
    purity = (left**2).sum(axis=1) / n_left + (right**2).sum(axis=1) / (n - n_left)
    purity[s[:-1] == s[1:]] = -np.inf
    i = purity.argmax()
    return (s[i] + s[i + 1]) / 2


def _not_divided(x, y):
    order = np.argsort(x, kind="stable")
    x, y = x[order], y[order]
    left = np.cumsum(np.eye(y.max() + 1)[y], axis=0)[:-1]
    right = np.bincount(y) - left
    purity = (left**2).sum(axis=1) + (right**2).sum(axis=1)
    purity[x[:-1] == x[1:]] = -np.inf
    i = purity.argmax()
    return (x[i] + x[i + 1]) / 2


check_best_cut = Exercise(
    best_cut,
    _cut_cases,
    hints=[
        "Sort x, and y along with it. np.eye(K)[y] has a row with a single 1 for every label; its "
        "cumulative sum down the rows counts the classes left of every cut.",
        "By (6) the best cut has the largest Σ L²/|L| + Σ R²/|R|, with R = np.bincount(y) − L.",
        "Where two neighbours are equal there is no cut: put −np.inf there before argmax.",
    ],
    mistakes=[
        Mistake(
            _at_a_value,
            "your threshold lies on a value of the data; take the middle between the two "
            "neighbours.",
        ),
        Mistake(
            _between_equals,
            "you cut between two equal values, which no threshold can do. Rule those cuts out.",
        ),
        Mistake(_unsorted_labels, "you sorted x but not y: the labels must travel along."),
        Mistake(
            _not_divided,
            "divide each sum of squares by the size of its part, as in (6); otherwise the largest "
            "part always looks pure.",
        ),
    ],
)


# ---- path_of --------------------------------------------------------------------------------


def path_of(x, feature, threshold, left, right):
    nodes = [0]
    while feature[nodes[-1]] >= 0:
        node = nodes[-1]
        nodes.append(right[node] if x[feature[node]] > threshold[node] else left[node])
    return nodes


def _tree_arrays() -> Case:
    feature = np.array([0, 1, -1, -1, 0, -1, -1])
    threshold = np.array([1.0, 2.0, np.nan, np.nan, 0.0, np.nan, np.nan])
    left = np.array([1, 3, -1, -1, 5, -1, -1])
    right = np.array([2, 4, -1, -1, 6, -1, -1])
    return feature, threshold, left, right


def _path_cases() -> list[Case]:
    leaf = np.array([-1]), np.array([np.nan]), np.array([-1]), np.array([-1])
    places = [[3.0, 0.0], [0.0, 0.0], [1.0, 5.0], [-1.0, 3.0], [0.5, 2.0], [0.5, 2.5], [2.0, 9.0]]
    first = [(np.array([0.0, 0.0]), *leaf)]
    return first + [(np.array(x), *_tree_arrays()) for x in places]


def _same_path(given, expected):
    return np.array_equal(np.asarray(given).ravel(), expected)


def _equal_goes_right(x, feature, threshold, left, right):
    nodes = [0]
    while feature[nodes[-1]] >= 0:
        node = nodes[-1]
        nodes.append(left[node] if x[feature[node]] < threshold[node] else right[node])
    return nodes


def _swapped(x, feature, threshold, left, right):
    return path_of(x, feature, threshold, right, left)


def _without_the_leaf(x, feature, threshold, left, right):
    return path_of(x, feature, threshold, left, right)[:-1]


def _leaf_only(x, feature, threshold, left, right):
    return path_of(x, feature, threshold, left, right)[-1:]


check_path_of = Exercise(
    path_of,
    _path_cases,
    hints=[
        "Start with nodes = [0]. While feature[node] >= 0 the node asks a question: append the "
        "child that the answer leads to.",
        "The question of a node is x[feature[node]] > threshold[node]: true goes right, false "
        "left. A leaf has feature −1.",
    ],
    mistakes=[
        Mistake(
            _equal_goes_right,
            "a value equal to the threshold goes left: only x > θ goes to the right.",
        ),
        Mistake(_swapped, "left and right are swapped: x > θ is true goes right."),
        Mistake(_without_the_leaf, "the path ends in its leaf; yours stops one node before."),
        Mistake(_leaf_only, "the whole path is wanted, from the root on, not the leaf alone."),
    ],
    same=_same_path,
)
