"""Cables that begin with more tension than they bear: they part in the first step."""

from __future__ import annotations

from typing import Any


def overloaded(sim: Any) -> list[str]:
    """In words, for each cable that is above its breaking load as it stands. No mistake: somebody may want to see it part."""
    found = []
    for name, cable in sim.scene.cables.items():
        if f"{name}.safety" in sim.names and sim.read(f"{name}.safety") < 1.0:
            pull = cable.strength() / float(sim.read(f"{name}.safety"))
            found.append(
                f"{name}: it begins with {_force(pull)}, above its breaking load of {_force(cable.strength())}: it parts in the first step"
            )
    return found


def _force(value: float) -> str:
    return f"{value / 1000.0:.4g} kN" if value >= 1000.0 else f"{value:.4g} N"
