"""Masses against obstacles: where these are, which masses they touch, and what they get back.

A mass is a ball of the skin's radius; distance and normal come from the tests of `taut.contact`. Obstacles move as told, or
are bodies that the rope can push: within an explicit step such a body moves on freely under what the rope does to it.
"""

from __future__ import annotations

import math

import numpy as np

from taut.cables.honeycomb.arrays import (
    AXES,
    BALL,
    CENTRE,
    DRIVE,
    FREE_TURN,
    FRICTION,
    GAP,
    GIVEN,
    KIND,
    LAG,
    LIGHT,
    MU,
    NORMAL,
    OTHER,
    OWNER,
    PLACE,
    SIZE,
    SKIN,
    TOUCHES,
    TURN,
    WEIGHT,
    WRENCH,
    Arrays,
)
from taut.contact.capsule import capsule_capsule
from taut.contact.capsule_box import box_capsule
from taut.contact.cylinder import cylinder_capsule
from taut.contact.shapes import BOX, CYLINDER, PLANE
from taut.core.jit import kernel

Array = np.ndarray


@kernel
def take_in_hand(shape: Array, o: int, skin: float, pose: Array) -> None:
    """Obstacle o as the first shape in hand, a ball of the skin's radius as the second."""
    for k in range(9):
        pose[0, k] = shape[o, AXES + k]
        pose[1, k] = 1.0 if k % 4 == 0 else 0.0
    for k in range(3):
        pose[0, 9 + k] = shape[o, PLACE + k]
        pose[0, 12 + k] = shape[o, SIZE + k] if shape[o, KIND] == BOX else 0.0
        pose[1, 12 + k] = 0.0
    pose[0, 15] = 0.0
    if shape[o, KIND] != BOX:
        pose[0, 14], pose[0, 15] = shape[o, SIZE + 1], shape[o, SIZE]
    pose[1, 15] = skin


@kernel
def gap_in_hand(kind: float, pose: Array, found: Array, local: Array) -> float:
    """Of the ball from the obstacle in hand, which is no plane [m]; the outward normal is in found[0, 3:6]."""
    if kind == BOX:
        box_capsule(0, 1, pose, found, local)
    elif kind == CYLINDER:
        cylinder_capsule(0, 1, pose, found, local)
    else:
        capsule_capsule(0, 1, pose, found, local)
    return found[0, 6]


@kernel
def obstacle_touches(a: Arrays, pos: Array) -> bool:
    """Put masses that are inside an obstacle, or were when an implicit step began, into the pool; False when it is full."""
    shape, touch, skin = a.shape, a.touch, a.field[SKIN]
    for o in range(shape.shape[0]):
        take_in_hand(shape, o, skin, a.pose)
        flat = shape[o, KIND] == PLANE
        px, py, pz = shape[o, PLACE], shape[o, PLACE + 1], shape[o, PLACE + 2]
        nx, ny, nz = shape[o, AXES + 2], shape[o, AXES + 5], shape[o, AXES + 8]
        reach = (shape[o, BALL] + skin) ** 2
        for i in range(pos.shape[0]):
            # too far away to touch, by a test that costs next to nothing
            x, y, z = pos[i, 0] - px, pos[i, 1] - py, pos[i, 2] - pz
            gap = x * nx + y * ny + z * nz - skin
            far = gap > 0.0 if flat else x * x + y * y + z * z > reach
            pressed = a.load[i, 0] > 0.0 and a.load[i, 1] == o
            if far and not pressed:
                continue
            t = a.tally[TOUCHES]
            # the last row is scratch
            if t + 1 >= touch.shape[0]:
                return False
            if flat:
                a.found[0, 3], a.found[0, 4], a.found[0, 5] = nx, ny, nz
            else:
                for k in range(3):
                    a.pose[1, 9 + k] = pos[i, k]
                gap = gap_in_hand(shape[o, KIND], a.pose, a.found, a.local)
            if gap >= 0.0 and not pressed:
                continue
            u, v, w = shape[o, TURN], shape[o, TURN + 1], shape[o, TURN + 2]
            for k in range(5):
                a.touch_node[t, k] = i if k == 0 else 0
                touch[t, WEIGHT + k] = 1.0 if k == 0 else 0.0
            for k in range(3):
                touch[t, NORMAL + k] = a.found[0, 3 + k]
            touch[t, GAP] = gap
            touch[t, LAG] = -1.0
            touch[t, MU] = shape[o, FRICTION]
            touch[t, OTHER] = shape[o, DRIVE] + v * z - w * y
            touch[t, OTHER + 1] = shape[o, DRIVE + 1] + w * x - u * z
            touch[t, OTHER + 2] = shape[o, DRIVE + 2] + u * y - v * x
            touch[t, OWNER] = o
            a.tally[TOUCHES] = t + 1
    return True


@kernel
def turn_axes(shape: Array, o: int, x: float, y: float, z: float) -> None:
    """Turn the axes of an obstacle by a rotation vector (Rodrigues), column by column."""
    angle = math.sqrt(x * x + y * y + z * z)
    if angle == 0.0:
        return
    x, y, z = x / angle, y / angle, z / angle
    c, s = math.cos(angle), math.sin(angle)
    for k in range(3):
        u, v, w = shape[o, AXES + k], shape[o, AXES + 3 + k], shape[o, AXES + 6 + k]
        dot = (1.0 - c) * (x * u + y * v + z * w)
        shape[o, AXES + k] = c * u + s * (y * w - z * v) + dot * x
        shape[o, AXES + 3 + k] = c * v + s * (z * u - x * w) + dot * y
        shape[o, AXES + 6 + k] = c * w + s * (x * v - y * u) + dot * z


@kernel
def move_shapes(shape: Array, dt: float) -> None:
    """Obstacles go on at their velocities; those with a centre of mass elsewhere turn about it."""
    for o in range(shape.shape[0]):
        u, v, w = shape[o, TURN], shape[o, TURN + 1], shape[o, TURN + 2]
        x, y, z = -shape[o, CENTRE], -shape[o, CENTRE + 1], -shape[o, CENTRE + 2]
        # velocity of the centre of mass; then where the position is, seen from there, after the turn
        cx, cy, cz = (
            shape[o, DRIVE] - (v * z - w * y),
            shape[o, DRIVE + 1] - (w * x - u * z),
            shape[o, DRIVE + 2] - (u * y - v * x),
        )
        for k in range(3):
            shape[o, PLACE + k] += shape[o, CENTRE + k]
        shape[o, PLACE] += dt * cx
        shape[o, PLACE + 1] += dt * cy
        shape[o, PLACE + 2] += dt * cz
        angle = math.sqrt(u * u + v * v + w * w) * dt
        if angle != 0.0:
            turn_axes(shape, o, u * dt, v * dt, w * dt)
            f = dt / angle
            c, s = math.cos(angle), math.sin(angle)
            p, q, r = f * u, f * v, f * w
            dot = (1.0 - c) * (p * x + q * y + r * z)
            x, y, z = (
                c * x + s * (q * z - r * y) + dot * p,
                c * y + s * (r * x - p * z) + dot * q,
                c * z + s * (p * y - q * x) + dot * r,
            )
        shape[o, CENTRE], shape[o, CENTRE + 1], shape[o, CENTRE + 2] = -x, -y, -z
        shape[o, PLACE] += x
        shape[o, PLACE + 1] += y
        shape[o, PLACE + 2] += z
        shape[o, DRIVE], shape[o, DRIVE + 1], shape[o, DRIVE + 2] = (
            cx + v * z - w * y,
            cy + w * x - u * z,
            cz + u * y - v * x,
        )


@kernel
def clear_wrenches(shape: Array) -> None:
    """No force on any obstacle yet."""
    for o in range(shape.shape[0]):
        for k in range(6):
            shape[o, WRENCH + k] = 0.0


@kernel
def react(shape: Array, o: int, x: float, y: float, z: float, fx: float, fy: float, fz: float) -> None:
    """Add a force at a point to what the rope does to obstacle o."""
    x -= shape[o, PLACE] + shape[o, CENTRE]
    y -= shape[o, PLACE + 1] + shape[o, CENTRE + 1]
    z -= shape[o, PLACE + 2] + shape[o, CENTRE + 2]
    shape[o, WRENCH] += fx
    shape[o, WRENCH + 1] += fy
    shape[o, WRENCH + 2] += fz
    shape[o, WRENCH + 3] += y * fz - z * fy
    shape[o, WRENCH + 4] += z * fx - x * fz
    shape[o, WRENCH + 5] += x * fy - y * fx


@kernel
def push_shapes(shape: Array, dt: float) -> None:
    """Give obstacles the impulse of their wrenches over dt; those that can be pushed change their velocity."""
    for o in range(shape.shape[0]):
        light = shape[o, LIGHT]
        for k in range(6):
            shape[o, GIVEN + k] += dt * shape[o, WRENCH + k]
        if light == 0.0:
            continue
        I, m = shape[o, FREE_TURN : FREE_TURN + 6], shape[o, WRENCH + 3 : WRENCH + 6]
        u = dt * (I[0] * m[0] + I[1] * m[1] + I[2] * m[2])
        v = dt * (I[1] * m[0] + I[3] * m[1] + I[4] * m[2])
        w = dt * (I[2] * m[0] + I[4] * m[1] + I[5] * m[2])
        x, y, z = -shape[o, CENTRE], -shape[o, CENTRE + 1], -shape[o, CENTRE + 2]
        shape[o, TURN] += u
        shape[o, TURN + 1] += v
        shape[o, TURN + 2] += w
        shape[o, DRIVE] += dt * light * shape[o, WRENCH] + v * z - w * y
        shape[o, DRIVE + 1] += dt * light * shape[o, WRENCH + 1] + w * x - u * z
        shape[o, DRIVE + 2] += dt * light * shape[o, WRENCH + 2] + u * y - v * x
