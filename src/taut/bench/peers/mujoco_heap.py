"""MuJoCo: the coil of rope as a tree of capsules with ball joints that falls on a plane.

Chosen by trial on this case: Newton's solver with elliptic cones (its default solver); the implicit integrator, because joints are damped;
contacts as stiff as the step allows, a time constant of two steps, which its manual names as the limit. How deep things sink into
each other then follows from the step, and the step is chosen by that.
"""

from __future__ import annotations

import mujoco
import numpy as np

from taut.bench.contact_scenes import BEND, DAMPING, FRICTION, LINE, THICK, coil


def build(segments: int, dt: float) -> mujoco.MjModel:
    """The same coil as `taut.bench.contact_scenes.heap`."""
    spec = mujoco.MjSpec()
    spec.option.timestep = dt
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    spec.memory = 1 << 28
    touch = {"friction": [FRICTION, 0.0, 0.0], "condim": 3, "solref": [2.0 * dt, 1.0]}
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[5.0, 5.0, 0.1], **touch)
    points = [np.array(place) for place in coil(segments)]
    body, before, at = spec.worldbody, np.eye(3), np.zeros(3)
    for k in range(segments):
        along = points[k + 1] - points[k]
        length = float(np.linalg.norm(along))
        x = along / length
        y = np.cross([0.0, 0.0, 1.0], x)
        y /= np.linalg.norm(y)
        frame = np.stack([x, y, np.cross(x, y)], axis=1)
        turn = np.zeros(4)
        mujoco.mju_mat2Quat(turn, (before.T @ frame).flatten())
        body = body.add_body(pos=before.T @ (points[k] - at), quat=turn)
        if k == 0:
            body.add_freejoint()
        else:
            body.add_joint(
                type=mujoco.mjtJoint.mjJNT_BALL, stiffness=BEND / length, damping=DAMPING * BEND / length
            )  # fmt: skip
        body.add_geom(
            type=mujoco.mjtGeom.mjGEOM_CAPSULE, fromto=[0.0, 0.0, 0.0, length, 0.0, 0.0], size=[0.5 * THICK, 0.0, 0.0],
            mass=LINE * length, **touch,
        )  # fmt: skip
        before, at = frame, points[k]
    return spec.compile()


class MujocoHeap:
    """The falling coil with one step."""

    name = "mujoco"

    def __init__(self, segments: int, dt: float) -> None:
        self.dt, self.model = dt, build(segments, dt)
        self.data = mujoco.MjData(self.model)

    def run(self, steps: int) -> None:
        """So many steps."""
        mujoco.mj_step(self.model, self.data, steps)

    def depth(self) -> float:
        """Deepest penetration [m]."""
        return max(0.0, -float(self.data.contact.dist.min())) if self.data.ncon else 0.0

    def contacts(self) -> int:
        """Contact points."""
        return int(self.data.ncon)
