"""Routes in files: parts, connectors, cables and their limits, as a person writes them.

taut: 1
route:
  gravity: [0, 0, -9.81]        # m/s^2, if it is another
  itself: true                  # cables touch themselves and each other
  parts:
    bracket: {shape: {type: box, size: [80 mm, 40 mm, 10 mm]}, point: [0, 0, 0]}
  connectors:
    pump: {point: [0, 0, 0.1], held: fixed}     # or free, with mass, centre and shape
  branches:
    fork: {point: [0.2, 0, 0]}                  # goes where the cables that end on it pull it; to begin with it is here
  ties:
    strap: {cables: {hose: 300 mm, lead: 250 mm}, point: [0.1, 0, 0]}  # bundles them at these arc lengths
  cables:
    hose:
      length: 600 mm            # or auto, with tension: 0.5 N
      segments: 100
      section: {outer: 12 mm, inner: 8 mm}
      E: 6 MPa
      nu: 0.45
      density: 1200 kg/m^3      # or mass_per_length; EI and GJ instead of E and nu; G instead of nu
      rest_curvature: [0, 2]    # 1/m about both axes, and rest_twist [rad/m]
      start: {at: pump, direction: [1, 0, 0]}
      end: {point: [350 mm, 80 mm, 40 mm], direction: [1, 0, 0]}
      clips: [{s: 300 mm, point: [0.2, 0, 0.05], direction: [1, 0, 0], release: slide}]
      limits: {bend_radius: 40 mm, clearance: 3 mm}
"""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from pydantic import TypeAdapter, ValidationError

from taut.cables.rod.ends import Clamp, Free, Pin
from taut.cables.rod.harness import MATERIAL, Harness, On
from taut.cables.rod.limits import Limits
from taut.cables.rod.sections import Hollow, Rectangular, Round
from taut.cables.rod.untwist import untwist
from taut.cables.rod.values import RodError
from taut.scene import reader, shapes
from taut.scene.problems import Part, SceneError

CABLE_FIELDS = {*MATERIAL, "length", "tension", "segments", "start", "end", "clips", "limits"}
END_FIELDS = {"at", "point", "direction", "up", "quaternion", "held"}


class RouteError(RodError):
    """A route that cannot be read; its text names file and place."""


@dataclass
class Route:
    """A harness with the names and limits of its file."""

    harness: Harness
    data: dict[str, Any]  # as written, to be saved again
    limits: dict[str, Limits] = field(default_factory=dict)
    shapes: dict[str, Any] = field(default_factory=dict)  # of parts
    plugs: dict[str, Any] = field(default_factory=dict)  # of connectors that have one
    clips: dict[str, dict[str, int]] = field(default_factory=dict)  # cable -> name of the clip -> its number
    tensions: dict[str, Any] = field(default_factory=dict)  # cables with automatic length
    name: str = "route"
    folder: Path | None = None  # where the mesh files of its parts are looked for

    @staticmethod
    def load(file: str | Path) -> Route:
        """From a YAML file. Raises RouteError."""
        path = Path(file)
        try:
            document = reader.read_file(path)
            if document.problems:
                raise SceneError(document.problems)
        except SceneError as error:
            raise RouteError(str(error)) from None
        try:
            return Route.of(document.data, path.parent, path.stem)
        except RodError as error:
            line = _line(document, str(error))
            raise RouteError(f"{path}:{line}: {error}" if line else f"{path}: {error}") from None

    @staticmethod
    def of(data: Any, folder: Path | None = None, name: str = "route") -> Route:
        """From what a file holds."""
        if not isinstance(data, dict) or data.get("taut") != 1 or not isinstance(data.get("route"), dict):
            raise RouteError("expected a mapping with 'taut: 1' and 'route:'")
        route = data["route"]
        _known("route", route, {"gravity", "parts", "connectors", "branches", "cables", "ties", "itself"})
        harness = Harness(route.get("gravity", (0.0, 0.0, -9.81)))
        made = Route(harness, data, name=name, folder=folder)
        for key, one in _table(route, "connectors").items():
            _known(f"connectors.{key}", one, {"point", "quaternion", "held", "mass", "centre", "shape"})
            held = one.get("held", "fixed")
            if held not in ("fixed", "free"):
                raise RouteError(f"connectors.{key}.held: {held!r} - expected fixed or free")
            more = {word: one[word] for word in ("quaternion", "mass", "centre") if word in one}
            if "shape" in one:
                more["shape"] = made.plugs[key] = _shape(f"connectors.{key}", one, folder)
            harness.add_connector(key, _need(f"connectors.{key}", one, "point"), fixed=held == "fixed", **more)
        for key, one in _table(route, "branches").items():
            _known(f"branches.{key}", one, {"point", "quaternion"})
            harness.add_branch(key, _need(f"branches.{key}", one, "point"), one.get("quaternion", (1, 0, 0, 0)))
        cables = _table(route, "cables")
        if not cables:
            raise RouteError("route.cables: there are none")
        for key, one in cables.items():
            made._add_cable(key, one)
        for key, one in _table(route, "ties").items():
            _known(f"ties.{key}", one, {"point", "cables"})
            harness.add_tie(key, _need(f"ties.{key}", one, "cables"), _need(f"ties.{key}", one, "point"))
        for key, one in _table(route, "parts").items():
            made._add_part(key, one, folder)
        if route.get("itself"):
            harness.touch_itself()
        return made

    def _add_cable(self, name: str, one: dict[str, Any]) -> None:
        _known(f"cables.{name}", one, CABLE_FIELDS)
        material = {key: one[key] for key in MATERIAL if key in one}
        if "section" in material:
            material["section"] = _section(name, material["section"])
        start, end = (_end(f"cables.{name}.{word}", _need(f"cables.{name}", one, word)) for word in ("start", "end"))
        length = _need(f"cables.{name}", one, "length")
        if length == "auto":
            self.tensions[name] = _need(f"cables.{name}", one, "tension")
            length = _chord(self.harness, start, end) * 1.15
        cable = self.harness.add_cable(name, length, one.get("segments", 100), start, end, **material)
        self.clips[name] = {}
        for k, clip in enumerate(one.get("clips", [])):
            where = f"cables.{name}.clips[{k}]"
            _known(where, clip, {"s", "name", "release", "point", "direction", "up", "quaternion"})
            pose = {word: clip[word] for word in ("direction", "up", "quaternion") if word in clip}
            clamp = Clamp(clip["point"], **pose) if "point" in clip else None
            if clamp is None:
                raise RouteError(f"{where}: needs a point and a direction")
            s = _need(where, clip, "s")
            try:
                number_ = cable.add_clip(s, clamp, clip.get("release", "fixed"))
            except RodError as error:
                raise RouteError(f"{where}.{error}") from None
            self.clips[name][str(clip.get("name", f"clip {k + 1}"))] = number_
        self.limits[name] = Limits.read(f"cables.{name}.limits", one.get("limits", {}))

    def _add_part(self, name: str, one: dict[str, Any], folder: Path | None) -> None:
        _known(f"parts.{name}", one, {"shape", "point", "quaternion"})
        shape = self.shapes[name] = _shape(f"parts.{name}", one, folder)
        self.harness.add_obstacle(name, shape, one.get("point", (0, 0, 0)), one.get("quaternion", (1, 0, 0, 0)))

    def solve(self) -> None:
        """Find the equilibrium; ends and clips without `up` are rolled so that nothing is twisted, and cables with automatic
        length find theirs."""
        self.harness.solve()
        untwist(self)
        for name, tension in self.tensions.items():
            self.harness[name].automatic_length(tension)

    def keep_slid(self) -> None:
        """Write into the data where the cables have slid to in their clips: from the arc lengths of long ago the shape of now may
        not be found again."""
        if self.harness._net.solution is None:
            return
        for name, one in self.data["route"]["cables"].items():
            cable = self.harness[name]
            for k, clip in enumerate(one.get("clips") or []):
                number_ = self.clips[name].get(str(clip.get("name", f"clip {k + 1}")))
                if number_ in cable._chain.clips and cable._chain.clips[number_].slides:
                    clip["s"] = f"{round(1e3 * cable.clip_arc(number_), 3):.10g} mm"

    def save(self, file: str | Path) -> None:
        """Write it back, with the lengths and poses of now."""
        self.keep_slid()
        path = Path(file)
        # a file that is there is replaced as a whole: whoever reads it meanwhile sees one or the other
        draft = path.with_name(f".{path.name}.part") if path.is_file() else path
        draft.write_text(
            yaml.safe_dump(self._for(path.parent.resolve()), sort_keys=False, allow_unicode=True), encoding="utf-8"
        )
        if draft != path:
            draft.replace(path)

    def _for(self, folder: Path) -> dict[str, Any]:
        """The data for a file in a folder: mesh files that lie in it or below are named from there, so that both can be moved
        together."""
        data = copy.deepcopy(self.data)
        for one in [*(data["route"].get("parts") or {}).values(), *(data["route"].get("connectors") or {}).values()]:
            if "file" in one.get("shape", {}):
                file = ((self.folder or Path()) / one["shape"]["file"]).resolve()
                one["shape"]["file"] = str(file.relative_to(folder) if file.is_relative_to(folder) else file)
        return data


def _line(document: reader.Document, said: str) -> int:
    """The line that a message speaks of, by the place or the name it begins with; 0 if it names none."""
    head = re.split(": | - ", said, maxsplit=1)[0]
    parts = tuple(int(word) if word.isdigit() else word for word in re.findall(r"[^.\[\]' ]+", head))
    tables = document.place.inside.get("route", document.place).inside
    best: tuple[Part, ...] = ()
    most = 0
    # a place is told from the file on, from the route on or by the name of a cable; before a name may stand what it is
    for base in ((), ("route",), *(("route", table) for table in tables)):
        for rest in (parts, parts[1:]):
            found = document.reaches((*base, *rest)) - len(base)
            if found > most:
                best, most = (*base, *rest), found
    return document.line(best) if most else 0


def read_shape(where: tuple[str, ...], given: dict[str, Any], folder: Path | None) -> Any:
    """The shape of a part or a connector."""
    return _shape(".".join(where[1:-1]), {"shape": given}, folder)


def _shape(where: str, one: dict[str, Any], folder: Path | None) -> Any:
    """The shape of a part or a connector."""
    adapter: TypeAdapter[Any] = TypeAdapter(shapes.Shape)
    try:
        return adapter.validate_python(
            _need(where, one, "shape"), context=None if folder is None else {"folder": str(folder)}
        )
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"][1:]) or "type"
        raise RouteError(f"{where}.shape.{place}: {first['msg']}") from None


def _section(name: str, given: Any) -> Round | Hollow | Rectangular:
    kinds = {
        frozenset({"diameter"}): Round,
        frozenset({"outer", "inner"}): Hollow,
        frozenset({"width", "height"}): Rectangular,
    }
    if not isinstance(given, dict) or frozenset(given) not in kinds:
        raise RouteError(
            f"cables.{name}.section: {given!r} - expected {{diameter}}, {{outer, inner}} or {{width, height}}"
        )
    made: Round | Hollow | Rectangular = kinds[frozenset(given)](**given)
    made.moments()
    return made


def _end(where: str, given: Any) -> On | Clamp | Pin | Free:
    if given == "free":
        return Free()
    if not isinstance(given, dict):
        raise RouteError(
            f"{where}: {given!r} - expected free, {{at: connector, ...}} or {{point: ..., direction: ...}}"
        )
    _known(where, given, END_FIELDS)
    pose = {key: given[key] for key in ("direction", "up") if key in given}
    if "at" in given:
        return On(str(given["at"]), given.get("point", (0, 0, 0)), **pose)
    if given.get("held") == "pinned":
        return Pin(_need(where, given, "point"))
    return Clamp(_need(where, given, "point"), **pose, quaternion=given.get("quaternion"))


def _chord(harness: Harness, start: Any, end: Any) -> float:
    """Distance between two ends [m], to begin an automatic length with."""
    import math

    points = []
    for one in (start, end):
        if isinstance(one, Free):
            raise RouteError("length: auto needs both ends held")
        if isinstance(one, On):
            body = next((body for body in harness._asked.bodies if body.name == one.body), None)
            if body is None:
                raise RouteError(f"no connector or branch {one.body!r}")
            points.append(body.point)
        else:
            points.append(one.position("end"))
    return math.dist(*points)


def _table(data: dict[str, Any], key: str) -> dict[str, Any]:
    found = data.get(key) or {}
    if not isinstance(found, dict) or not all(isinstance(one, dict) for one in found.values()):
        raise RouteError(f"route.{key}: expected names, each with its fields")
    return found


def _need(where: str, data: dict[str, Any], key: str) -> Any:
    if key not in data:
        raise RouteError(f"{where}: {key} is missing")
    return data[key]


def _known(where: str, data: dict[str, Any], allowed: set[str]) -> None:
    unknown = sorted(set(data) - allowed)
    if unknown:
        raise RouteError(f"{where}.{unknown[0]}: unknown; allowed: {', '.join(sorted(allowed))}")
