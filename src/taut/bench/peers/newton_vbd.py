"""Newton: its rod of capsules, solved by vertex block descent (SolverVBD, compliant augmented Lagrangian), single precision.

The load is a body of its own on a ball joint; iterations are the solver's default. With a load thousands of times heavier than a
segment they leave energy behind, the less so the shorter the step; but positions are single precision, and below some 0.3 ms the way
that gravity adds in a step, g h^2, is rounded away: the load stands still in the air.
"""

from __future__ import annotations

import math
from typing import Any

import newton as newton_engine
import numpy as np
import warp

from .case import HOIST, Hoist
from .ours import EI
from .trace import Recorder, Trace, steps_between_samples

newton: Any = newton_engine
wp: Any = warp
#: radius of the capsules, which only their inertia knows [m]
RADIUS = 0.01
ITERATIONS = 10


class VbdRunner:
    """The rod at one number of segments and one step."""

    def __init__(self, hoist: Hoist, links: int, dt: float) -> None:
        wp.config.quiet = True
        self.hoist, self.links, self.dt = hoist, links, dt
        x, z = hoist.direction()
        self.along = np.array([x, 0.0, z])
        builder = newton.ModelBuilder(gravity=(0.0, 0.0, -hoist.gravity))
        # bodies are rigid, joints stretch, those at both ends half as much; each begins stretched by what it carries
        self.stiffness = np.full(links + 1, hoist.stretch_stiffness * links / hoist.length)
        self.stiffness[[0, -1]] *= 2.0
        below = hoist.load + hoist.density * hoist.length * np.arange(links, -1, -1) / links
        gaps = below * hoist.gravity * math.cos(hoist.angle) / self.stiffness
        self.size = size = (hoist.length - float(gaps.sum())) / links
        self.middles = np.cumsum(gaps)[:-1] + (np.arange(links) + 0.5) * size
        rod = newton.Rod([wp.vec3(*(k * size * self.along)) for k in range(links + 1)], radius=RADIUS)
        rod.compute_frames()
        bodies, joints = builder.add_rod(
            rod=rod, stretch_stiffness=float(self.stiffness[1]), bend_stiffness=EI / size, wrap_in_articulation=False, body_frame_origin="com",
        )  # fmt: skip
        mass = hoist.density * hoist.length / links
        for body in bodies:
            _set_mass(builder, body, mass, mass * size**2 / 12.0, 0.5 * mass * RADIUS**2)
        top = builder.add_joint_ball(-1, bodies[0], child_xform=_at(-0.5 * size))
        load = builder.add_link(xform=wp.transform(wp.vec3(*(hoist.length * self.along)), wp.quat_identity()))
        _set_mass(builder, load, hoist.load, hoist.load * 0.4 * 0.2**2, hoist.load * 0.4 * 0.2**2)
        hook = builder.add_joint_ball(bodies[-1], load, parent_xform=_at(0.5 * size))
        builder.add_articulation([*joints, top, hook])
        builder.color()
        with wp.ScopedDevice("cpu"):
            self.model: Any = builder.finalize(device="cpu")
            self.solver: Any = newton.solvers.SolverVBD(
                self.model, iterations=ITERATIONS, rigid_compliant_alm=True, rigid_joint_linear_ke=float(self.stiffness[0]),
            )  # fmt: skip
        self.mass = np.asarray(self.model.body_mass.numpy(), float)
        self.reset()

    def reset(self) -> None:
        """At the release."""
        self.states = [self.model.state(), self.model.state()]
        for state in self.states:
            pose = state.body_q.numpy()
            pose[:-1, :3] = self.middles[:, None] * self.along
            pose[-1, :3] = self.hoist.length * self.along
            state.body_q.assign(pose)
        self.control, self.contacts = self.model.control(), newton.CollisionPipeline(self.model).contacts()
        self.time, self.momentum = 0.0, np.zeros(3)

    def run(self, seconds: float, record: bool = True) -> Trace:
        """See `Runner.run`; its steps are called from Python."""
        total, recorder = round(seconds / self.dt), Recorder(self.hoist)
        chunk = steps_between_samples(self.dt) if record else total
        alive, done = not record or self.sample(recorder), 0
        while alive and done < total:
            count = min(chunk, total - done)
            for k in range(count):
                if record and k == count - 1:
                    self.momentum = self.mass @ self._velocities()
                before, after = self.states
                before.clear_forces()
                self.solver.step(before, after, self.control, self.contacts, self.dt)
                self.states = [after, before]
            done += count
            self.time = done * self.dt
            alive = not record or self.sample(recorder)
        return recorder.trace()

    def _velocities(self) -> np.ndarray:
        """Of the centres of mass [m/s], shape (bodies, 3)."""
        return np.asarray(self.states[0].body_qd.numpy()[:, :3], float)

    def sample(self, recorder: Recorder) -> bool:
        """Add the state to the trace. The pull at the top is what changes the momentum in a step beside gravity; the rope is straight but
        for what its own weight does, so that joints have stretched by what the middles of bodies are farther apart."""
        place, velocity = np.asarray(self.states[0].body_q.numpy()[:, :3], float), self._velocities()
        apart = np.linalg.norm(np.diff(np.vstack([np.zeros(3), place]), axis=0), axis=1)
        apart[1:-1] -= self.size
        apart[[0, -1]] -= 0.5 * self.size
        energy = (
            0.5 * self.mass @ np.sum(velocity**2, axis=1)
            + self.hoist.gravity * self.mass @ place[:, 2]
            + 0.5 * self.stiffness @ apart**2
        )
        weight = np.array([0.0, 0.0, self.hoist.gravity * float(self.mass.sum())])
        if self.time > 0.0:
            pull = float(np.linalg.norm((self.mass @ velocity - self.momentum) / self.dt + weight))
        else:
            pull = float(self.mass.sum()) * self.hoist.gravity * math.cos(self.hoist.angle)
        return recorder.add(self.time, float(place[-1, 0]), float(place[-1, 2]), pull, float(energy))


def _at(z: float) -> Any:
    return wp.transform(wp.vec3(0.0, 0.0, z), wp.quat_identity())


def _set_mass(builder: Any, body: int, mass: float, across: float, along: float) -> None:
    """Mass and moments of inertia of a body [kg, kg m^2]."""
    builder.body_mass[body], builder.body_inv_mass[body] = mass, 1.0 / mass
    builder.body_com[body] = wp.vec3(0.0, 0.0, 0.0)
    builder.body_inertia[body] = wp.mat33(across, 0.0, 0.0, 0.0, across, 0.0, 0.0, 0.0, along)
    builder.body_inv_inertia[body] = wp.mat33(1 / across, 0.0, 0.0, 0.0, 1 / across, 0.0, 0.0, 0.0, 1 / along)


class NewtonVbd:
    """Newton's rod."""

    name = "newton vbd"

    def __init__(self, hoist: Hoist = HOIST) -> None:
        self.hoist = hoist

    def prepare(self, links: int, dt: float) -> VbdRunner:
        """See `Adapter.prepare`."""
        return VbdRunner(self.hoist, links, dt)
