"""The soft margin without its dual: stochastic subgradient descent on the hinge loss."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcore.base import Classifier
from mlcore.validation import (
    ConvergenceWarning,
    FloatArray,
    IntArray,
    RandomState,
    check_generator,
    check_integer,
    check_number,
)

PATIENCE = 5  # epochs over which the objective has to fall by `tol`, or it is done


class HingeStep(NamedTuple):
    """The separator after step t, and the average of all separators so far."""

    t: int
    batch: IntArray
    eta: float
    w: FloatArray
    b: float
    w_mean: FloatArray
    b_mean: float


def hinge_objective(X: FloatArray, y: FloatArray, C: float, w: FloatArray, b: float) -> float:
    """½‖w‖² + C Σᵢ max(0, 1 − yᵢ(w·xᵢ + b))."""
    return float(0.5 * w @ w + C * np.maximum(0, 1 - y * (X @ w + b)).sum())


def hinge_sgd_steps(
    X: FloatArray,
    y: FloatArray,
    C: float,
    *,
    batch_size: int = 1,
    random_state: RandomState = None,
) -> Iterator[HingeStep]:
    """Minimise (λ/2)‖w‖² + (1/n) Σᵢ max(0, 1 − yᵢ(w·xᵢ + b)), which is J/(nC) for λ = 1/(nC).

        w ← (1 − ηλ) w + η · mean of yᵢxᵢ over the points of the batch with yᵢf(xᵢ) < 1
        b ←          b + η · mean of yᵢ   over the same points

    with the step η = 1/(λ(t + t₀)). The 1/t makes it converge; t₀ = R²/λ makes the first step
    1/R², R² the mean of ‖x‖² + 1, where 1/λ would throw w and b far beyond all data. The
    average counts step t with weight t. Goes on for ever: `islice` it.
    """
    n, d = X.shape
    rng = check_generator(random_state)
    lam = 1 / (n * C)
    t0 = ((X**2).sum(axis=1).mean() + 1) / lam
    w, b, w_mean, b_mean, t = np.zeros(d), 0.0, np.zeros(d), 0.0, 0
    while True:
        shuffled = rng.permutation(n)
        for start in range(0, n, batch_size):
            batch = shuffled[start : start + batch_size]
            t += 1
            eta = float(1 / (lam * (t + t0)))
            X_t, y_t = X[batch], y[batch]
            push = y_t * (y_t * (X_t @ w + b) < 1) / len(batch)
            w = (1 - eta * lam) * w + eta * (push @ X_t)
            b += eta * float(push.sum())
            w_mean = w_mean + 2 / (t + 1) * (w - w_mean)
            b_mean += 2 / (t + 1) * (b - b_mean)
            yield HingeStep(t, batch, eta, w, b, w_mean, b_mean)


class LinearSVC(Classifier):
    """The linear soft-margin machine, straight from its primal.

        min_{w,b}  ½‖w‖² + C Σᵢ max(0, 1 − yᵢ(w·xᵢ + b))

    by averaged stochastic subgradient descent over batches of `batch_size` points. Stops when
    the objective has fallen by less than `tol`, relatively, over five epochs; `max_iter` bounds
    the epochs. Columns on one scale help much. More than two classes: one against the rest.

    Fitted: `w_` (d,), `b_`, `objective_history_` (the objective of the averaged separator after
    each epoch), `n_iter_` epochs; for K > 2 classes each has an entry for each class.
    """

    def __init__(
        self,
        *,
        C: float = 1.0,
        batch_size: int = 16,
        tol: float = 1e-3,
        max_iter: int = 1000,
        random_state: RandomState = None,
    ) -> None:
        self.C = C
        self.batch_size = batch_size
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> LinearSVC:
        """Descend until the objective settles."""
        A, codes = self._start_fit_labels(X, y)
        check_number("C", self.C, above=0)
        check_integer("batch_size", self.batch_size)
        check_number("tol", self.tol, above=0)
        check_integer("max_iter", self.max_iter)
        rng = check_generator(self.random_state)
        centre = A.mean(axis=0)
        positive = range(len(self.classes_)) if len(self.classes_) > 2 else [1]
        fits = [self._descend(A - centre, np.where(codes == k, 1.0, -1.0), rng) for k in positive]
        w = np.array([w for w, _, _ in fits])
        b = np.array([b for _, b, _ in fits]) - w @ centre
        histories = [history for _, _, history in fits]
        two = len(fits) == 1
        self.w_ = w[0] if two else w
        self.b_ = float(b[0]) if two else b
        self.objective_history_ = histories[0] if two else histories
        self.n_iter_ = max(map(len, histories))
        return self

    def _descend(
        self, X: FloatArray, y: FloatArray, rng: np.random.Generator
    ) -> tuple[FloatArray, float, FloatArray]:
        """w, b and the objective after each epoch."""
        steps = hinge_sgd_steps(X, y, self.C, batch_size=self.batch_size, random_state=rng)
        steps_per_epoch = -(-len(X) // self.batch_size)
        history: list[float] = []
        for step in islice(steps, steps_per_epoch - 1, None, steps_per_epoch):
            w, b = step.w_mean, step.b_mean
            history.append(hinge_objective(X, y, self.C, w, b))
            fall = history[max(0, len(history) - 1 - PATIENCE)] / history[-1] - 1
            if len(history) > PATIENCE and fall <= self.tol:
                break
            if len(history) == self.max_iter:
                self._warn(fall)
                break
        return w, b, np.array(history)

    def _warn(self, fall: float) -> None:
        warnings.warn(
            f"LinearSVC stopped after max_iter={self.max_iter} epochs; the objective still fell by "
            f"{fall:.2g} of its value over the last {PATIENCE}, more than tol={self.tol:g}.",
            ConvergenceWarning,
            stacklevel=4,
        )

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """w·x + b, positive for `classes_[1]`; for more than two classes one column each."""
        f: FloatArray = self._start_predict(X) @ self.w_.T + self.b_
        return f

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """The label of each row of X."""
        f = self.decision_function(X)
        return self.classes_[(f > 0).astype(int) if f.ndim == 1 else f.argmax(axis=1)]
