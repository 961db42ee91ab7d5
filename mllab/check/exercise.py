"""What an exercise is, and how an answer to it is judged.

An answer is judged by what it does: it runs on fixed and random cases and must agree with the
reference. If it does not, it is compared with the mistakes that people usually make here; when
it behaves like one of them on every case, the hint names that mistake.
"""

from __future__ import annotations

import html
import inspect
import textwrap
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from mllab.source import Source

Case = tuple[Any, ...]


class Mistake(NamedTuple):
    """A typical wrong answer, and the sentence that helps whoever gave it."""

    answer: Callable[..., Any]
    hint: str


SIGNS = {"right": "✓", "unwritten": "✎", "wrong": "✗"}
COLORS = {"right": "#009E73", "unwritten": "#6B6B6B", "wrong": "#D55E00"}


class Verdict:
    """What `check` answers: right, not written yet, or wrong in this way."""

    def __init__(self, status: str, message: str) -> None:
        self.status = status  # "right", "unwritten" or "wrong"
        self.message = message

    def __repr__(self) -> str:
        return f"{SIGNS[self.status]} {self.message}"

    def _repr_html_(self) -> str:
        text = html.escape(repr(self)).replace("\n", "<br>")
        return (
            f'<div style="border-left: 4px solid {COLORS[self.status]}; padding: 4px 12px; '
            f'white-space: pre-wrap">{text}</div>'
        )


class Exercise:
    """One exercise: the reference answer, cases to try, hints and usual mistakes.

    `cases()` returns argument tuples, smallest first; they are made afresh for every call, so
    an answer that changes its arguments spoils nothing. `same(answer, expected)` compares.
    """

    def __init__(
        self,
        reference: Callable[..., Any],
        cases: Callable[[], Sequence[Case]],
        *,
        hints: Sequence[str],
        mistakes: Sequence[Mistake],
        same: Callable[[Any, Any], bool] | None = None,
    ) -> None:
        self.name = reference.__name__
        self.reference, self.cases, self.hints = reference, cases, hints
        self.mistakes = mistakes
        self.same = same or _same
        self._hinted = 0

    def __call__(self, answer: Callable[..., Any]) -> Verdict:
        """Judge an answer."""
        if not callable(answer):
            return Verdict("wrong", f"{self.name}: hand over the function itself, without ().")
        for case in self.cases():
            verdict = self._judge(answer, case)
            if verdict is not None:
                return verdict
        return Verdict("right", f"{self.name}: right on all {len(self.cases())} cases.")

    def hint(self) -> Verdict:
        """The next hint; after the last one, the first again."""
        number = self._hinted % len(self.hints)
        self._hinted += 1
        return Verdict("unwritten", f"hint {number + 1} of {len(self.hints)}: {self.hints[number]}")

    def solution(self) -> Source:
        """The reference answer."""
        code = textwrap.dedent(inspect.getsource(self.reference)).rstrip()
        return Source(f"```python\n{code}\n```", self.name)

    def _judge(self, answer: Callable[..., Any], case: Case) -> Verdict | None:
        """None if the answer is right on this case."""
        shown = _show_case(self.reference, case)
        expected = self.reference(*_copies(case))
        try:
            given = answer(*_copies(case))
        except Exception as error:
            stop = f"{type(error).__name__}: {error}"
            return Verdict("wrong", f"{self.name}: on {shown}\nyour code stops: {stop}")
        if given is None or given is ...:
            return Verdict("unwritten", f"{self.name}: not written yet.")
        if self._agree(given, expected):
            return None
        return Verdict(
            "wrong",
            f"{self.name}: on {shown}\nyours: {_show(given)}\nright: {_show(expected)}\n"
            f"{self._diagnosis(answer)}",
        )

    def _agree(self, given: Any, expected: Any) -> bool:
        try:
            return bool(self.same(given, expected))
        except Exception:
            return False  # of another type or shape: not the same

    def _diagnosis(self, answer: Callable[..., Any]) -> str:
        for mistake in self.mistakes:
            if all(
                self._agree(_outcome(answer, case), _outcome(mistake.answer, case))
                for case in self.cases()
            ):
                return f"Hint: {mistake.hint}"
        return f"Hint: {self.hints[0]}"


def _outcome(function: Callable[..., Any], case: Case) -> Any:
    try:
        return function(*_copies(case))
    except Exception as error:
        return type(error).__name__


def _copies(case: Case) -> Case:
    return tuple(a.copy() if isinstance(a, np.ndarray) else a for a in case)


def _same(given: Any, expected: Any) -> bool:
    """Equal text, or numbers of the same shape that agree to nine digits; tuples part by part."""
    if isinstance(expected, tuple) and isinstance(given, tuple | list):
        return len(given) == len(expected) and all(map(_same, given, expected))
    if isinstance(expected, str) or isinstance(given, str):
        return type(given) is type(expected) and given == expected
    given, expected = np.asarray(given), np.asarray(expected)
    if given.shape != expected.shape:
        return False
    if expected.dtype.kind in "US":
        return bool((given == expected).all())
    return bool(np.allclose(given, expected, rtol=1e-9, atol=1e-9))


def _show_case(function: Callable[..., Any], case: Case) -> str:
    names = list(inspect.signature(function).parameters)
    return ", ".join(f"{name} = {_show(value)}" for name, value in zip(names, case, strict=False))


def _show(value: Any) -> str:
    if callable(value):
        return getattr(value, "__name__", "a function")
    if isinstance(value, tuple):
        return f"({', '.join(_show(part) for part in value)})"
    text = np.array2string(np.asarray(value), precision=4, threshold=20, separator=", ")
    return " ".join(text.split())
