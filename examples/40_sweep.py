"""How the tension of a swinging load grows with its mass and its angle: a sweep on all cores, stopped and resumed."""

import tempfile
from pathlib import Path

import numpy as np

import taut
from taut.sweep import Processes, Results, make_plan, sweep


def main() -> None:
    """Twelve cases of five seconds."""
    scene = taut.open_scene("pendulum", ["load.position=[0.5, 0, 1.3126]"])
    plan = make_plan(scene, ["load.mass=1 t:4 t:4", "load.velocity[0]=0,1,2"], measures=["max(rope.tension)"], seconds=5)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "sweep.h5"
        told = sweep(plan, file, Processes(2))
        again = sweep(plan, file, Processes(2), resume=True)
        results = Results(file)
    mass, speed = results.numbers("load.mass"), results.numbers("load.velocity[0]")
    tension = results.measure("max(rope.tension)")
    for m, v, t in zip(mass, speed, tension):
        print(f"{m:6.0f} kg, {v:g} m/s: {t / 1000:6.2f} kN, {t / (9.81 * m):.3f} times its weight")

    assert (told.made, told.failed, again.made) == (12, 0, 0)
    # the tension is that of a pendulum, T = m g (1 + v^2/(g L) + angle^2), and proportional to the mass
    factor = tension / (9.81 * mass)
    assert np.ptp(factor.reshape(4, 3), axis=0).max() < 1e-3
    assert np.allclose(factor, 1.0 + speed**2 / (9.81 * 10.0) + 0.05**2, atol=3e-3)


if __name__ == "__main__":  # workers import this file
    main()
