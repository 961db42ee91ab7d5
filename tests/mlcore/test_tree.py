"""Trees against scikit-learn, against brute force, and against the bugs trees are known for."""

import itertools

import numpy as np
import pytest
import sklearn.tree
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_diabetes, load_wine, make_classification

from mlcore.tree import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    assemble,
    entropy,
    export_text,
    gini,
    halfway,
    information_gain,
)

IMPURITY = {"gini": gini, "entropy": entropy}


def noisy(n, d, K, seed):
    """Data whose labels a tree has to work for; values that float32 holds, as scikit-learn does."""
    X, y = make_classification(
        n, d, n_informative=d, n_redundant=0, n_classes=K, flip_y=0.2, random_state=seed
    )
    return X.astype(np.float32).astype(float), y


def small_data(labels):
    """Few rows of few whole numbers: many ties, many duplicates, constant columns."""
    return st.integers(2, 14).flatmap(
        lambda n: st.tuples(
            st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=n, max_size=n).map(np.array),
            st.lists(labels, min_size=n, max_size=n).map(np.array),
            st.lists(st.integers(0, 4), min_size=n, max_size=n).map(np.array),
        )
    )


def same_tree(a, b, ignore=()):
    for name, x, z in zip(a._fields, a, b, strict=True):
        if name not in ignore:
            np.testing.assert_allclose(x, z, rtol=1e-9, atol=1e-12, err_msg=name)


# ---------------------------------------------------------------- impurity


def test_values_of_gini_and_entropy():
    assert gini([0.5, 0.5]) == 0.5
    assert gini([0.2, 0.3, 0.5]) == pytest.approx(0.2 * 0.8 + 0.3 * 0.7 + 0.5 * 0.5)
    assert entropy([0.25, 0.75]) == pytest.approx(-0.25 * np.log(0.25) - 0.75 * np.log(0.75))


@pytest.mark.parametrize("K", [2, 3, 10])
def test_impurity_is_zero_when_pure_and_largest_when_uniform(K):  # DT-06, 07, 08
    p = np.random.default_rng(0).dirichlet(np.ones(K), 10_000)
    np.testing.assert_allclose(gini(p), (p * (1 - p)).sum(axis=1), atol=1e-14)
    for Q, largest in ((gini, 1 - 1 / K), (entropy, np.log(K))):
        assert Q(np.eye(K)[0]) == 0
        assert Q(np.full(K, 1 / K)) == pytest.approx(largest)
        assert Q(p).max() <= largest
        assert Q(p).min() >= 0


def test_information_gain_by_hand():
    y, left = ["a", "a", "b", "b"], [True, False, False, False]
    assert information_gain(y, left) == pytest.approx(1 / 2 - 3 / 4 * (4 / 9))
    assert information_gain(y, [True, True, False, False], "entropy") == pytest.approx(np.log(2))
    assert information_gain(["a", "a"], [True, False]) == 0
    weighted = information_gain(y, left, sample_weight=[3, 1, 1, 1])
    assert weighted == pytest.approx(information_gain([*"aaaabb"], [1, 1, 1, 0, 0, 0]))


@given(small_data(st.integers(0, 2)), st.data())
def test_information_gain_is_never_negative(data, more):  # DT-10
    _, y, _ = data
    left = more.draw(st.lists(st.booleans(), min_size=len(y), max_size=len(y)))
    assert information_gain(y, left) >= -1e-15
    assert information_gain(y, left, "entropy") >= -1e-15


def test_greedy_is_blind_to_xor_but_grows_on():  # DT-11
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), [0, 1, 1, 0]
    tree = DecisionTreeClassifier().fit(X, y)
    assert tree.tree_.gain[0] == 0
    assert tree.tree_.depth.max() == 2
    assert tree.score(X, y) == 1


# ---------------------------------------------------------------- against scikit-learn


def compare(ours, theirs):
    """Same impurity decrease at every node; the same split too, unless two are as good."""
    t, s, ties = ours.tree_, theirs.tree_, 0
    unit = np.log(2) if theirs.criterion == "entropy" else 1  # theirs is in bits
    impurity = s.impurity * unit
    pairs = [(0, 0)]
    while pairs:
        i, j = pairs.pop()
        assert t.n[i] == s.n_node_samples[j]
        assert t.impurity[i] == pytest.approx(impurity[j], abs=1e-10)
        if t.impurity[i] == 0:  # pure; to scikit-learn perhaps not, by rounding
            continue
        assert (t.feature[i] < 0) == (s.children_left[j] < 0)
        if t.feature[i] < 0:
            np.testing.assert_allclose(t.value[i], s.value[j].ravel(), rtol=1e-9)
            continue
        left, right = s.children_left[j], s.children_right[j]
        w = s.weighted_n_node_samples
        parts = w[left] * impurity[left] + w[right] * impurity[right]
        decrease = impurity[j] - parts / w[j]
        assert t.gain[i] == pytest.approx(decrease, rel=1e-7, abs=1e-10)
        if t.feature[i] == s.feature[j] and np.isclose(t.threshold[i], s.threshold[j]):
            pairs += [(t.left[i], left), (t.right[i], right)]
        else:
            ties += 1
    return ties


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize(("n", "d", "K"), [(60, 3, 2), (400, 6, 3), (1000, 5, 4)])
def test_same_classification_tree_as_scikit_learn(criterion, n, d, K):
    X, y = noisy(n, d, K, seed=n)
    w = np.random.default_rng(n).uniform(0.1, 3, n)  # unequal weights leave no ties but in leaves
    ours = DecisionTreeClassifier(criterion=criterion).fit(X, y, w)
    theirs = sklearn.tree.DecisionTreeClassifier(criterion=criterion, random_state=0).fit(X, y, w)
    assert compare(ours, theirs) <= 0.15 * len(ours.tree_.n)  # small nodes have several
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


@pytest.mark.parametrize(
    "limits",
    [
        {"max_depth": 1},
        {"max_depth": 3},
        {"min_samples_split": 30},
        {"min_samples_leaf": 12},
        {"max_depth": 6, "min_samples_leaf": 5, "min_samples_split": 20},
    ],
    ids=str,
)
def test_same_limits_as_scikit_learn(limits):
    X, y = noisy(500, 5, 3, seed=1)
    w = np.random.default_rng(1).uniform(0.1, 3, len(y))
    X_new, _ = noisy(500, 5, 3, seed=2)
    ours = DecisionTreeClassifier(**limits).fit(X, y, w)
    theirs = sklearn.tree.DecisionTreeClassifier(random_state=0, **limits).fit(X, y, w)
    assert compare(ours, theirs) == 0
    np.testing.assert_allclose(ours.predict_proba(X_new), theirs.predict_proba(X_new), rtol=1e-9)


@pytest.mark.parametrize("limits", [{}, {"max_depth": 3}, {"min_samples_leaf": 7}], ids=str)
def test_same_regression_tree_as_scikit_learn(limits):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 4)).astype(np.float32).astype(float)
    y = np.sin(3 * X[:, 0]) + X[:, 1] ** 2 + rng.normal(size=400)
    w = rng.uniform(0.1, 3, 400)
    ours = DecisionTreeRegressor(**limits).fit(X, y, w)
    theirs = sklearn.tree.DecisionTreeRegressor(random_state=0, **limits).fit(X, y, w)
    # of two samples, any feature that differs separates them equally well
    assert compare(ours, theirs) <= (ours.tree_.n == 2).sum()
    if limits:
        X_new = rng.normal(size=(300, 4)).astype(np.float32).astype(float)
        np.testing.assert_allclose(ours.predict(X_new), theirs.predict(X_new), rtol=1e-9)


@pytest.mark.parametrize("load", [load_wine, load_diabetes])
def test_real_data_with_whole_numbers_and_duplicates(load):
    X, y = load(return_X_y=True)
    X = np.round(X, 2).astype(np.float32).astype(float)
    kind = "Classifier" if load is load_wine else "Regressor"
    limits = {"max_depth": 4, "min_samples_leaf": 5}
    ours = globals()[f"DecisionTree{kind}"](**limits).fit(X, y)
    theirs = getattr(sklearn.tree, f"DecisionTree{kind}")(random_state=0, **limits).fit(X, y)
    compare(ours, theirs)


# ---------------------------------------------------------------- against brute force


def all_splits(X, rows):
    """Every split of a node, first feature first, smallest threshold first."""
    for j in range(X.shape[1]):
        values = np.unique(X[rows, j])
        for a, b in itertools.pairwise(values):
            yield j, (a + b) / 2


def check_every_split(model, X, y, w, impurity):
    """The tree is greedy: each node takes the first of its best splits, and stops in need only."""
    tree, used = model.tree_, w > 0
    visited = model.decision_path(X) & used[:, None]

    def weighted(rows):
        return w[rows].sum() * impurity(y[rows], w[rows])

    for node, split in enumerate(tree.feature >= 0):
        rows = np.flatnonzero(visited[:, node])
        assert tree.n[node] == len(rows)
        assert tree.impurity[node] * w[rows].sum() == pytest.approx(weighted(rows), abs=1e-12)
        gains = [
            (
                weighted(rows)
                - weighted(rows[X[rows, j] <= theta])
                - weighted(rows[X[rows, j] > theta])
            )
            / w[rows].sum()
            for j, theta in all_splits(X, rows)
        ]
        if not split:
            assert not gains or tree.impurity[node] == 0
            continue
        first = int(np.argmax(np.array(gains) >= max(gains) - 1e-9 * tree.impurity[node]))
        assert (tree.feature[node], tree.threshold[node]) == list(all_splits(X, rows))[first]
        assert tree.gain[node] == pytest.approx(max(gains), abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(small_data(st.integers(0, 2)), st.sampled_from(["gini", "entropy"]))
def test_every_split_of_a_classification_tree_is_the_best(data, criterion):
    X, y, w = data
    if len(np.unique(y)) < 2 or not w.any():
        return
    model = DecisionTreeClassifier(criterion=criterion).fit(X, y, w)

    def impurity(y, w):
        return IMPURITY[criterion](np.bincount(y, w, 3) / w.sum())

    check_every_split(model, X, y, w, impurity)


@settings(max_examples=60, deadline=None)
@given(small_data(st.integers(-5, 5)))
def test_every_split_of_a_regression_tree_is_the_best(data):
    X, y, w = data
    if not w.any():
        return

    def variance(y, w):
        return np.average((y - np.average(y, weights=w)) ** 2, weights=w)

    check_every_split(DecisionTreeRegressor().fit(X, y, w), X, y, w, variance)


@settings(max_examples=60, deadline=None)
@given(small_data(st.integers(0, 2)), st.sampled_from(["gini", "entropy", "regression"]))
def test_integer_weights_are_repeated_rows(data, kind):
    X, y, w = data
    if len(np.unique(y[w > 0])) < 2:
        return
    regression = kind == "regression"
    model = DecisionTreeRegressor() if regression else DecisionTreeClassifier(criterion=kind)
    X, y, w = X[w > 0], y[w > 0], w[w > 0]
    weighted = model.fit(X, y, w).tree_
    repeated = model.fit(np.repeat(X, w, axis=0), np.repeat(y, w)).tree_
    same_tree(weighted, repeated, ignore="n")


def test_weight_zero_is_absence():
    X, y = noisy(200, 4, 3, seed=3)
    w = np.random.default_rng(0).integers(0, 2, 200)
    for model in (DecisionTreeClassifier(), DecisionTreeRegressor()):
        absent = model.fit(X[w > 0], y[w > 0]).tree_
        same_tree(model.fit(X, y, w).tree_, absent)


def test_the_scale_of_the_weights_does_not_matter():
    X, y = noisy(300, 4, 3, seed=3)
    w = np.random.default_rng(0).uniform(0.1, 1, 300)
    a, b = (DecisionTreeClassifier().fit(X, y, scale * w).tree_ for scale in (1, 1e-9))
    same_tree(a, b)


def test_weights_decide_which_split_is_best():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 1]
    for j, w in ((0, [5, 5, 1, 5]), (1, [5, 1, 5, 5])):
        tree = DecisionTreeClassifier(max_depth=1).fit(X, y, w).tree_
        left = np.array(X)[:, tree.feature[0]] == 0
        assert tree.feature[0] == 1 - j
        assert tree.gain[0] == pytest.approx(information_gain(y, left, sample_weight=w))


def test_weights_that_differ_by_many_orders_of_magnitude():
    """As in late rounds of boosting: what is light must not be lost beside what is heavy."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = (X[:, 1] > 0).astype(int) ^ (X[:, 0] > 0)
    w = np.where(X[:, 0] > 0, 1.0, 1e-13)
    tree = DecisionTreeClassifier().fit(X, y, w)
    assert tree.score(X, y) == 1
    assert DecisionTreeClassifier().fit(X, y, 10.0 ** rng.uniform(-40, 0, 200)).score(X, y) > 0.6


# ---------------------------------------------------------------- the bug list


def test_ties_at_the_threshold_go_left_in_training_and_in_prediction():
    X, y = np.array([[0.0], [1.0], [2.0], [2.0], [3.0]]), [0, 0, 1, 1, 1]
    model = DecisionTreeClassifier().fit(X, y)
    assert model.tree_.threshold[0] == 1.5
    assert model.predict([[1.5], [np.nextafter(1.5, 2)]]).tolist() == [0, 1]


@pytest.mark.parametrize("a", [1.0, 0.1, -3.0, 1e300, 5e-324, -5e-324, 0.0, -1.7e308])
def test_neighbouring_floats_are_told_apart(a):
    b = np.nextafter(a, np.inf)
    X, y = np.array([[a], [b], [a], [b]]), [0, 1, 0, 1]
    model = DecisionTreeClassifier().fit(X, y)
    assert a <= model.tree_.threshold[0] < b
    assert model.predict(X).tolist() == y


def test_halfway_does_not_overflow():
    big = np.finfo(float).max
    assert halfway(np.array(-big), np.array(big)) == 0
    assert halfway(np.array(0.8 * big), np.array(big)) == pytest.approx(0.9 * big)
    DecisionTreeClassifier().fit([[-big], [big]], [0, 1])


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(allow_nan=False))
def test_halfway_is_between(a, b):
    a, b = min(a, b), max(a, b)
    if a < b < np.inf:
        assert a <= halfway(np.array(a), np.array(b)) < b


def test_constant_columns_end_in_a_leaf():
    X, y = np.ones((6, 3)), [0, 0, 0, 1, 1, 0]
    model = DecisionTreeClassifier().fit(X, y)
    assert len(model.tree_.n) == 1
    np.testing.assert_allclose(model.predict_proba(X), [[2 / 3, 1 / 3]] * 6)
    X[:, 1] = np.arange(6)
    assert set(DecisionTreeClassifier().fit(X, y).tree_.feature) == {-1, 1}


def test_integer_columns_are_split_by_order_and_not_by_equality():
    X, y = np.arange(8)[:, None], [0, 0, 0, 0, 1, 1, 1, 1]
    tree = DecisionTreeClassifier().fit(X, y).tree_
    assert (len(tree.n), tree.threshold[0]) == (3, 3.5)


@pytest.mark.parametrize("depth", [1, 2, 3, 5])
def test_max_depth_counts_questions(depth):
    X, y = noisy(400, 4, 2, seed=0)
    model = DecisionTreeClassifier(max_depth=depth).fit(X, y)
    assert model.tree_.depth.max() == depth
    assert model.decision_path(X).sum(axis=1).max() == depth + 1


def test_duplicates_with_different_labels_leave_an_error():  # OVF-04
    X, y = np.array([[0.0], [0], [0], [0], [0]]), [0, 1, 0, 1, 0]
    assert DecisionTreeClassifier().fit(X, y).score(X, y) == 0.6


def test_features_are_drawn_per_node():
    X, y = noisy(500, 6, 2, seed=0)
    levels = list(DecisionTreeClassifier(max_features=2, random_state=0).grow_steps(X, y))
    drawn = levels[4].candidates.feature
    assert drawn.shape == (2, len(levels[4].candidates.node))
    assert len(np.unique(drawn, axis=1).T) > 3
    assert np.all(drawn[0] < drawn[1])
    chosen, searched = levels[4], levels[4].candidates.node
    feature = dict(zip(chosen.node, chosen.feature, strict=True))
    assert all(feature[v] in drawn[:, k] for k, v in enumerate(searched))
    roots = [
        DecisionTreeClassifier(max_features=2, max_depth=1, random_state=s).fit(X, y).tree_
        for s in range(60)
    ]
    assert len({int(tree.feature[0]) for tree in roots}) >= 4


def test_features_that_are_constant_in_a_node_are_not_drawn():
    X = np.zeros((40, 10))
    X[:, 7] = np.arange(40)
    y = np.arange(40) % 2
    for seed in range(5):
        model = DecisionTreeClassifier(max_features=1, random_state=seed).fit(X, y)
        assert model.score(X, y) == 1


@pytest.mark.parametrize(("given", "number"), [(None, 10), ("sqrt", 3), (4, 4)])
def test_max_features(given, number):
    X, y = noisy(100, 10, 2, seed=0)
    level = next(DecisionTreeClassifier(max_features=given, random_state=0).grow_steps(X, y))
    assert level.candidates.feature.shape == (number, 1)


@pytest.mark.parametrize("bad", [0, 11, 1.5, "many"])
def test_max_features_out_of_range(bad):
    with pytest.raises((ValueError, TypeError), match="max_features"):
        DecisionTreeClassifier(max_features=bad).fit(*noisy(100, 10, 2, seed=0))


@pytest.mark.parametrize(
    "bad", [{"max_depth": 0}, {"min_samples_split": 1}, {"min_samples_leaf": 0}], ids=str
)
def test_limits_out_of_range(bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        DecisionTreeRegressor(**bad).fit([[0], [1]], [0, 1])


def test_seed_zero_is_a_seed():
    X, y = noisy(200, 8, 2, seed=0)
    trees = [
        DecisionTreeClassifier(max_features=1, random_state=s).fit(X, y).tree_ for s in (0, 0, 1)
    ]
    same_tree(trees[0], trees[1])
    assert trees[0].feature[0] != trees[2].feature[0] or len(trees[0].n) != len(trees[2].n)


# ---------------------------------------------------------------- growth, step by step


def test_the_steps_are_the_fit():
    X, y = noisy(300, 4, 3, seed=5)
    model = DecisionTreeClassifier()
    levels = list(model.grow_steps(X, y))
    full = model.fit(X, y).tree_
    same_tree(assemble(levels)[0], full)
    for depth in range(len(levels)):
        (so_far,) = assemble(levels[: depth + 1])
        same_tree(so_far, full.cut(depth))
        if depth:
            same_tree(so_far, DecisionTreeClassifier(max_depth=depth).fit(X, y).tree_)


def test_a_level_shows_every_split_it_weighed():
    X, y = noisy(60, 3, 2, seed=0)
    root, first, *_ = DecisionTreeClassifier().grow_steps(X, y)
    feature, threshold, gain = root.candidates.of(0)
    assert len(gain) == 3 * 59
    expected = [information_gain(y, X[:, j] <= t) for j, t in zip(feature, threshold, strict=True)]
    np.testing.assert_allclose(gain, expected, atol=1e-12)
    best = gain.argmax()
    assert (root.feature[0], root.threshold[0]) == (feature[best], threshold[best])
    assert root.gain[0] == gain.max()
    rows = X[:, root.feature[0]] <= root.threshold[0]
    feature, threshold, gain = first.candidates.of(root.left[0])
    expected = [
        information_gain(y[rows], X[rows, j] <= t) for j, t in zip(feature, threshold, strict=True)
    ]
    np.testing.assert_allclose(gain, expected, atol=1e-12)
    assert [len(part) for part in first.candidates.of(0)] == [0, 0, 0]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1000), st.integers(1, 6), st.integers(2, 20))
def test_what_holds_in_every_tree(seed, leaf, split):
    X, y = noisy(80, 3, 3, seed)
    X = np.round(X)
    model = DecisionTreeClassifier(min_samples_leaf=leaf, min_samples_split=split).fit(X, y)
    tree = model.tree_
    inner = tree.feature >= 0
    np.testing.assert_allclose(tree.value.sum(axis=1), 1, rtol=1e-12)
    np.testing.assert_array_equal(
        tree.n[tree.left[inner]] + tree.n[tree.right[inner]], tree.n[inner]
    )
    assert tree.n.min() >= leaf
    assert tree.n[inner].min(initial=split) >= split
    assert tree.gain.min() >= 0
    np.testing.assert_array_equal(np.bincount(model.apply(X), minlength=len(inner))[inner], 0)
    np.testing.assert_array_equal(
        np.bincount(model.apply(X), minlength=len(inner))[~inner], tree.n[~inner]
    )
    np.testing.assert_array_equal(tree.depth[tree.left[inner]], tree.depth[inner] + 1)


# ---------------------------------------------------------------- leaves, paths, pictures


def test_a_leaf_holds_the_proportions_among_its_own_samples():  # DT-03, DT-04
    X = np.array([[0.0]] * 11 + [[1.0]] * 4)
    y = np.array([0] * 9 + [1] * 2 + [0] * 1 + [1] * 3)
    proba = DecisionTreeClassifier().fit(X, y).predict_proba([[0.0], [1.0]])
    np.testing.assert_allclose(proba, [[9 / 11, 2 / 11], [1 / 4, 3 / 4]])


def test_boxes_tile_the_plane_and_hold_their_samples():
    X, y = noisy(200, 2, 2, seed=0)
    model = DecisionTreeClassifier(max_depth=5).fit(X, y)
    low, high = X.min(axis=0), X.max(axis=0)
    lower, upper = model.tree_.boxes(low, high)
    leaf = model.apply(X)
    assert np.all((lower[leaf] <= X) & (upper[leaf] >= X))
    area = np.prod(upper - lower, axis=1)
    assert area[model.tree_.feature < 0].sum() == pytest.approx(np.prod(high - low))


def test_decision_path_and_apply():
    X, y = noisy(100, 3, 2, seed=0)
    model = DecisionTreeClassifier().fit(X, y)
    path, leaf = model.decision_path(X), model.apply(X)
    assert path[:, 0].all()
    assert path[np.arange(100), leaf].all()
    np.testing.assert_array_equal(path.sum(axis=1), model.tree_.depth[leaf] + 1)
    np.testing.assert_array_equal(path.sum(axis=0), model.tree_.n)


def test_export_text_and_explain():
    X = np.array([[1.0, 5.0], [2.0, 5.0], [3.0, 5.0], [3.0, 9.0]])
    model = DecisionTreeClassifier().fit(X, ["no", "no", "yes", "no"])
    assert export_text(model, ["grade", "score"]) == "\n".join(
        [
            "grade ≤ 2.5",
            "|   no (no: 1; n = 2)",
            "grade > 2.5",
            "|   score ≤ 7",
            "|   |   yes (yes: 1; n = 1)",
            "|   score > 7",
            "|   |   no (no: 1; n = 1)",
        ]
    )
    assert model.explain(X[2]) == "\n".join(
        ["x[0] = 3 > 2.5: go right", "x[1] = 5 ≤ 7: go left", "leaf: yes (yes: 1; n = 1)"]
    )
    assert export_text(DecisionTreeRegressor().fit([[0], [1]], [1.5, 1.5])) == "1.5 (n = 2)"
    with pytest.raises(ValueError, match="feature_names must hold 2 names"):
        export_text(model, ["grade"])


# ---------------------------------------------------------------- regression


def test_a_full_regression_tree_goes_through_its_points():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, 2)), rng.normal(size=50)
    np.testing.assert_array_equal(DecisionTreeRegressor().fit(X, y).predict(X), y)


def test_equal_targets_are_one_leaf_with_exactly_that_value():
    model = DecisionTreeRegressor().fit(np.arange(7)[:, None], np.full(7, 0.1), np.full(7, 0.3))
    assert model.tree_.value.tolist() == [[0.1]]
    assert model.tree_.impurity.tolist() == [0]


def test_a_large_offset_of_the_target_does_not_blur_the_splits():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), np.round(rng.normal(size=200), 2)
    a, b = DecisionTreeRegressor().fit(X, y), DecisionTreeRegressor().fit(X, y + 1e9)
    np.testing.assert_array_equal(a.tree_.threshold[:15], b.tree_.threshold[:15])
    np.testing.assert_allclose(a.predict(X), b.predict(X) - 1e9, atol=1e-6)


def test_one_sample():
    model = DecisionTreeRegressor().fit([[3.0, 1.0]], [2.5])
    assert model.predict([[0, 0], [9, 9]]).tolist() == [2.5, 2.5]
    assert model.apply([[0, 0]]).tolist() == [0]
