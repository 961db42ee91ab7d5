"""notebooks/execute.py stores the same bytes on every run, and nothing of a notebook that fails."""

from __future__ import annotations

import base64
import importlib.util
import json
import shutil
import struct
import sys
import zlib
from pathlib import Path

import pytest

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"


@pytest.fixture
def execute(tmp_path):
    """A copy of notebooks/execute.py, in a folder of its own."""
    shutil.copy(NOTEBOOKS / "execute.py", tmp_path)
    spec = importlib.util.spec_from_file_location("execute_copy", tmp_path / "execute.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def notebook(*sources: str, **metadata) -> bytes:
    cells = [
        {
            "cell_type": "code",
            "id": f"cell-{number}",
            "metadata": {"execution": {"iopub.status.busy": "2026-01-01T00:00:00"}},
            "execution_count": None,
            "outputs": [],
            "source": source,
        }
        for number, source in enumerate(sources)
    ]
    page = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(page).encode()


def test_execution_is_repeatable_and_leaves_no_traces(execute, tmp_path, monkeypatch, capsys):
    path = tmp_path / "01_pictures.ipynb"
    path.write_bytes(
        notebook(
            "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()",
            "import ipywidgets\nfor i in range(9):\n    print(i, flush=True)\nipywidgets.Text('a')",
            widgets={"state": "…"},
            kernelspec={"name": "another", "display_name": "Another"},
        )
    )
    monkeypatch.setattr(sys, "argv", ["execute.py", "01"])
    assert execute.main() == 0
    first = path.read_bytes()
    page = json.loads(first)
    drawn, said = page["cells"]
    assert [cell["execution_count"] for cell in page["cells"]] == [1, 2]
    assert [cell["id"] for cell in page["cells"]] == ["cell-0", "cell-1"]
    assert page["metadata"] == execute.METADATA
    assert drawn["metadata"] == said["metadata"] == {}
    assert b"Matplotlib" not in base64.b64decode(drawn["outputs"][0]["data"]["image/png"])
    assert "".join(said["outputs"][0]["text"]).split() == list("012345678")
    assert list(said["outputs"][1]["data"]) == ["text/plain"]

    assert execute.main() == 0
    assert path.read_bytes() == first
    assert capsys.readouterr().out == "01_pictures: updated\n01_pictures: unchanged\n"


def test_failing_notebook_is_named_and_left_alone(execute, tmp_path, monkeypatch, capsys):
    path = tmp_path / "02_broken.ipynb"
    path.write_bytes(before := notebook("x = 1", "y = x / 0"))
    monkeypatch.setattr(sys, "argv", ["execute.py"])
    assert execute.main() == 1
    assert path.read_bytes() == before
    assert list(tmp_path.glob("*.part")) == []
    message = capsys.readouterr().err
    for word in ["02_broken", "cell 2 of 2", "y = x / 0", "ZeroDivisionError: division by zero"]:
        assert word in message


def test_unknown_notebook_is_refused(execute, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["execute.py", "77"])
    assert execute.main() == 2
    assert "'77'" in capsys.readouterr().err


def test_picture_survives_without_its_metadata(execute):
    def chunk(name: bytes, data: bytes) -> bytes:
        checksum = struct.pack(">I", zlib.crc32(name + data))
        return struct.pack(">I", len(data)) + name + data + checksum

    start = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", b"13 bytes here")
    end = chunk(b"IDAT", b"pixels") + chunk(b"IEND", b"")
    assert execute.without_metadata(start + chunk(b"tEXt", b"Software\0x 1.0") + end) == start + end
