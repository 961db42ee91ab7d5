"""`claim`: say what should come out, compute it, and compare in front of the reader."""

from __future__ import annotations


def claim(expected: str, came_out: str, holds: bool) -> None:
    """Print both, with a tick; a claim that does not hold stops the notebook."""
    if not holds:
        raise AssertionError(f"expected: {expected}; came out: {came_out}")
    print(f"expected  {expected}\ncame out  {came_out}  ✓")
