"""What is wrong with a scene: every mistake with its place, in words for the person who made it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

Part = str | int
SHOWN = 50
"""Mistakes printed in one message; the rest is counted, as far as it was looked for."""

PART_OF = 4
"""Fewest letters by which a name is known as a part of a longer one."""


@dataclass(frozen=True)
class Problem:
    """One mistake: where it is, what stands there and what would be allowed."""

    message: str
    """What is wrong or what is allowed."""
    parts: tuple[Part, ...] = ()
    """The place in the scene, key by key: ("bodies", "load", "mass")."""
    value: str = ""
    """What stands there, as the person wrote it; empty if nothing does."""
    file: str = ""
    """The file, as the person named it; empty for a scene made in Python."""
    line: int = 0
    """Line in the file, counted from 1; 0 if there is none."""

    @property
    def path(self) -> str:
        """The place as text: 'bodies.load.position[1]'."""
        text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in self.parts)
        return text.removeprefix(".")

    def at(self, file: str, line: int) -> "Problem":
        return replace(self, file=file, line=line)

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        said = f"{self.value} - {self.message}" if self.value else self.message
        return ": ".join(text for text in (place, self.path, said) if text)


class SceneError(Exception):
    """A scene that cannot be used, with all its problems. Its text is meant to be read."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        lines = [str(problem) for problem in self.problems[:SHOWN]]
        if len(self.problems) > SHOWN:
            lines.append(f"... and at least {len(self.problems) - SHOWN} more")
        return "\n".join(lines)


def shown(value: object, width: int = 60) -> str:
    """A value as a person would recognise it, on one short line."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        text = "{" + ", ".join(str(key) for key in list(value)[:10]) + "}"
    elif isinstance(value, int | float | str):
        # bounded before it is printed: neither a huge integer nor a long text is turned into digits or quotes whole
        text = repr(value[: 2 * width] if isinstance(value, str) else _short_number(value))
    else:
        text = _short_repr(value)
    text = text.strip('"') if text.startswith('"') and "'" not in text else text
    return text if len(text) <= width else text[: width - 3] + "..."


def _short_number(value: float) -> float:
    return value if isinstance(value, float) or abs(value) < 10**30 else float("inf")


def _short_repr(value: object) -> str:
    if isinstance(value, list | tuple):
        return "[" + ", ".join(shown(item, 20) for item in list(value)[:8]) + (", ..." if len(value) > 8 else "") + "]"
    return f"a {type(value).__name__}"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """' did you mean ...?' for a slip of the keyboard, else nothing. Bounded: it may run once per mistake."""
    close = near(name, known)
    return f"did you mean '{close}'?" if close else ""


def near(name: str, known: Iterable[str]) -> str:
    """The one that a name was meant to be by a slip of the keyboard, or that it is a part of; else nothing."""
    names = [other for other, _ in zip(known, range(2000))]
    lowered = {other.lower(): other for other in names}
    word = name.lower()[:60]
    close = get_close_matches(word, lowered, 1, 0.6)
    if not close and len(word) >= PART_OF:
        close = [other for other in lowered if word in other]
    return lowered[close[0]] if len(close) == 1 else ""


def listed(names: Iterable[str], most: int = 12) -> str:
    """'box, sphere, plane', cut when it grows long."""
    every = list(names)
    return ", ".join(every[:most]) + (f", ... ({len(every)} in all)" if len(every) > most else "")


NOTHING: Any = object()
"""What `item` finds where there is nothing."""


def item(data: object, part: Part) -> Any:
    """One step into plain data, by key or index."""
    if isinstance(data, Mapping) and part in data:
        return data[part]
    if isinstance(data, list | tuple) and isinstance(part, int) and 0 <= part < len(data):
        return data[part]
    return NOTHING
