"""Bagging, forests and the cascade: what is drawn, what is averaged, and who does the work."""

import concurrent.futures
import itertools

import numpy as np
import pytest
import sklearn.neighbors
import sklearn.svm
from distributed import Client

from mlcore.datasets import make_moons
from mlcore.ensemble import (
    BaggingClassifier,
    BaggingRegressor,
    CascadeClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
    bootstrap_indices,
    inclusion_probability,
    permutation_importance,
)
from mlcore.ensemble import forest as forest_module
from mlcore.tree import DecisionTreeClassifier, DecisionTreeRegressor

TREE_FIELDS = ("feature", "threshold", "left", "right", "value", "impurity", "gain", "depth")


def noisy_classes(n, seed, d=6, K=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = np.digitize(X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(scale=0.5, size=n), [-0.5, 0.5])
    return X, np.minimum(y, K - 1)


def noisy_sine(n, rng):
    X = rng.uniform(size=(n, 1))
    return X, np.sin(2 * np.pi * X[:, 0]) + rng.normal(scale=0.3, size=n)


def assert_same_tree(a, b):
    for name in TREE_FIELDS:
        np.testing.assert_allclose(getattr(a, name), getattr(b, name), rtol=1e-9, atol=1e-12)


# ---------------------------------------------------------------- the bootstrap


def test_inclusion_probability():  # BAG-14, BAG-15: 63.2 % in the limit, and not 67 %
    assert inclusion_probability(1) == 1
    assert inclusion_probability(5) == pytest.approx(0.672, abs=5e-4)
    np.testing.assert_allclose(inclusion_probability([10**4, 10**7]), 1 - 1 / np.e, atol=2e-5)
    assert np.all(np.diff(inclusion_probability(np.arange(1, 100))) < 0)


def test_share_of_a_bag():  # BAG-11, BAG-13, BAG-15
    n, m = 1000, 400
    bags = bootstrap_indices(n, m, random_state=0)
    assert bags.shape == (m, n)
    assert (bags.min(), bags.max()) == (0, n - 1)
    shares = np.array([len(np.unique(bag)) for bag in bags]) / n
    error = shares.std(ddof=1) / np.sqrt(m)
    assert abs(shares.mean() - inclusion_probability(n)) < 4 * error
    assert abs(shares.mean() - 0.67) > 20 * error
    assert np.mean(bags == 7) == pytest.approx(1 / n, rel=0.2)  # per draw


def test_bootstrap_seeds():
    a, b, c = (bootstrap_indices(50, 3, random_state=s) for s in (0, 0, 1))
    np.testing.assert_array_equal(a, b)
    assert not np.array_equal(a, c)
    assert not np.array_equal(a[0], a[1])
    with pytest.raises(ValueError, match="m must be"):
        bootstrap_indices(5, 0)


# ---------------------------------------------------------------- bagging


def test_bagging_is_the_average_over_models_fitted_to_bags():  # BAG-09, BAG-12
    X, y = noisy_classes(120, seed=0)
    model = BaggingClassifier(m=7, random_state=0).fit(X, y)
    by_hand = [DecisionTreeClassifier().fit(X[bag], y[bag]) for bag in model.bags_]
    np.testing.assert_allclose(
        model.predict_proba(X), np.mean([tree.predict_proba(X) for tree in by_hand], axis=0)
    )
    assert model.bags_.shape == (7, 120)


def test_bagging_regression_by_hand():
    X, y = noisy_sine(60, np.random.default_rng(0))
    model = BaggingRegressor(m=5, random_state=0).fit(X, y)
    by_hand = [DecisionTreeRegressor().fit(X[bag], y[bag]).predict(X) for bag in model.bags_]
    np.testing.assert_allclose(model.predict(X), np.mean(by_hand, axis=0))


def test_out_of_bag_score_by_hand():
    X, y = noisy_classes(80, seed=1)
    names = np.array(["a", "b", "c"])
    model = BaggingClassifier(m=12, random_state=0).fit(X, names[y])
    for t in (1, 5, 12):
        right = []
        for i in range(80):
            unseen = [
                h
                for h, bag in zip(model.estimators_[:t], model.bags_, strict=False)
                if i not in bag
            ]
            if unseen:
                p = np.mean([h.predict_proba(X[[i]])[0] for h in unseen], axis=0)
                right.append(p.argmax() == y[i])
        assert model.oob_curve_[t - 1] == pytest.approx(np.mean(right))
    assert model.oob_score_ == model.oob_curve_[-1]


def test_out_of_bag_score_of_a_regressor_by_hand():
    X, y = noisy_sine(60, np.random.default_rng(0))
    model = BaggingRegressor(m=40, random_state=0).fit(X, y)
    unseen = np.array([[i not in bag for bag in model.bags_] for i in range(60)])
    f = np.array([h.predict(X) for h in model.estimators_]).T
    f = np.sum(f * unseen, axis=1) / unseen.sum(axis=1)
    r2 = 1 - np.sum((y - f) ** 2) / np.sum((y - y.mean()) ** 2)
    assert model.oob_score_ == pytest.approx(r2)


def test_out_of_bag_score_estimates_the_test_score():
    X, y = noisy_classes(600, seed=0)
    X_new, y_new = noisy_classes(3000, seed=1)
    model = BaggingClassifier(m=40, random_state=0).fit(X, y)
    assert model.oob_score_ == pytest.approx(model.score(X_new, y_new), abs=0.04)
    assert model.score(X, y) > model.oob_score_ + 0.1


def test_variance_of_the_average():  # BAG-06, BAG-08: ρs² + (1−ρ)s²/m
    m, x = 10, np.array([[0.3], [0.6]])
    single, bagged = [], []
    for seed in range(200):
        X, y = noisy_sine(40, np.random.default_rng(seed))
        model = RandomForestRegressor(m=m, max_features=None, random_state=seed).fit(X, y)
        single.append([h.predict(x) for h in model.estimators_])
        bagged.append(model.predict(x))
    single = np.array(single)  # (data sets, m, points)
    centred = single - single.mean(axis=(0, 1))
    s2 = np.mean(centred**2, axis=(0, 1))
    pairs = np.mean(centred.sum(axis=1) ** 2 - np.sum(centred**2, axis=1), axis=0) / (m * (m - 1))
    rho = pairs / s2
    np.testing.assert_allclose(np.var(bagged, axis=0), rho * s2 + (1 - rho) * s2 / m, rtol=1e-9)
    assert np.all((rho > 0.1) & (rho < 0.9))
    assert np.all(np.var(bagged, axis=0) < 0.75 * s2)


def test_votes_of_zero_and_one_need_the_threshold_one_half():  # BAG-07
    X, y = make_moons(200, noise=0.1, random_state=0)
    y = (y == np.unique(y)[1]).astype(int)
    model = BaggingClassifier(m=15, random_state=0).fit(X, y)
    mean_vote = np.mean([h.predict(X) for h in model.estimators_], axis=0)
    assert np.all(np.where(mean_vote >= 0, 1, 0) == 1)
    assert np.mean((mean_vote > 0.5) == y) > 0.97
    np.testing.assert_array_equal(2 * mean_vote - 1 > 0, mean_vote > 0.5)


@pytest.mark.parametrize(
    "base",
    [
        sklearn.neighbors.KNeighborsClassifier(1),
        sklearn.svm.SVC(),
        DecisionTreeClassifier(max_depth=1),
    ],
    ids=lambda base: type(base).__name__,
)
def test_any_classifier_can_be_bagged(base):
    X, y = make_moons(100, noise=0.2, random_state=0)
    model = BaggingClassifier(base=base, m=9, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.8
    assert all(type(h) is type(base) for h in model.estimators_)
    assert not hasattr(base, "classes_") or not hasattr(base, "tree_")


def test_models_without_probabilities_vote():
    X, y = noisy_classes(100, seed=0)
    model = BaggingClassifier(base=sklearn.svm.SVC(), m=4, random_state=0).fit(X, y)
    votes = np.array([h.predict(X) for h in model.estimators_])
    shares = [[np.mean(votes[:, i] == c) for c in range(3)] for i in range(100)]
    np.testing.assert_allclose(model.predict_proba(X), shares)


def test_bags_that_miss_a_class():
    X, y = np.arange(9.0)[:, None], np.array(["a"] * 7 + ["b", "c"])
    model = BaggingClassifier(m=60, random_state=0).fit(X, y)
    assert {len(set(y[bag])) for bag in model.bags_} == {1, 2, 3}
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    assert model.predict_proba(X)[8].argmax() == 2


def test_one_sample_and_one_bag():
    model = BaggingRegressor(m=3, random_state=0).fit([[1.0]], [2.0])
    assert model.predict([[5.0]]) == [2.0]
    assert np.isnan(model.oob_score_)
    assert (
        len(BaggingClassifier(m=1, random_state=0).fit([[0], [1], [2]], [0, 1, 1]).estimators_) == 1
    )


def test_seeds_reach_the_base_learners():
    X, y = noisy_classes(100, seed=0)
    base = DecisionTreeClassifier(max_features=1, random_state=0)
    runs = [BaggingClassifier(base=base, m=5, random_state=s).fit(X, y) for s in (0, 0, 1)]
    assert len({h.random_state for h in runs[0].estimators_}) == 5
    np.testing.assert_array_equal(runs[0].predict_proba(X), runs[1].predict_proba(X))
    assert not np.array_equal(runs[0].predict_proba(X), runs[2].predict_proba(X))
    assert base.random_state == 0


# ---------------------------------------------------------------- executors


@pytest.fixture(params=["threads", "one process", "two processes", "dask"])
def executor(request):
    if request.param == "threads":
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            yield pool
    elif request.param == "dask":
        with (
            Client(
                processes=False, n_workers=2, threads_per_worker=1, dashboard_address=None
            ) as client,
            client.get_executor() as pool,
        ):
            yield pool
    else:
        workers = 1 if request.param == "one process" else 2
        with concurrent.futures.ProcessPoolExecutor(workers) as pool:
            yield pool


def test_same_result_whoever_does_the_work(executor, monkeypatch):
    X, y = noisy_classes(60, seed=0)
    monkeypatch.setattr(forest_module, "ENTRIES_AT_ONCE", 3 * X.size)  # seven groups of trees
    for model in (
        BaggingClassifier(base=DecisionTreeClassifier(max_features=1), m=20, random_state=0),
        BaggingRegressor(m=5, random_state=0),
        RandomForestClassifier(m=20, random_state=0),
        RandomForestRegressor(m=3, max_features=2, random_state=0),
    ):
        alone = model.fit(X, y).predict(X)
        trees = [h.tree_ for h in model.estimators_]
        bags, score = model.bags_, model.oob_score_
        model.set_params(executor=executor).fit(X, y)
        np.testing.assert_array_equal(model.predict(X), alone)
        np.testing.assert_array_equal(model.bags_, bags)
        assert model.oob_score_ == score
        for tree, other in zip(trees, model.estimators_, strict=True):
            for field, same in zip(tree, other.tree_, strict=True):
                np.testing.assert_array_equal(field, same)


# ---------------------------------------------------------------- forests


@pytest.mark.parametrize("at_once", [1, 1000, 10**7])
def test_a_forest_is_bagging_of_trees_that_draw_features_per_node(monkeypatch, at_once):
    """Grown side by side, in groups of any size, each tree is the one that grows alone."""
    monkeypatch.setattr(forest_module, "ENTRIES_AT_ONCE", at_once)
    X, y = noisy_classes(90, seed=0)
    forest = RandomForestClassifier(m=8, max_features=2, max_depth=6, random_state=0).fit(X, y)
    rng = np.random.default_rng(0)
    bags, seeds = bootstrap_indices(90, 8, rng), rng.integers(2**32, size=8)
    for tree, bag, seed in zip(forest.estimators_, bags, seeds, strict=True):
        alone = DecisionTreeClassifier(max_features=2, max_depth=6, random_state=int(seed))
        alone.fit(X, y, np.bincount(bag, minlength=90))
        assert_same_tree(tree.tree_, alone.tree_)
        np.testing.assert_array_equal(tree.tree_.n, alone.tree_.n)
        np.testing.assert_array_equal(tree.predict(X), alone.predict(X))


def test_a_forest_of_regression_trees():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 4))
    y = X[:, 0] * X[:, 1] + rng.normal(scale=0.1, size=150)
    forest = RandomForestRegressor(m=30, max_features=2, random_state=0).fit(X, y)
    tree, bag = forest.estimators_[3], forest.bags_[3]
    repeated = DecisionTreeRegressor(max_features=2, random_state=0)
    assert tree.predict(X[bag]) == pytest.approx(y[bag])
    assert repeated.fit(X[bag], y[bag]).score(X, y) < forest.score(X, y)
    np.testing.assert_allclose(
        forest.predict(X), np.mean([h.predict(X) for h in forest.estimators_], axis=0)
    )
    assert 0.2 < forest.oob_score_ < forest.score(X, y)


def test_forest_draws_bags_and_features():
    X, y = noisy_classes(200, seed=0)
    forest = RandomForestClassifier(m=20, random_state=0).fit(X, y)
    distinct = [len(np.unique(bag)) / 200 for bag in forest.bags_]
    assert np.mean(distinct) == pytest.approx(inclusion_probability(200), abs=0.03)  # FOR-03
    assert all(
        tree.tree_.n[0] == len(np.unique(bag))
        for tree, bag in zip(forest.estimators_, forest.bags_, strict=True)
    )
    assert len({int(tree.tree_.feature[0]) for tree in forest.estimators_}) > 2
    used = [len(set(tree.tree_.feature) - {-1}) for tree in forest.estimators_]
    assert min(used) == 6  # two drawn per node; per tree there would be two


def test_drawing_features_makes_trees_less_alike():
    X, y = noisy_classes(400, seed=0)
    X_new, _ = noisy_classes(500, seed=1)

    def likeness(**params):
        forest = RandomForestClassifier(m=15, random_state=0, **params).fit(X, y)
        votes = np.array([tree.predict_proba(X_new)[:, 0] for tree in forest.estimators_])
        return np.corrcoef(votes)[np.triu_indices(15, 1)].mean()

    assert likeness(max_features=1) < likeness(max_features=None) - 0.1


def test_more_trees_never_hurt():  # FOR-05
    first, last = [], []
    for seed in range(6):
        X, y = noisy_classes(200, seed)
        curve = RandomForestClassifier(m=100, random_state=seed).fit(X, y).oob_curve_
        assert curve.shape == (100,)
        first.append(curve[2])
        last.append(curve[-1])
    assert np.mean(last) > np.mean(first) + 0.05


def test_forest_labels_and_refit():
    X, y = noisy_classes(100, seed=0)
    names = np.array(["x", "y", "z"])
    forest = RandomForestClassifier(m=10, random_state=0).fit(X, names[y])
    assert set(forest.predict(X)) <= set(names)
    assert forest.estimators_[0].predict(X[:1])[0] in names
    forest.fit(X[:, :2], y)
    assert len(forest.estimators_) == 10
    assert forest.n_features_in_ == 2


@pytest.mark.parametrize(
    "bad", [{"m": 0}, {"combine": "vote"}, {"criterion": "mse"}, {"max_features": 9}], ids=str
)
def test_forest_parameters_out_of_range(bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        RandomForestClassifier(**bad).fit(*noisy_classes(30, seed=0))


# ---------------------------------------------------------------- combining trees


def test_product_by_hand():  # FOR-06, FOR-07, FOR-08
    X, y = noisy_classes(150, seed=0)
    forest = RandomForestClassifier(m=6, max_depth=3, combine="product", random_state=0).fit(X, y)
    prior = np.bincount(y) / len(y)
    product = prior ** (1 - 6)
    for tree in forest.estimators_:
        n = tree.tree_.n[tree.apply(X)][:, None]
        product = product * (n * tree.predict_proba(X) + prior) / (n + 1)
    expected = product / product.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(forest.predict_proba(X), expected, rtol=1e-9)


def test_no_tree_has_a_veto_in_the_product():  # FOR-07
    X, y = noisy_classes(150, seed=0)
    forest = RandomForestClassifier(m=50, combine="product", random_state=0).fit(X, y)
    assert np.any([tree.predict_proba(X) == 0 for tree in forest.estimators_])
    assert np.isfinite(forest.predict_proba(X)).all()
    assert forest.oob_score_ > 0.5


def exact_posteriors(n, T, rng):
    """T measurements, independent given the class, and the posterior of each alone."""
    prior = np.array([0.9, 0.1])
    y = (rng.random(n) < prior[1]).astype(int)
    v = y[:, None] + rng.normal(size=(n, T))
    likelihood = np.exp(-((v[..., None] - np.array([0, 1])) ** 2) / 2)
    joint = likelihood * prior
    return y, joint / joint.sum(axis=-1, keepdims=True), prior


def test_the_prior_counts_once():  # FOR-06
    y, p, prior = exact_posteriors(20_000, 5, np.random.default_rng(0))
    log_p = np.log(p).sum(axis=1)
    forest = RandomForestClassifier(combine="product")
    forest.prior_ = prior
    right = forest._combine(log_p, np.full(len(y), 5.0))
    naive = np.exp(log_p) / np.exp(log_p).sum(axis=1, keepdims=True)

    def log_loss(q):
        return -np.log(q[np.arange(len(y)), y]).mean()

    def recall(q):
        return np.mean(q[y == 1].argmax(axis=1) == 1)

    assert log_loss(right) < 0.25 * log_loss(naive)
    assert (recall(naive) < 0.02, recall(right) > 0.4) == (True, True)
    # FOR-08: the mean negative log is the product in other words
    np.testing.assert_allclose(np.exp(5 * np.mean(np.log(p), axis=1)), np.prod(p, axis=1))


# ---------------------------------------------------------------- importance


def test_permutation_importance_finds_the_features_that_matter():
    X, y = noisy_classes(500, seed=0)
    X_new, y_new = noisy_classes(1000, seed=1)
    forest = RandomForestClassifier(m=30, random_state=0).fit(X, y)
    before = X_new.copy()
    drop = permutation_importance(forest, X_new, y_new, repeats=3, random_state=0)
    assert drop.shape == (6, 3)
    assert drop[:3].mean(axis=1).min() > 0.05
    assert np.abs(drop[3:].mean(axis=1)).max() < 0.02
    np.testing.assert_array_equal(X_new, before)
    again = permutation_importance(forest, X_new, y_new, repeats=3, random_state=0)
    np.testing.assert_array_equal(drop, again)


# ---------------------------------------------------------------- cascade


def rare(n, seed, share=0.01):
    """A small disc in a large square: about one point in a hundred."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, size=(n, 2))
    return X, np.where(np.sum(X**2, axis=1) < 4 * share / np.pi, "face", "wall")


def test_cascade_rates_multiply():  # FOR-12
    X, y = rare(5000, seed=0)
    model = CascadeClassifier(stages=6, T=4, detection=0.98).fit(X, y)
    assert model.positive_ == "face"
    passed, positive = model.predict(X) == "face", y == "face"
    d = np.prod([stage.detection_rate for stage in model.stages_])
    f = np.prod([stage.false_positive_rate for stage in model.stages_])
    assert passed[positive].mean() == pytest.approx(d)
    assert passed[~positive].mean() == pytest.approx(f)
    assert min(stage.detection_rate for stage in model.stages_) >= 0.98
    assert d >= 0.98 ** len(model.stages_)
    assert f < 0.02
    assert pytest.approx(0.904, abs=1e-3) == 0.99**10
    assert pytest.approx(5.9e-6, rel=0.01) == 0.3**10


def test_most_negatives_are_dismissed_early():  # FOR-11
    X, y = rare(5000, seed=0)
    model = CascadeClassifier(stages=8, T=3).fit(X, y)
    X_new, y_new = rare(5000, seed=1)
    evaluated = model.stages_evaluated(X_new)
    assert evaluated[y_new == "wall"].mean() < 0.5 * len(model.stages_)
    assert evaluated[y_new == "face"].mean() > 0.75 * len(model.stages_)
    accepted = model.predict(X_new) == "face"
    np.testing.assert_array_equal(evaluated[accepted], len(model.stages_))
    here = np.ones(len(X_new), dtype=bool)
    for stage in model.stages_:
        here &= stage.passes(X_new)
    np.testing.assert_array_equal(accepted, here)


def test_cascade_ends_when_no_negative_is_left():
    X, y = np.arange(20.0)[:, None], np.arange(20) > 16
    model = CascadeClassifier(stages=5).fit(X, y)
    assert len(model.stages_) == 1
    assert model.positive_
    np.testing.assert_array_equal(model.predict(X), y)


def test_the_rarer_class_is_positive_whatever_its_name():
    X, y = rare(1000, seed=0, share=0.05)
    for names in (("face", "wall"), ("wall", "face")):
        labels = np.where(y == "face", *names)
        model = CascadeClassifier(stages=3).fit(X, labels)
        assert model.positive_ == names[0]
        assert np.mean(model.predict(X) == labels) > 0.9


@pytest.mark.parametrize(
    "bad", [{"stages": 0}, {"detection": 0}, {"detection": 1.1}, {"T": 0}], ids=str
)
def test_cascade_parameters_out_of_range(bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        CascadeClassifier(**bad).fit(*rare(300, seed=0, share=0.1))


def test_a_cascade_takes_two_classes():
    with pytest.raises(ValueError, match="Only binary classification"):
        CascadeClassifier().fit(*noisy_classes(50, seed=0))


def test_executor_groups_cover_every_bag():
    """Numbers of bags that no number of groups divides."""
    X, y = noisy_classes(40, seed=0)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for m, model in itertools.product(
            (1, 15, 17, 33), (BaggingClassifier, RandomForestClassifier)
        ):
            assert len(model(m=m, executor=pool, random_state=0).fit(X, y).estimators_) == m
