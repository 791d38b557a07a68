"""Which stages a scene needs, and in which form. Nothing here is compiled: a start with machine code in the cache asks
no more than this."""

from __future__ import annotations

from typing import Any, NamedTuple

from taut.cables.massless.columns import P_DENSITY, P_TWIST
from taut.core.order import Stage

#: what a stage is made for: arguments of its maker in `taut.step.stages`
Form = tuple[int | str | None, ...]
PLAIN: Form = ()
#: the form of stages of the solver that goes set by set
BY_SETS: Form = ("sets",)

#: contacts that are a border of the solve whatever the size of the system, and bodies up to which all are, as long as they
#: are not more than MOST_CONTACTS and none is along a rope
FEW_CONTACTS, FEW_BODIES = 4, 64

_OF_ALL_RODS = (Stage.FLEX, Stage.HOLD, Stage.RELAX, Stage.REST)
_OF_FREE_RODS = (Stage.ROD_LOOK, Stage.ROD_FACTOR, Stage.ROD_STEP, Stage.ROD_FOLLOW)
_OF_LEANING_RODS = (Stage.ROD_LEAN, Stage.LEAN_FOLLOW)
_OF_LATTICES = (Stage.WEAVE, Stage.KNIT, Stage.UNKNIT, Stage.FASTEN)
#: stages whose kernels are in no folder of the step: editing those costs no other scene a cold start
OUTSIDE = dict.fromkeys(
    (*_OF_ALL_RODS, *_OF_FREE_RODS, *_OF_LEANING_RODS, Stage.SLIDE_RUN), "cables/rod"
) | dict.fromkeys(_OF_LATTICES, "cables/honeycomb")


class Features(NamedTuple):
    """What decides which code a scene needs."""

    wind: bool
    families: tuple[int | None, ...] | None  # pair tests of taut.contact.work.Families, or None: nothing can touch
    relinearise: bool
    gauss_seidel: bool
    ropes: bool
    twist: bool
    weight: bool
    segments: bool
    layered: bool
    watched: bool
    fed: bool
    wraps: bool
    rods: int  # 0: none; 1: some that lean on nothing; 2: some that lean on bodies; 4: some with more seats than their ends; 8: some slide
    rubbing: bool  # many contacts, or contacts along ropes, are to be expected
    honeycomb: int  # see taut.cables.honeycomb.columns


def features_of(compiled: Any) -> Features:
    """The features of a compiled scene."""
    families = None if compiled.families is None else tuple(compiled.families)
    settings = compiled.settings
    # cables that change their model have all of their code from the start
    auto = bool(compiled.choices)
    segmented = compiled.joints.segmented or any(pool.name in compiled.choices for pool in compiled.pools)
    return Features(
        compiled.wind is not None,
        families,
        settings.relinearise > 0,
        settings.gauss_seidel > 0,
        compiled.ropes is not None,
        compiled.ropes is not None and any(row[P_TWIST] for row in compiled.ropes.integers),
        auto or (compiled.ropes is not None and any(law[P_DENSITY] > 0.0 for law in compiled.ropes.laws)),
        segmented,
        auto or (compiled.ropes is not None and bool(compiled.ropes.wave_span)),
        bool(compiled.pools or compiled.slides),
        any(pool.fed for pool in compiled.pools),
        compiled.ropes is not None and bool(compiled.ropes.wrap_state),
        0 if compiled.rods is None else compiled.rods.kinds,
        segmented or len(compiled.bodies.node_body) > FEW_BODIES,
        0 if compiled.lattices is None else compiled.lattices.kinds,
    )


def stages_for(features: Features) -> dict[Stage, Form]:
    """The stages that a scene with these features needs."""
    found: dict[Stage, Form] = dict.fromkeys(
        (Stage.DRIVE, Stage.FORCES, Stage.ASSEMBLE, Stage.INTEGRATE, Stage.GUARD, Stage.RUN), PLAIN
    )
    rocks = features.families is not None and features.families[0] is not None and not features.gauss_seidel
    found[Stage.STIFFEN] = (1 if rocks else None,)
    # joints of six rows in a chain have code of their own
    wide: Form = (1 if features.segments else None,)
    found |= {Stage.PLAN: PLAIN, Stage.SOLVE: PLAIN, Stage.FACTORISE: wide, Stage.SUBSTITUTE: wide}
    if features.gauss_seidel:
        found |= dict.fromkeys((Stage.PLAN, Stage.SOLVE, Stage.FACTORISE, Stage.SUBSTITUTE), BY_SETS)
    if features.wind:
        found[Stage.WIND] = PLAIN
    if features.families is not None:
        found[Stage.COLLIDE] = features.families
        if features.rubbing:
            found |= stages_later(features)
    if features.ropes:
        weight = 1 if features.weight else None
        found |= {
            Stage.REEVE: (1 if features.twist else None, weight),
            Stage.TENSE: (weight,),
            Stage.YIELD: PLAIN,
            Stage.PAY: (weight,),
        }
    if features.wraps:
        found[Stage.WRAP] = (1 if features.layered else None,)
    if features.segments:
        found[Stage.BEND] = PLAIN
    if features.watched:
        found[Stage.WATCH] = PLAIN
    if features.fed:
        found |= dict.fromkeys((Stage.FEED, Stage.HAUL), PLAIN)
    if features.layered:
        found |= dict.fromkeys((Stage.LAY, Stage.CONDENSE, Stage.RIPPLE, Stage.SETTLE), PLAIN)
    if features.rods:
        seats: Form = (1 if features.rods & 4 else None,)
        found |= dict.fromkeys(_OF_ALL_RODS, seats)
        found |= {Stage.SLIDE_RUN: seats} if features.rods & 8 else {}
        found |= dict.fromkeys(_OF_FREE_RODS, PLAIN) if features.rods & 1 else {}
        found |= dict.fromkeys(_OF_LEANING_RODS, PLAIN) if features.rods & 2 else {}
    if features.honeycomb:
        found |= _lattice_stages(features.wind, features.honeycomb)
    if features.relinearise:
        found[Stage.RELINEARISE] = PLAIN
    return found


def stages_later(features: Features) -> dict[Stage, Form]:
    """Stages that such a scene may need while it runs: compiled when a step first asks for one."""
    wanted = features.families is not None and not features.gauss_seidel
    return dict.fromkeys((Stage.RUB, Stage.CONES), PLAIN) if wanted else {}


def _lattice_stages(windy: bool, kinds: int) -> dict[Stage, Form]:
    """The stages that honeycomb cables need; `kinds` as in taut.cables.honeycomb.columns."""
    from taut.cables.honeycomb.columns import HAS_CARRIED, HAS_EXPLICIT, HAS_IMPLICIT, HAS_PUSHES  # a package to load

    wanted = [1 if kinds & kind else None for kind in (HAS_EXPLICIT, HAS_IMPLICIT, HAS_CARRIED)]
    found: dict[Stage, Form] = {Stage.WEAVE: (1 if windy else None, *wanted), Stage.FASTEN: PLAIN}
    if kinds & (HAS_PUSHES | HAS_CARRIED):
        found[Stage.KNIT] = (1 if kinds & HAS_CARRIED else None,)
    if kinds & HAS_CARRIED:
        found[Stage.UNKNIT] = PLAIN
    return found
