"""Problems, and second opinions on them, that the tests of the support vector machines share."""

import numpy as np
import sklearn.svm
from hypothesis import strategies as st
from scipy.optimize import minimize

from mlcore.kernels import linear, polynomial, rbf


def blobs(n=40, d=2, gap=0.8, share=0.5, seed=0):
    """Two overlapping clouds, `share` of the points in the positive one."""
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) < round(share * n), 1.0, -1.0)
    return rng.normal(size=(n, d)) + gap * y[:, None], y


KERNELS = {
    "linear": linear,
    "poly": lambda X, Z: polynomial(X, Z, 3),
    "rbf": lambda X, Z: rbf(X, Z, 1.0),
    "narrow rbf": lambda X, Z: rbf(X, Z, 0.2),
}


def libsvm(K, y, C, tol=1e-6):
    """α, b of LIBSVM on a Gram matrix."""
    model = sklearn.svm.SVC(C=C, kernel="precomputed", tol=tol).fit(K, y)
    alpha = np.zeros(len(y))
    alpha[model.support_] = np.abs(model.dual_coef_[0])
    return alpha, float(model.intercept_[0])


def dual_value(K, y, alpha):
    """Σα − ½ΣΣ αᵢαⱼyᵢyⱼKᵢⱼ, written out."""
    return alpha.sum() - 0.5 * alpha @ (np.outer(y, y) * K) @ alpha


def slsqp(value, gradient, start, y, C, more=()):
    """min value(α) s.t. 0 ≤ α ≤ C, yᵀα = 0 by a general solver."""
    constraints = [{"type": "eq", "fun": lambda a: a @ y, "jac": lambda a: y}, *more]
    found = minimize(
        value,
        start,
        jac=gradient,
        bounds=[(0, None if np.isinf(C) else C)] * len(y),
        constraints=constraints,
        method="SLSQP",
        options={"maxiter": 2000, "ftol": 1e-14},
    )
    return found.x


@st.composite
def dual_problems(draw, max_n=24):
    """A Gram matrix, labels and C over six decades; ties, repeats and constants among them."""
    seed = draw(st.integers(0, 2**32 - 1))
    n = draw(st.integers(2, max_n))
    d = draw(st.integers(1, 4))
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(n) < draw(st.sampled_from([0.2, 0.5, 0.8])), 1.0, -1.0)
    y[:2] = 1.0, -1.0
    X = rng.normal(size=(n, d)) + draw(st.sampled_from([0.0, 0.5, 3.0])) * y[:, None]
    shape = draw(st.sampled_from(["as drawn", "on a grid", "repeated", "a constant column"]))
    if shape == "on a grid":
        X = np.round(X)
    if shape == "repeated":
        X[n // 2 :] = X[: n - n // 2]
    if shape == "a constant column":
        X[:, 0] = 7.0
    kernel = draw(st.sampled_from(sorted(KERNELS)))
    C = 10.0 ** draw(st.floats(-3, 3))
    return KERNELS[kernel](X, X), y, C
