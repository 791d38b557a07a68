"""A hoisting rope with weight: it sags along the jib, and its slack is hauled in before the hook lifts.

python examples/12_tower_crane.py
"""

import taut

sim = taut.Simulation("tower_crane")
print(f"spans sag by {', '.join(f'{sag:.2f}' for sag in sim.read('hoist.sag'))} m, first frequencies")
print(f"             {', '.join(f'{f:.2f}' for f in sim.read('hoist.frequency'))} Hz")

# lower until the hook stands on the load: the rope goes slack and sags
sim.controls["hoist.speed"] = -0.5
while sim.read("hoist.lower_tension[1]") > 300.0 and sim.time < 20.0:
    sim.step()
sim.controls["hoist.speed"] = 0.0
sim.run(120)
slack = sim.read("hoist.sag[0]")
print(f"{sim.time:5.2f} s: hook set down, the span along the jib sags by {slack:.2f} m")

# hoist: how long until the load leaves the platform?
start = sim.time
sim.controls["hoist.speed"] = 0.8
while sim.read("load.position[2]") < 2.75 and sim.time < start + 20.0:
    sim.step()
delay = sim.time - start
top, bottom = sim.read("hoist.upper_tension[1]"), sim.read("hoist.lower_tension[1]")
print(f"{sim.time:5.2f} s: the load lifts {delay:.2f} s after the winch started; sag {sim.read('hoist.sag[0]'):.2f} m")
print(f"         tension {top / 1e3:.2f} kN at the top of the fall, {bottom / 1e3:.2f} kN at the hook")

assert delay > 1.0 and sim.read("hoist.sag[0]") < 0.5 * slack
assert top > bottom
