"""What the viewer shows first."""

from taut.scene.quantity import Point, PositiveLength, Speed
from taut.scene.spec import Spec


class Gate(Spec):
    """A place that a load is led through."""

    position: Point
    """Its middle [m]."""
    radius: PositiveLength = 0.5
    """Room around the load: how far its middle may be off, whichever way it is turned [m]."""


class Course(Spec):
    """An exercise on the page: a load is led through gates, one after the other, and comes to rest in the last one."""

    load: str
    """The body that is led."""
    gates: tuple[Gate, ...]
    """Where it is led through."""
    rest: Speed = 0.1
    """The load rests when it is no faster than this for a second [m/s]."""


class ViewSettings(Spec):
    """Camera, ground and exercise."""

    camera: Point | None = None
    """Where the camera stands; None fits the scene [m]."""
    look_at: Point | None = None
    """Where it looks to; None is the middle of the scene [m]."""
    ground: bool = True
    """Whether a grid is drawn at z = 0."""
    course: Course | None = None
    """An exercise for the operator."""
