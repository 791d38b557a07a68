"""Read-outs of segmented cables: forces and moments along them, shape and energy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.cables.segmented.columns import E_LENGTH
from taut.compile import frames
from taut.core.codes import BALL, PAPER_SEGMENT, SEGMENT
from taut.core.model import G_START, J_COMPLIANCE
from taut.measure import poses

Array = np.ndarray
Z = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Joints:
    """Where the joints of one cable lie in the tables: those that hold just now, and how all others follow from them."""

    rows: Array  # first row of each joint that holds, shape (j,)
    groups: Array  # its row group, shape (j,)
    kinds: Array  # BALL, SEGMENT or PAPER_SEGMENT, shape (j,)
    segments: Array  # bodies of the cable, shape (n,)
    before: Array  # segment beside each joint that tells its direction, shape (j,)
    lengths: Array  # length of cable that each joint stands for [m], shape (j,)
    count: int  # joints in all, those within merged segments, parted ones and those not paid out included
    place: Array  # of each joint that holds among all, shape (j,)
    between: Array  # weights of those that hold for every joint, shape (count, j); empty: all hold
    moving: int  # segments that move by themselves


def joints_of(sim: Any, name: str) -> Joints:
    """The joints of a segmented cable as it is divided now."""
    key = ("joints", name)
    if key not in sim.looked_up:
        sim.looked_up[key] = _joints_of(sim, name)
    return sim.looked_up[key]


def _joints_of(sim: Any, name: str) -> Joints:
    strand, table = sim.scene.strands()[name], sim.compiled.joints
    names = strand.joint_names()
    holding = [joint for joint in names if joint in table.first]
    groups = np.array([table.first[joint] for joint in holding], int)
    rows = np.asarray(sim.work.group_int)[groups, G_START]
    kinds = np.array([table.groups[g].kind for g in groups], int)
    segments = np.array([sim.compiled.bodies.index[link] for link in strand.link_names()], int)
    number = np.array([int(joint.rsplit("_", 1)[1]) for joint in holding], int)
    pool = next((k for k, pool in enumerate(sim.compiled.pools) if pool.name == name), None)
    place = (
        np.array([names.index(joint) for joint in holding], int) if len(holding) < len(names) else np.arange(len(names))
    )
    if pool is None:
        before = segments[np.minimum(number, len(segments) - 1)]
        none = np.zeros((0, 0))
        return Joints(
            rows, groups, kinds, segments, before, _lengths(strand, number), len(names), place, none, len(segments)
        )
    runs = sim.compiled.layouts[pool].runs
    first = np.array([run.first for run in runs])
    # the run after a joint, or the last one before an end
    after = np.clip(np.searchsorted(first, np.maximum(number, first[0])), 0, len(runs) - 1)
    within = _within(names, number, runs, sim.compiled.layouts[pool].parted)
    return Joints(
        rows,
        groups,
        kinds,
        segments,
        segments[first[after]],
        _lengths(strand, number),
        len(names),
        place,
        within,
        len(runs),
    )


def _within(names: list[str], number: Array, runs: Any, parted: frozenset[int]) -> Array:
    """Weights of the joints that hold: one within merged segments has what lies between its neighbours that do."""
    weights = np.zeros((len(names), len(number)))
    if len(number) == 0:
        return weights
    for row, joint in enumerate(names):
        j = int(joint.rsplit("_", 1)[1])
        at = int(np.searchsorted(number, j))
        if at < len(number) and number[at] == j:
            weights[row, at] = 1.0
        elif j in parted:
            continue
        elif at == 0 or at == len(number):
            weights[row, min(at, len(number) - 1)] = 1.0
        elif j <= runs[0].first or j >= runs[-1].last:  # not paid out: as where it comes out
            weights[row, at - 1 if j <= runs[0].first else at] = 1.0
        else:
            share = (j - max(number[at - 1], runs[0].first)) / (number[at] - max(number[at - 1], runs[0].first))
            weights[row, at - 1], weights[row, at] = 1.0 - share, share
    return weights


def _spread(at: Joints, values: Array, zero: bool = False) -> Array:
    """Values of the joints that hold, for all joints: in proportion between them, or `zero` elsewhere."""
    if at.between.size == 0:
        return values
    if zero:
        whole = np.zeros((at.count, *values.shape[1:]))
        whole[at.place] = values
        return whole
    return np.tensordot(at.between, values, axes=1)


def _lengths(strand: Any, number: Array) -> Array:
    """Half of each of the two segments beside a joint; joint i lies before segment i [m]."""
    own = np.array(strand.all_lengths())
    before, after = np.concatenate([[0.0], own]), np.concatenate([own, [0.0]])
    if strand.cable.loop:
        after[-1] = own[0]
    return 0.5 * (before + after)[number]


def lengths_out(sim: Any, name: str) -> Array:
    """Unstretched length of every segment, none of those that are not paid out [m], shape (n,)."""
    for k, pool in enumerate(sim.compiled.pools):
        if pool.name == name:
            layout = sim.compiled.layouts[k]
            lengths = pool.lengths.copy()
            lengths[: layout.runs[0].first] = lengths[layout.runs[-1].last :] = 0.0
            first = sum(len(p.feeding(other)) for p, other in zip(sim.compiled.pools[:k], sim.compiled.layouts))
            for n, end in enumerate(pool.feeding(layout)):
                lengths[layout.runs[end].first] = float(sim.state.feed_state[first + n, E_LENGTH])
            return lengths
    return np.array(sim.scene.strands()[name].all_lengths())


def length(sim: Any, name: str) -> float:
    """Unstretched length that is paid out [m]."""
    return float(lengths_out(sim, name).sum())


def mass(sim: Any, name: str) -> float:
    """Mass of what is paid out [kg]."""
    bodies = sim.compiled.bodies
    slots = np.array([bodies.index[link] for link in sim.scene.strands()[name].link_names()])
    return float(np.asarray(sim.model.body_mass)[slots[bodies.dynamic[slots] == 1]].sum())


def _forces(sim: Any, at: Joints) -> Array:
    """Force that each joint that holds exerts on the segment after it."""
    return sim.state.row_lam[at.rows[:, None] + np.arange(3)] / sim.dt


def forces(sim: Any, at: Joints) -> Array:
    """Force that each joint exerts on the segment after it, world axes [N], shape (count, 3)."""
    return _spread(at, _forces(sim, at))


def tensions(sim: Any, at: Joints) -> Array:
    """Force along the cable at each joint, positive in pull [N], shape (count,)."""
    along = frames.rotate(sim.state.body_quat[at.before], np.broadcast_to(Z, (len(at.before), 3)))
    return _spread(at, 0.0 - np.einsum("ij,ij->i", _forces(sim, at), along))


def _angular(sim: Any, at: Joints, values: Array) -> tuple[Array, Array]:
    """Of some rows: size over the bend rows and the twist row of every joint; zero where it turns freely."""
    bend, twist = np.zeros(len(at.rows)), np.zeros(len(at.rows))
    ours, paper = at.kinds == SEGMENT, at.kinds == PAPER_SEGMENT
    bend[ours] = np.hypot(values[at.rows[ours] + 3], values[at.rows[ours] + 4])
    twist[ours] = values[at.rows[ours] + 5]
    bend[paper], twist[paper] = np.abs(values[at.rows[paper] + 3]), values[at.rows[paper] + 4]
    return bend, twist


def bend_moments(sim: Any, at: Joints) -> Array:
    """Size of the bending moment at each joint [N m], shape (j,)."""
    return _spread(at, _angular(sim, at, sim.state.row_lam)[0] / sim.dt, zero=True)


def twist_moments(sim: Any, at: Joints) -> Array:
    """Twisting moment at each joint [N m], shape (j,)."""
    return _spread(at, 0.0 - _angular(sim, at, sim.state.row_lam)[1] / sim.dt)


def bend_angles(sim: Any, at: Joints) -> Array:
    """Angle between the segments at each joint that holds, at the start of the last step [rad], shape (j,)."""
    return _angular(sim, at, sim.state.row_phi)[0]


def twist(sim: Any, at: Joints) -> float:
    """Twist from end to end over full turns, beyond that at rest [rad]."""
    return float(_angular(sim, at, sim.state.row_phi)[1].sum())


def curvatures(sim: Any, at: Joints) -> Array:
    """Bend angle per length at each joint [1/m], shape (j,)."""
    length = np.where(at.lengths > 0.0, at.lengths, np.inf)
    return _spread(at, bend_angles(sim, at) / length, zero=True)


def opening(sim: Any, at: Joints) -> float:
    """Largest distance of the two points of a joint, stretch included [m]."""
    phi = sim.state.row_phi[at.rows[:, None] + np.arange(3)]
    return float(np.linalg.norm(phi, axis=1).max(initial=0.0))


def energies(sim: Any, at: Joints) -> tuple[float, float, float]:
    """Stored by stretch, bend and twist at the start of the last step [J]."""
    compliance = np.asarray(sim.model.joint_row)[at.groups, J_COMPLIANCE : J_COMPLIANCE + 6]
    total = [0.0, 0.0, 0.0]
    for kind, parts in ((BALL, (0, 0, 0)), (SEGMENT, (0, 0, 0, 1, 1, 2)), (PAPER_SEGMENT, (0, 0, 0, 1, 2))):
        chosen = at.kinds == kind
        for r, part in enumerate(parts):
            soft, phi = compliance[chosen, r], sim.state.row_phi[at.rows[chosen] + r]
            total[part] += float((0.5 * phi[soft > 0.0] ** 2 / soft[soft > 0.0]).sum())
    return total[0], total[1], total[2]


def points(sim: Any, at: Joints) -> Array:
    """Middles of the segments [m], shape (n, 3)."""
    return poses.positions(sim)[at.segments]
