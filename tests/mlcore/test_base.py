"""Parameters, clone, tags, scores: what the base classes give to every estimator."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone as sklearn_clone
from sklearn.metrics import accuracy_score, r2_score

from mlcore.base import Classifier, Estimator, Regressor, Transformer, clone
from mlcore.validation import DataConversionWarning, NotFittedError


class Majority(Classifier):
    """Predicts the most frequent class."""

    def __init__(self, *, alpha=1.0, inner=None, rng=None, executor=None):
        self.alpha = alpha
        self.inner = inner
        self.rng = rng
        self.executor = executor

    def fit(self, X, y):
        _, codes = self._start_fit_labels(X, y)
        self.winner_ = self.classes_[np.bincount(codes).argmax()]
        return self

    def predict(self, X):
        return np.full(len(self._start_predict(X)), self.winner_)


class Mean(Regressor):
    """Predicts the mean."""

    def fit(self, X, y):
        _, target = self._start_fit_target(X, y)
        self.mean_ = target.mean()
        return self

    def predict(self, X):
        return np.full(len(self._start_predict(X)), self.mean_)


class Positional(Estimator):
    def __init__(self, model, *, size=2):
        self.model = model
        self.size = size


X = np.arange(12.0).reshape(6, 2)


# ----------------------------------------------------------------------------- parameters


def test_get_params_with_those_inside():
    model = Majority(alpha=2, inner=Majority(alpha=3))
    assert model.get_params(deep=False) == {
        "alpha": 2,
        "inner": model.inner,
        "rng": None,
        "executor": None,
    }
    assert model.get_params()["inner__alpha"] == 3


def test_set_params_reaches_inside():
    model = Majority(inner=Majority())
    assert model.set_params(alpha=5, inner__alpha=7) is model
    assert (model.alpha, model.inner.alpha) == (5, 7)


def test_set_params_inner_goes_to_the_new_inner():
    model, new = Majority(inner=Majority()), Majority()
    model.set_params(inner__alpha=7, inner=new)
    assert model.inner is new
    assert new.alpha == 7


def test_set_params_names_what_exists():
    with pytest.raises(ValueError, match="Majority has no parameter 'beta'; it has alpha, inner"):
        Majority().set_params(beta=1)


def test_positional_parameters_count_too():
    model = Positional("m")
    assert model.get_params() == {"model": "m", "size": 2}
    assert repr(model) == "Positional(model='m')"


def test_no_parameters():
    assert Mean().get_params() == {}
    assert repr(Mean()) == "Mean()"


def test_repr():
    assert repr(Majority()) == "Majority()"
    assert repr(Majority(alpha=2.0, inner=Mean())) == "Majority(alpha=2.0, inner=Mean())"
    assert repr(Majority(alpha=np.array([1, 2]))) == "Majority(alpha=array([1, 2]))"


# ---------------------------------------------------------------------------------- clone


@pytest.mark.parametrize("copy_of", [clone, sklearn_clone])
def test_clone_is_fresh_all_the_way_down(copy_of):
    values = [1, 2]
    model = Majority(alpha=values, inner=Majority(alpha=3).fit(X, [0, 0, 0, 0, 1, 1]))
    fresh = copy_of(model.fit(X, [0, 0, 0, 0, 1, 1]))
    assert fresh.alpha == values
    assert fresh.alpha is not values
    assert fresh.inner is not model.inner
    assert fresh.inner.alpha == 3
    assert "winner_" not in {**vars(fresh), **vars(fresh.inner)}


def test_clones_with_one_generator_draw_the_same_numbers():
    model = Majority(rng=np.random.default_rng(0))
    a, b = clone(model), clone(model)
    assert a.rng.random() == b.rng.random() == np.random.default_rng(0).random()


@pytest.mark.parametrize("copy_of", [clone, sklearn_clone])
def test_clones_share_the_workers(copy_of):
    with ThreadPoolExecutor(1) as pool:
        assert copy_of(Majority(executor=pool)).executor is pool


def test_clone_takes_scikit_learns_estimators():
    from sklearn.svm import SVC

    assert clone(SVC(C=3)).C == 3


def test_clone_takes_a_class_as_a_parameter():
    assert clone(Majority(inner=Mean)).inner is Mean


# ------------------------------------------------------------------- not fitted, and fitted


def test_learned_attributes_before_fit():
    with pytest.raises(NotFittedError, match="This Majority is not fitted yet"):
        Majority().winner_  # noqa: B018
    assert not hasattr(Majority(), "winner_")
    with pytest.raises(AttributeError, match="Majority has no attribute 'winer_'") as error:
        Majority().fit(X, [0, 1, 1, 1, 1, 1]).winer_  # noqa: B018
    assert not isinstance(error.value, NotFittedError)
    with pytest.raises(AttributeError, match="Majority has no attribute 'beta'"):
        Majority().beta  # noqa: B018


def test_copies_of_a_fitted_model():
    model = Majority().fit(X, [0, 1, 1, 1, 1, 1])
    for back in (copy.deepcopy(model), copy.copy(model), pickle.loads(pickle.dumps(model))):
        assert back.winner_ == 1


def test_a_fit_that_fails_leaves_nothing_of_the_last_one():
    model = Majority().fit(X, [0, 1, 1, 1, 1, 1])
    with pytest.raises(ValueError, match="NaN"):
        model.fit(X * np.nan, [0, 1, 1, 1, 1, 1])
    with pytest.raises(NotFittedError):
        model.predict(X)


@pytest.mark.parametrize("cls", [Classifier, Regressor])
def test_predict_of_the_base_class(cls):
    with pytest.raises(NotFittedError, match=f"This {cls.__name__} is not fitted yet"):
        cls().predict(X)


def test_transformer_base_class():
    with pytest.raises(NotFittedError):
        Transformer().transform(X)


# ---------------------------------------------------------------------------------- score


@given(st.integers(2, 30), st.integers(0, 2**31))
def test_classifier_score_is_the_weighted_accuracy(n, seed):
    rng = np.random.default_rng(seed)
    y = np.array(["no", "yes"])[np.r_[0, 1, rng.integers(0, 2, n - 2)]]
    weight = rng.uniform(0.1, 2, n)
    model = Majority().fit(rng.normal(size=(n, 2)), y)
    rows = rng.normal(size=(n, 2))
    assert model.score(rows, y) == pytest.approx(accuracy_score(y, model.predict(rows)))
    assert model.score(rows, y, sample_weight=weight) == pytest.approx(
        accuracy_score(y, model.predict(rows), sample_weight=weight)
    )


@given(st.integers(2, 30), st.integers(0, 2**31))
def test_regressor_score_is_r_squared(n, seed):
    rng = np.random.default_rng(seed)
    y, weight, rows = rng.normal(size=n), rng.uniform(0.1, 2, n), rng.normal(size=(n, 2))
    model = Mean().fit(rows, rng.normal(size=n))
    for w in (None, weight):
        expected = r2_score(y, model.predict(rows), sample_weight=w)
        assert model.score(rows, y, sample_weight=w) == pytest.approx(expected, rel=1e-9)


def test_r_squared_of_a_constant_target():
    assert Mean().fit(X, np.ones(6)).score(X, np.ones(6)) == 1
    assert Mean().fit(X, np.zeros(6)).score(X, np.ones(6)) == 0


@pytest.mark.parametrize("model", [Majority(), Mean()])
def test_score_refuses_a_target_of_another_length(model):
    fitted = model.fit(X, [0, 1, 1, 1, 1, 1])
    with pytest.raises(ValueError, match="6 rows and y has 5 entries"):
        fitted.score(X, [0, 1, 1, 1, 1])


def test_score_of_a_column_of_labels():
    y = np.array([0, 1, 1, 1, 1, 1])
    with pytest.warns(DataConversionWarning):
        assert Majority().fit(X, y).score(X, y[:, None]) == 5 / 6
