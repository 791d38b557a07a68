"""Which stages a scene needs, and in which form. Nothing here is compiled: a start with machine code in the cache asks
no more than this."""

from __future__ import annotations

from typing import Any, NamedTuple

from taut.cables.massless.columns import P_TWIST
from taut.core.order import Stage

#: what a stage is made for: arguments of its maker in `taut.step.stages`
Form = tuple[int | str | None, ...]
PLAIN: Form = ()
#: the form of stages of the solver that goes set by set
BY_SETS: Form = ("sets",)


class Features(NamedTuple):
    """What decides which code a scene needs."""

    wind: bool
    families: tuple[int | None, ...] | None  # pair tests of taut.contact.work.Families, or None: nothing can touch
    relinearise: bool
    gauss_seidel: bool
    ropes: bool
    twist: bool
    segments: bool
    layered: bool


def features_of(compiled: Any) -> Features:
    """The features of a compiled scene."""
    families = None if compiled.families is None else tuple(compiled.families)
    settings = compiled.settings
    return Features(
        compiled.wind is not None,
        families,
        settings.relinearise > 0,
        settings.gauss_seidel > 0,
        compiled.ropes is not None,
        compiled.ropes is not None and any(row[P_TWIST] for row in compiled.ropes.integers),
        compiled.joints.segmented,
        compiled.ropes is not None and bool(compiled.ropes.wave_span),
    )


def stages_for(features: Features) -> dict[Stage, Form]:
    """The stages that a scene with these features needs."""
    found: dict[Stage, Form] = dict.fromkeys(
        (Stage.DRIVE, Stage.FORCES, Stage.ASSEMBLE, Stage.STIFFEN, Stage.INTEGRATE, Stage.GUARD, Stage.RUN), PLAIN
    )
    # joints of six rows in a chain have code of their own
    wide: Form = (1 if features.segments else None,)
    found |= {Stage.PLAN: PLAIN, Stage.SOLVE: PLAIN, Stage.FACTORISE: wide, Stage.SUBSTITUTE: wide}
    if features.gauss_seidel:
        found |= dict.fromkeys((Stage.PLAN, Stage.SOLVE, Stage.FACTORISE, Stage.SUBSTITUTE), BY_SETS)
    if features.wind:
        found[Stage.WIND] = PLAIN
    if features.families is not None:
        found[Stage.COLLIDE] = features.families
    if features.ropes:
        found |= dict.fromkeys((Stage.TENSE, Stage.YIELD, Stage.PAY), PLAIN)
        found[Stage.REEVE] = (1 if features.twist else None,)
    if features.segments:
        found[Stage.BEND] = PLAIN
    if features.layered:
        found |= dict.fromkeys((Stage.LAY, Stage.CONDENSE, Stage.RIPPLE, Stage.SETTLE), PLAIN)
    if features.relinearise:
        found[Stage.RELINEARISE] = PLAIN
    return found
