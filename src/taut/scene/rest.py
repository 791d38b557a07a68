"""What can still be checked in a scene of which some fields were refused, so that one reading finds every mistake."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from taut.scene.checks import SECTIONS, check_elements, check_measure, check_names, check_size
from taut.scene.known import Known
from taut.scene.problems import NOTHING, Part, Problem, item, near
from taut.scene.spec import MOST_PROBLEMS

if TYPE_CHECKING:
    from taut.scene.scene import Scene

Place = tuple[Part, ...]
#: fields that are judged by another one of the same element: where that was refused, nothing can be said of them
JUDGED_BY = {"look": "shape"}
#: where names of bodies stand; * is any name or place in a list
BODIES = (
    *(f"{section}.*.{side}" for section in ("joints", "chains") for side in "ab"),
    *(f"cables.*.route.*.{field}" for field in ("on", "upper", "lower", "lifts")),
    *(f"cables.*.route.*.{field}" for field in ("two_block.block", "load_moment.block", "load_moment.on")),
    "cables.*.obstacles.*",
    "view.course.load",
)
#: the same of materials
MATERIALS = tuple(f"{section}.*.material" for section in ("bodies", "chains", "cables"))
#: fewest letters by which a refused field is looked for in what is said of another one
A_WORD = 3


def without(data: Mapping[str, Any], places: Iterable[Place]) -> dict[str, Any]:
    """A copy of plain data less what lies at the given places; only what is changed is copied, and only once."""
    top = dict(data)
    copied: dict[Place, dict[Any, Any]] = {(): top}
    for place in places:
        node: dict[Any, Any] = top
        for depth, part in enumerate(place[:-1], 1):
            inner = node.get(part)
            if not isinstance(inner, Mapping):
                break
            if place[:depth] not in copied:
                copied[place[:depth]] = node[part] = dict(inner)
            node = copied[place[:depth]]
        else:
            node.pop(place[-1] if place else "", None)
    return top


@dataclass(frozen=True)
class Rest:
    """The data a person wrote, and the mistakes its fields were refused for."""

    data: Mapping[str, Any]
    refused: list[Problem]

    def check(self, scene: "Scene") -> list[Problem]:
        """The further mistakes of a scene made of what is left, less those that only follow from what was left out."""
        written = {section: self.data.get(section) for section in SECTIONS}
        names = {
            section: [name for name in elements if isinstance(name, str)]
            for section, elements in written.items()
            if isinstance(elements, Mapping)
        }
        if size := check_size(scene):
            return size
        bad = {problem.parts for problem in self.refused}
        unsure = [str(place[0]) for place in bad if len(place) == 1]
        unsure += ["groups"] if any(_loses_group(place) for place in bad) else []
        long = dict.fromkeys(str(place[1]) for place in bad if len(place) > 1 and place[0] in ("chains", "cables"))
        known = Known.of(scene, names, unsure, long)
        around = {place[:depth] for place in bad for depth in range(1, len(place) + 1)}
        elements = {place[:2] for place in bad}
        found = [one for one in check_elements(scene, known) if self._stands(one, bad, around, elements)]
        told = bad | {one.parts for one in found}
        references = islice(self._references(known, elements, told), MOST_PROBLEMS)
        return [*check_names(scene, names), *found, *references]

    def _references(self, known: Known, elements: set[Place], told: set[Place]) -> Iterator[Problem]:
        """Names that do not exist, where something was refused beside them; read from what the person wrote."""
        looks: tuple[tuple[Iterable[str], Callable[[str], Iterator[Problem]]], ...] = (
            (BODIES, lambda name: known.check_body_name(name, "")),
            (MATERIALS, known.check_material),
            (("measures.*",), lambda text: check_measure(text, known)),
        )
        for patterns, check in looks:
            for pattern in patterns:
                for place, value in _places(self.data, pattern.split(".")):
                    beside = place[0] == "measures" or place[:2] in elements
                    if isinstance(value, str) and beside and place not in told:
                        yield from (Problem(one.message, place, one.value) for one in check(value))

    def _stands(self, problem: Problem, bad: set[Place], around: set[Place], elements: set[Place]) -> bool:
        parts = problem.parts
        if parts in around or any(parts[:depth] in bad for depth in range(len(parts) + 1)):
            return False
        if len(parts) == 3 and (*parts[:2], JUDGED_BY.get(str(parts[2]), "")) in around:
            return False
        if parts[:2] not in elements:
            return True
        # in an element with a refused field, only what is said of a value that the person did write, and not for want of that field
        lost = {word for place in bad if place[:2] == parts[:2] for word in map(str, place[2:]) if len(word) >= A_WORD}
        words = set(re.findall(r"\w+", problem.message))
        return self._written(parts) and not any(word in words or near(word, words) for word in lost)

    def _written(self, parts: Place) -> bool:
        node: Any = self.data
        for part in parts:
            node = item(node, part)
        return node is not NOTHING


def _places(data: Any, pattern: list[str], place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """What lies at all places of a pattern in plain data."""
    if not pattern:
        yield place, data
        return
    keys: Iterable[Part] = pattern[:1]
    if pattern[0] == "*":
        keys = data if isinstance(data, Mapping) else range(len(data)) if isinstance(data, list | tuple) else ()
    for key in keys:
        if (inner := item(data, key)) is not NOTHING:
            yield from _places(inner, pattern[1:], (*place, key))


def _loses_group(place: Place) -> bool:
    """Whether a group may have been meant where something was refused."""
    return place[:1] in (("bodies",), ("cables",)) and (len(place) <= 2 or bool(near(str(place[2]), ["group"])))
