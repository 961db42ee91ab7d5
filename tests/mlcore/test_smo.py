"""SMO, projected gradient and what they share, against LIBSVM, SLSQP and the KKT conditions."""

from itertools import islice, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcore.kernels import linear, rbf, rbf_rows
from mlcore.svm import (
    FaceStep,
    KernelRows,
    PairStep,
    dual_curvature,
    dual_objective,
    intercept,
    intercept_interval,
    pair_bounds,
    primal_objective,
    project,
    projected_gradient_steps,
    smo_steps,
)
from tests.mlcore.svm_problems import KERNELS, blobs, dual_problems, dual_value, libsvm, slsqp

law = settings(deadline=None, max_examples=100)


def last(steps):
    for step in steps:
        found = step
    return found


def b_of(K, y, alpha):
    return y - K @ (alpha * y)


# ---- the optimum ----------------------------------------------------------------------------


@pytest.mark.parametrize("newton", [False, True])
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("kernel", sorted(KERNELS))
def test_objective_and_decision_function_are_those_of_libsvm(kernel, C, newton):
    X, y = blobs(120, share=0.4)
    K = KERNELS[kernel](X, X)
    alpha = last(smo_steps(K, y, C, 1e-6, newton=newton)).alpha
    theirs, b = libsvm(K, y, C)
    assert dual_value(K, y, alpha) == pytest.approx(dual_value(K, y, theirs), rel=1e-6)
    f = K @ (alpha * y) + intercept(b_of(K, y, alpha), alpha, y, C)
    atol = 1e-4 * max(1, np.abs(f).max())  # LIBSVM keeps K in single precision
    np.testing.assert_allclose(f, K @ (theirs * y) + b, atol=atol)


@pytest.mark.parametrize("kernel", sorted(KERNELS))
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_a_general_solver_finds_nothing_better(kernel, C):
    X, y = blobs(24)
    K = KERNELS[kernel](X, X)
    Q = np.outer(y, y) * K
    alpha = last(smo_steps(K, y, C, 1e-8)).alpha
    other = slsqp(lambda a: 0.5 * a @ Q @ a - a.sum(), lambda a: Q @ a - 1, np.zeros(24), y, C)
    assert dual_value(K, y, alpha) == pytest.approx(dual_value(K, y, other), rel=1e-6)


@law
@given(dual_problems(), st.booleans())
def test_the_kkt_conditions_hold_at_the_end(problem, newton):
    K, y, C = problem
    tol = 1e-5
    alpha = last(smo_steps(K, y, C, tol, newton=newton)).alpha
    assert alpha.min() >= 0
    assert alpha.max() <= C
    assert abs(alpha @ y) <= 1e-9 * C * len(y)
    b_i = b_of(K, y, alpha)
    b = intercept(b_i, alpha, y, C)
    margins = y * (K @ (alpha * y) + b)
    slack = 2 * tol + 1e-9 * C * np.abs(K).max()
    assert np.all(margins[alpha == 0] >= 1 - slack)
    assert np.all(margins[alpha == C] <= 1 + slack)
    np.testing.assert_allclose(margins[(alpha > 0) & (alpha < C)], 1, atol=slack)
    gap = primal_objective(alpha, y, b_i, b, C) - dual_objective(alpha, y, b_i)
    assert -1e-9 * C * len(y) <= gap <= slack * C * len(y)


@law
@given(dual_problems(), st.booleans())
def test_the_dual_never_falls_and_every_step_is_feasible(problem, newton):
    K, y, C = problem
    steps = list(islice(smo_steps(K, y, C, 1e-4, newton=newton), 500))
    values = [dual_value(K, y, step.alpha) for step in steps]
    rounding = 1e-11 * (1 + C * C * np.abs(K).max())
    assert all(later >= earlier - rounding for earlier, later in pairwise([0.0, *values]))
    for step in steps:
        assert step.alpha.min() >= 0
        assert step.alpha.max() <= C
        assert abs(step.alpha @ y) <= 1e-9 * C * len(y)


# ---- one step -------------------------------------------------------------------------------


def test_a_pair_step_says_what_a_picture_of_it_needs():
    X, y = blobs(30)
    K = rbf(X, X, 1.0)
    alpha = np.zeros(30)
    for step in smo_steps(K, y, 1.0, 1e-6):
        i, j = step.i, step.j
        assert step.before == (alpha[i], alpha[j])
        b_i = b_of(K, y, alpha)
        t = (b_i[i] - b_i[j]) / (K[i, i] + K[j, j] - 2 * K[i, j])
        assert step.target == pytest.approx((alpha[i] + y[i] * t, alpha[j] - y[j] * t), abs=1e-9)
        assert pair_bounds(*step.before, y[i] == y[j], 1.0, 1.0) == (step.L, step.H)
        assert step.alpha[j] == pytest.approx(np.clip(step.target[1], step.L, step.H))
        unmoved = np.delete(np.arange(30), [i, j])
        np.testing.assert_array_equal(step.alpha[unmoved], alpha[unmoved])
        alpha = step.alpha
        assert step.interval == pytest.approx(intercept_interval(b_of(K, y, alpha), alpha, y, 1.0))
    assert step.interval.violation <= 1e-6


def test_steps_keep_their_own_alpha():
    X, y = blobs(20)
    steps = list(smo_steps(linear(X, X), y, 1.0))
    assert not np.array_equal(steps[0].alpha, steps[-1].alpha)
    assert np.count_nonzero(steps[0].alpha) == 2


@given(st.floats(0, 1), st.floats(0, 1), st.booleans(), st.sampled_from([1.0, 1.5]), st.just(1.0))
def test_the_bounds_are_where_the_diagonal_leaves_the_box(a_i, a_j, same, C_i, C_j):
    L, H = pair_bounds(a_i, a_j, same, C_i, C_j)
    sign = 1 if same else -1
    assert L - 1e-12 <= a_j <= H + 1e-12
    for end, outside in ((L, L - 1e-6), (H, H + 1e-6)):
        partner = a_i + sign * (a_j - end)
        assert -1e-12 <= partner <= C_i + 1e-12
        partner = a_i + sign * (a_j - outside)
        inside = 0 <= outside <= C_j and 0 <= partner <= C_i
        assert not inside


@pytest.mark.parametrize("seed", range(15))
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_alphas_that_meet_a_bound_are_exactly_there(kernel, seed):
    X, y = blobs(60, gap=0.5, seed=seed)
    C = 0.3  # not a binary fraction
    for newton in (False, True):
        alpha = last(smo_steps(KERNELS[kernel](X, X), y, C, 1e-6, newton=newton)).alpha
        near = (np.abs(alpha) < 1e-14) | (np.abs(alpha - C) < 1e-14)
        assert near.sum() > 30
        assert set(alpha[near]) <= {0.0, C}


@pytest.mark.parametrize("rule", ["first order", "second order", "random"])
def test_every_rule_ends_at_the_same_optimum(rule):
    X, y = blobs(60, seed=3)
    K = rbf(X, X, 1.0)
    alpha = last(smo_steps(K, y, 10.0, 1e-6, rule=rule, random_state=0)).alpha
    best = dual_value(K, y, libsvm(K, y, 10.0)[0])
    assert dual_value(K, y, alpha) == pytest.approx(best, rel=1e-6)


def test_the_second_order_rule_needs_fewer_steps_than_the_others():
    X, y = blobs(50, gap=0.5, seed=1)
    K = rbf(X, X, 0.5)

    def count(rule):
        return sum(1 for _ in smo_steps(K, y, 100.0, rule=rule, random_state=0))

    assert count("second order") < count("first order") < count("random")


def test_newton_steps_save_most_of_the_pair_steps_where_those_crawl():
    X, y = blobs(50, gap=0.5)
    K = linear(X, X)
    pairs = list(smo_steps(K, y, 100.0))
    both = list(smo_steps(K, y, 100.0, newton=True))
    assert all(isinstance(step, PairStep) for step in pairs)
    assert any(isinstance(step, FaceStep) for step in both)
    assert len(both) < len(pairs) / 10
    assert dual_value(K, y, both[-1].alpha) >= dual_value(K, y, pairs[-1].alpha) * (1 - 1e-9)


def test_the_last_sample_is_picked_too():
    X = np.array([[-1.0], [-2.0], [-3.0], [1.0]])
    y = np.array([-1.0, -1.0, -1.0, 1.0])
    alpha = last(smo_steps(linear(X, X), y, 10.0, 1e-9)).alpha
    np.testing.assert_allclose(alpha, [0.5, 0, 0, 0.5])


# ---- starts ---------------------------------------------------------------------------------


def test_a_warm_start_at_the_optimum_has_nothing_left_to_do():
    X, y = blobs(80)
    K = rbf(X, X, 1.0)
    alpha = last(smo_steps(K, y, 1.0, 1e-5)).alpha
    assert list(smo_steps(K, y, 1.0, 1e-4, alpha)) == []


def test_a_warm_start_nearby_saves_steps():
    X, y = blobs(200, gap=0.5)
    K = rbf(X, X, 1.0)
    alpha = last(smo_steps(K, y, 1.0)).alpha
    X[7] += 0.2  # a point was dragged
    K = rbf(X, X, 1.0)
    cold, warm = (list(smo_steps(K, y, 1.0, alpha0=start)) for start in (None, alpha))
    assert len(warm) < len(cold) / 3
    assert dual_value(K, y, warm[-1].alpha) == pytest.approx(
        dual_value(K, y, cold[-1].alpha), rel=1e-5
    )


def test_a_start_that_is_not_feasible_is_moved_to_one_that_is():
    X, y = blobs(30)
    K = rbf(X, X, 1.0)
    start = np.random.default_rng(0).normal(size=30) * 5
    kept = start.copy()
    step = next(smo_steps(K, y, 1.0, alpha0=start))
    assert abs(step.alpha @ y) < 1e-12
    assert 0 <= step.alpha.min() <= step.alpha.max() <= 1
    np.testing.assert_array_equal(start, kept)


# ---- rows on demand -------------------------------------------------------------------------


@pytest.mark.parametrize("newton", [False, True])
def test_a_small_memory_computes_rows_again_and_finds_the_same(newton):
    X, y = blobs(300, gap=0.5)
    asked = []

    def rows(indices):
        asked.append(len(indices))
        return rbf(X[indices], X, 1.0)

    memory_mb = 40 * 2 * 8 * 300 / 2**20  # forty rows and their scales
    K = KernelRows(rows, np.ones(300), memory_mb)
    alpha = last(smo_steps(K, y, 10.0, 1e-6, newton=newton)).alpha
    whole = rbf(X, X, 1.0)
    expected = last(smo_steps(whole, y, 10.0, 1e-6, newton=newton)).alpha
    assert dual_value(whole, y, alpha) == pytest.approx(dual_value(whole, y, expected), rel=1e-9)
    assert K.capacity == 40
    assert max(len(K._rows), len(K._scales)) <= 40
    assert sum(asked) > 300  # some had to be computed twice


def test_rows_of_points_far_from_the_margin_are_never_computed():
    X, y = blobs(500, gap=2.0)
    K = KernelRows(rbf_rows(X, 2.0), np.ones(500), 100)
    last(smo_steps(K, y, 1.0))
    assert len(K._rows) < 250


def test_rows_agree_with_the_matrix():
    X, _ = blobs(100)
    K = rbf(X, X, 1.0)
    rows = KernelRows(rbf_rows(X, 1.0), np.ones(100), 0.02)
    picked, coef = np.arange(3, 90), np.linspace(-1, 1, 87)
    np.testing.assert_allclose(rows.row(5), K[5], atol=1e-12)
    np.testing.assert_allclose(rows.combine(picked, coef), coef @ K[picked], atol=1e-12)
    eta = np.maximum(K[5, 5] + K.diagonal() - 2 * K[5], rows.flat)
    np.testing.assert_allclose(rows.scale(5), eta**-0.5, rtol=1e-6)


# ---- degenerate problems --------------------------------------------------------------------


def test_one_point_a_class():
    X, y = np.array([[1.0], [-1.0]]), np.array([1.0, -1.0])
    for C, expected in ((10.0, 0.5), (0.5, 0.5), (0.1, 0.1)):
        alpha = last(smo_steps(linear(X, X), y, C, 1e-9)).alpha
        np.testing.assert_allclose(alpha, expected)


def test_twins_with_opposite_labels_end_at_the_bound():
    X, y = np.ones((6, 2)), np.array([1.0, -1.0] * 3)
    for kernel in (linear, lambda A, B: rbf(A, B, 1.0)):
        alpha = last(smo_steps(kernel(X, X), y, 3.0, 1e-6, newton=True)).alpha
        np.testing.assert_array_equal(alpha, 3.0)


def test_all_at_the_bound_leaves_b_in_the_middle_of_its_interval():
    X, y = blobs(40)
    K = linear(X, X)
    alpha = last(smo_steps(K, y, 1e-4)).alpha
    np.testing.assert_array_equal(alpha, 1e-4)
    b_i = b_of(K, y, alpha)
    up, low = intercept_interval(b_i, alpha, y, 1e-4)
    assert low - up > 1
    assert intercept(b_i, alpha, y, 1e-4) == pytest.approx((up + low) / 2)
    assert intercept(b_i, alpha, y, 1e-4) == pytest.approx(libsvm(K, y, 1e-4)[1], abs=1e-6)


def test_du_27_every_b_of_the_interval_has_the_same_objective():
    K, y, alpha = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([1.0, -1.0]), np.full(2, 0.1)
    b_i = b_of(K, y, alpha)
    assert intercept_interval(b_i, alpha, y, 0.1) == pytest.approx((-0.8, 0.8))
    values = [primal_objective(alpha, y, b_i, b, 0.1) for b in (-0.8, 0.0, 0.3, 0.8)]
    np.testing.assert_allclose(values, 0.18)
    assert primal_objective(alpha, y, b_i, 0.9, 0.1) > 0.181


def test_where_rounding_lets_nothing_move_it_stops():
    X, y = blobs(10)
    K = 1e12 * linear(X, X)
    assert sum(1 for _ in islice(smo_steps(K, y, 1.0, 1e-14), 100_000)) < 100_000


# ---- the projection and projected gradient --------------------------------------------------


@law
@given(st.integers(0, 2**32 - 1), st.integers(2, 15), st.sampled_from([0.1, 1.0, 10.0]))
def test_pgd_02_the_projection_is_that_of_a_general_solver(seed, n, C):
    rng = np.random.default_rng(seed)
    v, y = 3 * rng.normal(size=n), np.where(np.arange(n) % 2, 1.0, -1.0)
    alpha = project(v, y, C)
    assert abs(alpha @ y) < 1e-12
    assert 0 <= alpha.min() <= alpha.max() <= C
    other = slsqp(lambda a: 0.5 * np.sum((a - v) ** 2), lambda a: a - v, np.zeros(n), y, C)
    assert np.sum((alpha - v) ** 2) <= np.sum((other - v) ** 2) + 1e-9
    np.testing.assert_allclose(alpha, other, atol=1e-5)


def test_projecting_twice_changes_nothing_and_infinite_c_is_allowed():
    y = np.array([1.0, -1.0, -1.0, 1.0])
    v = np.array([3.0, -1.0, 0.5, 2.0])
    for C in (1.0, np.inf, np.array([1.0, 2.0, 0.5, 3.0])):
        alpha = project(v, y, C)
        assert alpha @ y == pytest.approx(0, abs=1e-12)
        np.testing.assert_allclose(project(alpha, y, C), alpha, atol=1e-12)


def test_projected_gradient_climbs_to_the_optimum_and_never_falls():
    X, y = blobs(40, seed=2)
    K = rbf(X, X, 1.0)
    steps = list(projected_gradient_steps(K, y, 1.0, 1e-6))
    values = [step.objective for step in steps]
    assert np.diff(values).min() > -1e-12
    assert values[-1] == pytest.approx(dual_value(K, y, libsvm(K, y, 1.0)[0]), rel=1e-6)
    assert steps[-1].interval.violation <= 1e-6


def test_pgd_01_clipping_alone_solves_the_machine_without_intercept():
    X, y = blobs(40, gap=0.6, seed=4)
    X += [3.0, 2.0]
    K = linear(X, X)
    Q = np.outer(y, y) * K
    clipped = np.zeros(40)
    for _ in range(3000):
        clipped = np.clip(clipped + (1 - Q @ clipped) / np.linalg.norm(Q, 2), 0, 1)
    assert abs(clipped @ y) > 1  # feasible for no machine with an intercept
    projected = last(islice(projected_gradient_steps(K, y, 1.0, 1e-3), 100_000)).alpha
    assert abs(projected @ y) < 1e-9
    errors = [np.mean(y * (K @ (clipped * y)) <= 0)]
    b = intercept(b_of(K, y, projected), projected, y, 1.0)
    errors.append(np.mean(y * (K @ (projected * y) + b) <= 0))
    assert errors[1] < errors[0] - 0.1


def test_pgd_03_the_curvature_that_counts_is_that_on_the_plane():
    X, y = blobs(60, gap=0.5)
    X += 4.0
    K = linear(X, X)
    Q, P = np.outer(y, y) * K, np.eye(60) - np.outer(y, y) / 60
    on_plane = np.linalg.eigvalsh(P @ Q @ P)[-1]
    assert dual_curvature(K) == pytest.approx(on_plane, rel=1e-3)
    assert np.linalg.eigvalsh(Q)[-1] > 5 * on_plane

    def falls(factor):
        steps = islice(projected_gradient_steps(K, y, 1.0, 1e-9, eta=factor / on_plane), 400)
        return int(np.sum(np.diff([step.objective for step in steps]) < -1e-9))

    assert falls(1.0) == falls(1.9) == 0
    assert falls(4.0) > 100


# ---- what makes no sense --------------------------------------------------------------------


@pytest.mark.parametrize("solver", [smo_steps, projected_gradient_steps])
def test_problems_that_make_no_sense_are_refused(solver):
    K, y = np.eye(3), np.array([1.0, -1.0, 1.0])
    for call, word in (
        (lambda: solver(K[:2], y, 1.0), "K must"),
        (lambda: solver(K, np.array([0.0, 1.0, 1.0]), 1.0), "y must"),
        (lambda: solver(K, np.ones(3), 1.0), "y must"),
        (lambda: solver(K * np.nan, y, 1.0), "NaN"),
        (lambda: solver(K, y, 1.0, 0.0), "tol"),
    ):
        with pytest.raises(ValueError, match=word):
            next(call())
    with pytest.raises(ValueError, match="rule"):
        next(smo_steps(K, y, 1.0, rule="third order"))
