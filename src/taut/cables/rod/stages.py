"""The stages of rods in a scene that moves; only scenes that have them load their kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from taut.cables.rod.equilibrium import factor_rod, look_at_rod, step_rod
from taut.cables.rod.follow import follow_free
from taut.cables.rod.lean_follow import follow_leaning
from taut.cables.rod.lean_solve import solve_leaning, stiffen_leaning
from taut.cables.rod.moving import flex_rods, hold_rods, relax_rods, rest_rods
from taut.cables.rod.sharing import slide_run
from taut.core.order import Stage
from taut.core.stage import model_of, settings_of, state_of, work_of


def _make_flex(leaning):
    """The rods as they stand at the start of the step; `leaning` is None where none leans on bodies, as in all that follow."""

    def _flex(context, h, extra):
        flex_rods(model_of(context), state_of(context), work_of(context), leaning)
        return 0

    return _flex


def _make_hold(leaning):
    """Wrenches and stiffness of the rods on the bodies."""

    def _hold(context, h, extra):
        m, s, w = model_of(context), state_of(context), work_of(context)
        hold_rods(settings_of(context), m, s, w, h, extra, leaning)
        return 0

    return _hold


def _make_relax(leaning):
    """Rods to where the bodies will be; 1 when another pass is needed."""

    def _relax(context, h, extra):
        return relax_rods(context, model_of(context), state_of(context), work_of(context), h, leaning)

    return _relax


def _make_slide(leaning):
    """The run of rods that slides and begins with number `extra` to where the bodies will be, 0 where it finds no rest there; below
    zero: without a look at how it answers."""

    def _slide(context, h, extra):
        first, whole = (int(extra), True) if extra >= 0.0 else (int(-1.0 - extra), False)
        return slide_run(context, model_of(context), state_of(context), work_of(context), first, h, whole, leaning)

    return _slide


def _make_rest(leaning):
    """The rods of a step that is taken."""

    def _rest(context, h, extra):
        m, s, w = model_of(context), state_of(context), work_of(context)
        rest_rods(settings_of(context), context, m, s, w, h, extra, leaning)
        return 0

    return _rest


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


def _lean(context, h, extra):
    """Equilibrium of rod number `extra` among bodies that it leans on, 1 if found; below zero: its stiffness."""
    if extra < 0.0:
        stiffen_leaning(model_of(context), work_of(context), int(-1.0 - extra))
        return 0
    return solve_leaning(model_of(context), work_of(context), int(extra))


def _follow(context, h, extra):
    """Rod number `extra`, which leans on nothing, to where its bodies will be; 1 if it has a shape there."""
    return follow_free(context, model_of(context), state_of(context), work_of(context), int(extra), h)


def _lean_follow(context, h, extra):
    """Rod number `extra`, which leans on bodies, to where all of them will be; 1 if it has a shape there."""
    return follow_leaning(context, model_of(context), state_of(context), work_of(context), int(extra), h)


#: makers of the stages, by what a scene has
ROD_STAGES: dict[Stage, Callable[..., Callable[..., Any]]] = {
    Stage.FLEX: _make_flex,
    Stage.HOLD: _make_hold,
    Stage.RELAX: _make_relax,
    Stage.REST: _make_rest,
    Stage.ROD_LOOK: lambda: _look,
    Stage.ROD_FACTOR: lambda: _factor,
    Stage.ROD_STEP: lambda: _step,
    Stage.ROD_LEAN: lambda: _lean,
    Stage.LEAN_FOLLOW: lambda: _lean_follow,
    Stage.ROD_FOLLOW: lambda: _follow,
    Stage.SLIDE_RUN: _make_slide,
}
