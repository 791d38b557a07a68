"""Rods, the bodies they end on and what they touch, solved together: the equilibrium that is asked for, from the one that
stands."""

from __future__ import annotations

import math

import numpy as np

from taut.cables.rod import arrays as col
from taut.cables.rod import carrying, seats
from taut.cables.rod.arrays import Array, Arrays
from taut.cables.rod.asked import Asked, Solution
from taut.cables.rod.assemble import assemble
from taut.cables.rod.beginning import FIRST, begin
from taut.cables.rod.chain import FREED, Chain
from taut.cables.rod.clearance import sunk
from taut.cables.rod.ends import multiply, rotate
from taut.cables.rod.imbalance import furthest
from taut.cables.rod.newton import (
    ANGLE,
    BACKTRACKS,
    ENERGY,
    ITERATIONS,
    LEAVE,
    MINIMUM,
    REPORTED,
    RESIDUAL,
    SHIFTS,
    TWISTED,
    newton,
)
from taut.cables.rod.obstacles import MARGIN, TOUCHES_ITSELF, Obstacles
from taut.cables.rod.pulled import pulled_taut
from taut.cables.rod.reach import check_reach
from taut.cables.rod.slipping import check_turns
from taut.cables.rod.stopping import check_stop, hearing
from taut.cables.rod.targets import Body, Clip, Handle, Target
from taut.cables.rod.turning import spin
from taut.cables.rod.values import RodError
from taut.cables.rod.walk import SMALLEST, STRIDE, Place, StuckError, disturbances, walk

#: equilibrium to this share of the force scale EI/L^2 + weight, and of the length
TOLERANCE = 1e-8
#: most twist in one joint [rad]
MOST_TWIST = math.radians(60.0)
#: stride among things that can be touched, as a share of the length
NEAR_STRIDE = 0.03
#: iterations among things that can be touched, as a multiple: points move little in one, so that nothing is passed through
PATIENCE = 4
#: least share of a piece that is tried among things that can be touched
NEAR_SMALLEST = 1.0 / 16.0
#: halvings and shifts in attempts that fail, in all of a change: after that it is given up
WASTED = 2500
#: most contacts for each segment, and in all
CONTACTS_EACH, CONTACTS = 2, 400


class Network:
    """Chains and bodies with the arrays of their last equilibrium."""

    def __init__(self, asked: Asked) -> None:
        self.asked, self.kept = asked, asked
        self.obstacles = Obstacles.none()
        self.shape_rows: dict[str, int] = {}
        self.itself = False
        self.solution: Solution | None = None
        self.before: Network | None = None
        """A solved one that is nearly the same, whose shape the first one is looked for from."""
        self.changed, self.loaded = True, False  # arrays are to be made anew; loads are up to date
        self.report = np.zeros(REPORTED)
        self.counts = [0, 0, 0]  # iterations, shifts and backtracks of a solve
        self.scales = np.zeros(6)
        self.lengths: list[float] = []  # of the shape that stands [m]
        self.old = np.zeros((0, 3))  # points of the targets there [m]
        self.rebuild()

    # -- arrays ---------------------------------------------------------------------------------------------------

    def rebuild(self, keep: bool = False) -> None:
        """Arrays for this number of chains, clips, handles and freedoms, all as it is asked for. keep: with the segments that
        each span has."""
        asked = self.asked
        frames, rows = 0, 0
        for index, chain in enumerate(asked.chains):
            chain.lay_out(index, frames, rows, keep)
            frames += chain.frames_needed
            rows += chain.rows_needed
        free = [body for body in asked.bodies if body.is_free]
        touches = self.itself or len(self.obstacles.shape) > 0
        studs = self._studs()
        room = min(CONTACTS, CONTACTS_EACH * frames + len(studs)) if touches else 0
        self.arrays = Arrays.empty(frames, len(asked.chains), len(asked.bodies), rows + room, 6 * len(free))
        self.arrays.tally[col.EQUATIONS] = self.arrays.tally[col.ROWS] = rows
        for chain in asked.chains:
            line = self.arrays.chain[chain.index]
            line[col.FIRST], line[col.LAST] = chain.first, chain.last
            line[col.BODY_A], line[col.BODY_B] = chain.bodies
            line[col.POINT_A : col.POINT_A + 3], line[col.POINT_B : col.POINT_B + 3] = chain.points
            line[col.FRAME_A : col.FRAME_A + 4], line[col.FRAME_B : col.FRAME_B + 4] = chain.frames
            line[col.TOTAL : col.TOTAL + 3] = 0.0
            self._set_forces(chain)
        place = 0
        for b, body in enumerate(asked.bodies):
            line = self.arrays.body[b]
            line[col.FREE : col.FREE + 6], line[col.BORDER] = body.free, -1.0
            line[col.PULL : col.PULL + 3], line[col.LEVER : col.LEVER + 3] = body.pull, body.lever
            line[col.POS : col.POS + 3], line[col.TURNED : col.TURNED + 4] = body.point, body.frame
            if body.is_free:
                line[col.BORDER] = place
                place += 6
        self.obstacles = self.obstacles._replace(studs=studs)
        self.placed: list[float] = []
        self.changed, self.loaded = False, False

    def _studs(self) -> Array:
        """Balls of the bodies that go where they are pushed."""
        found = [
            np.column_stack([np.full(len(body.studs), float(b)), body.studs])
            for b, body in enumerate(self.asked.bodies)
            if body.is_free
        ]
        return np.vstack([np.zeros((0, 5)), *found])

    def _set_forces(self, chain: Chain) -> None:
        """Multipliers that are remembered."""
        r, force = chain.row_start, self.arrays.force
        for one in [*chain.handle_order, *chain.order]:
            many = len(one.axes()) if isinstance(one, Clip) else 3
            force[r : r + many] = one.force[:many]
            r += many
        if chain.held[1] != FREED:
            force[r : r + 3] = chain.end_force

    def set_lengths(self, lengths: list[float]) -> None:
        """Place segments, joints, rows and loads for these lengths of the chains [m]."""
        if lengths != self.placed:
            for chain, length in zip(self.asked.chains, lengths):
                chain.place_length(self.arrays, length)
            self.placed, self.loaded = list(lengths), False
        if not self.loaded:
            self._set_loads()

    def _set_loads(self) -> None:
        chains, rod = self.asked.chains, self.arrays.rod
        size = sum(chain.place_loads(self.arrays) for chain in chains)
        size += sum(float(np.abs(body.pull).sum()) for body in self.asked.bodies)
        for b, body in enumerate(self.asked.bodies):
            self.arrays.body[b, col.PULL : col.PULL + 3] = body.pull
        length = max(self.placed)
        most = max(float(chain.properties.stiffness.max()) for chain in chains)
        least = min(float(chain.properties.stiffness.min()) for chain in chains)
        joints = rod[:, col.JOINT][rod[:, col.JOINT] > 0.0]
        segments = rod[:, col.SEG][rod[:, col.SEG] > 0.0]
        radius = max(chain.properties.radius for chain in chains)
        thin = min(chain.properties.radius for chain in chains)
        cell = float(segments.max())
        self.scales[:] = (
            max(
                float(chain.properties.stiffness.max()) / placed**2 for chain, placed in zip(chains, self.placed)
            )
            + size,
            length, 4.0 * most / float(joints.min()), 4.0 * least / float(joints.max()),
            1e-4 * float(segments.min()) ** 3 / most, thin if self.itself and thin > 0.0 else max(radius, cell),
        )  # fmt: skip
        self.obstacles.setting[MARGIN] = 0.25 * max(radius, cell)
        self.loaded = True

    def set_obstacles(self, obstacles: Obstacles, rows: dict[str, int], itself: bool) -> None:
        """What can be touched: the tables, and in which row each one stands."""
        self.obstacles, self.shape_rows, self.itself = obstacles, rows, itself
        obstacles.setting[TOUCHES_ITSELF] = float(itself)
        self.changed = True

    # -- solving --------------------------------------------------------------------------------------------------

    def solve(self, tolerance: float, most: int, escape: bool) -> Solution:
        """Find the equilibrium; on failure the last one, with all that was asked then, stands."""
        self.counts = [0, 0, 0]
        fresh = self.solution is None
        try:
            check_reach(self.asked.chains, self.asked.bodies, not fresh)
            if self.changed:
                self._remesh(fresh)
                # something was let go or taken hold of: the way to the next shape may be long
                most = FIRST * most
            steps = begin(self, tolerance, most) if fresh else self._walk(tolerance, most, escape)
        except RodError:
            self.fall_back()
            raise
        if escape and not self.report[MINIMUM]:
            self._escape(tolerance, most)
        return self._keep(steps)

    def _remesh(self, fresh: bool) -> None:
        """New arrays; the shape that stands is carried over."""
        if fresh:
            self.rebuild()
            return
        shape = carrying.shape_of(self, self.kept)
        self.rebuild()
        carrying.put(self, shape)
        same = len(self.lengths) == len(self.asked.chains)
        self.set_lengths(self.lengths if same else [chain.length for chain in self.asked.chains])
        self.old = np.array([self._was(target) for target in self.asked.targets()]).reshape(-1, 3)

    def _was(self, target: Target) -> Array:
        """Where a target is in the shape that stands."""
        if isinstance(target, Handle) and target.body < 0:
            for chain in self.asked.chains:
                if any(target is one for one in [*chain.handles.values(), *chain.clips.values()]):
                    return self.point_at(chain, target.share)
        twin = self.twin(target)
        return twin.point if twin is not None else target.point

    def twin(self, target: Target) -> Target | None:
        """The same target in what was asked of the shape that stands."""
        name = getattr(target, "name", "")
        for other in self.kept.bodies:
            if isinstance(target, Body) and other.name == name:
                return other
        for key, other_target in self.kept.obstacles.items():
            if self.asked.obstacles.get(key) is target:
                return other_target
        return None

    def take(self, quat: Array, tolerance: float, most: int) -> Solution:
        """Begin with frames that are known, in place of a guess."""
        self.set_lengths([chain.length for chain in self.asked.chains])
        targets = self.asked.targets()
        self.place(np.array([target.point for target in targets]), [target.frame for target in targets])
        self.arrays.quat[:] = quat
        if not self.newton(tolerance, most):
            raise RodError(f"no equilibrium found near the given shape (residual {self.report[RESIDUAL]:.1e})")
        return self._keep(1)

    def _walk(self, tolerance: float, most: int, escape: bool) -> int:
        """From the shape that stands; escape: not through itself."""
        asked, arrays = self.asked, self.arrays
        old, new = self.lengths, [chain.length for chain in asked.chains]
        touches = self.itself or len(self.obstacles.shape) > 0
        stride = (NEAR_STRIDE if touches else STRIDE) * min(new)
        wasted, words = 0, ""

        def try_at(place: Place) -> bool:
            saved = arrays.quat.copy(), arrays.force.copy(), arrays.body.copy(), arrays.row.copy(), arrays.tally.copy()
            lengths = new if place.share == 1.0 else [a + place.share * (b - a) for a, b in zip(old, new)]
            self.set_lengths(lengths)
            self.place(place.points, place.frames)
            if place.spins:
                seats.spread_spin(arrays, asked, place.spins)
            if self.newton(tolerance, PATIENCE * most if touches else most):
                # on the way, before turns can slip unseen
                self.check_twist("; the last shape is kept")
                if place.spins and escape and not self.itself:
                    check_turns(arrays, asked.chains, saved[0])
                return True
            nonlocal wasted, words
            wasted += int(self.report[BACKTRACKS] + self.report[SHIFTS])
            words = furthest(self)
            arrays.quat[:], arrays.force[:], arrays.body[:], arrays.row[:], arrays.tally[:] = saved
            self.placed = []
            return False

        stretched = max(abs(a - b) for a, b in zip(old, new))
        try:
            return walk(
                asked.targets(), self.old, stretched, stride, try_at, NEAR_SMALLEST if touches else SMALLEST,
                lambda: wasted > WASTED,
            )  # fmt: skip
        except StuckError as stuck:
            if taut := pulled_taut(self):
                raise RodError(
                    f"{taut}; no more than {100.0 * stuck.share:.3g} % of this change would be possible, and nothing was changed"
                ) from None
            deep = sunk(self, failed=True)
            raise RodError(
                "".join(f"{text}\n" for text in deep)
                + f"no equilibrium found beyond {100.0 * stuck.share:.1f} % of the change"
                f"{f': {words}' if words else ''}{self._pressed()}; the last shape is kept"
            ) from None

    def _pressed(self) -> str:
        """What the shape that stands leans on most, in words: it may be in the way."""
        arrays, names = self.arrays, {row: name for name, row in self.shape_rows.items()}
        pushes: dict[str, float] = {}
        for r in range(arrays.tally[col.EQUATIONS], arrays.tally[col.ROWS]):
            name = names.get(int(arrays.row[r, col.KEY]))
            if name is not None and arrays.force[r] < 0.0:
                pushes[name] = pushes.get(name, 0.0) - float(arrays.force[r])
        if not pushes:
            return ""
        most = max(pushes, key=lambda name: pushes[name])
        return f"; it leans on {most} with {pushes[most]:.3g} N"

    def place(self, points: Array, frames: list[Array]) -> None:
        """Write the poses of all targets."""
        seats.place(self.arrays, self.asked, self.obstacles, self.shape_rows, points, frames)

    def newton(self, tolerance: float, most: int) -> bool:
        """One call of the compiled iteration; a person who no longer wants to wait is heard before it and meanwhile."""
        check_stop()
        with hearing(self.report, LEAVE):
            newton(self.arrays, self.obstacles, self.scales, tolerance, most, self.report)
        report = self.report.tolist()
        self.counts = [n + int(report[k]) for n, k in zip(self.counts, (ITERATIONS, SHIFTS, BACKTRACKS))]
        lost = int(self.arrays.tally[col.LOST])
        if lost:
            raise RodError(
                f"contacts: more than {self.arrays.row.shape[0] - self.arrays.tally[col.EQUATIONS]} places touch; use fewer "
                "segments or move the rod away from what it lies in"
            )
        return bool(report[RESIDUAL] <= tolerance)

    def check_twist(self, kept: str) -> None:
        """Joints that can carry their twist: beyond 60 degrees the chord is no measure of it, beyond 90 turns slip."""
        twist = float(self.report[TWISTED])
        if twist > MOST_TWIST:
            need = math.ceil(max(chain.segments for chain in self.asked.chains) * twist / MOST_TWIST)
            raise RodError(
                f"twist: {math.degrees(twist):.0f} degrees between two segments, at most "
                f"{math.degrees(MOST_TWIST):.0f} can be resolved; use {need} segments or more{kept}"
            )

    def spread(self, angle: float) -> None:
        """Predict the twist of one chain whose last frame is turned about its tangent [rad]."""
        chain = self.asked.chains[0]
        spin(self.arrays.quat, self.arrays.rod, chain.first, chain.last, 0.0, angle)

    def _escape(self, tolerance: float, most: int) -> None:
        """Leave a saddle: disturb all frames a little and descend; the saddle stands if that finds nothing better."""
        arrays, report = self.arrays, self.report
        for disturbance in disturbances(len(arrays.quat)):
            saved = arrays.quat.copy(), arrays.force.copy(), arrays.body.copy(), arrays.row.copy(), arrays.tally.copy()
            before = report.copy()
            for chain in self.asked.chains:
                arrays.quat[chain.seg_rows] = multiply(arrays.quat[chain.seg_rows], disturbance[chain.seg_rows])
            found = self.newton(tolerance, FIRST * most)
            if found and report[MINIMUM]:
                return
            if not found or report[ENERGY] > before[ENERGY]:
                arrays.quat[:], arrays.force[:], arrays.body[:], arrays.row[:], arrays.tally[:] = saved
                report[:] = before

    # -- what stands ----------------------------------------------------------------------------------------------

    def _keep(self, steps: int) -> Solution:
        """The shape found is the one that stands."""
        asked, arrays, report = self.asked, self.arrays, self.report.tolist()
        for chain in asked.chains:
            r = chain.row_start
            for one in [*chain.handle_order, *chain.order]:
                many = len(one.axes()) if isinstance(one, Clip) else 3
                one.force[:many] = arrays.force[r : r + many]
                r += many
            chain.end_force[:] = 0.0 if chain.held[1] == FREED else arrays.force[r : r + 3]
        for b, body in enumerate(asked.bodies):
            if body.is_free:
                body.point = arrays.body[b, col.POS : col.POS + 3].copy()
                body.turns = [arrays.body[b, col.TURNED : col.TURNED + 4].copy()]
        targets = asked.targets()
        for target in targets:
            target.done()
        self.old = np.array([target.point for target in targets])
        self.lengths = [chain.length for chain in asked.chains]
        self.kept = asked.copy()
        self.good = arrays.quat.copy(), arrays.force.copy(), arrays.body.copy(), arrays.row.copy(), arrays.tally.copy()
        iterations, shifts, backtracks = self.counts
        equations, rows = int(arrays.tally[col.EQUATIONS]), int(arrays.tally[col.ROWS])
        contacts = int((arrays.force[equations:rows] < 0.0).sum()) if rows > equations else 0
        self.solution = Solution(
            report[RESIDUAL], iterations, bool(report[MINIMUM]), report[ENERGY], steps, shifts, backtracks,
            report[ANGLE], contacts,
        )  # fmt: skip
        return self.solution

    def fall_back(self) -> None:
        """All as it was when last solved."""
        if self.solution is None:
            return
        self.asked = self.kept.copy()
        self.rebuild(keep=True)
        self.set_lengths(self.lengths)
        targets = self.asked.targets()
        self.place(np.array([target.point for target in targets]), [target.frame for target in targets])
        arrays, (quat, force, body, row, count) = self.arrays, self.good
        if arrays.row.shape == row.shape:
            arrays.quat[:], arrays.force[:], arrays.body[:], arrays.row[:], arrays.tally[:] = (
                quat,
                force,
                body,
                row,
                count,
            )
            # what is read of it, as the moments at its ends, is worked out for this shape again
            assemble(
                arrays.rod, arrays.chain, arrays.body, arrays.row, arrays.quat, arrays.force, arrays.block, arrays.tally
            )

    def nodes(self, chain: Chain) -> Array:
        """Points of the nodes of a chain [m], shape (segments + 1, 3)."""
        arrays = self.arrays
        body = arrays.body[chain.bodies[0]]
        start = body[col.POS : col.POS + 3] + rotate(body[col.TURNED : col.TURNED + 4], chain.points[0])
        tangents = rotate(arrays.quat[chain.seg_rows], np.array([0.0, 0.0, 1.0]))
        steps = arrays.rod[chain.seg_rows, col.SEG][:, None] * tangents
        return start + np.vstack([np.zeros(3), np.cumsum(steps, axis=0)])

    def point_at(self, chain: Chain, share: float) -> Array:
        """Point of the centreline [m], shape (3,)."""
        points, shares = self.nodes(chain), chain.shares()
        return np.array([np.interp(share, shares, points[:, c]) for c in range(3)])
