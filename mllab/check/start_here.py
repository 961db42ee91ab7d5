"""Exercises of 00_start_here."""

from __future__ import annotations

import numpy as np

from mllab.check.exercise import Case, Exercise, Mistake

# ---- share_right ----------------------------------------------------------------------------


def share_right(y, predicted):
    return np.mean(y == predicted)


def _label_cases() -> list[Case]:
    rng = np.random.default_rng(0)
    fixed = [([1], [1]), ([0, 1], [1, 1]), ([0, 1, 1, 0], [0, 1, 0, 0])]
    cases = [(np.array(y), np.array(predicted)) for y, predicted in fixed]
    return cases + [(rng.integers(0, 3, 20), rng.integers(0, 3, 20)) for _ in range(4)]


def _share_wrong(y, predicted):
    return np.mean(y != predicted)


def _count_right(y, predicted):
    return np.sum(y == predicted)


def _each(y, predicted):
    return y == predicted


check_share_right = Exercise(
    share_right,
    _label_cases,
    hints=[
        "y == predicted is True where the two agree, for all points at once.",
        "np.mean counts True as 1 and False as 0.",
    ],
    mistakes=[
        Mistake(_share_wrong, "this is the share on which they differ."),
        Mistake(_count_right, "this is the number of points that agree; the share is their mean."),
        Mistake(_each, "this answers for each point; one number is wanted, the mean of them."),
    ],
)


# ---- labels_of ------------------------------------------------------------------------------


def labels_of(f):
    return np.where(f >= 0, 1, -1)


def _score_cases() -> list[Case]:
    rng = np.random.default_rng(1)
    fixed = [[2.0], [-0.5, 0.5], [0.0, 1.0, -1.0]]
    return [(np.array(f),) for f in fixed] + [(rng.normal(size=12),)]


def _zeros_and_ones(f):
    return (f >= 0).astype(int)


def _sign(f):
    return np.sign(f)


def _turned_round(f):
    return np.where(f >= 0, -1, 1)


check_labels_of = Exercise(
    labels_of,
    _score_cases,
    hints=["np.where(condition, a, b) gives a where the condition is true and b elsewhere."],
    mistakes=[
        Mistake(_sign, "np.sign(0) is 0, which is no label: a score of exactly 0 counts as +1."),
        Mistake(_zeros_and_ones, "your labels are 0 and 1; here they are −1 and +1."),
        Mistake(_turned_round, "the labels are the wrong way round: scores ≥ 0 get +1."),
    ],
)
