"""A hanging chain of rigid links with a heavy load, released at an angle."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.scene import Body, Chain, Scene, SolverSettings, Sphere
from taut.validate.lab import triple

Array = np.ndarray


@dataclass(frozen=True)
class Hanging:
    """The chain of the first acceptance: 24 links, 10 m, each link 1 kg, the load `ratio` times a link."""

    links: int = 24
    ratio: float = 1e9
    angle: float = math.radians(30.0)  # from the vertical [rad]
    push: float = 0.0  # sideways speed of the load, the chain turning with it about its anchor [m/s]
    kick: float = 0.0  # sideways speed of the middle link alone [m/s]
    length: float = 10.0
    dt: float = 1.0 / 60.0

    @property
    def link_length(self) -> float:
        """[m]"""
        return self.length / self.links

    @property
    def load(self) -> float:
        """Mass of the load; a link weighs 1 kg [kg]."""
        return self.ratio

    @property
    def down(self) -> Array:
        """Direction of the chain at the start."""
        return np.array([math.sin(self.angle), 0.0, -math.cos(self.angle)])

    @property
    def middle(self) -> str:
        """Name of the link in the middle."""
        return f"rope_{self.links // 2}"

    @property
    def last_joint(self) -> str:
        """Name of the joint that holds the load."""
        return f"rope_joint_{self.links}"

    def scene(self, **solver: Any) -> Scene:
        """Its scene; `solver` are settings of the solver."""
        end = triple(self.length * self.down)
        chain = Chain(
            start=(0.0, 0.0, 0.0), end=end, links=self.links, mass_per_length=1.0 / self.link_length, b="load"
        )
        bodies, joints = chain.expand("rope")
        # the load hangs at its centre: its spin plays no part
        bodies["load"] = Body(shape=Sphere(radius=0.3), mass=self.load, position=end, collide=False)
        turn = self.push / self.length * np.cross(self.down, [0.0, 1.0, 0.0])
        for name, body in bodies.items():
            velocity = np.cross(turn, body.position)
            if name == self.middle:
                velocity = velocity + np.array([0.0, self.kick, 0.0])
            bodies[name] = body.model_copy(update={"velocity": triple(velocity), "spin": triple(turn)})
        return Scene(bodies=bodies, joints=joints, dt=self.dt, solver=SolverSettings(**solver))
