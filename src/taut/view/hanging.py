"""How slack rope is drawn where its model knows no shape: as a catenary of its length, lying on what is below it.

With the horizontal distance a of its ends, their difference in height b and its length L, a catenary of parameter c = a/(2x) has
sinh(x)/x = sqrt(L^2 - b^2)/a (the classical result; see e.g. Irvine, Cable Structures, 1.2). Where that would hang below the floor,
rope comes down to it along a catenary that ends level, as an anchor line does: from a height h it is sqrt(h^2 + 2 h c) long and
reaches c arcosh(1 + h/c), and c is that of both ends for which the rest lies straight between the two feet.
"""

from __future__ import annotations

import numpy as np

from taut.compile import frames
from taut.scene import Plane, Scene

#: rounds of Newton's iteration: from the starting value below it is at rounding after six
ROUNDS = 8
#: halvings of the parameter of rope that lies on the floor, over twelve decades
HALVINGS = 48
#: least horizontal distance as a share of the slack: rope that falls below its lower end hangs there as a loop one can see
OPEN = 0.12
#: how long a piece of what lies straight on the floor counts: most points are for what hangs, which bends
STRAIGHT = 0.15


def hang(ends: np.ndarray, slack: np.ndarray, down: np.ndarray, share: np.ndarray, floor: np.ndarray) -> np.ndarray:
    """Points of every rope at shares of its length, closer to each other where it hangs if the rest lies on the floor.

    `ends`: both ends [m], shape (n, 2, 3); `slack`: length beyond their distance, none or less for a straight line [m], shape (n,);
    `down`: unit vector of gravity; `share`: from 0 to 1, shape (k,); `floor`: depth along `down` below which no point lies [m],
    shape (n,). Returns shape (n, k, 3).
    """
    chord = ends[:, 1] - ends[:, 0]
    points = ends[:, :1] + share[None, :, None] * chord[:, None]
    loose = np.flatnonzero(slack > 0.0)
    if len(loose):
        # never above an end that lies deeper than the floor
        lowest = np.maximum(floor[loose], (ends[loose] @ down).max(axis=1))
        points[loose] = _catenaries(ends[loose], slack[loose], down, share, lowest)
    return points


def ground_depth(scene: Scene, down: np.ndarray) -> float:
    """How deep the level ground of a scene lies along `down`; infinite without one [m]."""
    found = np.inf
    for body in scene.bodies.values():
        if isinstance(body.shape, Plane):
            normal = frames.rotate(np.asarray(body.start_orientation, float), np.array([0.0, 0.0, 1.0]))
            if normal @ down < -0.999:
                found = min(found, float(np.asarray(body.start_position, float) @ down))
    return found


def _catenaries(
    ends: np.ndarray, slack: np.ndarray, down: np.ndarray, share: np.ndarray, lowest: np.ndarray
) -> np.ndarray:
    chord = ends[:, 1] - ends[:, 0]
    drop = chord @ down
    level = chord - drop[:, None] * down
    a = np.linalg.norm(level, axis=1)
    length = np.linalg.norm(chord, axis=1) + slack
    wide = np.maximum(a, OPEN * slack)
    side = np.where(a[:, None] > 1e-9, level / np.maximum(a, 1e-9)[:, None], _across(down))
    r = np.sqrt(np.maximum(length**2 - drop**2, 0.0)) / wide
    x = _argument(np.maximum(r, 1.0))
    c = wide / (2.0 * x)
    # lowest point at u0 from the first end, depth measured from there: y(u) = c (cosh((u - u0)/c) - 1), upwards
    u0 = 0.5 * wide + c * np.arctanh(np.clip(drop / length, -1.0 + 1e-12, 1.0 - 1e-12))
    # points at equal lengths: s(u) = c (sinh((u - u0)/c) + sinh(u0/c))
    along = share[None, :] * length[:, None]
    u = u0[:, None] + c[:, None] * np.arcsinh(along / c[:, None] - np.sinh(u0 / c)[:, None])
    rise = c[:, None] * (np.cosh((u - u0[:, None]) / c[:, None]) - np.cosh(u0 / c)[:, None])
    # heights of both ends above the floor, and which ropes would hang below it between them
    heights = lowest[:, None] - ends @ down
    sags = (u0 > 0.0) & (u0 < wide)
    deep = np.flatnonzero(sags & (c * (np.cosh(u0 / c) - 1.0) > heights[:, 0]))
    if len(deep):
        # only what hangs above the floor opens to a loop
        wide[deep] = np.maximum(a[deep], OPEN * heights[deep].sum(axis=1))
        u[deep], rise[deep] = _grounded(heights[deep], wide[deep], length[deep], share)
    # a loop that is wider than its ends are apart comes back to the second one
    forth = u - share[None, :] * (wide - a)[:, None]
    found: np.ndarray = ends[:, :1] + forth[..., None] * side[:, None] - rise[..., None] * down
    found[:, share == 1.0] = ends[:, 1:]
    return found


def _grounded(
    heights: np.ndarray, wide: np.ndarray, length: np.ndarray, share: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Way from the first end, and rise above it, of points of ropes that lie on the floor between both ends [m], shape (n, k).

    `heights`: of the ends above the floor [m], shape (n, 2). Shares are not those of the length here (`STRAIGHT`). Of rope that is longer than down, across and up again the surplus
    is not shown: it lies somewhere under the rest.
    """
    spare = length - wide
    low, high = np.log(1e-9 * length), np.log(1e3 * length)
    # what both hanging parts are longer than they reach falls with c, from their heights to nothing
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        lengths, reaches = _feet(heights, np.exp(middle))
        less = (lengths - reaches).sum(axis=1) < spare
        low, high = np.where(less, low, middle), np.where(less, middle, high)
    c = np.exp(low)
    (first, second), (near, far) = (part.T for part in _feet(heights, c))
    lies = np.maximum(wide - near - far, 0.0)
    along = share[None, :] * (first + second + STRAIGHT * lies)[:, None]
    before = np.maximum(first[:, None] - along, 0.0)
    behind = np.maximum(along - (first + STRAIGHT * lies)[:, None], 0.0)
    lying = np.clip((along - first[:, None]) / STRAIGHT, 0.0, lies[:, None])
    c = c[:, None]
    way = near[:, None] - c * np.arcsinh(before / c) + lying + c * np.arcsinh(behind / c)
    rise = np.hypot(c, before) + np.hypot(c, behind) - 2.0 * c - heights[:, :1]
    return way, rise


def _feet(heights: np.ndarray, c: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Length and reach of the catenaries that come down level from both heights [m], each of shape (n, 2)."""
    c = c[:, None]
    return np.sqrt(heights**2 + 2.0 * heights * c), c * np.arccosh(1.0 + heights / c)


def _argument(r: np.ndarray) -> np.ndarray:
    """x with sinh(x)/x = r, for r from 1 on."""
    big = np.log(2.0 * np.maximum(r, 2.0))
    x = np.where(r < 3.0, np.sqrt(6.0 * (r - 1.0)), big + np.log(big))
    x = np.maximum(x, 1e-6)
    for _ in range(ROUNDS):
        value, slope = np.sinh(x) - r * x, np.cosh(x) - r
        x = np.maximum(x - value / np.where(np.abs(slope) > 1e-12, slope, 1e-12), 1e-6)
    return x


def _across(down: np.ndarray) -> np.ndarray:
    """A level direction, the x axis where it is one."""
    axis = np.array([1.0, 0.0, 0.0]) if abs(down[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    level = axis - (axis @ down) * down
    found: np.ndarray = level / np.linalg.norm(level)
    return found
