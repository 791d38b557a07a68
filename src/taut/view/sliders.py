"""Ranges, steps and labels of the sliders: one for every control."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from taut.scene import ControlMotion, Distance, Hinge, Scene, Slider
from taut.scene.cables import Cable
from taut.scene.parts import Traction, Winch, bodies_beside
from taut.view.frame import Control, Sides

#: speeds that a slider reaches if nothing else tells [m/s, rad/s]
LEAST_SPEED, USUAL_SPIN, USUAL_TURN, USUAL_WIND = 0.05, 6.0, 1.0, 30.0
#: how long an operator would wait for the full speed of a drive [s]
RAMP = 4.0
#: how angles are shown: files and Python have radians
DEGREES = {"rad": "deg", "rad/s": "deg/s"}
_PART = re.compile(r"^(?P<element>\w+)\.(?P<quantity>\w+)(?:\[(?P<axis>[012])\])?$")


@dataclass(frozen=True)
class Range:
    """From where to where a slider goes, in which steps, in the unit of its control."""

    low: float
    high: float
    step: float


def nice(number: float) -> float:
    """The next 1, 2 or 5 times a power of ten above a positive number."""
    power = 10.0 ** math.floor(math.log10(number) + 1e-12)
    return next(m * power for m in (1.0, 2.0, 5.0, 10.0) if m * power >= number * (1.0 - 1e-9))


def range_of(control: Control, scene: Scene, size: float) -> Range:
    """The range of a control in a scene of that size [m]; its value now lies within."""
    low, high = _ends(control, scene, size)
    low, high = min(low, control.value), max(high, control.value)
    step = nice((high - low) / 400.0)
    # ends on whole steps, so that the slider reaches zero exactly
    low, high = step * math.floor(low / step + 1e-9), step * math.ceil(high / step - 1e-9)
    return Range(rounded(low, step), rounded(high, step), step)


def _ends(control: Control, scene: Scene, size: float) -> tuple[float, float]:
    value = abs(control.value)
    match = _PART.match(control.name)
    element, quantity = (match["element"], match["quantity"]) if match else ("", "")
    if quantity == "speed" and (found := winches(scene).get(element)) is not None:
        return -found[1].most_speed, found[1].most_speed
    if quantity == "speed" and (sheave := driven_sheaves(scene).get(element)) is not None:
        return -sheave.most_speed, sheave.most_speed
    if element == "wind":
        return 0.0, nice(max(USUAL_WIND, 2.0 * value))
    if quantity == "position" and (found := winches(scene).get(element)) is not None:
        # rope out: between its limits, else from nothing to twice what is out
        low, high = found[1].upper_limit, found[1].lower_limit
        return low or 0.0, high if high is not None else nice(2.0 * value) if value else 1.0
    if quantity == "position":
        return _travel(scene.joints.get(element), scene, size)
    # what a motor with an acceleration of its own reaches in some seconds
    motor = getattr(scene.joints.get(element), "motor", None)
    reached = RAMP * motor.acceleration if motor is not None and motor.acceleration else math.inf
    if control.unit == "rad/s":
        top = max(2.0 * value, min(USUAL_TURN if quantity == "spin" else USUAL_SPIN, reached))
    else:
        # about ten seconds through the scene
        top = max(2.0 * value, min(max(LEAST_SPEED, min(0.1 * size, 2.0)), reached))
    top = nice(top)
    return -top, top


def _travel(joint: object, scene: Scene, size: float) -> tuple[float, float]:
    """How far a position goes: to its limits, else once around, across the scene, or twice the length."""
    if isinstance(joint, Hinge):
        low, high = -math.pi, math.pi
    elif isinstance(joint, Distance):
        length = joint.start_length(scene.all_bodies())
        low, high = 0.1 * length, 2.0 * length
    else:
        low, high = -0.5 * size, 0.5 * size
    limits = joint.limits if isinstance(joint, Hinge | Slider | Distance) else None
    if limits is not None:
        low = limits.lower if limits.lower is not None else low
        high = limits.upper if limits.upper is not None else high
    return low, high


def size(control: Control) -> float:
    """What its value is multiplied by to be shown: angles are in degrees."""
    return math.degrees(1.0) if control.unit in DEGREES else 1.0


def shown_range(control: Control, scene: Scene, extent: float) -> Range:
    """The range of a control in the unit in which it is shown."""
    reach, factor = range_of(control, scene, extent), size(control)
    if factor == 1.0:
        return reach
    low, high = factor * reach.low, factor * reach.high
    step = nice((high - low) / 400.0)
    low, high = step * math.floor(low / step + 1e-9), step * math.ceil(high / step - 1e-9)
    return Range(rounded(low, step), rounded(high, step), step)


def rounded(value: float, step: float) -> float:
    """The whole step nearest to a value, without the dust of floating point."""
    return float(f"{step * round(value / step):.9g}")


def label(name: str, unit: str) -> str:
    """What stands beside a slider, short: 'hoist [m/s]', 'trolley x [m/s]'; the unit tells a speed from a turn."""
    match, unit = _PART.match(name), DEGREES.get(unit, unit)
    if match is None:
        return f"{name} [{unit}]"
    axis = "" if match["axis"] is None else " " + "xyz"[int(match["axis"])]
    return f"{match['element'].replace('_', ' ')}{axis} [{unit}]"


def hint(name: str, scene: Scene) -> str:
    """What a control does, for the pointer that rests on it."""
    match = _PART.match(name)
    joint = scene.joints.get(match["element"]) if match else None
    if match and match["quantity"] == "speed":
        if isinstance(joint, Distance):
            return f"{name}: how fast it gets longer; below zero it is reeled in"
        if match["element"] in winches(scene):
            return f"{name}: hauls in above zero, pays out below"
        if (sheave := driven_sheaves(scene).get(match["element"])) is not None and sheave.raised:
            return f"{name}: {'raises' if sheave.way > 0.0 else 'lowers'} {sheave.raised} above zero"
    if match and match["quantity"] == "position" and match["element"] in winches(scene):
        return f"{name}: rope out that it goes to"
    return name


def winches(scene: Scene) -> dict[str, tuple[Cable, Winch]]:
    """Winches of a scene, with their cables, by the name of their controls: their own, else that of the cable."""
    found: dict[str, tuple[Cable, Winch]] = {}
    for name, cable in scene.cables.items():
        for part in cable.route:
            if isinstance(part, Winch):
                own = part.name or name
                found[own if own not in found else f"{own}_{len(found)}"] = cable, part
    return found


@dataclass(frozen=True)
class DrivenSheave:
    """A driven sheave as its lever sees it."""

    raised: str
    """What a lever that is pushed up raises; empty if nothing hangs on that side."""
    other: str
    """What goes down then; empty if nothing hangs there."""
    way: float
    """1 where that is rope towards the end of the route, which is the sign of its control; else -1."""
    most_speed: float
    """Largest speed, either way [m/s]."""

    def sides(self, tensions: tuple[float, float], grip: float) -> Sides:
        """Both sides at one moment, from the tensions before and after it along the route [N] and its grip [-]."""
        before, after = (max(0.0, tension) for tension in tensions)
        return Sides((self.raised, self.other), (before, after) if self.way > 0.0 else (after, before), grip)


def driven_sheaves(scene: Scene) -> dict[str, DrivenSheave]:
    """Driven sheaves of a scene, by the name of their controls: their own, else that of the cable."""
    cables = scene.cables.items()
    return {
        part.name or name: _driven(part, cable, scene)
        for name, cable in cables
        for part in cable.route
        if isinstance(part, Traction)
    }


def _driven(part: Traction, cable: Cable, scene: Scene) -> DrivenSheave:
    """Rope that runs towards the end of the route lifts what hangs on the side of its start."""
    moving = {name for name, body in scene.all_bodies().items() if body.kind == "dynamic"}
    before, after = ([body for body in side if body in moving] for side in bodies_beside(part, cable.parts()))
    turned = part.lifts in after if part.lifts is not None else not before and bool(after)
    sides = [part.lifts or "", *(after if turned else before), ""], [*(before if turned else after), ""]
    raised, other = (next((body for body in side if body), "") for side in sides)
    return DrivenSheave(raised, other, -1.0 if turned else 1.0, part.most_speed)


def working_together(scene: Scene) -> list[str]:
    """Winches whose ropes connect the same bodies, so that one lever for all of them makes sense."""
    groups: dict[frozenset[str], list[str]] = {}
    for name, (cable, _) in winches(scene).items():
        groups.setdefault(frozenset(part.on for part in cable.parts()), []).append(name)
    return next((names for names in groups.values() if len(names) > 1), [])


def together(controls: Sequence[Control], scene: Scene) -> Range | None:
    """The range of one slider for winches that work together."""
    wanted = {f"{name}.speed" for name in working_together(scene)}
    ranges = [range_of(control, scene, 1.0) for control in controls if control.name in wanted]
    if len(ranges) < 2:
        return None
    return Range(max(r.low for r in ranges), min(r.high for r in ranges), max(r.step for r in ranges))


def is_speed(control: Control) -> bool:
    """Whether Stop brings it to zero: every speed but that of the wind."""
    return control.unit in ("m/s", "rad/s") and not is_wind(control)


def is_drive(name: str) -> bool:
    """Whether a control of that name moves something: a speed, or where something goes to."""
    match = _PART.match(name)
    if match is None:
        return False
    return match["element"] != "wind" and match["quantity"] in ("speed", "velocity", "spin", "position")


def stays_as_then(control: Control) -> bool:
    """Whether it is part of the moment one goes back to: what hangs on a hook, and where a drive that holds a place holds it. All
    others are what somebody holds or has set."""
    return is_hook(control) or (is_drive(control.name) and not is_speed(control))


def is_wind(control: Control) -> bool:
    """Whether it is the wind, which an instructor sets where there is one."""
    return control.name.startswith("wind.")


def is_switch(control: Control) -> bool:
    """Whether it is on or off: emergency stops, faults and hooks."""
    return control.name.endswith((".emergency", ".brake_fault", ".hook"))


def is_fault(control: Control) -> bool:
    """Whether it is a brake that does not hold, which an instructor sets."""
    return control.name.endswith(".brake_fault")


def is_hook(control: Control) -> bool:
    """Whether it ties a rope within reach and unties it."""
    return control.name.endswith(".hook")


def is_emergency(control: Control) -> bool:
    """Whether it is one of the emergency stops, which a single switch works."""
    return control.name.endswith(".emergency")


def without_lever(scene: Scene) -> frozenset[str]:
    """Controls of kinematic bodies that their scene wants no levers for."""
    found: set[str] = set()
    for name, body in scene.bodies.items():
        if isinstance(body.motion, ControlMotion) and body.motion.levers != "all":
            found |= {f"{name}.velocity[{k}]" for k, axis in enumerate("xyz") if axis not in body.motion.levers}
            found |= {f"{name}.spin[{k}]" for k in range(3)}
    return frozenset(found)


def is_rare(control: Control) -> bool:
    """Whether it is kept out of the way: turning a kinematic body."""
    match = _PART.match(control.name)
    return match is not None and match["quantity"] == "spin"
