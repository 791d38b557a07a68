"""Everything that is read from a honeycomb rope."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from taut.cables.honeycomb import arrays as at
from taut.cables.honeycomb import shape
from taut.cables.honeycomb.arrays import Arrays
from taut.cables.honeycomb.compile import SIDES
from taut.cables.honeycomb.explicit import evaluate
from taut.cables.honeycomb.lattice import FAMILIES, Lattice
from taut.cables.honeycomb.springs import spring_state
from taut.cables.honeycomb.values import one_of

Array = np.ndarray


@dataclass(frozen=True)
class Energy:
    """[J]."""

    kinetic: float
    elastic: float
    potential: float  # in gravity, zero at the origin

    @property
    def total(self) -> float:
        """Their sum."""
        return self.kinetic + self.elastic + self.potential


class Readings:
    """The reading half of a honeycomb rope."""

    lattice: Lattice
    scheme: str
    dt: float
    _a: Arrays

    @property
    def positions(self) -> Array:
        """Of all masses [m], shape (N, 3); a view."""
        return self._a.pos

    @property
    def velocities(self) -> Array:
        """Of all masses [m/s], shape (N, 3); a view."""
        return self._a.vel

    @property
    def masses(self) -> Array:
        """[kg], shape (N,); a view."""
        return self._a.node[:, at.MASS]

    @property
    def axis(self) -> Array:
        """Centre of every layer [m], shape (layers, 3)."""
        return shape.axis(self.lattice, self._a.pos)

    @property
    def centre_of_mass(self) -> Array:
        """[m], shape (3,)."""
        return self.masses @ self._a.pos / self.masses.sum()

    def surface(self, around: int = 24, along: int = 3) -> tuple[Array, Array]:
        """Vertices [m] and triangles of the tube that follows the outline masses."""
        return shape.tube(shape.rings(self.lattice, self._a.pos), around, along, float(self._a.field[at.SKIN]))

    def _springs(self) -> tuple[Array, Array, float]:
        force, strain = np.empty(len(self._a.spring)), np.empty(len(self._a.spring))
        energy = spring_state(self._a.pos, self._a.spring, self._a.law, self._a.table, force, strain)
        return force, strain, float(energy)

    @property
    def tension(self) -> Array:
        """Along the rope, one value per cell, positive in pull [N], shape (layers - 1,)."""
        return shape.tension(self.lattice, self._a.pos, self._springs()[0])

    @property
    def strain(self) -> Array:
        """Of every spring, shape (S,)."""
        return self._springs()[1]

    def family_strain(self, family: str) -> Array:
        """Of the springs of one family: structural, tension, torsion, bending or diagonal."""
        return self.strain[self.lattice.family == FAMILIES.index(one_of("family", family, FAMILIES))]

    @property
    def energy(self) -> Energy:
        """Kinetic, elastic and potential energy."""
        kinetic = 0.5 * float(self.masses @ (self._a.vel**2).sum(axis=1))
        gravity = self._a.field[at.GRAVITY : at.GRAVITY + 3]
        return Energy(kinetic, self._springs()[2], -float(self.masses @ (self._a.pos @ gravity)))

    @property
    def momentum(self) -> Array:
        """[kg m/s], shape (3,)."""
        return self.masses @ self._a.vel

    @property
    def angular_momentum(self) -> Array:
        """About the origin [kg m^2/s], shape (3,)."""
        return self.masses @ np.cross(self._a.pos, self._a.vel)

    def end_force(self, which: str) -> Array:
        """What holds an end exerts on the rope, but for the acceleration of the held masses themselves [N], shape (3,)."""
        side = SIDES.index(one_of("which", which, SIDES))
        evaluate(self._a, 0.0 if self.scheme == "implicit" else self.dt)
        return -self._a.force[self._a.node[:, at.HELD_BY] == side].sum(axis=0)

    @property
    def counts(self) -> dict[str, int]:
        """Contacts now; force evaluations, corrector passes and Newton iterations so far; and how far culling went."""
        names = (
            "touches", "cell_pairs", "evaluations", "passes", "culled_cells", "culled_features", "tested", "rebuilds", "newton",
            "frozen", "unsettled",
        )  # fmt: skip
        return {name: int(value) for name, value in zip(names, self._a.tally)}
