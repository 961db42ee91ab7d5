"""Nearest neighbours: classify with no training at all.

| name | what it does |
| --- | --- |
| `KNeighborsClassifier` | the k nearest training points vote |
| `KNeighborsRegressor` | the mean target of the k nearest |
| `squared_distances`, `pairwise_distances` | all distances between two sets, without a loop |
| `condense`, `condense_steps` | Hart's rule: the few prototypes that classify all the rest |
| `undersample`, `oversample` | two ways to even out unequal classes |

Of points equally far away, the one that comes first in the training set counts as nearer;
of classes with equally many votes, the one that comes first in `classes_` wins.
"""
