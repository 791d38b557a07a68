"""Validation of the rod in space: bent, twisted by more than a turn, hanging, with unlike stiffnesses."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from taut.cables.rod import Clamp, Rod
from taut.validate import rod_reference as reference
from taut.validate.item import Item, below
from taut.validate.lab import Lab

SPATIAL = "Kirchhoff's rod in space, boundary-value problem (scipy solve_bvp)"


def space(lab: Lab) -> Iterator[Item]:
    """Twisted by 400 degrees, isotropic and not."""
    for name, stiffness in (("round", (1.0, 1.0, 0.75)), ("strip", (1.0, 1.6, 0.75))):
        rod = Rod(
            1.0, 120, start=Clamp((0, 0, 0)), end=Clamp((0.7, 0.1, 0.0), (1, 0.4, 0.0)), EI=stiffness[:2], GJ=stiffness[2],
            mass_per_length=20.0, gravity=(0, 0, -1),
        )  # fmt: skip
        rod.solve()
        rod.twist_end("400 deg")
        rod.solve()
        points, force = _reference(rod, np.array(stiffness))
        miss = float(np.linalg.norm(rod.points - points, axis=1).max())
        reason = "second order in the segment length, about 1/n^2"
        yield below(f"rod.space.{name}", miss, 1.5e-4, unit="L", source=SPATIAL, reason=reason)
        error = float(np.linalg.norm(rod.end_force() - force) / np.linalg.norm(force))
        yield below(f"rod.space.{name}.force", error, 3e-3, unit="-", source=SPATIAL, reason=reason)


def _reference(rod: Rod, stiffness: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The boundary-value problem, begun from our own shape: what it ends in is its own."""
    start, end = Clamp((0, 0, 0)).frame("start"), rod.end_frame("end")
    chain = np.vstack([start, rod.frames, end])
    for i in range(1, len(chain)):
        chain[i] *= np.sign(chain[i] @ chain[i - 1])
    nodes = chain[1:] + chain[:-1]
    nodes[0], nodes[-1] = chain[0], chain[-1]
    nodes /= np.linalg.norm(nodes, axis=1, keepdims=True)
    ends = rod.points[0], np.array([0.7, 0.1, 0.0]), chain[0], chain[-1]
    force = rod.end_force() - np.array([0.0, 0.0, 20.0])
    return reference.spatial(stiffness, 20.0, ends, (rod.arc_length, rod.points, nodes, rod.strain * stiffness, force))
