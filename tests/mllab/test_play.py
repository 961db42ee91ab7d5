"""`play`: forwards, back, and never past the ends."""

from itertools import count

import numpy as np
import pytest

from mllab import draw
from mllab.play import play
from mllab.stage import Stage
from tests.mllab import Screen, decoded, live


def player(steps=None, **more):
    stage = Stage(size=(4.0, 2.0))
    draw.frame(stage.ax, (0, 10), (0, 100), ("step", "square"))

    def scene(history):
        if history[-1] == 49:
            raise ValueError("not 49.")
        stage.ax.plot(range(len(history)), history, "o-")
        return f"<b>{history[-1]}</b> of {len(history)} steps"

    return play((i**2 for i in range(10)) if steps is None else steps, scene, stage, **more)


def test_it_starts_where_it_is_told():
    assert player().caption.plain == "0 of 1 steps"
    p = player(start=3)
    assert p.caption.plain == p.stage.label == "9 of 4 steps"


def test_next_previous_and_their_ends():
    p = player()
    p.previous.click()
    assert p.scrub.value == 0
    for _ in range(6):
        p.next.click()
    assert p.caption.plain == "36 of 7 steps"
    p.previous.click()
    assert p.caption.plain == "25 of 6 steps"
    for _ in range(10):
        p.next.click()
    assert p.scrub.value == p.scrub.max == p.clock.max == 9


def test_scrubbing_draws_the_history_so_far():
    p = player()
    screen = Screen(p.stage)
    screen.hello()
    pictures = {}
    for step in (0, 9, 4, 1, 9, 4, 0):
        p.scrub.value = step
        assert len(p.stage.ax.lines[0].get_xdata()) == step + 1
        assert np.array_equal(screen.pixels, live(p.stage)[:, :, :3])
        assert np.array_equal(pictures.setdefault(step, screen.pixels.copy()), screen.pixels)
    assert len({picture.tobytes() for picture in pictures.values()}) == 4


def test_a_step_that_cannot_be_drawn_says_so_and_the_next_one_goes_on():
    p = player(start=6)
    before = live(p.stage)
    p.next.click()
    assert p.caption.plain == "not 49."
    assert "mllab-error" in p.caption._dom_classes
    assert np.array_equal(live(p.stage), before)
    p.next.click()
    assert p.caption.plain == "64 of 9 steps"
    assert "mllab-error" not in p.caption._dom_classes


def test_nothing_to_play_is_an_error():
    with pytest.raises(ValueError, match="at least one step"):
        player(steps=[])


def test_an_endless_iterator_is_cut_off():
    p = player(steps=count(50), at_most=7)
    assert p.scrub.max == 6


def test_one_step_is_enough():
    p = player(steps=[5])
    p.next.click()
    p.previous.click()
    assert p.caption.plain == "5 of 1 steps"


def test_the_bundle_holds_picture_and_caption():
    data, _ = player(start=2)._repr_mimebundle_()
    assert data["text/plain"] == "4 of 3 steps"
    assert decoded(data["image/png"]).shape == (300, 600, 3)
    assert player(start=2)._repr_mimebundle_()[0]["image/png"] == data["image/png"]
