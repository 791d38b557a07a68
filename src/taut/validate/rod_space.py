"""Validation of the rod in space: bent, twisted by more than a turn, hanging, with unlike stiffnesses."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from taut.cables.rod import Clamp, Rod
from taut.validate import rod_reference as reference
from taut.validate.item import Item, below, between
from taut.validate.lab import Lab

SPATIAL = "Kirchhoff's rod in space, boundary-value problem (scipy solve_bvp)"
WEIGHT, END = 20.0, np.array([0.7, 0.1, 0.0])


def space(lab: Lab) -> Iterator[Item]:
    """Twisted by 400 degrees, with equal and with unlike bending stiffness."""
    for name, stiffness in (("round", (1.0, 1.0, 0.75)), ("strip", (1.0, 1.6, 0.75))):
        misses = []
        for segments in (60, 120):
            rod = _twisted(segments, stiffness)
            points, force = _reference(rod, np.array(stiffness))
            misses.append(float(np.linalg.norm(rod.points - points, axis=1).max()))
        reason = "second order in the segment length, 2 to 3/n^2"
        yield below(f"rod.space.{name}", misses[-1], 3e-4, unit="L", source=SPATIAL, reason=reason)
        error = float(np.linalg.norm(rod.end_force() - force) / np.linalg.norm(force))
        yield below(f"rod.space.{name}.force", error, 3e-3, unit="-", source=SPATIAL, reason=reason)
        order = math.log2(misses[0] / misses[1])
        yield between(f"rod.space.{name}.order", order, 1.9, 2.1, unit="-", theory=2.0, source=SPATIAL, reason=reason)


def _twisted(segments: int, stiffness: tuple[float, float, float]) -> Rod:
    rod = Rod(
        1.0, segments, start=Clamp((0, 0, 0)), end=Clamp(END, (1, 0.4, 0)), EI=stiffness[:2], GJ=stiffness[2],
        mass_per_length=WEIGHT, gravity=(0, 0, -1),
    )  # fmt: skip
    rod.solve()
    rod.twist_end("400 deg")
    rod.solve()
    return rod


def _reference(rod: Rod, stiffness: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The boundary-value problem, begun from our own shape: what it ends in is its own."""
    chain = np.vstack([rod.end_frame("start"), rod.frames, rod.end_frame("end")])
    for i in range(1, len(chain)):
        chain[i] *= np.sign(chain[i] @ chain[i - 1])
    nodes = chain[1:] + chain[:-1]
    nodes[0], nodes[-1] = chain[0], chain[-1]
    nodes /= np.linalg.norm(nodes, axis=1, keepdims=True)
    ends = np.zeros(3), END, chain[0], chain[-1]
    force = rod.end_force() - np.array([0.0, 0.0, WEIGHT])
    guess = rod.arc_length, rod.points, nodes, rod.strain * stiffness, force
    return reference.spatial(stiffness, WEIGHT, ends, guess)
