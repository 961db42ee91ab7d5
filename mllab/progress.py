"""`progress`: a bar for work that takes more than a moment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

import ipywidgets as widgets
from IPython.display import display

Step = TypeVar("Step")


class Bar(widgets.IntProgress):
    """A progress bar that leaves one line of fixed text in the notebook's file."""

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        bundle = dict(super()._repr_mimebundle_(**kwargs) or {})
        bundle["text/plain"] = f"{self.description} ({self.max} steps)"
        return bundle


def progress(
    steps: Iterable[Step], total: int | None = None, label: str = "working"
) -> Iterator[Step]:
    """Pass `steps` on, one by one, with a bar that counts them.

    `total` is needed only where `steps` has no length of its own. The bar turns green at the
    end, red if `steps` stops with an error, and amber if the loop is left before its end.
    """
    if total is None:
        total = len(steps)  # type: ignore[arg-type]
    bar = Bar(0, 0, total, description=label, style={"description_width": "initial"})
    display(bar)
    try:
        for step in steps:
            yield step
            bar.value += 1
    except GeneratorExit:
        bar.bar_style = "warning"
        raise
    except Exception:
        bar.bar_style = "danger"
        raise
    bar.bar_style = "success"
