"""A first shape to iterate from: a smooth curve of the right length between the held points, or the rest shape."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np

from taut.cables.rod.ends import conjugate, from_vector, multiply, quaternion, rotate, to_vector

Array = np.ndarray


def rest_shape(start: Array, joint_length: Array, joint_rest: Array, clamped: bool) -> Array:
    """Frames of the rod without any moment, from the frame `start`, shape (n, 4)."""
    frames, q = [], start
    for j in range(len(joint_length) - 1):
        if j > 0 or clamped:
            # the joint whose chord 2 v / l is the rest strain
            v = 0.5 * joint_length[j] * joint_rest[j]
            q = multiply(q, np.concatenate([[math.sqrt(max(0.0, 1.0 - v @ v))], v]))
        frames.append(q)
    return np.array(frames)


def aligned(along: Array, across: Array | None = None) -> Array:
    """A frame whose d3 is this direction."""
    e = np.array([0.0, 0.0, 1.0] if abs(along[2]) < 0.99 else [1.0, 0.0, 0.0]) if across is None else across
    d1 = e - (e @ along) * along
    d1 /= math.sqrt(d1 @ d1)
    return quaternion(d1, np.cross(along, d1), along)


def chords(points: Array, arcs: Array, given: list[Array | None], down: Array, nodes: Array) -> Array:
    """Directions of the segments along a curve through the points, shape (n, 3).

    points: held, in order (k, 3); arcs: their arc lengths (k,); given: tangents there, where they are; down: where slack
    hangs to; nodes: arc lengths of the nodes (n + 1,).
    """
    tangents = _tangents(points, given)
    where = np.empty((len(nodes), 3))
    for k, (a, b) in enumerate(pairwise(arcs)):
        path = _span(points[k], points[k + 1], tangents[k], tangents[k + 1], b - a, down)
        inside = (nodes >= a - 1e-12 * b) & (nodes <= b + 1e-12 * b)
        where[inside] = path((nodes[inside] - a) / (b - a))
    found = np.diff(where, axis=0)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def _tangents(points: Array, given: list[Array | None]) -> Array:
    """Unit tangents at the held points: given ones, else along the mean of the neighbouring chords."""
    chords = np.diff(points, axis=0)
    t = np.vstack([chords[:1], chords[:-1] + chords[1:], chords[-1:]])
    t /= np.maximum(np.linalg.norm(t, axis=1, keepdims=True), 1e-300)
    for k, tangent in enumerate(given):
        if tangent is not None:
            t[k] = tangent
    return t


def _span(a: Array, b: Array, ta: Array, tb: Array, length: float, down: Array) -> Callable[[Array], Array]:
    """A cubic with these ends, bulged or shortened to the length, as a function of the share of its length."""
    u = np.linspace(0.0, 1.0, 400)[:, None]
    chord = b - a
    distance = math.sqrt(chord @ chord)
    bulge = down - (down @ chord) * chord / max(distance * distance, 1e-300)
    if math.sqrt(bulge @ bulge) < 1e-3:
        bulge = np.cross(chord if distance > 0.0 else ta, [0.3, 0.9, 0.1])
    bulge /= math.sqrt(bulge @ bulge)

    def points(reach: float, height: float) -> Array:
        h = u * u * (3.0 - 2.0 * u)
        tangent = reach * (u * (1.0 - u) ** 2 * ta - u * u * (1.0 - u) * tb)
        return a + h * chord + tangent + height * np.sin(math.pi * u) ** 2 * bulge

    def excess(curve: Array) -> float:
        return float(np.linalg.norm(np.diff(curve, axis=0), axis=1).sum()) - length

    if excess(points(length, 0.0)) > 0.0:
        found = points(_root(lambda reach: excess(points(reach, 0.0)), length), 0.0)
    else:
        found = points(length, _root(lambda height: excess(points(length, height)), length))
    arc = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(found, axis=0), axis=1))])
    return lambda share: np.column_stack([np.interp(share * arc[-1], arc, found[:, c]) for c in range(3)])


def _root(excess: Callable[[float], float], most: float) -> float:
    """Where the growing function crosses zero between 0 and `most`; its ends if it does not."""
    low, high = 0.0, most
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if excess(middle) < 0.0 else (low, middle)
    return 0.5 * (low + high)


def transport(chords: Array, first: Array | None, last: Array | None) -> Array:
    """Frames with these tangents, turned as little as possible from one to the next; the rest of the spin is spread."""
    axis = np.array([0.0, 0.0, 1.0])
    q = aligned(chords[0]) if first is None else first
    frames = []
    for chord in chords:
        q = multiply(_shortest(rotate(q, axis), chord), q)
        frames.append(q)
    out = np.array(frames)
    if last is None:
        return out
    end = multiply(_shortest(chords[-1], rotate(last, axis)), out[-1])
    angle = to_vector(multiply(conjugate(end), last))[2]
    shares = np.ones(len(out)) if first is None else (np.arange(len(out)) + 0.5) / len(out)
    spins = np.array([from_vector(angle * share * axis) for share in shares])
    return multiply(out, spins)


def _shortest(a: Array, b: Array) -> Array:
    """The smallest rotation that takes unit vector a to b."""
    cross = np.cross(a, b)
    q = np.concatenate([[1.0 + a @ b], cross])
    size = math.sqrt(q @ q)
    if size < 1e-8:
        side = np.cross(a, [1.0, 0.0, 0.0] if abs(a[0]) < 0.9 else [0.0, 1.0, 0.0])
        return np.concatenate([[0.0], side / math.sqrt(side @ side)])
    return q / size
