"""Cables as parts, segments, transfers and winches; layered ones also as waves on their spans."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from taut.cables.massless.columns import (
    DRUM,
    P_SEGMENT,
    POINT_PART,
    T_MASS,
    U_COLUMNS,
    WHEEL,
)
from taut.cables.massless.drum import (
    V_GUARD,
)
from taut.cables.massless.runs import runs_of
from taut.compile import frames
from taut.compile.bodies import BodyTable
from taut.compile.controls import Controls
from taut.compile.joints import RIGID
from taut.compile.obstacles import obstacles_of
from taut.compile.reeving import tangent, wrap_angle
from taut.compile.rope_laying import add_ends, check_fleet, holds_back, laid_lengths, place_parts, point_of
from taut.compile.rope_table import RopeTable, Threading
from taut.compile.rope_waves import hang
from taut.compile.rope_winches import add_winch, count_stored
from taut.core.codes import POINT
from taut.scene import Problem, Scene, SceneError
from taut.scene.cables import Cable
from taut.scene.parts import Sheave, Traction, Winch

#: mass that flows with the rope over a part without inertia of its own, in kg and as a part of the lightest body on the rope:
#: far below what can be seen, enough to keep the solve regular
LIGHT, LIGHT_PART = 1e-4, 1e-6


def compile_ropes(
    scene: Scene, cables: Mapping[str, Cable], bodies: BodyTable, controls: Controls, first_row: int, first_pair: int
) -> RopeTable:
    """Parts, segments, transfers and winches of massless and layered cables; raises SceneError for routes that cannot be
    threaded."""
    table = RopeTable(tuple(cables), tuple(cables.values()))
    problems: list[Problem] = []
    row = first_row
    for r, (name, cable) in enumerate(cables.items()):
        gravity = np.asarray(scene.gravity, float)
        obstacles = obstacles_of(cable, scene, bodies)
        row = _thread(
            Threading(table, bodies, controls, problems, r, name, cable, row, first_pair, gravity, obstacles, scene.dt)
        )
    for numbers, (guard, place) in zip(table.winch_int, table.winch_guards):
        if guard is not None and guard in table.winch_names:
            numbers[V_GUARD] = table.winch_names.index(guard)
        elif guard is not None:
            problems.append(Problem(f"no such winch; there are {', '.join(table.winch_names)}", place, guard))
    if problems:
        raise SceneError(problems)
    return table


def _thread(rope: Threading) -> int:
    """Fill the tables; returns the row after the rope's last."""
    bodies, table = rope.bodies, rope.table
    of = [bodies.index[part.on] for part in rope.parts]
    points = [point_of(rope, part, i) for part, i in zip(rope.parts, of)]
    placed = place_parts(rope, points)
    if placed is None:
        return rope.row
    spans = [tangent(a, b) for a, b in pairwise(placed)]
    check_fleet(rope, placed, spans)
    holds = [holds_back(part) for part in rope.parts]
    touched = list(dict.fromkeys([*of, *(obstacle.body for obstacle in rope.obstacles)]))
    rough = any(obstacle.friction > 0.0 for obstacle in rope.obstacles)
    slots = sum(obstacle.room for obstacle in rope.obstacles)
    now = 1 + sum(holds[1:-1])
    # a wrap with friction splits the run of rope that it is on
    segments = now + slots * int(rough)
    laid = laid_lengths(rope, placed, spans, holds)
    softness = 0.0 if math.isinf(rope.cable.stiffness()) else 1.0 / rope.cable.stiffness()
    torsion, lay = rope.cable.torsion()
    twist = torsion is not None
    hook = -1
    if rope.cable.reach is not None:
        hook = rope.controls.add(f"{rope.name}.hook", "-", float(rope.cable.attached))
    wraps, last = len(table.obstacle_int), rope.first + len(of)
    table.integers.append([
        rope.first, last, len(table.lengths), segments, int(twist), hook, last + slots, wraps,
        wraps + len(rope.obstacles), len(table.rope_pair) if rope.obstacles else -1, int(rope.cable.length is None),
    ])  # fmt: skip
    table.order += [*range(rope.first, last), *([-1] * slots)]
    table.live.append([len(of), now])
    table.laws.append([
        softness, rope.cable.damping_time, _floor(rope, of), rope.cable.strength(),
        0.0 if torsion is None else 1.0 / _own_torsion(rope, torsion, lay),
        _twist_floor(rope, of), lay, rope.cable.reach or 0.0,
        rope.cable.line_mass() if rope.cable.weight else 0.0, sum(laid),
    ])  # fmt: skip
    add_ends(rope, of, placed, spans)
    table.off += [0 if rope.cable.attached else 1] * segments
    table.blocks.append(touched)
    segment = 0
    for k, (part, i, wheel) in enumerate(zip(rope.parts, of, placed)):
        transfer = -1
        rope.k = k
        if holds[k]:
            transfer = len(table.transfer_int)
            before = rope.row + segment if k > 0 else -1
            after = -1 if k == len(of) - 1 else rope.row + segment + (1 if k > 0 else 0)
            _add_transfer(rope, part, k, before, after)
            if rope.cable.model == "layered":
                # rope that runs over a part takes the mass of its spans along
                beside = sum(laid[side - rope.row] for side in (before, after) if side >= 0)
                table.transfer_law[-1][T_MASS] += rope.cable.line_mass() * beside
            segment += 1 if 0 < k < len(of) - 1 else 0
        _add_part(rope, part, i, wheel, touched.index(i), transfer, k, spans)
        if k + 1 < len(of) and not rope.obstacles:
            _add_span(rope, i, of[k + 1], k)
    _add_slots(rope, touched, rough, sum(laid))
    if rope.cable.model == "layered":
        hang(rope, laid, placed, spans, segments, int(twist), slots)
        return rope.row + segments + int(twist) + len(spans) + slots
    table.wave_law.append([0.0] * 6)
    _set_lengths(rope, laid, softness, segments)
    if rope.cable.weight:
        _weigh(rope, holds)
    return rope.row + segments + int(twist)


def _own_torsion(rope: Threading, torsion: float, lay: float) -> float:
    """What is left of GJ when the stretch has taken its part of the torque of a laid rope [N m^2]."""
    if lay == 0.0:
        return torsion
    stiffness = rope.cable.stiffness()
    if math.isinf(stiffness):
        rope.problem("a rigid rope has no lay torque: give its stiffness", "lay_torque", value=f"{lay:g}")
        return torsion
    own = torsion - lay * lay * stiffness
    if own <= 0.0:
        most = math.sqrt(torsion / stiffness)
        rope.problem(
            f"expected less than sqrt(GJ/EA) = {most:.3g} m: such a rope would unlay by itself",
            "lay_torque",
            value=f"{lay:g}",
        )
        return torsion
    return own


def _floor(rope: Threading, of: list[int]) -> float:
    masses = [rope.bodies.mass[i] for i in of if rope.bodies.dynamic[i]]
    return RIGID / min(masses) if masses else RIGID


def _twist_floor(rope: Threading, of: list[int]) -> float:
    ends = [rope.bodies.inertia[i] for i in (of[0], of[-1]) if rope.bodies.dynamic[i]]
    return RIGID / min(float(np.min(moments)) for moments in ends) if ends else RIGID


def _add_part(rope: Threading, part, i, wheel, block, transfer, k, spans):  # type: ignore[no-untyped-def]
    bodies, table = rope.bodies, rope.table
    back = frames.conjugate(bodies.start_quat[i])
    arm = frames.rotate(back, wheel.centre - bodies.start_pos[i])
    if bodies.rotor[i] == POINT and bodies.dynamic[i]:
        arm = np.zeros(3)
    kind = DRUM if isinstance(part, Winch) else WHEEL if wheel.axis is not None else POINT_PART
    axis = frames.rotate(back, wheel.axis) if wheel.axis is not None else np.zeros(3)
    first = frames.rotate(back, wheel.first) if wheel.first is not None else np.zeros(3)
    arrives = spans[k - 1][1] if k > 0 else 0.0
    leaves = spans[k][0] if k < len(spans) else 0.0
    middle = plain = 0.0
    if kind == WHEEL:
        wrap = wrap_angle(arrives, leaves, wheel.turn, getattr(part, "wraps", 0))
        leaves = arrives + wheel.turn * wrap
        middle = 0.5 * (arrives + leaves)
        plain = middle - wheel.turn * math.pi * getattr(part, "wraps", 0)
    elif kind == DRUM:
        # what lies on the drum at the start is counted as stored
        middle = arrives if k > 0 else leaves
        arrives, leaves = middle, middle
    wrap, on = -1, [0.0, 0.0, 0.0]
    if isinstance(part, Sheave) and not part.groove:
        half = 0.5 * wheel.turn * wheel.radius * (leaves - arrives)
        on = [half, half, wheel.turn * (leaves - arrives)]
        wrap = len(table.wrap_state)
        table.wrap_int.append([1, -1, 0])
        table.wrap_state.append([
            *arm, *axis, *first, wheel.radius, -math.inf, math.inf, wheel.turn, 0.0, arrives, 0.0, leaves, 0.0, middle, math.nan,
            0.0,
        ])  # fmt: skip
    table.part_int.append([kind, i, block, wheel.turn, transfer, wrap])
    table.part_frame.append([*arm, *axis, *first, wheel.radius if wrap < 0 else 0.0, middle, plain])
    table.part_angle.append([arrives, leaves])
    second = np.cross(wheel.axis, wheel.first) if wheel.axis is not None else np.zeros(3)
    zero = np.zeros(3)
    table.part_place.append([
        *wheel.centre, *(zero if wheel.axis is None else wheel.axis), *(zero if wheel.first is None else wheel.first),
        *second, *wheel.at(arrives), *wheel.at(leaves), spans[k][2] if k < len(spans) else 0.0, 0.0, *on,
    ])  # fmt: skip
    table.part_names.append(part.name or f"{rope.name} part {k}")


def _light(rope: Threading) -> float:
    """Mass that flows along over parts without inertia [kg]."""
    bodies = rope.bodies
    on = {bodies.index[part.on] for part in rope.parts} | {obstacle.body for obstacle in rope.obstacles}
    masses = [float(bodies.mass[i]) for i in on if bodies.dynamic[i]]
    return max(LIGHT, LIGHT_PART * min(masses, default=0.0))


def _add_slots(rope: Threading, touched: list[int], rough: bool, laid: float) -> None:
    """Room for wraps on every obstacle: parts that are not on the path yet, each with its own transfer if rough."""
    table, bodies = rope.table, rope.bodies
    for obstacle in rope.obstacles:
        first = len(table.part_int)
        for _ in range(obstacle.room):
            transfer = len(table.transfer_int) if rough else -1
            if rough:
                table.transfer_int.append([len(table.part_int), -1, -1, -1])
                # rope that runs over it takes the mass of its spans along, where it has any
                heavy = rope.cable.line_mass() * laid if rope.cable.model == "layered" else 0.0
                table.transfer_law.append([_light(rope) + heavy, 0.0, 0.0, obstacle.friction, 0.0])
            block = touched.index(obstacle.body)
            table.part_int.append([WHEEL, obstacle.body, block, 1, transfer, len(table.wrap_state)])
            table.part_frame.append([0.0] * 12)
            table.part_angle.append([0.0, 0.0])
            table.part_place.append([0.0] * 23)
            table.part_names.append(f"{rope.name} on {bodies.names[obstacle.body]}")
            table.wrap_int.append([0, -1, 0])
            table.wrap_state.append([0.0] * U_COLUMNS)
        edges, planes = len(table.hull_edge), len(table.hull_plane)
        table.hull_edge += obstacle.edges.tolist()
        table.hull_plane += obstacle.planes.tolist()
        table.obstacle_int.append([
            rope.r, obstacle.body, obstacle.kind, first, len(table.part_int), edges, len(table.hull_edge), planes,
            len(table.hull_plane),
        ])  # fmt: skip
        table.obstacle_frame.append([
            *obstacle.centre, *obstacle.quat, *obstacle.size, 0.5 * rope.cable.thickness(),
        ])  # fmt: skip
        table.obstacle_names.append((rope.name, bodies.names[obstacle.body]))
    if rope.obstacles:
        table.rope_pair += _pairs(rope, touched)


def _pairs(rope: Threading, touched: list[int]) -> list[int]:
    """Pair block of any two bodies of the rope, those of the lower block first: a span may come to lie between them."""
    node, table, count = rope.bodies.node, rope.table, len(touched)
    found = [-1] * count**2
    for a in range(count):
        for b in range(a + 1, count):
            if node[touched[a]] >= 0 and node[touched[b]] >= 0:
                found[a * count + b] = found[b * count + a] = rope.first_pair + len(table.pairs)
                table.pairs.append((int(node[touched[a]]), int(node[touched[b]])))
    return found


def _add_transfer(rope: Threading, part, k, before, after):  # type: ignore[no-untyped-def]
    table = rope.table
    mass, loss, lost, friction = _light(rope), 0.0, 0.0, -1.0
    if part.inertia > 0.0:
        mass = max(mass, part.inertia / part.radius**2)
    winch = -1
    slip = 0.0
    if isinstance(part, Winch | Traction):
        winch = len(table.winch_int)
        add_winch(rope, part, len(table.transfer_int))
        friction = part.friction if isinstance(part, Traction) else -1.0
        slip = part.most_speed / part.stall if isinstance(part, Winch) and part.stall else 0.0
    else:
        loss, lost = part.bearing_loss, 1.0 - part.efficiency + part.bending_loss
        if part.friction is not None:
            friction = part.friction
        if part.fixed:
            mass, loss, lost = _light(rope), 0.0, 0.0
    table.transfer_int.append([rope.first + k, before, after, winch])
    table.transfer_law.append([mass, loss, lost, friction, slip])


def _weigh(rope: Threading, holds: list[bool]) -> None:
    """Energy of its weight at the start."""
    table, parts = rope.table, slice(rope.first, rope.first + len(rope.parts))
    length, moment = runs_of(
        table.part_int[parts],
        table.part_frame[parts],
        table.part_angle[parts],
        table.part_place[parts],
        table.wrap_state,
    )
    segment = np.cumsum([0, *holds[1:-1]])
    path, total = np.bincount(segment, length), np.bincount(segment, -moment @ rope.gravity)
    segments = table.integers[rope.r][P_SEGMENT]
    out = np.array(table.lengths[segments : segments + len(path)])
    table.weight_energy += rope.cable.line_mass() * float((out * total / path).sum())


def _add_span(rope: Threading, a: int, b: int, k: int) -> None:
    node, table = rope.bodies.node, rope.table
    pair = -1
    if a != b and node[a] >= 0 and node[b] >= 0:
        pair = rope.first_pair + len(table.pairs)
        table.pairs.append((int(node[a]), int(node[b])))
    table.spans.append([rope.first + k, pair])


def _set_lengths(rope: Threading, laid: list[float], softness: float, segments: int) -> None:
    """Unstretched lengths from the path: as laid, by the tension given, or by the length given."""
    total = sum(laid)
    factor = 1.0
    if rope.cable.tension is not None:
        factor = 1.0 / (1.0 + rope.cable.tension * softness)
    elif rope.cable.length is not None:
        factor = rope.cable.length / total
        strain = 1.0 / factor - 1.0 if rope.cable.attached else 0.0
        if not rope.obstacles and (strain > 0.2 or (softness == 0.0 and strain > 1e-9)):
            needed = f" (a tension of {strain / softness:.3g} N)" if softness > 0.0 else ""
            rope.problem(
                f"the rope is {rope.cable.length:.4g} m long, but its path takes {total:.4g} m: "
                f"{100 * strain:.1f} % of stretch{needed}", "length", value=f"{rope.cable.length:g}",
            )  # fmt: skip
    spare = [0.0] * (segments - len(laid))  # runs that wraps will make
    rope.table.lengths += [length * factor for length in laid] + spare
    stretched = rope.cable.attached and softness > 0.0 and factor < 1.0
    pull = (1.0 / factor - 1.0) / softness if stretched else 0.0
    rope.table.tensions += [pull] * len(laid) + spare + [0.0] * int(rope.cable.torsion()[0] is not None)
    rope.table.stored += 0.5 * pull * pull * softness * total * factor
    count_stored(rope, total * factor)
