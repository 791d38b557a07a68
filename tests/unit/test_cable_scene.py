"""Mistakes in a cable: one message each, with the part, the number and what is allowed."""

from __future__ import annotations

import pytest

import taut
from taut import Simulation
from taut.cli.inspection import hints
from taut.scene import Body, Cable, End, Falls, Scene, SceneError, Sheave, Winch

# the route starts in line 7
BEFORE = """\
taut: 1
bodies:
  load: {mass: 100, shape: {type: box, size: [1, 1, 1]}, position: [0, 0, -5]}
cables:
  hoist:
    route:
"""
END = "{type: end, on: load}"
TOP = "{type: end}"
SIDE = "{type: end, at: [-2, 0, 0]}"


def wheel(kind: str = "sheave", **fields: object) -> str:
    given = {"at": "[0, 0, 0]", "axis": "[0, 1, 0]", "radius": 0.2, **fields}
    return "{" + ", ".join([f"type: {kind}", *(f"{key}: {value}" for key, value in given.items())]) + "}"


def falls(**fields: object) -> str:
    given = {"count": 2, "lower": "load", "upper_at": "[0, 0, 0]", "lower_at": "[0, 0, -4]", **fields}
    return (
        "{"
        + ", ".join(["type: falls", "axis: [0, 1, 0]", "radius: 0.2", *(f"{k}: {v}" for k, v in given.items())])
        + "}"
    )


def messages(*route: str, **cable: object) -> list[str]:
    """What is said of a route; the file is read and the rope laid."""
    text = (
        BEFORE + "".join(f"      - {part}\n" for part in route) + "".join(f"    {k}: {v}\n" for k, v in cable.items())
    )
    with pytest.raises(SceneError) as error:
        taut.Simulation(Scene.from_yaml(text, "crane.yaml"))
    return str(error.value).splitlines()


# parts, fields of the cable, and what must be said: place, value, and words with the number
MISTAKES = {
    "negative radius": ([TOP, wheel(radius=-0.2), END], {}, "8: cables.hoist.route[1].radius: -0.2 - expected a length greater than 0"),
    "negative drum": ([wheel("winch", radius="-20 cm"), END], {}, "7: cables.hoist.route[0].radius: '-20 cm' - expected a length greater than 0"),
    "no axis": ([TOP, wheel(axis="[0, 0, 0]"), END], {}, "8: cables.hoist.route[1].axis: [0, 0, 0] - a direction must not be zero"),
    "winch on nothing": ([wheel("winch", on="crab"), END], {}, "7: cables.hoist.route[0].on: 'crab' - no such body (known: load, world)"),
    "falls on nothing": ([wheel("winch"), falls(lower="hook")], {}, "8: cables.hoist.route[1].lower: 'hook' - no such body"),
    "winch in the middle": ([TOP, wheel("winch"), END], {}, "8: cables.hoist.route[1].type: 'winch' - a winch can only be the first or the last"),
    "end in the middle": ([TOP, SIDE, END], {}, "8: cables.hoist.route[1].type: 'end' - an end can only be the first or the last"),
    "begins on a sheave": ([wheel(), END], {}, "7: cables.hoist.route[0].type: 'sheave' - a rope cannot begin or end on a sheave"),
    "ends in a ring": ([TOP, "{type: ring, on: load}"], {}, "8: cables.hoist.route[1].type: 'ring' - a rope cannot begin or end on a ring"),
    "falls before the end": ([wheel("winch"), falls(), END], {}, "8: cables.hoist.route[1].type: 'falls' - falls tie off the rope"),
    "one part": ([END], {}, "6: cables.hoist.route: a route needs at least two parts"),
    "no such part": (["{type: pulley}", END], {}, "7: cables.hoist.route[0].type: 'pulley' - no such type (known here: end, ring, sheave"),
    "two ends on one point": (["{type: end, at: [0, 0, -5]}", END], {}, "cables.hoist.route[1].at: it is at the same place as the part before, (0, 0, -5) m"),
    "both ends on one body": ([END, END], {}, "cables.hoist.route[1].at: it is at the same place as the part before, (0, 0, -5) m"),
    "inside a wheel": (
        ["{type: end, at: [0.1, 0, 0]}", wheel(name="top"), END], {},
        "cables.hoist.route[1].at: top: it is 0.1 m from the part before, less than their radii 0 m and 0.2 m need",
    ),
    "wheels that overlap": (
        [SIDE, wheel(turn="left"), wheel(at="[0.3, 0, 0]", turn="left"), END], {},
        "cables.hoist.route[2].at: it is 0.3 m from the part before, less than their radii 0.2 m and 0.2 m need",
    ),
    "falls without height": (
        [wheel("winch", at="[0, 0, 2]"), falls(count=3, lower_at="[0, 0, -0.1]")], {},
        "cables.hoist.route[1].lower_at: sheave 2 of the falls: it is 0.1 m from the part before",
    ),
    "straight through": (
        ["{type: end, at: [0, 0, 5]}", wheel(name="top"), END], {},
        "cables.hoist.route[1].turn: auto - top: the route runs straight through this wheel at (0, 0, 0) m",
    ),
    "out of the groove": (
        ["{type: end, at: [-2, 3, 0]}", wheel(name="top"), END], {},
        "cables.hoist.route[1].axis: top: the rope would run at 56.4 degrees to its groove; at most 15 degrees",
    ),
    "too short": (
        [TOP, END], {"length": "3 m", "axial_stiffness": "1 MN"},
        "cables.hoist.length: 3 - the rope is 3 m long, but its path takes 5 m: 66.7 % of stretch (a tension of 6.67e+05 N)",
    ),
    "too short and rigid": ([TOP, END], {"length": "4.9 m"}, "cables.hoist.length: 4.9 - the rope is 4.9 m long, but its path takes 5 m: 2.0 % of stretch"),
    "length and tension": ([TOP, END], {"length": "5 m", "tension": "1 kN", "axial_stiffness": "1 MN"}, "10: cables.hoist.tension: '1 kN' - give the length or the tension"),
    "tension of a rigid rope": ([TOP, END], {"tension": "1 kN"}, "9: cables.hoist.tension: a rigid rope has no length that gives this tension"),
    "modulus without diameter": ([TOP, END], {"modulus": "1 GPa"}, "9: cables.hoist.modulus: '1 GPa' - a modulus needs the diameter"),
    "limits crossed": ([wheel("winch", upper_limit=5, lower_limit=4), END], {}, "7: cables.hoist.route[0].upper_limit: 5 - expected less rope out than at the lower limit, 4 m"),
    "curve falls back": (
        [wheel("winch", curve="[{speed: 1, force: 3}, {speed: 0.5, force: 4}]"), END], {},
        "7: cables.hoist.route[0].curve: speeds of a torque-speed curve must rise",
    ),
    "force and curve": ([wheel("winch", force=5, curve="[{speed: 1, force: 3}]"), END], {}, "7: cables.hoist.route[0].force: 5 - give the force or a curve, not both"),
    "half of the layers": ([wheel("winch", layer_turns=4), END], {}, "7: cables.hoist.route[0].layer_turns: layers need both layer_turns and layer_rise"),
    "bollard without friction": ([SIDE, wheel(fixed="true"), END], {}, "8: cables.hoist.route[1].friction: a wheel that does not turn needs the friction"),
    "efficiency above one": ([SIDE, wheel(efficiency=1.2), END], {}, "8: cables.hoist.route[1].efficiency: 1.2 - expected a plain number of at most 1"),
}  # fmt: skip


@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_is_one_message(case):
    route, cable, expected = MISTAKES[case]
    told = messages(*route, **cable)
    assert len(told) == 1, told
    assert expected in told[0]


def test_mistakes_come_together():
    told = messages(wheel("winch", on="crab"), wheel("winch"), END, modulus="1 GPa")
    assert len(told) == 3
    assert "'crab'" in told[0] and "a winch can only" in told[1] and "a modulus needs" in told[2]
    told = messages("{type: end, at: [0.1, 0, 0]}", wheel(), wheel(at="[0.3, 0, -0.1]"), END)
    assert [line.split(": ")[0] for line in told] == ["cables.hoist.route[1].at", "cables.hoist.route[2].at"]


def laid(rope: Cable) -> taut.Simulation:
    bodies = {"load": Body(kind="particle", mass=100.0, position=(0.2, 0, -5))}
    return taut.Simulation(Scene(bodies=bodies, cables={"hoist": rope}))


def test_the_length_is_as_laid_or_as_given():
    top = Winch(at=(0, 0, 0), axis=(0, 1, 0), radius=0.2, turn="left")
    route = (top, End(on="load"))
    assert laid(Cable(route=route)).read("hoist.rope_out") == pytest.approx(5.0, abs=1e-12)
    sim = laid(Cable(route=route, tension=1000.0, axial_stiffness=1e5))
    assert sim.read("hoist.rope_out") == pytest.approx(5.0 / 1.01, abs=1e-12)
    sim = laid(Cable(route=route, length=5.5))
    sim.run(1)
    assert sim.read("hoist.rope_out") == pytest.approx(5.5) and sim.read("hoist.tension") == 0.0


def test_falls_whose_line_comes_from_aside_are_told():
    """The part before falls is their first upper wheel: a winch on the ground leads its line up to the lower block from below."""
    above, ground = wheel("winch"), wheel("winch", at="[3, 0, -6]")
    lead = wheel("sheave", at="[0.4, 0, 0]")
    for route, told in (([above, falls()], False), ([ground, falls()], True), ([ground, lead, falls()], False)):
        text = BEFORE + "".join(f"      - {part}\n" for part in route) + "    axial_stiffness: 1 MN\n"
        said = [one for one in hints(Simulation(Scene.from_yaml(text))) if "first upper wheel" in one]
        assert len(said) == told, (route, said)
        assert all("the winch at route[0]" in one for one in said)


def test_falls_become_sheaves_and_an_end():
    for count, ends_on in ((1, "load"), (2, "world"), (5, "load"), (8, "world")):
        line = Falls(
            count=count, lower="load", upper_at=(0, 0, 0), lower_at=(0, 0, -9), axis=(0, 1, 0), radius=0.2, spacing=0.1
        )
        parts = Cable(route=(End(at=(0.2, 0, 1)), line)).parts()[1:]
        sheaves = [part for part in parts if isinstance(part, Sheave)]
        assert len(sheaves) == count - 1 and isinstance(parts[-1], End) and parts[-1].on == ends_on
        # down and up in turn, each block in the middle of its sheaves
        assert [part.on for part in sheaves] == [("load", "world")[k % 2] for k in range(count - 1)]
        for block in ("load", "world"):
            places = [part.at[1] for part in sheaves if part.on == block]
            assert sum(places) == pytest.approx(0.0) and len(set(places)) == len(places)


def test_a_rope_of_the_catalogue_resists_twist_on_request():
    choice = {"construction": "6x36WS-IWRC", "diameter": 0.022, "grade": 1960}
    route = [{"type": "end"}, {"type": "end", "at": (0, 0, -5)}]
    plain, twisted = (taut.Cable(route=route, rope=choice, twist=twist) for twist in (False, True))
    assert plain.torsion() == (None, 0.0)
    assert twisted.torsion() == (twisted.rope.data().torsional_stiffness, twisted.rope.data().lay_torque)
    assert taut.Cable(route=route, rope=choice, twist=True, torsional_stiffness=7.0).torsion() == (7.0, 0.0)
