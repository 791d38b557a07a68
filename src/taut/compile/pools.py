"""Segmented cables whose segments change while running: what each of them is made of, and how it is laid out just now.

A cable is cut into its finest segments once, and their names and places in all tables stay. A run is a number of
neighbouring ones that move as one rigid body, that of the first of them; the others are carried along. Segments that are not paid
out yet are carried by what the cable comes out of.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.compile import frames
from taut.compile.bodies import BodyTable
from taut.compile.joints import JointTable
from taut.core.model import J_ARM_A, J_ARM_B, J_FRAME_A, J_FRAME_B
from taut.scene import Scene
from taut.scene.segments import Strand, bending_of, twisting_of

Array = np.ndarray

#: segments lie straight below this angle, and are parted again above the other [rad]
STRAIGHT, BENT = 0.01, 0.04
#: segments are merged up to this length and split beyond the other, in units of what a wave runs in a step [-]
MERGED, SPLIT = 1.2, 2.4
#: steps after a change in which nothing is merged [-]
QUIET = 30
#: a segment that is paid out is parted from the next beyond this length, and taken in below the other [segments]
LONG, SHORT = 1.5, 0.5


@dataclass(frozen=True, eq=False)
class Run:
    """Neighbouring segments that move as one body. Vectors are in its principal axes, from its centre of mass."""

    first: int
    last: int  # one beyond its last segment
    length: float  # unstretched [m]
    mass: float  # [kg]
    inertia: Array  # principal moments [kg m^2], shape (3,)
    begin: Array  # where it begins [m], shape (3,)
    end: Array
    begin_frame: Array  # frame of the joint there, shape (4,)
    end_frame: Array
    poses: Array  # place and orientation of its segments, shape (segments, 7)

    @property
    def single(self) -> bool:
        """Whether it is one segment."""
        return self.last - self.first == 1


@dataclass(frozen=True, eq=False)
class Layout:
    """How a cable is divided now."""

    runs: tuple[Run, ...]  # none: it is not segmented now
    parted: frozenset[int] = frozenset()  # joints that have let go


@dataclass(frozen=True, eq=False)
class Pool:
    """A segmented cable that changes while running."""

    name: str
    slots: Array  # its finest segments among the bodies, shape (n,)
    groups: Array  # row group of the joint before each segment and of the last end, -1: none, shape (n + 1,)
    lengths: Array  # unstretched [m], shape (n,)
    mass: Array  # [kg], shape (n,)
    inertia: Array  # [kg m^2], shape (n, 3)
    frames: Array  # joint frames at both ends of each segment, shape (n, 2, 4)
    line: float  # mass of a metre [kg/m]
    radius: float  # [m]
    stretch: float  # 1/EA [1/N]
    bend: tuple[float, float]  # 1/EI [1/(N m^2)]
    twist: float  # 1/GJ [1/(N m^2)]
    strength: float  # breaking load [N]
    auto: bool  # whether segments are merged and split
    loop: bool
    held: tuple[int, int]  # bodies at both ends, -1: free
    stored: tuple[int, int]  # segments that are not paid out at the start
    rest: tuple[float, float]  # length that is stored at both ends at the start [m]
    drives: tuple[int, int]  # of the speed at both ends, -1: not paid out there

    @property
    def fed(self) -> bool:
        """Whether it is paid out at one of its ends."""
        return max(self.drives) >= 0

    @property
    def count(self) -> int:
        """Number of its finest segments."""
        return len(self.slots)

    def single(self, k: int, length: float | None = None) -> Run:
        """Segment k by itself; `length` is another than its own, of a segment that is paid out."""
        l = float(self.lengths[k]) if length is None else length
        mass, inertia = float(self.mass[k]), self.inertia[k]
        if length is not None:
            mass = self.line * l
            across = mass * (l * l / 12.0 + 0.25 * self.radius**2)
            inertia = np.array([across, across, 0.5 * mass * self.radius**2])
        half = np.array([0.0, 0.0, 0.5 * l])
        pose = np.array([[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]])
        return Run(k, k + 1, l, mass, inertia, -half, half, self.frames[k, 0], self.frames[k, 1], pose)

    def as_laid(self) -> Layout:
        """Every segment that is out at the start by itself."""
        return Layout(tuple(self.single(k) for k in range(self.stored[0], self.count - self.stored[1])))

    def asleep(self) -> Layout:
        """No segment moves: the cable is a rope just now."""
        return Layout(())

    def feeding(self, layout: Layout) -> tuple[int, ...]:
        """Numbers of the runs that are paid out: the first, the last, or both."""
        ends = (0, len(layout.runs) - 1)
        return tuple(end for end, drive in zip(ends, self.drives) if drive >= 0)


def changes(strand: Strand) -> bool:
    """Whether a segmented cable changes while running."""
    cable = strand.cable
    return (
        cable.model == "auto"
        or cable.detail == "auto"
        or any(strand.pay_outs)
        or math.isfinite(strand.cable.strength())
    )


def compile_pools(
    scene: Scene, bodies: BodyTable, joints: JointTable, drives: Mapping[str, Sequence[int]]
) -> tuple[Pool, ...]:
    """All cables that change; `drives` are those of their speeds."""
    return tuple(
        _pool(name, strand, bodies, joints, drives.get(name, (-1, -1)))
        for name, strand in scene.strands().items()
        if changes(strand)
    )


def _pool(name: str, strand: Strand, bodies: BodyTable, joints: JointTable, drives: Sequence[int]) -> Pool:
    cable = strand.cable
    slots = np.array([bodies.index[link] for link in strand.link_names()])
    n = len(slots)
    groups = np.full(n + 1, -1)
    for joint in strand.joint_names():
        groups[int(joint.rsplit("_", 1)[1])] = joints.first[joint]
    half = np.tile(frames.IDENTITY, (n, 2, 1))
    for k in range(n):
        if groups[k] >= 0:
            half[k, 0] = joints.frames[groups[k], J_FRAME_B : J_FRAME_B + 4]
        if groups[k + 1] >= 0:
            half[k, 1] = joints.frames[groups[k + 1], J_FRAME_A : J_FRAME_A + 4]
    ei = bending_of(cable)
    first, last = strand.pay_outs
    return Pool(
        name, slots, groups, np.array(strand.all_lengths()), bodies.mass[slots], bodies.inertia[slots], half,
        cable.line_mass(), 0.5 * cable.thickness(), 1.0 / cable.stiffness(), (1.0 / ei[0], 1.0 / ei[1]),
        1.0 / twisting_of(cable), cable.strength(), cable.detail == "auto", cable.loop,
        tuple(-1 if body is None else bodies.index[body] for body in strand.held), strand.stored,  # type: ignore[arg-type]
        (0.0 if first is None else first.stored, 0.0 if last is None else last.stored), (drives[0], drives[1]),
    )  # fmt: skip


def anchor(pool: Pool, joints: JointTable, end: int) -> tuple[Array, Array]:
    """Where a cable is tied at its start (0) or end (1): place and frame in the principal axes of the body that holds it."""
    arms, turns = (J_ARM_A, J_FRAME_A) if end == 0 else (J_ARM_B, J_FRAME_B)
    row: Any = joints.frames[pool.groups[0 if end == 0 else pool.count]]
    return row[arms : arms + 3], row[turns : turns + 4]
