"""All forces on all masses: gravity, air, springs, contacts.

Air: -C |v - w| (v - w) per mass, w the wind (paper 4 prints C v^2 without a direction). Held masses feel forces too - their
sum is what the end bears - but do not move by them.
"""

from __future__ import annotations

import math

import numpy as np

from taut.cables.honeycomb.arrays import (
    DRAG,
    EVALUATIONS,
    FINE,
    FROZEN,
    GAP,
    GRAVITY,
    LAG,
    MASS,
    MEAN,
    NORMAL,
    NOT_FINITE,
    OWNER,
    REACH,
    SELF,
    SKIN,
    TOO_MANY_TOUCHES,
    TOUCHES,
    WEIGHT,
    WIND,
    Arrays,
)
from taut.cables.honeycomb.hierarchy import find_pairs, moved
from taut.cables.honeycomb.obstacles import obstacle_touches
from taut.cables.honeycomb.ordered import lattice_forces
from taut.cables.honeycomb.self_contact import self_touches
from taut.cables.honeycomb.springs import spring_forces
from taut.cables.honeycomb.tables import clear
from taut.cables.honeycomb.touch import pressure, touch_forces
from taut.core.jit import kernel

Array = np.ndarray


@kernel
def field_forces(vel: Array, node: Array, field: Array, force: Array) -> None:
    """Set `force` to gravity and drag."""
    C = field[DRAG]
    for i in range(vel.shape[0]):
        u, v, w = vel[i, 0] - field[WIND], vel[i, 1] - field[WIND + 1], vel[i, 2] - field[WIND + 2]
        drag = C * math.sqrt(u * u + v * v + w * w) if C > 0.0 else 0.0
        m = node[i, MASS]
        force[i, 0] = m * field[GRAVITY] - drag * u
        force[i, 1] = m * field[GRAVITY + 1] - drag * v
        force[i, 2] = m * field[GRAVITY + 2] - drag * w


@kernel
def find_touches(a: Arrays, pos: Array) -> int:
    """Fill the pool of contacts for these positions: an explicit step, which looks anew every time."""
    a.tally[TOUCHES] = 0
    if not obstacle_touches(a, pos):
        return TOO_MANY_TOUCHES
    if a.size[SELF] == 0:
        return FINE
    if moved(pos, a.ref, a.field[REACH]):
        status = freeze_pairs(a, pos)
        if status != FINE:
            return status
    return look_at_pairs(a, pos, 0.0)


@kernel
def freeze_pairs(a: Arrays, pos: Array) -> int:
    """Ask the hierarchy for pairs of cells."""
    for i in range(pos.shape[0]):
        # a hierarchy of what is not a number would pair everything with everything
        if not math.isfinite(pos[i, 0] + pos[i, 1] + pos[i, 2]):
            return NOT_FINITE
    return find_pairs(pos, a.field, a.size, a.tree, a.pair, a.ref, a.tally)


@kernel
def look_at_pairs(a: Arrays, pos: Array, near: float) -> int:
    """Features of the pairs that are nearer than `near`. The margin of the hierarchy is half the radius of the surface."""
    radius = 2.0 * a.field[REACH]
    return self_touches(
        pos, a.field, a.size, a.outline, radius, near, a.axis, a.touch, a.touch_node, a.pair, a.tally, a.local.reshape(a.local.size)
    )  # fmt: skip


@kernel
def freeze_touches(a: Arrays, pos: Array) -> int:
    """Find the contacts of the rope with itself for a whole implicit step.

    Features, weights and normals stay as they are now and only gaps follow the motion, n . sum(w x): with normals that
    jump from face to face Newton's method would not settle. Friction takes its pressure from now too, also on obstacles.
    """
    a.tally[TOUCHES] = 0
    a.tally[FROZEN] = 0
    clear(a.load)
    if a.touch.shape[0] == 0:
        return FINE
    if not obstacle_touches(a, pos):
        return TOO_MANY_TOUCHES
    for t in range(a.tally[TOUCHES]):
        i = a.touch_node[t, 0]
        press = pressure(a.vel, a.field, a.touch, a.touch_node, t)[0]
        if press > a.load[i, 0]:
            a.load[i, 0], a.load[i, 1] = press, a.touch[t, OWNER]
    a.tally[TOUCHES] = 0
    if a.size[SELF] == 0:
        return FINE
    status = freeze_pairs(a, pos)
    if status == FINE:
        status = look_at_pairs(a, pos, a.field[REACH])
    a.tally[FROZEN] = a.tally[TOUCHES]
    for t in range(a.tally[FROZEN]):
        a.touch[t, LAG] = pressure(a.vel, a.field, a.touch, a.touch_node, t)[0]
    return status


@kernel
def follow_touches(a: Arrays, pos: Array) -> int:
    """Gaps of the frozen contacts at these positions; obstacles are looked at anew."""
    for t in range(a.tally[FROZEN]):
        gap = -2.0 * a.field[SKIN]
        for k in range(5):
            i, share = a.touch_node[t, k], a.touch[t, WEIGHT + k]
            gap += share * (
                a.touch[t, NORMAL] * pos[i, 0] + a.touch[t, NORMAL + 1] * pos[i, 1] + a.touch[t, NORMAL + 2] * pos[i, 2]
            )
        a.touch[t, GAP] = gap
    a.tally[TOUCHES] = a.tally[FROZEN]
    fits = obstacle_touches(a, pos)
    for t in range(a.tally[FROZEN], a.tally[TOUCHES]):
        a.touch[t, LAG] = a.load[a.touch_node[t, 0], 0]
    return FINE if fits else TOO_MANY_TOUCHES


@kernel
def all_forces(a: Arrays, pos: Array, vel: Array, dt: float) -> int:
    """Set a.force for these positions and velocities; dt of an explicit step, or zero in an implicit one."""
    a.tally[EVALUATIONS] += 1
    if dt > 0.0:
        lattice_forces(a, pos, vel)
    else:
        field_forces(vel, a.node, a.field, a.force)
        spring_forces(pos, vel, a.spring, a.law, a.table, a.field[MEAN], a.force, 0, 1)
    if a.shape.shape[0] > 0 or a.size[SELF] != 0:
        status = find_touches(a, pos) if dt > 0.0 else follow_touches(a, pos)
        if status != FINE:
            return status
        touch_forces(a, pos, vel, dt)
    return FINE
