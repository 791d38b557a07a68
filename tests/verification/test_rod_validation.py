"""Every item of the rod's validation, and the faults that must turn it red."""

import numpy as np
import pytest
from faults import FaultyLab

from taut.cables.rod.arrays import LOAD, SEG
from taut.cables.rod.chain import Chain
from taut.cables.rod.obstacles import Obstacles
from taut.cables.rod.properties import Properties
from taut.validate import rod, rod_attempts, rod_contact, rod_figures, rod_leaning, rod_scene
from taut.validate.lab import Lab


def failed(check) -> set[str]:
    return {item.id for item in check(Lab(quick=True)) if item.passed is False}


@pytest.mark.parametrize("check", rod.CHECKS, ids=lambda check: check.__name__)
def test_items_hold(check) -> None:
    items = list(check(Lab()))
    assert items
    assert [
        f"{item.id}: {item.ours} for {item.theory}, {item.tolerance}" for item in items if item.passed is False
    ] == []


def test_whole_joints_at_the_clamps_are_noticed(monkeypatch) -> None:
    """The printed scheme freezes a whole segment: of first order."""
    joints = Properties.joints

    def whole(self, lengths):
        length, stiffness, rest = joints(self, lengths)
        length[[0, -1]] *= 2.0
        return length, stiffness, rest

    monkeypatch.setattr(Properties, "joints", whole)
    assert {"rod.clamped.40", "rod.clamped.order", "rod.clamped.reaction"} <= failed(rod.clamped)
    assert "rod.tip.drop.1" in failed(rod.tip_loaded)
    assert "rod.euler.clamped-clamped" in failed(rod.buckling)
    assert "rod.anisotropy.d1" in failed(rod.anisotropy)


def test_mass_on_the_wrong_nodes_is_noticed(monkeypatch) -> None:
    """A whole segment's weight on its far node: half a segment too far out."""
    loads = Chain.place_loads

    def wrong(self, arrays):
        out = loads(self, arrays)
        lengths = arrays.rod[self.seg_rows, SEG]
        arrays.rod[self.seg_rows, LOAD : LOAD + 3] += 0.5 * (self.properties.mass * lengths**2)[:, None] * self.gravity
        return out

    monkeypatch.setattr(Chain, "place_loads", wrong)
    assert "rod.hanging.tip.10" in failed(rod.hanging)
    assert "rod.standing" in failed(rod.standing)


def test_exchanged_axes_and_moduli_are_noticed(monkeypatch) -> None:
    """(e_x, e_z, e_y) is left-handed: stiffness about the wrong axis; torsion with a wrong modulus."""
    joints = Properties.joints

    def exchanged(self, lengths):
        length, stiffness, rest = joints(self, lengths)
        return length, stiffness[:, [1, 0, 2]] * np.array([1.0, 1.0, 1.1]), rest * np.array([-1.0, 1.0, 1.0])

    monkeypatch.setattr(Properties, "joints", exchanged)
    assert {"rod.anisotropy.d1", "rod.anisotropy.d2"} <= failed(rod.anisotropy)
    assert failed(rod.arc) and failed(rod.helix) and failed(rod.ring) and failed(rod.torsion) and failed(rod.strips)


def test_a_missing_spin_prediction_costs_iterations(monkeypatch) -> None:
    monkeypatch.setattr("taut.cables.rod.seats.spread_spin", lambda arrays, asked, spins: None)
    items = {item.id: item.ours for item in rod.frames(Lab())}
    assert items["rod.frame.twist"] > 2


def test_a_rod_that_passes_through_itself_is_noticed(monkeypatch) -> None:
    monkeypatch.setattr("taut.cables.rod.touch.Touch.touch_itself", lambda self, touches=True: None)
    assert {"rod.link", "rod.link.change", "rod.link.contacts"} <= failed(rod_contact.knot)


def test_obstacles_that_are_not_there_are_noticed(monkeypatch) -> None:
    from taut.cables.rod.network import Network

    solving = Network.newton

    def blind(self, tolerance, most):
        kept, self.obstacles = self.obstacles, Obstacles.none()
        try:
            return solving(self, tolerance, most)
        finally:
            self.obstacles = kept

    monkeypatch.setattr(Network, "newton", blind)
    assert {"rod.contact.plane.depth", "rod.contact.sphere.depth", "rod.contact.box.depth"} <= failed(
        rod_contact.contact
    )


def test_clips_and_branches_that_do_not_hold_are_noticed(monkeypatch) -> None:
    """A clip whose frame is not locked; a harness whose branch stays where it was put."""
    monkeypatch.setattr("taut.cables.rod.targets.Clip.locked", property(lambda self: (False, False, False)))
    assert "rod.clip.fixed" in failed(rod_contact.clips)
    nailed = (0.31, -0.01, -0.03)
    monkeypatch.setattr(
        "taut.cables.rod.harness.Harness.add_branch", lambda self, name, point: self.add_connector(name, nailed)
    )
    assert {"rod.branch.force", "rod.branch.moment"} <= failed(rod_contact.branch)


class SoftRods(Lab):
    """Rods of half their stiffness; other cables as they are."""

    def simulate(self, scene):
        cables = {
            name: cable.model_copy(update={"modulus": 0.5 * cable.modulus}) if cable.model == "rod" else cable
            for name, cable in scene.cables.items()
        }
        return super().simulate(scene.model_copy(update={"cables": cables}))


def test_a_softer_rod_is_noticed_beside_a_segmented_cable() -> None:
    items = {item.id: item.passed for item in rod_scene.moving(SoftRods(quick=True))}
    assert items["rod.scene.segmented"] is False


def test_frames_that_do_not_follow_are_noticed(monkeypatch) -> None:
    """Directors that are not those of the segments."""
    monkeypatch.setattr(rod_figures, "rotate", lambda q, v: np.roll(np.asarray(v) + 0.0 * q[..., :3], 1, axis=-1))
    assert "rod.figure.4" in failed(rod_figures.discretization)


def test_a_better_torsion_would_be_noticed(monkeypatch) -> None:
    """The failure of the Frenet torsion is an item: a formula without it turns it red."""
    monkeypatch.setattr(rod_attempts, "by_binormals", lambda points: np.full(len(points) - 3, 0.5))
    assert {"rod.attempt.frenet.binormals.noise", "rod.attempt.frenet.inflexion"} <= failed(rod_attempts.frenet)


def test_every_figure_of_the_paper_is_accounted_for() -> None:
    lab = Lab(quick=True)
    ids = [item.id for check in rod_figures.CHECKS for item in check(lab)]
    assert ids == [f"rod.figure.{k}" for k in range(1, 13)]
    titles = [plot.title for plot in lab.plots]
    assert all(any(f"Fig. {k}:" in title for title in titles) for k in range(1, 13))


def test_bodies_that_are_not_felt_are_noticed() -> None:
    """What rods lean on is a mile off: shape, force, release, weight and momentum of what has met."""
    red = {item.id for check in rod_leaning.CHECKS for item in check(FaultyLab("ghostly")) if item.passed is False}
    assert {
        "rod.lean.box.shape",
        "rod.lean.post.force",
        "rod.lean.box.changes",
        "rod.lean.1g.weight",
        "rod.lean.met",
    } <= red
