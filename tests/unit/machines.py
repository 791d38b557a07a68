"""Random mechanisms: bodies on joints, ropes, motors, limits, springs, and a smooth floor to fall on."""

from __future__ import annotations

import numpy as np

from taut.scene import (
    AngularLimits,
    AngularMotor,
    Ball,
    Body,
    Box,
    Distance,
    Hinge,
    LinearLimits,
    LinearMotor,
    Lock,
    Material,
    Plane,
    PointOnLine,
    Scene,
    Slider,
    SolverSettings,
    Sphere,
)


def random_machine(seed: int, floor: bool = True, friction: float = 0.0, **solver) -> Scene:
    """Three to eight bodies in a row of joints of every kind, some with motors, limits, ropes or springs."""
    rng = np.random.default_rng(seed)
    bodies, joints = {}, {}
    if floor:
        bodies["floor"] = Body(kind="static", shape=Plane(), material="ice")
    places: dict[str, np.ndarray | None] = {"world": None}
    for k in range(int(rng.integers(3, 9))):
        shape = (
            Box(size=tuple(rng.uniform(0.1, 0.4, 3)))
            if rng.random() < 0.5
            else Sphere(radius=float(rng.uniform(0.1, 0.25)))
        )
        place = np.array([0.8 * k, rng.uniform(-0.2, 0.2), rng.uniform(0.3, 1.2)])
        name = f"b{k}"
        bodies[name] = Body(
            shape=shape, mass=float(10.0 ** rng.uniform(-1, 2)), position=tuple(place), velocity=tuple(rng.normal(size=3)),
            spin=tuple(rng.normal(size=3)), material="ice",
        )  # fmt: skip
        other = list(places)[int(rng.integers(len(places)))]
        joints[f"j{k}"] = _joint(rng, other, name, place, places[other])
        places[name] = place
    return Scene(
        bodies=bodies, joints=joints, materials={"ice": Material(friction=friction)}, solver=SolverSettings(**solver)
    )


def _joint(rng, a, b, place, start):
    at = tuple(place + rng.uniform(-0.3, 0.3, 3))
    axis = tuple(rng.normal(size=3))
    limit = float(10.0 ** rng.uniform(0, 2))
    stiffness = None if rng.random() < 0.6 else float(10.0 ** rng.uniform(2, 6))
    kind = rng.integers(7)
    if kind == 0:
        return Ball(a=a, b=b, at=at, stiffness=stiffness)
    if kind == 1:
        motor = AngularMotor(target=float(rng.normal()), force_limit=limit)
        return Hinge(a=a, b=b, at=at, axis=axis, motor=motor, limits=AngularLimits(lower=-0.2, upper=0.3))
    if kind == 2:
        motor = LinearMotor(target=float(rng.normal()), force_limit=limit)
        return Slider(a=a, b=b, at=at, axis=axis, motor=motor, limits=LinearLimits(lower=-0.05, upper=0.1))
    if kind == 3:
        return Lock(a=a, b=b, at=at, stiffness=stiffness)
    if kind == 4:
        return PointOnLine(a=a, b=b, at=at, axis=axis)
    start = place + rng.uniform(-0.5, 0.5, 3) + [0, 0, 0.5] if start is None else start
    point = {"point_a": tuple(start)} if a == "world" else {}
    rope, between = bool(rng.random() < 0.7), float(np.linalg.norm(place - start))
    # a rigid one must fit as it stands, a rope may be slack
    length = between * float(rng.uniform(1.0, 1.15)) if rope else None
    motor = LinearMotor(target=float(rng.normal(scale=0.3)), force_limit=limit) if kind == 5 else None
    return Distance(a=a, b=b, length=length, rope=rope, stiffness=stiffness, motor=motor, **point)
