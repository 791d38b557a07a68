"""Tools of the routing studio beyond dragging what is there: a new cable, a cable taken by hand, parts from files."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from taut.cables.rod.clip_names import clip_names
from taut.cables.rod.ends import rotate
from taut.cables.rod.found_rolls import Found
from taut.cables.rod.limits import UNITS
from taut.cables.rod.material_cards import cards
from taut.cables.rod.route import DIGITS, Route
from taut.cables.rod.targets import Handle
from taut.cables.rod.values import RodError, number
from taut.cables.rod.written import MILLIMETRES, length_like, numbers, point_like, unit_of_route
from taut.scene import units
from taut.view.readout import newtons

#: what is bent less is straight [1/m]
STRAIGHT = 0.01
#: length of a new cable over the distance of its ends
SLACK = 1.4
#: number under which a cable holds what a person has taken in hand, and what messages call it
HAND, IN_HAND = 0, "the place in hand"
#: decimals of lengths that are written [m]: to a micrometre, and to a tenth of a millimetre where it is a first guess
MICROMETRES, TENTHS = 6, 4


def free_name(data: dict[str, Any]) -> str:
    """A name that no cable has yet."""
    cables, count = data["route"]["cables"], 1
    while f"cable_{count}" in cables:
        count += 1
    return f"cable_{count}"


def new_cable(
    data: dict[str, Any], name: str, card: str, first: tuple[Any, Any], second: tuple[Any, Any],
    length: float | None = None,
) -> None:  # fmt: skip
    """Add a cable between two places, each a point [m] and the outward normal there. length: where it is asked for [m]."""
    cable = {**cards()[card].given(), "segments": 60}
    lay(cable, first, second, unit_of_route(data), length)
    data["route"]["cables"][name] = cable


def lay(
    cable: dict[str, Any], first: tuple[Any, Any], second: tuple[Any, Any], unit: str = MILLIMETRES,
    length: float | None = None,
) -> None:  # fmt: skip
    """Lay a cable between two places, each a point [m] and the outward normal there, with some slack. unit: of its points; length: where
    it is asked for [m]."""
    (start, out), (end, back) = first, second
    slack = SLACK * float(np.linalg.norm(np.asarray(end) - np.asarray(start)))
    if slack < 1e-3:
        raise RodError("the two places are the same; click on another one")
    digits = TENTHS if length is None else MICROMETRES
    cable["length"] = length_like(cable.get("length"), length or slack, unit, digits=digits)
    cable["start"] = place_at(start, out, unit)
    cable["end"] = place_at(end, -np.asarray(back), unit)


def place_at(point: Any, direction: Any, unit: str) -> dict[str, Any]:
    """An end at a point [m], as it is written."""
    return {"point": point_like(None, _clicked(point), unit), "direction": numbers(direction, DIGITS["direction"])}


def _clicked(point: Any) -> Any:
    """A point [m] without the digits that a click has by chance."""
    return np.round(np.asarray(point, float), MICROMETRES) + 0.0


def set_length(cable: dict[str, Any], length: float, shares: list[float]) -> None:
    """Give a cable another length [m]; its clips are at these shares of it."""
    cable["length"] = length_like(cable.get("length"), length, digits=MICROMETRES)
    cable.pop("tension", None)
    for clip, share in zip(cable.get("clips") or [], shares):
        clip["s"] = length_like(clip.get("s"), share * length, digits=MICROMETRES)


def made_of(cable: dict[str, Any], card: dict[str, Any]) -> bool:
    """Whether a cable is of the material of a card, of whatever size."""
    return all(cable.get(key) == value for key, value in card.items() if key != "section")


def set_material(cable: dict[str, Any], card: dict[str, Any], diameter: float) -> None:
    """Make a cable of the material of a card; its outer diameter [m] stays, its wall is as thick for it as that of the card."""
    for gone in ("EI", "GJ", "G", "mass_per_length", "radius"):
        cable.pop(gone, None)
    rectangular = "width" in (cable.get("section") or {})
    made = copy.deepcopy(card)
    if rectangular:
        made.pop("section")  # cards know round ones
    cable.update(made)
    if not rectangular:
        set_diameter(cable, diameter)


def material(cable: dict[str, Any]) -> str:
    """What a cable is made of, in words."""
    words = {"E": "E", "nu": "nu", "density": "density", "EI": "EI", "GJ": "GJ", "mass_per_length": "mass per length"}
    return ", ".join(f"{word} {_as_written(cable[key])}" for key, word in words.items() if key in cable)


def _as_written(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def inner_of(cable: dict[str, Any]) -> float | None:
    """Inner diameter of a round cable [m], zero for a solid one; None where there is none to be told."""
    section = cable.get("section") or {}
    return (
        number("inner", section["inner"], units.LENGTH)
        if "inner" in section
        else 0.0
        if "diameter" in section
        else None
    )


def set_diameter(cable: dict[str, Any], diameter: float) -> None:
    """Give a cable another outer diameter [m]; a hollow one keeps the ratio of its diameters. Raises RodError."""
    section = cable.get("section")
    if not diameter > 0.0:
        raise RodError("a diameter must be more than 0 mm")
    if section is None:
        cable["radius"] = length_like(cable.get("radius"), 0.5 * diameter, digits=MICROMETRES)
    elif "outer" in section:
        outer, inner = (number(word, section[word], units.LENGTH) for word in ("outer", "inner"))
        cable["section"] = {"outer": f"{1e3 * diameter:g} mm", "inner": f"{1e3 * diameter * inner / outer:.4g} mm"}
    elif "diameter" in section:
        cable["section"] = {"diameter": f"{1e3 * diameter:g} mm"}
    else:
        raise RodError("the section is rectangular; its width and height are in the file")


def set_inner(cable: dict[str, Any], inner: float, outer: float) -> None:
    """Give a round cable another inner diameter [m] in its outer one; zero makes it solid. Raises RodError."""
    if not 0.0 <= inner < outer:
        raise RodError(f"an inner diameter is 0 mm (solid) or more, and less than the outer one, {1e3 * outer:g} mm")
    across = f"{1e3 * outer:g} mm"
    cable["section"] = {"outer": across, "inner": f"{1e3 * inner:g} mm"} if inner > 0.0 else {"diameter": across}


def nearest_share(points: np.ndarray, origin: np.ndarray, way: np.ndarray) -> float:
    """Arc length over the length of a cable where a ray passes nearest to it; nodes are equally far apart."""
    way = way / np.linalg.norm(way)
    relative = points - origin
    away = np.linalg.norm(relative - (relative @ way)[:, None] * way, axis=1)
    return float(np.argmin(away)) / (len(points) - 1)


def take(route: Route, cable: str, share: float) -> None:
    """Take hold of a cable there, where it is; what was in hand before is let go."""
    chain = route.harness[cable]._chain
    let_go(route)
    edge = 2.0 / chain.segments
    share = min(max(share, edge), 1.0 - edge)
    chain.check_apart(share)
    there = route.harness._net.point_at(route.harness[cable]._kept, share)
    chain.handles[HAND] = Handle(there, share=share, name=IN_HAND)
    route.harness._net.changed = True


def let_go(route: Route) -> bool:
    """Nothing is in hand any more; whether something was."""
    found = [chain for chain in route.harness._net.asked.chains if chain.handles.pop(HAND, None) is not None]
    route.harness._net.changed = route.harness._net.changed or bool(found)
    return bool(found)


def held(route: Route) -> dict[str, Handle]:
    """What is in hand, by the name of its control."""
    chains = route.harness._net.asked.chains
    return {f"hand/{chain.name}": chain.handles[HAND] for chain in chains if HAND in chain.handles}


def pull_in_hand(route: Route, cable: str) -> float:
    """How hard the hand pulls at a cable, as it was solved last [N]; nothing where it has only just been taken."""
    handle = route.harness[cable]._kept.handles.get(HAND)
    return 0.0 if handle is None else float(np.linalg.norm(handle.force))


def arc_in_hand(route: Route, cable: str) -> str:
    """At which arc length a cable is in hand, in words."""
    length = route.harness[cable].length
    share = route.harness[cable]._chain.handles[HAND].share
    return f"arc length {1e3 * share * length:.1f} mm of {1e3 * length:.1f} mm"


def bend_in_hand(route: Route, cable: str) -> str:
    """How sharply a cable is bent where it is in hand, and how hard it is drawn there, in words."""
    one = route.harness[cable]
    share = one._chain.handles[HAND].share
    bent = float(np.interp(share * one.length, one.arc_length, one.curvature))
    pull = one.tension
    drawn = float(np.interp(share, (np.arange(len(pull)) + 0.5) / len(pull), pull))
    radius = f"bend radius {1e3 / bent:.0f} mm" if bent > STRAIGHT else "straight"
    return f"{radius}, tension {newtons(drawn)}"


def clip_in_hand(route: Route, release: str) -> tuple[str, dict[str, Any]]:
    """The cable that is in hand, and a clip that holds it there as it is, ready to be written into its data. Raises RodError."""
    found = [chain for chain in route.harness._net.asked.chains if HAND in chain.handles]
    if not found:
        raise RodError("nothing is in hand: click on a cable, drag it to where the clip should be, then set it")
    name, share = found[0].name, found[0].handles[HAND].share
    cable, frame = route.harness[name], route.harness[name]._frame_at(share)
    taken, count = set(route.clips[name]), 1
    while f"clip {count}" in taken:
        count += 1
    return name, {
        "name": f"clip {count}",
        "s": f"{round(1e3 * share * cable.length, 2):g} mm",
        "release": release,
        "point": point_like(None, _clicked(found[0].handles[HAND].point), unit_of_route(route.data)),
        "direction": numbers(rotate(frame, np.array([0.0, 0.0, 1.0])), DIGITS["direction"]),
        "up": Found(numbers(rotate(frame, np.array([1.0, 0.0, 0.0])), DIGITS["up"])),
    }


def pull_through(route: Route, cable: str, word: str, arc: float) -> None:
    """Let a clip hold a cable at another arc length [m]. Raises RodError."""
    one, number_ = route.harness[cable], route.clips[cable][word]
    if not 0.0 < arc < one.length:
        raise RodError(f"{cable} goes from 0 to {1e3 * one.length:g} mm")
    clips, moved = dict(one._chain.clips), one._chain.clips.pop(number_)
    one._chain.check_apart(arc / one.length)
    moved.share = arc / one.length
    one._chain.clips.clear()
    one._chain.clips.update(clips)
    route.harness._net.changed = True
    clips = route.data["route"]["cables"][cable]["clips"]
    for called, clip in zip(clip_names(clips), clips):
        if called == word:
            clip["s"] = length_like(clip["s"], arc, digits=MICROMETRES)


def remove_clip(cable: dict[str, Any], word: str) -> None:
    """Take a clip out of the data of a cable."""
    clips = cable.get("clips") or []
    names = clip_names(clips)
    # the others keep the names that they had by their number
    for name, clip in zip(names, clips):
        clip["name"] = name
    cable["clips"] = [clip for name, clip in zip(names, clips) if name != word]
    if not cable["clips"]:
        del cable["clips"]


def set_limit(cable: dict[str, Any], what: str, value: float) -> None:
    """Ask a cable to keep to a limit, in the unit in which it is shown; zero: nothing is asked. Raises RodError."""
    if value < 0.0:
        raise RodError("a limit is more than zero; zero asks for nothing")
    limits = cable.setdefault("limits", {})
    if value > 0.0:
        limits[what] = f"{value:g} {UNITS[what][0]}"
    else:
        limits.pop(what, None)
