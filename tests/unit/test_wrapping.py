"""Wraps of ropes round obstacles: geometry of touch, edges and chains; nodes that come, go, and keep what is carried."""

from __future__ import annotations

import math

import numpy as np
import pytest

from taut import Simulation
from taut.compile.obstacles import box_hull, hull_of
from taut.contact.shapes import BOX, CYLINDER, SPHERE
from taut.contact.wrapping.edges import highest_edge, least_way_out
from taut.contact.wrapping.touch import core_gap, first_touch, hull_gap
from taut.contact.wrapping.turn import fresh_turn, turn_between
from taut.scene import Body, Box, Cable, Cylinder, End, Material, Scene, SceneError, Sheave, Sphere
from taut.simulation import SimulationError

EDGES, PLANES = box_hull((2.0, 2.0, 2.0))
NONE = np.zeros((0, 4))
ACROSS = (math.cos(math.pi / 4.0), math.sin(math.pi / 4.0), 0.0, 0.0)


def test_a_box_has_twelve_edges_and_so_has_its_hull():
    corners = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
    edges, planes = hull_of(corners)
    assert len(EDGES) == len(edges) == 12 and len(PLANES) == len(planes) == 6
    seen = lambda table: sorted(tuple(sorted((tuple(e[:3]), tuple(e[3:])))) for e in table.tolist())  # noqa: E731
    assert np.allclose(seen(EDGES), seen(edges))


def test_the_way_out_of_a_box_is_normal_to_the_span():
    gap, out = hull_gap((-3.0, 0.0, 0.8), (3.0, 0.0, 0.8), PLANES, 0, 6)
    assert gap == pytest.approx(-0.2) and out == pytest.approx((0.0, 0.0, 1.0))
    # across a corner of the section: out through the edge, half-way between both faces
    gap, out = hull_gap((-1.0, 0.0, 2.5), (2.5, 0.0, -1.0), PLANES, 0, 6)
    assert gap == pytest.approx(-0.25) and out == pytest.approx((math.sqrt(0.5), 0.0, math.sqrt(0.5)))
    gap, _ = hull_gap((-3.0, 0.0, 1.5), (3.0, 0.0, 1.5), PLANES, 0, 6)
    assert gap == pytest.approx(0.5)


def test_the_gap_to_an_axis():
    far, out, y = core_gap((-2.0, 0.3, 0.5), (2.0, 0.3, 0.5), 1.0)
    assert (far, y) == pytest.approx((0.3, 0.75)) and out == pytest.approx((0.0, 1.0, 0.0))
    far, _, y = core_gap((-2.0, 0.0, 2.0), (2.0, 0.0, 2.0), 1.0)
    assert (far, y) == pytest.approx((1.0, 1.0))


@pytest.mark.parametrize("kind, size", [(SPHERE, (0.1, 0.0, 0.0)), (CYLINDER, (0.1, 2.0, 0.0)), (BOX, (0.0, 0.0, 0.0))])
def test_a_span_that_is_through_within_a_step_has_touched_from_its_side(kind, size):
    extent = np.array(size)
    met, out, _ = first_touch(
        kind, extent, PLANES, 0, 6, 0.01, (-3.0, 5.0, 0.0), (3.0, 5.0, 0.0), (-3.0, -5.0, 0.0), (3.0, -5.0, 0.0)
    )
    assert met > 0 and out == pytest.approx((0.0, 1.0, 0.0), abs=1e-9)
    met, _, _ = first_touch(
        kind, extent, PLANES, 0, 6, 0.01, (-3.0, 5.0, 0.0), (3.0, 5.0, 0.0), (-3.0, 1.2, 0.0), (3.0, 1.2, 0.0)
    )
    assert met == 0


def test_the_edge_that_stands_highest():
    # a line from lower left to upper right leaves the left edge as the highest
    k, above, where = highest_edge((-3.0, 0.5, 0.0), (3.0, 0.5, 0.5), (0.0, 0.0, 1.0), EDGES, 0, 12, 0.0, -1, -1, -1)
    assert EDGES[k, [0, 2, 3, 5]] == pytest.approx((-1.0, 1.0, -1.0, 1.0)) and where == pytest.approx(0.75)
    assert above == pytest.approx((1.0 - 0.5 * 2.0 / 6.0) * math.cos(math.atan2(0.5, 6.0)))
    assert highest_edge((-3.0, 0.5, 1.5), (3.0, 0.5, 1.5), (0.0, 0.0, 1.0), EDGES, 0, 12, 0.0, -1, -1, -1)[0] == -1


def test_a_path_round_a_cylinder_is_straight_when_it_is_unrolled():
    axes = (0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
    p, q, r = (-2.0, 0.3, -1.0), (2.0, 0.3, 1.5), 0.5
    one, two = fresh_turn(p, q, (0.0, 0.0, 0.0), axes[1], axes[2], r, -1.0)
    a, za, b, zb = turn_between(p, q, (0.0, 0.0, 0.0), *axes, r, -1.0, one, two)
    before, arc, after = math.sqrt(4.09 - 0.25), r * (a - b), math.sqrt(4.09 - 0.25)
    assert arc > 0.0
    slopes = [(za + 1.0) / before, (zb - za) / arc, (1.5 - zb) / after]
    assert slopes == pytest.approx([2.5 / (before + arc + after)] * 3)


def pegged(shape, *, mu=0.0, room=None, **cable) -> Scene:
    """A bob that swings against a peg."""
    peg = Body(
        kind="static", shape=shape, position=(0.08, 0.0, -1.0), orientation=ACROSS, collide=False, material="peg"
    )
    bob = Body(kind="particle", mass=1.0, position=(-1.2, 0.0, -1.6))
    rope = Cable(
        route=(End(at=(0, 0, 0)), End(on="bob")), obstacles=("peg",), diameter=0.01, axial_stiffness=1e5, damping_time=0.01,
        material="peg", wrap_room=room, **cable,
    )  # fmt: skip
    return Scene(bodies={"peg": peg, "bob": bob}, cables={"rope": rope}, materials={"peg": Material(friction=mu)})


@pytest.mark.parametrize("mu", [0.0, 0.4])
def test_nodes_come_and_go_and_rope_is_neither_made_nor_lost(mu):
    sim = Simulation(pegged(Cylinder(radius=0.05, length=1.0), mu=mu))
    out, seen = sim.read("rope.rope_out"), set()
    for _ in range(400):
        sim.run(1)
        seen.add(int(sim.read("rope.wraps_on_peg")))
        assert sim.read("rope.rope_out") == pytest.approx(out, abs=1e-12)
        assert sim.read("rope.tensions").shape == (1,) if mu == 0.0 else (3,)
    assert seen == {0, 1}
    assert sim.read("step.redone") == 0
    assert abs(sim.read("energy.remainder")) < 1e-6 * abs(sim.read("energy.mechanical"))


def test_a_snapshot_holds_the_wraps():
    sim = Simulation(pegged(Sphere(radius=0.05), mu=0.3))
    while not sim.read("rope.wraps_on_peg"):
        sim.run(1)
    kept = sim.snapshot()
    sim.run(200)
    first = np.array(sim.state.body_pos)
    sim.restore(kept)
    sim.run(200)
    assert np.array_equal(first, sim.state.body_pos)


def test_the_peg_feels_what_the_rope_bends():
    sim = Simulation(pegged(Box(size=(0.1, 0.1, 1.0)), mu=0.0))
    while sim.read("rope.wrap_angle_on_peg") < 0.3:
        sim.run(1)
    bent = 2.0 * sim.read("rope.tension") * math.sin(0.5 * sim.read("rope.wrap_angle_on_peg"))
    assert np.linalg.norm(sim.read("rope.force_on_peg")) == pytest.approx(bent, rel=1e-9)


def test_the_shortest_way_off_a_plate_is_round_its_edge():
    edges, _ = box_hull((4.0, 1.0, 0.01))
    out = least_way_out((0.3, 0.4, 1.0), (0.3, 0.4, -1.0), edges, 0, 12)
    assert out == pytest.approx((0.0, 1.0, 0.0))


def test_no_room_is_said_by_name():
    scene = pegged(Box(size=(0.1, 0.1, 1.0)), room=1)
    bob = scene.bodies["bob"].model_copy(update={"velocity": (6.0, 0.0, -4.0)})
    sim = Simulation(scene.model_copy(update={"bodies": {**scene.bodies, "bob": bob}}))
    with pytest.raises(SimulationError, match=r"rope touches peg in more places .* cables\.rope\.wrap_room higher"):
        sim.run(400)


def test_a_wheel_without_a_groove_lets_the_rope_wander():
    roller = Sheave(at=(0, 0, 0), axis=(0, 1, 0), radius=0.3, groove=False)
    bodies = {
        "one": Body(kind="particle", mass=1.0, position=(-0.3, -0.8, -2)),
        "two": Body(kind="particle", mass=1.0, position=(0.3, 0.8, -2)),
    }
    sim = Simulation(
        Scene(gravity=0, bodies=bodies, cables={"rope": Cable(route=(End(on="one"), roller, End(on="two")))})
    )
    sim.run(1)
    assert sim.read("rope.path") == pytest.approx(math.hypot(4.0 + 0.3 * math.pi, 1.6), abs=1e-9)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"obstacles": ("nothing",)}, "no such body"),
        ({"obstacles": ("world",)}, "the world has no shape"),
        ({"obstacles": ("bob",)}, "cannot wrap round a body without a shape"),
        ({"obstacles": ("peg", "peg")}, "named twice"),
        ({"torsional_stiffness": 5.0}, "cannot resist twist yet"),
        ({"model": "segmented", "mass_per_length": 1.0, "modulus": 1e9}, "only massless and layered cables wrap"),
    ],
)
def test_what_cannot_be_wrapped_round(change, message):
    scene = pegged(Sphere(radius=0.05))
    cable = scene.cables["rope"].model_copy(update=change)
    with pytest.raises(SceneError, match=message):
        Simulation(Scene(**{**dict(scene), "cables": {"rope": cable}}))
