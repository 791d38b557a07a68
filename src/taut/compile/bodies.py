"""Bodies of a scene as arrays. Inside, a body is its centre of mass and its principal axes; `BodyTable` remembers how
these lie in the frame that the user wrote down."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from taut.compile import frames
from taut.core.codes import GENERAL, ISOTROPIC, NEEDLE, POINT, STOUT
from taut.scene import WORLD, Body, Scene

Array = np.ndarray

#: a segment of a cable is a needle when its inertia about its axis is below this part of that across it
THIN = 0.1


@dataclass(frozen=True)
class BodyTable:
    """Names and frames of the bodies, the world last."""

    names: tuple[str, ...]
    specs: tuple[Body | None, ...]
    index: dict[str, int]
    frame: Array  # principal axes in the user's frame, shape (n, 4)
    centre: Array  # centre of mass in the user's frame [m], shape (n, 3)
    start_pos: Array  # centre of mass at the start [m], shape (n, 3)
    start_quat: Array  # principal axes at the start, shape (n, 4)
    start_vel: Array  # of the centre of mass [m/s], shape (n, 3)
    start_spin: Array  # [rad/s], shape (n, 3)
    dynamic: Array  # 1 for bodies moved by forces, shape (n,)
    node: Array  # number among those, -1 for others, shape (n,)
    mass: Array  # [kg], shape (n,)
    inertia: Array  # principal moments [kg m^2], shape (n, 3)
    rotor: Array  # POINT, ISOTROPIC, GENERAL, NEEDLE or STOUT, shape (n,)
    drag_area: Array  # drag coefficient times mean frontal area [m^2], shape (n,)

    @property
    def node_body(self) -> Array:
        """Body of each node."""
        return np.flatnonzero(self.dynamic)


def compile_bodies(scene: Scene) -> BodyTable:
    """Mass, inertia and start of every body."""
    specs = scene.all_bodies()
    names = (*specs, WORLD)
    n = len(names)
    moved = [spec.moved_by_forces for spec in specs.values()] + [False]
    frame = np.tile(frames.IDENTITY, (n, 1))
    centre, pos, vel, spin = (np.zeros((n, 3)) for _ in range(4))
    quat = frame.copy()
    dynamic = np.array(moved, np.int64)
    node = np.where(dynamic == 1, np.cumsum(dynamic) - 1, -1)
    mass, inertia = np.ones(n), np.ones((n, 3))
    rotor, drag_area = np.zeros(n, np.int64), np.zeros(n)
    for i, spec in enumerate(specs.values()):
        user_quat = np.asarray(spec.start_orientation, float)
        user_quat = user_quat / np.linalg.norm(user_quat)
        if spec.moved_by_forces:
            properties = spec.mass_properties()
            mass[i] = properties.mass
            rotor[i], inertia[i], frame[i] = _principal(spec, properties.inertia)
            centre[i] = properties.centre
            if spec.shape is not None:
                drag_area[i] = spec.drag_coefficient * float(np.mean(spec.shape.projected_areas()))
        quat[i] = frames.multiply(user_quat, frame[i])
        arm = frames.rotate(user_quat, centre[i])
        pos[i] = np.asarray(spec.start_position) + arm
        spin[i] = spec.spin
        vel[i] = np.asarray(spec.velocity) + np.cross(spin[i], arm)
    index = {name: i for i, name in enumerate(names)}
    for strand in scene.strands().values():
        for name in strand.link_names():
            i = index[name]
            if rotor[i] == POINT:
                continue
            thin = inertia[i, 2] < THIN * inertia[i, 0] and inertia[i, 0] == inertia[i, 1]
            rotor[i] = NEEDLE if thin else STOUT
    return BodyTable(
        names, (*specs.values(), None), index, frame, centre, pos, quat, vel, spin,
        dynamic, node, mass, inertia, rotor, drag_area,
    )  # fmt: skip


def _principal(spec: Body, inertia: tuple[float, ...]) -> tuple[int, Array, Array]:
    """Kind of rotor, principal moments, and principal axes in the body's frame."""
    if spec.kind == "particle":
        return POINT, np.ones(3), frames.IDENTITY
    xx, yy, zz, xy, xz, yz = inertia
    if xy == xz == yz == 0.0:
        moments, axes = np.array([xx, yy, zz]), frames.IDENTITY
    else:
        moments, vectors = np.linalg.eigh(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
        if np.linalg.det(vectors) < 0:
            vectors[:, 0] *= -1.0
        axes = frames.from_matrix(vectors)
    kind = ISOTROPIC if np.ptp(moments) == 0.0 else GENERAL
    return kind, moments, axes
