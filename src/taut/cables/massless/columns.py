"""Columns of the tables of massless ropes in model, state and scratch."""

from __future__ import annotations

#: kinds of parts on a route: a point (fixed end or ring), a sheave, a drum
POINT_PART, WHEEL, DRUM = 0, 1, 2

#: columns of rope_int: first part and one beyond the last, first segment, segments, 1: it has a twist row, drive of its
#: hook or -1; one beyond its last wrap slot (these follow its parts), first obstacle and one beyond the last, where its
#: pairs of bodies lie in rope_pair or -1, 1: its length at the start is that of its path
(
    P_FIRST, P_LAST, P_SEGMENT, P_SEGMENTS, P_TWIST, P_HOOK, P_SLOTS, P_OBSTACLE, P_OBSTACLES, P_PAIRS, P_LAID,
) = range(11)  # fmt: skip
#: columns of rope_law: 1/EA, damping time, floor of Sigma, breaking load, 1/GJ, its floor, torque per tension of a laid
#: rope, reach of its hook, mass per metre whose weight acts on the parts, path for which its lengths were laid
(
    P_SOFTNESS, P_TAU, P_FLOOR, P_BREAK, P_TWIST_SOFTNESS, P_TWIST_FLOOR, P_LAY, P_REACH, P_DENSITY, P_PATH,
) = range(10)  # fmt: skip

#: columns of part_int: kind, body, Jacobian block in the rope's group, sense of the turn, transfer or -1, wrap or -1
N_KIND, N_BODY, N_BLOCK, N_TURN, N_TRANSFER, N_WRAP = 0, 1, 2, 3, 4, 5
#: columns of part_frame: arm, axis and first direction of the wheel in principal axes, radius, angle that halves the arc,
#: the same without full wraps
N_ARM, N_AXIS, N_FIRST, N_RADIUS, N_MIDDLE, N_TANGENT = 0, 3, 6, 9, 10, 11

#: columns of part_place (scratch): centre, axis, first and second direction in the world, points where the rope arrives
#: and leaves, length of the span to the next part, its segment; of wraps also the rope on it before and after its reference,
#: and the angle by which it turns the rope
(
    W_CENTRE, W_AXIS, W_FIRST, W_SECOND, W_ARRIVES, W_LEAVES, W_LENGTH, W_SEGMENT, W_BEFORE, W_AFTER, W_BENT,
) = 0, 3, 6, 9, 12, 15, 18, 19, 20, 21, 22  # fmt: skip

#: columns of transfer_int: part, row before and row after at the start (-1: a drum), winch or -1
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
#: gravity, and its part on drums, both counted from the start; what ropes had more at the start than on their routes alone,
#: as they lay round obstacles
X_STORED, X_WEIGHT, X_WOUND, X_BEGIN = 0, 1, 2, 3

#: machine signals of a winch in the order of their bits (taut.cables.massless.winch)
SIGNALS = (
    "upper_limit", "lower_limit", "overload", "slack", "emergency", "slipping", "brake_fault", "two_block", "load_warning",
    "load_moment",
)  # fmt: skip

#: columns of transfer_row (state): row before and row after now; both -1: a wrap that is not there
L_BEFORE, L_AFTER = 0, 1
#: columns of rope_live (state): parts on its path now, runs of rope now
A_PARTS, A_ROWS = 0, 1

#: columns of obstacle_int: rope, body, kind of its shape, first wrap slot and one beyond the last (as parts), edges, planes
O_ROPE, O_BODY, O_KIND, O_SLOT, O_SLOTS, O_EDGE, O_EDGES, O_PLANE, O_PLANES = range(9)
#: columns of obstacle_frame: centre and axes of the shape in principal axes of its body, size, radius of the rope
O_CENTRE, O_QUAT, O_SIZE, O_ROPE_RADIUS = 0, 3, 7, 10

#: columns of wrap_int (state): 1: it is on the path, edge that it lies on or -1, 1: its flow is to be found
U_LIVE, U_EDGE, U_FRESH = 0, 1, 2
#: columns of wrap_state (state): centre, axis and first direction in principal axes of the body, radius, limits along the
#: axis, sense of the turn, 1: a ball, angle and place where the rope arrives and leaves, angle from which rope is counted,
#: place of the rope there in the step before, least turn with which it stays (zero but for layered ropes)
(
    U_CENTRE, U_AXIS, U_FIRST, U_RADIUS, U_LOW, U_HIGH, U_SENSE, U_BALL, U_ONE, U_Z_ONE, U_TWO, U_Z_TWO, U_REFERENCE,
    U_Z_LAST, U_LEAST, U_COLUMNS,
) = 0, 3, 6, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21  # fmt: skip
