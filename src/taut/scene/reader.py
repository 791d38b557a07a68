"""Scene files: YAML into plain data, with the line of every value.

Files are data, never code: no tags, no objects; and they are bounded in size, depth and aliases before any memory is
taken for what they describe. Numbers that need thought ('1e9', '1/60 s') stay text here; the fields read them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from taut.scene.problems import Part, Problem, SceneError, item, shown

MOST_BYTES = 5_000_000
MOST_VALUES = 2_000_000
"""Values in a file, with every alias counted as often as it is used."""
DEEPEST = 30

# the parser in C where it was built, about ten times faster; both give the same events
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_WHOLE = re.compile(r"[-+]?(0|[1-9][0-9]{0,17})")
_DECIMAL = re.compile(r"[-+]?[0-9]+\.[0-9]*([eE][-+][0-9]+)?")
_WORDS: dict[str, Any] = {"": None, "~": None, "null": None, "Null": None, "NULL": None} | {
    word: word.lower() == "true" for word in ("true", "True", "TRUE", "false", "False", "FALSE")
}


@dataclass
class Place:
    """The line of a value, and the places of what lies in it."""

    line: int
    inside: dict[Part, "Place"] = field(default_factory=dict)
    values: int = 1
    """How many values it holds, itself included."""


@dataclass
class Document:
    """Plain data and where it stood."""

    data: Any
    place: Place = field(default_factory=lambda: Place(0))
    file: str = ""
    problems: list[Problem] = field(default_factory=list)

    def line(self, parts: tuple[Part, ...]) -> int:
        """The line of a value, or of the nearest one around it if it is missing."""
        return self._nearest(parts)[0].line

    def reaches(self, parts: tuple[Part, ...]) -> int:
        """How many steps of a path lead somewhere."""
        return self._nearest(parts)[1]

    def _nearest(self, parts: tuple[Part, ...]) -> tuple[Place, int]:
        place = self.place
        for k, part in enumerate(parts):
            if part not in place.inside:
                return place, k
            place = place.inside[part]
        return place, len(parts)

    def placed(self, problem: Problem) -> Problem:
        """The problem with its file and line."""
        return problem.at(self.file, self.line(problem.parts))


def as_written(problem: Problem, data: Any) -> Problem:
    """The problem with its value as it was typed, '1.2 t' rather than 1200.0."""
    for part in problem.parts:
        data = item(data, part)
    typed = problem.value and isinstance(data, str | int | float | list)
    return replace(problem, value=shown(data)) if typed else problem


def read_file(path: Path) -> Document:
    """Read a scene file. Raises SceneError if it is no YAML at all."""
    name = str(path)
    try:
        with path.open("rb") as stream:
            raw = stream.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SceneError([Problem(f"cannot be read: {reason}", file=name)]) from None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise SceneError([Problem("this is no text in UTF-8", file=name, line=line)]) from None
    return read_text(text, name)


def read_text(text: str, file: str = "") -> Document:
    """Read YAML. Raises SceneError if it is no YAML at all; smaller slips are collected in the document."""
    name = file or "scene"
    # a byte takes at least a character: the length is a bound that costs nothing
    if len(text) > MOST_BYTES or len(text.encode("utf-8", "replace")) > MOST_BYTES:
        raise SceneError([Problem(f"larger than {MOST_BYTES // 1_000_000} MB", file=name)])
    composer = _Composer(text, name)
    try:
        data, place = composer.document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise SceneError([Problem(_syntax(error, text), file=name, line=mark.line + 1 if mark else 0)]) from None
    except (yaml.YAMLError, UnicodeError) as error:
        # of the parser, or of python for half a character
        at = int(getattr(error, "position", None) or getattr(error, "start", None) or 0)
        line = text[:at].count("\n") + 1
        raise SceneError(
            [Problem(f"a character that text must not hold: {text[at : at + 1]!r}", file=name, line=line)]
        ) from None
    return Document(data, place, name, composer.problems)


def _syntax(error: yaml.MarkedYAMLError, text: str) -> str:
    """What the parser stumbled over, and the usual cause."""
    said = " ".join(str(part) for part in (error.context, error.problem) if part)
    mark = error.problem_mark or error.context_mark
    line = text.split("\n", mark.line + 1)[mark.line : mark.line + 1] if mark else []
    hint = ""
    if line and "\t" in line[0][: len(line[0]) - len(line[0].lstrip())]:
        hint = "; indent with spaces, not tabs"
    elif "mapping values are not allowed" in said or "could not find expected ':'" in said:
        hint = "; check the indentation, and the colon and space after each name"
    elif mark and line and "flow sequence" in said and "[" in line[0][: mark.column]:
        hint = "; a name with brackets in a list needs quotes: ['load.position[2]']"
    return f"this is not valid YAML: {said}{hint}"


class _Composer:
    """Turns parser events into plain data. Repeated keys and the like are noted and passed over."""

    def __init__(self, text: str, file: str) -> None:
        self.events: Iterator[Any] = iter(yaml.parse(text, Loader=_Loader))
        self.file = file
        self.problems: list[Problem] = []
        self.anchors: dict[str, tuple[Any, Place] | None] = {}
        self.values = 0

    def document(self) -> tuple[Any, Place]:
        data, place = None, Place(1)
        seen = 0
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                seen += 1
                if seen > 1:
                    self._note("a second document begins here; a file holds one scene", event)
                    break
            elif not isinstance(event, yaml.StreamStartEvent | yaml.StreamEndEvent | yaml.DocumentEndEvent):
                data, place = self._node(event, ())
        if data is None:
            data = {}
        if not isinstance(data, dict):
            raise self._stop("a scene is written as names and values, such as 'dt: 1/60 s'", place.line, shown(data))
        return data, place

    def _node(self, event: Any, parts: tuple[Part, ...]) -> tuple[Any, Place]:
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event, line)
        if event.tag is not None and event.tag != "!":
            self._note(f"tags such as {event.tag[:40]} are not used in scenes", event, parts)
        if event.anchor is not None:
            self.anchors[event.anchor] = None  # not to be used before it is complete
        if len(parts) > DEEPEST:
            raise self._stop(f"nested deeper than {DEEPEST} levels", line)
        made: tuple[Any, Place]
        if isinstance(event, yaml.ScalarEvent):
            made = _scalar(event), Place(line)
        elif isinstance(event, yaml.SequenceStartEvent):
            made = self._sequence(line, parts)
        else:
            made = self._mapping(line, parts)
        self._count(1, line)
        if event.anchor is not None:
            self.anchors[event.anchor] = made
        return made

    def _sequence(self, line: int, parts: tuple[Part, ...]) -> tuple[list[Any], Place]:
        data: list[Any] = []
        place = Place(line)
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            value, inner = self._node(event, (*parts, len(data)))
            place.inside[len(data)] = inner
            place.values += inner.values
            data.append(value)
        return data, place

    def _mapping(self, line: int, parts: tuple[Part, ...]) -> tuple[dict[str, Any], Place]:
        data: dict[str, Any] = {}
        place = Place(line)
        merged: list[tuple[Any, Place]] = []
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            key = self._key(event, parts)
            value, inner = self._node(next(self.events), (*parts, key if key is not None else "?"))
            place.values += inner.values + 1
            if key is None:
                continue
            if key == "<<" and not event.style:
                merged.append((value, inner))
            elif key in data:
                first = place.inside[key].line
                self._note(f"written twice, first in line {first}", event, (*parts, key))
            else:
                # a value is shown at the line of its name, which is where a person looks for it
                data[key] = value
                place.inside[key] = Place(event.start_mark.line + 1, inner.inside, inner.values)
        for value, inner in merged:
            self._merge(data, place, value, inner)
        return data, place

    def _merge(self, data: dict[str, Any], place: Place, value: Any, inner: Place) -> None:
        """`<<: *other` takes over what is not written here."""
        if isinstance(value, list):
            for i, one in enumerate(value):
                self._merge(data, place, one, inner.inside[i])
        elif isinstance(value, dict):
            for key in value.keys() - data.keys():
                data[key], place.inside[key] = value[key], inner.inside[key]
        else:
            self._note_line("'<<' takes over the fields of another element: <<: *name", inner.line)

    def _key(self, event: Any, parts: tuple[Part, ...]) -> str | None:
        if isinstance(event, yaml.ScalarEvent) and event.tag in (None, "!"):
            if event.anchor is not None:
                assert event.start_mark is not None  # the parser knows where it is
                self.anchors[event.anchor] = event.value, Place(event.start_mark.line + 1)
            return str(event.value)
        self._note("expected a name before the colon", event, parts)
        self._node(event, (*parts, "?"))
        return None

    def _alias(self, event: Any, line: int) -> tuple[Any, Place]:
        found = self.anchors.get(event.anchor)
        if found is None:
            raise self._stop(f"*{event.anchor} stands for nothing: no finished &{event.anchor} before it", line)
        data, place = found
        self._count(place.values, line)
        return data, Place(line, place.inside, place.values)

    def _count(self, values: int, line: int) -> None:
        self.values += values
        if self.values > MOST_VALUES:
            raise self._stop(f"more than {MOST_VALUES} values, aliases counted as often as they are used", line)

    def _note(self, message: str, event: Any, parts: tuple[Part, ...] = ()) -> None:
        self.problems.append(Problem(message, parts, "", self.file, event.start_mark.line + 1))

    def _note_line(self, message: str, line: int) -> None:
        self.problems.append(Problem(message, (), "", self.file, line))

    def _stop(self, message: str, line: int, value: str = "") -> SceneError:
        return SceneError([*self.problems, Problem(message, (), value, self.file, line)])


def _scalar(event: Any) -> Any:
    """Text, unless it is plainly a number, true, false or null. Nothing else: no dates, no octal, no 'yes'."""
    text: str = event.value
    if event.style or event.tag == "!":
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _WHOLE.fullmatch(text):
        return int(text)
    if len(text) < 60 and _DECIMAL.fullmatch(text):
        return float(text)
    return text
