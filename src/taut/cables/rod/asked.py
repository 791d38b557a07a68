"""What is asked of a network of rods, and how a solve ended."""

from __future__ import annotations

from dataclasses import dataclass, field

from taut.cables.rod.chain import Chain
from taut.cables.rod.targets import Body, Target


@dataclass(frozen=True)
class Solution:
    """How a solve ended."""

    residual: float
    """Largest imbalance, relative to EI/L^2 + loads (forces) and to the length (gaps) [-]."""
    iterations: int
    """Newton iterations in all."""
    is_minimum: bool
    """The energy has a minimum here, neutral directions (a free spin) aside: the shape is stable."""
    energy: float
    """Elastic energy plus potential of weight and loads [J]."""
    steps: int
    """Strides in which the change was walked."""
    shifts: int
    """Corrections of the inertia: none in ordinary dragging."""
    backtracks: int
    """Shortened Newton steps: none in ordinary dragging."""
    largest_angle: float
    """Largest angle between neighbouring segments [rad]: above 0.5 the shape there wants more of them."""
    contacts: int = 0
    """Places where the rod is pushed."""


@dataclass
class Asked:
    """All that a person asks for."""

    chains: list[Chain] = field(default_factory=list)
    bodies: list[Body] = field(default_factory=list)
    obstacles: dict[str, Target] = field(default_factory=dict)

    def targets(self) -> list[Target]:
        """Everything with a pose, in the order in which it is walked."""
        found: list[Target] = list(self.bodies)
        for chain in self.chains:
            found += chain.handle_order
            found += chain.order
        return [*found, *self.obstacles.values()]

    def copy(self) -> Asked:
        """Independent of this one."""
        obstacles = {name: one.copy() for name, one in self.obstacles.items()}
        return Asked([chain.copy() for chain in self.chains], [body.copy() for body in self.bodies], obstacles)
