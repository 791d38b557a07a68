"""What hoses, tubes and cables are usually made of: cards by name, to begin with.

The figures, how far such things differ and where each comes from are in material_table.yaml; docs/materials.md shows them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import yaml

#: an inner diameter that differs by less from that of a standard is of its size
SIZE = 0.06


@dataclass(frozen=True)
class Figure:
    """A typical value and from where to where things of this kind lie."""

    value: float
    least: float
    most: float

    def range(self, unit: str) -> str:
        """The range in words."""
        return f"{self.least:g} to {self.most:g} {unit}"


@dataclass(frozen=True)
class Card:
    """A material with a section of a common size."""

    name: str
    about: str
    """What it is, in a few words."""
    section: Mapping[str, str]
    """As in a route file."""
    modulus: Figure
    """Young's modulus for bending [MPa]."""
    nu: float
    """Poisson's ratio [-]."""
    density: Figure
    """[kg/m^3]."""
    basis: str
    """Where the figures come from, and what they leave out."""

    bend: Mapping[str, Any] | None = None
    """Least bend radius on the inside of the bend [mm] by inner diameter, where a standard gives one, and which."""

    def least_bend(self, inner: float, outer: float) -> tuple[float, str] | None:
        """Least bend radius of the centreline of a hose with these diameters [m], and where it is from; None where no standard gives one
        for such a size."""
        if self.bend is None:
            return None
        table = self.bend["inside"]
        nearest = min(table, key=lambda one: abs(one - 1e3 * inner))
        if abs(nearest - 1e3 * inner) > SIZE * nearest:
            return None
        inside = table[nearest]
        return 1e-3 * inside + 0.5 * outer, f"{self.bend['of']}: {inside:g} mm on the inside of the bend"

    def given(self) -> dict[str, Any]:
        """Section and material as a route file gives them."""
        return {
            "section": dict(self.section),
            "E": _pressure(self.modulus.value),
            "nu": self.nu,
            "density": f"{self.density.value:g} kg/m^3",
        }

    @property
    def stiffness(self) -> str:
        """From where to where Young's modulus lies, in words."""
        large = self.modulus.least >= 1e3
        figure = self.modulus
        shown = Figure(*(one / 1e3 for one in (figure.value, figure.least, figure.most))) if large else figure
        return shown.range("GPa" if large else "MPa")

    @property
    def told(self) -> str:
        """What a person must know who chooses it, in words."""
        return (
            f"{self.about}. Typical: such things have E from {self.stiffness}, density from {self.density.range('kg/m^3')}; "
            f"a hose that was measured is fitted by taut fit"
        )


def _pressure(megapascals: float) -> str:
    """A modulus as a person writes it."""
    return f"{megapascals / 1e3:g} GPa" if megapascals >= 1e4 else f"{megapascals:g} MPa"


def _read() -> dict[str, Card]:
    text = resources.files("taut.cables.rod").joinpath("material_table.yaml").read_text(encoding="utf-8")
    return {
        name: Card(
            name,
            one["about"],
            one["section"],
            _figure(one["E"]),
            one["nu"],
            _figure(one["density"]),
            one["basis"],
            one.get("bend"),
        )
        for name, one in yaml.safe_load(text)["materials"].items()
    }


def _figure(given: Mapping[str, Any]) -> Figure:
    return Figure(given["value"], *given["range"])


@cache
def cards() -> Mapping[str, Card]:
    """All of them by name."""
    return _read()


def usual() -> Card:
    """What a new cable is made of until another one is chosen."""
    return next(iter(cards().values()))
