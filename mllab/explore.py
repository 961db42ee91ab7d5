"""`explore`: controls wired to a Stage, with a caption that says what the setting does.

    stage = Stage()
    explore(draw, stage, points=make_points, k=slider("k", 1, 51, 15), …)

`draw(points, **values)` draws on the stage's axes and returns the caption. `make_points` makes
the data; it is called again whenever one of the controls it names as a parameter changes. What
the reader drags, adds or removes changes `points` in between.
"""

from __future__ import annotations

import html
import inspect
import re
from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets as widgets
import numpy as np

from mllab import theme
from mllab.stage import Pointer, Stage, with_picture


def slider(label: str, low: int, high: int, value: int, *, step: int = 1) -> widgets.IntSlider:
    """A slider over whole numbers."""
    return widgets.IntSlider(value, low, high, step, description=label, **_look())


def real_slider(
    label: str, low: float, high: float, value: float, *, step: float
) -> widgets.FloatSlider:
    """A slider over evenly spaced numbers."""
    return widgets.FloatSlider(value, min=low, max=high, step=step, description=label, **_look())


def log_slider(
    label: str, low: float, high: float, value: float, *, steps_a_decade: int = 10
) -> widgets.FloatLogSlider:
    """A slider whose steps multiply: for C, σ, λ.

    It starts on the step nearest to `value`: the browser would round it to that one anyway.
    """
    steps = round(np.log10(value / low) * steps_a_decade)
    rounded = low * 10 ** (steps / steps_a_decade)
    return widgets.FloatLogSlider(
        value if np.isclose(value, rounded, rtol=1e-9) else rounded,
        min=np.log10(low),
        max=np.log10(high),
        step=1 / steps_a_decade,
        description=label,
        readout_format=".3g",
        **_look(),
    )


def choice(label: str, options: Sequence[Any]) -> widgets.ToggleButtons:
    """A few options side by side, the first one chosen."""
    return _buttons(label, list(options))


def menu(label: str, options: Sequence[Any]) -> widgets.Dropdown:
    """Many options behind one button, the first one chosen."""
    return widgets.Dropdown(options=list(options), description=label, **_look())


def switch(label: str, value: bool = False) -> widgets.Checkbox:
    """On or off."""
    return widgets.Checkbox(value, description=label, indent=False)


def _buttons(label: str, options: list[Any]) -> widgets.ToggleButtons:
    look = _look(width="max-content")
    look["style"] |= {"button_width": "max-content"}
    return widgets.ToggleButtons(options=options, description=label, **look)


def _look(width: str = "280px") -> dict[str, Any]:
    return {
        "style": {"description_width": "initial"},
        "layout": widgets.Layout(width=width, max_width="100%", margin="2px 18px 2px 0"),
    }


class Points:
    """The data on the stage: X (n, 2) and the class of each row, for the reader to change."""

    def __init__(self, X: np.ndarray, codes: np.ndarray) -> None:
        self.X = np.array(X, dtype=float)
        self.codes = np.array(codes)
        self.version = 0  # changes with every edit, so that a scene can keep what it computed

    def move(self, i: int, x: float, y: float) -> None:
        self.X[i] = x, y
        self.version += 1

    def add(self, x: float, y: float, code: int) -> None:
        self.X = np.vstack([self.X, [x, y]])
        self.codes = np.append(self.codes, code)
        self.version += 1

    def remove(self, i: int) -> None:
        self.X = np.delete(self.X, i, axis=0)
        self.codes = np.delete(self.codes, i)
        self.version += 1


class Explorer(widgets.VBox):
    """Controls, picture and caption. Built by `explore`."""

    def __init__(
        self,
        draw: Callable[..., str],
        stage: Stage,
        controls: dict[str, widgets.Widget],
        make_points: Callable[..., tuple[np.ndarray, np.ndarray]] | None,
        brush: Sequence[str],
    ) -> None:
        self.draw, self.stage, self.controls = draw, stage, controls
        self.make_points = make_points
        self._data_controls = set(inspect.signature(make_points).parameters if make_points else ())
        self._defaults = {name: control.value for name, control in controls.items()}
        self.caption = Caption()
        self.reset_button = widgets.Button(description="reset", icon="undo", tooltip="Start again")
        self.reset_button.layout.width = "max-content"
        self.reset_button.on_click(lambda _: self.reset())
        row = [*controls.values(), self.reset_button]
        self.brush: widgets.ToggleButtons | None = None
        if brush:
            self.brush = _buttons("click adds", [(name, c) for c, name in enumerate(brush)])
            row.insert(-1, self.brush)
            stage.adds = True
        for name, control in controls.items():
            control.observe(lambda change, name=name: self._changed(name), "value")
        stage.on_pointer(self._pointed)
        self._resetting = False
        super().__init__([_row(row), stage, self.caption])
        self._make_points()
        self.update()

    @property
    def values(self) -> dict[str, Any]:
        """The current setting of every control."""
        return {name: control.value for name, control in self.controls.items()}

    def update(self) -> None:
        """Draw the current setting; an error becomes the caption, and the picture stays."""
        values = self.values
        if self.make_points:
            values = {"points": self.points} | values

        def scene() -> str:
            if self.make_points:
                self.stage.handles(self.points.X)
            return self.draw(**values)

        with self.caption.showing_errors():
            self.caption.say(self.stage.show(scene))
            self.stage.label = self.caption.plain

    def reset(self) -> None:
        """Every control and every point as it was."""
        self._resetting = True
        for name, value in self._defaults.items():
            self.controls[name].value = value
        if self.brush is not None:
            self.brush.index = 0
        self._resetting = False
        self._make_points()
        self.update()

    def _make_points(self) -> None:
        if self.make_points:
            wanted = {name: self.controls[name].value for name in self._data_controls}
            self.points = Points(*self.make_points(**wanted))

    def _changed(self, name: str) -> None:
        if self._resetting:
            return
        with self.caption.showing_errors():
            if name in self._data_controls:
                self._make_points()
            self.update()

    def _pointed(self, event: Pointer) -> None:
        if self.make_points is None or event.kind == "hover":
            return
        if event.i is not None and event.i >= len(self.points.X):
            return  # meant for a point that has gone since
        if event.kind == "drag":
            self.points.move(event.i, event.x, event.y)
        elif event.kind == "remove":
            self.points.remove(event.i)
        elif event.kind == "add" and self.brush is not None:
            self.points.add(event.x, event.y, self.brush.value)
        self.update()

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        return with_picture(super()._repr_mimebundle_(**kwargs), self.stage, self.caption.plain)


class Caption(widgets.HTML):
    """One or two sentences under the picture; errors show here too."""

    def __init__(self) -> None:
        super().__init__()
        self.add_class("mllab-caption")

    def say(self, text: str) -> None:
        """Show `text`; <b> and <i> may stand in it."""
        self.value = text

    @property
    def plain(self) -> str:
        """The text without its markup."""
        return html.unescape(re.sub(r"<[^>]*>", "", self.value))

    def showing_errors(self) -> _ShowingErrors:
        """Inside this `with`, an error becomes the caption instead of a traceback."""
        return _ShowingErrors(self)


class _ShowingErrors:
    def __init__(self, caption: Caption) -> None:
        self.caption = caption

    def __enter__(self) -> None:
        self.caption.remove_class("mllab-error")

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> bool:
        if not isinstance(error, Exception):
            return False
        # mlcore's ValueErrors are sentences already; anything else needs its name.
        name = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
        self.caption.say(html.escape(f"{name}{error}"))
        self.caption.add_class("mllab-error")
        return True


def explore(
    draw: Callable[..., str],
    stage: Stage,
    *,
    points: Callable[..., tuple[np.ndarray, np.ndarray]] | None = None,
    brush: Sequence[str] = (),
    **controls: widgets.Widget,
) -> Explorer:
    """Show `draw(points, **values)` on `stage`, again whenever a control or a point moves.

    `brush` names the classes of points that a click can add; without it clicks add none.
    """
    return Explorer(draw, stage, controls, points, brush)


def _row(children: Sequence[widgets.Widget]) -> widgets.Box:
    return widgets.Box(
        list(children),
        layout=widgets.Layout(
            flex_flow="row wrap", align_items="center", max_width=f"{theme.SIZE[0] * theme.DPI:g}px"
        ),
    )
