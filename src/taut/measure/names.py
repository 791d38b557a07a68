"""One grammar of names, `element.quantity[index]`, for everything that can be read.

The table below is the only place where a name, its unit and its meaning are paired with the function that answers it.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
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
from taut.measure import air, contacts, energy, joints, poses
from taut.measure.cable_names import of_auto, of_lattice, of_rod, of_segments
from taut.measure.quantity import Quantity
from taut.measure.rope_names import of_rope, of_watch, of_winch
from taut.measure.sway import hung_place
from taut.scene import Distance, Hinge, Slider

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
    return hung_place(sim, name)


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
        Quantity("step.bound_iterations", "-", 0, "factorisations for bounds and friction", counter(BOUND_ITERATIONS)),
        Quantity("step.redundant_rows", "-", 0, "rows whose force cannot be determined", counter(REDUNDANT_ROWS)),
    ]
    if sim.scene.wind is not None:
        found.append(
            Quantity("wind.velocity", "m/s", 3, "of the air at the reference height, gusts included", air.wind)
        )
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
            found += of_auto(sim, name) if name in sim.compiled.choices else of_segments(sim, name)
        for name in sim.scene.rods():
            found += of_rod(sim, name)
        if sim.compiled.ropes is not None:
            for name in sim.scene.ropes():
                found += of_rope(sim, name)
            for name in sim.compiled.ropes.winch_names:
                found += of_winch(sim, name) + of_watch(sim, name)
        for name in sim.scene.lattices():
            found += of_lattice(sim, name)
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
