"""The scene library: files in this folder, by name; used by view, tests, examples and bench alike."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from taut.scene import Problem, Scene, SceneError

FOLDER = Path(__file__).resolve().parent


def library() -> dict[str, Path]:
    """Library scenes by name."""
    return {file.stem: file for file in sorted(FOLDER.glob("*.yaml"))}


def open_scene(source: str | Path, changes: Iterable[str] = ()) -> Scene:
    """A scene by file name or by library name, with changes such as 'load.mass=2 t'. Raises SceneError."""
    path = Path(source)
    if path.suffix in (".yaml", ".yml") or path.exists():
        return Scene.load(path, changes)
    found = library()
    if str(source) in found:
        return Scene.load(found[str(source)], changes)
    names = ", ".join(found) or "none"
    raise SceneError(
        [Problem(f"no such file, and no library scene of that name; library scenes: {names}", value=str(source))]
    )
