"""Rope on a drum: turn beside turn, layer upon layer, as much as has been hauled in."""

from __future__ import annotations

import math

import numpy as np
import viser

from taut.scene.parts import Winch
from taut.view import wheels
from taut.view.colours import Colour, as_bytes
from taut.view.paths import Laid, Paths
from taut.view.ropes import upright

#: turns that always stay on a drum
LEAST_TURNS = 3.0
#: drawn turns beside each other, and layers, at most
MOST_TURNS, MOST_LAYERS = 24, 6
#: rise from layer to layer in diameters of the rope: each turn lies between two of the layer below
RISE = 0.87


class Wound:
    """The rope on one drum. What is on it follows from the rope that is out, so a recording shows it too."""

    def __init__(
        self, api: viser.SceneApi, name: str, paths: Paths, part: int, thick: float, colour: Colour, laid: Laid
    ) -> None:
        """`thick`: radius with which the rope is drawn [m]."""
        cable, drum = paths.parts[part]
        assert isinstance(drum, Winch)
        self.part = part
        self._run = next(k for k, run in enumerate(paths.runs) if run.start <= part < run.stop)
        self._paths = paths
        rope = min(thick, 0.3 * drum.radius)
        width = wheels.drum_width(drum.radius, rope)
        self._turns = int(np.clip(width / (2.0 * rope), 3, MOST_TURNS))
        pitch = width / self._turns
        out = self._out(laid)
        # a drawn turn stands for as many as lie side by side in its width
        real = min(paths.thick[cable], rope)
        each = drum.layer_turns / self._turns if drum.layer_turns else pitch / (2.0 * real)
        climb = drum.layer_rise or 2.0 * RISE * real
        rise = max(climb, 2.0 * RISE * rope)
        self._length = [2.0 * math.pi * (drum.radius + layer * climb) * each for layer in range(MOST_LAYERS)]
        self._total = out + stored(drum, out) + LEAST_TURNS * 2.0 * math.pi * drum.radius
        self.layers = -(-self._visible(self._total) // self._turns)
        """Layers that lie on it at most."""
        ring = wheels.turn_of_rope(drum.radius, rope, pitch)
        count = self.layers * self._turns
        layer, place = np.divmod(np.arange(count), self._turns)
        # back and forth
        place = np.where(layer % 2 == 0, place, self._turns - 1 - place)
        self._along = -0.5 * width + (place + 0.5) * pitch
        wide = 1.0 + layer * rise / drum.radius
        self._scale = np.column_stack([wide, wide, np.ones(count)]).astype(np.float32)
        self._shown = self._visible(self._total - out)
        self._placed = self._places(laid)
        self._handle = api.add_batched_meshes_simple(
            name,
            ring.vertices,
            ring.faces,
            batched_positions=self._placed[0],
            batched_wxyzs=self._placed[1],
            batched_scales=self._scales(),
            batched_colors=as_bytes(colour),
            lod="off",
        )

    def show(self, laid: Laid) -> None:
        """Follow the drum, and what is wound on it."""
        # each turn by itself, as bodies are: a node that is moved as a whole comes to the screen sooner than they do
        places, before = self._places(laid), self._placed
        if not np.array_equal(places[0], before[0]):
            self._handle.batched_positions = places[0]
        if not np.array_equal(places[1], before[1]):
            self._handle.batched_wxyzs = places[1]
        self._placed = places
        now = self._visible(self._total - self._out(laid))
        if now != self._shown:
            self._shown = now
            self._handle.batched_scales = self._scales()

    def _visible(self, wound: float) -> int:
        """Drawn turns of a length of rope on the drum [m]."""
        count = 0
        for each in self._length:
            if wound < each * self._turns:
                break
            wound -= each * self._turns
            count += self._turns
        else:
            return count
        return max(1, count + math.ceil(wound / each - 1e-9))

    def _scales(self) -> np.ndarray:
        return np.where(np.arange(len(self._scale))[:, None] < self._shown, self._scale, np.float32(0.0))

    def _out(self, laid: Laid) -> float:
        """Rope between the ends of the route [m]."""
        mine = self._paths.span_cable == self._run
        run = self._paths.runs[self._run]
        straight = np.linalg.norm(laid.ends[mine, 1] - laid.ends[mine, 0], axis=1) + laid.slack[mine]
        return float(straight.sum() + (self._paths.radius[run] * laid.wrap[run]).sum())

    def _places(self, laid: Laid) -> tuple[np.ndarray, np.ndarray]:
        """Middle [m] and turn of each drawn turn of rope in the world."""
        axis = laid.axis[self.part]
        middles = laid.centre[self.part] + self._along[:, None] * axis
        turns = np.tile(upright(laid.axis[self.part : self.part + 1]), (len(self._along), 1))
        return middles.astype(np.float32), turns.astype(np.float32)


def stored(drum: Winch, out: float) -> float:
    """Rope on a drum at the start, while so much is out [m]; one that has plenty is shown with what its limit needs."""
    if drum.stored is not None:
        return drum.stored
    return max(0.0, (drum.lower_limit if drum.lower_limit is not None else 1.5 * out) - out)
