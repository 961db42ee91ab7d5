"""How well will it do on rows it has not seen, and which parameters do best there.

| name | what it does |
| --- | --- |
| `train_test_split` | set a part of the rows aside |
| `KFold`, `StratifiedKFold` | n_splits ways to do so, each row aside exactly once |
| `cross_val_score` | the score on each part set aside |
| `GridSearch` | that, for every combination of parameters |

The last two fit many models that know nothing of each other. Hand them an `executor` (any
`concurrent.futures.Executor`: threads, processes, a dask cluster) and the fits run side by side.
The results are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from functools import partial
from itertools import product
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcore.base import Estimator, clone
from mlcore.validation import (
    FloatArray,
    IntArray,
    RandomState,
    check_choice,
    check_generator,
    check_integer,
    check_labels,
    check_matrix,
    check_number,
    check_vector,
)

Split: TypeAlias = tuple[IntArray, IntArray]
Scoring: TypeAlias = Callable[[Any, NDArray[Any], NDArray[Any]], float]


def train_test_split(
    X: ArrayLike,
    y: ArrayLike,
    *,
    test_size: float = 0.25,
    stratify: ArrayLike | None = None,
    random_state: RandomState = None,
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """X_train, X_test, y_train, y_test: ⌈test_size · n⌉ rows drawn at random are the test set.

    `stratify=y` draws that share from each class, within one row, and leaves at least one row of
    each class on both sides.
    """
    X, y = _rows(X, y)
    n = len(X)
    # 0.07 · 100 is 7.000000000000001 in floating point, and is meant to be 7.
    n_test = int(np.ceil(np.round(check_number("test_size", test_size, above=0) * n, 9)))
    if n_test >= n:
        raise ValueError(f"test_size={test_size!r} of {n} rows leaves none to train on.")
    order = check_generator(random_state).permutation(n)
    in_test = np.zeros(n, dtype=bool)
    if stratify is None:
        in_test[order[:n_test]] = True
    else:
        _, codes = check_labels(stratify, n)
        for rows, size in _shares(order, codes, n_test):
            in_test[rows[:size]] = True
    train, test = order[~in_test[order]], order[in_test[order]]
    return X[train], X[test], y[train], y[test]


def _shares(order: IntArray, codes: IntArray, n_test: int) -> Iterator[tuple[IntArray, int]]:
    """The rows of each class in random order, and how many of them are for the test."""
    counts = np.bincount(codes)
    if counts.min() < 2:
        raise ValueError(
            "stratify needs at least 2 rows of each class: one to train on, one to test."
        )
    quota = np.diff(np.round(n_test * np.cumsum([0, *counts]) / len(order))).astype(int)
    for k, size in enumerate(np.clip(quota, 1, counts - 1)):
        yield order[codes[order] == k], size


class KFold:
    """Cut the rows into `n_splits` parts of equal size (within one); each is the test set once.

    The parts are stretches of rows as they come, unless `shuffle`.
    """

    def __init__(
        self, n_splits: int = 5, *, shuffle: bool = False, random_state: RandomState = None
    ) -> None:
        self.n_splits = check_integer("n_splits", n_splits, at_least=2)
        self.shuffle = check_choice("shuffle", shuffle, (True, False))
        self.random_state = random_state

    def split(self, X: ArrayLike, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Indices (train, test), `n_splits` times."""
        fold = self._fold(self._order(len(np.asarray(X))), y)
        for k in range(self.n_splits):
            yield np.flatnonzero(fold != k), np.flatnonzero(fold == k)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """How many times `split` yields."""
        return self.n_splits

    def __repr__(self) -> str:
        shuffle = f", shuffle=True, random_state={self.random_state!r}" if self.shuffle else ""
        return f"{type(self).__name__}({self.n_splits}{shuffle})"

    def _order(self, n: int) -> IntArray:
        if n < self.n_splits:
            raise ValueError(f"n_splits={self.n_splits} is more than the number of rows, {n}.")
        return check_generator(self.random_state).permutation(n) if self.shuffle else np.arange(n)

    def _fold(self, order: IntArray, y: Any) -> IntArray:
        """The number of each row's part."""
        n = len(order)
        fold = np.empty(n, dtype=np.intp)
        for k, rows in enumerate(np.array_split(order, self.n_splits)):
            fold[rows] = k
        return fold


class StratifiedKFold(KFold):
    """Like `KFold`, but each part holds its share of every class, within one row.

    Sort the rows by class and deal them out like cards, one to each part in turn.
    """

    def _fold(self, order: IntArray, y: Any) -> IntArray:
        classes, codes = check_labels(y, len(order))
        counts = np.bincount(codes)
        if counts.min() < self.n_splits:
            raise ValueError(
                f"n_splits={self.n_splits} is more than the {counts.min()} row(s) of class "
                f"{classes.tolist()[counts.argmin()]!r}: each part needs one of every class."
            )
        by_class = order[np.argsort(codes[order], kind="stable")]
        fold = np.empty(len(order), dtype=np.intp)
        fold[by_class] = np.arange(len(order)) % self.n_splits
        return fold


def cross_val_score(
    model: Any,
    X: ArrayLike,
    y: ArrayLike,
    *,
    cv: int | KFold = 5,
    scoring: Scoring | None = None,
    executor: Executor | None = None,
) -> FloatArray:
    """The score on each of the parts set aside, of a fresh copy of `model` fitted to the rest.

    `cv` is a number of parts (stratified for a classifier) or a splitter. `scoring(model, X, y)`
    is the model's own `score` unless given; more is better.
    """
    X, y = _rows(X, y)
    splits = _splits(cv, model, X, y)
    fit_and_score = partial(_fit_and_score, model, X, y, scoring)
    run = map if executor is None else executor.map
    return np.array(list(run(fit_and_score, [{}] * len(splits), splits)))


class Candidate(NamedTuple):
    """One combination of parameters, and its score on each part set aside."""

    params: dict[str, Any]
    scores: FloatArray

    @property
    def mean(self) -> float:
        """The mean score, by which candidates are compared."""
        return float(self.scores.mean())


class GridSearch(Estimator):
    """Try every combination of the parameters in `grid` by cross-validation; keep the best.

    `grid` maps names to the values to try: {"k": [1, 3, 5], "weights": ["uniform", "distance"]}.
    After `fit`: `results_`, a `Candidate` for each combination; `best_params_` and `best_score_`
    of the one with the highest mean score (the first of equals); and `best_estimator_`, fitted
    with them to all rows, which `predict` and `score` ask. `best_score_` is the highest of
    many, so it flatters: report the score on rows that the search never saw.
    """

    def __init__(
        self,
        model: Any,
        grid: Mapping[str, Sequence[Any]],
        *,
        cv: int | KFold = 5,
        scoring: Scoring | None = None,
        executor: Executor | None = None,
    ) -> None:
        self.model = model
        self.grid = grid
        self.cv = cv
        self.scoring = scoring
        self.executor = executor

    def fit(self, X: ArrayLike, y: ArrayLike) -> GridSearch:
        """Score every combination, then fit the best one to all of X, y."""
        self._start_fit(X)
        X, y = _rows(X, y)
        candidates = _combinations(self.grid)
        splits = _splits(self.cv, self.model, X, y)
        fit_and_score = partial(_fit_and_score, self.model, X, y, self.scoring)
        run = map if self.executor is None else self.executor.map
        tasks = zip(*product(candidates, splits), strict=True)
        scores = np.array(list(run(fit_and_score, *tasks))).reshape(len(candidates), -1)
        self.results_ = [Candidate(*pair) for pair in zip(candidates, scores, strict=True)]
        best = max(self.results_, key=lambda candidate: candidate.mean)
        self.best_params_, self.best_score_ = best.params, best.mean
        self.best_estimator_ = clone(self.model).set_params(**best.params).fit(X, y)
        return self

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """What the best estimator predicts for each row of X."""
        return self.best_estimator_.predict(X)

    def score(self, X: ArrayLike, y: ArrayLike) -> float:
        """The score of the best estimator on X, y."""
        return float((self.scoring or _own_score)(self.best_estimator_, *_rows(X, y)))

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn asks of the search, it may ask of the model."""
        return self.model.__sklearn_tags__()


def _fit_and_score(
    model: Any,
    X: FloatArray,
    y: NDArray[Any],
    scoring: Scoring | None,
    params: dict[str, Any],
    split: Split,
) -> float:
    train, test = split
    fitted = clone(model).set_params(**params).fit(X[train], y[train])
    return float((scoring or _own_score)(fitted, X[test], y[test]))


def _own_score(model: Any, X: NDArray[Any], y: NDArray[Any]) -> float:
    return float(model.score(X, y))


def _rows(X: ArrayLike, y: ArrayLike) -> tuple[FloatArray, NDArray[Any]]:
    X = check_matrix(X)
    return X, check_vector(y, len(X))


def _splits(cv: int | KFold, model: Any, X: FloatArray, y: NDArray[Any]) -> list[Split]:
    splitter: Any = cv
    if not hasattr(cv, "get_n_splits"):
        n_splits = check_integer("cv", cv, at_least=2)
        splitter = StratifiedKFold(n_splits) if _is_classifier(model) else KFold(n_splits)
    return list(splitter.split(X, y))


def _is_classifier(model: Any) -> bool:
    if isinstance(model, GridSearch):
        return _is_classifier(model.model)
    if isinstance(model, Estimator):
        return model._kind == "classifier"
    if hasattr(model, "__sklearn_tags__"):  # one of scikit-learn's own, a Pipeline perhaps
        return bool(model.__sklearn_tags__().estimator_type == "classifier")
    return False


def _combinations(grid: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Every choice of one value for each name."""
    if not isinstance(grid, Mapping):
        raise TypeError(
            f"grid must map names of parameters to lists of values, but it is {grid!r}."
        )
    for name, values in grid.items():
        if isinstance(values, str) or np.ndim(values) == 0 or len(values) == 0:
            raise ValueError(f"grid[{name!r}] must list the values to try, but it is {values!r}.")
    lists = [v.tolist() if isinstance(v, np.ndarray) else v for v in grid.values()]
    return [dict(zip(grid, choice, strict=True)) for choice in product(*lists)]
