"""What every `fit` and `predict` asks of its input, in one place.

Each check returns the input in the form the algorithms work on, or raises at once with a
sentence that names the argument, what it got and what it takes. Nothing here changes the
caller's arrays.

| function | takes | returns |
| --- | --- | --- |
| `check_matrix` | anything two-dimensional and numeric | float64 array (n, d) |
| `check_vector` | n entries of any kind | array (n,) |
| `check_target` | n numbers | float64 array (n,) |
| `check_labels` | n labels of any kind | classes, and the index of each label's class |
| `check_sample_weight` | n non-negative weights, or None | float64 array (n,) |
| `check_number`, `check_integer`, `check_choice` | one parameter | that parameter |
| `check_generator` | int, Generator or None | numpy Generator |
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.intp]
RandomState: TypeAlias = "int | np.random.Generator | None"


class NotFittedError(ValueError, AttributeError):
    """Asked to predict before it was fitted."""

    def __reduce__(self) -> tuple[Any, ...]:
        return NotFittedError, self.args  # so that the classes of `not_fitted` pickle too


class ConvergenceWarning(UserWarning):
    """A solver stopped at its iteration limit."""


class DataConversionWarning(UserWarning):
    """The input was taken in another shape than it was given in."""


def not_fitted(name: str) -> NotFittedError:
    """The error for an estimator used before `fit`.

    Where scikit-learn is loaded already, its tools must recognise the error as theirs; where
    it is not, it stays unloaded.
    """
    message = f"This {name} is not fitted yet: call fit before using it."
    theirs = getattr(sys.modules.get("sklearn.exceptions"), "NotFittedError", None)
    bases = (NotFittedError,) if theirs is None else (NotFittedError, theirs)
    error: NotFittedError = type("NotFittedError", bases, {})(message)
    return error


def check_matrix(X: ArrayLike, name: str = "X", min_rows: int = 1) -> FloatArray:
    """X as a finite float64 array with n ≥ `min_rows` rows and at least one column."""
    A = _numeric(X, name)
    if A.ndim != 2:
        raise ValueError(
            f"{name} must be 2-dimensional (n rows, d columns), but it has {A.ndim} dimension(s), "
            f"shape {A.shape}. Reshape your data: {name}.reshape(-1, 1) if it is one column, "
            f"{name}.reshape(1, -1) if it is one row."
        )
    n, d = A.shape
    if n < min_rows:
        raise ValueError(
            f"Found array with {n} sample(s) (shape={A.shape}) while a minimum of {min_rows} "
            f"is required in {name}."
        )
    if d < 1:
        raise ValueError(
            f"Found array with {d} feature(s) (shape={A.shape}) while a minimum of 1 is "
            f"required in {name}."
        )
    return _finite(A, name)


def check_vector(y: ArrayLike, n: int, name: str = "y") -> NDArray[Any]:
    """y as n entries of whatever kind they are."""
    return _column(_array(y, name), n, name)


def check_target(y: ArrayLike, n: int, name: str = "y") -> FloatArray:
    """y as n finite float64 numbers."""
    return _finite(_column(_numeric(y, name), n, name), name)


def check_labels(y: ArrayLike, n: int) -> tuple[NDArray[Any], IntArray]:
    """The sorted distinct labels `classes`, and `codes` with y = classes[codes]."""
    labels = check_vector(y, n)
    if labels.dtype.kind == "O" and any(label is None or label != label for label in labels):
        raise ValueError("y contains a missing label (NaN or None).")
    if labels.dtype.kind == "f":
        _finite(labels, "y")
        if np.any(labels != np.round(labels)):
            raise ValueError(
                "Unknown label type: y holds fractions, which are a regression target; "
                "a classifier takes integers, strings or booleans as labels."
            )
    try:
        classes, codes = np.unique(labels, return_inverse=True)
    except TypeError:
        raise TypeError(
            "y mixes labels that cannot be sorted together: use labels of one kind, "
            "all strings or all numbers."
        ) from None
    if len(classes) < 2:
        raise ValueError(
            f"y holds one class only ({classes.tolist()[0]!r}): "
            "a classifier needs at least 2 classes."
        )
    return classes, codes


def check_sample_weight(sample_weight: ArrayLike | None, n: int) -> FloatArray:
    """n finite weights ≥ 0 that are not all zero; ones for None."""
    if sample_weight is None:
        return np.ones(n)
    weight = _numeric(sample_weight, "sample_weight")
    if weight.shape != (n,):
        raise ValueError(
            f"sample_weight must hold one number for each of the {n} rows of X, "
            f"but its shape is {weight.shape}."
        )
    weight = _finite(weight, "sample_weight")
    if weight.min() < 0 or weight.max() == 0:
        raise ValueError("sample_weight must hold numbers ≥ 0 that are not all zero.")
    return weight


def check_number(
    name: str,
    value: Any,
    *,
    at_least: float = -np.inf,
    above: float = -np.inf,
    at_most: float = np.inf,
) -> float:
    """A finite real parameter with at_least ≤ value, above < value, value ≤ at_most."""
    takes = _range("a number", at_least, above, at_most)
    if not isinstance(value, (int, float, np.integer, np.floating)) or isinstance(value, bool):
        raise TypeError(f"{name} must be {takes}, but it is {value!r}.")
    if not (np.isfinite(value) and at_least <= value <= at_most and value > above):
        raise ValueError(f"{name} must be {takes}, but it is {value!r}.")
    return float(value)


def check_integer(name: str, value: Any, *, at_least: int = 1, at_most: float = np.inf) -> int:
    """An integer parameter with at_least ≤ value ≤ at_most."""
    takes = _range("an integer", at_least, -np.inf, at_most)
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool):
        raise TypeError(f"{name} must be {takes}, but it is {value!r}.")
    if not at_least <= value <= at_most:
        raise ValueError(f"{name} must be {takes}, but it is {value!r}.")
    return int(value)


def check_choice(name: str, value: Any, choices: Sequence[Any]) -> Any:
    """A parameter that is one of `choices`."""
    if not any(
        value is choice or (isinstance(value, str) and value == choice) for choice in choices
    ):
        takes = " or ".join(repr(choice) for choice in choices)
        raise ValueError(f"{name} must be {takes}, but it is {value!r}.")
    return value


def check_generator(random_state: RandomState) -> np.random.Generator:
    """The generator for a seed (0 is a seed like any other), a Generator, or None."""
    if isinstance(random_state, np.random.Generator):
        return random_state
    if random_state is None:
        return np.random.default_rng()
    return np.random.default_rng(check_integer("random_state", random_state, at_least=0))


def _range(kind: str, at_least: float, above: float, at_most: float) -> str:
    bounds = [
        f"≥ {at_least:g}" if at_least > -np.inf else "",
        f"> {above:g}" if above > -np.inf else "",
        f"≤ {at_most:g}" if at_most < np.inf else "",
    ]
    return " ".join([kind, " and ".join(filter(None, bounds))]).strip()


def _array(values: Any, name: str) -> NDArray[Any]:
    if values is None:
        what = "the target y" if name == "y" else name
        raise ValueError(f"The call requires {name} to be passed, but {what} is None.")
    if hasattr(values, "toarray"):
        raise TypeError(
            f"{name} is a sparse matrix; a dense array is required. Use {name}.toarray()."
        )
    try:
        return np.asarray(values)
    except ValueError:
        raise ValueError(f"The rows of {name} must all have the same length.") from None


def _numeric(values: Any, name: str) -> NDArray[Any]:
    """`values` as an array of real numbers, float64 unless it is that already."""
    A = _array(values, name)
    if A.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: {name} must hold real numbers.")
    if A.dtype.kind in "OUS":
        try:
            return A.astype(np.float64)
        except (TypeError, ValueError) as error:
            kind = TypeError if isinstance(error, TypeError) else ValueError
            raise kind(
                f"{name} must hold numbers, but it holds something else ({error}); "
                "an argument must be a string or a number that float() reads."
            ) from None
    if A.dtype.kind not in "biuf":
        raise TypeError(f"{name} must hold numbers, but its dtype is {A.dtype}.")
    return A.astype(np.float64, copy=False)


def _column(y: NDArray[Any], n: int, name: str) -> NDArray[Any]:
    """y as a vector of length n; one column of a matrix is taken, with a warning."""
    if y.ndim == 2 and y.shape[1] == 1:
        warnings.warn(
            f"A column-vector {name} was passed when a 1d array was expected. Use {name}.ravel().",
            DataConversionWarning,
            stacklevel=4,
        )
        y = y.ravel()
    if y.ndim != 1:
        raise ValueError(
            f"{name} must be 1-dimensional (bad input shape), but its shape is {y.shape}."
        )
    if len(y) != n:
        raise ValueError(
            f"X and {name} must have the same length, but X has {n} rows "
            f"and {name} has {len(y)} entries."
        )
    return y


def _finite(A: FloatArray, name: str) -> FloatArray:
    if not np.isfinite(A).all():
        found = "NaN" if np.isnan(A).any() else "infinity (inf)"
        raise ValueError(f"{name} contains {found}: every value must be a finite number.")
    return A
