"""Support vector machines: the margin, its dual, and several ways to solve them.

| module | holds |
| --- | --- |
| `estimators` | `SVC` (soft margin, any kernel, any number of classes), `HardMarginSVC` |
| `sgd` | `LinearSVC`, by stochastic subgradient descent on the hinge loss |
| `crammer_singer` | `CrammerSingerSVC`, all classes in one problem |
| `multiclass` | `OneVsRestClassifier`, `OneVsOneClassifier` around any binary classifier |
| `smo` | the dual, two multipliers at a time |
| `projected_gradient` | the dual, uphill and back into the box |
| `path` | the dual for every C at once |
| `dual` | the problem itself: KKT conditions, intercept, objectives, slack cases, projection |
| `rows` | the Gram matrix row by row, within a memory budget |
"""

from mlcore.svm.crammer_singer import CrammerSingerSVC, Sweep, crammer_singer_steps
from mlcore.svm.dual import (
    Interval,
    SlackCase,
    dual_objective,
    intercept,
    intercept_interval,
    primal_objective,
    project,
    slack_cases,
)
from mlcore.svm.estimators import SVC, HardMarginSVC, NotSeparableError
from mlcore.svm.multiclass import OneVsOneClassifier, OneVsRestClassifier
from mlcore.svm.path import RegularizationPath, regularization_path
from mlcore.svm.projected_gradient import (
    GradientStep,
    dual_curvature,
    projected_gradient_steps,
)
from mlcore.svm.rows import KernelRows
from mlcore.svm.sgd import HingeStep, LinearSVC, hinge_objective, hinge_sgd_steps
from mlcore.svm.smo import PAIR_RULES, FaceStep, PairStep, pair_bounds, smo_steps

__all__ = [
    "PAIR_RULES",
    "SVC",
    "CrammerSingerSVC",
    "FaceStep",
    "GradientStep",
    "HardMarginSVC",
    "HingeStep",
    "Interval",
    "KernelRows",
    "LinearSVC",
    "NotSeparableError",
    "OneVsOneClassifier",
    "OneVsRestClassifier",
    "PairStep",
    "RegularizationPath",
    "SlackCase",
    "Sweep",
    "crammer_singer_steps",
    "dual_curvature",
    "dual_objective",
    "hinge_objective",
    "hinge_sgd_steps",
    "intercept",
    "intercept_interval",
    "pair_bounds",
    "primal_objective",
    "project",
    "projected_gradient_steps",
    "regularization_path",
    "slack_cases",
    "smo_steps",
]
