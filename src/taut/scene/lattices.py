"""What a honeycomb cable has beyond the common description: its lattice, and how that is stepped and touched."""

from typing import Annotated, Any, ClassVar, Literal

from taut.scene import units
from taut.scene.quantity import (
    Count,
    NotNegative,
    PositiveLength,
    Quantity,
    Typed,
    refuse,
)
from taut.scene.spec import Spec
from taut.scene.units import Dimension, Kind

Constant = Annotated[float, Quantity(units.STIFFNESS, least=0.0)]
Damping = Annotated[float, Quantity(units.DAMPING, least=0.0)]
Drag = Annotated[float, Quantity(Kind("a drag coefficient", "kg/m", Dimension(-1, 1, 0), "0.02 kg/m"), least=0.0)]
MOST_LAYERS, MOST_SUBSTEPS = 100_000, 10_000_000


class SubstepCount(Typed):
    """'auto' or a whole number."""

    def read(self, value: object) -> int | str:
        if isinstance(value, str) and value.strip().lower() == "auto":
            return "auto"
        try:
            return Count(1, MOST_SUBSTEPS).read(value)
        except ValueError:
            raise refuse(f"expected auto, or a whole number from 1 to {MOST_SUBSTEPS}") from None

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"const": "auto"}, {"type": "integer", "minimum": 1, "maximum": MOST_SUBSTEPS}]}


class LatticeSprings(Spec):
    """The springs of a honeycomb cable one by one, as in paper 4, in place of a material."""

    radius: PositiveLength
    """Side of the hexagon [m]."""
    spacing: PositiveLength
    """Distance of the layers [m]."""
    mass: Annotated[float, Quantity(units.MASS, positive=True)]
    """Of every mass [kg]."""
    structural: Constant
    """Centre to ring [N/m]."""
    tension: Annotated[float, Quantity(units.STIFFNESS, positive=True)]
    """Layer to layer [N/m]."""
    torsion: Constant = 0.0
    """Ring masses two apart [N/m]."""
    bending: Constant = 0.0
    """Opposite ring masses [N/m]."""
    diagonal: Constant = 0.0
    """Layer to layer between neighbours: without them nothing resists bending and twist [N/m]."""
    centre: Constant | None = None
    """Layer to layer between the centres; None is `tension` [N/m]."""
    damping: Damping = 0.0
    """Of every spring [N s/m]."""
    quadratic: bool = False
    """Whether structural and tension springs follow the paper's law k l q |q| instead of Hooke's."""


class StrainForce(Spec):
    """One row of a force-strain table."""

    strain: Annotated[float, Quantity(units.NUMBER, least=0.0, most=10.0)]
    """Of the rope [-]."""
    force: Annotated[float, Quantity(units.FORCE, least=0.0)]
    """Of the whole rope [N]."""


class Lattice(Spec):
    """How a honeycomb cable is built, stepped and touched. The defaults are calibrated from the cable's material."""

    elsewhere: ClassVar[dict[str, str]] = dict.fromkeys(
        (
            "scheme",
            "diameter",
            "mass_per_length",
            "axial_stiffness",
            "bending_stiffness",
            "torsional_stiffness",
            "damping_time",
        ),
        "to the cable, beside `model`",
    )

    layers: Annotated[int, Count(2, MOST_LAYERS)] | None = None
    """Number of layers; None is one per hexagon side [-]."""
    arrangement: Literal["hexagon", "two_hexagons", "three_hexagons", "four_hexagons"] = "hexagon"
    """How the masses of a layer lie: 7, 10, 16 or 20 of them."""
    springs: LatticeSprings | None = None
    """The springs one by one; None calibrates them so that EA, EI and GJ of the cable come out right."""
    section_stiffness: Annotated[float, Quantity(units.STIFFNESS, positive=True)] | None = None
    """Springs inside a layer; None is as stiff as costs no smaller step [N/m]."""
    one_sided: bool = False
    """Whether radial springs only push and axial ones only pull, as in the paper; calibration holds for two-sided ones."""
    force_strain: tuple[StrainForce, ...] = ()
    """Force of the whole rope by strain, from (0, 0); its first slope is EA."""
    substeps: Annotated[int | Literal["auto"], SubstepCount()] = "auto"
    """Explicit steps in a step; auto follows the highest frequency of the deformed lattice [-]."""
    threshold: PositiveLength | None = None
    """Change of position at which a corrector has settled; None is a millionth of the hexagon's side [m]."""
    strain_limit: Annotated[float, Quantity(units.NUMBER, positive=True, most=0.9)] | None = None
    """Largest strain of a spring, kept by corrections after every substep; None is no limit [-]."""
    sweeps: Annotated[int, Count(1, 1000)] = 5
    """Most sweeps of these corrections [-]."""
    air_drag: Drag = 0.0
    """C in -C |v| v, for every mass; v against the wind where there is any [kg/m]."""
    self_contact: bool = False
    """Whether the rope touches itself."""
    self_friction: NotNegative = 0.3
    """Of rope on rope [-]."""
    contact_stiffness: Annotated[float, Quantity(units.STIFFNESS, positive=True)] | None = None
    """Of one mass; None: a mass at 3 m/s sinks in by a tenth of the rope's radius [N/m]."""
    contact_damping: Damping | None = None
    """Of one mass; None is half the critical one [N s/m]."""
    slip_speed: Annotated[float, Quantity(units.SPEED, positive=True)] = 5e-3
    """Below it friction is viscous [m/s]."""
    skin: Annotated[float, Quantity(units.LENGTH, least=0.0)] = 0.0
    """Cover around the surface through the outline masses [m]."""
