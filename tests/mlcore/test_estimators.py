"""One suite for every estimator of mlcore, found by walking its modules.

A new estimator is picked up by itself as soon as its module exists. What scikit-learn's own check
suite expects of it stands first, what the course promises beyond that stands after.
"""

import importlib
import inspect
import pickle
import pkgutil
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone as sklearn_clone
from sklearn.base import is_classifier, is_regressor
from sklearn.exceptions import NotFittedError as SklearnNotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler as SklearnScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import mlcore
from mlcore.base import Classifier, Estimator, Regressor, Transformer, clone
from mlcore.datasets import make_blobs
from mlcore.validation import ConvergenceWarning, NotFittedError

# Checks of scikit-learn that an estimator is right to fail, each with its reason:
# {"ClassName": {"check_name": "why"}}.
EXPECTED_FAILURES: dict[str, dict[str, str]] = {}


# Parameters to test a class with, where its defaults do not suit the data of the checks.
PARAMETERS = {
    # Weights and repeated rows are to agree to 1e-7: the solver must go on that far.
    "SVC": {"tol": 1e-9},
    # Their labels are drawn at random: no line separates them, but a narrow RBF kernel does.
    "HardMarginSVC": {"kernel": "rbf", "sigma": 0.3},
}


def public_estimators():
    """Every public estimator class that can be built without arguments."""
    found = {}
    for module in pkgutil.walk_packages(mlcore.__path__, "mlcore."):
        for name, cls in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            own = cls.__module__.startswith("mlcore.") and issubclass(cls, Estimator)
            if own and not name.startswith("_") and cls not in ABSTRACT and has_defaults(cls):
                found[name] = cls
    return [found[name] for name in sorted(found)]


def has_defaults(cls):
    return all(p.default is not p.empty for p in inspect.signature(cls).parameters.values())


ABSTRACT = (Estimator, Classifier, Regressor, Transformer)
ALL = public_estimators()
PREDICTORS = [cls for cls in ALL if hasattr(cls, "predict")]
CLASSIFIERS = [cls for cls in ALL if issubclass(cls, Classifier)]
SUPERVISED = [cls for cls in ALL if issubclass(cls, (Classifier, Regressor))]


def each(classes):
    return pytest.mark.parametrize("cls", classes, ids=lambda cls: cls.__name__)


@pytest.fixture(autouse=True)
def _short_of_iterations():
    """That a solver may want more iterations on these data is not what is tested here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield


def build(cls):
    """An estimator whose results repeat."""
    seed = {"random_state": 0} if "random_state" in inspect.signature(cls).parameters else {}
    return cls(**seed, **PARAMETERS.get(cls.__name__, {}))


def data(cls):
    """Two clouds that any method can tell apart, whole numbers so that every dtype holds them."""
    X, codes = make_blobs(40, centers=[[-3, 0, 1], [3, 1, 0]], random_state=0)
    X = np.round(4 * X)
    return X, X[:, 0] + 0.5 * X[:, 1] if issubclass(cls, Regressor) else codes


def output(model, X):
    return model.predict(X) if hasattr(model, "predict") else model.transform(X)


def fitted_state(model):
    """What `fit` learned, in a form that compares."""
    return {name: value for name, value in vars(model).items() if name.endswith("_")}


# ---------------------------------------------------------------- scikit-learn's conventions


def expected_failures(model):
    return EXPECTED_FAILURES.get(type(model).__name__, {})


with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # "does not inherit from BaseEstimator": on purpose
    every_check = parametrize_with_checks(
        [build(cls) for cls in ALL], expected_failed_checks=expected_failures
    )


@every_check
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_the_walk_finds_estimators():
    assert {"StandardScaler", "PolynomialFeatures"} <= {cls.__name__ for cls in ALL}
    assert set(EXPECTED_FAILURES) <= {cls.__name__ for cls in ALL}


@each(ALL)
@pytest.mark.parametrize("copy", [clone, sklearn_clone], ids=["mlcore", "sklearn"])
def test_clone_keeps_the_parameters_and_drops_the_fit(cls, copy):
    model = build(cls).fit(*data(cls))
    fresh = copy(model)
    assert type(fresh) is cls
    assert fresh is not model
    assert repr(fresh.get_params()) == repr(model.get_params())
    assert not fitted_state(fresh)


@each(SUPERVISED)
def test_scikit_learn_knows_its_kind(cls):
    assert is_classifier(cls()) == issubclass(cls, Classifier)
    assert is_regressor(cls()) == issubclass(cls, Regressor)


@each(SUPERVISED)
def test_works_in_a_pipeline(cls):
    X, y = data(cls)
    scaled = SklearnScaler().fit_transform(X)
    piped = make_pipeline(SklearnScaler(), build(cls)).fit(X, y)
    np.testing.assert_array_equal(piped.predict(X), build(cls).fit(scaled, y).predict(scaled))


@each(SUPERVISED)
def test_works_in_grid_search_cv(cls):
    X, y = data(cls)
    name, default = next(iter(build(cls).get_params(deep=False).items()), (None, None))
    grid = {} if name is None else {name: [default]}
    search = GridSearchCV(build(cls), grid, cv=2, error_score="raise").fit(X, y)
    np.testing.assert_array_equal(search.predict(X), build(cls).fit(X, y).predict(X))


@each([cls for cls in ALL if issubclass(cls, Transformer)])
def test_transformers_work_in_a_pipeline(cls):
    X, y = data(cls)
    Z = make_pipeline(SklearnScaler(), build(cls)).fit_transform(X, y)
    np.testing.assert_array_equal(Z, build(cls).fit_transform(SklearnScaler().fit_transform(X)))


# ---------------------------------------------------------------- what the course promises


@each(ALL)
def test_fit_returns_self(cls):
    model = build(cls)
    assert model.fit(*data(cls)) is model


@each(ALL)
def test_refitting_forgets(cls):
    X, y = data(cls)
    model = build(cls).fit(np.column_stack([X, X])[::-1], y[::-1])
    model.left_over_ = "from the last fit"
    model.fit(X, y)
    fresh = build(cls).fit(X, y)
    assert sorted(fitted_state(model)) == sorted(fitted_state(fresh))
    np.testing.assert_array_equal(output(model, X), output(fresh, X))


@each(ALL)
def test_parameters_are_not_touched_by_fit(cls):
    model = build(cls)
    before = {name: id(value) for name, value in model.get_params(deep=False).items()}
    model.fit(*data(cls))
    assert {name: id(value) for name, value in model.get_params(deep=False).items()} == before


@each(ALL)
def test_inputs_are_not_changed(cls):
    X, y = data(cls)
    X0, y0 = X.copy(), y.copy()
    X.flags.writeable = y.flags.writeable = False
    output(build(cls).fit(X, y), X)
    np.testing.assert_array_equal(X, X0)
    np.testing.assert_array_equal(y, y0)


@each(ALL)
def test_the_model_does_not_hang_on_to_the_callers_arrays(cls):
    X, y = data(cls)
    X0 = X.copy()
    model = build(cls).fit(X, y)
    before = output(model, X0)
    X[:] = 0
    y[:] = 0
    np.testing.assert_array_equal(output(model, X0), before)


FORMS = {
    "list": lambda X: X.tolist(),
    "int": lambda X: X.astype(int),
    "float32": lambda X: X.astype(np.float32),
    "fortran": np.asfortranarray,
    "strided": lambda X: np.repeat(X, 2, axis=0)[::2],
    "dataframe": lambda X: pd.DataFrame(X, columns=["a", "b", "c"]),
}


@each(ALL)
@pytest.mark.parametrize("form", FORMS)
def test_takes_any_form_of_input(cls, form):
    X, y = data(cls)
    expected = output(build(cls).fit(X, y), X)
    target = pd.Series(y) if form == "dataframe" else y.tolist() if form == "list" else y
    got = output(build(cls).fit(FORMS[form](X), target), FORMS[form](X))
    np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-9)


@each(ALL)
def test_same_seed_same_result(cls):
    X, y = data(cls)
    np.testing.assert_array_equal(output(build(cls).fit(X, y), X), output(build(cls).fit(X, y), X))


@each(ALL)
def test_pickling(cls):
    X, y = data(cls)
    model = build(cls).fit(X, y)
    back = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(output(back, X), output(model, X))


@each(ALL)
def test_repr_names_what_differs_from_the_default(cls):
    assert repr(cls()) == f"{cls.__name__}()"
    for name in cls().get_params(deep=False):
        assert repr(cls(**{name: "other"})) == f"{cls.__name__}({name}='other')"


@each(ALL)
def test_has_docstrings(cls):
    assert cls.__doc__
    public = [v for k, v in vars(cls).items() if not k.startswith("_") and callable(v)]
    assert all(inspect.getdoc(method) for method in public)


@each(CLASSIFIERS)
@pytest.mark.parametrize(
    "names", [["no", "yes"], [-1, 1], [7, 3], [False, True]], ids=["str", "sign", "int", "bool"]
)
def test_any_labels(cls, names):
    X, codes = data(cls)
    y = np.array(names)[codes]
    model = build(cls).fit(X, y)
    np.testing.assert_array_equal(model.classes_, sorted(names))
    np.testing.assert_array_equal(model.predict(X), y)
    assert model.score(X, y) == 1


@each(CLASSIFIERS)
def test_scores_go_with_the_labels(cls):
    X, y = data(cls)
    model = build(cls).fit(X, np.array(["no", "yes"])[y])
    if hasattr(model, "decision_function"):
        f = model.decision_function(X)
        assert f.shape == (len(X),)
        np.testing.assert_array_equal(model.classes_[(f > 0).astype(int)], model.predict(X))
    if hasattr(model, "predict_proba"):
        P = model.predict_proba(X)
        assert P.shape == (len(X), 2)
        np.testing.assert_allclose(P.sum(axis=1), 1, rtol=1e-12)
        np.testing.assert_array_equal(model.classes_[P.argmax(axis=1)], model.predict(X))


# ---------------------------------------------------------------- bad input, in one sentence


def with_value(X, value):
    X = X.copy()
    X[3, 1] = value
    return X


BAD_X = {
    "nan": (lambda X: with_value(X, np.nan), "X contains NaN"),
    "inf": (lambda X: with_value(X, -np.inf), "X contains infinity"),
    "one dimension": (lambda X: X[:, 0], "X must be 2-dimensional"),
    "three dimensions": (lambda X: X[None], "X must be 2-dimensional"),
    "no rows": (lambda X: X[:0], "0 sample"),
    "no columns": (lambda X: X[:, :0], "0 feature"),
    "text": (lambda X: np.full(X.shape, "text"), "X must hold numbers"),
    "complex": (lambda X: X + 1j, "Complex data not supported"),
}


@each(ALL)
@pytest.mark.parametrize("kind", BAD_X)
def test_fit_refuses_a_bad_x(cls, kind):
    X, y = data(cls)
    spoil, sentence = BAD_X[kind]
    with pytest.raises(ValueError, match=sentence):
        build(cls).fit(spoil(X), y)


@each(ALL)
@pytest.mark.parametrize("kind", ["nan", "inf", "one dimension", "text"])
def test_a_fitted_model_refuses_a_bad_x(cls, kind):
    X, y = data(cls)
    spoil, sentence = BAD_X[kind]
    model = build(cls).fit(X, y)
    with pytest.raises(ValueError, match=sentence):
        output(model, spoil(X))


@each(ALL)
def test_other_number_of_columns(cls):
    X, y = data(cls)
    model = build(cls).fit(X, y)
    with pytest.raises(ValueError, match=f"X has 2 features, but {cls.__name__} is expecting 3"):
        output(model, X[:, :2])


@each(ALL)
def test_other_names_of_columns(cls):
    X, y = data(cls)
    model = build(cls).fit(pd.DataFrame(X, columns=["a", "b", "c"]), y)
    with pytest.raises(ValueError, match="fit saw a, b, c; now they are b, a, c"):
        output(model, pd.DataFrame(X, columns=["b", "a", "c"]))


@each(ALL)
def test_predict_before_fit(cls):
    X, _ = data(cls)
    for method in ("predict", "transform", "predict_proba", "decision_function"):
        if hasattr(cls, method):
            with pytest.raises(NotFittedError, match=f"{cls.__name__} is not fitted yet") as error:
                getattr(build(cls), method)(X)
            assert isinstance(error.value, SklearnNotFittedError)


@each(SUPERVISED)
@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda y: y[:-1], "X has 40 rows and y has 39 entries"),
        (lambda y: None, "requires y to be passed"),
        (lambda y: np.column_stack([y, y]), "y must be 1-dimensional"),
        (lambda y: np.where(np.arange(len(y)) == 2, np.nan, y), "y contains NaN"),
        (lambda y: np.where(np.arange(len(y)) == 2, np.inf, y), "y contains infinity"),
    ],
    ids=["shorter", "none", "two columns", "nan", "inf"],
)
def test_fit_refuses_a_bad_y(cls, spoil, sentence):
    X, y = data(cls)
    with pytest.raises(ValueError, match=sentence):
        build(cls).fit(X, spoil(y))


@each(CLASSIFIERS)
def test_one_class_only(cls):
    X, _ = data(cls)
    with pytest.raises(ValueError, match="one class"):
        build(cls).fit(X, ["same"] * len(X))


@each(CLASSIFIERS)
def test_fractions_are_no_labels(cls):
    X, _ = data(cls)
    with pytest.raises(ValueError, match="Unknown label type"):
        build(cls).fit(X, X[:, 0] + 0.5)


@each(ALL)
def test_parameters_out_of_range_are_refused(cls):
    X, y = data(cls)
    for name, default in cls().get_params(deep=False).items():
        if isinstance(default, (int, float)) and not isinstance(default, bool):
            with pytest.raises((ValueError, TypeError), match=name):
                cls(**{name: "text"}).fit(X, y)
            if name != "random_state":
                with pytest.raises((ValueError, TypeError), match=name):
                    cls(**{name: np.nan}).fit(X, y)
        elif isinstance(default, str):
            with pytest.raises((ValueError, TypeError), match=name):
                cls(**{name: "no such choice"}).fit(X, y)


@each(ALL)
def test_unknown_parameter(cls):
    with pytest.raises(ValueError, match=f"{cls.__name__} has no parameter 'nonsense'"):
        cls().set_params(nonsense=1)
