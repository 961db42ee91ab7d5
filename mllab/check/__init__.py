"""`check.<exercise>(answer)`: is it right, and if not, what went wrong?

Every exercise also has `.hint()` and `.solution()`.
"""

from mllab.check.adaboost import check_boost as boost
from mllab.check.adaboost import check_error_bound as error_bound
from mllab.check.adaboost import check_multiplied as multiplied
from mllab.check.adaboost import check_say as say
from mllab.check.adaboost import check_weighted_error as weighted_error
from mllab.check.bagging import check_bootstrap as bootstrap
from mllab.check.bagging import check_in_bag as in_bag
from mllab.check.bagging import check_out_of_bag as out_of_bag
from mllab.check.bagging import check_sign_vote as sign_vote
from mllab.check.bagging import check_variance_of_average as variance_of_average
from mllab.check.decision_trees import check_best_cut as best_cut
from mllab.check.decision_trees import check_entropy_of as entropy_of
from mllab.check.decision_trees import check_gain_of_split as gain_of_split
from mllab.check.decision_trees import check_gini_of as gini_of
from mllab.check.decision_trees import check_path_of as path_of
from mllab.check.exercise import Exercise, Mistake, Verdict
from mllab.check.nearest_neighbours import check_all_distances as all_distances
from mllab.check.nearest_neighbours import check_balanced_vote as balanced_vote
from mllab.check.nearest_neighbours import check_condensed as condensed
from mllab.check.nearest_neighbours import check_majority_vote as majority_vote
from mllab.check.random_forests import check_node_features as node_features
from mllab.check.random_forests import check_oob_vote as oob_vote
from mllab.check.random_forests import check_product_of_trees as product_of_trees
from mllab.check.random_forests import check_shuffled_drop as shuffled_drop
from mllab.check.smo import check_box_bounds as box_bounds
from mllab.check.smo import check_clipped_step as clipped_step
from mllab.check.smo import check_onto_feasible as onto_feasible
from mllab.check.smo import check_solve_dual as solve_dual
from mllab.check.smo import check_worst_pair as worst_pair
from mllab.check.start_here import check_labels_of as labels_of
from mllab.check.start_here import check_share_right as share_right

__all__ = [
    "Exercise",
    "Mistake",
    "Verdict",
    "all_distances",
    "balanced_vote",
    "best_cut",
    "boost",
    "bootstrap",
    "box_bounds",
    "clipped_step",
    "condensed",
    "entropy_of",
    "error_bound",
    "gain_of_split",
    "gini_of",
    "in_bag",
    "labels_of",
    "majority_vote",
    "multiplied",
    "node_features",
    "onto_feasible",
    "oob_vote",
    "out_of_bag",
    "path_of",
    "product_of_trees",
    "say",
    "share_right",
    "shuffled_drop",
    "sign_vote",
    "solve_dual",
    "variance_of_average",
    "weighted_error",
    "worst_pair",
]
