"""Validation of the first contacts: slopes, landing, stacks, rolling, tipping, bouncing, collisions."""

from __future__ import annotations

from taut.validate.impact import bounce, collision, landing, stack
from taut.validate.lab import Check
from taut.validate.slope import fast_block, rolling, sliding, sticking, tipping

CHECKS: tuple[Check, ...] = (sticking, sliding, fast_block, rolling, tipping, landing, stack, bounce, collision)
