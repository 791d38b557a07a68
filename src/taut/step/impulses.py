"""Impulses of row groups on bodies, and the velocities they make: v = v_free + M^-1 G^T lam."""

from __future__ import annotations

from taut.core.buffers import column, index_table, indices, table
from taut.core.jit import kernel
from taut.core.model import (
    B_AT,
    B_BODY,
    BLOCK_INT,
    BODY_FREE,
    BODY_MASS,
    BODY_NEW,
    BODY_NODE,
    BODY_WORLD_INERTIA,
    G_BLOCK,
    G_DIM,
    G_START,
    GROUP_INT,
    JAC,
    NODE_BODY,
    NODE_IMPULSE,
    NODE_INVERSE,
    R_RATE_NEW,
    ROW_LAM,
)


@kernel
def invert_inertias(m, w):
    """Inverse world inertia of every dynamic body, by cofactors."""
    body_of, inertia, inverse = indices(m, NODE_BODY), table(w, BODY_WORLD_INERTIA), table(w, NODE_INVERSE)
    for node in range(body_of.shape[0]):
        i = body_of[node]
        a, b, c = inertia[i, 0], inertia[i, 1], inertia[i, 2]
        d, e, f = inertia[i, 3], inertia[i, 4], inertia[i, 5]
        p, q, r = d * f - e * e, c * e - b * f, b * e - c * d
        k = 1.0 / (a * p + b * q + c * r)
        inverse[node, 0], inverse[node, 1], inverse[node, 2] = k * p, k * q, k * r
        inverse[node, 3], inverse[node, 4] = k * (a * f - c * c), k * (b * c - a * e)
        inverse[node, 5] = k * (a * d - b * b)


@kernel
def turned(inverse, node, x, y, z):
    """I^-1 (x, y, z)."""
    i = inverse[node]
    return i[0] * x + i[1] * y + i[2] * z, i[1] * x + i[3] * y + i[4] * z, i[2] * x + i[4] * y + i[5] * z


@kernel
def add_impulse(m, s, w, g, sign):
    """Add the impulses of one group, sign G^T lam, to what its bodies have received."""
    node_of, impulse, lam = indices(m, BODY_NODE), table(w, NODE_IMPULSE), column(s, ROW_LAM)
    group, block, jac = index_table(w, GROUP_INT), index_table(w, BLOCK_INT), column(w, JAC)
    start, dim = group[g, G_START], group[g, G_DIM]
    for e in range(group[g, G_BLOCK], group[g + 1, G_BLOCK]):
        node, at = node_of[block[e, B_BODY]], block[e, B_AT]
        if node >= 0:
            for r in range(dim):
                for c in range(6):
                    impulse[node, c] += sign * jac[at + 6 * r + c] * lam[start + r]


@kernel
def set_velocity(m, w, node):
    """Velocity of one body from its impulses; one without impulses keeps its free velocity to the bit."""
    i = indices(m, NODE_BODY)[node]
    free, new, impulse = table(w, BODY_FREE), table(w, BODY_NEW), table(w, NODE_IMPULSE)
    k = 1.0 / column(m, BODY_MASS)[i]
    for c in range(3):
        new[i, c] = free[i, c] + k * impulse[node, c]
    x, y, z = turned(table(w, NODE_INVERSE), node, impulse[node, 3], impulse[node, 4], impulse[node, 5])
    new[i, 3], new[i, 4], new[i, 5] = free[i, 3] + x, free[i, 4] + y, free[i, 5] + z


@kernel
def add_rates(g, group, block, jac, new, row):
    """G v+ of the rows of one group."""
    start, dim = group[g, G_START], group[g, G_DIM]
    for r in range(dim):
        row[start + r, R_RATE_NEW] = 0.0
    for e in range(group[g, G_BLOCK], group[g + 1, G_BLOCK]):
        body, at = block[e, B_BODY], block[e, B_AT]
        for r in range(dim):
            for c in range(6):
                row[start + r, R_RATE_NEW] += jac[at + 6 * r + c] * new[body, c]
