"""From lattice, route and surroundings to the arrays of the compiled code."""

from __future__ import annotations

import math

import numpy as np

from taut.cables.honeycomb import arrays as at
from taut.cables.honeycomb.arrays import Arrays
from taut.cables.honeycomb.lattice import Lattice
from taut.cables.honeycomb.ordered import kinds_of, lane_size
from taut.cables.honeycomb.route import place
from taut.cables.honeycomb.spec import Surroundings
from taut.cables.honeycomb.surroundings import field_of, shapes_of
from taut.cables.honeycomb.values import one_of

Array = np.ndarray

SIDES = ("start", "end")
HOLDS = ("clamp", "pin", "free")
#: contacts per mass, and pairs of cells per cell, that the pools have room for
TOUCHES_PER_MASS, PAIRS_PER_CELL = 4, 40


def compile_rope(
    lattice: Lattice, route: Array, held: tuple[str, str], carried: tuple[float, float], surroundings: Surroundings
) -> Arrays:
    """Masses in place, at rest, held as told."""
    count, per = len(lattice.mass), lattice.section.count
    cells = lattice.layers - 1
    zeros = np.zeros
    leaves = 1 << max(0, math.ceil(math.log2(max(cells, 1))))
    shape = shapes_of(surroundings)
    use_self = bool(surroundings.self_contact)
    touches = 256 + TOUCHES_PER_MASS * count if use_self or len(shape) else 0
    apart = math.ceil(2.0 * lattice.radius / lattice.spacing) + 2
    pos = place(lattice.section, lattice.side, route, lattice.layers)
    kind = kinds_of(lattice.spring, lattice.law, lattice.layers, per)
    a = Arrays(
        pos=pos, vel=zeros((count, 3)), acc=zeros((count, 3)), old_pos=pos.copy(), old_vel=zeros((count, 3)),
        arm=zeros((count, 3)), ends=zeros((2, at.END_COLUMNS)), node=zeros((count, at.NODE_COLUMNS)),
        spring=lattice.spring, law=lattice.law, table=lattice.table, field=field_of(surroundings, lattice), shape=shape,
        size=np.array([lattice.layers, per, apart, int(use_self)]), outline=lattice.section.outline.astype(np.int64), kind=kind,
        force=zeros((count, 3)), pos2=zeros((count, 3)), vel2=zeros((count, 3)), axis=zeros((lattice.layers, 4)),
        touch=zeros((touches, at.TOUCH_COLUMNS)), touch_node=zeros((touches, 5), np.int64),
        load=zeros((count, 2)),
        pair=zeros((64 + PAIRS_PER_CELL * cells if use_self else 0, 2), np.int64), tree=zeros((2 * leaves, 6)),
        # far away: the first look finds the pairs
        ref=np.full((count, 3), 1e30), tally=zeros(at.COUNTS, np.int64),
        flow=zeros(at.FLOW_SIZE), pose=zeros((2, 16)), found=zeros((8, 8)), local=zeros((32, 8)),
        lane=zeros(lane_size(lattice.layers, per, len(kind))),
    )  # fmt: skip
    a.node[:, at.MASS] = lattice.mass
    # a fitting grips what bears the tension: a mass hung on soft ring springs would shear the end layer off its centre
    axial = np.where(lattice.section.is_centre, lattice.constants.centre, lattice.constants.axial)
    for side, extra in enumerate(carried):
        a.node[end_masses(lattice, side), at.MASS] += extra * axial / axial.sum()
    a.node[:, at.INVERSE] = 1.0 / a.node[:, at.MASS]
    a.node[:, at.HELD_BY] = -1.0
    for side, how in enumerate(held):
        hold(lattice, a, side, one_of(SIDES[side], how, HOLDS))
    return a


def end_masses(lattice: Lattice, side: int) -> slice:
    """The masses of the first or last layer."""
    per = lattice.section.count
    return slice(0, per) if side == 0 else slice(len(lattice.mass) - per, None)


def hold(lattice: Lattice, a: Arrays, side: int, how: str) -> None:
    """Hold an end where it is: all its masses, those nearest the axis, or none."""
    layer = end_masses(lattice, side)
    numbers = np.arange(len(lattice.mass))[layer]
    if how == "pin":
        reach = np.linalg.norm(lattice.section.points, axis=1)
        caught = numbers[reach < reach.min() + 1e-9]
    else:
        caught = numbers if how == "clamp" else numbers[:0]
    a.node[numbers, at.INVERSE] = 1.0 / a.node[numbers, at.MASS]
    a.node[numbers, at.HELD_BY] = -1.0
    a.node[caught, at.INVERSE] = 0.0
    a.node[caught, at.HELD_BY] = side
    a.ends[side] = 0.0
    point = a.pos[layer].mean(axis=0)
    a.ends[side, at.POINT : at.POINT + 3] = point
    a.arm[numbers] = a.pos[numbers] - point
    a.vel[caught] = 0.0
