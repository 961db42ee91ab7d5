"""Key press to changed pixels, in a real browser: the Stage beside plain `interact`.

    python benchmarks/latency.py [presses]

The same k-NN scene (200 points, a k slider) is shown twice in one notebook session each: on a
Stage, and by `ipywidgets.interact` drawing an inline figure. Arrow keys move the slider; for
each press the time is taken until the picture's pixels differ, looked at in every frame the
browser paints. Both are measured in alternation in one run, so that only their ratio counts.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.browser import lab  # noqa: E402

STAGE = """
from mllab.lessons.nearest_neighbours import boundary_explorer
boundary_explorer()
"""
PLAIN = """
%matplotlib inline
import ipywidgets, matplotlib.pyplot as plt
from mllab.lessons import nearest_neighbours as lesson
from mllab.stage import Stage
from mllab import theme

explorer = lesson.boundary_explorer()
scene, points = explorer.draw, explorer.points

@ipywidgets.interact(k=(1, 51))
def show(k=15):
    with theme.applied():
        figure, axes = plt.subplot_mosaic([["plane", "curve"]], width_ratios=(1.6, 1),
                                          layout="constrained")
        for name, ax in axes.items():
            ax.set(xlim=scene.stage.axes[name].get_xlim(), ylim=scene.stage.axes[name].get_ylim())
        scene.stage.axes = axes
        scene(points, k, "uniform", 50, "moons")
        plt.show()
"""
# Looks at the picture in every animation frame, and notes when it changes after a key press.
WATCH = """() => {
  const small = new OffscreenCanvas(200, 105).getContext("2d", { willReadFrequently: true });
  const picture = () => {
    const output = ".jp-OutputArea-output";
    const all = document.querySelectorAll(`${output} .mllab-stage canvas, ${output} img`);
    return all[all.length - 1];
  };
  const look = () => {
    const source = picture();
    const loading = source?.tagName === "IMG" && !(source.complete && source.naturalWidth);
    if (!source || loading) return null;
    small.drawImage(source, 0, 0, 200, 105);
    const data = new Uint32Array(small.getImageData(0, 0, 200, 105).data.buffer);
    let hash = 0;
    for (const v of data) hash = (hash * 31 + v) | 0;
    return hash;
  };
  window.latencies = [];
  let pressed = null, before = look();
  window.addEventListener("keydown", () => { before = look(); pressed = performance.now(); }, true);
  const tick = () => {
    if (pressed !== null) {
      const now = look();
      if (now !== null && now !== before) {
        window.latencies.push(performance.now() - pressed);
        pressed = null;
      }
    }
    requestAnimationFrame(tick);
  };
  tick();
}"""


def measure(page: Any, presses: int) -> list[float]:
    """Milliseconds from key press to changed pixels, one a press."""
    handle = page.locator(".widget-slider .noUi-handle").first
    handle.focus()
    seen = page.evaluate("window.latencies.length")
    for press in range(presses):
        page.keyboard.press("ArrowRight" if press % 20 < 10 else "ArrowLeft")
        page.wait_for_function(f"window.latencies.length > {seen + press}", timeout=10_000)
        page.wait_for_timeout(100)
    return page.evaluate(f"window.latencies.slice({seen})")


def open_with(context: Any, address: str, folder: Path, name: str, code: str) -> Any:
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code.strip())])
    nb.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(nb, folder / f"{name}.ipynb")
    page = context.new_page()
    lab.open_notebook(page, address, f"{name}.ipynb")
    lab.run_all(page)
    page.locator(".widget-slider .noUi-handle").first.wait_for(timeout=60_000)
    page.wait_for_timeout(1500)
    page.evaluate(WATCH)
    return page


def main(presses: int = 60) -> None:
    times: dict[str, list[float]] = {"Stage": [], "interact": []}
    with (
        tempfile.TemporaryDirectory() as scratch,
        lab.jupyterlab(Path(scratch)) as address,
        lab.chromium() as context,
    ):
        pages = {
            "Stage": open_with(context, address, Path(scratch), "stage", STAGE),
            "interact": open_with(context, address, Path(scratch), "plain", PLAIN),
        }
        for _ in range(3):
            for name, page in pages.items():
                page.bring_to_front()
                times[name] += measure(page, presses // 3)
    for name, values in times.items():
        ordered = sorted(values)
        print(
            f"{name:9s} median {statistics.median(ordered):6.1f} ms   "
            f"90 % within {ordered[int(0.9 * (len(ordered) - 1))]:6.1f} ms   "
            f"{len(ordered)} key presses"
        )
    ratio = statistics.median(times["Stage"]) / statistics.median(times["interact"])
    print(f"Stage / interact: {ratio:.2f}")


if __name__ == "__main__":
    main(*(int(a) for a in sys.argv[1:]))
