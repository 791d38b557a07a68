"""Clips through which the rod slides: their arc lengths are unknown, and the configurational force on each is zero.

The derivative of the least energy by the arc length s of a clip is that of the Lagrangian at fixed frames and multipliers
(the rest is stationary). It is taken by a central difference of the energy itself, so that nothing is left out: bending
K/2 (w0^2 - w^2) and twist on both sides, tension, weight. The arc lengths follow from Newton's method on these forces, with
a matrix from differences that is kept from frame to frame and corrected after Broyden.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from taut.cables.rod import arrays as col
from taut.cables.rod.arrays import Array
from taut.cables.rod.asked import Asked
from taut.cables.rod.assemble import assemble
from taut.cables.rod.ends import conjugate, from_vector, multiply, to_vector
from taut.cables.rod.network import Network, Solution
from taut.cables.rod.reach import check_reach
from taut.cables.rod.targets import Clip
from taut.cables.rod.values import RodError, sized

#: configurational force relative to the force scale at which a clip is taken to rest
STILL = 1e-7
#: force below which the difference of two is round-off and teaches nothing about the matrix; a clip that comes no nearer rests there
NOISE = 1e-5
#: step of the central difference, as a share of a segment
DIFFERENCE = 1e-4
#: farthest that a clip slides in one step, in segments; most steps
FARTHEST, MOST = 2.0, 60
#: halvings of a step that leads nowhere
HALVINGS = 8
#: least piece of a change in which clips are let slide
SMALLEST = 1.0 / 64.0


def slide(net: Network, tolerance: float, most: int, escape: bool) -> Solution:
    """Solve, then let the sliding clips find their places; a change that needs more rod on one side than the clips have let
    through yet is made in pieces."""
    if not any(clip.slides for chain in net.asked.chains for clip in chain.clips.values()):
        return net.solve(tolerance, most, escape)
    if net.changed or net.solution is None:
        return _settle(net, tolerance, most, escape)
    goal, stood = net.asked.copy(), (net.kept.copy(), net.good, net.lengths, net.solution)
    turns = [target.turns for target in net.asked.targets()]
    try:
        return _settle(net, tolerance, most, escape)
    except RodError:
        if max(map(len, turns)) > 2 or net.changed:
            raise
        try:
            # what does not reach at once does not in pieces
            check_reach(goal.chains, goal.bodies, True)
            _stand(net, *stood)
            return _by_pieces(net, goal, tolerance, most, escape)
        except RodError:
            _stand(net, *stood)
            raise


def _stand(
    net: Network, kept: Asked, good: tuple[Array, Array, Array, Array, Array], lengths: list[float], solution: Solution
) -> None:
    """All as it was at an earlier equilibrium."""
    net.kept, net.good, net.lengths, net.solution = kept, good, lengths, solution
    net.fall_back()
    net.old = np.array([target.point for target in net.asked.targets()])


def _by_pieces(net: Network, goal: Asked, tolerance: float, most: int, escape: bool) -> Solution:
    """Walk to what is asked for, and let the clips slide at every stop."""
    start, done, stride = net.kept.copy(), 0.0, 0.5
    iterations, steps = 0, 0
    while True:
        reach = min(1.0, done + stride)
        for now, old, new in zip(net.asked.targets(), start.targets(), goal.targets()):
            now.point = old.point + reach * (new.point - old.point)
            turn = to_vector(multiply(conjugate(old.frame), new.frame))
            if turn.any():
                now.turn_to(new.frame if reach == 1.0 else multiply(old.frame, from_vector(reach * turn)))
        for now_, old_, new_ in zip(net.asked.chains, start.chains, goal.chains):
            now_.length = old_.length + reach * (new_.length - old_.length)
        try:
            found = _settle(net, tolerance, most, escape)
        except RodError:
            if stride <= SMALLEST:
                raise
            stride *= 0.5
            continue
        iterations, steps = iterations + found.iterations, steps + found.steps
        done = reach
        if done == 1.0:
            net.solution = replace(found, iterations=iterations, steps=steps)
            return net.solution


def _settle(net: Network, tolerance: float, most: int, escape: bool) -> Solution:
    """Solve with the clips where they are, then let them slide until nothing drives them."""
    found = net.solve(tolerance, most, escape)
    iterations, steps = found.iterations, found.steps
    shares = _shares(net)
    force = _forces(net)
    matrix = _matrix(net, shares, force, tolerance, most)
    for made in range(MOST):
        # the last steps are for what round-off leaves
        if np.abs(force).max() <= (STILL if 2 * made < MOST else NOISE) * net.scales[0]:
            if _uneven(net):
                # far from where it began: segments are dealt out anew and it settles again
                net.changed = True
                found = net.solve(tolerance, most, escape)
                force = _forces(net)
                continue
            net.solution = replace(found, iterations=iterations, steps=steps)
            return net.solution
        step, found = _try(net, shares, _step(net, matrix, force), tolerance, most, escape)
        iterations, steps = iterations + found.iterations, steps + found.steps
        now = _forces(net)
        if np.abs(force).max() > NOISE * net.scales[0]:
            # Broyden's correction, kept symmetric (Powell)
            miss = (now - force) - matrix @ step
            square = float(step @ step)
            matrix = matrix + (np.outer(miss, step) + np.outer(step, miss)) / square
            matrix -= float(miss @ step) * np.outer(step, step) / square**2
        shares, force = shares + step, now
    clips = _clips(net)
    worst = clips[int(np.argmax(np.abs(force)))]
    raise RodError(
        f"{_called(net, worst)} still slides after {MOST} steps (force "
        f"{np.abs(force).max():.2g} N); the last shape found is kept"
    )


def _try(
    net: Network, shares: Array, step: Array, tolerance: float, most: int, escape: bool
) -> tuple[Array, Solution]:  # fmt: skip
    """Go a step, or a part of it where the rod would become too short."""
    for _ in range(HALVINGS):
        try:
            _move(net, shares + step)
            return step, net.solve(tolerance, most, escape)
        except RodError:
            # the last places stand again
            step = 0.5 * step
    _move(net, shares + step)
    return step, net.solve(tolerance, most, escape)


def _uneven(net: Network) -> bool:
    """Segments on both sides of a clip differ by more than a factor of two."""
    for chain in net.asked.chains:
        knots = np.array([0.0, *(clip.share for clip in chain.order), 1.0])
        sizes = np.diff(knots) / chain.counts
        if sizes.max() > 2.0 * sizes.min() and min(np.diff(knots)) * chain.segments > 2.0:
            return True
    return False


def _called(net: Network, clip: Clip) -> str:
    """A clip in words: its cable, its name and where it holds."""
    chain = next(one for one in net.asked.chains if any(clip is other for other in one.clips.values()))
    name = f"{clip.name} (" if clip.name else "the clip ("
    return f"{chain.name}: {name}at {sized(clip.share * chain.length)})"


def _clips(net: Network) -> list[Clip]:
    return [clip for chain in net.asked.chains for clip in chain.order if clip.slides]


def _shares(net: Network) -> Array:
    return np.array([clip.share for clip in _clips(net)])


def _move(net: Network, shares: Array) -> None:
    """Give the sliding clips these places; the mesh goes with them."""
    for clip, share in zip(_clips(net), shares):
        clip.share = float(share)
    for chain in net.asked.chains:
        knots = np.array([0.0, *(clip.share for clip in chain.order), 1.0])
        spans = np.diff(knots) * chain.segments
        if len(knots) > 2 and spans.min() < 1.0:
            clip = chain.order[max(1, int(np.argmin(spans))) - 1]
            raise RodError(
                f"{_called(net, clip)} slides to within one segment of what is held beside it; the rod is pulled through"
            )
    net.placed = []


def lagrangian(net: Network) -> float:
    a = net.arrays
    energy = assemble(a.rod, a.chain, a.body, a.row, a.quat, a.force, a.block, a.tally)
    rows = a.tally[col.ROWS]
    return float(energy + a.force[:rows] @ a.row[:rows, col.GAP])


def _forces(net: Network) -> Array:
    """Derivative of the least energy by the arc length of each sliding clip [N]."""
    out = []
    for clip in _clips(net):
        chain = next(one for one in net.asked.chains if any(clip is other for other in one.clips.values()))
        step, here, values = DIFFERENCE / chain.segments, clip.share, []
        for sign in (1.0, -1.0):
            clip.share = here + sign * step
            net.placed = []
            net.set_lengths(net.lengths)
            values.append(lagrangian(net))
        clip.share = here
        out.append((values[0] - values[1]) / (2.0 * step * chain.length))
    net.placed = []
    net.set_lengths(net.lengths)
    lagrangian(net)
    return np.array(out)


def _matrix(net: Network, shares: Array, force: Array, tolerance: float, most: int) -> Array:
    """Change of the forces with the places, by solving at nearby ones; places are left as they were."""
    kept = getattr(net, "slide_matrix", None)
    if kept is not None and kept.shape == (len(shares), len(shares)):
        return kept
    columns = []
    for k in range(len(shares)):
        step = np.zeros(len(shares))
        step[k] = 0.05 / net.asked.chains[0].segments
        _move(net, shares + step)
        net.solve(tolerance, most, False)
        columns.append((_forces(net) - force) / step[k])
    _move(net, shares)
    net.solve(tolerance, most, False)
    matrix = np.array(columns).T
    return 0.5 * (matrix + matrix.T)


def _step(net: Network, matrix: Array, force: Array) -> Array:
    """Newton's step, downhill and not too far."""
    values, vectors = np.linalg.eigh(matrix)
    floor = 1e-3 * max(float(np.abs(values).max()), 1e-300)
    step = -vectors @ ((vectors.T @ force) / np.maximum(np.abs(values), floor))
    farthest = FARTHEST / max(chain.segments for chain in net.asked.chains)
    return step * min(1.0, farthest / max(float(np.abs(step).max()), 1e-300))
