"""Block Gauss-Seidel (paper 1, Algorithm 1): sets of constraints solved directly, one after the other, over and over.

A chain is a set, every other joint is one (taut.step.joint_sets), every contact is one (taut.step.contact_sets). Each
visit solves a set exactly while the impulses of all others stand. One set by itself is exact after one sweep; between
sets only the last one solved fits, and the residual says by how much the others miss. It loses a light element between
two heavy sets at mass ratios of 10 to 100, whatever the number of sweeps a person would wait for.
"""

from __future__ import annotations

import math

from taut.core.buffers import column, index_table, indices, table
from taut.core.codes import FREE, HIGH, LOW
from taut.core.jit import kernel
from taut.core.model import (
    BLOCK_INT,
    BODY_NEW,
    BOUND_ITERATIONS,
    COUNT,
    COUNTER,
    G_START,
    GROUP_INT,
    GROUPS,
    JAC,
    LEDGER,
    NODE_IMPULSE,
    R_CONE,
    R_FRICTION,
    R_HIGH,
    R_LOW,
    R_RATE_NEW,
    R_RHS,
    R_SIGMA,
    RESIDUAL_CONE,
    RESIDUAL_FORCE,
    RESIDUAL_RELATIVE,
    RESIDUAL_SPEED,
    ROW,
    ROW_BOUND,
    ROW_INT,
    ROW_LAM,
    S_BOUNDED,
    S_GROUP,
    S_GROUP_END,
    S_STALE,
    SET_INT,
)
from taut.step.contact_sets import sweep_contacts, weigh_contacts
from taut.step.friction import FRICTION_SOFTNESS
from taut.step.impulses import add_impulse, add_rates, invert_inertias, set_velocity
from taut.step.joint_sets import solve_set

#: a sweep that changes no multiplier by more than this part of the largest one is the last
CONVERGED = 1e-14


@kernel
def _start(m, s, w):
    """Last step's multipliers, cut to the bounds of this one, and the velocities that they make."""
    sets, group, row = index_table(w, SET_INT), index_table(w, GROUP_INT), table(w, ROW)
    lam, bound, impulse = column(s, ROW_LAM), indices(s, ROW_BOUND), table(w, NODE_IMPULSE)
    for k in range(sets.shape[0]):
        sets[k, S_STALE], sets[k, S_BOUNDED] = 1, 0
        for i in range(group[sets[k, S_GROUP], G_START], group[sets[k, S_GROUP_END], G_START]):
            low, high = row[i, R_LOW], row[i, R_HIGH]
            if low > -math.inf or high < math.inf:
                sets[k, S_BOUNDED] = 1
            lam[i] = min(max(lam[i], low), high)
            bound[i] = LOW if lam[i] == low else HIGH if lam[i] == high else FREE
    invert_inertias(m, w)
    weigh_contacts(m, w)
    for node in range(impulse.shape[0]):
        for c in range(6):
            impulse[node, c] = 0.0
    for g in range(indices(w, COUNT)[GROUPS]):
        add_impulse(m, s, w, g, 1.0)
    for node in range(impulse.shape[0]):
        set_velocity(m, w, node)


@kernel
def sweep(context, settings, m, s, w, h):
    """All sets in turn, as often as the settings say or until nothing changes any more; residuals to the ledger."""
    _start(m, s, w)
    group, lam, sets = index_table(w, GROUP_INT), column(s, ROW_LAM), index_table(w, SET_INT)
    rows = group[indices(w, COUNT)[GROUPS], G_START]
    for _ in range(settings.gauss_seidel):
        indices(s, COUNTER)[BOUND_ITERATIONS] += 1
        change, largest = 0.0, 0.0
        for k in range(sets.shape[0]):
            change = max(change, solve_set(context, m, s, w, k, h))
        change = max(change, sweep_contacts(m, s, w))
        for i in range(rows):
            largest = max(largest, abs(lam[i]))
        if change <= CONVERGED * largest:
            break
    for g in range(indices(w, COUNT)[GROUPS]):
        add_rates(g, group, index_table(w, BLOCK_INT), column(w, JAC), table(w, BODY_NEW), table(w, ROW))
    _residuals(table(w, ROW), index_table(w, ROW_INT), lam, column(s, LEDGER), rows)


@kernel
def _excess(row, lam, i):
    """G v+ + Sigma lam - b: zero where the multiplier is free."""
    return row[i, R_RATE_NEW] + row[i, R_SIGMA] * lam[i] - row[i, R_RHS]


@kernel
def _friction_miss(row, lam, i, limit):
    """Natural map of a pair of friction rows, w |lam_t - P(lam_t - e / w)| [m/s]: P cuts to the limit, e is the excess,
    w the inverse mass felt. Sticking, that is |e|; sliding, what of e does not oppose the friction."""
    weight = row[i, R_SIGMA] / FRICTION_SOFTNESS
    x, y = lam[i] - _excess(row, lam, i) / weight, lam[i + 1] - _excess(row, lam, i + 1) / weight
    size = math.sqrt(x * x + y * y)
    if size > limit:
        x, y = x * limit / size, y * limit / size
    return weight * math.sqrt((lam[i] - x) ** 2 + (lam[i + 1] - y) ** 2)


@kernel
def _residuals(row, cone, lam, ledger, rows):
    """Natural map of every row: what its equation or its bound misses, in m/s and relative to its own terms."""
    speed, relative, force, friction = 0.0, 0.0, 0.0, 0.0
    i = 0
    while i < rows:
        low, high, excess, step = row[i, R_LOW], row[i, R_HIGH], _excess(row, lam, i), 1
        if cone[i, R_CONE] >= 0:
            limit, step = row[i, R_FRICTION] * lam[cone[i, R_CONE]], 2
            miss = _friction_miss(row, lam, i, limit)
            if limit > 0.0:
                friction = max(friction, miss * FRICTION_SOFTNESS / (row[i, R_SIGMA] * limit))
            force = max(force, math.sqrt(lam[i] ** 2 + lam[i + 1] ** 2) - limit)
        else:
            # at a bound only one sign of the excess is a miss; between equal bounds none is
            miss = max(excess if lam[i] > low else 0.0, -excess if lam[i] < high else 0.0)
            force = max(force, low - lam[i], lam[i] - high)
        size = 1e-9
        for k in range(i, i + step):
            size += abs(row[k, R_RATE_NEW]) + abs(row[k, R_RHS]) + abs(row[k, R_SIGMA] * lam[k])
        speed, relative = max(speed, miss), max(relative, miss / size)
        i += step
    ledger[RESIDUAL_SPEED] = speed
    ledger[RESIDUAL_RELATIVE] = relative
    ledger[RESIDUAL_FORCE] = force
    ledger[RESIDUAL_CONE] = friction
