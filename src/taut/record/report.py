"""What a run came to: the numbers behind the closing summary and the JSON file."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import Any

from taut.record.statistics import Measure

#: error of a run over its change at half the step, of first order
WHOLE = 2.0


@dataclass
class Figure:
    """A measure's value in SI units, when it was met, and its error bar if that is known."""

    measure: Measure
    unit: str
    value: float
    time: float
    half_step_value: float | None = None

    @property
    def error(self) -> float | None:
        """Twice the change at half the step, always positive; None unless that run was made.

        Of an error that falls as h that is all of it, v(h) - v(0) = 2 (v(h) - v(h/2)): places in free fall are of that kind. Of one that
        falls as h^2 it would be 4/3: the bar is too wide there, never too narrow.
        """
        return None if self.half_step_value is None else WHOLE * abs(self.value - self.half_step_value)


@dataclass(frozen=True)
class EnergyBalance:
    """Where the energy went [J]: end = start + supplied - dissipated - geometric + carried + remainder."""

    start: float
    end: float
    supplied: float
    dissipated: float
    geometric: float
    carried: float
    remainder: float
    scale: float
    """What the remainder is compared with: the largest of all that was moved to and fro."""


@dataclass
class Report:
    """A run, or the part of it that was made."""

    scene: str
    dt: float  # [s]
    steps_asked: int
    steps: int
    simulated: float  # [s]
    wall: float  # without the first step, which may have to be compiled [s]
    first_step: float  # [s]
    mean_step: float  # [s]
    worst_step: float  # [s]
    redone: int
    second_passes: int
    redundant_rows: int
    constraint_error: float  # largest of the run [m]
    residual: float  # largest of the run, relative [-]
    residual_speed: float  # largest of the run [m/s]
    cone: float  # largest of the run [-]
    energy: EnergyBalance
    figures: list[Figure] = field(default_factory=list)
    stopped: str = ""  # why it ended early, empty if it did not
    interrupted: bool = False
    reached: list[str] = field(default_factory=list)
    """Ropes whose parts have run into each other, in words."""
    frames: int = 0
    recording_error: str = ""

    @property
    def real_time_factor(self) -> float:
        """Simulated time per time on the clock; not a number where nothing was measured."""
        timed = max(0, self.steps - 1) * self.dt
        return timed / self.wall if self.wall > 0.0 and timed > 0.0 else math.nan

    def as_data(self) -> dict[str, Any]:
        """Plain data for JSON, SI units; what is not a finite number becomes None."""
        data = asdict(self)
        data["real_time_factor"] = self.real_time_factor
        data["complete"] = not self.stopped and not self.interrupted
        data["measures"] = {str(figure.measure): _figure_data(figure) for figure in self.figures}
        del data["figures"]
        return _finite(data)


def _figure_data(figure: Figure) -> dict[str, Any]:
    data = {"value": figure.value, "unit": figure.unit, "time": figure.time}
    if figure.half_step_value is not None:
        data |= {"half_step_value": figure.half_step_value, "error": figure.error}
    return data


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, float) and not math.isfinite(data):
        return None
    return data


def add_error_bars(report: Report, half: Report) -> None:
    """Note what each measure was in the same run at half the step."""
    values = {figure.measure: figure.value for figure in half.figures}
    for figure in report.figures:
        figure.half_step_value = values[figure.measure]
