"""Exudyn's planar ANCF cable, static: the hung rod of the bench, its end dragged.

The element is planar, so that the drag is too: x and z of the same way. Static solve from the last shape in one load step,
as for ours; its tolerance is set so that the residual is no better than ours.
"""

from __future__ import annotations

from typing import Any

import exudyn
from exudyn.beams import GenerateStraightLineANCFCable2D
from exudyn.itemInterface import (
    Cable2D,
    CoordinateConstraint,
    MarkerNodeCoordinate,
    NodePointGround,
)


class ExudynRod:
    """EI = 1, L = 1, weight 102 a metre, clamped at both ends; as stiff in tension as leaves its stretch below 1e-4."""

    def __init__(self, elements: int) -> None:
        exudyn.config.printToConsole = False
        self.container = exudyn.SystemContainer()
        self.system: Any = self.container.AddSystem()
        template = Cable2D(
            physicsMassPerLength=102.0,
            physicsBendingStiffness=1.0,
            physicsAxialStiffness=1e6,
            physicsBendingDamping=0.0,
        )
        made = GenerateStraightLineANCFCable2D(
            mbs=self.system, positionOfNode0=[0, 0, 0], positionOfNode1=[1, 0, 0], numberOfElements=elements,
            cableTemplate=template, massProportionalLoad=[0, -1.0, 0], fixedConstraintsNode0=[1, 1, 1, 1],
        )  # fmt: skip
        nodes = made[0]
        ground = self.system.AddNode(NodePointGround(referenceCoordinates=[0, 0, 0]))
        zero = self.system.AddMarker(MarkerNodeCoordinate(nodeNumber=ground, coordinate=0))
        self.held = []
        for coordinate in (0, 1, 2, 3):
            marker = self.system.AddMarker(MarkerNodeCoordinate(nodeNumber=nodes[-1], coordinate=coordinate))
            self.held.append(self.system.AddObject(CoordinateConstraint(markerNumbers=[zero, marker], offset=0.0)))
        self.system.Assemble()
        settings: Any = exudyn.SimulationSettings()
        settings.staticSolver.numberOfLoadSteps = 1
        settings.staticSolver.newton.relativeTolerance = 1e-8
        settings.staticSolver.newton.maxIterations = 50
        settings.staticSolver.verboseMode = 0
        settings.solutionSettings.writeSolutionToFile = False
        settings.linearSolverType = exudyn.LinearSolverType.EigenSparse
        self.settings = settings
        # to the first shape in many small steps: a straight cable does not know which way to sag
        for k in range(1, 41):
            self.move_end((1.0 - 0.01 * k, 0.0, 0.0))
            self.solve()

    def move_end(self, point: tuple[float, float, float]) -> None:
        """Ask for a place of the end; its y is left out."""
        self.system.SetObjectParameter(self.held[0], "offset", point[0] - 1.0)
        self.system.SetObjectParameter(self.held[1], "offset", point[2])

    def solve(self) -> None:
        """From the last shape."""
        self.system.SolveStatic(self.settings)
        now = self.system.systemData.GetODE2Coordinates()
        self.system.systemData.SetODE2Coordinates(now, configuration=exudyn.ConfigurationType.Initial)
