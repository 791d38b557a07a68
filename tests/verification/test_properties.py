"""Properties that every mechanism has, on mechanisms drawn at random: what is kept, what is exclusive, what makes no difference."""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import taut
from taut.compile import frames

FEW = settings(max_examples=8, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
H = 1.0 / 60.0
unit = st.floats(-1.0, 1.0, allow_nan=False, width=32)
vector = st.tuples(unit, unit, unit)
#: masses over four decades
mass = st.floats(-1.0, 3.0, width=32).map(lambda exponent: 10.0**exponent)
links = st.lists(st.tuples(mass, vector, vector), min_size=2, max_size=7)


def chain(parts, gravity, **solver) -> taut.Scene:
    """Boxes in a row on ball joints between them, each with a velocity and a spin of its own."""
    bodies, joints = {}, {}
    for k, (weight, velocity, spin) in enumerate(parts):
        bodies[f"b{k}"] = taut.Body(
            shape=taut.Box(size=(0.8, 0.3, 0.2)), mass=weight, position=(float(k), 0, 0), velocity=velocity, spin=spin, collide=False,
        )  # fmt: skip
        if k:
            joints[f"j{k}"] = taut.Ball(a=f"b{k - 1}", b=f"b{k}", at=(k - 0.5, 0, 0))
    return taut.Scene(gravity=gravity, bodies=bodies, joints=joints, solver=taut.SolverSettings(**solver))


def scale_of(sim) -> float:
    """Sum of |m v| over the bodies [kg m/s]."""
    table = sim.compiled.bodies
    nodes = table.node_body
    return float((table.mass[nodes] * np.linalg.norm(sim.state.body_vel[nodes, :3], axis=1)).sum())


@FEW
@given(links)
def test_linear_momentum_is_kept_to_round_off(parts) -> None:
    sim = taut.Simulation(chain(parts, 0))
    before, most = sim.read("momentum.linear"), scale_of(sim)
    for _ in range(30):
        sim.run(2)
        most = max(most, scale_of(sim))
    # each step adds and takes impulses of the size of the momenta: 60 steps, 2e-16 each, some tens of sums
    assert np.linalg.norm(sim.read("momentum.linear") - before) <= 1e-12 * most + 1e-15


@FEW
@given(links)
def test_angular_momentum_is_kept_to_its_bound(parts) -> None:
    """|dL| of a step is at most sum of h^2 |F| |r| |w+ - w| over the ends of joints (geometric stiffness), and phi x F h of joints
    that stand open by phi."""
    sim = taut.Simulation(chain(parts, 0))
    sim.run(1)  # velocities that joints do not allow are taken away in the first step, as by an impact
    start, allowed, size = sim.read("momentum.angular"), 0.0, 0.0
    count = len(parts)
    for _ in range(60):
        spin = sim.state.body_vel[:count, 3:].copy()
        opening = sim.read("residual.constraint")
        sim.run(1)
        force = np.linalg.norm(sim.state.row_lam.reshape(-1, 3), axis=1) / H
        turned = np.linalg.norm(sim.state.body_vel[:count, 3:] - spin, axis=1)
        ends = np.concatenate([[0.0], force, [0.0]])
        allowed += float((H * H * 0.5 * (ends[:-1] + ends[1:]) * turned).sum())
        allowed += float(force.sum() * max(opening, sim.read("residual.constraint")) * H)
        size = max(size, scale_of(sim) * count)
    assert np.linalg.norm(sim.read("momentum.angular") - start) <= allowed + 1e-11 * size


@FEW
@given(links)
def test_energy_is_never_made_from_nothing(parts) -> None:
    """What is there is what was there, less what is booked as lost, but for the error of the step: velocities that the joints do not allow are
    lost in the first one, with inertias of its middle, which bodies that turn by w h have half of that turn later."""
    sim = taut.Simulation(chain(parts, 9.81))
    moved, fastest = sim.read("energy.kinetic") + abs(sim.read("energy.dissipated")), 0.0
    for _ in range(60):
        fastest = max(fastest, float(np.linalg.norm(sim.state.body_vel[:, 3:], axis=1).max()))
        sim.run(1)
        moved = max(moved, sim.read("energy.kinetic") + abs(sim.read("energy.dissipated")))
    allowed = 1e-6 * moved + 0.5 * H * fastest * sim.read("energy.dissipated")
    assert abs(sim.read("energy.remainder")) <= allowed


def turned(scene: taut.Scene, axis, angle, shift) -> taut.Scene:
    """The whole scene, gravity and all, turned about the origin and moved."""
    a = np.asarray(axis, float) / np.linalg.norm(axis)
    q = np.array([np.cos(angle / 2), *(np.sin(angle / 2) * a)])
    move = lambda p: tuple(float(x) for x in frames.rotate(q, np.asarray(p, float)) + shift)  # noqa: E731
    turn = lambda v: tuple(float(x) for x in frames.rotate(q, np.asarray(v, float)))  # noqa: E731
    bodies = {
        name: body.model_copy(
            update={
                "position": move(body.position),
                "orientation": tuple(float(x) for x in frames.multiply(q, np.asarray(body.orientation, float))),
                "velocity": turn(body.velocity),
                "spin": turn(body.spin),
            }
        )
        for name, body in scene.bodies.items()
    }
    joints = {name: joint.model_copy(update={"at": move(joint.at)}) for name, joint in scene.joints.items()}
    cables = {
        name: cable.model_copy(
            update={"route": tuple(part.model_copy(update={"at": move(part.at)}) for part in cable.route)}
        )
        for name, cable in scene.cables.items()
    }
    return scene.model_copy(
        update={"bodies": bodies, "joints": joints, "cables": cables, "gravity": turn(scene.gravity)}
    )


def hung(parts, **solver) -> taut.Scene:
    """The chain, hung with its first box on an elastic rope through a ring."""
    scene = chain(parts, 9.81, **solver)
    rope = taut.Cable(
        axial_stiffness=1e5, damping_time=0.02, length=2.3,
        route=(taut.End(at=(0, 0, 2)), taut.Ring(at=(0.1, 0.1, 1)), taut.End(on="b0", at=(0.1, 0, 0.1))),
    )  # fmt: skip
    return scene.model_copy(update={"cables": {"rope": rope}})


def apart(scene, axis, angle, shift, steps: int) -> tuple[float, float]:
    """How far the bodies of a scene that is turned and moved as a whole are from where those of the scene are, turned and moved [m];
    and how far those of a scene are that was moved by NUDGE before, which says what becomes of round-off."""
    a = np.asarray(axis, float) / np.linalg.norm(axis)
    q = np.array([np.cos(angle / 2), *(np.sin(angle / 2) * a)])
    one, two, near = (taut.Simulation(s) for s in (scene, turned(scene, axis, angle, shift), scene))
    count = len(scene.bodies)
    moving = [i for i in range(count) if i in near.compiled.bodies.node_body]
    near.state.body_pos[moving] += NUDGE * np.random.default_rng(1).uniform(-1, 1, (len(moving), 3))
    for sim in (one, two, near):
        sim.run(steps)
    expected = frames.rotate(q, one.state.body_pos[:count]) + shift
    grown = np.abs(near.state.body_pos[:count] - one.state.body_pos[:count]).max()
    return float(np.abs(two.state.body_pos[:count] - expected).max()), float(grown)


#: a displacement that round-off is small beside: coordinates of 10 m are known to 2e-15, a step adds some tens of them [m]
NUDGE = 1e-11
direction = vector.filter(lambda v: np.linalg.norm(v) > 0.1)


@FEW
@given(links, direction, st.floats(-3.0, 3.0, width=32), vector)
def test_nothing_depends_on_where_the_world_is(parts, axis, angle, shift) -> None:
    """Turned and moved as a whole, everything happens turned and moved as a whole, up to what a motion makes of round-off."""
    found, allowed = apart(hung(parts), axis, angle, 10.0 * np.asarray(shift), 45)
    assert found <= allowed + NUDGE


@FEW
@given(direction, st.floats(-3.0, 3.0, width=32), vector)
def test_a_whip_does_not_depend_on_the_axes_of_the_world(axis, angle, shift) -> None:
    """Twelve light links let go from the side with a heavy one at their end: forces turn by radians and jump from step to step."""
    parts = [(1.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))] * 12 + [(50.0, (0.0, 3.0, 0.0), (0.0, 0.0, 0.0))]
    scene = chain(parts, 9.81)
    scene = scene.model_copy(update={"joints": {**scene.joints, "top": taut.Ball(b="b0", at=(-0.5, 0, 0))}})
    found, allowed = apart(scene, axis, angle, 10.0 * np.asarray(shift), 90)
    assert found <= allowed + NUDGE


@FEW
@given(direction, st.floats(-3.0, 3.0, width=32), vector, st.tuples(unit, unit))
def test_contact_does_not_depend_on_the_axes_of_the_world(axis, angle, shift, along) -> None:
    """A box that slides over a plane and a ball that rolls and meets it. Friction is solved to 1e-7 of its limit, mu g h: what is left
    of that may differ in every step."""
    bodies = {
        "ground": taut.Body(kind="static", shape=taut.Plane()),
        "box": taut.Body(shape=taut.Box(size=(0.6, 0.5, 0.4)), mass=20, position=(0, 0, 0.2), velocity=(2 + along[0], along[1], 0)),
        "ball": taut.Body(shape=taut.Sphere(radius=0.2), mass=5, position=(1.5, 0.1, 0.2), velocity=(-1, 0, 0)),
    }  # fmt: skip
    steps = 45
    found, allowed = apart(taut.Scene(bodies=bodies), axis, angle, 10.0 * np.asarray(shift), steps)
    assert found <= allowed + steps * 1e-7 * 9.81 * H * steps * H


#: what the friction of few contacts may miss, of its limit: they are solved to round-off, whatever they do
LEFT = 1e-6


def _contacts_hold(sim) -> None:
    """Each contact by itself: it pushes or does nothing, does nothing while it is apart for longer than this step, and rubs within its cone."""
    table = sim.contacts()
    largest = max((float(np.linalg.norm(force)) for force in table.force), default=0.0)
    for body, gap, normal, force in zip(table.b, table.gap, table.normal, table.force, strict=True):
        push = float(np.dot(force, normal))
        rub = float(np.linalg.norm(force - push * np.asarray(normal)))
        assert push >= -1e-9 * largest
        # friction without a material is 0.5
        assert rub <= 0.5 * push + LEFT * largest
        # the gap is that at the beginning of the step: what is farther than the way of one cannot be touched in it
        if gap > 2.0 * H * (1.0 + sim.read(f"{body}.speed") + 2.0 * np.linalg.norm(sim.read(f"{body}.spin"))):
            assert push == 0.0


@FEW
@given(st.lists(st.tuples(mass, st.floats(0.0, 1.0, width=32)), min_size=1, max_size=4), vector)
def test_what_is_exclusive_excludes_itself(loads, push) -> None:
    """A rope that is slack does not pull, one that pulls is not slack; contacts push or are apart; friction stays in its cone."""
    bodies = {"ground": taut.Body(kind="static", shape=taut.Plane())}
    cables = {}
    for k, (weight, slack) in enumerate(loads):
        place = (2.0 * k, 0.0, 0.5 + slack)
        bodies[f"b{k}"] = taut.Body(shape=taut.Box(size=(0.6, 0.6, 1.0)), mass=weight, position=place)
        cables[f"r{k}"] = taut.Cable(
            axial_stiffness=1e5 * weight, damping_time=0.02, length=3.0 + (slack - 0.5),
            route=(taut.End(at=(2.0 * k, 0, 4)), taut.End(on=f"b{k}", at=(2.0 * k, 0, 1.0 + slack))),
        )  # fmt: skip
    sim = taut.Simulation(taut.Scene(bodies=bodies, cables=cables, materials={}))
    for k, (weight, _) in enumerate(loads):
        sim.push(f"b{k}", 5.0 * weight * np.asarray(push))
    for _ in range(90):
        sim.run(1)
        for k in range(len(loads)):
            tension = sim.read(f"r{k}.tension")
            gap = sim.read(f"r{k}.rope_out") - sim.read(f"r{k}.path")
            assert tension >= 0.0
            # the path is that at the beginning of the step: a rope slack by more than a step's way cannot pull
            if gap > 2.0 * H * (1.0 + sim.read(f"b{k}.speed")):
                assert tension == 0.0
        assert sim.read("contact.force") >= 0.0 and sim.read("residual.cone") < LEFT
        if sim.read("contact.count") == 0:
            assert sim.read("contact.force") == 0.0
        _contacts_hold(sim)


@FEW
@given(st.integers(1, 90), st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=3, max_size=3))
def test_a_snapshot_goes_on_to_the_bit(steps, speeds) -> None:
    sim = taut.Simulation("gantry")
    for name, speed in zip(("left.speed", "right.speed", "travel.speed"), speeds, strict=True):
        sim.controls[name] = speed
    sim.run(steps)
    there = sim.snapshot()
    found = []
    for _ in range(2):
        sim.run(60)
        found.append((sim.state.body_pos.tobytes(), sim.state.body_vel.tobytes(), sim.state.row_lam.tobytes()))
        sim.restore(there)
    fresh = taut.Simulation("gantry")
    fresh.restore(there._replace(compiled=None))
    fresh.run(60)
    found.append((fresh.state.body_pos.tobytes(), fresh.state.body_vel.tobytes(), fresh.state.row_lam.tobytes()))
    assert found[0] == found[1] == found[2]
