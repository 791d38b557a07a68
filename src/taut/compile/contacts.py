"""Collision shapes and material pairs as arrays."""

from __future__ import annotations

import math

import numpy as np

from taut.compile import frames
from taut.compile.bodies import BodyTable
from taut.compile.joints import JointTable
from taut.contact.shapes import BOX, CAPSULE, CYLINDER, PLANE, SPHERE, TYPE_NAME, Shapes, unsupported_pairs
from taut.core.model import J_A, J_B
from taut.scene import Box, Capsule, Cylinder, Material, Plane, Problem, Scene, SceneError, Sphere

_TYPE = {Sphere: SPHERE, Box: BOX, Capsule: CAPSULE, Plane: PLANE, Cylinder: CYLINDER}


def _size(shape: object) -> tuple[float, float, float]:
    if isinstance(shape, Sphere):
        return (shape.radius, 0.0, 0.0)
    if isinstance(shape, Box):
        return tuple(0.5 * s for s in shape.size)  # type: ignore[return-value]
    if isinstance(shape, Capsule | Cylinder):
        return (shape.radius, 0.5 * shape.length, 0.0)
    return (0.0, 0.0, 0.0)


def compile_shapes(scene: Scene, bodies: BodyTable) -> Shapes | None:
    """Shapes that take part in contacts; None when nothing can touch anything."""
    material_index = {name: k + 1 for k, name in enumerate(scene.materials)}
    rows = []
    for i, spec in enumerate(bodies.specs):
        if spec is None or spec.shape is None or not spec.collide or type(spec.shape) not in _TYPE:
            continue
        if spec.kind == "particle":
            continue
        # the shape sits in the user's frame; inside, bodies are their principal axes
        back = frames.conjugate(bodies.frame[i])
        pos = frames.rotate(back, -bodies.centre[i])
        rows.append(
            (_TYPE[type(spec.shape)], _size(spec.shape), i, pos, back, material_index.get(spec.material or "", 0))
        )
    dynamic = bodies.dynamic
    if len(rows) < 2 or not any(dynamic[row[2]] for row in rows):
        return None
    kind, size, body, pos, quat, material = (np.array(column) for column in zip(*rows))
    ones = np.ones(len(rows), np.int64)
    shapes = Shapes(
        kind.astype(np.int64), size.astype(float), body.astype(np.int64), pos.astype(float), quat.astype(float),
        material.astype(np.int64), ones, ones.copy(),
    )  # fmt: skip
    lacking = unsupported_pairs(shapes, dynamic)
    if lacking:
        raise SceneError([_cannot_touch(bodies, shapes, i, j) for i, j in lacking[:20]])
    return shapes


def _cannot_touch(bodies: BodyTable, shapes: Shapes, i: int, j: int) -> Problem:
    first, second = bodies.names[shapes.body[i]], bodies.names[shapes.body[j]]
    types = TYPE_NAME[shapes.type[i]], TYPE_NAME[shapes.type[j]]
    return Problem(
        parts=("bodies", first, "collide"),
        value="true",
        message=f"a {types[0]} ({first}) cannot touch a {types[1]} ({second}) yet; set collide: false on one of them",
    )


def compile_materials(scene: Scene) -> np.ndarray:
    """Columns MAT_FRICTION ... of every pair of materials; index 0 is the default one.

    Friction combines by the geometric mean, restitution by the larger, stiffness in series, damping by the larger.
    """
    materials = [Material(), *scene.materials.values()]
    rows = []
    for first in materials:
        for second in materials:
            softness = sum(1.0 / m.stiffness for m in (first, second) if m.stiffness is not None)
            tau = max(first.damping_time, second.damping_time)
            rows.append(
                [
                    math.sqrt(first.friction * second.friction),
                    max(first.restitution, second.restitution),
                    1.0 / softness if softness > 0.0 else 0.0,
                    tau if tau > 0.0 else -1.0,
                ]
            )
    return np.array(rows)


def excluded_pairs(bodies: BodyTable, joints: JointTable) -> np.ndarray:
    """Sorted keys of body pairs that never touch: those a joint holds together."""
    n = len(bodies.names)
    keys = {
        min(a, b) * n + max(a, b)
        for (a, b), group in zip(joints.integers[:, J_A : J_B + 1].tolist(), joints.groups)
        if not group.far
    }
    return np.array(sorted(keys), np.int64)
