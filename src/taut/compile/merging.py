"""Merging and splitting segments of a cable: rigid bodies that become one, and one that becomes several.

Merging. The joint between two bodies is held as it is. Its bend is kept as a kink in the body that is made; its stretch and
its twist go to the joints at both ends by length, so that every joint has the stretch and twist of the length it stands
for (F l/EA) before and after. The centre of mass stays where it is, and both momenta are kept:

    m v = sum m_i v_i,    I w = sum L_i + m_i (x_i - x) x (v_i - v)

Of all motions with these momenta that of a rigid body has the least energy: what is lost is the energy of the relative motion.

Splitting is the same backwards. All parts begin with the motion of the whole; stretch and twist are shared out to the new
joints from those at both ends, in proportion between them.

Poses are those of the middle of the last step, x - h v/2, to which its energy belongs: joints of light segments open and close in
every other step, and at its end they would be merged open.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from taut.compile import frames
from taut.compile.pools import Pool, Run

Array = np.ndarray


@dataclass(frozen=True)
class Moving:
    """A run as it moves: centre of mass, principal axes, velocity, spin, angular momentum about its centre."""

    run: Run
    x: Array
    q: Array
    v: Array
    w: Array
    L: Array

    def point(self, local: Array) -> Array:
        """A point of it in the world [m]."""
        return self.x + frames.rotate(self.q, local)

    @property
    def begin(self) -> Array:
        """Where it begins [m]."""
        return self.point(self.run.begin)

    @property
    def end(self) -> Array:
        """Where it ends [m]."""
        return self.point(self.run.end)

    @property
    def along(self) -> Array:
        """Direction from its begin to its end [-]."""
        d = frames.rotate(self.q, self.run.end - self.run.begin)
        return d / np.linalg.norm(d)

    @property
    def kinetic(self) -> float:
        """Kinetic energy [J]."""
        return 0.5 * self.run.mass * float(self.v @ self.v) + 0.5 * float(self.w @ self.L)


def _tensor(q: Array, moments: Array) -> Array:
    axes = frames.matrix(q)
    return (axes * moments) @ axes.T


def _steiner(mass: float, r: Array) -> Array:
    return mass * (float(r @ r) * np.eye(3) - np.outer(r, r))


def _about(axis: Array, angle: float) -> Array:
    """Turn about an axis."""
    return np.array([np.cos(0.5 * angle), *(np.sin(0.5 * angle) * axis)])


def twist_between(a: Moving, b: Moving) -> float:
    """Twist of the joint from a to b, within half a turn [rad]."""
    here, there = frames.multiply(a.q, a.run.end_frame), frames.multiply(b.q, b.run.begin_frame)
    w, _, _, z = frames.multiply(frames.conjugate(here), there)
    twist = 2.0 * np.arctan2(z, w)
    return float((twist + np.pi) % (2.0 * np.pi) - np.pi)


def compose(pool: Pool, first: int, last: int, poses: Array) -> tuple[Run, Array, Array]:
    """Segments at poses in any frame as one rigid body; its centre of mass and principal axes in that frame."""
    if last - first == 1:
        return pool.single(first), poses[0, :3], poses[0, 3:]
    mass, at = pool.mass[first:last], poses[:, :3]
    total = float(mass.sum())
    centre = (mass[:, None] * at).sum(axis=0) / total
    inertia = _tensors(poses[:, 3:], pool.inertia[first:last]).sum(axis=0) + _steiners(mass, at - centre)
    half = 0.5 * pool.lengths[first:last]
    begin = at[0] - frames.rotate(poses[0, 3:], np.array([0.0, 0.0, half[0]]))
    end = at[-1] + frames.rotate(poses[-1, 3:], np.array([0.0, 0.0, half[-1]]))
    moments, vectors = np.linalg.eigh(inertia)
    z = vectors[:, 0] if vectors[:, 0] @ (end - begin) > 0.0 else -vectors[:, 0]
    x = frames.rotate(poses[0, 3:], np.array([1.0, 0.0, 0.0]))
    x = x - (x @ z) * z
    x = x / np.linalg.norm(x)
    q = frames.from_matrix(np.stack([x, np.cross(z, x), z], axis=1))
    back = frames.conjugate(q)
    across = 0.5 * (moments[1] + moments[2])
    local = np.concatenate(
        [frames.rotate(np.tile(back, (last - first, 1)), at - centre), frames.multiply(np.tile(back, (last - first, 1)), poses[:, 3:])],
        axis=1,
    )  # fmt: skip
    run = Run(
        first, last, float(pool.lengths[first:last].sum()), total, np.array([across, across, moments[0]]),
        frames.rotate(back, begin - centre), frames.rotate(back, end - centre),
        frames.multiply(local[0, 3:], pool.frames[first, 0]), frames.multiply(local[-1, 3:], pool.frames[last - 1, 1]),
        local,
    )  # fmt: skip
    return run, centre, q


def _spin(run: Run, q: Array, L: Array) -> Array:
    """Angular velocity of a body of revolution from its angular momentum."""
    z = frames.rotate(q, np.array([0.0, 0.0, 1.0]))
    along = float(L @ z)
    return (L - along * z) / run.inertia[0] + (along / run.inertia[2]) * z


def merge(pool: Pool, *parts: Moving) -> Moving:
    """Neighbours as one."""
    mass, l = np.array([p.run.mass for p in parts]), np.array([p.run.length for p in parts])
    at, speed = np.array([p.x for p in parts]), np.array([p.v for p in parts])
    x, v = mass @ at / mass.sum(), mass @ speed / mass.sum()
    L = np.sum([p.L for p in parts], axis=0) + mass @ np.cross(at - x, speed - v)
    # the twist of the joints goes to both ends, by length; then all are joined without stretch
    q = np.array([p.q for p in parts])
    here = frames.multiply(q[:-1], np.array([p.run.end_frame for p in parts[:-1]]))
    there = frames.multiply(q[1:], np.array([p.run.begin_frame for p in parts[1:]]))
    between = frames.multiply(frames.conjugate(here), there)
    twist = (2.0 * np.arctan2(between[:, 3], between[:, 0]) + np.pi) % (2.0 * np.pi) - np.pi
    turn = np.concatenate([[0.0], -np.cumsum(twist)])
    turn = turn - float(l @ turn) / float(l.sum())
    begin, end = np.array([p.run.begin for p in parts]), np.array([p.run.end for p in parts])
    along = frames.rotate(q, end - begin)
    along = along / np.linalg.norm(along, axis=1)[:, None]
    about = np.concatenate([np.cos(0.5 * turn)[:, None], np.sin(0.5 * turn)[:, None] * along], axis=1)
    turned = frames.multiply(about, q)
    shift = np.cumsum(frames.rotate(turned[:-1], end[:-1]) - frames.rotate(turned[1:], begin[1:]), axis=0)
    shift = np.concatenate([np.zeros((1, 3)), shift])
    of = np.repeat(np.arange(len(parts)), [len(p.run.poses) for p in parts])
    local = np.concatenate([p.run.poses for p in parts])
    poses = np.concatenate(
        [shift[of] + frames.rotate(turned[of], local[:, :3]), frames.multiply(turned[of], local[:, 3:])], axis=1
    )
    run, _, axes = compose(pool, parts[0].run.first, parts[-1].run.last, poses)
    # its inertia is that of the parts where they are, stretched: energy of their common motion is kept
    inertia = _tensors(q, np.array([p.run.inertia for p in parts])).sum(axis=0) + _steiners(mass, at - x)
    turns = frames.matrix(axes)
    across = 0.5 * float(turns[:, 0] @ inertia @ turns[:, 0] + turns[:, 1] @ inertia @ turns[:, 1])
    run = replace(run, inertia=np.array([across, across, run.inertia[2]]))
    return Moving(run, x, axes, v, _spin(run, axes, L), L)


def _tensors(q: Array, moments: Array) -> Array:
    """Inertia in the world of bodies with axes q, shape (n, 3, 3)."""
    axes = np.stack([frames.rotate(q, np.broadcast_to(e, (len(q), 3))) for e in np.eye(3)], axis=2)
    return np.asarray(np.einsum("nij,nj,nkj->nik", axes, moments, axes))


def _steiners(mass: Array, r: Array) -> Array:
    """What masses at places r add to an inertia, shape (3, 3)."""
    return float(mass @ (r * r).sum(axis=1)) * np.eye(3) - np.einsum("n,ni,nj->ij", mass, r, r)


@dataclass(frozen=True)
class Beside:
    """The joint at one end of a run: its stretch as a vector, its twist, and the length on its other side."""

    gap: Array  # from the point before to the point after [m], shape (3,)
    twist: float  # [rad]
    other: float  # length of the run on its other side [m]


def part(
    whole: Moving, children: list[tuple[Run, Array, Array]], before: Beside | None, after: Beside | None
) -> list[Moving]:
    """One as several: runs with their places and axes in the principal axes of the whole, from begin to end."""
    l = whole.run.length
    lengths = [run.length for run, _, _ in children]
    turns = np.array(_twisted(l, lengths, before, after))
    places, local = np.array([at for _, at, _ in children]), np.array([turn for _, _, turn in children])
    own = np.tile(whole.q, (len(children), 1))
    x = whole.x + frames.rotate(own, places) + np.array(_stretched(l, lengths, before, after))
    mass = np.array([run.mass for run, _, _ in children])
    # where the tension differs between both ends, the middle of the stretched cable is not that of the rigid one
    middle = mass @ x / mass.sum()
    L = whole.L + np.cross(whole.x - middle, whole.run.mass * whole.v)
    here = frames.multiply(own, local)
    along = frames.rotate(here, np.array([run.end - run.begin for run, _, _ in children]))
    along = along / np.linalg.norm(along, axis=1)[:, None]
    about = np.concatenate([np.cos(0.5 * turns)[:, None], np.sin(0.5 * turns)[:, None] * along], axis=1)
    q = frames.multiply(about, here)
    tensors = _tensors(q, np.array([run.inertia for run, _, _ in children]))
    w = np.linalg.solve(tensors.sum(axis=0) + _steiners(mass, x - middle), L)
    v, spins = whole.v + np.cross(w, x - middle), tensors @ w
    return [
        Moving(run, at, turn, speed, w, spin) for (run, _, _), at, turn, speed, spin in zip(children, x, q, v, spins)
    ]


def _stretched(l: float, lengths: list[float], before: Beside | None, after: Beside | None) -> list[Array]:
    """How far each part moves so that every joint has its share of the stretch."""
    none = np.zeros(3)
    # stretch per length of the joints at both ends, and between them in proportion
    first = none if before is None else before.gap / (0.5 * (before.other + l))
    last = none if after is None else after.gap / (0.5 * (after.other + l))
    shift = -0.5 * (l - lengths[0]) * first
    shifts, s = [shift], lengths[0]
    for here, there in pairwise(lengths):
        shift = shift + 0.5 * (here + there) * (first + (last - first) * s / l)
        shifts.append(shift)
        s += there
    return shifts


def _twisted(l: float, lengths: list[float], before: Beside | None, after: Beside | None) -> list[float]:
    """The same for the twist [rad]."""
    first = 0.0 if before is None else before.twist / (0.5 * (before.other + l))
    last = 0.0 if after is None else after.twist / (0.5 * (after.other + l))
    angle = -0.5 * (l - lengths[0]) * first
    angles, s = [angle], lengths[0]
    for here, there in pairwise(lengths):
        angle += 0.5 * (here + there) * (first + (last - first) * s / l)
        angles.append(angle)
        s += there
    return angles


def singles(pool: Pool, whole: Moving) -> list[tuple[Run, Array, Array]]:
    """The segments of a run by themselves, as `part` takes them."""
    run = whole.run
    return [(pool.single(run.first + k), pose[:3], pose[3:]) for k, pose in enumerate(run.poses)]


def cut_off(pool: Pool, whole: Moving, end: int) -> list[tuple[Run, Array, Array]]:
    """A segment that is paid out as two: one of its own length, and the rest nearer to the end it comes from."""
    k, l = whole.run.first, whole.run.length
    unit = float(pool.lengths[k])
    kept, rest = pool.single(k), pool.single(k - 1 if end == 0 else k + 1, l - unit)
    side = 1.0 if end == 0 else -1.0
    place = np.array([0.0, 0.0, side * 0.5 * (l - unit)])
    far = np.array([0.0, 0.0, -side * 0.5 * unit])
    pair = [(rest, far, frames.IDENTITY), (kept, place, frames.IDENTITY)]
    return pair if end == 0 else pair[::-1]


def take_in(pool: Pool, fed: Moving, next_one: Moving, end: int) -> Moving:
    """A short segment that is reeled in and the next one as one straight segment, that is reeled in from now on.

    It lies on the line from the begin of the one to the end of the other. Its angular momentum about its own axis, which a
    thin segment hardly has, is that of its mean spin.
    """
    a, b = (fed, next_one) if end == 0 else (next_one, fed)
    l, mass = a.run.length + b.run.length, a.run.mass + b.run.mass
    run = pool.single(next_one.run.first, l)
    d = b.end - a.begin
    size = float(np.linalg.norm(d))
    u = d / size
    x = a.begin + u * (0.5 * l + (size - l) * b.run.length / l)
    v = (a.run.mass * a.v + b.run.mass * b.v) / mass
    L = a.L + b.L
    for p in (a, b):
        L = L + np.cross(p.x - x, p.run.mass * p.v)
    q = _carried(next_one.q, u)
    share = twist_between(a, b) * fed.run.length / l
    q = frames.multiply(_about(u, share if end == 1 else -share), q)
    spin = sum(p.run.mass * float(p.w @ p.along) for p in (a, b)) / mass
    w = (L - (L @ u) * u) / run.inertia[0] + spin * u
    return Moving(run, x, q, v, w, _tensor(q, run.inertia) @ w)


def _carried(q: Array, u: Array) -> Array:
    """Axes turned the short way until z points along u."""
    z = frames.rotate(q, np.array([0.0, 0.0, 1.0]))
    part = np.array([1.0 + float(z @ u), *np.cross(z, u)])
    return frames.multiply(part / np.linalg.norm(part), q)
