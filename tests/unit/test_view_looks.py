"""Looks of boxes: closed, within the box, few triangles, seen alike in the page and in models."""

from collections import Counter

import numpy as np
import pytest

from taut.scene import Scene, SceneError
from taut.scenes import library, open_scene
from taut.view import items
from taut.view.assembly import PLAIN, Assembly, Paint
from taut.view.mirror import _model
from taut.view.solids import Solid

#: a load, a jib along y, a leg, a hook block, a girder, a track, a plate that stands on its edge
SIZES = [
    (2.4, 1.6, 1.4),
    (1.2, 48.0, 0.8),
    (0.34, 0.34, 8.4),
    (0.5, 0.36, 0.7),
    (16.0, 0.3, 0.8),
    (5.6, 0.8, 1.0),
    (0.1, 1.0, 1.0),
]
LOOKED = [(look, size) for look in items.LOOKS for size in SIZES]


def volume(solid: Solid) -> float:
    """Sum of a . (b x c) / 6 over the triangles: the enclosed volume, positive if they look outwards."""
    a, b, c = (solid.vertices[solid.faces[:, k]] for k in range(3))
    return float((a * np.cross(b, c)).sum() / 6.0)


@pytest.mark.parametrize(("look", "size"), LOOKED)
def test_it_is_closed_and_stays_within_its_box(look: str, size: tuple[float, float, float]) -> None:
    solid = items.LOOKS[look](size)
    assert (np.abs(solid.vertices) <= 0.5 * np.asarray(size) + 1e-9).all()
    # every edge is gone along as often one way as the other; corners are told apart only where the light needs it
    _, same = np.unique(solid.vertices.round(9), axis=0, return_inverse=True)
    corners = same.reshape(-1)[solid.faces]
    edges = Counter(map(tuple, np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]]).tolist()))
    assert all(count == edges[(b, a)] for (a, b), count in edges.items())
    a, b, c = (solid.vertices[solid.faces[:, k]] for k in range(3))
    assert (np.linalg.norm(np.cross(b - a, c - a), axis=1) > 0.0).all()


@pytest.mark.parametrize(("look", "size"), LOOKED)
def test_every_piece_is_turned_outwards(
    look: str, size: tuple[float, float, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    volumes: list[float] = []
    add, blocks = Assembly.add, Assembly.blocks

    def noted(self: Assembly, vertices: np.ndarray, faces: np.ndarray, paint: Paint = PLAIN) -> None:
        volumes.append(volume(Solid(vertices, faces)))
        add(self, vertices, faces, paint)

    def one_by_one(self: Assembly, corners: np.ndarray, paint: Paint = PLAIN) -> None:
        for block in corners:
            blocks(self, block[None], paint)

    monkeypatch.setattr(Assembly, "add", noted)
    monkeypatch.setattr(Assembly, "blocks", one_by_one)
    solid = items.LOOKS[look](size)
    assert min(volumes) > 0.0
    # and they are put where they belong without being turned inside out
    assert volume(solid) == pytest.approx(sum(volumes))


def test_pieces_have_the_volume_of_what_they_are() -> None:
    made = Assembly()
    made.box((0.0, 0.0, 0.0), (1.0, 2.0, 3.0))
    assert volume(made.solid()) == pytest.approx(6.0) and volume(made.solid((1, 0, 2))) == pytest.approx(6.0)
    bars = Assembly()
    bars.bars(np.array([[0.0, 0.0, 0.0]]), np.array([[3.0, 4.0, 0.0]]), (0.0, 0.0, 1.0), (0.2, 0.1))
    assert volume(bars.solid()) == pytest.approx(5.0 * 0.2 * 0.1)
    wheel = Assembly()
    wheel.wheel((1.0, 2.0, 3.0), 0.5, 0.2, sides=64)
    # a polygon of 64 sides has a part in six hundred less than its circle
    assert volume(wheel.solid()) == pytest.approx(np.pi * 0.25 * 0.2, rel=2e-3)
    tube = Assembly()
    tube.tube(np.column_stack([np.linspace(0.0, 2.0, 5), np.zeros(5), np.zeros(5)]), np.full(5, 0.1), sides=64)
    assert volume(tube.solid()) == pytest.approx(np.pi * 0.01 * 2.0, rel=2e-3)


@pytest.mark.parametrize("look", list(items.LOOKS))
def test_few_triangles(look: str) -> None:
    assert max(len(items.LOOKS[look](size).faces) for size in SIZES) < 6000


def test_a_lattice_is_mostly_air_and_reaches_all_its_sides() -> None:
    solid = items.LOOKS["lattice"]((1.6, 1.6, 40.0))
    assert np.ptp(solid.vertices, axis=0) == pytest.approx([1.6, 1.6, 40.0])
    assert volume(solid) < 0.2 * 1.6 * 1.6 * 40.0


TWO = """
taut: 1
bodies:
  cab: {kind: static, shape: &box {type: box, size: [2, 1, 1.5]}, look: cabin, color: '#ff0000'}
  crate: {mass: 1, shape: *box, color: '#00ff00'}
"""


def test_a_body_keeps_its_colour_and_what_is_dark_on_it_is_dark() -> None:
    cab, crate = items.of_scene(Scene.from_yaml(TWO))
    assert crate.solid.paint is None and crate.key != cab.key
    colours = cab.solid.painted(cab.colour)
    assert (colours == (1.0, 0.0, 0.0)).all(axis=1).any() and (colours.max(axis=1) < 0.3).any()
    assert _model(cab)[:4] == b"glTF"


@pytest.mark.parametrize(
    ("shape", "what"), [("{type: sphere, radius: 1}", "a sphere"), ("null", "a body without a shape")]
)
def test_a_look_that_does_not_fit_is_told_with_what_does(shape: str, what: str) -> None:
    text = f"taut: 1\nbodies:\n  b:\n    kind: static\n    shape: {shape}\n    look: lattice\n"
    with pytest.raises(SceneError) as error:
        Scene.from_yaml(text, "crane.yaml")
    expected = (
        f"crane.yaml:6: bodies.b.look: 'lattice' - expected 'solid', or a box as its shape: {what} has no other look"
    )
    assert str(error.value) == expected


def test_a_look_is_not_judged_by_a_shape_that_was_refused() -> None:
    text = "taut: 1\nbodies:\n  b: {kind: static, shape: {type: box, size: [1, 1]}, look: slabs}\n"
    with pytest.raises(SceneError) as error:
        Scene.from_yaml(text)
    assert [problem.path for problem in error.value.problems] == ["bodies.b.shape.size"]


def test_an_unknown_look_is_told_with_the_known_ones() -> None:
    with pytest.raises(SceneError, match=r"bodies\.b\.look: 'latice' - expected 'solid', 'lattice', 'girder'"):
        Scene.from_yaml("taut: 1\nbodies: {b: {kind: static, shape: {type: box, size: [1, 1, 1]}, look: latice}}")


@pytest.mark.parametrize("name", sorted(library()))
def test_what_moves_is_sent_in_no_more_nodes_than_plain_boxes(name: str) -> None:
    """A node costs bytes with every frame, a triangle only once."""
    scene = open_scene(name)
    plain = scene.model_copy(
        update={"bodies": {key: body.model_copy(update={"look": "solid"}) for key, body in scene.bodies.items()}}
    )
    looked, boxes = ({item.key for item in items.of_scene(one) if item.moves} for one in (scene, plain))
    assert len(looked) <= len(boxes)
