"""Surroundings as numbers for the compiled code."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from taut.cables.honeycomb import arrays as at
from taut.cables.honeycomb.lattice import Lattice
from taut.cables.honeycomb.spec import Obstacle, Surroundings
from taut.cables.honeycomb.values import DRAG, HoneycombError, number, vector
from taut.contact.shapes import BOX, CAPSULE, CYLINDER, PLANE, SPHERE
from taut.scene import Box, Capsule, Cylinder, Plane, Sphere, units

Array = np.ndarray

#: default stiffness of a contact: at this speed a mass sinks in by this share of the radius
IMPACT, SINK = 3.0, 0.1


#: what the rope can touch
KINDS: dict[Any, int] = {Plane: PLANE, Sphere: SPHERE, Box: BOX, Capsule: CAPSULE, Cylinder: CYLINDER}


def field_of(given: Surroundings, lattice: Lattice) -> Array:
    """Gravity, air and contact, shape (FIELD_SIZE,)."""
    field = np.zeros(at.FIELD_SIZE)
    field[at.GRAVITY : at.GRAVITY + 3] = vector("surroundings.gravity", given.gravity, units.ACCELERATION)
    field[at.DRAG] = number("surroundings.air_drag", given.air_drag, DRAG, least=0.0)
    field[at.WIND : at.WIND + 3] = vector("surroundings.wind", given.wind, units.SPEED)
    mass = float(np.median(lattice.mass))
    k, c = given.contact_stiffness, given.contact_damping
    if k is None:
        field[at.PRESS] = mass * (IMPACT / (SINK * lattice.radius)) ** 2
    else:
        field[at.PRESS] = number("surroundings.contact_stiffness", k, units.STIFFNESS, positive=True)
    if c is None:
        field[at.CUSHION] = math.sqrt(field[at.PRESS] * mass)
    else:
        field[at.CUSHION] = number("surroundings.contact_damping", c, units.DAMPING, least=0.0)
    field[at.SKIN] = number("surroundings.skin", given.skin, units.LENGTH, least=0.0)
    field[at.SLIP] = number("surroundings.slip_speed", given.slip_speed, units.SPEED, positive=True)
    field[at.RUB] = number("surroundings.self_friction", given.self_friction, units.NUMBER, least=0.0)
    field[at.REACH] = 0.5 * lattice.radius
    return field


def shapes_of(given: Surroundings) -> Array:
    """All obstacles, shape (n, SHAPE_COLUMNS)."""
    rows = np.zeros((len(given.obstacles), at.SHAPE_COLUMNS))
    for k, obstacle in enumerate(given.obstacles):
        if not isinstance(obstacle, Obstacle):
            raise HoneycombError(f"surroundings.obstacles[{k}]: {obstacle!r} - expected an Obstacle")
        _read(rows[k], obstacle, f"surroundings.obstacles[{k}]")
    return rows


def _read(row: Array, given: Obstacle, name: str) -> None:
    if type(given.shape) not in KINDS:
        raise HoneycombError(f"{name}.shape: {given.shape!r} - expected a Plane, Sphere, Box, Capsule or Cylinder")
    set_shape(row, given.shape)
    row[at.PLACE : at.PLACE + 3] = vector(f"{name}.position", given.position, units.LENGTH)
    row[at.DRIVE : at.DRIVE + 3] = vector(f"{name}.velocity", given.velocity, units.SPEED)
    row[at.FRICTION] = number(f"{name}.friction", given.friction, units.NUMBER, least=0.0)
    try:
        w, x, y, z = units.parse_vector(given.quaternion, units.NUMBER, 4)
    except units.UnitError as error:
        raise HoneycombError(f"{name}.quaternion: {error}") from None
    size = math.sqrt(w * w + x * x + y * y + z * z)
    if size < 1e-12:
        raise HoneycombError(f"{name}.quaternion: must not be zero")
    w, x, y, z = w / size, x / size, y / size, z / size
    row[at.AXES : at.AXES + 9] = (
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
        2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
    )  # fmt: skip


def set_shape(row: Array, shape: Any) -> None:
    """Type, half sizes and a ball around an obstacle, into its row."""
    row[at.KIND] = KINDS[type(shape)]
    if isinstance(shape, Sphere):
        row[at.SIZE], row[at.BALL] = shape.radius, shape.radius
    elif isinstance(shape, Box):
        half = 0.5 * np.asarray(shape.size, float)
        row[at.SIZE : at.SIZE + 3], row[at.BALL] = half, np.linalg.norm(half)
    elif isinstance(shape, Capsule | Cylinder):
        row[at.SIZE], row[at.SIZE + 1] = shape.radius, 0.5 * shape.length
        row[at.BALL] = shape.radius + 0.5 * shape.length
    else:
        row[at.BALL] = np.inf
