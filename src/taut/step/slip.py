"""|s| of sliding contacts as an unknown of the interior-point method (taut.step.interior), beside the factors of its symmetric matrix.

A contact is lifted by mu |s|. Linearised at the present slip y, with d = y_t / |y_t|, the numbers a in place of |s| must be

    a = |y_t| + d.dy_t(a),      dy_t: how the slip changes in this step, for the a in the right side,

a linear system over the contacts whose product with a vector is one substitution: GMRES (Saad, Schultz 1986). Taken from the last point
instead, |s| lags behind: contacts that hand their slip to each other go to and fro between two values. Near no slip |y_t| has a
corner, which is rounded by c as long as the gap is wide: sqrt(y_t^2 + c^2).
"""

from __future__ import annotations

import math

from taut.core.buffers import column, index_table, indices, table
from taut.core.jit import kernel
from taut.core.model import (
    COUNT,
    G_START,
    GROUP_INT,
    GROUPS,
    I_SHIFT,
    INNER,
    JOINT_GROUPS,
    KRYLOV,
    KRYLOV_SMALL,
    KRYLOV_VECTORS,
    NODE_BODY,
    PLAN_NODE,
    PLAN_SIZE,
    R_FRICTION,
    ROW,
    ROW_LAM,
    X,
)
from taut.core.order import SUBSTITUTE
from taut.core.plan import P_UNKNOWN, UNKNOWNS
from taut.core.stage import call_stage, model_of
from taut.step.coupling import K_FIRST, S_PART, S_SIDE, combine, orthogonalise, rotate
from taut.step.interior_rows import contact_change, contact_point, load_side
from taut.step.soc import square
from taut.step.solve import IN_PLACE


@kernel
def _along(y, smooth):
    """|y_t| and the direction d, rounded at zero."""
    size = math.sqrt(y[1] * y[1] + y[2] * y[2] + smooth * smooth)
    if size == 0.0:
        return 0.0, 0.0, 0.0
    return size, y[1] / size, y[2] / size


@kernel
def _misses(s, w, smooth):
    """What every a misses, as the first vector; returns its length."""
    group, row, inner, lam = index_table(w, GROUP_INT), table(w, ROW), table(w, INNER), column(s, ROW_LAM)
    vector, joints, length = table(w, KRYLOV), indices(w, COUNT)[JOINT_GROUPS], 0.0
    for g in range(joints, indices(w, COUNT)[GROUPS]):
        n, c = group[g, G_START], g - joints
        mu = row[n + 1, R_FRICTION]
        vector[c, K_FIRST] = 0.0
        if mu > 0.0:
            _, y, scaled = contact_point(inner, n, mu)
            _, dy = contact_change(inner, lam, n, mu, y, scaled)
            size, dx, dz = _along(y, smooth)
            vector[c, K_FIRST] = size + dx * dy[1] + dz * dy[2] - inner[n, I_SHIFT]
            length += vector[c, K_FIRST] ** 2
    return math.sqrt(length)


@kernel
def _respond(context, m, s, w, h, at, smooth):
    """The vector after `at` becomes the product of the system with that one: a less what the slip answers to it."""
    group, row, inner, plan_node = index_table(w, GROUP_INT), table(w, ROW), table(w, INNER), index_table(w, PLAN_NODE)
    x, vector, nodes = column(w, X), table(w, KRYLOV), indices(m, NODE_BODY).shape[0]
    joints, groups = indices(w, COUNT)[JOINT_GROUPS], indices(w, COUNT)[GROUPS]
    for k in range(indices(w, PLAN_SIZE)[UNKNOWNS]):
        x[k] = 0.0
    for g in range(joints, groups):
        n = group[g, G_START]
        if row[n + 1, R_FRICTION] > 0.0:
            x[plan_node[nodes + g, P_UNKNOWN]] = -row[n + 1, R_FRICTION] * vector[g - joints, at]
    call_stage(SUBSTITUTE, context, h, IN_PLACE)
    for g in range(joints, groups):
        n, c, to = group[g, G_START], g - joints, plan_node[nodes + g, P_UNKNOWN]
        mu = row[n + 1, R_FRICTION]
        vector[c, at + 1] = 0.0
        if mu > 0.0:
            _, y, scaled = contact_point(inner, n, mu)
            _, dx, dz = _along(y, smooth)
            # unknowns are the negated multipliers: dy = - W^2 D lam
            q = square(scaled, (mu * x[to], x[to + 1], x[to + 2]))
            vector[c, at + 1] = vector[c, at] - dx * q[1] - dz * q[2]


@kernel
def _load(s, w):
    """Right sides of all contacts for the present |s|."""
    group, row, inner = index_table(w, GROUP_INT), table(w, ROW), table(w, INNER)
    for g in range(indices(w, COUNT)[JOINT_GROUPS], indices(w, COUNT)[GROUPS]):
        n = group[g, G_START]
        if row[n + 1, R_FRICTION] > 0.0:
            load_side(row, inner, n, row[n + 1, R_FRICTION])


@kernel
def tie_slip(context, s, w, h, smooth, least):
    """|s| of all contacts after the slip that comes of it, and the solution for it, with the present factors and targets. Wanted: a
    substitution with these just before. `least`: part of the miss that may be left."""
    vector, small, inner, group = table(w, KRYLOV), table(w, KRYLOV_SMALL), table(w, INNER), index_table(w, GROUP_INT)
    joints = indices(w, COUNT)[JOINT_GROUPS]
    count = indices(w, COUNT)[GROUPS] - joints
    length = _misses(s, w, smooth)
    if not length > 0.0:
        return
    for c in range(count):
        vector[c, K_FIRST] /= length
    small[0, S_SIDE] = length
    used, left = 0, length
    while used < KRYLOV_VECTORS and left > least * length:
        _respond(context, model_of(context), s, w, h, K_FIRST + used, smooth)
        left = rotate(small, used, orthogonalise(vector, small, used, count))
        if not left >= 0.0:
            return
        used += 1
    combine(small, used)
    for c in range(count):
        n = group[joints + c, G_START]
        for k in range(used):
            inner[n, I_SHIFT] += small[k, S_PART] * vector[c, K_FIRST + k]
    _load(s, w)
    call_stage(SUBSTITUTE, context, h, 0.0)
