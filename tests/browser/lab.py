"""A JupyterLab of its own, in a real browser: for the browser tests and the latency benchmark."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CHROMIUM = next(
    (
        path
        for name in ("chromium", "chromium-browser", "google-chrome")
        if (path := shutil.which(name))
    ),
    None,
)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
READY = """(name) => {
  const w = window.jupyterapp?.shell?.currentWidget;
  return Boolean(w?.context?.path === name && w.context.isReady && w.sessionContext?.isReady
    && w.sessionContext.session?.kernel?.status === "idle");
}"""
RUN_ALL = """async () => {
  const w = window.jupyterapp.shell.currentWidget;
  await w.sessionContext.session.kernel.info;
  return await window.jupyterapp.commands.execute("notebook:run-all-cells");
}"""


@contextlib.contextmanager
def jupyterlab(folder: Path) -> Iterator[str]:
    """Serve `folder`; yields the server's address. Settings live in a scratch directory."""
    with tempfile.TemporaryDirectory() as scratch:
        env = os.environ | {"HOME": scratch, "OPENBLAS_NUM_THREADS": "1"}
        for name in ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR"):
            env[f"JUPYTER_{name}"] = str(Path(scratch) / name.lower())
        lab = [sys.executable, "-m", "jupyterlab"]
        subprocess.run(
            [sys.executable, "-m", "jupyter", "labextension", "disable",
             "@jupyterlab/apputils-extension:announcements"],
            env=env, check=True, capture_output=True,
        )  # fmt: skip
        port = _free_port()
        server = subprocess.Popen(
            [*lab, "--allow-root", "--no-browser", "--ip=127.0.0.1", f"--port={port}",
             "--ServerApp.port_retries=0", "--IdentityProvider.token=", "--ServerApp.password=",
             "--LabApp.expose_app_in_browser=True", f"--ServerApp.root_dir={folder}"],
            env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_for(f"{address}/api", server)
            yield address
        finally:
            server.terminate()
            server.wait(20)


@contextlib.contextmanager
def chromium(scale: float = 1) -> Iterator[Any]:
    """A page factory of Debian's Chromium: `new_page()`."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        context = browser.new_context(
            viewport={"width": 1400, "height": 1000}, device_scale_factor=scale
        )
        try:
            yield context
        finally:
            browser.close()


def open_notebook(page: Any, address: str, name: str) -> None:
    """Open a notebook and wait until its kernel is idle."""
    workspace = f"auto-{Path(name).stem}"
    page.goto(f"{address}/lab/workspaces/{workspace}/tree/{name}?reset")
    page.wait_for_function(READY, arg=name, timeout=60_000)


def run_all(page: Any) -> bool:
    """Run all cells; True if every one of them ended well."""
    return bool(page.evaluate(RUN_ALL))


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        if server.poll() is not None:
            raise RuntimeError("JupyterLab stopped while starting.")
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except OSError:
            time.sleep(0.2)
    raise TimeoutError("JupyterLab did not answer within a minute.")
