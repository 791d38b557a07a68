"""Columns of the tables of massless ropes in model, state and scratch."""

from __future__ import annotations

#: kinds of parts on a route: a point (fixed end or ring), a sheave, a drum
POINT_PART, WHEEL, DRUM = 0, 1, 2

#: columns of rope_int: first part and one beyond the last, first segment, segments, 1: it has a twist row, drive of its
#: hook or -1
P_FIRST, P_LAST, P_SEGMENT, P_SEGMENTS, P_TWIST, P_HOOK = 0, 1, 2, 3, 4, 5
#: columns of rope_law: 1/EA, damping time, floor of Sigma, breaking load, 1/GJ, its floor, torque per tension of a laid
#: rope, reach of its hook, mass per metre whose weight acts on the parts
P_SOFTNESS, P_TAU, P_FLOOR, P_BREAK, P_TWIST_SOFTNESS, P_TWIST_FLOOR, P_LAY, P_REACH, P_DENSITY = range(9)

#: columns of part_int: kind, body, Jacobian block in the rope's group, sense of the turn, transfer or -1
N_KIND, N_BODY, N_BLOCK, N_TURN, N_TRANSFER = 0, 1, 2, 3, 4
#: columns of part_frame: arm, axis and first direction of the wheel in principal axes, radius, angle that halves the arc,
#: the same without full wraps
N_ARM, N_AXIS, N_FIRST, N_RADIUS, N_MIDDLE, N_TANGENT = 0, 3, 6, 9, 10, 11

#: columns of part_place (scratch): centre, axis, first and second direction in the world, points where the rope arrives
#: and leaves, length of the span to the next part, its segment
W_CENTRE, W_AXIS, W_FIRST, W_SECOND, W_ARRIVES, W_LEAVES, W_LENGTH, W_SEGMENT = 0, 3, 6, 9, 12, 15, 18, 19

#: columns of transfer_int: part, row before and row after (-1: a drum), winch or -1
T_PART, T_BEFORE, T_AFTER, T_WINCH = 0, 1, 2, 3
#: columns of transfer_law: mass that turns with the rope, constant loss, loss as a part of the larger tension, friction
#: of the rope in its groove (below zero: it does not slip), speed that a held drum gives way by per tension
T_MASS, T_LOSS, T_PART_LOST, T_FRICTION, T_SLIP = 0, 1, 2, 3, 4
#: columns of transfer_state: flow of unstretched rope towards the end of the route, status (HELD, or the sense in which it
#: runs), force that holds it back, target of the flow, force limit of a drive
F_FLOW, F_STATUS, F_FORCE, F_TARGET, F_LIMIT = 0, 1, 2, 3, 4
HELD = 0.0

#: columns of rope_twist: twist over full turns, turns let go where the rope was kinked too sharply to carry any, 1: it is so,
#: twist that the last step expected now
O_TWIST, O_LET_GO, O_KINKED, O_EXPECTED = 0, 1, 2, 3
#: places in rope_energy: stored by stretch, twist and what turns along; of the weight of massless ropes in the field of
#: gravity, and its part on drums, both counted from the start
X_STORED, X_WEIGHT, X_WOUND = 0, 1, 2

#: machine signals of a winch in the order of their bits (taut.cables.massless.winch)
SIGNALS = (
    "upper_limit", "lower_limit", "overload", "slack", "emergency", "slipping", "brake_fault", "two_block", "load_warning",
    "load_moment",
)  # fmt: skip
