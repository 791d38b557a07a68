"""Forces are those of a step: before the first one a table and a plot show none, not zero."""

import csv
import math
from pathlib import Path

from taut import Simulation
from taut.record import Recorder, Recording
from taut.record.table import export
from taut.scenes import open_scene
from taut.view.live import LivePlayer


def test_a_table_begins_without_forces(tmp_path: Path) -> None:
    sim = Simulation(open_scene("heavy_pendulum"))
    force = next(name for name in sim.names if name.endswith(".tension"))
    place = next(name for name in sim.names if name.endswith(".position"))
    with Recorder(tmp_path / "run.h5", sim, [force, place]) as recorder:
        for _ in range(3):
            sim.step()
            recorder.take()
    with Recording(tmp_path / "run.h5") as recording:
        export(recording, [force, place], tmp_path / "run.csv")
    rows = list(csv.reader((tmp_path / "run.csv").open()))[1:]
    values = [[float(cell) for cell in row] for row in rows]
    assert math.isnan(values[0][1]) and all(map(math.isfinite, values[0][-3:])), "places are known"
    assert all(math.isfinite(value) for row in values[1:] for value in row)


def test_a_plot_begins_with_the_first_step() -> None:
    player = LivePlayer(open_scene("four_leg_sling"))
    assert math.isnan(player.frame(("leg_1.tension",), False).values["leg_1.tension"])
    assert math.isfinite(player.frame(("load.position[2]",), False).values["load.position[2]"])
    player.advance(1)
    assert player.frame(("leg_1.tension",), False).values["leg_1.tension"] > 0.0
