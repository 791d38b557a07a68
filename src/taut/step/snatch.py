"""Detection of snatch loads and of tensions that cannot be known.

Geometric stiffness is built from the tension expected for this step. Where a rope snaps taut the expectation is wrong;
then, and only then, the step is solved a second time with its own tension. Rows that share one force in any proportion (a body locked
twice) have no tension of their own: they are flagged and left out of the geometric stiffness.
"""

from __future__ import annotations

from taut.core.buffers import column, index_table, indices, table
from taut.core.jit import kernel
from taut.core.model import (
    COUNT,
    COUNTER,
    G_DIM,
    G_START,
    G_TENSE,
    GROUP_INT,
    GROUPS,
    INV,
    JOINT_GROUPS,
    JOINT_INT,
    PEAK,
    PLAN_NODE,
    PLAN_SIZE,
    R_FLAGGED,
    R_TENSION,
    REDUNDANT_ROWS,
    ROW,
    ROW_INT,
    ROW_LAM,
    T_CHANGE,
    T_LARGEST,
    TALLY,
)
from taut.core.plan import MEETING, P_UNKNOWN

#: a second pass when a tension changed by more than this part of the largest one
JUMP = 0.2
#: a row is redundant when its pivot falls below this part of its diagonal
REDUNDANT = 1e-8


@kernel
def differs(w):
    """Whether the tensions of the last solution differ from those in its geometric stiffness."""
    tally = column(w, TALLY)
    return tally[T_CHANGE] > JUMP * tally[T_LARGEST]


@kernel
def tension_jumped(s, w):
    """Whether this solve's tensions differ from those in its geometric stiffness; these are then brought up to date."""
    if not differs(w):
        return False
    group, row, lam = index_table(w, GROUP_INT), table(w, ROW), column(s, ROW_LAM)
    for g in range(indices(w, COUNT)[JOINT_GROUPS]):
        for i in range(group[g, G_START], group[g, G_START] + group[g, G_TENSE]):
            row[i, R_TENSION] = lam[i]
    return True


@kernel
def flag_redundant(m, s, w):
    """Find the rows whose multiplier the last factorisation could not determine."""
    if indices(w, PLAN_SIZE)[MEETING] == 0:
        return
    group, flags, plan_node = index_table(w, GROUP_INT), index_table(w, ROW_INT), index_table(w, PLAN_NODE)
    peak, inv = column(w, PEAK), column(w, INV)
    joints = index_table(m, JOINT_INT).shape[0]
    nodes = indices(w, PLAN_SIZE)[0] - indices(w, COUNT)[GROUPS]
    found = 0
    for g in range(joints):
        at, start = plan_node[nodes + g, P_UNKNOWN], group[g, G_START]
        for r in range(group[g, G_DIM]):
            weak = peak[at + r] > 0.0 and abs(1.0 / inv[at + r]) < REDUNDANT * peak[at + r]
            flags[start + r, R_FLAGGED] = 1 if weak else 0
            found += 1 if weak else 0
    indices(s, COUNTER)[REDUNDANT_ROWS] = found
