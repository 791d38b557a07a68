"""Contacts as a border of the direct solve: exact Coulomb friction for the first few dozens of contacts.

With the joints factorised, the contact rows see the dense matrix W = G A^-1 G^T + Sigma, one substitution for each row.
On it the impulses are found (taut.step.sweeps, and taut.step.search where that comes to no end); then one last substitution gives velocities and joint forces that are exact for
them, so that no joint comes apart because of a contact. Statically indeterminate contacts (a box on four corners) are no trouble: the impulses
may be shared in many ways, but the motion is one.
"""

from __future__ import annotations

from taut.core.buffers import column, index_table, indices, table
from taut.core.codes import FREE, LOW, SLIDE
from taut.core.factor import solve
from taut.core.jit import kernel
from taut.core.model import (
    B_AT,
    B_BODY,
    BLOCK_INT,
    BODY_NODE,
    BORDER,
    BORDER_FACTORS,
    BORDER_SIDE,
    COLUMNS,
    COUNT,
    G_BLOCK,
    G_START,
    GRAPH_NODE,
    GROUP_INT,
    GROUPS,
    INV,
    JAC,
    JOINT_GROUPS,
    PLAN_NODE,
    R_FRICTION,
    R_RATE_NEW,
    R_RHS,
    R_SIGMA,
    R_STICK,
    ROW,
    ROW_BOUND,
    ROW_LAM,
    SLOTS,
    X,
)
from taut.core.order import CONES, SUBSTITUTE
from taut.core.plan import P_UNKNOWN
from taut.core.stage import call_stage, has_stage
from taut.step.friction import natural
from taut.step.polish import IMPULSE, RIGHT
from taut.step.search import search
from taut.step.sweeps import ROUNDS, SWEEPS, settle
from taut.step.system import plan_of


@kernel
def unit_response(m, w, wanted, wide):
    """Column `wanted` of G A^-1 G^T over the contact rows, with the present factors."""
    plan_node, x, node_of = index_table(w, PLAN_NODE), column(w, X), indices(m, BODY_NODE)
    group, block, jac, border = index_table(w, GROUP_INT), index_table(w, BLOCK_INT), column(w, JAC), table(w, BORDER)
    joints, groups = indices(w, COUNT)[JOINT_GROUPS], indices(w, COUNT)[GROUPS]
    for k in range(x.shape[0]):
        x[k] = 0.0
    g, r = joints + wanted // 3, wanted % 3
    for e in range(group[g, G_BLOCK], group[g + 1, G_BLOCK]):
        node = node_of[block[e, B_BODY]]
        if node >= 0:
            at, j = plan_node[node, P_UNKNOWN], block[e, B_AT] + 6 * r
            for c in range(6):
                x[at + c] += jac[j + c]
    solve(index_table(w, GRAPH_NODE), plan_of(w), column(w, SLOTS), column(w, INV), x, column(w, COLUMNS), 0, -1, wide)
    for other in range(joints, groups):
        i = 3 * (other - joints)
        for r in range(3):
            border[i + r, wanted] = 0.0
        for e in range(group[other, G_BLOCK], group[other + 1, G_BLOCK]):
            node = node_of[block[e, B_BODY]]
            if node >= 0:
                at = plan_node[node, P_UNKNOWN]
                for r in range(3):
                    j = block[e, B_AT] + 6 * r
                    for c in range(6):
                        border[i + r, wanted] += jac[j + c] * x[at + c]


@kernel
def release_contacts(s, w):
    """Take all contact rows out of the factorised system, without impulse; returns their first row and number."""
    group, bound, lam, row = index_table(w, GROUP_INT), indices(s, ROW_BOUND), column(s, ROW_LAM), table(w, ROW)
    start, stop = group[indices(w, COUNT)[JOINT_GROUPS], G_START], group[indices(w, COUNT)[GROUPS], G_START]
    side = table(w, BORDER_SIDE)
    for i in range(start, stop):
        side[i - start, IMPULSE] = lam[i]  # where the sweeps begin
        bound[i], lam[i] = SLIDE, 0.0
        if (i - start) % 3 > 0:
            row[i, R_SIGMA] = row[i, R_STICK]
    return start, stop - start


@kernel
def solve_border(context, s, w, h):
    """Impulses of all contacts against the factorised joints; velocities and joint forces follow. False when CONES is needed and not
    there."""
    row, border, side = table(w, ROW), table(w, BORDER), table(w, BORDER_SIDE)
    lam = column(s, ROW_LAM)
    start, count = release_contacts(s, w)
    call_stage(SUBSTITUTE, context, h, 0.0)
    for i in range(count):
        side[i, RIGHT] = row[start + i, R_RHS] - row[start + i, R_RATE_NEW]
    for i in range(count):
        call_stage(SUBSTITUTE, context, h, -1.0 - i)
    for i in range(count):
        border[i, i] += row[start + i, R_SIGMA]
    if not settle(border, table(w, BORDER_FACTORS), side, row, start, count, ROUNDS, SWEEPS):
        if not has_stage(context, CONES):
            return False
        call_stage(CONES, context, h, 0.0)
    for i in range(count):
        lam[start + i] = side[i, IMPULSE]
    call_stage(SUBSTITUTE, context, h, 0.0)
    return True


@kernel
def solve_cones_of_border(s, w):
    """Impulses of contacts that sweeps did not find, on the border as it stands."""
    group = index_table(w, GROUP_INT)
    start, stop = group[indices(w, COUNT)[JOINT_GROUPS], G_START], group[indices(w, COUNT)[GROUPS], G_START]
    search(table(w, BORDER), table(w, BORDER_FACTORS), table(w, BORDER_SIDE), table(w, ROW), start, stop - start)


@kernel
def name_contacts(s, w):
    """Say of every contact row whether it acts, sticks or slides, as the other solvers do: a contact slides if p of its natural map is
    outside of its cone, which no round-off of a force can hide."""
    group, bound, lam, row = index_table(w, GROUP_INT), indices(s, ROW_BOUND), column(s, ROW_LAM), table(w, ROW)
    start, stop = group[indices(w, COUNT)[JOINT_GROUPS], G_START], group[indices(w, COUNT)[GROUPS], G_START]
    for n in range(start, stop, 3):
        bound[n] = FREE if lam[n] > 0.0 else LOW
        limit = row[n + 1, R_FRICTION] * lam[n]
        x, y = natural(row, lam, n)
        sticks = limit > 0.0 and x * x + y * y <= limit * limit
        bound[n + 1] = FREE if sticks else SLIDE
        bound[n + 2] = bound[n + 1]
