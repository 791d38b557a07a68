"""Ropes as lines of one width on the screen: what is seen of them from afar, where a tube would be thinner than a pixel.

Up close the tube hides the line, which runs in its middle.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import viser

#: width on the screen [px]
WIDTH = 1.7


class Lines:
    """The lines of some ropes that are drawn in pieces; several pieces are one of the line, which saves bytes."""

    def __init__(
        self,
        api: viser.SceneApi,
        name: str,
        counts: Sequence[int],
        stride: int | Sequence[int],
        starts: np.ndarray,
        stops: np.ndarray,
        colours: np.ndarray,
    ) -> None:
        """`counts` pieces belong together, one run after the other; their starts and stops [m], shape (n, 3), and colours
        from 0 to 255, shape (n, 3). `stride` pieces are one of the line, the same for all runs or one for each."""
        first, last = [np.zeros(0, int)], [np.zeros(0, int)]
        begin = 0
        strides = [stride] * len(counts) if isinstance(stride, int) else stride
        for count, each in zip(counts, strides, strict=True):
            at = np.arange(begin, begin + count, each)
            first.append(at)
            last.append(np.minimum(at + each - 1, begin + count - 1))
            begin += count
        self._first, self._last = np.concatenate(first), np.concatenate(last)
        self._handle = api.add_line_segments(
            name, self._points(starts, stops), self._shades(colours), thickness=WIDTH, thickness_units="screen"
        )

    def show(self, starts: np.ndarray, stops: np.ndarray, colours: np.ndarray | None = None) -> None:
        """Follow the pieces; colours only where they change."""
        self._handle.points = self._points(starts, stops)
        if colours is not None:
            self._handle.colors = self._shades(colours)

    def _points(self, starts: np.ndarray, stops: np.ndarray) -> np.ndarray:
        points = np.stack([starts[self._first], stops[self._last]], axis=1).astype(np.float32)
        # what has no length would be a dot: it hides in a piece that has some
        none = (points[:, 0] == points[:, 1]).all(axis=1)
        if none.any() and not none.all():
            points[none] = points[~none][0]
        return points

    def _shades(self, colours: np.ndarray) -> np.ndarray:
        return np.repeat(colours[self._first, None], 2, axis=1)
