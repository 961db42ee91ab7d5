"""More than two classes: SVC's votes, the two reductions, and Crammer–Singer."""

import numpy as np
import pytest
import sklearn.linear_model
import sklearn.multiclass
import sklearn.svm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.datasets import load_iris

from mlcore.neighbors import KNeighborsClassifier
from mlcore.svm import (
    SVC,
    CrammerSingerSVC,
    LinearSVC,
    OneVsOneClassifier,
    OneVsRestClassifier,
    crammer_singer_steps,
)
from mlcore.svm.crammer_singer import project_to_simplex
from mlcore.svm.votes import pair_votes
from mlcore.validation import ConvergenceWarning

IRIS, SPECIES = load_iris(return_X_y=True)


def collinear(K, n=40, seed=0):
    """K blobs in a row, MC-01: those in the middle have others on both sides."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(K), n)
    return rng.normal(scale=0.3, size=(K * n, 2)) + np.c_[4.0 * y, np.zeros(K * n)], y


# ---- votes ----------------------------------------------------------------------------------


def test_votes_by_hand():
    f = np.array([[1.0, 2.0, -0.5], [-1.0, 2.0, -0.5], [-2.0, 1.5, -1.0]])  # 01, 02, 12
    scores = pair_votes(f, 3)
    np.testing.assert_array_equal(scores.argmax(axis=1), [1, 2, 0])
    np.testing.assert_array_equal(np.round(scores[0]), [0, 2, 1])
    np.testing.assert_array_equal(np.round(scores[1:]), 1)  # ties, settled by the sums


@given(st.integers(0, 10**6), st.integers(3, 6))
def test_the_sums_never_overturn_a_vote(seed, K):
    f = 100 * np.random.default_rng(seed).standard_cauchy(size=(20, K * (K - 1) // 2))
    scores = pair_votes(f, K)
    assert np.abs(scores - np.round(scores)).max() < 0.5
    np.testing.assert_array_equal(np.round(scores).sum(axis=1), K * (K - 1) // 2)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_svc_is_libsvm_one_against_one(kernel):
    model = SVC(kernel=kernel, sigma=1.0, tol=1e-6).fit(IRIS, SPECIES)
    other = sklearn.svm.SVC(kernel=kernel, gamma=0.5, tol=1e-6, decision_function_shape="ovr").fit(
        IRIS, SPECIES
    )
    np.testing.assert_array_equal(model.predict(IRIS), other.predict(IRIS))
    np.testing.assert_array_equal(model.support_, np.sort(other.support_))
    np.testing.assert_allclose(-model.b_, other.intercept_, atol=1e-4)  # +1 is the other class
    np.testing.assert_allclose(
        model.decision_function(IRIS), other.decision_function(IRIS), atol=1e-3
    )
    assert model.alpha_.shape == (3, 150)
    assert model.duality_gap_.shape == (3,)
    assert np.all(model.duality_gap_ >= -1e-9)


def test_svc_is_the_one_vs_one_reduction_of_itself():
    votes = OneVsOneClassifier(base=SVC(kernel="rbf", tol=1e-6)).fit(IRIS, SPECIES)
    model = SVC(kernel="rbf", tol=1e-6).fit(IRIS, SPECIES)
    np.testing.assert_allclose(votes.decision_function(IRIS), model.decision_function(IRIS))
    assert len(votes.models_) == 3


# ---- reductions -----------------------------------------------------------------------------


def test_one_vs_rest_is_that_of_scikit_learn():
    ours = OneVsRestClassifier(base=SVC(tol=1e-6)).fit(IRIS, SPECIES)
    theirs = sklearn.multiclass.OneVsRestClassifier(sklearn.svm.SVC(kernel="linear", tol=1e-6)).fit(
        IRIS, SPECIES
    )
    np.testing.assert_allclose(
        ours.decision_function(IRIS), theirs.decision_function(IRIS), atol=1e-3
    )
    np.testing.assert_array_equal(ours.predict(IRIS), theirs.predict(IRIS))


@pytest.mark.parametrize("reduction", [OneVsRestClassifier, OneVsOneClassifier])
@pytest.mark.parametrize(
    "base",
    [
        None,
        LinearSVC(random_state=0, tol=0.01),
        KNeighborsClassifier(k=3),
        sklearn.linear_model.LogisticRegression(),
        sklearn.svm.LinearSVC(),
    ],
)
def test_any_binary_classifier_will_do_and_is_left_alone(reduction, base):
    X, y = collinear(3)
    names = np.array(["ant", "bee", "cat"])[y]
    model = reduction(base=base).fit(X[:, [1, 0]] @ [[1.0, 1.0], [0.0, 0.1]], names)
    assert set(model.classes_) == {"ant", "bee", "cat"}
    assert len(model.models_) == 3
    assert base is None or not hasattr(base, "classes_")
    assert model.predict(X[:, [1, 0]] @ [[1.0, 1.0], [0.0, 0.1]]).shape == (120,)


@pytest.mark.parametrize("reduction", [OneVsRestClassifier, OneVsOneClassifier])
def test_two_classes_need_one_model(reduction):
    X, y = collinear(2)
    model = reduction().fit(X, y)
    assert len(model.models_) == 1
    np.testing.assert_array_equal(model.decision_function(X) > 0, y == 1)
    with pytest.raises(TypeError, match="base"):
        reduction(base="svc").fit(X, y)
    with pytest.raises(TypeError, match="base"):
        reduction(base=SVC).fit(X, y)


def test_mc_01_a_class_between_others_is_lost_to_one_vs_rest():
    for K in (3, 5):
        X, y = collinear(K)
        scores = {
            model: model.fit(X, y).score(X, y)
            for model in (OneVsRestClassifier(), OneVsOneClassifier(), CrammerSingerSVC(tol=0.01))
        }
        rest, one, joint = scores.values()
        assert one == joint == 1
        if K == 5:
            assert rest < 0.9
    claims = (next(iter(scores))._scores(X) > 0).sum(axis=1)
    assert np.mean(claims != 1) > 0.3


# ---- Crammer–Singer -------------------------------------------------------------------------


def objective(W, b, X, y, C):
    f = X @ W.T + b
    right = np.arange(len(W)) == y[:, None]
    return 0.5 * (W**2).sum() + C * ((f + ~right).max(axis=1) - f[right]).sum()


@pytest.mark.parametrize("C", [0.01, 1.0])
def test_without_intercept_it_is_that_of_liblinear(C):
    X = IRIS - IRIS.mean(axis=0)
    model = CrammerSingerSVC(C=C, fit_intercept=False, tol=1e-4).fit(X, SPECIES)
    other = sklearn.svm.LinearSVC(
        C=C, multi_class="crammer_singer", fit_intercept=False, tol=1e-8, max_iter=100_000
    ).fit(X, SPECIES)
    assert model.primal_objective_ == pytest.approx(
        objective(other.coef_, 0, X, SPECIES, C), rel=1e-4
    )
    np.testing.assert_allclose(model.w_, other.coef_, atol=5e-3)
    np.testing.assert_array_equal(model.b_, 0)


def test_with_intercept_a_general_solver_finds_nothing_better():
    X, y = IRIS[::5, :2], SPECIES[::5]
    n, C = len(X), 0.5
    model = CrammerSingerSVC(C=C, tol=1e-6).fit(X, y)

    def unpack(v):
        return v[:6].reshape(3, 2), v[6:9], v[9:]

    def room(v):  # f_y − f_k + ξ ≥ 1 for the wrong k, ξ ≥ 0 for the right one
        W, b, xi = unpack(v)
        f = X @ W.T + b
        wrong = np.arange(3) != y[:, None]
        return (f[np.arange(n), y][:, None] - f + xi[:, None] - wrong).ravel()

    found = minimize(
        lambda v: 0.5 * v[:6] @ v[:6] + C * v[9:].sum(),
        np.r_[np.zeros(9), np.ones(n)],
        jac=lambda v: np.r_[v[:6], np.zeros(3), np.full(n, C)],
        constraints={"type": "ineq", "fun": room},
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 300},
    )
    assert model.primal_objective_ == pytest.approx(found.fun, rel=1e-5)
    assert model.primal_objective_ == pytest.approx(objective(model.w_, model.b_, X, y, C))
    assert model.duality_gap_ == pytest.approx(0, abs=1e-3)


def test_its_multipliers_are_feasible():
    model = CrammerSingerSVC(C=0.3, tol=1e-5).fit(IRIS, SPECIES)
    assert model.mu_.min() >= 0
    np.testing.assert_allclose(model.mu_.sum(axis=1), 0.3)
    beta = 0.3 * np.eye(3)[SPECIES] - model.mu_
    np.testing.assert_allclose(beta.sum(axis=0), 0, atol=1e-3)
    np.testing.assert_allclose(model.w_, beta.T @ (IRIS - IRIS.mean(axis=0)), atol=1e-8)
    np.testing.assert_allclose(model.w_.sum(axis=0), 0, atol=1e-9)


def test_for_two_classes_it_is_the_svc_with_twice_its_c():
    X, y = IRIS[50:, :2], SPECIES[50:]
    joint = CrammerSingerSVC(C=0.5, tol=1e-6).fit(X, y)
    binary = SVC(C=1.0, tol=1e-6).fit(X, y)
    np.testing.assert_allclose(joint.w_[1] - joint.w_[0], binary.w_, atol=1e-3)
    np.testing.assert_allclose(joint.decision_function(X), binary.decision_function(X), atol=1e-2)


def test_the_dual_without_intercept_never_falls():
    e = 1 - np.eye(3)[SPECIES]
    values = [
        (sweep.mu * e).sum() - 0.5 * (sweep.W**2).sum()
        for sweep in crammer_singer_steps(IRIS, SPECIES, 0.1, 1e-3, fit_intercept=False)
    ]
    assert len(values) > 5
    assert np.diff(values).min() > -1e-12


def test_it_says_when_it_is_cut_short():
    with pytest.warns(ConvergenceWarning, match="max_iter=2 sweeps"):
        model = CrammerSingerSVC(max_iter=2).fit(IRIS, SPECIES)
    assert model.n_iter_ == 2


def test_the_projection_onto_the_simplex_keeps_a_small_c_beside_huge_entries():
    np.testing.assert_array_equal(
        project_to_simplex(np.array([1e15, 0.0, 1.0]), 1e-3), [1e-3, 0, 0]
    )
    X = np.r_[np.zeros((1, 2)), IRIS[:, :2] - 5]  # ‖x‖ = 0: nothing but the labels counts there
    CrammerSingerSVC(C=1e-6, fit_intercept=False).fit(X, np.r_[0, SPECIES])


@settings(deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 6), st.floats(0.01, 100))
def test_the_projection_onto_the_simplex(seed, K, C):
    v = np.random.default_rng(seed).normal(size=K) * 2 * C
    mu = project_to_simplex(v, C)
    assert mu.min() >= 0
    assert mu.sum() == pytest.approx(C)
    # the residual v − μ is the same θ wherever μ > 0, and no greater elsewhere
    theta = (v - mu)[mu > 0]
    np.testing.assert_allclose(theta, theta[0], atol=1e-9 * C)
    assert np.all((v - mu)[mu == 0] <= theta[0] + 1e-9 * C)
