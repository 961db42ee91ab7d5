"""Sequential minimal optimisation: the dual, two multipliers at a time.

    max_α  1ᵀα − ½ αᵀQα      s.t.  0 ≤ α ≤ C,  yᵀα = 0           Qᵢⱼ = yᵢyⱼ Kᵢⱼ

One α cannot move alone, because of yᵀα = 0. Two can: αᵢ += yᵢt and αⱼ −= yⱼt keep the sum.
Along t the objective is the parabola (bᵢ − bⱼ)t − ½ηt² with η = Kᵢᵢ + Kⱼⱼ − 2Kᵢⱼ, so its top is
at t = (bᵢ − bⱼ)/η, clipped where the pair meets the box. `mlcore.svm.dual` explains bᵢ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from mlcore.svm.dual import Interval, check_problem, may_fall, may_rise, project
from mlcore.svm.rows import KernelRows
from mlcore.validation import (
    FloatArray,
    IntArray,
    RandomState,
    check_choice,
    check_generator,
    check_number,
)

FACE_EVERY = 20  # pair steps between two Newton steps, if their cost allows it
FACE_ROUNDS = 3000  # systems × unknowns that one Newton step may solve
FACE_SIZE = 10_000_000  # kernel values of the free points that a Newton step may hold: 80 MB


class PairStep(NamedTuple):
    """One pair moved along its diagonal of the box [0, C]²."""

    i: int
    j: int
    before: tuple[float, float]  # (αᵢ, αⱼ) where the step began
    target: tuple[float, float]  # the top of the parabola, in or out of the box
    L: float  # the diagonal crosses the box for L ≤ αⱼ ≤ H
    H: float
    alpha: FloatArray  # all of α after the step
    interval: Interval  # what the KKT conditions ask of b after the step


class FaceStep(NamedTuple):
    """All free multipliers moved at once: Newton's step over the face of the box they are in."""

    free: IntArray  # where 0 < α < C before the step
    rounds: int  # linear systems solved: one, and one for each α that met its bound
    alpha: FloatArray
    interval: Interval


def pair_bounds(
    alpha_i: float, alpha_j: float, same_label: bool, C_i: float, C_j: float
) -> tuple[float, float]:
    """L, H: the diagonal through (αᵢ, αⱼ) lies in the box [0, Cᵢ]×[0, Cⱼ] for L ≤ αⱼ ≤ H.

    Equal labels keep αᵢ + αⱼ, unequal ones keep αⱼ − αᵢ.
    """
    if same_label:
        total = alpha_i + alpha_j
        return max(0.0, total - C_i), min(C_j, total)
    difference = alpha_j - alpha_i
    return max(0.0, difference), min(C_j, C_i + difference)


class _State:
    """α, and bᵢ twice: `up` where yᵢαᵢ may rise (−∞ elsewhere), `low` where it may fall (+∞).

    A point may always do one of the two, so none of the bᵢ is lost.
    """

    def __init__(
        self, rows: KernelRows, y: FloatArray, C: FloatArray, alpha: FloatArray, tol: float
    ) -> None:
        self.rows, self.y, self.C, self.alpha, self.tol = rows, y, C, alpha, tol
        self.y_of, self.C_of = y.tolist(), C.tolist()  # plain floats are quicker one by one
        self.b_twice = np.empty((2, len(y)))
        self.up, self.low = self.b_twice
        self.work = np.empty(len(y))
        self.refresh()

    def refresh(self) -> None:
        """bᵢ = yᵢ − Σⱼ αⱼyⱼKᵢⱼ from scratch: many small updates leave rounding behind."""
        support = np.flatnonzero(self.alpha)
        self.assign(self.y - self.rows.combine(support, (self.alpha * self.y)[support]))
        self.fresh = True

    def assign(self, b_i: FloatArray) -> None:
        """Sort the bᵢ into the two sets."""
        self.up[:] = np.where(may_rise(self.alpha, self.y, self.C), b_i, -np.inf)
        self.low[:] = np.where(may_fall(self.alpha, self.y, self.C), b_i, np.inf)
        self.look()

    def look(self) -> None:
        """Where the KKT conditions stand now."""
        self.fresh = False
        self.top = int(self.up.argmax())
        self.interval = Interval(float(self.up[self.top]), float(self.low.min()))

    def put(self, i: int, alpha_i: float) -> None:
        """Set one α; its point may enter or leave the two sets."""
        b_i = self.up[i] if self.up[i] > -np.inf else self.low[i]
        below, above = alpha_i < self.C_of[i], alpha_i > 0
        rises, falls = (below, above) if self.y_of[i] > 0 else (above, below)
        self.alpha[i] = alpha_i
        self.up[i] = b_i if rises else -np.inf
        self.low[i] = b_i if falls else np.inf

    def optimal(self) -> bool:
        """Whether the KKT conditions hold to the tolerance, rounding put aside."""
        if self.interval.violation <= self.tol and not self.fresh:
            self.refresh()
        return self.interval.violation <= self.tol


def _first_order(state: _State, rng: np.random.Generator) -> tuple[int, int]:
    """The pair that violates the KKT conditions most: the steepest direction."""
    return state.top, int(state.low.argmin())


def _second_order(state: _State, rng: np.random.Generator) -> tuple[int, int]:
    """The steepest i, then the j for which the step gains most: (bᵢ − bⱼ)²/2η."""
    i = state.top
    np.subtract(state.up[i], state.low, out=state.work)
    state.work *= state.rows.scale(i)
    return i, int(state.work.argmax())


def _random_pair(state: _State, rng: np.random.Generator) -> tuple[int, int]:
    """Any pair that violates the KKT conditions by more than the tolerance."""
    i = rng.choice(np.flatnonzero(state.up > state.interval.low + state.tol))
    j = rng.choice(np.flatnonzero(state.low < state.up[i] - state.tol))
    return int(i), int(j)


PAIR_RULES: dict[str, Callable[[_State, np.random.Generator], tuple[int, int]]] = {
    "second order": _second_order,
    "first order": _first_order,
    "random": _random_pair,
}


def smo_steps(
    K: FloatArray | KernelRows,
    y: FloatArray,
    C: FloatArray | float,
    tol: float = 1e-3,
    alpha0: FloatArray | None = None,
    *,
    rule: str = "second order",
    newton: bool = False,
    random_state: RandomState = None,
) -> Iterator[PairStep | FaceStep]:
    """Climb the dual until no pair violates the KKT conditions by more than `tol`.

    K is the Gram matrix or its rows, y holds ±1, C is one bound or one for each point (∞ for
    a hard margin). `alpha0` is where to start: the nearest feasible point to it. `rule` says
    how the pair is chosen. With `newton`, all free α step at once now and then, which saves
    most of the pair steps where those crawl: large C, or a kernel of low rank.

    Stops by itself, or where rounding lets no pair move. Each step's `alpha` is a copy.
    """
    check_number("tol", tol, above=0)
    choose = PAIR_RULES[check_choice("rule", rule, tuple(PAIR_RULES))]
    rng = check_generator(random_state)
    if not isinstance(K, KernelRows):
        K, y = check_problem(K, y)
        K = KernelRows.of_matrix(K)
    C = np.broadcast_to(np.asarray(C, float), y.shape)
    alpha = np.zeros_like(y) if alpha0 is None else project(alpha0, y, C)
    state = _State(K, y, C, alpha, tol)
    pairs, since, face_cost, polished = 0, 0, 0.0, not newton
    while not (optimal := state.optimal()) or not polished:
        if newton and (optimal or (since >= FACE_EVERY and face_cost <= pairs)):
            polished = polished or optimal  # a last step takes off what the tolerance left
            face = _face_step(state)
            # in units of a pair step, which costs about n: each system costs about m³
            m = len(face.free)
            face_cost += 5 + m / 10 + face.rounds * m**3 / (100 * len(y) + 1e5)
            since = 0
            if face.rounds:
                yield face
        else:
            pair = _pair_step(state, *choose(state, rng))
            pairs, since = pairs + 1, since + 1
            if pair.before == (pair.alpha[pair.i], pair.alpha[pair.j]):
                return
            yield pair


def _pair_step(state: _State, i: int, j: int) -> PairStep:
    """Move αᵢ and αⱼ to the best point of their diagonal."""
    K_i, K_j = state.rows.row(i), state.rows.row(j)
    diagonal = state.rows.diagonal
    eta = max(diagonal[i] + diagonal[j] - 2 * K_i[j], state.rows.flat)
    t = float((state.up[i] - state.low[j]) / eta)

    a_i, a_j = before = float(state.alpha[i]), float(state.alpha[j])
    y_i, y_j, C_i, C_j = state.y_of[i], state.y_of[j], state.C_of[i], state.C_of[j]
    target = a_i + y_i * t, a_j - y_j * t
    L_i, H_i = pair_bounds(a_j, a_i, y_i == y_j, C_j, C_i)
    L, H = pair_bounds(a_i, a_j, y_i == y_j, C_i, C_j)
    new_i = min(max(target[0], L_i), H_i)  # clipping both lets each land exactly on 0 or C
    new_j = min(max(target[1], L), H)

    np.subtract(K_i, K_j, out=state.work)
    state.work *= y_i * (new_i - a_i)
    state.b_twice -= state.work
    state.put(i, new_i)
    state.put(j, new_j)
    state.look()
    return PairStep(i, j, before, target, L, H, state.alpha.copy(), state.interval)


def _face_step(state: _State) -> FaceStep:
    """Newton's step for all free α at once, the bound ones staying where they are."""
    free = np.flatnonzero((state.alpha > 0) & (state.alpha < state.C))
    if len(free) < 2 or len(free) * len(state.y) > FACE_SIZE:
        return FaceStep(free, 0, state.alpha.copy(), state.interval)
    K = state.rows.stack(free)
    alpha, rounds = _climb_face(
        K[:, free], state.up[free], state.alpha[free], state.y[free], state.C[free], state.rows.flat
    )
    b_i = np.where(state.up > -np.inf, state.up, state.low)
    b_i -= (state.y[free] * (alpha - state.alpha[free])) @ K
    state.alpha[free] = alpha
    state.assign(b_i)
    return FaceStep(free, rounds, state.alpha.copy(), state.interval)


def _climb_face(
    K: FloatArray, b_i: FloatArray, alpha: FloatArray, y: FloatArray, C: FloatArray, flat: float
) -> tuple[FloatArray, int]:
    """The top of the objective over free α with yᵀα kept, and the number of systems solved.

    With δᵢ = yᵢΔαᵢ the top is where all bᵢ agree: Kδ + b1 = bᵢ, 1ᵀδ = 0. A step ends where the
    first α meets its bound; that one stays there and the others go on. A small ridge makes
    directions solvable along which K is flat: such a step is long, and ends at a bound.
    """
    inside, rounds = np.arange(len(alpha)), 0
    while rounds < max(1, FACE_ROUNDS // len(alpha)):
        m, rounds = len(inside), rounds + 1
        system = np.ones((m + 1, m + 1))
        system[:m, :m] = K[np.ix_(inside, inside)]
        system[range(m), range(m)] += flat
        system[m, m] = 0
        delta = np.linalg.solve(system, np.append(b_i[inside], 0))[:m]

        change, now = y[inside] * delta, alpha[inside]
        room = np.where(change > 0, C[inside] - now, now)
        reach = np.divide(room, np.abs(change), out=np.full(m, np.inf), where=change != 0)
        fraction = min(1.0, float(reach.min()))
        alpha[inside] = np.clip(now + fraction * change, 0, C[inside])
        if fraction == 1:
            break
        met = reach <= fraction * (1 + 1e-14)  # several may meet their bounds together
        alpha[inside[met]] = np.where(change > 0, C[inside], 0)[met]
        if m - met.sum() < 2:
            break
        b_i = b_i - fraction * (K[:, inside] @ delta)
        inside = inside[~met]
    return alpha, rounds
