"""A honeycomb rope in the buffers of a scene: its arrays cut out, its ends and obstacles where their bodies are."""

from __future__ import annotations

import math

from taut.cables.honeycomb.arrays import (
    AXES,
    BALL,
    CENTRE,
    DRIVE,
    FREE_TURN,
    FRICTION,
    GIVEN,
    HELD_BY,
    KIND,
    LIGHT,
    PLACE,
    POINT,
    SIZE,
    SPEED,
    TURN,
    WRENCH,
    Arrays,
)
from taut.cables.honeycomb.arrays import WIND as WIND_PLACE
from taut.cables.honeycomb.columns import (
    A_ARM,
    A_AXIS,
    A_FIELD,
    A_FLOW,
    A_FOUND,
    A_KIND,
    A_LANE,
    A_LAW,
    A_LOCAL,
    A_NODE,
    A_OUTLINE,
    A_PAIR,
    A_POS,
    A_POSE,
    A_SHAPE,
    A_SIZE,
    A_SPRING,
    A_TABLE,
    A_TALLY,
    A_TOUCH,
    A_TREE,
    K_BODY,
    K_CARRIES,
    O_BALL,
    O_BODY,
    O_FRICTION,
    O_KIND,
    O_POS,
    O_QUAT,
    O_SIZE,
)
from taut.core.buffers import (
    column,
    column_part,
    index_table,
    index_table_part,
    indices,
    indices_part,
    table,
    table_part,
)
from taut.core.jit import kernel
from taut.core.model import (
    BODY_DYNAMIC,
    BODY_MASS,
    BODY_NEW,
    BODY_POS,
    BODY_QUAT,
    BODY_VEL,
    BODY_WORLD_INERTIA,
    D_TARGET,
    LATTICE_ACC,
    LATTICE_ARM,
    LATTICE_ARM_BODY,
    LATTICE_AT,
    LATTICE_AXIS,
    LATTICE_ENDS,
    LATTICE_FIELD,
    LATTICE_FLOW,
    LATTICE_FORCE,
    LATTICE_FOUND,
    LATTICE_INT,
    LATTICE_KIND,
    LATTICE_LANE,
    LATTICE_LAW,
    LATTICE_LAW_NOW,
    LATTICE_LOAD,
    LATTICE_LOCAL,
    LATTICE_NODE,
    LATTICE_OBSTACLE,
    LATTICE_OBSTACLE_INT,
    LATTICE_OLD_POS,
    LATTICE_OLD_VEL,
    LATTICE_OUTLINE,
    LATTICE_PAIR,
    LATTICE_POS,
    LATTICE_POS2,
    LATTICE_POSE,
    LATTICE_REF,
    LATTICE_SHAPE,
    LATTICE_SIZE,
    LATTICE_SPRING,
    LATTICE_TABLE,
    LATTICE_TALLY,
    LATTICE_TOUCH,
    LATTICE_TOUCH_NODE,
    LATTICE_TREE,
    LATTICE_VEL,
    LATTICE_VEL2,
    LEDGER,
    TIME,
    WIND,
    WIND_DIRECTION,
    WIND_DRIVE,
    WIND_EXPONENT,
    WIND_GUST,
    WIND_HEIGHT,
    WIND_PERIOD,
)  # fmt: skip
from taut.core.model import (
    DRIVE as DRIVES,
)
from taut.core.quat import matrix, multiply, rotate


@kernel
def room_of(r, m, s, w):
    """The arrays of rope r; one that is solved together with its bodies takes its springs as the step does."""
    at = index_table(m, LATTICE_AT)[r]
    i, n = at[A_POS], at[A_POS + 1]
    if index_table(m, LATTICE_INT)[r, K_CARRIES] == 1:
        law = table_part(w, LATTICE_LAW_NOW, at[A_LAW], at[A_LAW + 1])
    else:
        law = table_part(m, LATTICE_LAW, at[A_LAW], at[A_LAW + 1])
    return Arrays(
        table_part(s, LATTICE_POS, i, n),
        table_part(s, LATTICE_VEL, i, n),
        table_part(s, LATTICE_ACC, i, n),
        table_part(s, LATTICE_OLD_POS, i, n),
        table_part(s, LATTICE_OLD_VEL, i, n),
        table_part(w, LATTICE_ARM, i, n),
        table_part(w, LATTICE_ENDS, 2 * r, 2),
        table_part(m, LATTICE_NODE, at[A_NODE], at[A_NODE + 1]),
        index_table_part(m, LATTICE_SPRING, at[A_SPRING], at[A_SPRING + 1]),
        law,
        table_part(m, LATTICE_TABLE, at[A_TABLE], at[A_TABLE + 1]),
        column_part(w, LATTICE_FIELD, at[A_FIELD], at[A_FIELD + 1]),
        table_part(w, LATTICE_SHAPE, at[A_SHAPE], at[A_SHAPE + 1]),
        indices_part(m, LATTICE_SIZE, at[A_SIZE], at[A_SIZE + 1]),
        indices_part(m, LATTICE_OUTLINE, at[A_OUTLINE], at[A_OUTLINE + 1]),
        index_table_part(m, LATTICE_KIND, at[A_KIND], at[A_KIND + 1]),
        table_part(w, LATTICE_FORCE, i, n),
        table_part(w, LATTICE_POS2, i, n),
        table_part(w, LATTICE_VEL2, i, n),
        table_part(w, LATTICE_AXIS, at[A_AXIS], at[A_AXIS + 1]),
        table_part(w, LATTICE_TOUCH, at[A_TOUCH], at[A_TOUCH + 1]),
        index_table_part(w, LATTICE_TOUCH_NODE, at[A_TOUCH], at[A_TOUCH + 1]),
        table_part(w, LATTICE_LOAD, i, n),
        index_table_part(s, LATTICE_PAIR, at[A_PAIR], at[A_PAIR + 1]),
        table_part(w, LATTICE_TREE, at[A_TREE], at[A_TREE + 1]),
        table_part(s, LATTICE_REF, i, n),
        indices_part(s, LATTICE_TALLY, at[A_TALLY], at[A_TALLY + 1]),
        column_part(w, LATTICE_FLOW, at[A_FLOW], at[A_FLOW + 1]),
        table_part(w, LATTICE_POSE, at[A_POSE], at[A_POSE + 1]),
        table_part(w, LATTICE_FOUND, at[A_FOUND], at[A_FOUND + 1]),
        table_part(w, LATTICE_LOCAL, at[A_LOCAL], at[A_LOCAL + 1]),
        column_part(w, LATTICE_LANE, at[A_LANE], at[A_LANE + 1]),
    )


@kernel
def blow(m, s, a, r):
    """The wind at the height of the rope's middle, as bodies feel it (taut.step.forces)."""
    wind = column(m, WIND)
    target = table(s, DRIVES)[indices(m, WIND_DRIVE)[0], D_TARGET]
    speed = target + wind[WIND_GUST] * math.sin(2.0 * math.pi * column(s, LEDGER)[TIME] / wind[WIND_PERIOD])
    if wind[WIND_EXPONENT] != 0.0:
        height = 0.0
        for i in range(a.pos.shape[0]):
            height += a.pos[i, 2]
        speed *= (max(height / a.pos.shape[0], 0.0) / wind[WIND_HEIGHT]) ** wind[WIND_EXPONENT]
    for k in range(3):
        a.field[WIND_PLACE + k] = speed * wind[WIND_DIRECTION + k]


@kernel
def place_ends(r, m, s, w, a):
    """Held masses from the centres of mass of the bodies that hold them, as the step begins."""
    at, body = index_table(m, LATTICE_AT)[r], index_table(m, LATTICE_INT)[r]
    own = table_part(m, LATTICE_ARM_BODY, at[A_ARM], at[A_ARM + 1])
    pos, quat = table(s, BODY_POS), table(s, BODY_QUAT)
    for side in range(2):
        b = body[K_BODY + side]
        if b < 0:
            continue
        for k in range(3):
            a.ends[side, POINT + k] = pos[b, k]
    for i in range(a.node.shape[0]):
        side = int(a.node[i, HELD_BY])
        if side >= 0:
            b = body[K_BODY + side]
            x, y, z = rotate(quat[b, 0], quat[b, 1], quat[b, 2], quat[b, 3], own[i, 0], own[i, 1], own[i, 2])
            a.arm[i, 0], a.arm[i, 1], a.arm[i, 2] = x, y, z


@kernel
def speed_of_end(r, side, m, s, w, a, solved):
    """Velocity and spin of the body at an end, into a.ends: of the step where known or `solved`, else those it has."""
    b = index_table(m, LATTICE_INT)[r, K_BODY + side]
    known = solved or indices(m, BODY_DYNAMIC)[b] == 0
    for k in range(6):
        a.ends[side, SPEED + k] = table(w, BODY_NEW)[b, k] if known else table(s, BODY_VEL)[b, k]


@kernel
def place_obstacles(r, m, s, w, a, solved):
    """Obstacles where their bodies are as the step begins, with the velocities of the step where known or `solved`."""
    at = index_table(m, LATTICE_AT)[r]
    number = index_table_part(m, LATTICE_OBSTACLE_INT, at[A_SHAPE], at[A_SHAPE + 1])
    given = table_part(m, LATTICE_OBSTACLE, at[A_SHAPE], at[A_SHAPE + 1])
    pos, quat, vel, new = table(s, BODY_POS), table(s, BODY_QUAT), table(s, BODY_VEL), table(w, BODY_NEW)
    dynamic, mass, inertia = indices(m, BODY_DYNAMIC), column(m, BODY_MASS), table(w, BODY_WORLD_INERTIA)
    for o in range(number.shape[0]):
        b, row, own = number[o, O_BODY], a.shape[o], given[o]
        row[KIND], row[FRICTION], row[BALL] = number[o, O_KIND], own[O_FRICTION], own[O_BALL]
        x, y, z = rotate(quat[b, 0], quat[b, 1], quat[b, 2], quat[b, 3], own[O_POS], own[O_POS + 1], own[O_POS + 2])
        p, q, t, u = multiply(
            quat[b, 0],
            quat[b, 1],
            quat[b, 2],
            quat[b, 3],
            own[O_QUAT],
            own[O_QUAT + 1],
            own[O_QUAT + 2],
            own[O_QUAT + 3],
        )
        matrix(p, q, t, u, a.found)
        for k in range(3):
            row[SIZE + k] = own[O_SIZE + k]
            for j in range(3):
                row[AXES + 3 * k + j] = a.found[k, j]
            row[TURN + k] = new[b, 3 + k] if solved or dynamic[b] == 0 else vel[b, 3 + k]
            row[DRIVE + k] = new[b, k] if solved or dynamic[b] == 0 else vel[b, k]
        row[PLACE], row[PLACE + 1], row[PLACE + 2] = pos[b, 0] + x, pos[b, 1] + y, pos[b, 2] + z
        row[CENTRE], row[CENTRE + 1], row[CENTRE + 2] = -x, -y, -z
        u, v, t = row[TURN], row[TURN + 1], row[TURN + 2]
        row[DRIVE] += v * z - t * y
        row[DRIVE + 1] += t * x - u * z
        row[DRIVE + 2] += u * y - v * x
        row[LIGHT] = 1.0 / mass[b] if dynamic[b] == 1 else 0.0
        for k in range(6):
            row[WRENCH + k] = 0.0
            row[GIVEN + k] = 0.0
            row[FREE_TURN + k] = 0.0
        if dynamic[b] == 1:
            invert(inertia[b], row[FREE_TURN : FREE_TURN + 6])


@kernel
def invert(I, out):
    """Inverse of a symmetric matrix, xx xy xz yy yz zz."""
    c0, c1, c2 = I[3] * I[5] - I[4] * I[4], I[2] * I[4] - I[1] * I[5], I[1] * I[4] - I[2] * I[3]
    d = 1.0 / (I[0] * c0 + I[1] * c1 + I[2] * c2)
    out[0], out[1], out[2] = d * c0, d * c1, d * c2
    out[3], out[4], out[5] = (
        d * (I[0] * I[5] - I[2] * I[2]),
        d * (I[1] * I[2] - I[0] * I[4]),
        d * (I[0] * I[3] - I[1] * I[1]),
    )
