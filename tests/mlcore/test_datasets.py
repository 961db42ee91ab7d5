"""The makers follow their formulas; the files say what data/README.md says."""

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kstest
from sklearn import datasets as theirs
from sklearn.linear_model import LinearRegression
from sklearn.svm import SVC

from mlcore import datasets
from mlcore.datasets import (
    ADMISSION_LINES,
    load,
    load_csv,
    make_admissions,
    make_blobs,
    make_circles,
    make_moons,
    make_sine,
    make_spirals,
    make_xor,
)

DATA = Path(datasets.__file__).resolve().parents[1] / "data"
NAMES = ["breast_cancer", "diabetes", "digits", "iris", "penguins", "wine"]

MAKERS = [
    make_blobs,
    make_moons,
    make_circles,
    make_xor,
    make_spirals,
    make_sine,
    make_admissions,
]
TWO_CLASSES = [maker for maker in MAKERS if maker is not make_sine]
NOISY = [make_moons, make_circles, make_xor, make_spirals]


def by_row(X, y):
    """The set of points as a sorted table, whatever their order."""
    return np.array(sorted(np.column_stack([X, y]).round(12).tolist()))


# -------------------------------------------------------------------------- every maker


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("n", [2, 3, 17, 100])
def test_shapes(make, n):
    X, y = make(n, random_state=0)
    assert X.shape == (n, 1 if make is make_sine else 2)
    assert y.shape == (n,)
    assert X.dtype == np.float64
    assert np.isfinite(X).all()


@pytest.mark.parametrize("make", TWO_CLASSES)
@pytest.mark.parametrize("n", [2, 3, 17, 100])
def test_labels_are_integers_in_equal_parts(make, n):
    _, y = make(n, random_state=0)
    assert y.dtype.kind == "i"
    assert set(y) == {0, 1}
    assert abs(np.sum(y == 0) - np.sum(y == 1)) <= 1


@pytest.mark.parametrize("make", MAKERS)
def test_seeds(make):
    def draw(seed):
        return np.column_stack(make(30, random_state=seed))

    np.testing.assert_array_equal(draw(0), draw(0))
    np.testing.assert_array_equal(draw(0), draw(np.random.default_rng(0)))
    assert not np.array_equal(draw(0), draw(1))
    assert not np.array_equal(draw(None), draw(None))


@pytest.mark.parametrize("make", MAKERS)
def test_the_order_is_random(make):
    _, y = make(100, random_state=0)
    assert 20 < np.sum(y[1:] > y[:-1]) < 80


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("n", [0, -1, 2.5, "ten", None])
def test_n_is_checked(make, n):
    with pytest.raises((ValueError, TypeError), match="n must be an integer"):
        make(n)


@pytest.mark.parametrize("make", [*NOISY, make_sine])
@pytest.mark.parametrize("noise", [-0.1, np.nan, None])
def test_noise_is_checked(make, noise):
    with pytest.raises((ValueError, TypeError), match="noise must be a number ≥ 0"):
        make(10, noise=noise)


@pytest.mark.parametrize("make", MAKERS)
def test_random_state_is_checked(make):
    with pytest.raises((ValueError, TypeError), match="random_state"):
        make(10, random_state="seed")


@pytest.mark.parametrize("make", NOISY)
def test_noise_is_normal_with_its_deviation(make):
    n = 4000
    # One seed shuffles both draws alike, so that their rows correspond.
    exact, noisy = (make(n, noise=noise, random_state=0)[0] for noise in (0, 0.2))
    assert kstest((noisy - exact).ravel() / 0.2, "norm").pvalue > 1e-3


# ------------------------------------------------------------------------- one by one


def test_blobs_have_their_centres_and_spreads():
    centers = np.array([[0, 0, 5], [10, 0, 0], [0, 10, 0.0]])
    X, y = make_blobs(6000, centers=centers, spread=[0.5, 1, 2], random_state=0)
    for k, s in enumerate([0.5, 1, 2]):
        z = (X[y == k] - centers[k]) / s
        assert kstest(z.ravel(), "norm").pvalue > 1e-3
        np.testing.assert_allclose(np.corrcoef(z.T), np.eye(3), atol=0.1)


def test_a_number_of_blobs_stands_on_a_circle():
    X, y = make_blobs(40, centers=4, spread=1e-9, random_state=0)
    means = np.array([X[y == k].mean(axis=0) for k in range(4)])
    np.testing.assert_allclose(means, [[4, 0], [0, 4], [-4, 0], [0, -4]], atol=1e-6)
    assert set(make_blobs(10, centers=1, random_state=0)[1]) == {0}


@given(
    st.lists(st.floats(0.5, 5), min_size=1, max_size=5),
    st.integers(60, 300),
)
def test_blob_sizes_follow_the_weights(weights, n):
    _, y = make_blobs(n, centers=len(weights), weights=weights, random_state=0)
    sizes, exact = np.bincount(y, minlength=len(weights)), n * np.array(weights) / sum(weights)
    assert sizes.sum() == n
    assert np.all(np.abs(sizes - exact) <= 1)


def test_blobs_of_an_imbalanced_problem():
    _, y = make_blobs(630, weights=[600, 30], random_state=0)
    assert np.bincount(y).tolist() == [600, 30]


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"centers": 0}, "centers must be an integer ≥ 1"),
        ({"centers": [[0, np.nan]]}, "centers contains NaN"),
        ({"centers": [0, 1]}, "centers must be 2-dimensional"),
        ({"centers": 20}, "n must be an integer ≥ 20"),
        ({"spread": 0}, "spread must hold 2 numbers > 0"),
        ({"spread": [1, 2, 3]}, "spread must hold 2 numbers > 0"),
        ({"spread": "wide"}, "spread must hold numbers"),
        ({"weights": [1]}, "weights must hold 2 numbers > 0"),
        ({"weights": [1, -1]}, "weights must hold 2 numbers > 0"),
        ({"weights": [1, 1000]}, "without a point"),
    ],
)
def test_blobs_refuse(params, sentence):
    with pytest.raises((ValueError, TypeError), match=sentence):
        make_blobs(10, **params)


@pytest.mark.parametrize("n", [2, 40, 41])
def test_moons_and_circles_are_scikit_learns(n):
    halves = (n - n // 2, n // 2)
    mine = by_row(*make_moons(n, noise=0, random_state=0))
    np.testing.assert_allclose(mine, by_row(*theirs.make_moons(halves)), atol=1e-9)
    mine = by_row(*make_circles(n, ratio=0.3, noise=0, random_state=0))
    np.testing.assert_allclose(mine, by_row(*theirs.make_circles(halves, factor=0.3)), atol=1e-9)


@pytest.mark.parametrize("ratio", [0, 1, 1.5, -1, np.nan])
def test_the_inner_circle_is_inside(ratio):
    with pytest.raises(ValueError, match="ratio must be a number > 0"):
        make_circles(10, ratio=ratio)


def test_xor_is_the_truth_table():
    table = by_row(*make_xor(4, noise=0, random_state=0))
    assert table.tolist() == [[-1, -1, 0], [-1, 1, 1], [1, -1, 1], [1, 1, 0]]


def test_xor_needs_both_columns():
    X, y = make_xor(400, noise=0.2, random_state=0)
    assert np.mean((X.prod(axis=1) < 0) == y) == 1
    for x in X.T:
        assert np.mean((x > 0) == y) == pytest.approx(0.5, abs=0.02)
    assert np.bincount(2 * (X[:, 0] > 0) + (X[:, 1] > 0)).tolist() == [100] * 4


def test_spirals_follow_their_formula():
    X, y = make_spirals(200, turns=2, noise=0, random_state=0)
    radius = np.linalg.norm(X, axis=1)
    angle = 2 * np.pi * radius + np.pi * y
    np.testing.assert_allclose(X, radius[:, None] * np.c_[np.cos(angle), np.sin(angle)], atol=1e-9)
    assert radius.min() == pytest.approx(0.25)
    assert radius.max() == pytest.approx(2)


def test_spiral_arms_stay_apart_and_points_are_even():
    X, y = make_spirals(600, turns=2.5, noise=0, random_state=0)
    D = np.linalg.norm(X[:, None] - X, axis=2)
    assert D[y[:, None] != y].min() > 0.35
    own = np.sort(np.where(y[:, None] == y, D, np.inf), axis=1)[:, 1]
    assert own.max() < 2 * own.min()


def test_spirals_need_more_than_a_quarter_turn():
    with pytest.raises(ValueError, match=r"turns must be a number > 0.25"):
        make_spirals(10, turns=0.25)


def test_sine_is_structure_plus_noise():
    X, y = make_sine(2000, noise=0.3, random_state=0)
    assert kstest(X.ravel() / (2 * np.pi), "uniform").pvalue > 1e-3
    assert kstest((y - np.sin(X.ravel())) / 0.3, "norm").pvalue > 1e-3
    X, y = make_sine(1, noise=0, random_state=0)
    assert y == np.sin(X[:, 0])


@pytest.mark.parametrize("seed", range(20))
def test_three_lines_separate_the_admissions(seed):
    X, y = make_admissions(40, gap=0.4, random_state=seed)
    assert X.min() >= 0
    assert X.max() <= 10
    for w, b in ADMISSION_LINES:
        distance = (X @ w + b) / np.linalg.norm(w)
        assert np.all(distance * (2 * y - 1) > 0.4)


def test_admission_lines_are_rivals():
    """None is the widest street, and they disagree about applicants yet to come."""
    X, y = make_admissions(random_state=0)
    widest = SVC(kernel="linear", C=1e6).fit(X, y)
    margin = 1 / np.linalg.norm(widest.coef_)
    for w, b in ADMISSION_LINES:
        assert np.abs(X @ w + b).min() / np.linalg.norm(w) < margin
    new = np.random.default_rng(0).uniform(0, 10, (1000, 2))
    verdicts = np.array([new @ w + b > 0 for w, b in ADMISSION_LINES])
    assert np.mean(verdicts.all(axis=0) | ~verdicts.any(axis=0)) < 0.9


def test_gap_is_checked():
    for gap in (-1, 3, np.nan):
        with pytest.raises(ValueError, match="gap must be a number ≥ 0 and ≤ 2"):
            make_admissions(gap=gap)
    assert len(make_admissions(500, gap=2, random_state=0)[1]) == 500


# ------------------------------------------------------------------------- data/ and load


def test_the_files_are_the_ones_described():
    assert sorted(path.stem for path in DATA.glob("*.csv")) == NAMES == sorted(datasets.ABOUT)


@pytest.mark.parametrize("name", NAMES)
def test_readme_counts_rows_and_columns(name):
    line = next(
        x for x in (DATA / "README.md").read_text("utf-8").splitlines() if f"`{name}.csv`" in x
    )
    rows, columns = map(int, re.findall(r"\| (\d+) ", line)[:2])
    data = load(name)
    assert data.X.shape == (rows, columns) == (len(data.y), len(data.feature_names))
    assert len(set(data.feature_names)) == columns
    assert data.description == datasets.ABOUT[name]


@pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer", "digits"])
def test_classes_are_scikit_learns(name):
    X, y = load(name)
    bunch = getattr(theirs, f"load_{name}")()
    np.testing.assert_array_equal(X, bunch.data)
    if name in ("iris", "breast_cancer"):
        np.testing.assert_array_equal(y, bunch.target_names[bunch.target])
    elif name == "wine":
        np.testing.assert_array_equal(
            y, np.array(["Barolo", "Grignolino", "Barbera"])[bunch.target]
        )
    else:
        assert y.dtype.kind == "i"
        np.testing.assert_array_equal(y, bunch.target)


def test_diabetes_is_scikit_learns():
    bunch = theirs.load_diabetes(scaled=False)
    X, y = load("diabetes")
    np.testing.assert_array_equal(X, bunch.data)
    np.testing.assert_array_equal(y, bunch.target)
    assert y.dtype == np.float64
    assert LinearRegression().fit(X, y).score(X, y) == pytest.approx(0.5177, abs=1e-4)


def test_penguins():
    data = load("penguins")
    species, counts = np.unique(data.y, return_counts=True)
    assert dict(zip(species.tolist(), counts.tolist(), strict=True)) == {
        "Adelie": 146,
        "Chinstrap": 68,
        "Gentoo": 119,
    }
    assert data.X[0].tolist() == [39.1, 18.7, 181, 3750]
    assert data.classes.tolist() == ["Adelie", "Chinstrap", "Gentoo"]
    # Published means: Gentoo are heavy, Chinstrap bills long.
    assert data.X[data.y == "Gentoo", 3].mean() == pytest.approx(5092.4, abs=0.1)


def test_a_data_set_unpacks_and_shows_itself():
    iris = load("iris")
    X, y = iris
    assert X is iris.X
    assert y is iris.y
    assert iris.target_name == "species"
    assert iris.feature_names[0] == "sepal_length_cm"
    assert repr(iris).startswith("<Dataset with 150 rows, 4 features, target 'species': Irises")


@pytest.mark.parametrize("name", ["irises", "", "../data/iris", "iris.csv", None])
def test_an_unknown_name_lists_what_exists(name):
    with pytest.raises(
        ValueError, match=r"breast_cancer, diabetes, digits, iris, penguins, wine\. "
    ):
        load(name)


# ------------------------------------------------------------------------------- load_csv


@pytest.fixture
def write(tmp_path):
    def write(text, encoding="utf-8"):
        path = tmp_path / "mine.csv"
        path.write_bytes(text.encode(encoding))
        return path

    return write


def test_your_own_file(write):
    path = write("age,height,name\n1,2.5,x\n3,4,y\n")
    data = load_csv(path)
    assert data.X.tolist() == [[1, 2.5], [3, 4]]
    assert data.y.tolist() == ["x", "y"]
    assert (data.feature_names, data.target_name) == (("age", "height"), "name")
    assert repr(data) == "<Dataset with 2 rows, 2 features, target 'name'>"
    assert load_csv(str(path)).X.shape == (2, 2)


def test_target_and_features_by_name(write):
    path = write("age,name,height\n1,x,2.5\n3,y,4\n")
    data = load_csv(path, target="age", features=["height"])
    assert data.X.tolist() == [[2.5], [4]]
    assert data.y.tolist() == [1, 3]
    assert data.feature_names == ("height",)


@pytest.mark.parametrize(
    ("cells", "kind"),
    [(["1", "2"], "i"), (["1.0", "2"], "f"), (["1e3", "-2"], "f"), (["1", "b"], "U")],
)
def test_the_kind_of_target(write, cells, kind):
    assert load_csv(write(f"x,y\n0,{cells[0]}\n0,{cells[1]}\n")).y.dtype.kind == kind


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffa,b\n1,x\n2,y\n",
        "a,b\r\n1,x\r\n2,y\r\n",
        'a,b\n"1","x"\n2,y',
        "a, b\n 1 , x\n\n2, y\n\n",
    ],
    ids=["byte order mark", "windows", "quotes", "blanks"],
)
def test_files_as_other_programs_write_them(write, text):
    data = load_csv(write(text))
    assert data.X.tolist() == [[1], [2]]
    assert data.y.tolist() == ["x", "y"]
    assert data.feature_names == ("a",)


@pytest.mark.parametrize(
    ("text", "params", "sentence"),
    [
        ("a,b,c\n1,2,x\n3,oops,y\n", {}, r"Line 3, column 'b': 'oops' is not a number"),
        ("a,b,c\n1,2,x\n\n3,,y\n", {}, r"Line 4, column 'b': '' is not a number"),
        ("a,b\nnan,x\n", {}, r"Line 2, column 'a': 'nan' is not a number"),
        ("a,b\n1,x\ninf,y\n", {}, r"Line 3, column 'a': 'inf' is not a number"),
        ("a,b\n1,x\n2,\n", {}, r"Line 3, column 'b': the target is missing \(''\)"),
        ("a,b\n1,1.5\n2,NA\n", {}, r"Line 3, column 'b': the target is missing \('NA'\)"),
        ("a,b\n1,x,2\n", {}, r"Line 2 of .*mine.csv has 3 cell\(s\) for 2 columns"),
        ("a,b\n", {}, "must hold a header row and at least one row"),
        ("", {}, "must hold a header row and at least one row"),
        ("a;b\n1;x\n", {}, "no column but 'a;b': are there commas"),
        ("1,2\n3,4\n", {}, "must hold the names of the columns.* but it is 1, 2"),
        ("a,a,b\n1,2,3\n", {}, "all different .* but it is a, a, b"),
        ("a,b\n1,x\n", {"target": "c"}, "has no column 'c'; it has a, b"),
        ("a,b\n1,x\n", {"features": ["d"]}, "has no column 'd'; it has a, b"),
    ],
)
def test_what_is_wrong_with_a_file_in_one_sentence(write, text, params, sentence):
    with pytest.raises(ValueError, match=sentence):
        load_csv(write(text), **params)


def test_a_file_that_is_not_there():
    with pytest.raises(FileNotFoundError, match=r"nowhere\.csv"):
        load_csv("nowhere.csv")
