"""Cables as parts, segments, transfers and winches; layered ones also as waves on their spans."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from taut.cables.layered.columns import C_COLUMNS, Y_SPAN, Y_SPAN_END
from taut.cables.massless.columns import (
    DRUM,
    N_BODY,
    N_TRANSFER,
    P_PATH,
    P_SEGMENT,
    P_SEGMENTS,
    P_TWIST,
    POINT_PART,
    T_MASS,
    U_COLUMNS,
    W_LENGTH,
    WHEEL,
)
from taut.cables.massless.drum import (
    V_BLOCK,
    V_GAP,
    V_GUARD,
    V_MOST_OUT,
    V_OUT,
    V_ROPE,
    V_SHIFT_START,
    V_SPEED,
    V_TO_POSITION,
    V_TOTAL,
    drum_shift,
)
from taut.cables.massless.runs import runs_of
from taut.compile import frames
from taut.compile.bodies import BodyTable
from taut.compile.controls import Controls
from taut.compile.joints import RIGID
from taut.compile.obstacles import obstacles_of
from taut.compile.reeving import Placed, carry, direction_across, sense, tangent, wrap_angle
from taut.compile.waves import Segment, frame_of, refusal, start_of_span
from taut.core.model import POINT
from taut.scene import WORLD, Problem, Scene, SceneError
from taut.scene.cables import Cable, Falls, LoadMoment, Sheave, Traction, Wheel, Winch, expand_falls

#: mass that flows with the rope over a part without inertia of its own, in kg and as a part of the lightest body on the rope:
#: far below what can be seen, enough to keep the solve regular
LIGHT, LIGHT_PART = 1e-4, 1e-6
#: smallest bend of a route at a wheel from which its sense is taken
CLEAR_BEND = 1e-3
#: largest angle between a rope and the plane of its groove [rad]
FLEET = math.radians(15.0)


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


def compile_ropes(
    scene: Scene, cables: Mapping[str, Cable], bodies: BodyTable, controls: Controls, first_row: int, first_pair: int
) -> RopeTable:
    """Parts, segments, transfers and winches of massless and layered cables; raises SceneError for routes that cannot be
    threaded."""
    table = RopeTable(tuple(cables), tuple(cables.values()))
    problems: list[Problem] = []
    row = first_row
    for r, (name, cable) in enumerate(cables.items()):
        gravity = np.asarray(scene.gravity, float)
        obstacles = obstacles_of(cable, scene, bodies)
        row = _Threading(
            table, bodies, controls, problems, r, name, cable, row, first_pair, gravity, obstacles, scene.dt
        ).thread()
    for numbers, (guard, place) in zip(table.winch_int, table.winch_guards):
        if guard is not None and guard in table.winch_names:
            numbers[V_GUARD] = table.winch_names.index(guard)
        elif guard is not None:
            problems.append(Problem(f"no such winch; there are {', '.join(table.winch_names)}", place, guard))
    if problems:
        raise SceneError(problems)
    return table


def _count(item: object) -> int:
    """Number of parts that an item of a route becomes."""
    return len(expand_falls(item)) if isinstance(item, Falls) else 1


def _place(point: np.ndarray) -> str:
    """A point for a message."""
    return "(" + ", ".join(f"{x:.4g}" for x in point) + ") m"


class _Threading:
    """One rope on its way through its parts."""

    def __init__(self, table, bodies, controls, problems, r, name, cable, row, first_pair, gravity, obstacles, dt):  # type: ignore[no-untyped-def]
        self.table, self.bodies, self.controls, self.problems = table, bodies, controls, problems
        self.r, self.name, self.cable, self.row, self.first_pair = r, name, cable, row, first_pair
        self.gravity, self.obstacles, self.dt = gravity, obstacles, dt
        self.parts = cable.parts()
        self.written = [k for k, item in enumerate(cable.route) for _ in range(_count(item))]
        self.first = len(table.part_int)
        self.k = 0  # the part at hand

    def problem(self, message: str, *place: str | int, value: str = "") -> None:
        self.problems.append(Problem(message, ("cables", self.name, *place), value))

    def part_problem(self, k: int, field_name: str, message: str, value: str = "") -> None:
        """A problem of part k of the expanded route, told where and as it was written."""
        part, item = self.parts[k], self.cable.route[self.written[k]]
        who = f"{part.name}: " if part.name else ""
        if isinstance(item, Falls):
            who = f"{type(part).__name__.lower()} {k - self.written.index(self.written[k]) + 1} of the falls: "
            field_name = "lower_at" if field_name == "at" else "axis"
        self.problem(who + message, "route", self.written[k], field_name, value=value)

    def thread(self) -> int:
        """Fill the tables; returns the row after the rope's last."""
        bodies, table = self.bodies, self.table
        of = [bodies.index[part.on] for part in self.parts]
        points = [self._point(part, i) for part, i in zip(self.parts, of)]
        placed = self._place(points)
        if placed is None:
            return self.row
        spans = [tangent(a, b) for a, b in pairwise(placed)]
        self._check_spans(placed, spans)
        holds = [self._holds_back(part) for part in self.parts]
        touched = list(dict.fromkeys([*of, *(obstacle.body for obstacle in self.obstacles)]))
        rough = any(obstacle.friction > 0.0 for obstacle in self.obstacles)
        slots = sum(obstacle.room for obstacle in self.obstacles)
        now = 1 + sum(holds[1:-1])
        # a wrap with friction splits the run of rope that it is on
        segments = now + slots * int(rough)
        laid = self._laid(placed, spans, holds)
        softness = 0.0 if math.isinf(self.cable.stiffness()) else 1.0 / self.cable.stiffness()
        torsion, lay = self.cable.torsion()
        twist = torsion is not None
        hook = -1
        if self.cable.reach is not None:
            hook = self.controls.add(f"{self.name}.hook", "-", float(self.cable.attached))
        wraps, last = len(table.obstacle_int), self.first + len(of)
        table.integers.append([
            self.first, last, len(table.lengths), segments, int(twist), hook, last + slots, wraps,
            wraps + len(self.obstacles), len(table.rope_pair) if self.obstacles else -1, int(self.cable.length is None),
        ])  # fmt: skip
        table.order += [*range(self.first, last), *([-1] * slots)]
        table.live.append([len(of), now])
        table.laws.append([
            softness, self.cable.damping_time, self._floor(of), self.cable.strength(),
            0.0 if torsion is None else 1.0 / self._own_torsion(torsion, lay),
            self._twist_floor(of), lay, self.cable.reach or 0.0,
            self.cable.line_mass() if self.cable.weight else 0.0, sum(laid),
        ])  # fmt: skip
        self._add_ends(of, placed, spans)
        table.off += [0 if self.cable.attached else 1] * segments
        table.blocks.append(touched)
        segment = 0
        for k, (part, i, wheel) in enumerate(zip(self.parts, of, placed)):
            transfer = -1
            self.k = k
            if holds[k]:
                transfer = len(table.transfer_int)
                before = self.row + segment if k > 0 else -1
                after = -1 if k == len(of) - 1 else self.row + segment + (1 if k > 0 else 0)
                self._add_transfer(part, k, before, after)
                if self.cable.model == "layered":
                    # rope that runs over a part takes the mass of its spans along
                    beside = sum(laid[side - self.row] for side in (before, after) if side >= 0)
                    table.transfer_law[-1][T_MASS] += self.cable.line_mass() * beside
                segment += 1 if 0 < k < len(of) - 1 else 0
            self._add_part(part, i, wheel, touched.index(i), transfer, k, spans)
            if k + 1 < len(of) and not self.obstacles:
                self._add_span(i, of[k + 1], k)
        self._add_slots(touched, rough, sum(laid))
        if self.cable.model == "layered":
            self._hang(laid, placed, spans, segments, int(twist), slots)
            return self.row + segments + int(twist) + len(spans) + slots
        table.wave_law.append([0.0] * 6)
        self._set_lengths(laid, softness, segments)
        if self.cable.weight:
            self._weigh(holds)
        return self.row + segments + int(twist)

    def _own_torsion(self, torsion: float, lay: float) -> float:
        """What is left of GJ when the stretch has taken its part of the torque of a laid rope [N m^2]."""
        if lay == 0.0:
            return torsion
        stiffness = self.cable.stiffness()
        if math.isinf(stiffness):
            self.problem("a rigid rope has no lay torque: give its stiffness", "lay_torque", value=f"{lay:g}")
            return torsion
        own = torsion - lay * lay * stiffness
        if own <= 0.0:
            most = math.sqrt(torsion / stiffness)
            self.problem(
                f"expected less than sqrt(GJ/EA) = {most:.3g} m: such a rope would unlay by itself",
                "lay_torque",
                value=f"{lay:g}",
            )
            return torsion
        return own

    def _point(self, part, i):  # type: ignore[no-untyped-def]
        if part.at is not None:
            return np.asarray(part.at, float)
        if part.on == WORLD:
            return np.zeros(3)
        return np.asarray(self.bodies.specs[i].start_position, float)

    def _place(self, points):  # type: ignore[no-untyped-def]
        placed: list[Placed] = []
        ok = True
        for k, (part, point) in enumerate(zip(self.parts, points)):
            if not isinstance(part, Wheel):
                placed.append(Placed(point))
                continue
            axis = np.asarray(part.axis, float)
            turn = {"left": 1, "right": -1}.get(part.turn, 0)
            if turn == 0:
                before = points[k - 1] if k > 0 else points[k] + direction_across(axis)
                after = points[k + 1] if k + 1 < len(points) else points[k] + direction_across(axis)
                bend = sense(before, point, after, axis)
                if isinstance(part, Winch):
                    turn = 1
                elif abs(bend) < CLEAR_BEND:
                    self.part_problem(
                        k, "turn", f"the route runs straight through this wheel at {_place(point)}, so that one cannot tell "
                        "how the rope goes round; set turn: left or turn: right", "auto",
                    )  # fmt: skip
                    ok = False
                    turn = 1
                else:
                    turn = 1 if bend > 0.0 else -1
            placed.append(Placed(point, axis, direction_across(axis), part.radius, turn))
        for k, (a, b) in enumerate(pairwise(placed)):
            gap = float(np.linalg.norm(b.centre - a.centre))
            if gap <= abs(a.radius) + abs(b.radius) and (a.radius > 0.0 or b.radius > 0.0):
                self.part_problem(
                    k + 1, "at", f"it is {gap:.4g} m from the part before, less than their radii {a.radius:.4g} m and "
                    f"{b.radius:.4g} m need: the rope cannot be laid between them",
                )  # fmt: skip
                ok = False
            elif gap < 1e-9:
                self.part_problem(k + 1, "at", f"it is at the same place as the part before, {_place(b.centre)}")
                ok = False
        return placed if ok else None

    def _check_spans(self, placed, spans):  # type: ignore[no-untyped-def]
        for k, ((a, b), (leaves, arrives, length)) in enumerate(zip(pairwise(placed), spans)):
            d = b.at(arrives) - a.at(leaves)
            for wheel, place in ((a, k), (b, k + 1)):
                if wheel.axis is None or length == 0.0:
                    continue
                fleet = math.asin(min(1.0, abs(float(d @ wheel.axis)) / length))
                if fleet > FLEET and getattr(self.parts[place], "groove", True):
                    self.part_problem(
                        place, "axis", f"the rope would run at {math.degrees(fleet):.1f} degrees to its groove; at most 15 "
                        "degrees stay in it",
                    )  # fmt: skip

    @staticmethod
    def _holds_back(part: object) -> bool:
        """Whether tension may differ on the two sides of a part."""
        if isinstance(part, Winch | Traction):
            return True
        return isinstance(part, Sheave) and (
            part.inertia > 0.0 or part.efficiency < 1.0 or part.bearing_loss > 0.0 or part.bending_loss > 0.0
            or part.friction is not None or part.fixed
        )  # fmt: skip

    def _laid(self, placed, spans, holds):  # type: ignore[no-untyped-def]
        """Length along the path of each segment; the arc of a part that holds back is shared by its two segments."""
        lengths = [0.0]
        for k, (leaves, arrives, length) in enumerate(spans):
            lengths[-1] += length
            if k + 1 == len(placed) - 1:
                break
            wheel = placed[k + 1]
            if wheel.axis is not None:
                wraps = getattr(self.parts[k + 1], "wraps", 0)
                arc = wheel.radius * wrap_angle(arrives, spans[k + 1][0], wheel.turn, wraps)
                lengths[-1] += 0.5 * arc if holds[k + 1] else arc
                if holds[k + 1]:
                    lengths.append(0.5 * arc)
            elif holds[k + 1]:
                lengths.append(0.0)
            del leaves
        return lengths

    def _floor(self, of: list[int]) -> float:
        masses = [self.bodies.mass[i] for i in of if self.bodies.dynamic[i]]
        return RIGID / min(masses) if masses else RIGID

    def _twist_floor(self, of: list[int]) -> float:
        ends = [self.bodies.inertia[i] for i in (of[0], of[-1]) if self.bodies.dynamic[i]]
        return RIGID / min(float(np.min(moments)) for moments in ends) if ends else RIGID

    def _add_ends(self, of, placed, spans):  # type: ignore[no-untyped-def]
        """Tangent and section vector of both ends in their bodies; at the start the rope is not twisted."""
        tangents = [(b.at(span[1]) - a.at(span[0])) / span[2] for (a, b), span in zip(pairwise(placed), spans)]
        section = direction_across(tangents[0])
        carried = section
        for k, (p, q) in enumerate(pairwise(tangents)):
            wheel = placed[k + 1]
            if wheel.axis is not None:
                angle = spans[k][1] + 0.5 * wheel.turn * wrap_angle(spans[k][1], spans[k + 1][0], wheel.turn, 0)
                middle = wheel.turn * np.cross(wheel.axis, (wheel.at(angle) - wheel.centre) / wheel.radius)
                carried = carry(carry(carried, p, middle), middle, q)
            else:
                carried = carry(carried, p, q)
        first, last = (frames.conjugate(self.bodies.start_quat[i]) for i in (of[0], of[-1]))
        self.table.ends.append([
            *frames.rotate(first, tangents[0]), *frames.rotate(first, section),
            *frames.rotate(last, tangents[-1]), *frames.rotate(last, carried),
        ])  # fmt: skip

    def _add_part(self, part, i, wheel, block, transfer, k, spans):  # type: ignore[no-untyped-def]
        bodies, table = self.bodies, self.table
        back = frames.conjugate(bodies.start_quat[i])
        arm = frames.rotate(back, wheel.centre - bodies.start_pos[i])
        if bodies.rotor[i] == POINT and bodies.dynamic[i]:
            arm = np.zeros(3)
        kind = DRUM if isinstance(part, Winch) else WHEEL if wheel.axis is not None else POINT_PART
        axis = frames.rotate(back, wheel.axis) if wheel.axis is not None else np.zeros(3)
        first = frames.rotate(back, wheel.first) if wheel.first is not None else np.zeros(3)
        arrives = spans[k - 1][1] if k > 0 else 0.0
        leaves = spans[k][0] if k < len(spans) else 0.0
        middle = plain = 0.0
        if kind == WHEEL:
            wrap = wrap_angle(arrives, leaves, wheel.turn, getattr(part, "wraps", 0))
            leaves = arrives + wheel.turn * wrap
            middle = 0.5 * (arrives + leaves)
            plain = middle - wheel.turn * math.pi * getattr(part, "wraps", 0)
        elif kind == DRUM:
            # what lies on the drum at the start is counted as stored
            middle = arrives if k > 0 else leaves
            arrives, leaves = middle, middle
        wrap, on = -1, [0.0, 0.0, 0.0]
        if isinstance(part, Sheave) and not part.groove:
            half = 0.5 * wheel.turn * wheel.radius * (leaves - arrives)
            on = [half, half, wheel.turn * (leaves - arrives)]
            wrap = len(table.wrap_state)
            table.wrap_int.append([1, -1, 0])
            table.wrap_state.append([
                *arm, *axis, *first, wheel.radius, -math.inf, math.inf, wheel.turn, 0.0, arrives, 0.0, leaves, 0.0, middle, math.nan,
                0.0,
            ])  # fmt: skip
        table.part_int.append([kind, i, block, wheel.turn, transfer, wrap])
        table.part_frame.append([*arm, *axis, *first, wheel.radius if wrap < 0 else 0.0, middle, plain])
        table.part_angle.append([arrives, leaves])
        second = np.cross(wheel.axis, wheel.first) if wheel.axis is not None else np.zeros(3)
        zero = np.zeros(3)
        table.part_place.append([
            *wheel.centre, *(zero if wheel.axis is None else wheel.axis), *(zero if wheel.first is None else wheel.first),
            *second, *wheel.at(arrives), *wheel.at(leaves), spans[k][2] if k < len(spans) else 0.0, 0.0, *on,
        ])  # fmt: skip
        table.part_names.append(part.name or f"{self.name} part {k}")

    def _light(self) -> float:
        """Mass that flows along over parts without inertia [kg]."""
        bodies = self.bodies
        on = {bodies.index[part.on] for part in self.parts} | {obstacle.body for obstacle in self.obstacles}
        masses = [float(bodies.mass[i]) for i in on if bodies.dynamic[i]]
        return max(LIGHT, LIGHT_PART * min(masses, default=0.0))

    def _add_slots(self, touched: list[int], rough: bool, laid: float) -> None:
        """Room for wraps on every obstacle: parts that are not on the path yet, each with its own transfer if rough."""
        table, bodies = self.table, self.bodies
        for obstacle in self.obstacles:
            first = len(table.part_int)
            for _ in range(obstacle.room):
                transfer = len(table.transfer_int) if rough else -1
                if rough:
                    table.transfer_int.append([len(table.part_int), -1, -1, -1])
                    # rope that runs over it takes the mass of its spans along, where it has any
                    heavy = self.cable.line_mass() * laid if self.cable.model == "layered" else 0.0
                    table.transfer_law.append([self._light() + heavy, 0.0, 0.0, obstacle.friction, 0.0])
                block = touched.index(obstacle.body)
                table.part_int.append([WHEEL, obstacle.body, block, 1, transfer, len(table.wrap_state)])
                table.part_frame.append([0.0] * 12)
                table.part_angle.append([0.0, 0.0])
                table.part_place.append([0.0] * 23)
                table.part_names.append(f"{self.name} on {bodies.names[obstacle.body]}")
                table.wrap_int.append([0, -1, 0])
                table.wrap_state.append([0.0] * U_COLUMNS)
            edges, planes = len(table.hull_edge), len(table.hull_plane)
            table.hull_edge += obstacle.edges.tolist()
            table.hull_plane += obstacle.planes.tolist()
            table.obstacle_int.append([
                self.r, obstacle.body, obstacle.kind, first, len(table.part_int), edges, len(table.hull_edge), planes,
                len(table.hull_plane),
            ])  # fmt: skip
            table.obstacle_frame.append([
                *obstacle.centre, *obstacle.quat, *obstacle.size, 0.5 * self.cable.thickness(),
            ])  # fmt: skip
            table.obstacle_names.append((self.name, bodies.names[obstacle.body]))
        if self.obstacles:
            table.rope_pair += self._pairs(touched)

    def _pairs(self, touched: list[int]) -> list[int]:
        """Pair block of any two bodies of the rope, those of the lower block first: a span may come to lie between them."""
        node, table, count = self.bodies.node, self.table, len(touched)
        found = [-1] * count**2
        for a in range(count):
            for b in range(a + 1, count):
                if node[touched[a]] >= 0 and node[touched[b]] >= 0:
                    found[a * count + b] = found[b * count + a] = self.first_pair + len(table.pairs)
                    table.pairs.append((int(node[touched[a]]), int(node[touched[b]])))
        return found

    def _add_transfer(self, part, k, before, after):  # type: ignore[no-untyped-def]
        table = self.table
        mass, loss, lost, friction = self._light(), 0.0, 0.0, -1.0
        if part.inertia > 0.0:
            mass = max(mass, part.inertia / part.radius**2)
        winch = -1
        slip = 0.0
        if isinstance(part, Winch | Traction):
            winch = len(table.winch_int)
            self._add_winch(part, len(table.transfer_int))
            friction = part.friction if isinstance(part, Traction) else -1.0
            slip = part.most_speed / part.stall if isinstance(part, Winch) and part.stall else 0.0
        else:
            loss, lost = part.bearing_loss, 1.0 - part.efficiency + part.bending_loss
            if part.friction is not None:
                friction = part.friction
            if part.fixed:
                mass, loss, lost = self._light(), 0.0, 0.0
        table.transfer_int.append([self.first + k, before, after, winch])
        table.transfer_law.append([mass, loss, lost, friction, slip])

    def _add_winch(self, part: Winch | Traction, transfer: int) -> None:
        table, controls = self.table, self.controls
        drum = part if isinstance(part, Winch) else Winch(axis=part.axis, radius=part.radius)
        name = part.name or self.name
        if name in table.winch_names:
            name = f"{name}_{len(table.winch_names)}"
        start = len(table.winch_curve)
        if part.curve:
            table.winch_curve += [[point.speed, point.force] for point in part.curve]
        else:
            table.winch_curve.append([0.0, math.inf if part.force is None else part.force])
        end = len(table.winch_curve)
        if drum.mode == "position":
            asked = controls.add(f"{name}.position", "m", -1.0 if drum.position is None else drum.position)
        else:
            asked = controls.add(f"{name}.speed", "m/s", part.speed, part.acceleration)
        moment, index = drum.load_moment, self.bodies.index
        if moment is not None:
            table.winch_curve += [
                [point.radius, point.load * float(np.linalg.norm(self.gravity))] for point in moment.table
            ]
        table.winch_int.append([
            transfer, self.r, asked, controls.add(f"{name}.emergency", "-", 0.0), controls.add(f"{name}.brake_fault", "-", 0.0),
            start, end, int(drum.mode == "position"), -1 if drum.two_block is None else index[drum.two_block.block], end,
            len(table.winch_curve), -1 if moment is None else index[moment.block], -1 if moment is None else index[moment.on], -1,
        ])  # fmt: skip
        table.winch_law.append([
            part.most_speed, math.inf if part.brake is None else part.brake, part.brake_delay,
            # with no limit of its own it stops a radius before its end: the rope cannot be laid any shorter
            (part.radius if drum.upper_limit is None else drum.upper_limit) if isinstance(part, Winch) else -math.inf,
            math.inf if drum.lower_limit is None else drum.lower_limit,
            math.inf if drum.overload is None else drum.overload, float(drum.slack_stop), part.acceleration,
            part.radius, drum.layer_rise, drum.layer_turns, 0.0 if drum.stored is None else drum.stored,
            0.0 if drum.two_block is None else drum.two_block.clearance, 1.0 if moment is None else moment.warning,
            *self._arm(moment), drum.pitch, 0.0,
        ])  # fmt: skip
        table.winch_names.append(name)
        table.winch_specs.append(part)
        table.winch_guards.append((drum.guard, ("cables", self.name, "route", self.written[self.k], "guard")))

    def _arm(self, moment: LoadMoment | None) -> np.ndarray:
        """Point from which the radius of a load is measured, in principal axes of its body."""
        if moment is None:
            return np.zeros(3)
        i = self.bodies.index[moment.on]
        point = self._point(moment, i) - self.bodies.start_pos[i]
        return frames.rotate(frames.conjugate(self.bodies.start_quat[i]), point)

    def _weigh(self, holds: list[bool]) -> None:
        """Energy of its weight at the start."""
        table, parts = self.table, slice(self.first, self.first + len(self.parts))
        length, moment = runs_of(
            table.part_int[parts],
            table.part_frame[parts],
            table.part_angle[parts],
            table.part_place[parts],
            table.wrap_state,
        )
        segment = np.cumsum([0, *holds[1:-1]])
        path, total = np.bincount(segment, length), np.bincount(segment, -moment @ self.gravity)
        segments = table.integers[self.r][P_SEGMENT]
        out = np.array(table.lengths[segments : segments + len(path)])
        table.weight_energy += self.cable.line_mass() * float((out * total / path).sum())

    def _add_span(self, a: int, b: int, k: int) -> None:
        node, table = self.bodies.node, self.table
        pair = -1
        if a != b and node[a] >= 0 and node[b] >= 0:
            pair = self.first_pair + len(table.pairs)
            table.pairs.append((int(node[a]), int(node[b])))
        table.spans.append([self.first + k, pair])

    def _hang(self, laid, placed, spans, segments, twist, slots):  # type: ignore[no-untyped-def]
        """Spans with their waves at rest, and lengths and tensions that go with them; and room for spans that wraps will make."""
        table, cable, density = self.table, self.cable, self.cable.line_mass()
        ends = [(a.at(span[0]), b.at(span[1])) for (a, b), span in zip(pairwise(placed), spans)]
        first, rows = len(table.wave_span), segments + twist
        explicit = cable.scheme == "explicit"
        warped = float(cable.prewarp and not explicit)
        ends_at = first + len(spans) + slots
        table.wave_law.append([density, cable.wave_damping, warped, first, ends_at, float(explicit)])
        segment_of = [
            int(row) for row in np.cumsum([0] + [part[N_TRANSFER] >= 0 for part in table.part_int[self.first + 1 :]])
        ]
        factor = 1.0 if cable.length is None else cable.length / sum(laid)
        if 1.0 / factor - 1.0 > 0.2:
            self.problem(
                f"the rope is {cable.length:.4g} m long, but its path takes {sum(laid):.4g} m: {100 / factor - 100:.1f} % of stretch",
                "length", value=f"{cable.length:g}",
            )  # fmt: skip
            return
        out, bent = 0.0, 0.0
        for n, path in enumerate(laid):
            mine = [k for k in range(len(spans)) if segment_of[k] == n]
            chords = [ends[k][1] - ends[k][0] for k in mine]
            arcs = path - sum(float(np.linalg.norm(chord)) for chord in chords)
            run = Segment(chords, arcs, density, cable.stiffness(), cable.modes, self.gravity)
            try:
                hanging = run.of_length(path * factor) if cable.tension is None else run.under(cable.tension)
            except ValueError as least:
                self.problem(
                    f"the rope is too heavy to hang between its parts with so little tension: expected more than {least} N",
                    "tension", value=f"{cable.tension:g}",
                )  # fmt: skip
                return
            if explicit and (reason := refusal(run, hanging, self.dt)):
                self.problem(reason, "scheme", value="explicit")
                return
            table.lengths.append(hanging.unstretched)
            table.tensions.append(hanging.tension if cable.attached else 0.0)
            table.stored += 0.5 * table.tensions[-1] ** 2 * hanging.unstretched / cable.stiffness()
            out += hanging.unstretched
            bent += hanging.unstretched * (1.0 + hanging.tension / cable.stiffness())
            for k, mass, modes in zip(mine, hanging.masses, hanging.modes):
                u, across = frame_of(ends[k][1] - ends[k][0], self.gravity)
                pair = -1 if self.obstacles else table.spans[len(table.spans) - len(spans) + k][1]
                table.wave_span.append([self.r, len(table.wave_mode), cable.modes, rows + k, pair])
                table.wave_mode += modes.tolist()
                table.wave_frame.append([*u, *across])
                middle = 0.5 * (ends[k][0] + ends[k][1])
                weight = (1.0 - (-1.0) ** np.arange(1, cable.modes + 1)) / (math.pi * np.arange(1, cable.modes + 1))
                shift = weight @ modes[:, :2] @ np.array([across, np.cross(u, across)])
                arc = hanging.arc_of(modes, float(np.linalg.norm(ends[k][1] - ends[k][0])))
                pull = hanging.tension * float(np.linalg.norm(ends[k][1] - ends[k][0])) / arc * u
                where = self.first + k, self.row + n
                table.span_work.append(
                    start_of_span(ends[k], u, across, mass, arc, where, pull, 0.5 * mass * self.gravity)
                )
                table.wave_potential -= mass * float(self.gravity @ (middle + shift))
        for k in range(slots):
            table.wave_span.append([self.r, len(table.wave_mode), cable.modes, rows + len(spans) + k, -1])
            table.wave_mode += [[0.0] * 4] * cable.modes
            table.wave_frame.append([1.0, 0.0, 0.0, 0.0, 1.0, 0.0])
            table.span_work.append([0.0] * C_COLUMNS)
        table.laws[self.r][P_PATH] = bent
        table.lengths += [0.0] * (segments - len(laid))
        table.tensions += [0.0] * (rows - len(laid) + len(spans) + slots)
        self._count_stored(out)

    def _set_lengths(self, laid: list[float], softness: float, segments: int) -> None:
        """Unstretched lengths from the path: as laid, by the tension given, or by the length given."""
        total = sum(laid)
        factor = 1.0
        if self.cable.tension is not None:
            factor = 1.0 / (1.0 + self.cable.tension * softness)
        elif self.cable.length is not None:
            factor = self.cable.length / total
            strain = 1.0 / factor - 1.0 if self.cable.attached else 0.0
            if not self.obstacles and (strain > 0.2 or (softness == 0.0 and strain > 1e-9)):
                needed = f" (a tension of {strain / softness:.3g} N)" if softness > 0.0 else ""
                self.problem(
                    f"the rope is {self.cable.length:.4g} m long, but its path takes {total:.4g} m: "
                    f"{100 * strain:.1f} % of stretch{needed}", "length", value=f"{self.cable.length:g}",
                )  # fmt: skip
        spare = [0.0] * (segments - len(laid))  # runs that wraps will make
        self.table.lengths += [length * factor for length in laid] + spare
        stretched = self.cable.attached and softness > 0.0 and factor < 1.0
        pull = (1.0 / factor - 1.0) / softness if stretched else 0.0
        self.table.tensions += [pull] * len(laid) + spare + [0.0] * int(self.cable.torsion()[0] is not None)
        self.table.stored += 0.5 * pull * pull * softness * total * factor
        self._count_stored(total * factor)

    def _count_stored(self, out: float) -> None:
        """Drums with a given store of rope have that and what is out; what is out is also where they stay or go from."""
        table = self.table
        for row, rope in zip(table.winch_law, table.winch_int):
            if rope[V_ROPE] != self.r:
                continue
            if row[V_TOTAL] > 0.0:
                row[V_TOTAL] += out
                row[V_MOST_OUT] = min(row[V_MOST_OUT], row[V_TOTAL])
            if rope[V_TO_POSITION] and self.controls.start[rope[V_SPEED]] < 0.0:
                self.controls.start[rope[V_SPEED]] = out
            row[V_SHIFT_START] = float(drum_shift.py_func(np.array([row]), 0, row[V_TOTAL] - out))
            start = [0.0] * 14
            start[V_OUT], start[V_GAP] = out, self._clearance(rope[V_BLOCK])
            table.winch_start.append(start)

    def _clearance(self, block: int) -> float:
        """Shortest straight run of the rope at a body [m]."""
        route = slice(self.first, self.first + len(self.parts))
        parts, places = self.table.part_int[route], self.table.part_place[route]
        runs = [
            place[W_LENGTH]
            for (a, b), place in zip(pairwise(parts), places)
            if (a[N_BODY] == block) != (b[N_BODY] == block)
        ]
        return min(runs, default=0.0)
