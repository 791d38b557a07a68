"""What was changed of a scene in the page: it outlives a scene that is built anew because a cable got another model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from taut.scene import Scene


@dataclass(frozen=True)
class Made:
    """Changes since a scene was opened."""

    scene: Scene
    """As it was opened."""
    changes: tuple[str, ...]
    """All of them, such as 'load.mass=2 t'."""
    before: tuple[int, ...]
    """How many there were before each step that can be undone."""
    element: str
    """What was changed last."""
    base: float
    """Potential energy at the start [J]."""


def models(changes: tuple[str, ...] | list[str]) -> dict[str, str]:
    """Models that changes give to cables, by the place they are written at."""
    parts = (change.partition("=") for change in changes)
    return {place: value for place, _, value in parts if place.endswith(".model")}
