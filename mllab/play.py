"""`play`: walk through the steps of an algorithm, forwards and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

import ipywidgets as widgets

from mllab.explore import Caption, _row
from mllab.stage import Stage, with_picture


class Player(widgets.VBox):
    """Previous, play, next and a slider over the steps of an iterator. Built by `play`."""

    def __init__(
        self, steps: list[Any], draw: Callable[[list[Any]], str], stage: Stage, interval: int
    ) -> None:
        self.steps, self.draw, self.stage = steps, draw, stage
        last = len(steps) - 1
        self.caption = Caption()
        self.scrub = widgets.IntSlider(
            0, 0, last, description="step", layout=widgets.Layout(width="360px")
        )
        self.clock = widgets.Play(0, 0, last, interval=interval)
        widgets.jslink((self.clock, "value"), (self.scrub, "value"))
        self.previous = widgets.Button(icon="step-backward", tooltip="Previous step")
        self.next = widgets.Button(icon="step-forward", tooltip="Next step")
        for button, by in ((self.previous, -1), (self.next, 1)):
            button.layout.width = "40px"
            button.on_click(lambda _, by=by: self._move(by))
        self.scrub.observe(lambda _: self.update(), "value")
        super().__init__(
            [_row([self.clock, self.previous, self.next, self.scrub]), stage, self.caption]
        )
        self.update()

    def _move(self, by: int) -> None:
        self.scrub.value = min(max(self.scrub.value + by, 0), self.scrub.max)

    def update(self) -> None:
        """Draw the steps up to the one chosen."""
        history = self.steps[: self.scrub.value + 1]
        with self.caption.showing_errors():
            self.caption.say(self.stage.show(lambda: self.draw(history)))
            self.stage.label = self.caption.plain

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        return with_picture(super()._repr_mimebundle_(**kwargs), self.stage, self.caption.plain)


def play(
    steps: Iterable[Any],
    draw: Callable[[list[Any]], str],
    stage: Stage,
    *,
    start: int = 0,
    at_most: int = 1000,
    interval: int = 400,
) -> Player:
    """Walk through `steps` (any step generator of mlcore), drawing `draw(steps so far)` each time.

    `draw` draws on the stage and returns the caption. `start` is the step shown first;
    `interval` the time between steps in milliseconds when it plays by itself.
    """
    taken = list(islice(steps, at_most))
    if not taken:
        raise ValueError("steps must hold at least one step, but it is empty.")
    player = Player(taken, draw, stage, interval)
    player.scrub.value = start
    return player
