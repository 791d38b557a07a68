"""64 pendulums of different length of swing at once: the period grows with the angle as theory says."""

import math

import numpy as np

import taut

LENGTH, N = 10.0, 64
angles = np.radians(np.linspace(2.0, 60.0, N))
scene = taut.Scene(
    bodies={"load": taut.Body(shape=taut.Sphere(radius=0.1), mass=100, position=(0, 0, -LENGTH), collide=False)},
    joints={"rope": taut.Distance(b="load", point_a=(0, 0, 0))},
)
batch = taut.Batch(scene, N)
load = batch[0].compiled.bodies.index["load"]
batch.state.body_pos[:, load, 0] = LENGTH * np.sin(angles)
batch.state.body_pos[:, load, 2] = -LENGTH * np.cos(angles)

crossings: list[list[float]] = [[] for _ in range(N)]
while min(len(times) for times in crossings) < 3:
    before = batch.state.body_pos[:, load, 0].copy()
    batch.step()
    now = batch.state.body_pos[:, load, 0]
    for i in np.flatnonzero((before > 0.0) & (now <= 0.0)):
        crossings[i].append(batch[i].time - batch.dt * now[i] / (now[i] - before[i]))
periods = np.array([times[2] - times[1] for times in crossings])

# T = 2 pi sqrt(L/g) (1 + a^2/16 + 11 a^4/3072 + 173 a^6/737280)
true = 2 * math.pi * math.sqrt(LENGTH / 9.81) * (1 + angles**2 / 16 + 11 * angles**4 / 3072 + 173 * angles**6 / 737280)
print(
    f"period from {periods[0]:.3f} s at 2 degrees to {periods[-1]:.3f} s at 60; theory {true[0]:.3f} to {true[-1]:.3f} s"
)
assert np.abs(periods / true - 1).max() < 2e-3
assert not batch.diverged.any()
