"""One JupyterLab over a copy of the notebooks, and one Chromium, for all browser tests."""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path

import pytest

from tests.browser import lab

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def what_is_missing() -> str | None:
    if importlib.util.find_spec("playwright") is None:
        return "playwright is not installed"
    if lab.CHROMIUM is None:
        return "no Chromium on the PATH"
    return None


@pytest.fixture(scope="session")
def _possible():
    """Without a browser these tests are skipped, but where one is required they fail."""
    missing = what_is_missing()
    if missing is None:
        return
    if os.environ.get("BROWSER_TESTS") == "required":
        pytest.fail(f"{missing}, and BROWSER_TESTS=required", pytrace=False)
    pytest.skip(missing)


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """A copy of the notebooks: what the tests run and change stays out of the repository."""
    copy = tmp_path_factory.mktemp("notebooks")
    for page in NOTEBOOKS.glob("*.ipynb"):
        shutil.copy(page, copy)
    return copy


@pytest.fixture(scope="session")
def address(_possible, folder):
    with lab.jupyterlab(folder) as url:
        yield url


# Not for the session: while Playwright runs, no other event loop can, and nbval needs one.
@pytest.fixture(scope="module")
def chromium(_possible):
    with lab.chromium() as context:
        yield context
