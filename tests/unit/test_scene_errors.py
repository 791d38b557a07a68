"""Every kind of mistake is reported with file, line, place, value and what is allowed, all of them at once."""

from pathlib import Path

import pytest

from taut.scene import Body, Box, Scene, SceneError, Sphere

# bodies that the cases below lean on; the case itself starts in line 7
BEFORE = """\
taut: 1
bodies:
  floor: {kind: static}
  load: {mass: 1, shape: {type: sphere, radius: 0.1}}
  bead: {kind: particle, mass: 1, position: [1, 0, 0]}
  path: {kind: kinematic, motion: {type: pose, times: [0, 1], positions: [[0, 0, 5], [1, 0, 5]]}}
"""


def problems(text: str) -> list[str]:
    with pytest.raises(SceneError) as error:
        Scene.from_yaml(text, "crane.yaml")
    return str(error.value).splitlines()


# what is written, and what must be said: line, place, value, and words on what is allowed
FIELDS = [
    ("dt: 0", "2: dt: 0 - expected a time greater than 0"),
    ("dt: 2 s", "2: dt: '2 s' - expected a time of at most 1 s"),
    ("dt: 3 kg", "2: dt: '3 kg' - expected a time, e.g. 2.5 or '20 ms'; this is a mass"),
    ("dt: .nan", "2: dt: '.nan' - expected a time"),
    ("taut: 2", "expected 1, the version of the format"),
    ("gravty: 9.81", "2: gravty: 9.81 - no such field, did you mean 'gravity'?"),
    ("gravity: [0, 0]", "2: gravity: [0, 0] - expected 3 numbers"),
    ("gravity: 3 kg", "2: gravity: '3 kg' - expected an acceleration, e.g. 9.81 or [0, 0, -9.81]; this is a mass"),
    ("solver: drect", "2: solver.kind: 'drect' - expected 'direct' or 'gauss_seidel'"),
    ("solver: {passes: 0}", "2: solver.passes: 0 - expected auto, or a whole number from 1 to 10"),
    ("solver: {iterations: 2.5}", "2: solver.iterations: 2.5 - expected a whole number from 1 to 100000"),
    ("solver: [1]", "2: solver: [1] - expected fields and their values (known here: kind, "),
    ("materials: {m: {friction: -1}}", "2: materials.m.friction: -1 - expected a plain number of at least 0"),
    ("materials: {m: {restitution: 2}}", "2: materials.m.restitution: 2 - expected a plain number of at most 1"),
    ("wind: {speed: 8, direction: [0, 0, 0]}", "2: wind.direction: [0, 0, 0] - a direction must not be zero"),
    (
        "wind: {gust: {period: 3}}",
        "2: wind.gust.amplitude: missing: largest deviation from the steady speed [m/s], e.g. ",
    ),
    ("view: {ground: maybe}", "2: view.ground: 'maybe' - expected true or false"),
    ("name: [1]", "2: name: [1] - expected text"),
    ("measures: x.y", "2: measures: 'x.y' - expected a list"),
    ("measures: [x.y]", "2: measures[0]: 'x.y' - no element x"),
    ("measures: ['a b']", "2: measures[0]: 'a b' - expected a name such as load.position"),
    ("bodies: [1]", "2: bodies: [1] - expected fields and their values"),
    ("bodies: {b: }", "2: bodies.b: nothing - expected fields and their values (known here: kind, shape, mass"),
    ("bodies: {b: {mass: heavy}}", "2: bodies.b.mass: 'heavy' - expected a mass, e.g. 2.5 or '1.2 t'"),
    ("bodies: {b: {mass: -1}}", "2: bodies.b.mass: -1 - expected a mass greater than 0"),
    ("bodies: {b: {mass: 1e300}}", "2: bodies.b.mass: '1e300' - expected a mass of at most 1e+15 kg"),
    ("bodies: {b: {mas: 1}}", "2: bodies.b.mas: 1 - no such field, did you mean 'mass'?"),
    ("bodies: {b: {kind: solid}}", "'solid' - expected 'dynamic', 'static', 'kinematic' or 'particle'"),
    (
        "bodies: {b: {shape: {type: bx}}}",
        "2: bodies.b.shape.type: 'bx' - no such type, did you mean 'box'? (known here: box, ",
    ),
    ("bodies: {b: {shape: {size: 1}}}", "2: bodies.b.shape.type: missing: what it is, one of box, sphere, "),
    ("bodies: {b: {mass: 1, shape: {type: box}}}", "2: bodies.b.shape.size: missing: full edge lengths"),
    (
        "bodies: {b: {mass: 1, shape: {type: box, size: [1, 2]}}}",
        "bodies.b.shape.size: [1, 2] - expected 3 numbers, each a",
    ),
    ("bodies: {b: {mass: 1, shape: {type: box, size: [1, 2, 0]}}}", "[1, 2, 0] - expected a length greater than 0"),
    (
        "bodies: {b: {shape: {type: mesh, file: a.stl, unit: mm, up: x}}}",
        "bodies.b.shape.up: 'x' - expected 'y' or 'z'",
    ),
    (
        "bodies: {b: {shape: {type: mesh, file: a.stl, up: y}}}",
        "b.shape.unit: missing: the unit of length in which the file",
    ),
    ("bodies: {b: {orientation: [0, 0, 0, 0]}}", "bodies.b.orientation: [0, 0, 0, 0] - a quaternion must not be zero"),
    ("bodies: {b: {orientation: [1, 0, 0]}}", "expected a quaternion [w, x, y, z] or {axis: [0, 0, 1], angle: 30 deg}"),
    ("bodies: {b: {orientation: {axis: [0, 0, 1]}}}", "expected both axis and angle"),
    ("bodies: {b: {orientation: {axis: [0, 0, 0], angle: 1}}}", "a direction must not be zero"),
    ("bodies: {b: {color: red}}", "2: bodies.b.color: 'red' - expected a colour: '#rrggbb'"),
    ("bodies: {b: {inertia: [1, 2]}}", "2: bodies.b.inertia: [1, 2] - expected 3 principal moments or 6 entries"),
    (
        "bodies: {b: {motion: {type: fly}}}",
        "2: bodies.b.motion.type: 'fly' - no such type (known here: pose, velocity, control)",
    ),
]

# the same for mistakes that take two values to see
WHOLES = [
    ("  b c: {kind: static}", "7: bodies.b c: 'b c' - expected a name of letters, digits and _"),
    ("  2b: {kind: static}", "7: bodies.2b: '2b' - expected a name"),
    ("  wind: {kind: static}", "7: bodies.wind: this name is taken by Taut itself, as are contact, dt, energy"),
    ("  load: {kind: static}", "7: bodies.load: written twice, first in line 4"),
    ("  b: {shape: {type: sphere, radius: 1}}", "7: bodies.b.mass: missing: a dynamic body needs a mass"),
    ("  b: {mass: 1}", "7: bodies.b.inertia: missing: without a shape, give 3 moments of inertia"),
    ("  b: {density: 1}", "7: bodies.b.shape: missing: a density needs a shape"),
    (
        "  b: {mass: 1 t, density: 5, shape: {type: sphere, radius: 1}}",
        "b.density: 5 - give the mass or the density, not both",
    ),
    (
        "  b: {density: 1e-9, shape: {type: sphere, radius: 1e-3}}",
        "b.density: '1e-9' - with this density the body weighs 4.1",
    ),
    ("  b: {mass: 1, inertia: [1, 1, 3]}", "7: bodies.b.inertia: [1, 1, 3] - no rigid body has this inertia"),
    ("  b: {mass: 1, inertia: [1, 1, 1, 0, 2, 0]}", "b.inertia: [1, 1, 1, 0, 2, 0] - no rigid body has this inertia"),
    ("  b: {mass: 1, inertia: [0, 0, 0]}", "no rigid body has this inertia"),
    ("  b: {kind: particle}", "7: bodies.b.mass: missing: a particle needs a mass"),
    ("  b: {kind: particle, mass: 1, spin: [1, 0, 0]}", "b.spin: [1, 0, 0] - a particle is a point and has no spin"),
    (
        "  b: {kind: particle, mass: 1, shape: {type: box, size: [1, 1, 1]}}",
        "bodies.b.shape: 'box' - expected a sphere",
    ),
    (
        "  b: {kind: kinematic, shape: {type: plane}}",
        "7: bodies.b.kind: 'kinematic' - expected 'static': a plane is infinite",
    ),
    ("  b: {shape: {type: plane}}", "7: bodies.b.kind: 'dynamic' - expected 'static': a plane is infinite"),
    ("  b: {kind: static, velocity: [1, 0, 0]}", "b.velocity: [1, 0, 0] - a static body does not move"),
    (
        "  b: {kind: static, motion: {type: control}}",
        "b.kind: 'static' - expected 'kinematic': only such a body follows",
    ),
    (
        "  b: {kind: static, material: granite}",
        "7: bodies.b.material: 'granite' - no such material (known: steel, cast_iron",
    ),
    (
        "  b: {kind: static, material: steal}\nmaterials: {steel: {}}",
        "7: bodies.b.material: 'steal' - no such material, did you mean 'steel'? (known: steel, cast_iron",
    ),
    (
        "  b: {kind: kinematic, motion: {type: pose, times: [0, 1, 1], positions: [[0, 0, 0], [0, 0, 1], [0, 0, 0]]}}",
        "b.motion.times[2]: 1 - expected a time later than the one before it, 1 s",
    ),
    (
        "  b: {kind: kinematic, motion: {type: velocity, times: [0, 1], velocities: [[0, 0, 0]]}}",
        "b.motion.velocities: 1 entries, but 2 times; expected as many",
    ),
    ("  b: {kind: kinematic, motion: {type: pose, times: [0], positions: [[0, 0, 0]]}}", "expected at least 2 times"),
    (
        "  b: {kind: kinematic, motion: {type: pose, repeat: true, times: [0, 1], positions: [[0, 0, 0], [0, 0, 1]]}}",
        "b.motion.positions[1]: [0, 0, 1] - to repeat, the last position must be the first",
    ),
    (
        "  b: {kind: kinematic, position: [1, 1, 1], motion: {type: pose, times: [0, 1], positions: [0 0 0, 0 0 1]}}",
        "b.position: [1, 1, 1] - the motion starts at [0.0, 0.0, 0.0]",
    ),
    (
        "  b: {kind: kinematic, velocity: [1, 1, 1], motion: {type: velocity, times: [0], velocities: [[0, 0, 0]]}}",
        "b.velocity: [1, 1, 1] - given by the motion already",
    ),
    (
        "joints: {j: {type: ball, b: lod}}",
        "7: joints.j.b: 'lod' - no such body, did you mean 'load'? (known: floor, load, ",
    ),
    ("joints: {j: {type: ball}}", "7: joints.j.b: missing: second body, or world"),
    ("joints: {j: {b: load}}", "7: joints.j.type: missing: what it is, one of ball, hinge, slider, lock, distance, "),
    ("joints: {j: {type: ball, a: load, b: load}}", "7: joints.j.b: 'load' - expected another body than a"),
    ("joints: {j: {type: ball, b: floor}}", "7: joints.j: no force moves floor (static) or the world: nothing to hold"),
    (
        "joints: {j: {type: ball, a: path, b: floor}}",
        "no force moves path (kinematic) and floor (static): nothing to hold",
    ),
    ("joints: {load: {type: ball, b: load}}", "7: joints.load: this name is taken already, by bodies.load"),
    ("joints: {j: {type: hinge, b: load}}", "7: joints.j.axis: missing: the axis, in the world at the start"),
    ("joints: {j: {type: hinge, b: load, axis: [0, 0, 0]}}", "j.axis: [0, 0, 0] - a direction must not be zero"),
    ("joints: {j: {type: hinge, b: bead, axis: [0, 0, 1]}}", "j.b: 'bead' - a particle has no orientation, so a hinge"),
    (
        "joints: {j: {type: ball, b: bead, at: [0, 0, 0]}}",
        "j.at: [0, 0, 0] - expected [1.0, 0.0, 0.0]: the particle bead can",
    ),
    ("joints: {j: {type: ball, b: load, axis: [0, 0, 1]}}", "7: joints.j.axis: [0, 0, 1] - no such field"),
    ("joints: {j: {type: slider, b: load, axis: [0, 0, 1], motor: {target: 3 rpm}}}", "'3 rpm' - expected a speed"),
    (
        "joints: {j: {type: hinge, b: load, axis: [0, 0, 1], motor: {mode: position, target: 3 m}}}",
        "'3 m' - expected an angle",
    ),
    (
        "joints: {j: {type: hinge, b: load, axis: [0, 0, 1], motor: {stiffness: 3}}}",
        "j.motor.stiffness: 3 - only a motor with mode: position has a stiffness",
    ),
    (
        "joints: {j: {type: hinge, b: load, axis: [0, 0, 1], limits: {lower: 1 deg, upper: -1 deg}}}",
        "j.limits.upper: '-1 deg' - expected more than the lower limit",
    ),
    (
        "joints: {j: {type: slider, b: load, axis: [0, 0, 1], limits: {lower: 10 cm}}}",
        "j.limits.lower: '10 cm' - the joint starts at 0 m; expected no more than that",
    ),
    ("joints: {j: {type: distance, b: load}}", "7: joints.j.point_a: missing: where in the world, as a is no body"),
    (
        "joints: {j: {type: distance, a: load, b: bead, point_b: [2, 0, 0]}}",
        "j.point_b: [2, 0, 0] - expected [1.0, 0.0, 0.0]: the particle bead can be held only where it is",
    ),
    (
        "joints: {j: {type: distance, b: load, point_a: [0, 0, 0]}}",
        "j.point_b: [0.0, 0.0, 0.0] - both points are at the same place",
    ),
    (
        "joints: {j: {type: distance, a: load, b: bead, length: 0.5}}",
        "j.length: 0.5 - the points are 1 m apart at the start; expected that length, or a stiffness",
    ),
    (
        "chains: {c: {start: [0, 0, 0], end: [1, 0, 0], links: 2}}",
        "7: chains.c.mass_per_length: missing: mass of a metre of",
    ),
    (
        "chains: {c: {start: [0, 0, 0], end: [1, 0, 0], links: 0, mass_per_length: 1}}",
        "7: chains.c.links: 0 - expected a whole number from 1 to 200000",
    ),
    (
        "chains: {c: {start: [0, 0, 0], end: [0, 0, 0], links: 2, mass_per_length: 1}}",
        "7: chains.c.end: [0, 0, 0] - expected another place than start",
    ),
    (
        "chains: {c: {start: [0, 0, 0], end: [1, 0, 0], links: 2, mass_per_length: 1, b: lood}}",
        "7: chains.c.b: 'lood' - no such body, did you mean 'load'?",
    ),
    (
        "chains: {c: {start: [0, 0, 0], end: [1, 0, 0], links: 50, mass_per_length: 1, radius: 20 mm}}",
        "7: chains.c.radius: '20 mm' - a link is 0.02 m long and must be longer than thick; expected less than 0.01 m",
    ),
    (
        "chains: {c: {start: [0, 0, 0], end: [1, 0, 0], links: 1, mass_per_length: 1, slack: 0.1}}",
        "7: chains.c.slack: 0.1 - a single link cannot hang in a bow",
    ),
    (
        "chains: {c: {start: [0, 0, 0], end: [1, 0, 0], links: 2, mass_per_length: 1, slack: 0.1, bow: [1, 0, 0]}}",
        "7: chains.c.bow: [1, 0, 0] - expected a direction across the line",
    ),
    (
        "  c_1: {kind: static}\nchains: {c: {start: [0, 0, 0], end: [1, 0, 0], links: 2, mass_per_length: 1}}",
        "8: chains.c: a part of this chain is called c_1, but so is bodies.c_1",
    ),
    (
        "chains:\n"
        + "".join(f"  c{i}: {{start: [0, 0, 0], end: [1, 0, 0], links: 200000, mass_per_length: 1}}\n" for i in (0, 1)),
        "7: chains: 400004 bodies in all, links of chains and segments included; at most 200000 are allowed",
    ),
]

TEXTS = [
    ("bodies:\n\tload: 1", "2: this is not valid YAML", "indent with spaces, not tabs"),
    ("bodies:\n  a: {mass: 1\n", "this is not valid YAML", ""),
    ("a: b: c", "1: this is not valid YAML", "check the indentation"),
    ("measures: [load.position[2]]", "1: this is not valid YAML", "needs quotes"),
    ("- 1\n- 2", "1: [1, 2] - a scene is written as names and values", ""),
    ("just text", "1: 'just text' - a scene is written", ""),
    ("dt: 1\n---\ndt: 1", "2: a second document begins here", ""),
    (
        "name: !!python/name:os.system x",
        "1: name: tags such as tag:yaml.org,2002:python/name:os.system are not used",
        "",
    ),
    ("name: !thing x", "1: name: tags such as !thing are not used in scenes", ""),
    ("name: *x", "1: *x stands for nothing", ""),
    ("name: &x [*x]", "*x stands for nothing", ""),
    ("[1, 2]: 3", "1: expected a name before the colon", ""),
    ("name: \0", "1: a character that text must not hold", ""),
    ("name: x\nview: \ud800", "2: a character that text must not hold", ""),
    ("a: " + "[" * 60, "1: nested deeper than 30 levels", ""),
    ("<<: 3", "'<<' takes over the fields of another element", ""),
    ("#" * 5_000_001, "larger than 5 MB", ""),
]


@pytest.mark.parametrize(("text", "words"), FIELDS, ids=[text[:60] for text, _ in FIELDS])
def test_a_field_that_is_wrong(text: str, words: str) -> None:
    said = problems(f"# first line\n{text}\n")
    assert len(said) == 1, said
    assert said[0].startswith("crane.yaml:2: ") and words in said[0], said[0]


@pytest.mark.parametrize(("text", "words"), WHOLES, ids=[text[:60] for text, _ in WHOLES])
def test_elements_that_do_not_fit(text: str, words: str) -> None:
    said = problems(BEFORE + text + "\n")
    assert len(said) == 1, said
    assert said[0].startswith("crane.yaml:") and words in said[0], said[0]


@pytest.mark.parametrize(("text", "words", "hint"), TEXTS, ids=[repr(text[:30]) for text, _, _ in TEXTS])
def test_texts_that_are_no_scene(text: str, words: str, hint: str) -> None:
    said = "\n".join(problems(text))
    assert said.startswith("crane.yaml") and words in said and hint in said, said


def test_a_million_aliases_are_refused_before_they_cost_memory() -> None:
    laughs = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    laughs += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 30)]
    assert "aliases counted as often as they are used" in problems("\n".join(laughs))[0]


def test_all_mistakes_are_told_at_once() -> None:
    text = """\
dt: never
bodies:
  load:
    mass: heavy
    material: stel
    shape: {type: box, size: [1, 2]}
  post: {kind: static, shape: {type: sphere, radius: 3 kg}}
  energy: {mass: much}
joints:
  pin: {type: hinge, a: lod, b: load}
  rod: {type: ball, a: nobody, b: post}
chains:
  rope: {start: [0, 0, 0], links: 3, mass_per_length: 1, b: lode}
measures: [lode.position]
"""
    places = [line.split(": ")[0] + ":" + line.split(": ")[1] for line in problems(text)]
    assert places == [
        "crane.yaml:1:dt",
        "crane.yaml:4:bodies.load.mass",
        "crane.yaml:5:bodies.load.material",
        "crane.yaml:6:bodies.load.shape.size",
        "crane.yaml:7:bodies.post.shape.radius",
        "crane.yaml:8:bodies.energy.mass",
        "crane.yaml:8:bodies.energy",
        "crane.yaml:10:joints.pin.axis",
        "crane.yaml:10:joints.pin.a",
        "crane.yaml:11:joints.rod.a",
        "crane.yaml:13:chains.rope.end",
        "crane.yaml:13:chains.rope.b",
        "crane.yaml:14:measures[0]",
    ]


def test_a_mistake_brings_no_others_with_it() -> None:
    """What refers to something refused is not blamed for it."""
    assert len(problems("bodies: nothing\njoints: {j: {type: ball, b: load}}\nmeasures: [load.position]")) == 1
    chain = "chains: {c: {start: [0, 0, 0], end: 1, links: 3, mass_per_length: 1}}\n"
    body = "bodies: {load: {mass: 1, inertia: [1, 1, 1]}}\n"
    assert len(problems(chain + body + "joints: {j: {type: ball, a: c_2, b: load}}")) == 1
    assert len(problems("bodies: {b: {kind: kinematc, motion: {type: control}}}")) == 1
    assert len(problems("bodies: {b: {density: 1, shape: {type: sphere}}}")) == 1


def test_names_that_do_not_exist_are_told_beside_refused_fields() -> None:
    """Wherever they stand: in a route, among obstacles, of an exercise, in measures that are no text throughout."""
    text = (
        BEFORE
        + """\
cables:
  hoist:
    obstacles: [floor, flor]
    route:
      - {type: winch, at: [0, 0, 5], axis: [0, 1, 0], radius: 0.2, colour: red, two_block: {block: lode, clearance: 1}}
      - {type: falls, count: 2, lower: lod, upper_at: [0, 0, 5], lower_at: [0, 0, 1], axis: [0, 1, 0], radius: 0.2}
view: {course: {load: laod, gates: none}}
measures: [hoist.tension, loud.position, 5]
"""
    )
    assert [line.split(" - ")[0] for line in problems(text)] == [
        "crane.yaml:9: cables.hoist.obstacles[1]: 'flor'",
        "crane.yaml:11: cables.hoist.route[0].colour: 'red'",
        "crane.yaml:11: cables.hoist.route[0].two_block.block: 'lode'",
        "crane.yaml:12: cables.hoist.route[1].lower: 'lod'",
        "crane.yaml:13: view.course.gates: 'none'",
        "crane.yaml:13: view.course.load: 'laod'",
        "crane.yaml:14: measures[2]: 5",
        "crane.yaml:14: measures[1]: 'loud.position'",
    ]


ENDS = "route: [{type: end, at: [0, 0, 1]}, {type: end, on: load}]"
FOLLOW = [
    f"cables: {{c: {{modulus: 100 GPa, diameter: 5 kg, {ENDS}}}}}",
    f"cables: {{c: {{modulus: 100 GPa, diametr: 5 mm, {ENDS}}}}}",
    f"cables: {{c: {{model: segmented, axial_stiffness: 1, mass_per_length: 1, segmnts: 90, {ENDS}}}}}\nmeasures: [c_80.position]",
    "cables: {c: {model: segmented, axial_stiffness: -1, route: 3}}\njoints: {j: {type: ball, a: c_3, b: load}}",
    "chains: {c: {start: [0, 0, 1], end: [0, 0, 0], links: many, mass_per_length: 1}}\nmeasures: [c_3.position]",
    "  crate: {mass: 1, shape: {type: sphere, radius: 0.1}, gruop: crates}\n  shelf: {kind: static, meets: [crates]}",
]


@pytest.mark.parametrize("text", FOLLOW)
def test_what_only_follows_from_a_refused_field_is_not_told(text: str) -> None:
    assert {line.split(": ")[1].split(".")[-1] for line in problems(BEFORE + text)} <= {
        *("diameter", "diametr", "segmnts", "axial_stiffness", "route", "links", "gruop"),
    }


def test_thousands_of_mistakes_are_cut_short() -> None:
    text = "bodies:\n" + "".join(f"  b{i}: {{mass: x}}\n" for i in range(5000))
    said = problems(text)
    assert len(said) == 51 and said[-1].startswith("... and at least")


def test_a_scene_made_in_python_says_the_same_without_file_and_line() -> None:
    with pytest.raises(SceneError) as error:
        Scene(dt="3 kg", bodies={"load": Body(mass=1), "post": {"mass": "heavy"}})
    assert str(error.value).splitlines() == [
        "dt: '3 kg' - expected a time, e.g. 2.5 or '20 ms'; this is a mass",
        "bodies.post.mass: 'heavy' - expected a mass, e.g. 2.5 or '1.2 t'",
        "bodies.load.inertia: missing: without a shape, give 3 moments of inertia in kg m^2, or use kind: particle",
    ]
    problem = error.value.problems[1]
    assert (problem.path, problem.value, problem.file, problem.line) == ("bodies.post.mass", "'heavy'", "", 0)


def test_a_single_description_made_in_python_is_checked_at_once() -> None:
    with pytest.raises(SceneError, match=r"Box.size: \[1, 2\] - expected 3 numbers"):
        Box(size=(1, 2))  # type: ignore[arg-type]
    with pytest.raises(SceneError, match=r"Sphere.radius: missing: radius \[m\]"):
        Sphere()  # type: ignore[call-arg]


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(SceneError, match=r"none\.yaml: cannot be read: No such file"):
        Scene.load(tmp_path / "none.yaml")
    with pytest.raises(SceneError, match="cannot be read"):
        Scene.load(tmp_path)
    (tmp_path / "latin.yaml").write_bytes("taut: 1\nname: Stra\u00dfe".encode("latin-1"))
    with pytest.raises(SceneError, match=r"latin\.yaml:2: this is no text in UTF-8"):
        Scene.load(tmp_path / "latin.yaml")
    (tmp_path / "bom.yaml").write_bytes("taut: 1\nname: Stra\u00dfe".encode("utf-8-sig"))
    assert Scene.load(tmp_path / "bom.yaml").name == "Stra\u00dfe"
