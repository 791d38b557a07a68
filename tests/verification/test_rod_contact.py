"""Contact of the rod: push only, no gap and push together, exact release, segments as well as nodes, self-contact."""

import numpy as np
import pytest

import taut
from taut.cables.rod import Clamp, Rod, RodError

KIND = {"EI": 1e-2, "GJ": 1e-2, "mass_per_length": 1.0, "radius": 0.005}
ACROSS = (np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0)  # local z along world y


def hung(segments: int = 50) -> Rod:
    rod = Rod(1.0, segments, start=Clamp((0, 0, 0)), end=Clamp((0.6, 0, 0)), **KIND)
    rod.solve()
    return rod


def box_mesh(folder, size) -> taut.Mesh:
    import trimesh

    file = folder / "box.stl"
    trimesh.creation.box(size).export(file)
    return taut.Mesh(file=str(file), unit="m", up="z")


def obstacle(name, folder):
    return {
        "plane": (taut.Plane(), (1, 0, 0, 0), 0.0),
        "sphere": (taut.Sphere(radius=0.05), (1, 0, 0, 0), 0.05),
        "box": (taut.Box(size=(0.1, 0.3, 0.1)), (1, 0, 0, 0), 0.05),
        "capsule": (taut.Capsule(radius=0.03, length=0.4), ACROSS, 0.03),
        "cylinder": (taut.Cylinder(radius=0.03, length=0.4), ACROSS, 0.03),
        "mesh": (box_mesh(folder, (0.1, 0.3, 0.1)), (1, 0, 0, 0), 0.05),
    }[name]


@pytest.mark.parametrize("name", ["plane", "sphere", "box", "capsule", "cylinder", "mesh"])
def test_raised_into_the_rod_and_lowered_again(name, tmp_path) -> None:
    """In steps of 5 mm up and down: never inside, never pulled, few iterations, and at the end the free shape."""
    shape, turn, top = obstacle(name, tmp_path)
    rod = hung()
    free, lowest = rod.points, rod.points[:, 2].min() - 0.005
    rod.add_obstacle("thing", shape, (0.3, 0.003, lowest - top - 0.02), turn)
    iterations, touched = [], []
    heights = [*np.arange(-0.02, 0.0201, 0.005), *np.arange(0.015, -0.0201, -0.005)]
    for height in heights:
        rod.move_obstacle("thing", (0.3, 0.003, lowest - top + height))
        found = rod.solve()
        iterations.append(found.iterations)
        touched.append(found.contacts)
        assert found.is_minimum
        assert rod.clearance("thing").distance > -1e-8
        push = rod.contact_force.get("thing", np.zeros(3))
        assert push[2] >= 0.0
        if height > 0.006 and name != "sphere":
            assert push[2] > 0.05
    # acceptance of the formulation: at most 8 iterations a frame on average, no chatter
    assert np.mean(iterations) <= 8
    assert touched[0] == touched[-1] == 0
    assert rod.points == pytest.approx(free, abs=1e-6)


def test_weight_and_holders_balance_the_floor() -> None:
    rod = hung()
    rod.add_obstacle("floor", taut.Plane(), (0, 0, rod.points[:, 2].min() + 0.03))
    assert rod.solve().contacts > 1
    total = rod.end_force("start") + rod.end_force() + rod.contact_force["floor"] + np.array([0, 0, -9.81])
    assert total == pytest.approx(np.zeros(3), abs=1e-6)


def test_a_mesh_of_a_box_is_the_box(tmp_path) -> None:
    ours = []
    for shape in (taut.Box(size=(0.1, 0.3, 0.1)), box_mesh(tmp_path, (0.1, 0.3, 0.1))):
        rod = hung(40)
        rod.add_obstacle("block", shape, (0.31, 0.0, rod.points[:, 2].min() - 0.03))
        rod.solve()
        assert rod.contact_force["block"][2] > 0.5
        ours.append(rod.points)
    assert ours[0] == pytest.approx(ours[1], abs=1e-6)


def test_segments_touch_and_not_only_nodes() -> None:
    """A thin bar between two nodes: nodes alone would leave the segment inside it."""
    rod = hung(16)
    low = rod.points[:, 2].min()
    middle = 0.5 * (rod.points[8] + rod.points[9])
    rod.add_obstacle("bar", taut.Cylinder(radius=0.002, length=0.4), (middle[0], 0, low - 0.01), ACROSS)
    rod.move_obstacle("bar", (middle[0], 0, low + 0.01))
    found = rod.solve()
    assert found.contacts >= 1
    i = int(rod.clearance("bar").s * 16)
    assert rod.clearance("bar").distance == pytest.approx(0.0, abs=1e-8)
    assert np.linalg.norm((rod.points[i : i + 2] - [middle[0], 0, low + 0.01])[:, [0, 2]], axis=1).min() > 0.0071


def test_a_loop_stays_a_loop() -> None:
    """Four turns let in until the rod snaps into a loop: it presses on itself and keeps its link.

    Link = twist + writhe cannot change while nothing passes through; writhe by the double sum over segments
    (Klenin and Langowski 2000), the rod closed far away in its plane.
    """
    rod = Rod(1.0, 60, start=Clamp((0, 0, 0)), end=Clamp((0.999, 0, 0)), EI=1, GJ=0.75, radius=0.015)
    rod.solve()
    rod.touch_itself()
    rod.twist_end("4 rev")
    rod.solve()
    links = [link(rod)]
    for slack in np.arange(0.02, 0.301, 0.02):
        rod.move_end((1.0 - slack, 0, 0))
        rod.solve()
        links.append(link(rod))
    assert rod.self_contacts
    assert min(force for _, _, force in rod.self_contacts) > 0.0
    # chords of the twist: second order, 4 turns on 60 segments
    assert np.ptp(links) < 0.15
    assert links[0] == pytest.approx(4.0, abs=0.1)


def link(rod: Rod) -> float:
    """Twist plus writhe in turns; the twist by angles, not chords."""
    length = np.gradient(rod.arc_length)
    chord = np.clip(0.5 * rod.twist * np.r_[0.5, np.ones(rod.segments - 1), 0.5] * rod.length / rod.segments, -1, 1)
    assert len(length) == len(chord)
    twist = 2.0 * np.arcsin(chord).sum() / (2.0 * np.pi)
    x = rod.points
    closed = np.vstack([x, x[-1] + [5, 0, 0], x[-1] + [5, -20, 0], x[0] + [-5, -20, 0], x[0] + [-5, 0, 0]])
    return twist + writhe(closed)


def writhe(x: np.ndarray) -> float:
    n = len(x)
    total = 0.0
    for i in range(n):
        for j in range(i + 2, n):
            if i == 0 and j == n - 1:
                continue
            a, b, c, d = x[i], x[(i + 1) % n], x[j], x[(j + 1) % n]
            r = [c - a, d - a, d - b, c - b]
            normals = [np.cross(r[k], r[(k + 1) % 4]) for k in range(4)]
            sizes = [np.linalg.norm(v) for v in normals]
            if min(sizes) < 1e-14:
                continue
            u = [v / s for v, s in zip(normals, sizes)]
            solid = sum(np.arcsin(np.clip(u[k] @ u[(k + 1) % 4], -1, 1)) for k in range(4))
            total += solid * np.sign(np.cross(d - c, b - a) @ (c - a))
    return 2.0 * total / (4.0 * np.pi)


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda rod, folder: rod.add_obstacle("x", "box"), "x: 'box' - expected Plane"),
        (lambda rod, folder: rod.remove_obstacle("x"), "obstacle 'x' - there is none; known: none"),
        (
            lambda rod, folder: rod.add_obstacle("x", open_mesh(folder)),
            r"the mesh is open \(4 edges with one face only",
        ),
        (lambda rod, folder: rod.add_obstacle("x", taut.Mesh(file="none.stl", unit="m", up="z")), "no such file"),
    ],
)
def test_mistakes_with_obstacles(act, words, tmp_path) -> None:
    with pytest.raises(RodError, match=words):
        act(hung(10), tmp_path)


def test_a_rod_without_radius_cannot_touch() -> None:
    rod = Rod(1.0, 20, start=Clamp((0, 0, 0)), end=Clamp((0.6, 0, 0)), EI=1.0, GJ=1.0)
    with pytest.raises(RodError, match="needs one; give a section"):
        rod.touch_itself()


def open_mesh(folder) -> taut.Mesh:
    import trimesh

    box = trimesh.creation.box((0.1, 0.1, 0.1))
    file = folder / "open.stl"
    trimesh.Trimesh(box.vertices, box.faces[2:], process=False).export(file)
    return taut.Mesh(file=str(file), unit="m", up="z")
