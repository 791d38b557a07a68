"""Taut inside another engine: the messages, coupled bodies, forces and their limit, the examples in C and MuJoCo."""

import math
import re
import runpy
import shutil
import socket
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import taut
from taut.serve import COUPLED, FORCES, HEADER, PLAIN, Client, ServeError, Server
from taut.serve import messages as m

EMBEDDING = Path(__file__).resolve().parents[2] / "examples" / "embedding"


#: rope of the hook's two falls: from the drum down, half around the sheave, up again [m]
ROPE = 9.7 + math.pi * 0.3 + 9.5


@pytest.fixture(scope="module")
def gantry() -> Iterator[Server]:
    with Server(taut.open_scene("gantry"), port=0) as server:
        server.start()
        yield server


def hook() -> taut.Scene:
    return taut.Scene.load(EMBEDDING / "hook.yaml")


def test_a_host_gets_the_numbers_of_a_run(gantry: Server) -> None:
    sim = taut.Simulation("gantry")
    sim.controls["left.speed"] = sim.controls["right.speed"] = 0.5
    sim.run(120)
    with Client(gantry.port) as host:
        for _ in range(60):
            told = host.step({"left.speed": 0.5, "right.speed": 0.5}, steps=2)
    load, left = host.hello.bodies.index("load"), host.hello.ropes.index("left")
    assert told.step == 120 and told.time == sim.time
    assert np.array_equal(told.poses[load, :3], sim.read("load.position"))
    assert told.tensions[left].tolist() == sim.read("left.tensions")[[0, -1]].tolist()
    # the polyline is as long as the path, arcs drawn as chords
    length = np.linalg.norm(np.diff(told.points[left], axis=0), axis=1).sum()
    assert length == pytest.approx(sim.read("left.path"), rel=0.05)


def test_each_host_begins_at_the_start_and_may_begin_again(gantry: Server) -> None:
    with Client(gantry.port) as host:
        assert host.step(steps=5).step == 5
        assert host.step(steps=2, flags=m.RESET).step == 2
        assert host.step(flags=m.NO_POINTS).points[0].shape == (0, 3)
    with Client(gantry.port) as host:
        assert host.step(steps=0).step == 0


def test_messages_that_make_no_sense_are_answered_in_words(gantry: Server) -> None:
    with Client(gantry.port) as host:
        with pytest.raises(ServeError, match=r"no control 'hoist.speed'; controls: travel.speed"):
            host.step({"hoist.speed": 1.0})
        with pytest.raises(ServeError, match="SETUP is for coupled bodies"):
            host.set_up(np.zeros((0, 4)))
        assert host.step().step == 1, "it goes on"
        host._controls = np.zeros(3)
        with pytest.raises(ServeError, match=r"STEP has 32 bytes; 11 controls and 0 coupled bodies take 96"):
            host.step()
    with Client(gantry.port) as host, pytest.raises(ServeError, match="not finite"):
        host.step({"left.speed": math.nan})
    with socket.create_connection(("127.0.0.1", gantry.port)) as stranger:
        stranger.recv(65536)
        stranger.sendall(b"GET / HTTP/1.1\r\n\r\n")
        assert b"another protocol" in stranger.recv(65536)
    with socket.create_connection(("127.0.0.1", gantry.port)) as stranger:
        stranger.recv(65536)
        stranger.sendall(struct.pack("<4sIQ", b"TAUT", m.STEP, 1 << 40))
        assert b"bytes; at most" in stranger.recv(65536)
    with Client(gantry.port) as host:
        assert host.step().step == 1, "the next host is served"


@pytest.mark.parametrize(
    ("mode", "couple", "words"),
    [
        (COUPLED, ("hok",), "no such body; bodies: mast, hook"),
        (COUPLED, ("mast",), "it is static"),
        (COUPLED, (), "need at least one --couple"),
        (PLAIN, ("hook",), "needs --mode coupled"),
    ],
)
def test_bodies_that_cannot_be_coupled_are_refused(mode: int, couple: tuple[str, ...], words: str) -> None:
    with pytest.raises(ServeError, match=words):
        Server(hook(), mode, couple, port=0)


def swing(server: Server, mass: float, steps: int, x: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """A hook that the test moves: heights and tensions of each step. Impulses or forces, by the mode of the server."""
    inertia = 0.1 * mass
    body = np.zeros(19)
    body[:7] = x, 0, 2, 1, 0, 0, 0
    heights, tensions = [], []
    with Client(server.port) as host:
        limit = host.set_up(np.array([[mass, inertia, inertia, inertia]]))
        assert limit > host.hello.dt
        for _ in range(steps):
            told = host.step(coupled=body[None])
            scale = 1.0 if host.hello.mode == COUPLED else host.hello.dt
            body[7:10] += scale * told.coupled[0, :3] / mass + [0, 0, -9.81 * host.hello.dt]
            body[:3] += host.hello.dt * body[7:10]
            heights.append(body[2])
            tensions.append(told.tensions[0, 0])
    return np.array(heights), np.array(tensions)


@pytest.mark.parametrize("mass", [100.0, 10_000.0])
def test_coupled_hooks_are_stable_at_any_mass_with_the_true_stiffness(mass: float) -> None:
    """Two falls, EA = 1.1e7 N: the empty hook bobs at 24 Hz, far above what 1/60 s resolves."""
    with Server(hook(), COUPLED, ("hook",), port=0) as server:
        server.start()
        heights, tensions = swing(server, mass, 600)
    ea = 97e9 * 0.460 * 0.016**2
    stretch = 0.5 * ROPE * (0.5 * (mass - 100.0) * 9.81) / ea
    assert tensions[-60:] == pytest.approx(0.5 * mass * 9.81, rel=1e-3)
    assert heights[-60:] == pytest.approx(2.0 - stretch, abs=2e-4)
    # the catalogue's rope lets 10 t fall by the stretch and, undamped at worst, as much again
    assert heights.min() > 2.0 - 2.5 * stretch - 1e-3


def test_forces_have_a_limit_that_is_printed_and_kept() -> None:
    with Server(hook(), FORCES, ("hook",), port=0) as server:
        server.start()
        with (
            Client(server.port) as host,
            pytest.raises(ServeError, match=r"at most .* ms when forces are given out") as told,
        ):
            host.set_up(np.array([[100.0, 10.0, 10.0, 10.0]]))
        assert "--mode coupled" in str(told.value)
        limit = float(re.findall(r"at most ([\d.]+) ms", str(told.value))[0])
    # two falls: k = 4 EA / L; omega^2 (h^2 + 2 h tau) = 4 with the rope's damping time of 20 ms
    omega2, tau = 4 * 97e9 * 0.460 * 0.016**2 / ROPE / 100.0, 0.02
    assert limit == pytest.approx(1e3 * (math.sqrt(tau**2 + 4 / omega2) - tau), rel=0.02)


def test_the_server_says_the_limit_and_what_it_refuses() -> None:
    said: list[str] = []
    with Server(hook(), FORCES, ("hook",), port=0, say=said.append) as server:
        # the scene's hook has 100 kg and 10 kg m^2
        assert 1e-3 < server.limit < 1 / 60
        server.start()
        with Client(server.port) as host:
            with pytest.raises(ServeError, match="refused"):
                host.set_up(np.array([[100.0, 10.0, 10.0, 10.0]]))
            assert host.set_up(np.array([[10_000.0, 1000.0, 1000.0, 1000.0]])) > 1 / 60
    assert said[0].startswith(
        f"refused: with hook 100 kg the ropes allow a step of at most {1e3 * server.limit:.3g} ms"
    )
    assert said[1].startswith("a host with hook 10000 kg: stable below")
    with Server(hook(), COUPLED, ("hook",), port=0) as server:
        assert server.limit == math.inf


def test_a_port_that_is_taken_is_told_with_the_way_out(gantry: Server) -> None:
    with pytest.raises(ServeError, match=rf"port {gantry.port} of 127.0.0.1 is taken.*--port"):
        Server(hook(), port=gantry.port)


def test_forces_below_the_limit_are_stable_and_right() -> None:
    with Server(hook().with_overrides(["dt=1/1000"]), FORCES, ("hook",), port=0) as server:
        server.start()
        _, tensions = swing(server, 500.0, 3000)
    assert tensions[-500:].mean() == pytest.approx(0.5 * 500.0 * 9.81, rel=0.01)
    assert tensions.max() < 2.2 * 0.5 * 500.0 * 9.81


def test_what_lies_just_beyond_the_limit_is_unstable() -> None:
    """The limit is no guess: one tenth above it the same scheme is lost, one tenth below it is not."""
    omega2, tau = 4.0e4, 2e-3
    from taut.serve.limit import largest_step

    grown = []
    for factor in (0.9, 1.1):
        h, x, v = factor * largest_step(omega2, tau), 1.0, 0.0
        for _ in range(400):
            v -= h * omega2 * (x + tau * v)
            x += h * v
        grown.append(abs(x))
    assert grown[0] < 1.0 < 1e3 < grown[1]


def test_a_body_that_is_held_by_a_joint_gives_no_forces() -> None:
    scene = taut.open_scene("gantry")
    with pytest.raises(ServeError, match="travel holds it, as a joint does"):
        Server(scene, FORCES, ("trolley",), port=0)


@pytest.mark.parametrize("name", ["gantry_sling", "tower_crane", "heavy_chain"])
def test_cables_of_every_model_have_tensions_and_points(name: str) -> None:
    with Server(taut.open_scene(name), port=0) as server:
        server.start()
        with Client(server.port) as host:
            told = host.step(steps=30)
    scene = taut.open_scene(name)
    assert set(scene.cables) | set(scene.chains) <= set(host.hello.ropes)
    for rope, points in zip(host.hello.ropes, told.points):
        assert len(points) >= 2 and np.isfinite(points).all(), rope
    assert (told.tensions >= -1e3).all() and told.tensions.max() > 0.0


# ---- examples --------------------------------------------------------------------------------------------------------


def compiled(source: str, folder: Path) -> Path:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("needs a C compiler")
    program = folder / Path(source).stem
    flags = ["-std=c99", "-O2", "-Wall", "-Wextra", "-Werror"]
    subprocess.run(
        [compiler, *flags, f"-I{HEADER.parent}", str(EMBEDDING / source), "-o", str(program), "-lm"], check=True
    )
    return program


def lifted_load() -> float:
    """Height of the load [m] after what the examples do, without a server."""
    sim = taut.Simulation("gantry")
    for speed in (0.8, 0.0):
        sim.controls["left.speed"] = sim.controls["right.speed"] = speed
        sim.run(240)
    return float(sim.read("load.position[2]"))


def test_the_crane_in_c(gantry: Server, tmp_path: Path) -> None:
    program = compiled("crane.c", tmp_path)
    done = subprocess.run([program, str(gantry.port)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    print(done.stdout)
    assert f"load at {lifted_load():.4f} m" in done.stdout
    assert re.search(r"round trip p50 \d+ us, p99 \d+ us, max \d+ us", done.stdout)


def test_the_crane_in_c_sharp(gantry: Server, tmp_path: Path) -> None:
    compiler, runtime = shutil.which("mcs"), shutil.which("mono")
    if compiler is None or runtime is None:
        pytest.skip("needs a C# compiler and runtime: mcs and mono")
    program = tmp_path / "crane.exe"
    subprocess.run([compiler, "-warnaserror", f"-out:{program}", str(EMBEDDING / "Crane.cs")], check=True)
    done = subprocess.run([runtime, program, str(gantry.port)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert f"load at {lifted_load():.4f} m" in done.stdout


@pytest.mark.parametrize("mass", [100, 10_000])
def test_the_hook_in_c(mass: int, tmp_path: Path) -> None:
    program = compiled("hook.c", tmp_path)
    with Server(hook(), COUPLED, ("hook",), port=0) as server:
        server.start()
        done = subprocess.run([program, str(server.port), str(mass)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    height, _, speed, tension, _ = (float(x) for x in re.findall(r"(-?[\d.]+) (?:m/s|m|N)", done.stdout))
    # hoisted for 4 s at 0.5 m/s of rope, half of that on two falls, less the ramps and the stretch
    assert height == pytest.approx(3.0, abs=0.06) and speed < 1e-3
    assert tension == pytest.approx(0.5 * mass * 9.81, rel=1e-3)


def test_the_hook_in_c_takes_forces_as_forces(tmp_path: Path) -> None:
    program = compiled("hook.c", tmp_path)
    with Server(hook(), FORCES, ("hook",), port=0) as server:
        server.start()
        heavy = subprocess.run([program, str(server.port), "10000"], capture_output=True, text=True, timeout=120)
        light = subprocess.run([program, str(server.port), "100"], capture_output=True, text=True, timeout=120)
    assert heavy.returncode == 0, heavy.stderr
    height, _, speed, tension, _ = (float(x) for x in re.findall(r"(-?[\d.]+) (?:m/s|m|N)", heavy.stdout))
    assert height == pytest.approx(3.0, abs=0.1) and speed < 1e-2
    assert tension == pytest.approx(0.5 * 10_000 * 9.81, rel=1e-2)
    assert light.returncode == 1 and "refused" in light.stderr


def test_c_without_a_server_says_what_to_do(tmp_path: Path) -> None:
    done = subprocess.run([compiled("crane.c", tmp_path), "1"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "start `taut serve gantry` first" in done.stderr


@pytest.mark.peer
def test_a_rope_in_mujoco() -> None:
    pytest.importorskip("mujoco", reason="needs mujoco: pip install 'taut[peers]'")
    runpy.run_path(str(EMBEDDING / "rope_in_mujoco.py"))


def test_the_command_measures_the_round_trip(capsys: pytest.CaptureFixture[str]) -> None:
    from taut.cli import main

    assert main(["serve", "pendulum", "--port", "0", "--measure", "50"]) == 0
    told = capsys.readouterr().out
    assert "serving on 127.0.0.1:" in told and re.search(r"p50 \d+ us, p99 \d+ us, max \d+ us", told)
    assert main(["serve", "--header"]) == 0
    assert "TAUT_IMPLEMENTATION" in capsys.readouterr().out
    assert main(["serve", "pendulum", "--mode", "coupled", "--port", "0"]) == 1
