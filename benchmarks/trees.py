"""Trees, forests and AdaBoost side by side with scikit-learn: `python benchmarks/trees.py`.

Both sides fit the same data in the same process, one core each, taking turns; the best of
several runs counts, in processor time. A ratio below 1 means mlcore is faster.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import sklearn.ensemble
import sklearn.tree

from mlcore.ensemble import AdaBoostClassifier, RandomForestClassifier
from mlcore.tree import DecisionTreeClassifier, DecisionTreeRegressor

SIZES = [(200, 2), (500, 10), (2000, 20), (10_000, 20)]
RUNS = 3


def make_data(n: int, d: int, K: int) -> tuple[np.ndarray, np.ndarray]:
    """Noisy classes that take a deep tree to fit."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    score = X[:, 0] + X[:, 1] ** 2 + rng.normal(scale=0.7, size=n)
    return X, np.digitize(score, np.quantile(score, np.arange(1, K) / K))


def seconds(fit: Callable[[], Any]) -> float:
    start = time.process_time()
    fit()
    return time.process_time() - start


def compare(name: str, ours: Any, theirs: Any, classes: tuple[int, ...] = (2, 5)) -> None:
    for K in classes:
        for n, d in SIZES:
            X, y = make_data(n, d, K)
            runs = 1 if n > 5000 else RUNS
            pairs = [
                (seconds(lambda: ours.fit(X, y)), seconds(lambda: theirs.fit(X, y)))  # noqa: B023
                for _ in range(runs)
            ]
            a, b = np.min(pairs, axis=0)
            print(f"{name:24}{K:>3}{n:>7}{d:>4}{1e3 * a:>10.1f}{1e3 * b:>10.1f}{a / b:>8.2f}")


if __name__ == "__main__":
    print(f"{'method':24}{'K':>3}{'n':>7}{'d':>4}{'mlcore ms':>10}{'sklearn':>10}{'ratio':>8}")
    compare("tree, Gini", DecisionTreeClassifier(), sklearn.tree.DecisionTreeClassifier())
    compare(
        "tree, entropy",
        DecisionTreeClassifier(criterion="entropy"),
        sklearn.tree.DecisionTreeClassifier(criterion="entropy"),
    )
    compare(
        "regression tree",
        DecisionTreeRegressor(max_depth=8),
        sklearn.tree.DecisionTreeRegressor(max_depth=8),
        classes=(100,),
    )
    compare(
        "forest of 100, with OOB",
        RandomForestClassifier(m=100, random_state=0),
        sklearn.ensemble.RandomForestClassifier(100, oob_score=True, random_state=0),
    )
    compare(
        "AdaBoost, 100 stumps",
        AdaBoostClassifier(T=100),
        sklearn.ensemble.AdaBoostClassifier(n_estimators=100),
    )
