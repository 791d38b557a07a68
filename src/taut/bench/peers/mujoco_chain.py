"""MuJoCo: the rope as a tree of capsules joined by ball joints, the load rigid on the last one.

Generalised coordinates: no constraint has to be solved, the rope cannot stretch, the mass ratio does not matter. What
limits the step is the tension: it acts as a stiffness against bending at every joint, T times link length, and MuJoCo
integrates it explicitly. What costs is the mass matrix of a serial chain, which is full: 3 links squared entries,
factorised once per step (twice with joint damping).

Chosen by trial, on this case:
- Euler (semi-implicit) beats RK4 (four times the cost for 1.4 to 2 times the step). implicit, implicitfast and discrete
  have the same limit as Euler, because none of them knows the stiffness that comes from tension, and cost as much or
  more.
- constraints, contacts, actuation, sensors, warm start and automatic reset are off; with no constraint rows the choice
  of Jacobian and solver has no effect.
- joint damping is implicit in Euler and lengthens the stable step. It is not in the rope that is to be simulated, so
  it is a choice with a price, and three choices are compared:
    "mujoco"        no damping: the same rope as everybody's;
    "mujoco damped" as much as leaves the rope a rope: its slowest transverse vibration at 10 % of critical;
    "mujoco rod"    so much that the rope does not bend during the run. Period, tension and energy of this swing do not
                    notice, so the step is limited by the swing alone; a rope that goes slack or runs over a sheave
                    could not be simulated like this. It is the cheapest that MuJoCo can be made here.
  Joint armature (added inertia) was tried too: it lengthens the step, but less than damping does.
"""

from __future__ import annotations

import math

import mujoco
import numpy as np

from .case import HOIST, Hoist
from .trace import Recorder, Trace, steps_between_samples

ROPE_RADIUS = 0.005
"""[m]; only the spin of a link about its own axis, which nothing drives, knows it."""
LOAD_RADIUS = 0.05
"""[m]; its inertia is 1e-5 of the load's about the fixed point."""


def vibration_damping(hoist: Hoist, ratio: float) -> float:
    """Bending damping c [N m^2 s] at which the slowest transverse mode has the damping ratio `ratio`.

    mu w.. + c w.'''' - T w'' = 0 with w = sin(k x), k = pi / L, T = weight of the load: ratio = c k^3 / (2 sqrt(mu T)).
    """
    k = math.pi / hoist.length
    return 2.0 * ratio * math.sqrt(hoist.density * hoist.load * hoist.gravity) / k**3


def build(hoist: Hoist, links: int, dt: float, bending_damping: float) -> mujoco.MjModel:
    """The chain, straight and at the angle of release in its reference pose."""
    spec = mujoco.MjSpec()
    spec.option.timestep = dt
    spec.option.gravity = [0.0, 0.0, -hoist.gravity]
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_EULER
    off = mujoco.mjtDisableBit
    spec.option.disableflags = int(
        off.mjDSBL_CONSTRAINT | off.mjDSBL_CONTACT | off.mjDSBL_ACTUATION | off.mjDSBL_SENSOR | off.mjDSBL_WARMSTART
        | off.mjDSBL_AUTORESET
    )  # fmt: skip
    length = hoist.length / links
    body = spec.worldbody
    for i in range(links):
        body = body.add_body(pos=[0.0, 0.0, -length if i else 0.0])
        if i == 0:
            # about -y, so that the rope's -z end goes to +x
            body.quat = [math.cos(0.5 * hoist.angle), 0.0, -math.sin(0.5 * hoist.angle), 0.0]
        body.add_joint(type=mujoco.mjtJoint.mjJNT_BALL)
        body.add_geom(
            type=mujoco.mjtGeom.mjGEOM_CAPSULE, fromto=[0.0, 0.0, 0.0, 0.0, 0.0, -length],
            size=[ROPE_RADIUS, 0.0, 0.0], mass=hoist.density * length,
        )  # fmt: skip
    body.add_geom(
        type=mujoco.mjtGeom.mjGEOM_SPHERE, pos=[0.0, 0.0, -length], size=[LOAD_RADIUS, 0.0, 0.0], mass=hoist.load
    )
    body.add_site(name="load", pos=[0.0, 0.0, -length])
    model = spec.compile()
    # not on the fixed point: it would brake the swing itself
    model.dof_damping[3:] = bending_damping / length
    return model


class MujocoRunner:
    """The chain at one number of links and one step."""

    def __init__(self, hoist: Hoist, model: mujoco.MjModel) -> None:
        self.hoist, self.model = hoist, model
        self.data = mujoco.MjData(model)
        self.centred = mujoco.MjData(model)

    def reset(self) -> None:
        """Back to the reference pose, at rest."""
        mujoco.mj_resetData(self.model, self.data)

    def run(self, seconds: float, record: bool = True) -> Trace:
        """See `Runner.run`. Many steps per call of `mj_step`: the interpreter is entered once per sample."""
        dt = self.model.opt.timestep
        total = round(seconds / dt)
        recorder = Recorder(self.hoist)
        chunk = steps_between_samples(dt) if record else total
        before = mujoco.get_mju_user_warning()
        # a lost run is a result here; it need not fill a log file
        mujoco.set_mju_user_warning(lambda _text: None)
        try:
            alive = not record or self.sample(0.0, recorder)
            done = 0
            while alive and done < total:
                count = min(chunk, total - done)
                mujoco.mj_step(self.model, self.data, count)
                done += count
                alive = not record or self.sample(done * dt, recorder)
        finally:
            mujoco.set_mju_user_warning(before)
        return recorder.trace()

    def sample(self, time: float, recorder: Recorder) -> bool:
        """Add the state to the trace."""
        model, data, centred = self.model, self.data, self.centred
        mujoco.mj_forward(model, data)
        mujoco.mj_rnePostConstraint(model, data)
        # what the world exerts on the first link through its joint; rows are torque, force
        tension = float(np.linalg.norm(data.cfrc_int[1, 3:]))
        # Euler's velocities belong to the middle of the step, so the potential energy is taken there too; the raw sum
        # ripples by omega h / 2 of the swing energy, which is no loss and no gain
        centred.qpos[:] = data.qpos
        centred.qvel[:] = data.qvel
        mujoco.mj_integratePos(model, centred.qpos, data.qvel, -0.5 * model.opt.timestep)
        mujoco.mj_fwdPosition(model, centred)
        mujoco.mj_energyPos(model, centred)
        mujoco.mj_energyVel(model, centred)
        x, _, z = data.site_xpos[0]
        return recorder.add(time, float(x), float(z), tension, float(centred.energy.sum()))


class MujocoChain:
    """MuJoCo's ball-joint chain with a given bending damping [N m^2 s]."""

    def __init__(self, name: str = "mujoco", bending_damping: float = 0.0, hoist: Hoist = HOIST) -> None:
        self.name = name
        self.bending_damping = bending_damping
        self.hoist = hoist

    def prepare(self, links: int, dt: float) -> MujocoRunner:
        """See `Adapter.prepare`."""
        return MujocoRunner(self.hoist, build(self.hoist, links, dt, self.bending_damping))


def plain() -> MujocoChain:
    """Frictionless ball joints."""
    return MujocoChain()


def damped() -> MujocoChain:
    """The slowest transverse vibration at 10 % of critical."""
    return MujocoChain("mujoco damped", vibration_damping(HOIST, 0.1))


def rod() -> MujocoChain:
    """A thousand times critical: a rope that does not bend within seconds."""
    return MujocoChain("mujoco rod", vibration_damping(HOIST, 1000.0))
