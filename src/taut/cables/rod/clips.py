"""Clips on a rod: poses at which it is held, but for what they let go."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from taut.cables.rod import arrays as col
from taut.cables.rod.ends import Array, Clamp, rotate
from taut.cables.rod.first import aligned
from taut.cables.rod.results import Results
from taut.cables.rod.targets import Clip, releases_of
from taut.cables.rod.values import RodError, direction, number, outside, vector
from taut.scene import units


class Clips(Results):
    """The part of a rod that is about clips."""

    _count: int

    def begin_through(self, s: Any, point: Any) -> None:
        """Begin the search for the first shape at a point [m] at arc length s [m]; nothing holds the rod there."""
        where = number("s", s, units.LENGTH)
        if not 0.0 <= where <= self.length:
            raise RodError(outside(s, self.length))
        self._chain.through.append((where / self.length, vector("point", point, units.LENGTH)))

    def add_clip(
        self, s: Any, clamp: Clamp | None = None, release: str | Iterable[str] = "fixed", name: str = ""
    ) -> int:
        """Hold the rod at arc length s [m] in a pose, or, without one, as it is; returns the number of the clip. name: what messages
        call it; without one, clip and its number.

        release: a kind of clip - 'fixed', 'twist' (may spin), 'slide' (the rod slides through, its arc length here is an
        unknown), 'both', 'ball' (may turn), 'duct' (slides and turns) - or any of the freedoms 'slide', 'across1',
        'across2', 'twist', 'bend1', 'bend2'. The pose is a Clamp; its direction is that of growing arc length.
        """
        where = number("s", s, units.LENGTH)
        if not 0.0 <= where <= self.length:
            raise RodError(outside(s, self.length))
        releases, share = self._checked(release), where / self.length
        chain = self._chain
        chain.check_apart(share)
        if clamp is None:
            point, frame = self._net.point_at(self._kept, share), self._frame_at(share)
        elif isinstance(clamp, Clamp):
            point, frame = clamp.position("clip"), clamp.frame("clip")
        else:
            raise RodError(f"clamp: {clamp!r} - expected a Clamp, or None to hold the rod as it is")
        self._count += 1
        # it takes hold of the rod as it is and brings it into its pose
        turns = [frame] if self._net.solution is None or clamp is None else [self._frame_at(share), frame]
        chain.clips[self._count] = Clip(point, turns, share=share, releases=releases, name=name)
        self._net.changed = True
        return self._count

    def _checked(self, release: str | Iterable[str]) -> frozenset[str]:
        """What is let go, if this rod can do so."""
        releases, kind = releases_of(release), self._chain.properties
        if "slide" in releases and not _uniform(kind.stiffness, kind.rest, kind.mass):
            raise RodError(
                "release: 'slide' needs a rod that is the same all along; give one value each for its properties"
            )
        return releases

    def set_release(self, clip: int, release: str | Iterable[str]) -> None:
        """Let a clip be of another kind, or let go other freedoms, where it is; as for `add_clip`."""
        self._clip(clip).releases = self._checked(release)
        self._net.changed = True

    def move_clip(self, clip: int, point: Any) -> None:
        """Move a clip to a point [m]."""
        self._clip(clip).point = vector("point", point, units.LENGTH)

    def rotate_clip(self, clip: int, axis: Any, angle: Any) -> None:
        """Turn a clip about a world axis through its point [rad]; whole turns count."""
        self._clip(clip).turn(number("angle", angle, units.ANGLE) * direction("axis", axis))

    def remove_clip(self, clip: int) -> None:
        """Let go."""
        self._clip(clip)
        del self._chain.clips[clip]
        self._net.changed = True

    def clip_force(self, clip: int) -> Array:
        """Force of a clip on the rod [N], shape (3,); none along a freedom it releases."""
        one = self._clip(clip, solved=True)
        return -sum((f * axis for f, axis in zip(one.force, one.axes())), np.zeros(3))

    def clip_moment(self, clip: int) -> Array:
        """Moment of a clip on the rod [N m], shape (3,); none about an axis it releases."""
        self._clip(clip, solved=True)
        chain, arrays = self._kept, self._net.arrays
        numbers = sorted(chain.clips, key=lambda key: chain.clips[key].share)
        row = chain.clip_rows[numbers.index(clip)]
        return rotate(arrays.quat[row], arrays.block[row, col.GRAD : col.GRAD + 3])

    def clip_arc(self, clip: int) -> float:
        """Arc length at which the rod is in a clip [m]; of one that slides it is found by the solve."""
        return self._clip(clip, solved=True).share * self._net.lengths[self._which]

    def _clip(self, number: int, solved: bool = False) -> Clip:
        table = (self._kept if solved else self._chain).clips
        if number not in table:
            raise RodError(f"clip {number!r} - there is none; known: {', '.join(map(str, table)) or 'none'}")
        return table[number]

    def _frame_at(self, share: float) -> Array:
        """Frame of the rod at a place: that of the nearer segment, its tangent the mean of both."""
        shares, frames = self._kept.shares(), self.frames
        i = int(np.clip(np.searchsorted(shares, share) - 1, 0, len(frames) - 1))
        near = abs(shares[i + 1] - share) < 1e-9 and i + 1 < len(frames)
        if not near:
            return frames[i].copy()
        axis = np.array([0.0, 0.0, 1.0])
        tangent = rotate(frames[i], axis) + rotate(frames[i + 1], axis)
        return aligned(tangent / np.linalg.norm(tangent), rotate(frames[i], np.array([1.0, 0.0, 0.0])))


def _uniform(*tables: Array) -> bool:
    return all(bool((table == table[:1]).all()) for table in tables)
