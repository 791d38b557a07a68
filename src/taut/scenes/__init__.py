"""The scene library: files in this folder, by name; used by view, tests, examples and bench alike."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

import yaml

from taut.scene import Problem, Scene, SceneError

#: a file is a route if one of so many lines says so
MOST_LINES = 1000
#: where a scene stops telling about itself and begins to list what it is made of
_BODY = re.compile(
    r"^(view|materials|bodies|chains|joints|cables|motions|solver|wind|gravity|measures|route)\s*:", re.MULTILINE
)
FOLDER = Path(__file__).resolve().parent


def library() -> dict[str, Path]:
    """Library scenes by name."""
    return {file.stem: file for file in sorted(FOLDER.glob("*.yaml"))}


def routes() -> dict[str, Path]:
    """Library routes by name: what `taut route` opens, and scenes of rods to all others."""
    return {file.stem: file for file in sorted((FOLDER / "routes").glob("*.yaml"))}


def catalogue() -> dict[str, Path]:
    """Everything that opens by its name, scenes and routes."""
    return dict(sorted({**routes(), **library()}.items()))


def about(file: Path) -> dict[str, str]:
    """Title and first sentence of a scene or a route, from the head of its file alone: reading all of them takes seconds."""
    text = file.read_text(encoding="utf-8")
    body = _BODY.search(text)
    try:
        head = yaml.safe_load(text[: body.start()] if body else text) or {}
    except yaml.YAMLError:
        head = {}
    lines = str(head.get("description", "")).strip().splitlines()
    return {"title": str(head.get("name") or file.stem), "sentence": lines[0].strip() if lines else ""}


def open_scene(source: str | Path, changes: Iterable[str] = ()) -> Scene:
    """A scene by file name or by library name, of a scene or of a route, with changes such as 'load.mass=2 t'. Raises SceneError.

    A route, as `taut route` saves it, is read as the scene it makes: rods between places, parts that stand.
    """
    path = Path(source)
    if path.suffix in (".yaml", ".yml") or path.exists():
        return _of_route(path, changes) if is_route(path) else Scene.load(path, changes)
    return open_scene(find(str(source)), changes)


def find(name: str) -> Path:
    """The file of a library scene or route. Raises SceneError with the names that there are."""
    found = catalogue()
    if name in found:
        return found[name]
    names = ", ".join(found) or "none"
    near = get_close_matches(name, found, 1, 0.6)
    meant = f", did you mean {near[0]!r}?" if near else ""
    message = f"no such file, and no library scene of that name{meant or ';'} library scenes: {names}"
    raise SceneError([Problem(message, value=name)])


def is_route(path: Path) -> bool:
    """Whether a file holds a route: seen without reading it as a whole."""
    try:
        with path.open(encoding="utf-8") as lines:
            return any(line.startswith("route:") for line in itertools.islice(lines, MOST_LINES))
    except (OSError, UnicodeDecodeError):
        return False


def _of_route(path: Path, changes: Iterable[str]) -> Scene:
    from taut.cables.rod.as_scene import scene_data
    from taut.cables.rod.route import Route, RouteError
    from taut.cables.rod.values import RodError

    try:
        data = scene_data(Route.load(path), path.parent)
    except RouteError as error:
        raise SceneError(error.problems) from None
    except RodError as error:
        raise SceneError([Problem(str(error), file=str(path))]) from None
    except SceneError as error:
        raise SceneError([replace(problem, file=str(path)) for problem in error.problems]) from None
    return Scene.from_yaml(yaml.safe_dump(data, sort_keys=False), str(path), changes)
