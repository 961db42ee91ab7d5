"""AdaBoost: a strong rule out of many weak ones.

F(x) = Σₜ αₜ hₜ(x), where each hₜ is chosen for the samples that the ones before it got wrong.

Two conventions for the same algorithm are in use. Here, and in `reweight`,

    α = ½ ln((1−ε)/ε),   D ∝ D e^{+α} where h is wrong,  D e^{−α} where it is right;

elsewhere α' = ln((1−ε)/ε) = 2α and D ∝ D e^{α'} where h is wrong, unchanged where it is right.
Either way a wrong sample gains e^{2α} over a right one, so that after normalising D, h and
sign F are the same; only α and F come out twice as large. Mixing the two is a mistake.
"""

from __future__ import annotations

import inspect
import itertools
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcore.base import Classifier
from mlcore.ensemble.bagging import fit_bag, fresh
from mlcore.theory import adaboost_training_bound
from mlcore.tree import halfway
from mlcore.validation import (
    ConvergenceWarning,
    FloatArray,
    IntArray,
    RandomState,
    check_generator,
    check_integer,
    check_sample_weight,
)

ALL = slice(None)
TIE = 1e-12  # weighted errors closer than this differ by rounding only
REDRAWS = 10  # a bag can be unlucky: so often is another one drawn before boosting stops


class Weak(Protocol):
    """A fitted weak learner."""

    def predict(self, X: FloatArray, /) -> NDArray[Any]:
        """A label for each row of X."""


class Round(NamedTuple):
    """One round of AdaBoost."""

    h: Weak  # the weak learner chosen
    epsilon: float  # its error under the weights it was chosen for
    alpha: float  # its say in the vote
    D: FloatArray  # the weights after it, for the next round


def adaboost_steps(
    X: FloatArray,
    y: NDArray[Any],
    weak: Callable[[FloatArray], Weak],
    D: FloatArray,
    K: int = 2,
) -> Iterator[Round]:
    """Fit, weigh, reweight, and again, for K classes (K > 2: SAMME).

        h  = weak(D), a learner with small weighted error  ε = Σᵢ Dᵢ 1[h(xᵢ) ≠ yᵢ]
        α  = ½ ln((1−ε)/ε) + ½ ln(K−1)
        Dᵢ ← Dᵢ e^{+α} / Z if h(xᵢ) ≠ yᵢ,   Dᵢ e^{−α} / Z if h(xᵢ) = yᵢ

    It never stops by itself except in two cases. A useless learner, no better than chance
    (ε ≥ 1 − 1/K, which is ½ for two classes), would get α ≤ 0: it is not used, and boosting
    ends before it. A perfect one (ε = 0) would get α = ∞: it is given just enough to outvote
    all rounds before it, and boosting ends with it. Its Z is 0, and so is the training error.
    """
    outvotes_all = 1.0
    while True:
        h = weak(D)
        wrong = h.predict(X) != y
        epsilon = float(D[wrong].sum())
        if is_useless(epsilon, K):
            return
        if epsilon == 0:
            yield Round(h, epsilon, outvotes_all, D)
            return
        alpha = float(np.log((1 - epsilon) / epsilon * (K - 1)) / 2)
        D = reweight(D, wrong, alpha)
        outvotes_all += alpha
        yield Round(h, epsilon, alpha, D)


def reweight(D: FloatArray, wrong: NDArray[np.bool_], alpha: float) -> FloatArray:
    """D e^{+α} where wrong, D e^{−α} where right, scaled to sum to 1 again.

    With α = ½ ln((1−ε)/ε) the wrong samples then weigh ½ together: h has become useless.
    """
    D = D * np.where(wrong, np.exp(alpha), np.exp(-alpha))
    return D / D.sum()


def is_useless(epsilon: float, K: int) -> bool:
    """Is a learner of weighted error ε no better than guessing among K classes?"""
    return epsilon >= 1 - 1 / K - TIE


class Stump(NamedTuple):
    """h(x) = `left` if x[feature] ≤ threshold, `right` otherwise."""

    feature: int
    threshold: float
    left: Any
    right: Any

    def predict(self, X: FloatArray) -> NDArray[Any]:
        """The label of each row of X."""
        return np.where(X[:, self.feature] <= self.threshold, self.left, self.right)


class StumpSearch:
    """min over feature, threshold and two labels of   Σᵢ Dᵢ 1[h(xᵢ) ≠ yᵢ].

    The columns are sorted once. A cumulative sum of D along them gives the weight L_k of class
    k to the left of every cut at once, and R_k to its right; the best labels for a cut are the
    heaviest on either side, so the best cut is the one of largest max_k L_k + max_k R_k.

    Of equals, the first feature and the smallest threshold win; but the same label on both
    sides, the constant rule, comes last. Where nothing can be cut, all is left of ∞.
    """

    def __init__(self, X: FloatArray, y: NDArray[Any], used: IntArray | slice = ALL) -> None:
        self.used = used  # the samples of positive weight: only they define thresholds
        self.classes, codes = np.unique(y, return_inverse=True)
        self.is_class = codes[used] == np.arange(len(self.classes))[:, None]
        X = X[used]
        self.order = np.argsort(X.T, axis=1, kind="stable")
        value = np.take_along_axis(X.T, self.order, axis=1)
        self.threshold = np.full(value.shape, np.inf)
        self.threshold[:, :-1] = halfway(value[:, :-1], value[:, 1:])
        self.no_cut = np.ones(value.shape, dtype=bool)
        self.no_cut[:, :-1] = value[:, :-1] == value[:, 1:]
        self.no_cut[0, -1] = False

    def __call__(self, D: FloatArray) -> Stump:
        """The stump of least weighted error for the weights D."""
        L = np.take(D[self.used] * self.is_class, self.order, axis=1)
        np.cumsum(L, axis=2, out=L)
        R = L[:, :, -1:] - L
        right = L.max(axis=0) + R.max(axis=0)
        right[self.no_cut] = -np.inf
        best = np.flatnonzero(right >= right.max() - TIE)

        K = len(self.classes)
        L, R = L.reshape(K, -1)[:, best], R.reshape(K, -1)[:, best]
        pair = L[:, None] + R[None]  # (K, K, cuts): what labels a and b get right together
        pair[np.eye(K, dtype=bool)] -= 2 * TIE
        i, b, a = np.argwhere((pair >= pair.max() - TIE).T)[0]
        j, cut = np.unravel_index(best[i], right.shape)
        return Stump(int(j), float(self.threshold[j, cut]), self.classes[a], self.classes[b])


class AdaBoostClassifier(Classifier):
    """F(x) = Σₜ αₜ hₜ(x), grown greedily for T rounds; see `adaboost_steps`.

    `base` is the weak learner, any classifier; None stands for decision stumps. It is fitted
    with the weights D as `sample_weight` or, with `resample`, on n samples drawn with the
    probabilities D. `sample_weight` sets the weights to start from; 1/n otherwise.

    `estimators_`, `errors_` and `alphas_` hold hₜ, εₜ and αₜ; row t of `weights_` (T + 1, n)
    holds the weights that h_{t+1} is chosen for, the last row those after the last round.
    There are fewer than T rounds if a perfect or a useless weak learner ends them early.
    """

    estimators_: list[Weak]
    alphas_: FloatArray
    errors_: FloatArray
    weights_: FloatArray

    def __init__(
        self,
        *,
        T: int = 50,
        base: Any = None,
        resample: bool = False,
        random_state: RandomState = None,
    ) -> None:
        self.T = T
        self.base = base
        self.resample = resample
        self.random_state = random_state

    def steps(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Iterator[Round]:
        """The T rounds that `fit` runs, one at a time."""
        A, codes = self._start_fit_labels(X, y)
        D = check_sample_weight(sample_weight, len(A))
        D = D / D.sum()
        T = check_integer("T", self.T)
        labels = self.classes_[codes]
        weak = self._weak_learner(A, labels, np.flatnonzero(D))
        self.weights_ = D[None]
        return itertools.islice(adaboost_steps(A, labels, weak, D, len(self.classes_)), T)

    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> AdaBoostClassifier:
        """Run T rounds."""
        rounds = list(self.steps(X, y, sample_weight))
        if not rounds:
            warnings.warn(
                "AdaBoost ended before its first round: no weak learner was better than chance, "
                "so the vote is empty and one class is predicted everywhere.",
                ConvergenceWarning,
                stacklevel=2,
            )
        self.estimators_ = [r.h for r in rounds]
        self.errors_ = np.array([r.epsilon for r in rounds])
        self.alphas_ = np.array([r.alpha for r in rounds])
        self.weights_ = np.vstack([self.weights_, *(r.D for r in rounds)])
        return self

    def _weak_learner(
        self, X: FloatArray, y: NDArray[Any], used: IntArray
    ) -> Callable[[FloatArray], Weak]:
        """The function that turns weights into a weak learner."""
        rng, n, K = check_generator(self.random_state), len(y), len(self.classes_)
        stump = StumpSearch(X, y, used) if self.base is None else None

        def from_weights(D: FloatArray) -> Weak:
            return stump(D) if stump else fresh(self.base, rng).fit(X, y, sample_weight=D)

        def from_bag(D: FloatArray) -> Weak:
            for _ in range(REDRAWS):
                bag = rng.choice(n, n, p=D)
                share = np.bincount(bag, minlength=n) / n
                h = stump(share) if stump else fit_bag(fresh(self.base, rng), X[bag], y[bag])
                if not is_useless(D[h.predict(X) != y].sum(), K):
                    break
            return h

        if self.resample:
            return from_bag
        if not stump and "sample_weight" not in inspect.signature(self.base.fit).parameters:
            raise ValueError(
                f"base must take sample_weight in fit, but {type(self.base).__name__} does not: "
                "use resample=True to draw samples instead."
            )
        return from_weights

    def _ballots(self, A: FloatArray) -> Iterator[FloatArray]:
        """(n, K) for each round: its α for the class that it votes for."""
        for h, alpha in zip(self.estimators_, self.alphas_, strict=True):
            yield alpha * (h.predict(A)[:, None] == self.classes_)

    def _votes(self, X: ArrayLike) -> FloatArray:
        A = self._start_predict(X)
        return sum(self._ballots(A), start=np.zeros((len(A), len(self.classes_))))

    def _staged_votes(self, X: ArrayLike) -> Iterator[FloatArray]:
        return itertools.accumulate(self._ballots(self._start_predict(X)))

    def staged_decision_function(self, X: ArrayLike) -> Iterator[FloatArray]:
        """`decision_function` after 1, 2, … rounds."""
        return map(_decision, self._staged_votes(X))

    def staged_predict(self, X: ArrayLike) -> Iterator[NDArray[Any]]:
        """`predict` after 1, 2, … rounds."""
        return map(self._winners, self._staged_votes(X))

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """F(x) = Σₜ αₜ hₜ(x) with h = ±1 for two classes; each class's votes for more."""
        return _decision(self._votes(X))

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """The class with most votes: `classes_[1]` where F(x) > 0, if there are two."""
        return self._winners(self._votes(X))

    def _winners(self, votes: FloatArray) -> NDArray[Any]:
        return self.classes_[votes.argmax(axis=1)]

    def margins(self, X: ArrayLike, y: ArrayLike) -> FloatArray:
        """Votes for the right class minus those for the best other, as a share of Σₜ αₜ.

        In [−1, 1], and > 0 where the vote is right; y F(x) / Σₜ αₜ for two classes.
        """
        votes = self._votes(X)
        right = np.asarray(y)[:, None] == self.classes_
        mine = np.where(right, votes, -np.inf).max(axis=1)
        best_other = np.where(right, -np.inf, votes).max(axis=1)
        return (mine - best_other) / self.alphas_.sum()

    def training_bound(self) -> FloatArray:
        """Πₛ Zₛ up to each round, which the (weighted) training error never exceeds."""
        return adaboost_training_bound(self.errors_, len(self.classes_))


def _decision(votes: FloatArray) -> FloatArray:
    return votes[:, 1] - votes[:, 0] if votes.shape[1] == 2 else votes
