"""What came out of a long run, in words and as plain data."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Held:
    """One thing that was watched."""

    name: str
    unit: str
    limit: float
    worst: float
    at: float  # [s]
    reason: str
    passed: bool


@dataclass
class Soaked:
    """The whole run."""

    scene: str
    seed: int
    asked: float  # [s]
    simulated: float = 0.0  # [s]
    wall: float = 0.0  # [s]
    steps: int = 0
    redone: int = 0
    second_passes: int = 0
    moves: dict[str, int] = field(default_factory=dict)
    events: dict[str, int] = field(default_factory=dict)
    held: list[Held] = field(default_factory=list)
    repeats: int = 0  # stretches run twice from a snapshot
    same: bool = True  # whether all of them came out the same to the bit
    grown: float | None = None  # memory after the first tenth [bytes]; None where it is not told
    memory_limit: float = 0.0
    within: float | None = None  # time on the clock after which it was to end [s]
    stopped: str = ""

    @property
    def passed(self) -> bool:
        """Whether everything held to the end."""
        within = self.grown is None or self.grown <= self.memory_limit
        return not self.stopped and self.same and within and all(one.passed for one in self.held)

    def plain(self) -> dict[str, Any]:
        """For JSON."""
        return {**asdict(self), "passed": self.passed}

    def lines(self) -> list[str]:
        """For a person."""
        moves = ", ".join(f"{count} {name}" for name, count in self.moves.items())
        words = {"went_slack": "times a rope went slack", "became_taut": "times one became taut again"}
        events = ", ".join(f"{count} {words.get(name, name)}" for name, count in self.events.items())
        early = self.within is not None and not self.stopped and self.simulated < 0.999 * self.asked
        asked = f" of {_time(self.asked)} asked" if early else ""
        found = [
            f"{self.scene}: {_time(self.simulated)}{asked} simulated in {self.wall:.0f} s, seed {self.seed}",
            f"  steps        {self.steps}, {self.redone} redone, {self.second_passes} solved twice",
            f"  moves        {moves}",
            f"  met          {events or 'nothing'}",
        ]
        for one in self.held:
            word = "ok  " if one.passed else "FAIL"
            found.append(
                f"  {word}         {one.name}: {one.worst:.3g} {one.unit}, at most {one.limit:.3g}"
                + (f", worst at {one.at:.1f} s" if one.worst > 0.0 else "")
            )
        word = "ok  " if self.same else "FAIL"
        found.append(f"  {word}         the same to the bit from a snapshot: {self.repeats} times")
        if self.grown is not None:
            word = "ok  " if self.grown <= self.memory_limit else "FAIL"
            found.append(
                f"  {word}         memory grown by {self.grown / 2**20:.2f} MB, at most {self.memory_limit / 2**20:.0f}"
            )
        if self.stopped:
            found.append(f"  FAIL         stopped: {self.stopped}")
        found.append("passed" if self.passed else "FAILED")
        return found


def _time(seconds: float) -> str:
    return f"{seconds / 3600:.2f} h" if seconds >= 1800 else f"{seconds:.0f} s"
