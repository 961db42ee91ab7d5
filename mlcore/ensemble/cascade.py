"""A cascade: find the few positives among very many negatives by asking cheap questions first.

Each stage lets nearly all positives pass and stops a good part of the negatives, so that most
negatives are gone after one or two stages and only the hard cases cost any work. Stages that
let pass a share dₛ of the positives and fₛ of the negatives make a cascade with

    detection rate D = Πₛ dₛ,   false positive rate F = Πₛ fₛ:

ten stages with d = 0.99 and f = 0.3 reach D = 0.904 and F = 0.000006.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcore.base import Classifier
from mlcore.ensemble.boosting import AdaBoostClassifier
from mlcore.validation import (
    FloatArray,
    IntArray,
    check_integer,
    check_number,
)


class Stage(NamedTuple):
    """Samples with F(x) ≥ threshold go on to the next stage."""

    model: AdaBoostClassifier
    threshold: float
    detection_rate: float  # share of the positives that reached this stage and pass it
    false_positive_rate: float  # share of the negatives that reached this stage and pass it

    def passes(self, X: FloatArray) -> NDArray[np.bool_]:
        """Does each row of X go on?"""
        return self.model.decision_function(X) >= self.threshold


class CascadeClassifier(Classifier):
    """Boosted stages in a row; positive is what passes all of them. Two classes only.

    The positive class is the rarer one (`positive_`). Stage s is an AdaBoost of T stumps,
    trained on all samples that passed the stages before it, both classes weighing the same; then
    it is made lenient: its threshold
    is lowered until it lets pass at least a share `detection` of the positives among them, so
    that at least detection^stages of all training positives reach the end. Training ends early
    when no negative is left to be told apart, or when a stage turns nothing down.
    """

    stages_: list[Stage]

    def __init__(
        self,
        *,
        stages: int = 5,
        T: int = 10,
        detection: float = 0.99,
    ) -> None:
        self.stages = stages
        self.T = T
        self.detection = detection

    def fit(self, X: ArrayLike, y: ArrayLike) -> CascadeClassifier:
        """Train one stage after the other on what the stages before it let pass."""
        A, codes = self._start_fit_labels(X, y)
        if len(self.classes_) > 2:
            raise ValueError(
                "Only binary classification is supported by a cascade, "
                f"but y holds {len(self.classes_)} classes."
            )
        rarer = int(np.argmin(np.bincount(codes)[::-1]) == 0)
        self.positive_ = self.classes_[rarer]
        positive, here = codes == rarer, np.ones(len(A), dtype=bool)
        self.stages_ = []
        for _ in range(check_integer("stages", self.stages)):
            stage = self._train_stage(A[here], positive[here])
            self.stages_.append(stage)
            passed = stage.passes(A[here])
            here[here] = passed
            if passed.all() or not np.any(here & ~positive):
                break
        return self

    def _train_stage(self, X: FloatArray, positive: NDArray[np.bool_]) -> Stage:
        detection = check_number("detection", self.detection, above=0, at_most=1)
        w = np.where(positive, 1 / np.sum(positive), 1 / np.sum(~positive))
        model = AdaBoostClassifier(T=self.T).fit(X, positive, w)
        score = model.decision_function(X)
        keep = int(np.ceil(detection * np.sum(positive) - 1e-9))
        threshold = np.sort(score[positive])[-keep]
        passed = score >= threshold
        return Stage(model, threshold, passed[positive].mean(), passed[~positive].mean())

    def stages_evaluated(self, X: ArrayLike) -> IntArray:
        """How many stages each row of X runs through before it is turned down or accepted."""
        return self._run(X)[0]

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """`positive_` for the rows that pass every stage."""
        accepted = self._run(X)[1]
        negative = self.classes_[self.classes_ != self.positive_][0]
        return np.where(accepted, self.positive_, negative)

    def _run(self, X: ArrayLike) -> tuple[IntArray, NDArray[np.bool_]]:
        A = self._start_predict(X)
        evaluated, here = np.zeros(len(A), dtype=np.intp), np.ones(len(A), dtype=bool)
        for stage in self.stages_:
            evaluated[here] += 1
            if here.any():
                here[here] = stage.passes(A[here])
        return evaluated, here

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
