"""Exudyn: planar cable elements with axial and bending stiffness (absolute nodal coordinates), implicit generalised alpha.

The swing stays in a plane, so the planar element is enough, and cheaper than one in space. The load is a mass on the last
node. Chosen by trial at 25 elements: spectral radius 0.3 and tolerance 1e-4 (0.6 takes a fifth more time, 0.9 three times as
much, tolerances of 1e-6 and less half as much again); beyond steps of 27 ms Newton's iteration is lost.
"""

from __future__ import annotations

import numpy as np
from exudyn.itemInterface import (
    Cable2D,
    CoordinateConstraint,
    LoadMassProportional,
    MarkerBodyMass,
    MarkerNodeCoordinate,
    NodePoint2DSlope1,
    NodePointGround,
    ObjectGenericODE2,
)

from .case import HOIST, Hoist
from .exudyn_spring import ExudynRunner
from .ours import EI
from .trace import Recorder


class AncfRunner(ExudynRunner):
    """The cable at one number of elements and one step."""

    def _build(self) -> None:
        hoist, system, links = self.hoist, self.system, len(self.rest)
        x, z = hoist.direction()
        along = np.concatenate([[0.0], np.cumsum(self.rest)])
        stretched = np.arange(links + 1) * (hoist.length / links)
        strain = hoist.length / along[-1] - 1.0
        nodes = [
            system.AddNode(
                NodePoint2DSlope1(
                    referenceCoordinates=[s * x, s * z, x, z],
                    initialCoordinates=[(now - s) * x, (now - s) * z, strain * x, strain * z],
                )
            )
            for s, now in zip(along, stretched)
        ]
        self.reference = np.stack([along * x, along * z], axis=1)
        for a, b, rest in zip(nodes, nodes[1:], self.rest):
            cable = system.AddObject(
                Cable2D(
                    nodeNumbers=[a, b],
                    physicsLength=float(rest),
                    physicsMassPerLength=hoist.density,
                    physicsAxialStiffness=hoist.stretch_stiffness,
                    physicsBendingStiffness=EI,
                )
            )
            self._weigh(cable)
        system.AddObject(
            ObjectGenericODE2(
                nodeNumbers=[nodes[-1]],
                massMatrix=np.diag([hoist.load, hoist.load, 0.0, 0.0]),
                forceVector=[0.0, -hoist.load * hoist.gravity, 0.0, 0.0],
            )
        )
        ground = system.AddNode(NodePointGround())
        still = system.AddMarker(MarkerNodeCoordinate(nodeNumber=ground, coordinate=0))
        for coordinate in (0, 1):
            held = system.AddMarker(MarkerNodeCoordinate(nodeNumber=nodes[0], coordinate=coordinate))
            system.AddObject(CoordinateConstraint(markerNumbers=[still, held]))
        system.Assemble()

    def _weigh(self, cable: int) -> None:
        marker = self.system.AddMarker(MarkerBodyMass(bodyNumber=cable))
        self.system.AddLoad(LoadMassProportional(markerNumber=marker, loadVector=[0.0, -self.hoist.gravity, 0.0]))

    def sample(self, time: float, recorder: Recorder) -> bool:
        """Add the state to the trace; the rope's own energy with its mass at the nodes, which is a thousandth of all."""
        data, hoist = self.system.systemData, self.hoist
        position = data.GetODE2Coordinates().reshape(-1, 4)[:, :2] + self.reference
        velocity = data.GetODE2Coordinates_t().reshape(-1, 4)[:, :2]
        stretch = np.linalg.norm(np.diff(position, axis=0), axis=1) - self.rest
        energy = (
            0.5 * self.mass @ np.sum(velocity[1:] ** 2, axis=1)
            + hoist.gravity * self.mass @ position[1:, 1]
            + 0.5 * self.stiffness @ stretch**2
        )
        tension = abs(self.stiffness[0] * stretch[0])
        return recorder.add(time, float(position[-1, 0]), float(position[-1, 1]), float(tension), float(energy))


class ExudynAncf:
    """Exudyn's planar cable elements."""

    name = "exudyn ancf"

    def __init__(self, spectral_radius: float = 0.3, tolerance: float = 1e-4, hoist: Hoist = HOIST) -> None:
        self.spectral_radius, self.tolerance, self.hoist = spectral_radius, tolerance, hoist

    def prepare(self, links: int, dt: float) -> AncfRunner:
        """See `Adapter.prepare`."""
        return AncfRunner(self.hoist, links, dt, self.spectral_radius, self.tolerance)
