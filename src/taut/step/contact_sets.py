"""A contact as a set of its own: normal and friction solved together, three rows and no more.

With q the velocities that are to be undone without its own impulse, the multipliers of a contact fulfil

    W lam = q  where the contact sticks,     W = G M^-1 G^T + Sigma  (3 x 3)
    lam_n >= 0,  |lam_t| <= mu lam_n;  where it slides lam_t = -mu lam_n s/|s|, s the slip velocity.

The direction of sliding is the fixed point of a projected step along the slip; the normal multiplier follows the
direction exactly. What is returned is always within the cone, however early one stops.
"""

from __future__ import annotations

from taut.core.buffers import column, index_table, indices, table
from taut.core.codes import FREE, LOW, SLIDE
from taut.core.jit import kernel
from taut.core.model import (
    B_AT,
    B_BODY,
    BLOCK_INT,
    BODY_MASS,
    BODY_NEW,
    BODY_NODE,
    CONTACT_WEIGHT,
    COUNT,
    G_BLOCK,
    G_START,
    GROUP_INT,
    GROUPS,
    JAC,
    JOINT_GROUPS,
    NODE_IMPULSE,
    NODE_INVERSE,
    R_FRICTION,
    R_RATE_NEW,
    R_RHS,
    R_SIGMA,
    ROW,
    ROW_BOUND,
    ROW_LAM,
)
from taut.step.cone import coulomb
from taut.step.friction import FRICTION_SOFTNESS
from taut.step.impulses import add_rates, turned


@kernel
def weigh_contacts(m, w):
    """W of every contact."""
    node_of, mass = indices(m, BODY_NODE), column(m, BODY_MASS)
    inverse, weight = table(w, NODE_INVERSE), table(w, CONTACT_WEIGHT)
    group, block, jac, row = index_table(w, GROUP_INT), index_table(w, BLOCK_INT), column(w, JAC), table(w, ROW)
    joints = indices(w, COUNT)[JOINT_GROUPS]
    for contact in range(indices(w, COUNT)[GROUPS] - joints):
        g = joints + contact
        start, k = group[g, G_START], weight[contact]
        for c in range(6):
            k[c] = 0.0
        for e in range(group[g, G_BLOCK], group[g + 1, G_BLOCK]):
            body, at = block[e, B_BODY], block[e, B_AT]
            node = node_of[body]
            if node < 0:
                continue
            place = 0
            for r in range(3):
                o = at + 6 * r
                x, y, z = turned(inverse, node, jac[o + 3], jac[o + 4], jac[o + 5])
                for c in range(r, 3):
                    p = at + 6 * c
                    k[place] += (jac[o] * jac[p] + jac[o + 1] * jac[p + 1] + jac[o + 2] * jac[p + 2]) / mass[body]
                    k[place] += x * jac[p + 3] + y * jac[p + 4] + z * jac[p + 5]
                    place += 1
        # friction rows as they are while sticking: here sliding is a matter of the cone
        stick = 0.5 * FRICTION_SOFTNESS * (k[3] + k[5])
        row[start + 1, R_SIGMA], row[start + 2, R_SIGMA] = stick, stick
        k[0] += row[start, R_SIGMA]
        k[3] += stick
        k[5] += stick


@kernel
def _push(m, w, g, dn, dt, ds):
    """Give the bodies of a contact its change of impulse, and the velocity that makes."""
    node_of, mass = indices(m, BODY_NODE), column(m, BODY_MASS)
    inverse, new, impulse = table(w, NODE_INVERSE), table(w, BODY_NEW), table(w, NODE_IMPULSE)
    group, block, jac = index_table(w, GROUP_INT), index_table(w, BLOCK_INT), column(w, JAC)
    for e in range(group[g, G_BLOCK], group[g + 1, G_BLOCK]):
        body, at = block[e, B_BODY], block[e, B_AT]
        node = node_of[body]
        if node < 0:
            continue
        f = (
            jac[at] * dn + jac[at + 6] * dt + jac[at + 12] * ds,
            jac[at + 1] * dn + jac[at + 7] * dt + jac[at + 13] * ds,
            jac[at + 2] * dn + jac[at + 8] * dt + jac[at + 14] * ds,
            jac[at + 3] * dn + jac[at + 9] * dt + jac[at + 15] * ds,
            jac[at + 4] * dn + jac[at + 10] * dt + jac[at + 16] * ds,
            jac[at + 5] * dn + jac[at + 11] * dt + jac[at + 17] * ds,
        )
        turn = turned(inverse, node, f[3], f[4], f[5])
        for c in range(3):
            new[body, c] += f[c] / mass[body]
            new[body, 3 + c] += turn[c]
        for c in range(6):
            impulse[node, c] += f[c]


@kernel
def _missing(row, lam, i):
    """b - G v - Sigma lam."""
    return row[i, R_RHS] - row[i, R_RATE_NEW] - row[i, R_SIGMA] * lam[i]


@kernel
def sweep_contacts(m, s, w):
    """Solve every contact once against the present impulses of all else; returns the largest change of a multiplier."""
    group, block, jac, new = index_table(w, GROUP_INT), index_table(w, BLOCK_INT), column(w, JAC), table(w, BODY_NEW)
    row, weight, lam, bound = table(w, ROW), table(w, CONTACT_WEIGHT), column(s, ROW_LAM), indices(s, ROW_BOUND)
    joints = indices(w, COUNT)[JOINT_GROUPS]
    change = 0.0
    for contact in range(indices(w, COUNT)[GROUPS] - joints):
        g = joints + contact
        n, k = group[g, G_START], weight[contact]
        t, r, mu = n + 1, n + 2, row[n + 1, R_FRICTION]
        add_rates(g, group, block, jac, new, row)
        # what is missing with the present impulse, plus what that impulse does
        qn = _missing(row, lam, n) + k[0] * lam[n] + k[1] * lam[t] + k[2] * lam[r]
        qt = _missing(row, lam, t) + k[1] * lam[n] + k[3] * lam[t] + k[4] * lam[r]
        qs = _missing(row, lam, r) + k[2] * lam[n] + k[4] * lam[t] + k[5] * lam[r]
        a, b, c = coulomb(k, mu, qn, qt, qs, lam[t], lam[r])
        dn, dt, ds = a - lam[n], b - lam[t], c - lam[r]
        if dn != 0.0 or dt != 0.0 or ds != 0.0:
            _push(m, w, g, dn, dt, ds)
        lam[n], lam[t], lam[r] = a, b, c
        bound[n] = FREE if a > 0.0 else LOW
        bound[t] = FREE if b * b + c * c < (1.0 - 1e-12) * (mu * a) ** 2 else SLIDE
        bound[r] = bound[t]
        change = max(change, abs(dn), abs(dt), abs(ds))
    return change
