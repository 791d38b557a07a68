"""What a rod may touch: solids and meshes placed in the world, and itself."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from taut.cables.rod import arrays as col
from taut.cables.rod.clearance import Clearance, clearances
from taut.cables.rod.ends import Array, Clamp, rotate
from taut.cables.rod.mesh_table import tree, triangles
from taut.cables.rod.obstacles import (
    BOX,
    CAPSULE,
    CYLINDER,
    MESH,
    PLANE,
    SHAPE_COLUMNS,
    SIZES,
    SPHERE,
    TREE_COLUMNS,
    TRIANGLE_COLUMNS,
    Obstacles,
)
from taut.cables.rod.results import Results
from taut.cables.rod.targets import Target
from taut.cables.rod.values import RodError, direction, number, vector
from taut.scene import shapes, units
from taut.scene.mesh_file import MeshError


class Touch(Results):
    """The part of a rod, or of a harness, that is about what it touches."""

    _solids: dict[str, Any]

    def add_obstacle(
        self, name: str, shape: Any, point: Any = (0.0, 0.0, 0.0), quaternion: Any = (1.0, 0.0, 0.0, 0.0)
    ) -> None:
        """Something the rod cannot pass through: Plane, Sphere, Box, Capsule, Cylinder or Mesh of `taut`, placed at a
        point [m] and turned by a quaternion (w, x, y, z). A Mesh must be closed.
        """
        if name in self._net.asked.obstacles:
            raise RodError(f"obstacle {name!r} - there is one already; remove it first or choose another name")
        self._need_radius()
        solid_line(name, shape)
        frame = Clamp((0, 0, 0), quaternion=quaternion).frame(name)
        self._net.asked.obstacles[name] = Target(vector(f"{name}.point", point, units.LENGTH), [frame])
        self._solids = {**self._obstacle_shapes(), name: shape}
        self._renew()

    def move_obstacle(self, name: str, point: Any) -> None:
        """Move an obstacle to a point [m]; the rod is pushed along in the next solve."""
        self._obstacle(name).point = vector(f"{name}.point", point, units.LENGTH)

    def rotate_obstacle(self, name: str, axis: Any, angle: Any) -> None:
        """Turn an obstacle about a world axis through its point [rad]."""
        self._obstacle(name).turn(number("angle", angle, units.ANGLE) * direction("axis", axis))

    def remove_obstacle(self, name: str) -> None:
        """Take an obstacle away."""
        self._obstacle(name)
        del self._net.asked.obstacles[name]
        self._solids = {key: shape for key, shape in self._obstacle_shapes().items() if key != name}
        self._renew()

    def touch_itself(self, touches: bool = True) -> None:
        """Whether the rod can touch itself (a loop cannot pass through itself then) and, in a harness, other rods."""
        self._need_radius()
        self._net.itself = bool(touches)
        self._renew()

    def clearance(self, name: str | None = None) -> Clearance:
        """Least distance between the surface of the rod and an obstacle, or all of them, with where it is [m]."""
        assert self._kept is not None
        found = clearances(self._net, self._which, self._obstacle_shapes())
        if name is not None:
            self._obstacle(name)
            return found[name]
        if not found:
            return Clearance("", math.inf, 0.0)
        return min(found.values(), key=lambda one: one.distance)

    @property
    def contact_force(self) -> dict[str, Array]:
        """Force of each touched obstacle on the rod, and on connectors that are free [N]; 'itself' is the sum of the sizes of pairs, along z."""
        arrays, names = self._net.arrays, {row: name for name, row in self._net.shape_rows.items()}
        out: dict[str, Array] = {}
        for r in range(arrays.tally[col.EQUATIONS], arrays.tally[col.ROWS]):
            push, row = -arrays.force[r], arrays.row[r]
            if push > 0.0 and row[col.KEY] >= 0.0:
                name = names[int(row[col.KEY])]
                # the normal of a connector's row points into the obstacle
                push = push if row[col.ROW_A] >= 0.0 else -push
                out[name] = out.get(name, np.zeros(3)) + push * row[col.NORMAL : col.NORMAL + 3]
        return out

    @property
    def self_contacts(self) -> list[tuple[float, float, float]]:
        """Places where the rod pushes against itself: both arc lengths [m] and the force [N]."""
        arrays, chain, arc = self._net.arrays, self._kept, self.arc_length
        index = {int(row): i for i, row in enumerate(chain.seg_rows)}
        found = []
        for r in range(arrays.tally[col.EQUATIONS], arrays.tally[col.ROWS]):
            row, push = arrays.row[r], -float(arrays.force[r])
            a, b = index.get(int(row[col.ROW_A])), index.get(int(row[col.ROW_B]))
            if push > 0.0 and row[col.KEY] < 0.0 and a is not None and b is not None:
                found.append((float(arc[a] + row[col.PART_A]), float(arc[b] + row[col.PART_B]), push))
        return found

    def _need_radius(self) -> None:
        if self.radius <= 0.0:
            raise RodError("radius: a rod that touches things needs one; give a section or radius='5 mm'")

    def _obstacle_shapes(self) -> dict[str, Any]:
        return getattr(self, "_solids", {})

    def _obstacle(self, name: str) -> Target:
        known = self._net.asked.obstacles
        if name not in known:
            raise RodError(f"obstacle {name!r} - there is none; known: {', '.join(known) or 'none'}")
        return known[name]

    def _renew(self) -> None:
        """Tables of all obstacles."""
        lines: list[Array] = []
        tables, nodes = [np.zeros((0, TRIANGLE_COLUMNS))], [np.zeros((0, TREE_COLUMNS))]
        rows: dict[str, int] = {}
        for name, target in self._net.asked.obstacles.items():
            line = solid_line(name, self._solids[name])
            if isinstance(self._solids[name], shapes.Mesh):
                first_node, first = sum(map(len, nodes)), sum(map(len, tables))
                boxes, table = tree(triangles(*mesh_of(name, self._solids[name]), name), first_node, first)
                nodes.append(boxes)
                tables.append(table)
                line[SIZES] = first_node
            line[1:4], line[4:8] = target.point, target.frame
            rows[name] = len(lines)
            lines.append(line)
        made = Obstacles.of(np.array(lines).reshape(-1, SHAPE_COLUMNS), np.vstack(tables), np.vstack(nodes))
        self._net.set_obstacles(made, rows, self._net.itself)


def mesh_of(name: str, mesh: Any) -> tuple[Array, Array]:
    """Corners [m] and triangles of a closed mesh or of a hull."""
    try:
        content = mesh.content()
    except MeshError as error:
        raise RodError(f"{name}: {mesh.file}: {error}") from None
    return content.vertices, content.faces


def solid_line(name: str, shape: Any) -> Array:
    """The row of a solid, at the origin; of a mesh without the root of its tree."""
    line = np.zeros(SHAPE_COLUMNS)
    sizes: tuple[float, ...]
    if isinstance(shape, shapes.Plane):
        kind, sizes = PLANE, ()
    elif isinstance(shape, shapes.Sphere):
        kind, sizes = SPHERE, (shape.radius,)
    elif isinstance(shape, shapes.Box):
        kind, sizes = BOX, tuple(0.5 * edge for edge in shape.size)
    elif isinstance(shape, shapes.Capsule):
        kind, sizes = CAPSULE, (shape.radius, 0.5 * shape.length)
    elif isinstance(shape, shapes.Cylinder):
        kind, sizes = CYLINDER, (shape.radius, 0.5 * shape.length)
    elif isinstance(shape, shapes.Mesh):
        kind, sizes = MESH, ()
        triangles(*mesh_of(name, shape), f"{name} ({shape.file})")
    else:
        raise RodError(f"{name}: {shape!r} - expected Plane, Sphere, Box, Capsule, Cylinder or Mesh")
    line[0] = kind
    line[SIZES : SIZES + len(sizes)] = sizes
    return line


def solid_mesh(shape: Any) -> tuple[Array, Array]:
    """Vertices [m] and triangles of a solid in its own frame; of a plane a square of 2 m."""
    import trimesh

    if isinstance(shape, shapes.Mesh):
        content = shape.content()
        return content.vertices, content.faces
    if isinstance(shape, shapes.Plane):
        corners = np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
        return corners, np.array([[0, 1, 2], [0, 2, 3]])
    kinds: dict[Any, Any] = {
        shapes.Sphere: lambda: trimesh.creation.icosphere(subdivisions=2, radius=shape.radius),
        shapes.Box: lambda: trimesh.creation.box(shape.size),
        shapes.Capsule: lambda: trimesh.creation.capsule(height=shape.length, radius=shape.radius).apply_translation(
            (0, 0, -0.5 * shape.length)
        ),
        shapes.Cylinder: lambda: trimesh.creation.cylinder(radius=shape.radius, height=shape.length, sections=32),
    }
    made = kinds[type(shape)]()
    if isinstance(shape, shapes.Capsule):
        made.apply_translation(-made.bounds.mean(axis=0))
    return np.asarray(made.vertices), np.asarray(made.faces)


def outline(holder: Touch, name: str) -> list[Array]:
    """Sharp edges of an obstacle as it stands [m], each of shape (2, 3): for pictures."""
    import trimesh

    shape, target = holder._solids[name], holder._obstacle(name)
    vertices, faces = solid_mesh(shape)
    mesh = trimesh.Trimesh(vertices, faces, process=True)
    world = target.point + rotate(target.frame, np.asarray(mesh.vertices))
    sharp = mesh.face_adjacency_edges[mesh.face_adjacency_angles > 0.35]
    if len(sharp) == 0:
        sharp = mesh.edges_unique[:: max(1, len(mesh.edges_unique) // 400)]
    return [world[edge] for edge in sharp]
