"""Scaling and polynomial features, beside scikit-learn's and by hand."""

from math import comb

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn import preprocessing as theirs

from mlcore.preprocessing import PolynomialFeatures, StandardScaler

tables = arrays(
    float,
    st.tuples(st.integers(1, 20), st.integers(1, 4)),
    elements=st.floats(-100, 100).map(lambda x: round(x, 3)),
)


# -------------------------------------------------------------------------- StandardScaler


@given(tables)
def test_scaled_columns_have_mean_zero_and_deviation_one_or_zero(X):
    Z = StandardScaler().fit_transform(X)
    constant = np.ptp(X, axis=0) == 0
    np.testing.assert_allclose(Z.mean(axis=0), 0, atol=1e-9)
    np.testing.assert_allclose(Z.std(axis=0), np.where(constant, 0, 1), atol=1e-9)


@given(tables, st.booleans(), st.booleans())
def test_scaler_is_scikit_learns(X, with_mean, with_std):
    flags = {"with_mean": with_mean, "with_std": with_std}
    mine, other = StandardScaler(**flags).fit(X), theirs.StandardScaler(**flags).fit(X)
    np.testing.assert_allclose(mine.transform(X), other.transform(X), rtol=1e-9, atol=1e-9)
    if with_std:
        np.testing.assert_allclose(mine.scale_, other.scale_, rtol=1e-9)


@given(tables)
def test_inverse_transform_goes_back(X):
    scaler = StandardScaler().fit(X)
    np.testing.assert_allclose(scaler.inverse_transform(scaler.transform(X)), X, atol=1e-9)


def test_by_hand():
    scaler = StandardScaler().fit([[1, 10], [3, 10]])
    assert scaler.mean_.tolist() == [2, 10]
    assert scaler.scale_.tolist() == [1, 1]
    assert scaler.transform([[5, 11]]).tolist() == [[3, 1]]
    assert scaler.inverse_transform([[3, 1]]).tolist() == [[5, 11]]


@pytest.mark.parametrize("value", [0.0, 0.1, 1e9 + 0.1, -1e-300])
def test_a_constant_column_is_only_moved(value):
    X = np.full((1000, 1), value)
    scaler = StandardScaler().fit(X)
    assert scaler.scale_.tolist() == [1]
    np.testing.assert_allclose(scaler.transform(X), 0, atol=1e-15 * max(1, abs(value)))


def test_a_deviation_that_underflows_does_not_divide_by_zero():
    Z = StandardScaler().fit_transform([[0.0], [1e-200]])
    assert np.isfinite(Z).all()


def test_one_row_and_integers():
    assert StandardScaler().fit_transform([[3, 4]]).tolist() == [[0, 0]]


def test_other_rows_are_scaled_with_the_training_statistics():
    scaler = StandardScaler().fit([[0.0], [2.0]])
    assert scaler.transform([[100.0]]).tolist() == [[99]]


@pytest.mark.parametrize("name", ["with_mean", "with_std"])
def test_scaler_flags_are_true_or_false(name):
    with pytest.raises(ValueError, match=f"{name} must be True or False, but it is 'no'"):
        StandardScaler(**{name: "no"}).fit([[1.0]])


# ---------------------------------------------------------------------- PolynomialFeatures


@given(tables, st.integers(1, 4), st.booleans(), st.booleans())
def test_polynomial_features_are_scikit_learns(X, degree, interaction_only, include_bias):
    params = {
        "degree": degree,
        "interaction_only": interaction_only,
        "include_bias": include_bias,
    }
    mine, other = PolynomialFeatures(**params).fit(X), theirs.PolynomialFeatures(**params).fit(X)
    np.testing.assert_allclose(mine.transform(X), other.transform(X), rtol=1e-12)
    assert mine.get_feature_names_out().tolist() == other.get_feature_names_out().tolist()


def test_every_monomial_is_the_product_of_its_powers():
    X = np.random.default_rng(0).normal(size=(5, 3))
    features = PolynomialFeatures(degree=4).fit(X)
    Z = features.transform(X)
    for column, monomial in zip(Z.T, features.monomials_, strict=True):
        powers = np.bincount(np.array(monomial, dtype=int), minlength=3)
        np.testing.assert_allclose(column, (X**powers).prod(axis=1), rtol=1e-12)


@pytest.mark.parametrize(("d", "degree"), [(1, 9), (2, 3), (5, 2), (10, 3)])
def test_number_of_monomials(d, degree):
    X = np.ones((2, d))
    assert PolynomialFeatures(degree=degree).fit_transform(X).shape[1] == comb(d + degree, degree)
    only = PolynomialFeatures(degree=degree, interaction_only=True).fit_transform(X)
    assert only.shape[1] == sum(comb(d, p) for p in range(degree + 1))


def test_names():
    features = PolynomialFeatures(degree=2).fit([[2, 3]])
    assert features.get_feature_names_out().tolist() == ["1", "x0", "x1", "x0^2", "x0 x1", "x1^2"]
    assert features.get_feature_names_out(["a", "b"]).tolist()[3:] == ["a^2", "a b", "b^2"]
    assert features.transform([[2, 3]]).tolist() == [[1, 2, 3, 4, 6, 9]]


def test_names_of_a_dataframe():
    frame = pd.DataFrame({"age": [1.0, 2], "height": [3.0, 5]})
    names = PolynomialFeatures(include_bias=False).fit(frame).get_feature_names_out()
    assert names.tolist() == ["age", "height", "age^2", "age height", "height^2"]
    scaler = StandardScaler().fit(frame)
    assert scaler.get_feature_names_out().tolist() == ["age", "height"]
    with pytest.raises(ValueError, match="names of the 2 columns that fit saw"):
        scaler.get_feature_names_out(["height", "age"])


@pytest.mark.parametrize("cls", [StandardScaler, PolynomialFeatures])
def test_names_are_checked(cls):
    with pytest.raises(ValueError, match=f"This {cls.__name__} is not fitted yet"):
        cls().get_feature_names_out()
    with pytest.raises(ValueError, match="input_features must be the names of the 2 columns"):
        cls().fit([[1, 2]]).get_feature_names_out(["a"])


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"degree": 0}, "degree must be an integer ≥ 1, but it is 0"),
        ({"degree": 1.5}, "degree must be an integer ≥ 1, but it is 1.5"),
        ({"include_bias": 1}, "include_bias must be True or False, but it is 1"),
        ({"interaction_only": None}, "interaction_only must be True or False, but it is None"),
    ],
)
def test_polynomial_parameters_are_checked(params, sentence):
    with pytest.raises((ValueError, TypeError), match=sentence):
        PolynomialFeatures(**params).fit([[1.0]])
