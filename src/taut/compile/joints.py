"""Joints of a scene as row groups: the joint itself, then a motor row and a limit row where it has them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from taut.compile import frames
from taut.compile.bodies import BodyTable
from taut.compile.controls import Controls
from taut.core.codes import (
    ABOUT_AXIS,
    ALONG_LENGTH,
    ALONG_LINE,
    AXIS_LIMIT,
    AXIS_MOTOR,
    AXIS_SERVO,
    BALL,
    BY_RATE,
    BY_TARGET,
    BY_TRAVEL,
    DISTANCE,
    GROUP_DIM,
    HINGE,
    LOCK,
    PAPER_SEGMENT,
    POINT,
    POINT_ON_LINE,
    SEGMENT,
    SLIDER,
)
from taut.scene import Ball, Distance, Hinge, Joint, Lock, PointOnLine, Scene, Slider
from taut.scene.grips import Grip
from taut.scene.segments import SegmentJoint

#: Sigma of a rigid row, relative to the inverse mass it feels: far below what a user can see, enough to keep redundant
#: rows solvable
RIGID = 1.0e-12

#: force [N] or torque [N m] of a motor without limit that can meet an end stop, per kilogram of all that moves
STRONGEST = 1.0e4

_GRIP = {"pose": LOCK, "ball": BALL, "slide": POINT_ON_LINE}
_KIND = {Ball: BALL, Hinge: HINGE, Slider: SLIDER, Lock: LOCK, Distance: DISTANCE, PointOnLine: POINT_ON_LINE}
#: which rows of a group hold points together; the others hold directions
LINEAR_ROWS = {BALL: 3, HINGE: 3, SLIDER: 2, LOCK: 3, DISTANCE: 1, POINT_ON_LINE: 2, SEGMENT: 3, PAPER_SEGMENT: 3}


@dataclass
class Group:
    """One row group before it becomes array entries."""

    joint: str
    kind: int
    along: int = ALONG_LENGTH
    rest: float = 0.0
    low: float = -math.inf
    high: float = math.inf
    drive: int = -1
    drive_mode: int = BY_RATE
    compliance: list[float] = field(default_factory=lambda: [0.0] * 6)
    set: int = 0
    far: bool = False  # its two points are apart: the bodies may touch
    laid: bool = False  # of a segmented cable: it may be bent and stretched at the start


@dataclass(frozen=True)
class JointTable:
    """Names of the joints and the row groups they became."""

    names: tuple[str, ...]
    specs: tuple[Joint, ...]
    groups: tuple[Group, ...]
    first: dict[str, int]  # main group of each joint
    motor: dict[str, int]  # group that its motor acts through
    limit: dict[str, int]
    pairs: tuple[tuple[int, int], ...]  # nodes joined by a distance row
    integers: np.ndarray  # columns J_KIND ..., shape (g, 8)
    frames: np.ndarray  # columns J_ARM_A ..., shape (g, 14)
    rows: np.ndarray  # columns J_COMPLIANCE ..., shape (g, 18)
    values: np.ndarray  # columns J_REST ..., shape (g, 3)

    @property
    def segmented(self) -> bool:
        """Whether there are joints of segmented cables."""
        return any(group.kind in (SEGMENT, PAPER_SEGMENT) for group in self.groups)


def _segment_group(name: str, spec: SegmentJoint) -> Group:
    """Rows of a joint of a segmented cable: paper 1 has one for the bend, ours two."""
    stretch, bend, across, twist = spec.compliance
    if spec.scheme == "point":
        return Group(name, BALL, compliance=[stretch] * 3 + [0.0] * 3, laid=True)
    if spec.scheme == "standard":
        return Group(name, SEGMENT, compliance=[stretch] * 3 + [bend, across, twist], laid=True)
    alternative = int(spec.scheme == "paper_alternative")
    return Group(name, PAPER_SEGMENT, along=alternative, compliance=[stretch] * 3 + [bend, twist, 0.0], laid=True)


def _groups_of(name: str, spec: Joint, length: float, controls: Controls, strongest: float) -> list[Group]:
    if isinstance(spec, SegmentJoint):
        return [_segment_group(name, spec)]
    if isinstance(spec, Grip):
        return [Group(name, _GRIP[spec.kind])]
    main = Group(name, _KIND[type(spec)])
    groups = [main]
    linear = 0.0 if spec.stiffness is None else 1.0 / spec.stiffness
    turning = getattr(spec, "angular_stiffness", None)
    angular = 0.0 if turning is None else 1.0 / turning
    held = LINEAR_ROWS[main.kind]
    main.compliance = [linear] * held + [angular] * (6 - held)
    if isinstance(spec, Distance):
        main.rest = length
        main.far = True
        if spec.rope:
            main.high = 0.0
    motor = getattr(spec, "motor", None)
    limits = getattr(spec, "limits", None)
    along = ALONG_LENGTH if isinstance(spec, Distance) else ALONG_LINE if isinstance(spec, Slider) else ABOUT_AXIS
    if motor is not None:
        groups = _add_motor(name, spec, motor, along, length, groups, controls, strongest)
    if limits is not None:
        low = -math.inf if limits.lower is None else limits.lower
        high = math.inf if limits.upper is None else limits.upper
        groups.append(Group(name, AXIS_LIMIT, along=along, low=low, high=high))
    return groups


def _add_motor(name, spec, motor, along, length, groups, controls, strongest):  # type: ignore[no-untyped-def]
    """Speed: a velocity row with force limits, or for an unlimited distance a length that grows. Position: a driven
    position row."""
    limit = math.inf if motor.force_limit is None else motor.force_limit
    if math.isinf(limit) and spec.limits is not None:
        limit = strongest  # something has to give way where an unlimited motor meets an end stop
    unit = "rad" if along == ABOUT_AXIS else "m"
    rate = math.inf if motor.acceleration is None else motor.acceleration
    compliance = 0.0 if motor.stiffness is None else 1.0 / motor.stiffness
    main = groups[0]
    if motor.mode == "speed":
        drive = controls.add(f"{name}.speed", f"{unit}/s", motor.target, rate)
        if along == ALONG_LENGTH and math.isinf(limit):
            main.drive, main.drive_mode = drive, BY_TRAVEL
            return groups
        row = Group(name, AXIS_MOTOR, along=along, low=-limit, high=limit, drive=drive, drive_mode=BY_RATE)
    else:
        # the ramp of a position target is its largest speed of change; acceleration limits do not apply to it
        drive = controls.add(f"{name}.position", unit, motor.target, math.inf)
        if along == ALONG_LENGTH and math.isinf(limit) and motor.stiffness is None:
            main.rest, main.drive, main.drive_mode = 0.0, drive, BY_TARGET
            return groups
        row = Group(name, AXIS_SERVO, along=along, low=-limit, high=limit, drive=drive, drive_mode=BY_TARGET)
        row.compliance = [compliance] * 6
    if along == ALONG_LENGTH:
        # the motor row holds the length in place of the distance row
        row.high = min(row.high, main.high)
        row.far = True
        return [row]
    return [*groups, row]


def compile_joints(
    scene: Scene, bodies: BodyTable, controls: Controls, grips: Mapping[str, Grip] | None = None
) -> JointTable:
    """All row groups of all joints, those made while running (`grips`) last."""
    specs: dict[str, Any] = {**scene.all_joints(), **(grips or {})}
    runs = [chain.joint_names(name) for name, chain in scene.chains.items()]
    runs += [strand.joint_names() for strand in scene.strands().values()]
    chain_of = {joint: k for k, names in enumerate(runs) for joint in names}
    views = _SpecView(bodies)
    groups: list[Group] = []
    first: dict[str, int] = {}
    motor: dict[str, int] = {}
    limit: dict[str, int] = {}
    strongest = STRONGEST * float(bodies.mass[bodies.dynamic == 1].sum())
    for k, (name, spec) in enumerate(specs.items()):
        length = spec.start_length(views) if isinstance(spec, Distance) else 0.0
        first[name] = len(groups)
        for group in _groups_of(name, spec, length, controls, strongest):
            # a chain is solved as one by the block Gauss-Seidel solver, every other joint by itself
            group.set = chain_of.get(name, len(runs) + k)
            if group.drive >= 0:
                motor[name] = len(groups)
            if group.kind == AXIS_LIMIT:
                limit[name] = len(groups)
            groups.append(group)
    pairs, *tables = _fill(groups, specs, bodies)
    return JointTable(tuple(specs), tuple(specs.values()), tuple(groups), first, motor, limit, pairs, *tables)


class _SpecView(dict):
    """Body specs by name, without expanding the chains again."""

    def __init__(self, bodies: BodyTable) -> None:
        super().__init__(zip(bodies.names[:-1], bodies.specs[:-1]))


def _fill(groups: list[Group], specs: dict[str, Joint], bodies: BodyTable):  # type: ignore[no-untyped-def]
    n = len(groups)
    integers, located, rows, values = np.zeros((n, 8), np.int64), np.zeros((n, 14)), np.zeros((n, 18)), np.zeros((n, 3))
    pairs: list[tuple[int, int]] = []
    views = _SpecView(bodies)
    for g, group in enumerate(groups):
        spec = specs[group.joint]
        a, b = bodies.index[spec.a], bodies.index[spec.b]
        if isinstance(spec, Grip):
            point_a, point_b, frame = np.zeros(3), np.zeros(3), frames.IDENTITY
        elif isinstance(spec, Distance | SegmentJoint):
            point_a, point_b = (np.asarray(p) for p in spec.anchors(views))
            frame = frames.IDENTITY
        else:
            point_a = point_b = np.asarray(spec.anchor(views))
            axis = getattr(spec, "axis", None)
            frame = frames.IDENTITY if axis is None else frames.with_axis(np.asarray(axis))
        pair = -1
        if group.kind == DISTANCE and bodies.node[a] >= 0 and bodies.node[b] >= 0:
            pair = len(pairs)
            pairs.append((int(bodies.node[a]), int(bodies.node[b])))
        integers[g] = group.kind, group.along, a, b, group.drive, group.drive_mode, pair, group.set
        on_a, on_b = frame, frame
        if isinstance(spec, SegmentJoint):
            on_a, on_b = np.asarray(spec.frame_a), np.asarray(spec.frame_b)
        arm_a, frame_a = _local(bodies, a, point_a, on_a)
        arm_b, frame_b = _local(bodies, b, point_b, on_b)
        if isinstance(spec, Grip):
            arm_a, frame_a = _inside(bodies, a, spec.point_a, spec.frame_a)
            arm_b, frame_b = _inside(bodies, b, spec.point_b, spec.frame_b)
        located[g] = [*arm_a, *arm_b, *frame_a, *frame_b]
        floor = _floor(group, bodies, a, b, arm_a, arm_b)
        bend = spec.bending_damping_time if isinstance(spec, SegmentJoint) else None
        held = LINEAR_ROWS.get(group.kind, 6)
        damping = [spec.damping_time] * held + [spec.damping_time if bend is None else bend] * (6 - held)
        rows[g] = [*group.compliance, *floor, *damping]
        values[g] = group.rest, group.low, group.high
    return tuple(pairs), integers, located, rows, values


def _local(bodies: BodyTable, i: int, point: np.ndarray, frame: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A world point and frame at the start, in the principal axes of body i."""
    back = frames.conjugate(bodies.start_quat[i])
    arm = frames.rotate(back, point - bodies.start_pos[i])
    if bodies.rotor[i] == POINT and bodies.dynamic[i]:
        arm = np.zeros(3)  # a particle is held at itself
    return arm, frames.multiply(back, frame)


def _inside(bodies: BodyTable, i: int, point: Any, frame: Any) -> tuple[np.ndarray, np.ndarray]:
    """A point and frame in the user's frame of body i, in its principal axes."""
    back = frames.conjugate(bodies.frame[i])
    arm = frames.rotate(back, np.asarray(point, float) - bodies.centre[i])
    if bodies.rotor[i] == POINT and bodies.dynamic[i]:
        arm = np.zeros(3)
    return arm, frames.multiply(back, np.asarray(frame, float))


def _floor(group: Group, bodies: BodyTable, a: int, b: int, arm_a: np.ndarray, arm_b: np.ndarray) -> list[float]:
    """RIGID times the inverse mass that each row feels."""
    linear = angular = 0.0
    for body, arm in ((a, arm_a), (b, arm_b)):
        if bodies.dynamic[body]:
            inertia = bodies.inertia[body]
            linear += 1.0 / bodies.mass[body] + float(arm @ arm) / float(np.max(inertia))
            angular += 1.0 / float(np.median(inertia))
    held = LINEAR_ROWS.get(group.kind, 0 if group.along == ABOUT_AXIS else 1)
    dim = GROUP_DIM[group.kind]
    return [RIGID * (linear if r < held else angular) if r < dim else 0.0 for r in range(6)]
