"""Taut's segmented cable as a solver of cosseratbench, an independent ranking of rod simulations.

Entry point `cosseratbench.solvers`: with Taut installed, `cosseratbench run --solver taut` finds it. What is statics there is
brought to rest with as much damping as the slowest swing asks for; dynamics run without any beyond the solver's least.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
from cosseratbench.scenario import Cylinder as RoundBar
from cosseratbench.scenario import End, EndCondition, Rod, Scenario
from cosseratbench.solver import Capability, Diverged
from cosseratbench.trajectory import Trajectory

import taut
from taut.compile import frames
from taut.scene import Body, Cable, Cylinder, Material, PoseMotion, Slider
from taut.scene import End as Tied
from taut.scene import Plane as Ground
from taut.scene import Scene as OurScene
from taut.scene.parts import Free
from taut.simulation import Simulation, SimulationError

Array = np.ndarray
#: steps per frame at least, and the longest step [s]: of what swings, and of what only comes to rest
SWINGING, RESTING = 1e-3, 4e-3
#: mass of what a load pushes at a free end, relative to a segment
TIP = 1e-3


class Taut:
    """Adapter: a rod becomes a segmented cable, a driven end a kinematic body, a sliding end a carriage on it."""

    name = "taut"
    capabilities = frozenset({
        Capability.STRETCH, Capability.PLANE_CONTACT, Capability.CYLINDER_CONTACT, Capability.ROD_CONTACT,
        Capability.ROD_FRICTION,
    })  # fmt: skip
    backend_version = taut.__version__

    def __init__(self, time_step_scale: float = 1.0) -> None:
        self.time_step_scale = time_step_scale

    def step(self, scenario: Scenario, n_frames: int) -> tuple[float, int]:
        """Time step [s] and steps between two frames."""
        between = scenario.duration / (n_frames - 1)
        longest = (RESTING if scenario.quasi_static else SWINGING) * self.time_step_scale
        steps = max(1, math.ceil(between / longest - 1e-9))
        return between / steps, steps

    def settings(self, scenario: Scenario, *, n_elements: int, n_frames: int) -> dict[str, Any]:
        """The numerical choices of a run."""
        dt, _ = self.step(scenario, n_frames)
        return {"time_step": dt, "damping_time": _damping(scenario), "solver": "direct, defaults"}

    def run(self, scenario: Scenario, *, n_elements: int, n_frames: int) -> Trajectory:
        """Simulate; see cosseratbench.solver.Solver."""
        dt, steps = self.step(scenario, n_frames)
        sim = Simulation(_scene(scenario, n_elements, dt))
        for index, rod in enumerate(scenario.rods):
            for load in rod.loads:
                body = _carrier(index, rod, load.at)
                sim.push(body, load.force)
        readers = [_Reader(sim, index, rod, n_elements) for index, rod in enumerate(scenario.rods)]
        frames_of: list[list[tuple[Array, Array]]] = [[reader.read()] for reader in readers]
        for _ in range(n_frames - 1):
            try:
                sim.run(steps)
            except SimulationError as error:
                raise Diverged(str(error), sim.time) from error
            for found, reader in zip(frames_of, readers):
                found.append(reader.read())
        return Trajectory(
            np.linspace(0.0, scenario.duration, n_frames),
            tuple(np.array([nodes for nodes, _ in found]) for found in frames_of),
            tuple(np.array([directors for _, directors in found]) for found in frames_of),
        )


def _damping(scenario: Scenario) -> float:
    """Damping time of a scenario that only asks for its rest: that of its slowest swing; where ends are driven, and
    the way there is looked at, a fiftieth of it [s]."""
    if not scenario.quasi_static:
        return 0.0
    driven = any(rod.motion(end) is not None for rod in scenario.rods for end in End)
    return (0.02 if driven else 1.0) / scenario.slowest_frequency()


def _vector(place: Any) -> tuple[float, float, float]:
    x, y, z = np.asarray(place, float).tolist()
    return x, y, z


def _carrier(index: int, rod: Rod, end: End) -> str:
    motion = rod.motion(end)
    kind = "carriage" if motion is not None and motion.slides_along is not None else "tip"
    return f"{kind}_{index}_{end.value}"


def _scene(scenario: Scenario, n: int, dt: float) -> OurScene:
    bodies: dict[str, Body] = {}
    joints: dict[str, Any] = {}
    cables: dict[str, Cable] = {}
    # a lone rod that cannot reach itself and has nothing to touch needs no contact
    touches = bool(scenario.obstacles) or len(scenario.rods) > 1 or scenario.self_contact
    for k, obstacle in enumerate(scenario.obstacles):
        bodies[f"obstacle_{k}"] = _obstacle(obstacle, f"obstacle_{k}")
    for index, rod in enumerate(scenario.rods):
        nodes = rod.nodes(n)
        route = [
            _end(index, rod, End.START, nodes[0], n, bodies, joints),
            _end(index, rod, End.END, nodes[-1], n, bodies, joints),
        ]
        m = rod.material
        cables[f"rod_{index}"] = Cable(
            model="segmented", diameter=2.0 * rod.radius, modulus=m.youngs_modulus, shear_modulus=m.shear_modulus,
            density=m.density, length=rod.length, places=tuple(_vector(p) for p in nodes),
            damping_time=_damping(scenario), collide=touches, route=tuple(route), material=f"rod_{index}",
            group=f"rod_{index}", meets=_meets(scenario, index),
        )  # fmt: skip
    return OurScene(
        dt=dt,
        gravity=_vector(scenario.gravity),
        bodies=bodies,
        joints=joints,
        cables=cables,
        materials=_materials(scenario),
        duration=scenario.duration,
    )


def _meets(scenario: Scenario, index: int) -> tuple[str, ...]:
    """What a rod may touch: obstacles, other rods, and itself where it can reach itself."""
    others = [f"rod_{k}" for k in range(len(scenario.rods)) if k != index or scenario.self_contact]
    return (*others, "obstacle") if scenario.obstacles else tuple(others)


def _materials(scenario: Scenario) -> dict[str, Material]:
    """Everything is of a material of its own: of two coefficients of friction the larger counts there."""
    friction = {f"rod_{k}": rod.friction for k, rod in enumerate(scenario.rods)}
    friction |= {f"obstacle_{k}": obstacle.friction for k, obstacle in enumerate(scenario.obstacles)}
    return {
        name: Material(friction=own, against={other: max(own, theirs) for other, theirs in friction.items()})
        for name, own in friction.items()
    }


def _obstacle(obstacle: Any, material: str) -> Body:
    """A fixed cylinder or plane, turned so that its axis or normal is what it is there."""
    if isinstance(obstacle, RoundBar):
        place, axis = obstacle.center, obstacle.unit_axis
        shape: Any = Cylinder(radius=obstacle.radius, length=obstacle.length)
    else:
        place, axis, shape = obstacle.point, obstacle.unit_normal, Ground()
    w, x, y, z = _turn_from_z(axis).tolist()
    return Body(
        kind="static",
        position=_vector(place),
        orientation=(w, x, y, z),
        shape=shape,
        material=material,
        group="obstacle",
    )


def _turn_from_z(axis: Array) -> Array:
    """Quaternion that turns z to a direction."""
    if axis[2] < -1.0 + 1e-12:
        return np.array([0.0, 1.0, 0.0, 0.0])
    turn = np.array([1.0 + axis[2], -axis[1], axis[0], 0.0])
    return turn / np.linalg.norm(turn)


def _end(index: int, rod: Rod, end: End, place: Array, n: int, bodies: dict[str, Body], joints: dict[str, Any]) -> Any:
    """The part of a route that holds one end, and the bodies it needs."""
    at = _vector(place)
    condition, motion = rod.condition(end), rod.motion(end)
    loaded = any(load.at is end for load in rod.loads)
    mass = rod.material.density * rod.area * rod.length / n
    name = _carrier(index, rod, end)
    if condition is EndCondition.FREE:
        if not loaded:
            return Free(at=at)
        bodies[name] = Body(kind="particle", mass=TIP * mass, position=at)
        return Tied(on=name, at=at)
    hold: Literal["pose", "point"] = "pose" if condition is EndCondition.CLAMPED else "point"
    if motion is None:
        return Tied(at=at, hold=hold)
    clamp = f"clamp_{index}_{end.value}"
    times, positions, turns = [], [], []
    for time in np.unique(np.concatenate([motion.times, np.linspace(0.0, motion.times[-1], 400)])):
        moved, turned = motion.pose(float(time))
        times.append(float(time))
        positions.append(_vector(np.asarray(place) + moved))
        w, x, y, z = frames.from_matrix(turned).tolist()
        turns.append((w, x, y, z))
    bodies[clamp] = Body(
        kind="kinematic", motion=PoseMotion(times=tuple(times), positions=tuple(positions), orientations=tuple(turns))
    )
    if motion.slides_along is None:
        return Tied(on=clamp, at=at, hold=hold)
    small = mass * rod.radius**2
    bodies[name] = Body(mass=mass, inertia=(small, small, small), position=at, collide=False)
    joints[f"slide_{index}_{end.value}"] = Slider(a=clamp, b=name, axis=_vector(motion.axis), at=at)
    return Tied(on=name, at=at, hold=hold)


class _Reader:
    """Nodes and directors of one rod."""

    def __init__(self, sim: Simulation, index: int, rod: Rod, n: int) -> None:
        self._sim = sim
        self._segments = np.array([sim.compiled.bodies.index[f"rod_{index}_{i}"] for i in range(n)])
        self._half = 0.5 * rod.length / n
        turn = self._turns()
        self._local = frames.rotate(turn * np.array([1.0, -1.0, -1.0, -1.0]), rod.directors(n))

    def _turns(self) -> Array:
        return np.asarray(self._sim.state.body_quat[self._segments])

    def read(self) -> tuple[Array, Array]:
        """Node positions, shape (n + 1, 3) [m], and directors, shape (n, 3)."""
        turn, middle = self._turns(), np.asarray(self._sim.state.body_pos[self._segments])
        reach = self._half * frames.rotate(turn, np.tile([0.0, 0.0, 1.0], (len(turn), 1)))
        ends, begins = middle + reach, middle - reach
        nodes = np.concatenate([begins[:1], 0.5 * (ends[:-1] + begins[1:]), ends[-1:]])
        return nodes, frames.rotate(turn, self._local)
