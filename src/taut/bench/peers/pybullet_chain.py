"""PyBullet: the rope as a multibody of links on spherical joints (Featherstone's articulated bodies), the load on the last one.

Generalised coordinates and a cost that grows with the links; as with MuJoCo's chain the rope cannot stretch, and tension, which
stiffens it against bending, is integrated explicitly: that limits the step. Damping and the motors that its spherical joints are
born with are switched off; steps are called from Python one by one, there is no other way.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pybullet

from .case import HOIST, Hoist
from .trace import Recorder, Trace, steps_between_samples

bullet: Any = pybullet
#: the load's moments of inertia are those of a ball of this radius [m], a link's about its own axis those of a rope of this one
LOAD_RADIUS, ROPE_RADIUS = 0.05, 0.005
STRAIGHT = (0.0, 0.0, 0.0, 1.0)


class PybulletRunner:
    """The chain at one number of links and one step."""

    def __init__(self, hoist: Hoist, links: int, dt: float) -> None:
        self.hoist, self.links, self.dt = hoist, links, dt
        self.client = bullet.connect(bullet.DIRECT)
        bullet.setGravity(0.0, 0.0, -hoist.gravity, self.client)
        bullet.setTimeStep(dt, self.client)
        size = hoist.length / links
        self.mass = np.full(links, hoist.density * size)
        centre = np.full(links, -0.5 * size)
        # the load is rigid on the last link: their common centre of mass
        self.mass[-1] += hoist.load
        centre[-1] = -size * (0.5 * hoist.density * size + hoist.load) / self.mass[-1]
        self.below = size + centre[-1]  # of the load under that centre [m]
        across = self.mass * size**2 / 12.0
        rope = hoist.density * size
        across[-1] = rope * (size**2 / 12.0 + (centre[-1] + 0.5 * size) ** 2)
        across[-1] += hoist.load * (0.4 * LOAD_RADIUS**2 + self.below**2)
        along = 0.5 * rope * ROPE_RADIUS**2
        self.inertia = across
        start = [0.0, -math.sin(0.5 * hoist.angle), 0.0, math.cos(0.5 * hoist.angle)]
        self.body = bullet.createMultiBody(
            0.0, -1, -1, [0.0, 0.0, 0.0], start, linkMasses=list(self.mass), linkCollisionShapeIndices=[-1] * links,
            linkVisualShapeIndices=[-1] * links, linkPositions=[[0.0, 0.0, -size if k else 0.0] for k in range(links)],
            linkOrientations=[STRAIGHT] * links, linkInertialFramePositions=[[0.0, 0.0, z] for z in centre],
            linkInertialFrameOrientations=[STRAIGHT] * links, linkParentIndices=list(range(links)),
            linkJointTypes=[bullet.JOINT_SPHERICAL] * links, linkJointAxis=[[0.0, 0.0, 0.0]] * links, physicsClientId=self.client,
        )  # fmt: skip
        bullet.changeDynamics(self.body, -1, linearDamping=0.0, angularDamping=0.0, physicsClientId=self.client)
        for k in range(links):
            spin = along + (0.4 * hoist.load * LOAD_RADIUS**2 if k == links - 1 else 0.0)
            moments = [across[k], across[k], spin]
            # two calls: asked for all of it in one, it gives the moments of inertia to the base
            bullet.changeDynamics(self.body, k, localInertiaDiagonal=moments, physicsClientId=self.client)
            bullet.changeDynamics(
                self.body, k, jointDamping=0.0, linearDamping=0.0, angularDamping=0.0, maxJointVelocity=1e9,
                physicsClientId=self.client,
            )  # fmt: skip
            bullet.setJointMotorControlMultiDof(
                self.body, k, bullet.POSITION_CONTROL, targetPosition=STRAIGHT, positionGain=0.0, velocityGain=1.0,
                force=[0.0, 0.0, 0.0], physicsClientId=self.client,
            )  # fmt: skip
        self.reset()

    def __del__(self) -> None:
        if bullet.isConnected(self.client):
            bullet.disconnect(self.client)

    def reset(self) -> None:
        """Straight, at rest."""
        for k in range(self.links):
            bullet.resetJointStateMultiDof(
                self.body, k, STRAIGHT, targetVelocity=[0.0, 0.0, 0.0], physicsClientId=self.client
            )
        self.time, self.momentum = 0.0, np.zeros(3)

    def run(self, seconds: float, record: bool = True) -> Trace:
        """See `Runner.run`."""
        total, recorder = round(seconds / self.dt), Recorder(self.hoist)
        chunk = steps_between_samples(self.dt) if record else total
        alive, done = not record or self.sample(recorder), 0
        step, client = bullet.stepSimulation, self.client
        while alive and done < total:
            count = min(chunk, total - done)
            for k in range(count):
                if record and k == count - 1:
                    self.momentum = self.mass @ self._states()[1]
                step(client)
            done += count
            self.time = done * self.dt
            alive = not record or self.sample(recorder)
        return recorder.trace()

    def _states(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, Any]:
        """Centres of mass [m], their velocities [m/s], spins [rad/s], each (links, 3), and the last link's orientation."""
        numbers = list(range(self.links))
        states = bullet.getLinkStates(
            self.body, numbers, computeLinkVelocity=1, computeForwardKinematics=1, physicsClientId=self.client
        )
        place, velocity, spin = (np.array([state[at] for state in states]) for at in (0, 6, 7))
        return place, velocity, spin, states[-1][1]

    def sample(self, recorder: Recorder) -> bool:
        """Add the state to the trace. Velocities belong to the middle of the step, and so does the height taken with them, as
        for MuJoCo; the pull at the top is what changes the momentum in a step beside gravity."""
        place, velocity, spin, pose = self._states()
        height = place[:, 2] - 0.5 * self.dt * velocity[:, 2]
        energy = 0.5 * self.mass @ np.sum(velocity**2, axis=1) + self.hoist.gravity * self.mass @ height
        energy += 0.5 * self.inertia @ np.sum(spin**2, axis=1)
        load = place[-1] - self.below * np.array(bullet.getMatrixFromQuaternion(pose)).reshape(3, 3)[:, 2]
        weight = self.hoist.gravity * float(self.mass.sum())
        if self.time > 0.0:
            pull = float(
                np.linalg.norm((self.mass @ velocity - self.momentum) / self.dt + np.array([0.0, 0.0, weight]))
            )
        else:
            pull = weight * math.cos(self.hoist.angle)
        return recorder.add(self.time, float(load[0]), float(load[2]), pull, float(energy))


class PybulletChain:
    """PyBullet's chain of spherical joints."""

    name = "pybullet"
    #: its tables end there
    most_links = 127

    def __init__(self, hoist: Hoist = HOIST) -> None:
        self.hoist = hoist

    def prepare(self, links: int, dt: float) -> PybulletRunner:
        """See `Adapter.prepare`."""
        return PybulletRunner(self.hoist, links, dt)
