"""The rows of friction of many contacts, and what they miss.

Coulomb's law with its small softness sigma, where L = mu lam_n and s is the slip velocity:

    lam_t = L p / max(L, |p|),   p = lam_t - rho (s + sigma lam_t),   rho ~ 1 / inverse mass felt     (Alart, Curnier 1991)

The rows of a sliding contact are turned until the first lies along its slip: that one is held at -L, and across the slip

    s_y + Sigma_y lam_y = 0,   Sigma_y = sigma + (|p|/L - 1) / rho,    which is |s|/L at the solution,

so that the matrix keeps its symmetry and structure. How L follows the normal force is said in taut.step.coupling, who sticks and who
slides in taut.step.newton.
"""

from __future__ import annotations

import math

from taut.core.buffers import column, index_table, indices, table
from taut.core.codes import FREE, LOW, SLIDE
from taut.core.jit import kernel
from taut.core.model import (
    B_AT,
    BLOCK_INT,
    C_NORMAL,
    C_TANGENT,
    CONTACT_GEOMETRY,
    COUNT,
    G_BLOCK,
    G_START,
    GROUP_INT,
    GROUPS,
    I_FORCE,
    I_RHS,
    I_SLACK,
    I_TARGET,
    INNER,
    JAC,
    JOINT_GROUPS,
    R_FRICTION,
    R_HIGH,
    R_KNOWN,
    R_KNOWN_OLD,
    R_LOW,
    R_RATE,
    R_RATE_NEW,
    R_RHO,
    R_RHS,
    R_SIGMA,
    R_STICK,
    ROW,
    ROW_BOUND,
    ROW_LAM,
    ROW_PHI,
)

#: Sigma_t of a sticking contact, relative to the inverse mass it feels: it creeps by micrometres an hour
FRICTION_SOFTNESS = 1.0e-6
#: miss of a friction force, relative to its limit, that ends the iteration
CONE_TOLERANCE = 1e-7
#: part of its limit from which on friction is at it
NEAR = 1.0 - 1e-4
#: turn of a slip that asks for new rows
TURN = 1e-3


@kernel
def turn_rows(s, w, g, c, x, y):
    """Turn the two friction rows of contact c (group g) so that the first lies along (x, y), a unit vector in them."""
    group, block, jac, row = index_table(w, GROUP_INT), index_table(w, BLOCK_INT), column(w, JAC), table(w, ROW)
    lam, geometry, inner = column(s, ROW_LAM), table(s, CONTACT_GEOMETRY), table(w, INNER)
    i = group[g, G_START] + 1
    j = i + 1
    for e in range(group[g, G_BLOCK], group[g + 1, G_BLOCK]):
        at = block[e, B_AT] + 6
        for k in range(at, at + 6):
            p, q = jac[k], jac[k + 6]
            jac[k], jac[k + 6] = x * p + y * q, x * q - y * p
    for k in (R_RATE, R_RATE_NEW, R_KNOWN, R_KNOWN_OLD, R_RHS):
        p, q = row[i, k], row[j, k]
        row[i, k], row[j, k] = x * p + y * q, x * q - y * p
    p, q = lam[i], lam[j]
    lam[i], lam[j] = x * p + y * q, x * q - y * p
    for k in (I_FORCE, I_SLACK, I_TARGET, I_RHS):
        p, q = inner[i, k], inner[j, k]
        inner[i, k], inner[j, k] = x * p + y * q, x * q - y * p
    nx, ny, nz = geometry[c, C_NORMAL], geometry[c, C_NORMAL + 1], geometry[c, C_NORMAL + 2]
    tx, ty, tz = geometry[c, C_TANGENT], geometry[c, C_TANGENT + 1], geometry[c, C_TANGENT + 2]
    geometry[c, C_TANGENT] = x * tx + y * (ny * tz - nz * ty)
    geometry[c, C_TANGENT + 1] = x * ty + y * (nz * tx - nx * tz)
    geometry[c, C_TANGENT + 2] = x * tz + y * (nx * ty - ny * tx)


@kernel
def let_go(row, lam, bound, i):
    """No friction at all."""
    bound[i], bound[i + 1], lam[i], lam[i + 1] = SLIDE, SLIDE, 0.0, 0.0
    row[i, R_SIGMA], row[i + 1, R_SIGMA] = row[i, R_STICK], row[i, R_STICK]


@kernel
def grip(row, bound, i):
    """Stick."""
    bound[i], bound[i + 1] = FREE, FREE
    row[i, R_SIGMA], row[i + 1, R_SIGMA] = row[i, R_STICK], row[i, R_STICK]


@kernel
def slide(row, lam, bound, i, limit, across):
    """Slide along the first row at a limit."""
    bound[i], bound[i + 1], lam[i], lam[i + 1] = LOW, FREE, -limit, 0.0
    row[i, R_SIGMA], row[i + 1, R_SIGMA] = row[i, R_STICK], across


@kernel
def begin_friction(s, w):
    """States and limits of the last step as those of this iteration; a new contact begins without friction."""
    group, row, lam, bound = index_table(w, GROUP_INT), table(w, ROW), column(s, ROW_LAM), indices(s, ROW_BOUND)
    joints = indices(w, COUNT)[JOINT_GROUPS]
    for g in range(joints, indices(w, COUNT)[GROUPS]):
        n = group[g, G_START]
        i, j = n + 1, n + 2
        limit = row[i, R_FRICTION] * max(lam[n], 0.0)
        size = math.sqrt(lam[i] * lam[i] + lam[j] * lam[j])
        row[i, R_LOW], row[i, R_HIGH] = -limit, limit
        if bound[n] != FREE or limit == 0.0:
            let_go(row, lam, bound, i)
        elif size >= NEAR * limit:
            across = row[j, R_SIGMA]
            turn_rows(s, w, g, g - joints, -lam[i] / size, -lam[j] / size)
            slide(row, lam, bound, i, limit, across)
        else:
            grip(row, bound, i)


@kernel
def natural(row, lam, n):
    """p of the contact whose normal row is n."""
    i, j, rho, stick = n + 1, n + 2, row[n, R_RHO], row[n + 1, R_STICK]
    return (
        lam[i] - rho * (row[i, R_RATE_NEW] + stick * lam[i] - row[i, R_RHS]),
        lam[j] - rho * (row[j, R_RATE_NEW] + stick * lam[j] - row[j, R_RHS]),
    )


@kernel
def cone_residual(s, w):
    """Largest miss of Coulomb's law, |lam_t - L p / max(L, |p|)| / L over all contacts that act, by more than round-off."""
    group, row, lam = index_table(w, GROUP_INT), table(w, ROW), column(s, ROW_LAM)
    worst, largest = 0.0, 0.0
    for g in range(indices(w, COUNT)[JOINT_GROUPS], indices(w, COUNT)[GROUPS]):
        n = group[g, G_START]
        largest = max(largest, row[n + 1, R_FRICTION] * lam[n])
    for g in range(indices(w, COUNT)[JOINT_GROUPS], indices(w, COUNT)[GROUPS]):
        n = group[g, G_START]
        i, j = n + 1, n + 2
        limit = row[i, R_FRICTION] * max(lam[n], 0.0)
        if limit <= 1e-9 * largest:
            continue
        x, y = natural(row, lam, n)
        size = math.sqrt(x * x + y * y)
        if size > limit * (1.0 + FRICTION_SOFTNESS):
            x, y = limit * x / size, limit * y / size
            worst = max(worst, math.sqrt((x - lam[i]) ** 2 + (y - lam[j]) ** 2) / limit)
        else:
            worst = max(worst, math.sqrt(lam[i] ** 2 + lam[j] ** 2) / limit - 1.0)
    return worst


@kernel
def keep_slip(s, w):
    """Leave Sigma_y of what slides for the next step, which begins with it."""
    group, row, lam, kept = index_table(w, GROUP_INT), table(w, ROW), column(s, ROW_LAM), column(s, ROW_PHI)
    for g in range(indices(w, COUNT)[JOINT_GROUPS], indices(w, COUNT)[GROUPS]):
        n = group[g, G_START]
        i, j = n + 1, n + 2
        limit = row[i, R_FRICTION] * max(lam[n], 0.0)
        across = row[i, R_STICK]
        if limit > 0.0 and lam[i] ** 2 + lam[j] ** 2 >= (NEAR * limit) ** 2:
            x, y = natural(row, lam, n)
            across = max(across, across + (math.sqrt(x * x + y * y) / limit - 1.0) / row[n, R_RHO])
        kept[i] = kept[j] = across
