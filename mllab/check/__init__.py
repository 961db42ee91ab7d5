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
from mllab.check.duality_and_slackness import check_duality_gap as duality_gap
from mllab.check.duality_and_slackness import check_from_alpha_alone as from_alpha_alone
from mllab.check.duality_and_slackness import check_intercept_from_alpha as intercept_from_alpha
from mllab.check.duality_and_slackness import check_lagrangian_value as lagrangian_value
from mllab.check.duality_and_slackness import check_slackness_violation as slackness_violation
from mllab.check.exercise import Exercise, Mistake, Verdict
from mllab.check.hard_margin_svm import check_canonical as canonical
from mllab.check.hard_margin_svm import check_distance_to_plane as distance_to_plane
from mllab.check.hard_margin_svm import check_from_alpha as from_alpha
from mllab.check.hard_margin_svm import check_q_matrix as q_matrix
from mllab.check.kernels import check_image_distances as image_distances
from mllab.check.kernels import check_kernel_decision as kernel_decision
from mllab.check.kernels import check_may_be_gram as may_be_gram
from mllab.check.kernels import check_rbf_gram as rbf_gram
from mllab.check.kernels import check_square_features as square_features
from mllab.check.multiclass_svm import check_count_votes as count_votes
from mllab.check.multiclass_svm import check_joint_hinge as joint_hinge
from mllab.check.multiclass_svm import check_onto_simplex as onto_simplex
from mllab.check.multiclass_svm import check_surest_class as surest_class
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
from mllab.check.soft_margin_svm import check_distance_to_margin as distance_to_margin
from mllab.check.soft_margin_svm import check_hinge_of_score as hinge_of_score
from mllab.check.soft_margin_svm import check_hinge_sgd as hinge_sgd
from mllab.check.soft_margin_svm import check_objective_subgradient as objective_subgradient
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
    "canonical",
    "clipped_step",
    "condensed",
    "count_votes",
    "distance_to_margin",
    "distance_to_plane",
    "duality_gap",
    "entropy_of",
    "error_bound",
    "from_alpha",
    "from_alpha_alone",
    "gain_of_split",
    "gini_of",
    "hinge_of_score",
    "hinge_sgd",
    "image_distances",
    "in_bag",
    "intercept_from_alpha",
    "joint_hinge",
    "kernel_decision",
    "labels_of",
    "lagrangian_value",
    "majority_vote",
    "may_be_gram",
    "multiplied",
    "node_features",
    "objective_subgradient",
    "onto_feasible",
    "onto_simplex",
    "oob_vote",
    "out_of_bag",
    "path_of",
    "product_of_trees",
    "q_matrix",
    "rbf_gram",
    "say",
    "share_right",
    "shuffled_drop",
    "sign_vote",
    "slackness_violation",
    "solve_dual",
    "square_features",
    "surest_class",
    "variance_of_average",
    "weighted_error",
    "worst_pair",
]
