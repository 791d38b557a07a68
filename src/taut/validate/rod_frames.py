"""Validation of the rod: what a frame of dragging costs in Newton iterations."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from taut.cables.rod import Clamp, Rod
from taut.validate.item import Item, below
from taut.validate.lab import Lab


def frames(lab: Lab) -> Iterator[Item]:
    """24 frames each of dragging by 1 cm and turning by 5 degrees, rod of 1 m and 100 segments."""
    drags: dict[str, Callable[[Rod, int], None]] = {
        "drag": lambda rod, k: rod.move_end((0.6 - 0.005 * k, 0.007 * k, 0.005 * k)),
        "turn": lambda rod, k: rod.rotate_end((0.0, 1.0, 0.3), "5 deg"),
        "twist": lambda rod, k: rod.twist_end("5 deg"),
    }
    for name, drag in drags.items():
        rod = Rod(
            1.0, 100, start=Clamp((0, 0, 0)), end=Clamp((0.6, 0, 0)), EI=1, GJ=1, mass_per_length=102,
            gravity=(0, 0, -1),
        )  # fmt: skip
        rod.solve()
        solutions = []
        for k in range(1, 25):
            drag(rod, k)
            solutions.append(rod.solve())
        yield below(
            f"rod.frame.{name}", max(one.iterations for one in solutions), 4, unit="iterations",
            source="Newton is quadratic",
            reason="acceptance", note=f"residual {max(one.residual for one in solutions):.0e}",
        )  # fmt: skip
        fallbacks = sum(one.shifts + one.backtracks + one.steps - 1 for one in solutions)
        yield below(
            f"rod.frame.{name}.fallbacks",
            fallbacks,
            0,
            unit="-",
            source="each frame is near the last",
            reason="acceptance",
        )
