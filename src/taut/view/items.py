"""What there is to draw: shapes of bodies and marks of joints, each carried by a body."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

import numpy as np

from taut.compile import frames
from taut.scene import WORLD, Ball, Body, Box, Hinge, Joint, PointOnLine, Scene, Shape, Slider
from taut.view import goods, solids, steelwork, vehicles
from taut.view.bounds import extent
from taut.view.colours import CHAIN, MARK, PARTICLE, Colour, of_body
from taut.view.solids import Solid

#: with more different sizes than this, every shape is a scaled unit solid
MOST_SOLIDS = 60
ONE = (1.0, 1.0, 1.0)
#: what boxes may look like
LOOKS = {
    "lattice": steelwork.lattice,
    "girder": steelwork.girder,
    "frame": steelwork.frame,
    "hook": steelwork.hook,
    "ring": steelwork.ring,
    "container": goods.container,
    "crate": goods.crate,
    "slabs": goods.slabs,
    "cabin": vehicles.cabin,
    "tracks": vehicles.tracks,
    "trailer": vehicles.trailer,
}


@dataclass(frozen=True)
class Looked:
    """A shape that is drawn as something else."""

    look: str
    shape: Shape
    colour: Colour | None = None
    """Of the body, where the solid has colours of its own beside it."""


@dataclass(frozen=True)
class Item:
    """A solid that a body carries."""

    name: str
    body: int
    """Number of the body in the order of the scene."""
    moves: bool
    key: Hashable
    """Items with equal keys share a solid."""
    solid: Solid
    scale: tuple[float, float, float]
    colour: Colour
    position: np.ndarray
    """In the frame of the body [m], shape (3,)."""
    orientation: np.ndarray
    """In the frame of the body, quaternion (w, x, y, z)."""


def of_scene(scene: Scene) -> list[Item]:
    """Everything to draw that is carried by a body; ropes are apart."""
    bodies, joints = scene.expanded()
    size = 0.012 * extent(bodies)
    found = _shapes(scene, bodies, size)
    for name in scene.joints:
        mark = _mark(name, joints[name], bodies, size)
        if mark is not None:
            found.append(mark)
    return found


def _shapes(scene: Scene, bodies: Mapping[str, Body], size: float) -> list[Item]:
    links = {link for name, chain in scene.chains.items() for link in chain.link_names(name)}
    drawn = {link for strand in scene.strands().values() for link in strand.link_names()}  # as cables
    several = (
        len({body.shape for name, body in bodies.items() if body.shape is not None and name not in drawn}) > MOST_SOLIDS
    )
    made: dict[Hashable, Solid] = {}
    found = []
    for number, (name, body) in enumerate(bodies.items()):
        if name in drawn or not body.visible or (body.shape is None and body.kind != "particle"):
            continue
        key: Hashable = body.shape
        scale = ONE
        default = CHAIN if name in links else PARTICLE if body.kind == "particle" else of_body(body.kind, number)
        colour = body.color if body.color is not None else default
        if isinstance(body.shape, Box) and body.look != "solid":
            plain = Looked(body.look, body.shape)
            clad = made.get(plain) or LOOKS[body.look](body.shape.size)
            made[plain] = clad
            solid: Solid | None = clad
            key = plain if clad.paint is None else Looked(body.look, body.shape, colour)
        elif body.shape is None:
            key = "particle"
            solid = made.get(key) or solids.ball(0.7 * size)
        else:
            unit = solids.unit(body.shape) if several and body.shape not in made else None
            if unit is not None:
                key, scale = body.shape.type, unit[1]
            solid = made.get(key) or (unit[0] if unit else solids.of_shape(body.shape))
        if solid is None:
            continue
        made[key] = solid
        moves = body.kind != "static"
        found.append(Item(name, number, moves, key, solid, scale, colour, np.zeros(3), frames.IDENTITY))
    return found


def _mark(name: str, joint: Joint, bodies: Mapping[str, Body], size: float) -> Item | None:
    """A pin for a hinge, a ball for a ball joint, a bar along a line; nothing for the others."""
    if isinstance(joint, Hinge):
        kind, solid = "hinge", solids.cylinder(0.5 * size, 3.0 * size, 20)
    elif isinstance(joint, Ball):
        kind, solid = "ball", solids.ball(0.6 * size)
    elif isinstance(joint, Slider | PointOnLine):
        kind, solid = "slider", solids.box((0.5 * size, 0.5 * size, 3.0 * size))
    else:
        return None
    carrier = joint.b if joint.b != WORLD else joint.a
    body = bodies[carrier]
    axis = getattr(joint, "axis", None)
    frame = frames.IDENTITY if axis is None else frames.with_axis(np.asarray(axis, float))
    at, turn = into_body(body, np.asarray(joint.anchor(bodies)), frame)
    number = list(bodies).index(carrier)
    return Item(name, number, body.kind != "static", ("mark", kind), solid, ONE, MARK, at, turn)


def into_body(body: Body, point: np.ndarray, frame: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A point and a frame of the world at the start, in the frame of a body."""
    back = frames.conjugate(np.asarray(body.start_orientation, float))
    return frames.rotate(back, point - np.asarray(body.start_position)), frames.multiply(back, frame)
