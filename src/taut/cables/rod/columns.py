"""Columns of the tables of rods in a scene that moves: where each rod lies, and what it does to the bodies at its ends.

Wrenches, motions and stiffness are those of both bodies at their centres of mass, world axes: force and torque, shift
and turn of the first body, then of the second.
"""

#: columns of rod_int: first row in the tables of frames and number of rows, conditions at the end (3, or 0: free), bodies,
#: pair block, 1 where it slides through a clip into the rod after it; of a rod that leans on bodies, else -1 and zeros:
#: first of its rows and how many there is room for, first shape and how many, first seat and how many, first number of its
#: stiffness. Pair blocks of its seats begin where those of all rods before it end
#: Of a rod that slides and whose clips or ends are on bodies that move by themselves, else -1: first rod of its run, and
#: of the run as one: first seat and how many, first number of its stiffness, place of its pulls in slide_pull, seat of the run at
#: which those that this rod leans on begin
(
    RI_FRAME, RI_FRAMES, RI_ROWS, RI_A, RI_B, RI_PAIR, RI_SLIDES, RI_ROW, RI_ROOM, RI_SHAPE, RI_SHAPES, RI_SEAT, RI_SEATS, RI_MATRIX,
    RI_RUN, RI_RUN_SEAT, RI_RUN_SEATS, RI_RUN_MATRIX, RI_RUN_PULL, RI_RUN_LEAN,
) = range(20)  # fmt: skip
#: columns of rod_law: the scales of `newton`, damping time [s], longest chord for which a shape is looked for [m],
#: most negative stiffness that the inertia of the bodies bears in a step [N/m], length that the tables are for [m], least
#: length to which it slides [m]
RL_SCALES, RL_TAU, RL_REACH, RL_NEGATIVE, RL_LENGTH, RL_LEAST = 0, 6, 7, 8, 9, 10
#: columns of rod_slide: length [m], change of its pull with the length [N/m]
RS_LENGTH, RS_STIFF = 0, 1
#: columns of rod_way: length and pull before a shift of material [m], [N], distance of its ends [m], whether it takes part
RW_LENGTH, RW_PULL, RW_CHORD, RW_FREE = 0, 1, 2, 3
#: columns of rod_end: wrenches now and a step before, energy [J], the same at the middle of the step [J], steps without a
#: shape, 1 where the last step was one without a shape or with a drag (`lost.py`)
RE_NOW, RE_BEFORE, RE_ENERGY, RE_MIDDLE, RE_UNSOLVED, RE_LOST = 0, 12, 24, 25, 26, 27
#: columns of rod_end_new: wrenches, motion since the start of the step, energy, what contacts add to its length times dE/dL [J]
RN_WRENCH, RN_SHIFT, RN_ENERGY, RN_LEAN = 0, 12, 24, 25
#: columns of lean_end, and of lean_end_new and lean_line
LE_NOW, LE_BEFORE = 0, 1
LN_WRENCH, LN_SHIFT = 0, 1
#: columns of rod_line
RK_WRENCH, RK_SHIFT = 0, 12
#: places in rod_talk: shift of the matrix, part of a step, weight of the merit; energy, residual and merit that were
#: found; what rows add to the merit, its slope, largest rotation
TK_SHIFT, TK_PART, TK_WEIGHT, TK_ENERGY, TK_FOUND, TK_MERIT, TK_ADDED, TK_FALL, TK_LARGEST = range(9)
