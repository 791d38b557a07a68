"""Honeycomb cables in the page: each a smooth tube through the masses of its surface, a mesh that follows them."""

from __future__ import annotations

from typing import Any

import numpy as np
import viser

from taut.scene import Scene
from taut.scene.segments import Strand
from taut.view.colours import CABLE, as_bytes
from taut.view.frame import Frame
from taut.view.shades import Scales, largest_pull

#: points around the tube and pieces per cell; with many layers one piece is fine enough
AROUND, ALONG, MANY = 18, 2, 150


class Lattices:
    """All honeycomb cables of a scene."""

    def __init__(self, api: viser.SceneApi, scene: Scene, scales: Scales) -> None:
        self._tubes = {name: Tube(api, scene, name) for name in scene.lattices()}
        self._scales = scales
        self.by_tension = self._coloured = False
        """Whether they are coloured by their largest tension: viser's mesh has one colour."""

    @property
    def changed(self) -> bool:
        """Whether other colours are wanted than those that are shown."""
        return bool(self._tubes) and self.by_tension != self._coloured

    @property
    def handles(self) -> list[Any]:
        """The cables in the page, for drags."""
        return [tube.handle for tube in self._tubes.values()]

    def show(self, frame: Frame) -> None:
        """Follow the masses."""
        for name, tube in self._tubes.items():
            rope = frame.cables.get(name)
            if rope is not None and rope.rings is not None:
                tube.show(rope.rings)
            if self.by_tension or self._coloured:
                pull = np.array([largest_pull(rope)])
                shown = self._scales.by_tension(pull, np.array([tube.plain]))[0] if self.by_tension else tube.plain
                tube.colour((int(shown[0]), int(shown[1]), int(shown[2])))
        self._coloured = self.by_tension


class Tube:
    """One of them."""

    def __init__(self, api: viser.SceneApi, scene: Scene, name: str) -> None:
        from taut.cables.honeycomb.describe import description, lattice_of
        from taut.cables.honeycomb.route import place
        from taut.cables.honeycomb.shape import rings, tube

        cable = scene.cables[name]
        strand = Strand(name, cable, scene.bodies)
        lattice = lattice_of(strand)
        self._make, self._skin = tube, description(cable).skin
        self._along = ALONG if lattice.layers <= MANY else 1
        laid = place(lattice.section, lattice.side, np.array(strand.line, float), lattice.layers)
        vertices, faces = self._surface(rings(lattice, laid))
        self.plain = as_bytes(cable.color or CABLE)
        """Its own colour, from 0 to 255."""
        self.handle: Any = api.add_mesh_simple(
            f"/cables/honeycomb/{name}", vertices, faces, color=self.plain, flat_shading=False
        )

    def _surface(self, outline: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        vertices, faces = self._make(outline, AROUND, self._along, self._skin)
        return vertices.astype(np.float32), faces.astype(np.uint32)

    def show(self, outline: np.ndarray) -> None:
        """Follow the masses of the surface, shape (layers, M, 3)."""
        self.handle.vertices = self._surface(outline)[0]

    def colour(self, shown: tuple[int, int, int]) -> None:
        """Give it a colour, from 0 to 255."""
        if self.handle.color != shown:
            self.handle.color = shown
