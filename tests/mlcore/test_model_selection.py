"""Splits obey their laws; scores and searches equal scikit-learn's on the same splits."""

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn import model_selection as theirs
from sklearn.base import is_classifier
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from mlcore.base import Classifier, Regressor, clone
from mlcore.datasets import load, make_moons, make_sine
from mlcore.model_selection import (
    GridSearch,
    KFold,
    StratifiedKFold,
    cross_val_score,
    train_test_split,
)
from mlcore.preprocessing import StandardScaler
from mlcore.validation import NotFittedError


class Centroids(Classifier):
    """The nearest class mean under a p-norm; `noise` moves the means at random."""

    def __init__(self, *, p=2, noise=0.0, random_state=0):
        self.p = p
        self.noise = noise
        self.random_state = random_state

    def fit(self, X, y):
        X, codes = self._start_fit_labels(X, y)
        rng = np.random.default_rng(self.random_state)
        self.means_ = np.array([X[codes == k].mean(axis=0) for k in range(len(self.classes_))])
        self.means_ += self.noise * rng.normal(size=self.means_.shape)
        return self

    def predict(self, X):
        X = self._start_predict(X)
        D = [np.linalg.norm(X - mean, ord=self.p, axis=1) for mean in self.means_]
        return self.classes_[np.argmin(D, axis=0)]


class Bins(Regressor):
    """The mean target in each of `bins` stretches of the first column."""

    def __init__(self, *, bins=3):
        self.bins = bins

    def fit(self, X, y):
        X, y = self._start_fit_target(X, y)
        self.edges_ = np.quantile(X[:, 0], np.linspace(0, 1, self.bins + 1)[1:-1])
        place = np.searchsorted(self.edges_, X[:, 0])
        self.means_ = np.array([y[place == k].mean() for k in range(self.bins)])
        return self

    def predict(self, X):
        return self.means_[np.searchsorted(self.edges_, self._start_predict(X)[:, 0])]


def negative_error(model, X, y):
    return -np.mean((model.predict(X) - y) ** 2)


MOONS = make_moons(90, noise=0.3, random_state=0)
WORDS = np.array(["no", "yes"])[MOONS[1]]
SINE = make_sine(60, random_state=0)

class_sizes = st.lists(st.integers(2, 20), min_size=2, max_size=4)


def labels_of(sizes, seed=0):
    return np.random.default_rng(seed).permutation(np.repeat(list("abcd")[: len(sizes)], sizes))


# -------------------------------------------------------------------------- train_test_split


@given(st.integers(2, 60), st.integers(1, 99))
def test_every_row_is_on_one_side(n, percent):
    X, y = np.arange(2 * n).reshape(n, 2), np.arange(n)
    n_test = -(-n * percent // 100)  # exactly ⌈n · percent / 100⌉
    if n_test == n:
        with pytest.raises(ValueError, match="leaves none to train on"):
            train_test_split(X, y, test_size=percent / 100)
        return
    X_train, X_test, y_train, y_test = train_test_split(
        X, y, test_size=percent / 100, random_state=0
    )
    assert len(y_test) == n_test
    assert sorted([*y_train, *y_test]) == list(range(n))
    np.testing.assert_array_equal(X_train[:, 0], 2 * y_train)
    np.testing.assert_array_equal(X_test[:, 0], 2 * y_test)


@given(class_sizes, st.integers(5, 95), st.integers(0, 2**31))
def test_stratified_shares(sizes, percent, seed):
    y = labels_of(sizes)
    n_test = -(-len(y) * percent // 100)
    assume(n_test < len(y))
    X = np.arange(len(y))[:, None]
    _, X_test, y_train, y_test = train_test_split(
        X, y, test_size=percent / 100, stratify=y, random_state=seed
    )
    np.testing.assert_array_equal(y[X_test[:, 0].astype(int)], y_test)
    for label, size in zip("abcd", sizes, strict=False):
        in_test = np.sum(y_test == label)
        assert in_test + np.sum(y_train == label) == size
        assert 1 <= in_test <= size - 1
        share = min(max(Fraction(n_test * size, len(y)), 1), size - 1)
        assert abs(in_test - share) <= 1


def test_split_is_random_and_repeatable():
    X, y = MOONS

    def split(seed):
        return train_test_split(X, y, random_state=seed)[3]

    np.testing.assert_array_equal(split(0), split(0))
    assert not np.array_equal(split(0), split(1))
    tests = [train_test_split(X, np.arange(90), random_state=s)[3] for s in range(400)]
    counts = np.bincount(np.concatenate(tests), minlength=90)
    assert abs(counts - 400 * 23 / 90).max() < 5 * np.sqrt(400 * 0.25 * 0.75)


def test_the_order_within_a_stratified_split_is_random():
    y = np.repeat([0, 1], 50)
    *_, y_test = train_test_split(np.ones((100, 1)), y, stratify=y, random_state=0)
    assert np.sum(np.diff(y_test) != 0) > 3


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"test_size": 0}, "test_size must be a number > 0"),
        ({"test_size": 1}, "leaves none to train on"),
        ({"test_size": "half"}, "test_size must be a number"),
        ({"stratify": [0, 1]}, "X has 4 rows and y has 2 entries"),
        ({"stratify": [0, 0, 0, 1]}, "at least 2 rows of each class"),
    ],
)
def test_split_refuses(params, sentence):
    with pytest.raises((ValueError, TypeError), match=sentence):
        train_test_split(np.ones((4, 1)), [0, 0, 1, 1], **params)


def test_split_checks_x_and_y():
    with pytest.raises(ValueError, match="X has 2 rows and y has 3 entries"):
        train_test_split([[1], [2]], [0, 1, 1])
    with pytest.raises(ValueError, match="X must be 2-dimensional"):
        train_test_split([1, 2], [0, 1])


# ------------------------------------------------------------------------------------- folds


@given(st.integers(2, 40), st.integers(2, 10))
def test_kfold_is_scikit_learns(n, n_splits):
    X = np.ones((n, 1))
    if n_splits > n:
        with pytest.raises(ValueError, match=f"n_splits={n_splits} is more than"):
            list(KFold(n_splits).split(X))
        return
    mine, other = list(KFold(n_splits).split(X)), list(theirs.KFold(n_splits).split(X))
    assert len(mine) == len(other) == KFold(n_splits).get_n_splits()
    for (train, test), (their_train, their_test) in zip(mine, other, strict=True):
        np.testing.assert_array_equal(train, their_train)
        np.testing.assert_array_equal(test, their_test)


@given(class_sizes, st.integers(2, 5), st.booleans(), st.sampled_from([KFold, StratifiedKFold]))
def test_folds_part_the_rows(sizes, n_splits, shuffle, splitter):
    y = labels_of([size + 5 for size in sizes])
    folds = list(splitter(n_splits, shuffle=shuffle, random_state=0).split(y[:, None], y))
    np.testing.assert_array_equal(np.sort(np.concatenate([t for _, t in folds])), np.arange(len(y)))
    for train, test in folds:
        assert sorted([*train, *test]) == list(range(len(y)))
    parts = [len(test) for _, test in folds]
    assert max(parts) - min(parts) <= 1


@given(class_sizes, st.integers(2, 5), st.booleans())
def test_stratified_folds_share_every_class(sizes, n_splits, shuffle):
    y = labels_of([size + 5 for size in sizes])
    cv = StratifiedKFold(n_splits, shuffle=shuffle, random_state=0)
    counts = np.array(
        [[np.sum(y[t] == label) for label in np.unique(y)] for _, t in cv.split(y, y)]
    )
    assert np.all(np.ptp(counts, axis=0) <= 1)


@pytest.mark.parametrize("splitter", [KFold, StratifiedKFold])
def test_shuffled_folds(splitter):
    X, y = MOONS

    def parts(**params):
        return np.concatenate([test for _, test in splitter(3, **params).split(X, y)])

    shuffled = parts(shuffle=True, random_state=0)
    np.testing.assert_array_equal(shuffled, parts(shuffle=True, random_state=0))
    assert not np.array_equal(shuffled, parts(shuffle=True, random_state=1))
    assert not np.array_equal(shuffled, parts())
    np.testing.assert_array_equal(parts(), parts(random_state=1))


def test_folds_refuse():
    with pytest.raises(ValueError, match="n_splits must be an integer ≥ 2"):
        KFold(1)
    with pytest.raises(ValueError, match="shuffle must be True or False"):
        KFold(2, shuffle="yes")
    y = [*["a"] * 5, *["b"] * 2]
    with pytest.raises(ValueError, match=r"n_splits=3 is more than the 2 row\(s\) of class 'b'"):
        list(StratifiedKFold(3).split(np.ones((7, 1)), y))
    with pytest.raises(ValueError, match="y is None"):
        list(StratifiedKFold(2).split(np.ones((7, 1))))


def test_folds_show_themselves():
    assert repr(KFold(3)) == "KFold(3)"
    assert repr(StratifiedKFold(4, shuffle=True, random_state=0)) == (
        "StratifiedKFold(4, shuffle=True, random_state=0)"
    )


def test_scikit_learn_takes_our_folds():
    X, y = MOONS
    for cv in (KFold(4), StratifiedKFold(4)):
        scores = theirs.cross_val_score(Centroids(), X, y, cv=cv)
        np.testing.assert_array_equal(scores, cross_val_score(Centroids(), X, y, cv=cv))


# --------------------------------------------------------------------------- cross_val_score


def test_scores_are_scikit_learns():
    X, _ = MOONS
    cv = StratifiedKFold(5)
    np.testing.assert_array_equal(
        cross_val_score(Centroids(), X, WORDS), theirs.cross_val_score(Centroids(), X, WORDS, cv=cv)
    )
    np.testing.assert_allclose(
        cross_val_score(Bins(), *SINE, cv=4), theirs.cross_val_score(Bins(), *SINE, cv=4)
    )
    np.testing.assert_allclose(
        cross_val_score(Bins(), *SINE, scoring=negative_error),
        theirs.cross_val_score(Bins(), *SINE, scoring="neg_mean_squared_error"),
    )


def test_a_number_of_parts_is_stratified_for_classifiers_only():
    X, y = load("iris")  # sorted by class: plain folds would train without the class they test
    by_hand = cross_val_score(Centroids(), X, y, cv=StratifiedKFold(3))
    for model in (
        Centroids(),
        make_pipeline(StandardScaler(), Centroids()),
        GridSearch(Centroids(), {"p": [2]}, cv=2),
    ):
        assert cross_val_score(model, X, y, cv=3).min() > 0.7
    np.testing.assert_array_equal(cross_val_score(Centroids(), X, y, cv=3), by_hand)
    np.testing.assert_array_equal(
        cross_val_score(LinearRegression(), *SINE, cv=3),
        theirs.cross_val_score(LinearRegression(), *SINE, cv=3),
    )


def test_the_model_itself_stays_unfitted():
    model = Centroids()
    cross_val_score(model, *MOONS)
    assert not hasattr(model, "means_")


def test_frames_and_lists():
    X, y = MOONS
    expected = cross_val_score(Centroids(), X, y)
    frame, series = pd.DataFrame(X, columns=["a", "b"]), pd.Series(y)
    np.testing.assert_array_equal(cross_val_score(Centroids(), frame, series), expected)
    np.testing.assert_array_equal(cross_val_score(Centroids(), X.tolist(), y.tolist()), expected)


@pytest.mark.parametrize("cv", [1, 0, "five", None, 2.0])
def test_cv_is_checked(cv):
    with pytest.raises((ValueError, TypeError), match="cv must be an integer ≥ 2"):
        cross_val_score(Centroids(), *MOONS, cv=cv)


# -------------------------------------------------------------------------------- GridSearch

GRID = {"p": [1, 2, np.inf], "noise": [0.0, 0.3]}


def test_search_is_scikit_learns():
    X, _ = MOONS
    mine = GridSearch(Centroids(), GRID, cv=3).fit(X, WORDS)
    other = theirs.GridSearchCV(Centroids(), GRID, cv=StratifiedKFold(3)).fit(X, WORDS)
    by_params = {str(sorted(c.params.items())): c.mean for c in mine.results_}
    assert len(by_params) == 6
    for params, score in zip(
        other.cv_results_["params"], other.cv_results_["mean_test_score"], strict=True
    ):
        assert by_params[str(sorted(params.items()))] == pytest.approx(score)
    assert mine.best_score_ == pytest.approx(other.best_score_) == max(by_params.values())


def test_the_best_is_refitted_to_all_rows():
    X, y = MOONS
    search = GridSearch(Centroids(), GRID, cv=3).fit(X, y)
    direct = Centroids(**search.best_params_).fit(X, y)
    np.testing.assert_array_equal(search.best_estimator_.means_, direct.means_)
    np.testing.assert_array_equal(search.predict(X), direct.predict(X))
    assert search.score(X, y) == direct.score(X, y)


def test_of_equals_the_first_is_best():
    search = GridSearch(Centroids(), {"random_state": [3, 1, 2]}, cv=2).fit(*MOONS)
    assert search.best_params_ == {"random_state": 3}
    assert len({c.mean for c in search.results_}) == 1


def test_search_with_its_own_scoring():
    search = GridSearch(Bins(), {"bins": np.arange(1, 7)}, scoring=negative_error).fit(*SINE)
    other = theirs.GridSearchCV(
        Bins(), {"bins": list(range(1, 7))}, scoring="neg_mean_squared_error"
    ).fit(*SINE)
    assert search.best_params_ == other.best_params_
    assert type(search.best_params_["bins"]) is int
    assert search.best_score_ == pytest.approx(other.best_score_)
    assert search.score(*SINE) == pytest.approx(other.score(*SINE))


def test_an_empty_grid_is_the_model_as_it_is():
    search = GridSearch(Centroids(p=1), {}).fit(*MOONS)
    assert search.best_params_ == {}
    np.testing.assert_array_equal(
        search.results_[0].scores, cross_val_score(Centroids(p=1), *MOONS)
    )


def test_search_through_a_pipeline_and_over_scikit_learns_models():
    X, y = MOONS
    piped = make_pipeline(StandardScaler(), KNeighborsClassifier())
    grid = {"kneighborsclassifier__n_neighbors": [1, 5, 9]}
    mine = GridSearch(piped, grid, cv=StratifiedKFold(3)).fit(X, y)
    other = theirs.GridSearchCV(piped, grid, cv=StratifiedKFold(3)).fit(X, y)
    assert mine.best_params_ == other.best_params_
    assert mine.best_score_ == pytest.approx(other.best_score_)
    assert GridSearch(SVC(), {"C": [1.0]}).fit(X, y).score(X, y) > 0.8


def test_search_is_an_estimator():
    search = GridSearch(Centroids(p=1), {"noise": [0.0]}, cv=3)
    assert repr(search) == "GridSearch(model=Centroids(p=1), grid={'noise': [0.0]}, cv=3)"
    assert is_classifier(search)
    fresh = clone(search.fit(*MOONS))
    assert fresh.model is not search.model
    assert not hasattr(fresh, "best_estimator_")
    assert search.set_params(model__p=2).model.p == 2
    assert cross_val_score(search, *MOONS, cv=2).shape == (2,)
    for ask in (lambda model: model.predict(MOONS[0]), lambda model: model.score(*MOONS)):
        with pytest.raises(NotFittedError, match="This GridSearch is not fitted yet"):
            ask(fresh)


@pytest.mark.parametrize(
    ("grid", "sentence"),
    [
        ({"p": []}, r"grid\['p'\] must list the values to try, but it is \[\]"),
        ({"p": "12"}, r"grid\['p'\] must list the values to try, but it is '12'"),
        ({"p": 2}, r"grid\['p'\] must list the values to try, but it is 2"),
        ({"q": [1]}, "Centroids has no parameter 'q'; it has p, noise, random_state"),
        ([("p", [1])], "grid must map names of parameters to lists of values"),
    ],
)
def test_the_grid_is_checked(grid, sentence):
    with pytest.raises((ValueError, TypeError), match=sentence):
        GridSearch(Centroids(), grid).fit(*MOONS)


# --------------------------------------------------------------------------------- executors


@pytest.fixture(params=["threads", "processes", "dask"])
def executor(request):
    if request.param == "threads":
        with ThreadPoolExecutor(4) as pool:
            yield pool
    elif request.param == "processes":
        with ProcessPoolExecutor(2) as pool:
            yield pool
    else:
        distributed = pytest.importorskip("distributed")
        with distributed.Client(
            processes=False, n_workers=1, threads_per_worker=2, dashboard_address=None
        ) as client:
            yield client.get_executor()


def test_an_executor_changes_nothing(executor):
    """Even for models that draw random numbers from one shared Generator."""
    model = Centroids(noise=0.5, random_state=np.random.default_rng(7))
    np.testing.assert_array_equal(
        cross_val_score(model, *MOONS, executor=executor), cross_val_score(model, *MOONS)
    )
    alone = GridSearch(model, GRID, cv=3).fit(*MOONS)
    together = GridSearch(model, GRID, cv=3, executor=executor).fit(*MOONS)
    assert together.best_params_ == alone.best_params_
    for a, b in zip(alone.results_, together.results_, strict=True):
        assert a.params == b.params
        np.testing.assert_array_equal(a.scores, b.scores)
    np.testing.assert_array_equal(alone.best_estimator_.means_, together.best_estimator_.means_)


def test_an_error_in_a_worker_comes_back():
    X, y = MOONS
    with ProcessPoolExecutor(1) as pool, pytest.raises(ValueError, match="no parameter 'q'"):
        GridSearch(Centroids(), {"q": [1]}, executor=pool).fit(X, y)
