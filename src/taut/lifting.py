"""Loads that are just lifted at the start: the tensions that carry them, found by one short step.

With rigid ropes, without contacts and in a step so short that nothing moves, the solver's forces are those of
statics. A cable that asks for it (`lifted: true`) then starts with that tension and the length that goes with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from taut.compile import compile_scene
from taut.scene import Cable, Problem, Scene, SceneError

#: length of the step [s], and the tension below which a rope carries nothing [N]. Bodies move by g h^2 = 1e-7 m in it. Rows of
#: end stops that are metres away hold their way over h: in a microsecond what gravity adds to a speed is lost beside them
INSTANT, NOTHING = 1e-4, 1e-9


def with_loads_lifted(scene: Scene) -> Scene:
    """The same scene with a tension in place of `lifted`. Raises SceneError where a rope would carry nothing."""
    wanted = [name for name, cable in scene.cables.items() if cable.lifted]
    if not wanted:
        return scene
    tensions = _tensions(scene, wanted)
    if any(scene.cables[name].weight for name in wanted):
        tensions = _tensions(scene, wanted, tensions)  # a rope that is stretched weighs less by the metre
    idle = [name for name, tension in tensions.items() if not tension > NOTHING]
    if idle:
        raise SceneError(
            [
                Problem("nothing hangs on this rope: it cannot start lifted", ("cables", name, "lifted"), "true")
                for name in idle
            ]
        )
    cables = {
        name: cable.model_copy(update={"lifted": False, "tension": tensions[name]}) if name in tensions else cable
        for name, cable in scene.cables.items()
    }
    return scene.model_copy(update={"cables": cables})


def _tensions(scene: Scene, wanted: list[str], known: Mapping[str, float] | None = None) -> dict[str, float]:
    """Largest tension of each of these cables at rest [N]; `known` are tensions that have stretched them already."""
    from taut.simulation import Simulation

    # which do not part either: that is what they do in the first step of the run
    rigid = {
        "axial_stiffness": None, "modulus": None, "rope": None, "lifted": False, "torsional_stiffness": None, "breaking_load": None,
    }  # fmt: skip
    plain: dict[str, Any] = {
        name: cable.model_copy(update={**rigid, "mass_per_length": _mass(cable, (known or {}).get(name, 0.0))})
        if name in wanted
        else cable
        for name, cable in scene.cables.items()
    }
    still = {"velocity": (0.0, 0.0, 0.0), "spin": (0.0, 0.0, 0.0), "collide": False}
    bodies = {
        name: body.model_copy(update=still) if body.moved_by_forces else body for name, body in scene.bodies.items()
    }
    instant = scene.model_copy(update={"dt": INSTANT, "cables": plain, "bodies": bodies, "wind": None})
    sim = Simulation.of(compile_scene(instant))
    sim.run(3)
    return {name: float(sim.read(f"{name}.tensions").max()) for name in wanted}


def _mass(cable: Cable, tension: float) -> float | None:
    """Mass of a metre of a cable stretched by a tension [kg/m]; None without any."""
    return cable.line_mass() / (1.0 + tension / cable.stiffness()) or None
