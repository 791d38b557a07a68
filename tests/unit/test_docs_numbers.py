"""Numbers in README and docs are those that the commands wrote, with when and where."""

from __future__ import annotations

import json
import runpy
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOL = runpy.run_path(str(ROOT / "tools" / "measured.py"))
MARKED = [page for page in TOOL["PAGES"] if TOOL["MARK"].search(page.read_text(encoding="utf-8"))]


def test_there_are_marks() -> None:
    assert sum(len(TOOL["MARK"].findall(page.read_text(encoding="utf-8"))) for page in MARKED) > 20


@pytest.mark.parametrize("page", MARKED, ids=lambda page: page.stem)
def test_marked_places_say_what_was_measured(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert TOOL["renewed"](text) == text, "run `python tools/measured.py`"


def test_every_file_of_numbers_says_when_where_and_with_what() -> None:
    files = sorted((ROOT / "docs" / "data").rglob("*.json"))
    assert files
    for file in files:
        data = json.loads(file.read_text(encoding="utf-8"))
        if file.parent.name in ("validate", "bench"):
            assert data["date"] and data["machine"]["processor"] and data["taut"], file


def test_all_items_that_are_kept_pass_and_say_why() -> None:
    """The stored run: nothing red, and every judged item has its source, tolerance and reason."""
    seen = set()
    for file in sorted((ROOT / "docs" / "data" / "validate").glob("*.json")):
        for item in json.loads(file.read_text(encoding="utf-8"))["items"]:
            assert item["id"] not in seen, item["id"]
            seen.add(item["id"])
            assert item["source"], item["id"]
            if item["passed"] is not None:
                assert item["passed"] and item["tolerance"] and item["reason"], item["id"]
            else:
                assert item["note"], item["id"]
    from taut.validate import SETS
    from taut.validate.papers import PLACES

    folder = ROOT / "src" / "taut" / "validate"
    checks = "".join(file.read_text(encoding="utf-8") for file in folder.glob("*.py") if file.name != "papers.py")
    sets = {file.stem for file in (ROOT / "docs" / "data" / "validate").glob("*.json")}
    assert sets <= set(SETS)
    for place in PLACES:
        for pattern in place.items:
            if pattern.split(".")[0].split("*")[0] in sets:
                # kept, or written out in a check that is newer than what is kept
                known = any(fnmatchcase(one, pattern) for one in seen) or f'"{pattern.split("*")[0]}' in checks
                assert known, f"{place.where}: nothing is called {pattern}"


def test_a_mark_without_its_number_is_refused() -> None:
    with pytest.raises(KeyError, match="no item of that name"):
        TOOL["written"]("chain.no_such_item", ".1e")
    with pytest.raises(KeyError, match="run the command"):
        TOOL["written"]("bench/nothing:date", None)
