"""What is done between two steps when `taut.cables.segmented.watch` says that something is due: which segments are merged,
split, paid out or taken in, and which joints part. The scene is then divided anew and its state carried over."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from taut.cables.segmented.columns import E_LENGTH
from taut.compile import frames
from taut.compile.carry import carry_over
from taut.compile.held import energy_of_bodies, joint_stretches, moved_poses, stored_energy
from taut.compile.layout import boundaries
from taut.compile.merging import Beside, Moving, cut_off, merge, part, singles, take_in
from taut.compile.pools import BENT, LONG, MERGED, QUIET, SHORT, SPLIT, STRAIGHT, Layout, Pool
from taut.compile.strands import joint_values
from taut.compile.system import Compiled, compile_scene
from taut.core.codes import GROUP_DIM
from taut.core.model import C_A, C_B, ELASTIC, LOSS_JOINT, STEPS

Array = np.ndarray

#: segments are merged where their forces differ by less than this part of the tension [-]
EVEN = 0.01
#: and change by less than this part of it from one step to the next [-]
STEADY = 0.05
#: and as long as what is lost in one go stays below this part of tension times length [-]
MOST_LOST = 2e-5
#: steps until it is tried again where nothing could be merged [-]
PATIENCE = 60
#: twist of a joint up to which it is shared out [rad]
TURNED = 2.0


@dataclass
class Strand:
    """A cable in the moment in which it changes."""

    pool: Pool
    layout: Layout
    moving: list[Moving]  # one for each run
    gaps: dict[int, Array]  # joint by number: from the point before to the point after [m]
    twists: dict[int, float]  # [rad]
    bends: dict[int, float]  # [rad]
    forces: dict[int, Array]  # pull from before to after [N]
    earlier: dict[int, Array]  # and a step before [N]
    touched: set[int] = field(default_factory=set)  # bodies with contacts

    _found: tuple[Any, ...] = (None, (), {})  # layout, joints and tensions as last asked for

    @property
    def joints(self) -> list[tuple[int, int | None, int | None]]:
        """Joints that hold, as `boundaries` gives them."""
        return self._look_up()[1]

    @property
    def tensions(self) -> dict[int, float]:
        """Pull along the cable at the joints that hold; nothing where it pushes [N]."""
        return self._look_up()[2]

    def _look_up(self) -> tuple[Any, ...]:
        if self._found[0] is not self.layout:
            joints = boundaries(self.pool, self.layout)
            known = [each for each in joints if each[0] in self.forces]
            beside = [before if after is None else after for _, before, after in known]
            q = np.array([each.q for each in self.moving]).reshape(-1, 4)
            along = frames.rotate(q, np.broadcast_to([0.0, 0.0, 1.0], (len(q), 3)))
            pull = [float(self.forces[j] @ along[k]) for (j, _, _), k in zip(known, beside)]
            self._found = self.layout, joints, {j: max(f, 0.0) for (j, _, _), f in zip(known, pull)}
        return self._found

    def relaid(self) -> None:
        """Take the runs of what moves as the new layout."""
        self.layout = replace(self.layout, runs=tuple(each.run for each in self.moving))

    def beside(self, k: int) -> tuple[Beside | None, Beside | None]:
        """The joints at both ends of run k."""
        found: list[Beside | None] = [None, None]
        for j, before, after in self.joints:
            if j not in self.gaps:
                continue
            twist = self.twists[j] if abs(self.twists[j]) < TURNED else 0.0
            if after == k:
                other = 0.0 if before is None else self.moving[before].run.length
                found[0] = Beside(self.gaps[j], twist, other)
            if before == k:
                other = 0.0 if after is None else self.moving[after].run.length
                found[1] = Beside(self.gaps[j], twist, other)
        return found[0], found[1]


def state_of(compiled: Compiled, pool: Pool, layout: Layout, dt: float) -> Strand:
    """How a cable moves just now."""
    if not layout.runs:
        return Strand(pool, layout, [], {}, {}, {}, {}, {})
    s: Any = compiled.fields
    layout = replace(layout, runs=_as_paid(compiled, pool, layout, s))
    pos, quat = moved_poses(s, -0.5 * dt if s.counter[STEPS] else 0.0)
    moving = []
    for run in layout.runs:
        i = pool.slots[run.first]
        v = s.body_vel[i]
        moving.append(Moving(run, pos[i], quat[i], v[:3].copy(), v[3:].copy(), s.body_momentum[i].copy()))
    starts = np.cumsum([0, *(GROUP_DIM[group.kind] for group in compiled.joints.groups)])
    numbers = [j for j, _, _ in boundaries(pool, layout)]
    groups = np.array([compiled.joints.first[f"{pool.name}_joint_{j}"] for j in numbers], int)
    phi = joint_stretches(compiled, s, groups, pos, quat)
    pull = -s.row_lam[starts[groups][:, None] + np.arange(3)] / dt
    earlier = dict(zip(numbers, -s.row_lam_old[starts[groups][:, None] + np.arange(3)] / dt))
    gaps, forces = dict(zip(numbers, phi[:, :3])), dict(zip(numbers, pull))
    bends = dict(zip(numbers, np.hypot(phi[:, 3], phi[:, 4]).tolist()))
    twists = dict(zip(numbers, phi[:, 5].tolist()))
    count = int(s.contact_count[0])
    touched = set(s.contact_int[:count, [C_A, C_B]].ravel().tolist())
    return Strand(pool, layout, moving, gaps, twists, bends, forces, earlier, touched)


def _as_paid(compiled: Compiled, pool: Pool, layout: Layout, s: Any) -> tuple[Any, ...]:
    """The runs, those that are paid out with the length they have now."""
    runs = list(layout.runs)
    at = sum(len(other.feeding(_layout(compiled, other))) for other in compiled.pools[: compiled.pools.index(pool)])
    for k, end in enumerate(pool.feeding(layout)):
        runs[end] = pool.single(runs[end].first, float(s.feed_state[at + k, E_LENGTH]))
    return tuple(runs)


def _layout(compiled: Compiled, pool: Pool) -> Layout:
    return compiled.layouts[compiled.pools.index(pool)]


def _reach(strand: Strand, j: int, dt: float) -> float:
    """What a wave runs along the cable in a step [m]."""
    return dt * math.sqrt(strand.tensions[j] / strand.pool.line)


def split_runs(strand: Strand, chosen: list[int]) -> None:
    """Runs as single segments."""
    for k in sorted(chosen, reverse=True):
        whole = strand.moving[k]
        before, after = strand.beside(k)
        parts = part(whole, singles(strand.pool, whole), before, after)
        _new_joints(strand, k, [each.run.first for each in parts[1:]], [each.run.length for each in parts])
        strand.moving[k : k + 1] = parts
        strand.relaid()


def _new_joints(strand: Strand, k: int, numbers: list[int], lengths: list[float]) -> None:
    """Forces in joints that appear within run k, between those at its ends, and what is left of the stretch in those."""
    ends: list[Array | None] = [None, None]
    whole = strand.moving[k].run.length
    for j, before, after in strand.joints:
        for end, run, own in ((0, after, lengths[0]), (1, before, lengths[-1])):
            if run != k or j not in strand.gaps:
                continue
            ends[end] = strand.forces[j]
            beyond = before if end == 0 else after
            other = 0.0 if beyond is None else strand.moving[beyond].run.length
            left = (other + own) / (other + whole)
            strand.gaps[j] = left * strand.gaps[j]
            if abs(strand.twists[j]) < TURNED:
                strand.twists[j] *= left
    first = ends[0] if ends[0] is not None else ends[1] if ends[1] is not None else np.zeros(3)
    last = ends[1] if ends[1] is not None else first
    total, s = sum(lengths), 0.0
    for j, l in zip(numbers, lengths):
        s += l
        strand.forces[j] = first + (last - first) * s / total


def bent_or_slack(strand: Strand, dt: float) -> list[int]:
    """Runs of several segments that bend, or are longer than the step needs now."""
    found = set()
    for j, before, after in strand.joints:
        for k in (before, after):
            if k is None or strand.layout.runs[k].single:
                continue
            if strand.bends[j] > BENT or strand.layout.runs[k].length > SPLIT * _reach(strand, j, dt):
                found.add(k)
    return sorted(found)


def merge_straight(strand: Strand, dt: float) -> bool:
    """Merge neighbours from the start on, as far as they are straight, evenly loaded and together no longer than a wave
    runs; whether any were."""
    total = sum(run.length for run in strand.layout.runs)
    budget = MOST_LOST * total * max((float(np.linalg.norm(f)) for f in strand.forces.values()), default=0.0)
    made: list[Moving] = []
    for first, last in _alike(strand, dt):
        one, budget = _merged(strand.pool, strand.moving[first:last], budget)
        made += one
    changed = len(made) < len(strand.moving)
    strand.moving = made
    strand.relaid()
    return changed


def _merged(pool: Pool, parts: list[Moving], budget: float) -> tuple[list[Moving], float]:
    """Neighbours as one, or in halves where too much of their motion would be lost; and what may still be lost [J]."""
    if len(parts) == 1:
        return parts, budget
    both = merge(pool, *parts)
    lost = sum(part.kinetic for part in parts) - both.kinetic
    if lost <= 0.25 * budget:
        return [both], budget - max(lost, 0.0)
    half = len(parts) // 2
    one, budget = _merged(pool, parts[:half], budget)
    two, budget = _merged(pool, parts[half:], budget)
    return one + two, budget


class _Loads(NamedTuple):
    """Forces in the joints of some runs beside each other."""

    first: tuple[float, ...] = ()  # of the first joint [N]
    apart: float = 0.0  # largest difference from it [N]
    largest: float = 0.0  # [N]
    change: float = 0.0  # largest change in a step [N]
    reach: float = math.inf  # least way of a wave in a step [m]

    def with_joint(self, force: tuple[float, ...], change: float, reach: float) -> _Loads:
        first = self.first or force
        return _Loads(
            first, max(self.apart, math.dist(force, first)), max(self.largest, math.hypot(*force)),
            max(self.change, change), min(self.reach, reach),
        )  # fmt: skip

    @property
    def even(self) -> bool:
        """Whether they are loaded alike and steadily."""
        return self.apart <= EVEN * self.largest and self.change <= STEADY * self.largest


def _alike(strand: Strand, dt: float) -> list[tuple[int, int]]:
    """Runs that may be merged with their neighbours: first ones and those beyond the last of each group."""
    runs, pool, fed = strand.layout.runs, strand.pool, strand.pool.feeding(strand.layout)
    touched = [pool.slots[run.first] in strand.touched for run in runs]
    before: dict[int, int] = {after: j for j, _, after in strand.joints if after is not None}
    behind: dict[int, int] = {k: j for j, k, _ in strand.joints if k is not None}
    force = {j: tuple(strand.forces[j].tolist()) for j, _, _ in strand.joints}
    change = {j: math.dist(f, strand.earlier[j].tolist()) for j, f in force.items()}
    groups: list[tuple[int, int]] = []
    first, length, seen = 0, 0.0, _Loads()
    for k, run in enumerate(runs):
        j = before.get(k)
        joined = k > 0 and j is not None and j == behind.get(k - 1) and k not in fed and k - 1 not in fed
        joined = joined and not touched[k] and not touched[k - 1]
        if joined and j is not None:
            joined = strand.bends[j] <= STRAIGHT and abs(strand.twists[j]) <= 0.5 * TURNED
        beyond = seen
        if joined and k in behind:
            beyond = seen.with_joint(force[behind[k]], change[behind[k]], _reach(strand, behind[k], dt))
        if joined and beyond.even and length + run.length < MERGED * beyond.reach:
            seen, length = beyond, length + run.length
            continue
        if k > 0:
            groups.append((first, k))
        first, length, seen = k, run.length, _Loads()
        for i in (before.get(k), behind.get(k)):
            if i is not None:
                seen = seen.with_joint(force[i], change[i], _reach(strand, i, dt))
    groups.append((first, len(runs)))
    return groups


def pay_out(strand: Strand) -> bool:
    """Part or take in the segments that are paid out; whether any were."""
    changed = False
    for end in (0, 1):
        if strand.pool.drives[end] < 0:
            continue
        k = 0 if end == 0 else len(strand.moving) - 1
        run, pool = strand.moving[k].run, strand.pool
        unit = float(pool.lengths[run.first])
        inside = run.first if end == 0 else pool.count - run.last
        if run.length > LONG * unit and inside > 0:
            whole = strand.moving[k]
            before, after = strand.beside(k)
            parts = part(whole, cut_off(pool, whole, end), before, after)
            _new_joints(strand, k, [parts[1].run.first], [each.run.length for each in parts])
            strand.moving[k : k + 1] = parts
            changed = True
        elif run.length < SHORT * unit and len(strand.moving) > 1:
            n = k + 1 if end == 0 else k - 1
            if not strand.moving[n].run.single:
                split_runs(strand, [n])
                n, k = (1, 0) if end == 0 else (len(strand.moving) - 2, len(strand.moving) - 1)
            one = take_in(pool, strand.moving[k], strand.moving[n], end)
            strand.moving[min(k, n) : max(k, n) + 1] = [one]
            changed = True
        strand.relaid()
    return changed


def overloaded(strand: Strand) -> int | None:
    """Joint with the largest tension, when it is above the breaking load; an end that is paid out holds."""
    ends = [0 if end == 0 else strand.pool.count for end in (0, 1) if strand.pool.drives[end] >= 0]
    pulls = {j: strand.tensions[j] for j, _, _ in strand.joints if j not in ends}
    worst = max(pulls, key=lambda j: pulls[j], default=None)
    return worst if worst is not None and pulls[worst] > strand.pool.strength else None


def let_go(strand: Strand, j: int) -> None:
    """Part joint j; merged segments beside it are split before."""
    inside = [k for k, run in enumerate(strand.layout.runs) if run.first < j < run.last]
    if inside:
        split_runs(strand, inside)
    strand.layout = replace(strand.layout, parted=strand.layout.parted | {j})


def changed_by_itself(strand: Strand, dt: float, quiet: int) -> tuple[bool, int]:
    """Do what is due; whether anything changed, and how long it has been quiet then [steps]."""
    changed = False
    if not strand.moving:
        return changed, quiet
    if strand.pool.fed:
        changed = pay_out(strand)
    worst = overloaded(strand)
    if worst is not None:
        let_go(strand, worst)
        return True, 0
    if not strand.pool.auto:
        return changed, quiet
    chosen = bent_or_slack(strand, dt) if not changed else []
    if chosen:
        split_runs(strand, chosen)
        return True, 0
    if changed or quiet < QUIET:
        return changed, quiet
    merged = merge_straight(strand, dt)
    return merged, 0 if merged else QUIET - PATIENCE


def rebuilt(
    compiled: Compiled,
    strands: list[Strand],
    quiet: list[int],
    choices: Mapping[str, str] | None = None,
    chosen: int | None = None,
) -> Compiled:
    """The scene divided as the strands are now, with its state carried over; `choices` are other models of auto cables."""
    dt = float(compiled.scene.dt)
    half = 0.5 * dt if compiled.fields.counter[STEPS] else 0.0  # poses of the strands are half a step old
    new = compile_scene(
        compiled.scene, compiled.grips, tuple(s.layout for s in strands), compiled.tables, choices or compiled.choices,
        compiled.chosen if chosen is None else chosen,
    )  # fmt: skip
    stored, moving = stored_energy(compiled), energy_of_bodies(compiled)
    carry_over(compiled, new)
    after: Any = new.fields
    starts = np.cumsum([0, *(GROUP_DIM[group.kind] for group in new.joints.groups)])
    feed = 0
    for strand, old in zip(strands, compiled.layouts):
        pool = strand.pool
        for each in strand.moving:
            i = pool.slots[each.run.first]
            after.body_pos[i], after.body_quat[i], after.body_momentum[i] = each.x, each.q, each.L
            after.body_vel[i] = [*each.v, *each.w]
        hosts = [pool.slots[each.run.first] for each in strand.moving]
        pos, quat = moved_poses(after, half)
        after.body_pos[hosts], after.body_quat[hosts] = pos[hosts], quat[hosts]
        kept = {j for j, _, _ in boundaries(pool, old)}
        same = {run.first for run in strand.layout.runs} & {run.first for run in old.runs if _kept(run, strand.layout)}
        fresh: list[int] = []
        for j, left, right in strand.joints:
            g = new.joints.first[f"{pool.name}_joint_{j}"]
            runs = [strand.layout.runs[k].first for k in (left, right) if k is not None]
            if j in kept and all(first in same for first in runs):
                continue
            after.joint_stiffness[g] = -1.0  # arms have changed: nothing to compare it with
            if j not in kept:
                rows = slice(starts[g], starts[g] + 3)
                after.row_lam[rows] = after.row_lam_old[rows] = -dt * strand.forces[j]
                after.row_age[starts[g] : starts[g + 1]] = 2
                fresh.append(g)
        values = joint_values(new.joints, after.body_pos, after.body_quat, np.array(fresh, int)) if fresh else ()
        for g, phi in zip(fresh, values):
            after.row_phi[starts[g] : starts[g + 1]] = phi[: starts[g + 1] - starts[g]]
            after.joint_angle[g], after.joint_turns[g] = phi[5], 0
        for end in pool.feeding(strand.layout):
            after.feed_state[feed, E_LENGTH] = strand.layout.runs[end].length
            feed += 1
    after.strand_quiet[:] = quiet
    more = stored_energy(new) - stored
    after.ledger[ELASTIC] += more
    after.ledger[LOSS_JOINT] += moving - energy_of_bodies(new) - more
    return new


def _kept(run: Any, layout: Layout) -> bool:
    return any(other is run for other in layout.runs)


def rearrange(compiled: Compiled) -> Compiled | None:
    """Do what is due; the scene divided anew, or None when nothing changed after all."""
    dt, s = float(compiled.scene.dt), compiled.fields
    strands = [state_of(compiled, pool, layout, dt) for pool, layout in zip(compiled.pools, compiled.layouts)]
    done = [changed_by_itself(strand, dt, int(quiet)) for strand, quiet in zip(strands, s.strand_quiet)]
    for strand in strands:
        _not_held(compiled, strand)
    if not any(changed for changed, _ in done):
        s.strand_quiet[:] = [quiet for _, quiet in done]
        return None
    return rebuilt(compiled, strands, [quiet for _, quiet in done])


def _not_held(compiled: Compiled, strand: Strand) -> None:
    """Raise ValueError when something holds a segment that has gone in."""
    runs, pool = strand.layout.runs, strand.pool
    if not runs:
        return
    inside = {*pool.slots[: runs[0].first].tolist(), *pool.slots[runs[-1].last :].tolist()}
    for name, grip in compiled.grips.items():
        for body in (grip.a, grip.b):
            if compiled.bodies.index[body] in inside:
                raise ValueError(f"{body}, which {name} holds, is being reeled in: detach it before")


def cut(compiled: Compiled, name: str, s: float) -> Compiled:
    """Part the joint of a cable that is nearest to a length from its start [m]."""
    strands = [
        state_of(compiled, p, layout, float(compiled.scene.dt)) for p, layout in zip(compiled.pools, compiled.layouts)
    ]
    strand = next(each for each in strands if each.pool.name == name)
    pool, runs = strand.pool, strand.layout.runs
    lengths = np.array(
        [l for run in runs for l in (pool.lengths[run.first : run.last] if not run.single else [run.length])]
    )
    places = np.concatenate([[0.0], np.cumsum(lengths)])
    if not 0.0 <= s <= places[-1]:
        raise ValueError(f"s: {s!r} - expected a length along {name} from 0 to {places[-1]:.6g} m")
    numbers = np.array([0, *range(runs[0].first + 1, runs[-1].last), pool.count])
    fixed = [k for k in (0, len(numbers) - 1) if pool.groups[numbers[k]] < 0 or pool.drives[min(k, 1)] >= 0]
    away = np.abs(places - s)
    away[[k for k in range(len(numbers)) if k in fixed or int(numbers[k]) in strand.layout.parted]] = np.inf
    if np.isinf(away.min()):
        raise ValueError(f"{name} has no joint left that could be cut")
    let_go(strand, int(numbers[int(away.argmin())]))
    return rebuilt(compiled, strands, compiled.fields.strand_quiet.tolist())
