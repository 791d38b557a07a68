"""What a cable must satisfy whose model is chosen while running."""

from collections.abc import Iterator

from taut.scene.cables import Cable
from taut.scene.known import Known
from taut.scene.parts import End, Falls
from taut.scene.problems import Problem, shown
from taut.scene.segment_checks import check_segmented

#: fields that only some of the models know, so that a change of the model would change them
_OF_SOME = {
    "loop": "a loop is always segmented: set model: segmented",
    "places": "a given shape is always segmented: set model: segmented",
    "rest_curvature": "a cable that is bent without load is always segmented: set model: segmented",
    "rest_twist": "a cable that is twisted without load is always segmented: set model: segmented",
    "reach": "a hook is always massless: set model: massless",
    "obstacles": "a cable that wraps round things is always massless: set model: massless",
    "lifted": "give the tension at the start instead",
    "lay_torque": "a rope with a lay torque is always massless: set model: massless",
    "twist": "set the model: only massless ropes over wheels carry twist this way",
    "weight": "it has its weight anyway: leave this out",
}


def check_auto(cable: Cable, known: Known) -> Iterator[Problem]:
    """What is special about a cable with `model: auto`; a route over wheels is checked as that of any rope."""
    for field, reason in _OF_SOME.items():
        value = getattr(cable, field)
        if value not in (None, False, 0.0, (), (0.0, 0.0)):
            yield Problem(reason, (field,), shown(value) if not isinstance(value, bool) else "true")
    if not cable.attached:
        yield Problem("it is tied at both ends: set model: massless for one that is not", ("attached",), "false")
    if cable.scheme != "standard":
        yield Problem("it has standard joints while it is segmented: leave this out", ("scheme",), cable.scheme)
    if cable.stiffness() == float("inf"):
        reason = "it stretches: give axial_stiffness, modulus and diameter, or a rope of the catalogue"
        yield Problem(reason, ("axial_stiffness",))
    for k, part in enumerate(cable.route):
        if isinstance(part, End) and part.hold == "pose":
            reason = "a clamped cable is always segmented: set model: segmented"
            yield Problem(reason, ("route", k, "hold"), "pose")
        elif isinstance(part, End) and part.pay_out is not None:
            reason = (
                "a cable that is paid out at an end is always segmented: set model: segmented, or put a winch there"
            )
            yield Problem(reason, ("route", k, "pay_out"))
        elif not isinstance(part, Falls) and part.type in ("via", "free"):
            yield Problem(
                f"a route with a {part.type} part is always segmented: set model: segmented",
                ("route", k, "type"),
                part.type,
            )
    if cable.bare:
        yield from check_segmented(cable, known)
