"""What is attached while running: a body holds another one, or a cable, where it is just then."""

from typing import Literal

from taut.scene.forms import Quaternion
from taut.scene.joints import JointSpec
from taut.scene.quantity import Vec3

GripKind = Literal["pose", "ball", "slide"]


class Grip(JointSpec):
    """Holds a point of a to a point of b, given in the frames of both bodies; made by `Simulation.attach` only."""

    type: Literal["grip"] = "grip"
    """What it is: grip."""
    kind: GripKind = "ball"
    """pose holds position and orientation, ball the position, slide keeps the point of b on the z axis of a."""
    point_a: Vec3 = (0.0, 0.0, 0.0)
    """In the frame of a [m]."""
    point_b: Vec3 = (0.0, 0.0, 0.0)
    """In the frame of b [m]."""
    frame_a: Quaternion = (1.0, 0.0, 0.0, 0.0)
    """In the frame of a [-]."""
    frame_b: Quaternion = (1.0, 0.0, 0.0, 0.0)
    """In the frame of b [-]."""
