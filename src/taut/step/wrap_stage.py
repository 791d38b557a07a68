"""The stage of ropes that wrap round obstacles, compiled only where a scene has one."""

from __future__ import annotations

from taut.cables.massless.wrap import wrap_ropes
from taut.core.stage import model_of, settings_of, state_of, work_of


def make_wrap(waves):  # type: ignore[no-untyped-def]
    """The stage; `waves` is None where no rope has any."""

    def wrap(context, h, extra):  # type: ignore[no-untyped-def]
        """Wraps come, slide and go; below zero: no slot left for one."""
        return wrap_ropes(settings_of(context), model_of(context), state_of(context), work_of(context), h, waves)

    return wrap
