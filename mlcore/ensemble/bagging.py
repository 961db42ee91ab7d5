"""Bagging: the average of many overfitted models is not overfitted.

Models with variance s² and pairwise correlation ρ have an average of variance

    Var((1/m) Σₜ hₜ) = ρs² + (1−ρ)s²/m,

so the average of many is worth having as far as they differ. Bagging makes them differ by
fitting each to a bag of its own: n samples drawn from the n at hand, with replacement.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from concurrent.futures import Executor
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcore.base import Classifier, Estimator, Regressor, clone
from mlcore.tree import DecisionTreeClassifier, DecisionTreeRegressor
from mlcore.validation import (
    FloatArray,
    IntArray,
    RandomState,
    check_generator,
    check_integer,
    check_matrix,
)

GROUPS = 8  # bags go out in about as many groups, each with one copy of the data


def bootstrap_indices(n: int, m: int, random_state: RandomState = None) -> IntArray:
    """(m, n): m bags, each of n draws with replacement from 0 … n − 1."""
    shape = check_integer("m", m), check_integer("n", n)
    return check_generator(random_state).integers(n, size=shape)


def inclusion_probability(n: ArrayLike) -> Any:
    """1 − (1 − 1/n)ⁿ: the chance that a given sample is in a bag. Falls to 1 − 1/e = 0.632."""
    n = np.asarray(n, dtype=float)
    return 1 - (1 - 1 / n) ** n


def fresh(base: Any, rng: np.random.Generator) -> Any:
    """An unfitted copy of `base`, with seeds of its own drawn from `rng`."""
    model = clone(base)
    names = [name for name in model.get_params() if name.split("__")[-1] == "random_state"]
    return model.set_params(**{name: int(rng.integers(2**32)) for name in names})


class Constant:
    """All that can be learned from a bag whose targets are equal: that value."""

    def __init__(self, value: Any) -> None:
        self.classes_ = np.array([value])

    def predict(self, X: FloatArray) -> NDArray[Any]:
        """That value, for every row of X."""
        return np.repeat(self.classes_, len(X))


def fit_bag(model: Any, X: FloatArray, y: NDArray[Any]) -> Any:
    """`model` fitted to one bag; few classifiers take a bag with one class, so none has to."""
    return Constant(y[0]) if np.all(y == y[0]) else model.fit(X, y)


def fit_bags(
    base: Any, X: FloatArray, y: NDArray[Any], bags: IntArray, seeds: IntArray
) -> list[Any]:
    """One fresh copy of `base` for each bag."""
    rngs = map(np.random.default_rng, seeds)
    return [fit_bag(fresh(base, rng), X[i], y[i]) for i, rng in zip(bags, rngs, strict=True)]


class _Bagged(Estimator):
    """What bagging and forests share: bags, their distribution over workers, the average.

    Bags and seeds are all drawn before the work is handed out, so the result is the same with
    any `concurrent.futures.Executor`, any number of its workers, and none.
    """

    m: int
    executor: Executor | None
    random_state: RandomState
    estimators_: list[Any]
    bags_: IntArray  # (m, n): the samples in each bag
    oob_curve_: FloatArray  # (m,): the out-of-bag score of the first 1, 2, … m models
    oob_score_: float

    def _fit_bags(
        self,
        fit: Callable[[IntArray, IntArray], list[Any]],
        n: int,
        per_group: int | None = None,
    ) -> list[Any]:
        """Run fit(bags, seeds) on groups of bags, the same groups whoever does the work."""
        m, rng = check_integer("m", self.m), check_generator(self.random_state)
        self.bags_ = bootstrap_indices(n, m, rng)
        seeds = rng.integers(2**32, size=m)
        groups = np.array_split(np.arange(m), math.ceil(m / (per_group or math.ceil(m / GROUPS))))
        run = map if self.executor is None else self.executor.map
        parts = run(fit, [self.bags_[g] for g in groups], [seeds[g] for g in groups])
        return [model for part in parts for model in part]

    @abstractmethod
    def _output(self, model: Any, X: FloatArray) -> FloatArray:
        """(n, K): what one model says, in the form that is summed."""

    def _combine(self, total: FloatArray, count: FloatArray) -> FloatArray:
        """What `count` models say together whose outputs sum to `total`."""
        return total / count[:, None]

    def _together(self, X: ArrayLike) -> FloatArray:
        A = self._start_predict(X)
        total = sum(self._output(model, A) for model in self.estimators_)
        return self._combine(np.asarray(total), np.full(len(A), float(len(self.estimators_))))

    def _score_out_of_bag(
        self, X: FloatArray, K: int, score: Callable[[FloatArray, NDArray[np.bool_]], float]
    ) -> None:
        """Judge each sample by the models that have not seen it, as their number grows.

        A bag leaves out (1 − 1/n)ⁿ ≈ 1/e of the samples, which serve as its test set. Samples
        that are in every bag so far are not counted; NaN if all of them are.
        """
        total, count = np.zeros((len(X), K)), np.zeros(len(X))
        curve = []
        for bag, model in zip(self.bags_, self.estimators_, strict=True):
            out = np.setdiff1d(np.arange(len(X)), bag)
            if out.size:
                total[out] += self._output(model, X[out])
                count[out] += 1
            judged = count > 0
            together = self._combine(total[judged], count[judged])
            curve.append(score(together, judged) if judged.any() else np.nan)
        self.oob_curve_ = np.array(curve)
        self.oob_score_ = float(curve[-1])


class _BaggedClassifier(_Bagged, Classifier):
    """The average of class probabilities, or of votes where a model has none."""

    def _output(self, model: Any, X: FloatArray) -> FloatArray:
        p = np.zeros((len(X), len(self.classes_)))
        if hasattr(model, "predict_proba"):
            p[:, np.searchsorted(self.classes_, model.classes_)] = model.predict_proba(X)
        else:
            p[np.arange(len(X)), np.searchsorted(self.classes_, model.predict(X))] = 1
        return p

    def _finish_fit(self, X: FloatArray, codes: IntArray) -> None:
        def accuracy(p: FloatArray, judged: NDArray[np.bool_]) -> float:
            return float(np.mean(p.argmax(axis=1) == codes[judged]))

        self._score_out_of_bag(X, len(self.classes_), accuracy)

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """(n, K): the probabilities that the models give together."""
        return self._together(X)

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """The most probable class; the first of equals."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


class _BaggedRegressor(_Bagged, Regressor):
    """The average of predicted numbers."""

    def _output(self, model: Any, X: FloatArray) -> FloatArray:
        return np.asarray(model.predict(X), dtype=float)[:, None]

    def _finish_fit(self, X: FloatArray, y: FloatArray) -> None:
        def r_squared(f: FloatArray, judged: NDArray[np.bool_]) -> float:
            spread = np.sum((y[judged] - y[judged].mean()) ** 2)
            return float(1 - np.sum((y[judged] - f[:, 0]) ** 2) / spread) if spread else np.nan

        self._score_out_of_bag(X, 1, r_squared)

    def predict(self, X: ArrayLike) -> FloatArray:
        """The mean prediction of the models."""
        return self._together(X)[:, 0]


class _OfAnyModel(_Bagged):
    """The parameters of bagging."""

    def __init__(
        self,
        *,
        base: Any = None,
        m: int = 25,
        executor: Executor | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.base = base
        self.m = m
        self.executor = executor
        self.random_state = random_state


class BaggingClassifier(_OfAnyModel, _BaggedClassifier):
    """h(x) = argmax_c (1/m) Σₜ pₜ(c|x), with model t fitted to the t-th bootstrap sample.

    `base` is any classifier, by default a fully grown tree. One without `predict_proba` gives
    all its probability to the class it predicts, which makes the average a vote. `oob_score_`
    is the accuracy of the average over those models that have not seen a sample.
    """

    def fit(self, X: ArrayLike, y: ArrayLike) -> BaggingClassifier:
        """Fit one model to each of m bags."""
        A, codes = self._start_fit_labels(X, y)
        base = DecisionTreeClassifier() if self.base is None else self.base
        fit = partial(fit_bags, base, A, self.classes_[codes])
        self.estimators_ = self._fit_bags(fit, len(A))
        self._finish_fit(A, codes)
        return self


class BaggingRegressor(_OfAnyModel, _BaggedRegressor):
    """f(x) = (1/m) Σₜ fₜ(x), with model t fitted to the t-th bootstrap sample.

    `base` is any regressor, by default a fully grown tree. `oob_score_` is the R² of the
    average over those models that have not seen a sample.
    """

    def fit(self, X: ArrayLike, y: ArrayLike) -> BaggingRegressor:
        """Fit one model to each of m bags."""
        A, target = self._start_fit_target(X, y)
        base = DecisionTreeRegressor() if self.base is None else self.base
        self.estimators_ = self._fit_bags(partial(fit_bags, base, A, target), len(A))
        self._finish_fit(A, target)
        return self


def permutation_importance(
    model: Any, X: ArrayLike, y: ArrayLike, repeats: int = 5, random_state: RandomState = None
) -> FloatArray:
    """(d, repeats): how much the score of a fitted model falls when one column is shuffled.

    Shuffling cuts the tie between a feature and the target and leaves its distribution as it
    was. Measured on data the model has not seen, it says what the model's skill rests on.
    """
    A, rng = check_matrix(X), check_generator(random_state)
    drop = np.empty((A.shape[1], check_integer("repeats", repeats)))
    score = model.score(A, y)
    for j, r in np.ndindex(drop.shape):
        shuffled = A.copy()
        shuffled[:, j] = rng.permutation(A[:, j])
        drop[j, r] = score - model.score(shuffled, y)
    return drop
