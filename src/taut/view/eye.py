"""The camera of a browser, pointed anywhere it may have been left."""

from __future__ import annotations

from typing import Any

import numpy as np


def look(camera: Any, position: np.ndarray, target: np.ndarray) -> None:
    """Let a camera of viser stand at a place and look at another [m].

    What is looked at goes along with the place, so that it is set after it; and before it, for a browser that has just come back may look
    at where it stands, or nearly so, which goes along too and is refused.
    """
    if not np.allclose(camera.position, target):
        camera.look_at = target
    camera.position = position
    camera.look_at = target
