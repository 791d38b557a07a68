"""The fields of a compiled scene: what is constant (MODEL), what changes (STATE), and scratch (WORK).

Names are prefix first; the number of a field is its place in its list. Everything is float64 or int64, C-contiguous,
in SI units. `n` counts bodies including the world, which is the last one and never moves; `g` counts the row groups of
joints, `c` contacts. Columns of the wider tables have names of their own below.
"""

from __future__ import annotations

from taut.core.buffers import Field

_F = Field

# ---- columns ---------------------------------------------------------------------------------------------------------

#: columns of joint_int
J_KIND, J_ALONG, J_A, J_B, J_DRIVE, J_MODE, J_PAIR, J_SET = range(8)
#: columns of joint_frame: arms in principal axes of a and b, joint frames in them
J_ARM_A, J_ARM_B, J_FRAME_A, J_FRAME_B = 0, 3, 6, 10
#: columns of joint_row, six rows each
J_COMPLIANCE, J_FLOOR, J_TAU = 0, 6, 12
#: columns of joint_value
J_REST, J_LOW, J_HIGH = 0, 1, 2
#: columns of drive
D_TARGET, D_TRAVEL, D_SLOPE, D_SLOPE_OLD = 0, 1, 2, 3
#: columns of motion_int
K_KIND, K_BODY, K_START, K_STOP, K_REPEAT = range(5)
#: places in wind
WIND_GUST, WIND_PERIOD, WIND_EXPONENT, WIND_HEIGHT, WIND_DENSITY, WIND_DIRECTION = 0, 1, 2, 3, 4, 5
#: columns of contact_int and of contact_geometry
C_A, C_B, C_MATERIAL, C_KEY = 0, 1, 2, 3
C_POINT, C_NORMAL, C_TANGENT, C_GAP, C_ROCK = 0, 3, 6, 9, 10
#: tables of material: friction, restitution, stiffness, damping time
MAT_FRICTION, MAT_RESTITUTION, MAT_STIFFNESS, MAT_TAU, MAT_STATIC = 0, 1, 2, 3, 4
#: columns of group_int
G_DIM, G_START, G_SOFT, G_BLOCK, G_TENSE = 0, 1, 2, 3, 4
#: columns of block_int
B_BODY, B_AT, B_SLOT, B_APART = 0, 1, 2, 3
#: columns of row: compliance, right side, rates of the step (what moves as given apart), tension for the geometric
#: stiffness, floor in Sigma of a joint's row and the multiplier on which it does not act, bounds, Sigma between a row and
#: the next. A step reads the whole table several times: it is kept narrow, and hot columns come first.
(
    R_SIGMA, R_RHS, R_RATE, R_RATE_NEW, R_KNOWN, R_KNOWN_OLD, R_TENSION, R_FLOOR, R_HELD, R_LOW, R_HIGH, R_COUPLE,
) = range(12)  # fmt: skip
#: contacts have neither floor nor tension: friction coefficient and smallest Sigma of a friction row take their places; rho of the natural
#: map stands in the normal row
R_FRICTION, R_STICK, R_RHO = R_HELD, R_TENSION, R_TENSION
#: what the linear rate misses, while a step is re-linearised: its tension is not needed any more
R_CURL = R_TENSION
#: columns of inner: Sigma and right side as they were, force, slack, slack of the upper bound (of a normal row: the slip that
#: its cone is shifted by), what the corrector aims at
I_SIGMA, I_RHS, I_FORCE, I_SLACK, I_HIGH, I_TARGET, I_TARGET_HIGH = range(7)
I_SHIFT = I_HIGH
#: columns of row_int
R_CONE, R_FLAGGED = 0, 1
#: columns of set_int: its groups, its nodes in the plan (first the copies of its bodies, then its groups), 1: it has
#: bounds, 1: its factors are out of date
S_GROUP, S_GROUP_END, S_NODE, S_ROW_NODE, S_NODE_END, S_BOUNDED, S_STALE = range(7)
#: contacts that are solved as a border of the joints; more are iterated on the whole system (taut.step.border)
MOST_CONTACTS = 48
#: most vectors with which friction is tied to normal forces (taut.step.coupling)
KRYLOV_VECTORS = 28
#: places in ledger
(TIME, WORK_MOTOR, WORK_KINEMATIC, WORK_WIND, WORK_PUSH, LOSS_JOINT, LOSS_CONTACT, GEOMETRIC, ELASTIC) = range(9)
RESIDUAL_SPEED, RESIDUAL_RELATIVE, RESIDUAL_FORCE, RESIDUAL_CONE = 9, 10, 11, 12
#: what the energy of the start is more half a step before it, where the account begins
BEGIN = 13
LEDGER_SIZE = 14
#: places in counter
STEPS, PLANS, SECOND_PASSES, REDONE, SUBSTEPS, BOUND_ITERATIONS, REDUNDANT_ROWS, BAD_BODY = range(8)
#: places in count
GROUPS, JOINT_GROUPS, BOUNDED, BUILT, BAD, FILLED, RUBBING, NEARBY, MORE = range(9)
#: places in tally: what a solution misses (floors of rigid rows, equations in m/s and relative), largest tension and
#: its largest change against what the geometric stiffness was built from
T_FLOOR, T_SPEED, T_RELATIVE, T_LARGEST, T_CHANGE = 0, 1, 2, 3, 4


# ---- constant --------------------------------------------------------------------------------------------------------

MODEL: tuple[Field, ...] = (
    _F("body_node", int, 0, "-", "number among the dynamic bodies, -1 for others, shape (n,)"),
    _F("node_body", int, 0, "-", "body of each node, shape (nodes,)"),
    _F("body_mass", float, 0, "kg", "shape (n,)"),
    _F("body_inertia", float, 3, "kg m^2", "principal moments about the centre of mass, shape (n, 3)"),
    _F("body_rotor", int, 0, "-", "POINT, ISOTROPIC, GENERAL, NEEDLE or STOUT, shape (n,)"),
    _F("body_thread", float, 0, "N/m", "stiffness of the joints of a segment of a cable, else 0, shape (n,)"),
    _F("body_drag_area", float, 0, "m^2", "drag coefficient times frontal area, shape (n,)"),
    _F("joint_int", int, 8, "-", "kind, along, bodies, drive, pair block and group set, shape (g, 8)"),
    _F("joint_frame", float, 14, "m, -", "arms and joint frames in the principal axes of both bodies, shape (g, 14)"),
    _F("joint_row", float, 18, "m/N, 1/kg, s", "compliance, smallest Sigma, damping time of each row, shape (g, 18)"),
    _F("joint_value", float, 3, "m, N", "rest length, force limits or end stops, shape (g, 3)"),
    _F("drive_control", int, 0, "-", "control that a drive follows, shape (d,)"),
    _F("drive_rate", float, 0, "1/s", "largest change of its target per second, shape (d,)"),
    _F("motion_int", int, 5, "-", "kind, body, table rows or first drive and rows of its stops, repeat, shape (k, 5)"),
    _F("motion_time", float, 0, "s", "shape (rows,)"),
    _F(
        "motion_value",
        float,
        7,
        "m, m/s",
        "pose (3 + 4), velocity and spin (3 + 3), or where a drive stops (3), shape (rows, 7)",
    ),
    _F("wind", float, 0, "m/s, s, m", "gust, period, exponent, height, density, direction, shape (8,)"),
    _F("wind_drive", int, 0, "-", "drive of the wind speed, shape (1,)"),
    _F(
        "material",
        float,
        5,
        "-, -, N/m, s, -",
        "friction, restitution, stiffness, damping, friction at rest of each pair, shape (m m, 5)",
    ),
    _F("shape_type", int, 0, "-", "collision shapes, see taut.contact.shapes, shape (s,)"),
    _F("shape_size", float, 3, "m", "shape (s, 3)"),
    _F("shape_body", int, 0, "-", "shape (s,)"),
    _F("shape_pos", float, 3, "m", "shape (s, 3)"),
    _F("shape_quat", float, 4, "-", "shape (s, 4)"),
    _F("shape_material", int, 0, "-", "shape (s,)"),
    _F("shape_group", int, 0, "-", "shape (s,)"),
    _F("shape_mask", int, 0, "-", "shape (s,)"),
    _F("shape_data", int, 4, "-", "where its hull or mesh lies in the tables below, shape (s, 4)"),
    _F("shape_skin", int, 4, "-", "where its surface as a mesh lies in them, shape (s, 4)"),
    _F("solid_corner", float, 3, "m", "see taut.contact.shapes, as for all tables of solids, shape (corners, 3)"),
    _F("solid_face", int, 2, "-", "shape (faces, 2)"),
    _F("solid_loop", int, 0, "-", "shape (corners of faces,)"),
    _F("solid_facing", float, 3, "-", "shape (faces, 3)"),
    _F("solid_triangle", int, 4, "-", "shape (triangles, 4)"),
    _F("solid_tree", float, 6, "m", "shape (boxes, 6)"),
    _F("solid_branch", int, 3, "-", "shape (boxes, 3)"),
    _F("solid_beside", int, 3, "-", "shape (triangles, 3)"),
    _F("solid_upright", float, 4, "-", "shape (corners, 4)"),
    _F("body_dynamic", int, 0, "-", "1 for dynamic bodies, shape (n,)"),
    _F("pair_node", int, 2, "-", "nodes coupled by the geometric stiffness of a distance row, shape (pairs, 2)"),
    _F("rope_int", int, 11, "-", "see taut.cables.massless.columns, as for all tables of ropes, shape (ropes, 11)"),
    _F(
        "rope_law", float, 10, "1/N, s, 1/kg, N", "softness, damping time, floor, breaking load, ..., shape (ropes, 10)"
    ),
    _F("rope_ends", float, 12, "-", "tangents and section vectors of both ends, shape (ropes, 12)"),
    _F("part_int", int, 6, "-", "kind, body, block, sense of the turn, transfer, wrap of each part, shape (parts, 6)"),
    _F(
        "part_frame", float, 12, "m, -, rad", "arm, axis, first direction, radius, middle of the arc, shape (parts, 12)"
    ),
    _F("transfer_int", int, 4, "-", "part, rows before and after, winch, shape (transfers, 4)"),
    _F("transfer_law", float, 5, "kg, N, -, -", "mass, losses, friction and slip, shape (transfers, 5)"),
    _F("rope_span", int, 2, "-", "part at which a span begins, pair block of its two bodies or -1, shape (spans, 2)"),
    _F("winch_int", int, 14, "-", "see taut.cables.massless.winch, shape (winches, 14)"),
    _F("winch_law", float, 19, "m/s, N, s, m", "shape (winches, 19)"),
    _F(
        "winch_curve",
        float,
        2,
        "m/s, N",
        "speed and force of torque-speed curves, radius and load of tables, shape (points, 2)",
    ),
    _F("excluded", int, 0, "-", "sorted keys of body pairs that never touch, shape (x,)"),
    _F(
        "wave_span",
        int,
        5,
        "-",
        "see taut.cables.layered.columns, as for all tables of waves, shape (layered spans, 5)",
    ),
    _F("wave_law", float, 6, "kg/m, 1/s", "density, damping, pre-warping, spans, scheme of ropes, shape (ropes, 6)"),
    # honeycomb ropes only, else empty; all lattices one behind the other, N masses and S springs in all
    _F(
        "lattice_int",
        int,
        8,
        "-",
        "see taut.cables.honeycomb.columns, as for all tables of lattices, shape (lattices, 8)",
    ),
    _F("lattice_rule", float, 3, "m, -", "side of the hexagon, threshold, strain limit, shape (lattices, 3)"),
    _F("lattice_at", int, 52, "-", "where each array of a lattice begins and its rows, shape (lattices, 52)"),
    _F("lattice_node", float, 3, "kg, 1/kg, -", "mass, its inverse, end that holds it, shape (N, 3)"),
    _F("lattice_spring", int, 2, "-", "masses of each spring, shape (S, 2)"),
    _F("lattice_law", float, 5, "N/m, N s/m, m", "constant, damping, rest length, side, form, shape (S, 5)"),
    _F("lattice_table", float, 4, "-", "force-strain tables, shape (rows, 4)"),
    _F("lattice_size", int, 0, "-", "layers, masses per layer, ..., shape (4 lattices,)"),
    _F("lattice_outline", int, 0, "-", "masses of a layer that form the surface, shape (...,)"),
    _F("lattice_kind", int, 5, "-", "springs that repeat from layer to layer, shape (kinds, 5)"),
    _F("lattice_arm_body", float, 3, "m", "held masses in the principal axes of their body, shape (N, 3)"),
    _F("lattice_obstacle_int", int, 2, "-", "body and type of what a lattice may touch, shape (obstacles, 2)"),
    _F("lattice_obstacle", float, 12, "m, -", "its size, place, friction and ball, shape (obstacles, 12)"),
    _F("rod_int", int, 20, "-", "see taut.cables.rod.columns, as for all tables of rods, shape (rods, 20)"),
    _F(
        "rod_law", float, 11, "N, m, N m, s", "scales of the solver, damping time, longest chord, ..., shape (rods, 11)"
    ),
    _F("rod_table", float, 15, "m, N m^2, 1/m", "segments and joints, see taut.cables.rod.arrays, shape (frames, 15)"),
    _F("rod_chain", float, 21, "m", "where the ends sit on their bodies, shape (rods, 21)"),
    # rods that lean on bodies only, else empty; `seats` are the bodies at the ends of a rod and those it may push
    _F("lean_seat", int, 0, "-", "body of each seat, shape (seats,)"),
    _F("lean_pair", int, 0, "-", "pair block of any two seats of a rod, or -1, shape (sum of seats^2,)"),
    _F("lean_shape_int", int, 2, "-", "body of each shape, and its seat or -1, shape (shapes, 2)"),
    _F("lean_shape", float, 11, "m, -", "kind, place and axes on its body, sizes, shape (shapes, 11)"),
    _F("lean_size", float, 0, "m", "how far the shape reaches from its body's centre, shape (shapes,)"),
    _F("lean_setting", float, 2, "m, -", "see taut.cables.rod.obstacles, shape (rods, 2)"),
    _F("lean_triangle", float, 36, "m, -", "triangles of meshes, shape (t, 36)"),
    _F("lean_tree", float, 10, "m, -", "boxes around them, shape (u, 10)"),
    # segmented cables that are merged, split, paid out or may part (taut.cables.segmented.columns), else empty
    _F("follow_int", int, 2, "-", "segment that another body carries along, and that body, shape (f, 2)"),
    _F("follow_pose", float, 7, "m, -", "its place and orientation in the principal axes of that body, shape (f, 7)"),
    _F("watch_int", int, 6, "-", "joints that are watched, shape (watched, 6)"),
    _F("watch_law", float, 3, "m", "lengths of the segments beside them, largest tension, shape (watched, 3)"),
    _F("strand_law", float, 6, "kg/m, rad, -", "when segments are merged and split, shape (strands, 6)"),
    _F("slide_int", int, 0, "-", "row group of each grip that a cable slides through, shape (slides,)"),
    _F("slide_law", float, 2, "m", "way along the segment at which it comes to the next one, shape (slides, 2)"),
    _F("feed_int", int, 5, "-", "ends at which a cable is paid out, shape (feeds, 5)"),
    _F("feed_law", float, 11, "kg/m, m, 1/N, ...", "material and limits of the segment that grows, shape (feeds, 11)"),
    _F("rope_pair", int, 0, "-", "pair block of any two bodies of a rope with obstacles, shape (sum of blocks^2,)"),
    _F("obstacle_int", int, 9, "-", "rope, body, shape and wrap slots of each obstacle, shape (obstacles, 9)"),
    _F("obstacle_frame", float, 11, "m, -", "centre, axes and size of its shape, rope radius, shape (obstacles, 11)"),
    _F("hull_edge", float, 6, "m", "both ends of the edges of obstacles, in their frame, shape (edges, 6)"),
    _F("hull_plane", float, 4, "-, m", "outward normal and distance of their faces, shape (planes, 4)"),
)
(
    BODY_NODE, NODE_BODY, BODY_MASS, BODY_INERTIA, BODY_ROTOR, BODY_THREAD, BODY_DRAG_AREA, JOINT_INT, JOINT_FRAME, JOINT_ROW,
    JOINT_VALUE, DRIVE_CONTROL, DRIVE_RATE, MOTION_INT, MOTION_TIME, MOTION_VALUE, WIND, WIND_DRIVE, MATERIAL,
    SHAPE_TYPE, SHAPE_SIZE, SHAPE_BODY, SHAPE_POS, SHAPE_QUAT, SHAPE_MATERIAL, SHAPE_GROUP, SHAPE_MASK, SHAPE_DATA, SHAPE_SKIN, SOLID_CORNER,
    SOLID_FACE, SOLID_LOOP, SOLID_FACING, SOLID_TRIANGLE, SOLID_TREE, SOLID_BRANCH, SOLID_BESIDE, SOLID_UPRIGHT, BODY_DYNAMIC,
    PAIR_NODE, ROPE_INT, ROPE_LAW, ROPE_ENDS, PART_INT, PART_FRAME, TRANSFER_INT, TRANSFER_LAW, ROPE_SPAN, WINCH_INT, WINCH_LAW,
    WINCH_CURVE, EXCLUDED, WAVE_SPAN, WAVE_LAW, LATTICE_INT, LATTICE_RULE, LATTICE_AT, LATTICE_NODE, LATTICE_SPRING, LATTICE_LAW,
    LATTICE_TABLE, LATTICE_SIZE, LATTICE_OUTLINE, LATTICE_KIND, LATTICE_ARM_BODY, LATTICE_OBSTACLE_INT, LATTICE_OBSTACLE,
    ROD_INT, ROD_LAW, ROD_TABLE, ROD_CHAIN,
    LEAN_SEAT, LEAN_PAIR, LEAN_SHAPE_INT, LEAN_SHAPE, LEAN_SIZE, LEAN_SETTING, LEAN_TRIANGLE, LEAN_TREE,
    FOLLOW_INT, FOLLOW_POSE, WATCH_INT, WATCH_LAW, STRAND_LAW, SLIDE_INT, SLIDE_LAW, FEED_INT, FEED_LAW,
    ROPE_PAIR, OBSTACLE_INT, OBSTACLE_FRAME, HULL_EDGE, HULL_PLANE,
) = range(len(MODEL))  # fmt: skip

# ---- changing --------------------------------------------------------------------------------------------------------

STATE: tuple[Field, ...] = (
    _F("body_pos", float, 3, "m", "centre of mass, shape (n, 3)"),
    _F("body_quat", float, 4, "-", "principal axes to world, shape (n, 4)"),
    _F("body_vel", float, 6, "m/s, rad/s", "velocity and spin, means over the last step, shape (n, 6)"),
    _F("body_momentum", float, 3, "kg m^2/s", "angular momentum about the centre of mass, world axes, shape (n, 3)"),
    _F("body_push", float, 6, "N, N m", "force and torque from outside, kept until changed, shape (n, 6)"),
    _F("row_lam", float, 0, "N s", "multiplier, joints then contacts, shape (rows,)"),
    _F("row_lam_old", float, 0, "N s", "multiplier of the step before, shape (rows,)"),
    _F("row_phi", float, 0, "m, rad", "constraint value at the last step; Sigma of friction rows, shape (rows,)"),
    _F("row_phi_old", float, 0, "m, rad", "and at the step before, shape (rows,)"),
    _F("row_bound", int, 0, "-", "FREE, LOW, HIGH or SLIDE, shape (rows,)"),
    _F(
        "row_age",
        int,
        0,
        "-",
        "steps for which a one-sided row has acted without a break, 2: two or more, shape (rows,)",
    ),
    _F("joint_turns", int, 0, "-", "full turns of each joint's angle, shape (g,)"),
    _F("joint_angle", float, 0, "rad", "angle of each joint within a turn, shape (g,)"),
    _F("joint_stiffness", float, 2, "kg m^2", "last geometric stiffness on both bodies, -1: none yet, shape (g, 2)"),
    _F("rope_length", float, 0, "m", "unstretched length of each segment, shape (segments,)"),
    _F("rope_broken", int, 0, "-", "1: the segment is parted, shape (segments,)"),
    _F(
        "rope_twist",
        float,
        4,
        "rad",
        "twist over full turns, what was let go in kinks, 1: kinked, as expected, shape (ropes, 4)",
    ),
    _F(
        "rope_energy",
        float,
        0,
        "J",
        "stored in ropes and what turns with them; of the weight of massless ones, shape (4,)",
    ),
    _F(
        "part_angle", float, 2, "rad", "where the rope arrives at and leaves a wheel, over full turns, shape (parts, 2)"
    ),
    _F("transfer_state", float, 5, "m/s, -, N", "flow, status, force, target, limit, shape (transfers, 5)"),
    _F("winch_state", float, 14, "-, s, m", "see taut.cables.massless.winch, shape (winches, 14)"),
    _F("control", float, 0, "m/s, ...", "what the user asks for, shape (controls,)"),
    _F("drive", float, 4, "m/s, m, ...", "target, its integral, its rate over this step and the last, shape (d, 4)"),
    _F("contact_count", int, 0, "-", "contacts now, shape (1,)"),
    _F("contact_int", int, 4, "-", "bodies, material pair and identity of each contact, shape (c, 4)"),
    _F(
        "contact_geometry",
        float,
        11,
        "m, kg m^2",
        "point, normal from a to b, first tangent, gap, stiffness against rocking times h^2, shape (c, 11)",
    ),
    _F("ledger", float, 0, "s, J, m/s", "clock, energy account and residuals, shape (16,)"),
    _F("counter", int, 0, "-", "steps, plans built, second passes, redone steps, ..., shape (8,)"),
    _F("wave_mode", float, 4, "m, m/s", "displacement and velocity of each mode in two directions, shape (modes, 4)"),
    _F("wave_frame", float, 6, "-", "chord and first direction across it, shape (layered spans, 6)"),
    _F(
        "wave_energy",
        float,
        0,
        "J",
        "kinetic and potential energy of layered ropes, what drums took in, and what came with rope that moved over, shape (4,)",
    ),
    _F("wave_tension", float, 0, "N", "mean tension of each segment over the last seconds, shape (segments,)"),
    _F(
        "transfer_head",
        float,
        2,
        "N",
        "weight of layered rope: tension before and after beyond the mean, shape (transfers, 2)",
    ),
    # honeycomb ropes only, else empty
    _F("lattice_pos", float, 3, "m", "masses, shape (N, 3)"),
    _F("lattice_vel", float, 3, "m/s", "shape (N, 3)"),
    _F("lattice_acc", float, 3, "m/s^2", "of the last evaluation, shape (N, 3)"),
    _F("lattice_old_pos", float, 3, "m", "one step ago, shape (N, 3)"),
    _F("lattice_old_vel", float, 3, "m/s", "shape (N, 3)"),
    _F("lattice_ref", float, 3, "m", "where masses were when pairs of cells were found, shape (N, 3)"),
    _F("lattice_mode", float, 3, "-", "vectors of the search for the highest frequency, shape (2 N, 3)"),
    _F("lattice_number", float, 25, "s, J, N", "shape (lattices, 25)"),
    _F("lattice_pair", int, 2, "-", "cells that may touch, shape (capacity, 2)"),
    _F("lattice_tally", int, 0, "-", "counters, shape (13 lattices,)"),
    _F("rod_frame", float, 4, "-", "frames of ends and segments, quaternions (w, x, y, z), shape (frames, 4)"),
    _F("rod_force", float, 0, "N", "what each rod exerts on what holds its end, shape (3 rods,)"),
    _F("rod_pose", float, 14, "m, -", "poses of both bodies for which the shape was found, shape (rods, 14)"),
    _F("rod_end", float, 28, "N, N m, J", "wrenches on both bodies now and before, energies, ..., shape (rods, 28)"),
    _F("rod_stiffness", float, 144, "N/m, N, N m", "of both ends by the motion of both bodies, shape (rods, 144)"),
    _F("rod_slide", float, 2, "m, N/m", "length of each rod, and how its pull grows with it, shape (rods, 2)"),
    _F("lean_count", int, 0, "-", "rows in use of each rod that leans: its end and its contacts, shape (rods,)"),
    _F("lean_row", float, 28, "m", "conditions at the ends and contacts, see taut.cables.rod.arrays, shape (rows, 28)"),
    _F("lean_force", float, 0, "N", "what the rod exerts along the normal of each row, shape (rows,)"),
    _F("lean_pose", float, 7, "m, -", "poses of the seats for which the shape was found, shape (seats, 7)"),
    _F("lean_end", float, 2, "N, N m", "wrenches on the seats now and a step before, shape (6 seats, 2)"),
    _F("lean_stiffness", float, 0, "N/m, N, N m", "of all seats by the motion of all, rod by rod, shape (floats,)"),
    _F(
        "slide_pull",
        float,
        0,
        "N/m, N",
        "d^2E/dx dL of rods that slide, x of the seats of their run, then d^2E/dL^2, shape (floats,)",
    ),
    _F(
        "feed_state",
        float,
        3,
        "m, m/s",
        "segment that grows: length, speed of the last step and of this one, shape (feeds, 3)",
    ),
    _F("strand_quiet", int, 0, "-", "steps since segments were last merged or split, shape (strands,)"),
    _F("transfer_row", int, 2, "-", "row before and after each transfer now, shape (transfers, 2)"),
    _F("rope_order", int, 0, "-", "parts on the path of each rope now, in their order, shape (parts,)"),
    _F("rope_live", int, 2, "-", "number of them, and of runs of rope, shape (ropes, 2)"),
    _F("wrap_int", int, 3, "-", "1: on the path, edge, 1: new, shape (wraps, 3)"),
    _F("wrap_state", float, 21, "m, rad", "cylinder and tangent points of each wrap, shape (wraps, 21)"),
)
(
    BODY_POS, BODY_QUAT, BODY_VEL, BODY_MOMENTUM, BODY_PUSH, ROW_LAM, ROW_LAM_OLD, ROW_PHI, ROW_PHI_OLD, ROW_BOUND, ROW_AGE,
    JOINT_TURNS, JOINT_ANGLE, JOINT_STIFFNESS, ROPE_LENGTH, ROPE_BROKEN,
    ROPE_TWIST, ROPE_ENERGY, PART_ANGLE, TRANSFER_STATE, WINCH_STATE, CONTROL, DRIVE, CONTACT_COUNT, CONTACT_INT, CONTACT_GEOMETRY, LEDGER, COUNTER,
    WAVE_MODE, WAVE_FRAME, WAVE_ENERGY, WAVE_TENSION, TRANSFER_HEAD, LATTICE_POS, LATTICE_VEL, LATTICE_ACC, LATTICE_OLD_POS,
    LATTICE_OLD_VEL, LATTICE_REF, LATTICE_MODE, LATTICE_NUMBER, LATTICE_PAIR, LATTICE_TALLY,
    ROD_FRAME, ROD_FORCE, ROD_POSE, ROD_END, ROD_STIFFNESS, ROD_SLIDE,
    LEAN_COUNT, LEAN_ROW, LEAN_FORCE, LEAN_POSE, LEAN_END, LEAN_STIFFNESS, SLIDE_PULL,
    FEED_STATE, STRAND_QUIET,
    TRANSFER_ROW, ROPE_ORDER, ROPE_LIVE, WRAP_INT, WRAP_STATE,
) = range(len(STATE))  # fmt: skip

# ---- scratch ---------------------------------------------------------------------------------------------------------

WORK: tuple[Field, ...] = (
    _F(
        "count",
        int,
        0,
        "-",
        "groups now, groups of joints, 1: joints have bounds, 1: plan is valid, first bad body, 1: fill-in, 1: friction is iterated, nodes with far neighbours and one more, 1: another pass may follow, (9,)",
    ),
    _F(
        "group_int",
        int,
        5,
        "-",
        "rows, first row, soft, first Jacobian block, rows that carry tension; one more at the end, shape (groups + 1, 5)",
    ),
    _F(
        "block_int",
        int,
        4,
        "-",
        "body, offset in jac, slot in the factors, how far the rows there are apart, negative: the row group leaves first, shape (blocks, 4)",
    ),
    _F("jac", float, 0, "-", "Jacobian blocks (dim, 6), shape (floats,)"),
    _F("row", float, 12, "m/s, ...", "see the columns R_, shape (rows, 12)"),
    _F("tally", float, 0, "m/s, N s", "see the places T_, shape (5,)"),
    _F("row_int", int, 2, "-", "normal row that limits a friction row or -1; 1: undetermined, shape (rows, 2)"),
    _F("joint_slope", float, 2, "m/s", "rate of the target of driven joints, new and old, shape (g, 2)"),
    _F("joint_arm", float, 7, "m", "arms of distance rows in world axes, and their length, shape (g, 7)"),
    _F("joint_stiffness_new", float, 2, "kg m^2", "this step's, shape (g, 2)"),
    _F("node_drag", float, 6, "N s", "sudden geometric stiffness times velocity, shape (nodes, 6)"),
    _F("node_block", float, 36, "kg", "mass matrix with geometric stiffness, lower part, shape (nodes, 36)"),
    _F("node_rhs", float, 6, "N s", "right side, shape (nodes, 6)"),
    _F("body_world_inertia", float, 6, "kg m^2", "at mid-step, xx xy xz yy yz zz, shape (n, 6)"),
    _F("body_free", float, 6, "m/s", "velocity without rows, shape (n, 6)"),
    _F("body_new", float, 6, "m/s", "velocity with rows, shape (n, 6)"),
    _F("part_place", float, 23, "m, rad", "parts in the world, shape (parts, 23)"),
    _F("part_pull", float, 0, "-", "derivative of a span, scratch, shape (9,)"),
    _F("rope_rate", float, 0, "m/s", "rate of each segment by its flows, shape (segments,)"),
    _F("slip", float, 19, "N", "misses of slipping rope, see taut.cables.massless.slip, shape (transfers, 19)"),
    _F("slip_force", float, 0, "N", "force on each transfer while it is sought, shape (transfers,)"),
    _F("slip_small", float, 0, "-", "scratch of taut.cables.massless.slip, shape (35,)"),
    _F("slip_count", int, 0, "-", "1: a round was made, changes since, shape (2,)"),
    _F("pair_block", float, 36, "kg", "off-diagonal geometric stiffness, shape (pairs, 36)"),
    _F(
        "pair_int",
        int,
        2,
        "-",
        "slot, how far its rows are apart, negative: the second node leaves first, shape (pairs, 2)",
    ),
    _F("point", float, 18, "m", "two point Jacobians, scratch, shape (2, 18)"),
    _F("trial_pos", float, 3, "m", "poses at the end of the step while re-linearising, shape (n, 3)"),
    _F("trial_quat", float, 4, "-", "shape (n, 4)"),
    _F("trial_phi", float, 0, "m", "shape (rows,)"),
    _F("trial_jac", float, 0, "-", "shape (72,)"),
    _F("slots", float, 0, "-", "blocks of the factorisation, shape (floats,)"),
    _F("inv", float, 0, "-", "inverse pivots, shape (unknowns,)"),
    _F("peak", float, 0, "-", "largest diagonal where rows meet rows, shape (unknowns,)"),
    _F("columns", float, 0, "-", "columns of the node that leaves, shape (floats,)"),
    _F("x", float, 0, "-", "right side and solution, shape (unknowns,)"),
    _F("graph_node", int, 11, "-", "see taut.core.plan, shape (graph nodes, 11)"),
    _F("graph_link", int, 2, "-", "next link, neighbour, shape (links, 2)"),
    _F("graph_size", int, 0, "-", "shape (3,)"),
    _F("plan_node", int, 7, "-", "see taut.core.plan, shape (graph nodes + 1, 7)"),
    _F("plan_nb", int, 2, "-", "neighbour, slot, shape (links, 2)"),
    _F("plan_up", int, 5, "-", "see taut.core.plan, shape (updates, 5)"),
    _F("plan_size", int, 0, "-", "shape (5,)"),
    _F("old_int", int, 6, "-", "contacts of the step before: bodies, key, bounds, shape (c, 6)"),
    _F("old_geometry", float, 11, "-", "normal, tangent, multipliers, Sigma of friction, stiffness, shape (c, 11)"),
    _F("rock", float, 6, "kg m^2", "stiffness of contacts against rocking, xx xy xz yy yz zz, shape (c, 6)"),
    _F("rock_int", int, 2, "-", "where its block between both bodies stands, see taut.step.system, shape (c, 2)"),
    _F("found_a", int, 0, "-", "contacts as detected, see taut.contact.work, shape (c,)"),
    _F("found_b", int, 0, "-", "shape (c,)"),
    _F("found_shape_a", int, 0, "-", "shape (c,)"),
    _F("found_shape_b", int, 0, "-", "shape (c,)"),
    _F("found_point", float, 3, "m", "shape (c, 3)"),
    _F("found_normal", float, 3, "-", "shape (c, 3)"),
    _F("found_gap", float, 0, "m", "shape (c,)"),
    _F("found_key", int, 0, "-", "shape (c,)"),
    _F("shape_pose", float, 16, "m", "scratch of the detection, see taut.contact.work, shape (s, 16)"),
    _F("shape_low", float, 3, "m", "shape (s, 3)"),
    _F("shape_high", float, 3, "m", "shape (s, 3)"),
    _F("shape_slab", int, 0, "-", "see taut.contact.slabs, shape (s,)"),
    _F("shape_place", int, 0, "-", "shape (s,)"),
    _F("shape_start", int, 0, "-", "shape (s + 4,)"),
    _F("shape_order", int, 0, "-", "shape (s,)"),
    _F("shape_pair", int, 0, "-", "shape (p,)"),
    _F("shape_raw", int, 0, "-", "shape (p,)"),
    _F("shape_found", float, 8, "m", "shape (8, 8)"),
    _F("shape_local", float, 8, "m", "shape (259, 8)"),
    _F("shape_tally", int, 0, "-", "shape (4,)"),
    _F("shape_pressed", int, 0, "-", "pairs that pressed on each other, see taut.contact.work, shape (c,)"),
    _F("shape_fall", float, 0, "m", "way of a free fall from rest in the step, shape (3,)"),
    _F(
        "border",
        float,
        3 * MOST_CONTACTS,
        "1/kg",
        "G A^-1 G^T over the contact rows, see taut.step.border, shape (3 c, 144)",
    ),
    _F(
        "krylov",
        float,
        KRYLOV_VECTORS + 4,
        "N s",
        "vectors over the contacts, columns K_ of taut.step.coupling, shape (c, 32)",
    ),
    _F("krylov_small", float, KRYLOV_VECTORS + 4, "-", "their small system, columns S_ there, shape (30, 32)"),
    _F("border_factors", float, 3 * MOST_CONTACTS, "1/kg", "scratch of taut.step.polish, shape (3 c, 144)"),
    _F(
        "border_side", float, 10, "m/s, N s", "right side, impulse and state, see taut.step.polish, shape (3 c + 1, 10)"
    ),
    _F(
        "inner",
        float,
        7,
        "N s, m/s",
        "see the columns I_ and taut.step.interior, shape (rows where things can touch, 7)",
    ),
    # the block Gauss-Seidel solver only, else empty; `k` counts sets, `p` nodes of the plan
    _F("set_int", int, 7, "-", "see the columns S_, in the order of the sweep, shape (k, 7)"),
    _F("copy_node", int, 0, "-", "node of the body that a copy in the plan stands for, -1 for rows, shape (p,)"),
    _F("block_copy", int, 0, "-", "copy that each Jacobian block acts on, -1 for known motion, shape (2 g,)"),
    _F("node_impulse", float, 6, "N s", "sum of all impulses on a body, shape (nodes, 6)"),
    _F("node_inverse", float, 6, "1/(kg m^2)", "inverse inertia at mid-step, shape (nodes, 6)"),
    _F("contact_weight", float, 6, "1/kg", "G M^-1 G^T + Sigma of a contact, nn nt ns tt ts ss, shape (c, 6)"),
    # layered ropes only, else empty
    _F("span_work", float, 58, "m, kg, N", "see taut.cables.layered.columns, shape (layered spans, 58)"),
    _F("mode_work", float, 3, "m/s, kg", "new velocity and own mass of each mode, shape (modes, 3)"),
    _F("wave_row", float, 13, "N, 1/kg, m/s", "what waves put into the row of each segment, shape (segments, 13)"),
    _F("wave_kept", float, 4, "m, m/s", "modes of two spans, set aside while they change, shape (modes, 4)"),
    _F("wave_jac", float, 0, "-", "Jacobian blocks without waves, shape (floats,)"),
    _F("wave_rule", float, 0, "-", "law of a segment, scratch, shape (5,)"),
    # honeycomb ropes only, else empty: the scratch of taut.cables.honeycomb.arrays and of taut.cables.honeycomb.carried
    _F("lattice_arm", float, 3, "m", "held masses from their body, shape (N, 3)"),
    _F("lattice_ends", float, 9, "m, m/s", "motion of both ends over the step, shape (2 lattices, 9)"),
    _F(
        "lattice_law_now",
        float,
        5,
        "N/m, N s/m, m",
        "springs as the implicit step with bodies takes them, shape (S, 5)",
    ),
    _F("lattice_field", float, 0, "m/s^2, ...", "what acts everywhere, shape (13 lattices,)"),
    _F("lattice_shape", float, 46, "m, ...", "obstacles in the world, shape (obstacles, 46)"),
    _F("lattice_force", float, 3, "N", "shape (N, 3)"),
    _F("lattice_pos2", float, 3, "m", "shape (N, 3)"),
    _F("lattice_vel2", float, 3, "m/s", "shape (N, 3)"),
    _F("lattice_axis", float, 4, "m", "centre of each layer and how wide it is, shape (layers, 4)"),
    _F("lattice_touch", float, 15, "m, N", "contacts, shape (capacity, 15)"),
    _F("lattice_touch_node", int, 5, "-", "their masses, shape (capacity, 5)"),
    _F("lattice_load", float, 2, "N, -", "pressure as an implicit step begins, shape (N, 2)"),
    _F("lattice_tree", float, 6, "m", "boxes of the hierarchy, shape (2 leaves, 6)"),
    _F("lattice_flow", float, 0, "J, N s", "what went through the ends, shape (14 lattices,)"),
    _F("lattice_pose", float, 16, "m", "shapes in hand, shape (2 lattices, 16)"),
    _F("lattice_found", float, 8, "m", "shape (8 lattices, 8)"),
    _F("lattice_local", float, 8, "m", "shape (32 lattices, 8)"),
    _F(
        "lattice_lane", float, 0, "m, m/s, N", "layers side by side, see taut.cables.honeycomb.ordered, shape (floats,)"
    ),
    _F("lattice_system", float, 0, "N/m", "block tridiagonal matrices, shape (floats,)"),
    _F("lattice_work", float, 0, "-", "vectors of the implicit step, shape (floats,)"),
    _F("lattice_pushes", float, 9, "N/m", "matrix of every contact, shape (capacity, 9)"),
    _F("lattice_column", float, 0, "m", "answers to the motion of both ends, shape (floats,)"),
    _F("lattice_solve", float, 84, "m/s, N s, kg", "the condensed rope at each end, shape (2 lattices, 84)"),
    _F("lattice_push", float, 6, "N s", "impulses of lattices on bodies that they touch, shape (nodes, 6)"),
    _F("lattice_block", float, 36, "kg", "what lattices added to the mass matrices, shape (nodes, 36)"),
    _F("lattice_pair_block", float, 36, "kg", "and to the pairs, shape (pairs, 36)"),
    # rods only, else empty; `f` counts the frames of the longest of them
    _F("rod_frame_new", float, 4, "-", "at the end of the step, shape (frames, 4)"),
    _F("rod_force_new", float, 0, "N", "shape (3 rods,)"),
    _F("rod_pose_new", float, 14, "m, -", "shape (rods, 14)"),
    _F(
        "rod_end_new", float, 26, "N, N m, J, m", "wrenches, energy, motion of both bodies there, ..., shape (rods, 26)"
    ),
    _F("rod_stiffness_new", float, 144, "N/m, N, N m", "shape (rods, 144)"),
    _F("rod_slide_new", float, 2, "m, N/m", "shape (rods, 2)"),
    _F("rod_table_new", float, 15, "m, N m^2, 1/m", "rod_table for the lengths there, shape (frames, 15)"),
    _F("rod_chain_new", float, 21, "m", "rod_chain for the lengths there, shape (rods, 21)"),
    _F("rod_way", float, 4, "m, N, -", "scratch of sliding, shape (rods, 4)"),
    _F("rod_lost", int, 0, "-", "how often the step was begun anew for it, see taut.cables.rod.lost, shape (rods,)"),
    _F("rod_line", float, 24, "N, N m, m", "wrenches and motion where they are linearised, shape (rods, 24)"),
    _F("rod_line_stiffness", float, 144, "N/m, N, N m", "shape (rods, 144)"),
    _F("rod_row", float, 28, "m", "conditions at the ends, shape (3 rods, 28)"),
    _F("rod_body", float, 39, "m", "the two bodies of a rod, scratch, shape (2, 39)"),
    _F("rod_trial", float, 4, "-", "scratch, shape (f, 4)"),
    _F("rod_saved", float, 4, "-", "scratch, shape (f + 1, 4)"),
    _F("rod_block", float, 90, "-", "scratch, see taut.cables.rod.arrays, shape (f, 90)"),
    _F("rod_border", float, 45, "-", "scratch, shape (f, 45)"),
    _F("rod_dense", float, 10, "-", "scratch with held ends, shape (3, 10)"),
    _F("rod_dense_free", float, 34, "-", "scratch with both ends free, shape (15, 34)"),
    _F("rod_carry", float, 6, "-", "scratch, shape (20, 6)"),
    _F("rod_square", float, 12, "-", "scratch of the eigenvalues, shape (24, 12)"),
    _F("rod_talk", float, 0, "-", "what the stages of the solver tell each other, shape (16,)"),
    _F("rod_pass", float, 14, "m, -", "poses on the way, scratch, shape (2, 14)"),
    _F("rod_tally", int, 0, "-", "scratch, shape (6,)"),
    _F("rod_touch", int, 15, "-", "scratch, shape (2, 15)"),
    # rods that lean on bodies only, else empty
    _F("lean_count_new", int, 0, "-", "at the end of the step, shape (rods,)"),
    _F("lean_row_new", float, 28, "m", "shape (rows, 28)"),
    _F("lean_force_new", float, 0, "N", "shape (rows,)"),
    _F("lean_pose_new", float, 7, "m, -", "shape (seats, 7)"),
    _F("lean_end_new", float, 2, "N, N m, m", "wrenches and motion of the seats there, shape (6 seats, 2)"),
    _F("lean_stiffness_new", float, 0, "N/m, N, N m", "shape (floats,)"),
    _F("slide_pull_new", float, 0, "N/m, N", "shape (floats,)"),
    _F("lean_line", float, 2, "N, N m, m", "wrenches and motion where they are linearised, shape (6 seats, 2)"),
    _F("lean_line_stiffness", float, 0, "N/m, N, N m", "shape (floats,)"),
    _F("lean_shape_new", float, 11, "m, -", "shapes in the world, shape (shapes, 11)"),
    _F("lean_way", float, 7, "m, -", "poses of the seats of a rod, asked for and on the way, shape (2 most seats, 7)"),
    _F("lean_kept", float, 29, "m, N", "rows and forces to go back to, shape (most rows, 29)"),
    _F("lean_old", float, 29, "m, N", "scratch, shape (most rows, 29)"),
    _F("lean_block", float, 111, "-", "scratch, see taut.cables.rod.arrays, shape (f, 111)"),
    _F("lean_border", float, 0, "-", "scratch, shape (floats,)"),
    _F("lean_dense", float, 0, "-", "scratch, shape (floats,)"),
    _F("lean_carry", float, 6, "-", "scratch, shape (size, 6)"),
    _F("lean_square", float, 0, "-", "scratch of the stiffness and its eigenvalues, shape (floats,)"),
    _F("lean_probe", float, 11, "-", "scratch, shape (8, 11)"),
    _F("lean_stud", float, 5, "-", "none: bodies of a scene touch by themselves, shape (0, 5)"),
    _F("lean_report", float, 0, "-", "what the iteration reports, see taut.cables.rod.newton, shape (9,)"),
    _F("lean_sudden", int, 0, "-", "1: in this step a body is met or let go, shape (rods,)"),
    _F("lean_stack", int, 0, "-", "scratch, shape (128,)"),
    _F("lean_touch", int, 0, "-", "scratch, shape (2 size,)"),
    # ropes with wraps only, else empty
    _F("chain_node", float, 19, "m, rad", "wraps in a row, see taut.contact.wrapping.chain, shape (16, 19)"),
    _F("chain_matrix", float, 0, "-", "scratch of taut.contact.wrapping.chain, shape (4096,)"),
    _F("chain_side", float, 0, "m", "shape (64,)"),
)
(
    COUNT, GROUP_INT, BLOCK_INT, JAC, ROW, TALLY, ROW_INT, JOINT_SLOPE, JOINT_ARM, JOINT_STIFFNESS_NEW, NODE_DRAG, NODE_BLOCK, NODE_RHS, BODY_WORLD_INERTIA,
    BODY_FREE, BODY_NEW, PART_PLACE, PART_PULL, ROPE_RATE, SLIP, SLIP_FORCE, SLIP_SMALL, SLIP_COUNT, PAIR_BLOCK, PAIR_INT, POINT_JACOBIANS, TRIAL_POS, TRIAL_QUAT, TRIAL_PHI, TRIAL_JAC, SLOTS, INV,
    PEAK, COLUMNS, X, GRAPH_NODE, GRAPH_LINK, GRAPH_SIZE, PLAN_NODE, PLAN_NB, PLAN_UP, PLAN_SIZE, OLD_INT, OLD_GEOMETRY, ROCK, ROCK_INT,
    FOUND_A, FOUND_B, FOUND_SHAPE_A, FOUND_SHAPE_B, FOUND_POINT, FOUND_NORMAL, FOUND_GAP, FOUND_KEY, SHAPE_POSE,
    SHAPE_LOW, SHAPE_HIGH, SHAPE_SLAB, SHAPE_PLACE, SHAPE_START, SHAPE_ORDER, SHAPE_PAIR, SHAPE_RAW, SHAPE_FOUND, SHAPE_LOCAL, SHAPE_TALLY, SHAPE_PRESSED, SHAPE_FALL, BORDER, KRYLOV, KRYLOV_SMALL, BORDER_FACTORS, BORDER_SIDE, INNER, SET_INT, COPY_NODE,
    BLOCK_COPY, NODE_IMPULSE, NODE_INVERSE, CONTACT_WEIGHT, SPAN_WORK, MODE_WORK, WAVE_ROW, WAVE_KEPT, WAVE_JAC, WAVE_RULE,
    LATTICE_ARM, LATTICE_ENDS, LATTICE_LAW_NOW, LATTICE_FIELD, LATTICE_SHAPE, LATTICE_FORCE, LATTICE_POS2, LATTICE_VEL2, LATTICE_AXIS,
    LATTICE_TOUCH, LATTICE_TOUCH_NODE, LATTICE_LOAD, LATTICE_TREE, LATTICE_FLOW, LATTICE_POSE, LATTICE_FOUND, LATTICE_LOCAL, LATTICE_LANE,
    LATTICE_SYSTEM, LATTICE_WORK, LATTICE_PUSHES, LATTICE_COLUMN, LATTICE_SOLVE, LATTICE_PUSH, LATTICE_BLOCK, LATTICE_PAIR_BLOCK,
    ROD_FRAME_NEW, ROD_FORCE_NEW, ROD_POSE_NEW, ROD_END_NEW, ROD_STIFFNESS_NEW, ROD_SLIDE_NEW,
    ROD_TABLE_NEW, ROD_CHAIN_NEW, ROD_WAY, ROD_LOST, ROD_LINE, ROD_LINE_STIFFNESS, ROD_ROW, ROD_BODY, ROD_TRIAL,
    ROD_SAVED, ROD_BLOCK, ROD_BORDER, ROD_DENSE, ROD_DENSE_FREE, ROD_CARRY, ROD_SQUARE, ROD_TALK, ROD_PASS, ROD_TALLY, ROD_TOUCH,
    LEAN_COUNT_NEW, LEAN_ROW_NEW, LEAN_FORCE_NEW, LEAN_POSE_NEW, LEAN_END_NEW, LEAN_STIFFNESS_NEW, SLIDE_PULL_NEW, LEAN_LINE, LEAN_LINE_STIFFNESS,
    LEAN_SHAPE_NEW, LEAN_WAY, LEAN_KEPT, LEAN_OLD, LEAN_BLOCK, LEAN_BORDER, LEAN_DENSE, LEAN_CARRY, LEAN_SQUARE, LEAN_PROBE, LEAN_STUD,
    LEAN_REPORT, LEAN_SUDDEN, LEAN_STACK, LEAN_TOUCH,
    CHAIN_NODE, CHAIN_MATRIX, CHAIN_SIDE,
) = range(len(WORK))  # fmt: skip
