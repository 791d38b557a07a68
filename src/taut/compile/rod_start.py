"""Rods of a scene at the start: a cable in equilibrium between its ends and clips, cut into rods from one body to the next."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.cables.rod import arrays as col
from taut.cables.rod.chain import CLAMPED, FREED, PINNED, Chain
from taut.cables.rod.ends import Clamp, conjugate, from_vector, multiply, rotate, to_vector
from taut.cables.rod.network import TOLERANCE, Asked, Network
from taut.cables.rod.obstacles import Obstacles
from taut.cables.rod.properties import Properties, check_rest
from taut.cables.rod.slide import slide
from taut.cables.rod.targets import Body, releases_of
from taut.cables.rod.targets import Clip as HeldClip
from taut.compile.bodies import BodyTable
from taut.core.codes import POINT
from taut.scene import WORLD, Scene
from taut.scene.cables import Cable
from taut.scene.clips import clips_of, seat_name, turns
from taut.scene.parts import Clip, End, Free
from taut.scene.rod_checks import segments_of
from taut.scene.segments import bending_of, twisting_of

Array = np.ndarray
AXIS = np.array([0.0, 0.0, 1.0])
#: solves in which ends and clips are turned until the rod is without twist, and the twist that is left [rad]
UNTWISTING, UNTWISTED = 20, 1e-9
#: Newton iterations for a stride, and for the rods of a cable that is solved already
STRIDE, CUT = 60, 20


@dataclass
class Place:
    """Where a cable is held: by which body, and where."""

    body: int
    point: Array  # in the world [m]
    held: str
    told: bool  # whether it is told how it is rolled, or may turn


def start(
    name: str, cable: Cable, scene: Scene, bodies: BodyTable, obstacles: Obstacles | None
) -> list[tuple[Network, list[int], bool]]:  # fmt: skip
    """The rods of a cable in equilibrium, without twist but for what is asked for, the bodies each sits between, and whether
    it slides into the next."""
    places = [_place(name, part, k, cable, scene, bodies) for k, part in enumerate(cable.route)]
    chain = _chain(name, cable, scene, segments_of(cable), float(cable.length or 0.0))
    begins = cable.places or ()
    chain.through = [(k / (len(begins) - 1), np.asarray(begins[k], float)) for k in range(1, len(begins) - 1)]
    ends = [places[0], places[-1]]
    targets = _hold(chain, ends, [_frame(cable.route[0]), _frame(cable.route[-1])], bodies)
    for k, clip in enumerate(clips_of(cable).values()):
        share = clip.s / chain.length
        chain.clips[k] = HeldClip(
            np.asarray(clip.at, float), [_frame(clip)], share=share, releases=releases_of(clip.release)
        )
    network = Network(Asked([chain], targets))
    if obstacles is not None:
        network.set_obstacles(obstacles, {}, False)
    slide(network, TOLERANCE, STRIDE, True)
    _untwist(network, places)
    last = cable.route[-1]
    if isinstance(last, End) and last.roll:
        pieces = math.ceil(abs(last.roll) / math.radians(45.0))
        for _ in range(pieces):
            _turn(network, [float(last.roll) / pieces])
    if not chain.clips:
        return [(network, [place.body for place in places], False)]
    return _cut(name, cable, scene, bodies, network, places, obstacles)


def _place(name: str, part: Any, k: int, cable: Cable, scene: Scene, bodies: BodyTable) -> Place:
    """What holds the cable at a part of its route; of a free end the point does not matter."""
    on = WORLD if isinstance(part, Free) else part.on
    if isinstance(part, Clip) and turns(part):
        on = seat_name(name, list(clips_of(cable))[k - 1])
    spec = scene.all_bodies().get(on)
    point = part.at if part.at is not None else (0.0, 0.0, 0.0) if spec is None else spec.start_position
    if isinstance(part, Clip):
        held, told = CLAMPED, part.up is not None or turns(part)
    else:
        held = FREED if isinstance(part, Free) else CLAMPED if part.hold == "pose" else PINNED
        told = k == 0 or held != CLAMPED or part.up is not None
    return Place(bodies.index[on], np.asarray(point, float), held, told)


def _frame(part: Any) -> Array:
    """Frame of the rod there, as far as it is told."""
    way = getattr(part, "direction", None)
    return Clamp((0, 0, 0), way if way is not None else (1, 0, 0), getattr(part, "up", None)).frame("direction")


def _chain(name: str, cable: Cable, scene: Scene, segments: int, length: float) -> Chain:
    """A piece of the cable."""
    given: dict[str, Any] = dict.fromkeys(("section", "E", "nu", "G", "density"))
    given |= {"EI": np.tile(bending_of(cable), (segments, 1)), "GJ": twisting_of(cable)}
    given |= {"radius": 0.5 * cable.thickness(), "mass_per_length": cable.line_mass()}
    given |= {"rest_curvature": np.tile(cable.rest_curvature, (segments, 1)), "rest_twist": cable.rest_twist}
    properties = Properties.read(segments, given)
    check_rest(properties.rest, np.full(segments, length / segments))
    return Chain(segments, length, properties, np.asarray(scene.gravity, float), name=name)


def _hold(chain: Chain, places: list[Place], frames: list[Array], bodies: BodyTable) -> list[Body]:
    """Both ends of a chain on the bodies that hold them, in world frames; the bodies at their start."""
    for side, (place, frame) in enumerate(zip(places, frames)):
        i = place.body
        back = conjugate(bodies.start_quat[i])
        if bodies.rotor[i] != POINT or not bodies.dynamic[i]:
            chain.points[side] = rotate(back, place.point - bodies.start_pos[i])
        chain.frames[side] = multiply(back, frame if place.held == CLAMPED else bodies.start_quat[i])
        chain.held[side] = place.held
    return [
        Body(bodies.start_pos[place.body].copy(), [bodies.start_quat[place.body].copy()], name=str(side))
        for side, place in enumerate(places)
    ]


def _untwist(network: Network, places: list[Place]) -> None:
    """Turn what is not told how it is rolled until the rod has no twist but its own since what is."""
    if places[0].held != CLAMPED or all(place.told for place in places[1:]):
        return
    for _ in range(UNTWISTING):
        angles, told = [], 0.0
        for place, here in zip(places[1:], _twists(network)):
            angles.append(0.0 if place.told else told - here)
            told = here if place.told and place.held == CLAMPED else told
        if max(map(abs, angles)) < UNTWISTED:
            break
        _turn(network, angles)


def _twists(network: Network) -> Array:
    """Twist beyond the rest twist from the start to each clip and to the end [rad]."""
    chain, arrays = network.asked.chains[0], network.arrays
    relative = [multiply(conjugate(a), b) for a, b in zip(arrays.quat[:-1], arrays.quat[1:])]
    turned = np.array([to_vector(one)[2] for one in relative])
    rod = arrays.rod[:-1]
    summed = np.cumsum(turned - rod[:, col.JOINT] * rod[:, col.REST + 2])
    return summed[[row - chain.first - 1 for row in (*chain.clip_rows, chain.last)]]


def _turn(network: Network, angles: list[float]) -> None:
    """Turn clips, if there are angles for them, and the end about their own tangents and solve."""
    chain = network.asked.chains[0]
    for clip, angle in zip(chain.order, angles[:-1]):
        if angle:
            clip.turn(angle * rotate(clip.frame, AXIS))
    chain.frames[1] = multiply(chain.frames[1], from_vector(angles[-1] * AXIS))
    network.arrays.chain[0, col.FRAME_B : col.FRAME_B + 4] = chain.frames[1]
    if not chain.clips:
        network.spread(angles[-1])
    slide(network, TOLERANCE, STRIDE, True)


def _cut(
    name: str, cable: Cable, scene: Scene, bodies: BodyTable, whole: Network, places: list[Place],
    obstacles: Obstacles | None,
) -> list[tuple[Network, list[int], bool]]:  # fmt: skip
    """A cable in equilibrium cut at its clips: each rod with the mesh and the shape it has there."""
    chain, quat = whole.asked.chains[0], whole.arrays.quat
    edges = [chain.first, *chain.clip_rows, chain.last]
    arcs = chain.length * np.array([0.0, *(clip.share for clip in chain.order), 1.0])
    found = []
    for k, count in enumerate(chain.counts):
        span, rows = places[k : k + 2], edges[k : k + 2]
        rod = _chain(name, cable, scene, count, float(arcs[k + 1] - arcs[k]))
        targets = _hold(rod, span, [quat[row] for row in rows], bodies)
        network = Network(Asked([rod], targets))
        if obstacles is not None:
            network.set_obstacles(Obstacles.of(*obstacles[:3]), {}, False)
            network.rebuild()
        network.take(quat[rows[0] : rows[1] + 1], TOLERANCE, CUT)
        slides = k < len(chain.clips) and chain.order[k].slides
        found.append((network, [place.body for place in span], slides))
    return found
