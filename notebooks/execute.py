"""Run notebooks from a clean kernel and store what they print and draw.

    python notebooks/execute.py           all of them
    python notebooks/execute.py 01 05     those whose names begin so

The files come out the same on every run and with every Python: no widget state, no timings,
no versions, pictures without metadata. A notebook that fails is left as it was.
"""

from __future__ import annotations

import argparse
import base64
import os
import struct
import sys
import tempfile
import textwrap
from pathlib import Path

import nbformat
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

HERE = Path(__file__).resolve().parent
TIMEOUT = 300  # seconds a cell
WIDGET = "application/vnd.jupyter.widget-view+json"  # names a model by a random id
PICTURE_CHUNKS = {b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"}
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


class ThisPython(AsyncKernelManager):
    """Kernels of the Python that runs this file, whatever "python3" is registered to be."""

    @property
    def kernel_spec(self) -> KernelSpec:
        argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        argv.append("--log-level=ERROR")  # else every kernel warns that it talks over TCP
        return KernelSpec(argv=argv, display_name="Python 3", language="python")


class NotebookError(Exception):
    """A notebook did not run to its end; the message says where and why."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Execute notebooks in place.")
    parser.add_argument("prefix", nargs="*", help="which ones: 01, 05_perceptron; default all")
    prefixes = parser.parse_args().prefix
    notebooks = sorted(HERE.glob("*.ipynb"))
    for prefix in prefixes:
        if not any(path.name.startswith(prefix) for path in notebooks):
            print(f"No notebook's name begins with {prefix!r}.", file=sys.stderr)
            return 2
    if prefixes:
        notebooks = [path for path in notebooks if path.name.startswith(tuple(prefixes))]

    failures = 0
    for path in notebooks:
        before = path.read_bytes()
        try:
            after = execute(path)
        except NotebookError as failure:
            failures += 1
            print(f"{path.stem}: FAILED, file left as it was\n{failure}\n", file=sys.stderr)
            continue
        replace(path, after)
        print(f"{path.stem}: {'unchanged' if after == before else 'updated'}", flush=True)
    return 1 if failures else 0


def execute(path: Path) -> bytes:
    """The bytes of the notebook at `path` after a run from a clean kernel."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.execution_count, cell.outputs = None, []
    begun = []
    client = NotebookClient(
        notebook,
        timeout=TIMEOUT,
        kernel_manager_class=ThisPython,
        force_raise_errors=True,  # also where a cell is tagged as expected to fail
        record_timing=False,
        store_widget_state=False,
        on_cell_start=lambda cell, cell_index: begun.append(cell_index),
        resources={"metadata": {"path": str(path.parent)}},
    )
    with tempfile.TemporaryDirectory() as profile:  # nobody's startup files or settings
        environment = {**os.environ, "IPYTHONDIR": profile, "OPENBLAS_NUM_THREADS": "1"}
        environment.pop("MPLBACKEND", None)  # the kernel chooses inline pictures
        try:
            client.execute(env=environment)
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
            raise NotebookError(explain(notebook, begun[-1] if begun else 0, error)) from None
    tidy(notebook)
    return nbformat.writes(notebook, version=4).rstrip("\n").encode() + b"\n"


def explain(notebook: nbformat.NotebookNode, at: int, error: Exception) -> str:
    """Which cell failed, its source, and how."""
    if isinstance(error, CellExecutionError):
        reason = f"{error.ename}: {error.evalue}"
    elif isinstance(error, CellTimeoutError):
        reason = f"It ran for more than {TIMEOUT} seconds."
    else:
        reason = "The kernel died."
    source = textwrap.indent(notebook.cells[at].source, "    ")
    return f"cell {at + 1} of {len(notebook.cells)}:\n\n{source}\n\n{reason}"


def tidy(notebook: nbformat.NotebookNode) -> None:
    """Take out everything that differs from run to run or from machine to machine."""
    notebook.metadata.pop("widgets", None)
    notebook.metadata.update(METADATA)
    notebook.nbformat_minor = max(notebook.nbformat_minor, 5)
    for cell in notebook.cells:
        for key in ("execution", "ExecuteTime", "collapsed", "scrolled"):
            cell.metadata.pop(key, None)
        if cell.cell_type == "code":
            cell.outputs = joined(cell.outputs)
            for output in cell.outputs:
                tidy_bundle(output.get("data", {}))


def joined(outputs: list[nbformat.NotebookNode]) -> list[nbformat.NotebookNode]:
    """Text that was printed in a row as one output, however the kernel happened to cut it."""
    result: list[nbformat.NotebookNode] = []
    for output in outputs:
        last = result[-1] if result else {}
        if output.output_type == "stream" and last.get("name") == output.name:
            last["text"] += output.text
        else:
            result.append(output)
    return result


def tidy_bundle(data: dict[str, str]) -> None:
    if len(data) > 1:
        data.pop(WIDGET, None)
    if "image/png" in data:
        picture = without_metadata(base64.b64decode(data["image/png"]))
        data["image/png"] = base64.b64encode(picture).decode()


def without_metadata(png: bytes) -> bytes:
    """The same picture without the chunks that name the software, its version or the date."""
    kept, at = [png[:8]], 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        end = at + 12 + length  # length, name, data, checksum
        if png[at + 4 : at + 8] in PICTURE_CHUNKS:
            kept.append(png[at:end])
        at = end
    return b"".join(kept)


def replace(path: Path, content: bytes) -> None:
    """Write all of it or nothing."""
    scratch = path.with_suffix(".part")
    scratch.write_bytes(content)
    scratch.replace(path)


if __name__ == "__main__":
    sys.exit(main())
