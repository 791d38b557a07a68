"""What is wrong with the lattice of a cable, in words and with the limit in numbers."""

from __future__ import annotations

from taut.cables.honeycomb.describe import (
    TOO_SHORT,
    arrays_of,
    description,
    first_modes,
    first_stable_step,
    lattice_of,
    scheme_of,
    substeps_of,
)
from taut.cables.honeycomb.stepping import SAFETY
from taut.cables.honeycomb.values import HoneycombError
from taut.scene.known import Known
from taut.scene.parts import End
from taut.scene.segments import Strand

#: what to use where no cross-section is to be seen
OTHER_MODELS = "if no cross-section is to be seen, model: massless or segmented (hoisting), or the studio's rod (taut route) serve better"


def complaint(strand: Strand, known: Known) -> str:
    """'field: what is wrong', or nothing."""
    cable, given = strand.cable, description(strand.cable)
    try:
        lattice = lattice_of(strand)
        if cable.scheme == "implicit":
            return ""
        ends = [part for part in (cable.route[0], cable.route[-1]) if isinstance(part, End)]
        carries = any(known.moved_by_forces(end.on) for end in ends)
        arrays = arrays_of(strand, lattice, (0.0, 0.0, 0.0))
        stable = first_stable_step(arrays, first_modes(arrays))
    except HoneycombError as error:
        text = str(error)
        return text if text.partition(": ")[0].replace(".", "").replace("_", "").isalnum() else f"lattice: {text}"
    scheme, dt = scheme_of(cable, carries, stable), known.dt
    if scheme == "implicit":
        return ""
    h = dt / substeps_of(given.substeps, stable, dt)
    need = substeps_of("auto", stable, dt)
    if given.substeps != "auto" and h > stable:
        return (
            f"substeps: {given.substeps} in {dt:.5g} s are steps of {h:.4g} s, above the stability limit of {stable:.4g} s of this "
            f"lattice; expected {need} or more, auto, or scheme: implicit"
        )
    if SAFETY * stable < TOO_SHORT:
        return (
            f"scheme: {scheme} needs explicit steps of {1e6 * SAFETY * stable:.2g} us, {need} in a step of {dt:.5g} s; expected "
            f"scheme: implicit (or none), which takes {dt:.5g} s at a time; {OTHER_MODELS}"
        )
    return ""
