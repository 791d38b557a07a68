"""Validation of the massless cable and the hoisting machine around it."""

from __future__ import annotations

from taut.validate.lab import Check
from taut.validate.massless_landing import relift, stiff_relift
from taut.validate.massless_machine import drum_traverse, load_moment, rope_weight, two_block, winch_position
from taut.validate.massless_motion import bounce, fig_9, master_link, pure_swing, trolley_swing
from taut.validate.massless_paper import (
    deformation_force,
    stretch_periods,
    twist_periods,
    velocity_row,
    vibration_energy,
)
from taut.validate.massless_reeving import (
    atwood,
    capstan,
    falls,
    lead_line,
    leaning_falls,
    length_account,
    wrap_geometry,
)
from taut.validate.massless_start import changes, pick_up, starts
from taut.validate.massless_twist import laid_rope, twist_slack
from taut.validate.massless_winch import drum_layers, winch_brake, winch_limits, winch_speed, winch_stops

CHECKS: tuple[Check, ...] = (
    stretch_periods, twist_periods, deformation_force, vibration_energy, velocity_row, fig_9, relift, stiff_relift,
    pure_swing, wrap_geometry, falls, leaning_falls, lead_line, atwood, capstan, length_account, drum_layers, winch_speed,
    winch_limits, winch_brake, winch_stops, winch_position, two_block, load_moment, drum_traverse, rope_weight, starts, changes,
    pick_up, twist_slack, laid_rope, master_link, bounce, trolley_swing,
)  # fmt: skip
