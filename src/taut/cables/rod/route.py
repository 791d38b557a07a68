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
      clips: [{name: guide, s: 300 mm, point: [0.2, 0, 0.05], direction: [1, 0, 0], release: slide}]
      limits: {bend_radius: 40 mm, clearance: 3 mm}
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from taut.cables.rod import route_text
from taut.cables.rod.clip_names import clip_names
from taut.cables.rod.found_rolls import without_found
from taut.cables.rod.harness import Harness
from taut.cables.rod.limits import Limits
from taut.cables.rod.route_build import Builder, mistakes
from taut.cables.rod.untwist import untwist
from taut.cables.rod.values import RodError
from taut.cables.rod.written import length_like, numbers
from taut.scene import reader
from taut.scene.problems import Problem, SceneError

#: free fall, unless a route says otherwise [m/s^2]
DOWN = (0.0, 0.0, -9.81)
#: decimals of plain numbers in a file that is written: metres, and parts of unit vectors
DIGITS = {"point": 9, "centre": 9, "direction": 8, "up": 8, "quaternion": 8}
#: decimals of arc lengths in sliding clips [m]
SLID = 6


class RouteError(RodError):
    """A route that cannot be used, with all its problems. Its text names file and line of each."""

    def __init__(self, problems: Iterable[Problem] | str) -> None:
        given = [Problem(problems)] if isinstance(problems, str) else problems
        self.problems: tuple[Problem, ...] = tuple(given)
        super().__init__(str(SceneError(self.problems)))


@dataclass
class Opened:
    """The file that a route was read from, as long as nobody has changed the route."""

    text: str
    data: dict[str, Any]  # as read
    settled: dict[str, Any] | None = None  # with the rolls and arc lengths that its first shape has


@dataclass
class Lean:
    """What is enough to write for a route to be found again, as long as it is this one."""

    of: dict[str, Any]  # the data of the route
    written: dict[str, Any]  # the same without rolls that are found again


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
    file: str = ""  # that it was read from
    folder: Path | None = None  # where the mesh files of its parts are looked for
    opened: Opened | None = None
    lean: Lean | None = None

    @staticmethod
    def load(file: str | Path) -> Route:
        """From a YAML file. Raises RouteError with every mistake in it, each with its line."""
        path = Path(file)
        if not path.exists():
            raise RouteError(f"{path}: no such file")
        try:
            document = reader.read_file(path)
        except SceneError as error:
            raise RouteError(error.problems) from None
        try:
            opened = Opened(path.read_text(encoding="utf-8-sig"), copy.deepcopy(document.data))
            made = Route.of(document.data, path.parent, path.stem)
            made.file, made.opened = path.name, opened
        except RouteError as error:
            found = [document.placed(reader.as_written(one, document.data)) for one in error.problems]
            raise RouteError(sorted([*document.problems, *found], key=lambda one: one.line)) from None
        if document.problems:
            raise RouteError(document.problems)
        return made

    @staticmethod
    def of(data: Any, folder: Path | None = None, name: str = "route") -> Route:
        """From what a file holds. Raises RouteError with every mistake."""
        if not isinstance(data, dict) or data.get("taut") != 1 or not isinstance(data.get("route"), dict):
            raise RouteError([Problem("expected a mapping with 'taut: 1' and 'route:'")])
        checked = mistakes(data, folder)
        problems = checked.problems
        gravity = data["route"].get("gravity", DOWN)
        bad = any(one.parts[:2] == ("route", "gravity") for one in problems)
        made = Route(Harness(DOWN if bad else gravity), data, name=name, folder=folder)
        Builder(made, checked).build()
        if problems or checked.slips:
            raise RouteError(checked.as_written())
        if data["route"].get("itself"):
            made.harness.touch_itself()
        return made

    def solve(self, near: Route | None = None) -> None:
        """Find the equilibrium; ends and clips without `up` are rolled so that nothing is twisted, and cables with automatic
        length find theirs. near: one that is solved already and nearly the same, as before its material was changed; the shape that is
        found is the one near it, if there is one."""
        self.harness._net.before = None if near is None else near.harness._net
        self.harness.solve()
        untwist(self)
        for name, tension in self.tensions.items():
            self.harness[name].automatic_length(tension)
        if self.opened is not None and self.opened.settled is None:
            self.keep_slid()
            self.opened.settled = copy.deepcopy(self.data)

    def made_of(self, data: dict[str, Any], folder: Path | None = None) -> Route:
        """A route of other data that goes on from this one: of the same name and file. Raises RouteError."""
        made = Route.of(data, folder or self.folder, self.name)
        made.file, made.opened = self.file, self.opened
        return made

    def keep_slid(self) -> None:
        """Write into the data where the cables have slid to in their clips: from the arc lengths of long ago the shape of now may
        not be found again."""
        if self.harness._net.solution is None:
            return
        for name, one in self.data["route"]["cables"].items():
            cable = self.harness[name]
            clips = one.get("clips") or []
            for word, clip in zip(clip_names(clips), clips):
                number_ = self.clips[name].get(word)
                if number_ in cable._chain.clips and cable._chain.clips[number_].slides:
                    clip["s"] = length_like(clip["s"], round(cable.clip_arc(number_), SLID), digits=SLID)

    def save(self, file: str | Path) -> None:
        """Write it back, with the lengths and poses of now: what was not changed stays as it was read, to the letter."""
        self.keep_slid()
        path = Path(file)
        # it comes as a whole: whoever reads it meanwhile sees the one before or this one; devices are written to as they are
        draft = path.with_name(f".{path.name}.part") if path.is_file() or not path.exists() else path
        draft.write_text(self.text(path.parent), encoding="utf-8")
        if draft != path:
            draft.replace(path)

    def text(self, folder: Path) -> str:
        """What a file in a folder would hold."""
        opened = self.opened
        untouched = opened is not None and self.data in (opened.data, opened.settled)
        data = opened.data if opened is not None and untouched else self.data
        if self.lean is not None and self.lean.of == self.data and not untouched:
            data = self.lean.written
        elif opened is not None and opened.settled is not None and not untouched:
            data = without_found(data, opened.data, opened.settled)
        wanted = self._for(data, folder.resolve())
        if opened is None:
            return route_text.whole(wanted)
        return route_text.changed(opened.text, wanted)

    def _for(self, data: dict[str, Any], folder: Path) -> dict[str, Any]:
        """The data for a file in a folder: mesh files that lie in it or below are named from there, so that both can be moved
        together."""
        read = self.opened.data if self.opened is not None else {}
        data = copy.deepcopy(data)
        if self.folder is None or self.folder.resolve() != folder or self.opened is None:
            tables = (data["route"].get(word) or {} for word in ("parts", "connectors"))
            for one in (one for table in tables for one in table.values()):
                if "file" in one.get("shape", {}):
                    file = ((self.folder or Path()) / one["shape"]["file"]).resolve()
                    one["shape"]["file"] = str(file.relative_to(folder) if file.is_relative_to(folder) else file)
        data["route"] = _rounded(data["route"], read.get("route"))
        return data


def _rounded(value: Any, read: Any = None, digits: int | None = None) -> Any:
    """Plain numbers of poses without the digits that nobody sees: points to a nanometre, directions to some nanoradians. What
    stood in the file already stays."""
    if value == read:
        return value
    if isinstance(value, dict):
        before = read if isinstance(read, dict) else {}
        return {key: _rounded(one, before.get(key), DIGITS.get(key)) for key, one in value.items()}
    if isinstance(value, list | tuple):
        if digits is not None and all(isinstance(one, int | float) for one in value):
            return numbers(value, digits)
        was = read if isinstance(read, list) and len(read) == len(value) else [None] * len(value)
        return [_rounded(one, other, digits) for one, other in zip(value, was)]
    return round(value, digits) + 0.0 if isinstance(value, float) and digits is not None else value
