"""Scenes of the honeycomb rope: a rope, what it may touch, and how its ends are driven.

python -m taut.scenes.honeycomb_ropes falling_rope --picture rope.png
python -m taut.scenes.honeycomb_ropes coil_lift --view
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from taut.cables.honeycomb import PRINTED, Elastic, Honeycomb, Obstacle, Springs, Surroundings
from taut.scene import Plane

Array = np.ndarray


def _stand(rope: Honeycomb) -> None:
    """Nothing is driven."""


@dataclass
class Play:
    """A rope with its script."""

    name: str
    about: str
    rope: Honeycomb
    duration: float  # [s]
    obstacles: tuple[Obstacle, ...] = ()
    drive: Callable[[Honeycomb], None] = _stand  # called before every step

    def step(self, count: int = 1) -> None:
        """So many steps of the rope, driven."""
        for _ in range(count):
            self.drive(self.rope)
            self.rope.step()


def falling_rope(scheme: str = "verlet") -> Play:
    """Fig. 8 of paper 4, with its constants: a rope held at one end falls, bounces on the ground and comes to rest.

    K_d and diagonals, which the paper does not give, are ours.
    """
    ground = Obstacle(Plane(), friction=0.2)
    around = Surroundings(
        gravity=(0, 0, -9.8), air_drag=0.02, obstacles=(ground,), contact_stiffness=100.0, contact_damping=2.0
    )
    material = replace(PRINTED, damping=2.0, diagonal=500.0)
    rope = Honeycomb([(0, 0, 0.5), (0.72, 0, 0.5)], material, scheme=scheme, surroundings=around)
    return Play(
        "falling_rope", "a rope held at one end falls and comes to rest (paper 4, Fig. 8)", rope, 20.0, (ground,)
    )


def honeycomb_hoist(scheme: str = "implicit") -> Play:
    """Fig. 6 of paper 4: the boom slews and the rope shakes; then the hook is hoisted, and the rope does not overstretch."""
    material = Elastic(
        EA="60 kN", EI="0.4 N m^2", GJ="0.3 N m^2", diameter="40 mm", mass_per_length="1 kg/m", damping_time="3 ms"
    )
    boom, height, drop = 2.0, 4.0, 3.0
    route = [(boom, 0, height), (boom, 0, height - drop)]
    # begins with the hook at rest: shorter than the route by its stretch
    hook, EA = 100.0, 60e3
    rope = Honeycomb(
        route, material, length=drop / (1.0 + 9.81 * hook / EA), end_mass=hook, scheme=scheme, strain_limit=0.05
    )

    def drive(rope: Honeycomb) -> None:
        t = rope.time
        # 40 degrees of slewing in 5 s, smoothly; a second later the rope is drawn in at 0.6 m/s for 2 s
        rate = math.radians(40.0) / 5.0 * (1.0 - math.cos(2.0 * math.pi * t / 5.0)) if t < 5.0 else 0.0
        x, y, _ = rope.end_point("start")
        lift = 0.3 * (1.0 - math.cos(math.pi * (t - 6.0))) if 6.0 <= t < 8.0 else 0.0
        rope.drive_end("start", (-rate * y, rate * x, lift), (0.0, 0.0, rate))

    return Play(
        "honeycomb_hoist", "the boom slews, then lifts a hook of 100 kg (paper 4, Fig. 6)", rope, 10.0, (), drive
    )


def coil(radius: float, turns: float, thickness: float, height: float, pieces: int = 40) -> Array:
    """Points along turns stacked on each other, the lowest `height` above the ground; the last is the uppermost."""
    angle = np.linspace(0.0, 2.0 * math.pi * turns, math.ceil(pieces * turns) + 1)
    rise = height + thickness * angle / (2.0 * math.pi)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle), rise])


def coil_lift(scheme: str = "verlet") -> Play:
    """A limp rope laid in a coil of turns on each other, lifted by a hook at its upper end."""
    thick = 0.03
    material = Springs(
        radius=0.5 * thick, spacing=0.5 * thick, mass=1.5e-3, structural=5e3, tension=300, centre=5e3, torsion=2e3, bending=2e3, diagonal=300,
        damping=0.3,
    )  # fmt: skip
    ground = Obstacle(Plane(), friction=0.6)
    around = Surroundings(
        obstacles=(ground,),
        self_contact=True,
        self_friction=0.4,
        air_drag=1e-4,
        contact_stiffness=1500,
        contact_damping=0.3,
    )
    route = coil(0.16, 3.0, 1.05 * thick, 0.52 * thick)
    rope = Honeycomb(route, material, start="free", end="pin", scheme=scheme, surroundings=around)

    def drive(rope: Honeycomb) -> None:
        # one second to settle, then up at 0.5 m/s
        rope.drive_end("end", (0.0, 0.0, min(0.5, max(0.0, rope.time - 1.0)) if rope.time < 6.0 else 0.0))

    return Play("coil_lift", "a rope laid in a coil is lifted by a hook", rope, 7.0, (ground,), drive)


#: by name; each takes the scheme
PLAYS: dict[str, Callable[..., Play]] = {
    "falling_rope": falling_rope,
    "honeycomb_hoist": honeycomb_hoist,
    "coil_lift": coil_lift,
}


if __name__ == "__main__":
    from taut.scenes.honeycomb_command import main

    raise SystemExit(main())
