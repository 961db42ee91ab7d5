"""The exact regularisation path: the solution for *every* C at once.

As C grows, α(C) moves along straight lines. While the same points stay free, at 0 and at C, the
KKT conditions are linear equations in (α, b, C); a line ends where one more point reaches its
margin, or a free α reaches 0 or C. So the path is a list of breakpoints with a slope each.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlcore.svm.dual import check_problem, intercept, intercept_interval, may_fall, may_rise
from mlcore.validation import ConvergenceWarning, FloatArray, IntArray, check_number

TIE = 1e-11  # what differs by less than this, relative to its size, is equal


class Segment(NamedTuple):
    """For start ≤ C ≤ end: α(C) = offset + C · slope."""

    start: float
    end: float
    offset: FloatArray
    slope: FloatArray

    def alpha(self, C: float) -> FloatArray:
        """α at a C inside the segment; exactly 0 and exactly C where it is so."""
        return np.clip(self.offset + C * self.slope, 0, C)


class RegularizationPath:
    """max_α 1ᵀα − ½αᵀQα s.t. 0 ≤ α ≤ C, yᵀα = 0, solved for every C up to `C_max`.

    `C_max` is ∞ where the path ended by itself: behind its last breakpoint α keeps its slope.
    For separable classes that slope is 0, and α is the hard-margin solution.
    """

    def __init__(self, K: FloatArray, y: FloatArray, segments: list[Segment], C_max: float) -> None:
        self.K, self.y, self.segments, self.C_max = K, y, segments, C_max
        self.breakpoints = np.array([segment.start for segment in segments])

    def alpha(self, C: float) -> FloatArray:
        """The dual solution α(C), shape (n,)."""
        check_number("C", C, above=0, at_most=self.C_max)
        segment = self.segments[int(np.searchsorted(self.breakpoints, C, side="right")) - 1]
        return segment.alpha(C)

    def b(self, C: float) -> float:
        """The intercept b(C); the middle of its interval where no α is free."""
        alpha = self.alpha(C)
        return intercept(self.y - self.K @ (alpha * self.y), alpha, self.y, C)


def regularization_path(K: FloatArray, y: FloatArray, C_max: float = 1e6) -> RegularizationPath:
    """α(C) for the Gram matrix K and labels y = ±1, followed from C = 0 up to `C_max`.

    With a kernel that can separate anything the path runs on to C of 10¹⁰ and more, where
    rounding hides the margin: hence `C_max`.
    """
    check_number("C_max", C_max, above=0)
    K, y = check_problem(K, y)
    segments = list(path_steps(K, y, C_max))
    end = segments[-1].end
    if end < C_max:
        warnings.warn(
            f"The path has {len(segments)} breakpoints up to C = {end:g} and was not followed "
            "any further.",
            ConvergenceWarning,
            stacklevel=2,
        )
    return RegularizationPath(K, y, segments, end if end == np.inf else min(end, C_max))


def path_steps(K: FloatArray, y: FloatArray, C_max: float) -> Iterator[Segment]:
    """Walk along C from 0 on, one segment a step.

    Written in δᵢ = yᵢ dαᵢ/dC, because then bᵢ moves at the rate −(Kδ)ᵢ.
    """
    C, alpha = 0.0, np.zeros_like(y)
    delta, free = _first_direction(K, y)
    for _ in range(1000 + 100 * len(y)):
        slope = y * delta
        at_C = (alpha == C) & (slope == 1)
        step = min(_until_bound(C, alpha, slope, free), _until_margin(K, y, C, alpha, delta, free))
        yield Segment(C, C + step, np.where(at_C, 0, alpha - C * slope), slope)
        if C + step >= C_max:
            return
        alpha, C = alpha + step * slope, C + step
        alpha[at_C | (alpha > (1 - TIE) * C)] = C
        alpha[alpha < TIE * C] = 0
        delta, free = _direction(K, y, C, alpha)


def _first_direction(K: FloatArray, y: FloatArray) -> tuple[FloatArray, IntArray]:
    """The slope at C = 0, where every α is at both of its bounds.

    The smaller class goes along with C; of the larger one as much as balances it, in the
    shares that keep ‖w‖ smallest: min ½ δᵀKδ s.t. 1ᵀδ = 0, 0 ≤ yδ ≤ 1.
    """
    delta, lo, hi = y.copy(), y.copy(), y.copy()
    surplus = int(abs(y.sum()))
    if surplus:
        larger = np.flatnonzero(y == np.sign(y.sum()))
        delta[larger[:surplus]] = 0
        lo[larger], hi[larger] = np.minimum(y[larger], 0), np.maximum(y[larger], 0)
    return _box_qp(K, delta, lo, hi)


def _direction(
    K: FloatArray, y: FloatArray, C: float, alpha: FloatArray
) -> tuple[FloatArray, IntArray]:
    """The slope behind a breakpoint: points off their margin stay at 0 or go along with C.

    Points on their margin move so that they stay there, or leave it to the side that their
    bound allows: min ½ δᵀKδ over the moves they may make. With no ties one of them is new and
    this is one linear system; with ties the small quadratic problem decides who goes where.
    """
    Kv, tie = _product(K, alpha * y)
    b_i, tie = y - Kv, tie + TIE
    up, low = intercept_interval(b_i, alpha, y, C)
    delta = np.where(alpha == C, y, 0)
    free = (alpha > 0) & (alpha < C)
    delta[free] = -delta.sum() / max(1, free.sum())  # a start with 1ᵀδ = 0
    lo, hi = delta.copy(), delta.copy()
    if low - up <= tie:
        on_margin = free | (np.abs(b_i - (up + low) / 2) <= tie)
        lo[on_margin & may_fall(alpha, y, C)] = -np.inf
        hi[on_margin & may_rise(alpha, y, C)] = np.inf
    delta, free_now = _box_qp(K, delta, lo, hi)
    if np.abs(delta).max() < TIE:  # the hard margin is reached: all α rest
        delta[:] = 0
    return delta, free_now


def _box_qp(
    K: FloatArray, delta: FloatArray, lo: FloatArray, hi: FloatArray
) -> tuple[FloatArray, IntArray]:
    """min ½ δᵀKδ  s.t.  1ᵀδ = 1ᵀδ₀,  lo ≤ δ ≤ hi, exactly; and which δᵢ end up inside.

    An active-set method: step to the minimum over the δᵢ that are inside, dropping any that
    meets a bound; then let in the one at a bound that gains most, until none does.
    """
    inside = np.flatnonzero((lo < delta) & (delta < hi))
    for _ in range(100 + 10 * len(delta)):
        rates = -K @ delta  # the slope of the objective; where all inside agree is its minimum
        if inside.size:
            move = _level(K[np.ix_(inside, inside)], rates[inside])
            room = np.where(move > 0, hi[inside], lo[inside]) - delta[inside]
            reach = np.divide(room, move, out=np.full(len(move), np.inf), where=move != 0)
            first = int(reach.argmin())
            delta[inside] += min(1.0, float(reach[first])) * move
            if reach[first] < 1:
                delta[inside[first]] = (hi if move[first] > 0 else lo)[inside[first]]
                inside = np.delete(inside, first)
                continue
            rates = -K @ delta
        entering = _entering(rates, delta < hi, delta > lo, inside)
        if not entering:
            if inside.size:  # once more, to take off the rounding of a long move
                delta[inside] += _level(K[np.ix_(inside, inside)], rates[inside])
            break
        inside = np.append(inside, entering)
    return delta, inside


def _level(K: FloatArray, rates: FloatArray) -> FloatArray:
    """The move m after which all rates agree: Km + ρ1 = rates, 1ᵀm = 0."""
    m = len(rates)
    system = np.ones((m + 1, m + 1))
    system[:m, :m] = K
    system[m, m] = 0
    right = np.append(rates, 0)
    try:
        move = np.linalg.solve(system, right)
        if np.abs(system @ move - right).max() <= 1e-9 * np.abs(right).max():
            return move[:m]
    except np.linalg.LinAlgError:
        pass
    return np.linalg.lstsq(system, right, rcond=1e-13)[0][:m]  # K is flat along some direction


def _entering(
    rates: FloatArray, rises: NDArray[np.bool_], falls: NDArray[np.bool_], inside: IntArray
) -> list[int]:
    """The bound variable that gains most by moving; a pair of them if nothing else can move."""
    up, down = np.where(rises, rates, -np.inf), np.where(falls, rates, np.inf)
    tie = TIE * (1 + np.abs(rates).max())
    if not inside.size:
        i, j = int(up.argmax()), int(down.argmin())
        return [i, j] if up[i] - down[j] > tie else []
    rate = rates[inside].mean()
    gain = np.maximum(up - rate, rate - down)
    gain[inside] = 0
    best = int(gain.argmax())
    return [best] if gain[best] > tie else []


def _product(K: FloatArray, v: FloatArray) -> tuple[FloatArray, float]:
    """Kv, and the difference below which two of its entries count as equal."""
    return K @ v, TIE * float(np.abs(v) @ np.abs(K).max(axis=0))


def _until_bound(C: float, alpha: FloatArray, slope: FloatArray, free: IntArray) -> float:
    """How far C can grow until a free α reaches 0, or C itself."""
    a, d = alpha[free], slope[free]
    noise = TIE * np.abs(slope).max()
    to_zero, to_C = d < -noise, d > 1 + noise
    steps = np.concatenate([a[to_zero] / -d[to_zero], (C - a[to_C]) / (d[to_C] - 1)])
    return float(steps.min(initial=np.inf))


def _until_margin(
    K: FloatArray,
    y: FloatArray,
    C: float,
    alpha: FloatArray,
    delta: FloatArray,
    free: IntArray,
) -> float:
    """How far C can grow until another point reaches its margin: until its bᵢ meets b.

    If no point is free, b has an interval to itself: until that closes.
    """
    Kv, tie = _product(K, alpha * y)
    b_i, tie = y - Kv, tie + TIE
    rates, noise = _product(K, -delta)
    if free.size:
        gap, speed = b_i[free].mean() - b_i, rates - rates[free].mean()
        meets = (np.abs(gap) > tie) & (np.abs(speed) > noise) & (gap * speed > 0)
        steps = gap[meets] / speed[meets]
    else:
        rise, fall = may_rise(alpha, y, C), may_fall(alpha, y, C)
        if C == 0:
            rise, fall = y < 0, y > 0
        gap = b_i[fall] - b_i[rise][:, None]
        speed = rates[rise][:, None] - rates[fall]
        meets = (gap > tie) & (speed > noise)
        steps = gap[meets] / speed[meets]
    return float(steps.min(initial=np.inf))
