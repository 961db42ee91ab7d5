"""`source`: the code that runs, shown where it is explained."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable
from typing import Any

from IPython.display import Markdown


def source(function: Callable[..., Any] | type) -> Markdown:
    """The source of a function, method or class of mlcore, highlighted."""
    where = f"{function.__module__}.{function.__qualname__}"
    code = textwrap.dedent(inspect.getsource(function)).rstrip()
    return Source(f"`{where}`\n\n```python\n{code}\n```", where)


class Source(Markdown):
    """Markdown whose plain text is the name of what it shows, and no memory address."""

    def __init__(self, text: str, where: str) -> None:
        super().__init__(text)
        self.where = where

    def __repr__(self) -> str:
        return f"source of {self.where}"
