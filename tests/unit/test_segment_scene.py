"""Segmented cables as they are written: what is made of them, and one message for every mistake, before the first step."""

from __future__ import annotations

import math

import numpy as np
import pytest

import taut
from taut.scene import Scene, SceneError

# the route starts in line 9
BEFORE = """\
taut: 1
bodies:
  load: {mass: 100, shape: {type: box, size: [1, 1, 1]}, position: [0, 0, -5]}
  dot: {kind: particle, mass: 1, position: [0, 0, -5]}
cables:
  rope:
    model: segmented
    route:
"""
TOP, END = "{type: end}", "{type: end, on: load}"
STEEL = {"diameter": "10 mm", "modulus": "200 GPa", "density": 7850}
BARE = {"mass_per_length": 1, "bending_stiffness": 1, "torsional_stiffness": 1}
TRIANGLE = ["{type: via, at: [0, 0, 0]}", "{type: via, at: [1, 0, 0]}", "{type: via, at: [0, 1, 0]}"]


def written(route: list[str], fields: dict[str, object], before: str = BEFORE) -> Scene:
    text = before + "".join(f"      - {part}\n" for part in route)
    return Scene.from_yaml(text + "".join(f"    {key}: {value}\n" for key, value in fields.items()), "crane.yaml")


# parts, fields of the cable, and what must be said: place, value, and words with the number
MISTAKES = {
    "no stiffness at all": (
        [TOP, END], {"mass_per_length": 1},
        "6: cables.rope.bending_stiffness: no stiffness against bending: give it in N m^2, or modulus with diameter",
    ),
    "no stiffness against bending": (
        [TOP, END], {"mass_per_length": 1, "axial_stiffness": "1 MN", "torsional_stiffness": 1},
        "6: cables.rope.bending_stiffness: no stiffness against bending",
    ),
    "bending stiffness of zero": ([TOP, END], {**BARE, "bending_stiffness": 0}, "12: cables.rope.bending_stiffness: no stiffness against bending"),
    "none across": ([TOP, END], {**BARE, "bending_stiffness_across": 0}, "cables.rope.bending_stiffness_across: no stiffness against bending"),
    "no stiffness against twist": (
        [TOP, END], {"mass_per_length": 1, "bending_stiffness": 1},
        "6: cables.rope.torsional_stiffness: no stiffness against twist: give it in N m^2",
    ),
    "ends too far apart": (
        [TOP, END], {**STEEL, "length": 4},
        "14: cables.rope.length: 4 - its ends are 5 m apart, 1 m more than it is long: it would take 3.927e+06 N to stretch it so far",
    ),
    "too far and rigid": ([TOP, END], {**BARE, "length": 4.9}, "its ends are 5 m apart, 0.1 m more than it is long: no tension could"),
    "pulled too far": ([TOP, END], {**STEEL, "tension": "10 MN"}, "cables.rope.tension: '10 MN' - its ends are 5 m apart, 1.945 m more"),
    "loop that cannot close": (
        TRIANGLE, {**STEEL, "loop": "true", "length": 2},
        "cables.rope.length: 2 - the places of the route are 3.552 m apart along it: give a length within 2 % of that",
    ),
    "loop that is too long": (TRIANGLE, {**STEEL, "loop": "true", "length": 8}, "the places of the route are 3.552 m apart along it"),
    "loop of two places": (TRIANGLE[:2], {**STEEL, "loop": "true"}, "8: cables.rope.route: a loop needs at least three via places"),
    "loop of two segments": (TRIANGLE, {**STEEL, "loop": "true", "segments": 2}, "cables.rope.segments: 2 - a loop needs at least three segments"),
    "loop with ends": ([TOP, TRIANGLE[1], END], {**STEEL, "loop": "true"}, "9: cables.rope.route[0].type: 'end' - a loop has no ends"),
    "places for other segments": (
        [TOP, END], {**STEEL, "segments": 4, "places": "[[0, 0, 0], [0, 0, -2], [0, 0, -5]]"},
        "3 places; expected 5, one more than its segments",
    ),
    "places twice": ([TOP, END], {**STEEL, "places": "[[0, 0, 0], [0, 0, 0], [0, 0, -5]]"}, "cables.rope.places[1]: [0, 0, 0] - at the same place as the one before"),
    "loop of places": (TRIANGLE, {**STEEL, "loop": "true", "places": "[[0, 0, 0], [1, 0, 0], [0, 1, 0]]"}, "cables.rope.places: a loop is laid through its route"),
    "sheave": (
        [TOP, "{type: sheave, axis: [0, 1, 0], radius: 0.2, at: [0, 0, -1]}", END], STEEL,
        "10: cables.rope.route[1].type: 'sheave' - a segmented cable has no such part",
    ),
    "winch": (["{type: winch, axis: [0, 1, 0], radius: 0.2}", END], STEEL, "9: cables.rope.route[0].type: 'winch' - a segmented cable has no such part"),
    "falls": (
        [TOP, "{type: falls, count: 2, lower: load, upper_at: [0, 0, 0], lower_at: [0, 0, -4], axis: [0, 1, 0], radius: 0.2}"], STEEL,
        "10: cables.rope.route[1].type: 'falls' - a segmented cable has no such part",
    ),
    "via nowhere": ([TOP, "{type: via}", END], STEEL, "10: cables.rope.route[1].at: missing: where it is at the start"),
    "free nowhere": ([TOP, "{type: free}"], STEEL, "10: cables.rope.route[1].at: missing: where it is at the start"),
    "begins with a via": ([TRIANGLE[1], END], STEEL, "9: cables.rope.route[0].type: 'via' - a cable begins and ends with an end or free"),
    "free in the middle": ([TOP, "{type: free, at: [0, 0, -1]}", END], STEEL, "10: cables.rope.route[1].type: 'free' - free can only be the first or the last"),
    "end in the middle": ([TOP, "{type: end, at: [0, 0, -1]}", END], STEEL, "10: cables.rope.route[1].type: 'end' - end can only be the first or the last"),
    "same place": ([TOP, "{type: end, at: [0, 0, 0]}"], STEEL, "10: cables.rope.route[1].at: [0, 0, 0] - at the same place as the part before"),
    "no such body": ([TOP, "{type: end, on: hook}"], STEEL, "10: cables.rope.route[1].on: 'hook' - no such body (known: load, dot, world)"),
    "one part": ([TOP], STEEL, "8: cables.rope.route: a route needs at least two parts"),
    "density and mass": ([TOP, END], {**STEEL, "mass_per_length": 1}, "13: cables.rope.density: 7850 - give density or mass_per_length, not both"),
    "no mass": ([TOP, END], {"diameter": "10 mm", "modulus": "200 GPa"}, "6: cables.rope.mass_per_length: missing: mass of a metre"),
    "density of nothing": ([TOP, END], {"density": 7850, "bending_stiffness": 1, "torsional_stiffness": 1}, "cables.rope.mass_per_length: missing"),
    "modulus of nothing": ([TOP, END], {"modulus": "200 GPa", "mass_per_length": 1}, "11: cables.rope.modulus: '200 GPa' - a modulus needs the diameter or the section"),
    "hollow without wall": (
        [TOP, END], {"modulus": "1 GPa", "density": 1000, "section": "{type: hollow, diameter: 0.02, inner: 0.03}"},
        "cables.rope.section.inner: 0.03 - expected less than the outer diameter, 0.02 m",
    ),
    "length and tension": ([TOP, END], {**STEEL, "length": 5, "tension": "1 kN"}, "cables.rope.tension: '1 kN' - give the length or the tension"),
    "tension of a rigid cable": ([TOP, END], {**BARE, "tension": "1 kN"}, "cables.rope.tension: '1 kN' - a cable that does not stretch has no length"),
    "number and length": ([TOP, END], {**STEEL, "segments": 10, "segment_length": "0.1 m"}, "cables.rope.segment_length: '0.1 m' - give segments or segment_length"),
    "no segments": ([TOP, END], {**STEEL, "segments": 0}, "cables.rope.segments: 0 - expected a whole number from 1 to 200000"),
    "bow of one segment": ([TOP, END], {**STEEL, "length": 6, "segments": 1}, "cables.rope.segments: 1 - a single segment cannot hang in a bow"),
    "segments of nothing": ([TOP, END], {"diameter": "10 mm", "modulus": "1 GPa", "mass_per_length": 1e-12}, "a segment would weigh less than 1e-12 kg"),
    "direction that is not held": (["{type: end, direction: [1, 0, 0]}", END], STEEL, "9: cables.rope.route[0].direction: [1, 0, 0] - a direction needs hold: pose"),
    "clamped to a point": ([TOP, "{type: end, on: dot, hold: pose}"], STEEL, "10: cables.rope.route[1].hold: 'pose' - a particle has no direction"),
    "hook": ([TOP, END], {**STEEL, "reach": 1}, "cables.rope.reach: 1 - only a massless cable can be a hook"),
    "lay torque": ([TOP, END], {**STEEL, "lay_torque": 0.01}, "cables.rope.lay_torque: 0.01 - only a massless cable has a lay torque"),
    "scheme": ([TOP, END], {**STEEL, "scheme": "papers"}, "cables.rope.scheme: 'papers' - expected 'standard', 'explicit', 'paper', 'paper_alternative', "),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_named_with_its_place(mistake):
    route, fields, words = MISTAKES[mistake]
    with pytest.raises(SceneError) as error:
        written(route, fields)
    assert words in str(error.value)
    assert all(line.startswith("crane.yaml:") for line in str(error.value).splitlines())


@pytest.mark.parametrize(
    ("route", "fields", "place"),
    [
        ([TOP, END], {"segments": 5}, "cables.rope.segments: 5"),
        ([TOP, END], {"segment_length": 0.1}, "cables.rope.segment_length: 0.1"),
        ([TOP, END], {"loop": "true"}, "cables.rope.loop: true"),
        ([TOP, END], {"scheme": "paper"}, "cables.rope.scheme: 'paper'"),
        ([TOP, "{type: free, at: [0, 0, -1]}"], {}, "cables.rope.route[1].type: 'free'"),
        (["{type: end, hold: pose}", END], {}, "cables.rope.route[0].hold: 'pose'"),
    ],
)
def test_what_only_a_segmented_cable_has(route, fields, place):
    with pytest.raises(SceneError, match="set model: segmented") as error:
        written(route, fields, BEFORE.replace("    model: segmented\n", ""))
    assert place in str(error.value)


def test_all_mistakes_come_at_once():
    with pytest.raises(SceneError) as error:
        written([TOP, "{type: via}", "{type: end, on: hook}"], {"density": 1})
    assert len(str(error.value).splitlines()) == 5


def test_joints_stand_for_the_cable_from_end_to_end():
    """Lengths that the joints stand for add up to the whole; the ends stand for half a segment."""
    strand = written(
        ["{type: end, hold: pose}", "{type: end, on: load, hold: pose}"], {**STEEL, "segments": 4}
    ).strands()["rope"]
    bodies, joints = strand.expand()
    assert list(bodies) == ["rope_0", "rope_1", "rope_2", "rope_3"]
    soft = [joint.compliance[0] for joint in joints.values()]
    whole = 5.0 / strand.cable.stiffness()
    assert soft == pytest.approx(np.array([1, 2, 2, 2, 1]) / 8.0 * whole)
    assert sum(joint.compliance[3] for joint in joints.values()) == pytest.approx(5.0 / strand.cable.twisting())
    assert sum(body.mass for body in bodies.values()) == pytest.approx(7850 * math.pi / 4 * 0.01**2 * 5)


def test_ends_are_held_by_point_pose_or_not_at_all():
    joints = written([TOP, "{type: end, on: load, hold: pose}"], {**STEEL, "segments": 3}).strands()["rope"].expand()[1]
    assert [joint.scheme for joint in joints.values()] == ["point", "standard", "standard", "standard"]
    free = written([TOP, "{type: free, at: [0, 0, -1]}"], {**STEEL, "segments": 3}).strands()["rope"]
    assert list(free.expand()[1]) == ["rope_joint_0", "rope_joint_1", "rope_joint_2"] == free.joint_names()
    loop = written(TRIANGLE, {**STEEL, "segments": 6, "loop": "true"}).strands()["rope"]
    last = loop.expand()[1]["rope_joint_6"]
    assert (last.a, last.b) == ("rope_5", "rope_0")


@pytest.mark.parametrize(
    ("fields", "count"),
    [({}, 30), ({"segments": 7}, 7), ({"segment_length": "0.5 m"}, 10), ({"segment_length": 0.51}, 10)],
)
def test_number_of_segments(fields, count):
    assert written([TOP, END], {**STEEL, **fields}).strands()["rope"].links == count


def laid_on_an_arc(**fields: object) -> taut.Simulation:
    """A quarter of a circle of 1 m in the plane of x and z, laid without holding it, after one step."""
    angle = np.linspace(0.0, 0.5 * math.pi, 10)
    places = [f"[{math.sin(a):.12f}, 0, {1 - math.cos(a):.12f}]" for a in angle]
    route = [f"{{type: free, at: {places[0]}}}", f"{{type: free, at: {places[-1]}}}"]
    scene = written(route, {**BARE, "places": f"[{', '.join(places)}]", **fields})
    sim = taut.Simulation(scene.model_copy(update={"gravity": (0.0, 0.0, 0.0)}))
    sim.run(1)
    return sim


def test_a_cable_that_is_laid_on_an_arc_is_bent():
    """Also one that does not stretch."""
    for fields in ({}, {"axial_stiffness": 1e6}):
        sim = laid_on_an_arc(**fields)
        assert sim.read("rope.curvatures") == pytest.approx(np.ones(8), rel=5e-3)
        assert sim.read("rope.bend_energy") == pytest.approx(0.5 * 0.5 * math.pi * 8 / 9, rel=1e-2)


def test_rest_curvature_is_without_load():
    """One of the four directions of the section is that of the arc."""
    bent = laid_on_an_arc().read("rope.bend_energy")
    axes = ("[0, 1]", "[0, -1]", "[1, 0]", "[-1, 0]")
    energies = sorted(laid_on_an_arc(rest_curvature=axis).read("rope.bend_energy") for axis in axes)
    assert energies[0] < 1e-4 * bent
    assert energies[1:] == pytest.approx([2 * bent, 2 * bent, 4 * bent], rel=1e-2)
