"""`source` shows what runs, `progress` counts, `claim` stops what does not hold."""

import importlib
import inspect

import pytest

from mlcore.neighbors import KNeighborsClassifier, nearest
from mllab import claim, source

progress_module = importlib.import_module("mllab.progress")
progress = progress_module.progress


@pytest.mark.parametrize("thing", [nearest, KNeighborsClassifier, KNeighborsClassifier.vote])
def test_source_is_the_code_that_runs(thing):
    shown = source(thing)
    code = inspect.cleandoc(inspect.getsource(thing))
    first = code.splitlines()[0]
    assert first in shown.data
    assert code.splitlines()[-1].strip() in shown.data
    assert f"`{thing.__module__}.{thing.__qualname__}`" in shown.data
    assert f"```python\n{first}" in shown.data, "highlighted, and not indented"
    assert repr(shown) == f"source of {thing.__module__}.{thing.__qualname__}"


@pytest.fixture
def bars(monkeypatch):
    """The bars that are displayed."""
    shown = []
    monkeypatch.setattr(progress_module, "display", shown.append)
    return shown


def test_progress_passes_everything_on_and_closes_green(bars):
    values = []
    for item in progress("abc", label="letters"):
        values.append((item, bars[0].value, bars[0].bar_style))
    assert values == [("a", 0, ""), ("b", 1, ""), ("c", 2, "")]
    assert (bars[0].value, bars[0].max, bars[0].bar_style) == (3, 3, "success")
    assert bars[0].description == "letters"
    assert len(bars) == 1


def test_progress_over_a_generator_needs_its_length(bars):
    assert list(progress((i for i in range(4)), total=4)) == [0, 1, 2, 3]
    assert bars[0].max == 4
    with pytest.raises(TypeError):
        list(progress(i for i in range(4)))


def test_progress_turns_red_on_an_error(bars):
    def steps():
        yield 1
        raise RuntimeError("stopped")

    passed_on = progress(steps(), total=2)
    assert next(passed_on) == 1
    with pytest.raises(RuntimeError, match="stopped"):
        next(passed_on)
    assert bars[0].bar_style == "danger"


def test_progress_leaves_one_line_of_fixed_text(bars):
    list(progress(range(5), label="counting"))
    bundle = bars[0]._repr_mimebundle_()
    assert bundle["text/plain"] == "counting (5 steps)"
    assert "application/vnd.jupyter.widget-view+json" in bundle


def test_a_claim_that_holds_is_printed(capsys):
    claim("4", "2 + 2 = 4", holds=True)
    assert capsys.readouterr().out == "expected  4\ncame out  2 + 2 = 4  ✓\n"


def test_a_claim_that_does_not_hold_stops(capsys):
    with pytest.raises(AssertionError, match="expected: 5; came out: 4"):
        claim("5", "4", holds=False)
    assert capsys.readouterr().out == ""
