"""Cables: a material, a route over parts, and a model that simulates it.

Points and axes of parts are given in the world, as things stand at the start; the bodies then carry them along.
"""

import math
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from taut.scene import units
from taut.scene.forms import Color
from taut.scene.lattices import Lattice
from taut.scene.parts import Clip, End, Falls, Free, Ring, RoutePart, Sheave, Traction, Via, Winch, expand_falls
from taut.scene.quantity import (
    Count,
    Force,
    LinearDensity,
    Point,
    PositiveLength,
    Quantity,
    Time,
    Vector,
)
from taut.scene.ropes import RopeChoice
from taut.scene.sections import Moments, RoundSection, Section
from taut.scene.spec import Spec

Modulus = Annotated[float, Quantity(units.PRESSURE, positive=True)]
BendingStiffness = Annotated[float, Quantity(units.BENDING_STIFFNESS, least=0.0)]
MOST_SEGMENTS = 200_000


#: fields of the parts of a route that are looked for in the cable itself, such as the `acceleration` of its winch
_OF_PARTS = {
    name: f"to a part of its route (type: {part.__name__.lower()}), as in route[0].{name}"
    for part in (Traction, Winch, Sheave, End)
    for name in part.model_fields
}
RouteItem = Annotated[End | Ring | Sheave | Traction | Winch | Falls | Free | Via | Clip, Field(discriminator="type")]


class Cable(Spec):
    """A cable. Its stiffness comes from a rope of the catalogue, from modulus and diameter, or is given."""

    elsewhere: ClassVar[dict[str, str]] = _OF_PARTS

    model: Literal["massless", "layered", "segmented", "auto", "rod", "honeycomb"] = "massless"
    """How it is simulated: massless is one tension per run of rope between the parts that hold it back; layered adds the
    rope's mass, with sag and waves on every span; segmented is rigid segments that stretch, bend and twist against each
    other, with weight; auto is massless, layered or, between two ends, segmented, as taut or slack as it is just now; rod is
    a hose in equilibrium at every step, with bend, twist and weight but no inertia; honeycomb is
    a lattice of masses and springs with a cross-section."""
    route: tuple[RouteItem, ...]
    """What it runs over, from its start to its end."""
    rope: RopeChoice | None = None
    """A rope of the catalogue; fills stiffness, mass and breaking load."""
    axial_stiffness: Force | None = None
    """EA, the tension that would double its length; None with nothing else given is rigid [N]."""
    modulus: Modulus | None = None
    """Young's modulus, with `diameter` [Pa]."""
    diameter: PositiveLength | None = None
    """Of a round section; also how thick it is drawn [m]."""
    section: Section | None = None
    """Another section than a round one of `diameter`: hollow or rectangular."""
    poisson: Annotated[float, Quantity(units.NUMBER, least=-0.99, most=0.5)] = 0.3
    """Poisson's ratio, for the shear modulus where none is given [-]."""
    shear_modulus: Modulus | None = None
    """Of a section; None is modulus / (2 (1 + poisson)) [Pa]."""
    mass_per_length: LinearDensity | None = None
    """Mass of a metre of rope; the massless model leaves it out, or has its `weight` [kg/m]."""
    density: Annotated[float, Quantity(units.DENSITY, positive=True)] | None = None
    """Mass of a cubic metre, with a section, in place of `mass_per_length` [kg/m^3]."""
    bending_stiffness: BendingStiffness | None = None
    """EI: moment per curvature; None is what the section gives, or none with `axial_stiffness` alone [N m^2]."""
    bending_stiffness_across: BendingStiffness | None = None
    """EI about the other axis of the section, for straps; None is the same [N m^2]."""
    rest_curvature: Annotated[tuple[float, float], Vector(units.CURVATURE, count=2)] = (0.0, 0.0)
    """Curvature without load about both axes of the section [1/m]."""
    rest_twist: Annotated[float, Quantity(units.CURVATURE)] = 0.0
    """Twist per length without load, in radians [1/m]."""
    segments: Annotated[int, Count(1, MOST_SEGMENTS)] | None = None
    """Number of segments of a segmented cable or a rod; None follows from `segment_length` [-]."""
    segment_length: PositiveLength | None = None
    """Longest segment of a segmented cable or a rod; None with no `segments` is a thirtieth of its length, of a rod a
    fiftieth [m]."""
    detail: Literal["fixed", "auto"] = "fixed"
    """Segments of a segmented cable: fixed keeps all of them, auto merges neighbours where the cable is straight and taut
    and splits them again where it bends or goes slack; `segments` is then the most there are."""
    scheme: Literal[
        "standard", "explicit", "paper", "paper_alternative", "verlet", "predictor_corrector", "implicit"
    ] = "standard"
    """Joints of a segmented cable: standard holds both directions of bend and the twist; paper and paper_alternative
    are the five rows printed in paper 1. Steps of a honeycomb cable: verlet and predictor_corrector are explicit, implicit
    carries bodies, paper is the one printed in paper 4; standard is implicit where it carries bodies or explicit steps would
    be very short, else verlet. Waves of a layered cable: explicit is paper 2's, a baseline that stands for short steps only."""
    lattice: Lattice | None = None
    """Of a honeycomb cable: its layers, springs, substeps and contacts; None is all defaults."""
    places: tuple[Point, ...] | None = None
    """Where the joints of a segmented cable lie at the start, both ends included, one more than its segments; None lays it
    smoothly through its route. Of a rod, three or more points equally far apart along it: where the search for its first shape
    begins, which leads to the near one of several that are stable [m]."""
    loop: bool = False
    """Whether the end of a segmented cable is joined to its start; its route is then via points only."""
    collide: bool = False
    """Whether a segmented or honeycomb cable touches other bodies."""
    group: str | None = None
    """Group of bodies that its segments belong to, for `meets` of others; segmented only."""
    meets: tuple[str, ...] | None = None
    """Groups whose bodies its segments may touch; None is all; segmented only."""
    material: str | None = None
    """Name of a material of the scene for contacts; None takes the default material."""
    obstacles: tuple[str, ...] = ()
    """Bodies that a massless cable wraps round where it meets them: boxes, balls, cylinders, capsules, hulls, and convex
    meshes (others with contact: hull). Friction is that of both materials. Bodies that a rod leans on: planes, boxes, balls,
    cylinders, capsules and closed meshes, without friction."""
    wrap_room: Annotated[int, Count(1, 16)] | None = None
    """Wraps that there is room for on each obstacle; None is 2 on round ones and 6 on others [-]."""
    modes: Annotated[int, Count(1, 200)] = 12
    """Sine waves of each span in each of two directions, layered only [-]."""
    wave_damping: Annotated[float, Quantity(units.FREQUENCY, least=0.0)] = 0.0
    """Damping of the waves of a layered cable: their amplitude falls by exp(-wave_damping t/2) [Hz]."""
    prewarp: bool = True
    """Whether waves that the step resolves keep their true frequency; layered only."""
    breaking_load: Force | None = None
    """Tension at which it parts; None is that of the rope of the catalogue, or never [N]."""
    torsional_stiffness: Annotated[float, Quantity(units.BENDING_STIFFNESS, positive=True)] | None = None
    """GJ: torque per twist per length; None does not resist twist [N m^2]."""
    twist: bool = False
    """Whether a rope of the catalogue resists twist with its own torsional stiffness and lay torque."""
    lay_torque: Annotated[float, Quantity(units.LENGTH)] = 0.0
    """Torque of a laid rope per tension, with its sign; needs both stiffnesses [m]."""
    attached: bool = True
    """Whether it is tied at the start; a hook may be off."""
    reach: PositiveLength | None = None
    """Makes it a hook: the control NAME.hook ties it within this distance and unties it [m]."""
    damping_time: Time = 0.0
    """Damping as the time tau in force = k (x + tau dx/dt); the solver's floor acts below it [s]."""
    bending_damping_time: Time | None = None
    """The same of bend and twist alone, where wires or fibres rub on each other; None is damping_time; segmented only [s]."""
    length: PositiveLength | None = None
    """Unstretched length from its first to its last part, without what is on drums; None is as laid [m]."""
    tension: Force | None = None
    """Tension at the start; None and no length: as laid, without stretch [N]."""
    weight: bool = False
    """Whether the weight of a massless cable acts on its parts, from its mass per length; it has no inertia all the same."""
    lifted: bool = False
    """Whether its load is just lifted at the start: it has the tension that carries it, and the length that goes with it."""
    color: Color | None = None
    """Colour; None lets the viewer choose [-]."""

    @property
    def bare(self) -> bool:
        """Whether it runs from one end to another and over nothing else: an auto cable can then be segmented."""
        return len(self.route) == 2 and all(isinstance(part, End) for part in self.route)

    def moments(self) -> Moments | None:
        """Area [m^2], second moments and torsion constant [m^4] of its section; None when it is not known."""
        if self.section is not None:
            return self.section.moments()
        return RoundSection(diameter=self.diameter).moments() if self.diameter is not None else None

    def stiffness(self) -> float:
        """EA [N]; infinite when rigid."""
        if self.axial_stiffness is not None:
            return self.axial_stiffness
        moments = self.moments()
        if self.modulus is not None and moments is not None:
            return self.modulus * moments[0]
        if self.rope is not None:
            return self.rope.data().axial_stiffness
        return math.inf

    def bending(self) -> tuple[float, float]:
        """EI about both axes of the section [N m^2]."""
        first, second = self.bending_stiffness, self.bending_stiffness_across
        moments = self.moments()
        if first is None and self.modulus is not None and moments is not None:
            return self.modulus * moments[1], self.modulus * moments[2] if second is None else second
        first = first or 0.0
        return first, first if second is None else second

    def twisting(self) -> float:
        """GJ [N m^2] of a segmented cable or a rod; zero when it does not resist twist."""
        torsion, moments = self.torsion()[0], self.moments()
        if torsion is not None:
            return torsion
        shear = self.shear_modulus
        if shear is None and self.modulus is not None:
            shear = self.modulus / (2.0 * (1.0 + self.poisson))
        return shear * moments[3] if shear is not None and moments is not None else 0.0

    def line_mass(self) -> float:
        """Mass of a metre [kg/m]; zero when it is not given."""
        moments = self.moments()
        if self.mass_per_length is not None:
            return self.mass_per_length
        if self.density is not None and moments is not None:
            return self.density * moments[0]
        return self.rope.data().mass_per_length if self.rope is not None else 0.0

    def torsion(self) -> tuple[float | None, float]:
        """GJ [N m^2], None when it does not resist twist, and torque per tension [m]."""
        if self.torsional_stiffness is None and self.twist and self.rope is not None:
            return self.rope.data().torsional_stiffness, self.rope.data().lay_torque
        return self.torsional_stiffness, self.lay_torque

    def strength(self) -> float:
        """Breaking load [N]; infinite when not known."""
        if self.breaking_load is not None:
            return self.breaking_load
        return self.rope.data().breaking_load if self.rope is not None else math.inf

    def thickness(self) -> float:
        """Diameter for drawing [m]."""
        if self.section is not None:
            return 2.0 * self.section.radius
        if self.diameter is not None:
            return self.diameter
        return self.rope.diameter if self.rope is not None else 0.02

    def parts(self) -> list[RoutePart]:
        """The route with its falls expanded."""
        found: list[RoutePart] = []
        for item in self.route:
            found += expand_falls(item) if isinstance(item, Falls) else [item]
        return found
