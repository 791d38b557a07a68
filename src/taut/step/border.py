"""Contacts as a border of the direct solve: exact Coulomb friction for the first few dozens of contacts.

With the joints factorised, the contact rows see the dense matrix W = G A^-1 G^T + Sigma, one substitution for each row.
On it every contact is solved in turn with its own 3 x 3 cone problem (taut.step.cone) until nothing changes any more; then
one last substitution gives velocities and joint forces that are exact for these contact impulses, so that no joint
comes apart because of a contact. Statically indeterminate contacts (a box on four corners) are no trouble: the impulses
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
from taut.core.order import SUBSTITUTE
from taut.core.plan import P_UNKNOWN
from taut.core.stage import call_stage
from taut.step.cone import coulomb
from taut.step.polish import IMPULSE, RIGHT, polish
from taut.step.system import plan_of

#: rounds of sweeps over the contacts, each followed by a try to solve with the states found; change that ends them
ROUNDS, SWEEPS, TOLERANCE = 20, 20, 1e-12


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
def _sweep(border, side, row, start, count, weights):
    """Solve every contact once; returns (largest change, largest impulse)."""
    change, size = 0.0, 0.0
    for i in range(0, count, 3):
        qn, qt, qs = side[i, RIGHT], side[i + 1, RIGHT], side[i + 2, RIGHT]
        for j in range(count):
            lam = side[j, IMPULSE]
            if lam != 0.0 and (j < i or j > i + 2):
                qn -= border[i, j] * lam
                qt -= border[i + 1, j] * lam
                qs -= border[i + 2, j] * lam
        weights[0] = border[i, i]
        weights[1] = 0.5 * (border[i, i + 1] + border[i + 1, i])
        weights[2] = 0.5 * (border[i, i + 2] + border[i + 2, i])
        weights[3] = border[i + 1, i + 1]
        weights[4] = 0.5 * (border[i + 1, i + 2] + border[i + 2, i + 1])
        weights[5] = border[i + 2, i + 2]
        mu = row[start + i + 1, R_FRICTION]
        n, t, u = coulomb(weights, mu, qn, qt, qs, side[i + 1, IMPULSE], side[i + 2, IMPULSE])
        change = max(change, abs(n - side[i, IMPULSE]), abs(t - side[i + 1, IMPULSE]), abs(u - side[i + 2, IMPULSE]))
        size = max(size, n)
        side[i, IMPULSE], side[i + 1, IMPULSE], side[i + 2, IMPULSE] = n, t, u
    return change, size


@kernel
def solve_border(context, s, w, h):
    """Impulses of all contacts against the factorised joints; velocities and joint forces follow."""
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
    weights = side[count, 0:6]
    for _ in range(ROUNDS):
        change, size = 0.0, 0.0
        for _ in range(SWEEPS):
            change, size = _sweep(border, side, row, start, count, weights)
            if change <= TOLERANCE * size:
                break
        if change <= TOLERANCE * size or polish(border, table(w, BORDER_FACTORS), side, row, start, count):
            break
    for i in range(count):
        lam[start + i] = side[i, IMPULSE]
    call_stage(SUBSTITUTE, context, h, 0.0)


@kernel
def name_contacts(s, w, near):
    """Say of every contact row whether it acts, sticks or slides, as the other solvers do; `near`: the part of its limit from which on it
    slides."""
    group, bound, lam, row = index_table(w, GROUP_INT), indices(s, ROW_BOUND), column(s, ROW_LAM), table(w, ROW)
    start, stop = group[indices(w, COUNT)[JOINT_GROUPS], G_START], group[indices(w, COUNT)[GROUPS], G_START]
    for n in range(start, stop, 3):
        bound[n] = FREE if lam[n] > 0.0 else LOW
        limit = row[n + 1, R_FRICTION] * lam[n]
        sticks = lam[n + 1] ** 2 + lam[n + 2] ** 2 < (near * limit) ** 2
        bound[n + 1] = FREE if sticks else SLIDE
        bound[n + 2] = bound[n + 1]
