"""The strain limit tau_max of paper 4: what is stretched or pressed beyond it is brought back, and keeps its momentum.

The paper changes the length of an over-strained spring and says nothing of velocities. Here the two masses are moved along
the spring in inverse proportion to their masses, and their velocities by the same over dt: linear momentum stays to the
bit, angular momentum but for the correction times the sideways velocity of the two, which vanishes with the step.

A rope that carries bodies has springs within its layers that are a hundred times stiffer than those between them: a single mass
moved by a per cent of a cell strains them by more than a step can take back. There, whole layers are moved.
"""

from __future__ import annotations

import math

import numpy as np

from taut.cables.honeycomb.arrays import INVERSE, LAYERS, MASS, PER_LAYER, REST, Arrays
from taut.core.jit import kernel

Array = np.ndarray
#: part of a limit by which it may be passed: what was brought back to it lies beyond it by round-off
SLACK = 1e-9


@kernel
def limit_strain(
    pos: Array, vel: Array, node: Array, spring: Array, law: Array, most: float, sweeps: int, dt: float
) -> int:
    """Up to `sweeps` passes over all springs; returns how many were needed, the last without a correction."""
    for sweep in range(sweeps):
        done = True
        for s in range(spring.shape[0]):
            a, b = spring[s, 0], spring[s, 1]
            x, y, z = pos[b, 0] - pos[a, 0], pos[b, 1] - pos[a, 1], pos[b, 2] - pos[a, 2]
            l, rest = math.sqrt(x * x + y * y + z * z), law[s, REST]
            free = node[a, INVERSE] + node[b, INVERSE]
            if abs(l - rest) <= (1.0 + SLACK) * most * rest or free == 0.0:
                continue
            done = False
            wanted = rest * (1.0 + math.copysign(most, l - rest))
            f = (l - wanted) / (l * free)
            for k in range(3):
                d = f * (x if k == 0 else (y if k == 1 else z))
                pos[a, k] += node[a, INVERSE] * d
                pos[b, k] -= node[b, INVERSE] * d
                vel[a, k] += node[a, INVERSE] * d / dt
                vel[b, k] -= node[b, INVERSE] * d / dt
        if done:
            return sweep
    return sweeps


@kernel
def limit_once(a: Arrays, most: float, sweeps: int, dt: float) -> int:
    """The same on a rope's arrays."""
    return limit_strain(a.pos, a.vel, a.node, a.spring, a.law, most, sweeps, dt)


@kernel
def limit_layers(a: Arrays, law: Array, most: float, sweeps: int, dt: float) -> int:
    """The same for whole layers: up to `sweeps` passes over neighbours whose middles are too far from each other or too near;
    returns how many were needed, the last without a correction. What is bent is not strained in this sense."""
    per, layers = a.size[PER_LAYER], a.size[LAYERS]
    rest = _spacing(a, law, per)
    for sweep in range(sweeps):
        done = True
        for n in range(layers - 1):
            one, other = n * per, (n + 1) * per
            x, y, z = 0.0, 0.0, 0.0
            for i in range(per):
                x += (a.pos[other + i, 0] - a.pos[one + i, 0]) / per
                y += (a.pos[other + i, 1] - a.pos[one + i, 1]) / per
                z += (a.pos[other + i, 2] - a.pos[one + i, 2]) / per
            l = math.sqrt(x * x + y * y + z * z)
            first, second = _lightness(a, one, per), _lightness(a, other, per)
            if abs(l - rest) <= (1.0 + SLACK) * most * rest or first + second == 0.0:
                continue
            done = False
            f = (l - rest * (1.0 + math.copysign(most, l - rest))) / (l * (first + second))
            _shift(a, one, per, first * f * x, first * f * y, first * f * z, dt)
            _shift(a, other, per, -second * f * x, -second * f * y, -second * f * z, dt)
        if done:
            return sweep
    return sweeps


@kernel
def _spacing(a: Arrays, law: Array, per: int) -> float:
    """Distance of neighbouring layers at rest [m]: that of the springs along the rope, in the mean."""
    total, count = 0.0, 0
    for s in range(a.spring.shape[0]):
        if abs(a.spring[s, 1] - a.spring[s, 0]) == per:
            total, count = total + law[s, REST], count + 1
    return total / count


@kernel
def _lightness(a: Arrays, first: int, per: int) -> float:
    """One over the mass of a layer [1/kg]; zero for one that is held."""
    mass = 0.0
    for i in range(first, first + per):
        if a.node[i, INVERSE] == 0.0:
            return 0.0
        mass += a.node[i, MASS]
    return 1.0 / mass


@kernel
def _shift(a: Arrays, first: int, per: int, x: float, y: float, z: float, dt: float) -> None:
    """Move a layer, and change its velocity by the same over dt."""
    for i in range(first, first + per):
        for k in range(3):
            d = x if k == 0 else (y if k == 1 else z)
            a.pos[i, k] += d
            a.vel[i, k] += d / dt
