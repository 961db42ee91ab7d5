"""More than two classes out of any classifier for two.

| name | models | decides by |
| --- | --- | --- |
| `OneVsRestClassifier` | K: each class against all others | the greatest score |
| `OneVsOneClassifier` | K(K−1)/2: each pair of classes | the most pairs won |

`CrammerSingerSVC` is the third way: one joint problem for all classes.
"""

from __future__ import annotations

from abc import abstractmethod
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcore.base import Classifier, clone
from mlcore.svm.estimators import SVC
from mlcore.svm.votes import pair_votes
from mlcore.validation import FloatArray, IntArray


class _FromBinary(Classifier):
    """Copies of `base`, each fitted to a problem with the labels 0 and 1."""

    models_: list[Any]

    def __init__(self, *, base: Any = None) -> None:
        self.base = base

    def _model(self) -> Any:
        base = SVC() if self.base is None else self.base
        if not hasattr(base, "fit") or isinstance(base, type):
            raise TypeError(f"base must be a classifier such as SVC(), but it is {base!r}.")
        return clone(base)

    def _scores(self, X: ArrayLike) -> FloatArray:
        A = self._start_predict(X)
        return np.stack([_score(model, A) for model in self.models_], axis=1)

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """The label of each row of X."""
        f = self.decision_function(X)
        return self.classes_[(f > 0).astype(int) if f.ndim == 1 else f.argmax(axis=1)]

    @abstractmethod
    def decision_function(self, X: ArrayLike) -> FloatArray:
        """A score for each class; for two classes one score, positive for the second."""


def _score(model: Any, X: FloatArray) -> FloatArray:
    """How strongly a fitted model says "1", not "0": positive if it says so."""
    if hasattr(model, "decision_function"):
        return np.asarray(model.decision_function(X), dtype=np.float64)
    if hasattr(model, "predict_proba"):
        return np.asarray(model.predict_proba(X), dtype=np.float64)[:, 1] - 0.5
    return np.asarray(model.predict(X), dtype=np.float64) - 0.5


class OneVsRestClassifier(_FromBinary):
    """K models, each of which tells one class from all others; the surest of them wins.

        predict(x) = argmaxₖ fₖ(x)

    Their scores were never fitted to be compared, and a class in the middle of others may have
    no boundary of its own. `base` is any classifier for two classes (default `SVC()`).
    Fitted: `models_`.
    """

    def fit(self, X: ArrayLike, y: ArrayLike) -> OneVsRestClassifier:
        """One model a class; for two classes one model says it all."""
        A, codes = self._start_fit_labels(X, y)
        K = len(self.classes_)
        positive = range(K) if K > 2 else [1]
        self.models_ = [self._model().fit(A, (codes == k).astype(int)) for k in positive]
        return self

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """fₖ(x) for each class; for two classes f of the second."""
        f = self._scores(X)
        return f[:, 0] if len(self.classes_) == 2 else f


class OneVsOneClassifier(_FromBinary):
    """K(K−1)/2 models, one for each pair of classes; the class that wins most pairs wins.

    Each model sees the points of its two classes only. `base` is any classifier for two
    classes (default `SVC()`). Fitted: `models_`, in the order (0, 1), (0, 2), …, (1, 2), …
    """

    def fit(self, X: ArrayLike, y: ArrayLike) -> OneVsOneClassifier:
        """One model a pair."""
        A, codes = self._start_fit_labels(X, y)
        pairs = combinations(range(len(self.classes_)), 2)
        self.models_ = [self._fit_pair(A, codes, first, second) for first, second in pairs]
        return self

    def _fit_pair(self, X: FloatArray, codes: IntArray, first: int, second: int) -> Any:
        of_pair = (codes == first) | (codes == second)
        return self._model().fit(X[of_pair], (codes[of_pair] == second).astype(int))

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """The pairs each class wins, ties settled by the scores; for two classes f itself."""
        f = self._scores(X)
        return f[:, 0] if len(self.classes_) == 2 else pair_votes(f, len(self.classes_))
