"""The scene library: files in this folder, by name; used by view, tests, examples and bench alike."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

import yaml

from taut.scene import Problem, Scene, SceneError

#: a file is a route if one of so many lines says so
MOST_LINES = 1000
FOLDER = Path(__file__).resolve().parent


def library() -> dict[str, Path]:
    """Library scenes by name."""
    return {file.stem: file for file in sorted(FOLDER.glob("*.yaml"))}


def open_scene(source: str | Path, changes: Iterable[str] = ()) -> Scene:
    """A scene by file name or by library name, of a scene or of a route, with changes such as 'load.mass=2 t'. Raises SceneError.

    A route, as `taut route` saves it, is read as the scene it makes: rods between places, parts that stand.
    """
    path = Path(source)
    if path.suffix in (".yaml", ".yml") or path.exists():
        return _of_route(path, changes) if _is_route(path) else Scene.load(path, changes)
    found = library()
    if str(source) in found:
        return Scene.load(found[str(source)], changes)
    routes = {file.stem: file for file in sorted((FOLDER / "routes").glob("*.yaml"))}
    if str(source) in routes:
        return _of_route(routes[str(source)], changes)
    names = ", ".join(found) or "none"
    near = get_close_matches(str(source), found, 1, 0.6)
    meant = f", did you mean {near[0]!r}?" if near else ""
    message = f"no such file, and no library scene of that name{meant or ';'} library scenes: {names}"
    raise SceneError([Problem(message, value=str(source))])


def _is_route(path: Path) -> bool:
    """Whether a file holds a route: seen without reading it as a whole."""
    try:
        with path.open(encoding="utf-8") as lines:
            return any(line.startswith("route:") for line in itertools.islice(lines, MOST_LINES))
    except (OSError, UnicodeDecodeError):
        return False


def _of_route(path: Path, changes: Iterable[str]) -> Scene:
    from taut.cables.rod.as_scene import scene_data
    from taut.cables.rod.route import Route
    from taut.cables.rod.values import RodError

    try:
        data = scene_data(Route.load(path), path.parent)
    except RodError as error:
        raise SceneError([Problem(str(error).removeprefix(f"{path}: "), file=str(path))]) from None
    except SceneError as error:
        raise SceneError([replace(problem, file=str(path)) for problem in error.problems]) from None
    return Scene.from_yaml(yaml.safe_dump(data, sort_keys=False), str(path), changes)
