"""What a name stands for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Quantity:
    """Something that can be read: name, unit, number of components (0: a single number), meaning, and how."""

    name: str
    unit: str
    size: int
    meaning: str
    read: Callable[[Any], Any]
