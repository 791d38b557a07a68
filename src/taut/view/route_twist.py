"""Twist that came with a change, in words: a cable may go over to another shape, and be twisted there."""

from __future__ import annotations

import math

import numpy as np

from taut.cables.rod.route import Route

#: twist that comes with a change and is told [rad]
TOLD = math.radians(20.0)


def twist_told(before: Route, after: Route) -> str:
    """Cables that are twisted by much more than before, and what helps; empty where none is."""
    told = []
    for name in after.harness.cables:
        if name not in before.harness.cables or before.harness._net.solution is None:
            continue
        was, is_ = (float(np.ptp(one.harness[name].turned[1])) for one in (before, after))
        if is_ - was > TOLD:
            told.append(f"{name} is twisted by {math.degrees(is_):.0f} deg now, before by {math.degrees(was):.0f} deg")
    helps = "; if it was not meant, take out the twist (More of this cable)"
    return "; ".join(told) + helps if told else ""
