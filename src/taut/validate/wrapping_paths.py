"""Shortest paths round boxes, cylinders, balls and hulls, against a numeric minimisation that knows nothing of the step."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from scipy.optimize import minimize

from taut.cables.massless.columns import N_WRAP, U_EDGE
from taut.compile import frames
from taut.measure import courses
from taut.scene import Body, Box, Cable, Cylinder, End, Material, Scene, Sheave, Sphere
from taut.simulation import Simulation
from taut.validate.item import Item, below
from taut.validate.lab import Lab, triple

Array = np.ndarray
#: a rope without thickness, for paths over sharp edges; one of a centimetre
THIN, THICK = 2e-7, 0.02


def laid(lab: Lab, body: Body, start: Array, end: Array, diameter: float) -> Simulation:
    """A rope without load from a point to a bead, round one body that stands still; one step forms its path."""
    bead = Body(kind="particle", mass=1.0, position=triple(end))
    rope = Cable(
        route=(End(at=triple(start)), End(on="bead")), obstacles=("body",), material="smooth", diameter=diameter, wrap_room=8,
    )  # fmt: skip
    sim = lab.simulate(
        Scene(
            gravity=0, materials={"smooth": Material(friction=0.0)}, bodies={"body": body, "bead": bead}, cables={"rope": rope}
        )
    )  # fmt: skip
    sim.run(1)
    return sim


def _turn(random: np.random.Generator) -> tuple[float, float, float, float]:
    q = random.normal(size=4)
    w, x, y, z = (float(c) for c in q / np.linalg.norm(q))
    return (w, x, y, z)


def _through(random: np.random.Generator, inside: Array) -> tuple[Array, Array]:
    """Two points on a line through a point inside of the body."""
    d = random.normal(size=3)
    d /= np.linalg.norm(d)
    return inside + random.uniform(2.0, 5.0) * d, inside - random.uniform(2.0, 5.0) * d


def over_edges(start: Array, end: Array, edges: list[tuple[Array, Array]]) -> float:
    """Least length from start to end by way of one point on each edge, in this order."""

    def length(y: Array) -> float:
        points = [start, *(one + t * (two - one) for (one, two), t in zip(edges, y)), end]
        return float(sum(np.linalg.norm(b - a) for a, b in pairwise(points)))

    found = minimize(
        length, np.full(len(edges), 0.5), bounds=[(0.0, 1.0)] * len(edges), method="L-BFGS-B",
        options={"ftol": 1e-15, "gtol": 1e-12, "maxiter": 2000},
    )  # fmt: skip
    return float(found.fun)


def deepest(points: Array, turn: Array, half: Array) -> float:
    """How far a course cuts into a box at most [m]."""
    worst = 0.0
    for a, b in pairwise(points):
        along = a + np.linspace(0.0, 1.0, 60)[:, None] * (b - a)
        worst = max(worst, float((half - np.abs(along @ turn)).min(axis=1).max()))
    return worst


def shortest_over_boxes(lab: Lab) -> Iterator[Item]:
    """Boxes in any pose, cut by a straight line: the rope goes over their edges, by the shortest way, and never through."""
    random = np.random.default_rng(7)
    longer, through, edges_met = 0.0, 0.0, [0] * 9
    for _ in range(lab.choose(25, 200)):
        turn, size = _turn(random), random.uniform(0.3, 2.0, 3)
        axes = np.array([frames.rotate(np.array(turn), e) for e in np.eye(3)]).T
        start, end = _through(random, axes @ (random.uniform(-0.45, 0.45, 3) * size))
        box = Body(kind="static", shape=Box(size=triple(size)), orientation=turn, collide=False, material="smooth")
        sim = laid(lab, box, start, end, THIN)
        wraps = [int(k) for k in sim.model.part_int[courses.order(sim, "rope"), N_WRAP] if k >= 0]
        edges = sim.model.hull_edge[sim.state.wrap_int[wraps, U_EDGE]]
        edges_met[len(wraps)] += 1
        if wraps:
            least = over_edges(start, end, [(axes @ edge[:3], axes @ edge[3:]) for edge in edges])
            longer = max(longer, abs(sim.read("rope.path") - least))
        through = max(through, deepest(np.reshape(sim.read("rope.course"), (-1, 3)), axes, 0.5 * size))
    met = ", ".join(f"{n} over {k}" for k, n in enumerate(edges_met) if n)
    yield below(
        "wrapping.shortest.boxes", longer, 1e-6, unit="m", source="least length over the same edges, by L-BFGS", reason="1e-6 m asked for; a rope of 0.2 micrometres",
        note=f"boxes by edges: {met}",
    )  # fmt: skip
    yield below(
        "wrapping.shortest.boxes.through", through, 1e-6, unit="m", source="no part of the path lies inside", reason="rope of 0.2 micrometres",
    )  # fmt: skip


def round_cylinder(start: Array, end: Array, radius: float, sense: float) -> float:
    """Least length round a cylinder along z: planar tangents and an arc, and the two places along the axis by minimisation."""
    (px, py), (qx, qy) = start[:2], end[:2]
    far, off = math.hypot(px, py), math.hypot(qx, qy)
    one = math.atan2(py, px) + sense * math.acos(radius / far)
    two = math.atan2(qy, qx) - sense * math.acos(radius / off)
    arc = radius * ((sense * (two - one)) % (2.0 * math.pi))
    before, after = math.sqrt(far**2 - radius**2), math.sqrt(off**2 - radius**2)

    def length(z: Array) -> float:
        return math.hypot(before, z[0] - start[2]) + math.hypot(arc, z[1] - z[0]) + math.hypot(after, end[2] - z[1])

    found = minimize(length, [start[2], end[2]], method="BFGS", options={"gtol": 1e-12})
    return float(found.fun)


def shortest_round_cylinders(lab: Lab) -> Iterator[Item]:
    """Cylinders and balls in any pose, and a wheel without a groove: geodesics that climb along the axis."""
    random = np.random.default_rng(11)
    worst = {"cylinder": 0.0, "ball": 0.0}
    for _ in range(lab.choose(15, 100)):
        turn, radius = _turn(random), random.uniform(0.1, 0.8)
        axes = np.array([frames.rotate(np.array(turn), e) for e in np.eye(3)]).T
        # a line that misses the axis on a known side, not along it
        angle, miss = random.uniform(0.0, 2.0 * math.pi), random.uniform(0.1, 0.9) * radius
        out, along = (
            np.array([math.cos(angle), math.sin(angle), 0.0]),
            np.array([-math.sin(angle), math.cos(angle), 0.0]),
        )
        start = miss * out - random.uniform(2.0, 4.0) * along + np.array([0.0, 0.0, random.uniform(-1.5, 1.5)])
        end = miss * out + random.uniform(2.0, 4.0) * along + np.array([0.0, 0.0, random.uniform(-1.5, 1.5)])
        rod = Body(
            kind="static",
            shape=Cylinder(radius=radius, length=10.0),
            orientation=turn,
            collide=False,
            material="smooth",
        )
        sim = laid(lab, rod, axes @ start, axes @ end, THICK)
        theory = round_cylinder(start, end, radius + 0.5 * THICK, 1.0)
        worst["cylinder"] = max(worst["cylinder"], abs(sim.read("rope.path") - theory))
        start[2], end[2] = 0.0, 0.0
        ball = Body(kind="static", shape=Sphere(radius=radius), orientation=turn, collide=False, material="smooth")
        sim = laid(lab, ball, axes @ start, axes @ end, THICK)
        theory = round_cylinder(start, end, radius + 0.5 * THICK, 1.0)
        worst["ball"] = max(worst["ball"], abs(sim.read("rope.path") - theory))
    for name, value in worst.items():
        yield below(
            f"wrapping.shortest.{name}", value, 1e-6, unit="m", source="planar tangents, least length along the axis by BFGS", reason="1e-6 m asked for",
        )  # fmt: skip
    for turns in (0, 3):
        start, end = np.array([-1.5, 0.4, -0.3]), np.array([2.0, -1.0, 0.2])
        roller = Sheave(at=(0, 0, 0), axis=(0, 1, 0), radius=0.25, turn="left", wraps=turns, groove=False)
        bead = Body(kind="particle", mass=1.0, position=triple(end))
        rope = Cable(route=(End(at=triple(start)), roller, End(on="bead")))
        sim = lab.simulate(Scene(gravity=0, bodies={"bead": bead}, cables={"rope": rope}))
        sim.run(1)
        # seen along the axis (x to the right, -z up keeps the sense), the height is y
        seen = [np.array([p[2], p[0], p[1]]) for p in (start, end)]
        flat = (
            round_cylinder(np.array([*seen[0][:2], 0.0]), np.array([*seen[1][:2], 0.0]), 0.25, 1.0)
            + 2.0 * math.pi * 0.25 * turns
        )
        yield below(
            f"wrapping.shortest.roller.{turns}", sim.read("rope.path") - math.hypot(flat, seen[1][2] - seen[0][2]), 1e-9, unit="m",
            source="a straight line on the unrolled cylinder", reason="round-off of Newton's method", note=f"{turns} full turns",
        )  # fmt: skip
