"""A state carried over to another compilation of almost the same scene: what has the same name goes on as it is.

This is how things are attached, detached, split and merged while running: the scene is compiled anew (no machine code
is), and every body, joint, rope and control that both have keeps its numbers to the bit. Contacts are found again in the
next step.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import numpy as np

from taut.cables.layered.columns import V_COUNT, V_FIRST, Y_SPAN, Y_SPAN_END
from taut.cables.massless.columns import P_SEGMENTS, P_TWIST
from taut.core.codes import GROUP_DIM
from taut.core.model import STATE

if TYPE_CHECKING:
    from taut.compile.system import Compiled

_BODIES = ("body_pos", "body_quat", "body_vel", "body_momentum", "body_push")
_ROWS = ("row_lam", "row_lam_old", "row_phi", "row_phi_old", "row_bound", "row_age")
_CONTACTS = ("contact_count", "contact_int", "contact_geometry")
_WAVES = ("wave_mode", "wave_frame")
_JOINTS = ("joint_turns", "joint_angle", "joint_stiffness")


def carry_over(old: Compiled, new: Compiled) -> None:
    """Copy the state of `old` into that of `new`, name by name."""
    before: Any = old.fields
    after: Any = new.fields
    here, there = _shared(old.bodies.index, new.bodies.index)
    for field in _BODIES:
        getattr(after, field)[there] = getattr(before, field)[here]
    here, there = _shared(_groups(old), _groups(new))
    for field in _JOINTS:
        getattr(after, field)[there] = getattr(before, field)[here]
    _rows(old, new, before, after, here, there)
    here, there = _shared(_numbered(old.controls.names), _numbered(new.controls.names))
    after.control[there], after.drive[there] = before.control[here], before.drive[here]
    apart = {*_BODIES, *_ROWS, *_CONTACTS, *_JOINTS, *_WAVES, "control", "drive"}
    for field in (field.name for field in STATE if field.name not in apart):
        source, target = getattr(before, field), getattr(after, field)
        if source.shape != target.shape:
            raise ValueError(f"{field}: ropes cannot be changed while running")
        target[:] = source
    _waves(old, new, before, after)
    # rows of ropes are counted from the first row of all
    numbers = dict(zip(_rope_rows(old, old, None).tolist(), _rope_rows(old, new, None).tolist()))
    held = after.transfer_row >= 0
    after.transfer_row[held] = [numbers[row] for row in after.transfer_row[held].tolist()]


def _rows(old: Compiled, new: Compiled, before: Any, after: Any, here: np.ndarray, there: np.ndarray) -> None:
    """Rows of the joints that both have, then of the ropes."""
    starts_old, starts_new = _starts(old), _starts(new)
    source = np.concatenate([np.arange(starts_old[g], starts_old[g + 1]) for g in here] or [np.zeros(0, int)])
    target = np.concatenate([np.arange(starts_new[g], starts_new[g + 1]) for g in there] or [np.zeros(0, int)])
    source = np.append(source, _rope_rows(old, old, new))
    target = np.append(target, _rope_rows(old, new, old))
    after.row_age[: starts_new[-1]] = 0  # a joint that is new takes hold as in an impact
    for field in _ROWS:
        getattr(after, field)[target] = getattr(before, field)[source]


def _rope_rows(old: Compiled, of: Compiled, other: Compiled | None) -> np.ndarray:
    """Rows of the ropes of `of` that there are in both; without another, all but those of waves along themselves."""
    if old.ropes is None or of.ropes is None:
        return np.zeros(0, int)
    found, start = [], int(_starts(of)[-1])
    for k, (row, dim) in enumerate(zip(of.ropes.integers, of.ropes.dims)):
        both = row[P_SEGMENTS] + row[P_TWIST]
        if other is not None and other.ropes is not None and other.ropes.dims[k] == dim:
            both = dim
        found.append(np.arange(start, start + both))
        start += dim
    return np.concatenate(found)


def _waves(old: Compiled, new: Compiled, before: Any, after: Any) -> None:
    """Waves of the ropes that are layered in both."""
    if old.ropes is None or new.ropes is None:
        return
    for one, two in zip(old.ropes.wave_law, new.ropes.wave_law):
        here, there = (range(int(law[Y_SPAN]), int(law[Y_SPAN_END])) for law in (one, two))
        for i, k in zip(here, there) if len(here) == len(there) else ():
            one_span, two_span = old.ropes.wave_span[i], new.ropes.wave_span[k]
            if one_span[V_COUNT] != two_span[V_COUNT]:
                raise ValueError("modes: ropes cannot be changed while running")
            modes = slice(two_span[V_FIRST], two_span[V_FIRST] + two_span[V_COUNT])
            after.wave_mode[modes] = before.wave_mode[one_span[V_FIRST] : one_span[V_FIRST] + one_span[V_COUNT]]
            after.wave_frame[k] = before.wave_frame[i]


def _starts(c: Compiled) -> np.ndarray:
    return np.cumsum([0, *(GROUP_DIM[group.kind] for group in c.joints.groups)])


def _groups(c: Compiled) -> dict[tuple[str, int, int], int]:
    """Groups by the joint they belong to, their kind, and their turn among those."""
    seen: dict[tuple[str, int], int] = defaultdict(int)
    found = {}
    for g, group in enumerate(c.joints.groups):
        key = (group.joint, group.kind)
        found[*key, seen[key]] = g
        seen[key] += 1
    return found


def _numbered(names: Any) -> dict[str, int]:
    return {name: k for k, name in enumerate(names)}


def _shared(old: dict[Any, int], new: dict[Any, int]) -> tuple[np.ndarray, np.ndarray]:
    """Places of what both have, in the old and in the new."""
    both = [key for key in new if key in old]
    return np.array([old[key] for key in both], int), np.array([new[key] for key in both], int)
