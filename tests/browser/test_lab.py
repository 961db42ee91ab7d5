"""The lessons as their readers meet them: JupyterLab in a real browser, mouse and keyboard.

What the canvas shows is compared, pixel for pixel, with what the same explorer draws here.
"""

from __future__ import annotations

import io
import json
import re
from base64 import b64decode

import nbformat
import numpy as np
import pytest
from PIL import Image

from mllab.lessons import nearest_neighbours as lesson
from tests.browser import lab
from tests.browser.conftest import NOTEBOOKS
from tests.mllab import live

PAGES = sorted(page.name for page in NOTEBOOKS.glob("*.ipynb"))
WIDGET = "application/vnd.jupyter.widget-view+json"
SECONDS = 1000
PATIENCE = 30 * SECONDS

OUTPUTS = """() => window.jupyterapp.shell.currentWidget.content.widgets.flatMap((cell) =>
  cell.model.type === "code" ? cell.model.outputs.toJSON() : [])"""

SCROLL_TO = """(i) => window.jupyterapp.shell.currentWidget.content.scrollToItem(i)"""


class Complaints:
    """Whatever the page reports as an error."""

    def __init__(self, page):
        self.texts = []
        page.on("console", lambda m: m.type == "error" and self.texts.append(m.text))
        page.on("pageerror", lambda error: self.texts.append(str(error)))


class Bench:
    """One explorer or player on the page."""

    def __init__(self, page, number=0):
        self.page = page
        self.canvas = page.locator(".mllab-stage canvas").nth(number)
        self.box = page.locator(".widget-vbox", has=page.locator(".mllab-stage")).nth(number)
        self.canvas.wait_for(timeout=PATIENCE)
        self.caption = self.box.locator(".mllab-caption")
        self.settle()
        self.canvas.scroll_into_view_if_needed()

    def frames(self):
        return int(self.canvas.evaluate("canvas => canvas.dataset.frames || 0"))

    def settle(self):
        """Wait until it has painted, and paints no more."""
        seen, still = -1, 0
        for _ in range(300):
            now = self.frames()
            still = still + 1 if now == seen and now > 0 else 0
            if still == 3:
                return
            seen = now
            self.page.wait_for_timeout(100)
        raise TimeoutError("The picture does not come to rest.")

    def picture(self):
        """What the canvas shows, (height, width, 3)."""
        url = self.canvas.evaluate("canvas => canvas.toDataURL('image/png')")
        return np.asarray(Image.open(io.BytesIO(b64decode(url.split(",")[1]))).convert("RGB"))

    def shows(self, widget):
        """Picture and caption are those of `widget`, as soon as the page has come to rest."""
        for _ in range(50):
            self.settle()
            expected = live(widget.stage)[:, :, :3]
            differ = int((self.picture() != expected).any(axis=2).sum())
            if differ == 0 and self.text() == widget.caption.plain:
                return
            self.page.wait_for_timeout(100)
        assert self.text() == widget.caption.plain
        assert differ == 0

    def text(self):
        return self.caption.inner_text().strip()

    def control(self, label):
        row = self.box.locator(".jupyter-widgets.widget-inline-hbox, .widget-toggle-buttons")
        return row.filter(has=self.page.get_by_text(label, exact=True)).first

    def handle(self, label):
        return self.control(label).locator(".noUi-handle")

    def press(self, name):
        alone = re.compile(rf"^\s*{re.escape(name)}\s*$")
        self.box.locator("button").filter(has_text=alone).click()

    def at(self, x, y):
        """A place of the picture on the page."""
        shown = self.canvas.bounding_box()
        zoom = shown["width"] / self.canvas.evaluate("c => parseFloat(c.parentElement.style.width)")
        return shown["x"] + zoom * x, shown["y"] + zoom * y

    def reset(self, explorer):
        self.press("reset")
        explorer.reset()
        self.shows(explorer)


def open_code(chromium, address, folder, name, code):
    """A page with a notebook of one cell, run."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(notebook, folder / name)
    page = chromium.new_page()
    page.set_default_timeout(PATIENCE)
    lab.open_notebook(page, address, name)
    assert lab.run_all(page)
    return page


# ---- every notebook -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", PAGES)
def test_a_notebook_is_a_page_before_it_runs_and_runs_to_its_end(chromium, address, name):
    page = chromium.new_page()
    complaints = Complaints(page)
    lab.open_notebook(page, address, name)

    stored = json.loads((NOTEBOOKS / name).read_text(encoding="utf-8"))
    first = next((i for i, cell in enumerate(stored["cells"]) if pictures(cell)), None)
    if first is not None:
        page.evaluate(SCROLL_TO, first)
        image = page.locator(".jp-OutputArea-output img").first
        image.scroll_into_view_if_needed(timeout=PATIENCE)
        assert image.is_visible()
        assert image.evaluate("img => img.complete && img.naturalWidth") >= 600
        assert page.locator(".mllab-stage").count() == 0, "not yet"

    assert lab.run_all(page), f"a cell of {name} fails"
    outputs = page.evaluate(OUTPUTS)
    assert not [o for o in outputs if o["output_type"] == "error"]
    stages = [o for o in outputs if {WIDGET, "image/png"} <= set(o.get("data", {}))]
    canvases = page.locator(".mllab-stage canvas")
    for number in range(len(stages)):
        bench = Bench(page, number)
        colours = np.unique(bench.picture().reshape(-1, 3), axis=0)
        assert len(colours) > 10, "an empty picture"
        assert bench.text() == stages[number]["data"]["text/plain"].strip()
    assert canvases.count() == len(stages)
    assert page.locator(".jp-Dialog").count() == 0
    assert page.locator(".mllab-error").count() == 0
    assert page.locator(".jp-RenderedText[data-mime-type*='stderr']").count() == 0
    assert complaints.texts == []
    page.close()


def pictures(cell):
    return [o for o in cell.get("outputs", []) if "image/png" in o.get("data", {})]


# ---- the first lesson, by hand ------------------------------------------------------------------


@pytest.fixture(scope="module")
def page(chromium, address):
    """01_nearest_neighbours, run."""
    page = chromium.new_page()
    page.set_default_timeout(PATIENCE)
    page.complaints = Complaints(page)
    lab.open_notebook(page, address, "01_nearest_neighbours.ipynb")
    assert lab.run_all(page)
    yield page
    page.close()


@pytest.fixture
def boundary(page):
    """The first explorer on the page, and the same one here."""
    bench, twin = Bench(page, 0), lesson.boundary_explorer()
    bench.shows(twin)
    yield bench, twin
    page.mouse.up()
    bench.reset(lesson.boundary_explorer())
    assert page.complaints.texts == []


def test_arrow_keys_move_a_slider(boundary):
    bench, twin = boundary
    bench.handle("k").focus()
    bench.page.keyboard.press("ArrowRight")
    twin.controls["k"].value = 16
    bench.shows(twin)
    for _ in range(12):
        bench.page.keyboard.press("ArrowLeft")
    twin.controls["k"].value = 4
    bench.shows(twin)


def test_toggle_buttons_and_menu(boundary):
    bench, twin = boundary
    bench.press("distance")
    twin.controls["votes"].value = "distance"
    bench.shows(twin)
    bench.control("data").locator("select").select_option("circles")
    twin.controls["data"].value = "circles"
    bench.shows(twin)


def test_reset_brings_everything_back(boundary):
    bench, _ = boundary
    start = bench.picture(), bench.text()
    bench.handle("orange, % of all").focus()
    bench.page.keyboard.press("ArrowLeft")
    bench.press("balanced")
    bench.page.mouse.click(*bench.at(120, 320))
    bench.settle()
    assert not np.array_equal(bench.picture(), start[0])
    bench.press("reset")
    bench.shows(lesson.boundary_explorer())
    assert bench.text() == start[1]
    assert bench.box.locator(".widget-readout").all_inner_texts() == ["15", "50"]


def test_the_picture_follows_a_dragged_point_while_the_button_is_down(boundary):
    bench, twin = boundary
    mouse = bench.page.mouse
    x, y = twin.stage._handle_pixels()[150]
    before = [bench.picture()]
    mouse.move(*bench.at(x, y))
    mouse.down()
    for step in range(1, 5):
        mouse.move(*bench.at(x - 15 * step, y - 8 * step))
        bench.settle()
        now = bench.picture()
        assert not any(np.array_equal(now, earlier) for earlier in before), "it does not follow"
        before.append(now)
    mouse.up()
    bench.settle()
    place = twin.stage._to_data(twin.stage.ax, x - 60, y - 32)
    gap = np.abs(before[-1].astype(int) - before[0]).max(axis=2)
    at = twin.stage.ax.transData.transform(place)
    column, row = int(at[0]), int(420 - at[1])
    assert gap[row - 3 : row + 4, column - 3 : column + 4].max() > 60, "the point is not there"


def test_click_adds_a_point_and_shift_click_removes_it(boundary):
    bench, twin = boundary
    start = bench.picture()
    place = bench.at(120, 320)
    bench.press("▲ orange")
    bench.page.mouse.click(*place)
    bench.settle()
    added = bench.picture()
    gap = np.abs(added.astype(int) - start).max(axis=2)
    assert gap[315:326, 115:126].max() > 60, "no new point where the click was"
    bench.page.keyboard.down("Shift")
    bench.page.mouse.click(*place)
    bench.page.keyboard.up("Shift")
    bench.shows(twin)


def test_a_click_on_a_point_moves_nothing(boundary):
    bench, twin = boundary
    x, y = twin.stage._handle_pixels()[10]
    bench.page.mouse.click(*bench.at(x + 4, y + 3))
    bench.shows(twin)


def test_arrow_keys_on_the_picture_move_a_point(boundary):
    bench, twin = boundary
    x, y = twin.stage._handle_pixels()[0]
    cell = "() => window.jupyterapp.shell.currentWidget.content.activeCellIndex"
    active = bench.page.evaluate(cell)
    bench.canvas.focus()
    bench.page.keyboard.press("ArrowRight")
    twin.points.move(0, *twin.stage._to_data(twin.stage.ax, x + 4, y))
    twin.update()
    bench.shows(twin)
    bench.page.keyboard.press("Delete")
    twin.points.remove(0)
    twin.update()
    bench.shows(twin)
    assert bench.page.evaluate(cell) == active, "the notebook took the key for its own"


def test_a_fast_slider_drag_leaves_no_backlog(boundary):
    bench, twin = boundary
    mouse, handle = bench.page.mouse, bench.handle("k").bounding_box()
    x, y = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
    frames, moves = bench.frames(), 120
    mouse.move(x, y)
    mouse.down()
    for step in range(moves):
        mouse.move(x + 40 * np.sin(step / 8), y)
    mouse.move(x + 60, y)
    mouse.up()
    bench.settle()
    last = int(bench.control("k").locator(".widget-readout").inner_text())
    assert last > 20
    twin.controls["k"].value = last
    bench.shows(twin)
    assert bench.frames() - frames <= moves + 3


def test_a_fast_drag_of_a_point_leaves_no_backlog(page):
    bench, twin = Bench(page, 1), lesson.voters_explorer()
    bench.shows(twin)
    mouse, (x, y) = page.mouse, twin.stage._handle_pixels()[0]
    frames, moves = bench.frames(), 120
    mouse.move(*bench.at(x, y))
    mouse.down()
    for step in range(moves):
        mouse.move(*bench.at(x + 60 * np.sin(step / 9), y + 40 * np.sin(step / 7)))
    last = np.round(bench.at(x - 50, y + 30))  # the browser knows whole pixels only
    mouse.move(*last)
    mouse.up()
    end = last - bench.at(0, 0)
    twin.points.move(0, *twin.stage._to_data(twin.stage.ax, *end))
    twin.update()
    bench.shows(twin)
    assert bench.frames() - frames <= moves + 3
    bench.reset(lesson.voters_explorer())


def test_the_player_steps_plays_and_scrubs(page):
    bench, twin = Bench(page, 3), lesson.condense_player()
    bench.shows(twin)
    row = bench.box.locator(".widget-hbox, .widget-box").first
    play = row.locator(".widget-play button").first
    play.click()
    readout = row.locator(".widget-readout")
    page.wait_for_function("readout => readout.innerText !== '2'", arg=readout.element_handle())
    assert readout.inner_text() == "3", "it plays on from where it is"
    play.click()
    row.locator(".noUi-handle").focus()
    page.keyboard.press("Home")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    bench.shows(twin)
    for tip, step in (("Next step", 3), ("Next step", 4), ("Previous step", 3)):
        row.locator(f"button[title='{tip}']").click()
        twin.scrub.value = step
        bench.shows(twin)
    scrub = row.locator(".noUi-handle")
    scrub.focus()
    page.keyboard.press("Home")
    twin.scrub.value = 0
    bench.shows(twin)
    frames = bench.frames()
    play.click()
    page.wait_for_function(
        "([box, last]) => box.querySelector('.widget-readout').innerText === last",
        arg=[bench.box.element_handle(), str(twin.scrub.max)],
    )
    twin.scrub.value = twin.scrub.max
    bench.shows(twin)
    assert bench.frames() - frames >= twin.scrub.max / 2, "steps were left out"


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("labels[0]", "all k neighbours vote"),
        ("np.bincount(labels).argmax()", "right on all"),
        ("1 / 0", "your code stops: ZeroDivisionError"),
    ],
    ids=["a usual mistake", "the solution", "an error"],
)
def test_an_exercise_answers(page, answer, says):
    cell = page.locator(".jp-CodeCell", has_text="check.majority_vote(majority_vote)").last
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(
        f"def majority_vote(labels):\n    return {answer}\n\ncheck.majority_vote(majority_vote)"
    )
    page.keyboard.press("Control+Enter")
    cell.locator(".jp-OutputArea-output", has_text=says).wait_for()


# ---- every kind of control, a fine screen -------------------------------------------------------

KINDS = """
from mllab import Stage, choice, draw, explore, log_slider, menu, real_slider, slider, switch

stage = Stage(size=(5.0, 2.0))
draw.frame(stage.ax, (0, 4), (0, 4), ("x", "y"))

def scene(whole, real, log, pick, many, on):
    numbers = [whole, real, log, "ab".index(pick), "cd".index(many), on]
    stage.ax.bar([0.5, 1, 1.5, 2, 2.5, 3], [0.3 + float(n) for n in numbers], width=0.3)
    if whole == 2:
        raise ValueError("two is one too many.")
    return f"{whole} {real:.2f} {log:.2f} {pick} {many} {on}"

explore(scene, stage, whole=slider("whole", 0, 3, 1), real=real_slider("real", 0, 1, 0.5, step=0.1),
        log=log_slider("log", 0.1, 1, 0.1), pick=choice("pick", ["a", "b"]),
        many=menu("many", ["c", "d"]), on=switch("on"))
"""


def test_every_kind_of_control_moves_the_picture(chromium, address, folder):
    page = open_code(chromium, address, folder, "kinds.ipynb", KINDS)
    complaints = Complaints(page)
    bench = Bench(page)
    assert bench.text() == "1 0.50 0.10 a c False"

    def does(action, text):
        before = bench.picture()
        action()
        page.wait_for_function(
            "([box, text]) => box.querySelector('.mllab-caption').innerText.trim() === text",
            arg=[bench.box.element_handle(), text],
        )
        bench.settle()
        return not np.array_equal(bench.picture(), before)

    def arrow(label):
        bench.handle(label).focus()
        page.keyboard.press("ArrowRight")

    assert does(lambda: arrow("real"), "1 0.60 0.10 a c False")
    assert does(lambda: arrow("log"), "1 0.60 0.13 a c False")
    assert does(lambda: bench.press("b"), "1 0.60 0.13 b c False")
    many = bench.control("many").locator("select")
    assert does(lambda: many.select_option("d"), "1 0.60 0.13 b d False")
    box = bench.box.locator("input[type=checkbox]")
    assert does(box.click, "1 0.60 0.13 b d True")
    assert not does(lambda: arrow("whole"), "two is one too many."), "the old picture stays"
    assert bench.box.locator(".mllab-error").count() == 1
    assert does(lambda: arrow("whole"), "3 0.60 0.13 b d True")
    assert bench.box.locator(".mllab-error").count() == 0
    assert does(lambda: bench.press("reset"), "1 0.50 0.10 a c False")
    assert complaints.texts == []
    page.close()


def test_a_fine_screen_gets_twice_the_pixels(chromium, address, folder):
    fine = chromium.browser.new_context(device_scale_factor=2)
    code = "from mllab.lessons.nearest_neighbours import voters_explorer\nvoters_explorer()"
    page = open_code(fine, address, folder, "fine.ipynb", code)
    bench, twin = Bench(page), lesson.voters_explorer()
    assert bench.picture().shape == (840, 1600, 3)
    assert bench.canvas.evaluate("canvas => canvas.clientWidth") == 800
    x, y = twin.stage._handle_pixels()[0]
    page.mouse.move(*bench.at(x, y))
    page.mouse.down()
    page.mouse.move(*bench.at(x + 30, y))
    page.mouse.up()
    bench.settle()
    star = (np.abs(bench.picture().astype(int) - (0xE6, 0x9F, 0x00)).max(axis=2) < 3).nonzero()
    assert abs(star[1].mean() / 2 - (x + 30)) < 2
    assert abs(star[0].mean() / 2 - y) < 2
    fine.close()
