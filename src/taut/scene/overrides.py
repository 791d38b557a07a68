"""Changes to a scene in one line each: 'load.mass=2 t', 'dt=1/120', 'wind.speed=8'.

They are made on the plain data, before it is validated, so that units and messages are those of a file.
"""

import re
from collections.abc import Iterable
from typing import Any

from taut.scene import reader
from taut.scene.checks import SECTIONS
from taut.scene.problems import Part, Problem, SceneError, did_you_mean, listed, shown

_STEP = re.compile(r"([^.\[\]]+)|\[(\d{1,9})\]")
#: either says how heavy a body is: a change of one takes the place of the other
INSTEAD = {"mass": "density", "density": "mass"}
_ZERO_VECTORS = ("position", "velocity", "spin")

Touched = dict[tuple[Part, ...], str]


def apply(
    data: dict[str, Any], changes: Iterable[str], fields: Iterable[str]
) -> tuple[dict[str, Any], Touched, list[Problem]]:
    """The data with the changes made, what each of them touched, and the changes that make no sense."""
    touched: Touched = {}
    problems: list[Problem] = []
    for change in changes:
        path, equals, text = change.partition("=")
        parts = _split(path.strip())
        if not equals or not parts:
            problems.append(Problem("expected path=value, as in load.mass=2 t", file=f"override '{change}'"))
            continue
        place = _find(data, parts, fields)
        if isinstance(place, str):
            problems.append(Problem(place, value=shown(path.strip()), file=f"override '{change}'"))
            continue
        data, fault = _set(data, place, _value(text.strip()))
        if fault:
            problems.append(Problem(fault, place, file=f"override '{change}'"))
        touched[place] = f"override '{change}'"
    return data, touched, problems


def place_of(data: dict[str, Any], path: str, fields: Iterable[str]) -> tuple[Part, ...] | str:
    """The full place of a path such as 'load.mass' in the data of a scene; else why there is none."""
    parts = _split(path)
    return _find(data, parts, fields) if parts else "expected a path such as load.mass"


def blame(problem: Problem, touched: Touched) -> Problem | None:
    """The problem as that of a change, if one put it there."""
    for place, change in touched.items():
        # a vector is refused as a whole, also for one of its numbers
        field = place[:-1] if isinstance(place[-1], int) else place
        if problem.parts[: len(field)] == field:
            return problem.at(change, 0)
    return None


def _split(path: str) -> tuple[Part, ...]:
    """'load.position[2]' or 'load.position.2' into its steps; nothing if it is malformed."""
    parts: list[Part] = []
    place = 0
    while place < len(path):
        match = _STEP.match(path, place)
        if match is None:
            return ()
        step = match[1] or match[2]
        parts.append(int(step) if re.fullmatch("[0-9]{1,9}", step) else step)
        place = match.end() + (path[match.end() : match.end() + 1] == ".")
    return tuple(parts)


def _find(data: dict[str, Any], parts: tuple[Part, ...], fields: Iterable[str]) -> tuple[Part, ...] | str:
    """The full place of a path: elements may be named without the heading they stand under; else why there is none."""
    known = [name for name in fields if name not in SECTIONS]
    head = parts[0]
    if head in SECTIONS:
        inside = data.get(str(head))
        if len(parts) > 2 and isinstance(inside, dict) and parts[1] in inside:
            return parts
        return f"no such element; {head} has: {listed(inside) if isinstance(inside, dict) and inside else 'nothing'}"
    # backwards, so that of two equal names that of an element wins over that of a material
    full = [section for section in reversed(SECTIONS) if isinstance(data.get(section), dict)]
    names = {name: section for section in full for name in data[section]}
    if head in names:
        if len(parts) > 1:
            return (names[str(head)], *parts)
        return f"this is an element; expected one of its fields, as in {head}.FIELD=VALUE"
    if head in known:
        return parts
    hint = did_you_mean(str(head), [*names, *known])
    return f"nothing of that name{', ' + hint if hint else ''} (known: {listed([*names, *known], 40)})"


def _value(text: str) -> Any:
    """Read like a value in a file; what is no YAML, such as '[1, 2, 3] m', is text that the field may know to read."""
    if "\n" in text or len(text) > 10_000:
        return text
    try:
        document = reader.read_text(f"value: {text}")
    except SceneError:
        return text
    return document.data["value"] if not document.problems and list(document.data) == ["value"] else text


def _set(data: dict[str, Any], place: tuple[Part, ...], value: Any) -> tuple[dict[str, Any], str]:
    """A copy with one value changed, copied only along the way; or the data as it was, and why not."""
    top = dict(data)
    node: Any = top
    for depth, part in enumerate(place):
        key = _key(node, part)
        if key is None:
            why = f"the list goes from 0 to {len(node) - 1}" if isinstance(node, list) else "this is a single value"
            return data, f"nothing lies inside {shown(node)} there; {why}"
        if depth == len(place) - 1:
            node[key] = value
            break
        inner = node.get(key) if isinstance(node, dict) else node[key]
        if key == "solver" and isinstance(inner, str):
            inner = {"kind": inner}
        if inner is None:
            # what is not written is at its default, of which only these are known to be three zeros
            inner = [0.0, 0.0, 0.0] if key in _ZERO_VECTORS else {}
        node[key] = inner.copy() if isinstance(inner, dict | list) else inner
        node = node[key]
    if isinstance(node, dict):
        node.pop(INSTEAD.get(str(place[-1]), ""), None)
    return top, ""


def _key(node: Any, part: Part) -> Part | None:
    if isinstance(node, dict):
        return str(part)
    if isinstance(node, list):
        return part if isinstance(part, int) and part < len(node) else None
    return None
