"""What a person gives: the rope as a material or as springs, and what surrounds it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from taut.cables.honeycomb.values import BENDING, HoneycombError, length, number
from taut.scene import units


class Properties(NamedTuple):
    """A round rope in SI numbers."""

    EA: float  # [N]
    EI: float  # [N m^2]
    GJ: float  # [N m^2]
    mass: float  # per length [kg/m]
    radius: float  # [m]


@dataclass(frozen=True)
class Elastic:
    """A rope by its material; springs are calibrated so that EA, EI and GJ come out right."""

    section: Any = None
    """taut.Round or taut.Hollow; gives area and moments, with E and nu or G."""
    E: Any = None
    """Young's modulus [Pa]."""
    nu: Any = None
    """Poisson's ratio [-]."""
    G: Any = None
    """Shear modulus [Pa]."""
    EA: Any = None
    """Instead of a section: stiffness in tension [N]; with a force-strain table its first slope."""
    EI: Any = None
    """Instead of a section: bending stiffness [N m^2]."""
    GJ: Any = None
    """Instead of a section: torsional stiffness [N m^2]."""
    diameter: Any = None
    """With EA, EI and GJ: outer diameter [m]."""
    density: Any = None
    """With a section [kg/m^3]."""
    mass_per_length: Any = None
    """Instead of a density [kg/m]."""
    damping_time: Any = 0.0
    """Damping constant over spring constant of every spring [s]. Explicit steps shrink where it exceeds 1/frequency."""
    section_stiffness: Any = None
    """Springs inside a layer [N/m]; None is as stiff as costs no smaller step."""

    def properties(self) -> Properties:
        """In SI numbers. Raises HoneycombError."""
        direct = [name for name in ("EA", "EI", "GJ", "diameter") if getattr(self, name) is not None]
        if self.section is not None:
            if direct:
                raise HoneycombError(f"material: with a section given, {', '.join(direct)} would be ignored; leave out")
            return self._from_section()
        missing = [name for name in ("EA", "EI", "GJ", "diameter") if name not in direct]
        if missing:
            raise HoneycombError(
                f"material: missing {', '.join(missing)}; give EA, EI, GJ and diameter, or a section with E and nu (or G)"
            )
        if self.mass_per_length is None:
            raise HoneycombError("material.mass_per_length: needed beside EA, EI and GJ")
        EA = number("material.EA", self.EA, units.FORCE, positive=True)
        EI, GJ = (number(f"material.{n}", getattr(self, n), BENDING, positive=True) for n in ("EI", "GJ"))
        mass = number("material.mass_per_length", self.mass_per_length, units.LINEAR_DENSITY, positive=True)
        return Properties(EA, EI, GJ, mass, 0.5 * length("material.diameter", self.diameter))

    def _from_section(self) -> Properties:
        size = getattr(self.section, "diameter", getattr(self.section, "outer", None))
        if size is None:
            raise HoneycombError(
                f"material.section: {self.section!r} - a honeycomb is round: taut.Round or taut.Hollow"
            )
        try:
            area, moment, _, polar = self.section.moments()
        except ValueError as error:
            raise HoneycombError(f"material.{error}") from None
        if self.E is None:
            raise HoneycombError("material.E: needed beside a section")
        E = number("material.E", self.E, units.PRESSURE, positive=True)
        if (self.G is None) == (self.nu is None):
            raise HoneycombError("material: give exactly one of G and nu beside E")
        if self.G is not None:
            G = number("material.G", self.G, units.PRESSURE, positive=True)
        else:
            nu = number("material.nu", self.nu, units.NUMBER)
            if not -1.0 < nu <= 0.5:
                raise HoneycombError(f"material.nu: {self.nu!r} - Poisson's ratio lies between -1 and 0.5")
            G = E / (2.0 * (1.0 + nu))
        if (self.density is None) == (self.mass_per_length is None):
            raise HoneycombError("material: give exactly one of density and mass_per_length")
        if self.density is not None:
            mass = number("material.density", self.density, units.DENSITY, positive=True) * area
        else:
            mass = number("material.mass_per_length", self.mass_per_length, units.LINEAR_DENSITY, positive=True)
        return Properties(E * area, E * moment, G * polar, mass, 0.5 * length("material.section", size))


@dataclass(frozen=True)
class Springs:
    """A rope by its springs, as in paper 4."""

    radius: Any
    """Side of the hexagon: d_nature of the paper [m]."""
    spacing: Any
    """Distance of the layers [m]."""
    mass: Any
    """Of every mass [kg]."""
    structural: Any
    """Centre to ring, k_E [N/m]."""
    tension: Any
    """Layer to layer, k_T [N/m]."""
    torsion: Any = 0.0
    """Ring masses two apart, k_N [N/m]."""
    bending: Any = 0.0
    """Opposite ring masses, k_W [N/m]."""
    diagonal: Any = 0.0
    """Layer to layer between neighbours [N/m]: without them nothing resists bending and twist of the rope."""
    centre: Any = None
    """Layer to layer between the centres [N/m]; None is `tension`."""
    damping: Any = 0.0
    """Of every spring, K_d [N s/m]."""
    quadratic: bool = False
    """The paper's law k l q |q| for structural and tension springs, instead of Hooke's."""


#: the constants that the paper prints; it has no diagonals and does not print K_d
PRINTED = Springs(radius=0.008, spacing=0.016, mass=0.05, structural=1e4, tension=1e4, torsion=0.2, bending=0.2)


@dataclass(frozen=True)
class Obstacle:
    """Something that the rope may touch; it stands still or moves as told."""

    shape: Any
    """taut.Plane, Sphere, Box or Capsule."""
    position: Any = (0.0, 0.0, 0.0)
    """[m]."""
    quaternion: Any = (1.0, 0.0, 0.0, 0.0)
    """(w, x, y, z)."""
    velocity: Any = (0.0, 0.0, 0.0)
    """[m/s]."""
    friction: Any = 0.5
    """Coefficient of Coulomb friction [-]."""


@dataclass(frozen=True)
class Surroundings:
    """Gravity, air, obstacles, and how surfaces press."""

    gravity: Any = (0.0, 0.0, -9.81)
    """[m/s^2]."""
    air_drag: Any = 0.0
    """C in -C |v| v, for every mass [kg/m]."""
    wind: Any = (0.0, 0.0, 0.0)
    """Velocity of the air [m/s]."""
    obstacles: tuple[Obstacle, ...] = ()
    """What the rope may touch."""
    self_contact: bool = False
    """Whether the rope touches itself."""
    self_friction: Any = 0.3
    """Of rope on rope [-]."""
    contact_stiffness: Any = None
    """Of one mass [N/m]; None: a mass at 3 m/s sinks in by a tenth of the rope's radius."""
    contact_damping: Any = None
    """Of one mass [N s/m]; None: half the critical one."""
    slip_speed: Any = 5e-3
    """Below it friction is viscous [m/s]."""
    skin: Any = 0.0
    """Cover around the surface through the outline masses [m]."""
