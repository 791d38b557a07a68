"""The arrays that the compiled solver works on, and views of their columns by name.

A call into compiled code costs by the number of arrays, and compiling does too: so there are few, one row per frame.
Row 0 is the frame of the start clamp, rows 1 to n the segments, row n + 1 the end clamp; joint j lies between rows j
and j + 1 and stands in row j.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

Array = np.ndarray

# columns of `rod`: what is given
SEG, JOINT, STIFF, REST, LOAD, ROD_COLUMNS = 0, 1, 2, 5, 8, 11
# columns of `held`: what is given for each held point
SEGMENT, PART, POINT, HELD_COLUMNS = 0, 1, 2, 5
# columns of `block`: gradient, Hessian, factors and step of each frame
GRAD, DIAG, UPPER, DIRECTOR, LOWER, LINK, RIGHT, STEP, BLOCK_COLUMNS = 0, 3, 9, 18, 24, 30, 39, 42, 45
# columns of `dense` after the Schur complement: change of a multiplier, gap, pivot row
TURN, GAP, ORDER, EXTRA = 0, 1, 2, 3


class Arrays(NamedTuple):
    """n segments, m held points."""

    rod: Array  # shape (n + 2, ROD_COLUMNS), see the views below
    start: Array  # first point of the rod [m], shape (3,)
    held: Array  # row of the segment, distance from its start [m], point [m], shape (m, HELD_COLUMNS)
    quat: Array  # frames (w, x, y, z), clamps included, shape (n + 2, 4): the unknowns
    force: Array  # what the rod exerts on the holder of each held point [N], shape (m, 3): the multipliers
    trial: Array  # frames that are being tried, shape (n + 2, 4)
    block: Array  # scratch, shape (n + 2, BLOCK_COLUMNS)
    border: Array  # scratch: L^-1 A', shape (n + 2, 3 m, 3)
    dense: Array  # scratch: Schur complement and the columns EXTRA, shape (3 m, 3 m + EXTRA)

    @staticmethod
    def empty(segments: int, held: int) -> Arrays:
        """All zero, frames upright."""
        n, m, zeros = segments + 2, held, np.zeros
        upright = np.tile([1.0, 0.0, 0.0, 0.0], (n, 1))
        return Arrays(
            rod=zeros((n, ROD_COLUMNS)),
            start=zeros(3),
            held=zeros((m, HELD_COLUMNS)),
            quat=upright,
            force=zeros((m, 3)),
            trial=upright.copy(),
            block=zeros((n, BLOCK_COLUMNS)),
            border=zeros((n, 3 * m, 3)),
            dense=zeros((3 * m, 3 * m + EXTRA)),
        )

    @property
    def seg_length(self) -> Array:
        """[m], shape (n,)."""
        return self.rod[1:-1, SEG]

    @property
    def joint_length(self) -> Array:
        """Length of rod that bends at each joint, half a segment at the ends [m], shape (n + 1,)."""
        return self.rod[:-1, JOINT]

    @property
    def joint_stiffness(self) -> Array:
        """About d1, d2 (bending) and d3 (torsion), zero where an end may turn [N m^2], shape (n + 1, 3)."""
        return self.rod[:-1, STIFF : STIFF + 3]

    @property
    def joint_rest(self) -> Array:
        """Strain without moment, same axes [1/m], shape (n + 1, 3)."""
        return self.rod[:-1, REST : REST + 3]

    @property
    def seg_load(self) -> Array:
        """Length of a segment times the dead load beyond it [N m], shape (n, 3)."""
        return self.rod[1:-1, LOAD : LOAD + 3]

    @property
    def frames(self) -> Array:
        """Frames of the segments, shape (n, 4)."""
        return self.quat[1:-1]

    @property
    def gap(self) -> Array:
        """Held point minus where it should be [m], shape (m, 3); of the last assembly."""
        m = len(self.force)
        return self.dense[:, 3 * m + GAP].reshape(m, 3)
