"""Which model an auto cable has: at the start, and what it is for the tables of ropes then.

A cable between two ends keeps its segments in all tables; while it is a rope they stand still. It keeps its rope too; while it is
segmented that is parted and weighs nothing. So names, numbers of bodies and recordings stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from taut.scene import Scene
from taut.scene.cables import Cable
from taut.scene.segments import bending_of

MODELS = MASSLESS, LAYERED, SEGMENTED = "massless", "layered", "segmented"
#: sag over span m g/(8 T) below which a rope becomes massless, and above which it gets its waves back [-]
TAUT, HEAVY = 0.001, 0.002
#: and below which a segmented cable becomes a rope again, and above which a rope becomes segmented [-]
STRAIGHT, SLACK = 0.025, 0.05
#: part of the tension that bending stiffness stands for, 8 EI/(T l^2), and below half of which a cable becomes a rope [-]
STIFF = 0.01
#: length of rope whose weight is the tension of tables that only have the right shape: where a rope hangs is known then [m]
ANY_LENGTH = 1e5


def flatness(weight: float, tension: float) -> float:
    """Sag over span that a weight across it would give at a tension [-]; infinite without any."""
    return weight / (8.0 * tension) if tension > 0.0 else np.inf


def stiffness(bending: float, tension: float, length: float) -> float:
    """Part of its sag that bending stiffness [N m^2] takes from a span that turns freely at its ends [-]."""
    return 8.0 * bending / (tension * length**2) if tension > 0.0 else np.inf


def first_choices(scene: Scene) -> dict[str, str]:
    """Models of the auto cables at the start."""
    strands, gravity = scene.strands(), float(np.linalg.norm(scene.gravity))
    found = {}
    for name, cable in scene.autos().items():
        if not cable.bare:
            found[name] = LAYERED
            continue
        strand = strands[name]
        tension = cable.stiffness() * max(strand.laid / strand.length - 1.0, 0.0)
        sag = flatness(cable.line_mass() * strand.length * gravity, tension)
        bends = stiffness(max(bending_of(cable)), tension, strand.length)
        found[name] = SEGMENTED if sag > SLACK or bends > STIFF else MASSLESS if sag < TAUT else LAYERED
    return found


def as_ropes(scene: Scene, choices: Mapping[str, str], running: bool) -> dict[str, Cable]:
    """Massless and layered cables of a scene, auto ones as they are chosen. While running, lengths and tensions come from the
    state; those of the tables only have to be possible."""
    found = {}
    for name, cable in scene.cables.items():
        if cable.model in (MASSLESS, LAYERED):
            found[name] = cable
        elif cable.model == "auto":
            found[name] = _as_rope(cable, choices[name], running)
    return found


def _as_rope(cable: Cable, choice: str, running: bool) -> Cable:
    if choice == SEGMENTED:
        return cable.model_copy(update={"model": MASSLESS, "attached": False, "length": None, "tension": None})
    changes: dict[str, object] = {"model": choice, "weight": choice == MASSLESS}
    if running:
        changes |= {"length": None, "tension": ANY_LENGTH * cable.line_mass() if choice == LAYERED else None}
    return cable.model_copy(update=changes)
