"""Honeycomb ropes in the buffers of a scene: which fields they take, and the columns of their tables.

The arrays of all ropes lie one behind the other in the fields `lattice_NAME`, NAME as in `taut.cables.honeycomb.arrays`;
`lattice_at` says for every rope where each begins and how many rows it has.
"""

from __future__ import annotations

# columns of lattice_int: scheme (as in explicit.py, or IMPLICIT), 1: solved together with the bodies, bodies at both ends or -1,
# their pair block or -1, substeps asked for or 0, sweeps of the strain limit, 1: it can push bodies
K_SCHEME, K_CARRIES, K_BODY, K_PAIR, K_SUBSTEPS, K_SWEEPS, K_PUSHES, K_COLUMNS = 0, 1, 2, 4, 5, 6, 7, 8
IMPLICIT = 3

# columns of lattice_rule: side of the hexagon [m], threshold of the correctors [m], largest strain or 0
U_SIDE, U_THRESHOLD, U_LIMIT, U_COLUMNS = 0, 1, 2, 3

# columns of lattice_number: last implicit step or 0 [s], largest stable explicit step [s], 1: accelerations are those of the
# state, explicit steps or pieces in the last step, pieces redone, steps in which the strain limit acted, its sweeps, energies
# [J]: kinetic, elastic, potential, and what was taken from the rope since the start; force and moment about the centre of
# mass on the bodies at both ends [N, N m], contacts now, iterations of the last implicit step
(
    X_BEFORE, X_STABLE, X_FRESH, X_SUBSTEPS, X_REDONE, X_LIMITED, X_SWEEPS, X_KINETIC, X_ELASTIC, X_POTENTIAL, X_LOST,
) = range(11)  # fmt: skip
X_END, X_TOUCHES, X_PASSES, X_COLUMNS = 11, 23, 24, 25

# places in lattice_at: two columns each, first row and number of rows
FIELDS = (
    "pos", "node", "spring", "law", "table", "field", "shape", "size", "outline", "axis", "touch", "pair", "tree", "tally",
    "flow", "pose", "found", "local", "mode", "arm_body", "system", "work", "pushes", "column",
    "kind", "lane",
)  # fmt: skip
(
    A_POS, A_NODE, A_SPRING, A_LAW, A_TABLE, A_FIELD, A_SHAPE, A_SIZE, A_OUTLINE, A_AXIS, A_TOUCH, A_PAIR, A_TREE, A_TALLY,
    A_FLOW, A_POSE, A_FOUND, A_LOCAL, A_MODE, A_ARM, A_SYSTEM, A_WORK, A_PUSHES, A_COLUMN,
    A_KIND, A_LANE,
) = range(0, 2 * len(FIELDS), 2)  # fmt: skip
AT_COLUMNS = 2 * len(FIELDS)

# columns of lattice_obstacle_int: body; of lattice_obstacle: half sizes, place and quaternion in the body, friction, ball
O_BODY, O_KIND, O_INT_COLUMNS = 0, 1, 2
O_SIZE, O_POS, O_QUAT, O_FRICTION, O_BALL, O_COLUMNS = 0, 3, 6, 10, 11, 12

# places in lattice_solve, the condensed rope of each end: velocity at which it was linearised, impulse there, stiffness
# against both ends (6 rows of 12)
Z_GUESS, Z_IMPULSE, Z_STIFF, Z_COLUMNS = 0, 6, 12, 84

# what the ropes of a scene need: explicit steps, implicit ones by themselves, implicit ones with bodies, pushes on bodies
HAS_EXPLICIT, HAS_IMPLICIT, HAS_CARRIED, HAS_PUSHES = 1, 2, 4, 8
