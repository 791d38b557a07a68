"""What can be changed of a scene while it runs, and how its values are written."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from taut.lifting import with_loads_lifted
from taut.scene import Cable, Distance, Scene, units
from taut.scene.parts import Winch
from taut.scene.segments import bending_of
from taut.scene.spec import Spec, kind_name, summary, unit_of
from taut.scene.wind import Wind
from taut.view.cameras import LOADS

#: names of what an instructor makes heavier: what hangs on the hook rather than the hook
WEIGHED = ("load", "cabin", *LOADS)
#: name of the wind among the elements
WIND = "wind"
#: what is smaller than this beside the largest part of a vector is round-off [-]
DUST = 1e-12
#: multiples of units, the largest first
MULTIPLES = {
    "N": ((1e6, "MN"), (1e3, "kN"), (1.0, "N")),
    "kg": ((1e3, "t"), (1.0, "kg"), (1e-3, "g")),
    "s": ((1.0, "s"), (1e-3, "ms")),
}
#: fields of cables by their model, of joints between two points, and of chains
_ROPE = ("axial_stiffness", "damping_time", "breaking_load", "model")
_BENT = ("axial_stiffness", "bending_stiffness")
OF_CABLE = {
    "massless": _ROPE,
    "layered": _ROPE,
    "auto": _ROPE,
    "segmented": (*_BENT, "damping_time", "breaking_load", "model"),
    "rod": ("length", "bending_stiffness", "model"),  # it does not stretch
    "honeycomb": (*_BENT, "model"),
}
OF_TIE, OF_CHAIN = ("length", "stiffness", "damping_time"), ("mass_per_length", "stiffness", "damping_time")


def elements(scene: Scene) -> dict[str, tuple[str, ...]]:
    """What can be changed while it runs, with the fields of each; the wind always can."""
    found: dict[str, tuple[str, ...]] = {
        name: ("mass", "centre") if body.kind == "dynamic" else ("mass",)
        for name, body in scene.bodies.items()
        if body.kind in ("dynamic", "particle")
    }
    for name, cable in scene.cables.items():
        rope = name in scene.ropes()
        wound = any(isinstance(part, Winch) for part in cable.parts())
        found[name] = (*(("length",) if rope and not wound else ()), *OF_CABLE[cable.model])
    for name, joint in scene.joints.items():
        if isinstance(joint, Distance):
            found[name] = OF_TIE if joint.motor is None else OF_TIE[1:]  # a motor changes the length by itself
    return {**found, **dict.fromkeys(scene.chains, OF_CHAIN), WIND: ("speed", "direction")}


def kind_of(scene: Scene, element: str) -> type[Spec]:
    """What describes an element, and names and explains its fields."""
    return Wind if element == WIND else type(_held(scene, element))


def _held(scene: Scene, element: str) -> Any:
    """The description of an element."""
    return next(part[element] for part in (scene.bodies, scene.cables, scene.joints, scene.chains) if element in part)


def value_of(scene: Scene, element: str, field: str) -> str:
    """The value of a field as a person would write it: as written, or as it follows from what is written."""
    if element == WIND:
        held: Any = getattr(scene.wind or Wind(), field)
    elif field == "mass":
        held = mass(scene, element)
    elif field == "centre":
        held = centre(scene, element)
    else:
        held = getattr(_held(scene, element), field)
    if held is None and element in scene.cables:
        held = _follows(scene.cables[element], field)
    elif held is None and element in scene.joints and field == "length":
        held = scene.joints[element].start_length(scene.bodies)  # type: ignore[union-attr]
    if isinstance(held, tuple):
        return f"[{', '.join(f'{part:.6g}' for part in without_dust(held))}]"
    return "" if held is None else quantity(float(held), unit_of(kind_of(scene, element), field))


def read_as(scene: Scene, element: str, field: str) -> str:
    """The value of a field as it is read most easily: where a level wind blows to in degrees, as it is set."""
    if (element, field) == (WIND, "direction") and (scene.wind or Wind()).direction[2] == 0.0:
        return f"{direction(scene):g} deg"
    return value_of(scene, element, field)


def _follows(cable: Cable, field: str) -> float | None:
    """What is not written of a cable, but follows from its material or the catalogue."""
    if field == "axial_stiffness":
        return cable.stiffness()
    if field == "bending_stiffness":
        return bending_of(cable)[0]
    if field == "breaking_load":
        return cable.strength()
    return None


def from_catalogue(scene: Scene, element: str, field: str) -> bool:
    """Whether the value of a field is nowhere written, but that of the rope of the catalogue."""
    cable = scene.cables.get(element)
    if cable is None or cable.rope is None or getattr(cable, field) is not None:
        return False
    of_section = cable.modulus is not None and cable.moments() is not None
    return field == "breaking_load" or (field in ("axial_stiffness", "bending_stiffness") and not of_section)


def nothing_typed(scene: Scene, element: str, field: str) -> str:
    """What is to be typed for a field, said where nothing is."""
    value = value_of(scene, element, field)
    expected = kind_name(kind_of(scene, element), field)
    return f"{element}.{field}: no value is typed; expected {expected}" + (f", now {value}" if value else "")


def explained(scene: Scene, element: str, field: str) -> str:
    """What a field is, and where its value comes from if it is not written."""
    said = summary(kind_of(scene, element), field)
    return f"{said}. The value is that of the rope in the catalogue." if from_catalogue(scene, element, field) else said


def listed(scene: Scene, element: str, field: str) -> str:
    """The value of a field in a list, with a word on where it comes from if it is not written."""
    value = getattr(scene.cables[element], field) if field == "model" else read_as(scene, element, field)
    return f"{value} (catalogue)" if value and from_catalogue(scene, element, field) else str(value)


def lifted_tension(scene: Scene, rope: str) -> float:
    """With what tension a rope begins that is `lifted` at the start [N]. Not the one of the moment, which may be that of a swing or
    of a slack rope: the start is to stay what it is."""
    return with_loads_lifted(scene).cables[rope].tension or 0.0


def tie_changes(scene: Scene, name: str, text: str) -> list[str]:
    """Changes that give a joint between two points another length.

    One that does not give way holds its length from the start on: what hangs on it alone then starts at that distance. Raises
    ValueError for a length at which the two points would be at the same place.
    """
    joint, wanted = scene.joints[name], f"{name}.length={text}"
    assert isinstance(joint, Distance)
    try:
        length = units.parse(text, units.LENGTH)
    except units.UnitError:
        return [wanted]  # which is refused in the usual words
    ends = joint.anchors(scene.bodies)
    apart = math.dist(*ends)
    if 0.0 < length <= (least := joint.least(ends[0])):
        raise ValueError(
            f"{name}.length: {text} - expected more than {least:.1g} m: its two points would be at one place"
        )
    fits = length >= apart if joint.rope else length == apart
    moved = next((side for side, body in (("b", joint.b), ("a", joint.a)) if _hangs_alone(scene, body, name)), None)
    if joint.stiffness is not None or fits or moved is None:
        return [wanted]
    way = (length - apart) / apart * (1.0 if moved == "b" else -1.0)
    body = joint.b if moved == "b" else joint.a
    shift = [way * (q - p) for p, q in zip(*ends)]
    found = [wanted, f"{body}.position={_vector(scene.bodies[body].start_position, shift)}"]
    if (point := getattr(joint, f"point_{moved}")) is not None:
        found.append(f"{name}.point_{moved}={_vector(point, shift)}")
    return found


def _hangs_alone(scene: Scene, body: str, joint: str) -> bool:
    """Whether a body moves, and nothing but this joint holds it."""
    if body not in scene.bodies or scene.bodies[body].kind not in ("dynamic", "particle"):
        return False
    others = [spec for name, spec in scene.joints.items() if name != joint] + list(scene.chains.values())
    parts = [part.on for cable in scene.cables.values() for part in cable.parts()]
    return body not in [*(held for spec in others for held in (spec.a, spec.b)), *parts]


def _vector(point: Sequence[float], shift: Sequence[float]) -> str:
    return f"[{', '.join(f'{p + s:.9g}' for p, s in zip(point, shift))}]"


def quantity(value: float, unit: str) -> str:
    """A number with the multiple of its unit that is read most easily: '40 kN', '10.296 t'."""
    if not math.isfinite(value):
        return ""
    multiples = MULTIPLES.get(unit, ()) if value else ()
    size, text = next((one for one in multiples if abs(value) >= one[0]), (1.0, unit))
    return f"{value / size:.7g} {text}"


def load_of(scene: Scene) -> str | None:
    """What an instructor makes heavier; None if nothing has such a name."""
    return next((name for name in WEIGHED if name in scene.bodies and scene.bodies[name].kind == "dynamic"), None)


def wind_speed(scene: Scene) -> float:
    """Of the wind [m/s]."""
    return float(scene.wind.speed) if scene.wind is not None else 0.0


def direction(scene: Scene) -> float:
    """Where the wind blows to, seen from above: 0 is along x [deg]."""
    x, y, _ = scene.wind.direction if scene.wind is not None else (1.0, 0.0, 0.0)
    return float(round(math.degrees(math.atan2(y, x)), 3)) + 0.0


def without_dust(parts: Sequence[float]) -> list[float]:
    """A vector whose round-off is zero: sines and cosines of right angles."""
    most = max(map(abs, parts), default=0.0)
    return [float(part) if abs(part) > DUST * most else 0.0 for part in parts]


def mass(scene: Scene, body: str) -> float:
    """Of a body, given or from its density [kg]."""
    return float(scene.bodies[body].mass_properties().mass)


def centre(scene: Scene, body: str) -> tuple[float, float, float]:
    """Centre of gravity of a body in its frame, given or from its shape [m]."""
    x, y, z = scene.bodies[body].mass_properties().centre
    return float(x), float(y), float(z)
