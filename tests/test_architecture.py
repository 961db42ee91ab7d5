"""The arrows point one way only: notebooks → mllab → mlcore → numpy."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CORE = sorted((ROOT / "mlcore").rglob("*.py"))
LAB = sorted((ROOT / "mllab").rglob("*.py"))
PAGES = sorted((ROOT / "notebooks").glob("*.ipynb"))

MAY_IMPORT = {
    "mlcore": {"numpy", "mlcore"},
    "mllab": {
        *("mllab", "mlcore", "numpy", "matplotlib", "ipywidgets", "anywidget"),
        *("IPython", "PIL", "contourpy", "traitlets"),
    },
    "notebooks": {"mllab", "mlcore", "numpy", "matplotlib"},
}


def imports(node: ast.AST) -> Iterator[str]:
    """The packages that are imported anywhere in the tree, in functions and conditions too.

    Left out is what stands in `__sklearn_tags__`: only scikit-learn calls that.
    """
    if isinstance(node, ast.FunctionDef) and node.name == "__sklearn_tags__":
        return
    if isinstance(node, ast.Import):
        yield from (name.name.partition(".")[0] for name in node.names)
    elif isinstance(node, ast.ImportFrom) and node.level == 0:
        yield (node.module or "").partition(".")[0]
    elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(
        ("__import__", "import_module")
    ):
        yield ast.unparse(node)  # an import in disguise: allowed nowhere
    for child in ast.iter_child_nodes(node):
        yield from imports(child)


def strangers(source: str, room: str) -> set[str]:
    """What the source imports that the room it stands in may not."""
    return set(imports(ast.parse(source))) - MAY_IMPORT[room] - sys.stdlib_module_names


def code(page: Path) -> str:
    """The code cells of a notebook, without the lines that are IPython's and not Python's."""
    cells = json.loads(page.read_text(encoding="utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    lines = [line for source in sources for line in source.splitlines()]
    return "\n".join("" if line.startswith(("%", "!", "?")) else line for line in lines)


def where(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", CORE, ids=where)
def test_mlcore_needs_numpy_alone(path):
    assert strangers(path.read_text(encoding="utf-8"), "mlcore") == set()


@pytest.mark.parametrize("path", LAB, ids=where)
def test_mllab_stands_on_mlcore_and_the_notebook_stack(path):
    assert strangers(path.read_text(encoding="utf-8"), "mllab") == set()


@pytest.mark.parametrize("page", PAGES, ids=where)
def test_notebooks_use_the_course_and_nothing_else(page):
    assert strangers(code(page), "notebooks") == set()


def test_imports_are_found_wherever_they_hide():
    source = """
def f():
    if f:
        import sklearn.svm
        from mllab import draw
        importlib.import_module("scipy")
class A:
    def __sklearn_tags__(self):
        from pandas import DataFrame
    from . import here
    import os, numpy.linalg
"""
    assert strangers(source, "mlcore") == {"sklearn", "mllab", "importlib.import_module('scipy')"}


def test_loading_mlcore_loads_no_other_library():
    program = """
import importlib, pkgutil, sys
import mlcore
for module in pkgutil.walk_packages(mlcore.__path__, "mlcore."):
    importlib.import_module(module.name)
loaded = {name.partition(".")[0] for name in sys.modules}
print(*sorted(loaded & {"sklearn", "scipy", "pandas", "matplotlib", "IPython", "mllab"}))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)
    assert (done.stdout.split(), done.stderr) == ([], "")
