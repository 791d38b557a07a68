"""Clips that let a rod turn: what sits in them, a light body on a joint.

A rod in a scene is solved from one body to the next. Where a clip lets it turn, its two sides still share a direction and a
twist there: that of a body in the clip, hinged to what carries it and so light that it is where the moments of both sides
balance at the end of every step.
"""

from collections.abc import Iterator

from taut.scene.bodies import Body
from taut.scene.cables import Cable
from taut.scene.joints import Ball, Hinge, Joint
from taut.scene.parts import Clip

#: mass of what sits in a clip, or of a branch, beside that of its cable [-]: its weight is not seen in the shape
LIGHT = 1e-7


def clips_of(cable: Cable) -> dict[str, Clip]:
    """Clips of a rod from its start, by their names in read-outs."""
    clips = [part for part in cable.route if isinstance(part, Clip)]
    return {clip.name or f"clip_{k}": clip for k, clip in enumerate(clips, 1)}


def turns(clip: Clip) -> bool:
    """Whether a clip lets the rod spin or turn."""
    return clip.release not in ("fixed", "slide")


def slides(clip: Clip) -> bool:
    """Whether a clip lets the rod slide through."""
    return clip.release in ("slide", "both", "duct")


def seat_name(cable: str, clip: str) -> str:
    """Name of the body that turns in a clip."""
    return f"{cable}_{clip}"


def seats(name: str, cable: Cable) -> Iterator[tuple[str, Body, Joint]]:
    """The body in each clip that lets the rod turn, and the joint that holds it there."""
    mass = LIGHT * max(cable.line_mass(), 1e-3) * float(cable.length or 1.0)
    spread = mass * (0.5 * cable.thickness()) ** 2
    for called, clip in clips_of(cable).items():
        if not turns(clip) or clip.at is None:
            continue
        seat = seat_name(name, called)
        body = Body(mass=mass, inertia=(spread, spread, spread), position=clip.at, collide=False, visible=False)
        joint: Joint = Ball(a=clip.on, b=seat, at=clip.at)
        if clip.release in ("twist", "both") and clip.direction is not None:
            joint = Hinge(a=clip.on, b=seat, at=clip.at, axis=clip.direction)
        yield seat, body, joint
