"""Kernels against scikit-learn, their own feature maps, and the laws of inner products."""

from math import comb, e, factorial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics.pairwise import linear_kernel, polynomial_kernel, rbf_kernel

from mlcore.kernels import (
    gram,
    is_positive_semidefinite,
    linear,
    polynomial,
    polynomial_feature_map,
    rbf,
    rbf_on_grid,
    rbf_partial_sum,
    rbf_rows,
)

rng = np.random.default_rng(0)
X, Z = rng.normal(size=(7, 3)), rng.normal(size=(5, 3))


def test_values_are_those_of_scikit_learn():
    np.testing.assert_allclose(linear(X, Z), linear_kernel(X, Z))
    np.testing.assert_allclose(polynomial(X, Z, 4), polynomial_kernel(X, Z, 4, 1.0, 1.0))
    np.testing.assert_allclose(
        polynomial(X, Z, 2, gamma=0.3, r=2.0), polynomial_kernel(X, Z, 2, 0.3, 2.0)
    )
    np.testing.assert_allclose(rbf(X, Z, 1.7), rbf_kernel(X, Z, gamma=1 / (2 * 1.7**2)))


@pytest.mark.parametrize("d", [2, 20])
def test_rbf_far_from_the_origin_keeps_its_digits(d):
    A = np.random.default_rng(1).normal(size=(30, d))
    np.testing.assert_allclose(rbf(A + 1e6, A + 1e6, 2.0), rbf(A, A, 2.0), atol=1e-8)
    assert rbf(A + 1e6, A + 1e6, 2.0).max() <= 1  # squared distances never below zero


@pytest.mark.parametrize("d", [2, 20])
def test_rbf_rows_are_rows_of_the_gram_matrix(d):
    A = 100 + np.random.default_rng(1).normal(size=(30, d))
    picked = np.array([29, 0, 7])
    np.testing.assert_allclose(rbf_rows(A, 0.7)(picked), rbf(A, A, 0.7)[picked], atol=1e-12)


def test_inputs_are_left_alone_and_lists_are_taken():
    A = X.copy()
    polynomial(X, X, 2), rbf(X, X, 1.0), rbf_rows(X, 1.0)(np.array([1]))
    np.testing.assert_array_equal(X, A)
    assert linear([[1, 2]], [[3, 4]]) == [[11]]


@settings(deadline=None, max_examples=40)
@given(
    st.integers(1, 4), st.integers(1, 5), st.floats(0.1, 3), st.floats(0, 3), st.integers(0, 999)
)
def test_the_feature_map_is_behind_the_polynomial_kernel(d, degree, gamma, r, seed):
    A, B = np.random.default_rng(seed).normal(size=(2, 4, d))
    phi_A, phi_B = (polynomial_feature_map(S, degree, gamma, r) for S in (A, B))
    assert phi_A.shape[1] == comb(d + degree, degree)
    K = polynomial(A, B, degree, gamma, r)
    size = np.linalg.norm(phi_A, axis=1).max() * np.linalg.norm(phi_B, axis=1).max()
    np.testing.assert_allclose(phi_A @ phi_B.T, K, rtol=1e-9, atol=1e-12 * size)


def test_ker_04_the_map_of_one_plus_x_z_squared():
    x1, x2 = 0.3, -1.2
    expected = [1, 2**0.5 * x1, 2**0.5 * x2, x1**2, 2**0.5 * x1 * x2, x2**2]
    np.testing.assert_allclose(polynomial_feature_map([[x1, x2]], 2)[0], expected)


def test_ker_08_the_rank_of_the_gram_matrix_is_the_dimension_of_the_features():
    A = np.random.default_rng(0).normal(size=(200, 2))
    assert np.linalg.matrix_rank(polynomial(A, A, 3)) == comb(2 + 3, 3) == 10


def test_ker_24_the_partial_sums_climb_to_the_rbf_kernel():
    K = rbf(X, Z, 1.3)
    errors = [np.abs(rbf_partial_sum(X, Z, 1.3, terms) - K).max() for terms in (5, 15, 60)]
    assert errors[0] > 1e-3 > errors[1] > errors[2]
    assert errors[2] < 1e-12
    s, x, z = X[0] @ Z[0], X[0], Z[0]
    by_hand = sum((1 + s) ** n / factorial(n) for n in range(4)) / e
    by_hand *= np.exp(-(x @ x + z @ z) / 2)
    assert rbf_partial_sum(X, Z, 1.0, 4)[0, 0] == pytest.approx(by_hand)


def test_the_sum_on_a_grid_is_the_sum_at_its_nodes():
    A, coef = X[:, :2], rng.normal(size=7)
    x_axis, y_axis = np.linspace(-2, 2, 11), np.linspace(-1, 3, 6)
    nodes = np.stack(np.meshgrid(x_axis, y_axis), axis=-1).reshape(-1, 2)
    expected = (rbf(nodes, A, 0.6) @ coef).reshape(6, 11)
    np.testing.assert_allclose(rbf_on_grid(x_axis, y_axis, A, coef, 0.6), expected, atol=1e-12)


def test_mercers_test():
    points = np.random.default_rng(0).normal(size=(10, 2)) * 3
    assert is_positive_semidefinite(gram(linear, points))  # eight eigenvalues are 0 here
    assert is_positive_semidefinite(gram(lambda A, B: rbf(A, B, 0.5), points))
    assert is_positive_semidefinite(np.zeros((3, 3)))
    squared = ((points[:, None] - points) ** 2).sum(-1)
    assert not is_positive_semidefinite(10 - squared)  # KER-32
    assert is_positive_semidefinite(10 - np.array([[0, 0.01], [0.01, 0]]))
    assert not is_positive_semidefinite(np.tanh(points @ points.T - 1))
    assert not is_positive_semidefinite([[1, 1], [0, 1]])  # not symmetric
    with pytest.raises(ValueError, match="square"):
        is_positive_semidefinite(np.ones((2, 3)))


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: rbf(X, Z, 0), "sigma"),
        (lambda: rbf(X, Z, -1.0), "sigma"),
        (lambda: rbf_rows(X, 0.0), "sigma"),
        (lambda: rbf_on_grid([0], [0], X[:, :2], np.ones(7), 0), "sigma"),
        (lambda: rbf_partial_sum(X, Z, 1.0, 0), "terms"),
        (lambda: polynomial(X, Z, 0), "degree"),
        (lambda: polynomial(X, Z, 2, gamma=0), "gamma"),
        (lambda: polynomial(X, Z, 2, r=-1), "r must"),
        (lambda: polynomial_feature_map(X, 1.5), "degree"),
        (lambda: linear(X, Z[:, :2]), "columns"),
        (lambda: linear(X[0], Z), "columns"),
        (lambda: gram(linear, [[np.nan]]), "NaN"),
    ],
)
def test_what_makes_no_sense_is_refused(call, name):
    with pytest.raises((ValueError, TypeError), match=name):
        call()
