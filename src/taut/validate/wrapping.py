"""Validation of taut rope over geometry: shortest paths, pendulums on pegs, friction, free obstacles, fast ropes."""

from __future__ import annotations

from taut.validate.lab import Check
from taut.validate.wrapping_motion import bollard, fast_rope, free_body, friction, interrupted_pendulum
from taut.validate.wrapping_paths import shortest_over_boxes, shortest_round_cylinders

CHECKS: tuple[Check, ...] = (
    shortest_over_boxes, shortest_round_cylinders, interrupted_pendulum, friction, free_body, fast_rope,
    bollard,
)  # fmt: skip
