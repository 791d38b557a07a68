"""A hoist with two falls: half the weight in the rope, half the speed at the hook; set down, it goes slack."""

import taut

MASS, SPEED = 2000.0, 0.5
scene = taut.Scene(
    bodies={
        "ground": taut.Body(kind="static", shape=taut.Plane()),
        "load": taut.Body(shape=taut.Box(size=(1, 1, 1)), mass=MASS, position=(0, 0, 2)),
    },
    cables={
        "hoist": taut.Cable(
            rope={"construction": "6x36WS-IWRC", "diameter": "14 mm", "grade": 1960},
            damping_time="20 ms",
            tension=MASS * 9.81 / 2,
            route=(
                taut.Winch(at=(-2, 0, 8), axis=(0, 1, 0), radius=0.25, turn="left", acceleration=0.5),
                taut.Sheave(at=(0, 0, 8), axis=(0, 1, 0), radius=0.25),
                taut.Falls(
                    count=2, lower="load", upper_at=(0, 0, 8), lower_at=(0, 0, 2.7), axis=(0, 1, 0), radius=0.25
                ),
            ),
        )
    },
)
sim = taut.Simulation(scene)

sim.controls["hoist.speed"] = SPEED
sim.run(round(4 / sim.dt))
tension, rising = sim.read("hoist.tension"), sim.read("load.velocity[2]")
print(f"hoisting: {tension:.0f} N in the rope, {rising:.3f} m/s, safety factor {sim.read('hoist.safety'):.1f}")
# the load hangs on two parallel falls, and its rope runs off over a sheave without loss
assert abs(tension - MASS * 9.81 / 2) < 1e-3 * tension
assert abs(rising - SPEED / 2) < 0.01 * SPEED

sim.controls["hoist.speed"] = -SPEED
sim.run(round(20 / sim.dt))
sim.controls["hoist.speed"] = 0.0
sim.run(round(3 / sim.dt))
slack = sim.read("hoist.rope_out") - sim.read("hoist.path")
print(f"landed: {sim.read('contact.force'):.0f} N on the ground, {slack:.2f} m of slack rope")
assert sim.read("hoist.tension") == 0.0 and slack > 0.5
assert abs(sim.read("contact.force") - MASS * 9.81) < 1e-3 * MASS * 9.81
