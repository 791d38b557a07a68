"""Masses against obstacles: signed distance, outward normal; and the force of every contact in the pool.

A mass is a ball of the skin's radius. A contact with gap g < 0 and normal n pushes with

    N = max(0, -k g - c n.v)        T = -mu N v_t / max(|v_t|, v_slip)

k, c: the paper's ground reaction and ground damping. Coulomb friction is regularised: below v_slip it is viscous, so what
rests on a slope creeps, slower than v_slip tan(slope)/mu.
"""

from __future__ import annotations

import math

import numpy as np

from taut.cables.honeycomb.arrays import (
    AXES,
    CUSHION,
    DRIVE,
    FRICTION,
    GAP,
    KIND,
    LAG,
    MASS,
    MU,
    NORMAL,
    OTHER,
    PLACE,
    PRESS,
    SIZE,
    SKIN,
    SLIP,
    TOUCHES,
    WEIGHT,
)
from taut.core.jit import kernel

Array = np.ndarray

PLANE, SPHERE, BOX, CAPSULE = 0.0, 1.0, 2.0, 3.0


@kernel
def distance(shape: Array, o: int, x: float, y: float, z: float, normal: Array) -> float:
    """Of a point from the surface of obstacle o, negative inside [m]; the outward normal to `normal`."""
    x, y, z = x - shape[o, PLACE], y - shape[o, PLACE + 1], z - shape[o, PLACE + 2]
    R = shape[o, AXES : AXES + 9]
    # in the obstacle's frame; the columns of R are its axes
    u, v, w = R[0] * x + R[3] * y + R[6] * z, R[1] * x + R[4] * y + R[7] * z, R[2] * x + R[5] * y + R[8] * z
    kind = shape[o, KIND]
    if kind == PLANE:
        u, v, gap = 0.0, 0.0, w
        w = 1.0
    elif kind == BOX:
        a, b, c = abs(u) - shape[o, SIZE], abs(v) - shape[o, SIZE + 1], abs(w) - shape[o, SIZE + 2]
        deepest = max(a, b, c)
        if deepest <= 0.0:
            gap = deepest
            u = math.copysign(1.0, u) if a == deepest else 0.0
            v = math.copysign(1.0, v) if b == deepest and u == 0.0 else 0.0
            w = math.copysign(1.0, w) if u == 0.0 and v == 0.0 else 0.0
        else:
            u, v, w = math.copysign(max(a, 0.0), u), math.copysign(max(b, 0.0), v), math.copysign(max(c, 0.0), w)
            gap = math.sqrt(u * u + v * v + w * w)
            u, v, w = u / gap, v / gap, w / gap
    else:
        if kind == CAPSULE:
            w -= min(max(w, -shape[o, SIZE + 1]), shape[o, SIZE + 1])
        away = math.sqrt(u * u + v * v + w * w)
        gap = away - shape[o, SIZE]
        if away > 1e-12:
            u, v, w = u / away, v / away, w / away
        else:
            u, v, w = 1.0, 0.0, 0.0
    normal[0] = R[0] * u + R[1] * v + R[2] * w
    normal[1] = R[3] * u + R[4] * v + R[5] * w
    normal[2] = R[6] * u + R[7] * v + R[8] * w
    return gap


@kernel
def move_shapes(shape: Array, dt: float) -> None:
    """Obstacles go on at their velocities."""
    for o in range(shape.shape[0]):
        for k in range(3):
            shape[o, PLACE + k] += dt * shape[o, DRIVE + k]


@kernel
def obstacle_touches(
    pos: Array, field: Array, shape: Array, load: Array, touch: Array, touch_node: Array, count: Array
) -> bool:
    """Put masses that are inside an obstacle, or were when an implicit step began, into the pool; False when it is full."""
    for o in range(shape.shape[0]):
        for i in range(pos.shape[0]):
            t = count[TOUCHES]
            # the last row is scratch
            if t + 1 >= touch.shape[0]:
                return False
            gap = distance(shape, o, pos[i, 0], pos[i, 1], pos[i, 2], touch[t, NORMAL : NORMAL + 3]) - field[SKIN]
            if gap < 0.0 or load[i, 0] > 0.0:
                for k in range(5):
                    touch_node[t, k] = i if k == 0 else 0
                    touch[t, WEIGHT + k] = 1.0 if k == 0 else 0.0
                touch[t, GAP] = gap
                touch[t, LAG] = -1.0
                touch[t, MU] = shape[o, FRICTION]
                for k in range(3):
                    touch[t, OTHER + k] = shape[o, DRIVE + k]
                count[TOUCHES] = t + 1
    return True


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
def touch_forces(
    vel: Array, field: Array, node: Array, touch: Array, touch_node: Array, count: Array, dt: float, force: Array
) -> None:
    """Add the forces of all contacts; dt: of an explicit step, zero if friction is treated implicitly."""
    for t in range(count[TOUCHES]):
        # the last row of the pool is never used for a contact
        slip = touch[touch.shape[0] - 1, WEIGHT : WEIGHT + 3]
        press = pressure(vel, field, touch, touch_node, t, slip)
        if press == 0.0 and touch[t, LAG] <= 0.0:
            continue
        rub = min(friction_constant(field, touch, t, press, slip), rub_limit(node, touch, touch_node, t, dt))
        for k in range(3):
            f = press * touch[t, NORMAL + k] - rub * slip[k]
            for n in range(5):
                force[touch_node[t, n], k] += touch[t, WEIGHT + n] * f
