"""Validation of the segmented cable (paper 1)."""

from __future__ import annotations

from taut.validate.lab import Check
from taut.validate.segmented_auto import hoisted, moored
from taut.validate.segmented_buckling import euler, greenhill, twisted_wire
from taut.validate.segmented_crane import heavy_crane, swinging_crane
from taut.validate.segmented_detail import events, long_rope, parting, sliding
from taut.validate.segmented_modes import cantilever_modes, chain_modes, elastic_pendulum
from taut.validate.segmented_pay_out import pay_out
from taut.validate.segmented_ratios import gauss_seidel, longest_swing, paper_joints, table_two, violent_anchor
from taut.validate.segmented_requirements import requirements
from taut.validate.segmented_rope import steel_rest, steel_swing
from taut.validate.segmented_shapes import catenary, own_weight, tip_load
from taut.validate.segmented_statics import bent, isotropy, stretched, twisted
from taut.validate.segmented_table_one import figures, paper_stepper, table_one
from taut.validate.segmented_whip import whip

CHECKS: tuple[Check, ...] = (
    requirements, stretched, twisted, bent, isotropy, catenary, own_weight, tip_load, euler, greenhill, twisted_wire,
    chain_modes,
    cantilever_modes, elastic_pendulum, steel_swing, steel_rest, table_one, paper_stepper, figures, table_two, longest_swing,
    paper_joints, gauss_seidel, violent_anchor, pay_out, events, long_rope, parting, sliding,
    moored, hoisted, swinging_crane, heavy_crane, whip,
)  # fmt: skip
