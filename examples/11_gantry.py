"""Drive the gantry of the scene library: lift, travel, wait for the sway, set down on the trailer."""

import taut
from taut.scenes import open_scene

sim = taut.Simulation(open_scene("gantry"))
ropes = list(sim.scene.cables)
peak, lowest = 0.0, float("inf")


def drive(seconds: float, **speeds: float) -> None:
    """Set levers and go on; keeps the largest and the smallest tension."""
    global peak, lowest
    for name, speed in speeds.items():
        sim.controls[f"{name}.speed"] = speed
    for _ in range(round(seconds / sim.dt)):
        sim.step()
        tensions = [sim.read(f"{rope}.tension") for rope in ropes]
        peak, lowest = max(peak, *tensions), min(lowest, *tensions)


drive(7, left=0.8, right=0.8)
drive(2, left=0, right=0)
print(f"lifted to {sim.read('load.position[2]'):.2f} m, {sim.read('left.tension') / 1000:.1f} kN in each rope")
drive(4.6, travel=1.0)
drive(3.4, travel=0.0)
print(f"travelled to {sim.read('travel.travel'):.2f} m, the load {sim.read('load.position[0]'):.2f} m")
drive(8, left=-0.8, right=-0.8)
drive(3, left=0, right=0)
height = sim.read("load.position[2]") - 0.55
print(f"set down at {height:.3f} m; largest tension {peak / 1000:.0f} kN, {sim.read('step.redone')} steps redone")

assert abs(height - 1.1) < 1e-3, "it stands on the trailer"
assert lowest >= 0.0 and sim.read("sling_1.tension") == 0.0
assert sim.read("step.redone") == 0
