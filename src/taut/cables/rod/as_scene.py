"""A route as a scene: its cables as rods in equilibrium at every step, its parts and connectors as bodies.

Connectors that are held are static bodies, those that are let go are dynamic. A branch or a tie is a dynamic body that weighs
next to nothing: it is where the cables balance at the end of every step. Clips and ties hold the cables between their ends.
Cables lean on the parts, as they do in the route. What a scene can do that a route cannot: bodies that move, controls, recordings. What it cannot is told by `unlike_scene.py`.
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np

from taut.cables.rod.arrays import Array
from taut.cables.rod.chain import CLAMPED, FREED, SIDES
from taut.cables.rod.ends import rotate
from taut.cables.rod.found_rolls import Found
from taut.cables.rod.harness import Cable
from taut.cables.rod.route import Route
from taut.cables.rod.targets import CLIPS, Body, Clip, Handle
from taut.cables.rod.unlike_scene import unlike_scene
from taut.scene.clips import LIGHT
from taut.scene.problems import SceneError

#: a cable of a scene has some mass: that of one of a route that has none [kg/m]
WEIGHTLESS = 1e-9
#: EI about both axes that differ by less, as a share, are those of something round
ROUND = 1e-9
#: points of a shape that lead a scene to it
PLACES = 11
#: parts stand back behind the cables, which are told apart
PART_COLOUR, CABLE_COLOURS = "#b9b4a7", ("#d9480f", "#0f7aa8", "#2b8a3e", "#323b47", "#8b6fb0", "#c79a3b")
ALONG, ACROSS = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])


def scene_data(route: Route, folder: Path | None = None) -> dict[str, Any]:
    """What a scene file of this route would hold; solves it. Raises RodError for a route without a shape, SceneError for all that
    a scene cannot hold."""
    route.solve()
    problems = unlike_scene(route)
    if problems:
        raise SceneError(problems)
    given = route.data["route"]
    bodies = {}
    for name, one in (given.get("parts") or {}).items():
        body: dict[str, Any] = {"kind": "static", "collide": False, "shape": _shape(one, folder), "color": PART_COLOUR}
        body["position"] = one.get("point", [0, 0, 0])
        body["orientation"] = one.get("quaternion", [1, 0, 0, 0])
        bodies[scene_name(name)] = body
    for word in ("connectors", "branches", "ties"):
        for name, one in (given.get(word) or {}).items():
            bodies[scene_name(name)] = _body(route, name) | ({"shape": _shape(one, folder)} if "shape" in one else {})
    cables = {scene_name(name): _cable(name, route) for name in given["cables"]}
    for k, cable in enumerate(cables.values()):
        cable["color"] = CABLE_COLOURS[k % len(CABLE_COLOURS)]
    data = {"taut": 1, "name": route.name, "bodies": bodies, "cables": cables}
    # what a route file says of itself beside the route, as a scene does
    data |= {word: route.data[word] for word in ("name", "description", "view", "duration") if word in route.data}
    if "gravity" in given:
        data["gravity"] = given["gravity"]
    data["measures"] = [f"{name}.{what}" for name in cables for what in ("bend_radius", "twist", "start_force")]
    return data


def scene_name(name: str) -> str:
    """A name of a route as a scene can have it: letters, digits and _."""
    plain = re.sub(r"\W", "_", name, flags=re.ASCII)
    return f"_{plain}" if plain[:1].isdigit() else plain


def _shape(given: dict[str, Any], folder: Path | None) -> dict[str, Any]:
    """The shape of a part or connector, its file found from anywhere."""
    shape = dict(given["shape"])
    if folder is not None and "file" in shape:
        shape["file"] = str((folder / shape["file"]).resolve())
    return shape


def _body(route: Route, name: str) -> dict[str, Any]:
    """A connector, a branch or a tie, where it came to rest: its origin is its middle."""
    target, (point, frame) = route.harness._body(name), route.harness.pose(name)
    place = {"position": _plain(point + rotate(frame, target.lever)), "orientation": _plain(frame)}
    if not target.is_free:
        return {"kind": "static", "collide": False, **place}
    cables = route.harness.cables.values()
    least = LIGHT * sum(float(cable._chain.properties.mass.mean()) * cable.length for cable in cables)
    thick = max(
        1e-3, *(cable.radius for cable in cables), float(np.ptp(target.studs[:, :3]) if len(target.studs) else 0.0)
    )
    gravity = float(np.linalg.norm(route.harness._gravity))
    mass = max(least, float(np.linalg.norm(target.pull)) / gravity if gravity else 0.0, 1e-12)
    # of about its size: where it comes to rest does not depend on it
    inertia = [mass * thick**2] * 3
    return {"kind": "dynamic", "collide": False, "mass": mass, "inertia": inertia, "centre": [0, 0, 0], **place}


def _cable(name: str, route: Route) -> dict[str, Any]:
    cable = route.harness[name]
    kind = cable._chain.properties
    first, second, torsion = kind.stiffness[0].tolist()
    made: dict[str, Any] = {
        "model": "rod", "length": cable.length, "segments": cable.segments, "bending_stiffness": first,
        "torsional_stiffness": torsion, "mass_per_length": max(float(kind.mass[0]), WEIGHTLESS),
    }  # fmt: skip
    if not math.isclose(first, second, rel_tol=ROUND):
        made["bending_stiffness_across"] = second  # a strap; what is round stays so when its stiffness is changed
    if kind.radius > 0.0:
        made["diameter"] = 2.0 * kind.radius
        made["obstacles"] = [scene_name(part) for part in route.data["route"].get("parts") or {}]
    # the shape that stands, which its ends alone may not lead to
    nodes, at = route.harness._net.nodes(cable._chain), cable._chain.shares()
    spread = np.linspace(0.0, 1.0, PLACES)
    made["places"] = [
        _plain(point) for point in np.column_stack([np.interp(spread, at, nodes[:, c]) for c in range(3)])
    ]
    if kind.rest.any():
        made["rest_curvature"], made["rest_twist"] = _plain(kind.rest[0, :2]), float(kind.rest[0, 2])
    clips = {id(cable._chain.clips[number]): called for called, number in route.clips[name].items()}
    holds = sorted([*cable._chain.order, *cable._chain.handle_order], key=lambda one: one.share)
    made["route"] = [
        _end(route, cable, 0),
        *(_hold(route, cable, one, clips.get(id(one), one.name)) for one in holds),
        _end(route, cable, 1),
    ]
    return made


def _end(route: Route, cable: Cable, side: int) -> dict[str, Any]:
    """An end as it is now, on what holds it."""
    held = cable._chain.held[side]
    if held == FREED:
        return {"type": "free"}
    body = route.harness._net.asked.bodies[cable._chain.bodies[side]]
    place: dict[str, Any] = {"type": "end", **_on(route, body), "at": _plain(cable.points[-side])}
    if held == CLAMPED:
        frame = cable.end_frame(SIDES[side])
        place |= {"hold": "pose", "direction": _plain(rotate(frame, ALONG))}
        given = route.data["route"]["cables"][cable.name][SIDES[side]]
        # a roll that was found is found anew when the cable lies otherwise; with others, all of them at once, only in a route
        if not (_is_alone(route, cable) and isinstance(given.get("up"), Found)):
            place["up"] = _plain(rotate(frame, ACROSS))
    return place


def _is_alone(route: Route, cable: Cable) -> bool:
    """Whether nothing holds a cable but its ends, and those are held by what stands still."""
    chain, bodies = cable._chain, route.harness._net.asked.bodies
    return not chain.order and not chain.handle_order and not any(bodies[k].free.any() for k in chain.bodies)


def _hold(route: Route, cable: Cable, one: Handle, name: str) -> dict[str, Any]:
    """A clip, or a tie: a ball on the body that bundles."""
    place: dict[str, Any] = {"type": "clip", "s": one.share * cable.length, "name": scene_name(name)}
    if not isinstance(one, Clip):
        tie = route.harness._net.asked.bodies[one.body]
        at = tie.point + rotate(tie.frame, one.point)
        return place | {**_on(route, tie), "at": _plain(at), "release": "ball"}
    kind = next(word for word, releases in CLIPS.items() if releases == one.releases)
    place |= {"at": _plain(one.point), "release": kind}
    if kind not in ("ball", "duct"):
        place["direction"] = _plain(rotate(one.frame, ALONG))
    if kind in ("fixed", "slide"):
        place["up"] = _plain(rotate(one.frame, ACROSS))
    return place


def _on(route: Route, body: Body) -> dict[str, str]:
    """The body of the scene that stands for one of the harness; ends that are placed are held by the world."""
    given = route.data["route"]
    named = any(body.name in (given.get(word) or {}) for word in ("connectors", "branches", "ties"))
    return {"on": scene_name(body.name)} if named else {}


def _plain(values: Array) -> list[float]:
    return [float(value) for value in values]
