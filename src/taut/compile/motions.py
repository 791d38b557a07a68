"""Motion of kinematic bodies as tables, and the wind."""

from __future__ import annotations

import math

import numpy as np

from taut.compile.bodies import BodyTable
from taut.compile.controls import Controls
from taut.core.codes import BY_CONTROL, BY_POSE, BY_VELOCITY
from taut.scene import ControlMotion, PoseMotion, Scene, VelocityMotion


def compile_motions(bodies: BodyTable, controls: Controls) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Integers (columns K_KIND ...), times and values of all kinematic bodies that move."""
    kind, body, start, stop, repeat = [], [], [], [], []
    times: list[float] = []
    values: list[list[float]] = []
    for i, spec in enumerate(bodies.specs):
        if spec is None or spec.kind != "kinematic":
            continue
        motion = spec.motion
        if motion is None:
            # keeps the velocity it starts with
            motion = VelocityMotion(times=(0.0,), velocities=(spec.velocity,), spins=(spec.spin,))
        body.append(i)
        start.append(len(times))
        repeat.append(0)
        if isinstance(motion, PoseMotion):
            kind.append(BY_POSE)
            repeat[-1] = int(motion.repeat)
            turns = motion.orientations or (spec.orientation,) * len(motion.times)
            times += motion.times
            values += [[*p, *q] for p, q in zip(motion.positions, turns)]
        elif isinstance(motion, VelocityMotion):
            kind.append(BY_VELOCITY)
            spins = motion.spins or ((0.0, 0.0, 0.0),) * len(motion.times)
            times += motion.times
            values += [[*v, *w, 0.0] for v, w in zip(motion.velocities, spins)]
        elif isinstance(motion, ControlMotion):
            kind.append(BY_CONTROL)
            start[-1] = _six_drives(bodies.names[i], spec.velocity, spec.spin, motion, controls)
            # where its centre of mass stops: a row of the smallest and one of the largest places
            stop.append(len(times))
            times += [0.0, 0.0]
            values += _stops(motion, bodies.start_pos[i] - np.asarray(spec.position, float))
            continue
        stop.append(len(times))
    integers = np.array([kind, body, start, stop, repeat], np.int64).T
    return integers, np.array(times, float), np.array(values, float).reshape(-1, 7)


def _stops(motion: ControlMotion, arm: np.ndarray) -> list[list[float]]:
    """Smallest and largest place of the centre of mass, which lies by `arm` from the user's frame [m]; endless where there is no stop."""
    ends = [(-math.inf, math.inf) if stop is None else stop for stop in motion.stops]
    return [[*(end[side] + x for end, x in zip(ends, arm)), 0.0, 0.0, 0.0, 0.0] for side in (0, 1)]


def _six_drives(name, velocity, spin, motion, controls):  # type: ignore[no-untyped-def]
    """Controls NAME.velocity[0..2] and NAME.spin[0..2]."""
    linear = math.inf if motion.acceleration is None else motion.acceleration
    angular = math.inf if motion.angular_acceleration is None else motion.angular_acceleration
    first = controls.add(f"{name}.velocity[0]", "m/s", velocity[0], linear)
    for k in range(1, 3):
        controls.add(f"{name}.velocity[{k}]", "m/s", velocity[k], linear)
    for k in range(3):
        controls.add(f"{name}.spin[{k}]", "rad/s", spin[k], angular)
    return first


def compile_wind(scene: Scene, controls: Controls) -> tuple[np.ndarray, int]:
    """Numbers of the wind (see WIND_GUST ...) and the drive of its speed; nothing blows without one."""
    wind = scene.wind
    if wind is None:
        return np.zeros(8), 0
    drive = controls.add("wind.speed", "m/s", wind.speed)
    direction = np.asarray(wind.direction, float)
    gust = (wind.gust.amplitude, wind.gust.period) if wind.gust else (0.0, 1.0)
    profile = (wind.profile.exponent, wind.profile.reference_height) if wind.profile else (0.0, 1.0)
    return np.array([*gust, *profile, wind.air_density, *(direction / np.linalg.norm(direction))]), drive
