"""A cantilever that sags under its own weight, in several engines: EI = 1 N m^2, L = 1 m, 1 kg/m, g = 10 m/s^2.

Those with a static solver are asked for the equilibrium from the straight shape; the others run until they rest, damped so that they do
so soon: by the joints' own viscosity where they have it, by a drag on everything where not.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from taut.cables.rod import Clamp, Free, Rod
from taut.scene import Cable, End, Scene
from taut.scene.parts import Free as FreeEnd
from taut.simulation import Simulation

GRAVITY = 10.0
#: viscosity over stiffness of joints [s]: the slowest motion, 3.5 rad/s, is damped by three quarters of critical
DAMPING_TIME = 0.43
#: a drag that is critical for it [1/s]
DRAG = 7.0
#: half width of a round section where an engine needs one [m]; thin, so that shear does not count
RADIUS = 0.01


class Static(Protocol):
    """Finds the equilibrium at one number of segments."""

    def reset(self) -> None:
        """Straight again; not timed."""

    def solve(self) -> None:
        """To the equilibrium."""

    def tip(self) -> tuple[float, float]:
        """Where the end is, x and z [m]."""
        ...


class Running(Protocol):
    """Runs until it rests, at one number of segments and one step."""

    def reset(self) -> None:
        """Straight again, at rest; not timed."""

    def run(self, seconds: float) -> None:
        """Go on for so long [s]."""

    def tip(self) -> tuple[float, float]:
        """Where the end is, x and z [m]."""
        ...


class OurRod:
    """`taut.Rod`: Newton's method on the energy."""

    def __init__(self, segments: int) -> None:
        self.segments = segments
        self.reset()

    def reset(self) -> None:
        """See `Static.reset`."""
        self.rod = Rod(
            1.0, self.segments, start=Clamp((0, 0, 0)), end=Free(), EI=1.0, GJ=1.0, mass_per_length=1.0, gravity=(0, 0, -GRAVITY)
        )  # fmt: skip

    def solve(self) -> None:
        """See `Static.solve`."""
        self.rod.solve()

    def tip(self) -> tuple[float, float]:
        """See `Static.tip`."""
        return float(self.rod.points[-1, 0]), float(self.rod.points[-1, 2])


class OurSegments:
    """A segmented cable."""

    def __init__(self, segments: int, dt: float) -> None:
        cable = Cable(
            model="segmented", segments=segments, diameter=2.0 * RADIUS, mass_per_length=1.0, axial_stiffness=1e6, bending_stiffness=1.0,
            torsional_stiffness=1.0, damping_time=DAMPING_TIME, route=(End(hold="pose"), FreeEnd(at=(1.0, 0.0, 0.0))),
        )  # fmt: skip
        self.sim = Simulation(Scene(dt=dt, gravity=(0.0, 0.0, -GRAVITY), cables={"rope": cable}))
        self.half = 0.5 / segments
        self.start = self.sim.snapshot()

    def reset(self) -> None:
        """See `Running.reset`."""
        self.sim.restore(self.start)

    def run(self, seconds: float) -> None:
        """See `Running.run`."""
        self.sim.run(round(seconds / self.sim.dt))

    def tip(self) -> tuple[float, float]:
        """The end of the last segment, half a segment beyond its middle."""
        from taut.validate.segmented_scene import nodes

        x, _, z = nodes(self.sim)[-1]
        return float(x), float(z)


class ExudynStatic:
    """Exudyn's planar ANCF cable with its static solver."""

    #: in which the weight grows: with fewer its Newton iteration is lost
    LOAD_STEPS = 10

    def __init__(self, segments: int) -> None:
        exudyn = self.exudyn = importlib.import_module("exudyn")
        beams, items = importlib.import_module("exudyn.beams"), importlib.import_module("exudyn.itemInterface")
        exudyn.config.printToConsole = False
        self.container = exudyn.SystemContainer()
        self.system: Any = self.container.AddSystem()
        kind = items.Cable2D(physicsMassPerLength=1.0, physicsBendingStiffness=1.0, physicsAxialStiffness=1e6)
        made = beams.GenerateStraightLineANCFCable2D(
            mbs=self.system, positionOfNode0=[0, 0, 0], positionOfNode1=[1, 0, 0], numberOfElements=segments, cableTemplate=kind,
            massProportionalLoad=[0, -GRAVITY, 0], fixedConstraintsNode0=[1, 1, 0, 1],
        )  # fmt: skip
        self.last = made[0][-1]
        self.system.Assemble()
        self.settings: Any = exudyn.SimulationSettings()
        self.settings.staticSolver.numberOfLoadSteps = self.LOAD_STEPS
        self.settings.staticSolver.newton.relativeTolerance = 1e-8
        self.settings.staticSolver.newton.maxIterations = 50
        self.settings.staticSolver.verboseMode = 0
        self.settings.solutionSettings.writeSolutionToFile = False
        self.settings.linearSolverType = exudyn.LinearSolverType.EigenSparse

    def reset(self) -> None:
        """See `Static.reset`: it starts from its initial coordinates, which stay as they are."""

    def solve(self) -> None:
        """See `Static.solve`."""
        self.system.SolveStatic(self.settings, updateInitialValues=False)

    def tip(self) -> tuple[float, float]:
        """See `Static.tip`."""
        x, z, _ = self.system.GetNodeOutput(self.last, self.exudyn.OutputVariableType.Position)
        return float(x), float(z)


class MujocoHinges:
    """MuJoCo: links on hinges with springs; Euler's steps, in which the viscosity of joints is implicit."""

    def __init__(self, segments: int, dt: float) -> None:
        mujoco = self.mujoco = importlib.import_module("mujoco")
        size = 1.0 / segments
        spec = mujoco.MjSpec()
        spec.option.timestep, spec.option.gravity = dt, [0.0, 0.0, -GRAVITY]
        off = mujoco.mjtDisableBit
        spec.option.disableflags = int(off.mjDSBL_CONSTRAINT | off.mjDSBL_CONTACT | off.mjDSBL_AUTORESET)
        body = spec.worldbody
        for k in range(segments):
            body = body.add_body(pos=[size if k else 0.0, 0.0, 0.0])
            # half a segment bends at the clamp
            stiffness = (1.0 if k else 2.0) / size
            joint = body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0.0, 1.0, 0.0])
            joint.stiffness = np.array([stiffness, 0.0, 0.0]) if np.ndim(joint.stiffness) else stiffness
            damping = DAMPING_TIME * stiffness
            joint.damping = np.array([damping, 0.0, 0.0]) if np.ndim(joint.damping) else damping
            body.add_geom(
                type=mujoco.mjtGeom.mjGEOM_CAPSULE, fromto=[0, 0, 0, size, 0, 0], size=[RADIUS, 0, 0], mass=size
            )
        body.add_site(name="tip", pos=[size, 0.0, 0.0])
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)

    def reset(self) -> None:
        """See `Running.reset`."""
        self.mujoco.mj_resetData(self.model, self.data)

    def run(self, seconds: float) -> None:
        """See `Running.run`."""
        before = self.mujoco.get_mju_user_warning()
        self.mujoco.set_mju_user_warning(lambda _text: None)
        try:
            self.mujoco.mj_step(self.model, self.data, round(seconds / self.model.opt.timestep))
        finally:
            self.mujoco.set_mju_user_warning(before)

    def tip(self) -> tuple[float, float]:
        """See `Running.tip`."""
        self.mujoco.mj_forward(self.model, self.data)
        return float(self.data.site_xpos[0, 0]), float(self.data.site_xpos[0, 2])


class ElasticaRod:
    """PyElastica's rod, explicit, with its own damper; steps are called from Python."""

    def __init__(self, segments: int, dt: float) -> None:
        self.segments, self.dt = segments, dt
        self.elastica = importlib.import_module("elastica")
        self.reset()

    def reset(self) -> None:
        """See `Running.reset`."""
        elastica: Any = self.elastica
        kind = type(
            "Kind", (elastica.BaseSystemCollection, elastica.Constraints, elastica.Forcing, elastica.Damping), {}
        )
        self.collection: Any = kind()
        modulus = 1.0 / (0.25 * math.pi * RADIUS**4)
        self.rod = elastica.CosseratRod.straight_rod(
            self.segments, np.zeros(3), np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]), 1.0, RADIUS,
            1.0 / (math.pi * RADIUS**2), youngs_modulus=modulus, shear_modulus=modulus / 2.6,
        )  # fmt: skip
        self.collection.append(self.rod)
        self.collection.constrain(self.rod).using(
            elastica.OneEndFixedBC, constrained_position_idx=(0,), constrained_director_idx=(0,)
        )
        self.collection.add_forcing_to(self.rod).using(
            elastica.GravityForces, acc_gravity=np.array([0.0, 0.0, -GRAVITY])
        )
        self.collection.dampen(self.rod).using(
            elastica.AnalyticalLinearDamper, damping_constant=DRAG, time_step=self.dt
        )
        self.collection.finalize()
        self.stepper = elastica.PositionVerlet()
        self.time = np.float64(0.0)

    def run(self, seconds: float) -> None:
        """See `Running.run`."""
        with np.errstate(all="ignore"):
            for _ in range(round(seconds / self.dt)):
                self.time = self.stepper.step(self.collection, self.time, np.float64(self.dt))

    def tip(self) -> tuple[float, float]:
        """See `Running.tip`."""
        x, _, z = self.rod.position_collection[:, -1]
        return float(x), float(z)


@dataclass(frozen=True)
class Engine:
    """One engine: the module it needs, and what makes it, by segments, or by segments and step."""

    name: str
    needs: str
    static: Callable[[int], Static] | None = None
    running: Callable[[int, float], Running] | None = None


ENGINES = (
    Engine("taut rod", "taut", static=OurRod),
    Engine("taut segmented", "taut", running=OurSegments),
    Engine("exudyn ancf", "exudyn", static=ExudynStatic),
    Engine("mujoco", "mujoco", running=MujocoHinges),
    Engine("pyelastica", "elastica", running=ElasticaRod),
)
