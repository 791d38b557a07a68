"""Numbers in README and docs are those that the commands wrote, with when and where."""

from __future__ import annotations

import json
import re
import runpy
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOL = runpy.run_path(str(ROOT / "tools" / "measured.py"))
MARKED = [page for page in TOOL["PAGES"] if TOOL["MARK"].search(page.read_text(encoding="utf-8"))]
#: pages where figures may stand without a word of where they come from, each with the reason
UNMARKED = {
    "docs/reference/scene.md": "made from the schema: defaults and limits",
    "docs/reference/route.md": "made from what may stand in a route file: defaults and limits",
    "docs/reference/api.md": "made from docstrings",
    "docs/reference/commands.md": "made from the command line",
}


def test_there_are_marks() -> None:
    assert sum(len(TOOL["MARK"].findall(page.read_text(encoding="utf-8"))) for page in MARKED) > 20


@pytest.mark.parametrize("page", MARKED, ids=lambda page: page.stem)
def test_marked_places_say_what_was_measured(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert TOOL["renewed"](text) == text, "run `python tools/measured.py`"


@pytest.mark.parametrize("page", TOOL["PAGES"], ids=lambda page: page.stem)
def test_figures_say_where_they_come_from(page: Path) -> None:
    """Measured ones are marked, others say what they are: see the head of tools/measured.py."""
    name, text = page.relative_to(ROOT).as_posix(), page.read_text(encoding="utf-8")
    assert {match.group(1) for match in TOOL["GIVEN"].finditer(text)} <= TOOL["WHY"], f"{name}: one of {TOOL['WHY']}"
    assert text.count("<!--g ") == text.count("<!--/g-->"), f"{name}: a mark <!--g ...--> without its end"
    if name not in UNMARKED:
        found = [f"{name}:{line}  {words}" for line, words in TOOL["bare"](text)]
        assert not found, "mark them, or say it in words (head of tools/measured.py):\n" + "\n".join(found)


@pytest.mark.parametrize("page", MARKED, ids=lambda page: page.stem)
def test_no_line_of_text_begins_with_a_mark(page: Path) -> None:
    """A comment at the start of a line ends the paragraph when the page is built."""
    text = page.read_text(encoding="utf-8")
    assert not re.findall(r"^ *<!--n .*|^ *<!--g \w+-->.+", text, re.M), page.name


def test_pages_without_marks_are_there() -> None:
    assert all((ROOT / name).exists() and reason for name, reason in UNMARKED.items())


@pytest.mark.parametrize(
    "text",
    ["a step takes 3.2 ms", "it is 40 times faster", "off by 0.3 %", "met to 1e-9", "some 20 factorisations", "| what | 7 J |",
     "it made 343\nJ of it", "1,000 times real time", "2.5 cm/s", "0.7 µs a link"],
)  # fmt: skip
def test_a_figure_by_hand_is_found(text: str) -> None:
    assert len(TOOL["bare"](f"# Page\n\n{text} here.\n")) == 1


@pytest.mark.parametrize(
    "text",
    ["`dt: 3 ms`", "```yaml\ndt: 3 ms\n```", "    taut run --dt '3 ms'", "| at 3 ms | yes |", "<!--n chain.x .0%-->3 %<!--/n-->",
     "<!--g formula-->3 %\nand 1e-9<!--/g-->", "a load of 1e9 links", "a rope of 12 mm, 40 kN", "<!-- not run: takes 3 minutes -->",
     "<!--t hoist-->\n| a | 3 ms |\n<!--/t-->", "2.5 kg/m, 3 m/s, 10 s", "scene v1.3e-4x"],
)  # fmt: skip
def test_what_is_no_measurement_is_left_alone(text: str) -> None:
    assert not TOOL["bare"](f"# Page\n\n{text}\n")


@pytest.mark.parametrize("name", TOOL["TABLES"])
def test_every_table_can_be_made_and_is_used(name: str) -> None:
    assert TOOL["TABLES"][name](TOOL["measured"]).count("\n") > 0
    assert any(f"<!--t {name}-->" in page.read_text(encoding="utf-8") for page in TOOL["PAGES"])


def test_the_table_of_long_runs_names_every_scene() -> None:
    from taut.scenes import library

    text = TOOL["TABLES"]["soak"](TOOL["measured"])
    assert all(f"| `{name}` |" in text for name in library())


def test_a_run_that_gave_way_is_told_with_where_and_by_how_much() -> None:
    data = json.loads((ROOT / "docs" / "data" / "soak" / "gantry.json").read_text(encoding="utf-8"))
    data["held"][1].update(worst=0.02, passed=False, at=12.0)
    data.update(passed=False, stopped="x", simulated=13.0, same=False)
    assert "**not passed**" in TOOL["TABLES"]["soak"](lambda file: data)
    text = TOOL["TABLES"]["soak_lost"](lambda file: data)
    assert "| 1 | energy not accounted for 0.020 - at 12.0 s, 0.0010 allowed; stopped at 13.0 s; not the same" in text


def test_rows_are_named_by_what_is_in_them() -> None:
    """A place in a list would say something else once a row comes in between."""
    rows = [{"engine": "a b", "links": 1, "t": 2.0}, {"engine": "a b", "links": 2, "t": 3.0}]
    assert TOOL["_of"](rows, "[engine=a_b,links=2]")["t"] == 3.0
    assert TOOL["_of"](rows, "[engine=a_b]") is None and TOOL["_of"](rows, "[engine=c]") is None
    assert TOOL["_of"](rows, "0") is None


def test_every_file_of_numbers_says_when_where_and_with_what() -> None:
    files = sorted((ROOT / "docs" / "data").rglob("*.json"))
    assert files
    for file in files:
        data = json.loads(file.read_text(encoding="utf-8"))
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
