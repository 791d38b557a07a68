"""Mesh files: triangles and mass properties, in metres with z up."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

SUFFIXES = (".stl", ".obj", ".ply", ".off", ".glb", ".gltf")
LARGEST_FILE = 200_000_000
"""Bytes; a larger file is refused before it is read."""
#: hollows, as a part of the volume, that make a mesh no less convex: files in single precision are rounded
HOLLOW = 1e-4
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
    oriented: bool
    """Whether neighbouring triangles go round the same way, so that it has an outside."""
    volume: float
    """Enclosed volume [m^3]."""
    centre: tuple[float, float, float]
    """Centroid of the volume in the file's frame [m]."""
    unit_inertia: tuple[float, float, float, float, float, float]
    """Inertia per kg about the centroid, xx, yy, zz, xy, xz, yz [m^2]."""
    projected_areas: tuple[float, float, float]
    """Half the summed shadow of the triangles along x, y and z [m^2]."""

    @cached_property
    def convex(self) -> bool:
        """Whether a closed mesh is its own convex hull, but for hollows of a ten-thousandth of its volume."""
        if not self.closed or flat(self.vertices):
            return False
        from scipy.spatial import ConvexHull  # only for meshes that move or stand in the way of a rope

        return bool(ConvexHull(self.vertices).volume <= (1.0 + HOLLOW) * self.volume)


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


def flat(points: Any) -> bool:
    """Whether points enclose no volume: the smallest of their extents is nothing beside the largest."""
    import numpy as np

    at = np.asarray(points, float)
    extents = np.linalg.svd(at - at.mean(axis=0), compute_uv=False)
    return bool(extents[-1] <= 1e-6 * extents[0])


def hull(points: Any) -> MeshContent:
    """The convex hull of points."""
    import numpy as np
    import trimesh
    from scipy.spatial import ConvexHull

    at = np.asarray(points, float)
    found = ConvexHull(at)
    corners = np.sort(found.vertices)
    faces = np.searchsorted(corners, found.simplices)
    mesh = trimesh.Trimesh(at[corners], faces, process=False)
    # qhull's triangles go round either way: outwards is away from the middle
    inward = ((mesh.triangles_center - at[corners].mean(axis=0)) * found.equations[:, :3]).sum(axis=1) < 0.0
    out = np.where(inward[:, None], -found.equations[:, :3], found.equations[:, :3])
    turned = (mesh.face_normals * out).sum(axis=1) < 0.0
    faces[turned] = faces[turned][:, ::-1]
    return _weighed(trimesh.Trimesh(at[corners], faces, process=False))


def grid(width: float, depth: float, heights: Any) -> MeshContent:
    """Heights over a rectangle about the origin as triangles that look up."""
    import numpy as np
    import trimesh

    z = np.asarray(heights, float)
    rows, columns = z.shape
    y, x = np.meshgrid(
        np.linspace(-0.5 * depth, 0.5 * depth, rows), np.linspace(-0.5 * width, 0.5 * width, columns), indexing="ij"
    )
    first = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    lower = np.column_stack([first, first + 1, first + columns + 1])
    upper = np.column_stack([first, first + columns + 1, first + columns])
    faces = np.column_stack([lower, upper]).reshape(-1, 3)
    return _weighed(trimesh.Trimesh(np.column_stack([x.ravel(), y.ravel(), z.ravel()]), faces, process=False))


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
        oriented=bool(mesh.is_winding_consistent),
        volume=float(mesh.volume) if closed else 0.0,
        centre=(x, y, z),
        unit_inertia=(xx, yy, zz, xy, xz, yz),
        projected_areas=(float(shadows[0]), float(shadows[1]), float(shadows[2])),
    )
