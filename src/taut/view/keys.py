"""Keys of the page, in one place: those of the operator's script, those of viser's commands, and the list that shows them.

Those that move a machine differ from scene to scene: `taut.view.levers`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from taut.view.cameras import NEAR, PRESETS


@dataclass(frozen=True)
class Key:
    """A key that does one thing."""

    code: str
    """As the browser calls it."""
    cap: str
    """What is printed on it."""
    words: str
    """What it does, as short as in a list."""
    press: str = ""
    """What the operator's script says when it goes down; empty: something else hears of it."""
    driving: bool = False
    """Whether it works only while keys drive the machine."""

    def shown(self) -> dict[str, object]:
        """For the script in the page."""
        return {
            "code": self.code,
            "caps": [self.cap],
            "words": self.words,
            "press": self.press,
            "driving": self.driving,
        }


SLOWLY = Key("Shift", "Shift", "slowly", driving=True)
EMERGENCY = Key("Space", "Space", "emergency stop", "emergency")
HOOK = Key("KeyH", "H", "hook on and off", "hook", True)
PLAY = Key("KeyP", "P", "play, pause")
STEP = Key("KeyN", "N", "single step")
CAMERAS = {preset: Key(f"Digit{n}", str(n), f"{preset} camera") for n, preset in enumerate(PRESETS, 1)}
"""By their presets."""
CAMERAS[NEAR] = replace(CAMERAS["hook"], words=f"{NEAR} camera")


def of_scene(levers: bool, hook: bool, presets: Sequence[str] = PRESETS) -> list[Key]:
    """The keys of a scene beside those of its levers: with something to drive, with a hook, with these cameras."""
    cameras = [CAMERAS[preset] for preset in presets]
    return [*((SLOWLY, EMERGENCY) if levers else ()), *((HOOK,) if levers and hook else ()), PLAY, STEP, *cameras]


def listed(keys: Sequence[Key]) -> list[dict[str, object]]:
    """Keys for the script in the page, which hears some of them and lists all: those of the cameras in one line."""
    found = [key.shown() for key in keys if key not in CAMERAS.values()]
    there = {preset: key for preset, key in CAMERAS.items() if key in keys}
    there = dict(sorted(there.items(), key=lambda one: one[1].cap))
    if there:
        first, last = CAMERAS[PRESETS[0]], CAMERAS[PRESETS[-1]]
        caps = [f"{first.cap}–{last.cap}"] if len(there) == len(PRESETS) else [key.cap for key in there.values()]
        found.append({**first.shown(), "code": "", "caps": caps, "words": f"camera: {', '.join(there)}"})
    return found
