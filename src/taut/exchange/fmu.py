"""A scene as an FMU: FMI 2.0 for co-simulation, by pythonfmu. Python with Taut must be on the host that runs it."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from taut.exchange.errors import ExchangeError
from taut.record.layout import reader_of
from taut.record.statistics import name_in
from taut.scene import Scene
from taut.simulation import Simulation

_SCRIPT = '''"""A scene of Taut as a co-simulation unit."""

from taut.exchange.slave import TautSlave, hold

hold(globals())


class {name}(TautSlave):
    """See the documentation of Taut."""
'''

_BUILD = """
import sys
from pythonfmu.builder import FmuBuilder
FmuBuilder.build_FMU(sys.argv[1], sys.argv[2], [sys.argv[3]])
"""


def outputs_of(sim: Any, names: Sequence[str]) -> list[str]:
    """The outputs behind some names, one for each component. Raises UnknownName."""
    found = []
    for text in names:
        name = name_in(text)
        quantity, _ = reader_of(sim, name)
        if quantity.size and "[" not in name:
            found += [f"{name}[{k}]" for k in range(quantity.size)]
        else:
            found.append(name)
    return list(dict.fromkeys(found))


def parameter_values(scene: Scene, names: Sequence[str]) -> dict[str, float]:
    """Fields of the scene that become parameters, with the value they start from. Raises ExchangeError."""
    found = {}
    for name in names:
        head, _, field = name.partition(".")
        holder: Any = next(
            (part[head] for part in (scene.bodies, scene.joints, scene.cables, scene.chains) if head in part),
            getattr(scene, head, None),
        )
        value = getattr(holder, field, None) if field else holder
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ExchangeError(
                f"--parameter {name}: expected a field of the scene that holds a number, as load.mass; write it into the "
                "scene (or give it with --set) if it is at its default"
            )
        found[name] = float(value)
    return found


def write_fmu(scene: Scene, path: Path, names: Sequence[str] = (), parameters: Sequence[str] = ()) -> list[str]:
    """Write the unit; returns the names of its outputs. Raises ExchangeError, UnknownName.

    names: outputs; the measures of the scene if none. parameters: fields of the scene such as load.mass.
    """
    if importlib.util.find_spec("pythonfmu") is None:
        raise ExchangeError("an FMU needs the package 'pythonfmu'; install it with pip install 'taut[fmi]'")
    if not path.absolute().parent.is_dir():
        raise ExchangeError(f"{path}: there is no folder {path.parent}")
    sim = Simulation(scene)
    outputs = outputs_of(sim, names or scene.measures or _all_positions(scene))
    contents = json.dumps(
        {"scene": scene.to_yaml(), "outputs": outputs, "parameters": parameter_values(scene, parameters)}
    )
    # its own module name: two units may run in one process
    stem = re.sub(r"\W", "_", path.stem)
    module = f"taut_{stem}_{hashlib.sha256(contents.encode()).hexdigest()[:8]}"
    with tempfile.TemporaryDirectory(prefix="taut-") as folder:
        script, data = Path(folder) / f"{module}.py", Path(folder) / "taut.json"
        script.write_text(_SCRIPT.format(name=stem if stem.isidentifier() else f"fmu_{stem}"), encoding="utf-8")
        data.write_text(contents, encoding="utf-8")
        # in a process of its own: what pythonfmu imports, and a unit that ran here before, stay apart
        draft = Path(folder) / "draft.fmu"
        done = subprocess.run(
            [sys.executable, "-c", _BUILD, str(script), str(draft), str(data)], capture_output=True, text=True
        )
        if done.returncode:
            last = done.stderr.strip().splitlines()[-1:] or ["no reason given"]
            raise ExchangeError(f"{path}: pythonfmu could not build it: {last[0]}")
        try:
            path.write_bytes(draft.read_bytes())
        except OSError as error:
            raise ExchangeError(f"{path}: cannot be written: {error.strerror or error}") from error
    return outputs


def _all_positions(scene: Scene) -> list[str]:
    return [f"{name}.position" for name, body in scene.bodies.items() if body.moved_by_forces]
