"""Solids put together from closed pieces: blocks, bars, wheels and bent tubes, some of them in a colour of their own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taut.view import solids
from taut.view.colours import Colour
from taut.view.solids import Solid

#: corners of a block, 4 i + 2 j + k of its low (0) and high (1) sides, around each of its faces as seen from outside
_AROUND = np.array([(4, 6, 7, 5), (0, 1, 3, 2), (2, 3, 7, 6), (0, 4, 5, 1), (1, 5, 7, 3), (0, 2, 6, 4)])
#: a colour of its own, or so much of the light of the body's: what lies deep is darker, also where no shadows are drawn
Paint = Colour | float
Corner = Sequence[float] | np.ndarray
PLAIN = 1.0
_SIGNS = np.array([(i, j, k) for i in (-1.0, 1.0) for j in (-1.0, 1.0) for k in (-1.0, 1.0)])


class Assembly:
    """Pieces in the making; they may run into each other, as welded steel does."""

    def __init__(self) -> None:
        self._vertices: list[np.ndarray] = []
        self._faces: list[np.ndarray] = []
        self._paint: list[np.ndarray] = []
        self._count = 0

    def add(self, vertices: np.ndarray, faces: np.ndarray, paint: Paint = PLAIN) -> None:
        """Any closed piece."""
        self._vertices.append(vertices)
        self._faces.append(faces + self._count)
        self._paint.append(
            np.tile((paint, 0.0, 0.0, 0.0) if isinstance(paint, float) else (0.0, *paint), (len(vertices), 1))
        )
        self._count += len(vertices)

    def blocks(self, corners: np.ndarray, paint: Paint = PLAIN) -> None:
        """Blocks of eight corners each, shape (n, 8, 3), in the order of `_AROUND`; every face is flat in the light."""
        first = 4 * np.arange(6 * len(corners))[:, None]
        faces = np.concatenate([first + (0, 1, 2), first + (0, 2, 3)])
        self.add(corners[:, _AROUND].reshape(-1, 3), faces, paint)

    def box(self, low: Corner, high: Corner, paint: Paint = PLAIN) -> None:
        """A box between two corners [m]."""
        one, two = np.asarray(low, float), np.asarray(high, float)
        self.blocks((0.5 * (one + two) + 0.5 * _SIGNS * (two - one))[None], paint)

    def mirrored(self, low: Corner, high: Corner, axis: int, paint: Paint = PLAIN) -> None:
        """A box and its image across the plane through the origin."""
        flip = np.where(np.arange(3) == axis, -1.0, 1.0)
        self.box(low, high, paint)
        one, two = np.sort([flip * low, flip * high], axis=0)
        self.box(one, two, paint)

    def bars(
        self,
        start: np.ndarray,
        end: np.ndarray,
        normal: Sequence[float],
        size: tuple[float, float],
        paint: Paint = PLAIN,
    ) -> None:
        """Straight bars between points [m], shape (n, 3); `size`: across, and along the normal [m]."""
        along = end - start
        length = np.linalg.norm(along, axis=1, keepdims=True)
        along = along / length
        up = np.broadcast_to(np.asarray(normal, float), along.shape)
        across = np.cross(up, along)
        x, y, z = _SIGNS[None, :, :1], _SIGNS[None, :, 1:2], _SIGNS[None, :, 2:]
        middle = 0.5 * (start + end)[:, None] + 0.5 * x * (length * along)[:, None]
        self.blocks(middle + 0.5 * size[0] * y * across[:, None] + 0.5 * size[1] * z * up[:, None], paint)

    def wheel(
        self, centre: Sequence[float], radius: float, width: float, paint: Paint = PLAIN, sides: int = 20
    ) -> None:
        """A round disc that turns about y."""
        half = 0.5 * width
        strokes = [[(0.0, -half), (radius, -half)], [(radius, -half), (radius, half)], [(radius, half), (0.0, half)]]
        disc = solids.turned(strokes, sides)
        # z of the lathe becomes y, without a mirror image
        self.add(disc.vertices[:, (1, 2, 0)] + np.asarray(centre, float), disc.faces, paint)

    def tube(self, points: np.ndarray, radius: np.ndarray, paint: Paint = PLAIN, sides: int = 8) -> None:
        """A round bar bent in the plane of x and z, with a radius at each of its points [m], closed at its ends."""
        ahead = np.gradient(points, axis=0)
        ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
        aside = np.cross(ahead, (0.0, 1.0, 0.0))
        angle = 2.0 * np.pi * np.arange(sides) / sides
        ring = np.cos(angle)[None, :, None] * aside[:, None] - np.sin(angle)[None, :, None] * np.array([0.0, 1.0, 0.0])
        vertices = (points[:, None] + radius[:, None, None] * ring).reshape(-1, 3)
        row, k = np.meshgrid(np.arange(len(points) - 1), np.arange(sides), indexing="ij")
        a, b = (row * sides + k).ravel(), (row * sides + (k + 1) % sides).ravel()
        last, fan = (len(points) - 1) * sides, np.arange(1, sides - 1)
        ends = [np.column_stack([0 * fan, fan + 1, fan]), last + np.column_stack([0 * fan, fan, fan + 1])]
        sheets = [np.column_stack([a, b, b + sides]), np.column_stack([a, b + sides, a + sides])]
        self.add(vertices, np.concatenate(sheets + ends), paint)

    def solid(self, axes: Sequence[int] = (0, 1, 2)) -> Solid:
        """All of them; `axes`: which axis of the body each of x, y and z here becomes."""
        made = np.concatenate(self._vertices)
        vertices = np.empty_like(made)
        vertices[:, list(axes)] = made
        if np.linalg.det(np.eye(3)[list(axes)]) < 0.0:
            # two axes that change places would turn it inside out
            vertices[:, axes[1]] *= -1.0
        paint = np.concatenate(self._paint)
        return Solid(vertices, np.concatenate(self._faces), paint if (paint != (1.0, 0.0, 0.0, 0.0)).any() else None)
