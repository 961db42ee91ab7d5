"""The closed forms against enumeration, simulation and the numbers of the claims."""

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import linprog

from mlcore.theory import (
    adaboost_rounds_needed,
    adaboost_training_bound,
    best_lambda,
    bias_variance,
    cover_count,
    gd_bound,
    perceptron_mistake_bound,
    separable_fraction,
    stability_bound,
)
from mlcore.tree import DecisionTreeRegressor

# ---------------------------------------------------------------- perceptron


def perceptron_mistakes(X, y):
    w, mistakes = np.zeros(X.shape[1]), 0
    while True:
        wrong = np.flatnonzero(y * (X @ w) <= 0)
        if not wrong.size:
            return mistakes
        w, mistakes = w + y[wrong[0]] * X[wrong[0]], mistakes + 1


def test_perceptron_makes_no_more_mistakes_than_the_bound():  # PER-10
    rng = np.random.default_rng(0)
    for _ in range(50):
        w = rng.normal(size=3)
        X = rng.normal(size=(30, 3))
        X = X[np.abs(X @ w) > 0.1]
        y = np.sign(X @ w)
        assert perceptron_mistakes(X, y) <= perceptron_mistake_bound(X, y, w)


def test_perceptron_bound_by_hand():  # PER-05: R² = 101, γ = 1
    X, y = np.array([[10.0, 1.0], [-10.0, 1.0]]), [1, 1]
    assert perceptron_mistake_bound(X, y, [0, 5]) == pytest.approx(101)
    assert perceptron_mistake_bound([[10.0], [-10.0]], y, [0], 3) == pytest.approx(101)


def test_perceptron_bound_needs_a_separator():
    with pytest.raises(ValueError, match="w must separate"):
        perceptron_mistake_bound([[1.0], [2.0]], [1, -1], [1])


# ---------------------------------------------------------------- AdaBoost


def test_training_bound_is_the_product():  # BST-26
    errors = np.array([0.3, 0.4, 0.1])
    product = np.cumprod([2 * math.sqrt(e * (1 - e)) for e in errors])
    np.testing.assert_allclose(adaboost_training_bound(errors), product)
    assert np.all(product <= np.exp(-2 * np.cumsum((0.5 - errors) ** 2)))
    assert adaboost_training_bound([0.3, 0.0])[-1] == 0
    assert adaboost_training_bound([0.5]) == 1
    assert adaboost_training_bound([2 / 3], K=3) == pytest.approx(1)  # chance gains nothing
    with pytest.raises(ValueError, match="errors must hold"):
        adaboost_training_bound([1.2])


def test_rounds_needed():  # BST-27, BST-28: γ = ½ − ε, four times the rounds for half the edge
    assert adaboost_rounds_needed(1000, 0.1) == math.ceil(380.045)
    assert adaboost_rounds_needed(1000, 0.05) == math.ceil(1520.18)
    for n, gamma in ((10, 0.3), (1000, 0.1)):
        T = adaboost_rounds_needed(n, gamma)
        assert adaboost_training_bound([0.5 - gamma] * T)[-1] < 1 / n


# ---------------------------------------------------------------- Cover


def is_separable(X, y):
    rows = -y[:, None] * X
    found = linprog(np.zeros(X.shape[1]), rows, -np.ones(len(y)), bounds=[(None, None)])
    return found.status == 0


@pytest.mark.parametrize(("N", "p", "count"), [(2, 4, 8), (3, 6, 32), (4, 6, 52), (2, 3, 6)])
def test_cover_counts_separable_labelings(N, p, count):  # FE-20
    X = np.random.default_rng(0).normal(size=(p, N))
    labelings = map(np.array, itertools.product([-1, 1], repeat=p))
    assert sum(is_separable(X, y) for y in labelings) == count == cover_count(N, p)


def test_cover_values():  # FE-20, FE-21
    assert cover_count(3, 7) == 44
    assert separable_fraction(5, 9) == pytest.approx(0.637, abs=5e-4)
    assert separable_fraction(1000, 1998) == pytest.approx(0.518, abs=5e-4)
    assert separable_fraction(500, 900) == pytest.approx(0.9996, abs=5e-5)
    for N in (1, 5, 100):
        assert separable_fraction(N, N) == 1
        assert separable_fraction(N, 2 * N) == 0.5
    assert separable_fraction(6, 1000) == pytest.approx(1.5e-288, rel=0.05)


# ---------------------------------------------------------------- gradient steps, stability


@pytest.mark.parametrize("rho", [0.1, 1, 10])
@pytest.mark.parametrize("T", [25, 100, 400])
def test_gd_bound_holds_and_scales(rho, T):  # CNV-03, CNV-08
    B, w, path = 1.0, 0.0, []
    for _ in range(T):
        path.append(w)
        w -= B / (rho * math.sqrt(T)) * rho * np.sign(w - B)
    gap = rho * abs(np.mean(path) - B)
    assert gap <= gd_bound(B, rho, T) * (1 + 1e-12)
    assert gd_bound(B, rho, T) == pytest.approx(B * rho / math.sqrt(T))


def test_gd_bound_in_other_units():
    assert gd_bound(2, 3, 4) == 3
    assert gd_bound(2, 300, 4) == 300


def test_best_lambda_minimises_the_bound():  # GEN-14, GEN-16, GEN-17
    rho, B, m = 2, 3, 100
    grid = np.geomspace(1e-3, 10, 200_001)
    total = grid * B**2 + 2 * rho**2 / (grid * m)
    lam = best_lambda(rho, B, m)
    assert lam == pytest.approx(0.09428, abs=1e-5)
    assert grid[total.argmin()] == pytest.approx(lam, rel=1e-4)
    at_best = lam * B**2 + stability_bound(rho, lam, m)
    assert at_best == pytest.approx(rho * B * math.sqrt(8 / m)) == pytest.approx(1.69706, abs=1e-5)
    assert stability_bound(rho, lam, 2 * m) == pytest.approx(stability_bound(rho, lam, m) / 2)


@pytest.mark.parametrize(
    "call",
    [
        lambda: adaboost_rounds_needed(10, 0),
        lambda: adaboost_rounds_needed(10, 0.6),
        lambda: cover_count(0, 3),
        lambda: gd_bound(1, -1, 3),
        lambda: stability_bound(1, 0, 3),
        lambda: best_lambda(1, 1, 0),
    ],
)
def test_out_of_range(call):
    with pytest.raises(ValueError, match="must be"):
        call()


# ---------------------------------------------------------------- bias and variance


class Line:
    def fit(self, X, y):
        self.w = np.polyfit(np.ravel(X), y, 1)
        return self

    def predict(self, X):
        return np.polyval(self.w, np.ravel(X))


def sine(X):
    return np.sin(2 * np.pi * X[:, 0])


def sine_data(rng, n=30, sigma=0.3):
    X = rng.uniform(size=(n, 1))
    return X, sine(X) + sigma * rng.normal(size=n)


GRID = np.linspace(0, 1, 50)[:, None]


def test_squared_error_is_bias_squared_plus_variance_plus_noise():  # OVF-01
    parts = bias_variance(Line(), sine_data, sine, GRID, 0.3, repeats=400, random_state=0)
    total = parts.bias2 + parts.variance + parts.noise
    assert abs(parts.mse - total) < 4 * parts.mse_error
    assert abs(parts.mse - math.sqrt(parts.bias2) - parts.variance) > 20 * parts.mse_error
    assert parts.noise == pytest.approx(0.09)
    assert parts.predictions.shape == (400, 50)


def test_bias_and_variance_of_known_models():
    class Mean(Line):
        def fit(self, X, y):
            self.w = [np.mean(y)]
            return self

    def data(rng):
        return np.zeros((25, 1)), 2 + rng.normal(size=25)

    parts = bias_variance(
        Mean(), data, lambda X: np.full(len(X), 2.0), [[0.0]], 1, repeats=4000, random_state=0
    )
    assert parts.variance == pytest.approx(1 / 25, rel=0.1)  # BAG-03
    assert parts.bias2 < 1e-3


def test_deep_trees_have_variance_and_lines_have_bias():  # OVF-03, OVF-06
    ask = {"X_test": GRID, "sigma": 0.3, "repeats": 60, "random_state": 0}
    line = bias_variance(Line(), sine_data, sine, **ask)
    tree = bias_variance(DecisionTreeRegressor(), sine_data, sine, **ask)
    assert tree.variance > 3 * line.variance
    assert line.bias2 > 5 * tree.bias2


def test_bias_variance_repeats_with_its_seed():
    ask = {"X_test": GRID, "sigma": 0.3, "repeats": 3}
    runs = [bias_variance(Line(), sine_data, sine, **ask, random_state=s) for s in (0, 0, 1)]
    assert runs[0].mse == runs[1].mse != runs[2].mse
