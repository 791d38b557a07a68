"""What can be read of cables that have a body of their own: segmented, rod, honeycomb, and those that choose."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from taut.measure import autos, strands
from taut.measure.quantity import Quantity
from taut.scene import WORLD
from taut.scene.clips import clips_of, slides


def _end_force(name: str, end: int, sign: float) -> Callable[[Any], np.ndarray]:
    return lambda sim: sign * strands.forces(sim, strands.joints_of(sim, name))[end]


def of_segments(sim: Any, name: str) -> list[Quantity]:
    count = strands.joints_of(sim, name).count

    def at(s: Any) -> strands.Joints:  # they change when segments are merged, split or paid out
        return strands.joints_of(s, name)

    def stored(place: int) -> Callable[[Any], float]:
        return lambda s: strands.energies(s, at(s))[place]

    found = [
        Quantity(f"{name}.tension", "N", 0, "largest pull along it", lambda s: float(strands.tensions(s, at(s)).max())),
        Quantity(f"{name}.tensions", "N", count, "pull at each joint, from its start", lambda s: strands.tensions(s, at(s))),
        Quantity(
            f"{name}.bend_moments", "N m", count, "bending moment at each joint", lambda s: strands.bend_moments(s, at(s))
        ),
        Quantity(
            f"{name}.twist_moments", "N m", count, "twisting moment at each joint", lambda s: strands.twist_moments(s, at(s))
        ),
        Quantity(f"{name}.curvatures", "1/m", count, "curvature at each joint", lambda s: strands.curvatures(s, at(s))),
        Quantity(f"{name}.twist", "rad", 0, "from end to end, over full turns", lambda s: strands.twist(s, at(s))),
        Quantity(f"{name}.opening", "m", 0, "largest joint separation, stretch included", lambda s: strands.opening(s, at(s))),
        Quantity(f"{name}.stretch_energy", "J", 0, "stored by stretch", stored(0)),
        Quantity(f"{name}.bend_energy", "J", 0, "stored by bend", stored(1)),
        Quantity(f"{name}.twist_energy", "J", 0, "stored by twist", stored(2)),
        Quantity(f"{name}.segments", "-", 0, "segments that move by themselves", lambda s: at(s).moving),
        Quantity(f"{name}.length", "m", 0, "unstretched length that is out", lambda s: strands.length(s, name)),
        Quantity(f"{name}.mass", "kg", 0, "mass of what is out", lambda s: strands.mass(s, name)),
        Quantity(
            f"{name}.lowest", "m", 0, "height of its lowest segment",
            lambda s: float(strands.points(s, at(s))[:, 2].min()),
        ),
    ]  # fmt: skip
    cable = sim.scene.cables[name]
    if np.isfinite(cable.strength()):
        found.append(
            Quantity(
                f"{name}.safety", "-", 0, "breaking load over largest tension",
                lambda s: cable.strength() / max(float(strands.tensions(s, at(s)).max()), 1e-12),
            )
        )  # fmt: skip
    for end, body in zip((0, -1), sim.scene.strands()[name].held):
        if body is not None and body != WORLD:
            sign = -1.0 if end == 0 else 1.0
            found.append(
                Quantity(
                    f"{name}.force_on_{body}", "N", 3, f"force of the cable on {body}", _end_force(name, end, sign)
                )
            )  # fmt: skip
    return found


def of_auto(sim: Any, name: str) -> list[Quantity]:
    """Of a cable between two ends whose model is chosen while running."""
    cable, count = sim.scene.cables[name], autos.pool_of(sim, name).count + 1
    found = [
        Quantity(f"{name}.model", "-", 0, "0 massless, 1 layered, 2 segmented", lambda s: autos.number_of(s, name)),
        Quantity(f"{name}.tension", "N", 0, "largest pull along it", lambda s: float(autos.tensions(s, name).max())),
        Quantity(
            f"{name}.tensions", "N", count, "pull at the ends of its segments", lambda s: autos.tensions(s, name)
        ),
        Quantity(f"{name}.sag_ratio", "-", 0, "largest distance from its chord over it", lambda s: autos.sag_ratio(s, name)),
        Quantity(
            f"{name}.segments", "-", 0, "segments that move by themselves", lambda s: autos.moving_segments(s, name)
        ),
        Quantity(f"{name}.twist", "rad", 0, "from end to end, none while a rope", lambda s: autos.twist(s, name)),
        Quantity(f"{name}.length", "m", 0, "unstretched length", lambda s: autos.length(s, name)),
        Quantity(f"{name}.mass", "kg", 0, "its mass", lambda s: autos.mass(s, name)),
        Quantity(f"{name}.lowest", "m", 0, "height of its lowest place", lambda s: autos.lowest(s, name)),
    ]  # fmt: skip
    if np.isfinite(cable.strength()):
        found.append(
            Quantity(
                f"{name}.safety", "-", 0, "breaking load over largest tension",
                lambda s: cable.strength() / max(float(autos.tensions(s, name).max()), 1e-12),
            )
        )  # fmt: skip
    for end, body in enumerate(sim.scene.strands()[name].held):
        if body != WORLD:
            found.append(
                Quantity(f"{name}.force_on_{body}", "N", 3, f"force of the cable on {body}", _auto_force(name, end))
            )
    return found


def _auto_force(name: str, end: int) -> Callable[[Any], np.ndarray]:
    return lambda sim: autos.end_forces(sim, name)[end]


def of_rod(sim: Any, name: str) -> list[Quantity]:
    from taut.measure.rods import RodReadings  # only here: a package that takes time to load

    rod = RodReadings(sim, name)
    nodes = rod.segments + 1

    def holder(side: int, which: int) -> Callable[[Any], np.ndarray]:
        return lambda s: -rod.wrench(s, side)[which]

    def on_body(side: int, which: int) -> Callable[[Any], np.ndarray]:
        return lambda s: rod.wrench(s, side)[which]

    def of_clip(clip: int, which: int) -> Callable[[Any], np.ndarray]:
        return lambda s: -rod.clip_wrench(s, clip)[which]

    def of_arc(clip: int) -> Callable[[Any], float]:
        return lambda s: rod.clip_arc(s, clip)

    def leaning(body: str) -> Callable[[Any], np.ndarray]:
        number = sim.compiled.bodies.index[body]
        return lambda s: rod.contact_on(s, number)

    found = [
        Quantity(f"{name}.bend_radius", "m", 0, "smallest bend radius", rod.bend_radius),
        Quantity(f"{name}.bend_place", "m", 0, "arc length where it is bent most", rod.bend_place),
        Quantity(f"{name}.curvatures", "1/m", nodes, "curvature at the nodes", rod.curvatures),
        Quantity(f"{name}.twist", "rad", 0, "from end to end", rod.twist),
        Quantity(f"{name}.tension", "N", 0, "largest pull along it", lambda s: float(rod.tensions(s).max())),
        Quantity(f"{name}.tensions", "N", rod.segments, "pull along each segment, from its start", rod.tensions),
        Quantity(f"{name}.reach", "-", 0, "distance of its ends over its length", rod.reach),
        Quantity(f"{name}.stored", "J", 0, "elastic energy and potential of its weight", rod.energy),
        Quantity(f"{name}.unsolved", "-", 0, "steps in which no shape was found", rod.unsolved),
        Quantity(f"{name}.shape", "m", 3 * nodes, "nodes from its start, x y z each", lambda s: rod.points(s).ravel()),
    ]
    for side, end in enumerate(("start", "end")):
        found.append(Quantity(f"{name}.{end}_force", "N", 3, f"of what holds its {end} on it", holder(side, 0)))
        found.append(Quantity(f"{name}.{end}_moment", "N m", 3, f"of what holds its {end} on it", holder(side, 1)))
        body = sim.compiled.bodies.names[rod.bodies[side]]
        if body != WORLD:
            found.append(Quantity(f"{name}.force_on_{body}", "N", 3, f"force of the rod on {body}", on_body(side, 0)))
            found.append(
                Quantity(
                    f"{name}.moment_on_{body}", "N m", 3, f"moment of the rod on {body}, at its end", on_body(side, 1)
                )
            )
    if sim.scene.cables[name].obstacles:
        found.append(
            Quantity(f"{name}.contacts", "-", 0, "places where it leans on bodies", lambda s: float(rod.contacts(s)))
        )
        found.append(
            Quantity(f"{name}.clearance", "m", 0, "of its surface to the nearest body it may lean on", rod.clearance)
        )
    for body in sim.scene.cables[name].obstacles:
        found.append(
            Quantity(f"{name}.contact_on_{body}", "N", 3, f"force with which it leans on {body}", leaning(body))
        )
    for k, (clip, part) in enumerate(clips_of(sim.scene.cables[name]).items()):
        if slides(part):
            found.append(Quantity(f"{name}.{clip}_arc", "m", 0, f"arc length at {clip}", of_arc(k)))
        found.append(Quantity(f"{name}.{clip}_force", "N", 3, f"of {clip} on it", of_clip(k, 0)))
        found.append(Quantity(f"{name}.{clip}_moment", "N m", 3, f"of {clip} on it", of_clip(k, 1)))
    return found


def of_lattice(sim: Any, name: str) -> list[Quantity]:
    from taut.measure import lattices  # only here: kernels take time to load

    rope = lattices.rope_of(sim, name)
    cells, surface = rope.lattice.layers - 1, 3 * rope.lattice.layers * len(rope.lattice.section.outline)
    found = [
        Quantity(f"{name}.tension", "N", 0, "largest pull along it", lambda s: float(lattices.tensions(s, name).max())),
        Quantity(f"{name}.tensions", "N", cells, "pull of each cell, from its start", lambda s: lattices.tensions(s, name)),
        Quantity(f"{name}.stretch", "-", 0, "of its axis", lambda s: lattices.stretch(s, name)),
        Quantity(f"{name}.twist", "rad", 0, "from end to end, over full turns", lambda s: lattices.twist(s, name)),
        Quantity(
            f"{name}.lowest", "m", 0, "height of its lowest mass", lambda s: float(lattices.positions(s, name)[:, 2].min())
        ),
        Quantity(
            f"{name}.surface", "m", surface, "masses of its surface, layer by layer, x y z each",
            lambda s: lattices.rings(s, name).ravel(),
        ),
        Quantity(
            f"{name}.fastest", "m/s", 0, "speed of its fastest mass",
            lambda s: float(np.linalg.norm(s.state.lattice_vel[lattices.masses_of(s, name)], axis=1).max()),
        ),
    ]  # fmt: skip
    for quantity, place, unit, meaning in lattices.NUMBERS:
        found.append(Quantity(f"{name}.{quantity}", unit, 0, meaning, _lattice_number(name, place)))
    for side, b in enumerate(rope.bodies):
        body = sim.compiled.bodies.names[b]
        if b >= 0 and body != WORLD:
            found.append(
                Quantity(f"{name}.force_on_{body}", "N", 3, f"force of the cable on {body}", _lattice_force(name, side))
            )
    return found


def _lattice_number(name: str, place: int) -> Callable[[Any], float]:
    return lambda s: float(s.state.lattice_number[s.compiled.lattices.names.index(name), place])


def _lattice_force(name: str, side: int) -> Callable[[Any], np.ndarray]:
    def force(s: Any) -> np.ndarray:
        from taut.measure import lattices

        return lattices.force_on(s, name, side)

    return force
