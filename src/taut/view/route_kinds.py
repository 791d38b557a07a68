"""Kinds of clips as a designer calls them; files have words of their own."""

from __future__ import annotations

from typing import Any

from taut.cables.rod.targets import CLIPS, releases_of

#: what stands in a file, by what is shown
KINDS = {
    "rigid clamp": "fixed",
    "turning clip": "twist",
    "sliding clip": "slide",
    "sliding + turning clip": "both",
    "ball joint": "ball",
    "duct (slides, tilts)": "duct",
}
#: a clip that lets go what no kind does
OTHER = "as in the file"
HINT = (
    "rigid clamp: holds the cable in all ways; turning: it may spin about itself; sliding: it may slip through; ball joint: it may point "
    "anywhere; duct: it slips through and may point anywhere"
)


def kind_of(release: Any) -> str:
    """What a clip that lets go so much is called."""
    found = releases_of(release)
    return next((kind for kind, word in KINDS.items() if CLIPS[word] == found), OTHER)
