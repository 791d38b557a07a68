"""MuJoCo's geoms as shapes of ours: where they lie, how they look, whether they collide."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

#: distance below which a shape counts as centred on its body, relative to its size [-]
CENTRED = 1e-6


@dataclass(frozen=True)
class Skin:
    """A shape in the world."""

    name: str
    shape: dict[str, Any]
    frame: tuple[np.ndarray, np.ndarray]
    """Position [m] and quaternion (w, x, y, z)."""
    reach: float
    """Radius of a ball around it [m]."""
    color: str
    collides: bool
    friction: float | None

    def centred_on(self, position: np.ndarray, turn: np.ndarray) -> bool:
        """Whether its middle is the given point; a mesh never counts, as its middle is its own."""
        del turn
        apart = float(np.linalg.norm(self.frame[0] - position))
        return self.shape["type"] != "mesh" and apart <= CENTRED * max(self.reach, 1e-3)


def geoms_of(
    mujoco: Any, model: Any, data: Any, body: int, folder: Path, notes: list[str], errors: list[str]
) -> list[Skin]:
    """The shapes of one of MuJoCo's bodies, those that collide first."""
    found = []
    for g in range(model.body_geomadr[body], model.body_geomadr[body] + model.body_geomnum[body]):
        label = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_GEOM, g) or ""
        turn = np.zeros(4)
        mujoco.mju_mat2Quat(turn, data.geom_xmat[g])
        frame = (data.geom_xpos[g].copy(), turn)
        collides = bool(model.geom_contype[g] or model.geom_conaffinity[g])
        shape = _shape(mujoco, model, g)
        if shape is None and model.geom_type[g] == mujoco.mjtGeom.mjGEOM_MESH:
            shape, frame = _mesh(mujoco, model, g, frame, folder, notes)
            if shape is not None and collides:
                notes.append(f"{shape['file']}: meshes are drawn and weighed, they do not collide")
            collides = False
        elif shape is None:
            kind = mujoco.mjtGeom(model.geom_type[g]).name.removeprefix("mjGEOM_").lower()
            errors.append(f"geom {label or g}: a {kind}; there are plane, box, sphere, capsule, cylinder and mesh")
        if shape is None:
            continue
        red, green, blue = (round(255 * float(np.clip(c, 0.0, 1.0))) for c in model.geom_rgba[g, :3])
        friction = float(model.geom_friction[g, 0]) if collides else None
        reach = float(model.geom_rbound[g]) or 1.0
        found.append(Skin(label, shape, frame, reach, f"#{red:02x}{green:02x}{blue:02x}", collides, friction))
    return sorted(found, key=lambda skin: not skin.collides)


def _shape(mujoco: Any, model: Any, g: int) -> dict[str, Any] | None:
    x, y, z = (float(value) for value in model.geom_size[g])
    kinds = mujoco.mjtGeom
    known: dict[int, dict[str, Any]] = {
        int(kinds.mjGEOM_PLANE): {"type": "plane"},
        int(kinds.mjGEOM_BOX): {"type": "box", "size": (2 * x, 2 * y, 2 * z)},
        int(kinds.mjGEOM_SPHERE): {"type": "sphere", "radius": x},
        int(kinds.mjGEOM_CAPSULE): {"type": "capsule", "radius": x, "length": 2 * y},
        int(kinds.mjGEOM_CYLINDER): {"type": "cylinder", "radius": x, "length": 2 * y},
    }
    return known.get(int(model.geom_type[g]))


def _mesh(
    mujoco: Any, model: Any, g: int, frame: tuple[np.ndarray, np.ndarray], folder: Path, notes: list[str]
) -> tuple[dict[str, Any] | None, tuple[np.ndarray, np.ndarray]]:
    """The file of a mesh, and where its own frame lies: MuJoCo moves it into its principal axes."""
    from taut.scene.mesh_file import SUFFIXES

    k = int(model.geom_dataid[g])
    name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_MESH, k) or f"mesh_{k}"
    scale = model.mesh_scale[k]
    text = model.paths[model.mesh_pathadr[k] :].split(b"\0")[0].decode() if model.mesh_pathadr[k] >= 0 else ""
    file = next((place for place in (folder / text, Path(text)) if text and place.is_file()), None)
    if file is None or file.suffix.lower() not in SUFFIXES or np.ptp(np.abs(scale)) > 1e-9 or scale.min() <= 0.0:
        notes.append(f"mesh {name}: left out; a file ({', '.join(SUFFIXES)}) with one scale for all axes can be drawn")
        return None, frame
    back, at = np.zeros(4), np.zeros(3)
    mujoco.mju_negPose(at, back, model.mesh_pos[k], model.mesh_quat[k])
    position, turn = np.zeros(3), np.zeros(4)
    mujoco.mju_mulPose(position, turn, frame[0], frame[1], at, back)
    shape = {"type": "mesh", "file": file.as_posix(), "unit": "m", "up": "z", "scale": float(scale[0])}
    return shape, (position, turn)
