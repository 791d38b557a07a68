"""Levers of an operator: which controls a stick or a pair of keys moves, and which way.

The left stick turns and travels, the right one hoists, as on most cranes. A lever has a deflection from -1 to 1.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from taut.scene import Distance, Hinge, Scene, Slider
from taut.view import sliders
from taut.view.frame import Control

#: keys of a lever, down or left first, as the browser calls them, and what is printed on them
Keys = tuple[tuple[str, str], tuple[str, str]]
LEFT_X, LEFT_Y, RIGHT_X, RIGHT_Y = "left_x", "left_y", "right_x", "right_y"
KEYS: dict[str, Keys] = {
    RIGHT_Y: (("KeyS", "S"), ("KeyW", "W")),
    LEFT_X: (("ArrowLeft", "←"), ("ArrowRight", "→")),
    LEFT_Y: (("ArrowDown", "↓"), ("ArrowUp", "↑")),
    RIGHT_X: (("KeyA", "A"), ("KeyD", "D")),
    "f": (("KeyF", "F"), ("KeyR", "R")),
    "g": (("KeyG", "G"), ("KeyT", "T")),
    "j": (("KeyJ", "J"), ("KeyU", "U")),
    "k": (("KeyK", "K"), ("KeyI", "I")),
}
#: slots whose keys lie beside each other; those of the others lie above each other
BESIDE = (LEFT_X, RIGHT_X)


@dataclass(frozen=True)
class Lever:
    """One thing to move."""

    name: str
    slot: str
    """Axis of a stick, or a name for keys alone; an entry of KEYS."""
    words: tuple[str, str]
    """What happens below and above the middle."""
    full: dict[str, float]
    """What each control is set to at full deflection, in its unit."""

    def shown(self) -> dict[str, object]:
        """For the script in the page."""
        (low, low_cap), (high, high_cap) = KEYS[self.slot]
        return {
            "name": self.name,
            "slot": self.slot,
            "words": self.words,
            "codes": [low, high],
            "caps": [low_cap, high_cap],
            "beside": self.slot in BESIDE,
        }


def of_scene(scene: Scene, controls: Sequence[Control]) -> list[Lever]:
    """The levers of a machine, at most one for each slot: those that everyone looks for first."""
    wanted = [*_together(scene, controls), *(lever for control in controls if (lever := _lever(scene, control)))]
    taken: dict[str, Lever] = {}
    several = {name for lever in wanted if len(lever.full) > 1 for name in lever.full}
    # one of several that work together only tilts: keys will do
    wanted.sort(key=lambda lever: len(lever.full) == 1 and lever.full.keys() <= several)
    own = {lever.slot for lever in wanted}
    for lever in wanted:
        keys_only = len(lever.full) == 1 and lever.full.keys() <= several
        slots = ["f", "g", "j", "k"] if keys_only else [lever.slot, *_others(lever.slot, own)]
        slot = next((slot for slot in slots if slot not in taken), None)
        if slot is not None:
            # 'left' beside a pair of keys would be read as a direction
            taken[slot] = Lever(f"{lever.name} alone" if keys_only else lever.name, slot, lever.words, lever.full)
    return list(taken.values())


def _others(slot: str, own: Collection[str]) -> list[str]:
    """Where a lever goes whose slot is taken: first where keys lie as its own do, and where no other one belongs."""
    others = [other for other in KEYS if other != slot]
    return sorted(others, key=lambda other: ((other in BESIDE) != (slot in BESIDE), other in own))


def _together(scene: Scene, controls: Sequence[Control]) -> list[Lever]:
    """Winches that carry one load are one lever."""
    reach = sliders.together(controls, scene)
    if reach is None:
        return []
    full = {f"{name}.speed": reach.high for name in sliders.working_together(scene)}
    return [Lever("hoist", RIGHT_Y, ("down", "up"), full)]


def _lever(scene: Scene, control: Control) -> Lever | None:
    """What a control is to an operator; None for positions, switches, wind and what is rarely moved."""
    if not sliders.is_speed(control) or sliders.is_rare(control):
        return None
    element, _, quantity = control.name.partition(".")
    top = sliders.range_of(control, scene, 20.0).high
    joint = scene.joints.get(element)
    name = sliders.label(control.name, "").removesuffix(" []")
    if element in sliders.winches(scene):
        slot = LEFT_Y if "luff" in element or "boom" in element else RIGHT_Y
        return Lever(name, slot, ("down", "up"), {control.name: top})
    if (sheave := sliders.driven_sheaves(scene).get(element)) is not None:
        return Lever(name, RIGHT_Y, ("down", "up"), {control.name: sheave.way * top})
    if isinstance(joint, Distance):
        return Lever(name, RIGHT_Y, ("down", "up"), {control.name: -top})
    if isinstance(joint, Hinge):
        upright = abs(joint.axis[2]) > 0.7
        # seen from above, a positive turn about an axis that points up goes to the left
        way = -1.0 if upright and joint.axis[2] > 0.0 else 1.0
        return Lever(
            name,
            LEFT_X if upright else LEFT_Y,
            ("left", "right") if upright else ("down", "up"),
            {control.name: way * top},
        )
    axis = joint.axis if isinstance(joint, Slider) else _axis(quantity)
    if axis is None:
        return None
    if abs(axis[2]) > 0.7:
        return Lever(name, "f", ("down", "up"), {control.name: top if axis[2] > 0.0 else -top})
    # what runs along a jib that slews goes out and in; what stands on the ground goes left and right
    mounted = isinstance(joint, Slider) and joint.a in scene.bodies
    sideways = abs(axis[0]) >= abs(axis[1]) and not mounted
    return Lever(
        name, LEFT_X if sideways else LEFT_Y, ("left", "right") if sideways else ("in", "out"), {control.name: top}
    )


def _axis(quantity: str) -> tuple[float, float, float] | None:
    """Direction of velocity[k] of a kinematic body."""
    if not quantity.startswith("velocity["):
        return None
    x, y, z = (float(quantity[9] == digit) for digit in "012")
    return (x, y, z)
