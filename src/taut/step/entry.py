"""The one call from Python into the compiled step."""

from __future__ import annotations

from typing import Any

from taut.step.pipeline import run as _run


def run(compiled: Any, work: Any, backup: Any, steps: int) -> tuple[int, int]:
    """Make `steps` steps; returns (steps made, status of the last one)."""
    c = compiled
    made, status = _run(c.settings, c.model, c.state, work, backup, steps, c.wind, c.families)
    return int(made), int(status)
