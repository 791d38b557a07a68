"""Bodies that a host moves and our ropes pull: into the state before a step, impulses or forces out of it after.

coupled   The body is one of ours, with the host's mass and inertia. Before a step it takes pose and velocity from the host; our
          step solves it with ropes, joints and contacts of our scene, and what these have given it is the impulse

              p = m (v+ - v) - h (m g + f),      b = L+ - L - h t

          which the host adds to the body's momentum before its own step. Both then move with the same velocity: stable
          for any stiffness of the rope, as our own step is.
forces    The body is moved as told (kinematic); the ropes' forces at its pose go out. Limited: see taut.serve.limit.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from taut.compile import frames
from taut.measure import ropes
from taut.scene import Scene
from taut.serve.errors import ServeError
from taut.serve.limit import fastest, largest_step
from taut.serve.messages import COUPLED, FORCES
from taut.simulation import Simulation


def with_masses(scene: Scene, names: list[str], masses: np.ndarray) -> Scene:
    """The scene with the host's mass and inertia of its bodies. Raises ServeError and SceneError."""
    changes = []
    for name, (mass, *inertia) in zip(names, masses.tolist()):
        if not mass > 0.0 or not min(inertia) > 0.0:
            raise ServeError(f"{name}: mass {mass:g} kg and inertia {inertia} kg m^2; all must be above zero")
        changes += [f"{name}.mass={mass!r}", f"{name}.inertia={inertia!r}"]
    return scene.with_overrides(changes)


def own_masses(scene: Scene, names: list[str]) -> np.ndarray:
    """Mass [kg] and principal inertia [kg m^2] of the bodies as the scene has them, shape (bodies, 4)."""
    bodies = Simulation(scene).compiled.bodies
    return np.array([[bodies.mass[i], *bodies.inertia[i]] for i in (bodies.index[name] for name in names)])


def check(scene: Scene, names: list[str], mode: int) -> None:
    """Refuse bodies that cannot be coupled. Raises ServeError."""
    for name in names:
        if name not in scene.bodies:
            raise ServeError(f"--couple {name}: no such body; bodies: {', '.join(scene.bodies)}")
        if scene.bodies[name].kind != "dynamic":
            raise ServeError(f"--couple {name}: it is {scene.bodies[name].kind}; only a dynamic body can be the host's")
        joined = [joint for joint, spec in scene.joints.items() if name in (spec.a, spec.b)]
        joined += [chain for chain, spec in scene.chains.items() if name in (spec.a, spec.b)]
        joined += [cable for cable, strand in scene.strands().items() if name in strand.held]
        joined += [cable for cable, spec in scene.lattices().items() if any(part.on == name for part in spec.parts())]
        if mode == FORCES and joined:
            raise ServeError(
                f"--couple {name}: {joined[0]} holds it, as a joint does; forces can be given for ropes without mass only, use --mode coupled"
            )
    if mode != FORCES and mode != COUPLED and names:
        raise ServeError("--couple needs --mode coupled or --mode forces")
    if mode in (FORCES, COUPLED) and not names:
        raise ServeError("--mode coupled and --mode forces need at least one --couple BODY")


def kinematic(scene: Scene, names: list[str]) -> Scene:
    """The scene with bodies that move as told."""
    changes = [f"{name}.{change}" for name in names for change in ("kind=kinematic", "motion={type: control}")]
    return scene.with_overrides(changes)


class Coupling:
    """The host's bodies in one simulation."""

    def __init__(self, sim: Simulation, names: list[str], mode: int) -> None:
        self._sim, self._mode, self.names = sim, mode, names
        self._index = [sim.compiled.bodies.index[name] for name in names]
        self._before = np.zeros((len(names), 6))
        self._given = np.zeros((len(names), 6))
        self._gravity = np.asarray(sim.scene.gravity, float)
        self._ropes: list[list[str]] = [[] for _ in names]
        if sim.compiled.ropes is not None:
            for rope in sim.compiled.ropes.names:
                for k, name in enumerate(names):
                    if name in ropes.bodies(sim, rope):
                        self._ropes[k].append(rope)

    def limit(self, masses: np.ndarray) -> float:
        """Largest stable step of the host [s]. The first step of a run must have been made."""
        if self._mode != FORCES:
            return float("inf")
        return largest_step(*fastest(self._sim, self._index, masses))

    def put(self, told: np.ndarray) -> None:
        """Poses, velocities and forces of the host into our state; shape (coupled, 19)."""
        sim, bodies = self._sim, self._sim.compiled.bodies
        for k, i in enumerate(self._index):
            position, turn, velocity, spin, force = (
                told[k, :3],
                told[k, 3:7],
                told[k, 7:10],
                told[k, 10:13],
                told[k, 13:],
            )
            size = float(np.linalg.norm(turn))
            if not 0.5 < size < 2.0:
                raise ServeError(f"{self.names[k]}: the orientation {turn.tolist()} is no quaternion (w, x, y, z)")
            own = turn / size
            arm = frames.rotate(own, bodies.centre[i])
            quat = frames.multiply(own, bodies.frame[i])
            centre_velocity = velocity + np.cross(spin, arm)
            sim.state.body_pos[i] = position + arm
            sim.state.body_quat[i] = quat
            sim.state.body_vel[i] = [*centre_velocity, *spin]
            if self._mode == FORCES:
                for c in range(3):
                    sim.controls[f"{self.names[k]}.velocity[{c}]"] = float(velocity[c])
                    sim.controls[f"{self.names[k]}.spin[{c}]"] = float(spin[c])
                continue
            axes = frames.matrix(quat)
            momentum = axes @ (bodies.inertia[i] * (axes.T @ spin))
            sim.state.body_momentum[i] = momentum
            sim.state.body_push[i] = force
            self._before[k] = [*(bodies.mass[i] * centre_velocity), *momentum]
            self._given[k] = [*(bodies.mass[i] * self._gravity + force[:3]), *force[3:]]

    def take(self) -> np.ndarray:
        """What our step gave each body: impulses [N s, N m s], or forces [N, N m]; shape (coupled, 6)."""
        sim = self._sim
        if self._mode == FORCES:
            sums = [
                sum((ropes.wrench_on(sim, rope, name) for rope in held), np.zeros(6))
                for name, held in zip(self.names, self._ropes)
            ]
            return np.array(sums).reshape(-1, 6)
        now = np.array(
            [
                [*(sim.compiled.bodies.mass[i] * sim.state.body_vel[i, :3]), *sim.state.body_momentum[i]]
                for i in self._index
            ]
        ).reshape(-1, 6)
        return now - self._before - sim.dt * self._given

    def own(self) -> Any:
        """Pose, velocity and spin of each body as the scene has them, no forces, shape (coupled, 19)."""
        from taut.measure import poses

        rows = []
        for i in self._index:
            sim = self._sim
            rows.append(
                [
                    *poses.position(sim, i),
                    *poses.orientation(sim, i),
                    *poses.velocity(sim, i),
                    *poses.spin(sim, i),
                    *6 * [0.0],
                ]
            )
        return np.array(rows).reshape(-1, 19)
