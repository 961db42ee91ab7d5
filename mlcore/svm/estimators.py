"""The support vector classifiers that solve the dual: `SVC` and `HardMarginSVC`."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Iterator
from functools import partial
from itertools import combinations, islice
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcore.base import Classifier
from mlcore.kernels import Kernel, linear, polynomial, rbf, rbf_rows
from mlcore.svm.dual import (
    dual_objective,
    intercept,
    intercept_interval,
    primal_objective,
    project,
    to_bounds,
)
from mlcore.svm.projected_gradient import GradientStep, projected_gradient_steps
from mlcore.svm.rows import KernelRows
from mlcore.svm.smo import FaceStep, PairStep, smo_steps
from mlcore.svm.votes import pair_votes
from mlcore.validation import (
    ConvergenceWarning,
    FloatArray,
    IntArray,
    check_choice,
    check_integer,
    check_number,
    check_sample_weight,
    check_target,
)

AT_ONCE = 300  # up to this many points the whole Gram matrix is quicker than row after row
BLOCK = 1 << 22  # kernel values held at a time while predicting: 32 MB
CHECK_EVERY = 500  # steps of the hard margin between two looks at whether it can be had

Machine = TypeVar("Machine", bound="_KernelMachine")


class Solution(NamedTuple):
    """What a solver of the dual found."""

    alpha: FloatArray
    b: float
    n_iter: int
    dual_objective: float
    primal_objective: float


class NotSeparableError(ValueError):
    """No hyperplane separates the two classes."""


class _KernelMachine(Classifier):
    """f(x) = Σ αᵢyᵢ K(xᵢ, x) + b for two classes; a vote of one such f a pair for more."""

    kernel: str | Kernel
    sigma: float
    degree: int
    gamma: float
    r: float
    tol: float
    max_iter: int
    memory_mb: float
    b_: float | FloatArray
    n_iter_: int | IntArray
    dual_objective_: float | FloatArray
    primal_objective_: float | FloatArray

    def _kernel(self) -> Kernel:
        if callable(self.kernel):
            return self.kernel
        kernels: dict[str, Kernel] = {
            "linear": linear,
            "poly": partial(polynomial, degree=self.degree, gamma=self.gamma, r=self.r),
            "rbf": partial(rbf, sigma=self.sigma),
        }
        return kernels[check_choice("kernel", self.kernel, tuple(kernels))]

    def _check_parameters(self) -> None:
        self._kernel()
        check_number("sigma", self.sigma, above=0)
        check_integer("degree", self.degree)
        check_number("gamma", self.gamma, above=0)
        check_number("r", self.r, at_least=0)
        check_number("tol", self.tol, above=0, at_most=1)
        check_integer("max_iter", self.max_iter)
        check_number("memory_mb", self.memory_mb, above=0)

    def _gram(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        K = np.asarray(self._kernel()(X, Z), dtype=np.float64)
        if K.shape != (len(X), len(Z)):
            raise ValueError(
                f"kernel must return one value for each pair, shape {(len(X), len(Z))}, "
                f"but it returned shape {K.shape}."
            )
        if not np.isfinite(K).all():
            raise ValueError("kernel returned NaN or infinite values: scale the columns of X.")
        return K

    def _rows(self, X: FloatArray) -> KernelRows:
        """The Gram matrix of X: whole if it is small, row by row if not."""
        if len(X) <= AT_ONCE:
            return KernelRows.of_matrix(self._gram(X, X))
        if self.kernel == "rbf":
            return KernelRows(rbf_rows(X, self.sigma), np.ones(len(X)), self.memory_mb)
        diagonal = [np.diagonal(self._gram(Z, Z)) for Z in np.array_split(X, 1 + len(X) // 100)]
        return KernelRows(
            lambda indices: self._gram(X[indices], X), np.concatenate(diagonal), self.memory_mb
        )

    def _fit_pairs(
        self: Machine, X: FloatArray, codes: IntArray, weight: FloatArray, alpha0: Any = None
    ) -> Machine:
        """One binary problem for each pair of classes, the second of the pair being y = +1."""
        self._check_parameters()
        start = None if alpha0 is None else check_target(alpha0, len(X), "alpha0")
        pairs = list(combinations(range(len(self.classes_)), 2))
        alpha, beta = np.zeros((2, len(pairs), len(X)))
        solutions = []
        for p, (first, second) in enumerate(pairs):
            of_pair = np.flatnonzero(((codes == first) | (codes == second)) & (weight > 0))
            y = np.where(codes[of_pair] == second, 1.0, -1.0)
            if np.all(y == y[:1]):
                raise ValueError("y holds one class only once the rows of weight 0 are left out.")
            begin = np.zeros(len(y)) if start is None else start[of_pair]
            solution = self._solve(X[of_pair], y, weight[of_pair], begin)
            alpha[p, of_pair], beta[p, of_pair] = solution.alpha, y * solution.alpha
            solutions.append(solution)
        self.support_ = np.flatnonzero(alpha.any(axis=0))
        self.support_vectors_ = X[self.support_]
        self.dual_coef_ = beta[:, self.support_]
        self._set_fitted(alpha, solutions)
        return self

    def _set_fitted(self, alpha: FloatArray, solutions: list[Solution]) -> None:
        """The fitted attributes: plain for two classes, one row or entry a pair for more."""
        two = len(self.classes_) == 2
        self.alpha_ = alpha[0] if two else alpha
        for name in ("b", "n_iter", "dual_objective", "primal_objective"):
            values = [getattr(solution, name) for solution in solutions]
            setattr(self, f"{name}_", values[0] if two else np.array(values))
        self.duality_gap_ = self.primal_objective_ - self.dual_objective_
        if self.kernel == "linear":
            w = self.dual_coef_ @ self.support_vectors_
            self.w_ = w[0] if two else w

    @abstractmethod
    def _solve(
        self, X: FloatArray, y: FloatArray, weight: FloatArray, alpha: FloatArray
    ) -> Solution:
        """α, b and both objectives of one binary problem."""

    def _solution(
        self, rows: KernelRows, y: FloatArray, C: FloatArray, alpha: FloatArray, n_iter: int
    ) -> Solution:
        """b and both objectives from α; a warning if the KKT conditions are not met."""
        support = np.flatnonzero(alpha)
        b_i = y - rows.combine(support, (alpha * y)[support])
        violation = intercept_interval(b_i, alpha, y, C).violation
        if violation > self.tol:
            warnings.warn(
                f"{type(self).__name__} stopped after {n_iter} steps with a KKT violation of "
                f"{violation:.2g}, above tol={self.tol:g}: raise max_iter, scale the columns of "
                "X, or lower C.",
                ConvergenceWarning,
                stacklevel=5,
            )
        b = intercept(b_i, alpha, y, C)
        dual = dual_objective(alpha, y, b_i)
        return Solution(alpha, b, n_iter, dual, self._primal(alpha, y, b_i, b, C))

    def _primal(
        self, alpha: FloatArray, y: FloatArray, b_i: FloatArray, b: float, C: FloatArray
    ) -> float:
        return primal_objective(alpha, y, b_i, b, C)

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """f(x) for two classes, positive for `classes_[1]`; for more, a score for each class.

        The score is the number of pairs the class wins, plus less than a half for how clearly.
        """
        f = self._pair_scores(self._start_predict(X))
        return f[:, 0] if len(self.classes_) == 2 else pair_votes(f, len(self.classes_))

    def _pair_scores(self, X: FloatArray) -> FloatArray:
        if self.kernel == "linear":
            scores: FloatArray = X @ np.atleast_2d(self.w_).T + self.b_
            return scores
        block = max(1, BLOCK // max(1, len(self.support_)))
        parts = [
            self._gram(X[i : i + block], self.support_vectors_) @ self.dual_coef_.T
            for i in range(0, len(X), block)
        ]
        return np.concatenate(parts) + self.b_

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """The label of each row of X."""
        f = self.decision_function(X)
        return self.classes_[(f > 0).astype(int) if f.ndim == 1 else f.argmax(axis=1)]


class SVC(_KernelMachine):
    """The soft-margin support vector machine, through its dual.

        min_{w,b}  ½‖w‖² + C Σᵢ max(0, 1 − yᵢ f(xᵢ)),     f(x) = w·φ(x) + b
        max_α      Σα − ½ Σᵢⱼ αᵢαⱼ yᵢyⱼ K(xᵢ, xⱼ)         s.t. 0 ≤ α ≤ C, yᵀα = 0

    `kernel` is "linear", "poly" (`degree`, `gamma`, `r`), "rbf" (`sigma`) or a function of two
    sets that returns the matrix of kernel values. With `sample_weight` each point has a bound
    of its own, C·weightᵢ. `solver` is "smo" or "projected_gradient" (which needs the whole Gram
    matrix). `memory_mb` bounds the rows of the Gram matrix that "smo" keeps.

    More than two classes: one machine for each pair of classes, and they vote. `alpha_`, `b_`,
    `w_`, `n_iter_` and the objectives then have one row or entry for each pair.

    Fitted: `alpha_` (n,), `b_`, `support_` (indices with α > 0), `w_` (linear kernel), `n_iter_`,
    `dual_objective_`, `primal_objective_`, `duality_gap_`.
    """

    def __init__(
        self,
        *,
        C: float = 1.0,
        kernel: str | Kernel = "linear",
        sigma: float = 1.0,
        degree: int = 3,
        gamma: float = 1.0,
        r: float = 1.0,
        solver: str = "smo",
        tol: float = 1e-3,
        max_iter: int = 200_000,
        memory_mb: float = 200,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.sigma = sigma
        self.degree = degree
        self.gamma = gamma
        self.r = r
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.memory_mb = memory_mb

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        alpha0: ArrayLike | None = None,
    ) -> SVC:
        """Solve the dual; `alpha0` (n,) is where to start, such as the α of a nearby problem."""
        A, codes = self._start_fit_labels(X, y)
        check_number("C", self.C, above=0)
        check_choice("solver", self.solver, ("smo", "projected_gradient"))
        return self._fit_pairs(A, codes, check_sample_weight(sample_weight, len(A)), alpha0)

    def _solve(
        self, X: FloatArray, y: FloatArray, weight: FloatArray, alpha: FloatArray
    ) -> Solution:
        C = self.C * weight
        alpha = project(alpha, y, C)
        steps: Iterator[PairStep | FaceStep | GradientStep]
        if self.solver == "smo":
            rows = self._rows(X)
            steps = smo_steps(rows, y, C, self.tol, alpha, newton=True)
        else:
            K = self._gram(X, X)
            rows = KernelRows.of_matrix(K)
            steps = projected_gradient_steps(K, y, C, self.tol, alpha)
        n_iter = 0
        for step in islice(steps, self.max_iter):
            alpha = step.alpha
            n_iter += 1
        return self._solution(rows, y, C, to_bounds(alpha, C), n_iter)


class HardMarginSVC(_KernelMachine):
    """The widest street between two classes that has no point in it.

        min_{w,b}  ½‖w‖²   s.t.  yᵢ f(xᵢ) ≥ 1               f(x) = w·φ(x) + b
        max_α      Σα − ½ Σᵢⱼ αᵢαⱼ yᵢyⱼ K(xᵢ, xⱼ)           s.t. α ≥ 0, yᵀα = 0

    The street is 2/‖w‖ wide; `margin_` = 1/‖w‖ is the distance of the nearest points. If no
    hyperplane separates the classes, the dual grows without bound, and `fit` raises
    `NotSeparableError`. Otherwise as `SVC`.
    """

    def __init__(
        self,
        *,
        kernel: str | Kernel = "linear",
        sigma: float = 1.0,
        degree: int = 3,
        gamma: float = 1.0,
        r: float = 1.0,
        tol: float = 1e-3,
        max_iter: int = 100_000,
        memory_mb: float = 200,
    ) -> None:
        self.kernel = kernel
        self.sigma = sigma
        self.degree = degree
        self.gamma = gamma
        self.r = r
        self.tol = tol
        self.max_iter = max_iter
        self.memory_mb = memory_mb

    def fit(self, X: ArrayLike, y: ArrayLike) -> HardMarginSVC:
        """Find the widest street, or say that there is none."""
        A, codes = self._start_fit_labels(X, y)
        self._fit_pairs(A, codes, np.ones(len(A)))
        self.margin_ = (2 * self.dual_objective_) ** -0.5  # at the optimum Σα = ‖w‖² = 1/margin²
        return self

    def _solve(
        self, X: FloatArray, y: FloatArray, weight: FloatArray, alpha: FloatArray
    ) -> Solution:
        rows = self._rows(X)
        C = np.full(len(y), np.inf)
        steps = islice(smo_steps(rows, y, C, self.tol, newton=True), self.max_iter)
        n_iter = 0
        for step in steps:
            alpha = step.alpha
            n_iter += 1
            if n_iter % CHECK_EVERY == 0:
                _raise_if_hulls_meet(rows, y, alpha)
        _raise_if_hulls_meet(rows, y, alpha)
        return self._solution(rows, y, C, alpha, n_iter)

    def _primal(
        self, alpha: FloatArray, y: FloatArray, b_i: FloatArray, b: float, C: FloatArray
    ) -> float:
        """½‖w‖², after w and b are scaled up until even the nearest point has yf = 1."""
        nearest = min(1.0, float((1 - y * (b_i - b)).min()))
        return 0.5 * float((alpha * y) @ (y - b_i)) / nearest**2 if nearest > 0 else np.inf


def _raise_if_hulls_meet(rows: KernelRows, y: FloatArray, alpha: FloatArray) -> None:
    """Two classes are separable exactly if their convex hulls do not meet.

    Scaled to Σα = 2, α holds the weights of one point in each hull, and w is the vector between
    the two points: when it vanishes, they are one.
    """
    support = np.flatnonzero(alpha)
    beta = (2 * y * alpha / alpha.sum())[support]
    w_squared = beta @ rows.combine(support, beta)[support]
    spread = (rows.diagonal + rows.diagonal[0] - 2 * rows.row(0)).max()
    if w_squared <= max(1e-12 * spread, 1e-15 * rows.diagonal.max()):
        raise NotSeparableError(
            "The classes are not separable: their convex hulls meet, so no hyperplane (in the "
            "feature space of this kernel) has all points on their right sides. Use SVC, which "
            "allows slack at a price C, or another kernel."
        )
