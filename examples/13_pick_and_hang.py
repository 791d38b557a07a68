"""An arm picks a cable up from the ground, hangs it over a peg and lets go."""

import numpy as np

import taut

scene = taut.Scene.from_yaml("""
taut: 1
materials:
  rubber: {friction: 0.6}
bodies:
  ground: {kind: static, shape: {type: plane}, material: rubber}
  peg: {kind: static, position: [0, 0, 1], orientation: {axis: [1, 0, 0], angle: 90 deg}, shape: {type: capsule, radius: 0.06, length: 0.8}, material: rubber}
  hand: {kind: kinematic, collide: false, position: [-1.35, 0, 0.05], motion: {type: control, acceleration: 5 m/s^2}, shape: {type: sphere, radius: 0.04}}
cables:
  hose:
    model: segmented
    segments: 20
    diameter: 24 mm
    axial_stiffness: 40 kN
    bending_stiffness: 0.1 N m^2
    torsional_stiffness: 0.1 N m^2
    mass_per_length: 0.4 kg/m
    damping_time: 30 ms
    collide: true
    material: rubber
    route: [{type: free, at: [-1.5, 0, 0.012]}, {type: free, at: [0.1, 0, 0.012]}]
""")
sim = taut.Simulation(scene)
sim.run(10)


def move(x: float, z: float, seconds: float) -> None:
    """Carry the hand along a straight line."""
    sim.controls["hand.velocity[0]"], sim.controls["hand.velocity[2]"] = x / seconds, z / seconds
    sim.run(round(seconds / sim.dt))
    sim.controls["hand.velocity[0]"] = sim.controls["hand.velocity[2]"] = 0.0
    sim.run(10)


before = sim.read("hose.tensions")
grip = sim.attach("hose", s=0.15, body="hand", kind="ball")
sim.run(1)
print(f"taken hold of: tension changed by {np.abs(sim.read('hose.tensions') - before).max():.2g} N")
move(0.0, 1.3, 2.5)  # up
move(1.65, 0.0, 4.0)  # over the peg, without a swing
move(0.0, -0.8, 2.5)  # down on the other side
sim.detach(grip)
sim.run(180)
middle = sim.state.body_pos[[sim.compiled.bodies.index[f"hose_{i}"] for i in range(20)]]
print(
    f"its ends hang at {middle[0, 2]:.2f} m and {middle[-1, 2]:.2f} m, it lies over the peg at {middle[:, 2].max():.2f} m"
)
assert middle[:, 2].max() > 1.05, "it slipped off the peg"
assert middle[-1, 0] < 0.0 < middle[0, 0], "both ends are on one side"
