"""Stiffness and mass of a cable of a route told directly, in place of the material they came from."""

from __future__ import annotations

from typing import Any

from taut.cables.rod.chain import Chain
from taut.cables.rod.values import RodError

#: digits of what a cable has [-]
DIGITS = 6
#: what a material says, which nothing is left of where both are told
OF_MATERIAL = ("E", "G", "nu", "material")


def bending(chain: Chain) -> float:
    """EI of a cable, of a strap that about d1 [N m^2]."""
    return float(chain.properties.stiffness[0, 0])


def torsion(chain: Chain) -> float:
    """GJ of a cable [N m^2]."""
    return float(chain.properties.stiffness[0, 2])


def line_mass(chain: Chain) -> float:
    """Mass of a metre of a cable [kg/m]."""
    return float(chain.properties.mass[0])


def give_stiffness(cable: dict[str, Any], chain: Chain, EI: float | None = None, GJ: float | None = None) -> None:
    """Write EI, or GJ, or both [N m^2] into the data of a cable; chain: as it stands, whose other values stay. A strap keeps the ratio of its two.
    Raises RodError."""
    table = chain.properties.stiffness
    if (table != table[0]).any():
        raise RodError("its stiffness varies along it: change it in the file")
    for asked, word in ((EI, "bending"), (GJ, "torsional")):
        if asked is not None and not asked > 0.0:
            raise RodError(f"a {word} stiffness is more than 0 N m^2")
    for gone in OF_MATERIAL:
        cable.pop(gone, None)
    first, second = (bending(chain) if EI is None else EI) * table[0, :2] / table[0, 0]
    cable["EI"] = _written(first) if first == second else [_written(first), _written(second)]
    cable["GJ"] = _written(torsion(chain) if GJ is None else GJ)


def give_mass(cable: dict[str, Any], mass: float) -> None:
    """Write the mass of a metre [kg/m]. Raises RodError."""
    if mass < 0.0:
        raise RodError("a metre weighs 0 kg or more")
    cable.pop("density", None)
    cable["mass_per_length"] = f"{mass:.{DIGITS}g} kg/m"


def _written(value: float) -> str:
    return f"{value:.{DIGITS}g} N m^2"
