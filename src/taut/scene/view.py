"""What the viewer shows first."""

from taut.scene.quantity import Point
from taut.scene.spec import Spec


class ViewSettings(Spec):
    """Camera and ground."""

    camera: Point | None = None
    """Where the camera stands; None fits the scene [m]."""
    look_at: Point | None = None
    """Where it looks to; None is the middle of the scene [m]."""
    ground: bool = True
    """Whether a grid is drawn at z = 0."""
