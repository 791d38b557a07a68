"""Cut-outs: why a winch does not follow its lever, and what it still does; said beside the picture, for an operator looks there."""

from __future__ import annotations

from collections.abc import Collection

from taut.scene import Scene
from taut.view import sliders
from taut.view.frame import Frame

#: what is left to a winch: to pay out, or to haul in
LOWER, RAISE = "may only lower", "may only raise"
#: to one that luffs a boom, guarded by the one that hoists: its rope, for the boom goes up with it and the load comes in
HAUL = "may only haul in (boom up)"
#: signals that take away a direction, and what is left; what warns or fails is told by the lamps of the panel alone
CUT = {
    "upper_limit": ("upper limit", LOWER),
    "two_block": ("block is up", LOWER),
    "overload": ("overload", LOWER),
    "load_moment": ("beyond the rated load", LOWER),
    "lower_limit": ("lower limit", RAISE),
}
#: signals that a guarded winch has from the one that guards it, and which keep it from paying out
GUARDED = ("two_block", "load_moment")


def guarded(scene: Scene) -> frozenset[str]:
    """Winches that another one guards, and that watch neither block nor load themselves: they are cut out the other way round."""
    return frozenset(
        name
        for name, (_, drum) in sliders.winches(scene).items()
        if drum.guard is not None and drum.two_block is None and drum.load_moment is None
    )


def words(frame: Frame | None, guarded: Collection[str] = ()) -> str:
    """Which winches are cut out and why, those of one reason together; empty: none. A winch tells the first of its reasons, and one
    that is left neither way all of them."""
    if frame is None:
        return ""
    cut: dict[str, list[str]] = {}
    for name, machine in frame.machines.items():
        if told := _reason(machine.signals, name in guarded):
            cut.setdefault(told, []).append(name.replace("_", " "))
    return " · ".join(f"{', '.join(names)}: {reason}" for reason, names in cut.items())


def _reason(signals: Collection[str], is_guarded: bool) -> str:
    """Why a winch is cut out and what it still does; empty: it is not."""
    found: dict[str, str] = {}
    for signal, (why, left) in CUT.items():
        if signal in signals:
            found.setdefault(HAUL if is_guarded and signal in GUARDED else left, why)
    if LOWER in found and len(found) > 1:
        return f"{', '.join(found.values())}, may not move"
    # a lower limit and a guard leave the same
    left, why = next(iter(found.items()), ("", ""))
    return f"{why}, {left}" if why else ""
