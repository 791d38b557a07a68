"""A hose between two fittings: its shape, its tightest bend, a clip, and a whole turn of twist."""

import numpy as np

from taut.cables.rod import Clamp, Hollow, Rod

hose = Rod(
    "600 mm",
    100,
    start=Clamp((0, 0, 0), direction=(0, 0, 1)),
    end=Clamp("[250, 60, 0] mm", direction=(0, 0, -1)),
    section=Hollow("12 mm", "8 mm"),
    E="6 MPa",
    nu=0.45,
    density="1200 kg/m^3",
)
found = hose.solve()
radius, where = hose.bend_radius
print(f"tightest bend {1e3 * radius:.0f} mm at {1e3 * where:.0f} mm, {found.iterations} iterations")
print(f"the first fitting feels {np.linalg.norm(hose.end_force('start')):.2f} N")

# drag the second fitting upwards, frame by frame
for height in range(0, 81, 10):
    hose.move_end(f"[250, 60, {height}] mm")
    frame = hose.solve()
    print(f"{height:3d} mm: bend radius {1e3 * hose.bend_radius[0]:.0f} mm, {frame.iterations} iterations")

# a clip in the middle, lifted by 1 cm
clip = hose.add_handle("300 mm")
hose.solve()
hose.move_handle(clip, hose.point_at(0.3) + np.array([0.0, 0.0, 0.01]))
hose.solve()
print(f"the clip holds {np.linalg.norm(hose.handle_force(clip)):.2f} N")

# whole turns count
hose.remove_handle(clip)
hose.twist_end("1 rev")
twisted = hose.solve()
print(f"after one turn: {hose.end_moment()[2] * 1e3:.1f} N mm, stable: {twisted.is_minimum}")

assert found.residual < 1e-8 and twisted.residual < 1e-8
assert found.is_minimum and twisted.is_minimum
assert np.allclose(hose.points[-1], (0.25, 0.06, 0.08), atol=1e-7)
