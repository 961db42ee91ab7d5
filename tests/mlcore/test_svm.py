"""SVC, HardMarginSVC and LinearSVC: against LIBSVM, general solvers, and what theory says."""

import warnings
from itertools import islice

import numpy as np
import pytest
import sklearn.svm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog, minimize

from mlcore.kernels import linear, polynomial_feature_map, rbf
from mlcore.svm import (
    SVC,
    HardMarginSVC,
    LinearSVC,
    NotSeparableError,
    SlackCase,
    hinge_objective,
    hinge_sgd_steps,
    slack_cases,
)
from mlcore.validation import ConvergenceWarning
from tests.mlcore.svm_problems import blobs, dual_value, slsqp

OURS = [
    ({"kernel": "linear"}, {"kernel": "linear"}),
    ({"kernel": "poly", "degree": 2, "gamma": 0.5, "r": 2.0},
     {"kernel": "poly", "degree": 2, "gamma": 0.5, "coef0": 2.0}),
    ({"kernel": "rbf", "sigma": 0.8}, {"kernel": "rbf", "gamma": 1 / (2 * 0.8**2)}),
    ({"kernel": lambda A, B: rbf(A, B, 0.8)}, {"kernel": "rbf", "gamma": 1 / (2 * 0.8**2)}),
]  # fmt: skip


def margins(model, X, y):
    return y * model.decision_function(X)


# ---- SVC ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ours", "theirs"), OURS)
@pytest.mark.parametrize("C", [0.1, 10.0])
@pytest.mark.parametrize("n", [60, 400])  # the whole Gram matrix, and row by row
def test_everything_fitted_is_that_of_libsvm(ours, theirs, C, n):
    X, y = blobs(n, gap=0.6, share=0.4)
    model = SVC(C=C, tol=1e-6, **ours).fit(X, y)
    other = sklearn.svm.SVC(C=C, tol=1e-6, **theirs).fit(X, y)
    theirs_alpha = np.zeros(n)
    theirs_alpha[other.support_] = np.abs(other.dual_coef_[0])
    np.testing.assert_array_equal(model.support_, np.flatnonzero(theirs_alpha))
    np.testing.assert_allclose(model.alpha_, theirs_alpha, atol=1e-3 * C)
    assert model.b_ == pytest.approx(other.intercept_[0], abs=1e-4)
    new = np.random.default_rng(1).normal(size=(50, 2))
    np.testing.assert_allclose(
        model.decision_function(new), other.decision_function(new), atol=1e-3
    )
    np.testing.assert_array_equal(model.predict(new), other.predict(new))


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_the_gap_is_closed_and_both_objectives_are_what_they_say(kernel):
    X, y = blobs(80, gap=0.5)
    model = SVC(C=2.0, kernel=kernel, tol=1e-8).fit(X, y)
    K = linear(X, X) if kernel == "linear" else rbf(X, X, 1.0)
    norm = (model.alpha_ * y) @ K @ (model.alpha_ * y)
    xi = np.maximum(0, 1 - margins(model, X, y))
    assert model.primal_objective_ == pytest.approx(norm / 2 + 2.0 * xi.sum())
    assert model.dual_objective_ == pytest.approx(dual_value(K, y, model.alpha_))
    assert model.duality_gap_ == pytest.approx(0, abs=1e-6 * model.primal_objective_)
    assert model.duality_gap_ == model.primal_objective_ - model.dual_objective_


def test_the_linear_machine_has_a_w_and_it_is_the_sum_over_support_vectors():
    X, y = blobs(50)
    model = SVC(tol=1e-6).fit(X, y)
    np.testing.assert_allclose(model.w_, (model.alpha_ * y) @ X)
    np.testing.assert_allclose(model.decision_function(X), X @ model.w_ + model.b_)
    assert not hasattr(SVC(kernel="rbf").fit(X, y), "w_")


def test_the_intercept_does_not_come_from_bound_points():
    """At C = 0.01 nearly every α is at C; b from one of those loses many points."""
    X, y = blobs(200, gap=0.8, share=0.3)
    X += 2.0
    model = SVC(C=0.01, tol=1e-6).fit(X, y)
    other = sklearn.svm.SVC(C=0.01, kernel="linear", tol=1e-6).fit(X, y)
    at_C = np.flatnonzero(model.alpha_ == 0.01)
    assert len(at_C) > 0.5 * len(model.support_)
    assert model.b_ == pytest.approx(other.intercept_[0], abs=1e-4)
    b_first = y[at_C[0]] - X[at_C[0]] @ model.w_
    assert abs(b_first - model.b_) > 0.3


def test_b_is_the_middle_of_its_interval_when_no_alpha_is_free():
    X, y = np.array([[1.0], [-1.0], [4.0], [-2.0]]), np.array([1, -1, 1, -1])
    for C in (0.01, 0.02):
        model = SVC(C=C, tol=1e-9).fit(X, y)
        assert np.all((model.alpha_ == 0) | (model.alpha_ == C))
        other = sklearn.svm.SVC(C=C, kernel="linear", tol=1e-9).fit(X, y)
        assert model.b_ == pytest.approx(other.intercept_[0], abs=1e-9)


def test_both_solvers_agree():
    X, y = blobs(60)
    smo, pg = (
        SVC(kernel="rbf", solver=s, tol=1e-6).fit(X, y) for s in ("smo", "projected_gradient")
    )
    assert pg.dual_objective_ == pytest.approx(smo.dual_objective_, rel=1e-6)
    np.testing.assert_allclose(pg.decision_function(X), smo.decision_function(X), atol=1e-4)


@settings(deadline=None, max_examples=30)
@given(st.permutations(range(30)))
def test_the_order_of_the_samples_does_not_matter(order):
    X, y = blobs(30, gap=0.5)
    order = list(order)
    for params in ({"C": 0.05}, {"C": 3.0, "kernel": "rbf"}):
        model, shuffled = SVC(**params).fit(X, y), SVC(**params).fit(X[order], y[order])
        np.testing.assert_allclose(
            model.decision_function(X), shuffled.decision_function(X), atol=2e-3
        )


def test_refitting_forgets():
    X, y = blobs(40)
    model = SVC(tol=1e-6).fit(*blobs(60, d=5, seed=9))
    model.fit(X, y)
    fresh = SVC(tol=1e-6).fit(X, y)
    np.testing.assert_array_equal(model.alpha_, fresh.alpha_)
    assert model.b_ == fresh.b_
    model.set_params(kernel="rbf").fit(X, y)
    assert not hasattr(model, "w_")


def test_labels_of_any_kind():
    X, y = blobs(40)
    model = SVC(tol=1e-6).fit(X, np.where(y > 0, "yes", "no"))
    plain = SVC(tol=1e-6).fit(X, y)
    assert model.classes_.tolist() == ["no", "yes"]
    np.testing.assert_array_equal(model.predict(X) == "yes", plain.predict(X) == 1)
    np.testing.assert_array_equal(model.decision_function(X), plain.decision_function(X))


def test_weights_are_repetitions():
    X, y = blobs(40, gap=0.4)
    weight = np.random.default_rng(0).integers(0, 4, size=40)
    weighted = SVC(kernel="rbf", tol=1e-8).fit(X, y, sample_weight=weight)
    repeated = SVC(kernel="rbf", tol=1e-8).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    np.testing.assert_allclose(
        weighted.decision_function(X), repeated.decision_function(X), atol=1e-6
    )
    assert weighted.dual_objective_ == pytest.approx(repeated.dual_objective_)
    with pytest.raises(ValueError, match="one class"):
        SVC().fit(X, y, sample_weight=(y > 0).astype(float))


def test_a_start_saves_steps_and_changes_nothing():
    X, y = blobs(200, gap=0.5)
    cold = SVC(kernel="rbf", tol=1e-5).fit(X, y)
    warm = SVC(kernel="rbf", tol=1e-5).fit(X, y, alpha0=cold.alpha_)
    assert warm.n_iter_ <= 2 < cold.n_iter_
    np.testing.assert_allclose(warm.alpha_, cold.alpha_, atol=1e-6)
    with pytest.raises(ValueError, match="alpha0"):
        SVC().fit(X, y, alpha0=np.zeros(3))


def test_a_warm_start_that_rounds_onto_the_bound_leaves_no_false_free_point():
    """b is the middle of its interval when every support vector is at C, however it got there."""
    rng = np.random.default_rng(2)
    X = np.vstack([rng.normal(size=(20, 2)), rng.normal(size=(20, 2)) + 1])
    y = np.repeat([0, 1], 20)
    cold = SVC(C=0.01).fit(X, y)
    assert set(cold.alpha_) <= {0.0, 0.01}
    for scale in (1e-4, 3e-4, 0.01, 0.5):
        start = SVC(C=100.0, tol=1e-6).fit(X, y).alpha_ * scale
        warm = SVC(C=0.01).fit(X, y, alpha0=start)
        assert set(warm.alpha_) <= {0.0, 0.01}
        assert warm.b_ == pytest.approx(cold.b_, abs=1e-9)


def test_little_memory_gives_the_same_machine():
    X, y = blobs(400, gap=0.5)
    for kernel in ("rbf", "linear", "poly"):
        plenty = SVC(kernel=kernel, tol=1e-5).fit(X, y)
        little = SVC(kernel=kernel, tol=1e-5, memory_mb=0.2).fit(X, y)
        assert little.dual_objective_ == pytest.approx(plenty.dual_objective_, rel=1e-8)


@pytest.mark.parametrize("solver", ["smo", "projected_gradient"])
def test_a_solver_that_is_cut_short_says_how_far_it_was(solver):
    X, y = blobs(60)
    with pytest.warns(ConvergenceWarning, match=r"after 3 steps with a KKT violation of \d"):
        model = SVC(C=10.0, solver=solver, max_iter=3).fit(X, y)
    assert model.n_iter_ == 3
    assert model.duality_gap_ > 0.1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SVC(C=10.0).fit(X, y)


@pytest.mark.parametrize(
    "case",
    ["twins with opposite labels", "constant columns", "one point a class", "one against many"],
)
@pytest.mark.parametrize("C", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_degenerate_data(case, C, kernel):
    X, y = blobs(20)
    if case == "twins with opposite labels":
        X, y = np.r_[X, X], np.r_[y, -y]
    elif case == "constant columns":
        X[:] = [3.0, -2.0]
    elif case == "one point a class":
        X, y = X[[0, -1]], y[[0, -1]]
    else:
        X, y = X[9:], y[9:]
    model = SVC(C=C, kernel=kernel, tol=1e-4).fit(X, y)
    assert np.isfinite(model.decision_function(X)).all()
    assert model.alpha_ @ y == pytest.approx(0, abs=1e-9 * C)
    assert model.duality_gap_ <= 1e-3 * C * len(y)


def test_what_makes_no_sense_is_refused():
    X, y = blobs(10)
    for params, word in (
        ({"kernel": "cubic"}, "kernel"),
        ({"solver": "newton"}, "solver"),
        ({"C": 0}, "C must"),
        ({"C": -1.0}, "C must"),
        ({"kernel": "rbf", "sigma": 0.0}, "sigma"),
        ({"kernel": "poly", "degree": 0}, "degree"),
        ({"kernel": lambda A, B: np.ones(3)}, "kernel must return"),
        ({"kernel": lambda A, B: np.full((len(A), len(B)), np.nan)}, "kernel returned NaN"),
    ):
        with pytest.raises(ValueError, match=word):
            SVC(**params).fit(X, y)


# ---- hard margin ----------------------------------------------------------------------------


def test_hm_19_the_widest_street_is_that_of_the_primal():
    X, y = blobs(30, gap=2.5)
    model = HardMarginSVC(tol=1e-8).fit(X, y)
    found = minimize(
        lambda v: 0.5 * v[:2] @ v[:2],
        np.r_[model.w_ + 0.1, 0.0],
        jac=lambda v: np.r_[v[:2], 0.0],
        constraints={"type": "ineq", "fun": lambda v: y * (X @ v[:2] + v[2]) - 1},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    np.testing.assert_allclose(np.r_[model.w_, model.b_], found.x, atol=1e-5)
    assert margins(model, X, y).min() == pytest.approx(1, abs=1e-6)  # HM-14
    assert model.margin_ == pytest.approx(1 / np.linalg.norm(model.w_))
    assert model.alpha_.sum() == pytest.approx(model.w_ @ model.w_)  # DU-32
    assert model.duality_gap_ == pytest.approx(0, abs=1e-6)


def test_hm_02_hm_04_the_boundary_is_midway_and_support_vectors_alone_decide():
    X, y = blobs(100, gap=2.5)
    model = HardMarginSVC(tol=1e-8).fit(X, y)
    f = model.decision_function(X)
    assert f[y > 0].min() == pytest.approx(-f[y < 0].max(), abs=1e-6)
    assert len(model.support_) <= 3
    again = HardMarginSVC(tol=1e-8).fit(X[model.support_], y[model.support_])
    np.testing.assert_allclose(again.w_, model.w_, atol=1e-7)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.0]), st.integers(4, 40))
def test_hm_21_it_says_not_separable_exactly_when_no_line_exists(seed, gap, n):
    X, y = blobs(n, gap=gap, seed=seed)
    inequalities = -y[:, None] * np.c_[X, np.ones(n)]
    exists = linprog(np.zeros(3), inequalities, -np.ones(n), bounds=(None, None)).status == 0
    if exists:
        assert margins(HardMarginSVC().fit(X, y), X, y).min() > 0
    else:
        with pytest.raises(NotSeparableError, match="not separable"):
            HardMarginSVC().fit(X, y)


def test_twins_with_opposite_labels_have_no_street_under_any_kernel():
    X = np.array([[0.0, 1.0], [2.0, 0.5], [0.0, 1.0]])
    for params in ({}, {"kernel": "rbf"}, {"kernel": "poly"}):
        with pytest.raises(NotSeparableError):
            HardMarginSVC(**params).fit(X, [0, 0, 1])


def test_a_kernel_separates_what_no_line_can():
    X, y = blobs(40, gap=0.0)
    with pytest.raises(NotSeparableError):
        HardMarginSVC().fit(X, y)
    model = HardMarginSVC(kernel="rbf", sigma=0.3).fit(X, y)
    assert margins(model, X, y).min() > 0.99


# ---- LinearSVC ------------------------------------------------------------------------------


@pytest.mark.parametrize("batch_size", [1, 16])
@pytest.mark.parametrize("C", [0.01, 1.0])
def test_hs_05_sgd_comes_within_one_percent_of_the_optimum(batch_size, C):
    X, y = blobs(200, gap=0.6, share=0.4)
    X += 5.0  # far from the origin: b has to do much of the work
    model = LinearSVC(C=C, batch_size=batch_size, tol=1e-4, random_state=0).fit(X, y)
    best = SVC(C=C, tol=1e-6).fit(X, y).primal_objective_
    found = hinge_objective(X, y, C, model.w_, model.b_)
    assert best <= found * (1 + 1e-9)
    assert found <= 1.01 * best
    assert model.objective_history_[-1] == pytest.approx(found)
    assert len(model.objective_history_) == model.n_iter_


def test_hs_01_to_hs_04_one_step_is_a_subgradient_step():
    X, y = blobs(20)
    C, n = 2.0, 20
    first, second = islice(hinge_sgd_steps(X, y, C, random_state=0), 2)

    def term(v, i):  # of n terms; their mean is the objective over nC
        w, b = v[:2], v[2]
        return w @ w / (2 * n * C) + max(0, 1 - y[i] * (X[i] @ w + b))

    v, (i,) = np.r_[first.w, first.b], second.batch
    gradient = [(term(v + h, i) - term(v - h, i)) / 2e-6 for h in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(
        np.r_[second.w, second.b], v - second.eta * np.array(gradient), atol=1e-8
    )
    assert second.t == 2


def test_the_average_counts_step_t_with_weight_t():
    X, y = blobs(30)
    steps = list(islice(hinge_sgd_steps(X, y, 1.0, batch_size=7, random_state=1), 40))
    t = np.array([step.t for step in steps])
    np.testing.assert_allclose(
        steps[-1].w_mean, np.average([step.w for step in steps], axis=0, weights=t)
    )
    assert steps[-1].b_mean == pytest.approx(np.average([s.b for s in steps], weights=t))
    assert sorted(np.concatenate([s.batch for s in steps[:5]])) == list(range(30))  # one epoch


def test_hs_07_half_the_decay_would_solve_another_problem():
    """w ← w − ηw/(2n) minimises ¼‖w‖² + CΣ hinge: the machine for 2C, not for C."""
    X, y = blobs(100, gap=0.6)
    once, twice = (SVC(C=C, tol=1e-8).fit(X, y).w_ for C in (0.05, 0.1))
    halved = minimize(
        lambda v: v[:2] @ v[:2] / 4 + 0.05 * np.maximum(0, 1 - y * (X @ v[:2] + v[2])).sum(),
        np.zeros(3),
        method="Nelder-Mead",
        options={"xatol": 1e-9, "fatol": 1e-12, "maxiter": 5000},
    ).x[:2]
    np.testing.assert_allclose(halved, twice, atol=1e-4)
    assert np.linalg.norm(once - twice) > 1e-2


def test_hs_06_the_step_is_taken_whenever_the_hinge_is_positive_whatever_c():
    X, y = blobs(50)
    for C in (0.1, 5.0):  # with "1 − yf > C" nothing would ever move at C = 5
        step = next(hinge_sgd_steps(X, y, C, random_state=0))
        assert np.linalg.norm(step.w) > 0


def test_sgd_same_seed_same_machine_and_zero_is_a_seed():
    X, y = blobs(50)
    a, b, c = (LinearSVC(random_state=s, max_iter=10, tol=0.5).fit(X, y).w_ for s in (0, 0, 1))
    np.testing.assert_array_equal(a, b)
    assert not np.array_equal(a, c)


def test_sgd_cut_short_says_so():
    X, y = blobs(50)
    with pytest.warns(ConvergenceWarning, match="max_iter=3 epochs"):
        model = LinearSVC(max_iter=3, random_state=0).fit(X, y)
    assert model.n_iter_ == 3


# ---- what theory says -----------------------------------------------------------------------


def test_slack_cases_by_hand():
    cases = slack_cases(
        alpha=[0, 0.5, 1, 1, 1, 0, 1], margins=[1.7, 1.0, 0.4, -0.2, 1.0, 1.0, 0.0], C=1.0
    )
    assert [SlackCase(case).name for case in cases] == [
        "BEYOND",
        "ON_MARGIN",
        "INSIDE",
        "MISCLASSIFIED",
        "ON_MARGIN",
        "ON_MARGIN",
        "INSIDE",
    ]


def test_sm_34_to_sm_48_complementary_slackness():
    X, y = blobs(200, gap=0.8)
    model = SVC(C=1.0, tol=1e-7).fit(X, y)
    alpha, yf = model.alpha_, margins(model, X, y)
    xi = np.maximum(0, 1 - yf)
    assert np.abs(alpha * (1 - yf - xi)).max() < 1e-6
    assert np.abs((1 - alpha) * xi).max() < 1e-6
    assert np.all(alpha[yf < 1 - 1e-6] == 1)  # SM-40
    assert np.all(alpha[yf > 1 + 1e-6] == 0)  # SM-42
    counts = np.sum(xi > 1e-6), np.sum(alpha == 1), np.sum(alpha > 0)
    assert counts[0] <= counts[1] <= counts[2]  # SM-48
    cases = slack_cases(alpha, yf, 1.0)
    for case in SlackCase:
        assert np.sum(cases == case) > 0
    assert np.all(alpha[cases == SlackCase.BEYOND] == 0)
    assert np.all(alpha[cases >= SlackCase.INSIDE] == 1)
    np.testing.assert_array_equal(cases == SlackCase.MISCLASSIFIED, yf < 0)
    keep = cases != SlackCase.BEYOND  # SM-42, SM-43: these alone decide
    np.testing.assert_allclose(SVC(tol=1e-7).fit(X[keep], y[keep]).w_, model.w_, atol=1e-6)


def test_sm_12_the_width_and_the_slack_fall_as_c_grows():
    X, y = blobs(100, gap=0.7)
    fits = [SVC(C=C, tol=1e-7).fit(X, y) for C in np.logspace(-3, 2, 8)]
    norms = [np.linalg.norm(model.w_) for model in fits]
    slacks = [np.maximum(0, 1 - margins(model, X, y)).sum() for model in fits]
    assert np.diff(norms).min() > -1e-6
    assert np.diff(slacks).max() < 1e-5


def test_sm_26_the_dual_without_the_half_gives_half_of_w_at_twice_c():
    X, y = blobs(30, gap=0.7)
    Q = np.outer(y, y) * (X @ X.T)
    wrong = slsqp(lambda a: a @ Q @ a - a.sum(), lambda a: 2 * Q @ a - 1, np.zeros(30), y, 1.0)
    w = SVC(C=1.0, tol=1e-8).fit(X, y).w_
    w_double = SVC(C=2.0, tol=1e-8).fit(X, y).w_
    np.testing.assert_allclose((wrong * y) @ X, w_double / 2, atol=1e-4)
    assert np.linalg.norm((wrong * y) @ X - w) > 0.05


def test_sm_33_with_alpha_squared_the_dual_is_not_even_concave():
    X, y = blobs(40)
    hessian = 2 * np.eye(40) - np.outer(y, y) * (X @ X.T)
    assert np.sum(np.linalg.eigvalsh(hessian) > 0) == 38


def test_sm_30_any_c_above_the_greatest_hard_alpha_is_the_hard_margin():
    X, y = blobs(40, gap=2.5)
    hard = HardMarginSVC(tol=1e-9).fit(X, y)
    enough = hard.alpha_.max()
    np.testing.assert_allclose(SVC(C=enough, tol=1e-9).fit(X, y).w_, hard.w_, atol=1e-7)
    assert np.linalg.norm(SVC(C=enough / 2, tol=1e-9).fit(X, y).w_ - hard.w_) > 1e-3


def test_du_16_with_the_sum_fixed_to_one_the_direction_is_right_and_the_scale_wrong():
    X, y = blobs(20, gap=2.0)
    Q = np.outer(y, y) * (X @ X.T)
    one = {"type": "eq", "fun": lambda a: a.sum() - 1, "jac": lambda a: np.ones(20)}
    start = np.full(20, 1 / 20)
    added = slsqp(lambda a: 0.5 * a @ Q @ a, lambda a: Q @ a, start, y, np.inf, [one])
    w, w_star = (added * y) @ X, HardMarginSVC(tol=1e-9).fit(X, y).w_
    cosine = w @ w_star / np.linalg.norm(w) / np.linalg.norm(w_star)
    assert cosine == pytest.approx(1, abs=1e-6)
    assert np.linalg.norm(w) == pytest.approx(1 / np.linalg.norm(w_star), rel=1e-4)


def test_du_27_the_square_has_more_than_one_alpha_and_sm_15_a_point_on_the_margin_without():
    X, y = np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1]]), np.array([1.0, 1, -1, -1])
    K = linear(X, X)
    for t in (0.0, 0.1, 0.25, 0.5):
        alpha = np.array([t, 0.5 - t, t, 0.5 - t])
        assert dual_value(K, y, alpha) == pytest.approx(0.5)
        np.testing.assert_allclose((alpha * y) @ X, [1, 0])
    assert HardMarginSVC(tol=1e-9).fit(X, y).dual_objective_ == pytest.approx(0.5)


def test_du_28_rotating_the_data_changes_no_alpha():
    X, y = blobs(40)
    c, s = np.cos(1.0), np.sin(1.0)
    turned = X @ np.array([[c, -s], [s, c]])
    a, b = (SVC(tol=1e-8).fit(Z, y) for Z in (X, turned))
    np.testing.assert_allclose(a.alpha_, b.alpha_, atol=1e-6)


def test_ker_29_the_kernel_is_the_scaled_expansion_not_the_plain_one():
    X, y = blobs(60, gap=0.3)
    y = np.where((X**2).sum(axis=1) > 2, 1, -1)
    new = np.random.default_rng(1).normal(size=(100, 2))
    kernel = SVC(C=0.05, kernel="poly", degree=2, tol=1e-8).fit(X, y).decision_function(new)
    scaled = SVC(C=0.05, tol=1e-8).fit(polynomial_feature_map(X, 2), y)
    np.testing.assert_allclose(
        scaled.decision_function(polynomial_feature_map(new, 2)), kernel, atol=1e-6
    )
    weights = polynomial_feature_map([[1.0, 1.0]], 2)[0]
    plain = SVC(C=0.05, tol=1e-8).fit(polynomial_feature_map(X, 2) / weights, y)
    difference = plain.decision_function(polynomial_feature_map(new, 2) / weights) - kernel
    assert np.abs(difference).max() > 0.01


def test_ker_16_a_scaled_kernel_is_another_c():
    X, y = blobs(40)
    a = SVC(C=1.0, kernel=lambda A, B: 4 * linear(A, B), tol=1e-8).fit(X, y)
    b = SVC(C=4.0, tol=1e-8).fit(X, y)
    np.testing.assert_allclose(a.decision_function(X), b.decision_function(X), atol=1e-6)
