"""How good is it: numbers that judge a prediction, a clustering or a picture.

| name | formula | best |
| --- | --- | --- |
| `accuracy` | share of rows with ŷ = y | 1 |
| `confusion_matrix` | M[i, j] = rows of class i predicted as class j | diagonal |
| `mean_squared_error` | (1/n) Σ (y − ŷ)² | 0 |
| `log_loss` | −(1/n) Σ log p(y) | 0 |
| `hinge_loss` | (1/n) Σ max(0, 1 − y f) | 0 |
| `adjusted_rand_index` | agreement of two clusterings, above chance | 1 |
| `inertia` | Σ ‖x − μ‖² to the centre of each point | 0 |
| `count_regions` | connected regions of equal label on a grid | |

The truth y always comes first, the prediction second.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcore.validation import FloatArray, IntArray, check_matrix, check_target


def accuracy(y: ArrayLike, predicted: ArrayLike) -> float:
    """The share of rows whose label is predicted right."""
    y, predicted = _labels(y, predicted)
    return float(np.mean(y == predicted))


def confusion_matrix(
    y: ArrayLike, predicted: ArrayLike, *, classes: ArrayLike | None = None
) -> IntArray:
    """M[i, j] = number of rows of class i that are predicted as class j.

    `classes` fixes the order of rows and columns; it is the sorted labels of both unless given.
    """
    y, predicted = _labels(y, predicted)
    classes = np.union1d(y, predicted) if classes is None else np.asarray(classes)
    K = len(classes)
    pairs = K * _codes(y, classes) + _codes(predicted, classes)
    return np.bincount(pairs, minlength=K * K).reshape(K, K)


def mean_squared_error(y: ArrayLike, predicted: ArrayLike) -> float:
    """(1/n) Σ (yᵢ − ŷᵢ)²."""
    y = _numbers(y, "y")
    return float(np.mean((y - check_target(predicted, len(y), "predicted")) ** 2))


def log_loss(y: ArrayLike, P: ArrayLike, *, classes: ArrayLike | None = None) -> float:
    """−(1/n) Σ log p(yᵢ | xᵢ): the surprise, per row, at the labels that came out.

    P is what `predict_proba` returns: (n, K), a column for each of `classes`, which are the sorted
    labels of y unless given; or, for two classes, the n probabilities of the second one. A
    probability of 0 counts as 2.2e−16, so that a row costs at most 36 and never ∞.
    """
    if np.ndim(P) == 1:
        p = _numbers(P, "P")
        P = np.column_stack([1 - p, p])
    P = check_matrix(P, "P")
    if P.min() < 0 or not np.allclose(P.sum(axis=1), 1):
        raise ValueError("P must hold probabilities: numbers ≥ 0 that sum to 1 in each row.")
    y = _vector(y, "y", len(P))
    classes = np.unique(y) if classes is None else np.asarray(classes)
    if len(classes) != P.shape[1]:
        raise ValueError(
            f"P has {P.shape[1]} columns, but there are {len(classes)} classes "
            f"({', '.join(map(str, classes))}): pass classes=[…] if y does not hold all of them."
        )
    p = P[np.arange(len(y)), _codes(y, classes)]
    return float(-np.mean(np.log(np.clip(p, np.finfo(float).eps, 1))))


def hinge_loss(y: ArrayLike, f: ArrayLike, *, classes: ArrayLike | None = None) -> float:
    """(1/n) Σ max(0, 1 − yᵢ fᵢ), the first of the two `classes` as y = −1, the second as +1.

    f is what `decision_function` returns; the classes are the sorted labels of y unless given.
    """
    f = _numbers(f, "f")
    y = _vector(y, "y", len(f))
    classes = np.unique(y) if classes is None else np.asarray(classes)
    if len(classes) != 2:
        raise ValueError(
            f"The hinge loss takes two classes, but there are {len(classes)} "
            f"({', '.join(map(str, classes))}): pass classes=[…] if y does not hold both."
        )
    sign = 2 * _codes(y, classes) - 1
    return float(np.mean(np.maximum(0, 1 - sign * f)))


def adjusted_rand_index(labels: ArrayLike, other: ArrayLike) -> float:
    """How far two clusterings agree on which pairs belong together; names do not matter.

        ARI = (Σᵢⱼ C(nᵢⱼ, 2) − E) / (½(A + B) − E),   A = Σᵢ C(nᵢ., 2),  B = Σⱼ C(n.ⱼ, 2)

    with nᵢⱼ the points in cluster i of one and j of the other, and E = AB / C(n, 2) what chance
    gives: 1 is the same clustering, 0 is no better than chance.
    """
    labels = _vector(labels, "The first argument")
    other = _vector(other, "The second argument", len(labels))
    N = confusion_matrix(*(np.unique(v, return_inverse=True)[1] for v in (labels, other)))
    together, A, B, every = (
        float(np.sum(v * (v - 1) / 2)) for v in (N, N.sum(axis=1), N.sum(axis=0), N.sum())
    )
    if A == B == together:  # the same clustering; the formula is 0/0 if it is a trivial one
        return 1.0
    expected = A * B / every
    return (together - expected) / ((A + B) / 2 - expected)


def inertia(X: ArrayLike, centers: ArrayLike, labels: ArrayLike | None = None) -> float:
    """Σᵢ ‖xᵢ − μ_k(i)‖², k(i) being the label of xᵢ, or its nearest centre without `labels`."""
    X, centers = check_matrix(X), check_matrix(centers, "centers")
    if X.shape[1] != centers.shape[1]:
        raise ValueError(f"X has {X.shape[1]} columns, but centers has {centers.shape[1]}.")
    if labels is None:
        return float(np.min([((X - mu) ** 2).sum(axis=1) for mu in centers], axis=0).sum())
    k = _codes(_vector(labels, "labels", len(X)), np.arange(len(centers)))
    return float(np.sum((X - centers[k]) ** 2))


def count_regions(labels_2d: ArrayLike) -> int:
    """The number of regions of equal label on a grid, neighbours being left, right, above, below.

    Each row is cut into runs of equal label. Runs that touch from row to row are joined: every
    run points to a run of its region, at first itself; a root points to itself. In each round
    every root with a lower root next door points to it, and pointers are shortened. At the end one
    root is left a region.
    """
    L = np.asarray(labels_2d)
    if L.ndim != 2 or L.size == 0:
        raise ValueError(f"labels_2d must be a grid (2-dimensional), but its shape is {L.shape}.")
    starts = np.ones(L.shape, dtype=bool)
    starts[:, 1:] = L[:, 1:] != L[:, :-1]
    run = np.cumsum(starts).reshape(L.shape) - 1
    # Of the columns in which two runs touch, the first is enough.
    touch = (L[1:] == L[:-1]) & (starts[1:] | starts[:-1])
    above, below = run[:-1][touch], run[1:][touch]
    root = np.arange(run[-1, -1] + 1)
    while len(above):
        np.minimum.at(root, np.maximum(above, below), np.minimum(above, below))
        while np.any(root != root[root]):
            root = root[root]
        above, below = root[above], root[below]
        apart = above != below
        above, below = above[apart], below[apart]
    return int(np.sum(root == np.arange(len(root))))


def _vector(values: ArrayLike, name: str, n: int | None = None) -> NDArray[Any]:
    """`values` as n ≥ 1 entries in one dimension."""
    v = np.asarray(values)
    if v.ndim != 1 or len(v) == 0 or len(v) != (n or len(v)):
        raise ValueError(
            f"{name} must hold {n or 'n ≥ 1'} entries in one dimension, but its shape is {v.shape}."
        )
    return v


def _numbers(values: ArrayLike, name: str) -> FloatArray:
    return check_target(values, len(_vector(values, name)), name)


def _labels(y: ArrayLike, predicted: ArrayLike) -> tuple[NDArray[Any], NDArray[Any]]:
    """Two vectors of labels, of one length and of one kind."""
    y = _vector(y, "The first argument")
    predicted = _vector(predicted, "The second argument", len(y))
    kinds = {y.dtype.kind, predicted.dtype.kind}
    if kinds & set("US") and kinds & set("biuf"):
        raise TypeError("Labels can only be compared if both are text or both are numbers.")
    return y, predicted


def _codes(y: NDArray[Any], classes: NDArray[Any]) -> IntArray:
    """The place of each label in `classes`."""
    order = np.argsort(classes)
    place = order[np.searchsorted(classes, y, sorter=order).clip(max=len(classes) - 1)]
    unknown = classes[place] != y
    if unknown.any():
        raise ValueError(
            f"The label {y[unknown].tolist()[0]!r} is none of the classes "
            f"{', '.join(map(str, classes))}."
        )
    return place
