"""The stages of honeycomb cables, apart from the others: only scenes that have them load their kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from taut.cables.honeycomb.rooms import add_pushes, fasten, knit, unknit, weave
from taut.core.order import Stage
from taut.core.stage import model_of, settings_of, state_of, work_of


def _make_weave(windy, explicit, implicit, carried):
    """Ropes whose ends move as told go through the step; those that carry bodies begin it. What is None is not compiled."""

    def _weave(context, h, extra):
        m, s, w = model_of(context), state_of(context), work_of(context)
        return weave(settings_of(context), m, s, w, h, extra, windy, explicit, implicit, carried)

    return _weave


def _knit(context, h, extra):
    """Lattices into the bodies that they carry and touch."""
    knit(model_of(context), state_of(context), work_of(context), h)
    return 0


def _knit_pushes(context, h, extra):
    """Impulses of explicit lattices on bodies that they touch."""
    add_pushes(work_of(context))
    return 0


def _unknit(context, h, extra):
    """Lattices from the solution; 1 when another pass is needed."""
    return unknit(model_of(context), state_of(context), work_of(context), h)


def _fasten(context, h, extra):
    """The lattices of a step that can be trusted; what is wrong with one that cannot, else -1."""
    return fasten(model_of(context), state_of(context), work_of(context), h)


def _make_knit(carried):
    return _knit if carried else _knit_pushes


LATTICE_STAGES: dict[Stage, Callable[..., Callable[..., Any]]] = {
    Stage.WEAVE: _make_weave,
    Stage.KNIT: _make_knit,
    Stage.UNKNIT: lambda: _unknit,
    Stage.FASTEN: lambda: _fasten,
}
