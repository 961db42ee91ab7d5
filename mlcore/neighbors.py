"""Nearest neighbours: classify with no training at all.

| name | what it does |
| --- | --- |
| `KNeighborsClassifier` | the k nearest training points vote |
| `KNeighborsRegressor` | the mean target of the k nearest |
| `squared_distances` | ‖x − z‖² for all pairs of two sets, without a loop over them |
| `nearest` | the columns of the k smallest entries of each row |
| `condense`, `condense_steps` | Hart's rule: the few prototypes that classify all the rest |
| `undersample`, `oversample` | two ways to even out classes of unequal size |

Of points equally far away, the one that comes first in the training set counts as nearer;
of classes with equally many votes, the one that comes first in `classes_` wins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcore.base import Classifier, Estimator, Regressor
from mlcore.validation import (
    FloatArray,
    IntArray,
    RandomState,
    check_choice,
    check_generator,
    check_integer,
    check_labels,
    check_matrix,
)

Metric = Callable[[FloatArray, FloatArray], FloatArray]
Model = TypeVar("Model", bound="_Neighbors")

FEW_COLUMNS = 8  # up to here differences cost no more than the matrix product, and are exact
BLOCK = 1 << 18  # distances held at a time: 2 MB, so that they stay in the cache


def squared_distances(X: FloatArray, Z: FloatArray) -> FloatArray:
    """‖x − z‖² for every row x of X and z of Z, as an (n, m) matrix.

        ‖x − z‖² = ‖x‖² + ‖z‖² − 2 x·z

    makes one matrix product of it. The right side loses digits when both points are far from
    the origin, so the origin is moved among them first, and what rounding leaves below 0 is
    cut off. With few columns the left side is as quick: then equal points are at exactly 0.
    """
    if X.shape[1] <= FEW_COLUMNS:
        D = np.zeros((len(X), len(Z)))
        for x, z in zip(X.T, Z.T, strict=True):
            D += np.subtract.outer(x, z) ** 2
        return D
    origin = Z.mean(axis=0)
    X, Z = X - origin, Z - origin
    D = (X**2).sum(axis=1)[:, None] + (Z**2).sum(axis=1) - 2 * X @ Z.T
    return np.maximum(D, 0, out=D)


def manhattan_distances(X: FloatArray, Z: FloatArray) -> FloatArray:
    """Σⱼ |xⱼ − zⱼ| for every row x of X and z of Z: the way along the streets of a grid."""
    D = np.zeros((len(X), len(Z)))
    for x, z in zip(X.T, Z.T, strict=True):
        D += np.abs(np.subtract.outer(x, z))
    return D


METRICS: dict[str, Metric] = {"euclidean": squared_distances, "manhattan": manhattan_distances}


def nearest(D: FloatArray, k: int) -> IntArray:
    """The columns of the k smallest entries of each row of D ≥ 0, smallest first, ties by column.

    Floats ≥ 0 sort like the integers with the same bits. So the last bits of each distance can
    give way to the number of its column, and one plain sort finds both, which is several times
    quicker than sorting indices and breaks ties by column. Distances that agree to some twelve
    digits count as a tie.
    """
    m = D.shape[1]
    column_bits = (1 << (m - 1).bit_length()) - 1
    keys = np.ascontiguousarray(D, dtype=np.float64).view(np.int64) & ~column_bits
    keys |= np.arange(m)
    keys.partition(k - 1, axis=1)
    return (np.sort(keys[:, :k], axis=1) & column_bits).astype(np.intp)


class _Neighbors(Estimator):
    """Remembers the training set and finds the k nearest rows of it."""

    _weightings: tuple[str, ...]

    def __init__(
        self, *, k: int = 5, weights: str = "uniform", metric: str | Metric = "euclidean"
    ) -> None:
        self.k = k
        self.weights = weights
        self.metric = metric

    def _remember(self: Model, X: FloatArray) -> Model:
        check_integer("k", self.k)
        if self.k > len(X):
            raise ValueError(
                f"k must be at most the number of training points, but k={self.k} "
                f"and n_samples={len(X)}."
            )
        check_choice("weights", self.weights, self._weightings)
        if not callable(self.metric):
            check_choice("metric", self.metric, tuple(METRICS))
        self.X_ = X.copy()
        return self

    def kneighbors(self, X: ArrayLike) -> tuple[FloatArray, IntArray]:
        """Distances to the k nearest training points and their indices, nearest first."""
        Q = self._start_predict(X)
        rows = max(1, BLOCK // len(self.X_))
        blocks = [self._kneighbors(Q[i : i + rows]) for i in range(0, len(Q), rows)]
        return np.concatenate([d for d, _ in blocks]), np.concatenate([i for _, i in blocks])

    def _kneighbors(self, Q: FloatArray) -> tuple[FloatArray, IntArray]:
        metric = METRICS[self.metric] if isinstance(self.metric, str) else self.metric
        D = metric(Q, self.X_)
        indices = nearest(D, self.k)
        distances = np.take_along_axis(D, indices, axis=1)
        return np.sqrt(distances) if self.metric == "euclidean" else distances, indices


def _inverse_distance(distances: FloatArray) -> FloatArray:
    """1/d a neighbour; neighbours at distance 0, if there are any, share the vote alone."""
    at_zero = distances == 0
    weight = 1 / np.where(at_zero, 1, distances)
    return np.where(at_zero.any(axis=1, keepdims=True), at_zero, weight)


class KNeighborsClassifier(_Neighbors, Classifier):
    """The k training points nearest to x vote on its label.

        p(c | x) = Σ_{i among the k nearest} vᵢ 1[yᵢ = c]  /  Σ_{i among the k nearest} vᵢ

    weights="uniform": vᵢ = 1. "distance": vᵢ = 1/‖x − xᵢ‖. "balanced": vᵢ = 1/(size of the
    class of xᵢ), so that a large class does not win by its size. `metric` is "euclidean",
    "manhattan" or a function of (X, Z) that returns the matrix of distances ≥ 0.
    """

    _weightings = ("uniform", "distance", "balanced")

    def fit(self, X: ArrayLike, y: ArrayLike) -> KNeighborsClassifier:
        """Remember the training set: there is nothing else to do."""
        A, codes = self._start_fit_labels(X, y)
        self.codes_ = codes
        return self._remember(A)

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Each class's share of the votes, (n, number of classes)."""
        return self.vote(*self.kneighbors(X))

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """The label with the most votes."""
        winner = self.predict_proba(X).argmax(axis=1)
        return self.classes_[winner]

    def vote(self, distances: FloatArray, indices: IntArray) -> FloatArray:
        """The shares of the votes when these neighbours vote, one row of them a place."""
        v, codes = self._ballots(distances, indices)
        votes = np.stack([(v * (codes == c)).sum(axis=1) for c in range(len(self.classes_))], 1)
        return votes / votes.sum(axis=1, keepdims=True)

    def staged_predict(self, X: ArrayLike) -> Iterator[NDArray[Any]]:
        """The prediction for 1, 2, …, k neighbours: the winner as the votes come in."""
        v, codes = self._ballots(*self.kneighbors(X))
        votes = [(v * (codes == c)).cumsum(axis=1) for c in range(len(self.classes_))]
        yield from self.classes_[np.argmax(votes, axis=0)].T

    def _ballots(self, distances: FloatArray, indices: IntArray) -> tuple[FloatArray, IntArray]:
        """vᵢ and the class of each neighbour."""
        codes = self.codes_[indices]
        if self.weights == "distance":
            return _inverse_distance(distances), codes
        if self.weights == "balanced":
            return 1 / np.bincount(self.codes_)[codes], codes
        return np.ones_like(distances), codes


class KNeighborsRegressor(_Neighbors, Regressor):
    """f(x) = Σ vᵢ yᵢ / Σ vᵢ over the k training points nearest to x.

    weights="uniform": vᵢ = 1, the plain mean. "distance": vᵢ = 1/‖x − xᵢ‖.
    """

    _weightings = ("uniform", "distance")

    def fit(self, X: ArrayLike, y: ArrayLike) -> KNeighborsRegressor:
        """Remember the training set: there is nothing else to do."""
        A, target = self._start_fit_target(X, y)
        self.y_ = target.copy()
        return self._remember(A)

    def predict(self, X: ArrayLike) -> FloatArray:
        """The mean target of the k nearest."""
        distances, indices = self.kneighbors(X)
        v = _inverse_distance(distances) if self.weights == "distance" else np.ones_like(distances)
        return np.asarray((v * self.y_[indices]).sum(axis=1) / v.sum(axis=1))


class Prototype(NamedTuple):
    """The point that just joined the prototypes, all of them, and who is still wrong."""

    i: int
    prototypes: IntArray
    wrong: IntArray
    sweep: int


def condense_steps(X: FloatArray, y: IntArray, order: IntArray) -> Iterator[Prototype]:
    """Hart's condensed nearest neighbour: find P ⊂ X whose 1-NN rule makes no error on X.

        P ← {first point};  for x in order:  if the nearest of P has another label, P ← P ∪ {x}

    in sweep after sweep, until a whole sweep adds nothing. To stop any earlier, say when each
    class has a prototype, leaves errors.
    """
    prototypes: list[int] = []
    distance = np.full(len(X), np.inf)  # of each point to its nearest prototype
    label = np.full(len(X), -1)  # and that prototype's label
    position, sweep = 0, 1
    while True:
        wrong = label != y
        wrong[prototypes] = False  # the copies of a point with two labels can't both be right
        ahead = np.flatnonzero(wrong[order[position:]])
        if ahead.size:
            i = int(order[position + ahead[0]])
            prototypes.append(i)
            to_i = squared_distances(X, X[[i]])[:, 0]
            closer = to_i < distance
            distance[closer], label[closer] = to_i[closer], y[i]
            yield Prototype(i, np.array(prototypes), np.flatnonzero(label != y), sweep)
            position += int(ahead[0]) + 1
        elif position > 0:
            position, sweep = 0, sweep + 1
        else:
            return


def condense(X: ArrayLike, y: ArrayLike, *, random_state: RandomState = None) -> IntArray:
    """Indices of the prototypes that `condense_steps` keeps, visiting X in random order."""
    A = check_matrix(X)
    _, codes = check_labels(y, len(A))
    *_, last = condense_steps(A, codes, check_generator(random_state).permutation(len(A)))
    return last.prototypes


def undersample(
    X: ArrayLike, y: ArrayLike, *, random_state: RandomState = None
) -> tuple[FloatArray, NDArray[Any]]:
    """As many rows of each class as the smallest has, drawn without replacement."""
    A = check_matrix(X)
    classes, codes = check_labels(y, len(A))
    rng = check_generator(random_state)
    size = np.bincount(codes).min()
    kept = [
        rng.choice(np.flatnonzero(codes == c), size, replace=False) for c in range(len(classes))
    ]
    rows = np.sort(np.concatenate(kept))
    return A[rows], classes[codes[rows]]


def oversample(
    X: ArrayLike, y: ArrayLike, *, k: int = 5, random_state: RandomState = None
) -> tuple[FloatArray, NDArray[Any]]:
    """X and y, followed by synthetic rows that make every class as large as the largest.

        x + u (z − x),   x of the class,  z one of its k nearest in the class,  u ~ U(0, 1)

    (SMOTE). A class of a single row has no neighbours: its row is repeated.
    """
    A = check_matrix(X)
    classes, codes = check_labels(y, len(A))
    check_integer("k", k)
    rng = check_generator(random_state)
    sizes = np.bincount(codes)
    rows, labels = [A], [codes]
    for c, missing in enumerate(sizes.max() - sizes):
        own = A[codes == c]
        D = squared_distances(own, own)
        np.fill_diagonal(D, np.inf)  # a point is not its own neighbour
        neighbours = nearest(D, min(k, max(1, len(own) - 1)))
        base = rng.integers(len(own), size=missing)
        other = neighbours[base, rng.integers(neighbours.shape[1], size=missing)]
        u = rng.random((missing, 1))
        rows.append(own[base] + u * (own[other] - own[base]))
        labels.append(np.full(missing, c))
    return np.concatenate(rows), classes[np.concatenate(labels)]
