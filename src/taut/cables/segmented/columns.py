"""Columns of the tables of segmented cables that change while running."""

from __future__ import annotations

#: columns of follow_int: the segment that is carried along, and the body that carries it
O_BODY, O_HOST = 0, 1

#: columns of watch_int: row group of the joint, its strand, 1: the segments beside it may be merged, 1: the one before it
#: may be split, 1: the one after it may be, body that tells the direction of the cable there
U_GROUP, U_STRAND, U_MERGE, U_BEFORE, U_AFTER, U_BODY = range(6)
#: columns of watch_law: length of the segment before and after the joint, tension at which it parts
U_LENGTH_BEFORE, U_LENGTH_AFTER, U_BREAK = range(3)
#: columns of strand_law: mass of a metre, angles below which segments are merged and above which they are split, lengths
#: up to which they are merged and beyond which they are split in units of what a wave runs in a step, steps between merges
A_LINE, A_STRAIGHT, A_BENT, A_MERGE, A_SPLIT, A_QUIET = range(6)

#: columns of feed_int: row group of the end, of the joint at the far end of the segment that grows (-1: none), that segment,
#: 1: paid out at the start of the cable, -1: at its end, drive of the speed
E_GROUP, E_NEXT, E_BODY, E_SIDE, E_DRIVE = range(5)
#: columns of feed_law: mass of a metre, radius, 1/EA, 1/EI about both axes, 1/GJ, length of the next segment, lengths of the
#: growing segment at which it is taken in and parted in two, and at which paying out ends either way
(
    E_LINE, E_RADIUS, E_STRETCH, E_BEND, E_BEND_ACROSS, E_TWIST, E_NEXT_LENGTH, E_SHORT, E_LONG, E_LEAST, E_MOST,
) = range(11)  # fmt: skip
#: columns of feed_state: length of the segment that grows, speed of the last step and of this one
E_LENGTH, E_SPEED_OLD, E_SPEED = range(3)
