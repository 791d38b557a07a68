"""The gallery: every scene of the library with its name, a sentence and a picture."""

from __future__ import annotations

import re
from pathlib import Path

from taut.scenes import library
from taut.view.door import STATIC

#: where a scene stops telling about itself and begins to list what it is made of
_BODY = re.compile(
    r"^(view|materials|bodies|chains|joints|cables|motions|solver|wind|gravity|measures)\s*:", re.MULTILINE
)
PICTURES = "scenes"
#: those that show most come first
FIRST = (
    "gantry",
    "tower_crane",
    "mobile_crane",
    "yard",
    "elevator",
    "block_and_tackle",
    "ropeway",
    "four_leg_sling",
    "tow",
)


def entries() -> list[dict[str, str]]:
    """Name, title, sentence and picture of every scene of the library, for the script in the page."""
    found = library()
    order = [name for name in FIRST if name in found] + [name for name in found if name not in FIRST]
    return [{"name": name, **about(found[name]), "picture": picture(name)} for name in order]


def about(file: Path) -> dict[str, str]:
    """Title and first sentence of a scene, from the head of its file alone: reading all of them takes seconds."""
    import yaml

    text = file.read_text(encoding="utf-8")
    body = _BODY.search(text)
    try:
        head = yaml.safe_load(text[: body.start()] if body else text) or {}
    except yaml.YAMLError:
        head = {}
    lines = str(head.get("description", "")).strip().splitlines()
    return {"title": str(head.get("name") or file.stem), "sentence": lines[0].strip() if lines else ""}


def picture(name: str) -> str:
    """Path of a picture of a scene beneath our own files; empty if there is none."""
    file = STATIC / PICTURES / f"{name}.jpg"
    return f"{PICTURES}/{name}.jpg" if file.is_file() else ""
