"""Friction that slides, tied to its normal force: the step's linear system with lam_t = -mu lam_n in it.

The factorised matrix is symmetric and has the friction of sliding contacts on the right side, as numbers a. Tied to the normal forces,

    a = mu c lam_n(a),     c: cosine between slip and row, 1 where the row lies along the slip,

they solve a small linear system whose product with a vector is one substitution: GMRES (Saad, Schultz 1986), some ten of them where
friction is moderate. Along a rope round a post, where the iteration a <- mu lam_n(a) is Picard's, it ends after as many
steps as that has terms that count.
"""

from __future__ import annotations

import math

from taut.core.buffers import column, index_table, indices, table
from taut.core.codes import FREE, LOW
from taut.core.jit import kernel
from taut.core.model import (
    B_AT,
    B_BODY,
    BLOCK_INT,
    BODY_NODE,
    COUNT,
    G_BLOCK,
    G_START,
    GROUP_INT,
    GROUPS,
    JAC,
    JOINT_GROUPS,
    KRYLOV,
    KRYLOV_SMALL,
    KRYLOV_VECTORS,
    NODE_BODY,
    PLAN_NODE,
    PLAN_SIZE,
    R_FRICTION,
    ROW,
    ROW_BOUND,
    ROW_LAM,
    X,
)
from taut.core.order import SUBSTITUTE
from taut.core.plan import P_UNKNOWN, UNKNOWNS
from taut.core.stage import call_stage, model_of
from taut.step.solve import IN_PLACE

#: columns of `krylov`: cosine of a sliding contact, its friction at the start, then the vectors
K_COSINE, K_FRICTION, K_FIRST = 0, 1, 2
#: places in a row of `krylov_small` behind the matrix: cosine and sine of a rotation, right side, coefficient
S_COSINE, S_SINE, S_SIDE, S_PART = KRYLOV_VECTORS, KRYLOV_VECTORS + 1, KRYLOV_VECTORS + 2, KRYLOV_VECTORS + 3
#: miss of a friction, relative to the largest one, that ends the iteration; and while it is still open who slides
TIED, NEARLY_TIED = 1e-11, 1e-7


@kernel
def slides(bound, n):
    """Whether the contact whose normal row is n slides."""
    return bound[n] == FREE and bound[n + 1] == LOW and bound[n + 2] == FREE


@kernel
def _respond(context, m, s, w, h, at):
    """The vector after `at` becomes the product of the system with that one: what frictions a do to normal forces, a - mu c lam_n(a)."""
    group, row, bound, plan_node = (
        index_table(w, GROUP_INT),
        table(w, ROW),
        indices(s, ROW_BOUND),
        index_table(w, PLAN_NODE),
    )
    block, jac, x, node_of = index_table(w, BLOCK_INT), column(w, JAC), column(w, X), indices(m, BODY_NODE)
    vector, joints, groups = table(w, KRYLOV), indices(w, COUNT)[JOINT_GROUPS], indices(w, COUNT)[GROUPS]
    for k in range(indices(w, PLAN_SIZE)[UNKNOWNS]):
        x[k] = 0.0
    for g in range(joints, groups):
        n, a = group[g, G_START], vector[g - joints, at]
        if not slides(bound, n):
            continue
        for e in range(group[g, G_BLOCK], group[g + 1, G_BLOCK]):
            node = node_of[block[e, B_BODY]]
            if node >= 0:
                j, to = block[e, B_AT] + 6, plan_node[node, P_UNKNOWN]
                for k in range(6):
                    x[to + k] -= jac[j + k] * a
    call_stage(SUBSTITUTE, context, h, IN_PLACE)
    nodes = indices(m, NODE_BODY).shape[0]
    for g in range(joints, groups):
        n, c = group[g, G_START], g - joints
        vector[c, at + 1] = 0.0
        if slides(bound, n):
            # unknowns are the negated multipliers
            normal = -x[plan_node[nodes + g, P_UNKNOWN]]
            vector[c, at + 1] = vector[c, at] - row[n + 1, R_FRICTION] * vector[c, K_COSINE] * normal


@kernel
def _begin(s, w):
    """Frictions and normal forces of the start, and what the frictions miss as the first vector; returns miss and size."""
    group, row, lam, bound = index_table(w, GROUP_INT), table(w, ROW), column(s, ROW_LAM), indices(s, ROW_BOUND)
    vector, joints = table(w, KRYLOV), indices(w, COUNT)[JOINT_GROUPS]
    miss, size, most = 0.0, 0.0, 0.0
    for g in range(joints, indices(w, COUNT)[GROUPS]):
        n, c = group[g, G_START], g - joints
        vector[c, K_FIRST] = 0.0
        if not slides(bound, n):
            continue
        wanted = row[n + 1, R_FRICTION] * vector[c, K_COSINE] * lam[n]
        vector[c, K_FRICTION] = -lam[n + 1]
        vector[c, K_FIRST] = wanted + lam[n + 1]
        miss += vector[c, K_FIRST] ** 2
        most = max(most, abs(vector[c, K_FIRST]))
        size = max(size, abs(wanted), abs(lam[n + 1]))
    return math.sqrt(miss), most, size


@kernel
def orthogonalise(vector, small, k, count):
    """Take the earlier vectors out of vector k + 1 (modified Gram-Schmidt), column k of the small matrix; its length is returned."""
    for j in range(k + 1):
        product = 0.0
        for c in range(count):
            product += vector[c, K_FIRST + j] * vector[c, K_FIRST + k + 1]
        small[j, k] = product
        for c in range(count):
            vector[c, K_FIRST + k + 1] -= product * vector[c, K_FIRST + j]
    length = 0.0
    for c in range(count):
        length += vector[c, K_FIRST + k + 1] ** 2
    length = math.sqrt(length)
    if length > 0.0:
        for c in range(count):
            vector[c, K_FIRST + k + 1] /= length
    return length


@kernel
def rotate(small, k, below):
    """Bring column k to triangular form; returns what is left of the right side."""
    for j in range(k):
        p, q = small[j, k], small[j + 1, k]
        small[j, k] = small[j, S_COSINE] * p + small[j, S_SINE] * q
        small[j + 1, k] = small[j, S_COSINE] * q - small[j, S_SINE] * p
    size = math.sqrt(small[k, k] ** 2 + below * below)
    if size == 0.0:
        return -1.0
    small[k, S_COSINE], small[k, S_SINE] = small[k, k] / size, below / size
    small[k, k] = size
    side = small[k, S_SIDE]
    small[k, S_SIDE], small[k + 1, S_SIDE] = small[k, S_COSINE] * side, -small[k, S_SINE] * side
    return abs(small[k + 1, S_SIDE])


@kernel
def combine(small, used):
    """Coefficients of the vectors in the solution, to S_PART."""
    for k in range(used - 1, -1, -1):
        part = small[k, S_SIDE]
        for j in range(k + 1, used):
            part -= small[k, j] * small[j, S_PART]
        small[k, S_PART] = part / small[k, k]


@kernel
def tie_friction(context, s, w, h, least):
    """Friction of all sliding contacts after their normal forces, all at once, with the present factors; False when that fails.

    Wanted: a substitution with these factors just before, and `krylov[:, K_COSINE]`. `least`: TIED or NEARLY_TIED.
    """
    vector, small, lam, bound = table(w, KRYLOV), table(w, KRYLOV_SMALL), column(s, ROW_LAM), indices(s, ROW_BOUND)
    group, joints = index_table(w, GROUP_INT), indices(w, COUNT)[JOINT_GROUPS]
    count = indices(w, COUNT)[GROUPS] - joints
    length, most, size = _begin(s, w)
    if not math.isfinite(length):
        return False
    if most <= least * size:
        return True
    for c in range(count):
        vector[c, K_FIRST] /= length
    small[0, S_SIDE] = length
    used, left = 0, length
    while used < KRYLOV_VECTORS and left > least * size:
        _respond(context, model_of(context), s, w, h, K_FIRST + used)
        left = rotate(small, used, orthogonalise(vector, small, used, count))
        if not left >= 0.0:
            return False
        used += 1
    if left > 1e-3 * length + least * size:
        return False
    combine(small, used)
    for c in range(count):
        i = group[joints + c, G_START] + 1
        if slides(bound, i - 1):
            friction = vector[c, K_FRICTION]
            for k in range(used):
                friction += small[k, S_PART] * vector[c, K_FIRST + k]
            lam[i] = -friction
    call_stage(SUBSTITUTE, context, h, 0.0)
    return True
