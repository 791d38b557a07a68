"""What a segmented cable must satisfy beyond its single fields."""

import math
from collections.abc import Iterator
from itertools import pairwise

from taut.scene.cables import Cable
from taut.scene.known import Known
from taut.scene.open_route import check_open_route
from taut.scene.parts import End
from taut.scene.problems import Problem, shown
from taut.scene.quantity import SMALLEST
from taut.scene.segments import Strand, bending_of, twisting_of

#: largest strain at the start; beyond it the ends are simply too far apart [-]
MOST_STRAIN = 0.1


def check_segmented(cable: Cable, known: Known) -> Iterator[Problem]:
    """Every mistake of a segmented cable whose fields are all valid."""
    yield from known.check_material(cable.material)
    yield from known.check_groups(cable.meets)
    found = [*_route(cable, known), *check_section(cable), *_without_meaning(cable), *_changing(cable)]
    yield from found
    if cable.length is not None and cable.tension is not None:
        yield Problem("give the length or the tension at the start, not both", ("tension",), shown(cable.tension))
    elif not found:
        yield from _laid(Strand("", cable, known.bodies))


def _route(cable: Cable, known: Known) -> Iterator[Problem]:
    yield from check_open_route(cable, known, "lies on wheels by contact")
    for k, part in enumerate(cable.route):
        if isinstance(part, End) and part.direction is not None and part.hold != "pose":
            yield Problem("a direction needs hold: pose", ("route", k, "direction"), shown(part.direction))
        if isinstance(part, End) and (part.roll or part.up):
            field = "roll" if part.roll else "up"
            yield Problem("only a rod can be rolled: set model: rod", ("route", k, field), shown(getattr(part, field)))
    if cable.loop and len(cable.route) < 3:
        yield Problem("a loop needs at least three via places", ("route",))


def _changing(cable: Cable) -> Iterator[Problem]:
    """What cannot be while segments are merged, split and paid out."""
    if cable.detail == "auto" and cable.scheme != "standard":
        yield Problem(
            "segments with the joints of paper 1 are not merged: leave out one of the two", ("detail",), "auto"
        )
    if cable.detail == "auto" and cable.loop:
        yield Problem("the segments of a loop are not merged: leave out one of the two", ("detail",), "auto")
    for k, end in enumerate(cable.route):
        if not isinstance(end, End) or end.pay_out is None:
            continue
        if any(cable.rest_curvature) or cable.rest_twist:
            reason = "what is paid out is straight without load: leave out rest_curvature and rest_twist"
            yield Problem(reason, ("route", k, "pay_out"))
        if cable.places is not None or cable.scheme != "standard":
            field = "places" if cable.places is not None else "scheme"
            yield Problem("what is paid out has segments of one length, laid straight, with standard joints", (field,))


def check_section(cable: Cable) -> Iterator[Problem]:
    """Stiffness and mass of a cable that bends and twists."""
    if cable.modulus is not None and cable.moments() is None:
        yield Problem("a modulus needs the diameter or the section of the cable", ("modulus",), shown(cable.modulus))
        return
    if cable.density is not None and cable.mass_per_length is not None:
        yield Problem("give density or mass_per_length, not both", ("density",), shown(cable.density))
    if cable.line_mass() == 0.0:
        yield Problem("missing: mass of a metre [kg/m], or density with diameter or section", ("mass_per_length",))
    if min(bending_of(cable)) == 0.0:
        field = "bending_stiffness" if bending_of(cable)[0] == 0.0 else "bending_stiffness_across"
        yield Problem(
            "no stiffness against bending: give it in N m^2, or modulus with diameter or section; what has none is a "
            "chain (see chains)", (field,),
        )  # fmt: skip
    if twisting_of(cable) == 0.0:
        yield Problem(
            "no stiffness against twist: give it in N m^2, or modulus with diameter or section",
            ("torsional_stiffness",),
        )
    section = cable.section
    if section is not None and section.type == "hollow" and section.inner >= section.diameter:
        reason = f"expected less than the outer diameter, {section.diameter:g} m"
        yield Problem(reason, ("section", "inner"), shown(section.inner))


def _places(cable: Cable) -> Iterator[Problem]:
    places = cable.places or ()
    if cable.loop:
        yield Problem("a loop is laid through its route: leave the places out", ("places",))
    if len(places) < 2 or (cable.segments is not None and cable.segments != len(places) - 1):
        wanted = "at least two" if cable.segments is None else f"{cable.segments + 1}, one more than its segments"
        yield Problem(f"{len(places)} places; expected {wanted}", ("places",))
    for k, (p, q) in enumerate(pairwise(places)):
        if math.dist(p, q) <= SMALLEST:
            yield Problem("at the same place as the one before", ("places", k + 1), shown(q))
            return


def _without_meaning(cable: Cable) -> Iterator[Problem]:
    """What would be left out without a word."""
    if cable.segments is not None and cable.segment_length is not None:
        yield Problem("give segments or segment_length, not both", ("segment_length",), shown(cable.segment_length))
    if cable.tension and math.isinf(cable.stiffness()):
        reason = "a cable that does not stretch has no length that gives this tension; give its stiffness"
        yield Problem(reason, ("tension",), shown(cable.tension))
    if cable.lay_torque:
        yield Problem("only a massless cable has a lay torque", ("lay_torque",), shown(cable.lay_torque))
    if cable.reach is not None:
        yield Problem("only a massless cable can be a hook", ("reach",), shown(cable.reach))


def _laid(strand: Strand) -> Iterator[Problem]:
    cable, corners = strand.cable, strand.corners
    for k, (p, q) in enumerate(pairwise(corners)):
        if math.dist(p, q) <= SMALLEST:
            yield Problem("at the same place as the part before", ("route", k + 1, "at"), shown(q))
            return
    if cable.places is not None:
        yield from _places(cable)
        return
    laid, length = strand.laid, strand.length
    if cable.length is not None and len(corners) > 2 and abs(length - laid) > 0.02 * laid:
        reason = f"the places of the route are {laid:.4g} m apart along it: give a length within 2 % of that, or none"
        yield Problem(reason, ("length",), shown(length))
        return
    strain = laid / length - 1.0
    stiff = cable.stiffness()
    if strain > 1e-9 and (math.isinf(stiff) or strain > MOST_STRAIN):
        need = "no tension could" if math.isinf(stiff) else f"it would take {strain * stiff:.4g} N to"
        reason = (
            f"its ends are {laid:.6g} m apart, {laid - length:.4g} m more than it is long: {need} stretch it so far"
        )
        yield Problem(reason, ("length",) if cable.length is not None else ("tension",), shown(length))
    if strand.out < 2 and length > laid * (1.0 + 1e-9):
        yield Problem("a single segment cannot hang in a bow; expected more segments", ("segments",), shown(strand.out))
    if cable.loop and strand.out < 3:
        yield Problem("a loop needs at least three segments", ("segments",), shown(strand.out))
    if cable.line_mass() * length / strand.out < SMALLEST:
        yield Problem(
            f"a segment would weigh less than {SMALLEST:g} kg", ("mass_per_length",), shown(cable.mass_per_length)
        )
