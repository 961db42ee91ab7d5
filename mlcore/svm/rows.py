"""The Gram matrix as a solver sees it: row by row, within a memory budget."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from mlcore.validation import FloatArray, IntArray

MEGABYTE = 1 << 20
CHUNK = 64  # rows that are summed together

Rows: TypeAlias = Callable[[IntArray], FloatArray]


class KernelRows:
    """The rows Kᵢ of a Gram matrix, computed when first asked for, kept while memory lasts.

    An SMO step looks at two rows only, and most rows belong to points that never become
    support vectors. So n² numbers are neither computed nor stored: when the memory is full,
    the row that was longest unused makes room for the new one.
    """

    def __init__(self, compute: Rows, diagonal: FloatArray, memory_mb: float) -> None:
        """`compute(I)` returns [K(xᵢ, xⱼ)] for i in I and every j; `diagonal` holds the Kᵢᵢ."""
        self._compute = compute
        self.diagonal = diagonal
        self.flat = max(1e-12 * diagonal.max(), 1e-300)  # below this a curvature is rounding
        row_and_scale = 2 * 8 * len(diagonal)  # bytes
        self.capacity = max(2, int(memory_mb * MEGABYTE / row_and_scale))  # a step needs two
        self._rows: dict[int, FloatArray] = {}
        self._scales: dict[int, FloatArray] = {}

    @classmethod
    def of_matrix(cls, K: FloatArray) -> KernelRows:
        """The rows of a Gram matrix that exists already."""
        rows = cls(lambda indices: K[indices], K.diagonal().copy(), 2 * K.nbytes / MEGABYTE)
        rows._rows = dict(enumerate(K))
        return rows

    def row(self, i: int) -> FloatArray:
        """Kᵢ = [K(xᵢ, xⱼ)] for every j."""
        row = self._rows.pop(i, None)
        if row is None:
            row = self._compute(np.array([i]))[0]
            self._make_room(self._rows)
        self._rows[i] = row  # a dict keeps its order: this one is the newest now
        return row

    def scale(self, i: int) -> FloatArray:
        """1/√ηᵢⱼ for every j, where ηᵢⱼ = Kᵢᵢ + Kⱼⱼ − 2Kᵢⱼ is the curvature along the pair."""
        scale = self._scales.pop(i, None)
        if scale is None:
            eta = self.diagonal[i] + self.diagonal - 2 * self.row(i)
            scale = np.maximum(eta, self.flat) ** -0.5
            self._make_room(self._scales)
        self._scales[i] = scale
        return scale

    def _make_room(self, kept: dict[int, FloatArray]) -> None:
        if len(kept) >= self.capacity:
            del kept[next(iter(kept))]

    def stack(self, indices: IntArray) -> FloatArray:
        """The rows i in `indices`, one below the other."""
        return np.array([self.row(i) for i in indices.tolist()])

    def combine(self, indices: IntArray, coef: FloatArray) -> FloatArray:
        """Σ cᵢ Kᵢ over the rows i in `indices`, a few at a time."""
        total = np.zeros(len(self.diagonal))
        for start in range(0, len(indices), CHUNK):
            part = slice(start, start + CHUNK)
            total += coef[part] @ self.stack(indices[part])
        return total
