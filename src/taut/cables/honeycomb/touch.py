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


@kernel
def rub_limit(node: Array, touch: Array, touch_node: Array, t: int, dt: float) -> float:
    """Largest viscous friction constant that a step of dt bears [N s/m]: half the mass in contact per step."""
    if dt <= 0.0:
        return math.inf
    mobility = 0.0
    for k in range(5):
        w = touch[t, WEIGHT + k]
        mobility += w * w / node[touch_node[t, k], MASS]
    return 0.5 / (mobility * dt)


@kernel
def pressure(vel: Array, field: Array, touch: Array, touch_node: Array, t: int, slip: Array) -> float:
    """Of contact t [N]; its tangential velocity to `slip`.

    The cushion is left out of what has only just met in an implicit step: a force that jumps as a gap closes keeps
    Newton's method from settling, and the scheme damps an impact by itself.
    """
    for k in range(3):
        slip[k] = -touch[t, OTHER + k]
        for n in range(5):
            slip[k] += touch[t, WEIGHT + n] * vel[touch_node[t, n], k]
    approach = 0.0
    for k in range(3):
        approach += slip[k] * touch[t, NORMAL + k]
    for k in range(3):
        slip[k] -= approach * touch[t, NORMAL + k]
    if touch[t, GAP] >= 0.0 and touch[t, LAG] <= 0.0:
        return 0.0
    cushion = field[CUSHION] if touch[t, LAG] != 0.0 else 0.0
    return max(0.0, -field[PRESS] * touch[t, GAP] - cushion * approach)


@kernel
def friction_constant(field: Array, touch: Array, t: int, press: float, slip: Array) -> float:
    """Tangential force over slip velocity [N s/m]; in an implicit step with the pressure at its beginning."""
    slide = math.sqrt(slip[0] * slip[0] + slip[1] * slip[1] + slip[2] * slip[2])
    normal = press if touch[t, LAG] < 0.0 else touch[t, LAG]
    return touch[t, MU] * normal / max(slide, field[SLIP])


@kernel
def touch_forces(a: Arrays, pos: Array, vel: Array, dt: float) -> None:
    """Add the forces of all contacts, on masses and obstacles; dt: of an explicit step, zero if friction is treated implicitly."""
    touch, touch_node, force = a.touch, a.touch_node, a.force
    clear_wrenches(a.shape)
    for t in range(a.tally[TOUCHES]):
        # the last row of the pool is never used for a contact
        slip = touch[touch.shape[0] - 1, WEIGHT : WEIGHT + 3]
        press = pressure(vel, a.field, touch, touch_node, t, slip)
        if press == 0.0 and touch[t, LAG] <= 0.0:
            continue
        rub = min(friction_constant(a.field, touch, t, press, slip), rub_limit(a.node, touch, touch_node, t, dt))
        fx = press * touch[t, NORMAL] - rub * slip[0]
        fy = press * touch[t, NORMAL + 1] - rub * slip[1]
        fz = press * touch[t, NORMAL + 2] - rub * slip[2]
        for n in range(5):
            share = touch[t, WEIGHT + n]
            force[touch_node[t, n], 0] += share * fx
            force[touch_node[t, n], 1] += share * fy
            force[touch_node[t, n], 2] += share * fz
        if touch[t, OWNER] >= 0.0:
            i = touch_node[t, 0]
            react(a.shape, int(touch[t, OWNER]), pos[i, 0], pos[i, 1], pos[i, 2], -fx, -fy, -fz)
