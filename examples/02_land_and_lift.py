"""A load on a rope is set down, goes slack, and is lifted again. The rope never pushes."""

import taut

scene = taut.Scene(
    bodies={
        "ground": taut.Body(kind="static", shape=taut.Plane()),
        "load": taut.Body(shape=taut.Box(size=(1, 1, 1)), mass=500, position=(0, 0, 1.0)),
    },
    joints={
        "hoist": taut.Distance(
            b="load",
            point_a=(0, 0, 6),
            point_b=(0, 0, 1.5),
            rope=True,
            stiffness="2 MN/m",
            damping_time="20 ms",
            motor=taut.LinearMotor(acceleration=1.0),
        )
    },
)
sim = taut.Simulation(scene)
weight = 500 * 9.81


def drive(speed: float, seconds: float) -> float:
    """Pay out (positive) or haul in; returns the smallest tension on the way [N]."""
    sim.controls["hoist.speed"] = speed
    smallest = float("inf")
    for _ in range(round(seconds / sim.dt)):
        sim.step()
        smallest = min(smallest, sim.read("hoist.tension"))
    return smallest


drive(0.0, 1.0)
print(f"hanging: {sim.read('hoist.tension'):.0f} N of {weight:.0f} N")
assert abs(sim.read("hoist.tension") - weight) < 0.01 * weight
lowest = drive(0.5, 2.0)
drive(0.0, 2.0)
print(f"landed: rope {sim.read('hoist.tension'):.1f} N, ground {sim.read('contact.force'):.0f} N")
assert lowest >= 0.0 and abs(sim.read("contact.force") - weight) < 1e-3 * weight
lowest = drive(-0.5, 3.0)
drive(0.0, 3.0)
print(f"lifted: {sim.read('hoist.tension'):.0f} N at {sim.read('load.position[2]'):.2f} m")
assert lowest >= 0.0 and abs(sim.read("hoist.tension") - weight) < 0.02 * weight
assert sim.read("load.position[2]") > 0.6
