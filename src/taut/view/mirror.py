"""The scene in the page: nodes that follow the poses of the bodies."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
import viser

from taut.compile import frames
from taut.scene import Scene
from taut.view import items, solids
from taut.view.bounds import extent
from taut.view.cables import Cables
from taut.view.colours import as_bytes
from taut.view.frame import Frame
from taut.view.items import Item
from taut.view.lattices import Lattices
from taut.view.rods import Rods
from taut.view.ropes import Ropes
from taut.view.strands import Strands


class Group:
    """Items that share a solid and are drawn as one node."""

    def __init__(self, api: viser.SceneApi, name: str, members: list[Item], frame: Frame) -> None:
        self.moves = members[0].moves
        self.bodies = [item.body for item in members]
        """Number of the body of every instance."""
        self._body = np.array(self.bodies)
        self._position = np.array([item.position for item in members])
        self._orientation = np.array([item.orientation for item in members])
        solid = members[0].solid
        position, turn = self._poses(frame)
        self.handle = api.add_batched_meshes_simple(
            name,
            solid.vertices,
            solid.faces,
            batched_wxyzs=turn,
            batched_positions=position,
            batched_scales=np.array([item.scale for item in members], np.float32),
            batched_colors=np.array([as_bytes(item.colour) for item in members], np.uint8),
            lod="off",
        )

    def _poses(self, frame: Frame) -> tuple[np.ndarray, np.ndarray]:
        turn = frame.orientations[self._body]
        position = frame.positions[self._body] + frames.rotate(turn, self._position)
        return position.astype(np.float32), frames.multiply(turn, self._orientation).astype(np.float32)

    def show(self, frame: Frame) -> None:
        """Follow the bodies."""
        self.handle.batched_positions, self.handle.batched_wxyzs = self._poses(frame)


class RopeGroup:
    """All ropes and rods, as short cylinders in one node."""

    def __init__(self, api: viser.SceneApi, scene: Scene, frame: Frame) -> None:
        self._ropes = Ropes(scene, 0.0018 * extent(scene.all_bodies()))
        self._handle: viser.BatchedMeshHandle | None = None
        if not self._ropes.ties:
            return
        position, turn, scale = self._ropes.transforms(frame)
        colours = np.array([as_bytes(tie.colour) for tie in self._ropes.ties], np.uint8)
        solid = solids.turned([[(1.0, -0.5), (1.0, 0.5)]], 12)
        self._handle = api.add_batched_meshes_simple(
            "/ropes",
            solid.vertices,
            solid.faces,
            batched_wxyzs=turn,
            batched_positions=position,
            batched_scales=scale.astype(np.float32),
            batched_colors=np.repeat(colours, self._ropes.pieces, axis=0),
            side="double",
            lod="off",
        )

    def show(self, frame: Frame) -> None:
        """Follow the ends."""
        if self._handle is not None:
            position, turn, scale = self._ropes.transforms(frame)
            self._handle.batched_positions = position.astype(np.float32)
            self._handle.batched_wxyzs = turn.astype(np.float32)
            self._handle.batched_scales = scale.astype(np.float32)


class Mirror:
    """Draws a scene as it stands at the start, then follows frames."""

    def __init__(self, server: viser.ViserServer, scene: Scene) -> None:
        self._server = server
        start = start_frame(scene)
        grouped: dict[Hashable, list[Item]] = {}
        for item in items.of_scene(scene):
            grouped.setdefault((item.key, item.moves), []).append(item)
        self.groups = []
        for members in grouped.values():
            kind = "joints" if isinstance(members[0].key, tuple) else "bodies"
            self.groups.append(Group(server.scene, f"/{kind}/{members[0].name}", members, start))
        self._ropes = RopeGroup(server.scene, scene, start)
        self.cables = Cables(server.scene, scene, start)
        self.strands = Strands(server.scene, scene, start)
        self._lattices = Lattices(server.scene, scene)
        self.rods = Rods(server.scene, scene, start)
        self._shown: Frame | None = None

    def show(self, frame: Frame) -> None:
        """Bring the page to a moment, all at once."""
        if frame is self._shown and not (self.cables.changed or self.strands.changed or self.rods.changed):
            return
        with self._server.atomic():
            for group in self.groups:
                if group.moves:
                    group.show(frame)
            self._ropes.show(frame)
            self.cables.show(frame)
            self.strands.show(frame)
            self._lattices.show(frame)
            self.rods.show(frame)
        self._shown = frame

    def colour_by(self, tension: bool, bend: bool) -> None:
        """Colour ropes by their tension, or those that resist it by their bend."""
        self.cables.by_tension = tension
        for part in (self.strands, self.rods):
            part.by_tension, part.by_bend = tension and not bend, bend

    @property
    def highest(self) -> float:
        """The largest tension so far of ropes that were coloured by it [N]."""
        return max(self.cables.highest, self.strands.highest, self.rods.highest)

    @property
    def sharpest(self) -> float:
        """The largest curvature so far of ropes that were coloured by it [1/m]."""
        return max(self.strands.sharpest, self.rods.sharpest)


def start_frame(scene: Scene) -> Frame:
    """The scene as it was written down."""
    bodies = scene.all_bodies().values()
    positions = np.array([body.start_position for body in bodies], np.float32).reshape(-1, 3)
    turns = np.array([body.start_orientation for body in bodies], np.float32).reshape(-1, 4)
    return Frame(0.0, 0, positions, turns)
