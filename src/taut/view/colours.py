"""Colours of the page, red, green and blue from 0 to 1."""

from __future__ import annotations

import numpy as np

Colour = tuple[float, float, float]


def from_hex(text: str) -> Colour:
    """'#rrggbb' as numbers."""
    red, green, blue = (int(text[i : i + 2], 16) / 255.0 for i in (1, 3, 5))
    return (red, green, blue)


def as_bytes(colour: Colour) -> tuple[int, int, int]:
    """From 0 to 255, as the page wants it."""
    red, green, blue = (round(255.0 * part) for part in colour)
    return (red, green, blue)


def shaded(colour: Colour, light: float) -> Colour:
    """The same colour, lighter or darker by a factor."""
    red, green, blue = (min(light * part, 1.0) for part in colour)
    return (red, green, blue)


WHITE = (1.0, 1.0, 1.0)
#: the accent of buttons and sliders
BRAND = (16, 78, 107)
STATIC = from_hex("#323b47")
KINEMATIC = from_hex("#ffb000")
CHAIN = from_hex("#5b6675")
PARTICLE = from_hex("#e0342b")
ROPE = from_hex("#4a3f35")
CABLE = from_hex("#454b53")
SHEAVE = from_hex("#c2c9d1")
DRUM = from_hex("#8795a5")
#: the scale of tension: both ends and the middle, told apart by lightness too
SLACK, WARM, HOT = from_hex("#7fb3d9"), from_hex("#f2b233"), from_hex("#c3121f")
ROD = from_hex("#6f7c8a")
MARK = from_hex("#d8dee6")
GROUND = from_hex("#d9dde1")
CELL = from_hex("#c6ccd3")
SECTION = from_hex("#a9b2bd")

#: dynamic bodies without a colour of their own, in turn
DYNAMIC = tuple(from_hex(text) for text in ("#0f7aa8", "#e0342b", "#c47f35", "#5a9367", "#8b6fb0", "#e07a5f"))


def heat(share: np.ndarray) -> np.ndarray:
    """Colours from slack to hot for shares from 0 to 1, from 0 to 255, shape (n, 3)."""
    part = np.clip(share, 0.0, 1.0)
    stops = np.array([as_bytes(SLACK), as_bytes(WARM), as_bytes(HOT)], float)
    mixed = np.column_stack([np.interp(part, (0.0, 0.5, 1.0), stops[:, k]) for k in range(3)])
    return np.round(mixed).astype(np.uint8)


def of_body(kind: str, number: int) -> Colour:
    """The colour of a body that was given none."""
    if kind == "static":
        return STATIC
    return KINEMATIC if kind == "kinematic" else DYNAMIC[number % len(DYNAMIC)]
