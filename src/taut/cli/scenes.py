"""taut scenes: what is in the library."""

from __future__ import annotations


def scenes() -> None:
    """List the library scenes."""
    from taut.cli.terminal import print_table
    from taut.scenes import library

    print_table(("scene", "what it shows"), [(name, _first_line(str(path))) for name, path in library().items()])


def _first_line(path: str) -> str:
    from taut.scene import Scene, SceneError

    try:
        scene = Scene.load(path)
    except SceneError as error:
        return f"cannot be read: {str(error).splitlines()[0]}"
    lines = (scene.description or scene.name).strip().splitlines()
    return lines[0].strip() if lines else ""
