"""The gallery: every scene of the library with its name, a sentence and a picture."""

from __future__ import annotations

from taut.scenes import about, catalogue
from taut.view.door import STATIC

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
    """Name, title, sentence and picture of every scene and route of the library, for the script in the page."""
    found = catalogue()
    order = [name for name in FIRST if name in found] + [name for name in found if name not in FIRST]
    return [{"name": name, **about(found[name]), "picture": picture(name)} for name in order]


def picture(name: str) -> str:
    """Path of a picture of a scene beneath our own files; empty if there is none."""
    file = STATIC / PICTURES / f"{name}.jpg"
    return f"{PICTURES}/{name}.jpg" if file.is_file() else ""
