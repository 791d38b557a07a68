"""From the data of a route to its harness; every mistake on the way is kept with its place."""

from __future__ import annotations

import copy
import itertools
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

from taut.cables.rod.arrays import Array
from taut.cables.rod.clip_names import clip_names
from taut.cables.rod.ends import Clamp, Free, Pin, rotate
from taut.cables.rod.harness import MATERIAL, On
from taut.cables.rod.limits import Limits
from taut.cables.rod.reach import too_short
from taut.cables.rod.sections import Hollow, Rectangular, Round
from taut.cables.rod.sense import nonsense
from taut.cables.rod.touch import solid_line
from taut.cables.rod.values import RodError, number, vector
from taut.scene import mesh_file, units
from taut.scene.problems import NOTHING, Problem, did_you_mean, item, listed, near, shown
from taut.scene.problems import Part as Key

if TYPE_CHECKING:
    from taut.cables.rod.route import Route

Place = tuple[Key, ...]
#: how much longer than the straight way an automatic length begins, at least
LONGER = 1.15
#: segments that it has beyond the farthest clip, at least
BEYOND = 4
#: how many misspelled names may stand below each other for the last to be seen
DEEPEST = 6


class Checked(NamedTuple):
    """Mistakes in the fields of a route file."""

    data: Any
    """As written, but with misspelled names put right, so that what stands below them can be looked at too."""
    problems: list[Problem]
    """What is wrong in it."""
    slips: list[Problem]
    """The misspelled names."""
    renamed: dict[Place, str]
    """Places that were put right, and the names that are written there."""

    def as_written(self) -> list[Problem]:
        """All of them, at the places of the file."""
        return [replace(one, parts=self._written(one.parts)) for one in (*self.slips, *self.problems)]

    def _written(self, parts: Place) -> Place:
        return tuple(self.renamed.get(parts[: k + 1], part) for k, part in enumerate(parts))


def mistakes(data: Any, folder: Path | None) -> Checked:
    """Of the fields of a route file."""
    found = Checked(data, [], [], {})
    for _ in range(DEEPEST):
        problems, meant = _look(found.data, folder)
        if not meant:
            break
        found = found._replace(data=copy.deepcopy(found.data))
        for problem, name in meant:
            _put_right(found, problem, name)
    return found._replace(problems=[one for one in problems if one not in found.slips])


def _look(data: Any, folder: Path | None) -> tuple[list[Problem], list[tuple[Problem, str]]]:
    """Mistakes in the fields, and of those that are misspelled names what is meant."""
    from taut.cables.rod.route_form import Document
    from taut.scene.spec import UNKNOWN, problems_of

    try:
        Document.model_validate(data, context=None if folder is None else {"folder": str(folder)})
    except ValidationError as error:
        problems, meant = problems_of(error, data), []
        for one, problem in zip(error.errors(include_url=False), problems):
            name = near(one["ctx"]["name"], one["ctx"]["known"]) if one["type"] == UNKNOWN else ""
            if name and (problem.parts[-1] == "type" or item(_above(data, problem.parts), name) is NOTHING):
                meant.append((problem, name))
        return problems, meant
    return [] if data["route"].get("cables") else [Problem("there are none", ("route", "cables"))], []


def _put_right(found: Checked, problem: Problem, name: str) -> None:
    """Write the name that is meant, at its place among the others."""
    above, wrong = _above(found.data, problem.parts), problem.parts[-1]
    if wrong == "type":
        above["type"] = name
    elif name in above:
        return  # two slips for one name: the first one is it
    else:
        held = [(name if key == wrong else key, value) for key, value in above.items()]
        above.clear()
        above.update(held)
        found.renamed[*problem.parts[:-1], name] = str(wrong)
    found.slips.append(problem)


def _above(data: Any, parts: Place) -> Any:
    """What holds the last key of a place."""
    for part in parts[:-1]:
        data = item(data, part)
    return data


def read_shape(given: dict[str, Any], folder: Path | None) -> Any:
    """The shape of a part or a connector. Raises RodError."""
    from taut.cables.rod.route_form import Part
    from taut.scene.spec import problems_of

    try:
        return Part.model_validate({"shape": given}, context=None if folder is None else {"folder": str(folder)}).shape
    except ValidationError as error:
        raise RodError("; ".join(map(str, problems_of(error, {"shape": given})))) from None


class Builder:
    """Fills a route. What is wrong already is left out, and what needs it."""

    def __init__(self, route: Route, checked: Checked) -> None:
        self._route, self.problems = route, checked.problems
        given = item(checked.data, "route")
        self._given: dict[str, Any] = given if isinstance(given, dict) else {}
        self._bad = {problem.parts[:3] for problem in self.problems}

    def build(self) -> None:
        """All of it, in the order in which one needs the other."""
        harness, folder = self._route.harness, self._route.folder
        found = list(nonsense(self._given, self._bad))
        # what would follow from it is told no more
        self._bad |= {problem.parts[:3] for problem in found}
        self.problems += found
        self.problems += self._files()
        for place, name, one in self._table("connectors"):
            with self._at(place, name):
                more: dict[str, Any] = {word: one[word] for word in ("quaternion", "mass", "centre") if word in one}
                if "shape" in one:
                    more["shape"] = self._route.plugs[name] = read_shape(one["shape"], folder)
                harness.add_connector(name, one["point"], fixed=one.get("held", "fixed") == "fixed", **more)
        for place, name, one in self._table("branches"):
            with self._at(place, name):
                harness.add_branch(name, one["point"], one.get("quaternion", (1, 0, 0, 0)))
        # names that lead nowhere are told also of cables that are wrong otherwise
        given = self._given.get("cables")
        known = {
            name for name, one in (given.items() if isinstance(given, dict) else ())
            if isinstance(one, dict) and self._ends_known(("route", "cables", name), one)
        }  # fmt: skip
        for place, name, one in self._table("cables"):
            if name in known:
                with self._at(place, name):
                    self._add_cable(place, name, one)
        for place, name, one in self._table("ties"):
            with self._at(place, name):
                harness.add_tie(name, one["cables"], one["point"])
        for place, name, one in self._table("parts"):
            with self._at(place, name):
                self._add_part(name, one, folder)
        self._check_lengths()

    def _files(self) -> list[Problem]:
        """Mesh files that are not there, of shapes that are wrong otherwise and are not read."""
        folder, found = self._route.folder or Path(), []
        for word in ("parts", "connectors"):
            table = self._given.get(word)
            for name, one in table.items() if isinstance(table, dict) else ():
                place = ("route", word, name)
                file = item(item(one, "shape"), "file")
                told = any(problem.parts == (*place, "shape", "file") for problem in self.problems)
                if (
                    place in self._bad
                    and isinstance(file, str)
                    and file
                    and not told
                    and (why := mesh_file.trouble(str(folder / file)))
                ):
                    found.append(Problem(why, (*place, "shape", "file"), shown(file)))
        return found

    def _check_lengths(self) -> None:
        """Cables that are too short for what holds them: told here, with all other mistakes, and not only when they are solved."""
        asked, told = self._route.harness._asked, set()
        for name, words in too_short(asked.chains, asked.bodies):
            if name not in told and ("route", "cables", name) not in self._bad:
                told.add(name)
                self.problems.append(Problem(words, ("route", "cables", name, "length")))

    def _table(self, word: str) -> Iterator[tuple[Place, str, dict[str, Any]]]:
        """Elements of a kind whose fields are right."""
        found = self._given.get(word)
        for name, one in found.items() if isinstance(found, dict) else ():
            place = ("route", word, name)
            if place not in self._bad and place[:2] not in self._bad and isinstance(one, dict):
                yield place, name, one

    @contextmanager
    def _at(self, place: Place, name: str = "") -> Iterator[None]:
        """Whatever is refused inside is a mistake at this place."""
        try:
            yield
        except RodError as error:
            self._bad.add(place[:3])
            self.problems.append(Problem(str(error).removeprefix(f"{name}.").removeprefix(f"{name}: "), place))

    def _ends_known(self, place: Place, one: dict[str, Any]) -> bool:
        """Whether both ends sit on something that is there and right; what is not there is a mistake."""
        tables = {word: self._given.get(word) or {} for word in ("connectors", "branches")}
        names = [name for table in tables.values() if isinstance(table, dict) for name in table]
        right = True
        for side in ("start", "end"):
            end = one.get(side)
            at = end.get("at") if isinstance(end, dict) else None
            if at is None:
                continue
            if str(at) not in names:
                hint = did_you_mean(str(at), names)
                words = (
                    f"no such connector or branch{f', {hint}' if hint else ''} (known here: {listed(names) or 'none'})"
                )
                self.problems.append(Problem(words, (*place, side, "at"), shown(at)))
                self._bad.add(place)
                right = False
            right = right and not any(("route", word, str(at)) in self._bad for word in tables)
        return right

    def _add_cable(self, place: Place, name: str, one: dict[str, Any]) -> None:
        route = self._route
        material = {key: one[key] for key in MATERIAL if key in one}
        if "section" in material:
            material["section"] = _section(material["section"])
        start, end = (_end(one[word]) for word in ("start", "end"))
        length = one["length"]
        if length == "auto":
            route.tensions[name] = one["tension"]
            length = self._first_length(name, one, start, end)
        cable = route.harness.add_cable(name, length, one.get("segments", 100), start, end, **material)
        route.clips[name] = {}
        clips = one.get("clips") or []
        for k, (called, clip) in enumerate(zip(clip_names(clips), clips)):
            with self._at((*place, "clips", k)):
                pose = {word: clip[word] for word in ("direction", "up", "quaternion") if word in clip}
                held = Clamp(clip["point"], **pose)
                route.clips[name][called] = cable.add_clip(clip["s"], held, clip.get("release", "fixed"), called)
        for k, via in enumerate(one.get("through") or []):
            with self._at((*place, "through", k)):
                cable.begin_through(via["s"], via["point"])
        route.limits[name] = Limits.read("limits", one.get("limits") or {})

    def _add_part(self, name: str, one: dict[str, Any], folder: Path | None) -> None:
        shape = self._route.shapes[name] = read_shape(one["shape"], folder)
        if self._route.harness.cables:
            self._route.harness.add_obstacle(
                name, shape, one.get("point", (0, 0, 0)), one.get("quaternion", (1, 0, 0, 0))
            )
        else:
            solid_line(name, shape)  # a mesh that cannot be read is told also where no cable is right

    def _first_length(self, name: str, one: dict[str, Any], start: Any, end: Any) -> float:
        """What an automatic length begins with [m]. The arc lengths of clips are written for some length that nobody gives: it is taken
        to be one at which the cable beyond the last clip has as much slack as before it."""
        clips = sorted(((_arc(clip), clip) for clip in one.get("clips") or []), key=itemgetter(0))
        between = [vector("point", clip["point"], units.LENGTH) for _, clip in clips]
        points = [self._place(start), *between, self._place(end)]
        ways = [math.dist(a, b) for a, b in itertools.pairwise(points)]
        found = LONGER * sum(ways)
        if clips and (before := sum(ways[:-1])) > 0.0:
            last = clips[-1][0]
            found = last + max(LONGER, last / before) * ways[-1]
        arcs = [_arc(held) for held in [*(one.get("clips") or []), *(one.get("through") or [])]]
        ties = (tie["cables"] for _, _, tie in self._table("ties"))
        arcs += [number("s", tied[name], units.LENGTH) for tied in ties if name in tied]
        return max(found, (1.0 + BEYOND / one.get("segments", 100)) * max(arcs, default=0.0))

    def _place(self, end: Any) -> Array:
        """Where an end is to begin with [m]."""
        if not isinstance(end, On):
            return end.position("end")
        body = next(body for body in self._route.harness._asked.bodies if body.name == end.body)
        return body.point + rotate(body.frame, vector("point", end.point, units.LENGTH))


def _arc(given: dict[str, Any]) -> float:
    return number("s", given["s"], units.LENGTH)


def _section(given: dict[str, Any]) -> Round | Hollow | Rectangular:
    kinds = {"diameter": Round, "outer": Hollow, "width": Rectangular}
    kind = next(kind for word, kind in kinds.items() if word in given)
    made: Round | Hollow | Rectangular = kind(**given)
    return made


def _end(given: Any) -> On | Clamp | Pin | Free:
    if given == "free":
        return Free()
    pose = {key: given[key] for key in ("direction", "up") if key in given}
    if "at" in given:
        return On(str(given["at"]), given.get("point", (0, 0, 0)), **pose)
    if given.get("held") == "pinned":
        return Pin(given["point"])
    return Clamp(given["point"], **pose, quaternion=given.get("quaternion"))
