"""`check.<exercise>(answer)`: is it right, and if not, what went wrong?

Every exercise also has `.hint()` and `.solution()`.
"""

from mllab.check.exercise import Exercise, Mistake, Verdict
from mllab.check.nearest_neighbours import check_all_distances as all_distances
from mllab.check.nearest_neighbours import check_balanced_vote as balanced_vote
from mllab.check.nearest_neighbours import check_condensed as condensed
from mllab.check.nearest_neighbours import check_majority_vote as majority_vote
from mllab.check.start_here import check_labels_of as labels_of
from mllab.check.start_here import check_share_right as share_right

__all__ = [
    "Exercise",
    "Mistake",
    "Verdict",
    "all_distances",
    "balanced_vote",
    "condensed",
    "labels_of",
    "majority_vote",
    "share_right",
]
