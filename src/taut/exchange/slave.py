"""What runs inside an FMU: a simulation behind the calls of FMI 2.0. Imported by the unit itself, on the host's Python."""

from __future__ import annotations

import ctypes
import json
import sys
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import SubElement

from pythonfmu import Fmi2Causality, Fmi2Slave, Fmi2Variability, Real
from pythonfmu.default_experiment import DefaultExperiment
from pythonfmu.enums import Fmi2Status

from taut.exchange.errors import ExchangeError
from taut.scene import Scene, SceneError
from taut.simulation import Simulation, SimulationError

CONTENTS = "taut.json"
#: how far a communication step may be from a whole number of steps [-]
WHOLE = 1e-6


def hold(names: dict[str, Any]) -> None:
    """Take a reference to the names of a unit's module, which nobody gives back.

    pythonfmu's library runs the module anew for every instance and then lets go of its names as if they were its own: the
    second instance would find an empty module, and a host that is Python itself would free them twice at its end. One
    reference taken in every run of the module makes up for it.
    """
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(names))


class TautSlave(Fmi2Slave):
    """A scene as a co-simulation unit: controls in, quantities out, fields of the scene as parameters."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        told = json.loads((Path(self.resources) / CONTENTS).read_text(encoding="utf-8"))
        self._scene = Scene.from_yaml(told["scene"])
        self._sim = Simulation(self._scene)
        self._parameters: dict[str, float] = dict(told["parameters"])
        self._given: dict[str, float] = {}
        self._controls: dict[str, float] = {}
        self.description = self._scene.description or self._scene.name
        self.default_experiment = DefaultExperiment(0.0, float(self._scene.duration), float(self._scene.dt), None)
        for name in self._sim.controls:
            self._register(name, Fmi2Causality.input, self._sim.controls.unit(name), "control", self._control(name))
        for name in self._parameters:
            self._register(name, Fmi2Causality.parameter, "SI", "field of the scene", self._parameter(name))
        for name in told["outputs"]:
            quantity = self._sim.names[name.partition("[")[0]]
            self._register(name, Fmi2Causality.output, quantity.unit, quantity.meaning, (self._reader(name), None))

    def _register(self, name: str, causality: Any, unit: str, about: str, access: tuple[Any, Any]) -> None:
        fixed = causality == Fmi2Causality.parameter
        variability = Fmi2Variability.fixed if fixed else Fmi2Variability.continuous
        self.register_variable(
            Real(
                name, causality=causality, variability=variability, description=f"{about} [{unit}]", getter=access[0],
                setter=access[1],
            )
        )  # fmt: skip

    def _control(self, name: str) -> tuple[Any, Any]:
        def put(value: float) -> None:
            self._controls[name] = value
            self._sim.controls[name] = value

        return lambda: self._sim.controls[name], put

    def _parameter(self, name: str) -> tuple[Any, Any]:
        return lambda: self._given.get(name, self._parameters[name]), lambda value: self._given.update({name: value})

    def _reader(self, name: str) -> Any:
        return lambda: self._sim.read(name)

    def exit_initialization_mode(self) -> None:
        """Parameters are known: build the scene with them, and its machine code."""
        if self._given:
            try:
                changes = [f"{name}={value!r}" for name, value in self._given.items()]
                self._sim = Simulation(self._scene.with_overrides(changes))
            except SceneError as error:
                raise self._said(str(error)) from error
            for name, value in self._controls.items():
                self._sim.controls[name] = value
        self._sim.prepare()

    def do_step(self, current_time: float, step_size: float) -> bool:
        """Go on by a whole number of our steps. What cannot be done is said in the log and ends the run."""
        steps = step_size / self._sim.dt
        if abs(steps - round(steps)) > WHOLE * max(1.0, steps) or round(steps) < 1:
            raise self._said(
                f"a communication step of {step_size:g} s is no multiple of the scene's dt {self._sim.dt:g} s"
            )
        try:
            self._sim.run(round(steps))
        except SimulationError as error:
            raise self._said(str(error)) from error
        return True

    def _said(self, text: str) -> ExchangeError:
        self.log(text, Fmi2Status.error)
        print(f"{self.instance_name}: {text}", file=sys.stderr, flush=True)  # hosts rarely show the log
        return ExchangeError(text)

    def to_xml(self, *options: Any, **more: Any) -> Any:
        """The description, with the list of what is known after initialisation, which pythonfmu leaves out."""
        root = super().to_xml(*options, **more)
        structure = root.find("ModelStructure")
        outputs = structure.find("Outputs")
        if outputs is not None:
            known = SubElement(structure, "InitialUnknowns")
            for unknown in outputs:
                SubElement(known, "Unknown", dict(unknown.attrib))
        return root
