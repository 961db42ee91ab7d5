"""Decision trees: ask one question about one feature at a time.

| name | what it does |
| --- | --- |
| `DecisionTreeClassifier` | splits by Gini impurity or entropy; a leaf holds class proportions |
| `DecisionTreeRegressor` | splits by squared error; a leaf holds a mean |
| `gini`, `entropy`, `information_gain` | how mixed a set is, and how much a split sorts it |
| `grow_steps` | the growth of a tree, one depth at a time |
| `Tree` | the grown tree as arrays: `apply`, `visited`, `boxes`, `cut` |
| `export_text` | the tree as indented text |

A split sends x[feature] ≤ threshold to the left and the rest to the right, in training and
in prediction alike. The threshold lies halfway between two values that occur. Of splits that
gain equally much, the first feature wins, then the smallest threshold.
"""

from __future__ import annotations

import itertools
import math
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcore.base import Classifier, Estimator, Regressor
from mlcore.validation import (
    FloatArray,
    IntArray,
    RandomState,
    check_choice,
    check_generator,
    check_integer,
    check_sample_weight,
)

BoolArray = NDArray[np.bool_]

# Gains that differ by less than this share of a node's impurity differ by rounding only.
TIE = 1e-9
# A part of a node that weighs less than this share of it is lost in rounding.
LEAST = 1e-15


# --- How mixed is a set? ---------------------------------------------------------------


def gini(p: ArrayLike) -> Any:
    """Q = Σ_k p_k (1 − p_k) = 1 − Σ_k p_k², for proportions p along the last axis.

    The chance that two draws from the set differ in class: 0 if pure, at most 1 − 1/K.
    """
    return 1 - np.sum(np.square(p), axis=-1)


def entropy(p: ArrayLike) -> Any:
    """Q = −Σ_k p_k ln p_k with 0 ln 0 = 0: 0 if pure, at most ln K."""
    return -np.sum(_x_log_x(np.asarray(p, dtype=float)), axis=-1) + 0.0


def information_gain(
    y: ArrayLike,
    left: ArrayLike,
    criterion: str = "gini",
    sample_weight: ArrayLike | None = None,
) -> float:
    """Q(S) − Σ_{τ ∈ {L, R}} |S^τ|/|S| Q(S^τ), with |S| the weight of a set S.

    `left` says for each sample whether the split sends it to the left. Never negative,
    since Q is concave.
    """
    Q = {"gini": gini, "entropy": entropy}[check_choice("criterion", criterion, CRITERIA)]
    classes, codes = np.unique(np.asarray(y), return_inverse=True)
    w, left = check_sample_weight(sample_weight, len(codes)), np.asarray(left, dtype=bool)
    gain = 0.0
    for part, sign in ((np.ones_like(left), 1), (left, -1), (~left, -1)):
        S = np.bincount(codes[part], w[part], len(classes))
        if S.sum() > 0:
            gain += sign * S.sum() / w.sum() * Q(S / S.sum())
    return float(gain)


def _x_log_x(x: FloatArray) -> FloatArray:
    return x * np.log(np.maximum(x, np.finfo(float).tiny))


# --- What a split is to achieve --------------------------------------------------------


class Summary(NamedTuple):
    """What the nodes of one level hold, and what the search for their splits adds up."""

    value: FloatArray  # (nodes, K): class proportions, or (nodes, 1): the mean
    impurity: FloatArray  # (nodes,)
    mixed: BoolArray  # (nodes,): is there anything left to tell apart?
    Z: FloatArray  # (channels, n): what each sample adds to the statistics S of its node


class Criterion(Protocol):
    """Impurity in the form in which a cumulative sum finds the best split.

    The statistics S = Σᵢ zᵢ of a set add up over its samples. With the weights scaled so
    that a node weighs 1, its impurity is a constant minus P(S), so the gain of a split is

        Q(S) − W_L Q(S_L) − W_R Q(S_R) = P(S_L) + P(S_R) − P(S)
    """

    w: FloatArray

    def summarize(self, rows: IntArray, at: IntArray) -> Summary:
        """Sum up the nodes; row rows[i] lies in the node that is at[i]-th in its level."""

    def purity(self, S: FloatArray) -> FloatArray:
        """P(S), for statistics along the first axis."""


class ClassImpurity:
    """S_k is the weight of class k, W = Σ_k S_k.

    Gini:     W Q = W − Σ_k S_k²/W,            P = Σ_k S_k²/W
    entropy:  W Q = W ln W − Σ_k S_k ln S_k,   P = Σ_k S_k ln S_k − W ln W
    """

    def __init__(self, codes: IntArray, w: FloatArray, K: int, criterion: str) -> None:
        self.codes, self.w, self.K, self.criterion = codes, w, K, criterion

    def summarize(self, rows: IntArray, at: IntArray) -> Summary:
        codes, w, K = self.codes[rows], self.w[rows], self.K
        S = np.bincount(at * K + codes, w, K * (at[-1] + 1)).reshape(-1, K)
        W = S.sum(axis=1)
        p = S / W[:, None]
        Z = np.zeros((K, len(self.w)))
        Z[codes, rows] = w / W[at]
        Q = gini(p) if self.criterion == "gini" else entropy(p)
        return Summary(p, Q, np.count_nonzero(S, axis=1) > 1, Z)

    def purity(self, S: FloatArray) -> FloatArray:
        if self.criterion == "gini":
            return np.asarray(np.einsum("k...,k...->...", S, S) / np.maximum(S.sum(axis=0), LEAST))
        return _x_log_x(S).sum(axis=0) - _x_log_x(S.sum(axis=0))


class SquaredError:
    """S = (W, Σᵢ wᵢ rᵢ) with rᵢ = yᵢ − ȳ:   W Q = Σᵢ wᵢ rᵢ² − S₁²/W,   P = S₁²/W."""

    def __init__(self, y: FloatArray, w: FloatArray) -> None:
        self.y, self.w = y, w

    def summarize(self, rows: IntArray, at: IntArray) -> Summary:
        y, w = self.y[rows], self.w[rows]
        w = w / np.bincount(at, w)[at]
        # Measured from one of their own, equal targets have exactly themselves as the mean.
        start = np.flatnonzero(np.diff(at, prepend=-1))
        mean = y[start] + np.bincount(at, w * (y - y[start][at]))
        r = y - mean[at]
        Z = np.zeros((2, len(self.y)))
        Z[:, rows] = w, w * r
        mixed = np.maximum.reduceat(y, start) > np.minimum.reduceat(y, start)
        Q = np.bincount(at, w * r**2).astype(float)
        return Summary(mean[:, None], Q, mixed, Z)

    def purity(self, S: FloatArray) -> FloatArray:
        return np.asarray(S[1] ** 2 / np.maximum(S[0], LEAST))


CRITERIA = ("gini", "entropy")


# --- The tree --------------------------------------------------------------------------


class Tree(NamedTuple):
    """A tree as parallel arrays over its nodes, numbered depth by depth; node 0 is the root.

    A leaf has feature = left = right = −1, threshold = NaN and gain = 0.
    """

    feature: IntArray
    threshold: FloatArray
    left: IntArray
    right: IntArray
    value: FloatArray  # (nodes, K) class proportions, or (nodes, 1) the mean
    n: IntArray  # samples of positive weight
    impurity: FloatArray
    gain: FloatArray  # impurity minus the weighted mean impurity of the two children
    depth: IntArray

    def cut(self, depth: int) -> Tree:
        """The same tree grown to `depth` only."""
        kept = Tree._make(field[self.depth <= depth] for field in self)
        leaf = (kept.feature < 0) | (kept.depth == depth)
        return kept._replace(
            feature=np.where(leaf, -1, kept.feature),
            threshold=np.where(leaf, np.nan, kept.threshold),
            left=np.where(leaf, -1, kept.left),
            right=np.where(leaf, -1, kept.right),
            gain=np.where(leaf, 0.0, kept.gain),
        )

    def walk(self, X: FloatArray) -> Iterator[IntArray]:
        """The node of every row of X: at the root, one question later, … , in its leaf."""
        node = np.zeros(len(X), dtype=np.intp)
        moving = np.arange(len(X))
        yield node
        while True:
            moving = moving[self.feature[node[moving]] >= 0]
            if not moving.size:
                return
            at = node[moving]
            left = X[moving, self.feature[at]] <= self.threshold[at]
            node = node.copy()
            node[moving] = np.where(left, self.left[at], self.right[at])
            yield node

    def apply(self, X: FloatArray) -> IntArray:
        """The leaf that each row of X falls into."""
        *_, leaf = self.walk(X)
        return leaf

    def visited(self, X: FloatArray) -> BoolArray:
        """(n, nodes): does row i pass through node j?"""
        passes = np.zeros((len(X), len(self.n)), dtype=bool)
        for node in self.walk(X):
            passes[np.arange(len(X)), node] = True
        return passes

    def boxes(self, low: ArrayLike, high: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """The region of every node, cut from low ≤ x ≤ high: two corners (nodes, d) each."""
        lower = np.tile(np.asarray(low, dtype=float), (len(self.n), 1))
        upper = np.tile(np.asarray(high, dtype=float), (len(self.n), 1))
        for node in np.flatnonzero(self.feature >= 0):  # parents come before their children
            j, theta, left, right = (self[i][node] for i in range(4))
            lower[[left, right]], upper[[left, right]] = lower[node], upper[node]
            upper[left, j] = min(theta, upper[node, j])
            lower[right, j] = max(theta, lower[node, j])
        return lower, upper


# --- Growth ----------------------------------------------------------------------------


class Candidates(NamedTuple):
    """Every split that was weighed at one level.

    Columns i with start[k] ≤ i < start[k + 1] belong to the k-th node that was searched. In
    row c they hold its samples sorted by feature[c, k]: `value` holds what they measure, and
    gain[c, i] is the gain of a cut between i and i + 1, or −∞ where none is allowed.
    """

    node: IntArray
    start: IntArray
    feature: IntArray
    value: FloatArray
    gain: FloatArray

    def of(self, node: int) -> tuple[IntArray, FloatArray, FloatArray]:
        """Feature, threshold and gain of every split of one node; none if it was not searched."""
        at = np.repeat(np.arange(len(self.node)), np.diff(self.start))
        c, i = np.nonzero((self.gain > -np.inf) & (self.node[at] == node))
        threshold = halfway(self.value[c, i], self.value[c, i + 1])
        return self.feature[c, at[i]], threshold, self.gain[c, i]


class Level(NamedTuple):
    """The nodes of one depth, the split each of them was given, and what else was weighed.

    `node` is their number, `tree` the tree they belong to; the other fields are those of
    `Tree`. Nodes that are not split have feature −1.
    """

    node: IntArray
    tree: IntArray
    feature: IntArray
    threshold: FloatArray
    left: IntArray
    right: IntArray
    value: FloatArray
    n: IntArray
    impurity: FloatArray
    gain: FloatArray
    depth: IntArray
    candidates: Candidates | None  # None if no node of the level could be split


def assemble(levels: Iterable[Level]) -> list[Tree]:
    """The trees whose growth these levels are, so far as it goes."""
    # A level's candidates are as large as the data: drop them while the trees grow.
    levels = [level._replace(candidates=None) for level in levels]
    names = ("node", "tree", *Tree._fields)
    field = {name: np.concatenate([getattr(z, name) for z in levels]) for name in names}
    node, root = field.pop("node"), field.pop("tree")
    size = np.bincount(root)
    order = np.lexsort((node, root))
    number = np.empty(len(node), dtype=np.intp)
    number[node[order]] = np.concatenate([np.arange(k) for k in size])
    for side in ("left", "right"):
        child = field[side]
        field[side] = np.where((child >= 0) & (child < len(node)), number[child % len(node)], -1)
    parts = {name: np.split(x[order], np.cumsum(size)[:-1]) for name, x in field.items()}
    trees = (Tree(**{name: x[t] for name, x in parts.items()}) for t in range(len(size)))
    return [tree.cut(int(tree.depth.max())) for tree in trees]


class Limits(NamedTuple):
    """When to stop, and how many features to try in a node."""

    max_depth: float
    min_samples_split: int
    min_samples_leaf: int
    max_features: int


def halfway(a: FloatArray, b: FloatArray) -> FloatArray:
    """The middle θ of a < b, with a ≤ θ < b also where rounding would make it b."""
    middle = a / 2 + b / 2  # a + b could overflow
    return np.where((a <= middle) & (middle < b), middle, a)


def grow_steps(
    X: FloatArray,
    criterion: Criterion,
    limits: Limits,
    rngs: Sequence[np.random.Generator],
) -> Iterator[Level]:
    """Grow a tree one depth at a time: split each node where the information gain is largest.

    Each column is sorted once. `order[j]` lists the samples node by node, sorted by feature j
    within each. When a level splits, all that go left move to the front and all that go right
    to the back, both in their old order: so every new node is sorted as well. One cumulative
    sum along `order` then weighs all splits of all nodes of a level.

    A mixed node is split even if no split gains anything: in XOR only the second one does.

    Samples of weight 0 are left out. With m generators, m trees grow side by side on the same
    X, and the criterion holds m targets and m weights for each of its rows, tree by tree.
    """
    m, (n, d) = len(rngs), X.shape
    order = np.argsort(X.T, axis=1, kind="stable")
    order = (order[:, None] + n * np.arange(m)[:, None]).reshape(d, m * n)
    X = np.tile(X, (m, 1))
    half = np.where(criterion.w > 0, 0, 2).astype(np.int8)  # left or right half; 2: in a leaf
    rows, node, tree = np.flatnonzero(criterion.w > 0), np.arange(m), np.arange(m)
    count, depth, total = np.bincount(rows // n, minlength=m), 0, m
    while node.size:
        at = np.repeat(np.arange(len(node)), count)
        held = criterion.summarize(rows, at)
        enough = max(limits.min_samples_split, 2 * limits.min_samples_leaf)
        search = held.mixed & (count >= enough) & (depth < limits.max_depth)
        half[rows[~search[at]]] = 2
        order = _partition(order, half)

        feature, threshold = np.full(len(node), -1), np.full(len(node), np.nan)
        gain, weighed = np.zeros(len(node)), None
        if search.any():
            start = np.concatenate([[0], np.cumsum(count[search])])
            drawn = _draw_features(X, order, start, limits.max_features, tree[search], rngs)
            weighed = _weigh(X, order, node[search], start, drawn, held.Z, criterion, limits)
            found = _choose(weighed, TIE * held.impurity[search])
            feature[search], threshold[search], gain[search] = found

        split = feature >= 0
        left = np.where(split, total + 2 * np.cumsum(split) - 2, -1)
        right = np.where(split, left + 1, -1)
        yield Level(
            *(node, tree, feature, threshold, left, right),
            *(held.value, count, held.impurity, gain, np.full(len(node), depth)),
            candidates=weighed,
        )
        half[rows] = np.where(split[at], X[rows, feature[at]] > threshold[at], 2)
        on_left = np.bincount(at[half[rows] == 0], minlength=len(node))
        count = np.concatenate([on_left[split], (count - on_left)[split]])
        node, tree = np.concatenate([left[split], right[split]]), np.tile(tree[split], 2)
        rows = _partition(rows[None], half)[0]
        depth, total = depth + 1, total + len(node)


def _partition(order: IntArray, half: NDArray[np.int8]) -> IntArray:
    """Every row of `order` with its left half first, then its right half; leaves drop out."""
    at = half[order]
    parts = [order[at == h].reshape(len(order), -1) for h in (0, 1)]
    return np.concatenate(parts, axis=1)


def _draw_features(
    X: FloatArray,
    order: IntArray,
    start: IntArray,
    c: int,
    tree: IntArray,
    rngs: Sequence[np.random.Generator],
) -> IntArray:
    """(c, nodes): every node's own draw of c features; those constant in it come last."""
    d, nodes = len(order), len(tree)
    j = np.arange(d)[:, None]
    if c == d:
        return np.tile(j, nodes)
    key = np.empty((d, nodes))
    for t, rng in enumerate(rngs):
        mine = np.flatnonzero(tree == t)
        key[:, mine] = rng.random((d, len(mine)))
    constant = X[order[:, start[:-1]], j] == X[order[:, start[1:] - 1], j]
    return np.sort(np.argsort(key + constant, axis=0)[:c], axis=0)


def _weigh(
    X: FloatArray,
    order: IntArray,
    node: IntArray,
    start: IntArray,
    feature: IntArray,
    Z: FloatArray,
    criterion: Criterion,
    limits: Limits,
) -> Candidates:
    """The gain of every split of every node of a level."""
    count = np.diff(start)
    at = np.repeat(np.arange(len(node)), count)
    asked = feature[:, at]
    columns = order if len(feature) == len(order) else order[asked, np.arange(len(at))]
    value = X.ravel().take(columns * X.shape[1] + asked)

    L = np.take(Z, columns, axis=1)
    S = np.add.reduceat(L[:, 0], start[:-1], axis=1)
    L[:, :, start[1:-1]] -= S[:, None, :-1]  # the cumulative sum begins anew in every node
    np.cumsum(L, axis=2, out=L)
    P = criterion.purity
    gain = P(L) + P(S[:, None, at] - L) - P(S)[at]

    n_left = np.arange(1, len(at) + 1) - start[at]
    allowed = np.minimum(n_left, count[at] - n_left) >= limits.min_samples_leaf
    gain[~(allowed & (value < np.roll(value, -1, axis=1)))] = -np.inf
    return Candidates(node, start, feature, value, gain)


def _choose(weighed: Candidates, tie: FloatArray) -> tuple[IntArray, FloatArray, FloatArray]:
    """Feature, threshold and gain of the best split of each node; feature −1 if it has none."""
    _, start, feature, value, gain = weighed
    nodes = np.arange(len(start) - 1)
    at = np.repeat(nodes, np.diff(start))
    best = np.maximum.reduceat(gain, start[:-1], axis=1)
    top = best.max(axis=0)
    c = np.argmax(best >= top - tie, axis=0)
    near = np.flatnonzero(gain[c[at], np.arange(len(at))] >= (top - tie)[at])
    i = near[np.searchsorted(near, start[:-1])]
    found = top > -np.inf
    threshold = halfway(value[c, i], value[c, np.minimum(i + 1, start[1:] - 1)])
    return (
        np.where(found, feature[c, nodes], -1),
        np.where(found, threshold, np.nan),
        np.where(found, np.maximum(top, 0.0), 0.0),
    )


# --- The estimators --------------------------------------------------------------------


class _DecisionTree(Estimator):
    """What the two trees share: the limits, and the questions a grown tree answers."""

    tree_: Tree

    def __init__(
        self,
        *,
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        max_features: int | str | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_features = max_features
        self.random_state = random_state

    def _limits(self, d: int) -> Limits:
        depth = self.max_depth
        return Limits(
            np.inf if depth is None else check_integer("max_depth", depth),
            check_integer("min_samples_split", self.min_samples_split, at_least=2),
            check_integer("min_samples_leaf", self.min_samples_leaf),
            features_per_node(self.max_features, d),
        )

    def _grow(self, X: FloatArray, criterion: Criterion) -> Iterator[Level]:
        rng = check_generator(self.random_state)
        return grow_steps(X, criterion, self._limits(X.shape[1]), [rng])

    def apply(self, X: ArrayLike) -> IntArray:
        """The leaf that each row of X falls into."""
        return self.tree_.apply(self._start_predict(X))

    def decision_path(self, X: ArrayLike) -> BoolArray:
        """(n, nodes): does row i pass through node j?"""
        return self.tree_.visited(self._start_predict(X))

    def _leaf_values(self, X: ArrayLike) -> FloatArray:
        return self.tree_.value[self.apply(X)]

    def explain(self, x: ArrayLike, feature_names: Sequence[str] | None = None) -> str:
        """The way of one sample through the tree, in words."""
        A = self._start_predict(np.reshape(np.asarray(x), (1, -1)))
        tree, names = self.tree_, _names(self, feature_names)
        lines = []
        for node, child in itertools.pairwise(int(node[0]) for node in tree.walk(A)):
            j, theta = tree.feature[node], tree.threshold[node]
            sign, way = ("≤", "left") if child == tree.left[node] else (">", "right")
            lines.append(f"{names[j]} = {A[0, j]:.4g} {sign} {theta:.4g}: go {way}")
        return "\n".join([*lines, f"leaf: {self._describe(int(tree.apply(A)[0]))}"])

    @abstractmethod
    def _describe(self, node: int) -> str:
        """The prediction of one leaf, in words."""


class DecisionTreeClassifier(_DecisionTree, Classifier):
    """A tree that splits where the (weighted) Gini impurity or entropy falls most.

        max over features j and thresholds θ of   Q(S) − |L|/|S| Q(L) − |R|/|S| Q(R),
        L = {i ∈ S: xᵢⱼ ≤ θ},  R = S \\ L,  |S| = Σ_{i ∈ S} wᵢ

    until a node is pure or a limit is met. p(c|x) is the proportion of class c among the
    samples in the leaf of x. `max_features` (a number, or "sqrt") is how many features a node
    may choose from, drawn anew for every node.
    """

    def __init__(
        self,
        *,
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        max_features: int | str | None = None,
        random_state: RandomState = None,
    ) -> None:
        super().__init__(
            max_depth=max_depth,
            min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf,
            max_features=max_features,
            random_state=random_state,
        )
        self.criterion = criterion

    def grow_steps(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Iterator[Level]:
        """The growth that `fit` runs to its end, one level at a time."""
        A, codes = self._start_fit_labels(X, y)
        w = check_sample_weight(sample_weight, len(A))
        kind = check_choice("criterion", self.criterion, CRITERIA)
        return self._grow(A, ClassImpurity(codes, w, len(self.classes_), kind))

    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> DecisionTreeClassifier:
        """Grow the tree; samples of weight 0 are left out."""
        (self.tree_,) = assemble(self.grow_steps(X, y, sample_weight))
        return self

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """(n, K): the class proportions in the leaf of each row."""
        return self._leaf_values(X)

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """The most frequent class in the leaf of each row; the first of equals."""
        return self.classes_[np.argmax(self.predict_proba(X), axis=1)]

    def _describe(self, node: int) -> str:
        p = self.tree_.value[node]
        shares = ", ".join(f"{c}: {q:.3g}" for c, q in zip(self.classes_, p, strict=True) if q > 0)
        return f"{self.classes_[np.argmax(p)]} ({shares}; n = {self.tree_.n[node]})"


class DecisionTreeRegressor(_DecisionTree, Regressor):
    """A tree that splits where the (weighted) squared error falls most.

    As `DecisionTreeClassifier`, with Q(S) the variance of y in S; f(x) is the mean of the leaf.
    """

    def grow_steps(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Iterator[Level]:
        """The growth that `fit` runs to its end, one level at a time."""
        A, target = self._start_fit_target(X, y)
        return self._grow(A, SquaredError(target, check_sample_weight(sample_weight, len(A))))

    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> DecisionTreeRegressor:
        """Grow the tree; samples of weight 0 are left out."""
        (self.tree_,) = assemble(self.grow_steps(X, y, sample_weight))
        return self

    def predict(self, X: ArrayLike) -> FloatArray:
        """The mean of the leaf of each row."""
        return self._leaf_values(X)[:, 0]

    def _describe(self, node: int) -> str:
        return f"{self.tree_.value[node, 0]:.4g} (n = {self.tree_.n[node]})"


def features_per_node(max_features: int | str | None, d: int) -> int:
    """`max_features` as a number: all of the d features for None, √d for "sqrt"."""
    if max_features is None:
        return d
    if isinstance(max_features, str):
        check_choice("max_features", max_features, ("sqrt",))
        return max(1, math.isqrt(d))
    return check_integer("max_features", max_features, at_most=d)


def export_text(
    model: DecisionTreeClassifier | DecisionTreeRegressor,
    feature_names: Sequence[str] | None = None,
) -> str:
    """The tree as text, one node a line, children indented under their question."""
    tree, names = model.tree_, _names(model, feature_names)

    def lines(node: int, indent: str) -> Iterator[str]:
        if tree.feature[node] < 0:
            yield f"{indent}{model._describe(node)}"
            return
        question, theta = names[tree.feature[node]], tree.threshold[node]
        for sign, child in (("≤", tree.left[node]), (">", tree.right[node])):
            yield f"{indent}{question} {sign} {theta:.4g}"
            yield from lines(int(child), indent + "|   ")

    return "\n".join(lines(0, ""))


def _names(model: _DecisionTree, feature_names: Sequence[str] | None) -> Sequence[str]:
    d = model.n_features_in_
    names = feature_names
    if names is None:
        names = getattr(model, "feature_names_in_", [f"x[{j}]" for j in range(d)])
    if len(names) != d:
        raise ValueError(f"feature_names must hold {d} names, but it holds {len(names)}.")
    return names
