"""Changes written into the text of a scene file: only what they change differs, comments and layout stay."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import yaml

from taut.scene import overrides, reader
from taut.scene.bodies import Body
from taut.scene.cables import Cable
from taut.scene.problems import Part, Problem, SceneError
from taut.scene.spec import Spec


def edited(text: str, changes: Iterable[str], fields: Iterable[str]) -> str:
    """The text of a scene file with changes such as 'load.mass=2 t' made in place. Raises SceneError."""
    known = tuple(fields)
    for change in changes:
        path, _, value = change.partition("=")
        place = overrides.place_of(reader.read_text(text).data, path.strip(), known)
        if isinstance(place, str):
            raise SceneError([Problem(place, file=f"override '{change}'")])
        before = reader.read_text(text).data
        text = _put(text, place, value.strip())
        text = _apart(text, overrides.apply(before, [change], known)[0])
    return text


def _apart(text: str, wanted: dict[str, Any]) -> str:
    """The text of which others, that are merged from the changed place (<<: *anchor), have what they had before."""
    for place in _unlike(reader.read_text(text).data, wanted):
        held: Any = wanted
        for part in place[:-1]:
            held = held[part]
        if place[-1] not in held:
            held = {place[-1]: _usual(place)}
        text = _put(text, place, yaml.safe_dump(held[place[-1]], default_flow_style=True, width=10**6).strip(" \n."))
    return text


def _unlike(found: Any, wanted: Any, place: tuple[Part, ...] = ()) -> list[tuple[Part, ...]]:
    """Places at which two data of scenes differ."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        keys = dict.fromkeys([*wanted, *found])
        return [far for key in keys for far in _unlike(found.get(key), wanted.get(key), (*place, key))]
    return [] if found == wanted else [place]


def _usual(place: tuple[Part, ...]) -> Any:
    """What holds where nothing is written. Raises SceneError where that is not known."""
    kinds: dict[str, type[Spec]] = {"bodies": Body, "cables": Cable}
    kind = kinds.get(str(place[0]))
    if kind is None or len(place) != 3 or str(place[2]) not in kind.model_fields:
        raise SceneError([Problem("is shared with others by an anchor; change it in the file", place)])
    return kind.model_fields[str(place[2])].get_default(call_default_factory=True)


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
    """A key that was not written, as the first of its mapping; of the file itself as the last, since the first ones say what it
    is."""
    for part in reversed(rest[1:]):
        value = f"{{{part}: {value}}}"
    entry = f"{rest[0]}: {value}"
    if mapping.flow_style:
        at = text.index("{", mapping.start_mark.index) + 1  # an anchor may stand before it
        return text[:at] + entry + (", " if mapping.value else "") + text[at:]
    first = mapping.value[0][0].start_mark
    if first.column == 0 and mapping.end_mark.index >= len(text.rstrip()):
        return f"{text.rstrip()}\n{entry}\n"
    return text[: first.index] + entry + "\n" + " " * first.column + text[first.index :]
