"""Falls that the rope comes to from aside or from below: what stands before them is their first upper wheel."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from taut.cables.massless.columns import W_ARRIVES, W_LEAVES
from taut.measure import ropes
from taut.scene.parts import Falls

#: angle between the line that comes and the falls beyond which it is told [deg]
FAR = 45.0


def slanted(sim: Any) -> list[str]:
    """In words, for each rope whose line comes to the lower block from far off the direction of its falls."""
    found = []
    for name in () if sim.compiled.ropes is None else sim.compiled.ropes.names:
        route = sim.scene.cables[name].route
        falls, k = route[-1], len(route) - 1
        if not isinstance(falls, Falls):
            continue
        place = sim.work.part_place[ropes.parts(sim, name)]
        line = place[k, W_ARRIVES : W_ARRIVES + 3] - place[k - 1, W_LEAVES : W_LEAVES + 3]
        down = np.subtract(falls.lower_at, falls.upper_at)
        size = float(np.linalg.norm(line) * np.linalg.norm(down))
        angle = math.degrees(math.acos(max(-1.0, min(1.0, float(line @ down) / size)))) if size > 0.0 else 0.0
        if angle > FAR:
            before = route[k - 1].name or f"the {route[k - 1].type} at route[{k - 1}]"
            found.append(
                f"{name}: its line comes from {before} to the lower block at {angle:.0f} degrees to the falls: what stands before falls is "
                "their first upper wheel. Put a sheave above the lower block there"
            )
    return found
