"""Collision shapes and material pairs as arrays."""

from __future__ import annotations

import itertools
import math

import numpy as np

from taut.compile import frames
from taut.compile.bodies import BodyTable
from taut.compile.joints import JointTable
from taut.compile.solids import SolidTables
from taut.contact.shapes import (
    BOX,
    CAPSULE,
    CYLINDER,
    HULL,
    MESH,
    PLANE,
    SPHERE,
    Shapes,
    make_shapes,
)
from taut.core.model import J_A, J_B
from taut.scene import (
    Body,
    Box,
    Capsule,
    Cylinder,
    HeightField,
    Hull,
    Material,
    Mesh,
    Plane,
    Problem,
    Scene,
    SceneError,
    Sphere,
)
from taut.scene.material_table import USUAL

_TYPE: dict[type | None, int] = {Sphere: SPHERE, Box: BOX, Capsule: CAPSULE, Plane: PLANE, Cylinder: CYLINDER}
#: bits of a group set; the first is for what belongs to no group
MOST_GROUPS = 60


def _size(shape: object) -> tuple[float, float, float]:
    if isinstance(shape, Sphere):
        return (shape.radius, 0.0, 0.0)
    if isinstance(shape, Box):
        return tuple(0.5 * s for s in shape.size)  # type: ignore[return-value]
    if isinstance(shape, Capsule | Cylinder):
        return (shape.radius, 0.5 * shape.length, 0.0)
    return (0.0, 0.0, 0.0)


def _groups(specs: list[Body]) -> dict[str | None, int]:
    """The bit of every group, None for what has none."""
    names = sorted({name for spec in specs for name in (spec.group, *(spec.meets or ())) if name is not None})
    if len(names) > MOST_GROUPS:
        raise SceneError([Problem(f"{len(names)} groups of bodies; expected at most {MOST_GROUPS}", ("bodies",))])
    return {name: 1 << k for k, name in enumerate([None, *names])}


def _geometry(
    spec: Body, tables: SolidTables
) -> tuple[int, tuple[float, float, float], np.ndarray, tuple[int, int, int, int]]:
    """Type, size, middle in the shape's frame, and place in the tables of solids."""
    shape = spec.shape
    if not isinstance(shape, Hull | Mesh | HeightField):
        return _TYPE[type(shape)], _size(shape), np.zeros(3), (0, 0, 0, 0)
    content = shape.content()
    low, high = content.vertices.min(axis=0), content.vertices.max(axis=0)
    middle = 0.5 * (low + high)
    x, y, z = (0.5 * (high - low)).tolist()
    points = content.vertices - middle
    if isinstance(shape, Hull) or spec.touches_as_hull:
        return HULL, (x, y, z), middle, tables.add_hull(points)
    return MESH, (x, y, z), middle, tables.add_mesh(points, content.faces)


def compile_shapes(scene: Scene, bodies: BodyTable) -> Shapes | None:
    """Shapes that take part in contacts; None when nothing can touch anything."""
    material_index = {name: k + 1 for k, name in enumerate(_materials(scene))}
    touching = [
        (i, spec)
        for i, spec in enumerate(bodies.specs)
        if spec is not None and spec.shape is not None and spec.collide and spec.kind != "particle"
    ]
    dynamic = bodies.dynamic
    if len(touching) < 2 or not any(dynamic[i] for i, _ in touching):
        return None
    groups, tables = _groups([spec for _, spec in touching]), SolidTables()
    kinds, sizes, places, poses, turns = [], [], [], [], []
    for i, spec in touching:
        kind, size, middle, place = _geometry(spec, tables)
        kinds.append(kind)
        sizes.append(size)
        places.append(place)
        # the shape sits in the user's frame; inside, bodies are their principal axes
        turns.append(frames.conjugate(bodies.frame[i]))
        poses.append(frames.rotate(turns[-1], middle - bodies.centre[i]))
    # boxes and hulls meet meshes as meshes
    skins = [
        tables.add_skin(kind, size, place) if MESH in kinds else (0, 0, 0, 0)
        for kind, size, place in zip(kinds, sizes, places)
    ]
    return make_shapes(
        kinds,
        sizes,
        [i for i, _ in touching],
        pos=np.array(poses),
        quat=np.array(turns),
        material=[material_index.get(spec.material or "", 0) for _, spec in touching],
        group=[groups[spec.group] for _, spec in touching],
        mask=[-1 if spec.meets is None else sum(groups[name] for name in set(spec.meets)) for _, spec in touching],
        solids=tables.tables(np.array(places, np.int64), np.array(skins, np.int64)),
    )


def _materials(scene: Scene) -> dict[str, Material]:
    """All materials by name; those of the scene take the place of usual ones."""
    return {**USUAL, **scene.materials}


def compile_materials(scene: Scene) -> np.ndarray:
    """Columns MAT_FRICTION ... of every pair of materials; index 0 is the default one.

    Friction is what either says of the other, else the geometric mean; restitution combines by the larger, stiffness in
    series, damping by the larger. Friction at rest is what either says of the other, else larger than friction by the geometric
    mean of both materials' ratios.
    """
    materials = {"": Material(), **_materials(scene)}
    rows = []
    for (name, first), (other, second) in itertools.product(materials.items(), repeat=2):
        softness = sum(1.0 / m.stiffness for m in (first, second) if m.stiffness is not None)
        tau = max(first.damping_time, second.damping_time)
        mean = math.sqrt(first.friction * second.friction)
        # what the scene itself says counts before the table of usual materials
        sides = ((first, other), (second, name))
        if name in USUAL and first is USUAL[name]:
            sides = sides[::-1]
        said = [m.against[there] for m, there in sides if there in m.against]
        friction = said[0] if said else mean
        held = [m.static_against[there] for m, there in sides if there in m.static_against]
        more = math.sqrt(_static_ratio(first) * _static_ratio(second))
        rows.append(
            [
                friction,
                max(first.restitution, second.restitution),
                1.0 / softness if softness > 0.0 else 0.0,
                tau if tau > 0.0 else -1.0,
                max(friction, held[0] if held else friction * more),
            ]
        )
    return np.array(rows)


def _static_ratio(material: Material) -> float:
    """Friction of what does not slide over that of what does."""
    if material.static_friction is None or material.friction == 0.0:
        return 1.0
    return max(1.0, material.static_friction / material.friction)


def excluded_pairs(bodies: BodyTable, joints: JointTable) -> np.ndarray:
    """Sorted keys of body pairs that never touch: those a joint holds together."""
    n = len(bodies.names)
    keys = {
        min(a, b) * n + max(a, b)
        for (a, b), group in zip(joints.integers[:, J_A : J_B + 1].tolist(), joints.groups)
        if not group.far
    }
    return np.array(sorted(keys), np.int64)
