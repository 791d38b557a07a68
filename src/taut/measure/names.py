"""One grammar of names, `element.quantity[index]`, for everything that can be read.

The table below is the only place where a name, its unit and its meaning are paired with the function that answers it.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.core.model import (
    BOUND_ITERATIONS,
    C_GAP,
    G_START,
    PLANS,
    REDONE,
    REDUNDANT_ROWS,
    RESIDUAL_CONE,
    RESIDUAL_FORCE,
    RESIDUAL_RELATIVE,
    RESIDUAL_SPEED,
    SECOND_PASSES,
    STEPS,
    SUBSTEPS,
    TIME,
)
from taut.measure import autos, contacts, courses, energy, joints, poses, ropes, strands, waves
from taut.measure.sway import carried_place, carrier_of
from taut.scene import WORLD, Cable, Distance, Hinge, Slider

NAME = re.compile(r"^(?P<base>[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)?)(?:\[(?P<index>\d+)\])?$")

#: a statistic of a name, as in max(load.sway)
CALL = re.compile(r"^\s*(?P<statistic>[A-Za-z_]+)\s*\(\s*(?P<name>[^()]*?)\s*\)\s*$")


class UnknownName(KeyError):
    """A name that the scene does not have; its text says which are near."""

    def __str__(self) -> str:
        return str(self.args[0])


def name_in(text: str) -> str:
    """The name in max(name), or the name alone."""
    match = CALL.match(text)
    return match["name"] if match else text.strip()


@dataclass(frozen=True)
class Quantity:
    """Something that can be read: name, unit, number of components (0: a single number), meaning, and how."""

    name: str
    unit: str
    size: int
    meaning: str
    read: Callable[[Any], Any]


def _sway(sim: Any, i: int, anchor: Callable[[Any], np.ndarray]) -> float:
    d = poses.position(sim, i) - anchor(sim)
    return float(np.hypot(d[0], d[1]))


def _point_of(joint: str, side: int) -> Callable[[Any], np.ndarray]:
    return lambda sim: joints.points(sim, joint)[side]


def _layer_of(cable: str, layer: int) -> Callable[[Any], np.ndarray]:
    def centre(sim: Any) -> np.ndarray:
        from taut.measure import lattices

        return np.asarray(lattices.axis(sim, cable)[layer])

    return centre


def _anchor_of(sim: Any, name: str) -> Callable[[Any], np.ndarray]:
    """What a body hangs from: the far end of the chain, segmented cable or distance joint tied to it; where it hung at the
    start, carried along by what its ropes lead up to; or, hanging on nothing, where it started."""
    for chain_name, chain in sim.scene.chains.items():
        for here, there, end in ((chain.b, chain.a, 0), (chain.a, chain.b, -1)):
            if here == name and there is not None:
                names = chain.joint_names(chain_name)
                side = 0 if end == 0 else 1
                return _point_of(names[end], side)
    for strand in sim.scene.strands().values():
        for here, there, end in ((strand.held[1], strand.held[0], 0), (strand.held[0], strand.held[1], -1)):
            if here == name and there is not None:
                return _point_of(strand.joint_names()[end], 0 if end == 0 else 1)
    for cable_name, cable in sim.scene.lattices().items():
        for here, there, layer in ((-1, 0, 0), (0, -1, -1)):
            if cable.route[here].on == name and cable.route[here].type == "end" and cable.route[there].type == "end":
                return _layer_of(cable_name, layer)
    for joint_name, spec in sim.scene.joints.items():
        if isinstance(spec, Distance) and name in (spec.a, spec.b):
            side = 1 if spec.a == name else 0
            return _point_of(joint_name, side)
    return carried_place(sim, name, carrier_of(sim.scene, name))


def _body(sim: Any, name: str) -> list[Quantity]:
    i = sim.compiled.bodies.index[name]
    anchor = _anchor_of(sim, name)
    touching = [
        Quantity(f"{name}.contact_force", "N", 3, "sum of the contact forces on it", lambda s: contacts.resultant(s, i))
    ]
    return [
        Quantity(f"{name}.position", "m", 3, "position of its origin", lambda s: poses.position(s, i)),
        Quantity(f"{name}.orientation", "-", 4, "quaternion (w, x, y, z)", lambda s: poses.orientation(s, i)),
        Quantity(f"{name}.velocity", "m/s", 3, "velocity of its origin", lambda s: poses.velocity(s, i)),
        Quantity(f"{name}.spin", "rad/s", 3, "angular velocity", lambda s: poses.spin(s, i)),
        Quantity(
            f"{name}.speed", "m/s", 0, "size of the velocity", lambda s: float(np.linalg.norm(poses.velocity(s, i)))
        ),
        Quantity(f"{name}.sway", "m", 0, "horizontal distance from what it hangs on", lambda s: _sway(s, i, anchor)),
        *(touching if i in sim.model.shape_body else []),
    ]


def _joint(sim: Any, name: str, spec: Any) -> list[Quantity]:
    found = [
        Quantity(f"{name}.force", "N", 3, "force on body b", lambda s: joints.force(s, name)),
        Quantity(f"{name}.torque", "N m", 3, "torque on body b about the joint", lambda s: joints.torque(s, name)),
        Quantity(f"{name}.tension", "N", 0, "pull, or size of the force", lambda s: joints.tension(s, name)),
        Quantity(f"{name}.violation", "m", 0, "constraint error", lambda s: joints.violation(s, name)),
    ]
    if isinstance(spec, Distance):
        found.append(Quantity(f"{name}.length", "m", 0, "distance of its points", lambda s: joints.length(s, name)))
    if isinstance(spec, Hinge):
        found.append(Quantity(f"{name}.angle", "rad", 0, "angle over full turns", lambda s: joints.coordinate(s, name)))
    if isinstance(spec, Slider):
        found.append(Quantity(f"{name}.travel", "m", 0, "travel along its axis", lambda s: joints.coordinate(s, name)))
    if isinstance(spec, Distance | Hinge | Slider):
        unit = "rad/s" if isinstance(spec, Hinge) else "m/s"
        found.append(
            Quantity(f"{name}.rate", unit, 0, "rate of its angle, travel or length", lambda s: joints.speed(s, name))
        )
        if spec.motor is not None:
            unit = "N m" if isinstance(spec, Hinge) else "N"
            found.append(
                Quantity(f"{name}.motor_force", unit, 0, "force of its motor", lambda s: joints.motor_force(s, name))
            )
    return found


def _chain(sim: Any, name: str, chain: Any) -> list[Quantity]:
    names = chain.joint_names(name)
    links = [sim.compiled.bodies.index[n] for n in chain.link_names(name)]

    def tensions(s: Any) -> np.ndarray:
        first = s.compiled.joints.first[names[0]]
        start = s.work.group_int[first, G_START]
        lam = s.state.row_lam[start : start + 3 * len(names)].reshape(-1, 3)
        return np.linalg.norm(lam, axis=1) / s.dt

    def opening(s: Any) -> float:
        first = s.compiled.joints.first[names[0]]
        start = s.work.group_int[first, G_START]
        phi = s.state.row_phi[start : start + 3 * len(names)].reshape(-1, 3)
        return float(np.linalg.norm(phi, axis=1).max())

    return [
        Quantity(f"{name}.tension", "N", len(names), "force at each joint, from its start", tensions),
        Quantity(f"{name}.opening", "m", 0, "largest joint separation", opening),
        Quantity(
            f"{name}.lowest", "m", 0, "height of its lowest link", lambda s: float(s.state.body_pos[links, 2].min())
        ),
    ]


def _strand(sim: Any, name: str) -> list[Quantity]:
    count = strands.joints_of(sim, name).count

    def at(s: Any) -> strands.Joints:  # they change when segments are merged, split or paid out
        return strands.joints_of(s, name)

    def stored(place: int) -> Callable[[Any], float]:
        return lambda s: strands.energies(s, at(s))[place]

    found = [
        Quantity(f"{name}.tension", "N", 0, "largest pull along it", lambda s: float(strands.tensions(s, at(s)).max())),
        Quantity(f"{name}.tensions", "N", count, "pull at each joint, from its start", lambda s: strands.tensions(s, at(s))),
        Quantity(
            f"{name}.bend_moments", "N m", count, "bending moment at each joint", lambda s: strands.bend_moments(s, at(s))
        ),
        Quantity(
            f"{name}.twist_moments", "N m", count, "twisting moment at each joint", lambda s: strands.twist_moments(s, at(s))
        ),
        Quantity(f"{name}.curvatures", "1/m", count, "curvature at each joint", lambda s: strands.curvatures(s, at(s))),
        Quantity(f"{name}.twist", "rad", 0, "from end to end, over full turns", lambda s: strands.twist(s, at(s))),
        Quantity(f"{name}.opening", "m", 0, "largest joint separation, stretch included", lambda s: strands.opening(s, at(s))),
        Quantity(f"{name}.stretch_energy", "J", 0, "stored by stretch", stored(0)),
        Quantity(f"{name}.bend_energy", "J", 0, "stored by bend", stored(1)),
        Quantity(f"{name}.twist_energy", "J", 0, "stored by twist", stored(2)),
        Quantity(f"{name}.segments", "-", 0, "segments that move by themselves", lambda s: at(s).moving),
        Quantity(f"{name}.length", "m", 0, "unstretched length that is out", lambda s: strands.length(s, name)),
        Quantity(f"{name}.mass", "kg", 0, "mass of what is out", lambda s: strands.mass(s, name)),
        Quantity(
            f"{name}.lowest", "m", 0, "height of its lowest segment",
            lambda s: float(strands.points(s, at(s))[:, 2].min()),
        ),
    ]  # fmt: skip
    cable = sim.scene.cables[name]
    if np.isfinite(cable.strength()):
        found.append(
            Quantity(
                f"{name}.safety", "-", 0, "breaking load over largest tension",
                lambda s: cable.strength() / max(float(strands.tensions(s, at(s)).max()), 1e-12),
            )
        )  # fmt: skip
    for end, body in zip((0, -1), sim.scene.strands()[name].held):
        if body is not None and body != WORLD:
            sign = -1.0 if end == 0 else 1.0
            found.append(
                Quantity(
                    f"{name}.force_on_{body}", "N", 3, f"force of the cable on {body}", _end_force(name, end, sign)
                )
            )  # fmt: skip
    return found


def _auto(sim: Any, name: str) -> list[Quantity]:
    """Of a cable between two ends whose model is chosen while running."""
    cable, count = sim.scene.cables[name], autos.pool_of(sim, name).count + 1
    found = [
        Quantity(f"{name}.model", "-", 0, "0 massless, 1 layered, 2 segmented", lambda s: autos.number_of(s, name)),
        Quantity(f"{name}.tension", "N", 0, "largest pull along it", lambda s: float(autos.tensions(s, name).max())),
        Quantity(
            f"{name}.tensions", "N", count, "pull at the ends of its segments", lambda s: autos.tensions(s, name)
        ),
        Quantity(f"{name}.sag_ratio", "-", 0, "largest distance from its chord over it", lambda s: autos.sag_ratio(s, name)),
        Quantity(
            f"{name}.segments", "-", 0, "segments that move by themselves", lambda s: autos.moving_segments(s, name)
        ),
        Quantity(f"{name}.length", "m", 0, "unstretched length", lambda s: autos.length(s, name)),
        Quantity(f"{name}.mass", "kg", 0, "its mass", lambda s: autos.mass(s, name)),
        Quantity(f"{name}.lowest", "m", 0, "height of its lowest place", lambda s: autos.lowest(s, name)),
    ]  # fmt: skip
    if np.isfinite(cable.strength()):
        found.append(
            Quantity(
                f"{name}.safety", "-", 0, "breaking load over largest tension",
                lambda s: cable.strength() / max(float(autos.tensions(s, name).max()), 1e-12),
            )
        )  # fmt: skip
    for end, body in enumerate(sim.scene.strands()[name].held):
        if body != WORLD:
            found.append(
                Quantity(f"{name}.force_on_{body}", "N", 3, f"force of the cable on {body}", _auto_force(name, end))
            )
    return found


def _auto_force(name: str, end: int) -> Callable[[Any], np.ndarray]:
    return lambda sim: autos.end_forces(sim, name)[end]


def _auto_rope(sim: Any, name: str) -> list[Quantity]:
    """Of a rope over wheels that has its waves now and then."""
    n = len(ropes.spans(sim, name)[0])

    def waved(read: Callable[[Any, str], Any], size: int) -> Callable[[Any], np.ndarray]:
        return lambda s: autos.spans_or_none(s, name, read, size)

    return [
        Quantity(f"{name}.model", "-", 0, "0 massless, 1 layered", lambda s: autos.number_of(s, name)),
        Quantity(
            f"{name}.upper_tension", "N", n, "at the upper end of each span", lambda s: autos.side_tensions(s, name, True)
        ),
        Quantity(
            f"{name}.lower_tension", "N", n, "at the lower end of each span", lambda s: autos.side_tensions(s, name, False)
        ),
        Quantity(f"{name}.sag", "m", n, "largest distance of each span from its chord", waved(waves.sag, n)),
        Quantity(f"{name}.sag_ratio", "-", 0, "largest sag over span", lambda s: autos.sag_ratio(s, name)),
        Quantity(f"{name}.frequency", "Hz", n, "first natural frequency of each span", lambda s: autos.frequency(s, name)),
        Quantity(f"{name}.whip", "m/s", n, "largest speed of each span across its chord", waved(waves.whip, n)),
        Quantity(
            f"{name}.bend", "m", 27 * n, "distance from the chord at nine points of each span, x y z each",
            waved(lambda s, rope: waves.bend(s, rope).ravel(), 27 * n),
        ),
    ]  # fmt: skip


def _rod(sim: Any, name: str) -> list[Quantity]:
    from taut.measure.rods import RodReadings  # only here: a package that takes time to load

    rod = RodReadings(sim, name)
    nodes = rod.segments + 1

    def holder(side: int, which: int) -> Callable[[Any], np.ndarray]:
        return lambda s: -rod.wrench(s, side)[which]

    def on_body(side: int, which: int) -> Callable[[Any], np.ndarray]:
        return lambda s: rod.wrench(s, side)[which]

    found = [
        Quantity(f"{name}.bend_radius", "m", 0, "smallest bend radius", rod.bend_radius),
        Quantity(f"{name}.bend_place", "m", 0, "arc length where it is bent most", rod.bend_place),
        Quantity(f"{name}.curvatures", "1/m", nodes, "curvature at the nodes", rod.curvatures),
        Quantity(f"{name}.twist", "rad", 0, "from end to end", rod.twist),
        Quantity(f"{name}.tension", "N", 0, "largest pull along it", lambda s: float(rod.tensions(s).max())),
        Quantity(f"{name}.tensions", "N", rod.segments, "pull along each segment, from its start", rod.tensions),
        Quantity(f"{name}.reach", "-", 0, "distance of its ends over its length", rod.reach),
        Quantity(f"{name}.stored", "J", 0, "elastic energy and potential of its weight", rod.energy),
        Quantity(f"{name}.unsolved", "-", 0, "steps in which no shape was found", rod.unsolved),
        Quantity(f"{name}.shape", "m", 3 * nodes, "nodes from its start, x y z each", lambda s: rod.points(s).ravel()),
    ]
    for side, end in enumerate(("start", "end")):
        found.append(Quantity(f"{name}.{end}_force", "N", 3, f"of what holds its {end} on it", holder(side, 0)))
        found.append(Quantity(f"{name}.{end}_moment", "N m", 3, f"of what holds its {end} on it", holder(side, 1)))
        body = sim.compiled.bodies.names[rod.bodies[side]]
        if body != WORLD:
            found.append(Quantity(f"{name}.force_on_{body}", "N", 3, f"force of the rod on {body}", on_body(side, 0)))
            found.append(
                Quantity(
                    f"{name}.moment_on_{body}", "N m", 3, f"moment of the rod on {body}, at its end", on_body(side, 1)
                )
            )
    return found


def _end_force(name: str, end: int, sign: float) -> Callable[[Any], np.ndarray]:
    return lambda sim: sign * strands.forces(sim, strands.joints_of(sim, name))[end]


def _force_on(rope: str, body: str) -> Callable[[Any], np.ndarray]:
    return lambda sim: ropes.force_on(sim, rope, body)


def _rope(sim: Any, name: str) -> list[Quantity]:
    k = sim.compiled.ropes.names.index(name)
    segments = sim.compiled.ropes.segments[k]
    parts = ropes.parts(sim, name)
    count = parts.stop - parts.start
    found = [
        Quantity(f"{name}.tension", "N", 0, "largest tension along the rope", lambda s: ropes.tension(s, name)),
        Quantity(f"{name}.tensions", "N", segments, "tension of each segment", lambda s: ropes.tensions(s, name)),
        Quantity(
            f"{name}.sides",
            "N",
            2 * count,
            "tension before and after each part",
            lambda s: ropes.sides(s, name).ravel(),
        ),
        Quantity(
            f"{name}.rope_out", "m", 0, "unstretched, without what is on drums", lambda s: ropes.rope_out(s, name)
        ),
        Quantity(
            f"{name}.lengths", "m", segments, "unstretched length of each segment", lambda s: ropes.unstretched(s, name)
        ),
        Quantity(f"{name}.path", "m", 0, "length of its path, arcs included", lambda s: ropes.path_length(s, name)),
        Quantity(f"{name}.wraps", "rad", count, "angle of contact at each part", lambda s: ropes.wraps(s, name)),
    ]
    if sim.compiled.ropes.specs[k].torsion()[0] is not None:
        found += [
            Quantity(f"{name}.twist", "rad", 0, "between its ends, over full turns", lambda s: ropes.twist(s, name)),
            Quantity(f"{name}.twist_torque", "N m", 0, "that resists the twist", lambda s: ropes.torque(s, name)),
        ]
    flows = ropes.flows(sim, name)
    if len(flows):
        found.append(
            Quantity(
                f"{name}.flows",
                "m/s",
                len(flows),
                "rope over each part that holds it back",
                lambda s: ropes.flows(s, name),
            )
        )
    if np.isfinite(sim.compiled.ropes.specs[k].strength()):
        found.append(
            Quantity(
                f"{name}.safety", "-", 0, "breaking load over largest tension", lambda s: ropes.safety_factor(s, name)
            )
        )
    if name in sim.compiled.choices:
        found += _auto_rope(sim, name)
    elif waves.is_layered(sim, name):
        found += _waves(name, waves.spans(sim, name))
    cable = sim.compiled.ropes.specs[k]
    if courses.wraps_round(cable):
        found += _wraps(sim, name, cable)
    for body in ropes.bodies(sim, name):
        found.append(
            Quantity(
                f"{name}.force_on_{body}",
                "N",
                3,
                f"force of the rope on {body}",
                _force_on(name, body),
            )
        )
    return found


def _on_body(read: Callable[[Any, str, str], float], rope: str, body: str) -> Callable[[Any], float]:
    return lambda sim: read(sim, rope, body)


def _wraps(sim: Any, name: str, cable: Cable) -> list[Quantity]:
    """What a cable that wraps round things can be asked."""
    size = courses.course_size(sim, name)
    found = [
        Quantity(
            f"{name}.course", "m", 3 * size, "points along its path, the last repeated, x y z each",
            lambda s: courses.course(s, name).ravel(),
        ),
    ]  # fmt: skip
    for body in cable.obstacles:
        found += [
            Quantity(
                f"{name}.wraps_on_{body}", "-", 0, f"edges of {body} that it bends over, 1 for a round one",
                _on_body(courses.touches, name, body),
            ),
            Quantity(
                f"{name}.wrap_angle_on_{body}", "rad", 0, f"angle by which {body} turns it",
                _on_body(courses.wrap_angle, name, body),
            ),
            Quantity(
                f"{name}.friction_on_{body}", "N", 0, f"tension after less tension before {body}",
                _on_body(courses.friction, name, body),
            ),
        ]  # fmt: skip
    return found


def _of_spans(read: Callable[[Any, str], np.ndarray], rope: str) -> Callable[[Any], np.ndarray]:
    """A reading of every span, zero where a rope with obstacles has room for one that is not there."""
    return lambda sim: waves.padded(sim, rope, read(sim, rope)).ravel()


def _waves(name: str, spans: slice) -> list[Quantity]:
    n = spans.stop - spans.start
    return [
        Quantity(f"{name}.upper_tension", "N", n, "at the upper end of each span", _of_spans(waves.upper_tension, name)),
        Quantity(f"{name}.lower_tension", "N", n, "at the lower end of each span", _of_spans(waves.lower_tension, name)),
        Quantity(f"{name}.sag", "m", n, "largest distance of each span from its chord", _of_spans(waves.sag, name)),
        Quantity(f"{name}.sag_ratio", "-", 0, "largest sag over span", lambda s: waves.sag_ratio(s, name)),
        Quantity(f"{name}.frequency", "Hz", n, "first natural frequency of each span", _of_spans(waves.frequency, name)),
        Quantity(f"{name}.whip", "m/s", n, "largest speed of each span across its chord", _of_spans(waves.whip, name)),
        Quantity(f"{name}.rope_speed", "m/s", n, "of the rope along each span", _of_spans(waves.rope_speed, name)),
        Quantity(
            f"{name}.moving_error", "-", 0, "2 V/c, what running along itself would change in its waves",
            lambda s: waves.moving_error(s, name),
        ),
        Quantity(
            f"{name}.bend", "m", 27 * n, "distance from the chord at nine points of each span, x y z each",
            _of_spans(waves.bend, name),
        ),
    ]  # fmt: skip


def _lattice(sim: Any, name: str) -> list[Quantity]:
    from taut.measure import lattices  # only here: kernels take time to load

    rope = lattices.rope_of(sim, name)
    cells, surface = rope.lattice.layers - 1, 3 * rope.lattice.layers * len(rope.lattice.section.outline)
    found = [
        Quantity(f"{name}.tension", "N", 0, "largest pull along it", lambda s: float(lattices.tensions(s, name).max())),
        Quantity(f"{name}.tensions", "N", cells, "pull of each cell, from its start", lambda s: lattices.tensions(s, name)),
        Quantity(f"{name}.stretch", "-", 0, "of its axis", lambda s: lattices.stretch(s, name)),
        Quantity(f"{name}.twist", "rad", 0, "from end to end, over full turns", lambda s: lattices.twist(s, name)),
        Quantity(
            f"{name}.lowest", "m", 0, "height of its lowest mass", lambda s: float(lattices.positions(s, name)[:, 2].min())
        ),
        Quantity(
            f"{name}.surface", "m", surface, "masses of its surface, layer by layer, x y z each",
            lambda s: lattices.rings(s, name).ravel(),
        ),
        Quantity(
            f"{name}.fastest", "m/s", 0, "speed of its fastest mass",
            lambda s: float(np.linalg.norm(s.state.lattice_vel[lattices.masses_of(s, name)], axis=1).max()),
        ),
    ]  # fmt: skip
    for quantity, place, unit, meaning in lattices.NUMBERS:
        found.append(Quantity(f"{name}.{quantity}", unit, 0, meaning, _lattice_number(name, place)))
    for side, b in enumerate(rope.bodies):
        body = sim.compiled.bodies.names[b]
        if b >= 0 and body != WORLD:
            found.append(
                Quantity(f"{name}.force_on_{body}", "N", 3, f"force of the cable on {body}", _lattice_force(name, side))
            )
    return found


def _lattice_number(name: str, place: int) -> Callable[[Any], float]:
    return lambda s: float(s.state.lattice_number[s.compiled.lattices.names.index(name), place])


def _lattice_force(name: str, side: int) -> Callable[[Any], np.ndarray]:
    def force(s: Any) -> np.ndarray:
        from taut.measure import lattices

        return lattices.force_on(s, name, side)

    return force


def _watch(sim: Any, name: str) -> list[Quantity]:
    """What a winch with such switches watches."""

    def seen(key: str) -> Callable[[Any], float]:
        return lambda s: ropes.winch_watch(s, name)[key]

    found = []
    spec = sim.compiled.ropes.winch_specs[sim.compiled.ropes.winch_names.index(name)]
    if getattr(spec, "two_block", None) is not None:
        found.append(Quantity(f"{name}.clearance", "m", 0, "shortest run of rope at the hook block", seen("clearance")))
    if getattr(spec, "load_moment", None) is not None:
        found += [
            Quantity(f"{name}.load_radius", "m", 0, "horizontal distance of the load", seen("load_radius")),
            Quantity(f"{name}.hook_load", "N", 0, "upward force of the rope on the hook block", seen("hook_load")),
            Quantity(f"{name}.load_share", "-", 0, "of the load rated at this radius", seen("load_share")),
        ]
    if getattr(spec, "pitch", 0.0) != 0.0:
        found += [
            Quantity(f"{name}.traverse", "m", 0, "way of the lead-off point along the drum", seen("traverse")),
            Quantity(f"{name}.fleet_angle", "rad", 0, "of the rope at the drum", lambda s: ropes.fleet_angle(s, name)),
        ]
    return found


def _winch(name: str) -> list[Quantity]:
    def state(key: str) -> Callable[[Any], float]:
        return lambda s: float(ropes.winch_state(s, name)[key])

    found = [
        Quantity(f"{name}.pull", "N", 0, "tension at the drum", lambda s: ropes.winch_pull(s, name)),
        Quantity(f"{name}.line_speed", "m/s", 0, "of the rope, hauling is positive", lambda s: ropes.winch_speed(s, name)),
        Quantity(f"{name}.drum_torque", "N m", 0, "of the rope on the drum", state("torque")),
        Quantity(f"{name}.power", "W", 0, "of the drum on the rope", state("power")),
        Quantity(f"{name}.drum_angle", "rad", 0, "turned since the start, hauling is positive", state("angle")),
        Quantity(f"{name}.mode", "-", 0, "0 drives, 1 stops, 2 holds, 3 emergency",
                 lambda s: float(ropes.MODES.index(ropes.winch_mode(s, name)))),
    ]  # fmt: skip
    for signal in ropes.SIGNALS:
        found.append(Quantity(f"{name}.{signal}_signal", "-", 0, "1 when it is on", state(signal)))
    return found


def _whole(sim: Any) -> list[Quantity]:
    def ledger(place: int) -> Callable[[Any], float]:
        return lambda s: float(s.state.ledger[place])

    def counter(place: int) -> Callable[[Any], int]:
        return lambda s: int(s.state.counter[place])

    found = [
        Quantity("time", "s", 0, "simulated time", ledger(TIME)),
        Quantity("energy.kinetic", "J", 0, "of the mean velocity over the last step", energy.kinetic),
        Quantity("energy.potential", "J", 0, "at the middle of the last step", energy.potential),
        Quantity("energy.elastic", "J", 0, "stored in compliant joints", energy.elastic),
        Quantity("energy.mechanical", "J", 0, "kinetic + potential + elastic, time-centred", energy.mechanical),
        Quantity("energy.dissipated", "J", 0, "lost in joints and contacts since the start", energy.dissipated),
        Quantity("energy.joint_loss", "J", 0, "lost in joints", energy.joint_loss),
        Quantity("energy.contact_loss", "J", 0, "lost in contacts", energy.contact_loss),
        Quantity("energy.motors", "J", 0, "work of motors", energy.motors),
        Quantity("energy.kinematic", "J", 0, "work of kinematic bodies", energy.kinematic),
        Quantity("energy.wind", "J", 0, "work of the wind", energy.wind),
        Quantity("energy.push", "J", 0, "work of pushes from outside", energy.push),
        Quantity("energy.geometric", "J", 0, "taken by the geometric stiffness", energy.geometric),
        Quantity("energy.carried", "J", 0, "of layered rope that was handed from span to span", energy.carried),
        Quantity("energy.remainder", "J", 0, "what the account does not explain", energy.remainder),
        Quantity("momentum.linear", "kg m/s", 3, "sum of m v", energy.linear_momentum),
        Quantity("momentum.angular", "kg m^2/s", 3, "about the origin", energy.angular_momentum),
        Quantity("residual.speed", "m/s", 0, "largest miss of a row", ledger(RESIDUAL_SPEED)),
        Quantity(
            "residual.relative", "-", 0, "largest miss relative to the row's own terms", ledger(RESIDUAL_RELATIVE)
        ),
        Quantity(
            "residual.force",
            "N",
            0,
            "largest force beyond a bound",
            lambda s: float(s.state.ledger[RESIDUAL_FORCE]) / s.dt,
        ),
        Quantity("residual.cone", "-", 0, "largest miss of a friction cone", ledger(RESIDUAL_CONE)),
        Quantity(
            "residual.constraint",
            "m",
            0,
            "largest distance of two points that a rigid joint holds together",
            _constraint,
        ),
        Quantity("step.count", "-", 0, "steps made", counter(STEPS)),
        Quantity("step.second_passes", "-", 0, "steps solved twice because tensions jumped", counter(SECOND_PASSES)),
        Quantity("step.redone", "-", 0, "steps redone because their result could not be trusted", counter(REDONE)),
        Quantity("step.substeps", "-", 0, "substeps made in redone steps", counter(SUBSTEPS)),
        Quantity("step.plans", "-", 0, "elimination plans built", counter(PLANS)),
        Quantity("step.bound_iterations", "-", 0, "active sets tried", counter(BOUND_ITERATIONS)),
        Quantity("step.redundant_rows", "-", 0, "rows whose force cannot be determined", counter(REDUNDANT_ROWS)),
    ]
    if sim.compiled.lattices is not None:
        found.append(
            Quantity(
                "energy.lattice_loss", "J", 0, "taken from honeycomb cables, as the difference", energy.lattice_loss
            )
        )
    if sim.state.contact_int.shape[0]:
        found += [
            Quantity("contact.count", "-", 0, "contact points now", lambda s: int(s.state.contact_count[0])),
            Quantity(
                "contact.force", "N", 0, "sum of the normal forces", lambda s: float(contacts.forces(s)[:, 0].sum())
            ),
            Quantity("contact.penetration", "m", 0, "deepest contact", _penetration),
            Quantity(
                "contact.slip", "m/s", 0, "fastest slip of a contact that carries something", contacts.largest_slip
            ),
        ]
    return found


def _constraint(sim: Any) -> float:
    held = sim.position_rows  # of joints; ropes may be as long as they are pulled
    return float(np.abs(sim.state.row_phi[: held.size][held]).max(initial=0.0))


def _penetration(sim: Any) -> float:
    count = int(sim.state.contact_count[0])
    return float(max(0.0, -sim.state.contact_geometry[:count, C_GAP].min(initial=0.0)))


class Names:
    """All quantities of a simulation by name."""

    def __init__(self, sim: Any) -> None:
        found = _whole(sim)
        for name, spec in sim.scene.bodies.items():
            found += _body(sim, name)
            del spec
        for name, spec in sim.scene.joints.items():
            found += _joint(sim, name, spec)
        for name, chain in sim.scene.chains.items():
            found += _chain(sim, name, chain)
        for name in sim.scene.strands():
            found += _auto(sim, name) if name in sim.compiled.choices else _strand(sim, name)
        for name in sim.scene.rods():
            found += _rod(sim, name)
        if sim.compiled.ropes is not None:
            for name in sim.scene.ropes():
                found += _rope(sim, name)
            for name in sim.compiled.ropes.winch_names:
                found += _winch(name) + _watch(sim, name)
        for name in sim.scene.lattices():
            found += _lattice(sim, name)
        self.quantities = {quantity.name: quantity for quantity in found}

    def find(self, text: str) -> tuple[Quantity, int | None]:
        """Quantity and component of a name such as load.position[2]. Raises UnknownName with near matches."""
        match = NAME.match(text.strip())
        quantity = self.quantities.get(match["base"]) if match else None
        if match is None or quantity is None:
            near = difflib.get_close_matches(text, self.quantities, n=3, cutoff=0.5)
            hint = f"; did you mean {', '.join(near)}?" if near else "; `taut names SCENE` lists all"
            raise UnknownName(f"no quantity {text!r}{hint}")
        index = None if match["index"] is None else int(match["index"])
        if index is not None and index >= quantity.size:
            allowed = f"0 to {quantity.size - 1}" if quantity.size else "no index: it is a single number"
            raise UnknownName(f"{text!r}: {quantity.name} has {allowed}")
        return quantity, index

    def read(self, sim: Any, text: str) -> Any:
        """Value of a name: a float, or an array when it has several components."""
        quantity, index = self.find(text)
        value = quantity.read(sim)
        return value if index is None else float(value[index])
