"""The force of every contact in the pool.

A contact with gap g < 0 and normal n pushes with

    N = max(0, -k g - c n.v)        T = -mu N v_t / max(|v_t|, v_slip)

k, c: the paper's ground reaction and ground damping. Coulomb friction is regularised: below v_slip it is viscous, so what
rests on a slope creeps, slower than v_slip tan(slope)/mu.
"""

from __future__ import annotations

import math

import numpy as np

from taut.cables.honeycomb.arrays import (
    CUSHION,
    GAP,
    LAG,
    MASS,
    MU,
    NORMAL,
    OTHER,
    OWNER,
    PRESS,
    SLIP,
    TOUCHES,
    WEIGHT,
    Arrays,
)
from taut.cables.honeycomb.obstacles import clear_wrenches, react
from taut.core.jit import kernel

Array = np.ndarray


@kernel(inlined=True)
def rub_limit(node: Array, touch: Array, touch_node: Array, t: int, dt: float, count: int) -> float:
    """Largest viscous friction constant that a step of dt bears [N s/m]: half the mass in contact per step."""
    if dt <= 0.0:
        return math.inf
    mobility = 0.0
    for k in range(count):
        w = touch[t, WEIGHT + k]
        mobility += w * w / node[touch_node[t, k], MASS]
    return 0.5 / (mobility * dt)


@kernel(inlined=True)
def masses_in(touch: Array, t: int) -> int:
    """How many of the five masses of a contact may have a part in it: one on an obstacle."""
    return 1 if touch[t, OWNER] >= 0.0 else 5


@kernel(inlined=True)
def pressure(
    vel: Array, field: Array, touch: Array, touch_node: Array, t: int
) -> tuple[float, float, float, float]:  # fmt: skip
    """Of contact t [N], and its tangential velocity.

    The cushion is left out of what has only just met in an implicit step: a force that jumps as a gap closes keeps
    Newton's method from settling, and the scheme damps an impact by itself.
    """
    x, y, z = -touch[t, OTHER], -touch[t, OTHER + 1], -touch[t, OTHER + 2]
    for n in range(masses_in(touch, t)):
        i, share = touch_node[t, n], touch[t, WEIGHT + n]
        x, y, z = x + share * vel[i, 0], y + share * vel[i, 1], z + share * vel[i, 2]
    nx, ny, nz = touch[t, NORMAL], touch[t, NORMAL + 1], touch[t, NORMAL + 2]
    approach = x * nx + y * ny + z * nz
    x, y, z = x - approach * nx, y - approach * ny, z - approach * nz
    if touch[t, GAP] >= 0.0 and touch[t, LAG] <= 0.0:
        return 0.0, x, y, z
    cushion = field[CUSHION] if touch[t, LAG] != 0.0 else 0.0
    return max(0.0, -field[PRESS] * touch[t, GAP] - cushion * approach), x, y, z


@kernel(inlined=True)
def friction_constant(field: Array, touch: Array, t: int, press: float, x: float, y: float, z: float) -> float:
    """Tangential force over slip velocity (x, y, z) [N s/m]; in an implicit step with the pressure at its beginning."""
    slide = math.sqrt(x * x + y * y + z * z)
    normal = press if touch[t, LAG] < 0.0 else touch[t, LAG]
    return touch[t, MU] * normal / max(slide, field[SLIP])


@kernel
def touch_forces(a: Arrays, pos: Array, vel: Array, dt: float) -> None:
    """Add the forces of all contacts, on masses and obstacles; dt: of an explicit step, zero if friction is treated implicitly."""
    touch, touch_node, force = a.touch, a.touch_node, a.force
    clear_wrenches(a.shape)
    for t in range(a.tally[TOUCHES]):
        press, x, y, z = pressure(vel, a.field, touch, touch_node, t)
        if press == 0.0 and touch[t, LAG] <= 0.0:
            continue
        count = masses_in(touch, t)
        rub = min(
            friction_constant(a.field, touch, t, press, x, y, z), rub_limit(a.node, touch, touch_node, t, dt, count)
        )
        fx = press * touch[t, NORMAL] - rub * x
        fy = press * touch[t, NORMAL + 1] - rub * y
        fz = press * touch[t, NORMAL + 2] - rub * z
        for n in range(count):
            i, share = touch_node[t, n], touch[t, WEIGHT + n]
            force[i, 0] += share * fx
            force[i, 1] += share * fy
            force[i, 2] += share * fz
        if touch[t, OWNER] >= 0.0:
            i = touch_node[t, 0]
            react(a.shape, int(touch[t, OWNER]), pos[i, 0], pos[i, 1], pos[i, 2], -fx, -fy, -fz)
