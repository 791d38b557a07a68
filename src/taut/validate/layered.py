"""Validation of the layered cable: sag, waves and the weight of hoisting ropes."""

from __future__ import annotations

from taut.validate.lab import Check
from taut.validate.layered_crane import axial_weight, decay, lift_delay, light_sheave, massless_limit, snap_load
from taut.validate.layered_obstacles import bar_under_span, interrupted_pendulum, rough_drum
from taut.validate.layered_segments import beside_segments
from taut.validate.layered_swing import free_fall, heavy_pendulum, slew
from taut.validate.layered_waves import energy, explicit_scheme, hanging, irvine, stability, string_frequencies

CHECKS: tuple[Check, ...] = (
    hanging, string_frequencies, irvine, energy, stability, heavy_pendulum, free_fall, slew, axial_weight, lift_delay,
    decay, snap_load, light_sheave, massless_limit, interrupted_pendulum, bar_under_span, rough_drum, explicit_scheme,
    beside_segments,
)  # fmt: skip
