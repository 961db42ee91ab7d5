"""Nearest neighbours against scikit-learn, scipy, plain loops and the laws they obey."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import cdist
from sklearn.neighbors import KNeighborsClassifier as TheirClassifier
from sklearn.neighbors import KNeighborsRegressor as TheirRegressor

from mlcore import neighbors
from mlcore.datasets import make_blobs, make_circles
from mlcore.neighbors import (
    FEW_COLUMNS,
    KNeighborsClassifier,
    KNeighborsRegressor,
    condense,
    condense_steps,
    manhattan_distances,
    nearest,
    oversample,
    squared_distances,
    undersample,
)

law = settings(deadline=None, max_examples=60)
COLUMNS = [1, 2, FEW_COLUMNS, FEW_COLUMNS + 1, 30]  # both ways of computing distances


def cloud(n, d, classes=3, seed=0):
    """Overlapping classes, so that votes are close."""
    rng = np.random.default_rng(seed)
    y = rng.integers(classes, size=n)
    y[:classes] = np.arange(classes)
    return rng.normal(size=(n, d)) + 0.7 * y[:, None] / np.sqrt(d), y


# ---- distances ------------------------------------------------------------------------------


@pytest.mark.parametrize("d", COLUMNS)
def test_distances_are_those_of_scipy(d):
    X, Z = cloud(40, d)[0], cloud(30, d, seed=1)[0]
    np.testing.assert_allclose(squared_distances(X, Z), cdist(X, Z, "sqeuclidean"), rtol=1e-9)
    np.testing.assert_allclose(manhattan_distances(X, Z), cdist(X, Z, "cityblock"), rtol=1e-12)


@pytest.mark.parametrize("d", COLUMNS)
def test_far_from_the_origin_distances_stay_right_and_never_below_zero(d):
    X = cloud(60, d)[0] + 1e6
    D = squared_distances(X, X)
    assert (D >= 0).all()
    np.testing.assert_allclose(D, cdist(X, X, "sqeuclidean"), rtol=1e-6, atol=1e-6)
    distances, _ = KNeighborsClassifier(k=3).fit(X, np.arange(60) % 2).kneighbors(X)
    assert np.isfinite(distances).all()


@pytest.mark.parametrize("d", COLUMNS)
def test_a_point_is_its_own_nearest_neighbour(d):
    X, y = cloud(200, d)
    _, indices = KNeighborsClassifier(k=1).fit(X, y).kneighbors(X)
    assert np.array_equal(indices[:, 0], np.arange(200))


# ---- nearest ----------------------------------------------------------------------------------


@st.composite
def tables(draw):
    """Entries ≥ 0 from a few levels, so that ties abound; levels differ by more than 1e-9."""
    numbers = draw(st.lists(st.floats(1e-300, 1e300), min_size=1, max_size=8))
    levels = [0.0]
    for number in sorted(numbers):
        if number > levels[-1] * (1 + 1e-9):
            levels.append(number)
    levels.append(np.inf)
    rows, columns = draw(st.integers(1, 6)), draw(st.integers(1, 40))
    picks = draw(arrays(np.int64, (rows, columns), elements=st.integers(0, len(levels) - 1)))
    return np.array(levels)[picks], draw(st.integers(1, columns))


@law
@given(tables())
def test_nearest_is_a_stable_sort(case):
    D, k = case
    assert np.array_equal(nearest(D, k), np.argsort(D, axis=1, kind="stable")[:, :k])


@law
@given(st.integers(0, 2**32 - 1))
def test_nearest_in_wide_tables(seed):
    rng = np.random.default_rng(seed)
    D = rng.integers(0, 300, size=(3, int(rng.integers(1, 3000)))) / 7
    k = int(rng.integers(1, D.shape[1] + 1))
    assert np.array_equal(nearest(D, k), np.argsort(D, axis=1, kind="stable")[:, :k])


def test_nearest_leaves_the_table_alone():
    D = np.array([[3.0, 1.0, 2.0]])
    nearest(D, 2)
    assert D.tolist() == [[3.0, 1.0, 2.0]]
    assert nearest(np.asfortranarray([[3, 1, 2], [0, 5, 4]]), 2).tolist() == [[1, 2], [0, 2]]


# ---- against scikit-learn ---------------------------------------------------------------------


@pytest.mark.parametrize("d", [2, 20])
@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("k", [1, 5, 15, 51])
def test_classifier_is_scikit_learns(k, weights, metric, d):
    X, y = cloud(500, d)
    new, _ = cloud(300, d, seed=1)
    ours = KNeighborsClassifier(k=k, weights=weights, metric=metric).fit(X, y)
    theirs = TheirClassifier(k, weights=weights, metric=metric).fit(X, y)
    for places in (new, X):  # among the training points distance 0 occurs
        np.testing.assert_allclose(
            ours.predict_proba(places), theirs.predict_proba(places), atol=1e-6
        )
    assert np.array_equal(ours.predict(new), theirs.predict(new))


@pytest.mark.parametrize("d", [2, 20])
@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("k", [1, 5, 15])
def test_regressor_is_scikit_learns(k, weights, metric, d):
    X, _ = cloud(500, d)
    y = np.sin(X).sum(axis=1)
    new, _ = cloud(300, d, seed=1)
    ours = KNeighborsRegressor(k=k, weights=weights, metric=metric).fit(X, y)
    theirs = TheirRegressor(k, weights=weights, metric=metric).fit(X, y)
    np.testing.assert_allclose(ours.predict(new), theirs.predict(new), rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("d", [2, 20])
@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
def test_kneighbors_is_scikit_learns(metric, d):
    X, y = cloud(500, d)
    new, _ = cloud(100, d, seed=1)
    distances, indices = KNeighborsClassifier(k=9, metric=metric).fit(X, y).kneighbors(new)
    theirs = TheirClassifier(9, metric=metric).fit(X, y).kneighbors(new)
    assert np.array_equal(indices, theirs[1])
    np.testing.assert_allclose(distances, theirs[0], rtol=1e-9)


# ---- ties, zeros, balance ---------------------------------------------------------------------


@pytest.mark.parametrize("d", COLUMNS)
def test_of_equally_near_points_the_first_in_the_training_set_counts(d):
    X = np.ones((4, d))
    assert KNeighborsClassifier(k=1).fit(X, ["b", "a", "a", "a"]).predict(X[:1]) == "b"
    assert KNeighborsClassifier(k=1).fit(X, ["a", "b", "b", "b"]).predict(X[:1]) == "a"


def test_of_equally_many_votes_the_first_class_wins():
    X = [[1.0], [-1.0], [2.0], [-2.0]]
    model = KNeighborsClassifier(k=2).fit(X, ["b", "a", "a", "b"])
    assert model.predict([[0.0]]) == "a"
    assert model.predict_proba([[0.0]]).tolist() == [[0.5, 0.5]]


def test_at_distance_zero_the_others_have_no_say():
    X, y = [[0.0], [0.0], [0.0], [1e-9], [1e-9]], [0, 0, 1, 1, 1]
    model = KNeighborsClassifier(k=5, weights="distance").fit(X, y)
    np.testing.assert_allclose(model.predict_proba([[0.0]]), [[2 / 3, 1 / 3]])
    regressor = KNeighborsRegressor(k=5, weights="distance").fit(X, [6, 6, 0, 100, 100])
    np.testing.assert_allclose(regressor.predict([[0.0]]), [4])


@pytest.mark.parametrize("weights", ["uniform", "distance", "balanced"])
def test_shares_of_the_votes_by_a_plain_loop(weights):
    X, y = make_blobs(120, centers=[[0, 0], [1, 1], [2, 0]], weights=[8, 3, 1], random_state=0)
    new = np.random.default_rng(1).normal(1, 1, size=(50, 2))
    k = 7
    expected = np.zeros((50, 3))
    for place, x in enumerate(new):
        distance = np.sqrt(((X - x) ** 2).sum(axis=1))
        for i in sorted(range(len(X)), key=lambda i: distance[i])[:k]:
            v = {"uniform": 1, "distance": 1 / distance[i], "balanced": 1 / np.sum(y == y[i])}
            expected[place, y[i]] += v[weights]
    expected /= expected.sum(axis=1, keepdims=True)
    model = KNeighborsClassifier(k=k, weights=weights).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(new), expected, rtol=1e-9)


@pytest.mark.parametrize("weights", ["uniform", "distance", "balanced"])
def test_staged_predict_is_refitting_with_every_k(weights):
    X, y = cloud(150, 2)
    places = np.r_[cloud(40, 2, seed=1)[0], X[:10]]
    staged = list(KNeighborsClassifier(k=20, weights=weights).fit(X, y).staged_predict(places))
    assert len(staged) == 20
    for k, predicted in enumerate(staged, start=1):
        alone = KNeighborsClassifier(k=k, weights=weights).fit(X, y).predict(places)
        assert np.array_equal(predicted, alone), f"k = {k}"


def test_metric_may_be_a_function():
    X, y = cloud(100, 3)
    new, _ = cloud(30, 3, seed=1)

    def chebyshev(X, Z):
        return np.abs(X[:, None] - Z[None]).max(axis=2)

    ours = KNeighborsClassifier(k=7, weights="distance", metric=chebyshev).fit(X, y)
    theirs = TheirClassifier(7, weights="distance", metric="chebyshev").fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(new), theirs.predict_proba(new), rtol=1e-9)
    distances, _ = ours.kneighbors(new)
    np.testing.assert_allclose(distances[:, 0], cdist(new, X, "chebyshev").min(axis=1))


# ---- laws -------------------------------------------------------------------------------------

grid_points = arrays(np.float64, (12, 2), elements=st.integers(-4, 4).map(float))
labels = arrays(np.int64, 12, elements=st.integers(0, 2)).filter(lambda y: len(set(y)) > 1)
kinds = st.sampled_from(["uniform", "distance", "balanced"])


@law
@given(grid_points, labels, grid_points, kinds, st.integers(1, 12), st.permutations([0, 1, 2]))
def test_renaming_the_labels_renames_the_shares(X, y, new, weights, k, names):
    share = KNeighborsClassifier(k=k, weights=weights).fit(X, y).predict_proba(new)
    renamed = KNeighborsClassifier(k=k, weights=weights).fit(X, np.array(names)[y])
    order = [renamed.classes_.tolist().index(names[c]) for c in np.unique(y)]
    np.testing.assert_allclose(renamed.predict_proba(new)[:, order], share, atol=1e-12)


@law
@given(grid_points, labels, grid_points, kinds, st.integers(1, 12), st.integers(-1000, 1000))
def test_moving_everything_changes_nothing(X, y, new, weights, k, shift):
    model = KNeighborsClassifier(k=k, weights=weights).fit(X, y)
    moved = KNeighborsClassifier(k=k, weights=weights).fit(X + shift, y)
    assert np.array_equal(moved.predict_proba(new + shift), model.predict_proba(new))


@law
@given(grid_points, labels, grid_points, st.integers(1, 12))
def test_regression_stays_between_its_targets(X, y, new, k):
    for weights in ("uniform", "distance"):
        predicted = KNeighborsRegressor(k=k, weights=weights).fit(X, y).predict(new)
        assert (predicted >= y.min() - 1e-12).all()
        assert (predicted <= y.max() + 1e-12).all()


# ---- input ------------------------------------------------------------------------------------


@pytest.mark.parametrize("block", [1, 7, 64, 1000])
def test_the_size_of_a_block_does_not_matter(monkeypatch, block):
    X, y = cloud(50, 2)
    new, _ = cloud(33, 2, seed=1)
    whole = KNeighborsClassifier(k=5).fit(X, y).kneighbors(new)
    monkeypatch.setattr(neighbors, "BLOCK", block)
    parts = KNeighborsClassifier(k=5).fit(X, y).kneighbors(new)
    assert np.array_equal(whole[0], parts[0])
    assert np.array_equal(whole[1], parts[1])


def test_no_more_distances_at_a_time_than_a_block(monkeypatch):
    sizes = []

    def counting(Q, Z):
        sizes.append(len(Q) * len(Z))
        return squared_distances(Q, Z)

    X, y = cloud(50, 2)
    monkeypatch.setattr(neighbors, "BLOCK", 250)
    KNeighborsClassifier(k=5, metric=counting).fit(X, y).predict(X)
    assert sizes == [250] * 10


@pytest.mark.parametrize("d", [2, 20])
def test_integers_and_lists_go_in_as_they_are(d):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 50, size=(40, d)), rng.integers(2, size=40)
    model = KNeighborsClassifier(k=3).fit(X, y)
    as_floats = KNeighborsClassifier(k=3).fit(X.astype(float).tolist(), y.tolist())
    assert np.array_equal(model.predict(X), as_floats.predict(X.astype(np.float32)))


def test_changing_the_training_set_afterwards_changes_nothing():
    X, y = cloud(40, 2)
    model = KNeighborsClassifier(k=3).fit(X, y)
    target = y.astype(float)
    regressor = KNeighborsRegressor(k=3).fit(X, target)
    before = model.predict(X), regressor.predict(X)
    places = X.copy()
    X[:], y[:], target[:] = 0, 0, 0
    assert np.array_equal(model.predict(places), before[0])
    assert np.array_equal(regressor.predict(places), before[1])


def test_one_sample_is_enough_for_regression_only():
    assert KNeighborsRegressor(k=1).fit([[1.0]], [5.0]).predict([[9.0]]) == 5
    with pytest.raises(ValueError, match="one class only"):
        KNeighborsClassifier(k=1).fit([[1.0]], [0])


@pytest.mark.parametrize("model", [KNeighborsClassifier(k=4), KNeighborsRegressor(k=4)])
def test_more_neighbours_than_points_says_so(model):
    with pytest.raises(ValueError, match=r"k must be at most .* k=4 and n_samples=3"):
        model.fit([[0.0], [1.0], [2.0]], [0, 1, 1])


@pytest.mark.parametrize(
    ("wrong", "name"),
    [
        ({"k": 0}, "k"),
        ({"k": 1.5}, "k"),
        ({"weights": "near"}, "weights"),
        ({"metric": "cosine"}, "metric"),
    ],
)
def test_a_wrong_parameter_is_named(wrong, name):
    with pytest.raises((ValueError, TypeError), match=f"^{name} must be"):
        KNeighborsClassifier(**{"k": 1} | wrong).fit([[0.0], [1.0]], [0, 1])


def test_only_labels_can_be_balanced():
    with pytest.raises(ValueError, match="weights must be"):
        KNeighborsRegressor(k=1, weights="balanced").fit([[0.0], [1.0]], [0.0, 1.0])


# ---- condensing -------------------------------------------------------------------------------


def hart(X, y, order):
    """The condensed rule as it is told: sweep, compare, append, until a sweep adds nothing."""
    P = [order[0]]
    added = True
    while added:
        added = False
        for i in order:
            near = P[int(np.argmin([((X[i] - X[p]) ** 2).sum() for p in P]))]
            if i not in P and y[near] != y[i]:
                P.append(i)
                added = True
    return P


spots = arrays(np.float64, (20, 2), elements=st.integers(-3, 3).map(float))
two_or_three = arrays(np.int64, 20, elements=st.integers(0, 2)).filter(lambda y: len(set(y)) > 1)
orders = st.permutations(range(20)).map(np.array)


@law
@given(spots, two_or_three, orders)
def test_condense_is_harts_rule(X, y, order):
    *_, last = condense_steps(X, y, order)  # ends also where one place has two labels
    assert last.prototypes.tolist() == hart(X, y, order)


@law
@given(spots, orders, st.integers(0, 2**32 - 1))
def test_prototypes_make_no_error_where_no_place_has_two_labels(X, order, seed):
    names = np.random.default_rng(seed).integers(3, size=(7, 7))
    names.flat[:2] = 0, 1
    X = np.r_[X, [[-3.0, -3.0], [-3.0, -2.0]]]  # so that there are two classes
    y = names[X[:, 0].astype(int) + 3, X[:, 1].astype(int) + 3]
    order = np.r_[order, 20, 21]
    *_, last = condense_steps(X, y, order)
    P = last.prototypes
    assert last.wrong.size == 0
    assert KNeighborsClassifier(k=1).fit(X[P], y[P]).score(X, y) == 1


@law
@given(spots, two_or_three, orders)
def test_condense_steps_grow_by_one_new_prototype(X, y, order):
    steps = list(condense_steps(X, y, order))
    P = steps[-1].prototypes.tolist()
    assert len(set(P)) == len(P) <= len(X)
    assert [step.i for step in steps] == P
    assert steps[0].i == order[0]
    for size, step in enumerate(steps, start=1):
        assert step.prototypes.tolist() == P[:size]
        near = nearest(squared_distances(X, X[P[:size]]), 1)[:, 0]
        assert step.wrong.tolist() == np.flatnonzero(y[P][near] != y).tolist()
    sweeps = [step.sweep for step in steps]
    assert sweeps == sorted(sweeps)


def test_condense_ends_when_every_place_has_both_labels():
    X, y = np.zeros((6, 2)), np.array([0, 1] * 3)
    assert len(condense(X, y, random_state=0)) == 4  # one of a class, and all of the other


@pytest.mark.parametrize("d", [2, 20])
def test_condense_with_few_and_many_columns(d):
    X, y = cloud(120, d)
    P = condense(X, y, random_state=3)
    order = np.random.default_rng(3).permutation(120)
    assert P.tolist() == hart(X, y, order)
    assert KNeighborsClassifier(k=1).fit(X[P], y[P]).score(X, y) == 1


# ---- resampling -------------------------------------------------------------------------------


def unequal(d=2, seed=0):
    X, y = cloud(90, d, seed=seed)
    kept = np.r_[np.flatnonzero(y == 0), np.flatnonzero(y == 1)[:9], np.flatnonzero(y == 2)[:15]]
    kept = np.random.default_rng(seed).permutation(kept)
    return X[kept], np.array(["large", "small", "middle"])[y[kept]]


def rows(X):
    return {tuple(row) for row in X.tolist()}


def test_undersample_draws_rows_without_replacement():
    X, y = unequal()
    few, labels = undersample(X, y, random_state=0)
    assert dict(zip(*np.unique(labels, return_counts=True), strict=True)) == {
        "large": 9, "middle": 9, "small": 9,
    }  # fmt: skip
    assert len(rows(few)) == 27
    label_of = {tuple(x): label for x, label in zip(X.tolist(), y, strict=True)}
    assert [label_of[tuple(x)] for x in few.tolist()] == labels.tolist()
    assert rows(X[y == "small"]) <= rows(few)


@pytest.mark.parametrize("d", [2, 20])
@pytest.mark.parametrize("k", [1, 3, 5, 50])
def test_oversample_invents_points_between_neighbours(k, d):
    X, y = unequal(d)
    many, labels = oversample(X, y, k=k, random_state=0)
    n = len(X)
    assert np.array_equal(many[:n], X)
    assert np.array_equal(labels[:n], y)
    assert len(set(np.unique(labels, return_counts=True)[1])) == 1
    assert len(many) == 3 * np.sum(y == "large")
    for x, label in zip(many[n:], labels[n:], strict=True):
        own = X[y == label]
        to_x = cdist([x], own)[0]
        between = cdist(own, own)
        detour = to_x[:, None] + to_x - between
        np.fill_diagonal(detour, np.inf)
        rank = between.argsort(axis=1).argsort(axis=1)  # 0 is the point itself
        partners = np.where(np.minimum(rank, rank.T) <= k, detour, np.inf)
        assert partners.min() < 1e-7, "not between a point and one of its k nearest"


def test_oversample_spreads_its_points():
    X, y = unequal()
    many, _ = oversample(X, y, random_state=0)
    assert len(rows(many[len(X) :])) == len(many) - len(X)
    assert not rows(many[len(X) :]) & rows(X)


def test_a_class_of_one_row_is_repeated():
    X, y = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [5.0, 5.0]], [0, 0, 0, 1]
    many, labels = oversample(X, y, random_state=0)
    assert many[4:].tolist() == [[5.0, 5.0]] * 2
    assert labels.tolist() == [0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize(
    "draw",
    [
        lambda seed: condense(*unequal(), random_state=seed),
        lambda seed: undersample(*unequal(), random_state=seed)[0],
        lambda seed: oversample(*unequal(), random_state=seed)[0],
    ],
    ids=["condense", "undersample", "oversample"],
)
def test_seed_0_is_a_seed_like_any_other(draw):
    assert np.array_equal(draw(0), draw(0))
    assert np.array_equal(draw(1), draw(1))
    assert not np.array_equal(draw(0), draw(1))
    assert np.array_equal(draw(np.random.default_rng(0)), draw(0))


# ---- what the course says ---------------------------------------------------------------------


def recalls(resample, **parameters):
    """Of the large and of the small class, the share that is found; mean over five data sets."""
    found = []
    for seed in range(5):
        made = [
            make_blobs(n, centers=[[0, 0], [1.8, 0]], weights=[600, 30], random_state=seed + which)
            for n, which in ((630, 0), (10_500, 100))
        ]
        (X, y), (new, truth) = made
        model = KNeighborsClassifier(k=15, **parameters).fit(*resample(X, y))
        found.append([np.mean(model.predict(new)[truth == c] == c) for c in (0, 1)])
    return np.mean(found, axis=0)


def as_it_is(X, y):
    return X, y


def test_knn_04_the_large_class_wins_by_its_size():
    large, small = recalls(as_it_is)
    assert large > 0.98
    assert small < 0.33


@pytest.mark.parametrize(
    ("resample", "parameters"),
    [
        (as_it_is, {"weights": "balanced"}),  # KNN-05
        (lambda X, y: undersample(X, y, random_state=0), {}),  # KNN-06
        (lambda X, y: oversample(X, y, random_state=0), {}),  # KNN-07
    ],
    ids=["KNN-05 balanced", "KNN-06 undersample", "KNN-07 oversample"],
)
def test_knn_05_to_07_three_remedies(resample, parameters):
    large, small = recalls(resample, **parameters)
    assert small > 0.65
    assert 0.65 < large < 0.95, "the large class pays for it"


def test_knn_10_stopping_at_one_prototype_a_class_is_too_early():
    new, truth = make_circles(2000, ratio=0.45, noise=0.08, random_state=1000)
    early, full, sizes = [], [], []
    for seed in range(40):
        X, y = make_circles(400, ratio=0.45, noise=0.08, random_state=seed)
        steps = list(condense_steps(X, y, np.random.default_rng(seed).permutation(400)))
        two = next(step.prototypes for step in steps if len(set(y[step.prototypes])) == 2)
        P = steps[-1].prototypes
        assert len(two) == 2
        assert KNeighborsClassifier(k=1).fit(X[P], y[P]).score(X, y) == 1
        early.append(KNeighborsClassifier(k=1).fit(X[two], y[two]).score(new, truth))
        full.append(KNeighborsClassifier(k=1).fit(X[P], y[P]).score(new, truth))
        sizes.append(len(P))
    assert np.mean(early) < 0.7
    assert np.mean(full) > 0.99
    assert 8 < np.mean(sizes) < 25
    assert max(sizes) < 40
