"""The stages of layered cables, apart from the others: only scenes that have them load their kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from taut.cables.layered.condense import condense_waves, restore_waves
from taut.cables.layered.lay import lay_waves
from taut.cables.layered.settle import settle_waves
from taut.core.order import Stage
from taut.core.stage import model_of, settings_of, state_of, work_of


def _lay(context, h, extra):
    """Where layered spans lie, what they weigh, and a first guess of their waves."""
    lay_waves(settings_of(context), model_of(context), state_of(context), work_of(context), h, extra)
    return 0


def _condense(context, h, extra):
    """Waves of layered spans into rows and bodies."""
    condense_waves(settings_of(context), model_of(context), state_of(context), work_of(context), h, extra)
    return 0


def _ripple(context, h, extra):
    """Waves and tensions of layered spans from the solution; 1 when another pass is needed."""
    return restore_waves(settings_of(context), model_of(context), state_of(context), work_of(context), h, extra)


def _settle(context, h, extra):
    """The waves of a step that can be trusted; body at a span that cannot, else -1."""
    return settle_waves(settings_of(context), model_of(context), state_of(context), work_of(context), h)


WAVE_STAGES: dict[Stage, Callable[..., Any]] = {
    Stage.LAY: _lay,
    Stage.CONDENSE: _condense,
    Stage.RIPPLE: _ripple,
    Stage.SETTLE: _settle,
}
