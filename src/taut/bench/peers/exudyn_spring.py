"""Exudyn: mass points joined by spring-dampers, implicit generalised alpha, sparse direct solver.

Nodes and springs are those of the explicit chain, without damping. The largest step is limited by the swing, the cost
by the Newton iterations a step takes: moving along a chord of the swing stretches the stiff springs, and the iteration
has to turn every one of them.

Chosen by trial, on this case, at steps from 0.1 to 0.2 s:
- full Newton, 2.5 iterations per step; the modified one, with a Jacobian per step or fewer, iterates more, is 10 %
  cheaper at 25 links, dearer from 100 on, and mostly gives up at 400 when left to itself;
- relative tolerance 1e-4: 1e-8 costs 20 to 40 % more for the same errors, at 1e-3 most runs are lost;
- spectral radius 0.6: the trapezoidal rule and 0.9 cost up to twice as much at the same step and are mostly lost at 400
  links; 0.5 saves a few per cent at most and is 0.5 % off in period sooner;
- EigenSparse with its pattern analysed once (a quarter cheaper at 100 links); the dense solvers are slower;
- the step is not adapted, so that it is the one that is printed.
The cost hardly depends on the step between 0.14 and 0.2 s: a longer step needs more iterations.
"""

from __future__ import annotations

from typing import Any

import exudyn
import numpy as np
from exudyn.itemInterface import (
    LoadMassProportional,
    MarkerBodyMass,
    MarkerBodyPosition,
    MarkerNodePosition,
    MassPoint,
    NodePoint,
    ObjectGround,
    SpringDamper,
)

from .case import HOIST, Hoist
from .trace import Recorder, Trace, steps_between_samples


class ExudynRunner:
    """The chain at one number of segments and one step."""

    def __init__(self, hoist: Hoist, links: int, dt: float, spectral_radius: float, tolerance: float) -> None:
        self.hoist, self.dt = hoist, dt
        self.mass = hoist.lumped_masses(links)
        self.rest = hoist.rest_lengths(links)
        self.stiffness = hoist.stretch_stiffness / self.rest
        sin, minus_cos = hoist.direction()
        along = np.arange(1, links + 1) * (hoist.length / links)
        self.start = np.stack([along * sin, 0.0 * along, along * minus_cos], axis=1)
        exudyn.config.printToConsole = False  # a lost run is a result here, not a message
        self.container = exudyn.SystemContainer()
        self.system: Any = self.container.AddSystem()  # its published types do not fit what it takes and gives
        self._build()
        self.settings = self._settings(spectral_radius, tolerance)
        self.solver: Any = None
        self.reset()

    def _build(self) -> None:
        system = self.system
        above = system.AddMarker(MarkerBodyPosition(bodyNumber=system.AddObject(ObjectGround())))
        for position, mass, rest, stiffness in zip(self.start, self.mass, self.rest, self.stiffness):
            node = system.AddNode(NodePoint(referenceCoordinates=position.tolist()))
            point = system.AddObject(MassPoint(mass=float(mass), nodeNumber=node))
            weight = system.AddMarker(MarkerBodyMass(bodyNumber=point))
            system.AddLoad(LoadMassProportional(markerNumber=weight, loadVector=[0.0, 0.0, -self.hoist.gravity]))
            marker = system.AddMarker(MarkerNodePosition(nodeNumber=node))
            system.AddObject(
                SpringDamper(markerNumbers=[above, marker], referenceLength=float(rest), stiffness=float(stiffness))
            )
            above = marker
        system.Assemble()

    def _settings(self, spectral_radius: float, tolerance: float) -> exudyn.SimulationSettings:
        settings = exudyn.SimulationSettings()
        time = settings.timeIntegration
        time.adaptiveStep = False
        time.stepInformation = 0
        time.generalizedAlpha.spectralRadius = spectral_radius
        time.newton.useModifiedNewton = False
        time.newton.relativeTolerance = tolerance
        settings.linearSolver.solverType = exudyn.LinearSolverType.EigenSparse
        settings.linearSolver.reuseAnalyzedPattern = True
        settings.parallel.numberOfThreads = 1
        settings.solution.file.write = False
        settings.solution.sensors.active = False
        time.numberOfSteps, time.endTime = 1, self.dt  # gives the solver its step; run() sets the span
        return settings

    def reset(self) -> None:
        """A new solver at the release: memory, sparsity and initial accelerations are not timed."""
        self.solver = exudyn.MainSolverImplicitSecondOrder()
        self.solver.InitializeSolver(self.system, self.settings)

    def run(self, seconds: float, record: bool = True) -> Trace:
        """See `Runner.run`. One call; when recording, the interpreter is entered after every step."""
        total = round(seconds / self.dt)
        # the solver copied the span when it was set up
        for place in (self.settings.timeIntegration, self.solver.it):
            place.numberOfSteps, place.endTime = total, total * self.dt
        recorder = Recorder(self.hoist)
        if record:
            self.sample(0.0, recorder)
            chunk = steps_between_samples(self.dt)

            def after_step(_system: object, time: float) -> bool:
                done = round(time / self.dt)
                # some versions call at the start as well
                due = done > 0 and (done % chunk == 0 or done == total)
                return self.sample(time, recorder) if due else True

            self.system.SetPostStepUserFunction(after_step)
        try:
            self.solver.SolveSteps(self.system, self.settings)
        finally:
            self.solver.FinalizeSolver(self.system, self.settings)
            if record:
                self.system.SetPostStepUserFunction(0)
        return recorder.trace()

    def sample(self, time: float, recorder: Recorder) -> bool:
        """Add the state to the trace."""
        position = self.system.systemData.GetODE2Coordinates().reshape(-1, 3) + self.start
        velocity = self.system.systemData.GetODE2Coordinates_t().reshape(-1, 3)
        stretch = np.linalg.norm(np.diff(position, axis=0, prepend=np.zeros((1, 3))), axis=1) - self.rest
        energy = (
            0.5 * self.mass @ np.sum(velocity**2, axis=1)
            + self.hoist.gravity * self.mass @ position[:, 2]
            + 0.5 * self.stiffness @ stretch**2
        )
        tension = abs(self.stiffness[0] * stretch[0])
        return recorder.add(time, float(position[-1, 0]), float(position[-1, 2]), float(tension), float(energy))


class ExudynSpring:
    """Exudyn's implicit mass-spring chain."""

    name = "exudyn"

    def __init__(self, spectral_radius: float = 0.6, tolerance: float = 1e-4, hoist: Hoist = HOIST) -> None:
        self.spectral_radius, self.tolerance, self.hoist = spectral_radius, tolerance, hoist

    def prepare(self, links: int, dt: float) -> ExudynRunner:
        """See `Adapter.prepare`."""
        return ExudynRunner(self.hoist, links, dt, self.spectral_radius, self.tolerance)
