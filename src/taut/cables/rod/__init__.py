"""The quasi-static Cosserat rod: hoses and cables in equilibrium, for routing and assembly."""

from taut.cables.rod.clearance import Clearance
from taut.cables.rod.ends import Clamp, Free, Pin
from taut.cables.rod.harness import Harness, On
from taut.cables.rod.network import Solution
from taut.cables.rod.rod import Rod
from taut.cables.rod.sections import Hollow, Rectangular, Round
from taut.cables.rod.values import RodError

__all__ = [
    "Clamp",
    "Clearance",
    "Free",
    "Harness",
    "Hollow",
    "On",
    "Pin",
    "Rectangular",
    "Rod",
    "RodError",
    "Round",
    "Solution",
]
