"""How the tension of a swinging load grows with its mass and its angle: a sweep on all cores, and what resuming it does."""

import math
import tempfile
from pathlib import Path

import numpy as np

import taut
from taut.sweep import Processes, Results, make_plan, sweep

ANGLES = (0.1, 0.3, 0.5)


def main() -> None:
    """Twelve cases of five seconds."""
    # let go at rest on a rope of 10 m that hangs from (0, 0, 11.3)
    places = ",".join(f"[{10 * math.sin(a)}, 0, {11.3 - 10 * math.cos(a)}]" for a in ANGLES)
    plan = make_plan(
        taut.open_scene("pendulum"),
        ["load.mass=1 t:4 t:4", f"load.position={places}"],
        measures=["max(rope.tension)"],
        seconds=5,
    )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "sweep.h5"
        told = sweep(plan, file, Processes(2))
        again = sweep(plan, file, Processes(2), resume=True)
        results = Results(file)
    mass = results.numbers("load.mass").reshape(4, 3)
    factor = results.measure("max(rope.tension)").reshape(4, 3) / (9.81 * mass)
    for k, angle in enumerate(ANGLES):
        print(f"{angle:.1f} rad: {factor[0, k]:.4f} times the weight, theory {3 - 2 * math.cos(angle):.4f}")

    assert (told.made, told.failed, again.made) == (12, 0, 0)
    # at the lowest point T = m g (3 - 2 cos angle), proportional to the mass
    assert np.ptp(factor, axis=0).max() < 1e-6
    assert np.allclose(factor, 3.0 - 2.0 * np.cos(ANGLES), rtol=3e-3)


if __name__ == "__main__":  # workers import this file
    main()
