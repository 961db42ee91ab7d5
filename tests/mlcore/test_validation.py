"""Each check: what passes, in which form, and the sentence for what does not."""

import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from mlcore import validation as v

# ------------------------------------------------------------------------- check_matrix


@pytest.mark.parametrize(
    "X",
    [
        [[1, 2], [3, 4]],
        ((1, 2), (3, 4)),
        np.array([[1, 2], [3, 4]], dtype=np.uint8),
        np.array([[1, 2], [3, 4]], dtype=np.float32),
        np.array([[1, 2], [3, 4]], dtype=object),
        np.asfortranarray([[1.0, 2], [3, 4]]),
        pd.DataFrame({"a": [1, 3], "b": [2.0, 4.0]}),
        [["1", "2"], ["3", "4.0"]],
    ],
)
def test_matrix_becomes_float64(X):
    A = v.check_matrix(X)
    assert A.dtype == np.float64
    assert A.tolist() == [[1, 2], [3, 4]]


def test_booleans_are_zeros_and_ones():
    assert v.check_matrix([[True, False]]).tolist() == [[1, 0]]


@pytest.mark.parametrize(
    ("X", "sentence"),
    [
        (3.0, r"data must be 2-dimensional .* it has 0 dimension\(s\)"),
        ([1, 2, 3], r"data must be 2-dimensional .* shape \(3,\).*Reshape your data"),
        (np.ones((1, 2, 3)), r"shape \(1, 2, 3\)"),
        (np.ones((0, 2)), r"0 sample\(s\) .* a minimum of 1 is required in data"),
        (np.ones((2, 0)), r"0 feature\(s\) .* a minimum of 1 is required in data"),
        ([[1, np.nan]], "data contains NaN: every value must be a finite number"),
        ([[1, -np.inf]], "data contains infinity"),
        ([[1, np.inf, np.nan]], "data contains NaN"),
        ([["a", "b"]], "data must hold numbers, but it holds something else"),
        ([[1 + 2j]], "Complex data not supported: data must hold real numbers"),
        (None, "data is None"),
    ],
)
def test_matrix_refuses(X, sentence):
    with pytest.raises(ValueError, match=sentence):
        v.check_matrix(X, "data")


def test_matrix_refuses_what_is_no_number():
    with pytest.raises(TypeError, match=r"X is a sparse matrix; .* Use X.toarray\(\)"):
        v.check_matrix(sparse.csr_array(np.eye(2)))
    with pytest.raises(TypeError, match="its dtype is datetime64"):
        v.check_matrix(np.array([["2020-01-01"]], dtype="datetime64[D]"))
    with pytest.raises(TypeError, match="X must hold numbers"):
        v.check_matrix(np.array([[{}]], dtype=object))
    with pytest.raises(ValueError, match="rows of X must all have the same length"):
        v.check_matrix([[1, 2], [3]])


def test_matrix_wants_as_many_rows_as_told():
    assert len(v.check_matrix([[1], [2]], min_rows=2)) == 2
    with pytest.raises(ValueError, match=r"1 sample\(s\) .* minimum of 2"):
        v.check_matrix([[1]], min_rows=2)


# ------------------------------------------------------------- check_target, check_labels


def test_target():
    y = v.check_target([1, 2], 2)
    assert y.dtype == np.float64
    with pytest.warns(v.DataConversionWarning, match="column-vector y was passed"):
        assert v.check_target([[1], [2]], 2).shape == (2,)


@pytest.mark.parametrize(
    ("y", "sentence"),
    [
        ([1, 2, 3], "X and t must have the same length, but X has 2 rows and t has 3 entries"),
        ([[1, 2], [3, 4]], r"t must be 1-dimensional .* shape is \(2, 2\)"),
        (1.0, "t must be 1-dimensional"),
        ([1, np.nan], "t contains NaN"),
        ([1, np.inf], "t contains infinity"),
        (["a", "b"], "t must hold numbers"),
        (None, "t is None"),
    ],
)
def test_target_refuses(y, sentence):
    with pytest.raises(ValueError, match=sentence):
        v.check_target(y, 2, "t")


@given(st.lists(st.sampled_from(["a", "b", "long label", "é"]), min_size=2))
def test_labels_and_codes_give_back_the_labels(y):
    if len(set(y)) < 2:
        with pytest.raises(ValueError, match="one class only"):
            v.check_labels(y, len(y))
        return
    classes, codes = v.check_labels(y, len(y))
    assert classes.tolist() == sorted(set(y))
    assert classes[codes].tolist() == y


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        ([1, -1, 1], [-1, 1]),
        ([True, False, True], [False, True]),
        ([2.0, 0.0, 2.0], [0, 2]),
        (np.array(["b", "a", "b"], dtype=object), ["a", "b"]),
        (pd.Series(["b", "a", "b"]), ["a", "b"]),
        (pd.Series(["b", "a", "b"], dtype="category"), ["a", "b"]),
    ],
)
def test_labels_of_any_kind(y, classes):
    got, codes = v.check_labels(y, 3)
    assert got.tolist() == classes
    assert codes.tolist() in ([1, 0, 1], [0, 1, 0])
    assert got[codes].tolist() == list(y)


@pytest.mark.parametrize(
    ("y", "error", "sentence"),
    [
        ([0.5, 1, 2], ValueError, "Unknown label type: y holds fractions"),
        ([0, np.nan, 1], ValueError, "y contains NaN"),
        ([0, np.inf, 1], ValueError, "y contains infinity"),
        ([7, 7, 7], ValueError, r"one class only \(7\)"),
        (["a", "a", "a"], ValueError, r"one class only \('a'\)"),
        ([0, 1], ValueError, "X has 3 rows and y has 2 entries"),
        ([[0, 1], [1, 0], [1, 1]], ValueError, "y must be 1-dimensional"),
        (np.array(["a", 1, "b"], dtype=object), TypeError, "cannot be sorted together"),
        (np.array(["a", "b", None], dtype=object), ValueError, "y contains a missing label"),
        (np.array(["a", "b", np.nan], dtype=object), ValueError, "y contains a missing label"),
        (np.array([0, 1, np.nan], dtype=object), ValueError, "y contains a missing label"),
        (None, ValueError, "y is None"),
    ],
)
def test_labels_refuse(y, error, sentence):
    with pytest.raises(error, match=sentence):
        v.check_labels(y, 3)


# ------------------------------------------------------------------- check_sample_weight


def test_sample_weight():
    assert v.check_sample_weight(None, 3).tolist() == [1, 1, 1]
    assert v.check_sample_weight([0, 1, 2], 3).tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("weight", "sentence"),
    [
        ([1, 2], r"each of the 3 rows of X, but its shape is \(2,\)"),
        (1.0, r"its shape is \(\)"),
        ([1, -1, 1], "numbers ≥ 0"),
        ([0, 0, 0], "not all zero"),
        ([1, np.nan, 1], "sample_weight contains NaN"),
        (["a", "b", "c"], "sample_weight must hold numbers"),
    ],
)
def test_sample_weight_refuses(weight, sentence):
    with pytest.raises(ValueError, match=sentence):
        v.check_sample_weight(weight, 3)


# ---------------------------------------------------------------------------- parameters


def test_number_takes_its_bounds():
    assert v.check_number("C", 0, at_least=0) == 0.0
    assert v.check_number("C", np.float32(2), above=0, at_most=2) == 2.0
    assert isinstance(v.check_number("C", np.int64(3)), float)


@pytest.mark.parametrize(
    ("value", "error"),
    [
        (0, ValueError),
        (-1.5, ValueError),
        (3, ValueError),
        (np.nan, ValueError),
        (np.inf, ValueError),
        ("1", TypeError),
        (None, TypeError),
        (True, TypeError),
    ],
)
def test_number_names_what_it_got_and_takes(value, error):
    with pytest.raises(error, match=r"C must be a number > 0 and ≤ 2, but it is ") as caught:
        v.check_number("C", value, above=0, at_most=2)
    assert repr(value) in str(caught.value)


@pytest.mark.parametrize(
    ("value", "error"), [(0, ValueError), (6, ValueError), (2.0, TypeError), (True, TypeError)]
)
def test_integer_names_what_it_got_and_takes(value, error):
    with pytest.raises(error, match=r"k must be an integer ≥ 1 and ≤ 5, but it is "):
        v.check_integer("k", value, at_most=5)
    assert v.check_integer("k", np.int32(5), at_most=5) == 5


def test_choice():
    assert v.check_choice("solver", "smo", ("smo", "sgd")) == "smo"
    assert v.check_choice("depth", None, (None,)) is None
    for wrong in ("SMO", 0, None, ["smo"], np.array(["smo", "sgd"])):
        with pytest.raises(ValueError, match="solver must be 'smo' or 'sgd', but it is"):
            v.check_choice("solver", wrong, ("smo", "sgd"))
    with pytest.raises(ValueError, match="flag must be True or False, but it is 1"):
        v.check_choice("flag", 1, (True, False))


def test_generator():
    draws = [v.check_generator(0).random() for _ in range(2)]
    assert draws[0] == draws[1] == np.random.default_rng(0).random()
    rng = np.random.default_rng(1)
    assert v.check_generator(rng) is rng
    assert v.check_generator(None).random() != v.check_generator(None).random()
    for wrong in (-1, 1.5, "seed", True):
        with pytest.raises((ValueError, TypeError), match="random_state"):
            v.check_generator(wrong)


# ----------------------------------------------------------------------------- not_fitted


def test_not_fitted_is_also_scikit_learns_error():
    from sklearn.exceptions import NotFittedError

    error = v.not_fitted("Model")
    assert isinstance(error, v.NotFittedError)
    assert isinstance(error, NotFittedError)
    assert str(error) == "This Model is not fitted yet: call fit before using it."


def test_not_fitted_survives_the_way_back_from_another_process():
    error = pickle.loads(pickle.dumps(v.not_fitted("Model")))
    assert isinstance(error, v.NotFittedError)
    assert "This Model is not fitted yet" in str(error)


def test_nothing_but_numpy_is_needed_or_loaded():
    program = """
import sys
for absent in ("sklearn", "scipy", "pandas", "matplotlib", "ipywidgets"):
    sys.modules[absent] = None
import pkgutil, importlib, mlcore
for module in pkgutil.walk_packages(mlcore.__path__, "mlcore."):
    importlib.import_module(module.name)
from mlcore.preprocessing import StandardScaler
from mlcore.validation import NotFittedError
try:
    StandardScaler().transform([[1.0]])
except NotFittedError as error:
    print(error)
print(StandardScaler().fit_transform([[1.0], [3.0]]).ravel())
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.stdout.splitlines() == [
        "This StandardScaler is not fitted yet: call fit before using it.",
        "[-1.  1.]",
    ], run.stderr
