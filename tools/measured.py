"""Writes measured numbers into the pages: `python tools/measured.py`, or `--check` to see whether they are consistent.

A marked place looks like this, in README or docs:

    <!--n chain.separation .1e-->4.5e-05<!--/n-->

The first word says which number (times a factor, as in bench/chain:entries.chain.sizes.0.step.best*1e6, for other units), the second how it is written (a format of Python; none writes text as it is). Numbers come from
docs/data, which is written by the commands themselves:

    taut validate SET --json docs/data/validate/SET.json      chain.separation, chain.separation:theory, chain.separation:paper
    taut bench NAME --json docs/data/bench/NAME.json          bench/hoist:entries.hoist... by the keys of the file, "_" for a blank
    taut soak SCENE --json docs/data/soak/SCENE.json          soak/gantry:steps

`validate/chain:date` and `validate/chain:machine.processor` are where and when. `python tools/measured.py --list` shows all marks.
"""

from __future__ import annotations

import json
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "docs" / "data"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
MARK = re.compile(r"<!--n (\S+?)(?: ([^\s>]+))?-->(.*?)<!--/n-->", re.S)


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
    return value.get(key, value.get(key.replace("_", " "))) if isinstance(value, dict) else None


def look_up(name: str) -> Any:
    """The value that a mark names."""
    name, times, factor = name.partition("*")
    if times:
        return look_up(name) * float(factor)
    first, _, rest = name.partition(":")
    if "/" in first:
        value = measured(first)
        for key in filter(None, rest.split(".")):
            value = value[int(key)] if isinstance(value, list) else _of(value, key)
        if value is None:
            raise NoNumber(f"{name}: there is no such number in docs/data/{first}.json")
        return value
    for file in sorted(DATA.glob("validate/*.json")):
        for item in measured(f"validate/{file.stem}")["items"]:
            if item["id"] == first:
                return item[rest or "ours"]
    raise NoNumber(f"{name}: no item of that name in docs/data/validate")


def written(name: str, style: str | None) -> str:
    """The text of a marked place."""
    value = look_up(name)
    if style is None:
        return str(value)
    if style.endswith("date"):
        return str(value)[:10]
    return format(abs(value) if style.startswith("a") else value, style.removeprefix("a"))


def renewed(text: str) -> str:
    """A page with all its marks written anew."""

    def one(match: re.Match[str]) -> str:
        name, style = match.group(1), match.group(2)
        return f"<!--n {name}{f' {style}' if style else ''}-->{written(name, style)}<!--/n-->"

    return MARK.sub(one, text)


def main(arguments: list[str]) -> int:
    """Write the pages, check them, or list their marks; the exit code."""
    stale = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        if "--list" in arguments:
            for match in MARK.finditer(text):
                print(f"{page.relative_to(ROOT)}  {match.group(1)}  {match.group(3)}")
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
