"""What is taken out of a route, and what that means for what it held."""

from __future__ import annotations

from taut.cables.rod.clearance import standing
from taut.cables.rod.route import Route
from taut.view.route_edits import Edits
from taut.view.route_places import BODY, CLIP, HAND, PART, end_of
from taut.view.route_tools import remove_clip


def remove(edits: Edits, key: str) -> None:
    """Take out what a key stands for, or say why not."""
    route, (kind, _, rest) = edits.route, key.partition("/")
    if kind == PART:
        stood = standing(route.harness._net, rest)
        stay = f"{_and(stood)} stood on it and {'stays' if len(stood) == 1 else 'stay'} in place" if stood else ""
        edits.alter(lambda: _remove_part(route, rest), f"{rest} is removed; {stay}" if stay else "", f"removing {rest}")
    elif kind == CLIP:
        cable, _, word = rest.partition("/")
        edits.alter(lambda: _remove_clip(route, cable, word), asked=f"removing {word} of {cable}")
    elif kind == HAND:
        edits.let_go()
    elif kind == BODY and end_of(route, rest) is None:
        edits.say(
            f"{rest} holds {_and(_held_by(route, rest))}: set what it holds elsewhere first, as by a click on a face"
        )
    elif kind == BODY:
        edits.say(f"{rest} is the end of a cable and goes with it: remove the cable")


def remove_cable(edits: Edits, name: str) -> None:
    """Take a cable out, unless it is the last one or a tie holds it."""
    data = edits.route.data["route"]
    ties = [word for word, tie in (data.get("ties") or {}).items() if name in tie["cables"]]
    if len(data["cables"]) == 1:
        edits.say(f"{name} is the only cable; a route has one at least")
    elif ties:
        edits.say(f"{name} is bundled by {_and(ties)}: take it out of there first, in the file")
    else:
        edits.edit(lambda: data["cables"].pop(name), f"removing {name}")


def _remove_part(route: Route, name: str) -> None:
    route.harness.remove_obstacle(name)
    route.shapes.pop(name)
    route.data["route"]["parts"].pop(name)


def _remove_clip(route: Route, cable: str, word: str) -> None:
    route.harness[cable].remove_clip(route.clips[cable].pop(word))
    remove_clip(route.data["route"]["cables"][cable], word)


def _held_by(route: Route, connector: str) -> list[str]:
    """Ends that sit on a connector."""
    cables = route.data["route"]["cables"]
    return [
        f"{name}.{side}"
        for name, one in cables.items()
        for side in ("start", "end")
        if isinstance(one[side], dict) and one[side].get("at") == connector
    ]


def _and(names: list[str]) -> str:
    """Names in a row."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
