"""Every explorer and player of every lesson, driven from end to end."""

import numpy as np
import pytest

from mllab.explore import Explorer, Points
from mllab.lessons import nearest_neighbours
from mllab.play import Player
from tests.mllab import Screen, drawn_whole, live, name_of, scenes

EXPLORERS, PLAYERS = scenes("_explorer"), scenes("_player")
each_explorer = pytest.mark.parametrize("make", EXPLORERS, ids=name_of)
each_player = pytest.mark.parametrize("make", PLAYERS, ids=name_of)


def values_to_try(control):
    """The ends, the middle and a neighbour of the value it has; every option of a choice."""
    if hasattr(control, "options"):
        return [option[1] if isinstance(option, tuple) else option for option in control.options]
    if isinstance(control.value, bool):
        return [False, True]
    low, high = control.min, control.max
    if hasattr(control, "base"):  # a logarithmic slider: its ends are exponents
        return [control.base**low, control.base ** ((low + high) / 2), control.base**high]
    steps = round((high - low) / control.step)
    return [low, low + steps // 2 * control.step, low + steps * control.step]


def looks(widget):
    """What the reader sees: picture and caption."""
    assert "mllab-error" not in widget.caption._dom_classes, widget.caption.plain
    assert widget.caption.plain == widget.stage.label
    assert len(widget.caption.plain) > 20
    return live(widget.stage), widget.caption.value


def same(a, b):
    return a[1] == b[1] and np.array_equal(a[0], b[0])


def test_the_search_finds_them():
    assert {"boundary_explorer", "voters_explorer"} <= {f.__name__ for f in EXPLORERS}
    assert "condense_player" in {f.__name__ for f in PLAYERS}


@each_explorer
def test_every_control_changes_what_is_seen(make):
    explorer = make()
    assert isinstance(explorer, Explorer)
    start = looks(explorer)
    for name, control in explorer.controls.items():
        default, without_effect = control.value, []
        for value in values_to_try(control):
            if value == default or (isinstance(value, float) and np.isclose(value, default)):
                continue
            control.value = value
            if same(looks(explorer), start):
                without_effect.append(value)
        control.value = default
        assert same(looks(explorer), start), f"{name} set back shows another picture"
        for value in without_effect:  # balanced votes among classes of one size, for example
            assert matters_elsewhere(explorer, control, value), f"{name} = {value} shows no change"


def matters_elsewhere(explorer, control, value):
    """Does the value differ from the default one when the other controls are at an end?"""
    default, changes = control.value, False
    for end in (0, -1):
        for other in explorer.controls.values():
            if other is not control:
                other.value = values_to_try(other)[end]
        before = looks(explorer)
        control.value = value
        changes = changes or not same(looks(explorer), before)
        explorer.reset()
        assert control.value == default
    return changes


@each_explorer
def test_sliders_start_on_one_of_their_steps(make):
    """Otherwise the browser rounds them, and the live picture is not the stored one."""
    for name, control in make().controls.items():
        if hasattr(control, "step"):
            value = np.log10(control.value) if hasattr(control, "base") else control.value
            steps = (value - control.min) / control.step
            assert abs(steps - round(steps)) < 1e-6, f"{name} = {control.value}"


@each_explorer
def test_made_twice_it_looks_the_same(make):
    assert same(looks(make()), looks(make()))


@each_explorer
def test_frames_are_whole_drawings(make):
    """Whatever a scene changes, ticks and limits too, the live picture shows it."""
    explorer = make()
    for control in explorer.controls.values():
        control.value = values_to_try(control)[0]
        control.value = values_to_try(control)[-1]
        frame = live(explorer.stage)
        assert np.array_equal(frame, drawn_whole(explorer.stage)), control.description


@each_explorer
def test_controls_at_their_ends_together(make):
    """All at the low end, all at the high end: the corners nobody tries by hand."""
    explorer = make()
    for end in (0, -1):
        for control in explorer.controls.values():
            control.value = values_to_try(control)[end]
        looks(explorer)


@each_explorer
def test_points_can_be_dragged_added_and_removed_and_reset_undoes_it(make):
    explorer = make()
    screen = Screen(explorer.stage)
    screen.hello()
    start = looks(explorer)
    if explorer.make_points is None:
        assert screen.handles == []
        pytest.skip("an explorer without points to drag")
    n = len(explorer.points.X)
    x, y = screen.handles[0]
    for step in (1, 2, 3):
        before = screen.pixels.copy()
        screen.point("drag", x + 12 * step, y - 9 * step, i=0)
        assert not np.array_equal(screen.pixels, before), "the picture does not follow the drag"
        assert np.hypot(*np.subtract(screen.handles[0], (x + 12 * step, y - 9 * step))) < 1
    looks(explorer)
    if explorer.brush is not None:
        for code in range(len(explorer.brush.options)):
            explorer.brush.value = explorer.brush.options[code][1]
            before = screen.pixels.copy()
            screen.point("add", x + 40, y + 30 + 15 * code)
            assert len(explorer.points.X) == n + 1 + code
            assert not np.array_equal(screen.pixels, before)
        looks(explorer)
        screen.point("remove", x, y, i=0)
        assert len(explorer.points.X) == n + code
        looks(explorer)
    for control in explorer.controls.values():
        control.value = values_to_try(control)[-1]
    explorer.reset_button.click()
    assert same(looks(explorer), start)
    assert np.array_equal(screen.pixels, start[0][:, :, :3])


def test_what_the_neighbours_say_follows_the_drag_too():
    """The explorer keeps what it computed while only k moves: never beyond a move of a point."""
    explorer = nearest_neighbours.boundary_explorer()
    explorer.controls["k"].value = 1
    screen = Screen(explorer.stage)
    screen.hello()
    x, y = screen.handles[150]
    screen.point("drag", x - 60, y - 40, i=150)
    followed, held = looks(explorer), explorer.points
    explorer.points = Points(held.X, held.codes)  # nothing kept can belong to these
    explorer.update()
    assert same(looks(explorer), followed)


@each_explorer
def test_moving_the_controls_leaves_nothing_behind(make):
    explorer = make()
    name, control = next(iter(explorer.controls.items()))
    other = next(value for value in values_to_try(control) if value != control.value)
    default, counts = control.value, set()
    for step in range(6):
        control.value = other if step % 2 else default
        explorer.update()
        axes = explorer.stage.axes.values()
        if not step % 2:
            counts.add(tuple(len(ax.get_children()) + len(ax.containers) for ax in axes))
    assert len(counts) == 1, f"{name} leaves artists behind"


@each_player
def test_every_step_can_be_shown(make):
    player = make()
    assert isinstance(player, Player)
    start, at = looks(player), player.scrub.value
    last = player.scrub.max
    assert last >= 2
    seen = []
    for step in np.unique(np.linspace(0, last, 12).astype(int)):
        player.scrub.value = int(step)
        now = looks(player)
        assert not any(same(now, other) for other in seen), f"step {step} shows no change"
        seen.append(now)
    player.next.click()
    assert player.scrub.value == last
    player.previous.click()
    assert player.scrub.value == last - 1
    player.scrub.value = at
    assert same(looks(player), start)


@each_player
def test_steps_are_whole_drawings(make):
    player = make()
    for step in (0, player.scrub.max // 2, player.scrub.max):
        player.scrub.value = step
        frame = live(player.stage)
        assert np.array_equal(frame, drawn_whole(player.stage)), f"step {step}"


@each_player
def test_a_player_made_twice_looks_the_same(make):
    assert same(looks(make()), looks(make()))
