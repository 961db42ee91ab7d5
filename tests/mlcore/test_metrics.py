"""Each metric beside scikit-learn's or scipy's, by hand, and at its edges."""

import time
import warnings
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy import ndimage
from sklearn import metrics as theirs

from mlcore.metrics import (
    accuracy,
    adjusted_rand_index,
    confusion_matrix,
    count_regions,
    hinge_loss,
    inertia,
    log_loss,
    mean_squared_error,
)

seeds = st.integers(0, 2**31)
words = st.sampled_from(["cat", "dog", "owl"])
label_pairs = st.lists(st.tuples(words, words), min_size=1).map(
    lambda pairs: zip(*pairs, strict=True)
)


# ------------------------------------------------------------------------- classification


@pytest.mark.filterwarnings("ignore:A single label was found")
@given(label_pairs)
def test_accuracy_and_confusion_matrix_are_scikit_learns(pairs):
    y, predicted = pairs
    assert accuracy(y, predicted) == pytest.approx(theirs.accuracy_score(y, predicted))
    M = confusion_matrix(y, predicted)
    labels = sorted({*y, *predicted})
    np.testing.assert_array_equal(M, theirs.confusion_matrix(y, predicted, labels=labels))
    assert np.trace(M) / M.sum() == pytest.approx(accuracy(y, predicted))


def test_confusion_matrix_by_hand():
    assert confusion_matrix([0, 0, 0, 1], [0, 1, 1, 1]).tolist() == [[1, 2], [0, 1]]
    assert confusion_matrix(["a"], ["a"]).tolist() == [[1]]
    fixed = confusion_matrix(["b", "b"], ["a", "b"], classes=["b", "a", "c"])
    assert fixed.tolist() == [[1, 1, 0], [0, 0, 0], [0, 0, 0]]
    with pytest.raises(ValueError, match="'c' is none of the classes a, b"):
        confusion_matrix(["a", "c"], ["a", "b"], classes=["a", "b"])


@given(st.integers(1, 30), st.integers(2, 5), seeds)
def test_log_loss_is_scikit_learns(n, K, seed):
    rng = np.random.default_rng(seed)
    P = rng.dirichlet(np.full(K, 0.2), size=n)
    y = rng.integers(0, K, n)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = theirs.log_loss(y, P, labels=np.arange(K))
    assert log_loss(y, P, classes=np.arange(K)) == pytest.approx(expected, rel=1e-9)


def test_log_loss_by_hand():
    assert log_loss([0, 1], [0.5, 0.5]) == pytest.approx(np.log(2))
    assert log_loss(["no", "yes"], [0.1, 0.8]) == pytest.approx(-np.log(0.9 * 0.8) / 2)
    assert log_loss(["b", "a"], [[0.25, 0.75], [1, 0]]) == pytest.approx(-np.log(0.75) / 2)
    assert log_loss([1, 1], [0.5, 0.5], classes=[0, 1]) == pytest.approx(np.log(2))
    columns = log_loss(["b", "a"], [[0.75, 0.25], [0, 1]], classes=["b", "a"])
    assert columns == pytest.approx(-np.log(0.75) / 2)


def test_log_loss_of_certainties_is_finite():
    assert log_loss([0, 1], [0.0, 1.0]) == 0
    assert log_loss([0, 1], [1.0, 0.0]) == pytest.approx(-np.log(np.finfo(float).eps))


def test_log_loss_of_a_sigmoid_is_the_logistic_loss_of_the_margin():
    f = np.linspace(-10, 10, 61)
    y = np.where(np.arange(61) % 2, 1, -1)
    p = 1 / (1 + np.exp(-f))
    assert log_loss(y, p) == pytest.approx(np.mean(np.log1p(np.exp(-y * f))), rel=1e-9)


@pytest.mark.parametrize(
    ("y", "P", "sentence"),
    [
        ([0, 1], [[0.5, 0.4], [0.5, 0.5]], "sum to 1"),
        ([0, 1], [1.5, 0.5], "probabilities"),
        ([0, 1], [[0.5, 0.5]], "y must hold 1 entries"),
        ([0, 1], [[0.2, 0.3, 0.5]] * 2, r"3 columns, but there are 2 classes \(0, 1\)"),
        ([1, 1], [0.5, 0.5], r"2 columns, but there are 1 classes \(1\): pass classes"),
        ([0, 1], [np.nan, 0.5], "P contains NaN"),
        ([0, 1], ["a", "b"], "P must hold numbers"),
    ],
)
def test_log_loss_refuses(y, P, sentence):
    with pytest.raises(ValueError, match=sentence):
        log_loss(y, P)


@given(st.integers(2, 30), seeds)
def test_hinge_loss_is_scikit_learns(n, seed):
    rng = np.random.default_rng(seed)
    y = np.array(["no", "yes"])[np.r_[0, 1, rng.integers(0, 2, n - 2)]]
    f = 3 * rng.normal(size=n)
    assert hinge_loss(y, f) == pytest.approx(theirs.hinge_loss(y, f), rel=1e-9)


def test_hinge_loss_by_hand():
    assert hinge_loss([-1, 1, 1, 1], [-1, 1, 0.25, -2]) == (0 + 0 + 0.75 + 3) / 4
    assert hinge_loss([1, 1], [0, 2], classes=[-1, 1]) == 0.5
    with pytest.raises(ValueError, match=r"takes two classes, but there are 3 \(0, 1, 2\)"):
        hinge_loss([0, 1, 2], [1, 1, 1])
    with pytest.raises(ValueError, match=r"there are 1 \(1\): pass classes"):
        hinge_loss([1, 1], [1, 1])
    with pytest.raises(ValueError, match="y must hold 2 entries"):
        hinge_loss([0, 1, 1], [1, 1])


# ------------------------------------------------------------------------------ regression


@given(arrays(float, 5, elements=st.floats(-1e3, 1e3)), seeds)
def test_mean_squared_error(y, seed):
    predicted = y + np.random.default_rng(seed).normal(size=5)
    expected = theirs.mean_squared_error(y, predicted)
    assert mean_squared_error(y, predicted) == pytest.approx(expected, rel=1e-12)
    assert mean_squared_error([1, 2], [1, 4]) == 2


# ------------------------------------------------------------------------------ clustering


@given(label_pairs)
def test_adjusted_rand_index_is_scikit_learns(pairs):
    a, b = map(list, pairs)
    expected = theirs.adjusted_rand_score(a, b)
    assert adjusted_rand_index(a, b) == pytest.approx(expected, abs=1e-12)
    assert adjusted_rand_index(b, a) == pytest.approx(expected, abs=1e-12)


def test_adjusted_rand_index_counts_pairs():
    a, b = [0, 0, 1, 1, 1], [0, 0, 0, 1, 1]
    pairs = list(combinations(range(5), 2))
    in_a, in_b = (np.array([v[i] == v[j] for i, j in pairs]) for v in (a, b))
    chance = in_a.sum() * in_b.sum() / len(pairs)
    expected = ((in_a & in_b).sum() - chance) / ((in_a.sum() + in_b.sum()) / 2 - chance)
    assert adjusted_rand_index(a, b) == pytest.approx(expected)


@pytest.mark.parametrize("labels", [[0], [0, 0, 0], [0, 1, 2], [0, 1, 1]])
def test_the_same_clustering_under_other_names(labels):
    assert adjusted_rand_index(labels, [f"cluster {9 - k}" for k in labels]) == 1


def test_one_cluster_against_singletons():
    assert adjusted_rand_index([0, 0, 0], [0, 1, 2]) == 0


@given(st.integers(1, 20), st.integers(1, 5), seeds)
def test_inertia(n, K, seed):
    rng = np.random.default_rng(seed)
    X, centers = rng.normal(size=(n, 3)), rng.normal(size=(K, 3))
    D = np.array([[np.sum((x - mu) ** 2) for mu in centers] for x in X])
    labels = rng.integers(0, K, n)
    assert inertia(X, centers) == pytest.approx(D.min(axis=1).sum(), rel=1e-12)
    assert inertia(X, centers, labels) == pytest.approx(D[np.arange(n), labels].sum(), rel=1e-12)
    assert inertia(X, centers, D.argmin(axis=1)) == pytest.approx(inertia(X, centers), rel=1e-12)


def test_inertia_refuses():
    with pytest.raises(ValueError, match="X has 2 columns, but centers has 3"):
        inertia([[1, 2]], [[1, 2, 3]])
    with pytest.raises(ValueError, match="2 is none of the classes 0, 1"):
        inertia([[1, 2]], [[1, 2], [3, 4]], [2])
    with pytest.raises(ValueError, match="labels must hold 1 entries"):
        inertia([[1, 2]], [[1, 2], [3, 4]], [0, 1])


# --------------------------------------------------------------------------- count_regions


def regions_by_scipy(L):
    return sum(ndimage.label(np.equal(L, label))[1] for label in np.unique(L))


@given(arrays(int, array_shapes(min_dims=2, max_dims=2, max_side=12), elements=st.integers(0, 2)))
def test_regions_are_scipys(L):
    assert count_regions(L) == regions_by_scipy(L)


def serpentine(rows, columns):
    """Two long snakes wound into each other: the worst case for joining neighbours."""
    L = np.zeros((rows, columns), dtype=int)
    L[:, ::2] = 1
    L[0, 1::4] = 1
    L[-1, 3::4] = 1
    return L


GRIDS = {
    "two classes at random": np.random.default_rng(0).integers(0, 2, (72, 96)),
    "three classes at random": np.random.default_rng(1).integers(0, 3, (72, 96)),
    "chessboard": np.indices((72, 96)).sum(axis=0) % 2,
    "serpentine": serpentine(72, 96),
    "serpentine, upright": serpentine(96, 72).T,
    "serpentine, backwards": serpentine(72, 96)[::-1, ::-1],
    "one region": np.zeros((72, 96), dtype=int),
}


@pytest.mark.parametrize("name", GRIDS)
def test_regions_of_a_large_grid_in_the_time_of_a_frame(name):
    L = GRIDS[name]
    assert count_regions(L) == regions_by_scipy(L)
    times = []
    for _ in range(20):
        start = time.perf_counter()
        count_regions(L)
        times.append(time.perf_counter() - start)
    assert min(times) < 0.003


def test_regions_by_hand():
    assert count_regions([["a"]]) == 1
    assert count_regions([["a", "b"], ["b", "a"]]) == 4  # corners do not connect
    assert count_regions([[1, 1, 1], [1, 0, 1], [1, 1, 1]]) == 2
    assert count_regions([[1, 0, 1], [1, 1, 1]]) == 2
    assert count_regions(np.ones((1, 5))) == count_regions(np.ones((5, 1))) == 1


@pytest.mark.parametrize("L", [[1, 2], np.ones((0, 3)), np.ones((2, 2, 2)), 1])
def test_regions_refuse_what_is_no_grid(L):
    with pytest.raises(ValueError, match="labels_2d must be a grid"):
        count_regions(L)


# ------------------------------------------------------------------------------- all of them


@pytest.mark.parametrize("metric", [accuracy, confusion_matrix, adjusted_rand_index])
def test_labels_are_checked(metric):
    with pytest.raises(ValueError, match="second argument must hold 2 entries"):
        metric([0, 1], [0, 1, 1])
    with pytest.raises(ValueError, match="first argument must hold n ≥ 1 entries"):
        metric([], [])
    with pytest.raises(ValueError, match=r"shape is \(1, 2\)"):
        metric([[0, 1]], [0, 1])


@pytest.mark.parametrize("metric", [accuracy, confusion_matrix])
def test_text_is_not_compared_with_numbers(metric):
    with pytest.raises(TypeError, match="both are text or both are numbers"):
        metric(["0", "1"], [0, 1])


def test_numbers_are_checked():
    with pytest.raises(ValueError, match="predicted"):
        mean_squared_error([1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match="y contains NaN"):
        mean_squared_error([1, np.nan], [1, 2])
    with pytest.raises(ValueError, match="y must hold n ≥ 1 entries"):
        mean_squared_error([], [])


def test_series_and_objects_are_labels_too():
    y = pd.Series(["a", "b", "a"])
    assert accuracy(y, np.array(["a", "b", "b"], dtype=object)) == pytest.approx(2 / 3)
    assert confusion_matrix(y, ["a", "b", "b"]).tolist() == [[1, 1], [0, 1]]
