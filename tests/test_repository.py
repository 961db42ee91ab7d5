"""What the front pages promise is there: commands, files, versions."""

from __future__ import annotations

import ast
import os
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PIP_NAMES = {"PIL": "pillow", "IPython": "ipython"}


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def requirements(name: str) -> dict[str, str]:
    """Version ranges by package, as the file states them."""
    lines = [line.partition("#")[0].strip() for line in read(name).splitlines()]
    lines = [line for line in lines if line and not line.startswith("-")]
    return {re.split(r"[\[<>=!~ ]", line)[0].lower(): line for line in lines}


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_the_commands_it_names_exist(page):
    code = re.findall(r"`[^`\n]+`|```.*?```", read(page), re.DOTALL)
    named = {name for part in code for name in re.findall(r"\bmake ([a-z]+)", part)}
    assert {"lab", "test"} <= named
    assert named <= set(re.findall(r"^([a-z]+):", read("Makefile"), re.MULTILINE))


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "LICENSE"])
def test_its_links_lead_somewhere(page):
    links = re.findall(r"\]\(([^)\s]+)\)", read(page))
    missing = [link for link in links if not re.match(r"https?:|#|mailto:", link)]
    missing = [link for link in missing if not (ROOT / link.split("#")[0]).exists()]
    assert missing == []


def test_readme_leads_to_every_notebook():
    names = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))
    assert [name for name in names if f"(notebooks/{name})" not in read("README.md")] == []


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-test.txt"])
def test_versions_have_both_ends(name):
    ranges = requirements(name).values()
    assert [line for line in ranges if not (">=" in line and ",<" in line)] == []


def test_what_mllab_imports_is_required():
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in (ROOT / "mllab").rglob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    names = {a.name for node in nodes if isinstance(node, ast.Import) for a in node.names}
    names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and not node.level}
    packages = {name.partition(".")[0] for name in names} - sys.stdlib_module_names
    packages -= {"mllab", "mlcore"}
    required = requirements("requirements.txt")
    assert {name for name in packages if PIP_NAMES.get(name, name) not in required} == set()


def test_licences_are_said():
    text = read("LICENSE")
    for word in ["MIT License", "WITHOUT WARRANTY OF ANY KIND", "CC BY 4.0", "data/README.md"]:
        assert word in text
    assert (ROOT / "data" / "README.md").exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permission")
def test_the_test_machine_can_start():
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
