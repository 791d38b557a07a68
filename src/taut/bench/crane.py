"""A crane for learning: actions of 0.1 s a second, beside the same crane in MuJoCo's rollout.

MuJoCo's crane has the masses, sizes, drives and ropes of the scene `gantry`: a trolley on a slide, two winches as slides
that carry the upper ends of the ropes, ropes as tendons that cannot be longer than they are, contact with the ground. It is
given the largest step of a ladder at which its load ends a lift and a travel within 5 cm of where its own finest step brings
it; ours runs at the scene's 1/60 s, and is held to the same against its own.
"""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np

from taut.bench.display import Display

CRANES = 128
#: steps of MuJoCo that are tried [s]
LADDER = tuple(1.0 / (60 * 2**k) for k in range(6))
#: largest distance of its load from ours after the manoeuvre [m]
AGREE = 0.05
ROUND_TIME, ROUNDS = 0.5, 3
#: the manoeuvre: lift, then travel: seconds, winches [m/s of rope], trolley [m/s]
MANOEUVRE = ((5.0, 0.6, 0.0), (3.0, 0.0, 0.6), (2.0, 0.0, 0.0))


def run(display: Display, cranes: int = CRANES, round_time: float = ROUND_TIME) -> dict[str, Any]:
    """Measure, show, and hand back the numbers."""
    ours = {f"threads_{threads}": _ours(cranes, threads, round_time) for threads in (1, 2)}
    miss = our_error()
    rows = [("taut", f"{1e3 / 60:.3g}", f"{ours['threads_1']:.0f}", f"{ours['threads_2']:.0f}", "1.00")]
    found: dict[str, Any] = {"taut": ours}
    try:
        step = largest_step()
    except ModuleNotFoundError as error:
        display.note(f"not compared: mujoco ({error})")
        step = None
    if step is not None:
        peer = {f"threads_{threads}": _mujoco(step, cranes, threads, round_time) for threads in (1, 2)}
        ratio = ours["threads_1"] / peer["threads_1"]
        rows.append(
            ("mujoco", f"{1e3 * step:.3g}", f"{peer['threads_1']:.0f}", f"{peer['threads_2']:.0f}", f"{ratio:.2f}")
        )
        found["mujoco"] = {**peer, "step": step}
    display.table(
        f"gantry crane, {cranes} at once: actions of 0.1 s per second",
        ("engine", "step [ms]", "1 thread", "2 threads", "ours over theirs"),
        rows,
    )
    display.note(f"our load ends the manoeuvre {1e3 * miss:.1f} mm from where a step of 1/480 s brings it")
    return {**found, "our_error": miss}


def _rate(rollout: Any, cranes: int, round_time: float) -> float:
    """Actions of all cranes in a second: the best of some rounds."""
    rollout(2)
    begun = time.perf_counter()
    rollout(2)
    count = max(2, math.ceil(2 * round_time / (time.perf_counter() - begun)))
    best = math.inf
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        rollout(count)
        best = min(best, time.perf_counter() - begun)
    return cranes * count / best


def _ours(cranes: int, threads: int, round_time: float) -> float:
    from taut.scenes import open_scene
    from taut.sweep import Batch

    batch = Batch(open_scene("gantry"), cranes, threads=threads)
    batch.step({"left.speed": 0.6, "right.speed": 0.6}, 300)  # off the ground
    speeds = np.random.default_rng(0).uniform(-0.3, 0.3, (1000, cranes))
    at = 0

    def rollout(actions: int) -> None:
        nonlocal at
        for _ in range(actions):
            at = (at + 1) % len(speeds)
            batch.step({"travel.speed": speeds[at], "left.speed": 0.1 * speeds[at], "right.speed": 0.1 * speeds[at]}, 6)

    return _rate(rollout, cranes, round_time)


MODEL = """
<mujoco>
  <option timestep="{step}" integrator="implicitfast" gravity="0 0 -9.81"/>
  <default><geom friction="0.6"/></default>
  <worldbody>
    <geom type="plane" size="20 20 1"/>
    <body name="trolley" pos="0 0 9.45">
      <joint name="travel" type="slide" axis="1 0 0" range="-4.8 4.8" limited="true"/>
      <geom type="box" size="1.6 1.1 0.12" mass="3000" contype="0" conaffinity="0"/>
      <body pos="-0.9 0 -0.15"><joint name="left" type="slide" axis="0 0 1"/>
        <geom type="sphere" size="0.1" mass="100" contype="0" conaffinity="0"/><site name="left_up"/></body>
      <body pos="0.9 0 -0.15"><joint name="right" type="slide" axis="0 0 1"/>
        <geom type="sphere" size="0.1" mass="100" contype="0" conaffinity="0"/><site name="right_up"/></body>
    </body>
    <body name="hook" pos="0 0 2.7"><freejoint/>
      <geom type="box" size="1.25 0.2 0.17" mass="600"/>
      <site name="left_down" pos="-0.9 0 0.3"/><site name="right_down" pos="0.9 0 0.3"/>
      <site name="hook_left" pos="-0.9 0 -0.15"/><site name="hook_right" pos="0.9 0 -0.15"/>
    </body>
    <body name="load" pos="0 0 0.55"><freejoint/>
      <geom type="box" size="1.3 0.75 0.55" mass="10296"/>
      <site name="load_1" pos="-1.15 -0.6 0.55"/><site name="load_2" pos="-1.15 0.6 0.55"/>
      <site name="load_3" pos="1.15 -0.6 0.55"/><site name="load_4" pos="1.15 0.6 0.55"/>
    </body>
  </worldbody>
  <tendon>
    <spatial name="rope_left" limited="true" range="0 6.3"><site site="left_up"/><site site="left_down"/></spatial>
    <spatial name="rope_right" limited="true" range="0 6.3"><site site="right_up"/><site site="right_down"/></spatial>
    <spatial limited="true" range="0 1.66"><site site="hook_left"/><site site="load_1"/></spatial>
    <spatial limited="true" range="0 1.66"><site site="hook_left"/><site site="load_2"/></spatial>
    <spatial limited="true" range="0 1.66"><site site="hook_right"/><site site="load_3"/></spatial>
    <spatial limited="true" range="0 1.66"><site site="hook_right"/><site site="load_4"/></spatial>
  </tendon>
  <actuator>
    <velocity joint="travel" kv="400000" forcelimited="true" forcerange="-40000 40000"/>
    <velocity joint="left" kv="20000000"/>
    <velocity joint="right" kv="20000000"/>
  </actuator>
</mujoco>
"""


def largest_step() -> float | None:
    """Largest step at which MuJoCo's load ends where that of its finest step does [s]; None if there is none."""
    target = _mujoco_end(LADDER[-1])
    for step in LADDER[:-1]:
        place = _mujoco_end(step)
        if np.isfinite(place).all() and np.linalg.norm(place - target) < AGREE:
            return step
    return None


def our_error() -> float:
    """Distance of our load from where a step of 1/480 s brings it, after the manoeuvre [m]."""
    from taut.scenes import open_scene
    from taut.simulation import Simulation

    ends = []
    for dt in (1 / 60, 1 / 480):
        sim = Simulation(open_scene("gantry", [f"dt={dt}"]))
        for seconds, winches, trolley in MANOEUVRE:
            sim.controls["left.speed"] = sim.controls["right.speed"] = winches
            sim.controls["travel.speed"] = trolley
            sim.run(round(seconds / sim.dt))
        ends.append(sim.read("load.position"))
    return float(np.linalg.norm(ends[0] - ends[1]))


def _mujoco_end(step: float) -> np.ndarray:
    """Where MuJoCo's load is after the manoeuvre [m]."""
    import mujoco

    model = mujoco.MjModel.from_xml_string(MODEL.format(step=step))
    data = mujoco.MjData(model)
    before = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(lambda _text: None)  # a lost run is a result here
    ramp = np.zeros(3)
    for seconds, winches, trolley in MANOEUVRE:
        # as our drives do: 0.5 m/s^2 of rope, of which the load sees half, and 0.4 m/s^2 of the trolley
        asked, most = np.array([trolley, 0.5 * winches, 0.5 * winches]), step * np.array([0.4, 0.25, 0.25])
        for _ in range(round(seconds / step)):
            ramp += np.clip(asked - ramp, -most, most)
            data.ctrl[:] = ramp
            mujoco.mj_step(model, data)
    mujoco.set_mju_user_warning(before)
    return np.array(data.body("load").xpos)


def _mujoco(step: float, cranes: int, threads: int, round_time: float) -> float:
    import mujoco
    from mujoco.rollout import Rollout

    model = mujoco.MjModel.from_xml_string(MODEL.format(step=step))
    data = mujoco.MjData(model)
    for k in range(round(5.0 / step)):
        data.ctrl[:] = [0.0, *2 * [min(0.3, 0.25 * k * step)]]
        mujoco.mj_step(model, data)
    size = mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    first = np.zeros(size)
    mujoco.mj_getState(model, data, first, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    state = np.tile(first, (cranes, 1))
    pool = Rollout(nthread=threads)
    datas = [mujoco.MjData(model) for _ in range(threads)]
    speeds = np.random.default_rng(0).uniform(-0.3, 0.3, (1000, cranes))
    steps, at = round(0.1 / step), 0

    def rollout(actions: int) -> None:
        nonlocal at, state
        for _ in range(actions):
            at = (at + 1) % len(speeds)
            control = np.stack([speeds[at], 0.05 * speeds[at], 0.05 * speeds[at]], axis=1)
            states, _ = pool.rollout(model, datas, state, control[:, None], nstep=steps)
            state = np.ascontiguousarray(states[:, -1])

    return _rate(rollout, cranes, round_time)
