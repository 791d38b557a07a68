"""Validation of the step and its solver: conservation, orders, springs, joints, drives, structure."""

from __future__ import annotations

from taut.validate.conservation import long_pendulum, momentum, tumbling_box
from taut.validate.drives import limits, motors, servos, slack_rope, wind
from taut.validate.joint_motion import distance, hinge, lock, straight, trammel
from taut.validate.lab import Check
from taut.validate.oscillator import damping, orders, recurrence, spring_force, stiffness_range
from taut.validate.structure import locked_twice, ring

CHECKS: tuple[Check, ...] = (
    momentum, tumbling_box, long_pendulum,
    recurrence, damping, spring_force, orders, stiffness_range,
    hinge, straight, trammel, distance, lock,
    motors, servos, limits, slack_rope, wind,
    locked_twice, ring,
)  # fmt: skip
