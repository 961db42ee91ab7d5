"""From the scores of all pairs of classes to a score for each class."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from mlcore.validation import FloatArray


def pair_votes(f: FloatArray, K: int) -> FloatArray:
    """Scores (n, K) of the classes from the scores f (n, K(K−1)/2) of all pairs.

    f > 0 is a vote for the second class of its pair. The sum of a class's scores, squeezed into
    (−⅓, ⅓), is added: it settles ties and cannot overturn a vote.
    """
    votes = np.zeros((len(f), K))
    sums = np.zeros((len(f), K))
    for score, (first, second) in zip(f.T, combinations(range(K), 2), strict=True):
        votes[:, first] += score <= 0
        votes[:, second] += score > 0
        sums[:, first] -= score
        sums[:, second] += score
    return votes + sums / (3 * (np.abs(sums) + 1))
