"""Validation of the rod: loads and twists at which a shape ceases to be a minimum."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from taut.cables.rod import Clamp, Free, Pin, Rod
from taut.cables.rod.ends import End
from taut.validate import rod_reference as reference
from taut.validate.item import Item, below, close
from taut.validate.lab import Lab

ORDER = "second order in the segment length"
UP = (0.0, 0.0, 1.0)


def buckling(lab: Lab) -> Iterator[Item]:
    """Thrust of a slightly shortened rod, extrapolated to no shortening: Euler's loads."""
    ends: dict[str, Callable[[float], tuple[End, End]]] = {
        "clamped-clamped": lambda x: (Clamp((0, 0, 0)), Clamp((x, 0, 0))),
        "clamped-pinned": lambda x: (Clamp((0, 0, 0)), Pin((x, 0, 0))),
        "pinned-pinned": lambda x: (Pin((0, 0, 0)), Pin((x, 0, 0))),
    }
    for name, make in ends.items():
        thrust = []
        for slack in (1e-3, 2e-3):
            start, end = make(1.0 - slack)
            rod = Rod(1.0, 100, start=start, end=end, EI=1, GJ=1)
            rod.solve()
            thrust.append(-float(rod.end_force()[0]))
        euler = 2.0 * thrust[0] - thrust[1]
        yield close(
            f"rod.euler.{name}",
            euler,
            reference.EULER[name],
            5e-4,
            unit="EI/L^2",
            source="Euler",
            reason=ORDER + ", 3.3/n^2",
        )
        if name == "clamped-clamped":
            slope = (thrust[1] - thrust[0]) / 1e-3 / euler
            yield close(
                "rod.euler.slope", slope, 0.5, 0.01, unit="-", source="P/P_cr = 1 + d/2, Koiter", reason="finite slack"
            )


def standing(lab: Lab) -> Iterator[Item]:
    """A column clamped at its foot, under a load on its top and under its own weight."""
    top = _critical(lambda p: _column(0.0, p), 2.0, 3.0)
    yield close(
        "rod.euler.clamped-free",
        top,
        reference.EULER["clamped-free"],
        5e-4,
        unit="EI/L^2",
        source="Euler",
        reason=ORDER,
    )
    own = _critical(lambda w: _column(w, 0.0), 7.0, 9.0)
    yield close("rod.standing", own, reference.STANDING, 5e-4, unit="EI/L^3", source="Greenhill's column", reason=ORDER)


def strips(lab: Lab) -> Iterator[Item]:
    """A strip on edge falls over sideways, under its weight and under a load at its tip."""
    tip = _critical(lambda p: _strip(0.0, p), 3.5, 4.5)
    reason = ORDER + "; theory leaves out the bending in the stiff plane, 2e-4 here"
    yield close(
        "rod.strip.tip",
        tip,
        reference.STRIP_TIP,
        2e-3,
        unit="sqrt(EI GJ)/L^2",
        source="Prandtl, Michell",
        reason=reason,
    )
    own = _critical(lambda w: _strip(w, 0.0), 11.0, 14.0)
    yield close(
        "rod.strip.weight", own, reference.STRIP_WEIGHT, 2e-3, unit="sqrt(EI GJ)/L^3", source="Prandtl", reason=reason
    )


def ring(lab: Lab) -> Iterator[Item]:
    """A closed ring, cut and twisted, leaves its plane at Michell's twist."""
    for torsion in lab.choose((1.0,), (1.0, 0.7, 1.5)):
        known = reference.michell(1.0, torsion)
        low, high = 0.9 * known, 1.1 * known
        while high - low > 2e-4 * known:
            middle = 0.5 * (low + high)
            low, high = (middle, high) if _stays_flat(torsion, middle) else (low, middle)
        yield close(
            f"rod.ring.{torsion:g}", 0.5 * (low + high), known, 3e-3, unit="rad",
            source="Michell 1889, 2 pi sqrt(3) EI/GJ",
            reason=ORDER + ", 14/n^2",
        )  # fmt: skip


def _stays_flat(torsion: float, twist: float) -> bool:
    """The ring is stable at this twist and still has it: one that has left its plane has given it away."""
    rod = Rod(1.0, 80, start=Clamp((0, 0, 0)), end=Clamp((0, 0, 0)), EI=1.0, GJ=torsion)
    rod.solve()
    rod.twist_end(twist)
    minimum = rod.solve(escape=False).is_minimum
    return minimum and bool(abs(rod.twist.mean() - twist) < 0.01 * twist)


def loop(lab: Lab) -> Iterator[Item]:
    """Twisted rods that are let in: Greenhill's moment without thrust, and the snap into a loop at four turns."""
    rod = Rod(1.0, 100, start=Clamp((0, 0, 0)), end=Clamp((1.0 - 1e-3, 0, 0)), EI=1, GJ=1)
    rod.solve()
    last = (0.0, 0.0)
    for _ in range(80):
        rod.twist_end("10 deg")
        rod.solve()
        now = float(rod.end_force()[0]), float(rod.end_moment()[0])
        if now[0] > 0.0:
            break
        last = now
    moment = last[1] + (now[1] - last[1]) * last[0] / (last[0] - now[0])
    yield close(
        "rod.greenhill", moment, reference.GREENHILL, 5e-3, unit="EI/L", source="clamped, no thrust: tan(x/2) = x/2",
        reason="slack 1e-3; " + ORDER,
    )  # fmt: skip
    if not lab.quick:
        yield _snap()


def _snap() -> Item:
    rod = Rod(1.0, 100, start=Clamp((0, 0, 0)), end=Clamp((1.0 - 1e-3, 0, 0)), EI=1, GJ=0.75)
    rod.solve()
    rod.twist_end("4 rev")
    rod.solve()
    slack, moment = 1e-3, float(rod.end_moment()[0])
    while slack < 0.4:
        slack += 0.0025
        rod.move_end((1.0 - slack, 0, 0))
        rod.solve()
        now = float(rod.end_moment()[0])
        # two turns of twist pass into the loop at once
        if moment - now > 4.0:
            break
        moment = now
    return below(
        "rod.loop", slack - reference.loop_slack(4.0, 1.0, 0.75), 5e-3, unit="L",
        source="fold of the localised buckle, Coyne 1990",
        reason="steps of 0.0025, and a rod that is not infinitely long",
        note="without self-contact the loop passes through itself",
    )  # fmt: skip


def _column(weight: float, load: float) -> Rod:
    rod = Rod(1.0, 100, start=Clamp((0, 0, 0), UP), end=Free(), EI=1, GJ=1, mass_per_length=weight, gravity=(0, 0, -1))
    rod.add_load(1.0, (0, 0, -load))
    return rod


def _strip(weight: float, load: float) -> Rod:
    strip = Rod(
        1.0, 100, start=Clamp((0, 0, 0), up=UP), end=Free(), EI=(1.0, 1e4), GJ=1.0, mass_per_length=weight,
        gravity=(0, 0, -1),
    )  # fmt: skip
    strip.add_load(1.0, (0, 0, -load))
    return strip


def _critical(make: Callable[[float], Rod], low: float, high: float) -> float:
    """Where the equilibrium that keeps the symmetry ceases to be a minimum, by bisection."""
    if not make(low).solve(escape=False).is_minimum or make(high).solve(escape=False).is_minimum:
        return math.nan
    while high - low > 1e-6 * high:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if make(middle).solve(escape=False).is_minimum else (low, middle)
    return float(np.mean([low, high]))
