"""The text of a route file with what was changed in it: comments, layout and all that was not changed stay as they were."""

from __future__ import annotations

from typing import Any

import yaml

from taut.scene import reader
from taut.scene.problems import Part, SceneError
from taut.scene.writer import Dumper

Place = tuple[Part, ...]
#: most places that are changed one by one; a file of which more is new is written anew
MOST = 400


def whole(data: dict[str, Any]) -> str:
    """The text of a file that holds this."""
    return yaml.dump(data, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=120)


def changed(text: str, wanted: dict[str, Any]) -> str:
    """The text of a file that holds this, as near to another text as can be."""
    try:
        for _ in range(MOST):
            found = reader.read_text(text).data
            place = _unlike(found, wanted)
            if place is None:
                return text
            text = _fixed(text, place, found, wanted)
    except (SceneError, yaml.YAMLError, ValueError, LookupError):
        pass  # anchors and other things that cannot be changed in one place alone
    return whole(wanted)


def _unlike(found: Any, wanted: Any, place: Place = ()) -> Place | None:
    """The first place at which two data differ; a key that is there in one alone is such a place."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        for key in [*found, *(key for key in wanted if key not in found)]:
            if key not in found or key not in wanted:
                return (*place, key)
            if (far := _unlike(found[key], wanted[key], (*place, key))) is not None:
                return far
        return None
    if isinstance(found, list) and isinstance(wanted, list) and len(found) == len(wanted) and _holds_tables(wanted):
        fars = (_unlike(a, b, (*place, k)) for k, (a, b) in enumerate(zip(found, wanted)))
        return next((far for far in fars if far is not None), None)
    return None if found == wanted else place


def _holds_tables(items: list[Any]) -> bool:
    return any(isinstance(one, dict) for one in items)


def _fixed(text: str, place: Place, found: Any, wanted: Any) -> str:
    """One place put right."""
    node, here, there = yaml.compose(text, yaml.SafeLoader), found, wanted
    for part in place[:-1]:
        node, here, there = _inside(node, part)[1], here[part], there[part]
    last = place[-1]
    if isinstance(node, yaml.SequenceNode) or (last in here and last in there):
        return _put(text, _inside(node, last)[1], there[last], here[last])
    if last in there:
        return _insert(text, node, str(last), there[last])
    other = next((key for key in there if key not in here and there[key] == here[last]), None)
    if other is not None:  # it has another name only
        key = _inside(node, last)[0]
        return text[: key.start_mark.index] + _flow(other) + text[key.end_mark.index :]
    return _remove(text, node, str(last))


def _inside(node: Any, part: Part) -> tuple[Any, Any]:
    """Key and value of a mapping, or an item of a sequence. Raises LookupError."""
    if isinstance(node, yaml.SequenceNode):
        return None, node.value[int(part)]
    for key, held in node.value:
        if key.value == str(part):
            if held.start_mark.index < key.end_mark.index:
                raise LookupError("an alias")
            return key, held
    raise LookupError(part)


def _end(text: str, node: Any) -> int:
    """Where a node ends: blocks go on over comments and empty lines to what comes next."""
    lines = text[node.start_mark.index : node.end_mark.index].splitlines(keepends=True)
    while len(lines) > 1 and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        lines.pop()
    return int(node.start_mark.index) + len("".join(lines).rstrip())


def _flow(value: Any) -> str:
    """A value on one line."""
    said = yaml.dump(value, Dumper=Dumper, default_flow_style=True, sort_keys=False, allow_unicode=True, width=10**6)
    return said.removesuffix("...\n").strip()


def _put(text: str, node: Any, value: Any, before: Any) -> str:
    """Another value in the place of one."""
    begin, end = node.start_mark.index, _end(text, node)
    if isinstance(node, yaml.SequenceNode) and isinstance(value, list) and value and _holds_tables(value):
        kept = node.value and value[: len(node.value)] == before
        fresh = value[len(node.value) :] if kept else value
        if node.flow_style:
            items = ", ".join(map(_flow, fresh))
            at = node.end_mark.index - 1
            return f"{text[:at].rstrip()}, {items}{text[at:]}" if kept else f"{text[:begin]}[{items}]{text[end:]}"
        items = f"\n{' ' * node.start_mark.column}".join(f"- {_flow(one)}" for one in fresh)
        return (
            f"{text[:end]}\n{' ' * node.start_mark.column}{items}{text[end:]}"
            if kept
            else text[:begin] + items + text[end:]
        )
    return text[:begin] + _flow(value) + text[end:]


def _insert(text: str, mapping: Any, key: str, value: Any) -> str:
    """A key that was not written, as the last of its mapping."""
    if mapping.flow_style:
        at = mapping.end_mark.index - 1
        return text[:at].rstrip() + (", " if mapping.value else "") + f"{_flow(key)}: {_flow(value)}" + text[at:]
    column = mapping.value[0][0].start_mark.column
    at = _end(text, mapping)
    # a comment may stand behind the last value
    at = text.index("\n", at) if "\n" in text[at:] else len(text)
    block = yaml.dump({key: value}, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=120).rstrip("\n")
    lines = "".join(f"\n{' ' * column}{line}" for line in block.split("\n"))
    return text[:at] + lines + (text[at:] or "\n")


def _remove(text: str, mapping: Any, key: str) -> str:
    """A key and what it holds are gone."""
    names = [one.value for one, _ in mapping.value]
    k = names.index(key)
    first, held = mapping.value[k]
    if mapping.flow_style:
        if k + 1 < len(names):
            return text[: first.start_mark.index] + text[mapping.value[k + 1][0].start_mark.index :]
        begin = mapping.value[k - 1][1].end_mark.index if k else first.start_mark.index
        return text[:begin] + text[held.end_mark.index :]
    if len(names) == 1:
        return text[: first.start_mark.index] + "{}" + text[_end(text, mapping) :]
    begin = first.start_mark.index - first.start_mark.column
    end = text.find("\n", _end(text, held)) + 1 or len(text)
    return text[:begin] + text[end:] if not text[begin : first.start_mark.index].strip() else _first_gone(text, mapping)


def _first_gone(text: str, mapping: Any) -> str:
    """The first key of a mapping that begins behind the dash of a list."""
    first, second = mapping.value[0][0], mapping.value[1][0]
    return text[: first.start_mark.index] + text[second.start_mark.index :]
