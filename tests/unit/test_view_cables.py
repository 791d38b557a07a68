"""Cables in the page: along their true path, on wheels that roll, as long as they are when slack."""

import numpy as np
import pytest

from taut import Body, Box, Cable, End, Ring, Scene, Sheave, Simulation, Winch
from taut.compile.reeving import Placed, direction_across, tangent
from taut.measure import ropes
from taut.scenes import open_scene
from taut.view import wheels
from taut.view.cables import Cables
from taut.view.drums import Wound, stored
from taut.view.frame import Frame, Rope
from taut.view.live import LivePlayer
from taut.view.mirror import start_frame
from taut.view.paths import Paths

SCENE = Scene(
    bodies={
        "hook": Body(mass=500.0, shape=Box(size=(0.6, 0.3, 0.4)), position=(0.2, 0.0, 2.0)),
        "load": Body(mass=50.0, shape=Box(size=(0.4, 0.4, 0.4)), position=(0.2, 0.0, 1.0)),
    },
    cables={
        "hoist": Cable(
            diameter=0.02,
            axial_stiffness=2e7,
            route=(
                Winch(at=(-3.0, 0.0, 5.0), axis=(0.0, 1.0, 0.0), radius=0.3),
                # a little out of the plane of the drum
                Sheave(at=(0.0, 0.2, 6.0), axis=(0.0, 1.0, 0.0), radius=0.25),
                Sheave(on="hook", at=(0.2, 0.0, 2.3), axis=(0.0, 1.0, 0.1), radius=0.2, turn="right"),
                End(at=(0.5, 0.0, 6.0)),
            ),
        ),
        "sling": Cable(
            route=(
                End(on="hook", at=(0.1, 0.0, 1.8)),
                Ring(on="load", at=(0.2, 0.0, 1.2)),
                End(on="hook", at=(0.3, 0.0, 1.8)),
            )
        ),
    },
)


def moved(frame: Frame, dz: float, **known: Rope) -> Frame:
    """Hook and load higher by dz."""
    return Frame(0.0, 0, frame.positions + np.array([0.0, 0.0, dz]), frame.orientations, cables=known)


def test_tangent_points_are_those_of_the_reeving() -> None:
    laid = Paths(SCENE).at(start_frame(SCENE))
    parts = SCENE.cables["hoist"].parts()
    placed = [
        Placed(np.array(p.at), np.array(p.axis), direction_across(np.array(p.axis)), p.radius, s)
        if isinstance(p, Sheave | Winch)
        else Placed(np.array(p.at))
        for p, s in zip(parts, (1, 1, -1, 1))
    ]
    for k in range(3):
        leaves, arrives, length = tangent(placed[k], placed[k + 1])
        assert laid.ends[k, 0] == pytest.approx(placed[k].at(leaves), abs=1e-5)
        assert laid.ends[k, 1] == pytest.approx(placed[k + 1].at(arrives), abs=1e-5)
        assert np.linalg.norm(laid.ends[k, 1] - laid.ends[k, 0]) == pytest.approx(length, abs=1e-5)


def test_the_path_is_that_of_the_simulation() -> None:
    player = LivePlayer(SCENE)
    player.set_control("hoist.speed", 0.3)
    player.advance(60)
    laid = Paths(SCENE).at(player.frame((), False))
    player.advance(1)  # a step measures the path as it finds it
    place = player.sim.work.part_place[ropes.parts(player.sim, "hoist")]
    assert laid.ends[:3, 0] == pytest.approx(place[:3, 15:18], abs=1e-4)
    assert laid.ends[:3, 1] == pytest.approx(place[1:, 12:15], abs=1e-4)
    assert laid.wrap[1:3] == pytest.approx(player.sim.read("hoist.wraps")[1:3], abs=1e-3)


def test_wheels_roll_with_the_rope() -> None:
    """The hook goes up by dz on two falls: 2 dz run over the upper sheave and onto the drum, dz over the lower sheave."""
    paths, start, dz = Paths(SCENE), start_frame(SCENE), 0.01
    before, after = paths.at(start), paths.at(moved(start, dz))
    turned = after.turned - before.turned
    assert abs(turned[0]) == pytest.approx(2.0 * dz / 0.3, rel=0.02)
    assert abs(turned[1]) == pytest.approx(2.0 * dz / 0.25, rel=0.02)
    assert abs(turned[2]) == pytest.approx(dz / 0.2, rel=0.02)
    # hauling turns the drum against the sense in which the rope leaves it
    assert turned[0] < 0.0 and turned[3] == 0.0


def test_slack_is_shared_out_and_drawn() -> None:
    paths, start = Paths(SCENE), start_frame(SCENE)
    laid = paths.at(moved(start, 0.0, hoist=Rope(np.array([0.6]), np.zeros(0))))
    assert laid.slack[:3].sum() == pytest.approx(0.6) and (laid.slack[:3] > 0.0).all()
    assert (laid.slack[3:] == 0.0).all()
    each = paths.at(moved(start, 0.0, sling=Rope(np.array([0.1, 0.0]), np.zeros(2))))
    assert each.slack == pytest.approx([0.0, 0.0, 0.0, 0.1, 0.0])


class Sink:
    """Takes what would go to the page."""

    def __init__(self) -> None:
        self.nodes: dict[str, dict[str, object]] = {}

    def add_batched_meshes_simple(self, name: str, vertices: object, faces: object, **fields: object) -> "Sink":
        self.nodes[name] = fields
        self.__dict__.update(fields)
        return self

    def add_line_segments(self, name: str, points: object, colors: object, **fields: object) -> "Sink":
        self.nodes[name] = {"points": points, "colors": colors}
        self.points = points
        return self


def test_every_piece_meets_the_next() -> None:
    sink, start = Sink(), start_frame(SCENE)
    cables = Cables(sink, SCENE, start)  # type: ignore[arg-type]
    fields = sink.nodes["/cables/ropes"]
    scale = np.asarray(fields["batched_scales"])
    spans = scale[: 5 * cables.span_pieces].reshape(5, cables.span_pieces, 3)
    # taut: one piece for every span, arcs in many
    assert (spans[:, 1:] == 0.0).all() and (spans[:, 0, 2] > 0.0).all()
    laid = cables.paths.at(start)
    arcs = scale[5 * cables.span_pieces :, 2].reshape(2, -1).sum(axis=1)
    pieces = (len(scale) - 5 * cables.span_pieces) // 2
    # each a little longer than it is, so that there are no gaps
    expected = np.array([0.25, 0.2]) * laid.wrap[1:3] + 0.3 * pieces * scale[0, 0]
    assert arcs == pytest.approx(expected, rel=0.002)
    assert len(sink.nodes) == 8  # rope, its line, drum, what is wound on it, two sizes of sheave, rings, ends


def test_the_line_seen_from_afar_runs_along_the_rope() -> None:
    sink, start = Sink(), start_frame(SCENE)
    cables = Cables(sink, SCENE, start)  # type: ignore[arg-type]
    laid = cables.paths.at(start)
    points = np.asarray(sink.nodes["/cables/lines"]["points"])
    span = points[: cables.span_pieces]
    assert span[0, 0] == pytest.approx(laid.ends[0, 0], abs=1e-5)
    assert span[-1, 1] == pytest.approx(laid.ends[0, 1], abs=1e-5)
    assert span[:-1, 1] == pytest.approx(span[1:, 0], abs=1e-5)


def test_the_line_sags_as_the_tube_does() -> None:
    sink, start = Sink(), start_frame(SCENE)
    cables = Cables(sink, SCENE, start)  # type: ignore[arg-type]
    slack = moved(start, 0.0, hoist=Rope(np.array([0.6]), np.zeros(0)))
    cables.show(slack)
    _, starts, stops = cables.lines(slack)
    line = np.asarray(sink.__dict__["points"])[: cables.span_pieces]
    assert line[:, 0] == pytest.approx(starts[: cables.span_pieces], abs=1e-5)
    assert line[:, 1] == pytest.approx(stops[: cables.span_pieces], abs=1e-5)


def test_a_slack_line_to_something_small_in_the_air_hangs_and_lies_on_what_is_wide() -> None:
    """A box that flies holds no rope up beside it; a load under a hook does."""
    player = LivePlayer(open_scene("fishing_rod"))
    player.advance(round(1.0 / player.dt))
    frame = player.frame((), False)
    box = frame.positions[list(player.scene.all_bodies()).index("box")]
    points = Cables.still(player.scene).along(frame)["line"]
    assert frame.cables["line"].slack.sum() > 0.1 and points[:, 2].min() < box[2] - 0.5
    wide = LivePlayer(open_scene("gantry"))
    frame = wide.frame((), False)
    frame.cables["sling_1"] = Rope(np.array([0.3]), np.zeros(0))
    points = Cables.still(wide.scene).along(frame)["sling_1"]
    assert points[:, 2].min() == pytest.approx(points[[0, -1], 2].min(), abs=1e-6)


def test_the_line_of_a_rope_round_things_lies_on_its_course_alone() -> None:
    scene = open_scene("bollard")
    player = LivePlayer(scene)
    player.advance(2)
    sink, frame = Sink(), player.frame((), False)
    cables = Cables(sink, scene, start_frame(scene))  # type: ignore[arg-type]
    cables.show(frame)
    course = frame.cables[next(iter(scene.ropes()))].course
    assert course is not None
    for point in np.asarray(sink.__dict__["points"]).reshape(-1, 3):
        assert np.linalg.norm(course - point, axis=1).min() < 1e-5


def test_a_drum_fills_turn_by_turn_and_layer_by_layer() -> None:
    """The hook goes up by dz on two falls: about 2 dz of rope lie on the drum more than before."""
    scene = SCENE.with_overrides(
        ["hoist.route[0].stored=6 m", "hoist.route[0].layer_turns=6", "hoist.route[0].layer_rise=2 cm"]
    )
    sink, start, paths = Sink(), start_frame(scene), Paths(scene)
    # the drum is 0.48 m wide, so a rope of 80 mm lies in six turns beside each other
    wound = Wound(sink, "wound", paths, 0, 0.04, (0.0, 0.0, 0.0), paths.at(start))  # type: ignore[arg-type]

    def turns(dz: float) -> int:
        wound.show(paths.at(moved(start, dz)))
        return int((np.asarray(sink.__dict__["batched_scales"])[:, 0] > 0.0).sum())

    # three turns that always stay, and 6 m on a circumference of 1.885 m
    assert turns(0.0) == 7
    assert turns(0.95 * 0.9425) == 8
    assert turns(-0.95 * 3.0 * 0.9425) == 4
    # the seventh lies on the first six, further out
    assert wound._scale[5, 0] == 1.0 and wound._scale[6, 0] > 1.1


def test_a_drum_that_has_plenty_is_shown_with_what_its_limit_needs() -> None:
    drum = Winch(at=(0.0, 0.0, 5.0), axis=(0.0, 1.0, 0.0), radius=0.3, lower_limit=20.0)
    assert stored(drum, 8.0) == pytest.approx(12.0)
    assert stored(Winch(at=(0.0, 0.0, 5.0), axis=(0.0, 1.0, 0.0), radius=0.3, stored=4.0), 8.0) == 4.0
    assert stored(Winch(at=(0.0, 0.0, 5.0), axis=(0.0, 1.0, 0.0), radius=0.3), 8.0) == pytest.approx(4.0)


def test_a_scene_without_cables_draws_none() -> None:
    scene, sink = Scene(bodies={"load": Body(mass=1.0, shape=Box(size=(1, 1, 1)))}), Sink()
    cables = Cables(sink, scene, start_frame(scene))  # type: ignore[arg-type]
    cables.show(start_frame(scene))
    assert not sink.nodes and not cables.changed


@pytest.mark.parametrize("make", [wheels.sheave, wheels.drum, lambda r, d: wheels.ring(d)])
def test_wheels_are_closed_and_look_outwards(make) -> None:  # type: ignore[no-untyped-def]
    solid = make(0.4, 0.02)
    a, b, c = (solid.vertices[solid.faces[:, k]] for k in range(3))
    # the divergence theorem: what looks outwards has a positive volume, and closed surfaces have no net area
    assert np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0 > 0.0
    assert np.cross(b - a, c - a).sum(axis=0) == pytest.approx([0.0, 0.0, 0.0], abs=1e-9)


def test_the_simulation_tells_slack_by_span() -> None:
    scene = SCENE.with_overrides(["hook.kind=static"])
    player = LivePlayer(scene)
    assert isinstance(player.sim, Simulation)
    player.set_control("hoist.speed", -0.5)
    player.advance(120)
    rope = player.frame((), False).cables["hoist"]
    assert (rope.slack > 0.0).all() and (rope.tension == 0.0).all()
    out, path = player.sim.read("hoist.rope_out"), player.sim.read("hoist.path")
    assert rope.slack.sum() == pytest.approx(out - path, abs=2e-2)


def test_few_slack_ropes_are_drawn_without_kinks() -> None:
    """A slack rope between two ends turns by a right angle or two in all: by few degrees from piece to piece."""
    line = "{route: [{type: end, at: [%s, 0, 5]}, {type: end, at: [%s, 0, 4]}], length: 4}"
    for count in (1, 3, 30):
        text = "\n".join(f"  line_{k}: " + line % (4 * k, 4 * k + 2) for k in range(count))
        scene = Scene.from_yaml(f"taut: 1\ncables:\n{text}\n")
        cables, frame = Cables.still(scene), start_frame(scene)
        slack = moved(frame, 0.0, **{name: Rope(np.array([4.0 - 5.0**0.5]), np.zeros(0)) for name in scene.cables})
        way = np.diff(cables.along(slack)["line_0"], axis=0)
        way /= np.linalg.norm(way, axis=1)[:, None]
        turn = np.degrees(np.arccos(np.clip((way[1:] * way[:-1]).sum(axis=1), -1.0, 1.0)))
        assert len(way) == cables.span_pieces and count * len(way) <= max(120, 10 * count)
        assert turn.max() < (15.0 if count < 30 else 60.0)


def test_a_layered_span_goes_through_the_nine_points_that_are_known_of_it() -> None:
    cables = Cables.still(SCENE)
    x = np.linspace(0.0, 1.0, cables.span_pieces + 1)[1:-1]
    known = np.linspace(0.0, 1.0, 11)[1:-1]
    bend = np.stack([np.sin(np.pi * known), np.sin(3.0 * np.pi * known)], axis=1)
    assert cables._between @ bend == pytest.approx(np.stack([np.sin(np.pi * x), np.sin(3.0 * np.pi * x)], axis=1))
