"""What was changed of the scene of a route, written into the file of the route: only what changed differs."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path

from taut.cables.rod.as_scene import scene_name
from taut.cables.rod.direct import give_stiffness
from taut.cables.rod.route import Route
from taut.cables.rod.route_text import changed
from taut.cables.rod.values import BENDING, RodError
from taut.cables.rod.written import length_like
from taut.scene import units
from taut.scene.problems import Problem, SceneError

#: fields of a cable of the scene that a route has too
OF_BOTH = ("length", "bending_stiffness")


def foreign(file: Path, changes: Sequence[str]) -> list[str]:
    """Those of some changes, such as 'hose.length=0.8 m', that no route file can hold. Raises SceneError for a file that is no route any more."""
    try:
        names = {scene_name(name) for name in Route.load(file).harness.cables}
    except RodError as error:
        raise SceneError([Problem(str(error), file=str(file))]) from None
    return [change for change in changes if not (_place(change)[0] in names and _place(change)[1] in OF_BOTH)]


def resaved(file: Path, changes: Sequence[str]) -> str:
    """The text of a route file with changes that were made of its scene. Raises SceneError for a route that cannot be."""
    try:
        route = Route.load(file)
        assert route.opened is not None
        data = copy.deepcopy(route.opened.data)
        names = {scene_name(name): name for name in route.harness.cables}
        for change in changes:
            element, field = _place(change)
            value, name = change.partition("=")[2].strip(), names[element]
            cable = data["route"]["cables"][name]
            if field == "length":
                cable["length"] = length_like(cable.get("length"), units.parse(value, units.LENGTH))
                cable.pop("tension", None)  # that found an automatic one
            else:
                give_stiffness(cable, route.harness[name]._chain, EI=units.parse(value, BENDING))
        Route.of(copy.deepcopy(data), file.parent, file.stem)
    except (RodError, units.UnitError) as error:
        raise SceneError([Problem(str(error), file=str(file))]) from None
    return changed(route.opened.text, data)


def _place(change: str) -> tuple[str, str]:
    """Element and field of a change."""
    element, _, field = change.partition("=")[0].strip().removeprefix("cables.").rpartition(".")
    return element, field
