"""Validation of the rod among things: contact, self-contact, clips, branches, lengths, and the paper's own scheme."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from taut.cables.rod import Clamp, Harness, On, Rod
from taut.cables.rod.penalty import PenaltyRod
from taut.scene import shapes
from taut.validate.item import Item, below, between, close
from taut.validate.lab import Lab

COMPLEMENTARITY = "gap >= 0, push >= 0, gap times push = 0"
ACROSS = (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)


def _hung(segments: int = 60) -> Rod:
    rod = Rod(
        1.0,
        segments,
        start=Clamp((0, 0, 0)),
        end=Clamp((0.6, 0, 0)),
        EI=1e-2,
        GJ=1e-2,
        mass_per_length=1.0,
        radius=0.005,
    )
    rod.solve()
    return rod


def contact(lab: Lab) -> Iterator[Item]:
    """Obstacles raised into a hanging rod in twelve frames of 5 mm, and lowered again."""
    cases: dict[str, tuple[Any, float, Any]] = {
        "plane": (shapes.Plane(), 0.0, (1, 0, 0, 0)),
        "sphere": (shapes.Sphere(radius=0.05), 0.05, (1, 0, 0, 0)),
        "capsule": (shapes.Capsule(radius=0.03, length=0.4), 0.03, ACROSS),
        "box": (shapes.Box(size=(0.1, 0.3, 0.1)), 0.05, (1, 0, 0, 0)),
    }
    for name, (shape, top, turn) in cases.items():
        rod = _hung()
        free, low = rod.points, float(rod.points[:, 2].min()) - 0.005
        rod.add_obstacle("thing", shape, (0.3, 0.003, low - top - 0.01), turn)
        iterations, deepest, imbalance = [], 0.0, 0.0
        for k in [*range(-2, 10), *range(8, -3, -1)]:
            rod.move_obstacle("thing", (0.3, 0.003, low - top + 0.005 * k))
            iterations.append(rod.solve().iterations)
            deepest = min(deepest, rod.clearance("thing").distance)
            push = rod.contact_force.get("thing", np.zeros(3))
            total = rod.end_force("start") + rod.end_force() + push + np.array([0.0, 0.0, -9.81])
            imbalance = max(imbalance, float(np.linalg.norm(total)))
        yield between(
            f"rod.contact.{name}.iterations", float(np.mean(iterations)), 0, 8, unit="per frame", source="Newton with the curvature of the gap",
            reason="acceptance",
        )  # fmt: skip
        yield below(
            f"rod.contact.{name}.depth", -deepest, 1e-6, unit="m", source=COMPLEMENTARITY, reason="residual 1e-8"
        )
        yield below(
            f"rod.contact.{name}.balance", imbalance, 1e-5, unit="N", source="sum of all forces", reason="residual 1e-8"
        )
        back = float(np.abs(rod.points - free).max())
        yield below(
            f"rod.contact.{name}.release",
            back,
            1e-6,
            unit="m",
            source="the free shape is unique here",
            reason="clean release",
        )


def knot(lab: Lab) -> Iterator[Item]:
    """Four turns let in: with self-contact the loop stays a loop and link = twist + writhe is kept."""
    rod = Rod(1.0, 60, start=Clamp((0, 0, 0)), end=Clamp((0.999, 0, 0)), EI=1, GJ=0.75, radius=0.015)
    rod.solve()
    rod.touch_itself()
    rod.twist_end("4 rev")
    rod.solve()
    links = [_link(rod)]
    for slack in np.arange(0.02, 0.301, 0.02):
        rod.move_end((1.0 - slack, 0, 0))
        rod.solve()
        links.append(_link(rod))
    yield close(
        "rod.link",
        links[-1],
        4.0,
        0.03,
        unit="turns",
        source="link = twist + writhe (White 1969)",
        reason="polygon of 60 segments, chords of the twist",
    )
    yield below(
        "rod.link.change",
        float(np.ptp(links)),
        0.15,
        unit="turns",
        source="link changes by 2 when a rod passes through itself",
        reason="the same",
    )
    yield between(
        "rod.link.contacts",
        len(rod.self_contacts),
        1,
        20,
        unit="-",
        source="a loop presses on itself",
        reason="at least one",
    )


def _link(rod: Rod) -> float:
    joints = np.r_[0.5, np.ones(rod.segments - 1), 0.5] * rod.length / rod.segments
    twist = 2.0 * np.arcsin(np.clip(0.5 * rod.twist * joints, -1.0, 1.0)).sum() / (2.0 * np.pi)
    x = rod.points
    return float(twist) + _writhe(
        np.vstack([x, x[-1] + [5, 0, 0], x[-1] + [5, -20, 0], x[0] + [-5, -20, 0], x[0] + [-5, 0, 0]])
    )


def _writhe(x: np.ndarray) -> float:
    """Of a closed polygon, by the solid angles of pairs of edges (Klenin and Langowski 2000)."""
    a, b = x, np.roll(x, -1, axis=0)
    total = 0.0
    for i in range(len(x)):
        j = np.arange(i + 2, len(x) - (1 if i == 0 else 0))
        if not len(j):
            continue
        sides = [a[j] - a[i], b[j] - a[i], b[j] - b[i], a[j] - b[i]]
        normals = [np.cross(sides[k], sides[(k + 1) % 4]) for k in range(4)]
        units = [n / np.maximum(np.linalg.norm(n, axis=1, keepdims=True), 1e-300) for n in normals]
        solid = sum(np.arcsin(np.clip((units[k] * units[(k + 1) % 4]).sum(axis=1), -1.0, 1.0)) for k in range(4))
        sign = np.sign((np.cross(b[j] - a[j], b[i] - a[i]) * (a[j] - a[i])).sum(axis=1))
        total += float((solid * sign).sum())
    return total / (2.0 * np.pi)


def clips(lab: Lab) -> Iterator[Item]:
    """A fixed clip is the end of two rods; a sliding one rests where the energy is least."""
    kind: dict[str, Any] = {"EI": 1.0, "GJ": 0.8, "mass_per_length": 20.0, "gravity": (0, 0, -1)}
    at = Clamp((0.25, 0.03, -0.1), (1, 0.3, 0.2))
    rod = Rod(1.0, 60, start=Clamp((0, 0, 0)), end=Clamp((0.6, 0, 0)), **kind)
    clip = rod.add_clip(0.4, at)
    rod.solve()
    one = Rod(0.4, 24, start=Clamp((0, 0, 0)), end=at, **kind)
    one.solve()
    miss = float(np.abs(rod.points[:25] - one.points).max())
    yield below(
        "rod.clip.fixed",
        miss,
        1e-7,
        unit="L",
        source="two rods that end in the clip",
        reason="residual 1e-8: the same equations",
    )
    rod.remove_clip(clip)
    rod.solve()
    clip = rod.add_clip(0.4, at, "slide")
    rod.solve()
    s, energies = rod.clip_arc(clip), []
    for shift in (-0.004, 0.0, 0.004):
        still = Rod(1.0, 60, start=Clamp((0, 0, 0)), end=Clamp((0.6, 0, 0)), **kind)
        still.solve()
        still.add_clip(s + shift, at)
        still.solve()
        energies.append(still.energy)
    offset = 0.5 * 0.004 * (energies[2] - energies[0]) / (energies[2] - 2.0 * energies[1] + energies[0])
    yield below(
        "rod.clip.slide", offset, 1e-3, unit="L", source="parabola through the energies at fixed places",
        reason="segments are dealt out anew for each place: a tenth of a segment",
    )  # fmt: skip


def branch(lab: Lab) -> Iterator[Item]:
    """Three cables on a free junction: forces and moments balance."""
    kind: dict[str, Any] = {"EI": 1e-2, "GJ": 1e-2, "mass_per_length": 0.1, "radius": 0.004}
    harness = Harness()
    harness.add_branch("fork", (0.3, 0, -0.05))
    harness.add_cable("trunk", 0.35, 30, Clamp((0, 0, 0)), On("fork"), **kind)
    harness.add_cable("left", 0.35, 30, On("fork", direction=(1, 0.5, 0)), Clamp((0.6, 0.15, 0)), **kind)
    harness.add_cable("right", 0.35, 30, On("fork", direction=(1, -0.5, 0)), Clamp((0.6, -0.15, 0.05)), **kind)
    harness.solve()
    forces = harness["trunk"].end_force() + harness["left"].end_force("start") + harness["right"].end_force("start")
    moments = harness["trunk"].end_moment() + harness["left"].end_moment("start") + harness["right"].end_moment("start")
    yield below(
        "rod.branch.force",
        float(np.linalg.norm(forces)),
        1e-6,
        unit="N",
        source="balance of a free body",
        reason="residual 1e-8",
    )
    yield below(
        "rod.branch.moment",
        float(np.linalg.norm(moments)),
        1e-6,
        unit="N m",
        source="balance of a free body",
        reason="residual 1e-8",
    )


def length(lab: Lab) -> Iterator[Item]:
    """Automatic length: the material force n.t + B k^2/2 is the tension asked for, whatever the mesh."""
    found = []
    for segments in (20, 40, 80):
        rod = Rod(1.0, segments, start=Clamp((0, 0, 0)), end=Clamp((0.6, 0.1, 0), (1, 0, 0.5)), EI=1.0, GJ=1.0)
        rod.solve()
        found.append(rod.automatic_length(2.0))
    material = 0.5 * (rod.tension[1:] + rod.tension[:-1]) + 0.5 * rod.curvature[1:-1] ** 2
    yield close(
        "rod.length.force",
        float(material.mean()),
        2.0,
        0.01,
        unit="N",
        source="first integral of the elastica",
        reason="second order, 80 segments",
    )
    order = math.log2(abs(found[0] - found[1]) / abs(found[1] - found[2]))
    yield between(
        "rod.length.order",
        order,
        1.8,
        2.2,
        unit="-",
        theory=2.0,
        source="mesh independent",
        reason="second order in the segment length",
    )


def paper(lab: Lab) -> Iterator[Item]:
    """The paper's scheme, corrected, gives the same shape."""
    ends: dict[str, Any] = {"start": Clamp((0, 0, 0)), "end": Clamp((0.6, 0, 0))}
    kind: dict[str, Any] = {"EI": 1.0, "GJ": 1.0, "mass_per_length": 102.0, "gravity": (0, 0, -1)}
    rod = Rod(1.0, 40, **ends, **kind)
    rod.solve()
    other = PenaltyRod(1.0, 40, **ends, **kind, shape=rod.points, frames=rod.frames)
    other.solve(1e-8)
    miss = float(np.abs(other.points - rod.points).max())
    yield below(
        "rod.penalty.shape",
        miss,
        1e-6,
        unit="L",
        source="one energy, two sets of unknowns",
        reason="gap of 1e-8 in each of 40 joints",
    )


CHECKS = (contact, knot, clips, branch, length, paper)
