"""Shortest path from a point over one cylinder to another point, in closed form.

Seen along the axis a, the rope comes in on a tangent of length t1 = sqrt(d1^2 - r^2), lies on an arc r w and leaves on a
tangent t2. Unrolled it is one straight line: it climbs along the axis at the same slope everywhere,

    slope = (zQ - zP) / (t1 + r w + t2)
"""

from __future__ import annotations

import math

from taut.contact.wrapping.edges import near_turn
from taut.contact.wrapping.vectors import dot, minus
from taut.core.jit import kernel


@kernel
def tangent(p, centre, first, second, radius, side):
    """Angle of the tangent point seen from p along the axis, and the length of the tangent."""
    d = minus(p, centre)
    x, y = dot(d, first), dot(d, second)
    far = math.sqrt(x * x + y * y)
    angle = math.atan2(y, x)
    if far <= radius:
        return angle, 0.0
    return angle + side * math.acos(radius / far), math.sqrt(far * far - radius * radius)


@kernel
def turn_between(p, q, centre, axis, first, second, radius, sense, last_one, last_two):
    """Angles and places along the axis where the rope arrives and leaves: (angle, z, angle, z)."""
    one, before = tangent(p, centre, first, second, radius, sense)
    two, after = tangent(q, centre, first, second, radius, -sense)
    one, two = near_turn(one, last_one), near_turn(two, last_two)
    arc = radius * sense * (two - one)
    start, stop = dot(minus(p, centre), axis), dot(minus(q, centre), axis)
    whole = before + arc + after
    slope = (stop - start) / whole if whole > 0.0 else 0.0
    return one, start + slope * before, two, start + slope * (before + arc)


@kernel
def fresh_turn(p, q, centre, first, second, radius, sense):
    """Angles where a rope that is new on a cylinder arrives and leaves, between a quarter turn back and three on."""
    one, _ = tangent(p, centre, first, second, radius, sense)
    two, _ = tangent(q, centre, first, second, radius, -sense)
    wrap = sense * (two - one) + 0.5 * math.pi
    wrap -= 2.0 * math.pi * math.floor(wrap / (2.0 * math.pi)) + 0.5 * math.pi
    return one, one + sense * wrap
