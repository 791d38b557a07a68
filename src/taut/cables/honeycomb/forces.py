"""All forces on all masses: gravity, air, springs, contacts.

Air: -C |v - w| (v - w) per mass, w the wind (paper 4 prints C v^2 without a direction). Held masses feel forces too - their
sum is what the end bears - but do not move by them.
"""

from __future__ import annotations

import math

import numpy as np

from taut.cables.honeycomb.arrays import (
    DRAG, EVALUATIONS, FINE, GRAVITY, MASS, NOT_FINITE, REACH, SELF, TOO_MANY_TOUCHES, TOUCHES, WIND, Arrays,
)  # fmt: skip
from taut.cables.honeycomb.hierarchy import find_pairs, moved
from taut.cables.honeycomb.self_contact import self_touches
from taut.cables.honeycomb.springs import spring_forces
from taut.cables.honeycomb.touch import obstacle_touches, touch_forces
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
    """Fill the pool of contacts for these positions."""
    a.count[TOUCHES] = 0
    if not obstacle_touches(pos, a.field, a.shape, a.touch, a.touch_node, a.count):
        return TOO_MANY_TOUCHES
    if a.size[SELF] == 0:
        return FINE
    if moved(pos, a.ref, a.field[REACH]):
        for i in range(pos.shape[0]):
            # a hierarchy of what is not a number would pair everything with everything
            if not math.isfinite(pos[i, 0] + pos[i, 1] + pos[i, 2]):
                return NOT_FINITE
        status = find_pairs(pos, a.field, a.size, a.tree, a.pair, a.ref, a.count)
        if status != FINE:
            return status
    # the margin is half the radius of the surface
    return self_touches(
        pos, a.field, a.size, a.outline, 2.0 * a.field[REACH], a.axis, a.touch, a.touch_node, a.pair, a.count
    )


@kernel
def all_forces(a: Arrays, pos: Array, vel: Array, dt: float) -> int:
    """Set a.force for these positions and velocities; dt of an explicit step, or zero."""
    a.count[EVALUATIONS] += 1
    field_forces(vel, a.node, a.field, a.force)
    spring_forces(pos, vel, a.spring, a.law, a.table, a.force)
    if a.shape.shape[0] > 0 or a.size[SELF] != 0:
        status = find_touches(a, pos)
        if status != FINE:
            return status
        touch_forces(vel, a.field, a.node, a.touch, a.touch_node, a.count, dt, a.force)
    return FINE
