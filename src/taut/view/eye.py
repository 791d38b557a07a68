"""The camera of a browser, pointed anywhere it may have been left."""

from __future__ import annotations

from typing import Any

import numpy as np


def look(camera: Any, position: np.ndarray, target: np.ndarray) -> None:
    """Let a camera of viser stand at a place and look at another [m].

    The place first: what is looked at goes along with it. A browser that has just come back may look at where it stands, which goes
    along too, and is refused.
    """
    if np.array_equal(camera.position, camera.look_at):
        camera.look_at = target
    camera.position = position
    camera.look_at = target
