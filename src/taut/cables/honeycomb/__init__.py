"""The honeycomb rope: a lattice of masses and springs with a cross-section."""

from taut.cables.honeycomb.rope import Honeycomb
from taut.cables.honeycomb.spec import PRINTED, Elastic, Obstacle, Springs, Surroundings
from taut.cables.honeycomb.values import HoneycombError, HoneycombWarning

__all__ = [
    "PRINTED",
    "Elastic",
    "Honeycomb",
    "HoneycombError",
    "HoneycombWarning",
    "Obstacle",
    "Springs",
    "Surroundings",
]
