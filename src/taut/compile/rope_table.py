"""The tables that ropes become, and the state of one that is being threaded."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from taut.cables.layered.columns import Y_SPAN, Y_SPAN_END
from taut.cables.massless.columns import (
    P_SEGMENTS,
    P_TWIST,
)
from taut.compile.bodies import BodyTable
from taut.compile.controls import Controls
from taut.compile.obstacles import Obstacle
from taut.scene import Problem
from taut.scene.cables import Cable
from taut.scene.parts import Falls, Traction, Winch, expand_falls


@dataclass
class RopeTable:
    """Everything a step needs of its ropes, and the names that lead back to the scene."""

    names: tuple[str, ...] = ()
    specs: tuple[Cable, ...] = ()
    integers: list[list[int]] = field(default_factory=list)
    laws: list[list[float]] = field(default_factory=list)
    ends: list[list[float]] = field(default_factory=list)  # columns E_TANGENT ...
    off: list[int] = field(default_factory=list)  # 1 for segments that are not tied at the start
    blocks: list[list[int]] = field(default_factory=list)  # bodies that each rope touches
    part_int: list[list[int]] = field(default_factory=list)
    part_frame: list[list[float]] = field(default_factory=list)
    part_angle: list[list[float]] = field(default_factory=list)
    part_place: list[list[float]] = field(default_factory=list)  # columns W_CENTRE ... at the start
    part_names: list[str] = field(default_factory=list)
    transfer_int: list[list[int]] = field(default_factory=list)
    transfer_law: list[list[float]] = field(default_factory=list)
    spans: list[list[int]] = field(default_factory=list)
    pairs: list[tuple[int, int]] = field(default_factory=list)
    lengths: list[float] = field(default_factory=list)  # unstretched, of each segment [m]
    tensions: list[float] = field(default_factory=list)  # at the start, of each row: segments, then the twist [N]
    stored: float = 0.0  # elastic energy at the start [J]
    winch_int: list[list[int]] = field(default_factory=list)
    winch_law: list[list[float]] = field(default_factory=list)
    winch_curve: list[list[float]] = field(default_factory=list)
    winch_names: list[str] = field(default_factory=list)
    winch_specs: list[Winch | Traction] = field(default_factory=list)
    winch_guards: list[tuple[str | None, tuple[str | int, ...]]] = field(
        default_factory=list
    )  # name, and where it is written
    winch_start: list[list[float]] = field(default_factory=list)  # columns V_MODE ... at the start
    weight_energy: float = 0.0  # of the weight of massless ropes at the start [J]
    wave_span: list[list[int]] = field(default_factory=list)  # columns V_ROPE ... of taut.cables.layered
    wave_law: list[list[float]] = field(default_factory=list)  # of every rope, zeros for massless ones
    wave_mode: list[list[float]] = field(default_factory=list)  # at the start
    wave_frame: list[list[float]] = field(default_factory=list)
    span_work: list[list[float]] = field(default_factory=list)  # columns C_LENGTH ... at the start
    order: list[int] = field(default_factory=list)  # parts on the path at the start, -1 behind them
    live: list[list[int]] = field(default_factory=list)  # columns A_PARTS, A_ROWS at the start
    wrap_int: list[list[int]] = field(default_factory=list)
    wrap_state: list[list[float]] = field(default_factory=list)
    rope_pair: list[int] = field(default_factory=list)
    obstacle_int: list[list[int]] = field(default_factory=list)
    obstacle_frame: list[list[float]] = field(default_factory=list)
    obstacle_names: list[tuple[str, str]] = field(default_factory=list)  # cable and body
    hull_edge: list[list[float]] = field(default_factory=list)
    hull_plane: list[list[float]] = field(default_factory=list)
    wave_potential: float = 0.0  # energy of layered ropes in the field of gravity at the start [J]

    @property
    def segments(self) -> list[int]:
        """Number of segments of each rope."""
        return [row[P_SEGMENTS] for row in self.integers]

    @property
    def dims(self) -> list[int]:
        """Number of rows of each rope: its segments, its twist, and the motion of layered spans along themselves."""
        spans = [int(law[Y_SPAN_END] - law[Y_SPAN]) for law in self.wave_law]
        return [row[P_SEGMENTS] + row[P_TWIST] + n for row, n in zip(self.integers, spans)]

    def pulls(self, k: int) -> list[float]:
        """Tensions at the start of all rows of rope k [N]."""
        first = sum(self.dims[:k])
        return self.tensions[first : first + self.dims[k]]


def _count(item: object) -> int:
    """Number of parts that an item of a route becomes."""
    return len(expand_falls(item)) if isinstance(item, Falls) else 1


@dataclass
class Threading:
    """One rope on its way through its parts."""

    table: RopeTable
    bodies: BodyTable
    controls: Controls
    problems: list[Problem]
    r: int
    name: str
    cable: Cable
    row: int
    first_pair: int
    gravity: np.ndarray
    obstacles: list[Obstacle]
    dt: float

    def __post_init__(self) -> None:
        self.parts = self.cable.parts()
        self.written = [k for k, item in enumerate(self.cable.route) for _ in range(_count(item))]
        self.first = len(self.table.part_int)
        self.k = 0  # the part at hand

    def problem(self, message: str, *place: str | int, value: str = "") -> None:
        """A problem of this rope, told where it is written."""
        self.problems.append(Problem(message, ("cables", self.name, *place), value))

    def part_problem(self, k: int, field_name: str, message: str, value: str = "") -> None:
        """A problem of part k of the expanded route, told where and as it was written."""
        part, item = self.parts[k], self.cable.route[self.written[k]]
        who = f"{part.name}: " if part.name else ""
        if isinstance(item, Falls):
            who = f"{type(part).__name__.lower()} {k - self.written.index(self.written[k]) + 1} of the falls: "
            field_name = "lower_at" if field_name == "at" else "axis"
        self.problem(who + message, "route", self.written[k], field_name, value=value)
