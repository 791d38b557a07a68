"""The scene in the page: nodes that follow the poses of the bodies."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
import viser

from taut.compile import frames
from taut.scene import Scene
from taut.view import items, shares, solids
from taut.view.bounds import extent
from taut.view.cables import Cables
from taut.view.colours import WHITE, as_bytes
from taut.view.frame import Frame
from taut.view.glb import Glb
from taut.view.items import Item
from taut.view.lattices import Lattices
from taut.view.rods import Rods
from taut.view.ropes import Ropes
from taut.view.shades import Scales, largest_pull, pull_along
from taut.view.strands import Strands
from taut.view.windsock import Windsock


class Group:
    """Items that share a solid and are drawn as one node."""

    def __init__(self, api: viser.SceneApi, name: str, members: list[Item], frame: Frame) -> None:
        self.moves = members[0].moves
        self.bodies = [item.body for item in members]
        """Number of the body of every instance."""
        self._body = np.array(self.bodies)
        self.plain = np.array([as_bytes(item.colour) for item in members], np.uint8)
        """Their own colours, from 0 to 255, shape (n, 3)."""
        self._position = np.array([item.position for item in members])
        self._orientation = np.array([item.orientation for item in members])
        solid = members[0].solid
        position, turn = self._poses(frame)
        scale = np.array([item.scale for item in members], np.float32)
        self.handle: viser.BatchedMeshHandle | viser.BatchedGlbHandle
        if solid.paint is None:
            self.handle = api.add_batched_meshes_simple(
                name,
                solid.vertices,
                solid.faces,
                batched_wxyzs=turn,
                batched_positions=position,
                batched_scales=scale,
                batched_colors=self.plain,
                lod="off",
            )
        else:
            # several colours in one node, so that it costs no more to move than one
            self.handle = api.add_batched_glb(name, _model(members[0]), turn, position, batched_scales=scale, lod="off")

    def _poses(self, frame: Frame) -> tuple[np.ndarray, np.ndarray]:
        turn = frame.orientations[self._body]
        position = frame.positions[self._body] + frames.rotate(turn, self._position)
        return position.astype(np.float32), frames.multiply(turn, self._orientation).astype(np.float32)

    def show(self, frame: Frame) -> None:
        """Follow the bodies."""
        self.handle.batched_positions, self.handle.batched_wxyzs = self._poses(frame)


def _model(item: Item) -> bytes:
    """A solid of several colours as a model; its items have the same colours."""
    made = Glb(upright=False)
    # the page takes numbers of colours for light, as it does those of plain solids
    light = item.solid.painted(item.colour)
    made.node(item.name, mesh=made.mesh(item.solid.vertices, item.solid.faces, WHITE, COLOR_0=light.astype("<f4")))
    return made.content()


class RopeGroup:
    """All distance joints, ropes and rods, as short cylinders in one node."""

    def __init__(self, api: viser.SceneApi, scene: Scene, frame: Frame, scales: Scales) -> None:
        self._ropes, self._scales = Ropes(scene, 0.0018 * extent(scene.all_bodies())), scales
        self.by_tension = self._coloured = False
        """Whether ropes are coloured by their tension."""
        self._handle: viser.BatchedMeshHandle | None = None
        if not self._ropes.ties:
            return
        position, turn, scale = self._ropes.transforms(frame)
        self._plain = np.array([as_bytes(tie.colour) for tie in self._ropes.ties], np.uint8)
        solid = solids.turned([[(1.0, -0.5), (1.0, 0.5)]], 12)
        self._handle = api.add_batched_meshes_simple(
            "/ropes",
            solid.vertices,
            solid.faces,
            batched_wxyzs=turn,
            batched_positions=position,
            batched_scales=scale.astype(np.float32),
            batched_colors=np.repeat(self._plain, self._ropes.pieces, axis=0),
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
            if self.by_tension or self._coloured:
                pull = np.array([largest_pull(frame.cables.get(tie.name)) for tie in self._ropes.ties])
                colours = self._scales.by_tension(pull, self._plain) if self.by_tension else self._plain
                self._handle.batched_colors = np.repeat(colours, self._ropes.pieces, axis=0)
                self._coloured = self.by_tension

    @property
    def changed(self) -> bool:
        """Whether other colours are wanted than those that are shown."""
        return self._handle is not None and self.by_tension != self._coloured

    @property
    def handle(self) -> viser.BatchedMeshHandle | None:
        """The ropes in the page, for drags."""
        return self._handle


class Links:
    """The links of chains, which are drawn as bodies, coloured by the tension of the joints at their ends."""

    def __init__(self, scene: Scene, groups: list[Group], scales: Scales) -> None:
        self.by_tension = self._coloured = False
        """Whether they are coloured by their tension."""
        self._scales = scales
        number = {name: k for k, name in enumerate(scene.all_bodies())}
        self._chains = {
            name: np.array([number[link] for link in chain.link_names(name)]) for name, chain in scene.chains.items()
        }
        links = set(np.concatenate([*self._chains.values(), np.zeros(0, int)]).astype(int).tolist())
        self._groups = [group for group in groups if links.intersection(group.bodies)]
        self._pull = np.full(len(number), np.nan)

    @property
    def changed(self) -> bool:
        """Whether other colours are wanted than those that are shown."""
        return bool(self._groups) and self.by_tension != self._coloured

    def show(self, frame: Frame) -> None:
        """Follow the tension."""
        if not (self.by_tension or self._coloured):
            return
        for name, links in self._chains.items():
            self._pull[links] = pull_along(frame.cables.get(name), len(links))
        for group in self._groups:
            pull = self._pull[np.array(group.bodies)]
            assert isinstance(group.handle, viser.BatchedMeshHandle)  # a link has one colour
            group.handle.batched_colors = self._scales.by_tension(pull, group.plain) if self.by_tension else group.plain
        self._coloured = self.by_tension


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
        self.scales = Scales()
        """What the colours of ropes stand for."""
        self.ties = RopeGroup(server.scene, scene, start, self.scales)
        self.cables = Cables(server.scene, scene, start, self.scales)
        self.strands = Strands(server.scene, scene, start, self.scales)
        self.lattices = Lattices(server.scene, scene, self.scales)
        self.rods = Rods(server.scene, scene, start, self.scales)
        self.links = Links(scene, self.groups, self.scales)
        self._windsock = Windsock(server, scene)
        self._by_tension = self._by_share = False
        self.breaking = shares.breaking_loads(scene)
        """Breaking load of everything that is coloured [N]; empty where one of them is not known."""
        self._ropes = (self.ties, self.cables, self.strands, self.lattices, self.rods, self.links)
        self._shown: Frame | None = None

    def show(self, frame: Frame) -> None:
        """Bring the page to a moment, all at once."""
        if frame is self._shown and not any(part.changed for part in self._ropes):
            return
        # also while nothing is coloured: the scale goes to the largest of the last while, whenever it is asked for
        self.scales.note(frame.cables.values(), frame.time)
        self.scales.whole = self._by_share
        coloured = shares.as_shares(frame, self.breaking) if self._by_share else frame
        with self._server.atomic():
            for group in self.groups:
                if group.moves:
                    group.show(frame)
            for part in self._ropes:
                part.show(coloured)
            self._windsock.show(frame)
        self._shown = frame

    def rope_handles(self) -> list[Any]:
        """Everything in the page that is a rope, for drags."""
        found = [self.ties.handle, self.cables.handle, self.strands.handle, self.rods.handle, *self.lattices.handles]
        return [handle for handle in found if handle is not None]

    def colour_by(self, tension: bool, bend: bool, share: bool = False) -> None:
        """Colour ropes by their tension, or by its share of what breaks them, or those that resist it by their bend."""
        share = share and bool(self.breaking) and not bend
        self._by_tension = (tension or share) and not bend
        if share != self._by_share:
            self._by_share, self._shown = share, None
        for part in self._ropes:
            part.by_tension = self._by_tension
        self.strands.by_bend = self.rods.by_bend = bend


def start_frame(scene: Scene) -> Frame:
    """The scene as it was written down."""
    bodies = scene.all_bodies().values()
    positions = np.array([body.start_position for body in bodies], np.float32).reshape(-1, 3)
    turns = np.array([body.start_orientation for body in bodies], np.float32).reshape(-1, 4)
    return Frame(0.0, 0, positions, turns)
