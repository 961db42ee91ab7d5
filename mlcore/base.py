"""What all estimators share: parameters, the start of a fit, the start of a prediction.

An estimator stores its parameters in `__init__` and does nothing else there. `fit` begins
with `_start_fit`, which forgets the last fit and validates; `predict` begins with
`_start_predict`. What stands between is the mathematics.

The conventions are scikit-learn's, so its `clone`, `Pipeline`, `GridSearchCV` and
`check_estimator` work on these classes; scikit-learn itself is neither needed nor imported.
"""

from __future__ import annotations

import inspect
from abc import abstractmethod
from collections.abc import Sequence
from concurrent.futures import Executor
from copy import deepcopy
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcore.validation import (
    FloatArray,
    IntArray,
    check_labels,
    check_matrix,
    check_sample_weight,
    check_target,
    check_vector,
    not_fitted,
)

Self = TypeVar("Self", bound="Estimator")
Model = TypeVar("Model")


def clone(model: Model) -> Model:
    """A fresh, unfitted estimator of the same class with copies of the same parameters.

    Copies, so that two clones with one random Generator draw the same numbers in any order.
    """
    params = model.get_params(deep=False)  # type: ignore[attr-defined]
    return type(model)(**{name: _copy(value) for name, value in params.items()})


def _copy(value: Any) -> Any:
    if hasattr(value, "get_params") and not isinstance(value, type):
        return clone(value)
    return value if isinstance(value, Executor) else deepcopy(value)  # workers are shared


class Estimator:
    """Parameters by name, and the checks at both doors."""

    _kind: ClassVar[str | None] = None  # scikit-learn's word for it
    n_features_in_: int

    @classmethod
    def _parameter_defaults(cls) -> dict[str, Any]:
        parameters = inspect.signature(cls).parameters.values()
        return {p.name: p.default for p in parameters}

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name; those of an estimator inside as `outer__inner`."""
        params = {name: getattr(self, name) for name in self._parameter_defaults()}
        if deep:
            for name, value in list(params.items()):
                if hasattr(value, "get_params") and not isinstance(value, type):
                    inner = value.get_params()
                    params.update({f"{name}__{key}": item for key, item in inner.items()})
        return params

    def set_params(self: Self, **params: Any) -> Self:
        """Set parameters by name, `outer__inner` for those of an estimator inside."""
        known = self._parameter_defaults()
        inner: dict[str, dict[str, Any]] = {}
        for name, value in params.items():
            outer, _, rest = name.partition("__")
            if outer not in known:
                raise ValueError(
                    f"{type(self).__name__} has no parameter {outer!r}; it has {', '.join(known)}."
                )
            if rest:
                inner.setdefault(outer, {})[rest] = value
            else:
                setattr(self, name, value)
        for outer, values in inner.items():
            getattr(self, outer).set_params(**values)
        return self

    def __repr__(self) -> str:
        changed = {
            name: getattr(self, name)
            for name, default in self._parameter_defaults().items()
            if repr(getattr(self, name)) != repr(default)
        }
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in changed.items())})"

    if not TYPE_CHECKING:  # mypy is to go on finding misspelt attributes

        def __getattr__(self, name: str) -> Any:
            if name.endswith("_") and name[0] != "_" and "n_features_in_" not in vars(self):
                raise not_fitted(type(self).__name__)
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}.")

    def _forget(self) -> None:
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)

    def _start_fit(self, X: ArrayLike) -> FloatArray:
        """Forget the last fit; X checked, its columns remembered."""
        self._forget()
        A = check_matrix(X)
        names = _column_names(X)
        if names is not None:
            self.feature_names_in_ = names
        self.n_features_in_ = A.shape[1]
        return A

    def _start_predict(self, X: ArrayLike) -> FloatArray:
        """X checked against the columns that `fit` saw."""
        if not hasattr(self, "n_features_in_"):
            raise not_fitted(type(self).__name__)
        A = check_matrix(X)
        if A.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {A.shape[1]} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input."
            )
        names, known = _column_names(X), getattr(self, "feature_names_in_", None)
        if names is not None and known is not None and list(names) != list(known):
            raise ValueError(
                "The feature names should match those that were passed during fit: "
                f"fit saw {', '.join(known)}; now they are {', '.join(names)}."
            )
        return A

    def __sklearn_clone__(self: Self) -> Self:
        return clone(self)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn's tools ask before they use an estimator; only they call this."""
        from sklearn.utils import (
            ClassifierTags,
            InputTags,
            RegressorTags,
            Tags,
            TargetTags,
            TransformerTags,
        )

        return Tags(
            estimator_type=self._kind if self._kind != "transformer" else None,
            target_tags=TargetTags(required=self._kind in ("classifier", "regressor")),
            transformer_tags=TransformerTags() if self._kind == "transformer" else None,
            classifier_tags=ClassifierTags() if self._kind == "classifier" else None,
            regressor_tags=RegressorTags() if self._kind == "regressor" else None,
            input_tags=InputTags(),
        )


class Classifier(Estimator):
    """Takes labels of any kind; works on codes 0 … K−1 with y = classes_[codes]."""

    _kind = "classifier"
    classes_: NDArray[Any]

    def _start_fit_labels(self, X: ArrayLike, y: ArrayLike) -> tuple[FloatArray, IntArray]:
        A = self._start_fit(X)
        self.classes_, codes = check_labels(y, len(A))
        return A, codes

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """The label of each row of X."""
        raise not_fitted(type(self).__name__)

    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """The (weighted) share of rows whose label is predicted right."""
        predicted = self.predict(X)
        right = predicted == check_vector(y, len(predicted))
        return float(np.average(right, weights=check_sample_weight(sample_weight, len(right))))


class Regressor(Estimator):
    """Takes numbers as its target."""

    _kind = "regressor"

    def _start_fit_target(self, X: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
        A = self._start_fit(X)
        return A, check_target(y, len(A))

    def predict(self, X: ArrayLike) -> FloatArray:
        """The predicted number for each row of X."""
        raise not_fitted(type(self).__name__)

    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """R² = 1 − Σ(y − f)² / Σ(y − ȳ)²: 1 is perfect, 0 no better than the mean ȳ."""
        f = self.predict(X)
        y = check_target(y, len(f))
        weight = check_sample_weight(sample_weight, len(f))
        residual = np.sum(weight * (y - f) ** 2)
        total = np.sum(weight * (y - np.average(y, weights=weight)) ** 2)
        if total == 0:
            return float(residual == 0)
        return float(1 - residual / total)


class Transformer(Estimator):
    """Learns from X in `fit` how to change X, and does so in `transform`."""

    _kind = "transformer"

    @abstractmethod
    def fit(self: Self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Learn from X; y is not looked at."""

    def transform(self, X: ArrayLike) -> FloatArray:
        """X, changed as `fit` learned from its own X."""
        raise not_fitted(type(self).__name__)

    def fit_transform(self, X: ArrayLike, y: ArrayLike | None = None) -> FloatArray:
        """Fit to X, then change X."""
        return self.fit(X, y).transform(X)

    def get_feature_names_out(self, input_features: Sequence[str] | None = None) -> NDArray[Any]:
        """The names of the columns that come out: here, those that went in."""
        return np.array(self._names_in(input_features), dtype=object)

    def _names_in(self, given: Sequence[str] | None) -> list[str]:
        """The names given, else those that `fit` saw, else x0, x1, …"""
        if not hasattr(self, "n_features_in_"):
            raise not_fitted(type(self).__name__)
        d, seen = self.n_features_in_, getattr(self, "feature_names_in_", None)
        if given is None:
            return list(seen) if seen is not None else [f"x{j}" for j in range(d)]
        if len(given) != d or (seen is not None and list(given) != list(seen)):
            raise ValueError(
                f"input_features must be the names of the {d} columns that fit saw, "
                f"but it is {list(given)}."
            )
        return list(given)


def _column_names(X: Any) -> NDArray[Any] | None:
    """The column names of a DataFrame, if all of them are strings."""
    columns = getattr(X, "columns", None)
    if columns is None or not all(isinstance(name, str) for name in columns):
        return None
    return np.asarray(columns, dtype=object)
