"""Numbers that stand for kinds of bodies, rows, multipliers, drives and motions."""

from __future__ import annotations

#: how a body turns: not at all (particle), with equal inertias, as a general rigid body, or as a segment of a cable, thin or stout
POINT, ISOTROPIC, GENERAL, NEEDLE, STOUT = 0, 1, 2, 3, 4

#: row groups
(
    BALL, HINGE, SLIDER, LOCK, DISTANCE, POINT_ON_LINE, SEGMENT, PAPER_SEGMENT, AXIS_MOTOR, AXIS_SERVO, AXIS_LIMIT,
    CONTACT,
) = range(12)  # fmt: skip
GROUP_DIM = (3, 5, 5, 6, 1, 2, 6, 5, 1, 1, 1, 3)
#: what a motor, servo or limit row acts along
ALONG_LENGTH, ALONG_LINE, ABOUT_AXIS = 0, 1, 2

#: state of a multiplier: free, at its lower bound, at its upper bound, or friction at its limit (zero when open)
FREE, LOW, HIGH, SLIDE = 0, 1, 2, 3

#: what a drive sets: a speed (velocity row), a position, or a position that grows with the drive's speed (a winch)
BY_RATE, BY_TARGET, BY_TRAVEL = 0, 1, 2

#: motions of kinematic bodies
BY_POSE, BY_VELOCITY, BY_CONTROL = 0, 1, 2
