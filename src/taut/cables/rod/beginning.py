"""The first equilibrium of a network: from the shape of one that is nearly the same, or from a guessed curve."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from taut.cables.rod import arrays as col
from taut.cables.rod import carrying
from taut.cables.rod.arrays import Array
from taut.cables.rod.clearance import sunk
from taut.cables.rod.guess import guess
from taut.cables.rod.imbalance import furthest
from taut.cables.rod.obstacles import Obstacles
from taut.cables.rod.properties import Properties
from taut.cables.rod.values import RodError

if TYPE_CHECKING:
    from taut.cables.rod.network import Network

#: iterations from a mere guess, as a multiple of those for a stride
FIRST = 5
#: share of these iterations after which another way is tried first
BRIEF = 0.1
#: shares of the loads by which a difficult first shape is approached
RAMP = (0.0, 0.01, 0.03, 0.1, 0.3, 0.6, 1.0)
#: what to do where no first shape is found
HELPS = (
    "; points that it goes through (through) tell where to begin, and more length or more segments make it easier; or begin with easier ends "
    "and move them"
)
#: in how many steps one material becomes another, where it does not at once
STEPS = (1, 4)


def begin(net: Network, tolerance: float, most: int) -> int:
    """The first equilibrium; returns in how many steps it was found. Raises RodError."""
    asked, arrays = net.asked, net.arrays
    net.set_lengths([chain.length for chain in asked.chains])
    targets = asked.targets()
    net.place(np.array([t.point for t in targets]), [t.frame for t in targets])
    before, net.before = net.before, None
    if before is not None and before.solution is not None and (steps := _from(net, before, tolerance, most)):
        return steps
    if any(chain.through for chain in asked.chains) and _near(net, tolerance, most):
        return 1
    loads, totals = arrays.rod[:, col.LOAD : col.LOAD + 3].copy(), arrays.chain[:, col.TOTAL : col.TOTAL + 3].copy()
    shapes, bodies, free = net.obstacles, arrays.body.copy(), arrays.body[:, col.FREE : col.FREE + 6].copy()
    loose = bool(free[:, 3:].any())
    for attempt, waits, early, patience in _attempts(loose, len(shapes.shape) > 0):
        enough = max(1, int(patience * FIRST * most))
        guess(arrays, asked.chains, asked.bodies)
        # a free start is put where the curve begins; other free bodies wait until their cables have a shape
        arrays.force[:] = 0.0
        arrays.tally[col.ROWS] = arrays.tally[col.EQUATIONS]
        if waits:
            arrays.body[:, col.FREE : col.FREE + 6] = free * (free[:, 3:].sum(axis=1) == 0.0)[:, None]
        net.obstacles = Obstacles.none()
        for share in attempt:
            arrays.rod[:, col.LOAD : col.LOAD + 3] = share * loads
            arrays.chain[:, col.TOTAL : col.TOTAL + 3] = share * totals
            if not net.newton(tolerance, enough):
                break
        else:
            if _let_go(net, free, shapes, early, tolerance, enough):
                net.check_twist("")
                return len(attempt)
        arrays.body[:] = bodies
    words = furthest(net)
    net.loaded, net.obstacles = False, shapes
    deep = sunk(net, failed=True)
    raise RodError(
        "".join(f"{text}\n" for text in deep)
        + f"no equilibrium found from the first guess in {net.counts[0]} iterations{f': {words}' if words else ''}"
        f"{'' if deep else HELPS}"
    )


def _attempts(loose: bool, obstacles: bool) -> Iterator[tuple[tuple[float, ...], bool, bool, float]]:
    """Ways to the first shape, one after the other: loads at once or in steps; whether free bodies are held at first; whether what is in the
    way is there before they are let go; share of the iterations.

    One that leads nowhere goes on to its last iteration, with contacts for many seconds: all are tried for a while before any is tried for long.
    """
    at_once = (1.0,)
    if not loose:
        yield from ((loads, True, False, 1.0) for loads in (at_once, RAMP))
        return
    plain = [(at_once, True, False), (at_once, False, False), (RAMP, True, False), (RAMP, False, False)]
    among = [(at_once, True, True), (RAMP, True, True)]
    if obstacles:
        yield from ((*way, BRIEF) for way in (plain[0], among[0], *plain[1:], among[1]))
    yield from ((*way, 1.0) for way in (*plain, *among))


def _near(net: Network, tolerance: float, most: int) -> bool:
    """From a guess through given points, with all that is in the way from the start: it is taken to be near the shape that is meant."""
    arrays = net.arrays
    bodies = arrays.body.copy()
    guess(arrays, net.asked.chains, net.asked.bodies)
    arrays.force[:] = 0.0
    arrays.tally[col.ROWS] = arrays.tally[col.EQUATIONS]
    if net.newton(tolerance, FIRST * most):
        net.check_twist("")
        return True
    arrays.body[:] = bodies
    return False


def _let_go(net: Network, free: Array, shapes: Obstacles, early: bool, tolerance: float, most: int) -> bool:
    """Let bodies go and bring in what is in the way: last, for a guess may lie inside of something; early, for what hangs freely may
    hang right through it."""
    net.obstacles = shapes if early or not free.any() else net.obstacles
    if early and not net.newton(tolerance, most):
        return False
    net.arrays.body[:, col.FREE : col.FREE + 6] = free
    done = net.newton(tolerance, most)
    if done and net.obstacles is not shapes:
        net.obstacles = shapes
        done = net.newton(tolerance, most)
    return done


def _from(net: Network, before: Network, tolerance: float, most: int) -> int:
    """From the shape of a network that is nearly the same, what is new of it from a guess; a material that is another is brought on in
    steps where it must be. Returns in how many, 0 where it is not found so."""
    arrays, same = net.arrays, carrying.alike(net, before)
    if not same:
        return 0
    bodies, shape = arrays.body.copy(), carrying.shape_of(before, before.kept)
    wanted = [chain.properties for chain in net.asked.chains]
    stood = {chain.name: chain.properties for chain in before.kept.chains}
    targets = net.asked.targets()
    for steps in STEPS:
        guess(arrays, net.asked.chains, net.asked.bodies)
        carrying.put(net, shape, same)
        net.place(np.array([t.point for t in targets]), [t.frame for t in targets])
        arrays.force[:] = 0.0
        arrays.tally[col.ROWS] = arrays.tally[col.EQUATIONS]
        found = all(
            _made_of(net, wanted, stood, share / steps) and net.newton(tolerance, most) for share in range(1, steps + 1)
        )
        _made_of(net, wanted, stood, 1.0)
        if found:
            net.check_twist("")
            return steps
        arrays.body[:] = bodies
        if not any(_between(stood.get(chain.name), one) for chain, one in zip(net.asked.chains, wanted)):
            break  # nothing that steps could bring on
    return 0


def _made_of(net: Network, wanted: list[Properties], stood: dict[str, Properties], share: float) -> bool:
    """Make the chains of something between two materials; always true."""
    changed = False
    for chain, one in zip(net.asked.chains, wanted):
        was = stood.get(chain.name)
        made = one
        if share < 1.0 and was is not None and _between(was, one):
            stiffness = was.stiffness ** (1.0 - share) * one.stiffness**share
            made = replace(one, stiffness=stiffness, mass=was.mass + share * (one.mass - was.mass))
        changed = changed or made is not chain.properties
        chain.properties = made
    if changed:
        net.placed = []
        net.set_lengths([chain.length for chain in net.asked.chains])
    return True


def _between(was: Properties | None, one: Properties) -> bool:
    """Whether there is something between two materials: both are known for the same segments, and differ."""
    if was is None or was.stiffness.shape != one.stiffness.shape:
        return False
    return not (np.array_equal(was.stiffness, one.stiffness) and np.array_equal(was.mass, one.mass))
