"""A load of one tonne on a chain of 24 light links: its period and the tension at the top."""

import math

import taut

scene = taut.Scene(
    bodies={"load": taut.Body(shape=taut.Sphere(radius=0.5), mass=1000, position=(0.5, 0, 0))},
    chains={"rope": taut.Chain(start=(0, 0, 10), end=(0.5, 0, 0), links=24, mass_per_length=0.4, b="load")},
)
sim = taut.Simulation(scene)
crossings: list[float] = []
while len(crossings) < 3:
    before = sim.read("load.position[0]")
    sim.step()
    after = sim.read("load.position[0]")
    if before > 0 >= after:
        crossings.append(sim.time - sim.dt * after / (after - before))
period = crossings[2] - crossings[1]
print(f"period {period:.3f} s, tension at the top {sim.read('rope.tension[0]') / 1000:.2f} kN")

# the rope's own mass (0.4 % of the load) changes the period of the simple pendulum by less than a per mille
assert math.isclose(period, 2 * math.pi * math.sqrt(10.0125 / 9.81), rel_tol=2e-3)
