"""`check.<exercise>(answer)`: is it right, and if not, what went wrong?

Every exercise also has `.hint()` and `.solution()`.
"""

from mllab.check.exercise import Exercise, Mistake, Verdict
from mllab.check.nearest_neighbours import check_all_distances as all_distances
from mllab.check.nearest_neighbours import check_balanced_vote as balanced_vote
from mllab.check.nearest_neighbours import check_condensed as condensed
from mllab.check.nearest_neighbours import check_majority_vote as majority_vote

__all__ = [
    "Exercise",
    "Mistake",
    "Verdict",
    "all_distances",
    "balanced_vote",
    "condensed",
    "majority_vote",
]
