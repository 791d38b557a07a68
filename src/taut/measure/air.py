"""The wind as it blows at one moment."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from taut.scene import Wind


def blowing(wind: Wind, speed: float, time: float) -> np.ndarray:
    """Velocity of a wind whose steady part has a speed [m/s], gusts included, at a time [s], at its reference height [m/s], shape (3,).

    (speed + amplitude sin(2 pi t / period)) along its direction, as in `step/forces.py: add_wind`.
    """
    if wind.gust is not None:
        speed += wind.gust.amplitude * math.sin(2.0 * math.pi * time / wind.gust.period)
    way = np.asarray(wind.direction, float)
    return np.asarray(speed * way / np.linalg.norm(way))


def wind(sim: Any) -> np.ndarray:
    """Velocity of the wind of a simulation now [m/s], shape (3,)."""
    return blowing(sim.scene.wind, sim.controls["wind.speed"], sim.time)
