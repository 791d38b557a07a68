"""`model: honeycomb` in a scene: what is refused and how, and that the engine steps the rope that `taut.Honeycomb` steps."""

import numpy as np
import pytest

import taut
from taut.cables.honeycomb import Springs, Surroundings

ROPE = """
taut: 1
cables:
  rope:
    model: honeycomb
    lattice:
      springs: {radius: 8 mm, spacing: 16 mm, mass: 50 g, structural: 10 kN/m, tension: 10 kN/m, diagonal: 500 N/m, damping: 2 N s/m}
      air_drag: 0.02 kg/m
    route:
      - {type: end, at: [0, 0, 0.5], hold: pose}
      - {type: free, at: [0.16, 0, 0.5]}
"""
ELASTIC = """
taut: 1
bodies:
  load: {position: [0, 0, 0], mass: 2 kg, shape: {type: sphere, radius: 0.05}}
cables:
  rope:
    model: honeycomb
    axial_stiffness: 8 kN
    bending_stiffness: 0.2 N m^2
    torsional_stiffness: 0.15 N m^2
    diameter: 40 mm
    mass_per_length: 0.8 kg/m
    route:
      - {type: end, at: [0, 0, 0.25], hold: pose}
      - {type: end, on: load, at: [0, 0, 0.05], hold: pose}
"""


@pytest.mark.parametrize(
    ("text", "old", "new", "line", "words"),
    [
        (ROPE, "air_drag: 0.02 kg/m", "layers: 1", 8, "from 2 to 100000"),
        (ROPE, "diagonal: 500 N/m", "diagonal: -500 N/m", 7, "at least 0"),
        (ROPE, "air_drag: 0.02 kg/m", "substeps: 2", 8, "above the stability limit of"),
        (ROPE, "air_drag: 0.02 kg/m", "scheme: verlet", 8, "it belongs to the cable, beside `model`"),
        (ROPE, "model: honeycomb", "model: segmented", 6, "only a honeycomb cable has a lattice"),
        (ELASTIC, "diameter: 40 mm", "diameter: 4 mm", 6, "`segmented` or `rod`"),
        (ELASTIC, "diameter: 40 mm", "diameter: 40 mm\n    scheme: verlet", 12, "stepped implicitly"),
        (ELASTIC, "diameter: 40 mm", "attached: true", 6, "how thick is it"),
        (ELASTIC, "type: end, on: load, at: [0, 0, 0.05], hold: pose", "type: ring, on: load", 15, "no such part"),
    ],
)
def test_mistakes_are_told_with_their_line(text: str, old: str, new: str, line: int, words: str) -> None:
    assert old in text
    with pytest.raises(taut.SceneError) as caught:
        taut.Scene.from_yaml(text.replace(old, new), file="rope.yaml")
    told = str(caught.value)
    assert words in told
    assert f"rope.yaml:{line}:" in told


def test_explicit_steps_of_a_microsecond_are_refused_with_numbers_and_another_model() -> None:
    steel = ELASTIC.replace("on: load, ", "").replace("8 kN", "20 MN").replace("0.2 N m^2", "900 N m^2")
    steel = steel.replace("0.15 N m^2", "600 N m^2").replace("diameter: 40 mm", "diameter: 40 mm\n    scheme: verlet")
    with pytest.raises(
        taut.SceneError, match=r"explicit steps of \d.* us.*scheme: implicit.*model: massless or segmented"
    ):
        taut.Scene.from_yaml(steel)
    # without a scheme of its own it is stepped implicitly
    assert (
        taut.Simulation(taut.Scene.from_yaml(steel.replace("scheme: verlet", ""))).compiled.lattices.ropes[0].scheme
        == "implicit"
    )


def test_a_scene_steps_the_rope_that_python_steps() -> None:
    sim = taut.Simulation(taut.Scene.from_yaml(ROPE))
    springs = Springs(radius=0.008, spacing=0.016, mass=0.05, structural=1e4, tension=1e4, diagonal=500.0, damping=2.0)
    rope = taut.Honeycomb([(0, 0, 0.5), (0.16, 0, 0.5)], springs, surroundings=Surroundings(air_drag=0.02))
    sim.run(20)
    rope.step(20)
    # the same kernels: round-off is all that may differ
    assert np.abs(sim.state.lattice_pos - rope.positions).max() < 1e-13
    assert sim.read("rope.substeps") == rope.substeps
    assert sim.read("rope.tensions") == pytest.approx(rope.tension, abs=1e-9)


def test_snapshot_restore_and_reset_are_bit_identical() -> None:
    sim = taut.Simulation(taut.Scene.from_yaml(ROPE))
    sim.run(10)
    kept = sim.snapshot()
    sim.run(10)
    later = sim.state.lattice_pos.copy()
    sim.restore(kept)
    sim.run(10)
    assert np.array_equal(sim.state.lattice_pos, later)
    sim.reset()
    sim.run(20)
    assert np.array_equal(sim.state.lattice_pos, later)


def test_names_and_recording(tmp_path) -> None:  # type: ignore[no-untyped-def]
    from taut.record import Recorder, Recording

    sim = taut.Simulation(taut.Scene.from_yaml(ROPE))
    for name in (
        "tension",
        "tensions",
        "stretch",
        "twist",
        "substeps",
        "stable_step",
        "limited_steps",
        "surface",
        "lost",
    ):
        assert f"rope.{name}" in sim.names
    path = tmp_path / "rope.h5"
    with Recorder(path, sim) as recorder:
        for _ in range(3):
            sim.step()
            recorder.take()
    recording = Recording(path)
    assert recording.block("rope.surface", 0, 4).shape == (4, 3 * 11 * 6)
    # the replayed page draws its tube from there
    from taut.view.replay import ReplayPlayer

    shown = ReplayPlayer(recording).frame((), False).cables["rope"].rings
    assert shown is not None and shown.shape == (11, 6, 3)


@pytest.mark.parametrize("name", ["falling_rope", "honeycomb_hoist", "coil_lift"])
def test_library_scenes_measure_what_they_say(name: str) -> None:
    from taut.measure.names import name_in
    from taut.scenes import library

    assert name in library()
    sim = taut.Simulation(name)
    for measure in sim.scene.measures:
        assert np.isfinite(sim.read(name_in(measure))).all()


def test_the_tube_follows_the_masses_of_the_surface() -> None:
    from types import SimpleNamespace

    from taut.view.frame import Frame, Rope
    from taut.view.lattices import AROUND, Lattices
    from taut.view.shades import Scales

    meshes: list[SimpleNamespace] = []

    def add_mesh_simple(name: str, vertices: np.ndarray, faces: np.ndarray, **look: object) -> SimpleNamespace:
        meshes.append(SimpleNamespace(name=name, vertices=vertices, faces=faces))
        return meshes[-1]

    scene = taut.Scene.from_yaml(ROPE)
    tubes = Lattices(SimpleNamespace(add_mesh_simple=add_mesh_simple), scene, Scales())  # type: ignore[arg-type]
    sim = taut.Simulation(scene)
    moved = sim.read("rope.surface").reshape(11, 6, 3) + (0.1, -0.2, 0.3)
    still = np.zeros((0, 3), np.float32)
    tubes.show(Frame(0.0, 0, still, still, cables={"rope": Rope(np.zeros(0), np.zeros(0), rings=moved)}))
    # the splines pass through the masses: every third point around the first ring is one
    assert meshes[0].vertices[:AROUND:3] == pytest.approx(moved[0], abs=1e-6)
    assert meshes[0].faces.max() == len(meshes[0].vertices) - 1
