"""From the common description of a cable to a lattice: what `model: honeycomb` of a scene becomes."""

from __future__ import annotations

import math

import numpy as np

from taut.cables.honeycomb.arrays import Arrays
from taut.cables.honeycomb.compile import compile_rope
from taut.cables.honeycomb.frequency import stable_step
from taut.cables.honeycomb.lattice import Lattice, build
from taut.cables.honeycomb.spec import Elastic, Springs, Surroundings
from taut.cables.honeycomb.stepping import FIRST, SAFETY
from taut.scene.cables import Cable
from taut.scene.lattices import Lattice as Description
from taut.scene.parts import End
from taut.scene.segments import Strand, bending_of, twisting_of

Array = np.ndarray

#: explicit steps shorter than this deserve another scheme; than that they are refused [s]
SHORT, TOO_SHORT = 20e-6, 2e-6


def description(cable: Cable) -> Description:
    """The lattice of a cable, or all defaults."""
    return cable.lattice or Description()


def material_of(cable: Cable) -> Elastic | Springs:
    """Springs one by one, or the material that they are calibrated from."""
    given = description(cable)
    if given.springs is not None:
        return Springs(**{name: getattr(given.springs, name) for name in type(given.springs).model_fields})
    return Elastic(
        EA=cable.stiffness(), EI=bending_of(cable)[0], GJ=twisting_of(cable), diameter=cable.thickness(),
        mass_per_length=cable.line_mass(), damping_time=cable.damping_time, section_stiffness=given.section_stiffness,
    )  # fmt: skip


def lattice_of(strand: Strand) -> Lattice:
    """The lattice of a cable. Raises HoneycombError."""
    given = description(strand.cable)
    table = [(row.strain, row.force) for row in given.force_strain] or None
    return build(material_of(strand.cable), strand.length, given.layers, given.arrangement, given.one_sided, table)


def holds_of(cable: Cable) -> tuple[str, str]:
    """How both ends are held."""
    first, last = (
        ("clamp" if part.hold == "pose" else "pin") if isinstance(part, End) else "free"
        for part in (cable.route[0], cable.route[-1])
    )
    return first, last


def arrays_of(strand: Strand, lattice: Lattice, gravity: tuple[float, ...]) -> Arrays:
    """Masses laid along the route, at rest; no obstacles yet. Raises HoneycombError."""
    given = description(strand.cable)
    around = Surroundings(
        gravity=tuple(gravity), air_drag=given.air_drag, self_contact=given.self_contact,
        self_friction=given.self_friction, contact_stiffness=given.contact_stiffness,
        contact_damping=given.contact_damping, slip_speed=given.slip_speed, skin=given.skin,
    )  # fmt: skip
    return compile_rope(lattice, np.array(strand.line, float), holds_of(strand.cable), (0.0, 0.0), around)


def first_modes(arrays: Arrays) -> Array:
    """Vectors that the search for the highest frequency begins with, shape (2, N, 3)."""
    return np.random.default_rng(0).standard_normal((2, *arrays.pos.shape))


def first_stable_step(arrays: Arrays, modes: Array) -> float:
    """Largest stable explicit step of the lattice as it is laid [s]."""
    return float(stable_step(arrays, modes, FIRST))


def scheme_of(cable: Cable, carries: bool, stable: float) -> str:
    """The scheme that is used: the one asked for, or implicit where it carries bodies or explicit steps would be short."""
    if cable.scheme != "standard":
        return cable.scheme
    return "implicit" if carries or SAFETY * stable < SHORT else "verlet"


def substeps_of(asked: int | str, stable: float, dt: float) -> int:
    """Explicit steps in a step."""
    return int(asked) if asked != "auto" else max(1, math.ceil(dt / (SAFETY * stable)))
