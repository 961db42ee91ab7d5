"""The regularisation path against SMO, LIBSVM and the KKT conditions, at every kind of C."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

from mlcore.kernels import linear, rbf
from mlcore.svm import (
    HardMarginSVC,
    dual_objective,
    intercept,
    primal_objective,
    regularization_path,
    smo_steps,
)
from mlcore.svm import path as path_module
from mlcore.validation import ConvergenceWarning
from tests.mlcore.svm_problems import KERNELS, blobs, dual_problems, dual_value, libsvm

MANY_C = np.logspace(-4, 4, 25)


def relative_gap(K, y, path, C):
    """(primal − dual) / primal at C: zero proves α(C) and b(C) optimal."""
    alpha, b = path.alpha(C), path.b(C)
    assert alpha.min() >= 0
    assert alpha.max() <= C
    assert abs(alpha @ y) <= 1e-10 * C * len(y)
    b_i = y - K @ (alpha * y)
    primal = primal_objective(alpha, y, b_i, b, C)
    return (primal - dual_objective(alpha, y, b_i)) / primal


@pytest.mark.parametrize("share", [0.5, 0.3, 0.9])
@pytest.mark.parametrize("kernel", sorted(KERNELS))
def test_the_gap_is_closed_at_every_c_breakpoints_among_them(kernel, share):
    X, y = blobs(40, share=share)
    K = KERNELS[kernel](X, X)
    path = regularization_path(K, y)
    assert path.breakpoints[0] == 0
    assert np.all(np.diff(path.breakpoints) > 0)
    middles = (path.breakpoints[:-1] + path.breakpoints[1:]) / 2
    for C in [*MANY_C, *path.breakpoints[1:], *middles]:
        assert abs(relative_gap(K, y, path, C)) < 1e-8


@settings(deadline=None, max_examples=150)
@given(dual_problems())
def test_the_gap_is_closed_on_ties_twins_grids_and_constants(problem):
    K, y, C = problem
    path = regularization_path(K, y)
    for at in [C, *path.breakpoints[1:12], *path.breakpoints[1:12] * 1.01]:
        assert abs(relative_gap(K, y, path, at)) < 1e-7


def test_smo_and_libsvm_stop_on_the_path():
    X, y = blobs(60, share=0.4, seed=5)
    K = rbf(X, X, 1.0)
    path = regularization_path(K, y)
    for C in (0.01, 0.3, 1.0, 7.0, 100.0):
        *_, step = smo_steps(K, y, C, 1e-9)
        np.testing.assert_allclose(path.alpha(C), step.alpha, atol=1e-6 * C)
        assert path.b(C) == pytest.approx(libsvm(K, y, C)[1], abs=1e-4)


def test_alpha_is_linear_between_breakpoints_and_continuous_across():
    X, y = blobs(40, share=0.4)
    path = regularization_path(rbf(X, X, 1.0), y, C_max=100.0)
    for start, end in zip(path.breakpoints[:-1], path.breakpoints[1:], strict=True):
        a, m, z = (path.alpha(C) for C in (start or 1e-12, (start + end) / 2, np.nextafter(end, 0)))
        np.testing.assert_allclose(m, (a + z) / 2, atol=1e-9 * end)
        np.testing.assert_allclose(z, path.alpha(end), atol=1e-9 * end)


def test_bounds_are_met_exactly():
    X, y = blobs(60, gap=0.5)
    path = regularization_path(linear(X, X), y)
    C = 0.37
    alpha = path.alpha(C)
    near_C = np.abs(alpha - C) < 1e-9
    assert near_C.sum() > 10
    assert np.all(alpha[near_C] == C)
    assert np.sum(alpha == 0) > 10


def test_two_points_by_hand():
    X, y = np.array([[1.0], [-1.0]]), np.array([1.0, -1.0])
    path = regularization_path(linear(X, X), y)
    np.testing.assert_allclose(path.breakpoints, [0, 0.5])
    np.testing.assert_allclose(path.alpha(0.2), 0.2)
    np.testing.assert_allclose(path.alpha(1e5), 0.5)
    assert path.b(0.2) == pytest.approx(0)  # no α is free: the middle of [−0.6, 0.6]


def test_three_points_by_hand():
    """x = 0 | 1, 3: the nearer of the two carries all the weight from the start."""
    X, y = np.array([[0.0], [1.0], [3.0]]), np.array([-1.0, 1.0, 1.0])
    path = regularization_path(linear(X, X), y)
    np.testing.assert_allclose(path.alpha(1.0), [1, 1, 0], atol=1e-12)
    hard = float(2 / Fraction(1) ** 2)
    np.testing.assert_allclose(path.alpha(5.0), [hard, hard, 0], atol=1e-12)
    assert path.breakpoints[-1] == pytest.approx(hard)


def test_the_square_has_many_solutions_and_the_path_finds_one():
    X, y = np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1]]), np.array([1.0, 1, -1, -1])
    K = linear(X, X)
    path = regularization_path(K, y)
    assert dual_value(K, y, path.alpha(10.0)) == pytest.approx(0.5)


def test_points_without_any_difference_go_along_with_c_for_ever():
    K, y = np.zeros((6, 6)), np.array([1.0, -1, 1, -1, 1, 1])
    path = regularization_path(K, y)
    alpha = path.alpha(3.0)
    assert alpha.sum() == pytest.approx(2 * 2 * 3.0)
    assert path.C_max == np.inf


def test_for_separable_classes_the_path_ends_at_the_hard_margin():
    X, y = blobs(60, gap=3.0, seed=2)
    K = linear(X, X)
    path = regularization_path(K, y)
    hard = HardMarginSVC(tol=1e-9).fit(X, y)
    assert path.C_max == np.inf
    assert path.breakpoints[-1] == pytest.approx(path.alpha(1e9).max())  # SM-30
    np.testing.assert_allclose(path.alpha(1e9), hard.alpha_, atol=1e-7)
    assert path.b(1e9) == pytest.approx(hard.b_, abs=1e-6)


def test_sm_29_a_tiny_c_is_the_constant_classifier():
    X, y = blobs(30, share=0.7)
    path = regularization_path(linear(X, X), y)
    w = (path.alpha(1e-9) * y) @ X
    assert np.linalg.norm(w) < 1e-6
    assert path.b(1e-9) == pytest.approx(1, abs=1e-6)  # the larger class


def test_beyond_c_max_it_says_so():
    X, y = blobs(40)
    path = regularization_path(rbf(X, X, 1.0), y, C_max=2.0)
    assert path.C_max == 2.0
    path.alpha(2.0)
    for wrong in (2.1, 0.0, -1.0):
        with pytest.raises(ValueError, match="C must"):
            path.alpha(wrong)
    with pytest.raises(ValueError, match="C_max"):
        regularization_path(np.eye(2), np.array([1.0, -1.0]), C_max=0)


def test_a_walk_that_is_cut_short_warns_how_far_it_came(monkeypatch):
    X, y = blobs(40)
    whole = regularization_path(rbf(X, X, 1.0), y)
    monkeypatch.setattr(path_module, "range", lambda limit: [0] * 5, raising=False)
    with pytest.warns(ConvergenceWarning, match="5 breakpoints"):
        path = regularization_path(rbf(X, X, 1.0), y)
    assert path.C_max == pytest.approx(whole.breakpoints[5])
    np.testing.assert_allclose(path.alpha(path.C_max), whole.alpha(path.C_max), atol=1e-9)


def test_no_warning_and_no_change_to_the_input():
    X, y = blobs(30, share=0.4)
    K = rbf(X, X, 1.0)
    kept = K.copy(), y.copy()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        path = regularization_path(K, y)
    np.testing.assert_array_equal(K, kept[0])
    np.testing.assert_array_equal(y, kept[1])
    alpha = path.alpha(1.0)
    assert path.b(1.0) == intercept(y - K @ (alpha * y), alpha, y, 1.0)


@pytest.mark.parametrize(
    ("K", "y"),
    [
        (np.eye(3), [1, -1]),
        (np.eye(2), [1, 1]),
        (np.eye(2), [0, 1]),
        (np.ones((2, 3)), [1, -1]),
        ([[np.nan, 0], [0, 1]], [1, -1]),
    ],
)
def test_problems_that_make_no_sense_are_refused(K, y):
    with pytest.raises(ValueError, match=r"K |y must"):
        regularization_path(K, y)
