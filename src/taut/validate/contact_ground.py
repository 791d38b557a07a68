"""Segmented ropes on the ground: a catenary that touches down, a rope on a slope, a heap."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from taut.measure import strands
from taut.scene import Body, Cable, End, Material, Plane, Scene
from taut.scene.parts import Free
from taut.scene.quantity import Vec3
from taut.simulation import Simulation
from taut.validate.contact_reference import G, touchdown
from taut.validate.item import Item, below, close, told
from taut.validate.lab import Lab, triple
from taut.validate.segmented_scene import nodes, settle
from taut.validate.watch import Watched, watch

THICK = 0.02


def _rope(places: list[Vec3], line: float, length: float | None = None, tied: bool = False) -> Cable:
    first, last = places[0], places[-1]
    ends = (End(at=first), End(at=last)) if tied else (Free(at=first), Free(at=last))
    return Cable(
        model="segmented", places=tuple(places), route=ends, length=length, mass_per_length=line, diameter=THICK,
        axial_stiffness=1e5, bending_stiffness=1e-3, torsional_stiffness=1e-3, damping_time=0.02, collide=True, material="m",
    )  # fmt: skip


def touching_down(lab: Lab) -> Iterator[Item]:
    """A rope from a point above smooth ground, tied to it further on: pull, and where it touches down."""
    height, distance, length, segments = 1.0, 4.0, 4.4, lab.choose(60, 120)
    a, place = touchdown(height, distance, length)
    # laid near its end: along the ground and straight up to the point
    flat = length - math.hypot(height, 1.0)
    line = [(0.0, 0.0, 0.0), (flat, 0.0, 0.0), (distance, 0.0, height)]
    steps = np.linspace(0.0, 1.0, segments + 1)
    reach = np.concatenate([[0.0], np.cumsum([math.dist(p, q) for p, q in pairwise(line)])])
    along = [np.interp(steps * reach[-1], reach, [p[k] for p in line]) for k in range(3)]
    places = [triple((x, y, z + 0.5 * THICK)) for x, y, z in zip(*along)]
    rope = _rope(places, 0.5, length, tied=True)
    ground = Body(kind="static", shape=Plane(), material="m")
    sim = lab.simulate(Scene(materials={"m": Material(friction=0.0)}, bodies={"ground": ground}, cables={"rope": rope}))
    settle(sim, 4.0, lab.choose(400, 900))
    at = nodes(sim)
    pull = float(np.asarray(sim.read("rope.tensions"))[2])
    yield close(
        "contact.touchdown.pull", pull, 0.5 * G * a, 1e-2, unit="N", source="H = w a; h = a (cosh(u/a) - 1), s = a sinh(u/a)",
        reason="acceptance", note=f"{segments} segments",
    )  # fmt: skip
    # seen from every joint well above the ground, where a catenary through it would begin
    rise = at[:, 2] - 0.5 * THICK
    high = (rise > 0.03 * height) & (rise < 0.9 * height)
    found = pull / (0.5 * G)
    begin = at[high, 0] - found * np.arccosh(1.0 + rise[high] / found)
    yield close(
        "contact.touchdown.place", float(begin.mean()), place, 1e-3, unit="m", source="x = distance - a arcosh(1 + h/a)",
        reason="acceptance",
    )  # fmt: skip


def on_a_slope(lab: Lab) -> Iterator[Item]:
    """A rope that lies down a slope: three per cent below the friction angle it stays, above it slides as one block would."""
    friction, segments = 0.5, lab.choose(40, 200)
    for word, angle in (("stays", 0.97 * math.atan(friction)), ("slides", math.radians(40.0))):
        turn = (math.cos(0.5 * angle), 0.0, math.sin(0.5 * angle), 0.0)
        ground = Body(kind="static", shape=Plane(), orientation=turn, material="m")
        down, out = (
            np.array([math.cos(angle), 0.0, -math.sin(angle)]),
            np.array([math.sin(angle), 0.0, math.cos(angle)]),
        )
        places = [triple(0.5 * THICK * out + 0.06 * k * down) for k in range(segments + 1)]
        sim = lab.simulate(
            Scene(
                materials={"m": Material(friction=friction)},
                bodies={"ground": ground},
                cables={"rope": _rope(places, 0.5)},
            )
        )
        sim.run(20)
        middle = strands.joints_of(sim, "rope").segments[segments // 2]
        before = float(sim.state.body_vel[middle, :3] @ down)
        place = float(sim.state.body_pos[middle] @ down)
        sim.run(60)
        if word == "stays":
            yield below(
                "contact.slope_rope.stays", float(sim.state.body_pos[middle] @ down) - place, 1e-4, unit="m",
                source="tan(slope) < mu", reason="it creeps by its softness", note=f"{int(sim.read('contact.count'))} contacts",
            )  # fmt: skip
            continue
        rate = (float(sim.state.body_vel[middle, :3] @ down) - before) / (60 * sim.dt)
        yield close(
            "contact.slope_rope.slides", rate, G * (math.sin(angle) - friction * math.cos(angle)), 1e-3, unit="m/s^2",
            source="a = g (sin a - mu cos a)", reason="acceptance; a constant force makes exact steps",
        )  # fmt: skip


def heap_scene(segments: int) -> Scene:
    """A rope in a helix above the ground, wide enough not to touch itself at first."""
    step, radius = 0.06, 0.12
    turn = step / radius
    places: list[Vec3] = [
        (radius * math.cos(k * turn), radius * math.sin(k * turn), 0.05 + 0.03 * k * turn / (2 * math.pi))
        for k in range(segments + 1)
    ]
    ground = Body(kind="static", shape=Plane(), material="m")
    return Scene(
        materials={"m": Material(friction=0.4)}, bodies={"ground": ground}, cables={"rope": _rope(places, 0.2)}
    )


def heap(lab: Lab) -> Iterator[Item]:
    """A rope let fall in a heap comes to rest: no deeper in itself than a part of its radius, and still."""
    segments, seconds = lab.choose((36, 2.0), (200, 10.0))
    sim = lab.simulate(heap_scene(segments))
    start = _height(sim)
    seen = _fall(sim, seconds)
    yield from _rests(
        sim,
        "contact.heap",
        start,
        seen,
        f"{segments} segments, {int(sim.read('contact.count'))} contacts, {seconds:g} s",
    )
    yield below(
        "contact.heap.landing", float(seen["contact.penetration"].max()) / (0.5 * THICK), 0.5, unit="radius", source="no penetration",
        reason="while it lands: two segments never pass through each other",
    )  # fmt: skip
    cones = seen["residual.cone"]
    yield told(
        "contact.heap.cone", float(cones.max()), unit="-", source="|lam_t - L p/|p|| / L of every contact, in every step",
        note=f"aim 1e-6; median {float(np.median(cones)):.1e}",
    )  # fmt: skip


def large_heap(lab: Lab) -> Iterator[Item]:
    """A thousand segments, a column of eighty turns that falls over itself: it comes to rest all the same."""
    segments, seconds = lab.choose((60, 2.0), (1000, 60.0))
    sim = lab.simulate(heap_scene(segments))
    start = _height(sim)
    seen = _fall(sim, seconds)
    note = f"{segments} segments, {int(sim.read('contact.count'))} contacts, {seconds:g} s"
    yield from _rests(sim, "contact.large_heap", start, seen, note)
    yield told(
        "contact.large_heap.landing", float(seen["contact.penetration"].max()) / (0.5 * THICK), unit="radius", source="no penetration",
        note="deepest in any step; a step is as long as two to six thicknesses at the speeds of its fall",
    )  # fmt: skip


def _height(sim: Simulation) -> float:
    """Energy of the height of all segments [J]."""
    moved = sim.model.node_body
    return G * float(sim.model.body_mass[moved] @ sim.state.body_pos[moved, 2])


def _fall(sim: Simulation, seconds: float) -> Watched:
    """Let it fall and watch it."""
    names = ("energy.kinetic", "energy.potential", "energy.elastic", "residual.cone", "contact.penetration")
    return watch(sim, seconds, {name: name for name in names})


def _rests(sim: Simulation, name: str, start: float, seen: Watched, note: str) -> Iterator[Item]:
    """Depth, speed and energy of a heap that has fallen; `start` is the energy of its height before [J]."""
    moved, radius = sim.model.node_body, 0.5 * THICK
    mass = float(sim.model.body_mass[moved].sum())
    yield below(
        f"{name}.depth", math.inf if seen.lost is not None else float(sim.read("contact.penetration")) / radius, 0.05, unit="radius", source="no penetration",
        reason="acceptance", note=note,
    )  # fmt: skip
    speed = math.sqrt(2.0 * abs(float(sim.read("energy.kinetic"))) / mass)
    yield below(
        f"{name}.still", speed, 0.02, unit="m/s", source="at rest", reason="creeping at most: a tenth of what gravity adds in a step",
        note="root mean square",
    )  # fmt: skip
    moving = seen["energy.kinetic"] + seen["energy.potential"]
    yield below(
        f"{name}.energy", float(moving.max()) / start, 1.01, unit="-", source="contact gives no energy",
        reason="motion and height over the height at the start; what the bent rope sets free is less than a hundredth of it, or lost",
        note=f"elastic {float(seen['energy.elastic'].max()) / start:.2g}: joints of a stiff rope that opens, docs/contact.md",
    )  # fmt: skip
