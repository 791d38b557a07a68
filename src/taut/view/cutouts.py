"""Cut-outs: why a winch does not follow its lever, and what it still does; said beside the picture, for an operator looks there."""

from __future__ import annotations

from taut.view.frame import Frame

#: signals that take away a direction, and what is left; what warns or fails is told by the lamps of the panel alone
CUT = {
    "upper_limit": "upper limit, may only lower",
    "two_block": "block is up, may only lower",
    "overload": "overload, may only lower",
    "load_moment": "beyond the rated load, may only lower",
    "lower_limit": "lower limit, may only raise",
}


def words(frame: Frame | None) -> str:
    """Which winches are cut out and why, those of one reason together; empty: none. A winch tells the first of its reasons."""
    if frame is None:
        return ""
    cut: dict[str, list[str]] = {}
    for name, machine in frame.machines.items():
        reason = next((told for signal, told in CUT.items() if signal in machine.signals), "")
        if reason:
            cut.setdefault(reason, []).append(name.replace("_", " "))
    return " · ".join(f"{', '.join(names)}: {reason}" for reason, names in cut.items())
