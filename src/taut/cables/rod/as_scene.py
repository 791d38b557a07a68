"""A route as a scene: its cables as rods in equilibrium at every step, its parts as static bodies.

What a scene can do that a route cannot: bodies that move, controls, recordings. What it cannot: clips, branches, ties,
connectors that are let go, and rods that touch parts.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from taut.cables.rod.chain import CLAMPED, FREED, PINNED, SIDES
from taut.cables.rod.ends import rotate
from taut.cables.rod.harness import Cable
from taut.cables.rod.route import Route
from taut.cables.rod.values import RodError

#: what a cable of a route calls its material, and what a cable of a scene does
WORDS = {
    "E": "modulus", "nu": "poisson", "G": "shear_modulus", "EI": "bending_stiffness", "GJ": "torsional_stiffness",
    "density": "density", "mass_per_length": "mass_per_length",
}  # fmt: skip
#: how often twist is turned back at most, and down to what [rad]
ROUNDS, UNTWISTED = 40, 1e-6
#: what a section is called, by its fields
SECTIONS = {frozenset({"diameter"}): "round", frozenset({"outer", "inner"}): "hollow"}


def scene_data(route: Route, folder: Path | None = None) -> dict[str, Any]:
    """What a scene file of this route would hold; solves it. Raises RodError for what a scene cannot hold."""
    given = route.data["route"]
    for word in ("branches", "ties"):
        if given.get(word):
            raise RodError(f"route.{word}: a scene has none; `taut route` solves them")
    for name, one in (given.get("connectors") or {}).items():
        if one.get("held") == "free":
            raise RodError(f"connectors.{name}: is free; in a scene it would be a body, `taut route` solves it")
    route.solve()
    bodies = {}
    for name, one in (given.get("parts") or {}).items():
        shape = dict(one["shape"])
        if folder is not None and "file" in shape:
            shape["file"] = str((folder / shape["file"]).resolve())
        body: dict[str, Any] = {"kind": "static", "collide": False, "shape": shape}
        body["position"] = one.get("point", [0, 0, 0])
        body["orientation"] = one.get("quaternion", [1, 0, 0, 0])
        bodies[name] = body
    cables = {name: _cable(name, one, route) for name, one in given["cables"].items()}
    data = {"taut": 1, "name": route.name, "bodies": bodies, "cables": cables}
    if "gravity" in given:
        data["gravity"] = given["gravity"]
    data["measures"] = [f"{name}.{what}" for name in cables for what in ("bend_radius", "twist", "start_force")]
    return data


def _cable(name: str, given: dict[str, Any], route: Route) -> dict[str, Any]:
    cable = route.harness[name]
    if given.get("clips"):
        raise RodError(f"cables.{name}.clips: a scene has none; `taut route` solves them")
    made: dict[str, Any] = {"model": "rod", "length": cable.length, "segments": cable.segments}
    for word, called in WORDS.items():
        if word in given:
            if isinstance(given[word], list | tuple):
                raise RodError(
                    f"cables.{name}.{word}: a scene knows one number; `taut route` knows two, or one per segment"
                )
            made[called] = given[word]
    for word in ("rest_curvature", "rest_twist"):
        if given.get(word):
            raise RodError(f"cables.{name}.{word}: the roll of its start is known to `taut route` only")
    if "section" in given:
        kind = SECTIONS.get(frozenset(given["section"]))
        if kind is None:
            raise RodError(f"cables.{name}.section: the roll of a strip is known to `taut route` only")
        section = dict(given["section"])
        made["section"] = {"type": kind, "diameter": section.pop("outer", None) or section["diameter"], **section}
    else:
        made["diameter"] = 2.0 * cable.radius
    made["route"] = [_end(cable, side) for side in range(2)]
    if cable._chain.held == [CLAMPED, CLAMPED]:
        made["route"][1]["roll"] = _roll(route, cable)
    return made


def _roll(route: Route, cable: Cable) -> float:
    """How far the last end is turned about its direction, away from where the rod has no twist [rad]: it is turned back there.

    A rod that is turned back leaves its shape a little, and twists again by that: what is left is turned back next.
    """
    total, target = 0.0, route.harness._net.asked.bodies[cable._chain.bodies[1]]
    way = rotate(cable.end_frame("end"), np.array([0.0, 0.0, 1.0]))
    for _ in range(ROUNDS):
        left = float(0.5 * (cable.twist[1:] + cable.twist[:-1]) @ np.diff(cable.arc_length))
        if abs(left) < UNTWISTED:
            break
        target.turn(-left * way)
        route.harness.solve()
        total += left
    return total


def _end(cable: Cable, side: int) -> dict[str, Any]:
    """An end as it is now, on the world."""
    held = cable._chain.held[side]
    if held == FREED:
        return {"type": "free"}
    place = {"type": "end", "at": _plain(cable.points[-side]), "hold": "point" if held == PINNED else "pose"}
    if held == PINNED:
        return place
    place["direction"] = _plain(rotate(cable.end_frame(SIDES[side]), np.array([0.0, 0.0, 1.0])))
    return place


def _plain(values: np.ndarray) -> list[float]:
    return [float(value) for value in values]
