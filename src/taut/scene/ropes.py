"""Ropes of the catalogue: a construction, a diameter and a grade stand for stiffness, mass and strength.

The figures and where each comes from are in rope_table.yaml; docs/ropes.md explains them.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Annotated, Any

import yaml
from pydantic import Field, GetCoreSchemaHandler, ValidationInfo, field_validator
from pydantic_core import CoreSchema, core_schema

from taut.scene import units
from taut.scene.quantity import PositiveLength, Typed, refuse
from taut.scene.spec import MISSING, UNKNOWN, Spec
from taut.scene.units import UnitError

MM = 1e-3
"""Millimetre [m]."""
SLACK = 1e-9
"""Relative slack at the ends of a range of diameters, so that 60 mm is not above 60 mm by rounding [-]."""


@dataclass(frozen=True)
class Figure:
    """One number of the catalogue and where it is taken from."""

    value: float
    source: str


@dataclass(frozen=True)
class Rope:
    """One row of the catalogue. Factors are as in EN 12385-4: diameter d in mm, stresses in N/mm^2."""

    name: str
    title: str
    grades: tuple[int, ...]
    """Grades R_r that it is made in; none for fibre ropes [N/mm^2]."""
    least_diameter: float
    """Thinnest it is made, or to which the factors hold [mm]."""
    most_diameter: float
    """Thickest it is made, or to which the factors hold [mm]."""
    diameter_source: str
    breaking: Figure
    """K in F = K d^2 R_r for steel [-]; F/d^2 for fibre ropes [N/mm^2]."""
    area: Figure
    """C in A = C d^2: metal of a steel rope, whole circle of a fibre rope [-]."""
    mass: Figure
    """W in m = W d^2 [kg/m/mm^2]."""
    modulus: Figure
    """E on the area A, bedded in [N/mm^2]."""
    lay_torque: Figure
    """k in torque = k d T, both ends held [-]."""
    shear_modulus: Figure
    """G in GJ = G pi d^4/32, on the full circle [N/mm^2]."""
    sheave_ratio: Figure | None
    """Least D/d of a sheave; None where no source says [-]."""

    def figures(self) -> dict[str, Figure]:
        """All figures by name."""
        return {name: value for name, value in vars(self).items() if isinstance(value, Figure)}


@dataclass(frozen=True)
class RopeData:
    """What a rope of the catalogue amounts to."""

    axial_stiffness: float
    """EA, bedded in [N]."""
    torsional_stiffness: float
    """GJ, torque per twist per length [N m^2]."""
    lay_torque: float
    """Torque per tension while both ends are held [m]."""
    mass_per_length: float
    """[kg/m]."""
    breaking_load: float
    """Minimum breaking force [N]."""
    minimum_sheave_ratio: float | None
    """Advised least diameter of a sheave over that of the rope; None where no source says [-]."""
    source: str
    """Where each figure comes from, one per line."""


@cache
def rope_table() -> Mapping[str, Rope]:
    """All ropes of the catalogue, by name."""
    text = resources.files("taut.scene").joinpath("rope_table.yaml").read_text(encoding="utf-8")
    # the parser in C, where PyYAML has it: a tenth of a second less at every start
    table = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return {name: _rope(name, row) for name, row in table["ropes"].items()}


def _rope(name: str, row: dict[str, Any]) -> Rope:
    span, circle = row["diameter"], Figure(math.pi / 4.0, "circle of the nominal diameter")
    return Rope(
        name=name,
        title=row["title"],
        grades=tuple(row["grades"]),
        least_diameter=float(span["least"]),
        most_diameter=float(span["most"]),
        diameter_source=span["source"],
        breaking=_figure(row["breaking"]),
        area=_figure(row["area"]) if "area" in row else circle,
        mass=_figure(row["mass"]),
        modulus=_figure(row["modulus"]),
        lay_torque=_figure(row["lay_torque"]),
        shear_modulus=_figure(row["shear_modulus"]),
        sheave_ratio=_figure(row["sheave_ratio"]) if "sheave_ratio" in row else None,
    )


def _figure(entry: dict[str, Any]) -> Figure:
    return Figure(float(entry["value"]), entry["source"])


class Grade(Typed):
    """Tensile grade of the wires, one of those the construction is made in; fibre ropes have none."""

    def read(self, value: object, rope: Rope | None = None) -> int | None:
        if value is None:
            if rope is not None and rope.grades:
                raise refuse(f"missing: the grade of {rope.name} [N/mm^2], one of {_numbers(rope.grades)}", MISSING)
            return None
        if rope is not None and not rope.grades:
            raise refuse(f"{rope.name} is a fibre rope and has no grade: leave it out")
        number = self._number(value)
        allowed = rope.grades if rope is not None else ()
        if number != math.floor(number) or (allowed and number not in allowed):
            which = f" of {rope.name} in N/mm^2, one of {_numbers(allowed)}" if rope is not None else " such as 1770"
            raise refuse(f"expected a grade{which}")
        return int(number)

    def _number(self, value: object) -> float:
        """1770, '1770' or '1770 N/mm^2'; what cannot be read is no whole number."""
        for kind, size in ((units.NUMBER, 1.0), (units.PRESSURE, 1e6)):
            try:
                return round(units.parse(value, kind) / size, 6)
            except UnitError:
                continue
        return 0.5

    def schema(self) -> dict[str, Any]:
        grades = sorted({grade for rope in rope_table().values() for grade in rope.grades})
        return {"anyOf": [{"enum": grades}, {"type": "string"}, {"type": "null"}], "x-unit": "N/mm^2"}

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        def by_rope(value: object, info: ValidationInfo) -> int | None:
            # a construction that was refused is not among the data: one mistake is enough
            known = "construction" in info.data
            return self.read(value, rope_table()[info.data["construction"]]) if known else None

        return core_schema.with_info_plain_validator_function(by_rope)


class RopeChoice(Spec):
    """A rope of the catalogue."""

    construction: str
    """Name of a construction in the catalogue, e.g. 6x36WS-IWRC or polyester [-]."""
    diameter: PositiveLength
    """Nominal diameter, within the range of the construction [m]."""
    grade: Annotated[int | None, Grade(), Field(validate_default=True)] = None
    """Tensile grade of the wires of a steel rope, e.g. 1770; fibre ropes have none [N/mm^2]."""

    @field_validator("construction")
    @classmethod
    def _in_catalogue(cls, name: str) -> str:
        if name not in rope_table():
            raise refuse("no such rope", UNKNOWN, name=name, known=list(rope_table()))
        return name

    @field_validator("diameter")
    @classmethod
    def _in_range(cls, diameter: float, info: ValidationInfo) -> float:
        if "construction" in info.data:
            rope = rope_table()[info.data["construction"]]
            least, most = rope.least_diameter, rope.most_diameter
            if not least * (1.0 - SLACK) <= diameter / MM <= most * (1.0 + SLACK):
                raise refuse(f"expected a diameter of {rope.name} from {least:g} mm to {most:g} mm")
        return diameter

    def rope(self) -> Rope:
        """Its row of the catalogue."""
        return rope_table()[self.construction]

    def data(self) -> RopeData:
        """Stiffness, mass and strength at this diameter and grade."""
        rope, d = self.rope(), self.diameter / MM
        ratio = rope.sheave_ratio
        return RopeData(
            axial_stiffness=rope.modulus.value * rope.area.value * d**2,
            # N/mm^2 mm^4 = N mm^2
            torsional_stiffness=rope.shear_modulus.value * math.pi * d**4 / 32.0 * MM**2,
            lay_torque=rope.lay_torque.value * self.diameter,
            mass_per_length=rope.mass.value * d**2,
            breaking_load=rope.breaking.value * d**2 * (self.grade or 1),
            minimum_sheave_ratio=ratio.value if ratio is not None else None,
            source="\n".join(f"{name}: {figure.source}" for name, figure in rope.figures().items()),
        )


def _numbers(numbers: tuple[int, ...]) -> str:
    return ", ".join(str(number) for number in numbers)
