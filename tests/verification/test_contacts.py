"""Contact and Coulomb friction in closed form."""

from __future__ import annotations

import math

import numpy as np
import pytest

import taut
from taut.scene import Body, Box, Capsule, Cylinder, Material, Plane, Scene, Sphere
from taut.validate import reference
from taut.validate.slope import CUBE, down_slope, out_of_slope, slope_scene
from taut.validate.watch import watch

G = reference.G


@pytest.mark.parametrize("friction", [0.0, 0.2, 0.5, 1.0])
@pytest.mark.parametrize("degrees", [10.0, 25.0, 40.0, 55.0])
def test_block_on_a_slope(friction, degrees):
    """a = max(0, g (sin a - mu cos a)): sticks or slides. Constant force, exact steps: 0.1 % is the acceptance."""
    angle = math.radians(degrees)
    sim = taut.Simulation(slope_scene(angle, friction, CUBE, 0.1))
    sim.run(30)
    before = float(sim.read("body.velocity") @ down_slope(angle))
    sim.run(60)
    rate = float(sim.read("body.velocity") @ down_slope(angle)) - before
    theory = max(0.0, G * (math.sin(angle) - friction * math.cos(angle)))
    assert rate == pytest.approx(theory, rel=1e-3, abs=1e-5)
    # it neither lifts nor sinks
    assert abs(float(sim.read("body.position") @ out_of_slope(angle)) - 0.1) < 1e-5


@pytest.mark.parametrize("margin", [0.97, 0.99, 1.01, 1.03])
def test_friction_angle(margin):
    """tan a = mu divides sticking from sliding; a per cent beside it is clear."""
    friction = 0.5
    angle = margin * math.atan(friction)
    sim = taut.Simulation(slope_scene(angle, friction, CUBE, 0.1))
    sim.run(180)
    way = float(sim.read("body.position") @ down_slope(angle))
    theory = max(
        0.0, float(reference.falling_steps(G * (math.sin(angle) - friction * math.cos(angle)), 1 / 60, np.array(180)))
    )
    assert way == pytest.approx(theory, rel=1e-2, abs=1e-4)


@pytest.mark.parametrize("direction", [0.0, 30.0, 77.0, 180.0])
def test_friction_opposes_the_slip_in_every_direction(direction):
    """A disc of pyramid edges would push a block off its line: isotropic friction keeps it straight and brakes by mu g."""
    way = np.array([math.cos(math.radians(direction)), math.sin(math.radians(direction)), 0.0])
    block = Body(shape=CUBE, mass=3.0, position=(0, 0, 0.1), velocity=tuple(6.0 * way), material="m")
    ground = Body(kind="static", shape=Plane(), material="m")
    sim = taut.Simulation(Scene(materials={"m": Material(friction=0.4)}, bodies={"ground": ground, "block": block}))
    sim.run(60)
    velocity = sim.read("block.velocity")
    # 60 steps, each takes mu g h
    assert velocity @ way == pytest.approx(6.0 - 0.4 * G, rel=1e-3)
    assert np.linalg.norm(velocity - (velocity @ way) * way) < 1e-3
    assert abs(sim.read("block.position[2]") - 0.1) < 1e-5


@pytest.mark.parametrize(
    "shape, factor",
    [
        (Sphere(radius=0.2), 5.0 / 7.0),
        (Capsule(radius=0.2, length=0.5), None),
        (Cylinder(radius=0.2, length=0.5), 2.0 / 3.0),
    ],
)
def test_rolling(shape, factor):
    """a = g sin a / (1 + I/(m r^2)): 5/7 for a ball, 2/3 for a cylinder."""
    angle = math.radians(15.0)
    inertia = shape.unit_inertia()[2] if not isinstance(shape, Sphere) else shape.unit_inertia()[0]
    factor = 1.0 / (1.0 + inertia / 0.2**2) if factor is None else factor
    scene = slope_scene(angle, 0.8, shape, 0.2)
    if not isinstance(shape, Sphere):
        # local z along the slope's horizontal, y
        lying = (math.cos(math.pi / 4), -math.sin(math.pi / 4), 0.0, 0.0)
        body = scene.bodies["body"].model_copy(update={"orientation": lying})
        scene = Scene(dt=scene.dt, materials=scene.materials, bodies={**scene.bodies, "body": body})
    sim = taut.Simulation(scene)
    sim.run(10)
    before = float(sim.read("body.velocity") @ down_slope(angle))
    sim.run(60)
    rate = float(sim.read("body.velocity") @ down_slope(angle)) - before
    assert rate == pytest.approx(factor * G * math.sin(angle), rel=2e-3)


def test_spinning_ball_on_the_floor():
    """Dropped with back spin w on a rough floor it ends rolling at v = 2/7 w r of what it had, whatever the friction."""
    radius, spin = 0.2, 20.0
    ball = Body(shape=Sphere(radius=radius), mass=1.0, position=(0, 0, radius), spin=(0, spin, 0), material="m")
    ground = Body(kind="static", shape=Plane(), material="m")
    sim = taut.Simulation(Scene(materials={"m": Material(friction=0.3)}, bodies={"ground": ground, "ball": ball}))
    sim.run(120)
    assert sim.read("ball.velocity[0]") == pytest.approx(2.0 / 7.0 * spin * radius, rel=1e-3)
    assert sim.read("ball.spin[1]") * radius == pytest.approx(sim.read("ball.velocity[0]"), rel=1e-3)


def test_weights_in_a_stack():
    """Each face carries what lies above; the bottom all of it."""
    ground = Body(kind="static", shape=Plane())
    bodies = {
        f"b{i}": Body(shape=Box(size=(1, 1, 0.5)), mass=2.0**i, position=(0, 0, 0.25 + 0.5 * i)) for i in range(6)
    }
    sim = taut.Simulation(Scene(bodies={"ground": ground, **bodies}))
    sim.run(300)
    above = [sum(2.0**k for k in range(i, 6)) for i in range(6)]
    assert sim.read("contact.force") == pytest.approx(G * sum(above), rel=1e-3)
    assert max(sim.read(f"b{i}.speed") for i in range(6)) < 1e-6


@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
def test_head_on_collision(restitution):
    """v1 = (m1 v - e m2 v) / (m1 + m2) for a ball at rest: momentum and restitution. Softness takes 1e-4."""
    m1, m2, v = 2.0, 3.0, 4.0
    bodies = {
        "one": Body(shape=Sphere(radius=0.3), mass=m1, position=(-1, 0, 0), velocity=(v, 0, 0), material="m"),
        "two": Body(shape=Sphere(radius=0.3), mass=m2, position=(1, 0, 0), material="m"),
    }
    sim = taut.Simulation(Scene(gravity=0, materials={"m": Material(restitution=restitution)}, bodies=bodies))
    sim.run(120)
    assert sim.read("one.velocity[0]") == pytest.approx(v * (m1 - restitution * m2) / (m1 + m2), rel=2e-3, abs=2e-3)
    assert sim.read("two.velocity[0]") == pytest.approx(v * m1 * (1.0 + restitution) / (m1 + m2), rel=2e-3)
    assert sim.read("momentum.linear")[0] == pytest.approx(m1 * v, rel=1e-12)


def test_energy_never_grows_in_a_pile():
    """Boxes and balls fall on each other: time-centred energy plus nothing."""
    rng = np.random.default_rng(0)
    bodies = {"ground": Body(kind="static", shape=Plane())}
    for i in range(12):
        shape = Box(size=tuple(rng.uniform(0.2, 0.5, 3))) if i % 2 else Sphere(radius=float(rng.uniform(0.1, 0.25)))
        place = (*rng.uniform(-0.4, 0.4, 2), 0.5 + 0.5 * i)
        bodies[f"b{i}"] = Body(
            shape=shape, mass=float(rng.uniform(1, 5)), position=place, spin=tuple(rng.normal(size=3))
        )
    sim = taut.Simulation(Scene(bodies=bodies))
    seen = watch(sim, 5.0, {"e": "energy.mechanical"})
    scale = sim.start_energy
    assert np.diff(seen["e"]).max() < 2e-3 * scale
    assert seen["e"].max() < 1.001 * scale


def tilted(angle: float, speed: float = 0.0) -> taut.Simulation:
    """A block on a slope whose friction is 0.5 at rest and 0.3 when it slides."""
    scene = slope_scene(angle, 0.3, CUBE, 0.1, speed)
    stone = Material(friction=0.3, static_friction=0.5)
    return taut.Simulation(scene.model_copy(update={"materials": {"stone": stone}}))


@pytest.mark.parametrize("margin", [0.7, 0.98, 1.02, 1.3])
def test_static_friction_holds_and_kinetic_friction_brakes(margin):
    """At rest a block stays up to tan a = mu_s, also where tan a > mu_k; beyond, it slides with mu_k: constant force, exact steps."""
    angle = math.atan(0.5 * margin)
    sim = tilted(angle)
    sim.run(30)
    start = float(sim.read("body.velocity") @ down_slope(angle))
    sim.run(60)
    gained = float(sim.read("body.velocity") @ down_slope(angle)) - start
    theory = G * (math.sin(angle) - 0.3 * math.cos(angle)) if margin > 1.0 else 0.0
    assert gained == pytest.approx(theory, rel=1e-3, abs=1e-5)


def test_what_slides_goes_on_where_what_rests_would_stay():
    """Between both angles of friction: pushed, it accelerates with mu_k; on a flatter slope it comes to rest and then stays."""
    steep, flat = math.atan(0.4), math.atan(0.2)
    sim = tilted(steep, 0.1)
    sim.run(60)
    theory = 0.1 + G * (math.sin(steep) - 0.3 * math.cos(steep))
    assert float(sim.read("body.velocity") @ down_slope(steep)) == pytest.approx(theory, rel=1e-3)
    sim = tilted(flat, 0.5)
    sim.run(60)
    way = float(sim.read("body.position") @ down_slope(flat))
    brake = G * (0.3 * math.cos(flat) - math.sin(flat))
    # x+ = x + h v+: half a step behind the parabola
    assert way == pytest.approx(0.5 * 0.5**2 / brake, abs=0.5 * 0.5 / 60)
    sim.run(60)
    assert float(sim.read("body.position") @ down_slope(flat)) == pytest.approx(way, abs=1e-6)


def test_friction_of_pairs():
    """What one says of the other counts; else the geometric mean, at rest too; never less at rest than when it slides."""
    from taut.compile.contacts import compile_materials

    def pair(first: Material, second: Material) -> tuple[float, float]:
        rows = compile_materials(Scene(materials={"a": first, "b": second}))
        names = round(math.sqrt(len(rows)))
        row = rows[(names - 2) * names + names - 1]
        return float(row[0]), float(row[4])

    assert pair(Material(friction=0.4), Material(friction=0.1)) == pytest.approx((0.2, 0.2))
    assert pair(Material(friction=0.4, static_friction=0.9), Material(friction=0.1)) == pytest.approx((0.2, 0.3))
    assert pair(Material(friction=0.4, static_friction=0.2), Material(friction=0.1)) == pytest.approx((0.2, 0.2))
    said = Material(friction=0.4, against={"b": 0.5}, static_against={"b": 0.7})
    assert pair(said, Material(friction=0.1)) == pytest.approx((0.5, 0.7))


def test_a_ball_that_rolls_and_spins_does_not_slip():
    scene = taut.Scene.from_yaml("""
    taut: 1
    name: ball
    bodies:
      ground: {kind: static, shape: {type: plane}, material: rubber}
      ball: {position: [0, 0, 0.2], shape: {type: sphere, radius: 0.2}, mass: 10 kg, material: rubber, velocity: [3, 0, 0], spin: [0, 15, 5]}
    """)
    sim = taut.Simulation(scene)
    sim.run(60)
    assert sim.read("ball.velocity")[0] == pytest.approx(3.0, abs=1e-5)
    assert sim.read("contact.slip") < 1e-6
