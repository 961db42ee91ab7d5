"""Data to learn from: made up by a formula, or read from a file.

| name | what it makes | learnable by |
| --- | --- | --- |
| `make_blobs` | round clouds, as many as you like | almost anything |
| `make_moons` | two interleaved half circles | a curved boundary |
| `make_circles` | a circle inside a circle | the radius, not a line |
| `make_xor` | four clouds, equal labels across the diagonal | both columns together only |
| `make_spirals` | two spirals wound into each other | local methods |
| `make_admissions` | applicants, selected or not | a line: many of them |
| `make_sine` | sin x and noise | regression |
| `load` | a real data set of data/ | |
| `load_csv` | a data set of your own | |

Every maker takes the number of points `n` and a `random_state`, and returns X (n, d) and y (n,):
labels 0, 1, … as integers, or numbers for `make_sine`. The rows come in random order, the
classes in equal parts (within one point). `noise` is the standard deviation of normal noise.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcore.validation import (
    FloatArray,
    IntArray,
    RandomState,
    check_generator,
    check_integer,
    check_matrix,
    check_number,
    check_target,
)

Points = tuple[FloatArray, IntArray]

DATA = Path(__file__).resolve().parent.parent / "data"

ABOUT = {
    "breast_cancer": "Tumours, by the shape of their cell nuclei: malignant or benign.",
    "diabetes": "Patients, by ten measurements: progression of the disease after one year.",
    "digits": "Handwritten digits, 8 × 8 pixels from 0 (white) to 16 (black), row by row.",
    "iris": "Irises, by the size of sepals and petals (cm): which of three species.",
    "penguins": "Penguins, by bill, flipper (mm) and body mass (g): which of three species.",
    "wine": "Wines from Piedmont, by their chemical analysis: which of three kinds.",
}


# ------------------------------------------------------------------ made up by a formula


def make_blobs(
    n: int = 100,
    *,
    centers: int | ArrayLike = 2,
    spread: float | Sequence[float] = 1.0,
    weights: Sequence[float] | None = None,
    random_state: RandomState = None,
) -> Points:
    """One normal cloud around each centre: x ~ N(μ_k, s_k² I) for the points of class k.

    `centers` is an array (K, d), or a number K: then they stand evenly on a circle of radius 4.
    `spread` is s, one for all clouds or one each. `weights` are the shares of the classes; class
    k gets n w_k / Σw points, within one.
    """
    rng = check_generator(random_state)
    centers = _on_a_circle(centers) if np.ndim(centers) == 0 else check_matrix(centers, "centers")
    K, d = centers.shape
    check_integer("n", n, at_least=K)
    share = _positive("weights", np.ones(K) if weights is None else weights, K)
    s = _positive("spread", np.full(K, spread) if np.ndim(spread) == 0 else spread, K)
    sizes = np.diff(np.round(n * np.cumsum([0, *share]) / share.sum())).astype(int)
    if sizes.min() == 0:
        raise ValueError(f"weights leave a class without a point: the sizes would be {sizes}.")
    y = np.repeat(np.arange(K), sizes)
    return _shuffled(centers[y] + s[y, None] * rng.standard_normal((n, d)), y, rng)


def make_moons(n: int = 100, *, noise: float = 0.1, random_state: RandomState = None) -> Points:
    """Two interleaved half circles of radius 1.

    class 0: (cos t, sin t),   class 1: (1 − cos t, ½ − sin t),   0 ≤ t ≤ π
    """
    t0, t1 = (np.linspace(0, np.pi, size) for size in _halves(n))
    upper = np.column_stack([np.cos(t0), np.sin(t0)])
    lower = np.column_stack([1 - np.cos(t1), 0.5 - np.sin(t1)])
    return _two_curves(upper, lower, noise, random_state)


def make_circles(
    n: int = 100, *, ratio: float = 0.5, noise: float = 0.05, random_state: RandomState = None
) -> Points:
    """A circle of radius 1 (class 0) around one of radius `ratio` < 1 (class 1)."""
    if check_number("ratio", ratio, above=0) >= 1:
        raise ValueError(f"ratio must be a number > 0 and < 1, but it is {ratio!r}.")
    t0, t1 = (np.linspace(0, 2 * np.pi, size, endpoint=False) for size in _halves(n))
    outer = np.column_stack([np.cos(t0), np.sin(t0)])
    inner = ratio * np.column_stack([np.cos(t1), np.sin(t1)])
    return _two_curves(outer, inner, noise, random_state)


def make_xor(n: int = 100, *, noise: float = 0.3, random_state: RandomState = None) -> Points:
    """Clouds around the corners (±1, ±1) of a square; y = 1 where the signs differ.

    With n = 4 and noise = 0 this is the truth table of "exclusive or".
    """
    equal, different = (np.arange(size) % 2 * 2 - 1 for size in _halves(n))
    on_diagonal = np.column_stack([equal, equal])
    off_diagonal = np.column_stack([different, -different])
    return _two_curves(on_diagonal, off_diagonal, noise, random_state)


def make_spirals(
    n: int = 200, *, turns: float = 1.5, noise: float = 0.05, random_state: RandomState = None
) -> Points:
    """Two spirals, one the other turned by half a turn: radius t at the angle 2πt, ¼ ≤ t ≤ turns.

    Neighbouring arms are ½ apart everywhere, so `noise` well below ¼ keeps them separate.
    """
    check_number("turns", turns, above=0.25)
    # t² evenly spaced: then the points are evenly spaced along the arm, which grows with t.
    t0, t1 = (np.sqrt(np.linspace(0.25**2, turns**2, size)) for size in _halves(n))
    arm0, arm1 = (t[:, None] * _direction(2 * np.pi * t) for t in (t0, t1))
    return _two_curves(arm0, -arm1, noise, random_state)


def make_sine(
    n: int = 50, *, noise: float = 0.3, random_state: RandomState = None
) -> tuple[FloatArray, FloatArray]:
    """y = sin x + ε with x uniform on [0, 2π] and ε ~ N(0, noise²); X is (n, 1)."""
    check_integer("n", n)
    check_number("noise", noise, at_least=0)
    rng = check_generator(random_state)
    x = rng.uniform(0, 2 * np.pi, n)
    return x[:, None], np.sin(x) + noise * rng.standard_normal(n)


ADMISSION_LINES = (((1.0, 1.0), -10.0), ((2.0, 1.0), -15.0), ((1.0, 2.0), -15.0))
"""Three (w, b) with w·x + b > 0 exactly for the selected, whatever `make_admissions` draws."""


def make_admissions(n: int = 40, *, gap: float = 0.4, random_state: RandomState = None) -> Points:
    """Applicants with a research score and a grade, both from 0 to 10; y = 1 for the selected.

    Three committees weigh the two differently, each with its own line (`ADMISSION_LINES`). Only
    those applicants occur about whom all three agree, at least `gap` away from each line. So the
    classes are linearly separable, and the points do not say which of the lines is the right one.
    """
    check_number("gap", gap, at_least=0, at_most=2)
    rng = check_generator(random_state)
    y = np.repeat([0, 1], _halves(n))
    W, b = (np.array(part) for part in zip(*ADMISSION_LINES, strict=True))
    X = np.empty((0, 2))
    while len(X) < n:
        new = rng.uniform(0, 10, (n, 2))
        distance = (new @ W.T + b) / np.linalg.norm(W, axis=1)
        agreed = (distance > gap).all(axis=1) | (distance < -gap).all(axis=1)
        X = np.concatenate([X, new[agreed]])[:n]
    # All lines pass through (5, 5): reflecting a point in it reverses every verdict.
    selected = X.sum(axis=1) > 10
    return _shuffled(np.where((selected == y)[:, None], X, 10 - X), y, rng)


def _on_a_circle(K: Any) -> FloatArray:
    check_integer("centers", K)
    return 4 * _direction(2 * np.pi * np.arange(K) / K)


def _direction(angle: FloatArray) -> FloatArray:
    return np.column_stack([np.cos(angle), np.sin(angle)])


def _halves(n: int) -> tuple[int, int]:
    check_integer("n", n, at_least=2)
    return n - n // 2, n // 2


def _positive(name: str, values: Any, K: int) -> FloatArray:
    """One number > 0 for each of K classes."""
    array = check_target(values, np.size(values), name)
    if len(array) != K or array.min() <= 0:
        raise ValueError(f"{name} must hold {K} numbers > 0, one for each class; it is {values!r}.")
    return array


def _two_curves(
    zero: NDArray[Any], one: NDArray[Any], noise: float, random_state: RandomState
) -> Points:
    """The points of class 0 and class 1, with normal noise, in random order."""
    check_number("noise", noise, at_least=0)
    rng = check_generator(random_state)
    X = np.concatenate([zero, one])
    y = np.repeat([0, 1], [len(zero), len(one)])
    return _shuffled(X + noise * rng.standard_normal(X.shape), y, rng)


def _shuffled(X: FloatArray, y: IntArray, rng: np.random.Generator) -> Points:
    order = rng.permutation(len(y))
    return X[order], y[order]


# ------------------------------------------------------------------------ read from a file


@dataclass(frozen=True, eq=False)
class Dataset:
    """A table of features X (n, d) and a target y (n,), with their names.

    Unpacks into the two: `X, y = load("iris")`.
    """

    X: FloatArray
    y: NDArray[Any]
    feature_names: tuple[str, ...]
    target_name: str
    description: str = ""

    @property
    def classes(self) -> NDArray[Any]:
        """The distinct labels, sorted."""
        return np.unique(self.y)

    def __iter__(self) -> Iterator[NDArray[Any]]:
        return iter((self.X, self.y))

    def __repr__(self) -> str:
        n, d = self.X.shape
        about = f": {self.description}" if self.description else ""
        return f"<Dataset with {n} rows, {d} features, target {self.target_name!r}{about}>"


def load(name: str) -> Dataset:
    """A data set of data/ by its name, such as "iris"; its source stands in data/README.md."""
    names = sorted(path.stem for path in DATA.glob("*.csv"))
    if name not in names:
        raise ValueError(
            f"There is no data set {name!r}; there are {', '.join(names)}. "
            "A file of your own is read by load_csv(path)."
        )
    return load_csv(DATA / f"{name}.csv", description=ABOUT.get(name, ""))


def load_csv(
    path: str | Path,
    *,
    target: str | None = None,
    features: Sequence[str] | None = None,
    description: str = "",
) -> Dataset:
    """A data set of your own: a CSV file with a header row and commas between the cells.

    `target` names the column to predict (the last one unless told otherwise), `features` the
    columns to predict it from (all others). Features must be numbers. The target becomes integers
    if all of it is whole numbers, floats if all of it is numbers, labels otherwise.
    """
    table, lines = _read_table(Path(path))
    header = list(table)
    target = header[-1] if target is None else target
    names = [name for name in header if name != target] if features is None else list(features)
    for name in (target, *names):
        if name not in table:
            raise ValueError(f"{path} has no column {name!r}; it has {', '.join(header)}.")
    if not names:
        raise ValueError(
            f"{path} has no column but {target!r}: are there commas between its cells?"
        )
    X = np.column_stack([_features(table[name], name, lines) for name in names])
    return Dataset(X, _target(table[target], target, lines), tuple(names), target, description)


def _read_table(path: Path) -> tuple[dict[str, list[str]], list[int]]:
    """The cells of each column by its name, and the line of the file that each row stands in."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        reader = csv.reader(file, skipinitialspace=True)
        rows = [(reader.line_num, [cell.strip() for cell in row]) for row in reader if row]
    if len(rows) < 2:
        raise ValueError(f"{path} must hold a header row and at least one row below it.")
    (_, header), *body = rows
    if len(set(header)) < len(header) or np.isfinite([_number(name) for name in header]).any():
        raise ValueError(
            f"The first row of {path} must hold the names of the columns, all different "
            f"and none a number, but it is {', '.join(header)}."
        )
    for line, row in body:
        if len(row) != len(header):
            raise ValueError(
                f"Line {line} of {path} has {len(row)} cell(s) for {len(header)} columns."
            )
    columns = zip(*(row for _, row in body), strict=True)
    return dict(zip(header, map(list, columns), strict=True)), [line for line, _ in body]


def _features(cells: list[str], name: str, lines: list[int]) -> FloatArray:
    values = np.array([_number(cell) for cell in cells])
    bad = ~np.isfinite(values)
    if bad.any():
        i = int(np.argmax(bad))
        raise ValueError(
            f"Line {lines[i]}, column {name!r}: {cells[i]!r} is not a number. Remove the row, "
            "or leave the column out with features=[…]."
        )
    return values


def _target(cells: list[str], name: str, lines: list[int]) -> NDArray[Any]:
    for cell, line in zip(cells, lines, strict=True):
        if cell.lower() in ("", "na", "nan"):
            raise ValueError(f"Line {line}, column {name!r}: the target is missing ({cell!r}).")
    for kind in (int, float):
        try:
            return np.array([kind(cell) for cell in cells])
        except ValueError:
            continue
    return np.array(cells)


def _number(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        return np.nan
