"""The scenes of the honeycomb rope from a terminal: numbers, a picture, or a page in the browser."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

from taut.cables.honeycomb import HoneycombError
from taut.scenes.honeycomb_ropes import PLAYS, Play

#: frames of a picture
PANELS = 4
#: where the page is served, or at the next one that is free
PORT = 8080


def main(arguments: list[str] | None = None) -> int:
    """Run one scene; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m taut.scenes.honeycomb_ropes", description="Scenes of the honeycomb rope."
    )
    parser.add_argument("scene", choices=sorted(PLAYS))
    parser.add_argument("--scheme", choices=("verlet", "predictor_corrector", "implicit", "paper"))
    parser.add_argument("--seconds", type=float, help="how long; the scene's own duration if not given")
    parser.add_argument("--picture", type=Path, help="write a picture of four moments")
    parser.add_argument("--view", action="store_true", help="show it in the browser, in real time")
    asked = parser.parse_args(arguments)
    play = PLAYS[asked.scene](asked.scheme) if asked.scheme else PLAYS[asked.scene]()
    seconds = play.duration if asked.seconds is None else asked.seconds
    try:
        if asked.view:
            show(play, seconds)
        else:
            moments = run(play, seconds)
            if asked.picture is not None:
                draw(play, moments, asked.picture)
    except HoneycombError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def run(play: Play, seconds: float) -> list[tuple[float, np.ndarray, np.ndarray]]:
    """Step to the end and tell half-seconds; returns time and surface of a few moments."""
    rope, start = play.rope, time.perf_counter()
    steps = max(1, round(seconds / rope.dt))
    wanted = {round(k * steps / (PANELS - 1)) for k in range(PANELS)}
    moments = [(rope.time, *rope.surface())]
    print(f"{play.name}: {play.about}; {len(rope.masses)} masses, {len(rope.lattice.spring)} springs, {rope.scheme}")
    for n in range(1, steps + 1):
        play.step()
        if n in wanted:
            moments.append((rope.time, *rope.surface()))
        if n % 30 == 0 or n == steps:
            speed = np.sqrt((rope.velocities**2).sum(axis=1)).max()
            print(
                f"{rope.time:6.2f} s  fastest {speed:7.3f} m/s  tension {rope.tension.max():8.2f} N  "
                f"strain {np.abs(rope.strain).max():6.3f}  contacts {rope.counts['touches']:4d}  substeps {rope.substeps}"
            )
    print(f"{(time.perf_counter() - start) / seconds:.2f} s of computing per second")
    return moments


def draw(play: Play, moments: list[tuple[float, np.ndarray, np.ndarray]], path: Path) -> None:
    """A picture of the surface at a few moments."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    corners = np.concatenate([vertices for _, vertices, _ in moments])
    low, high = corners.min(axis=0), corners.max(axis=0)
    middle, half = 0.5 * (low + high), 0.5 * float((high - low).max())
    figure = plt.figure(figsize=(3.4 * len(moments), 3.6))
    for k, (moment, vertices, faces) in enumerate(moments):
        axes = figure.add_subplot(1, len(moments), k + 1, projection="3d")
        axes.plot_trisurf(*vertices.T, triangles=faces, color="#c98b3d", linewidth=0, antialiased=False)
        if play.obstacles:
            x, y = np.meshgrid(middle[0] + half * np.array([-1.1, 1.1]), middle[1] + half * np.array([-1.1, 1.1]))
            axes.plot_surface(x, y, np.zeros_like(x), color="#8795a5", alpha=0.35, shade=False)
        axes.set_box_aspect((1, 1, 1))
        axes.set(xlim=(middle[0] - half, middle[0] + half), ylim=(middle[1] - half, middle[1] + half))
        axes.set(zlim=(middle[2] - half, middle[2] + half), title=f"{moment:.2f} s")
        axes.view_init(elev=14, azim=-70)
        axes.set_axis_off()
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def show(play: Play, seconds: float) -> None:
    """In the browser: the tube, at the pace of the clock or as fast as it can."""
    from taut.view.server import start, stop  # only here: it brings the page with it

    server = start("127.0.0.1", PORT)
    print(f"http://127.0.0.1:{server.get_port()}", flush=True)
    server.scene.set_up_direction("+z")
    if play.obstacles:
        server.scene.add_grid("/ground", width=10.0, height=10.0, plane="xy")
    # the first step compiles: the clock starts after it
    play.step()
    began = time.perf_counter() - play.rope.time
    try:
        while play.rope.time < seconds:
            vertices, faces = play.rope.surface(16, 2)
            server.scene.add_mesh_simple(
                "/rope", vertices.astype(np.float32), faces.astype(np.uint32), color=(201, 139, 61)
            )
            play.step()
            time.sleep(max(0.0, began + play.rope.time - time.perf_counter()))
        print("done; the page stays until Ctrl+C")
        while True:
            time.sleep(1.0)
    except KeyboardInterrupt:
        pass
    finally:
        stop(server)
