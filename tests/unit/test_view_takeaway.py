"""What is taken along: a page in one file, a model that moves, a simulation in a notebook."""

import json
import struct
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh

from taut import Simulation
from taut.cli import main
from taut.compile import frames
from taut.record import Recorder, Recording, run
from taut.view.replay import ReplayPlayer
from taut.view.takeaway import along, quaternions, write_glb, write_html


def until(condition: Callable[[], bool]) -> None:
    """Wait for something that must come."""
    end = time.monotonic() + 120.0
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.01)


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Half a second of the gantry."""
    file = tmp_path_factory.mktemp("run") / "gantry.h5"
    sim = Simulation("gantry")
    sim.controls["travel.speed"] = 1.0
    with Recorder(file, sim, None) as recorder:
        run(sim, 30, (), recorder)
    yield file


def content(file: Path) -> tuple[dict[str, Any], bytes]:
    """The two parts of a binary glTF."""
    data = file.read_bytes()
    magic, version, length = struct.unpack_from("<III", data)
    assert (magic, version, length) == (0x46546C67, 2, len(data))
    size, kind = struct.unpack_from("<II", data, 12)
    assert kind == 0x4E4F534A
    return json.loads(data[20 : 20 + size]), data[28 + size :]


def numbers(document: dict[str, Any], binary: bytes, accessor: int) -> np.ndarray:
    found = document["accessors"][accessor]
    view = document["bufferViews"][found["bufferView"]]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[found["type"]]
    kind = {5126: "<f4", 5123: "<u2", 5125: "<u4"}[found["componentType"]]
    return np.frombuffer(binary, kind, found["count"] * width, view["byteOffset"]).reshape(-1, width)


def test_a_model_moves_as_the_run_did(recording: Path, tmp_path: Path) -> None:
    with Recording(recording) as source:
        player = ReplayPlayer(source)
        write_glb(player, tmp_path / "run.glb", [0.0, 0.25, 0.5])
        player.seek(0.5)
        last = player.frame((), False)
        number = list(source.scene.bodies).index("trolley")
    document, binary = content(tmp_path / "run.glb")
    names = [node["name"] for node in document["nodes"]]
    assert {"trolley", "load", "left", "sling_1"} <= set(names)
    run_ = document["animations"][0]
    channel = next(
        c for c in run_["channels"] if c["target"] == {"node": names.index("trolley"), "path": "translation"}
    )
    sampler = run_["samplers"][channel["sampler"]]
    assert numbers(document, binary, sampler["input"])[:, 0] == pytest.approx([0.0, 0.25, 0.5], abs=1e-6)
    assert numbers(document, binary, sampler["output"])[-1] == pytest.approx(last.positions[number], abs=1e-5)


def test_a_rope_of_a_model_is_a_skin_that_lies_where_the_rope_does(recording: Path, tmp_path: Path) -> None:
    with Recording(recording) as source:
        write_glb(ReplayPlayer(source), tmp_path / "run.glb", [0.0, 0.5])
    document, binary = content(tmp_path / "run.glb")
    node = next(node for node in document["nodes"] if node["name"] == "sling_1" and "skin" in node)
    skin = document["skins"][node["skin"]]
    inverse = numbers(document, binary, skin["inverseBindMatrices"]).reshape(-1, 4, 4).swapaxes(1, 2)
    mesh = document["meshes"][node["mesh"]]["primitives"][0]["attributes"]
    vertices, joint = (numbers(document, binary, mesh[key]) for key in ("POSITION", "JOINTS_0"))
    for k, number in enumerate(skin["joints"]):
        held = document["nodes"][number]
        # joint times inverse bind is the identity at the first moment
        turn = np.roll(held["rotation"], 1)
        mine = vertices[joint[:, 0] == k]
        local = (np.column_stack([mine, np.ones(len(mine))]) @ inverse[k].T)[:, :3]
        world = held["translation"] + frames.rotate(np.tile(turn, (len(mine), 1)), local)
        assert world == pytest.approx(mine, abs=1e-4)
        # and the ring lies across the rope
        assert np.abs(local[:, 2]).max() < 1e-4
    assert len(mesh) == 4


def test_every_scene_of_the_viewer_has_valid_numbers(recording: Path, tmp_path: Path) -> None:
    with Recording(recording) as source:
        write_glb(ReplayPlayer(source), tmp_path / "run.glb", [0.0])
    loaded = trimesh.load(tmp_path / "run.glb")
    low, high = loaded.bounds
    # y is up in glTF: the girders are at 9.3 m
    assert 9.0 < high[1] < 11.0 and low[1] > -0.5


def test_a_replay_is_one_file_that_asks_for_nothing(recording: Path, tmp_path: Path) -> None:
    with Recording(recording) as source:
        size = write_html(ReplayPlayer(source), tmp_path / "run.html", [0.0, 0.25, 0.5])
    text = (tmp_path / "run.html").read_text(encoding="utf-8")
    assert size == len(text) and "__VISER_EMBED_DATA__" in text and "<title>Gantry</title>" in text
    assert "operator.js" not in text


def test_the_command_writes_both(recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.html", "a.glb"):
        assert main(["export", str(recording), "--to", str(tmp_path / name), "--fps", "10"]) == 0
        assert "6 moments" in capsys.readouterr().out
        assert (tmp_path / name).stat().st_size > 10_000


def test_frames_along_a_line_turn_as_little_as_possible() -> None:
    s = np.linspace(0.0, 6.0, 200)
    line = np.column_stack([np.cos(s), np.sin(s), -s])
    turn = along(line)
    ahead = frames.rotate(turn, np.tile([0.0, 0.0, 1.0], (200, 1)))
    assert (ahead[1:-1] * np.gradient(line, axis=0)[1:-1]).sum(axis=1) / np.linalg.norm(
        np.gradient(line, axis=0)[1:-1], axis=1
    ) == pytest.approx(np.ones(198), abs=1e-6)
    side = frames.rotate(turn, np.tile([1.0, 0.0, 0.0], (200, 1)))
    # from one to the next hardly any turn: no candy wrapper
    assert (side[1:] * side[:-1]).sum(axis=1).min() > 0.999
    matrix = np.stack([frames.rotate(turn, np.tile(axis, (200, 1))) for axis in np.eye(3)], axis=2)
    assert np.abs((quaternions(matrix) * turn).sum(axis=1)) == pytest.approx(np.ones(200))


def test_a_simulation_in_a_notebook_goes_on_from_where_it_stands() -> None:
    sim = Simulation("tumbling_box")
    sim.run(30)
    view = sim.view(height=300)
    try:
        html = view._repr_html_()
        assert f'src="{view.url}"' in html and 'height="300"' in html
        with urllib.request.urlopen(view.url, timeout=60) as answer:
            assert answer.status == 200
        until(lambda: view.page.runner is not None and view.page.runner.ready.is_set())
        frame = view.page.runner.frame
        assert frame is not None and frame.step == 30, "it stands until it is played"
        view.page.runner.step()
        until(lambda: sim.steps == 31)
    finally:
        view.close()
