"""Changes written into the text of a scene file: only what they change differs, comments and layout stay."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import yaml

from taut.scene import overrides, reader
from taut.scene.problems import Part, Problem, SceneError


def edited(text: str, changes: Iterable[str], fields: Iterable[str]) -> str:
    """The text of a scene file with changes such as 'load.mass=2 t' made in place. Raises SceneError."""
    known = tuple(fields)
    for change in changes:
        path, _, value = change.partition("=")
        place = overrides.place_of(reader.read_text(text).data, path.strip(), known)
        if isinstance(place, str):
            raise SceneError([Problem(place, file=f"override '{change}'")])
        text = _put(text, place, value.strip())
    return text


def _put(text: str, place: tuple[Part, ...], value: str) -> str:
    node: Any = yaml.compose(text, yaml.SafeLoader)
    for depth, part in enumerate(place):
        last = depth == len(place) - 1
        if isinstance(node, yaml.SequenceNode):
            inner = node.value[int(part)]
        elif isinstance(node, yaml.MappingNode):
            found = {key.value: (key, held) for key, held in node.value}
            # either says how heavy a body is: one takes the place of the other
            other = overrides.INSTEAD.get(str(part), "") if last else ""
            if str(part) not in found and other in found:
                key, held = found[other]
                return text[: key.start_mark.index] + f"{part}: {value}" + text[held.end_mark.index :]
            if str(part) not in found or _is_elsewhere(*found[str(part)]):
                if str(part) in found:
                    raise SceneError([Problem("is shared with others by an alias; change it in the file", place)])
                return _insert(text, node, place[depth:], value)
            inner = found[str(part)][1]
        else:
            raise SceneError([Problem("nothing lies inside a single value", place)])
        node = inner
    return text[: node.start_mark.index] + value + text[node.end_mark.index :]


def _is_elsewhere(key: Any, held: Any) -> bool:
    """Whether a value is an alias: it then lies before its own key."""
    return bool(held.start_mark.index < key.end_mark.index)


def _insert(text: str, mapping: Any, rest: tuple[Part, ...], value: str) -> str:
    """A key that was not written, as the first of its mapping."""
    for part in reversed(rest[1:]):
        value = f"{{{part}: {value}}}"
    entry = f"{rest[0]}: {value}"
    if mapping.flow_style:
        at = mapping.start_mark.index + 1
        return text[:at] + entry + (", " if mapping.value else "") + text[at:]
    first = mapping.value[0][0].start_mark
    return text[: first.index] + entry + "\n" + " " * first.column + text[first.index :]
