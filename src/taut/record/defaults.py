"""What a recording holds unless told otherwise: enough to understand a run, not everything of thousands of bodies."""

from __future__ import annotations

from typing import Any

from taut.cables.massless.columns import SIGNALS
from taut.record.statistics import name_in

#: elements of one kind beyond which their own quantities are left out; the poses are always there
MANY = 100
_WHOLE = ("energy", "residual", "contact")
_COUNTERS = ("step.redone", "step.second_passes", "step.redundant_rows")
_OF_CABLES = (
    "tension", "rope_out", "path", "twist", "sag", "upper_tension", "lower_tension", "frequency", "bend", "course",
    "course_tension", "model",
)  # fmt: skip
_OF_LATTICES = ("tension", "stretch", "twist", "lowest", "substeps", "limited_steps", "surface")
_OF_RODS = ("bend_radius", "twist", "tension", "start_force", "end_force", "end_moment", "reach", "shape")
_OF_WINCHES = ("pull", "before", "after", "grip", "line_speed", "clearance", "load_radius", "hook_load", "load_share")
_OF_JOINTS = ("tension", "length", "angle", "travel", "motor_force")


def default_names(sim: Any) -> list[str]:
    """Energies, residuals, contacts, tensions, lengths and angles of joints, chains, sway of what hangs, measures."""
    scene, known = sim.scene, sim.names
    found = [name for name in known if name.partition(".")[0] in _WHOLE] + list(_COUNTERS)
    joints = list(scene.joints)
    if len(joints) > MANY:
        joints = [name for name in joints if getattr(scene.joints[name], "motor", None) is not None][:MANY]
    wanted = [f"{joint}.{quantity}" for joint in joints for quantity in _OF_JOINTS]
    wanted += [f"{chain}.{quantity}" for chain in scene.chains for quantity in ("tension", "opening", "lowest")]
    wanted += [f"{cable}.{quantity}" for cable in scene.ropes() for quantity in _OF_CABLES]
    wanted += [
        f"{cable}.{quantity}"
        for cable in scene.strands()
        for quantity in ("tension", "opening", "lowest", "twist", "model", "sag_ratio")
    ]
    wanted += [f"{cable}.{quantity}" for cable in scene.lattices() for quantity in _OF_LATTICES]
    wanted += [f"{cable}.{quantity}" for cable in scene.rods() for quantity in _OF_RODS]
    if sim.compiled.ropes is not None:
        of_winches = (*_OF_WINCHES, *(f"{signal}_signal" for signal in SIGNALS))
        wanted += [f"{winch}.{quantity}" for winch in sim.compiled.ropes.winch_names for quantity in of_winches]
    wanted += [f"{body}.sway" for body in _hanging(scene)[:MANY]]
    found += [name for name in wanted if name in known]
    return list(dict.fromkeys([*found, *(name_in(text) for text in scene.measures)]))


def _hanging(scene: Any) -> list[str]:
    """Bodies that hang on a chain or a distance joint."""
    from taut.scene import Distance

    tied = [end for chain in scene.chains.values() for end in (chain.b, chain.a)]
    tied += [end for strand in scene.strands().values() for end in strand.held if end is not None]
    tied += [part.on for cable in scene.lattices().values() for part in cable.route if part.type == "end"]
    tied += [end for joint in scene.joints.values() if isinstance(joint, Distance) for end in (joint.b, joint.a)]
    return [name for name in dict.fromkeys(tied) if name in scene.bodies and scene.bodies[name].moved_by_forces]
