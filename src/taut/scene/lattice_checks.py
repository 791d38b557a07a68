"""What a honeycomb cable must satisfy beyond its single fields: the lattice is built, and what is wrong with it is told."""

import math
from collections.abc import Iterator
from itertools import pairwise

from taut.scene.cables import Cable
from taut.scene.known import Known
from taut.scene.open_route import check_open_route
from taut.scene.parts import End
from taut.scene.problems import Part, Problem, shown
from taut.scene.quantity import SMALLEST
from taut.scene.segments import Strand, bending_of, twisting_of

#: largest strain at the start; beyond it the ends are simply too far apart, or too near [-]
MOST_STRAIN = 0.1
#: fields of other models, and their values when they are not given
_OTHERS = {
    "segments": None, "segment_length": None, "loop": False, "rest_curvature": (0.0, 0.0), "rest_twist": 0.0,
    "bending_stiffness_across": None, "lay_torque": 0.0, "twist": False, "reach": None, "attached": True, "lifted": False,
    "wave_damping": 0.0, "places": None, "bending_damping_time": None,
}  # fmt: skip


def check_honeycomb(cable: Cable, known: Known) -> Iterator[Problem]:
    """Every mistake of a honeycomb cable whose fields are all valid."""
    yield from known.check_material(cable.material)
    found = [*_route(cable, known), *_without_meaning(cable), *_material(cable)]
    yield from found
    if cable.length is not None and cable.tension is not None:
        yield Problem("give the length or the tension at the start, not both", ("tension",), shown(cable.tension))
    elif not found:
        yield from _laid(Strand("", cable, known.bodies), known)


def _route(cable: Cable, known: Known) -> Iterator[Problem]:
    yield from check_open_route(cable, known, "lies on bodies by contact")
    for k, part in enumerate(cable.route):
        place = ("route", k)
        if isinstance(part, End) and part.direction is not None:
            reason = (
                "a honeycomb cable is clamped as it is laid: leave the direction out, a via place beside it gives it"
            )
            yield Problem(reason, (*place, "direction"), shown(part.direction))
        if isinstance(part, End) and known.is_particle(part.on) and part.at is not None:
            start = known.start_of(part.on)
            if start is not None and math.dist(start, part.at) > SMALLEST:
                reason = f"a particle holds a rope where it is, {shown(start)}: leave this out"
                yield Problem(reason, (*place, "at"), shown(part.at))
        if isinstance(part, End) and cable.scheme in ("verlet", "predictor_corrector", "paper"):
            if known.moved_by_forces(part.on):
                reason = (
                    f"a lattice that carries a body ({part.on}) is stepped implicitly: set scheme: implicit, or leave it "
                    "out; explicit schemes need ends on the world or on kinematic bodies"
                )
                yield Problem(reason, ("scheme",), cable.scheme)


def _without_meaning(cable: Cable) -> Iterator[Problem]:
    for field, usual in _OTHERS.items():
        value = getattr(cable, field)
        if value != usual:
            yield Problem("means nothing to a honeycomb cable: leave it out", (field,), shown(value))
    if cable.scheme == "paper_alternative":
        yield Problem(
            "a honeycomb cable has verlet, predictor_corrector, implicit and paper", ("scheme",), cable.scheme
        )


def _material(cable: Cable) -> Iterator[Problem]:
    lattice = cable.lattice
    if lattice is not None and lattice.springs is not None:
        given = [
            field
            for field in ("axial_stiffness", "modulus", "section", "mass_per_length", "density", "bending_stiffness", "torsional_stiffness", "rope")
            if getattr(cable, field) is not None
        ]  # fmt: skip
        for field in given:
            yield Problem("the springs are given one by one (lattice.springs): leave this out", (field,))
        if cable.tension is not None:
            yield Problem("with springs given one by one, give the length instead", ("tension",), shown(cable.tension))
        return
    if cable.modulus is not None and cable.moments() is None:
        yield Problem("a modulus needs the diameter or the section of the cable", ("modulus",), shown(cable.modulus))
        return
    if cable.section is not None and cable.section.type == "rectangular":
        yield Problem("a honeycomb is round; model: segmented makes straps", ("section", "type"), "rectangular")
        return
    if cable.diameter is None and cable.section is None and cable.rope is None:
        yield Problem("missing: a honeycomb cable has a cross-section, how thick is it [m]", ("diameter",))
    if not math.isfinite(cable.stiffness()):
        yield Problem("missing: EA in N, or modulus with diameter or section", ("axial_stiffness",))
    if bending_of(cable)[0] == 0.0:
        yield Problem("missing: EI in N m^2, or modulus with diameter or section", ("bending_stiffness",))
    if twisting_of(cable) == 0.0:
        yield Problem("missing: GJ in N m^2, or modulus with diameter or section", ("torsional_stiffness",))
    if cable.density is not None and cable.mass_per_length is not None:
        yield Problem("give density or mass_per_length, not both", ("density",), shown(cable.density))
    if cable.line_mass() == 0.0:
        yield Problem("missing: mass of a metre [kg/m], or density with diameter or section", ("mass_per_length",))


def _laid(strand: Strand, known: Known) -> Iterator[Problem]:
    cable = strand.cable
    for k, (p, q) in enumerate(pairwise(strand.corners)):
        if math.dist(p, q) <= SMALLEST:
            yield Problem("at the same place as the part before", ("route", k + 1, "at"), shown(q))
            return
    strain = strand.laid / strand.length - 1.0
    if abs(strain) > MOST_STRAIN:
        reason = (
            f"its route is {strand.laid:.4g} m long: it would begin with a strain of {100.0 * strain:.0f} %; expected a length "
            f"from {strand.laid / (1.0 + MOST_STRAIN):.4g} to {strand.laid / (1.0 - MOST_STRAIN):.4g} m (a slack rope is laid "
            "over via places)"
        )
        yield Problem(reason, ("length",) if cable.length is not None else ("tension",), shown(strand.length))
        return
    # only here, and only for scenes that have one: the lattice's own code says what cannot be built
    from taut.cables.honeycomb.check import complaint

    try:
        text = complaint(strand, known)
    except (ValueError, ArithmeticError) as error:  # numbers so far apart that nothing can be computed with them
        text = f"lattice: no lattice can be built from these numbers ({error})"
    if text:
        field, _, reason = text.partition(": ")
        yield Problem(reason, _place(field, cable))


def _place(field: str, cable: Cable) -> tuple[Part, ...]:
    """Where the field of a complaint stands in the description of the cable."""
    name = field.removeprefix("material.")
    if cable.lattice is not None and name in type(cable.lattice).model_fields:
        return ("lattice", name)
    if (
        cable.lattice is not None
        and cable.lattice.springs is not None
        and name in type(cable.lattice.springs).model_fields
    ):
        return ("lattice", "springs", name)
    return (name,) if name in type(cable).model_fields else ()
