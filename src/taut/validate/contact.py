"""Validation of contact with ropes: capstan, ground, slope, heap, meshes, and bodies that start badly."""

from __future__ import annotations

from taut.validate.contact_capstan import capstan, hold_and_slip
from taut.validate.contact_ground import heap, large_heap, on_a_slope, touching_down
from taut.validate.contact_mesh import chain_of_links, mesh_on_a_slope
from taut.validate.contact_piles import random_piles
from taut.validate.contact_rest import heavy_stack, inside_each_other
from taut.validate.lab import Check

CHECKS: tuple[Check, ...] = (
    heavy_stack, inside_each_other, capstan, hold_and_slip, touching_down, on_a_slope, heap, large_heap,
    random_piles, chain_of_links, mesh_on_a_slope,
)  # fmt: skip
