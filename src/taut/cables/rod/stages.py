"""The stages of rods in a scene that moves; only scenes that have them load their kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from taut.cables.rod.equilibrium import factor_rod, look_at_rod, step_rod
from taut.cables.rod.moving import flex_rods, hold_rods, relax_rods, rest_rods
from taut.core.order import Stage
from taut.core.stage import model_of, settings_of, state_of, work_of


def _flex(context, h, extra):
    """The rods as they stand at the start of the step."""
    flex_rods(model_of(context), state_of(context), work_of(context))
    return 0


def _hold(context, h, extra):
    """Wrenches and stiffness of the rods on the bodies."""
    hold_rods(settings_of(context), model_of(context), state_of(context), work_of(context), h, extra)
    return 0


def _relax(context, h, extra):
    """Rods to where the bodies will be; 1 when another pass is needed."""
    return relax_rods(context, model_of(context), state_of(context), work_of(context), h)


def _rest(context, h, extra):
    """The rods of a step that is taken."""
    rest_rods(settings_of(context), context, model_of(context), state_of(context), work_of(context), h, extra)
    return 0


def _look(context, h, extra):
    """Part of the solver: energy and residual of rod number `extra` a part of a step further."""
    look_at_rod(model_of(context), work_of(context), int(extra))
    return 0


def _factor(context, h, extra):
    """Part of the solver: eliminate rod number `extra`, below zero with both its ends free."""
    if extra < 0.0:
        return factor_rod(model_of(context), work_of(context), int(-1.0 - extra), True)
    return factor_rod(model_of(context), work_of(context), int(extra), False)


def _step(context, h, extra):
    """Part of the solver: Newton's step of rod number `extra`."""
    step_rod(model_of(context), work_of(context), int(extra))
    return 0


ROD_STAGES: dict[Stage, Callable[..., Any]] = {
    Stage.FLEX: _flex,
    Stage.HOLD: _hold,
    Stage.RELAX: _relax,
    Stage.REST: _rest,
    Stage.ROD_LOOK: _look,
    Stage.ROD_FACTOR: _factor,
    Stage.ROD_STEP: _step,
}
