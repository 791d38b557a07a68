"""A thick soft rope with a cross-section: from a material, clamped, let go, and onto the ground."""

import numpy as np

import taut
from taut.cables.honeycomb import Elastic, Obstacle, Surroundings

rope = taut.Honeycomb(
    [(0, 0, 0.4), (0.6, 0, 0.4)],
    Elastic(
        EA="8 kN", EI="0.2 N m^2", GJ="0.15 N m^2", diameter="40 mm", mass_per_length="0.8 kg/m", damping_time="1 ms"
    ),
    scheme="implicit",
    surroundings=Surroundings(obstacles=(Obstacle(taut.Plane(), friction=0.5),), air_drag="0.2 g/m"),
)
found = rope.lattice.stiffness
print(
    f"{len(rope.masses)} masses, {len(rope.lattice.spring)} springs; EA {found.EA:.0f} N, EI {found.mean_EI:.3f} N m^2"
)

# it swings down from its clamp
rope.step(90)
print(
    f"after {rope.time:.1f} s the end is at z = {rope.axis[-1, 2]:.3f} m, {rope.counts['touches']} masses touch the ground"
)

# let go: the whole rope falls and comes to rest
rope.hold_end("start", "free")
rope.step(240)
speed = np.abs(rope.velocities).max()
print(
    f"at rest: {speed * 1e3:.1f} mm/s, lowest mass {1e3 * rope.positions[:, 2].min():.2f} mm, lying {rope.axis[:, 2].max():.3f} m high"
)
vertices, faces = rope.surface()
print(f"surface: {len(vertices)} vertices, {len(faces)} triangles")

assert abs(found.EA / 8000.0 - 1.0) < 1e-9
assert rope.axis[:, 2].max() < 0.06, "the whole rope lies on the ground"
assert rope.positions[:, 2].min() > -0.004, "and does not sink into it"
assert speed < 0.1
