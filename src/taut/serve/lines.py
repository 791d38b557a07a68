"""Everything that is drawn as a line: cables of every model, distance joints and chains, with their pull and their points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from taut.measure import autos, joints, ropes, waves
from taut.scene import Distance

#: points on the arc around a sheave
ARC_POINTS = 5


class Line(NamedTuple):
    """A line of a simulation: its name, its tension at the start and at the end [N], and its points [m]."""

    name: str
    pull: Callable[[], tuple[float, float]]
    points: Callable[[], np.ndarray]


def lines_of(sim: Any) -> list[Line]:
    """Cables over sheaves, segmented and honeycomb cables, distance joints and chains, in this order."""
    found = [_rope(sim, name) for name in sim.scene.ropes()]
    for name, strand in sim.scene.strands().items():
        # by name: where joints lie in the tables changes when segments are merged and split
        found.append(_jointed(sim, name, strand.joint_names(), lambda name=name: sim.read(f"{name}.tensions")))  # type: ignore[misc]
    found += [_lattice(sim, name) for name in sim.scene.lattices()]
    for name, spec in sim.scene.joints.items():
        if isinstance(spec, Distance):
            found.append(_jointed_pair(sim, name))
    for name, chain in sim.scene.chains.items():
        quantity = sim.names[f"{name}.tension"]
        found.append(_jointed(sim, name, chain.joint_names(name), lambda q=quantity: q.read(sim)))  # type: ignore[misc]
    return found


def _lattice(sim: Any, name: str) -> Line:
    from taut.measure import lattices  # only here: kernels take time to load

    def pull() -> tuple[float, float]:
        along = lattices.tensions(sim, name)
        return float(along[0]), float(along[-1])

    return Line(name, pull, lambda: lattices.axis(sim, name))


def _rope(sim: Any, name: str) -> Line:
    if name in sim.compiled.choices:  # as many points whether it has its waves or not

        def sides() -> tuple[float, float]:
            along = ropes.sides(sim, name)
            return float(along[0, 1]), float(along[-1, 0])

        return Line(name, sides, lambda: autos.shape(sim, name))
    if waves.is_layered(sim, name):

        def pull() -> tuple[float, float]:
            ends = waves.end_tensions(sim, name)
            return float(ends[0, 0]), float(ends[-1, 1])

        return Line(name, pull, lambda: waves.shape(sim, name).reshape(-1, 3))

    def tensions() -> tuple[float, float]:
        along = ropes.tensions(sim, name)
        return float(along[0]), float(along[-1])

    return Line(name, tensions, lambda: ropes.polyline(sim, name, ARC_POINTS))


def _jointed(sim: Any, name: str, parts: Sequence[str], tensions: Callable[[], np.ndarray]) -> Line:
    def pull() -> tuple[float, float]:
        along = tensions()
        return float(along[0]), float(along[-1])

    return Line(name, pull, lambda: np.array([joints.points(sim, joint)[0] for joint in parts]))


def _jointed_pair(sim: Any, name: str) -> Line:
    def pull() -> tuple[float, float]:
        size = joints.tension(sim, name)
        return size, size

    return Line(name, pull, lambda: np.array(joints.points(sim, name)))
