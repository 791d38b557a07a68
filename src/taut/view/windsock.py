"""A windsock: where the wind blows to, and how hard, seen in the picture.

One of five rings, as on airfields: each is stretched by three knots more, so that the whole of it flies at fifteen.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import viser

from taut.compile import frames
from taut.scene import Plane, Scene
from taut.view import solids, stage
from taut.view.bounds import bounds, half_size
from taut.view.colours import as_bytes, from_hex
from taut.view.frame import Frame
from taut.view.reach import points_of
from taut.view.ropes import upright

RINGS = 5
#: wind that stretches one ring more [m/s]: three knots
PER_RING = 3.0 * 0.514444
#: what blows less is told nobody [m/s]
CALM = 0.05
#: height of the mast and length of the sock, as shares of the scene; thickness of the mast and width of the mouth, of the sock [-]
MAST, SOCK, THIN, MOUTH = 0.22, 0.12, 0.03, 0.16
#: how far out of the scene it stands, as a share of that [-]
BESIDE = 0.06
#: share of the picture it is kept within; where else it may stand: how far away, over the distance of the scene, and how far to the left [-]
ROOM, FURTHER, SIDES = 0.95, np.linspace(1.0, 3.0, 21), np.linspace(0.9, -0.9, 19)
#: points along the sock that must not be hidden, from its end on one side to that on the other
ALONG = 13
#: each ring is so much smaller than the one before [-]
TAPER = 0.88
STRIPES = (from_hex("#f26a1b"), from_hex("#f7f7f5"))
STEEL = from_hex("#e8ebee")


class Windsock:
    """Stands beside the scene, and is there only while a wind blows. Used by the thread that pushes frames."""

    def __init__(self, server: viser.ViserServer, scene: Scene) -> None:
        self._api = server.scene
        low, high = bounds(scene.all_bodies(), points_of(scene))
        size = float(max((high - low).max(), 0.1))
        self._mast, self._long = MAST * size, SOCK * size
        self._foot = standing(scene, low, high, BESIDE * size, self._mast, self._long)
        self._nodes: list[viser.SceneNodeHandle] = []
        self._rings: viser.BatchedMeshHandle | None = None
        self._shown = np.zeros(3)

    def show(self, frame: Frame) -> None:
        """Fly as the wind of a moment blows."""
        wind = np.zeros(3) if frame.wind is None else np.round(frame.wind, 2)
        if np.array_equal(wind, self._shown):
            return
        self._shown = wind
        blows = float(np.linalg.norm(wind)) >= CALM
        if blows and self._rings is None:
            self._build()
        if self._rings is None:
            return
        for node in self._nodes:
            node.visible = blows
        position, turn = self._poses(wind)
        self._rings.batched_positions, self._rings.batched_wxyzs = position, turn

    def _poses(self, wind: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        top = self._foot + (0.0, 0.0, self._mast)
        position, way = flying(wind, top, self._long)
        return position.astype(np.float32), upright(way).astype(np.float32)

    def _build(self) -> None:
        thin, mouth = THIN * self._long, MOUTH * self._long
        mast = solids.cylinder(thin, self._mast)
        lengths = ring_lengths(self._long)
        ring = solids.turned([[(mouth, 0.0), (TAPER * mouth, lengths[0])]], 16)
        position, turn = self._poses(self._shown)
        self._rings = self._api.add_batched_meshes_simple(
            "/wind/sock",
            ring.vertices,
            ring.faces,
            batched_wxyzs=turn,
            batched_positions=position,
            batched_scales=np.repeat((lengths / lengths[0])[:, None], 3, axis=1).astype(np.float32),
            batched_colors=np.array([as_bytes(STRIPES[k % 2]) for k in range(RINGS)], np.uint8),
            side="double",
            lod="off",
        )
        middle = self._foot + (0.0, 0.0, 0.5 * self._mast)
        pole = self._api.add_mesh_simple(
            "/wind/mast", mast.vertices, mast.faces, color=STEEL, position=middle, wxyz=(1.0, 0.0, 0.0, 0.0)
        )
        self._nodes = [self._rings, pole]


def flying(wind: np.ndarray, top: np.ndarray, length: float) -> tuple[np.ndarray, np.ndarray]:
    """Where each ring of a sock of that length begins [m] and its direction, both of shape (RINGS, 3), in a wind [m/s]."""
    level = np.array([wind[0], wind[1], 0.0])
    speed = float(np.linalg.norm(level))
    ahead = level / speed if speed > 0.0 else np.array([1.0, 0.0, 0.0])
    # from hanging down to level
    raised = 0.5 * np.pi * np.clip(speed / (PER_RING * np.arange(1, RINGS + 1)), 0.0, 1.0)
    way = np.sin(raised)[:, None] * ahead - np.cos(raised)[:, None] * np.array([0.0, 0.0, 1.0])
    ends = top + np.cumsum(ring_lengths(length)[:, None] * way, axis=0)
    return np.concatenate([top[None], ends[:-1]]), way


def ring_lengths(length: float) -> np.ndarray:
    """Of each ring of a sock of that length [m], shape (RINGS,)."""
    share = TAPER ** np.arange(RINGS)
    return np.asarray(length * share / share.sum())


def words(wind: np.ndarray) -> str:
    """The speed of a wind [m/s]; empty where there is none."""
    speed = float(np.linalg.norm(wind))
    return f"{speed:.1f} m/s" if speed >= CALM else ""


def standing(
    scene: Scene, low: np.ndarray, high: np.ndarray, beside: float, mast: float = 0.0, long: float = 0.0
) -> np.ndarray:
    """Foot of the mast [m]: to the left of the scene as it is first seen, some way out, half-way back. Where that is no part of the
    first picture of a narrow window, or where something of the scene hides the sock, as far to the left as it is seen, beside or behind
    the scene. `mast`, `long`: of mast and sock [m]."""
    eye, target = stage.camera(scene, low, high)
    ahead = (target - eye)[:2]
    left = np.array([-ahead[1], ahead[0]]) / max(float(np.linalg.norm(ahead)), 1e-9)
    middle, half = 0.5 * (low + high)[:2], 0.5 * (high - low)[:2]
    # the farthest corner to the left
    ground = stage.ground_level(scene)
    level = float(low[2]) if ground is None else ground
    wanted = np.array([*(middle + (float(np.abs(left) @ half) + beside) * left), level])
    if mast <= 0.0:
        return wanted
    flat = ahead / max(float(np.linalg.norm(ahead)), 1e-9)
    depth = float((middle - eye[:2]) @ flat)
    boxes = boxes_of(scene)
    seen = None
    for foot in (wanted, *_places(eye, flat, left, depth, level)):
        clear = foot is wanted or (np.abs(foot[:2] - middle) > half + 0.5 * beside).any()
        if not (clear and in_sight(eye, target, foot, mast, long)):
            continue
        if not hidden(eye, sock_points(eye, target, foot, mast, long), boxes):
            return foot
        seen = foot if seen is None else seen
    return wanted if seen is None else seen


def _places(eye: np.ndarray, flat: np.ndarray, left: np.ndarray, depth: float, level: float) -> Iterator[np.ndarray]:
    """Where else a foot may be, those farthest to the left first [m]."""
    for aside in SIDES:
        for further in FURTHER:
            way = flat + aside * np.tan(0.5 * stage.NARROWEST) * left
            yield np.array([*(eye[:2] + depth * further * way), level])


def sock_points(eye: np.ndarray, target: np.ndarray, foot: np.ndarray, mast: float, long: float) -> np.ndarray:
    """The top of a mast on that foot and points along its sock, blown to either side of the picture [m], shape (n, 3)."""
    right = np.cross(target - eye, [0.0, 0.0, 1.0])
    right /= max(float(np.linalg.norm(right)), 1e-9)
    return np.asarray(foot + (0.0, 0.0, mast) + np.linspace(-1.0, 1.0, ALONG)[:, None] * long * right)


def boxes_of(scene: Scene) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Of every body that is seen, planes left out, at the start: centre [m], turn (w, x, y, z), half the size along its axes [m]."""
    return [
        (
            np.asarray(body.start_position, float),
            np.asarray(body.start_orientation, float),
            np.array(half_size(body.shape)),
        )
        for body in scene.all_bodies().values()
        if body.visible and body.shape is not None and not isinstance(body.shape, Plane)
    ]


def hidden(eye: np.ndarray, points: np.ndarray, boxes: list[tuple[np.ndarray, np.ndarray, np.ndarray]]) -> bool:
    """Whether a box stands between the eye and any of some points [m]."""
    for centre, turn, half in boxes:
        back = turn * (1.0, -1.0, -1.0, -1.0)
        start, end = frames.rotate(back, eye - centre), frames.rotate(back, points - centre)
        way = end - start
        way = np.where(np.abs(way) > 1e-12, way, 1e-12)
        # shares of the way between which it is within each pair of sides
        ends = np.stack([(-half - start) / way, (half - start) / way])
        enters, leaves = ends.min(axis=0).max(axis=1), ends.max(axis=0).min(axis=1)
        if ((enters < leaves) & (enters < 1.0) & (leaves > 0.0)).any():
            return True
    return False


def in_sight(eye: np.ndarray, target: np.ndarray, foot: np.ndarray, mast: float, long: float) -> bool:
    """Whether all but the lower half of the mast is seen from a camera, in a window of any shape and however the wind blows."""
    ahead = (target - eye) / max(float(np.linalg.norm(target - eye)), 1e-9)
    right = np.cross(ahead, [0.0, 0.0, 1.0])
    right /= max(float(np.linalg.norm(right)), 1e-9)
    up = np.cross(right, ahead)
    top = foot + (0.0, 0.0, mast)
    points = np.array([0.5 * (foot + top), top, top + long * right, top - long * right]) - eye
    deep = points @ ahead
    if (deep <= 0.0).any():
        return False
    across, above = np.abs(points @ right) / deep, np.abs(points @ up) / deep
    return bool(
        across.max() < ROOM * np.tan(0.5 * stage.NARROWEST) and above.max() < ROOM * np.tan(0.5 * stage.FIELD_OF_VIEW)
    )
