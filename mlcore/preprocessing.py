"""What is done to the columns before a method sees them.

| name | what it does |
| --- | --- |
| `StandardScaler` | each column to mean 0 and standard deviation 1 |
| `PolynomialFeatures` | all products of the columns up to a degree |

Both learn from the training set in `fit`, and change any other set in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations, combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcore.base import Transformer
from mlcore.validation import FloatArray, check_choice, check_integer


class StandardScaler(Transformer):
    """Bring every column to mean 0 and standard deviation 1.

        z = (x − μ) / s,   μ = (1/n) Σ xᵢ,   s² = (1/n) Σ (xᵢ − μ)²

    μ (`mean_`) and s (`scale_`) are those of the training set, whatever is scaled later. A
    constant column has s = 0; it is only moved, with `scale_` 1. Without `with_mean` μ is 0, so
    that columns are not moved; without `with_std` s is 1, so that they are only moved.
    """

    def __init__(self, *, with_mean: bool = True, with_std: bool = True) -> None:
        self.with_mean = with_mean
        self.with_std = with_std

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> StandardScaler:
        """Learn the mean and the standard deviation of each column."""
        check_choice("with_mean", self.with_mean, (True, False))
        check_choice("with_std", self.with_std, (True, False))
        X = self._start_fit(X)
        self.mean_, self.scale_ = np.zeros(X.shape[1]), np.ones(X.shape[1])
        if self.with_mean:
            self.mean_ = X.mean(axis=0)
        if self.with_std:
            deviation = X.std(axis=0)
            # Rounding leaves a constant column 0.1, 0.1, … with a deviation just above 0.
            varies = (np.ptp(X, axis=0) > 0) & (deviation > 0)
            self.scale_[varies] = deviation[varies]
        return self

    def transform(self, X: ArrayLike) -> FloatArray:
        """z = (x − μ) / s for every row of X."""
        return (self._start_predict(X) - self.mean_) / self.scale_

    def inverse_transform(self, Z: ArrayLike) -> FloatArray:
        """x = μ + s z: back to the units of the training set."""
        return self.mean_ + self.scale_ * self._start_predict(Z)


class PolynomialFeatures(Transformer):
    """Every row x becomes the vector of its monomials up to a degree.

        φ(x) = (1, x₁, …, x_d, x₁², x₁x₂, …, x_d^degree)

    There are C(d + degree, degree) of them, ordered by degree. With `interaction_only` no column
    is multiplied with itself; without `include_bias` the leading 1 is left out. `monomials_`
    holds, for each monomial, the columns whose product it is: (0, 0, 2) is x₀² x₂.
    """

    def __init__(
        self, *, degree: int = 2, interaction_only: bool = False, include_bias: bool = True
    ) -> None:
        self.degree = degree
        self.interaction_only = interaction_only
        self.include_bias = include_bias

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> PolynomialFeatures:
        """Count the columns of X and list the monomials in them."""
        check_integer("degree", self.degree)
        check_choice("interaction_only", self.interaction_only, (True, False))
        check_choice("include_bias", self.include_bias, (True, False))
        d = self._start_fit(X).shape[1]
        self.monomials_ = list(self._monomials(d))
        return self

    def _monomials(self, d: int) -> Iterator[tuple[int, ...]]:
        choose = combinations if self.interaction_only else combinations_with_replacement
        degrees = range(0 if self.include_bias else 1, self.degree + 1)
        return chain.from_iterable(choose(range(d), degree) for degree in degrees)

    def transform(self, X: ArrayLike) -> FloatArray:
        """φ(x) for every row x of X."""
        X = self._start_predict(X)
        value: dict[tuple[int, ...], FloatArray] = {(): np.ones(len(X))}
        for columns in self.monomials_:
            if columns:  # one factor more than a monomial that came before
                *rest, last = columns
                value[columns] = value[tuple(rest)] * X[:, last]
        return np.column_stack([value[columns] for columns in self.monomials_])

    def get_feature_names_out(self, input_features: Sequence[str] | None = None) -> NDArray[Any]:
        """The monomials as text, such as `1`, `x0`, `x0^2`, `x0 x1`."""
        names = self._names_in(input_features)
        return np.array([_monomial_name(columns, names) for columns in self.monomials_], object)


def _monomial_name(columns: tuple[int, ...], names: Sequence[str]) -> str:
    """(0, 0, 2) → `x0^2 x2`."""
    powers = [(names[j], columns.count(j)) for j in dict.fromkeys(columns)]
    return " ".join(name if p == 1 else f"{name}^{p}" for name, p in powers) or "1"
