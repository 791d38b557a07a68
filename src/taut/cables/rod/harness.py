"""A harness: cables between connectors, branches and ties, in equilibrium together.

A connector is a rigid body that is fixed, or free to follow the cables and its own weight. A branch is a free body on
which several cables end and keep their poses relative to each other. A tie is a free body with a point for each cable it
bundles.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from taut.cables.rod import arrays as col
from taut.cables.rod.chain import FREED, PINNED, Chain
from taut.cables.rod.clearance import Clearance, clearances, distance_to
from taut.cables.rod.clips import Clips
from taut.cables.rod.ends import Array, Clamp, Free, Pin, rotate
from taut.cables.rod.lengths import Lengths
from taut.cables.rod.mounts import Mount, mounts
from taut.cables.rod.network import TOLERANCE, Asked, Network, Solution
from taut.cables.rod.properties import Properties, check_rest
from taut.cables.rod.slide import slide
from taut.cables.rod.surface import studs_of
from taut.cables.rod.targets import Body, Handle
from taut.cables.rod.touch import Touch
from taut.cables.rod.values import RodError, direction, number, vector
from taut.cables.rod.values import length as positive_length
from taut.scene import units

#: what a cable is made of, as for a Rod
MATERIAL = (
    "section", "E", "nu", "G", "EI", "GJ", "density", "mass_per_length", "rest_curvature", "rest_twist", "radius",
)  # fmt: skip


@dataclass(frozen=True)
class On:
    """An end of a cable on a connector or branch, clamped there in its frame."""

    body: str
    """Name of the connector or branch."""
    point: Any = (0.0, 0.0, 0.0)
    """Where, in the axes of the body [m]."""
    direction: Any = (1.0, 0.0, 0.0)
    """Direction of growing arc length there, in the axes of the body."""
    up: Any = None
    """d1 of the frame, in the axes of the body."""


class Cable(Clips, Lengths):
    """One cable of a harness: what can be read from it, its clips and its length."""

    def __init__(self, net: Network, which: int, name: str) -> None:
        self._net, self._which, self.name = net, which, name
        self._count = 0

    def set_length(self, length: Any) -> None:
        """Change the length [m]; segments, clips and loads keep their share of it."""
        size = positive_length(f"{self.name}.length", length)
        check_rest(self._chain.properties.rest, np.full(self.segments, size / self.segments))
        self._chain.length = size

    def scale_stiffness(self, factor: float) -> None:
        """Multiply EI and GJ by a number."""
        if not factor > 0.0:
            raise RodError(f"{self.name}: factor {factor!r} - a stiffness must stay positive")
        old = self._chain.properties
        self._chain.properties = replace(old, stiffness=factor * old.stiffness)
        self._net.placed = []

    def set_rest_curvature(self, about_d1: float, about_d2: float) -> None:
        """Curvature without moment [1/m], the same all along."""
        old = self._chain.properties
        rest = old.rest.copy()
        rest[:, 0], rest[:, 1] = about_d1, about_d2
        check_rest(rest, np.full(self.segments, self.length / self.segments))
        self._chain.properties = replace(old, rest=rest)
        self._net.placed = []


class Harness(Touch):
    """Cables that hold each other."""

    def __init__(self, gravity: Any = (0.0, 0.0, -9.81)) -> None:
        """gravity [m/s^2]."""
        self._gravity = vector("gravity", gravity, units.ACCELERATION)
        self._asked = Asked()
        self._cables: dict[str, Cable] = {}
        self._which = 0

    # -- building -------------------------------------------------------------------------------------------------

    def add_connector(
        self, name: str, point: Any, quaternion: Any = (1.0, 0.0, 0.0, 0.0), *, fixed: bool = True, mass: Any = 0.0,
        centre: Any = (0.0, 0.0, 0.0), shape: Any = None,
    ) -> None:  # fmt: skip
        """A rigid part at a point [m]; if not fixed it follows the cables and its weight (mass [kg], centre [m]).

        With a shape (Sphere, Capsule, Box, Cylinder or Mesh of `taut`, its middle at the centre) it cannot pass through
        obstacles while it is free, and has a clearance.
        """
        if any(body.name == name for body in self._asked.bodies):
            raise RodError(f"connector {name!r} - there is one already")
        frame = Clamp((0, 0, 0), quaternion=quaternion).frame(name)
        body = Body(vector(f"{name}.point", point, units.LENGTH), [frame], name=name)
        body.free = np.zeros(6) if fixed else np.ones(6)
        body.pull = number(f"{name}.mass", mass, units.MASS, least=0.0) * self._gravity
        body.lever = vector(f"{name}.centre", centre, units.LENGTH)
        if shape is not None:
            body.studs = studs_of(name, shape, body.lever)
        self._asked.bodies.append(body)
        self._anew()

    def add_branch(self, name: str, point: Any, quaternion: Any = (1.0, 0.0, 0.0, 0.0)) -> None:
        """A free junction without weight, near a point [m] to begin with."""
        self.add_connector(name, point, quaternion, fixed=False)

    def add_cable(self, name: str, length: Any, segments: int, start: On | Clamp | Pin | Free, end: On | Clamp | Pin | Free, **material: Any) -> Cable:  # fmt: skip
        """A cable [m] between two ends; material as for a Rod."""
        if name in self._cables:
            raise RodError(f"cable {name!r} - there is one already")
        unknown = sorted(set(material) - set(MATERIAL))
        if unknown:
            raise RodError(f"{name}.{unknown[0]}: unknown; known: {', '.join(MATERIAL)}")
        given = {key: material.get(key, 0.0 if key.startswith("rest") else None) for key in MATERIAL}
        try:
            properties = Properties.read(segments, given)
            size = positive_length("length", length)
            check_rest(properties.rest, np.full(segments, size / segments))
        except RodError as error:
            raise RodError(f"{name}.{error}") from None
        chain = Chain(segments, size, properties, self._gravity, name=name)
        for side, (word, holder) in enumerate((("start", start), ("end", end))):
            self._hold(chain, side, f"{name}.{word}", holder)
        self._asked.chains.append(chain)
        self._anew()
        self._cables[name] = Cable(self._net, len(self._asked.chains) - 1, name)
        return self._cables[name]

    def _hold(self, chain: Chain, side: int, name: str, holder: Any) -> None:
        if isinstance(holder, On):
            index = [k for k, body in enumerate(self._asked.bodies) if body.name == holder.body]
            if not index:
                known = ", ".join(body.name for body in self._asked.bodies) or "none"
                raise RodError(f"{name}: no connector or branch {holder.body!r}; known: {known}")
            chain.bodies = [index[0] if k == side else b for k, b in enumerate(chain.bodies)]
            pose = Clamp(holder.point, holder.direction, holder.up)
            chain.points = [pose.position(name) if k == side else p for k, p in enumerate(chain.points)]
            chain.frames = [pose.frame(name) if k == side else f for k, f in enumerate(chain.frames)]
            return
        if not isinstance(holder, Clamp | Pin | Free):
            raise RodError(f"{name}: {holder!r} - expected On, Clamp, Pin or Free")
        body = Body(np.zeros(3), name=name)
        if isinstance(holder, Clamp):
            body.point, body.turns = holder.position(name), [holder.frame(name)]
        elif isinstance(holder, Pin):
            body.point, chain.held[side] = holder.position(name), PINNED
        else:
            chain.held[side] = FREED
            if side == 0:
                body.free[:3] = 1.0
        chain.bodies = [len(self._asked.bodies) if k == side else b for k, b in enumerate(chain.bodies)]
        self._asked.bodies.append(body)

    def add_tie(self, name: str, places: dict[str, Any], point: Any) -> None:
        """Bundle cables at these arc lengths [m], side by side around a point [m] to begin with.

        Their centrelines keep their places in the bundle to each other: on a circle that lets their surfaces touch.
        """
        if len(places) < 2:
            raise RodError(f"{name}: a tie needs at least two cables, got {len(places)}")
        self.add_branch(name, point)
        index = len(self._asked.bodies) - 1
        chains = [self._asked.chains[self[cable]._which] for cable in places]
        # neighbours on a circle of radius R are 2 R sin(pi/k) apart: the widest pair just touches
        widest = 2.0 * max(chain.properties.radius for chain in chains)
        circle = widest / (2.0 * math.sin(math.pi / len(chains)))
        for k, (chain, s) in enumerate(zip(chains, places.values())):
            share = number(f"{name}.{chain.name}", s, units.LENGTH) / chain.length
            chain.check_apart(share, f"{name}.{chain.name}")
            angle = 2.0 * math.pi * k / len(chains)
            spot = circle * np.array([0.0, math.cos(angle), math.sin(angle)])
            chain.handles[-1 - index] = Handle(spot, share=share, body=index, name=name)
        self._anew()

    def _anew(self) -> None:
        """The network of what there is now."""
        if not self._asked.chains:
            return
        if not hasattr(self, "_net"):
            self._net = Network(self._asked)
        else:
            if self._net.solution is not None:
                raise RodError("a harness that has been solved cannot be added to; build it first")
            self._net.asked = self._net.kept = self._asked
        self._net.rebuild()
        self._net.changed = True

    # -- using ----------------------------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> Cable:
        """A cable by name."""
        if name not in self._cables:
            raise RodError(f"cable {name!r} - there is none; known: {', '.join(self._cables) or 'none'}")
        return self._cables[name]

    @property
    def cables(self) -> dict[str, Cable]:
        """All cables by name."""
        return dict(self._cables)

    @property
    def connectors(self) -> list[str]:
        """Names of connectors, branches, ties and ends."""
        return [body.name for body in self._net.asked.bodies]

    def move(self, name: str, point: Any) -> None:
        """Move a fixed connector, or an end named 'cable.start' or 'cable.end', to a point [m]."""
        body = self._body(name)
        if body.is_free:
            raise RodError(f"{name}: is free and goes where the cables pull it; fix it first")
        body.point = vector(f"{name}.point", point, units.LENGTH)

    def rotate(self, name: str, axis: Any, angle: Any) -> None:
        """Turn a fixed connector about a world axis through its point [rad]; whole turns count."""
        body = self._body(name)
        if body.is_free:
            raise RodError(f"{name}: is free and turns as the cables turn it; fix it first")
        body.turn(number("angle", angle, units.ANGLE) * direction("axis", axis))

    def turn_to(self, name: str, quaternion: Any) -> None:
        """Turn a fixed connector to a frame, the short way."""
        self._body(name).turn_to(Clamp((0, 0, 0), quaternion=quaternion).frame(name))

    def fix(self, name: str) -> None:
        """Hold a connector where it is."""
        self._body(name).free = np.zeros(6)
        self._net.changed = True

    def release(self, name: str) -> None:
        """Let a connector go: it moves until the cables and its weight balance."""
        self._body(name).free = np.ones(6)
        self._net.changed = True

    def pose(self, name: str) -> tuple[Array, Array]:
        """Point [m] and frame (w, x, y, z) of a connector."""
        body = self._body(name)
        return body.point.copy(), body.frame.copy()

    def load(self, name: str) -> tuple[Array, Array]:
        """Force [N] and moment about its point [N m] that hold a connector in place; zero for one that is free."""
        self._body(name)
        line = self._net.arrays.body[self.connectors.index(name)]
        return line[col.SLOPE : col.SLOPE + 3].copy(), rotate(
            line[col.TURNED : col.TURNED + 4], line[col.SLOPE + 3 : col.SLOPE + 6]
        )

    def connector_clearance(self, name: str) -> Clearance:
        """Least distance between a connector that has a shape and all obstacles [m]; no name where there is nothing to meet."""
        found = self.connector_clearances(name)
        return min(found.values(), key=lambda one: one.distance) if found else Clearance("", math.inf, 0.0)

    def connector_clearances(self, name: str) -> dict[str, Clearance]:
        """The same to each obstacle."""
        body = self._body(name)
        points = body.point + rotate(body.frame, body.studs[:, :3])
        return {
            part: Clearance(part, distance_to(self._net, part, points, body.studs[:, 3]), 0.0)
            for part in (self._net.shape_rows if len(points) else ())
        }

    def clearance_of(self, cable: Cable) -> Clearance:
        """Least distance between one cable and all obstacles, with where it is [m]; no name where there are none."""
        found = clearances(self._net, cable._which, self._obstacle_shapes())
        return min(found.values(), key=lambda one: one.distance) if found else Clearance("", math.inf, 0.0)

    def mounts_of(self, cable: Cable) -> list[Mount]:
        """Ends of a cable that stand on obstacles, with how much of it does not count as clearance to them."""
        return mounts(self._net, cable._which)

    def solve(self, *, tolerance: float = TOLERANCE, most: int = 100, escape: bool = True) -> Solution:
        """Find the equilibrium of all cables together; on failure the last one stands and RodError is raised."""
        if not self._cables:
            raise RodError("the harness has no cables")
        return slide(self._net, tolerance, most, escape)

    def _body(self, name: str) -> Body:
        for body in self._net.asked.bodies:
            if body.name == name:
                return body
        raise RodError(f"connector {name!r} - there is none; known: {', '.join(self.connectors)}")
