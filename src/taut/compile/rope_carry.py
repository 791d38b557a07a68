"""The state of ropes carried over to a compilation that has others beside them: tables of ropes lie one rope after the other."""

from __future__ import annotations

from typing import Any

import numpy as np

from taut.cables.massless.columns import N_WRAP, P_FIRST, P_SEGMENT, P_SEGMENTS, P_SLOTS, P_SOFTNESS, T_PART
from taut.cables.massless.drum import V_ROPE
from taut.compile.rope_table import RopeTable

#: fields of the state that belong to the ropes, by what they count
OF_ROPES = {
    "segments": ("rope_length", "rope_broken", "wave_tension"),
    "ropes": ("rope_twist", "rope_live"),
    "parts": ("part_angle", "rope_order"),
    "transfers": ("transfer_state", "transfer_head", "transfer_row"),
    "winches": ("winch_state",),
    "wraps": ("wrap_int", "wrap_state"),
}


def places(table: RopeTable, r: int) -> dict[str, np.ndarray]:
    """Where rope r lies in the tables of all ropes, by what they count."""
    row = table.integers[r]
    parts = range(row[P_FIRST], row[P_SLOTS])
    wraps = [table.part_int[k][N_WRAP] for k in parts]
    found = {
        "segments": range(row[P_SEGMENT], row[P_SEGMENT] + row[P_SEGMENTS]),
        "ropes": [r],
        "parts": parts,
        "transfers": [k for k, transfer in enumerate(table.transfer_int) if transfer[T_PART] in parts],
        "winches": [k for k, winch in enumerate(table.winch_int) if winch[V_ROPE] == r],
        "wraps": [k for k in wraps if k >= 0],
    }
    return {counted: np.array(numbers, int) for counted, numbers in found.items()}


def shared(old: RopeTable | None, new: RopeTable | None) -> list[tuple[int, int]]:
    """Numbers of the ropes that both have, in the old and in the new."""
    if old is None or new is None:
        return []
    there = {name: r for r, name in enumerate(new.names)}
    return [(k, there[name]) for k, name in enumerate(old.names) if name in there]


def carry_ropes(old: RopeTable | None, new: RopeTable | None, before: Any, after: Any) -> np.ndarray:
    """Copy the state of the ropes that both have; which transfers of the new ones these are."""
    if old is None or new is None:
        return np.zeros(0, int)
    moved: list[int] = []
    for k, r in shared(old, new):
        here, there = places(old, k), places(new, r)
        if any(len(here[counted]) != len(there[counted]) for counted in here):
            raise ValueError(f"{old.names[k]}: the parts of a rope cannot be changed while running")
        for counted, fields in OF_ROPES.items():
            for field in fields:
                source, target = getattr(before, field), getattr(after, field)
                if len(source) and len(target):
                    target[there[counted]] = source[here[counted]]
        order = after.rope_order[there["parts"]]
        ahead = new.integers[r][P_FIRST] - old.integers[k][P_FIRST]
        after.rope_order[there["parts"]] = np.where(order >= 0, order + ahead, order)
        moved += there["transfers"].tolist()
    return np.array(moved, int)


def keep_tensions(before: Any, made: Any) -> None:
    """Ropes that were made stiffer keep their tension, not their unstretched length: with that, one that is stretched by 4 % would pull
    with 4 % of its new stiffness at once, an energy that nobody has put into it. T = EA (l/L - 1) gives L' = L (1 + T/EA)/(1 + T/EA').

    Both are simulations; the second one has taken over the state of the first.
    """
    old, new = before.compiled.ropes, made.compiled.ropes
    for k, r in shared(old, new):
        soft, stiff = before.model.rope_law[k, P_SOFTNESS], made.model.rope_law[r, P_SOFTNESS]
        if stiff < soft:
            mine, pull = places(new, r)["segments"], np.ravel(before.read(f"{old.names[k]}.tensions"))
            mine = mine[: len(pull)]
            made.state.rope_length[mine] *= ((1.0 + soft * pull) / (1.0 + stiff * pull))[: len(mine)]
