"""What sits on the route of a cable: sheaves and drums that turn with the rope, rings and ties."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import partial

import numpy as np
import viser

from taut.compile import frames
from taut.scene.parts import Ring, Wheel, Winch
from taut.view import solids, wheels
from taut.view.colours import DRUM, SHEAVE, Colour, as_bytes
from taut.view.drums import Wound
from taut.view.paths import Laid, Paths
from taut.view.ropes import upright
from taut.view.solids import Solid

#: reading of a pose of a part: its position and orientation
Poses = tuple[np.ndarray, np.ndarray]


class Fittings:
    """All of them, those of equal size as one node."""

    def __init__(
        self,
        api: viser.SceneApi,
        paths: Paths,
        thick: Mapping[str, float],
        colour: Mapping[str, Colour],
        laid: Laid,
    ) -> None:
        """`thick` and `colour`: radius with which each cable is drawn [m], and its colour."""
        self._wound = [
            Wound(api, f"/cables/wound_{k}", paths, k, thick[name], colour[name], laid)
            for k, (name, part) in enumerate(paths.parts)
            if isinstance(part, Winch)
        ]
        layers = {wound.part: wound.layers for wound in self._wound}
        groups: dict[Hashable, tuple[Solid, list[int], list[Colour]]] = {}

        def add(key: Hashable, make: Callable[[], Solid], k: int, shade: Colour) -> None:
            if key not in groups:
                groups[key] = make(), [], []
            groups[key][1].append(k)
            groups[key][2].append(shade)

        for k, (name, part) in enumerate(paths.parts):
            rope = thick[name]
            if isinstance(part, Winch):
                height = layers[k]
                add(("drum", part.radius, rope, height), partial(wheels.drum, part.radius, rope, height), k, DRUM)
            elif isinstance(part, Wheel):
                add(("sheave", part.radius, rope), partial(wheels.sheave, part.radius, rope), k, SHEAVE)
            elif isinstance(part, Ring):
                add(("ring", rope), partial(wheels.ring, rope), k, SHEAVE)
            else:
                add(("end", rope), partial(solids.ball, 2.0 * rope), k, colour[name])
        self._nodes: list[Node] = []
        for key, (solid, members, shades) in groups.items():
            assert isinstance(key, tuple)
            self._nodes.append(Node(api, f"/cables/{key[0]}_{members[0]}", solid, members, shades, paths, laid))

    def show(self, laid: Laid) -> None:
        """Follow bodies and ropes."""
        for node in self._nodes:
            node.show(laid)
        for wound in self._wound:
            wound.show(laid)


class Node:
    """Parts that share a solid."""

    def __init__(
        self,
        api: viser.SceneApi,
        name: str,
        solid: Solid,
        members: list[int],
        colours: list[Colour],
        paths: Paths,
        laid: Laid,
    ) -> None:
        self._members = np.array(members)
        self._paths = paths
        self._wheel = bool((paths.radius[self._members] > 0.0).all())
        position, turn = self._poses(laid)
        self._handle = api.add_batched_meshes_simple(
            name,
            solid.vertices,
            solid.faces,
            batched_wxyzs=turn,
            batched_positions=position,
            batched_colors=np.array([as_bytes(colour) for colour in colours], np.uint8),
            lod="off",
        )

    def _poses(self, laid: Laid) -> Poses:
        k = self._members
        axis = laid.axis[k] if self._wheel else along(laid, self._paths, k)
        first = laid.first[k] if self._wheel else None
        turn = upright(axis) if first is None else _frame(axis, first)
        if self._wheel:
            half = 0.5 * laid.turned[k]
            spin = np.stack([np.cos(half), np.zeros(len(k)), np.zeros(len(k)), np.sin(half)], axis=1)
            turn = frames.multiply(turn, spin)
        return laid.centre[k].astype(np.float32), turn.astype(np.float32)

    def show(self, laid: Laid) -> None:
        """Follow the bodies."""
        self._handle.batched_positions, self._handle.batched_wxyzs = self._poses(laid)


def along(laid: Laid, paths: Paths, parts: np.ndarray) -> np.ndarray:
    """Direction in which the rope runs through points of its route, shape (n, 3)."""
    d = laid.ends[:, 1] - laid.ends[:, 0]
    unit = d / np.maximum(np.linalg.norm(d, axis=1, keepdims=True), 1e-12)
    total = np.zeros((len(paths.parts), 3))
    np.add.at(total, paths.span, unit)
    np.add.at(total, paths.span + 1, unit)
    found = total[parts]
    size = np.linalg.norm(found, axis=1, keepdims=True)
    return np.where(size > 1e-6, found / np.maximum(size, 1e-6), np.array([0.0, 0.0, 1.0]))


def _frame(axis: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Frames with z along the axis and x along the first direction, shape (n, 4)."""
    turn = upright(axis)
    # what is left is a turn about z
    x = frames.rotate(frames.conjugate(turn), first)
    half = 0.5 * np.arctan2(x[:, 1], x[:, 0])
    about = np.stack([np.cos(half), np.zeros(len(half)), np.zeros(len(half)), np.sin(half)], axis=1)
    return frames.multiply(turn, about)
