"""Rods of a scene that lean on bodies: the shape of the route, action and reaction, and bodies that weigh next to nothing."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import taut
from taut import Scene, Simulation
from taut.cables.rod import Clamp, Free, Hollow, Rod
from taut.cables.rod.route import Route
from taut.cables.rod.routing import LIBRARY
from taut.compile import compile_scene, frames
from taut.scene import Body, Cable, End, Hinge, Slider
from taut.scene.parts import Clip
from taut.scene.parts import Free as FreeEnd
from taut.scene.sections import HollowSection
from taut.scenes import open_scene

LENGTH, SEGMENTS = 0.6, 60
ENDS = ((0.0, 0.0, 0.0), (0.35, 0.08, 0.04))
UPRIGHT: dict[str, Any] = {"hold": "pose", "direction": (1.0, 0.0, 0.0), "up": (0.0, 0.0, 1.0)}
LYING = (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)
#: a cube of 80 mm, its faces outward
CUBE = """
o cube
v -1 -4 -1
v 1 -4 -1
v 1 4 -1
v -1 4 -1
v -1 -4 1
v 1 -4 1
v 1 4 1
v -1 4 1
f 1 4 3 2
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
"""


def hose(*obstacles: str, route: Any = None, **more: Any) -> Cable:
    """Of 12 mm, between two clamps unless told otherwise."""
    given = {"length": LENGTH, "segments": SEGMENTS, "modulus": 6e6, "poisson": 0.45, "density": 1200.0} | more
    ends = route or (End(at=ENDS[0], **UPRIGHT), End(at=ENDS[1], **UPRIGHT))
    return Cable(
        model="rod", section=HollowSection(diameter=0.012, inner=0.008), obstacles=obstacles, route=ends, **given
    )


def twin(end: Any = None) -> Rod:
    """The same hose, as `taut route` has it."""
    return Rod(
        LENGTH, SEGMENTS, start=Clamp(ENDS[0]), end=end or Clamp(ENDS[1]), section=Hollow(0.012, 0.008), E=6e6, nu=0.45,
        density=1200.0,
    )  # fmt: skip


def points(sim: Simulation, name: str = "hose") -> np.ndarray:
    return np.asarray(sim.read(f"{name}.shape")).reshape(-1, 3)


def solids(folder: Path) -> dict[str, tuple[Any, tuple[float, float, float], tuple[float, ...]]]:
    """Each shape, just below the hose, and how it lies."""
    file = folder / "cube.obj"
    file.write_text(CUBE, encoding="utf-8")
    straight = (1.0, 0.0, 0.0, 0.0)
    return {
        "box": (taut.Box(size=(0.12, 0.5, 0.06)), (0.15, 0.0, -0.24), straight),
        "sphere": (taut.Sphere(radius=0.06), (0.15, 0.03, -0.26), straight),
        "capsule": (taut.Capsule(radius=0.03, length=0.4), (0.15, 0.0, -0.24), LYING),
        "cylinder": (taut.Cylinder(radius=0.03, length=0.4), (0.15, 0.0, -0.24), LYING),
        "mesh": (taut.Mesh(file=str(file), unit="m", up="z", scale=0.04), (0.15, 0.0, -0.25), straight),
    }


@pytest.mark.parametrize("kind", ["box", "sphere", "capsule", "cylinder", "mesh"])
def test_the_shape_is_that_of_the_route_while_a_body_rises_under_it(kind: str, tmp_path: Path) -> None:
    """A body rises by 8 cm at 8 cm/s: at every look shape and force are those of a route with the body there. What it works is
    what the hose stores."""
    shape, start, turn = solids(tmp_path)[kind]
    body = Body(
        kind="kinematic", shape=shape, position=start, orientation=turn, collide=False, velocity=(0.0, 0.0, 0.08)
    )
    sim, rod = Simulation(Scene(bodies={"part": body}, cables={"hose": hose("part")})), twin()
    rod.solve()
    rod.add_obstacle("part", shape, start, turn)
    stored = sim.read("hose.stored")
    for _ in range(4):
        sim.run(15)
        rod.move_obstacle("part", list(sim.read("part.position")))
        rod.solve()
        assert np.abs(points(sim) - rod.points).max() < 1e-6 * LENGTH
        pushed = rod.contact_force.get("part", np.zeros(3))
        assert sim.read("hose.contact_on_part") == pytest.approx(-pushed, rel=1e-4, abs=1e-6)
        assert sim.read("hose.clearance") == pytest.approx(rod.clearance("part").distance, abs=1e-8)
        assert sim.read("hose.tension") == pytest.approx(rod.tension.max(), rel=1e-4)
    assert sim.read("hose.unsolved") == 0.0
    gained = sim.read("hose.stored") - stored
    assert np.linalg.norm(pushed) > 0.02
    assert gained > 3e-4 and abs(sim.read("energy.remainder")) < 5e-3 * gained


def test_on_a_plane() -> None:
    """The floor rests, an end of the hose goes down towards it."""
    route = (End(at=ENDS[0], **UPRIGHT), End(on="arm", at=ENDS[1], **UPRIGHT))
    arm = Body(
        kind="kinematic", shape=taut.Sphere(radius=0.02), position=ENDS[1], collide=False, velocity=(0.0, 0.0, -0.05)
    )
    floor = Body(kind="static", shape=taut.Plane(), position=(0, 0, -0.2))
    sim = Simulation(Scene(bodies={"arm": arm, "floor": floor}, cables={"hose": hose("floor", route=route)}))
    rod = twin()
    rod.solve()
    rod.add_obstacle("floor", taut.Plane(), (0, 0, -0.2))
    for _ in range(4):
        sim.run(30)
        rod.move_end(list(sim.read("arm.position")))
        rod.solve()
        assert np.abs(points(sim) - rod.points).max() < 1e-6 * LENGTH
    assert rod.solution.contacts > 1 and sim.read("hose.contacts") == rod.solution.contacts


def test_a_body_that_is_left_is_left_clean(tmp_path: Path) -> None:
    """A box comes up and goes down again: the force begins and ends once, and the hose has its free shape back."""
    way = {
        "type": "pose",
        "times": (0.0, 1.0, 2.0),
        "positions": ((0.15, 0, -0.24), (0.15, 0, -0.16), (0.15, 0, -0.26)),
    }
    shape = solids(tmp_path)["box"][0]
    body = Body(kind="kinematic", shape=shape, position=(0.15, 0, -0.24), collide=False, motion=way)
    sim, rod = Simulation(Scene(bodies={"part": body}, cables={"hose": hose("part")})), twin()
    rod.solve()
    pushes = []
    for _ in range(125):
        sim.run(1)
        pushes.append(float(sim.read("hose.contact_on_part")[2]))
    touched = np.array(pushes) < 0.0
    assert max(pushes) <= 0.0 and min(pushes) < -0.1
    assert np.abs(np.diff(touched.astype(int))).sum() == 2, "it is met once and left once"
    # no step of the force is larger than the motion of a step explains: a stiffness of some N/m and 2 mm
    assert np.abs(np.diff(pushes)).max() < 0.1
    assert np.abs(points(sim) - rod.points).max() < 1e-8 * LENGTH
    assert sim.read("hose.unsolved") == 0.0 and sim.read("hose.contacts") == 0.0


def test_a_hose_that_hangs_is_pushed_aside(tmp_path: Path) -> None:
    """Its end is free, a post comes from the side and takes it along: as in the route."""
    shape, place = taut.Cylinder(radius=0.05, length=0.4), (0.25, 0.0, -0.3)
    route = (End(at=ENDS[0], **UPRIGHT), FreeEnd())
    post = Body(
        kind="kinematic", shape=shape, position=place, orientation=LYING, collide=False, velocity=(-0.08, 0.0, 0.0)
    )
    sim, rod = Simulation(Scene(bodies={"post": post}, cables={"hose": hose("post", route=route)})), twin(Free())
    rod.solve()
    rod.add_obstacle("post", shape, place, LYING)
    for _ in range(4):
        sim.run(20)
        rod.move_obstacle("post", list(sim.read("post.position")))
        rod.solve()
        assert np.abs(points(sim) - rod.points).max() < 1e-6 * LENGTH
    assert sim.read("hose.contact_on_post")[0] > 0.02
    assert sim.read("hose.contact_on_post") == pytest.approx(-rod.contact_force["post"], rel=1e-5, abs=1e-7)


def seats(shape: Any, place: Any, turn: Any, shift: Any = (0, 0, 0), spin: Any = (0, 0, 0)) -> Any:
    """The start of a hose between two bodies, on a third that is shifted and spun about its centre of mass, 20 mm off its middle."""
    shift, spin, arm = np.asarray(shift, float), np.asarray(spin, float), np.array([0.01, 0.02, 0.0])
    quarter = np.array([1.0, *(0.5 * spin)])
    now = frames.multiply(quarter / np.linalg.norm(quarter), np.asarray(turn))
    centre = np.asarray(place) + frames.rotate(np.asarray(turn), arm) + shift
    heavy: dict[str, Any] = {"mass": 1e3, "inertia": (1e3, 1e3, 1e3), "collide": False}
    part = Body(
        shape=shape,
        position=tuple(centre - frames.rotate(now, arm)),
        orientation=tuple(now),
        centre=tuple(arm),
        **heavy,
    )
    route = (End(on="a", at=ENDS[0], **UPRIGHT), End(on="b", at=ENDS[1], **UPRIGHT))
    bodies = {"part": part, "a": Body(position=ENDS[0], **heavy), "b": Body(position=ENDS[1], **heavy)}
    return compile_scene(Scene(bodies=bodies, cables={"hose": hose("part", route=route, segments=40)})).fields


@pytest.mark.parametrize("kind", ["box", "sphere", "cylinder", "mesh"])
def test_stiffness_against_differences(kind: str, tmp_path: Path) -> None:
    """All wrenches by the motion of the body that is leaned on. The difference of 10 um leaves 1e-4; a contact has the compliance
    that the solver gives it, 1e-4 of a segment's."""
    shape, place, turn = solids(tmp_path)[kind]
    raised = np.asarray(place) + (0.0, 0.0, {"box": 0.05, "sphere": 0.1, "cylinder": 0.08, "mesh": 0.05}[kind])
    here = seats(shape, raised, turn)
    K, wrench = here.lean_stiffness.reshape(18, 18), here.lean_end[:, 0]
    assert np.linalg.norm(wrench[12:15]) > 0.05
    # a shift of all together changes nothing
    assert np.abs(K[:, 0:3] + K[:, 6:9] + K[:, 12:15]).max() < 1e-8 * np.abs(K).max()
    step = 1e-5
    for j in range(6):
        by = step * np.eye(6)[j]
        there = [seats(shape, raised, turn, sign * by[:3], sign * by[3:]).lean_end[:, 0] for sign in (1.0, -1.0)]
        found, expected = (there[1] - there[0]) / (2.0 * step), K[:, 12 + j].copy()
        if j >= 3:
            # the stiffness is symmetric; torques about world axes have half a cross product more
            expected[15:18] -= 0.5 * np.cross(np.eye(6)[j, 3:], wrench[15:18])
        assert found == pytest.approx(expected, rel=1e-3, abs=1e-3 * np.abs(found).max())


def lifted(mass: float, dt: float = 1.0 / 60.0, height: float = 0.0, modulus: float = 6e6) -> Simulation:
    """A post on a vertical slide above a hose that sags: it falls on it."""
    ends = ((0.0, 0.0, 0.0), (0.45, 0.0, 0.0))
    cable = hose("post", route=tuple(End(at=end, **UPRIGHT) for end in ends), length=0.5, segments=50, modulus=modulus)
    post = Body(
        mass=mass,
        shape=taut.Cylinder(radius=0.03, length=0.3),
        orientation=LYING,
        position=(0.2, 0, height),
        collide=False,
    )
    guide = Slider(b="post", axis=(0, 0, 1), at=(0.2, 0, height))
    return Simulation(Scene(bodies={"post": post}, joints={"guide": guide}, cables={"hose": cable}, dt=dt))


@pytest.mark.parametrize(
    ("mass", "modulus"), [(1e-4, 6e6), (1e-3, 6e6), (1e-3, 6e8), (1e-2, 6e6), (0.05, 6e6), (0.2, 6e6), (2.0, 6e7)]
)
def test_a_body_of_any_mass_comes_to_rest_on_a_hose(mass: float, modulus: float) -> None:
    """At 1/60 s, from a fall: it lies with its weight, and the hose carries it at its ends. What the hose does and what the body
    feels may differ by 1e-4 of EI/L^2 before a step is solved again."""
    sim = lifted(mass, height=0.03, modulus=modulus)
    sim.run(1200)
    assert sim.read("post.speed") < 1e-5
    assert sim.read("hose.contact_on_post")[2] == pytest.approx(
        9.81 * mass, rel=1e-6, abs=1e-4 * (8.2e-10 * modulus / 0.25 + 0.4)
    )
    assert sim.read("hose.unsolved") == 0.0
    held = sim.read("hose.start_force") + sim.read("hose.end_force")
    weight = 9.81 * 1200.0 * math.pi * (0.006**2 - 0.004**2) * 0.5
    # on the hose: its ends, its weight and what lies on it
    assert held[2] == pytest.approx(weight + sim.read("hose.contact_on_post")[2], rel=1e-6)


def test_a_fall_is_accounted_for() -> None:
    """A body of 50 g falls 5 cm into a hose that it pulls taut, is thrown back and falls again. While it is thrown back the
    stiffness grows by half in a step, which shows in the account and is taken back on the way out: whenever the body is off the
    taut hose, what is not explained is below a hundredth of what has moved. It never comes back higher than it was."""
    sim = lifted(0.05, dt=1e-3, height=0.03)
    most, heights, missing = 0.0, [], 0.0
    for _ in range(1500):
        sim.run(1)
        most = max(most, sim.read("energy.kinetic"))
        heights.append(float(sim.read("post.position")[2]))
        if heights[-1] > -0.05:
            missing = max(missing, abs(sim.read("energy.remainder")))
    assert most > 0.01 and min(heights) < -0.06
    assert missing < 0.01 * most
    assert max(heights) <= 0.03 + 1e-9
    assert sim.read("hose.unsolved") == 0.0


def test_what_a_hard_fall_leaves_over_goes_away_with_the_step(tmp_path: Path) -> None:
    """A post of 200 g pulls a hose straight within milliseconds (the example of the docs): the push rises tenfold in a step of
    1/960 s, and what the account leaves over is the error of such a step."""
    page = (Path(__file__).parents[2] / "docs" / "rod.md").read_text(encoding="utf-8")
    example = next(part for part in page.split("```yaml\n") if "guide: {type: slider, b: post" in part).split("```")[0]
    left = []
    for rate in (960, 3840):
        file = tmp_path / f"post_{rate}.yaml"
        file.write_text(f"dt: 1/{rate} s\n{example}")
        sim = Simulation(file)
        sim.run(rate // 4)
        assert sim.read("post.position")[2] > -0.06, "it was thrown back"
        left.append(abs(float(sim.read("energy.remainder"))))
    brought = 0.2 * 9.81 * 0.1
    assert left[1] < 0.01 * brought < left[0]


def test_three_free_bodies_keep_their_momentum() -> None:
    """A rod without weight between two bodies in space, struck by a third: their sum stays."""
    ends = zip(("one", "two"), (0.5, -0.5))
    route = tuple(End(on=name, hold="pose", direction=(1.0, 0.0, up)) for name, up in ends)
    rod = Cable(
        model="rod", length=0.5, segments=40, diameter=0.01, bending_stiffness=0.005, torsional_stiffness=0.005,
        mass_per_length=1e-6, obstacles=("ball",), route=route,
    )  # fmt: skip
    box = taut.Box(size=(0.05, 0.06, 0.07))
    bodies = {
        "one": Body(mass=2.0, shape=box, collide=False),
        "two": Body(mass=3.0, shape=box, collide=False, position=(0.45, 0.0, 0.0)),
        "ball": Body(
            mass=0.05, shape=taut.Sphere(radius=0.04), centre=(0.005, 0, 0), collide=False, position=(0.2, 0.005, 0.3),
            velocity=(0.0, 0.0, -0.5),
        ),
    }  # fmt: skip
    sim = Simulation(Scene(bodies=bodies, cables={"rod": rod}, gravity=(0.0, 0.0, 0.0), dt=1e-3))
    linear, angular = sim.read("momentum.linear").copy(), sim.read("momentum.angular").copy()
    pushed = 0.0
    for _ in range(1200):
        sim.run(1)
        pushed = max(pushed, float(np.abs(sim.read("rod.contact_on_ball")).max()))
    assert pushed > 0.02, "they have met"
    assert sim.read("momentum.linear") == pytest.approx(linear, abs=1e-9)
    # the wrench acts at the end of the step, the arms are those of its start: of first order in the step
    assert sim.read("momentum.angular") == pytest.approx(angular, abs=3e-4)


def test_a_hose_leans_on_the_lever_that_carries_its_end() -> None:
    """One body is both: the hose is clamped to it and lies on it. At rest the moments about its hinge balance."""
    route = (End(at=(0.0, 0.0, 0.05), **UPRIGHT), End(on="lever", at=(0.42, 0.0, 0.03), **UPRIGHT))
    lever = Body(mass=0.01, shape=taut.Box(size=(0.5, 0.2, 0.02)), position=(0.3, 0, -0.03), collide=False)
    hinge = Hinge(b="lever", at=(0.25, 0, -0.03), axis=(0, 1, 0))
    cable = hose("lever", route=route, length=0.5, damping_time=0.02)
    scene = Scene(bodies={"lever": lever}, joints={"pivot": hinge}, cables={"hose": cable})
    sim = Simulation(scene)
    sim.run(1500)
    assert sim.read("hose.contacts") >= 1.0 and sim.read("lever.speed") < 1e-4
    end, centre, pivot = sim.state.lean_end[:, 0].reshape(3, 6), sim.state.body_pos[0], np.array([0.25, 0.0, -0.03])
    force = end[1, :3] + end[2, :3] + [0.0, 0.0, -9.81 * 0.01]
    turning = np.cross(centre - pivot, force) + end[1, 3:] + end[2, 3:]
    assert abs(turning[1]) < 1e-3 * np.abs(end[1, 3:]).max() + 1e-6


def test_between_clips_and_through_them(tmp_path: Path) -> None:
    """A hose through a sliding clip lies on a box: arc length and shape are those of the route while the box rises."""
    shape, start, _ = solids(tmp_path)["box"]
    clip = ((0.1, 0.0, -0.05), (1.0, 0.0, -0.5))
    held = Clip(s=0.15, at=clip[0], direction=clip[1], up=(0.0, 0.0, 1.0), release="slide", name="eye")
    route = (End(at=ENDS[0], **UPRIGHT), held, End(at=ENDS[1], **UPRIGHT))
    place = (0.25, 0.0, start[2] + 0.04)
    body = Body(kind="kinematic", shape=shape, position=place, collide=False, velocity=(0.0, 0.0, 0.04))
    sim, rod = Simulation(Scene(bodies={"part": body}, cables={"hose": hose("part", route=route)})), twin()
    rod.solve()
    number = rod.add_clip(0.15, Clamp(clip[0], clip[1], (0.0, 0.0, 1.0)), release="slide")
    rod.solve()
    rod.add_obstacle("part", shape, place)
    for _ in range(3):
        sim.run(15)
        rod.move_obstacle("part", list(sim.read("part.position")))
        rod.solve()
        assert sim.read("hose.unsolved") == 0.0
        assert sim.read("hose.eye_arc") == pytest.approx(rod.clip_arc(number), abs=1e-4 * LENGTH)
        # where it slides a scene keeps the segments of either side, a route cuts the mesh anew, and a node more or less lies on the box
        assert sim.read("hose.contact_on_part") == pytest.approx(-rod.contact_force["part"], rel=5e-2)
    assert sim.read("hose.contacts") > 0.0


def test_goes_on_to_the_bit_after_restore() -> None:
    sim = lifted(0.02, height=0.03)
    sim.run(25)
    then = sim.snapshot()
    sim.run(40)
    first = [
        getattr(sim.state, name).copy() for name in ("rod_frame", "body_pos", "lean_row", "lean_force", "lean_end")
    ]
    sim.restore(then)
    sim.run(40)
    for name, value in zip(("rod_frame", "body_pos", "lean_row", "lean_force", "lean_end"), first):
        assert (getattr(sim.state, name) == value).all(), name
    assert sim.read("hose.contacts") > 0.0


def test_the_library_harness_is_a_scene() -> None:
    """One of its leads rests on the pipe; at rest the shapes are those of the route, and while the pipe rises they are no further
    behind than the branch is within a step."""
    route = Route.load(LIBRARY / "harness.yaml")
    route.solve()
    sim = Simulation(open_scene("harness", ["pipe.kind=kinematic"]))
    names = ("trunk", "lead_a", "lead_b", "hose")
    sim.run(60)
    for name in names:
        assert np.abs(points(sim, name) - route.harness[name].points).max() < 1e-6 * route.harness[name].length
    pushed = sum(sim.read(f"{name}.contact_on_pipe") for name in names)
    assert np.linalg.norm(pushed) > 0.01
    assert pushed == pytest.approx(-route.harness.contact_force["pipe"], rel=1e-4, abs=1e-6)
    sim = Simulation(open_scene("harness", ["pipe.kind=kinematic", "pipe.velocity=[0, 0, 0.05]"]))
    for _ in range(3):
        sim.run(15)
        route.harness.move_obstacle("pipe", list(sim.read("pipe.position")))
        route.harness.solve()
        for name in names:
            assert np.abs(points(sim, name) - route.harness[name].points).max() < 1e-3 * route.harness[name].length
            assert sim.read(f"{name}.unsolved") == 0.0


@pytest.mark.parametrize(
    ("obstacles", "words"),
    [
        (("nobody",), "nobody"),
        (("world",), "the world has no shape"),
        (("bare",), "a rod cannot lean on a body without a shape"),
        (("field",), "a rod cannot lean on a hull"),
        (("post", "post"), "a body is named twice"),
    ],
)
def test_what_a_rod_cannot_lean_on_is_told(obstacles: tuple[str, ...], words: str) -> None:
    corners = tuple(tuple(float(c) for c in np.eye(3)[k]) for k in range(3)) + ((0.0, 0.0, 0.0),)
    bodies = {
        "post": Body(kind="static", shape=taut.Sphere(radius=0.05), position=(0, 0, -1)),
        "bare": Body(mass=1.0, position=(0, 0, 1)),
        "field": Body(mass=1.0, shape=taut.Hull(points=corners), position=(0, 0, 2)),
    }
    with pytest.raises(taut.SceneError, match=words):
        Scene(bodies=bodies, cables={"hose": hose(*obstacles)})
