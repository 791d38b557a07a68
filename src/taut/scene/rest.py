"""What can still be checked in a scene of which some fields were refused, so that one reading finds every mistake."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from taut.scene.checks import ELEMENTS, SECTIONS, check_elements, check_names, check_size
from taut.scene.known import Known
from taut.scene.problems import NOTHING, Part, Problem, item
from taut.scene.spec import MOST_PROBLEMS

if TYPE_CHECKING:
    from taut.scene.scene import Scene

Place = tuple[Part, ...]
#: fields that are judged by another one of the same element: where that was refused, nothing can be said of them
JUDGED_BY = {"look": "shape"}


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
        known = Known.of(scene, names, (str(place[0]) for place in bad if len(place) == 1))
        around = {place[:depth] for place in bad for depth in range(1, len(place) + 1)}
        elements = {place[:2] for place in bad}
        found = [one for one in check_elements(scene, known) if self._stands(one.parts, bad, around, elements)]
        references = islice(self._references(scene, known, bad), MOST_PROBLEMS)
        return [*check_names(scene, names), *found, *references]

    def _references(self, scene: "Scene", known: Known, bad: set[Place]) -> Iterator[Problem]:
        """Names of bodies and materials that do not exist, in elements that had to be left out."""
        for section in ELEMENTS:
            elements = self.data.get(section)
            for name in elements if isinstance(elements, Mapping) else ():
                for field in ("a", "b", "material") if name not in getattr(scene, section) else ():
                    value = item(item(elements, name), field)
                    if not isinstance(value, str) or (section, name, field) in bad:
                        continue
                    found = known.check_material(value) if field == "material" else known.check_body_name(value, field)
                    yield from (Problem(one.message, (section, name, *one.parts), one.value) for one in found)

    def _stands(self, parts: Place, bad: set[Place], around: set[Place], elements: set[Place]) -> bool:
        if parts in around or any(parts[:depth] in bad for depth in range(len(parts) + 1)):
            return False
        if len(parts) == 3 and (*parts[:2], JUDGED_BY.get(str(parts[2]), "")) in around:
            return False
        # in an element with a refused field, only what is said of a value that the person did write
        return parts[:2] not in elements or self._written(parts)

    def _written(self, parts: Place) -> bool:
        node: Any = self.data
        for part in parts:
            node = item(node, part)
        return node is not NOTHING
