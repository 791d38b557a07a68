"""What a compiled scene holds, and what in it may surprise."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from taut.compile.joints import RIGID
from taut.core.codes import GROUP_DIM
from taut.core.model import J_COMPLIANCE, J_FLOOR, J_TAU
from taut.measure.crossings import crossed
from taut.measure.overloads import overloaded
from taut.measure.slanted import slanted
from taut.record.wording import number
from taut.scene.clips import LIGHT

#: heaviest to lightest body beyond which no chain was verified; and beyond which geometric stiffness is needed [-]
LARGEST_RATIO, NEEDS_GEOMETRIC = 1e9, 1e2
#: steps in a period below which a vibration is not resolved [-]
RESOLVED = 6.0
#: mass of a rod beside that of a body it holds, and its longest period, from which on its own inertia is spoken of [-, s]
HEAVY_ROD, SLOW_ROD = 0.1, 0.25
_LISTED = 5


class Spring(NamedTuple):
    """The stiffest compliant row: its joint and its natural period [s]."""

    joint: str
    period: float


def counts(sim: Any) -> list[tuple[str, str]]:
    """How much of everything there is."""
    c = sim.compiled
    kinds = Counter(spec.kind for spec in c.bodies.specs[:-1])
    joints = Counter(spec.type for spec in c.joints.specs)
    chains = [f"{name} of {chain.links} links" for name, chain in list(sim.scene.chains.items())[:_LISTED]]
    cables = [f"{name} ({_cable(sim, name)})" for name in list(sim.scene.cables)[:_LISTED]]
    rows = sum(GROUP_DIM[group.kind] for group in c.joints.groups)
    found = [
        ("bodies", _tally(kinds)),
        ("joints", f"{_tally(joints)}; {rows} rows"),
        ("chains", _list(chains, len(sim.scene.chains))),
        ("cables", _list(cables, len(sim.scene.cables))),
        ("controls", _list(list(c.controls.names)[:_LISTED], len(c.controls.names))),
    ]
    if c.contact_capacity:
        found.append(("contacts", f"room for {c.contact_capacity}"))
    return found


def _cable(sim: Any, name: str) -> str:
    """Model of a cable, and the segments of a segmented one or a rod."""
    if sim.compiled.rods is not None and name in sim.compiled.rods.names:
        spans = sim.compiled.rods.spans[name]
        clips = f", {len(spans) - 1} clips" if len(spans) > 1 else ""
        return f"rod, {sum(sim.compiled.rods.integers[k][1] - 2 for k in spans)} segments{clips}"
    strand = sim.scene.strands().get(name)
    if sim.scene.cables[name].model == "honeycomb":
        rope = next(rope for rope in sim.compiled.lattices.ropes if rope.name == name)
        explicit = f", {sim.read(f'{name}.substeps'):.0f} substeps" if rope.scheme != "implicit" else ""
        return f"honeycomb, {rope.lattice.layers} layers, {len(rope.lattice.mass)} masses, {rope.scheme}{explicit}"
    if name in sim.compiled.choices:
        most = f", up to {strand.links} segments" if strand is not None else ""
        return f"auto, {sim.compiled.choices[name]} at the start{most}"
    return sim.scene.cables[name].model if strand is None else f"segmented, {strand.links} segments"


def numbers(sim: Any) -> list[tuple[str, str]]:
    """Step, mass ratio, and the stiffest spring beside the step."""
    found = [("step", f"{number(sim.dt, 's')}, {number(sim.scene.duration, 's')} unless told otherwise")]
    if extremes := _extremes(sim):
        (heavy, most), (light, least) = extremes
        masses = f"{heavy} {number(most)} kg" + (f", {light} {number(least)} kg" if light != heavy else "")
        found.append(("mass ratio", f"{number(most / least, '-', 3)} ({masses})"))
    if spring := stiffest(sim):
        steps = number(spring.period / sim.dt, "-", 2)
        found.append(("stiffest joint", f"{spring.joint}, period {number(spring.period, 's', 3)}, {steps} steps"))
    elif sim.compiled.joints.groups:
        found.append(("stiffest joint", "all of them are rigid"))
    return found


def hints(sim: Any) -> list[str]:
    """What is allowed but may surprise."""
    scene, found = sim.scene, []
    floor = scene.solver.damping_floor * sim.dt
    floored = _floored(sim, floor)
    if floored:
        joints = _list(floored[:_LISTED], len(floored))
        found.append(f"damping times below the solver's floor of {number(floor, 's', 2)}: {joints}")
    spring = stiffest(sim)
    if spring and spring.period < RESOLVED * sim.dt:
        found.append(
            f"the vibration of {spring.joint} is too fast for this step and dies out; its mean is right. "
            f"A step of {number(spring.period / RESOLVED / 2.0, 's', 2)} shows it"
        )
    extremes = _extremes(sim)
    ratio = extremes[0][1] / extremes[1][1] if extremes else 1.0
    if ratio > 1.001 * LARGEST_RATIO:
        found.append(f"a mass ratio above {number(LARGEST_RATIO)} has not been verified")
    if scene.solver.geometric_stiffness == 0.0 and ratio > NEEDS_GEOMETRIC:
        found.append("without geometric stiffness such a mass ratio may not stay together")
    if sim.compiled.lattices is not None:
        found += sim.compiled.lattices.warnings(sim.dt)
    if falling := _falling(sim):
        found.append(f"nothing holds or stops: {_list(falling[:_LISTED], len(falling))}")
    return found + crossed(sim) + slanted(sim) + overloaded(sim) + _rods(sim)


def _rods(sim: Any) -> list[str]:
    """Rods whose own inertia would be seen: heavy beside what they hold, or slow beside the step and the motion."""
    table = sim.compiled.rods
    if table is None:
        return []
    from taut.cables.rod.vibration import lowest_period

    bodies, found = sim.compiled.bodies, list[str]()
    for name, spans in table.spans.items():
        cable, held = sim.scene.cables[name], _holders(sim, name)
        mass = cable.line_mass() * float(cable.length or 0.0)
        light = min((i for i in held if bodies.node[i] >= 0), key=lambda i: bodies.mass[i], default=None)
        reasons = []
        if light is not None and mass > HEAVY_ROD * bodies.mass[light]:
            reasons.append(
                f"it weighs {number(mass, 'kg', 2)}, and {bodies.names[light]} {number(bodies.mass[light], 'kg', 2)}"
            )
        period = max(lowest_period(table.networks[k]) for k in spans)
        moves = any(spec is not None and spec.kind != "static" for spec in (bodies.specs[i] for i in held))
        if moves and period > SLOW_ROD:
            reasons.append(f"by itself it would swing with a period of {number(period, 's', 2)}")
        if reasons:
            found.append(
                f"{name} has no inertia: {'; '.join(reasons)}. Where it is moved faster than that, model: segmented shows "
                "what a rod leaves out"
            )
    return found


def _holders(sim: Any, name: str) -> list[int]:
    """Bodies that hold a rod at its ends and clips, those without weight not counted."""
    held = [sim.compiled.bodies.index[part.on] for part in sim.scene.cables[name].route]
    return [i for i in held if not _weightless(sim)[i]]


def _weightless(sim: Any) -> np.ndarray:
    """Which bodies only stand for a place where rods meet or turn: in clips, and branches."""
    rods = sum(cable.line_mass() * float(cable.length or 0.0) for cable in sim.scene.rods().values())
    bodies = sim.compiled.bodies
    return (bodies.node >= 0) & (bodies.mass <= 2.0 * LIGHT * rods)


def stiffest(sim: Any) -> Spring | None:
    """The compliant row with the shortest natural period, with the mass that it feels; None if all are rigid."""
    joints, best = sim.compiled.joints, None
    for g, group in enumerate(joints.groups):
        dim = GROUP_DIM[group.kind]
        compliance = joints.rows[g, J_COMPLIANCE : J_COMPLIANCE + dim]
        inverse_mass = joints.rows[g, J_FLOOR : J_FLOOR + dim] / RIGID
        soft = (compliance > 0.0) & (inverse_mass > 0.0)
        if soft.any():
            # omega^2 = k / m, period = 2 pi / omega
            period = 2.0 * math.pi * math.sqrt(float((compliance[soft] / inverse_mass[soft]).min()))
            if best is None or period < best.period:
                best = Spring(group.joint, period)
    return best


def _extremes(sim: Any) -> tuple[tuple[str, float], tuple[str, float]] | None:
    """Heaviest and lightest body that forces move, and their masses [kg]."""
    bodies = sim.compiled.bodies
    nodes = bodies.node_body[~_weightless(sim)[bodies.node_body]]
    if not len(nodes):
        return None
    heavy, light = nodes[bodies.mass[nodes].argmax()], nodes[bodies.mass[nodes].argmin()]
    return (bodies.names[heavy], float(bodies.mass[heavy])), (bodies.names[light], float(bodies.mass[light]))


def _floored(sim: Any, floor: float) -> list[str]:
    """Joints whose own damping time is shorter than the floor, none given not counted."""
    joints = sim.compiled.joints
    short = [group.joint for g, group in enumerate(joints.groups) if 0.0 < joints.rows[g, J_TAU] < floor]
    return list(dict.fromkeys(short))


def _falling(sim: Any) -> list[str]:
    """Bodies that gravity pulls on and that neither a joint nor a cable holds nor a contact can stop."""
    if not np.any(sim.scene.gravity):
        return []
    held = {end for spec in sim.compiled.joints.specs for end in (spec.a, spec.b)}
    held |= {part.on for cable in sim.scene.cables.values() for part in cable.parts()}
    touching = sim.compiled.contact_capacity > 0
    bodies = sim.compiled.bodies
    found = []
    for name, spec in zip(bodies.names[:-1], bodies.specs[:-1]):
        stopped = touching and spec.collide and spec.shape is not None
        if spec.moved_by_forces and name not in held and not stopped:
            found.append(name)
    return found


def _tally(kinds: Counter[str]) -> str:
    total = sum(kinds.values())
    return f"{total} ({', '.join(f'{count} {kind}' for kind, count in kinds.items())})" if total else "none"


def _list(shown: list[str], total: int) -> str:
    if not total:
        return "none"
    more = f", ... ({total} in all)" if total > len(shown) else ""
    return ", ".join(shown) + more
