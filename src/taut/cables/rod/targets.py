"""What holds a rod: bodies at its ends, handles and clips along it, dead loads. Changed by the person, walked to by the
solver."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from taut.cables.rod.ends import conjugate, from_vector, multiply, rotate, to_vector
from taut.cables.rod.values import RodError

Array = np.ndarray

#: rotations are walked in pieces no larger than this, so that whole turns are not lost [rad]
PIECE = math.radians(60.0)
UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])
#: what a clip can let go: sliding of the rod through it, shifts across, spin about the tangent, bending about d1 and d2
FREEDOMS = ("slide", "across1", "across2", "twist", "bend1", "bend2")
#: kinds of clips by name
CLIPS: dict[str, frozenset[str]] = {
    "fixed": frozenset(),
    "twist": frozenset({"twist"}),
    "slide": frozenset({"slide"}),
    "both": frozenset({"slide", "twist"}),
    "ball": frozenset({"twist", "bend1", "bend2"}),
    "duct": frozenset({"slide", "twist", "bend1", "bend2"}),
}


@dataclass
class Target:
    """A pose that is asked for. Its frame has way-points: solved ones first, then up to the one asked for."""

    point: Array
    turns: list[Array] = field(default_factory=lambda: [UPRIGHT])

    @property
    def frame(self) -> Array:
        """The frame asked for."""
        return self.turns[-1]

    def turn(self, vector: Array) -> None:
        """Turn by a rotation vector in world axes [rad], whole turns included."""
        pieces = max(1, math.ceil(math.sqrt(vector @ vector) / PIECE))
        piece = from_vector(vector / pieces)
        for _ in range(pieces):
            self.turns.append(multiply(piece, self.turns[-1]))
        # drop way-points that a direct turn replaces
        while len(self.turns) > 2 and angle(self.turns[-3], self.turns[-1]) <= PIECE:
            del self.turns[-2]

    def turn_to(self, quaternion: Array) -> None:
        """Turn to a frame the short way, in one go if it is near."""
        self.turns.append(quaternion)

    def copy(self) -> Any:
        """Independent of this one; frames are never changed in place."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.point, twin.turns = self.point.copy(), [self.turns[-1]]
        return twin

    def done(self) -> None:
        """The frame asked for is reached."""
        if len(self.turns) > 1:
            self.turns = self.turns[-1:]


@dataclass
class Body(Target):
    """Something rigid that ends of rods sit on."""

    name: str = ""
    free: Array = field(default_factory=lambda: np.zeros(6))  # translation along world axes, rotation about own axes
    pull: Array = field(default_factory=lambda: np.zeros(3))  # dead force [N]
    lever: Array = field(default_factory=lambda: np.zeros(3))  # where it acts, own axes [m]
    studs: Array = field(default_factory=lambda: np.zeros((0, 4)))  # balls of its surface: points, own axes, radii [m]

    @property
    def is_free(self) -> bool:
        """Some of it moves by itself."""
        return any(self.free.tolist())


@dataclass
class Handle(Target):
    """A point of the rod that is held, or a dead load on it (then `point` is a force [N])."""

    share: float = 0.0  # arc length over the length of the rod
    body: int = -1  # the body that holds it (then `point` is a point of that body), or none
    force: Array = field(default_factory=lambda: np.zeros(3))  # last multipliers [N], shape (3,)
    name: str = ""

    def copy(self) -> Any:
        """Independent of this one."""
        twin = super().copy()
        twin.force = self.force.copy()
        return twin


@dataclass
class Clip(Handle):
    """A pose at which the rod is held, but for the freedoms it releases."""

    releases: frozenset[str] = frozenset()

    @property
    def slides(self) -> bool:
        """Its arc length is unknown."""
        return "slide" in self.releases

    @property
    def locked(self) -> tuple[bool, bool, bool]:
        """Whether the rod is kept from turning about d1, d2, d3 of the clip."""
        return "bend1" not in self.releases, "bend2" not in self.releases, "twist" not in self.releases

    def axes(self) -> list[Array]:
        """Directions in which the point is held, world axes."""
        kept = [axis for axis, name in enumerate(("across1", "across2")) if name not in self.releases]
        return [rotate(self.turns[-1], np.eye(3)[axis]) for axis in [*kept, 2]]


def releases_of(release: str | Iterable[str]) -> frozenset[str]:
    """What a clip lets go, from a kind or from freedoms by name."""
    if isinstance(release, str):
        if release in CLIPS:
            return CLIPS[release]
        release = [release]
    found = frozenset(release)
    unknown = sorted(found - set(FREEDOMS))
    if unknown:
        raise RodError(
            f"release: {unknown[0]!r} - expected a kind ({', '.join(CLIPS)}) or freedoms from: {', '.join(FREEDOMS)}"
        )
    turning = found & {"bend1", "bend2", "twist"}
    if len(turning) == 2:
        raise RodError(
            f"release: {', '.join(sorted(turning))} - two rotations without the third have no axis that stays; release "
            "one of them or all three"
        )
    return found


def angle(old: Array, new: Array) -> float:
    """Of the rotation between two frames [rad]."""
    return math.hypot(*to_vector(multiply(conjugate(old), new)).tolist())
