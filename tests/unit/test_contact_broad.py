"""The broad phase finds the pairs that testing all against all finds, in ascending order, whatever it did before."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from taut.contact import detect, make_contacts, make_shapes, make_work
from taut.contact.shapes import BOX, CAPSULE, PLANE, SPHERE, UNTOUCHABLE
from taut.contact.slabs import MANY
from taut.contact.work import CONTACT_TALLY, CONTACTS_FULL, PAIR_TALLY, PAIRS_FULL, PRESSED

MARGIN, DT = 0.05, 1.0 / 60.0


class Crowd:
    """Random shapes, one or two to a body, that wander about."""

    def __init__(self, count: int, seed: int, **make: object) -> None:
        self.rng = np.random.default_rng(seed)
        bodies = max(1, count * 2 // 3)
        kinds = self.rng.choice([SPHERE, BOX, CAPSULE, UNTOUCHABLE], count, p=[0.3, 0.3, 0.3, 0.1])
        kinds[0] = PLANE
        group = 1 << self.rng.integers(0, 3, count)
        self.shapes = make_shapes(
            kinds,
            self.rng.uniform(0.1, 0.4, (count, 3)),
            self.rng.integers(0, bodies, count),
            pos=self.rng.uniform(-0.3, 0.3, (count, 3)),
            quat=Rotation.random(count, self.rng).as_quat(scalar_first=True),
            group=group,
            mask=self.rng.integers(3, 8, count),
        )
        self.shapes.quat[0] = [1, 0, 0, 0]
        self.pos = self.rng.uniform(-2, 2, (bodies, 3))
        self.quat = np.ascontiguousarray(Rotation.random(bodies, self.rng).as_quat(scalar_first=True))
        self.vel = self.rng.normal(size=(bodies, 6)) * 3.0
        self.dynamic = (self.rng.random(bodies) < 0.7).astype(np.int64)
        a, b = np.sort(self.rng.integers(0, bodies, (40, 2)), axis=1).T
        self.excluded = np.unique(a * bodies + b)
        self.work = make_work(count, 4000, excluded=self.excluded, **make)
        self.contacts = make_contacts(4000)

    def detect(self, work=None, contacts=None) -> int:
        state = (self.pos, self.quat, self.vel, self.dynamic)
        return detect(self.shapes, *state, DT, MARGIN, work or self.work, contacts or self.contacts)

    def wander(self) -> None:
        self.pos += self.vel[:, :3] * DT
        self.vel += self.rng.normal(size=self.vel.shape)
        turn = Rotation.from_quat(self.quat, scalar_first=True) * Rotation.from_rotvec(
            self.rng.normal(size=self.pos.shape) * 0.05
        )
        self.quat[:] = turn.as_quat(scalar_first=True)

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Bounding boxes from the corners of the core, the radius, half the widest margin, the displacement and what a turn adds at most."""
        s, low, high = self.shapes, [], []
        for i in range(len(s.type)):
            body = s.body[i]
            turn = Rotation.from_quat(self.quat[body], scalar_first=True)
            full = turn * Rotation.from_quat(s.quat[i], scalar_first=True)
            core = {BOX: s.size[i], SPHERE: [0, 0, s.size[i, 1]], CAPSULE: [0, 0, s.size[i, 1]]}.get(s.type[i], [0] * 3)
            corners = full.apply(np.array(list(itertools.product((-1, 1), repeat=3))) * core)
            corners += self.pos[body] + turn.apply(s.pos[i])
            swept = np.vstack([corners, corners + self.vel[body, :3] * DT])
            radius = 0.0 if s.type[i] == BOX else s.size[i, 0]
            reach = np.linalg.norm(s.pos[i]) + np.linalg.norm(core) + radius
            grow = 0.5 * PRESSED * MARGIN + radius + np.linalg.norm(self.vel[body, 3:]) * DT * reach
            low.append(swept.min(axis=0) - grow)
            high.append(swept.max(axis=0) + grow)
        return np.array(low), np.array(high)

    def brute_force(self) -> set[tuple[int, int]]:
        s, (low, high) = self.shapes, self.bounds()
        pairs = set()
        for i, j in itertools.combinations(range(len(s.type)), 2):
            a, b = sorted((s.body[i], s.body[j]))
            if a == b or not (self.dynamic[a] or self.dynamic[b]) or a * len(self.pos) + b in self.excluded:
                continue
            if not (s.mask[i] & s.group[j] and s.mask[j] & s.group[i]) or UNTOUCHABLE in (s.type[i], s.type[j]):
                continue
            if s.type[i] == PLANE or ((low[i] <= high[j]).all() and (low[j] <= high[i]).all()):
                pairs.add((i, j))
        return pairs

    def pairs(self) -> list[tuple[int, int]]:
        n = len(self.shapes.type)
        return [(int(k) // n, int(k) % n) for k in self.work.pair[: self.work.tally[PAIR_TALLY]]]


@pytest.mark.parametrize("seed", range(4))
def test_equals_all_against_all_while_things_move(seed):
    """The tilted plane of shape 0 bounds everything, so it pairs with all that may touch it."""
    crowd = Crowd(60, seed)
    for _ in range(10):
        assert crowd.detect() >= 0
        pairs = crowd.pairs()
        assert pairs == sorted(crowd.brute_force())
        crowd.wander()


@pytest.mark.parametrize("spread", [1.0, 3.0, 1e7])
def test_many_shapes_equal_all_against_all(spread):
    """Many are swept in slabs; a few large shapes reach over many of them, and what lies far out shares the last one."""
    crowd = Crowd(MANY + 44, seed=21)
    crowd.shapes.size[5:9] *= 20.0
    crowd.pos *= spread
    crowd.work = make_work(MANY + 44, 60_000, excluded=crowd.excluded)
    crowd.contacts = make_contacts(60_000)
    for _ in range(3):
        assert crowd.detect() >= 0
        pairs = crowd.pairs()
        assert len(pairs) > 100 and pairs == sorted(crowd.brute_force())
        crowd.wander()


def test_slabs_whose_pairs_do_not_fit_says_how_many_there_are():
    crowd = Crowd(MANY, seed=22)
    crowd.detect(work := make_work(MANY, 60_000, excluded=crowd.excluded), make_contacts(60_000))
    crowd.work = make_work(MANY, 4000, pair_capacity=50, excluded=crowd.excluded)
    assert crowd.detect() == PAIRS_FULL and crowd.work.tally[PAIR_TALLY] == work.tally[PAIR_TALLY] > 50


def test_a_level_plane_leaves_out_what_is_above():
    shapes = make_shapes([PLANE, SPHERE, SPHERE], [[0, 0, 0], [0.5, 0, 0], [0.5, 0, 0]], [2, 0, 1])
    pos, quat = np.array([[0, 0, 0.4], [5, 0, 3.0], [0, 0, 0]]), np.tile([1.0, 0, 0, 0], (3, 1))
    work, contacts = make_work(3, 8), make_contacts(8)
    assert detect(shapes, pos, quat, np.zeros((3, 6)), np.array([1, 1, 0]), DT, MARGIN, work, contacts) == 1
    assert work.tally[PAIR_TALLY] == 1
    assert (contacts.a[0], contacts.b[0], contacts.gap[0]) == (2, 0, pytest.approx(-0.1))


def test_the_past_leaves_no_trace():
    """A sweep with an order grown over many steps, and one from scratch, give the same bits."""
    crowd = Crowd(80, seed=11)
    for _ in range(30):
        crowd.wander()
        count = crowd.detect()
    fresh = make_contacts(4000)
    assert crowd.detect(make_work(80, 4000, excluded=crowd.excluded), fresh) == count > 20
    for name in fresh._fields:
        assert np.array_equal(getattr(fresh, name)[:count], getattr(crowd.contacts, name)[:count])


def test_every_contact_of_every_pair_is_found():
    """The whole crowd gives the same contacts as its pairs, two shapes at a time."""
    crowd = Crowd(40, seed=12)
    count, n, alone = crowd.detect(), 40, []
    for i, j in sorted(crowd.brute_force()):
        fields = crowd.shapes._asdict()
        picked = {name: np.ascontiguousarray(field[[i, j]]) for name, field in fields.items() if len(field)}
        two = crowd.shapes._replace(**picked)
        out = make_contacts(8)
        state = (crowd.pos, crowd.quat, crowd.vel, crowd.dynamic)
        for k in range(detect(two, *state, DT, MARGIN, make_work(2, 8), out)):
            alone.append((i, j, out.gap[k], out.key[k] - 1 * 4096 + (i * n + j) * 4096))
    c = crowd.contacts
    together = list(zip(c.shape_a[:count], c.shape_b[:count], c.gap[:count], c.key[:count]))
    assert together == alone


def test_full_pools_are_told_apart_and_say_what_they_needed():
    crowd = Crowd(60, seed=1)
    count, pairs = crowd.detect(), int(crowd.work.tally[PAIR_TALLY])
    small = make_work(60, 4000, pair_capacity=pairs - 1, excluded=crowd.excluded)
    assert crowd.detect(work=small) == PAIRS_FULL
    assert small.tally[PAIR_TALLY] == pairs
    exact = make_work(60, 4000, pair_capacity=pairs, excluded=crowd.excluded)
    assert crowd.detect(work=exact) == count
    assert crowd.detect(contacts=make_contacts(count - 1)) == CONTACTS_FULL
    assert crowd.work.tally[CONTACT_TALLY] == count
    assert crowd.detect(contacts=make_contacts(count)) == count


def test_nothing_at_all():
    shapes, none = make_shapes([], np.zeros((0, 3)), []), np.zeros((1, 6))
    work, contacts = make_work(0, 0), make_contacts(0)
    assert detect(shapes, none, np.array([[1.0, 0, 0, 0]]), none, np.ones(1, np.int64), DT, MARGIN, work, contacts) == 0


def test_a_state_that_is_not_a_number_ends():
    """Positions gone wrong are for the guard to report; here they only must not hang or write out of bounds."""
    crowd = Crowd(30, seed=3)
    crowd.pos[::2] = np.nan
    crowd.quat[1::3] = np.inf
    assert crowd.detect() >= 0
