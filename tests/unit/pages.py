"""The code of a Markdown page: its fenced blocks and the commands in its indented ones, in order."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: written by a program and checked elsewhere
MADE = ROOT / "docs" / "reference"
PAGES = [ROOT / "README.md", *sorted(p for p in (ROOT / "docs").rglob("*.md") if MADE not in p.parents)]
SKIP = re.compile(r"<!-- not run: (.+?) -->")


@dataclass(frozen=True)
class Block:
    """A piece of code: `kind` is python, yaml, console or whatever the fence says; `skipped` is the reason not to run it."""

    kind: str
    text: str
    line: int
    skipped: str = ""

    @property
    def file(self) -> str:
        """The file it is kept in: the comment in its first line, `# crane.yaml`."""
        found = re.match(r"# ([\w/]+\.\w+)\n", self.text)
        return found.group(1) if found else ""

    def commands(self) -> list[list[str]]:
        """The calls of `taut` in it, as words, without comments and redirections."""
        lines = re.sub(r"\\\n\s*", " ", self.text).splitlines()
        calls = [line.removeprefix("$ ") for line in lines if line.removeprefix("$ ").startswith("taut ")]
        return [shlex.split(re.sub(r"\s>\s?\S+$", "", call.split("  #")[0].rstrip()))[1:] for call in calls]


def blocks_of(page: Path) -> list[Block]:
    """All code of a page; a comment `<!-- not run: reason -->` just before a block keeps it from being run."""
    found: list[Block] = []
    lines = page.read_text(encoding="utf-8").splitlines()
    k, reason = 0, ""
    while k < len(lines):
        line = lines[k]
        skip = SKIP.fullmatch(line.strip())
        fence = re.fullmatch(r"```(\w*)", line)
        indented = line.startswith("    ") and (k == 0 or not lines[k - 1].strip())
        if skip:
            reason = skip.group(1)
        elif fence:
            end = next(i for i in range(k + 1, len(lines)) if lines[i] == "```")
            found.append(Block(fence.group(1), "\n".join(lines[k + 1 : end]) + "\n", k + 1, reason))
            k, reason = end, ""
        elif indented:
            end = k
            while end < len(lines) and lines[end].startswith("    "):
                end += 1
            text = "\n".join(part[4:] for part in lines[k:end]) + "\n"
            found.append(Block("indented", text, k + 1, reason))
            k, reason = end - 1, ""
        elif line.strip():
            reason = ""
        k += 1
    return found
