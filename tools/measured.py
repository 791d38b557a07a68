"""Writes measured numbers into the pages: `python tools/measured.py`, or `--check` to see whether they are consistent.

A marked place looks like this, in README or docs:

    <!--n chain.separation .1e-->4.5e-05<!--/n-->

The first word says which number (times a factor, as in bench/chain:entries.chain.sizes[links=10].step.best*1e6, for other units), the second how it is written (a format of Python; none writes text as it is). Of a list it names
the one row that it means, by what is in it: places in a list change when a row comes in between. Whole tables stand between <!--t hoist--> and <!--/t-->;
tools/tables.py makes them. Numbers come from docs/data, which is written by the commands themselves:

    taut validate SET --json docs/data/validate/SET.json      chain.separation, chain.separation:theory, chain.separation:paper
    taut bench NAME --json docs/data/bench/NAME.json          bench/hoist:entries.hoist... by the keys of the file, "_" for a blank
    taut soak --all --within 10 --out docs/data/soak          soak/gantry:steps, soak/gantry:held[name=miss_of_a_row].worst

Of several items: `worst:segmented.stretch.~` is the largest |ours| of all that match (~ stands for any text), `off:layered.string.~` the largest |ours/theory - 1|,
`count:segmented.~` how many they are. `validate/chain:date` and `validate/chain:machine.processor` are where and when. `python tools/measured.py --list` shows all marks.

A figure that looks measured (with %, ms, us, J, MB, mm/s, minutes, times, factorisations ..., or a power like 1e-9) but is not says what it is:

    <!--g formula-->0.5 % at 1 Hz<!--/g-->       formula: follows from what stands beside it; chosen: a default, threshold, tolerance or limit of ours;
                                                 case: what was set up, run or asked for; source: of a paper, a standard or a maker

around a figure, a sentence, or a whole table (then on lines of their own). Nothing needs to be said in code, in `words like this`, and in the first column of a
table, which names the case. `python tools/measured.py --bare` shows figures that are neither: mark them, or say it in words. A test looks too.
"""

from __future__ import annotations

import json
import re
import sys
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from tables import TABLES  # a file beside this one

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "docs" / "data"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
MARK = re.compile(r"<!--n (\S+?)(?: ([^\s>]+))?-->(.*?)<!--/n-->", re.S)
TABLE = re.compile(r"<!--t (\w+)-->.*?<!--/t-->", re.S)
KEY = re.compile(r"[^.\[\]]+|\[[^\]]+\]")
#: figures that say where they come from: <!--g WHY-->...<!--/g-->
GIVEN = re.compile(r"<!--g (\w+)-->(.*?)<!--/g-->", re.S)
WHY = {"formula", "chosen", "case", "source"}
#: what is no prose: blocks of code, lines set in by four blanks, words in code, comments, first columns of tables
NO_PROSE = (
    re.compile(r"^```.*?^```", re.S | re.M),
    re.compile(r"^ {4,}\S[^\n]*$", re.M),
    re.compile(r"`[^`\n]+`"),
    re.compile(r"^\|[^|\n]*\|", re.M),
)
COMMENT = re.compile(r"<!--.*?-->", re.S)
#: a number with a unit that measurements have, or as small as errors are
FIGURE = re.compile(
    r"(?<![\w.])(?:\d[\d,.]*(?:e-?\d+)?\s?(?:%|(?:ns|us|µs|ms|s of processor time|J|kB|MB|GB|mm/s|cm/s|minutes?|times|factorisations|passes|substeps)\b)|\d(?:\.\d+)?e-\d+)"
)


class NoNumber(KeyError):
    """A mark that names a number which was not measured."""

    def __str__(self) -> str:
        return str(self.args[0])


@cache
def measured(file: str) -> Any:
    """What a file of docs/data holds."""
    path = DATA / f"{file}.json"
    if not path.exists():
        raise NoNumber(f"{path.relative_to(ROOT)} is not there: run the command that writes it")
    return json.loads(path.read_text(encoding="utf-8"))


def _of(value: Any, key: str) -> Any:
    """What a key names: a field, or [field=text,...] the one row of a list."""
    if not key.startswith("["):
        return value.get(key, value.get(key.replace("_", " "))) if isinstance(value, dict) else None
    if not isinstance(value, list):
        return None
    # a comma may be part of a text, as in "nylon, calibrated"
    wanted = [part.split("=", 1) for part in re.split(r",(?=\w+=)", key[1:-1])]
    rows = [row for row in value if all(str(row.get(field)).replace(" ", "_") == text for field, text in wanted)]
    return rows[0] if len(rows) == 1 else None


def look_up(name: str) -> Any:
    """The value that a mark names."""
    name, times, factor = name.partition("*")
    if times:
        return look_up(name) * float(factor)
    first, _, rest = name.partition(":")
    if first in ("worst", "off", "count"):
        return _of_all(first, rest)
    if "/" in first:
        value = measured(first)
        for key in KEY.findall(rest):
            value = _of(value, key)
        if value is None:
            raise NoNumber(f"{name}: there is no such number in docs/data/{first}.json")
        return value
    for file in sorted(DATA.glob("validate/*.json")):
        for item in measured(f"validate/{file.stem}")["items"]:
            if item["id"] == first:
                return item[rest or "ours"]
    raise NoNumber(f"{name}: no item of that name in docs/data/validate")


def _of_all(kind: str, pattern: str) -> float:
    """The largest of all items that match, the largest share by which one is off its theory, or how many they are."""
    files = [measured(f"validate/{file.stem}") for file in sorted(DATA.glob("validate/*.json"))]
    items = [item for file in files for item in file["items"] if fnmatchcase(item["id"], pattern.replace("~", "*"))]
    if kind == "off":
        items = [item for item in items if item["theory"]]
    if not items:
        raise NoNumber(f"{kind}:{pattern}: no item of such a name in docs/data/validate")
    if kind == "count":
        return len(items)
    if kind == "worst":
        return max(abs(item["ours"]) for item in items)
    return max(abs(item["ours"] / item["theory"] - 1.0) for item in items)


def written(name: str, style: str | None) -> str:
    """The text of a marked place."""
    value = look_up(name)
    if style is None:
        return str(value)
    if style.endswith("date"):
        return str(value)[:10]
    text = format(abs(value) if style.startswith("a") else value, style.removeprefix("a"))
    # as the pages write it: 4e-5, 1e9, 0, 12 %
    text = re.sub(r"e([+-])0*(\d+)$", lambda m: f"e{m.group(1).strip('+')}{m.group(2)}", text).replace("%", " %")
    return "0" if re.fullmatch(r"0(\.0+)?e-?0", text) else text


def renewed(text: str) -> str:
    """A page with all its marks written anew."""

    def one(match: re.Match[str]) -> str:
        name, style = match.group(1), match.group(2)
        return f"<!--n {name}{f' {style}' if style else ''}-->{written(name, style)}<!--/n-->"

    tables = TABLE.sub(lambda match: f"<!--t {match.group(1)}-->\n{_table(match.group(1))}\n<!--/t-->", text)
    return MARK.sub(one, tables)


def _table(name: str) -> str:
    if name not in TABLES:
        raise NoNumber(f"no table {name!r}; there are: {', '.join(TABLES)}")
    return TABLES[name](measured)


def bare(text: str) -> list[tuple[int, str]]:
    """Figures of a page that look measured and say nowhere where they come from: line, and the words around."""

    def blank(match: re.Match[str]) -> str:
        return re.sub(r"[^\n]", " ", match.group())

    prose = text
    for pattern in (TABLE, MARK, GIVEN, *NO_PROSE, COMMENT):
        prose = pattern.sub(blank, prose)
    found = []
    for match in FIGURE.finditer(prose):
        around = prose[max(0, match.start() - 40) : match.end() + 20]
        found.append((prose.count("\n", 0, match.start()) + 1, f"{match.group()}  in  {' '.join(around.split())}"))
    return found


def main(arguments: list[str]) -> int:
    """Write the pages, check them, or list their marks; the exit code."""
    stale = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        if "--list" in arguments:
            for match in MARK.finditer(text):
                print(f"{page.relative_to(ROOT)}  {match.group(1)}  {match.group(3)}")
            continue
        if "--bare" in arguments:
            for line, words in bare(text):
                print(f"{page.relative_to(ROOT)}:{line}  {words}")
            continue
        try:
            new = renewed(text)
        except NoNumber as error:
            print(f"{page.relative_to(ROOT)}: {error}", file=sys.stderr)
            return 2
        if new != text:
            stale.append(str(page.relative_to(ROOT)))
            if "--check" not in arguments:
                page.write_text(new, encoding="utf-8")
    if stale:
        print(("not consistent: " if "--check" in arguments else "written: ") + ", ".join(stale))
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
