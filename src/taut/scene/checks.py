"""What a scene must satisfy as a whole: names that are free, names that exist, and elements that fit each other.

Single values are checked by their fields; here are the mistakes that take two values to see.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from taut.scene.body_checks import check_body
from taut.scene.cable_checks import check_cable
from taut.scene.chain_checks import check_chain
from taut.scene.clips import clips_of, seat_name
from taut.scene.joint_checks import check_joint
from taut.scene.known import Known
from taut.scene.problems import Problem, listed, shown
from taut.scene.spec import MOST_PROBLEMS

if TYPE_CHECKING:
    from taut.scene.scene import Scene

MOST_BODIES = 200_000
MOST_GATES = 50
RESERVED = frozenset(
    ("world", "energy", "wind", "solver", "time", "dt", "gravity", "contact", "momentum", "step", "residual")
)
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_MEASURE = re.compile(
    r"(?:(?P<call>max|min|mean|rms|final)\()?"
    r"(?P<element>[A-Za-z_][A-Za-z0-9_]*)(\.[A-Za-z_][A-Za-z0-9_]*)*(\[\d+\])?(?(call)\))"
)

ELEMENTS = ("bodies", "joints", "chains", "cables")
SECTIONS = (*ELEMENTS, "materials")


def check(scene: "Scene") -> list[Problem]:
    """Every mistake of a scene whose fields are all valid."""
    # first of all: the names of a billion links are never made
    return check_size(scene) or [*check_names(scene, {}), *check_elements(scene, Known.of(scene, {}))]


def check_size(scene: "Scene") -> list[Problem]:
    """There are not too many bodies."""
    total = len(scene.bodies) + sum(chain.links for chain in scene.chains.values())
    total += sum(strand.links for strand in scene.strands().values())
    if total <= MOST_BODIES:
        return []
    place = "cables" if scene.strands() else "chains" if total > 2 * len(scene.bodies) else "bodies"
    return [
        Problem(
            f"{total} bodies in all, links of chains and segments included; at most {MOST_BODIES} are allowed", (place,)
        )
    ]


def check_names(scene: "Scene", also: Mapping[str, Iterable[str]]) -> Iterator[Problem]:
    """Names are well formed, free and unique. `also` are names by section that exist, but whose element was refused."""
    taken: dict[str, str] = {}
    for section in SECTIONS:
        for name in dict.fromkeys([*getattr(scene, section), *also.get(section, ())]):
            if not NAME.fullmatch(name):
                reason = "expected a name of letters, digits and _, not starting with a digit"
                yield Problem(reason, (section, name), shown(name))
            elif section == "materials":
                continue
            elif name in RESERVED:
                reason = f"this name is taken by Taut itself, as are {listed(sorted(RESERVED), 20)}"
                yield Problem(reason, (section, name))
            elif name in taken:
                yield Problem(f"this name is taken already, by {taken[name]}.{name}", (section, name))
            else:
                taken[name] = section
    for name, chain in scene.chains.items():
        clash = next((part for part in (*chain.link_names(name), *chain.joint_names(name)) if part in taken), None)
        if clash is not None:
            yield Problem(f"a part of this chain is called {clash}, but so is {taken[clash]}.{clash}", ("chains", name))
    for name, strand in scene.strands().items():
        clash = next((part for part in (*strand.link_names(), *strand.joint_names()) if part in taken), None)
        if clash is not None:
            yield Problem(f"a part of this cable is called {clash}, but so is {taken[clash]}.{clash}", ("cables", name))
    for name, rod in scene.rods().items():
        clash = next((seat_name(name, clip) for clip in clips_of(rod) if seat_name(name, clip) in taken), None)
        if clash is not None:
            yield Problem(f"a clip of this cable is called {clash}, but so is {taken[clash]}.{clash}", ("cables", name))


def check_elements(scene: "Scene", known: Known) -> list[Problem]:
    """Every element is sound in itself and beside the others."""
    problems: list[Problem] = []
    sections: tuple[tuple[str, Mapping[str, Any], Any], ...] = (
        ("bodies", scene.bodies, check_body),
        ("joints", scene.joints, check_joint),
        ("chains", scene.chains, check_chain),
        ("cables", scene.cables, check_cable),
    )
    for section, elements, check_one in sections:
        for name, element in elements.items():
            problems += [Problem(p.message, (section, name, *p.parts), p.value) for p in check_one(element, known)]
            if len(problems) > MOST_PROBLEMS:
                return problems
    return [*problems, *islice(_measures(scene, known), MOST_PROBLEMS), *_course(scene, known)]


def _course(scene: "Scene", known: Known) -> Iterator[Problem]:
    """The load of an exercise is a body that can be moved."""
    course = scene.view.course
    if course is None:
        return
    problems = list(known.check_body_name(course.load, "load"))
    if not problems and (course.load not in scene.bodies or not scene.bodies[course.load].moved_by_forces):
        problems = [Problem("expected a body that is moved by forces", ("load",), shown(course.load))]
    if not 0 < len(course.gates) <= MOST_GATES:
        problems.append(Problem(f"expected from 1 to {MOST_GATES} gates", ("gates",), str(len(course.gates))))
    for problem in problems:
        yield Problem(problem.message, ("view", "course", *problem.parts), problem.value)


def _measures(scene: "Scene", known: Known) -> Iterator[Problem]:
    for i, measure in enumerate(scene.measures):
        for problem in check_measure(measure, known):
            yield Problem(problem.message, ("measures", i), problem.value)


def check_measure(measure: str, known: Known) -> Iterator[Problem]:
    """What is measured has the form of a name, and what it belongs to exists."""
    match = _MEASURE.fullmatch(measure)
    if match is None:
        yield Problem("expected a name such as load.position or load.position[2]", (), shown(measure))
    elif match["element"] not in RESERVED:
        for problem in known.check_element(match["element"]):
            yield Problem(problem.message, (), shown(measure))
