"""Validation of the honeycomb lattice: EA, EI, GJ, mechanisms and frequencies, by a stiffness matrix of its own."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from scipy.sparse import coo_matrix, csc_matrix, diags
from scipy.sparse.linalg import eigsh, splu

from taut.cables.honeycomb import PRINTED, Elastic, Springs
from taut.cables.honeycomb.calibration import closed_form
from taut.cables.honeycomb.lattice import Lattice, build, rest_points
from taut.validate.item import Item, below, between, close, told
from taut.validate.lab import Lab

Array = np.ndarray

SOURCE = "springs as bars of a truss, rigid end plates (paper 4 gives none)"
#: (EA [N], EI and GJ [N m^2], mass [kg/m]); ropes of 16 mm, the two ropes' EI and GJ are illustrative
_AREA = math.pi * 0.008**2
MATERIALS: dict[str, Elastic] = {
    "rod": Elastic(
        EA=1e9 * _AREA, EI=1e9 * _AREA * 0.008**2 / 4.0, GJ=1e9 * _AREA * 0.008**2 / 5.2, diameter="16 mm",
        mass_per_length=1000.0 * _AREA,
    ),
    "nylon": Elastic(EA="400 kN", EI="0.3 N m^2", GJ="0.15 N m^2", diameter="16 mm", mass_per_length="0.16 kg/m"),
    "steel": Elastic(EA="12 MN", EI="20 N m^2", GJ="8 N m^2", diameter="16 mm", mass_per_length="1 kg/m"),
}  # fmt: skip


def matrix(lattice: Lattice, points: Array) -> csc_matrix:
    """Stiffness of the unloaded lattice: k E E^T of every spring."""
    a, b = lattice.spring.T
    line = points[b] - points[a]
    unit = line / np.linalg.norm(line, axis=1, keepdims=True)
    blocks = lattice.law[:, 0, None, None] * unit[:, :, None] * unit[:, None, :]
    parts = []
    for i, j, sign in ((a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)):
        rows = np.broadcast_to(3 * i[:, None, None] + np.arange(3)[None, :, None], blocks.shape)
        columns = np.broadcast_to(3 * j[:, None, None] + np.arange(3)[None, None, :], blocks.shape)
        parts.append((rows.ravel(), columns.ravel(), sign * blocks.ravel()))
    rows, columns, values = (np.concatenate([part[k] for part in parts]) for k in range(3))
    size = 3 * len(points)
    return coo_matrix((values, (rows, columns)), shape=(size, size)).tocsc()


def plates(lattice: Lattice) -> dict[str, float]:
    """EA, EI and GJ from the reactions of rigid end plates that are drawn apart, tilted and twisted."""
    points = rest_points(lattice.section, lattice.side, lattice.spacing, lattice.layers)
    K = matrix(lattice, points)
    m, L = lattice.section.count, lattice.length
    last = np.arange(len(points) - m, len(points))
    held = np.concatenate([np.arange(m), last])
    fixed = (3 * held[:, None] + np.arange(3)).ravel()
    free = np.setdiff1d(np.arange(3 * len(points)), fixed)
    factor = splu(K[np.ix_(free, free)])
    x, y = points[:, 0], points[:, 1]
    upper = np.zeros(len(points))
    upper[last] = 1.0
    upper[:m] = -1.0
    half = 0.5 * upper
    moves = {
        "EA": np.column_stack([0 * x, 0 * x, half]),
        # pure bending: both plates tilt by half the angle, their centres stay
        "EI": np.column_stack([0 * x, 0 * x, half * y]),
        "GJ": np.column_stack([-half * y, half * x, 0 * x]),
    }
    found = {}
    for name, move in moves.items():
        u = move.ravel().copy()
        u[free] = 0.0
        u[free] = -factor.solve((K @ u)[free])
        # energy of a unit stretch, tilt or twist over the length L
        found[name] = float(u @ (K @ u)) * L
    return found


def stiffness(lab: Lab) -> Iterator[Item]:
    """Closed forms of a section that keeps its shape; targets of calibrated materials."""
    for name, material in MATERIALS.items():
        rope = material.properties()
        stiff = build(
            replace(material, section_stiffness=1e5 * rope.EA / rope.radius), 0.4, None, "hexagon", False, None
        )
        closed = closed_form(stiff.section, stiff.constants, stiff.side, stiff.spacing)
        known = {"EA": closed.EA, "EI": closed.mean_EI, "GJ": closed.GJ}
        for what, value in plates(stiff).items():
            yield close(
                f"honeycomb.closed.{name}.{what}", value, known[what], 1e-3, unit="SI", source=SOURCE,
                reason="closed forms assume a section that keeps its shape: here 1e5 times stiffer than the rope",
            )  # fmt: skip
        soft = build(material, 0.4, None, "hexagon", False, None)
        wanted = {"EA": rope.EA, "EI": rope.EI, "GJ": rope.GJ}
        for what, value in plates(soft).items():
            yield close(
                f"honeycomb.calibrated.{name}.{what}", value, wanted[what], 1e-2, unit="SI", source=SOURCE,
                reason="rigid plates keep the end layers from narrowing, over a length of about the radius",
            )  # fmt: skip


def mechanisms(lab: Lab) -> Iterator[Item]:
    """Motions that no spring resists."""
    cases = {"printed": (PRINTED, 39), "diagonals": (replace(PRINTED, diagonal=1e3), 7)}
    for name, (material, most) in cases.items():
        lattice = build(material, 7 * 0.016, 8, "hexagon", False, None)
        points = rest_points(lattice.section, lattice.side, lattice.spacing, lattice.layers)
        values = np.linalg.eigvalsh(matrix(lattice, points).toarray())
        count = int((values < 1e-10 * values[-1]).sum())
        if name == "printed":
            yield told(
                "honeycomb.mechanisms.printed", count, theory=float(most), unit="-", source="paper 4's four families, 8 layers",
                note="torsion and bending springs lie inside a layer: nothing resists bending and twist between layers",
            )  # fmt: skip
        else:
            yield between(
                f"honeycomb.mechanisms.{name}", count, 6, most, theory=6.0, unit="-", source="rigid motions, 8 layers",
                reason="diagonals leave one mechanism besides the six rigid motions",
            )  # fmt: skip


def cantilever(lab: Lab) -> Iterator[Item]:
    """First frequency of a clamped rope against Euler and Bernoulli, and what the mass of the end layer does to it."""
    material, size = MATERIALS["rod"], 0.48
    rope = material.properties()
    theory = 1.8751**2 / (2.0 * math.pi * size**2) * math.sqrt(rope.EI / rope.mass)
    lattice = build(material, size, None, "hexagon", False, None)
    ours = frequency(lattice, lattice.mass)
    shear = "slender: shear and rotary inertia below 0.5 %; end layers carry half a cell"
    yield close("honeycomb.cantilever", ours, theory, 0.03, unit="Hz", source="Euler-Bernoulli", reason=shear)
    full = lattice.mass.copy()
    full[-lattice.section.count :] *= 2.0
    # Rayleigh: a tip mass m_t acts like 4 m_t / (m L) of the modal mass
    expected = 1.0 / math.sqrt(1.0 + 4.0 * 0.5 * lattice.spacing / size)
    yield close(
        "honeycomb.cantilever.whole_cell", frequency(lattice, full) / ours, expected, 2e-3, unit="-",
        source="Rayleigh: half a cell more at the tip", reason="first order in the tip mass",
        note="with equal masses everywhere, as in paper 4, the end layer carries half a cell too much",
    )  # fmt: skip


def frequency(lattice: Lattice, mass: Array) -> float:
    """Lowest frequency with the first layer clamped [Hz]."""
    points = rest_points(lattice.section, lattice.side, lattice.spacing, lattice.layers)
    K = matrix(lattice, points)
    free = np.arange(3 * lattice.section.count, 3 * len(points))
    M = diags(np.repeat(mass, 3)[free]).tocsc()
    values = eigsh(K[np.ix_(free, free)].tocsc(), k=2, M=M, sigma=0.0, return_eigenvectors=False)
    return math.sqrt(float(np.min(values))) / (2.0 * math.pi)


def printed_stretch(lab: Lab) -> Iterator[Item]:
    """The paper's 'super-elasticity' is its parameter set: EA = 7 k h = 1120 N under 21.9 kg/m."""
    from taut.cables.honeycomb import Honeycomb, Surroundings

    held: Springs = replace(PRINTED, damping=200.0)
    rope = Honeycomb(
        [(0, 0, 0), (0, 0, -0.72)], held, scheme="implicit", surroundings=Surroundings(gravity=(0, 0, -9.8))
    )
    rope.step(240)
    speed = float(np.abs(rope.velocities).max())
    top = float(rope.family_strain("tension")[:7].mean())
    weight = 45 * 7 * 0.05 * 9.8
    yield close(
        "honeycomb.printed.strain", top, weight / (7 * 1e4 * 0.016), 1e-2, unit="-", source="Hooke: weight below / EA",
        reason="at rest after 4 s; ring and centre springs share the load equally",
    )  # fmt: skip
    yield below(
        "honeycomb.printed.rest", speed, 1e-4, unit="m/s", source="equilibrium", reason="damped for many periods"
    )
