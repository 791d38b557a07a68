"""Mesh files: triangles and mass properties, in metres with z up."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

SUFFIXES = (".stl", ".obj", ".ply", ".off", ".glb", ".gltf")
LARGEST_FILE = 200_000_000
"""Bytes; a larger file is refused before it is read."""
METRES = {"mm": 1e-3, "cm": 1e-2, "m": 1.0, "in": 0.0254}


class MeshError(Exception):
    """A mesh file that cannot be used, with the reason."""


@dataclass(frozen=True, eq=False)
class MeshContent:
    """A mesh in m, z up, and what follows from its triangles at uniform density."""

    vertices: Any
    """Corner points [m], shape (n, 3) float64."""
    faces: Any
    """Corners of each triangle, shape (m, 3) int64."""
    closed: bool
    """Whether it encloses a volume; if not, the mass properties below mean nothing."""
    volume: float
    """Enclosed volume [m^3]."""
    centre: tuple[float, float, float]
    """Centroid of the volume in the file's frame [m]."""
    unit_inertia: tuple[float, float, float, float, float, float]
    """Inertia per kg about the centroid, xx, yy, zz, xy, xz, yz [m^2]."""
    projected_areas: tuple[float, float, float]
    """Half the summed shadow of the triangles along x, y and z [m^2]."""


def trouble(file: str) -> str:
    """Why a file cannot be a mesh, without reading it; empty if it may be."""
    path = Path(file)
    try:
        if path.suffix.lower() not in SUFFIXES:
            return f"expected a mesh file ending in {', '.join(SUFFIXES)}"
        if not path.is_file():
            return "no such file"
        if path.stat().st_size > LARGEST_FILE:
            return f"larger than {LARGEST_FILE // 1_000_000} MB"
    except (OSError, ValueError) as error:
        return f"cannot be opened ({error})"
    return ""


def read(file: str, unit: str, up: str, scale: float) -> MeshContent:
    """The mesh of a file; read again only when the file has changed. Raises MeshError."""
    reason = trouble(file)
    if reason:
        raise MeshError(reason)
    return _read(file, METRES[unit] * scale, up, Path(file).stat().st_mtime_ns)


@lru_cache(maxsize=64)
def _read(file: str, factor: float, up: str, changed: int) -> MeshContent:
    # a heavy import that only scenes with meshes pay for
    import numpy as np
    import trimesh

    try:
        mesh: Any = trimesh.load(file, force="mesh", process=True, skip_materials=True)
        vertices = np.asarray(mesh.vertices, dtype=np.float64) * factor
        faces = np.asarray(mesh.faces, dtype=np.int64).reshape(-1, 3)
    except Exception as error:  # the loaders of six formats raise whatever they like
        raise MeshError(f"cannot be read as a mesh ({type(error).__name__}: {str(error)[:100]})") from None
    if len(faces) == 0 or not np.isfinite(vertices).all():
        raise MeshError("holds no triangles")
    if up == "y":
        vertices = np.stack([vertices[:, 0], -vertices[:, 2], vertices[:, 1]], axis=1)
    return _weighed(trimesh.Trimesh(vertices, faces, process=False))


def _weighed(mesh: Any) -> MeshContent:
    import numpy as np

    closed = bool(mesh.is_watertight and mesh.is_winding_consistent and mesh.volume != 0.0)
    if closed and mesh.volume < 0.0:
        mesh.invert()
    # the tensor of trimesh is at unit density about the centroid: the volume turns it into one per kg
    tensor = mesh.moment_inertia / mesh.volume if closed else np.zeros((3, 3))
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = tensor.tolist()
    shadows = 0.5 * (np.abs(mesh.face_normals) * mesh.area_faces[:, None]).sum(axis=0)
    x, y, z = (mesh.center_mass if closed else mesh.centroid).tolist()
    return MeshContent(
        vertices=np.ascontiguousarray(mesh.vertices),
        faces=np.ascontiguousarray(mesh.faces),
        closed=closed,
        volume=float(mesh.volume) if closed else 0.0,
        centre=(x, y, z),
        unit_inertia=(xx, yy, zz, xy, xz, yz),
        projected_areas=(float(shadows[0]), float(shadows[1]), float(shadows[2])),
    )
