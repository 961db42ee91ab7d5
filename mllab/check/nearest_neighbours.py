"""Exercises of 01_nearest_neighbours."""

from __future__ import annotations

import numpy as np

from mlcore.neighbors import squared_distances
from mllab.check.exercise import Case, Exercise, Mistake

# ---- majority_vote --------------------------------------------------------------------------


def majority_vote(labels):
    values, counts = np.unique(labels, return_counts=True)
    return values[counts.argmax()]


def _vote_cases() -> list[Case]:
    rng = np.random.default_rng(0)
    fixed = [[1], [0, 1, 1], [2, 2, 0], [1, 0], [3, 1, 3, 1, 2], [0, 0, 5]]
    return [(np.array(labels),) for labels in fixed] + [
        (rng.integers(0, 4, size=size),) for size in (5, 9, 15, 15, 30)
    ]


def _nearest_only(labels):
    return labels[0]


def _most_votes(labels):
    return np.bincount(labels).max()


def _rounded_mean(labels):
    return round(np.mean(labels))


def _last_of_a_tie(labels):
    values, counts = np.unique(labels, return_counts=True)
    return values[len(counts) - 1 - counts[::-1].argmax()]


check_majority_vote = Exercise(
    majority_vote,
    _vote_cases,
    hints=[
        "np.unique(labels, return_counts=True) returns the distinct labels, sorted, and how often "
        "each occurs.",
        "counts.argmax() is the place of the largest count, the first of equals.",
    ],
    mistakes=[
        Mistake(
            _nearest_only, "all k neighbours vote; you return the label of the first one only."
        ),
        Mistake(_most_votes, "you return how many votes the winner got, not which label it is."),
        Mistake(
            _rounded_mean,
            "labels are names, not amounts: their mean says nothing. Count how often each occurs.",
        ),
        Mistake(
            _last_of_a_tie, "in a tie the smallest label wins; you return the largest of them."
        ),
    ],
)


# ---- all_distances --------------------------------------------------------------------------


def all_distances(X, Z):
    squared = (X**2).sum(axis=1)[:, None] + (Z**2).sum(axis=1) - 2 * X @ Z.T
    return np.sqrt(np.maximum(squared, 0))


def _distance_cases() -> list[Case]:
    rng = np.random.default_rng(1)
    one = np.array([[0.0, 0.0]]), np.array([[3.0, 4.0]])
    two = np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([[0.0, 2.0], [1.0, 0.0], [4.0, 4.0]])
    shapes = ((3, 2, 1), (4, 5, 3), (6, 6, 2))
    drawn = [(rng.normal(size=(n, d)), rng.normal(size=(m, d))) for n, m, d in shapes]
    return [one, two, *drawn]


def _without_root(X, Z):
    return squared_distances(X, Z)


def _transposed(X, Z):
    return all_distances(Z, X)


def _plus_the_product(X, Z):
    return np.sqrt((X**2).sum(axis=1)[:, None] + (Z**2).sum(axis=1) + 2 * X @ Z.T)


def _one_product(X, Z):
    squared = (X**2).sum(axis=1)[:, None] + (Z**2).sum(axis=1) - X @ Z.T
    return np.sqrt(np.maximum(squared, 0))


def _row_by_row(X, Z):
    return np.sqrt(((X - Z) ** 2).sum(axis=1))


check_all_distances = Exercise(
    all_distances,
    _distance_cases,
    hints=[
        "‖x − z‖² = ‖x‖² + ‖z‖² − 2 x·z. All products x·z at once: X @ Z.T, of shape (n, m).",
        "(X**2).sum(axis=1)[:, None] is a column of n numbers; adding a row of m numbers to it "
        "gives an (n, m) table.",
        "Rounding can leave a tiny negative number where the distance is 0: np.maximum(…, 0) "
        "before the root.",
    ],
    mistakes=[
        Mistake(_without_root, "these are the squared distances; the root is missing."),
        Mistake(_transposed, "your table is transposed: row i belongs to X[i], column j to Z[j]."),
        Mistake(_plus_the_product, "the sign of the product is wrong: it is − 2 x·z."),
        Mistake(_one_product, "the product counts twice: it is − 2 x·z, not − x·z."),
        Mistake(
            _row_by_row,
            "you pair row i of X with row i of Z; every row of X is wanted with every row of Z.",
        ),
    ],
)


# ---- balanced_vote --------------------------------------------------------------------------


def balanced_vote(labels, class_sizes):
    votes = np.bincount(labels, minlength=len(class_sizes)) / class_sizes
    return votes.argmax()


def _balanced_cases() -> list[Case]:
    rng = np.random.default_rng(2)
    fixed = [
        (np.array([0]), np.array([5, 5])),
        (np.array([0, 0, 1]), np.array([100, 10])),
        (np.array([0, 0, 0, 1]), np.array([20, 10])),
        (np.array([0, 1, 2, 2]), np.array([4, 40, 20])),
        (np.array([1, 1, 0]), np.array([30, 30])),
    ]
    drawn = [(rng.integers(0, 3, size=9), rng.integers(5, 200, size=3)) for _ in range(12)]
    return fixed + drawn


def _unweighted(labels, class_sizes):
    return np.bincount(labels, minlength=len(class_sizes)).argmax()


def _times_size(labels, class_sizes):
    return (np.bincount(labels, minlength=len(class_sizes)) * class_sizes).argmax()


def _smallest_class(labels, class_sizes):
    present = np.unique(labels)
    return present[np.asarray(class_sizes)[present].argmin()]


check_balanced_vote = Exercise(
    balanced_vote,
    _balanced_cases,
    hints=[
        "A vote of class c is worth 1/class_sizes[c]: divide the count of each class by its size.",
        "np.bincount(labels, minlength=len(class_sizes)) counts every class, also those that got "
        "no vote.",
    ],
    mistakes=[
        Mistake(_unweighted, "you count every vote as 1; a vote of class c is worth 1/(its size)."),
        Mistake(_times_size, "you multiply by the size of the class; divide by it."),
        Mistake(
            _smallest_class,
            "the smallest class does not always win: the number of votes still counts.",
        ),
    ],
)


# ---- condensed ------------------------------------------------------------------------------


def condensed(X, y):
    P = [0]
    changed = True
    while changed:
        changed = False
        for i in range(len(X)):
            nearest = P[((X[P] - X[i]) ** 2).sum(axis=1).argmin()]
            if i not in P and y[nearest] != y[i]:
                P.append(i)
                changed = True
    return np.array(P)


def _condensed_cases() -> list[Case]:
    rng = np.random.default_rng(3)
    cases: list[Case] = [
        (np.array([[0.0], [1.0]]), np.array([0, 1])),
        (np.array([[0.0], [0.4], [3.0], [1.4], [2.0]]), np.array([0, 0, 1, 1, 0])),
    ]
    for n in (12, 30, 60):
        X = rng.normal(size=(n, 2))
        cases.append((X, (np.hypot(*X.T) > 1).astype(int)))
    return cases


def _same_prototypes(given, expected):
    return np.array_equal(np.asarray(given).ravel(), expected)


def _stops_at_one_a_class(X, y):
    P = [0]
    for i in range(len(X)):
        nearest = P[((X[P] - X[i]) ** 2).sum(axis=1).argmin()]
        if y[nearest] != y[i]:
            P.append(i)
        if len(np.unique(y[P])) == len(np.unique(y)):
            break
    return np.array(P)


def _one_sweep(X, y):
    P = [0]
    for i in range(len(X)):
        nearest = P[((X[P] - X[i]) ** 2).sum(axis=1).argmin()]
        if y[nearest] != y[i]:
            P.append(i)
    return np.array(P)


def _keeps_the_right_ones(X, y):
    P = [0]
    for i in range(1, len(X)):
        nearest = P[((X[P] - X[i]) ** 2).sum(axis=1).argmin()]
        if y[nearest] == y[i]:
            P.append(i)
    return np.array(P)


check_condensed = Exercise(
    condensed,
    _condensed_cases,
    hints=[
        "Start with P = [0]. Go through the points in order; if the nearest point of P has another "
        "label, append the point to P. Begin again until a whole sweep appends nothing.",
        "The nearest prototype of X[i] is P[((X[P] - X[i])**2).sum(axis=1).argmin()].",
    ],
    mistakes=[
        Mistake(
            _stops_at_one_a_class,
            "you stop as soon as every class has a prototype. Go on until a whole sweep adds none.",
        ),
        Mistake(
            _one_sweep,
            "one sweep is not enough: a late prototype can take an early point away from its "
            "class. Sweep again until nothing is added.",
        ),
        Mistake(
            _keeps_the_right_ones,
            "you keep the points that are classified right already; keep the ones that are wrong.",
        ),
    ],
    same=_same_prototypes,
)
