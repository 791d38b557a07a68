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
from taut.compile.rope_carry import OF_ROPES, carry_ropes, shared
from taut.core.codes import GROUP_DIM
from taut.core.model import STATE

if TYPE_CHECKING:
    from taut.compile.system import Compiled

_BODIES = ("body_pos", "body_quat", "body_vel", "body_momentum", "body_push")
_ROWS = ("row_lam", "row_lam_old", "row_phi", "row_phi_old", "row_bound", "row_age")
_CONTACTS = ("contact_count", "contact_int", "contact_geometry")
_WAVES = ("wave_mode", "wave_frame")
_STRANDS = ("feed_state", "strand_quiet")
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
    moved: Any = slice(None)
    if _names(old) != _names(new):
        # some cables have their segments or their rope in one of the two only
        moved = carry_ropes(old.ropes, new.ropes, before, after)
        _strands(old, new, before, after)
        apart |= {*_STRANDS, *(field for fields in OF_ROPES.values() for field in fields)}
    for field in (field.name for field in STATE if field.name not in apart):
        source, target = getattr(before, field), getattr(after, field)
        if source.shape != target.shape:
            raise ValueError(f"{field}: ropes cannot be changed while running")
        target[:] = source
    _waves(old, new, before, after)
    _rod_lengths(old, new, after)
    # rows of ropes are counted from the first row of all
    numbers = dict(zip(_rope_rows(old, new).tolist(), _rope_rows(new, old).tolist()))
    rows = after.transfer_row[moved]
    rows[rows >= 0] = [numbers[row] for row in rows[rows >= 0].tolist()]
    after.transfer_row[moved] = rows


def _rod_lengths(old: Compiled, new: Compiled, after: Any) -> None:
    """Rods of a cable that was cut to another length have it, in the shares that they have now."""
    if new.rods is None:
        return
    for name, cable in new.scene.rods().items():
        then = old.scene.cables[name].length
        if then and cable.length and then != cable.length:
            after.rod_slide[new.rods.spans[name], 0] *= cable.length / then


def _rows(old: Compiled, new: Compiled, before: Any, after: Any, here: np.ndarray, there: np.ndarray) -> None:
    """Rows of the joints that both have, then of the ropes."""
    starts_old, starts_new = _starts(old), _starts(new)
    source = np.concatenate([np.arange(starts_old[g], starts_old[g + 1]) for g in here] or [np.zeros(0, int)])
    target = np.concatenate([np.arange(starts_new[g], starts_new[g + 1]) for g in there] or [np.zeros(0, int)])
    source = np.append(source, _rope_rows(old, new, True))
    target = np.append(target, _rope_rows(new, old, True))
    after.row_age[: starts_new[-1]] = 0  # a joint that is new takes hold as in an impact
    for field in _ROWS:
        getattr(after, field)[target] = getattr(before, field)[source]


def _names(c: Compiled) -> tuple[Any, ...]:
    """Ropes and segmented cables that change, by name."""
    return () if c.ropes is None else c.ropes.names, tuple(pool.name for pool in c.pools)


def _strands(old: Compiled, new: Compiled, before: Any, after: Any) -> None:
    """What segmented cables count, of those that both have."""
    feeds, quiet = _feeds(old), {pool.name: k for k, pool in enumerate(old.pools)}
    for k, (name, there) in enumerate(_feeds(new).items()):
        if name in feeds:
            after.feed_state[there] = before.feed_state[feeds[name]]
            after.strand_quiet[k] = before.strand_quiet[quiet[name]]


def _feeds(c: Compiled) -> dict[str, slice]:
    """Where the ends that are paid out lie, of every segmented cable that changes."""
    found, at = {}, 0
    for pool, layout in zip(c.pools, c.layouts):
        count = len(pool.feeding(layout))
        found[pool.name] = slice(at, at + count)
        at += count
    return found


def _rope_rows(of: Compiled, other: Compiled, waves: bool = False) -> np.ndarray:
    """Rows of the ropes of `of` that the other one has too; `waves`: with those of waves along themselves, where it has as many."""
    if of.ropes is None or other.ropes is None:
        return np.zeros(0, int)
    dims, others = of.ropes.dims, other.ropes.dims
    starts = np.cumsum([_starts(of)[-1], *dims])
    found = [np.zeros(0, int)]
    for k, r in shared(of.ropes, other.ropes):
        row = of.ropes.integers[k]
        both = dims[k] if waves and others[r] == dims[k] else row[P_SEGMENTS] + row[P_TWIST]
        found.append(np.arange(starts[k], starts[k] + both))
    return np.concatenate(found)


def _waves(old: Compiled, new: Compiled, before: Any, after: Any) -> None:
    """Waves of the ropes that are layered in both."""
    if old.ropes is None or new.ropes is None:
        return
    for k, r in shared(old.ropes, new.ropes):
        one, two = old.ropes.wave_law[k], new.ropes.wave_law[r]
        here, there = (range(int(law[Y_SPAN]), int(law[Y_SPAN_END])) for law in (one, two))
        for i, j in zip(here, there) if len(here) == len(there) else ():
            one_span, two_span = old.ropes.wave_span[i], new.ropes.wave_span[j]
            if one_span[V_COUNT] != two_span[V_COUNT]:
                raise ValueError("modes: ropes cannot be changed while running")
            modes = slice(two_span[V_FIRST], two_span[V_FIRST] + two_span[V_COUNT])
            after.wave_mode[modes] = before.wave_mode[one_span[V_FIRST] : one_span[V_FIRST] + one_span[V_COUNT]]
            after.wave_frame[j] = before.wave_frame[i]


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
