"""SVC beside scikit-learn's (LIBSVM), same problems, same tolerance, one run.

    OPENBLAS_NUM_THREADS=1 python benchmarks/svm.py [tol]

Prints the CPU time of both (the best of several fits, in turn), their ratio, and how far our
dual objective is above (+) or below (−) LIBSVM's, relatively.
"""

from __future__ import annotations

import sys
import time
from typing import Any, NamedTuple

import numpy as np
import sklearn.svm
from sklearn.datasets import load_breast_cancer, load_digits, make_classification, make_moons
from sklearn.preprocessing import StandardScaler

from mlcore.svm import SVC, dual_objective

REPEATS = 3


class Problem(NamedTuple):
    name: str
    X: np.ndarray
    y: np.ndarray
    params: dict[str, Any]


def problems() -> list[Problem]:
    rbf = lambda sigma: {"kernel": "rbf", "sigma": sigma}  # noqa: E731
    linear, cubic = {"kernel": "linear"}, {"kernel": "poly", "degree": 3}
    scale = StandardScaler().fit_transform
    sets = {
        "moons 200": make_moons(200, noise=0.25, random_state=0),
        "moons 1000": make_moons(1000, noise=0.3, random_state=0),
        "moons 4000": make_moons(4000, noise=0.2, random_state=0),
        "cancer 569": load_breast_cancer(return_X_y=True),
        "digits 3/8 357": _three_or_eight(),
        "made 2000": make_classification(2000, 20, n_informative=8, flip_y=0.05, random_state=1),
        "made 4000": make_classification(4000, 10, n_informative=6, flip_y=0.1, random_state=1),
    }
    settings = [
        ("moons 200", rbf(0.5), (1, 100)),
        ("moons 200", linear, (1, 1000)),
        ("moons 1000", rbf(0.5), (1, 100)),
        ("moons 1000", cubic, (10,)),
        ("moons 4000", rbf(0.5), (1, 100)),
        ("cancer 569", linear, (0.1, 10, 100)),
        ("cancer 569", rbf(5.0), (1, 1000)),
        ("digits 3/8 357", rbf(8.0), (1, 10)),
        ("made 2000", rbf(4.0), (1, 100)),
        ("made 2000", linear, (1,)),
        ("made 4000", rbf(3.0), (1, 10)),
    ]
    return [
        Problem(name, scale(sets[name][0]), sets[name][1], {**params, "C": float(C)})
        for name, params, Cs in settings
        for C in Cs
    ]


def _three_or_eight() -> tuple[np.ndarray, np.ndarray]:
    X, y = load_digits(return_X_y=True)
    keep = (y == 3) | (y == 8)
    return X[keep], y[keep]


def libsvm(params: dict[str, Any], tol: float) -> sklearn.svm.SVC:
    gamma = 0.5 / params["sigma"] ** 2 if params["kernel"] == "rbf" else 1.0
    return sklearn.svm.SVC(
        C=params["C"],
        kernel=params["kernel"],
        degree=params.get("degree", 3),
        gamma=gamma,
        coef0=1.0,
        tol=tol,
        cache_size=500,
    )


def cpu_time(model: Any, X: np.ndarray, y: np.ndarray) -> float:
    start = time.process_time()
    model.fit(X, y)
    return time.process_time() - start


def main(tol: float) -> None:
    ratios = []
    print(f"tol = {tol:g}; CPU milliseconds, best of {REPEATS}\n")
    print(f"{'problem':<34}{'LIBSVM':>9}{'mlcore':>9}{'ratio':>7}{'objective':>11}{'steps':>8}")
    for name, X, y, params in problems():
        ours, theirs = SVC(**params, tol=tol), libsvm(params, tol)
        times = [(cpu_time(theirs, X, y), cpu_time(ours, X, y)) for _ in range(REPEATS)]
        their_time, our_time = (min(column) for column in zip(*times, strict=True))
        ratios.append(our_time / their_time)

        alpha = np.zeros(len(y))
        alpha[theirs.support_] = np.abs(theirs.dual_coef_[0])
        signs = np.where(y == ours.classes_[1], 1.0, -1.0)
        b_i = signs - ours._gram(X, X) @ (alpha * signs)
        their_objective = dual_objective(alpha, signs, b_i)
        above = ours.dual_objective_ / their_objective - 1
        label = f"{name}, {params['kernel']}, C={params['C']:g}"
        print(
            f"{label:<34}{1e3 * their_time:9.1f}{1e3 * our_time:9.1f}{ratios[-1]:7.2f}"
            f"{above:+11.1e}{ours.n_iter_:8d}"
        )
    print(f"\ngeometric mean of {len(ratios)} ratios: {np.exp(np.mean(np.log(ratios))):.2f}")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1e-3)
