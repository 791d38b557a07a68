"""What may stand in a route file, field by field: only to find every mistake in it. What is read is the data as written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from taut.cables.rod.clip_names import unfit_name
from taut.cables.rod.rod import FEWEST, MOST
from taut.cables.rod.targets import releases_of
from taut.cables.rod.values import BENDING, CURVATURE, RodError
from taut.scene import units
from taut.scene.quantity import (  # fmt: skip
    Count,
    Direction,
    Force,
    Length,
    Point,
    PositiveLength,
    Quantity,
    Torque,
    Typed,
    Vector,
    refuse,
)
from taut.scene.shapes import Shape
from taut.scene.spec import Spec
from taut.scene.units import Kind

Quaternion = Annotated[tuple[float, float, float, float], Vector(units.NUMBER, count=4, direction=True)]
#: a heading with nothing under it is the same as none
_absent = BeforeValidator(lambda given: {} if given is None else given)


@dataclass(frozen=True)
class Along(Typed):
    """A number, or a list of them: about both axes, or for each segment."""

    kind: Kind
    positive: bool = False
    above: float | None = None
    most: float | None = None

    def read(self, value: object) -> object:
        if isinstance(value, list | tuple) and value:
            return [self.read(one) for one in value]
        found = Quantity(self.kind, self.positive).read(value)
        if self.above is not None and self.most is not None and not self.above < found <= self.most:
            raise refuse(f"expected {self.kind.name} above {self.above:g} and up to {self.most:g}")
        return found

    def schema(self) -> dict[str, Any]:
        return {"x-unit": self.kind.unit}


class LengthOrAuto(Typed):
    """A length, or the word auto."""

    def read(self, value: object) -> object:
        return value if value == "auto" else Quantity(units.LENGTH, positive=True).read(value)

    def schema(self) -> dict[str, Any]:
        return {"x-unit": units.LENGTH.unit}


class Release(Typed):
    """A kind of clip, or freedoms by name."""

    def read(self, value: object) -> object:
        if not isinstance(value, str) and not (isinstance(value, list) and all(isinstance(one, str) for one in value)):
            raise refuse("expected a kind of clip, or a list of freedoms")
        try:
            return releases_of(value)
        except RodError as error:
            raise refuse(str(error).split(" - ", 1)[-1]) from None

    def schema(self) -> dict[str, Any]:
        return {}


class ClipName(Typed):
    """What a clip is called."""

    def read(self, value: object) -> object:
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise refuse("expected a name, as in name: bracket")
        if why := unfit_name(str(value)):
            raise refuse(why)
        return str(value)

    def schema(self) -> dict[str, Any]:
        return {"type": "string"}


class Part(Spec):
    """Something that cables cannot pass through."""

    shape: Shape
    """Its shape, as in {type: box, size: [80 mm, 40 mm, 10 mm]}."""
    point: Point = (0.0, 0.0, 0.0)
    """Where it stands [m]."""
    quaternion: Quaternion = (1.0, 0.0, 0.0, 0.0)
    """How it is turned (w, x, y, z)."""


class Connector(Spec):
    """Something rigid that cables end on."""

    point: Point
    """Where it is [m]."""
    quaternion: Quaternion = (1.0, 0.0, 0.0, 0.0)
    """How it is turned (w, x, y, z)."""
    held: Literal["fixed", "free"] = "fixed"
    """Whether it stays or follows the cables."""
    mass: Annotated[float, Quantity(units.MASS, least=0.0)] = 0.0
    """Mass [kg]."""
    centre: Point = (0.0, 0.0, 0.0)
    """Centre of its mass and its shape, in its own axes [m]."""
    shape: Shape | None = None
    """Its shape."""


class Branch(Spec):
    """Where cables meet."""

    point: Point
    """Where it is to begin with [m]."""
    quaternion: Quaternion = (1.0, 0.0, 0.0, 0.0)
    """How it is turned to begin with (w, x, y, z)."""


class Tie(Spec):
    """What bundles cables."""

    cables: dict[str, Length]
    """The cables, each with the arc length where it is bundled [m]."""
    point: Point
    """Where it is to begin with [m]."""


class Section(Spec):
    """A cross-section: {diameter}, {outer, inner} or {width, height}."""

    diameter: PositiveLength | None = None
    """Diameter of a solid circle [m]."""
    outer: PositiveLength | None = None
    """Outer diameter of a tube [m]."""
    inner: PositiveLength | None = None
    """Inner diameter of a tube [m]."""
    width: PositiveLength | None = None
    """Size of a strip along d1 [m]."""
    height: PositiveLength | None = None
    """Size of a strip along d2 [m]."""

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if self.model_fields_set not in ({"diameter"}, {"outer", "inner"}, {"width", "height"}):
            raise refuse("expected {diameter}, {outer, inner} or {width, height}")
        if self.outer is not None and self.inner is not None and self.inner >= self.outer:
            raise refuse("the inner diameter must be smaller than the outer one")
        return self


class End(Spec):
    """An end of a cable."""

    at: str | None = None
    """Name of the connector or branch it sits on."""
    point: Point | None = None
    """Where it is [m]; on a connector in its axes."""
    direction: Direction = (1.0, 0.0, 0.0)
    """Direction of growing arc length."""
    up: Direction | None = None
    """Which side is up: how it is rolled."""
    quaternion: Quaternion | None = None
    """The whole frame (w, x, y, z), z along the cable."""
    held: Literal["clamped", "pinned"] = "clamped"
    """Whether its direction is held too."""

    @model_validator(mode="after")
    def _somewhere(self) -> Self:
        if self.at is None and self.point is None:
            raise refuse("point is missing: where it is, or at: the connector it sits on")
        return self


class Clip(Spec):
    """A pose at which a cable is held."""

    s: Length
    """Arc length of the cable there [m]."""
    point: Point
    """Where it is [m]."""
    name: Annotated[str | None, ClipName()] = None
    """What it is called: one line, which no other clip of the cable is called. Without it, clip 2 for the second one of the list."""
    release: Annotated[Any, Release()] = "fixed"
    """What it lets go: a kind (fixed, twist, slide, both, ball, duct), or a list of freedoms (slide, across1, across2, twist, bend1, bend2)."""
    direction: Direction = (1.0, 0.0, 0.0)
    """Direction of growing arc length."""
    up: Direction | None = None
    """Which side is up: how it is rolled."""
    quaternion: Quaternion | None = None
    """The whole frame (w, x, y, z), z along the cable."""


class Via(Spec):
    """A place where the search for the first shape of a cable begins."""

    s: Length
    """Arc length of the cable there [m]."""
    point: Point
    """Where it is to begin with [m]."""


class Limits(Spec):
    """What a cable must keep to."""

    bend_radius: Length | None = None
    """Least bend radius [m]."""
    twist: Annotated[float, Quantity(units.ANGLE)] | None = None
    """Most twist between two places [rad]."""
    end_force: Force | None = None
    """Most force at an end [N]."""
    end_moment: Torque | None = None
    """Most moment at an end [N m]."""
    clip_force: Force | None = None
    """Most force in a clip [N]."""
    clearance: Length | None = None
    """Least distance to a part [m]."""
    length: Length | None = None
    """Most length [m]."""


#: an end, or the word free
EndOrFree = Annotated[End | None, BeforeValidator(lambda given: None if given == "free" else given)]


class Cable(Spec):
    """A cable and its material."""

    length: Annotated[Any, LengthOrAuto()]
    """Its length [m], or auto, with a tension."""
    tension: Annotated[float, Quantity(units.FORCE, positive=True)] | None = None
    """The pull that finds an automatic length [N]."""
    segments: Annotated[int, Count(FEWEST, MOST)] = 100
    """Into how many segments it is cut."""
    section: Section | None = None
    """Its cross-section."""
    E: Annotated[Any, Along(units.PRESSURE, True)] = None
    """Young's modulus [Pa]."""
    nu: Annotated[Any, Along(units.NUMBER, above=-1.0, most=0.5)] = None
    """Poisson's ratio [-], above -1 and up to 0.5."""
    G: Annotated[Any, Along(units.PRESSURE, True)] = None
    """Shear modulus [Pa]."""
    EI: Annotated[Any, Along(BENDING, True)] = None
    """Bending stiffness [N m^2]."""
    GJ: Annotated[Any, Along(BENDING, True)] = None
    """Torsional stiffness [N m^2]."""
    density: Annotated[Any, Along(units.DENSITY)] = None
    """Density [kg/m^3]."""
    mass_per_length: Annotated[Any, Along(units.LINEAR_DENSITY)] = None
    """Mass per length [kg/m]."""
    rest_curvature: Annotated[Any, Along(CURVATURE)] = 0.0
    """Curvature without moment about both axes [1/m]."""
    rest_twist: Annotated[Any, Along(CURVATURE)] = 0.0
    """Twist without moment [rad/m]."""
    radius: PositiveLength | None = None
    """Radius of what touches other things [m]."""
    material: str = ""
    """What its material is called, as hydraulic hose: only a name, for people and reports."""
    start: EndOrFree
    """Where it begins, or the word free."""
    end: EndOrFree
    """Where it ends, or the word free."""
    clips: Annotated[tuple[Clip, ...], BeforeValidator(lambda given: () if given is None else given)] = ()
    """What holds it in between."""
    through: Annotated[tuple[Via, ...], BeforeValidator(lambda given: () if given is None else given)] = ()
    """Where the search for its first shape begins, in between: of several shapes that are stable the near one is found. Nothing holds it there."""
    limits: Annotated[Limits, _absent] = Limits()
    """What it must keep to."""

    @model_validator(mode="after")
    def _pulled(self) -> Self:
        if self.length == "auto" and self.tension is None:
            raise refuse("tension is missing: with length: auto it says how strongly, e.g. 0.5 N")
        if self.length == "auto" and None in (self.start, self.end):
            raise refuse("length: auto needs both ends held")
        return self


class Layout(Spec):
    """What is under `route:`."""

    gravity: Annotated[Any, Vector(units.ACCELERATION)] = (0.0, 0.0, -9.81)
    """Acceleration of free fall [m/s^2]."""
    itself: bool = False
    """Whether cables touch themselves and each other."""
    parts: Annotated[dict[str, Part], _absent] = Field(default_factory=dict)
    """Parts by name."""
    connectors: Annotated[dict[str, Connector], _absent] = Field(default_factory=dict)
    """Connectors by name."""
    branches: Annotated[dict[str, Branch], _absent] = Field(default_factory=dict)
    """Branches by name."""
    ties: Annotated[dict[str, Tie], _absent] = Field(default_factory=dict)
    """Ties by name."""
    cables: Annotated[dict[str, Cable], _absent] = Field(default_factory=dict)
    """Cables by name."""


class Document(Spec):
    """A route file."""

    taut: Literal[1]
    """Version of the format: 1."""
    name: str = ""
    """A short title."""
    description: str = ""
    """What it shows."""
    view: Mapping[str, Any] | None = None
    """What a viewer shows first, as in a scene."""
    duration: Any = None
    """How long a run takes as a scene."""
    route: Layout
    """The route."""
