"""The stage of ropes that wrap round obstacles, compiled only where a scene has one."""

from __future__ import annotations

from taut.cables.massless.wrap import wrap_ropes
from taut.core.stage import model_of, state_of, work_of


def wrap(context, h, extra):  # type: ignore[no-untyped-def]
    """Wraps come, slide and go; below zero: no slot left for one."""
    return wrap_ropes(model_of(context), state_of(context), work_of(context), h)
