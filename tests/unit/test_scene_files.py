"""Scenes in files and in Python are the same objects, and survive the way there and back."""

import pickle
from pathlib import Path

import pytest

from taut.scene import (
    AngularLimits,
    AngularMotor,
    Ball,
    Body,
    Box,
    Capsule,
    Chain,
    ControlMotion,
    Cylinder,
    Distance,
    Gust,
    Hinge,
    LinearLimits,
    LinearMotor,
    Lock,
    Material,
    Plane,
    PointOnLine,
    PoseMotion,
    Profile,
    Scene,
    SceneError,
    Slider,
    SolverSettings,
    Sphere,
    VelocityMotion,
    ViewSettings,
    Wind,
)

EVERYTHING = Scene(
    name="1e9",
    description="two lines\nand ümlauts: 'quoted'",
    gravity=(0, 1, -9.81),
    dt="1/120",
    duration="1 min",
    solver=SolverSettings(kind="gauss_seidel", iterations=30, passes=2, geometric_stiffness=0),
    materials={"steel": Material(friction=0.2, stiffness="1e8", damping_time="10 ms")},
    bodies={
        "ground": Body(kind="static", shape=Plane(), material="steel"),
        "box": Body(
            shape=Box(size="10 20 30 cm"), density="7850 kg/m^3", orientation={"axis": (0, 1, 0), "angle": "30 deg"}
        ),
        "ball": Body(shape=Sphere(radius=0.1), mass="1 t", position=(0, 0, 1 / 3), color="#ff8800", drag=0.4),
        "rod": Body(shape=Capsule(radius=0.1, length=1), mass=1, spin=("30 rpm", 0, 0), visible=False),
        "drum": Body(shape=Cylinder(radius=0.1, length=1), mass=1, inertia=(1, 1, 1, 0.1, 0, 0), collide=False),
        "bead": Body(kind="particle", mass=0.1, position=(2, 0, 0), velocity=(1, 0, 0)),
        "path": Body(kind="kinematic", motion=PoseMotion(times=(0, 1), positions=((0, 0, 5), (1, 0, 5)))),
        "belt": Body(kind="kinematic", motion=VelocityMotion(times=(0,), velocities=((1, 0, 0),), spins=((0, 0, 1),))),
        "hook": Body(kind="kinematic", motion=ControlMotion(acceleration=2)),
    },
    joints={
        "ball_joint": Ball(b="box", at=(0, 0, 1), stiffness="20 kN/m", damping_time=0.1),
        "hinge": Hinge(
            a="box",
            b="ball",
            axis=(0, 0, 2),
            motor=AngularMotor(target="30 rpm", force_limit="2 kN m"),
            limits=AngularLimits(lower="-90 deg"),
        ),
        "slider": Slider(b="rod", axis=(1, 0, 0), motor=LinearMotor(mode="position", target="10 cm", stiffness=1e5)),
        "lock": Lock(a="rod", b="drum", angular_stiffness="2 kN m/rad"),
        "rope": Distance(a="path", b="bead", rope=True, length=20, limits=LinearLimits(upper=30)),
        "line": PointOnLine(b="drum", axis=(1, 1, 1)),
    },
    chains={"chain": Chain(start=(0, 0, 0), end=(0, 0, -3), links=5, mass_per_length="0.4 kg/m", slack="5 %")},
    wind=Wind(speed="36 km/h", direction=(0, 3, 0), gust=Gust(amplitude=3, period=7), profile=Profile()),
    view=ViewSettings(camera=(1, 2, 3), ground=False),
    measures=("ball.position[2]", "energy.kinetic", "chain_joint_3.force"),
)


def test_yaml_and_python_are_the_same_objects() -> None:
    text = """
    taut: 1
    dt: 1/120 s
    bodies:
      load: {shape: {type: box, size: 10 20 30 cm}, mass: 1.2 t, position: [0, 0, 1 m]}
    joints:
      hinge: {type: hinge, b: load, axis: [0, 0, 2], motor: {target: 30 rpm}}
    """
    load = Body(shape=Box(size=(0.1, 0.2, 0.3)), mass=1200, position=(0, 0, 1))
    hinge = Hinge(b="load", axis=(0, 0, 1), motor=AngularMotor(target="30 rpm"))
    assert Scene.from_yaml(text) == Scene(dt=1 / 120, bodies={"load": load}, joints={"hinge": hinge})


def test_the_way_to_yaml_and_back_keeps_every_bit(tmp_path: Path) -> None:
    text = EVERYTHING.to_yaml()
    again = Scene.from_yaml(text)
    assert again == EVERYTHING and again.to_yaml() == text
    EVERYTHING.save(tmp_path / "all.yaml")
    assert Scene.load(tmp_path / "all.yaml") == EVERYTHING
    assert [path.name for path in tmp_path.iterdir()] == ["all.yaml"]


def test_scenes_travel_between_processes() -> None:
    assert pickle.loads(pickle.dumps(EVERYTHING)) == EVERYTHING


def test_an_empty_scene_is_a_scene() -> None:
    for text in ("", "taut: 1", "# nothing yet", "bodies:\njoints:\n", "{}"):
        assert Scene.from_yaml(text) == Scene()
    assert Scene().gravity == (0.0, 0.0, -9.81) and Scene().dt == 1 / 60


def test_descriptions_are_frozen_and_keyword_only() -> None:
    with pytest.raises(Exception, match="frozen"):
        Sphere(radius=1).radius = 2  # type: ignore[misc]
    with pytest.raises(TypeError):
        Sphere(1)  # type: ignore[call-arg, misc]


def test_short_forms() -> None:
    assert Scene.from_yaml("solver: gauss_seidel").solver.kind == "gauss_seidel"
    assert Scene.from_yaml("gravity: 1.6 m/s^2").gravity == (0.0, 0.0, -1.6)
    assert Scene.from_yaml("gravity: '[0, 1, 2] m/s^2'").gravity == (0.0, 1.0, 2.0)
    assert Body(color="#ff0080").color == pytest.approx((1.0, 0.0, 128 / 255))
    assert Body(orientation={"axis": [0, 0, 5], "angle": "180 deg"}).orientation == pytest.approx((0, 0, 0, 1))
    assert Body(orientation=(2, 0, 0, 0)).orientation == (1.0, 0.0, 0.0, 0.0)


def test_anchors_and_merge_keys_save_typing() -> None:
    text = """
    bodies:
      first: &part {mass: 1, shape: {type: sphere, radius: 0.1}, position: [0, 0, 1]}
      second: {<<: *part, position: [0, 0, 2]}
    """
    bodies = Scene.from_yaml(text).bodies
    assert bodies["second"].mass == 1.0 and bodies["second"].position == (0.0, 0.0, 2.0)


def test_yaml_1_1_traps_are_defused() -> None:
    """'1e9' is a number, 010 is ten, 'no' is a name, and a time of day is no number."""
    text = "joints: {j: {type: ball, b: no, stiffness: 1e9}}\nbodies: {no: {mass: 010, inertia: [1, 1, 1]}}"
    scene = Scene.from_yaml(text)
    assert scene.joints["j"].stiffness == 1e9 and scene.bodies["no"].mass == 10.0
    with pytest.raises(SceneError, match="expected a time"):
        Scene.from_yaml("duration: 1:30")


def test_a_scripted_path_gives_the_start() -> None:
    moved = PoseMotion(times=(0, 1), positions=((1, 2, 3), (0, 0, 0)), orientations=((0, 1, 0, 0), (1, 0, 0, 0)))
    body = Body(kind="kinematic", motion=moved)
    assert body.start_position == (1.0, 2.0, 3.0) and body.start_orientation == (0.0, 1.0, 0.0, 0.0)
    joint = Distance(a="path", b="bead", point_b=(1, 2, 5))
    bodies = {"path": body, "bead": Body(kind="particle", mass=1, position=(1, 2, 5))}
    assert joint.start_length(bodies) == 2.0 and Ball(a="bead", b="world").anchor(bodies) == (1.0, 2.0, 5.0)
