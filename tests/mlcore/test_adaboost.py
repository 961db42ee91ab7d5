"""AdaBoost: the stump search against brute force, the theorems as they read, the known bugs."""

import itertools

import numpy as np
import pytest
import sklearn.ensemble
import sklearn.tree
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcore.ensemble import AdaBoostClassifier, Stump, StumpSearch, adaboost_steps, reweight
from mlcore.theory import adaboost_rounds_needed
from mlcore.tree import DecisionTreeClassifier
from mlcore.validation import ConvergenceWarning

SIGNS = np.array([-1, 1])


def circle(n, seed, flip=0.0):
    """A disc in a square: no stump knows it, a vote of stumps does."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, size=(n, 2))
    y = np.where(np.sum(X**2, axis=1) < 0.5, 1, -1)
    return X, np.where(rng.random(n) < flip, -y, y)


def uniform(n):
    return np.full(n, 1 / n)


def boost(X, y, T):
    """The first T rounds on two classes ±1."""
    steps = adaboost_steps(X, y, StumpSearch(X, y), uniform(len(y)))
    return list(itertools.islice(steps, T))


# ---------------------------------------------------------------- stumps


def all_stumps(X, labels):
    """Every stump there is, first feature first, smallest threshold first, the constant last."""
    for j in range(X.shape[1]):
        for a, b in itertools.pairwise(np.unique(X[:, j])):
            for left, right in itertools.permutations(labels, 2):
                yield Stump(j, (a + b) / 2, left, right)
    for label in labels:
        yield Stump(0, np.inf, label, label)


def error(h, X, y, D):
    return D[h.predict(X) != y].sum()


@settings(max_examples=80, deadline=None)
@given(st.integers(2, 12), st.integers(2, 4), st.integers(0, 10_000))
def test_no_stump_is_better(n, K, seed):  # BST-10
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 4, size=(n, 3)).astype(float), rng.integers(0, K, size=n)
    D = rng.dirichlet(np.ones(n))
    h = StumpSearch(X, y)(D)
    stumps = list(all_stumps(X, np.unique(y)))
    errors = np.array([error(z, X, y, D) for z in stumps])
    assert error(h, X, y, D) == pytest.approx(errors.min(), abs=1e-12)
    first = stumps[int(np.argmax(errors < errors.min() + 1e-12))]
    if first.left == first.right:
        np.testing.assert_array_equal(h.predict(X), first.left)
    else:
        assert h[:2] == first[:2]


def test_the_constant_rule_is_a_stump():
    X, y = np.ones((5, 2)), np.array([1, 1, -1, 1, -1])
    h = StumpSearch(X, y)(uniform(5))
    assert h.predict(100 * X).tolist() == [1] * 5
    assert StumpSearch(X, y)(np.array([1, 1, 5, 1, 5]) / 13).predict(X).tolist() == [-1] * 5


def test_a_cut_is_preferred_to_an_equally_good_constant():
    X, y = np.arange(6.0)[:, None], np.array([-1, -1, 1, 1, -1, -1])
    assert StumpSearch(X, y)(uniform(6)) == Stump(0, 1.5, -1, 1)


def test_a_value_on_the_threshold_counts_on_the_side_where_it_is_predicted():
    X, y = np.array([[1.0], [2.0], [2.0], [3.0]]), np.array([-1, -1, 1, 1])
    D = np.array([0.3, 0.1, 0.2, 0.4])
    h = StumpSearch(X, y)(D)
    assert h == Stump(0, 1.5, -1, 1)
    assert error(h, X, y, D) == pytest.approx(0.1)


@pytest.mark.parametrize("a", [1.0, 0.1, -3.0, 5e-324, -1.7e308])
def test_neighbouring_floats(a):
    X, y = np.array([[a], [np.nextafter(a, np.inf)]]), np.array([-1, 1])
    assert StumpSearch(X, y)(uniform(2)).predict(X).tolist() == [-1, 1]


def test_the_stump_follows_the_weights():
    X, y = np.arange(6.0)[:, None], np.array([1, 1, -1, -1, 1, 1])
    for heavy, theta in ((0, 1.5), (5, 3.5)):
        D = np.where(np.arange(6) == heavy, 3.0, 1.0) / 8
        assert StumpSearch(X, y)(D).threshold == theta


# ---------------------------------------------------------------- one round


def test_every_round_as_it_is_derived():  # BST-08, 11, 14, 15, 16, 19, 23
    X, y = circle(200, seed=0)
    D = uniform(200)
    for h, epsilon, alpha, D_next in boost(X, y, 40):
        wrong = h.predict(X) != y
        assert epsilon == pytest.approx(D[wrong].sum())
        assert alpha == pytest.approx(np.log((1 - epsilon) / epsilon) / 2)
        assert alpha > 0
        unnormalised = D * np.exp(-alpha * y * h.predict(X))
        np.testing.assert_allclose(D_next, unnormalised / unnormalised.sum(), rtol=1e-12)
        assert D_next.sum() == pytest.approx(1)
        assert D_next[wrong].sum() == pytest.approx(0.5, abs=1e-12)
        assert np.all((D_next > D) == wrong)
        D = D_next


def test_600_right_400_wrong():  # BST-18
    wrong = np.arange(1000) < 400
    alpha = np.log(600 / 400) / 2
    D = reweight(uniform(1000), wrong, alpha)
    assert alpha == pytest.approx(0.2027, abs=5e-5)
    np.testing.assert_allclose(D[wrong], 1 / 800)
    np.testing.assert_allclose(D[~wrong], 1 / 1200)


def test_both_conventions_are_the_same_algorithm():  # BST-12, 13, 17
    X, y = circle(200, seed=1)
    search, w = StumpSearch(X, y), np.ones(200)
    for h, _, alpha, D in boost(X, y, 60):
        other = search(w / w.sum())
        wrong = other.predict(X) != y
        epsilon = w[wrong].sum() / w.sum()
        full_log = np.log((1 - epsilon) / epsilon)
        w = w * np.exp(full_log * wrong)  # wrong only, and never normalised
        assert other == h
        assert full_log == pytest.approx(2 * alpha)
        np.testing.assert_allclose(w / w.sum(), D, rtol=1e-9)


def test_mixing_the_conventions_is_wrong():  # BST-17
    X, y = circle(200, seed=1)
    h, epsilon, alpha, _ = boost(X, y, 1)[0]
    wrong = h.predict(X) != y
    mixed = reweight(uniform(200), wrong, 2 * alpha)
    assert mixed[wrong].sum() == pytest.approx((1 - epsilon) / 1, abs=1e-12)
    assert mixed[wrong].sum() > 0.55


def test_reweighting_without_refitting_stops_at_once():  # BST-20
    X, y = circle(200, seed=0)
    first = StumpSearch(X, y)(uniform(200))
    rounds = list(adaboost_steps(X, y, lambda D: first, uniform(200)))
    assert len(rounds) == 1


def test_the_majority_guesser_is_worth_nothing_after_one_round():  # BST-28
    y = np.where(np.arange(1000) < 550, 1, -1)
    D = reweight(uniform(1000), y == -1, np.log(0.55 / 0.45) / 2)
    assert D[y == -1].sum() == pytest.approx(0.5)


# ---------------------------------------------------------------- all rounds


@pytest.mark.parametrize(("seed", "flip"), [(0, 0.0), (1, 0.0), (2, 0.15)])
def test_the_bound_holds_in_every_round(seed, flip):  # BST-26
    X, y = circle(150, seed, flip)
    model = AdaBoostClassifier(T=120).fit(X, y)
    errors = [np.mean(h != y) for h in model.staged_predict(X)]
    bound = model.training_bound()
    exponential = [np.mean(np.exp(-y * F)) for F in model.staged_decision_function(X)]
    np.testing.assert_allclose(exponential, bound, rtol=1e-9)
    assert np.all(errors <= bound)
    assert np.all(bound <= np.exp(-2 * np.cumsum((0.5 - model.errors_) ** 2)) + 1e-12)
    halved = np.cumprod(np.sqrt(model.errors_ * (1 - model.errors_)))  # without the 2
    assert np.mean(errors[:40] > halved[:40]) > 0.5


def test_no_training_error_after_the_rounds_needed():  # BST-27
    X, y = circle(100, seed=0)
    model = AdaBoostClassifier(T=400).fit(X, y)
    T = adaboost_rounds_needed(100, 0.5 - model.errors_.max())
    errors = [np.mean(h != y) for h in itertools.islice(model.staged_predict(X), T)]
    assert errors[-1] == 0
    assert errors[0] > 0.2


def test_margins_go_on_growing_after_the_last_mistake():  # BST-21
    X, y = circle(150, seed=3)
    X_new, y_new = circle(3000, seed=4)
    model = AdaBoostClassifier(T=500).fit(X, y)
    wrong = [np.mean(h != y) for h in model.staged_predict(X)]
    T = wrong.index(0) + 1
    early = AdaBoostClassifier(T=T).fit(X, y)
    assert model.margins(X, y).min() > early.margins(X, y).min() + 0.02
    assert early.margins(X, y).min() > 0
    assert model.score(X_new, y_new) > early.score(X_new, y_new) - 0.01
    np.testing.assert_allclose(
        model.margins(X, y), y * model.decision_function(X) / model.alphas_.sum()
    )


def test_weak_rules_become_a_strong_one():  # BST-01, 02, 22
    X, y = circle(400, seed=0)
    X_new, y_new = circle(2000, seed=1)
    model = AdaBoostClassifier(T=200).fit(X, y)
    assert AdaBoostClassifier(T=1).fit(X, y).score(X_new, y_new) < 0.75
    assert model.score(X_new, y_new) > 0.93
    votes = sum(a * h.predict(X_new) for a, h in zip(model.alphas_, model.estimators_, strict=True))
    np.testing.assert_allclose(model.decision_function(X_new), votes, atol=1e-9)
    np.testing.assert_array_equal(model.predict(X_new), np.where(votes > 0, 1, -1))


def test_flipped_labels_draw_the_weight():  # BST-03
    X, clean = circle(300, seed=5)
    flipped = np.random.default_rng(5).random(300) < 0.15
    model = AdaBoostClassifier(T=100).fit(X, np.where(flipped, -clean, clean))
    assert model.weights_[-1][flipped].sum() > 1.5 * flipped.mean()


def test_conflicting_duplicates_keep_their_error():  # BST-25
    X, y = circle(100, seed=0)
    X, y = np.vstack([X, X[:40]]), np.concatenate([y, -y[:40]])
    model = AdaBoostClassifier(T=150).fit(X, y)
    assert len(model.errors_) == 150
    assert model.errors_.max() < 0.5
    assert 1 - model.score(X, y) >= 40 / 140


def test_attributes_and_stages():
    X, y = circle(120, seed=0)
    model = AdaBoostClassifier(T=30).fit(X, np.where(y > 0, "in", "out"))
    assert (len(model.estimators_), model.alphas_.shape, model.errors_.shape) == (30, (30,), (30,))
    assert model.weights_.shape == (31, 120)
    np.testing.assert_allclose(model.weights_[0], 1 / 120)
    np.testing.assert_allclose(model.weights_.sum(axis=1), 1)
    for t, (F, label) in enumerate(
        zip(model.staged_decision_function(X), model.staged_predict(X), strict=True), start=1
    ):
        shorter = AdaBoostClassifier(T=t).fit(X, np.where(y > 0, "in", "out"))
        np.testing.assert_array_equal(label, shorter.predict(X))
        np.testing.assert_allclose(F, shorter.decision_function(X))
    np.testing.assert_array_equal(label, model.predict(X))
    rounds = list(AdaBoostClassifier(T=30).steps(X, y))
    np.testing.assert_allclose([r.epsilon for r in rounds], model.errors_)


def test_integer_weights_are_repeated_rows():
    X, y = circle(80, seed=2)
    w = np.random.default_rng(0).integers(0, 4, 80)
    a = AdaBoostClassifier(T=40).fit(X, y, w)
    b = AdaBoostClassifier(T=40).fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    np.testing.assert_allclose(a.alphas_, b.alphas_, rtol=1e-9)
    np.testing.assert_allclose(a.decision_function(X), b.decision_function(X), rtol=1e-9)
    np.testing.assert_array_equal(a.weights_[:, w == 0], 0)


# ---------------------------------------------------------------- perfect and useless rounds


def test_a_perfect_stump_ends_boosting():
    X, y = np.arange(6.0)[:, None], np.array([0, 0, 0, 1, 1, 1])
    model = AdaBoostClassifier(T=50).fit(X, y)
    assert (model.errors_.tolist(), len(model.estimators_)) == ([0.0], 1)
    assert np.isfinite(model.alphas_).all()
    assert model.score(X, y) == 1
    assert model.weights_.shape == (2, 6)
    assert model.training_bound().tolist() == [0]


def test_a_perfect_learner_outvotes_all_before_it():
    X, y = circle(60, seed=0)
    stump, truth = StumpSearch(X, y), DecisionTreeClassifier().fit(X, y)
    learners = itertools.chain([stump] * 5, [lambda D: truth])
    rounds = list(adaboost_steps(X, y, lambda D: next(learners)(D), uniform(60)))
    assert [r.epsilon == 0 for r in rounds] == [False] * 5 + [True]
    vote = sum(r.alpha * r.h.predict(X) for r in rounds)
    np.testing.assert_array_equal(np.sign(vote), y)
    assert rounds[5].alpha > sum(r.alpha for r in rounds[:5])
    np.testing.assert_allclose(rounds[5].D, rounds[4].D)


def test_no_stump_helps_with_xor():  # BST-04, BST-06
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1.0]]), np.array([-1, 1, 1, -1])
    assert error(StumpSearch(X, y)(uniform(4)), X, y, uniform(4)) == 0.5
    with pytest.warns(ConvergenceWarning, match="no weak learner was better than chance"):
        model = AdaBoostClassifier(T=10).fit(X, y)
    assert model.estimators_ == []
    assert model.weights_.shape == (1, 4)
    assert len(set(model.predict(X))) == 1
    assert (
        AdaBoostClassifier(T=10, base=DecisionTreeClassifier(max_depth=2)).fit(X, y).score(X, y)
        == 1
    )


def test_a_learner_worse_than_chance_ends_boosting():
    X, y = circle(60, seed=0)
    good = StumpSearch(X, y)

    class Opposite:
        def predict(self, X):
            return -good(uniform(60)).predict(X)

    learners = iter([good, lambda D: Opposite(), good])
    rounds = list(adaboost_steps(X, y, lambda D: next(learners)(D), uniform(60)))
    assert len(rounds) == 1


# ---------------------------------------------------------------- base learners, resampling


def test_same_rounds_as_scikit_learn():
    X, y = circle(200, seed=0)
    X = X.astype(np.float32).astype(float)
    for K, labels in ((2, y), (3, np.digitize(X[:, 0] + X[:, 1] ** 2, [0, 0.6]))):
        stump = sklearn.tree.DecisionTreeClassifier(max_depth=1)
        ours = AdaBoostClassifier(T=20, base=stump, random_state=0).fit(X, labels)
        theirs = sklearn.ensemble.AdaBoostClassifier(stump, n_estimators=20, random_state=0)
        theirs.fit(X, labels)
        np.testing.assert_allclose(ours.errors_, theirs.estimator_errors_, rtol=1e-9)
        np.testing.assert_allclose(2 * ours.alphas_, theirs.estimator_weights_, rtol=1e-9)
        np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
        assert len(ours.classes_) == K


def test_three_classes():  # SAMME: the reweighted learner is as good as a guess among K
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    y = np.array(["a", "b", "c"])[np.digitize(X[:, 0] + X[:, 1], [-0.5, 0.7])]
    model = AdaBoostClassifier(T=150).fit(X, y)
    for h, D in zip(model.estimators_, model.weights_[1:], strict=True):
        assert D[h.predict(X) != y].sum() == pytest.approx(2 / 3)
    errors = [np.mean(label != y) for label in model.staged_predict(X)]
    assert np.all(errors <= model.training_bound())
    assert model.score(X, y) > 0.9
    assert model.decision_function(X).shape == (300, 3)
    margins = model.margins(X, y)
    assert np.all((margins > 0) == (model.predict(X) == y))
    assert np.abs(margins).max() <= 1


@pytest.mark.parametrize("base", [None, DecisionTreeClassifier(max_depth=2)])
def test_resampling_learns_as_well(base):  # BST-09
    X, y = circle(300, seed=0)
    X_new, y_new = circle(2000, seed=1)
    runs = [
        AdaBoostClassifier(T=100, base=base, resample=True, random_state=s).fit(X, y)
        for s in (0, 0, 1)
    ]
    assert runs[0].score(X_new, y_new) > 0.9
    np.testing.assert_array_equal(runs[0].alphas_, runs[1].alphas_)
    assert not np.array_equal(runs[0].alphas_[:5], runs[2].alphas_[:5])
    for h, epsilon, D in zip(runs[0].estimators_, runs[0].errors_, runs[0].weights_, strict=False):
        assert error(h, X, y, D) == pytest.approx(epsilon)


def test_bags_are_drawn_with_the_weights():  # BST-09
    seen = []

    class Spy(DecisionTreeClassifier):
        def fit(self, X, y, sample_weight=None):
            assert sample_weight is None
            seen.append(np.bincount(X[:, 2].astype(int), minlength=50))
            return super().fit(X, y)

    X, y = circle(50, seed=0)
    X = np.column_stack([X, np.arange(50)])
    w = np.random.default_rng(0).uniform(size=50)
    for seed in range(400):
        AdaBoostClassifier(T=1, base=Spy(max_depth=3), resample=True, random_state=seed).fit(
            X, y, w
        )
    frequency = np.mean(seen, axis=0) / 50
    assert np.abs(frequency - w / w.sum()).max() < 0.006


def test_a_base_learner_without_weights_needs_resampling():
    class Nearest:
        def get_params(self, deep=True):
            return {}

        def set_params(self):
            return self

        def fit(self, X, y):
            self.X, self.y = X, y
            return self

        def predict(self, X):
            return self.y[np.abs(X[:, None] - self.X).sum(axis=2).argmin(axis=1)]

    X, y = circle(60, seed=0)
    with pytest.raises(ValueError, match=r"base must take sample_weight.*resample=True"):
        AdaBoostClassifier(base=Nearest()).fit(X, y)
    assert (
        AdaBoostClassifier(T=5, base=Nearest(), resample=True, random_state=0).fit(X, y).score(X, y)
        > 0.9
    )


def test_base_learners_draw_numbers_of_their_own():
    X, y = circle(200, seed=0)
    base = DecisionTreeClassifier(max_depth=1, max_features=1, random_state=0)
    model = AdaBoostClassifier(T=20, base=base, random_state=0).fit(X, y)
    assert {int(h.tree_.feature[0]) for h in model.estimators_} == {0, 1}
    assert base.random_state == 0
    assert not hasattr(base, "tree_")
