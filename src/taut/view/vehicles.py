"""What drives and what people sit in, each within its box: cabins, crawler tracks, trailers. z is up."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taut.view.assembly import Assembly
from taut.view.colours import from_hex
from taut.view.solids import Solid
from taut.view.steelwork import IRON, RUBBER

GLASS, HUB = from_hex("#16232d"), from_hex("#7d868e")


def cabin(size: Sequence[float]) -> Solid:
    """Windows all round between posts, under a roof."""
    long, wide, high = half = 0.5 * np.asarray(size, float)
    rim = 0.07 * float(min(long, wide))
    sill, lintel = -0.22 * high, 0.8 * high
    made = Assembly()
    made.box((rim - long, rim - wide, -high), (long - rim, wide - rim, sill))
    made.box((1.8 * rim - long, 1.8 * rim - wide, sill), (long - 1.8 * rim, wide - 1.8 * rim, lintel), GLASS)
    # the roof stands out over the walls, a ledge runs round below the windows
    made.box((-long, -wide, lintel), (long, wide, 0.92 * high))
    made.box((2.0 * rim - long, 2.0 * rim - wide, 0.92 * high), (long - 2.0 * rim, wide - 2.0 * rim, high))
    made.box((0.4 * rim - long, 0.4 * rim - wide, sill - rim), (long - 0.4 * rim, wide - 0.4 * rim, sill))
    made.box((0.4 * rim - long, 0.4 * rim - wide, -high), (long - 0.4 * rim, wide - 0.4 * rim, 1.6 * rim - high), IRON)
    post = 1.7 * rim
    for x, y in ((0, 1), (1, 0)):
        panes = max(round(half[x] / (0.55 * high)), 1)
        for k in range(panes + 1):
            at = (2.0 * k / panes - 1.0) * (half[x] - rim - 0.5 * post)
            for sign in (-1.0, 1.0):
                edge = sorted((sign * (half[y] - rim), sign * (half[y] - rim - post)))
                corners = [(at - 0.5 * post, edge[0]), (at + 0.5 * post, edge[1])]
                low, up = ([one[(x, y).index(axis)] for axis in (0, 1)] for one in corners)
                made.box((*low, sill), (*up, lintel))
    return made.solid()


def tracks(size: Sequence[float]) -> Solid:
    """A crawler track along the longer side: shoes round two wheels, rollers between them."""
    x, y = (0, 1) if size[0] >= size[1] else (1, 0)
    long, wide, high = size[x], size[y], min(size[2], 0.6 * size[x])
    straight = long - high
    around = 2.0 * straight + np.pi * high
    count = int(np.clip(round(around / (0.26 * high)), 12, 200))
    pitch = around / count
    shoe = min(0.92 * pitch, 0.25 * high)
    # corners of a shoe lie on the outline where it goes round
    out = 0.5 * float(np.sqrt(high**2 - shoe**2))
    thick = 0.09 * high
    middle = out - 0.5 * thick
    made = Assembly()
    s = (np.arange(count) + 0.5) * pitch * (2.0 * straight + 2.0 * np.pi * middle) / around
    points, way = _stadium(s, straight, middle)
    made.bars(points - 0.5 * shoe * way, points + 0.5 * shoe * way, (0.0, 1.0, 0.0), (thick, wide), IRON)
    rim = middle - 0.5 * thick
    for at in (-0.5 * straight, 0.5 * straight):
        made.wheel((at, 0.0, 0.0), rim, 0.7 * wide, IRON, 24)
        made.wheel((at, 0.0, 0.0), 0.45 * rim, 0.8 * wide)
    made.box((-0.5 * straight, -0.38 * wide, -0.4 * rim), (0.5 * straight, 0.38 * wide, 0.6 * rim))
    small = 0.26 * rim
    for at in np.linspace(-0.5 * straight, 0.5 * straight, 7)[1:-1]:
        made.wheel((at, 0.0, small - rim), small, 0.84 * wide, HUB, 14)
    return made.solid((x, y, 2))


def _stadium(s: np.ndarray, straight: float, radius: float) -> tuple[np.ndarray, np.ndarray]:
    """Points along two half circles and two lines, and the way along them, shape (n, 3)."""
    bow = np.pi * radius
    top, right, bottom = s < straight, (s >= straight) & (s < straight + bow), s >= straight + bow
    low = bottom & (s < 2.0 * straight + bow)
    turn = np.where(
        top, 0.0, np.where(right, (s - straight) / radius, np.where(low, np.pi, (s - 2.0 * straight) / radius))
    )
    x = np.where(
        top,
        s - 0.5 * straight,
        np.where(right, 0.5 * straight, np.where(low, 1.5 * straight + bow - s, -0.5 * straight)),
    )
    none = np.zeros_like(s)
    points = np.column_stack([x + radius * np.sin(turn), none, radius * np.cos(turn)])
    return points, np.column_stack([np.cos(turn), none, -np.sin(turn)])


def trailer(size: Sequence[float]) -> Solid:
    """A flat bed over axles with twin tyres, along the longer side."""
    x, y = (0, 1) if size[0] >= size[1] else (1, 0)
    long, wide, high = 0.5 * size[x], 0.5 * size[y], size[2]
    top, bed = 0.5 * high, 0.5 * high - 0.14 * high
    radius = min(0.36 * high, 0.8 * long)
    made = Assembly()
    made.box((-long, -wide, bed + 0.05 * high), (long, wide, top))
    made.box(
        (0.02 * wide - long, 0.04 * wide - wide, bed), (long - 0.02 * wide, wide - 0.04 * wide, top - 0.05 * high), IRON
    )
    # two beams under the bed, axles below them
    made.mirrored((-0.96 * long, 0.28 * wide, bed - 0.24 * high), (0.96 * long, 0.42 * wide, bed), 1, IRON)
    axles = int(np.clip(2.0 * long / (2.4 * radius), 1, 6))
    low = radius - 0.5 * high
    for at in (np.arange(axles) - 0.5 * (axles - 1)) * min(2.3 * radius, 2.0 * long / axles):
        made.box(
            (at - 0.12 * radius, -0.9 * wide, low - 0.12 * radius),
            (at + 0.12 * radius, 0.9 * wide, low + 0.12 * radius),
            IRON,
        )
        for sign in (-1.0, 1.0):
            for out in (0.9, 0.7):
                made.wheel((at, sign * out * wide, low), radius, 0.15 * wide, RUBBER, 24)
            made.wheel((at, sign * 0.9 * wide, low), 0.5 * radius, 0.18 * wide, HUB, 16)
    return made.solid((x, y, 2))
