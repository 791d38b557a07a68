"""One rod of a network: its mesh, and how it is written into the solver's tables.

Clips sit on nodes: between two clips the segments are equally long, and each clip has a frame of its own with half a
joint on either side, so that direction and twist are given at the very place.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from taut.cables.rod import arrays as col
from taut.cables.rod.arrays import Array, Arrays
from taut.cables.rod.properties import Properties
from taut.cables.rod.targets import Clip, Handle
from taut.cables.rod.values import RodError

SIDES = ("start", "end")
#: how an end may be held
CLAMPED, PINNED, FREED = "clamped", "pinned", "free"


@dataclass
class Chain:
    """A rod between two bodies."""

    segments: int
    length: float
    properties: Properties
    gravity: Array
    name: str = "rod"
    bodies: list[int] = field(default_factory=lambda: [0, 1])
    points: list[Array] = field(default_factory=lambda: [np.zeros(3), np.zeros(3)])  # on the bodies, own axes [m]
    frames: list[Array] = field(default_factory=lambda: [np.array([1.0, 0.0, 0.0, 0.0])] * 2)  # on the bodies
    held: list[str] = field(default_factory=lambda: [CLAMPED, CLAMPED])
    handles: dict[int, Handle] = field(default_factory=dict)
    clips: dict[int, Clip] = field(default_factory=dict)
    loads: dict[int, Handle] = field(default_factory=dict)
    through: list[tuple[float, Array]] = field(
        default_factory=list
    )  # shares and points [m] that the first guess goes through
    end_force: Array = field(default_factory=lambda: np.zeros(3))  # last multipliers at the end [N]

    # the mesh: set by `lay_out`
    index: int = 0  # which chain of the network it is
    first: int = 0  # row of the frame at the start
    counts: list[int] = field(default_factory=list)  # segments between clips
    seg_rows: Array = field(default_factory=lambda: np.zeros(0, int))  # rows of the segments
    clip_rows: list[int] = field(default_factory=list)
    row_start: int = 0  # first of its rows in the table of conditions

    def copy(self) -> Chain:
        """Independent of this one."""
        twin = object.__new__(Chain)
        twin.__dict__.update(self.__dict__)
        twin.handles = {key: one.copy() for key, one in self.handles.items()}
        twin.clips = {key: one.copy() for key, one in self.clips.items()}
        twin.loads = {key: one.copy() for key, one in self.loads.items()}
        twin.held, twin.end_force = list(self.held), self.end_force.copy()
        return twin

    @property
    def order(self) -> list[Clip]:
        """Clips from start to end."""
        return sorted(self.clips.values(), key=lambda clip: clip.share) if self.clips else []

    @property
    def handle_order(self) -> list[Handle]:
        """Handles from start to end."""
        return sorted(self.handles.values(), key=lambda handle: handle.share) if self.handles else []

    @property
    def frames_needed(self) -> int:
        """Rows in the table of frames."""
        return self.segments + len(self.clips) + 2

    @property
    def rows_needed(self) -> int:
        """Conditions that hold it in place."""
        clips = sum(len(clip.axes()) for clip in self.clips.values())
        return 3 * len(self.handles) + clips + (0 if self.held[1] == FREED else 3)

    @property
    def last(self) -> int:
        """Row of the frame at the end."""
        return self.first + self.frames_needed - 1

    def lay_out(self, index: int, first: int, row_start: int, keep: bool = False) -> None:
        """Number of segments in each span between clips, and their rows. keep: as they were dealt out, wherever clips have slid."""
        self.index, self.first, self.row_start = index, first, row_start
        if not keep:
            self.counts = self._deal()
        rows: list[int] = []
        row = first + 1
        self.clip_rows = []
        for k, count in enumerate(self.counts):
            rows += range(row, row + count)
            row += count
            if k < len(self.clips):
                self.clip_rows.append(row)
                row += 1
        self.seg_rows = np.array(rows)

    def _deal(self) -> list[int]:
        """Segments for each span, all of them as equally long as it goes."""
        spans = np.diff([0.0, *(clip.share for clip in self.order), 1.0])
        counts = np.maximum(2, np.round(spans * self.segments).astype(int))
        while counts.sum() != self.segments:
            # give or take where segments differ most from the mean
            size = spans / counts
            if counts.sum() < self.segments:
                counts[int(np.argmax(size))] += 1
            else:
                size = np.where(counts > 2, size, np.inf)
                counts[int(np.argmin(size))] -= 1
        return [int(count) for count in counts]

    def shares(self) -> Array:
        """Arc lengths of the nodes over the length, shape (segments + 1,)."""
        knots = [0.0, *(clip.share for clip in self.order), 1.0]
        parts = [
            np.linspace(a, b, count + 1)[1:] for a, b, count in zip(knots[:-1], knots[1:], self.counts, strict=True)
        ]
        return np.concatenate([[0.0], *parts])

    def locate(self, share: float, shares: Array) -> tuple[int, float]:
        """Segment, counted from 0, and share along it of a point; a node belongs to the segment before."""
        i = int(np.searchsorted(shares, share - 1e-12 * max(1.0, share))) - 1
        i = min(self.segments - 1, max(0, i))
        return i, min(1.0, (share - shares[i]) / (shares[i + 1] - shares[i]))

    def place_length(self, arrays: Arrays, length: float) -> None:
        """Segments, joints and loads for a length; where along them points are held."""
        rod, n, shares = arrays.rod, self.segments, self.shares()
        part = rod[self.first : self.last + 1]
        lengths = np.diff(shares) * length
        middles = 0.5 * (shares[1:] + shares[:-1])
        inside = np.minimum(n - 1, (middles * n).astype(int))
        rows = self.seg_rows - self.first
        part[:, col.SEG] = 0.0
        part[rows, col.SEG] = lengths
        table = Properties(
            _spread(self.properties.stiffness[inside], rows, len(part)),
            _spread(self.properties.rest[inside], rows, len(part)),
            self.properties.mass[inside],
            self.properties.radius,
        )
        joint_length, stiffness, rest = table.joints(part[:, col.SEG])
        part[:-1, col.JOINT], part[-1, col.JOINT] = joint_length, 0.0
        part[:-1, col.STIFF : col.STIFF + 3], part[:-1, col.REST : col.REST + 3] = stiffness, rest
        for side, joint in ((0, 0), (1, -2)):
            if self.held[side] != CLAMPED:
                part[joint, col.STIFF : col.STIFF + 3] = 0.0
        part[:, col.RADIUS] = self.properties.radius
        part[:, col.LOCK : col.LOCK + 3] = 0.0
        for row, clip in zip(self.clip_rows, self.order, strict=True):
            rod[row, col.LOCK : col.LOCK + 3] = clip.locked
        self._place_rows(arrays, shares, lengths)

    def _place_rows(self, arrays: Arrays, shares: Array, lengths: Array) -> None:
        """Where along the segments the held points are."""
        r = self.row_start
        for handle in self.handle_order:
            i, share = self.locate(handle.share, shares)
            for axis in range(3):
                _row(arrays, r, self.seg_rows[i], share * lengths[i], np.eye(3)[axis])
                arrays.row[r, col.BODY] = handle.body
                r += 1
        for k, clip in enumerate(self.order):
            i = sum(self.counts[: k + 1]) - 1
            for normal in clip.axes():
                _row(arrays, r, self.seg_rows[i], lengths[i], normal)
                r += 1
        if self.held[1] != FREED:
            for axis in range(3):
                _row(arrays, r, self.seg_rows[-1], lengths[-1], np.eye(3)[axis])
                arrays.row[r, col.BODY] = self.bodies[1]
                arrays.row[r, col.SPOT : col.SPOT + 3] = self.points[1]
                r += 1

    def place_loads(self, arrays: Arrays) -> float:
        """Length of each segment times all dead load beyond it and half its own weight; returns the size of all."""
        lengths = arrays.rod[self.seg_rows, col.SEG]
        shares = self.shares()
        middles = 0.5 * (shares[1:] + shares[:-1])
        mass = self.properties.mass[np.minimum(self.segments - 1, (middles * self.segments).astype(int))]
        weights = (mass * lengths)[:, None] * self.gravity
        total, size = weights.sum(axis=0), float(np.abs(weights).sum())
        table = lengths[:, None] * (total - np.cumsum(weights, axis=0) + 0.5 * weights)
        for load in self.loads.values():
            i, share = self.locate(load.share, shares)
            table[:i] += lengths[:i, None] * load.point
            table[i] += share * lengths[i] * load.point
            total = total + load.point
            size += float(np.abs(load.point).sum())
        arrays.rod[self.seg_rows, col.LOAD : col.LOAD + 3] = table
        arrays.chain[self.index, col.TOTAL : col.TOTAL + 3] = total
        return size

    def check_apart(self, share: float, what: str = "s") -> None:
        """Two held points on one rigid segment would contradict each other."""
        held = [0.0, *(one.share for one in [*self.handles.values(), *self.clips.values()])]
        for other in held + ([] if self.held[1] == FREED else [1.0]):
            if abs(other - share) * self.segments < 2.0 - 1e-9:
                near, two = f"{other * self.length:g} m", 2.0 * self.length / self.segments
                raise RodError(
                    f"{what}: {share * self.length:g} m is less than two segments ({two:g} m) from what is held at {near}; "
                    f"use more segments or another place"
                )


def _spread(values: Array, rows: Array, count: int) -> Array:
    """Values of segments for all rows; frames without length take those of a neighbour, where they do not count."""
    out = np.empty((count, values.shape[1]))
    index = np.clip(np.searchsorted(rows, np.arange(count)), 0, len(rows) - 1)
    out[:] = values[index]
    return out


def _row(arrays: Arrays, r: int, segment: int, part: float, normal: Array) -> None:
    row = arrays.row[r]
    row[col.ROW_A], row[col.PART_A], row[col.ROW_B], row[col.BODY] = segment, part, -1.0, -1.0
    row[col.NORMAL : col.NORMAL + 3] = normal
    row[col.OFFSET], row[col.PUSHES], row[col.WORKS] = 0.0, 0.0, 1.0
