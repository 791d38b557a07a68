"""Changes in one line: found by element or field, read like a file, refused in words."""

from pathlib import Path

import pytest

from taut.scene import Body, Hinge, Scene, SceneError, Sphere

SCENE = Scene(
    bodies={"load": Body(shape=Sphere(radius=1), density=1000), "crane": Body(kind="kinematic")},
    joints={"arm": Hinge(b="load", axis=(0, 0, 1))},
    cables={"rope": {"route": [{"type": "end", "at": (0, 0, 5)}, {"type": "end", "on": "load"}]}},
    materials={"steel": {"friction": 0.2}},
)


def test_changes_reach_elements_settings_and_what_was_not_written() -> None:
    changed = SCENE.with_overrides(
        [
            "load.mass=2 t",
            "dt=1/120",
            "load.position[2]=3 m",
            "load.position.0 = 1",
            "load.velocity=[1, 2, 3] m/s",
            "bodies.crane.motion={type: control, acceleration: 2}",
            "arm.motor.target=30 rpm",
            "steel.friction=0.4",
            "solver.passes=2",
            "wind.speed=36 km/h",
            "wind.gust={amplitude: 2, period: 5 s}",
            "gravity=1.62",
            "name=a: b",
            "view.ground=no",
        ]
    )
    load = changed.bodies["load"]
    # a mass takes the place of the density
    assert (load.mass, load.density) == (2000.0, None)
    assert (load.position, load.velocity) == ((1.0, 0.0, 3.0), (1.0, 2.0, 3.0))
    assert changed.dt == 1 / 120 and changed.solver.passes == 2 and changed.gravity == (0.0, 0.0, -1.62)
    assert changed.wind is not None and changed.wind.speed == 10.0 and changed.wind.gust is not None
    assert changed.joints["arm"].motor.target == pytest.approx(3.14159265)
    assert changed.materials["steel"].friction == 0.4 and changed.name == "a: b" and not changed.view.ground
    assert changed.bodies["crane"].motion.acceleration == 2.0
    # the one they were made from stands as it was
    assert SCENE.bodies["load"].density == 1000.0 and SCENE.dt == 1 / 60


def test_a_change_may_mend_a_file(tmp_path: Path) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text("solver: gauss_seidel\ndt: never\n")
    scene = Scene.load(path, ["dt=10 ms", "solver.iterations=30"])
    assert (scene.dt, scene.solver.kind, scene.solver.iterations) == (0.01, "gauss_seidel", 30)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("lod.mass=3", "override 'lod.mass=3': 'lod.mass' - nothing of that name, did you mean 'load'? (known: "),
        ("load.mas=3", "override 'load.mas=3': bodies.load.mas: 3 - no such field, did you mean 'mass'?"),
        ("load.mass=heavy", "override 'load.mass=heavy': bodies.load.mass: 'heavy' - expected a mass"),
        ("load.position[2]=3 kg", "bodies.load.position: [0.0, 0.0, '3 kg'] - expected a length"),
        ("load.position[7]=3", "the list goes from 0 to 2"),
        ("load.density.x=3", "this is a single value"),
        ("load=3", "this is an element; expected one of its fields, as in load.FIELD=VALUE"),
        ("load.mass", "expected path=value, as in load.mass=2 t"),
        ("=3", "expected path=value"),
        ("a..b=3", "expected path=value"),
        ("load.[x]=3", "expected path=value"),
        ("bodies.lod.mass=3", "no such element; bodies has: load, crane"),
        ("chains.c.links=3", "no such element; chains has: nothing"),
        ("solver.pases=2", "solver.pases: 2 - no such field, did you mean 'passes'?"),
        ("dt=1 kg", "override 'dt=1 kg': dt: '1 kg' - expected a time"),
        ("wnd.speed=3", "did you mean 'wind'?"),
        ("rope.acceleration=3", "it belongs to a part of its route (type: winch), as in route[0].acceleration"),
        ("arm.b=crane", "joints.arm: no force moves crane (kinematic) or the world"),
    ],
)
def test_changes_that_make_no_sense(change: str, words: str) -> None:
    with pytest.raises(SceneError) as error:
        SCENE.with_overrides([change])
    assert words in str(error.value), str(error.value)
    assert len(error.value.problems) == 1
