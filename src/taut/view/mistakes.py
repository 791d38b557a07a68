"""Mistakes of a file as the page tells them: each once, however many parts of the scene share its line, and with few names.

The terminal tells them in full (`SceneError`): there is room, and every place can be searched for.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from taut.scene.problems import Part, Problem, SceneError

#: names of a list that are told
FEW = 4
#: the list at the end of a message, as `taut.scene` writes it
_KNOWN = re.compile(r"\(known(?P<here> here)?: (?P<names>[^()]*?)(?:, \.\.\. \((?P<all>\d+) in all\))?\)")


def told(error: Exception) -> str:
    """What is wrong, line by line; of an error that is no list of mistakes its own words."""
    return str(error) if not isinstance(error, SceneError) else "\n".join(_lines(error))


def summary(error: Exception, file: str) -> str:
    """How much is wrong, for a note over the picture that must not cover it."""
    count = len(_lines(error)) if isinstance(error, SceneError) else 1
    return f"{f'{count} mistakes' if count > 1 else 'A mistake'} in {file}, see the panel."


def _lines(error: SceneError) -> list[str]:
    """One for each mistake; those that are the same on the same line belong together."""
    groups: dict[object, list[Problem]] = {}
    for problem in error.problems:
        # without a line nothing tells that two are one
        same = (problem.file, problem.line, problem.value, problem.message, problem.parts[-1:], len(problem.parts))
        groups.setdefault(same if problem.line else problem, []).append(problem)
    return [_line(group) for group in groups.values()]


def _line(group: list[Problem]) -> str:
    first = group[0]
    wrong = (
        str(first.parts[-1]) if first.parts and first.message.startswith("no such field") else first.value.strip("'")
    )
    message = _KNOWN.sub(lambda found: _fewer(found, wrong), first.message)
    place = f"{first.file}:{first.line}" if first.line else first.file
    said = f"{first.value} - {message}" if first.value else message
    return ": ".join(text for text in (place, _path([one.parts for one in group]), said) if text)


def _path(places: list[tuple[Part, ...]]) -> str:
    """Where it is; of several places what they differ in one after the other: 'cables.(left, right).route[0].brak'."""
    text = ""
    for parts in zip(*places):
        names = list(dict.fromkeys(map(str, parts)))
        if len(names) == 1:
            text += f"[{names[0]}]" if isinstance(parts[0], int) else f".{names[0]}"
        else:
            text += f".({', '.join(names)})"
    return text.removeprefix(".")


def _fewer(found: re.Match[str], wrong: str) -> str:
    """The names that are nearest to what was written, and how many more there are."""
    names = found["names"].split(", ")
    count = int(found["all"] or len(names))
    near = sorted(names, key=lambda name: -SequenceMatcher(None, wrong.lower(), name.lower()).ratio())[:FEW]
    more = f", and {count - len(near)} more" if count > len(near) else ""
    return f"(known{found['here'] or ''}: {', '.join(near)}{more})"
