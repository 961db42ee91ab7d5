"""Random forests: bagged trees, each node choosing among a few features drawn for it alone.

Trees fitted to bags of one data set are alike, because the strongest feature wins the root of
each. Drawing the features anew in every node makes them differ: a little more variance in
each tree, much less correlation ρ between them, and so less variance in the average.
"""

from __future__ import annotations

import copy
from concurrent.futures import Executor
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mlcore.ensemble.bagging import _Bagged, _BaggedClassifier, _BaggedRegressor
from mlcore.tree import (
    CRITERIA,
    ClassImpurity,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    Limits,
    SquaredError,
    Tree,
    assemble,
    grow_steps,
)
from mlcore.validation import FloatArray, IntArray, RandomState, check_choice

ENTRIES_AT_ONCE = 400_000  # as many trees grow side by side as have so many numbers to sort


def grow_forest(
    X: FloatArray,
    y: Any,
    criterion: Any,
    limits: Limits,
    bags: IntArray,
    seeds: IntArray,
) -> list[Tree]:
    """One tree for each bag, all grown side by side; a bag is a vector of integer weights."""
    w = np.stack([np.bincount(bag, minlength=len(X)) for bag in bags]).astype(float)
    target = criterion(np.tile(y, len(bags)), w.ravel())
    rngs = [np.random.default_rng(seed) for seed in seeds]
    return assemble(grow_steps(X, target, limits, rngs))


class _Forest(_Bagged):
    """What the two forests share."""

    def _limits(self) -> dict[str, Any]:
        names = ("max_depth", "min_samples_split", "min_samples_leaf", "max_features")
        return {name: getattr(self, name) for name in names}

    def _grow(self, X: FloatArray, y: Any, criterion: Any, model: Any) -> list[Any]:
        """Copies of `model`, an unfitted tree, with the trees that grew on the bags."""
        grow = partial(grow_forest, X, y, criterion, model._limits(X.shape[1]))
        trees = self._fit_bags(grow, len(X), max(1, ENTRIES_AT_ONCE // X.size))
        model.n_features_in_ = X.shape[1]
        models = [copy.copy(model) for _ in trees]
        for one, tree in zip(models, trees, strict=True):
            one.tree_ = tree
        return models

    def _output(self, model: Any, X: FloatArray) -> FloatArray:
        return np.asarray(model.tree_.value[model.tree_.apply(X)])


class RandomForestClassifier(_Forest, _BaggedClassifier):
    """m trees on m bootstrap samples, each node choosing among `max_features` of the features.

    combine="mean":     p(c|x) = (1/m) Σₜ pₜ(c|x)
    combine="product":  p(c|x) ∝ p(c)^{1−m} Πₜ pₜ(c|x), computed as a sum of logarithms

    The product is Bayes' rule for trees that are independent given the class: each pₜ contains
    the prior p(c) once, so m − 1 of them are divided out. One tree with pₜ(c|x) = 0 would veto
    a class for good; so each leaf of n samples counts one more, spread over the classes like
    the prior: (n pₜ + p(c)) / (n + 1). (Trees on the same data are *not* independent: the
    product picks good classes but is far too sure of them.)

    `oob_score_` is the accuracy on the samples outside the bags, `oob_curve_` the same for the
    first 1, 2, … m trees.
    """

    def __init__(
        self,
        *,
        m: int = 100,
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        max_features: int | str | None = "sqrt",
        combine: str = "mean",
        executor: Executor | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.m = m
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_features = max_features
        self.combine = combine
        self.executor = executor
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> RandomForestClassifier:
        """Grow one tree on each of m bags."""
        A, codes = self._start_fit_labels(X, y)
        check_choice("combine", self.combine, ("mean", "product"))
        self.prior_ = np.bincount(codes) / len(codes)
        model = DecisionTreeClassifier(criterion=self.criterion, **self._limits())
        model.classes_ = self.classes_
        kind = check_choice("criterion", self.criterion, CRITERIA)
        criterion = partial(ClassImpurity, K=len(self.classes_), criterion=kind)
        self.estimators_ = self._grow(A, codes, criterion, model)
        self._finish_fit(A, codes)
        return self

    def _output(self, model: Any, X: FloatArray) -> FloatArray:
        p = super()._output(model, X)
        if self.combine == "mean":
            return p
        n = model.tree_.n[model.tree_.apply(X)][:, None]
        return np.log((n * p + self.prior_) / (n + 1))

    def _combine(self, total: FloatArray, count: FloatArray) -> FloatArray:
        if self.combine == "mean":
            return super()._combine(total, count)
        log_p = total - (count[:, None] - 1) * np.log(self.prior_)
        p = np.exp(log_p - log_p.max(axis=1, keepdims=True))
        return p / p.sum(axis=1, keepdims=True)


class RandomForestRegressor(_Forest, _BaggedRegressor):
    """m regression trees on m bootstrap samples, each node choosing among `max_features`.

    f(x) = (1/m) Σₜ fₜ(x); `oob_score_` is the R² on the samples outside the bags.
    """

    def __init__(
        self,
        *,
        m: int = 100,
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        max_features: int | str | None = None,
        executor: Executor | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.m = m
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_features = max_features
        self.executor = executor
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> RandomForestRegressor:
        """Grow one tree on each of m bags."""
        A, target = self._start_fit_target(X, y)
        model = DecisionTreeRegressor(**self._limits())
        self.estimators_ = self._grow(A, target, SquaredError, model)
        self._finish_fit(A, target)
        return self
