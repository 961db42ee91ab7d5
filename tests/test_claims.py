"""Which claims the notebooks check. claims.json lists every claim and where it belongs.

A cell that states or checks a claim carries its id in the cell's metadata, `"claims": ["KNN-02"]`.
Run as a script (`make claims`), this file prints what is covered and what is still open.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

TESTS = Path(__file__).parent
NOTEBOOKS = TESTS.parent / "notebooks"


def assignments(sections: Iterable[Mapping]) -> dict[str, list[str]]:
    """The notebooks to which each claim belongs, by its id."""
    return {claim: part["notebooks"] for part in sections for claim in part["claims"]}


def claimed_in(notebooks: Iterable[Path]) -> dict[str, list[str]]:
    """The ids that the cells of each notebook carry, by the notebook's name."""
    found = {}
    for path in notebooks:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        found[path.stem] = [claim for cell in cells for claim in cell["metadata"].get("claims", [])]
    return found


def misplaced(assigned: Mapping, claimed: Mapping) -> list[str]:
    """A sentence for each claim that a notebook carries though no list says it should."""
    return [
        f"{notebook} claims {claim}, which "
        + (f"belongs to {' and '.join(assigned[claim])}" if claim in assigned else "nobody knows")
        for notebook, claims in claimed.items()
        for claim in claims
        if notebook not in assigned.get(claim, [])
    ]


def uncovered(assigned: Mapping, claimed: Mapping) -> list[str]:
    """The claims whose notebooks all exist and of which none carries them."""
    return [
        claim
        for claim, notebooks in assigned.items()
        if all(notebook in claimed for notebook in notebooks)
        and not any(claim in claimed[notebook] for notebook in notebooks)
    ]


SECTIONS = json.loads((TESTS / "claims.json").read_text(encoding="utf-8"))
ASSIGNED = assignments(SECTIONS)
CLAIMED = claimed_in(sorted(NOTEBOOKS.glob("*.ipynb")))


def test_ids_are_unique():
    assert len(ASSIGNED) == sum(len(part["claims"]) for part in SECTIONS)


def test_notebooks_claim_only_what_is_theirs():
    assert misplaced(ASSIGNED, CLAIMED) == []


def test_every_claim_of_a_finished_notebook_is_covered():
    assert uncovered(ASSIGNED, CLAIMED) == []


def test_the_rules_themselves():
    assigned = {"A-1": ["01"], "B-1": ["01", "02"]}
    assert misplaced(assigned, {"02": ["A-1"], "01": ["C-9"]}) == [
        "02 claims A-1, which belongs to 01",
        "01 claims C-9, which nobody knows",
    ]
    assert uncovered(assigned, {}) == []
    assert uncovered(assigned, {"01": []}) == ["A-1"]
    assert uncovered(assigned, {"01": ["A-1"], "02": []}) == ["B-1"]
    assert uncovered(assigned, {"01": ["A-1"], "02": ["B-1"]}) == []


def report() -> str:
    lines = []
    for part in SECTIONS:
        missing = [
            claim
            for claim in part["claims"]
            if not any(claim in CLAIMED.get(notebook, []) for notebook in part["notebooks"])
        ]
        done, total = len(part["claims"]) - len(missing), len(part["claims"])
        lines.append(f"{done:3} of {total:3}  {part['section']}: {', '.join(part['notebooks'])}")
        if done:  # of a lesson that is not begun, everything is open
            lines += [f"            open: {claim}, {part['claims'][claim]}" for claim in missing]
    covered = {claim for claims in CLAIMED.values() for claim in claims} & set(ASSIGNED)
    return "\n".join([*lines, f"{len(covered):3} of {len(ASSIGNED):3}  in all"])


if __name__ == "__main__":
    print(report())
