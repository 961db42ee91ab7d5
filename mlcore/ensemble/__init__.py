"""Many models that decide together.

| module | what it holds |
| --- | --- |
| `bagging` | one model per bootstrap sample, averaged: less variance |
| `forest` | bagged trees that may each ask only about a few features: less correlation |
| `boosting` | AdaBoost: each model attends to what the last ones got wrong: less bias |
| `cascade` | boosted stages that dismiss the many negatives of a rare-event problem early |
"""

from mlcore.ensemble.bagging import (
    BaggingClassifier,
    BaggingRegressor,
    bootstrap_indices,
    inclusion_probability,
    permutation_importance,
)
from mlcore.ensemble.boosting import (
    AdaBoostClassifier,
    Round,
    Stump,
    StumpSearch,
    adaboost_steps,
    reweight,
)
from mlcore.ensemble.cascade import CascadeClassifier
from mlcore.ensemble.forest import RandomForestClassifier, RandomForestRegressor

__all__ = [
    "AdaBoostClassifier",
    "BaggingClassifier",
    "BaggingRegressor",
    "CascadeClassifier",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "Round",
    "Stump",
    "StumpSearch",
    "adaboost_steps",
    "bootstrap_indices",
    "inclusion_probability",
    "permutation_importance",
    "reweight",
]
