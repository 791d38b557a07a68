"""A trunk that forks into two leads: balance at the branch, a dragged connector, clearance, and the curve for CAD."""

import tempfile
from pathlib import Path

import numpy as np

import taut
from taut.cables.rod import Clamp, Harness, On, Round
from taut.cables.rod.export import export

kind = {"section": Round("8 mm"), "E": "20 MPa", "nu": 0.4, "density": "1400 kg/m^3"}
harness = Harness()
harness.add_branch("fork", "[300, 0, -50] mm")
harness.add_cable("trunk", "350 mm", 40, Clamp((0, 0, 0)), On("fork"), **kind)
harness.add_cable("left", "400 mm", 40, On("fork", direction=(1, 0.5, 0)), Clamp("[600, 150, 0] mm"), **kind)
harness.add_cable("right", "400 mm", 40, On("fork", direction=(1, -0.5, 0)), Clamp("[600, -150, 50] mm"), **kind)
harness.add_obstacle("shelf", taut.Box(size=(0.2, 0.2, 0.02)), "[200, 0, -180] mm")
found = harness.solve()
print(f"{found.iterations} iterations, the fork hangs at {1e3 * harness.pose('fork')[0].round(4)} mm")

for height in range(0, 41, 10):
    harness.move("left.end", f"[600, 150, {height}] mm")
    frame = harness.solve()
    radius, _ = harness["left"].bend_radius
    near = harness.clearance_of(harness["trunk"])
    print(f"{height:3d} mm: bend radius {1e3 * radius:.0f} mm, {1e3 * near.distance:.1f} mm above the {near.name}")

force, moment = harness.load("fork")
with tempfile.TemporaryDirectory() as folder:
    export(harness["left"], Path(folder) / "left.step", "left")
    assert (Path(folder) / "left.step").stat().st_size > 1000
assert found.residual < 1e-8 and frame.residual < 1e-8
assert np.linalg.norm(force) < 1e-5 and np.linalg.norm(moment) < 1e-5
