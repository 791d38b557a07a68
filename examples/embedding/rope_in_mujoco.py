"""A Taut rope in a MuJoCo scene: MuJoCo moves the load, Taut pulls it.

The load is a free body of MuJoCo's, which knows of no rope. Each frame its pose and velocity go to Taut, the rope's impulse
comes back and is added to its velocity. Tension and period are those of a pendulum on a real steel rope, at 1/60 s.
"""

import math

import mujoco
import numpy as np

import taut
from taut.serve import COUPLED, Client, Server

LENGTH, MASS, ANGLE, DT = 10.0, 1000.0, math.radians(5.0), 1.0 / 60.0
start = np.array([LENGTH * math.sin(ANGLE), 0.0, LENGTH * (1.0 - math.cos(ANGLE))])

scene = taut.Scene(
    dt=DT,
    bodies={
        "load": taut.Body(
            mass=MASS, inertia=(50, 50, 50), shape=taut.Sphere(radius=0.3), position=tuple(start), collide=False
        )
    },
    cables={
        "rope": taut.Cable(
            rope={"construction": "6x36WS-IWRC", "diameter": "16 mm", "grade": 1960},
            tension=MASS * 9.81 * math.cos(ANGLE),
            route=[taut.End(at=(0, 0, LENGTH)), taut.End(on="load", at=tuple(start))],
        )
    },
)
world = mujoco.MjModel.from_xml_string(f"""
<mujoco><option timestep="{DT}" gravity="0 0 -9.81"/><worldbody>
  <body name="load" pos="{start[0]} 0 {start[2]}"><freejoint/>
    <inertial pos="0 0 0" mass="{MASS}" diaginertia="50 50 50"/><geom type="sphere" size="0.3"/></body>
</worldbody></mujoco>""")
data = mujoco.MjData(world)

times, tensions = [], []
with Server(scene, COUPLED, ("load",), port=0) as server:
    server.start()
    with Client(server.port) as host:
        host.set_up(np.array([[MASS, 50.0, 50.0, 50.0]]))
        while len(times) < 3 and data.time < 30.0:
            before = data.qpos[0]
            turn = np.zeros(9)
            mujoco.mju_quat2Mat(turn, data.qpos[3:7])
            spin = turn.reshape(3, 3) @ data.qvel[3:6]  # MuJoCo's is in the body's axes
            pose = np.concatenate([data.qpos[:7], data.qvel[:3], spin, np.zeros(6)])
            told = host.step(coupled=pose[None])
            data.qvel[:3] += told.coupled[0, :3] / MASS
            data.qvel[3:6] += turn.reshape(3, 3).T @ (told.coupled[0, 3:] / 50.0)
            mujoco.mj_step(world, data)
            tensions.append(told.tensions[0, 0])
            if before > 0.0 >= data.qpos[0]:
                times.append(data.time)
        trip = host.round_trip()

period, true = times[2] - times[1], 2 * math.pi * math.sqrt(LENGTH / 9.81) * (1 + ANGLE**2 / 16)
weight, mean = MASS * 9.81, float(np.mean(tensions))
# over a swing the mean tension exceeds the weight by angle^2 / 4
print(
    f"period {period:.3f} s, theory {true:.3f} s; mean tension {mean:.0f} N, theory {weight * (1 + ANGLE**2 / 4):.0f} N"
)
print(f"round trip p50 {1e6 * trip.p50:.0f} us, p99 {1e6 * trip.p99:.0f} us, max {1e6 * trip.most:.0f} us")
assert abs(period / true - 1) < 0.005
assert abs(mean / (weight * (1 + ANGLE**2 / 4)) - 1) < 0.005
