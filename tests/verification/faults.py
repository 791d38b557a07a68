"""Faults that a validation must notice, each a simulation that does one thing wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from taut.core.codes import GENERAL, NEEDLE
from taut.scene import Distance, Mesh, Scene
from taut.simulation import Simulation
from taut.validate import Lab
from taut.validate.segmented_particles import Particles


def _same(scene: Scene) -> Scene:
    return scene


def _heavy(scene: Scene) -> Scene:
    """Gravity three per cent too strong."""
    return scene.model_copy(update={"gravity": tuple(1.03 * g for g in scene.gravity)})


def _frozen(scene: Scene) -> Scene:
    """No geometric stiffness."""
    return scene.model_copy(update={"solver": scene.solver.model_copy(update={"geometric_stiffness": 0.0})})


def _stiff(scene: Scene) -> Scene:
    """Geometric stiffness also where none is asked for."""
    return scene.model_copy(update={"solver": scene.solver.model_copy(update={"geometric_stiffness": 1.0})})


def _pushy(scene: Scene) -> Scene:
    """Ropes that push like rods."""
    joints = {
        name: j.model_copy(update={"rope": False}) if isinstance(j, Distance) else j for name, j in scene.joints.items()
    }
    return scene.model_copy(update={"joints": joints})


def _unlimited(scene: Scene) -> Scene:
    """Joints without end stops."""
    joints = {
        name: j.model_copy(update={"limits": None}) if getattr(j, "limits", None) is not None else j
        for name, j in scene.joints.items()
    }
    return scene.model_copy(update={"joints": joints})


def _late(scene: Scene) -> Scene:
    """A step of one and a half times the length."""
    return scene.model_copy(update={"dt": 1.5 * scene.dt})


def _soft(scene: Scene) -> Scene:
    """Cables three per cent too soft."""
    cables = {}
    for name, cable in scene.cables.items():
        stiffnesses = ("axial_stiffness", "torsional_stiffness", "bending_stiffness", "modulus")
        given = {key: getattr(cable, key) for key in stiffnesses}
        softer = {key: 0.97 * value for key, value in given.items() if value is not None}
        cables[name] = cable.model_copy(update=softer)
    return scene.model_copy(update={"cables": cables})


def _slick(scene: Scene) -> Scene:
    """Friction five per cent too small."""
    return _rubbed(scene, 0.95)


def _rough(scene: Scene) -> Scene:
    """Friction five per cent too large."""
    return _rubbed(scene, 1.05)


def _rubbed(scene: Scene, factor: float) -> Scene:
    materials = {name: m.model_copy(update={"friction": factor * m.friction}) for name, m in scene.materials.items()}
    return scene.model_copy(update={"materials": materials})


def _through(scene: Scene) -> Scene:
    """Ropes that pass through what stands in their way: it is a mile off."""
    away = {name for cable in scene.cables.values() for name in cable.obstacles}
    bodies = {
        name: body.model_copy(update={"position": (1609.0, 0.0, 0.0)}) if name in away else body
        for name, body in scene.bodies.items()
    }
    return scene.model_copy(update={"bodies": bodies})


def _filled(scene: Scene) -> Scene:
    """Meshes without their hollows: convex hulls."""
    bodies = {
        name: b.model_copy(update={"shape": b.shape.model_copy(update={"contact": "hull"})})
        if isinstance(b.shape, Mesh)
        else b
        for name, b in scene.bodies.items()
    }
    return scene.model_copy(update={"bodies": bodies})


def _dense(scene: Scene) -> Scene:
    """Layered cables a hundred thousand times heavier."""
    cables = {
        name: c.model_copy(update={"mass_per_length": 1e5 * c.mass_per_length}) if c.model == "layered" else c
        for name, c in scene.cables.items()
    }
    return scene.model_copy(update={"cables": cables})


def _strong(scene: Scene) -> Scene:
    """Cables that never part."""
    cables = {name: cable.model_copy(update={"breaking_load": 1e12}) for name, cable in scene.cables.items()}
    return scene.model_copy(update={"cables": cables})


def _undivided(scene: Scene) -> Scene:
    """Segments are neither merged nor split."""
    cables = {name: cable.model_copy(update={"detail": "fixed"}) for name, cable in scene.cables.items()}
    return scene.model_copy(update={"cables": cables})


def _undecided(scene: Scene) -> Scene:
    """Cables keep one model."""
    cables = {
        name: c.model_copy(update={"model": "layered"}) if c.model == "auto" else c for name, c in scene.cables.items()
    }
    return scene.model_copy(update={"cables": cables})


def _whip(sim: Simulation) -> None:
    """Every step adds a twentieth to the speed of all waves."""
    sim.state.wave_mode[:, 2:] *= 1.05


def _leak(sim: Simulation) -> None:
    """Every step adds a thousandth to all speeds."""
    sim.state.body_vel[:] *= 1.001
    sim.state.body_momentum[:] *= 1.001


def _boost(sim: Simulation) -> None:
    """Every step adds a twentieth to all speeds."""
    sim.state.body_vel[:] *= 1.05
    sim.state.body_momentum[:] *= 1.05


def _drift(sim: Simulation) -> None:
    """Every step moves each body by a little, down and to another side each."""
    nodes = sim.model.node_body
    way = np.sin(np.arange(3 * len(nodes)) + 1.0).reshape(-1, 3)
    way[:, 2] = -np.abs(way[:, 2])
    sim.state.body_pos[nodes] += 5e-3 * way
    sim.state.body_quat[nodes, 1:] += 1e-3 * way


def _still(sim: Simulation) -> None:
    """Nothing turns."""
    sim.state.body_vel[:, 3:] = 0.0
    sim.state.body_momentum[:] = 0.0


def _creep(sim: Simulation) -> None:
    """Every step makes each run of rope ten micrometres longer."""
    sim.state.rope_length[:] += 1e-5


def _curved(sim: Simulation) -> None:
    """Segments turn by the exponential map, as bodies do."""
    segments = sim.model.body_rotor >= NEEDLE
    sim.model.body_rotor[segments] = GENERAL


def _sticky(sim: Simulation) -> None:
    """Everything stands still when segments are merged or split."""
    sim.state.body_vel[:] = 0.0
    sim.state.body_momentum[:] = 0.0


def _hasty(sim: Simulation) -> None:
    """Everything is half as fast again when segments are merged or split."""
    sim.state.body_vel[:] *= 1.5
    sim.state.body_momentum[:] *= 1.5


def _lopsided(sim: Simulation) -> None:
    """Segments are a hundred times heavier when they have been merged or split."""
    slots = sim.compiled.pools[0].slots
    sim.model.body_mass[slots] *= 100.0
    sim.model.body_inertia[slots] *= 100.0


def _shrunk(sim: Simulation) -> None:
    """Everything is taken a tenth of a metre along, and ropes get a thousandth shorter, when a cable has another model."""
    sim.state.body_pos[:, 0] += 0.1
    sim.state.rope_length[:] *= 0.999


def _ghostly(sim: Simulation) -> None:
    """What rods lean on is a mile off when they look for it."""
    sim.model.lean_shape[:, 1:4] = 1609.0


def _quiet(sim: Simulation) -> None:
    """Nothing wrong in the step."""


def _right(value: Any) -> Any:
    return value


def _misread(value: Any) -> Any:
    """Three per cent and a hundredth too much in everything that is read."""
    return np.asarray(value) * 1.03 + 0.01 if np.ndim(value) else value * 1.03 + 0.01


def _mirrored(value: Any) -> Any:
    """Everything that is read with the wrong sign."""
    return -np.asarray(value) if np.ndim(value) else -value


#: name -> (what is done to the scene, to each step, to each reading)
FAULTS: dict[str, tuple[Callable[[Scene], Scene], Callable[[Simulation], None], Callable[[Any], Any]]] = {
    "heavy": (_heavy, _quiet, _right),
    "frozen": (_frozen, _quiet, _right),
    "stiff": (_stiff, _quiet, _right),
    "pushy": (_pushy, _quiet, _right),
    "late": (_late, _quiet, _right),
    "unlimited": (_unlimited, _quiet, _right),
    "leak": (_same, _leak, _right),
    "boost": (_same, _boost, _right),
    "still": (_same, _still, _right),
    "drift": (_same, _drift, _right),
    "misread": (_same, _quiet, _misread),
    "mirrored": (_same, _quiet, _mirrored),
    "soft": (_soft, _quiet, _right),
    "creep": (_same, _creep, _right),
    "curved": (_same, _curved, _right),
    "through": (_through, _quiet, _right),
    "dense": (_dense, _quiet, _right),
    "slick": (_slick, _quiet, _right),
    "filled": (_filled, _quiet, _right),
    "rough": (_rough, _quiet, _right),
    "whip": (_same, _whip, _right),
    "strong": (_strong, _quiet, _right),
    "undivided": (_undivided, _quiet, _right),
    "sticky": (_same, _quiet, _right),
    "hasty": (_same, _quiet, _right),
    "lopsided": (_same, _quiet, _right),
    "undecided": (_undecided, _quiet, _right),
    "shrunk": (_same, _quiet, _right),
    "ghostly": (_same, _ghostly, _right),
    "limp": (_same, _quiet, _right),
}
#: name -> what is done whenever segments have been merged or split, or a cable has another model
EVENTS: dict[str, Callable[[Simulation], None]] = {
    "sticky": _sticky,
    "hasty": _hasty,
    "lopsided": _lopsided,
    "shrunk": _shrunk,
}


def _boosted(chains: Particles) -> Particles:
    """Particles that gain a twentieth of their speed in every step."""
    step = chains.step

    def boosted() -> None:
        step()
        chains.v *= 1.05

    chains.step = boosted  # type: ignore[method-assign]
    return chains


def _limp(chains: Particles) -> Particles:
    """Bend rows a million times too soft."""
    if chains.model == "e":
        chains.extra *= 1e6
    return chains


#: name -> what is done to chains of particles; those that are not here gain speed
CHAINS: dict[str, Callable[[Particles], Particles]] = {"limp": _limp}


class FaultyLab(Lab):
    """A lab whose simulations have a fault."""

    def __init__(self, fault: str) -> None:
        super().__init__(quick=True)
        self.change, self.disturb, self.distort = FAULTS[fault]
        self.upset = EVENTS.get(fault, _quiet)
        self.disturb_chains = CHAINS.get(fault, _boosted)

    def simulate(self, scene: Scene) -> Simulation:
        """The scene, with the fault in it."""
        return Faulty(self.change(scene), self.disturb, self.distort, self.upset)

    def chains(self, chains: Particles) -> Particles:
        """Particles with the fault, or that gain speed whatever the fault."""
        return self.disturb_chains(chains)


class Faulty(Simulation):
    """A simulation with a fault."""

    def __init__(
        self, scene: Scene, disturb: Callable[[Simulation], None], distort: Callable[[Any], Any],
        upset: Callable[[Simulation], None] = _quiet,
    ) -> None:  # fmt: skip
        super().__init__(scene)
        self.disturb, self.distort, self.upset = disturb, distort, upset

    def _rearrange(self) -> None:
        """Upset whenever something has changed."""
        before = self.compiled
        super()._rearrange()
        if self.compiled is not before:
            self.upset(self)

    def switch(self, models: Mapping[str, str]) -> None:
        """The same."""
        before = self.compiled
        super().switch(models)
        if self.compiled is not before:
            self.upset(self)

    def run(self, steps: int) -> None:
        """One by one, disturbed after each."""
        for _ in range(steps):
            super().run(1)
            self.disturb(self)

    def read(self, name: str) -> Any:
        """What is there, or something else."""
        return self.distort(super().read(name))
