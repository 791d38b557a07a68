"""What a person has chosen to see of a scene, kept when the same scene is built anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Look:
    """Choices that are no part of the scene."""

    by_tension: bool = False
    """Whether ropes are coloured by their tension."""
    by_share: bool = False
    """Whether they are coloured by its share of what breaks them."""
    by_bend: bool = False
    """Whether those that resist it are coloured by their bend."""
    arrows: bool = False
    """Whether forces are shown as arrows."""
    speed: float = 1.0
    """Simulated seconds per second."""
    quantities: tuple[str, ...] = ()
    """What is plotted, the latest choice last; empty: what the scene measures first."""
    stopped: bool = False
    """Whether the emergency stop is on."""
    presets: Mapping[int, str] = field(default_factory=dict)
    """The camera preset that each browser has chosen, by its number."""
