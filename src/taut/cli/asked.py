"""What a scene asks for, checked against what it has, with file and line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from taut.record import Measure


def refuse_empty(scene: Any, source: str) -> None:
    """A scene without anything in it is a slip, not a scene. Raises SceneError."""
    from taut.scene import Problem, SceneError

    if not (scene.bodies or scene.joints or scene.chains or scene.cables):
        message = "there is nothing in this scene: give it bodies, and joints or cables that hold them"
        raise SceneError([Problem(message, file=source)])


def scene_measures(sim: Any, source: str) -> list[Measure]:
    """The measures that the scene asks for. Raises SceneError with every one that it does not have, and where it stands."""
    from taut.measure import UnknownName
    from taut.record import measures_of
    from taut.scene import Problem, SceneError
    from taut.scene.problems import shown

    found: list[Measure] = []
    problems = []
    for i, text in enumerate(sim.scene.measures):
        try:
            found += measures_of(text, sim)
        except UnknownName as unknown:
            said = str(unknown)
            # the text is named by the problem already
            problems.append(Problem(said.removeprefix(f"{text!r}: "), ("measures", i), shown(text)))
    if problems:
        raise SceneError([_placed(problem, source) for problem in problems])
    return found


def _placed(problem: Any, source: str) -> Any:
    """The problem with the line of its file, where the scene is one."""
    from taut.scene import SceneError
    from taut.scene.reader import read_file
    from taut.scenes import library

    path = Path(source) if Path(source).exists() else library().get(source)
    try:
        return problem if path is None else read_file(path).placed(problem)
    except SceneError:
        return problem
