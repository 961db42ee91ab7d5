"""Every stored notebook is a finished page: executed in order, free of accidents, built alike.

What the cells print is compared by nbval; here is what nbval does not look at.
"""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path

import pytest

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
PAGES = sorted(NOTEBOOKS.glob("*.ipynb"))
LESSONS = [page for page in PAGES if not page.name.startswith("00")]
WIDGET = "application/vnd.jupyter.widget-view+json"

MACHINE = re.compile(
    r"""(?<![\w./:-])/(?:home|root|Users|tmp|work|usr|opt|var|private)/  # a folder of Unix
      | \b[A-Z]:\\\w                                                     # of Windows
      | site-packages | ipykernel_\d                                     # of Python
      | \b0x[0-9a-f]{6,}                                                 # a place in memory""",
    re.VERBOSE,
)
CLOCK = re.compile(
    r"""\b\d{1,2}:\d{2}:\d{2}\b | \b20\d\d-\d\d-\d\d\b
      | \d\s?(?:ns|µs|μs|us|ms|s|sec|seconds)(?![\w.])""",
    re.VERBOSE,
)

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
each_lesson = pytest.mark.parametrize("page", LESSONS, ids=lambda page: page.stem)


def read(page: Path) -> dict:
    return json.loads(page.read_text(encoding="utf-8"))


def code(page: Path) -> list[dict]:
    return [cell for cell in read(page)["cells"] if cell["cell_type"] == "code"]


def prose(page: Path) -> str:
    cells = [cell for cell in read(page)["cells"] if cell["cell_type"] == "markdown"]
    return "\n\n".join("".join(cell["source"]) for cell in cells)


def printed(cell: dict, only: str = "") -> list[str]:
    """The texts a cell has left behind: streams, and bundles but for their pictures."""
    texts = []
    for output in cell.get("outputs", []):
        texts.append("".join(output.get("text", "")))
        for kind, data in output.get("data", {}).items():
            if kind.startswith(only) and not kind.startswith("image/"):
                texts.append("".join(data) if isinstance(data, list) else str(data))
    return texts


@each_page
def test_was_executed_in_order(page):
    assert [cell["execution_count"] for cell in code(page)] == list(range(1, len(code(page)) + 1))


@each_page
def test_stores_no_error(page):
    kinds = [output["output_type"] for cell in code(page) for output in cell["outputs"]]
    assert "error" not in kinds


@each_page
def test_stores_no_widget_state(page):
    assert "widgets" not in read(page)["metadata"]
    kinds = [
        kind for cell in code(page) for output in cell["outputs"] for kind in output.get("data", {})
    ]
    assert WIDGET not in kinds


@each_page
def test_names_no_machine_and_no_clock(page):
    for cell in read(page)["cells"]:
        for text in ["".join(cell["source"]), *printed(cell)]:
            assert not MACHINE.search(text), f"a path or an address: {MACHINE.search(text)}"
        for text in printed(cell, only="text/plain"):
            assert not CLOCK.search(text), f"a time: {CLOCK.search(text)}"


@each_page
def test_code_cells_are_short(page):
    for number, cell in enumerate(code(page), start=1):
        lines = "".join(cell["source"]).splitlines()
        assert len(lines) <= 20, f"code cell {number} has {len(lines)} lines"


@each_page
def test_opens_with_title_question_and_minutes(page):
    first = read(page)["cells"][0]
    opening = "".join(first["source"])
    assert first["cell_type"] == "markdown"
    assert re.match(r"# \S", opening), "the first line is the title"
    assert "?" in opening, "the question it answers"
    assert re.search(r"\d+\s*(?:minutes|min)\b", opening), "how long it takes"


@pytest.mark.parametrize(("before", "after"), list(itertools.pairwise(PAGES)))
def test_neighbouring_pages_link_to_each_other(before, after):
    for page, other in [(before, after), (after, before)]:
        opening = "".join(read(page)["cells"][0]["source"])
        assert f"({other.name})" in opening, f"{page.name} opens without a link to {other.name}"


@each_page
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if not re.match(r"https?:|#|attachment:|mailto:", target):
            assert (page.parent / target.split("#")[0]).exists(), target


@each_lesson
def test_lesson_has_its_parts(page):
    text = prose(page)
    headings = "\n".join(re.findall(r"^#+ .*$", text, re.MULTILINE)).lower()
    for part in ["play first", "exercise", "summary", "further reading"]:
        assert part in headings, f"no heading says {part!r}"
    assert headings.index("play first") < headings.index("exercise") < headings.index("summary")
    assert text.count("<details") == text.count("</details>") >= 3, "three folded answers"


@each_lesson
def test_lesson_plays_before_it_derives(page):
    cells = read(page)["cells"]
    sources = ["".join(cell["source"]) for cell in cells]
    formula = next((i for i, source in enumerate(sources) if "$$" in source), len(cells))
    pictures = [
        i
        for i, cell in enumerate(cells)
        if any("image/png" in output.get("data", {}) for output in cell.get("outputs", []))
    ]
    assert pictures, "no picture for a reader without a kernel"
    assert min(pictures) < formula, "a formula stands before the first picture"
