"""Random and mutated scene texts, from a seed: what a tired person, a broken disk or a program may hand to the reader.

python tests/robustness/fuzz.py 10000      reads that many and reports what became of them
"""

import copy
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import yaml

BASES = (
    """\
taut: 1
name: pendulum
dt: 1/60 s
duration: 2 s
bodies:
  load:
    shape: {type: sphere, radius: 20 cm}
    mass: 1 t
    position: [0, 0, -1]
    material: steel
joints:
  pivot: {type: ball, b: load, at: [0, 0, 0]}
materials:
  steel: {friction: 0.3, restitution: 0.1}
measures: [load.position, energy.total]
""",
    """\
taut: 1
gravity: [0, 0, -9.81]
solver: {kind: direct, passes: 2, damping_floor: 0.2}
bodies:
  ground: {kind: static, shape: {type: plane}}
  crane:
    kind: kinematic
    shape: {type: box, size: 1 1 0.2 m}
    motion: {type: pose, times: [0, 1 s, 2], positions: [[0, 0, 5], [1, 0, 5], [0, 0, 5]], repeat: true}
  box: &box
    shape: {type: box, size: [20 cm, 0.3, 0.4]}
    density: 2700 kg/m^3
    position: [0, 0, 1]
    orientation: {axis: [0, 1, 0], angle: 10 deg}
    spin: [0, 0, 30 rpm]
  other: {<<: *box, position: [1, 0, 1], color: '#ff8800', drag: 1.1}
  bead: {kind: particle, mass: 20 g, position: 0 0 3 m}
joints:
  swing: {type: hinge, b: box, axis: [0, 1, 0], motor: {target: 3 rpm, force_limit: 2 kN m}, limits: {lower: -1}}
  rope: {type: distance, a: crane, b: bead, rope: true, stiffness: 20 kN/m}
chains:
  chain: {start: [0, 0, 5], end: [0, 1, 5], links: 6, mass_per_length: 0.4 kg/m, a: crane, slack: 0.2, collide: yes}
wind: {speed: 8, direction: [0, 1, 0], gust: {amplitude: 2, period: 6 s}, profile: {exponent: 0.2}}
view: {camera: [5, 5, 3], look_at: [0, 0, 1], ground: true}
""",
    """\
taut: 1
solver: gauss_seidel
bodies:
  a: {mass: 3 kg, inertia: [1, 1, 1.5], velocity: 1 0 0 km/h}
  b: {mass: 3 lb, inertia: '1 1 1.5 0.1 0 0 kg m^2', position: [1, 0, 0]}
  c: {shape: {type: capsule, radius: 1 in, length: 1 ft}, density: 1e3, position: [2, 0, 0]}
  d: {shape: {type: cylinder, radius: 10, length: 3}, mass: 2, position: [30, 0, 0]}
  e: {kind: kinematic, motion: {type: control, acceleration: 2}}
joints:
  ab: {type: slider, a: a, b: b, axis: 1 0 0, motor: {mode: position, target: 10 cm, stiffness: 3e4}}
  bc: {type: point_on_line, a: b, b: c, axis: [1, 0, 0]}
  cd: {type: lock, a: c, b: d, angular_stiffness: 2 kN m/rad, damping_time: 20 ms}
""",
)

# fmt: off
JUNK: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2, 7, 0.5, -0.0, 1e9, 1e-30, 1e300, 10**25,
    "", " ", "x", "heavy", "world", "wind", "box", "load", "a", "é", "\u200b", "9" * 400,
    "3 kg", "3 m", "12 mm", "1/0", "1/60 s", "3 deg", "nan", "inf", "-.inf", ".nan", "1e999", "1 2 3", "[1, 2] m",
    "1 2 3 m", "m", "3 m^9", "3 m/", "3 **", "{}", "[]", "*a", "&a", "!!python/name:os.system", "<<",
    [], {}, [1], [1, 2, 3], [0, 0, 0], [1, 2, 3, 4], [0, 0, 0, 0], ["1 m", 2, "x"], [[1, 2, 3]], [None] * 3,
    [True, 1, 2], {"type": "box"}, {"type": "plane"}, {"type": "mesh", "file": "none.stl", "unit": "mm", "up": "y"},
    {"axis": [0, 0, 1]}, {"axis": [0, 0, 0], "angle": 1}, {"type": ["box"]}, {"type": {"a": 1}}, {"type": None},
    {"a": {"b": {"c": 1}}}, {1: 2},
)
# fmt: on
PUNCTUATION = "{}[]:,-#&*!|>'\"%@`?\n\n  \t\0\x07\x85\ufeff\ud800~<=.0123456789eEabcxyz_"


def _junk(rng: random.Random) -> Any:
    # a copy, as later changes may reach into it
    return copy.deepcopy(rng.choice(JUNK))


def scene_texts(count: int, seed: int = 0) -> Iterator[str]:
    """So many texts; the same ones for the same seed."""
    for i in range(count):
        yield scene_text(random.Random(f"{seed}-{i}"))


def scene_text(rng: random.Random) -> str:
    """One text: sound, slightly wrong, or not YAML at all."""
    make: Callable[[random.Random], str] = rng.choices(
        (_mutated_data, _mutated_text, _random_scene, _noise), weights=(5, 4, 4, 1)
    )[0]
    return make(rng)


def _mutated_data(rng: random.Random) -> str:
    """A good scene with some values replaced, removed, renamed or moved."""
    data = yaml.safe_load(rng.choice(BASES))
    for _ in range(rng.choice((0, 1, 1, 1, 2, 3, 8))):
        _mutate(data, rng)
    return _dump(data)


def _mutate(data: Any, rng: random.Random) -> None:
    holder, key = rng.choice(list(_places(data)) or [({}, "")])
    action = rng.randrange(6)
    if action == 0 and isinstance(holder, dict):
        holder.pop(key, None)
    elif action == 1 and isinstance(holder, dict):
        holder[_slip(str(key), rng)] = holder.pop(key, None)
    elif action == 2 and isinstance(holder, dict):
        other, other_key = rng.choice(list(_places(data)) or [({}, "")])
        # a copy by way of text: a value that contains itself is no data
        holder[key] = yaml.safe_load(_dump(other[other_key])) if other else None
    elif action == 3 and isinstance(holder[key], int | float) and not isinstance(holder[key], bool):
        holder[key] = holder[key] * rng.choice((-1, 0, 10, 1e-3, 1e6, 1e12, 1e40))
    else:
        holder[key] = _junk(rng)


def _places(data: Any) -> Iterator[tuple[Any, Any]]:
    items = list(data.items()) if isinstance(data, dict) else list(enumerate(data)) if isinstance(data, list) else []
    for key, value in items:
        yield data, key
        yield from _places(value)


def _slip(word: str, rng: random.Random) -> str:
    """A slip of the keyboard."""
    if not word:
        return "x"
    i = rng.randrange(len(word))
    return rng.choice((word[:i] + word[i + 1 :], word[:i] + word[i] + word[i:], word.upper(), word + "s", f"{word} 2"))


def _mutated_text(rng: random.Random) -> str:
    """A good scene with characters or lines broken."""
    text = rng.choice(BASES)
    for _ in range(rng.choice((1, 1, 2, 4, 20))):
        i = rng.randrange(len(text) + 1)
        j = min(len(text), i + rng.choice((1, 1, 2, 10, 60)))
        lines = text.split("\n")
        k = rng.randrange(len(lines))
        text = rng.choice(
            (
                text[:i] + text[j:],
                text[:i] + rng.choice(PUNCTUATION) + text[i:],
                text[:i] + text[i:j] + text[i:],
                text[:i],
                "\n".join([*lines[:k], *lines[k : k + 1], *lines[k:]]),
                "\n".join([*lines[:k], " " + lines[k], *lines[k + 1 :]]),
                "\n".join([*lines[:k], *lines[k + 1 :]]),
                "\n".join([*lines[:k], lines[k].lstrip(), *lines[k + 1 :]]),
                text[:i] + str(rng.choice(JUNK)) + text[j:],
            )
        )
    return text


def _noise(rng: random.Random) -> str:
    """No scene at all."""
    count = rng.choice((0, 1, 5, 50, 500))
    kind = rng.randrange(4)
    if kind == 0:
        return "".join(rng.choice(PUNCTUATION) for _ in range(count))
    if kind == 1:
        return "".join(chr(rng.choice((rng.randrange(256), rng.randrange(0x11000)))) for _ in range(count))
    if kind == 2:
        return rng.choice("[{-") * rng.choice((3, 40, 2000))
    return _dump(_junk(rng))


def _random_scene(rng: random.Random) -> str:
    """A scene from the grammar, mostly sound, with odd but allowed values, and here and there a bad one."""
    bad = rng.choice((0.0, 0.0, 0.02, 0.1))

    def maybe(value: Any) -> Any:
        return _junk(rng) if rng.random() < bad else value

    def number(low: float = -3.0, high: float = 3.0) -> Any:
        return maybe(round(rng.uniform(low, high), 3))

    def size() -> Any:
        return maybe(10.0 ** rng.uniform(-3, 1))

    def vector() -> Any:
        return maybe([number() for _ in range(3)])

    def shape() -> Any:
        return maybe(
            rng.choice(
                (
                    {"type": "box", "size": [size(), size(), size()]},
                    {"type": "sphere", "radius": size()},
                    {"type": "capsule", "radius": size(), "length": size()},
                    {"type": "cylinder", "radius": size(), "length": size()},
                )
            )
        )

    def body() -> Any:
        kind = rng.choice(("dynamic", "dynamic", "dynamic", "static", "kinematic", "particle"))
        data: dict[str, Any] = {"kind": maybe(kind), "position": vector()}
        if kind == "particle":
            return data | {"mass": size()}
        data |= {"shape": shape(), "orientation": maybe([number(0.1, 1), number(), number(), number()])}
        if kind == "dynamic":
            data |= rng.choice(({"mass": maybe(10.0 ** rng.uniform(-6, 9))}, {"density": maybe(rng.uniform(1, 20000))}))
            data |= {"velocity": vector(), "spin": vector(), "collide": maybe(rng.random() < 0.5)}
        if kind == "kinematic" and rng.random() < 0.5:
            data["motion"] = {"type": "velocity", "times": [0, maybe(1), 2], "velocities": [vector() for _ in range(3)]}
        return data

    plain = {f"b{i}": body() for i in range(rng.choice((0, 1, 2, 3, 8)))}
    bodies = {name: maybe(data) for name, data in plain.items()}
    solid = [name for name, data in plain.items() if data["kind"] == "dynamic"]

    def joint(b: str) -> Any:
        kind = rng.choice(("ball", "hinge", "slider", "lock", "distance", "point_on_line"))
        others = [name for name in ("world", *solid) if name != b]
        data: dict[str, Any] = {"type": kind, "a": maybe(rng.choice(others)), "b": maybe(b)}
        if kind in ("hinge", "slider", "point_on_line"):
            data["axis"] = vector()
        if kind in ("hinge", "slider") and rng.random() < 0.4:
            data["motor"] = {"target": number(), "force_limit": maybe(10.0 ** rng.uniform(0, 6))}
        if kind in ("hinge", "slider") and rng.random() < 0.4:
            data["limits"] = {"lower": number(-3, 0), "upper": number(0, 3)}
        if kind == "distance":
            data |= {"point_a": vector(), "rope": maybe(rng.random() < 0.5)}
        if rng.random() < 0.4:
            data |= {"stiffness": maybe(10.0 ** rng.uniform(1, 14)), "damping_time": maybe(rng.choice((0, 0.01, 1)))}
        return data

    def chain() -> Any:
        return {
            "start": vector(),
            "end": vector(),
            "links": maybe(rng.choice((1, 2, 5, 20))),
            "mass_per_length": size(),
            "a": maybe(rng.choice(["world", *solid])),
            "b": maybe(rng.choice([None, "world", *solid])),
            "slack": maybe(rng.choice((0, 0, 0.1, 3))),
        }

    data = {
        "taut": 1,
        "dt": maybe(rng.choice((1 / 60, "1/60 s", 1e-3, 0.1))),
        "gravity": maybe(rng.choice((9.81, 0, [1, 0, -3]))),
        "bodies": maybe(bodies),
        "joints": maybe({f"j_{b}": maybe(joint(b)) for b in solid if rng.random() < 0.7}),
        "chains": maybe({f"c{i}": maybe(chain()) for i in range(rng.choice((0, 0, 1, 2)))}),
        "solver": maybe({"kind": rng.choice(("direct", "gauss_seidel")), "passes": rng.choice(("auto", 1, 2))}),
        "wind": maybe(rng.choice((None, {"speed": 10, "direction": [1, 1, 0]}))),
    }
    return _dump(data)


def _dump(data: Any) -> str:
    return yaml.safe_dump(data, allow_unicode=True, sort_keys=False)


def main(count: int) -> None:
    from taut.scene import Scene, SceneError

    seen: Counter[str] = Counter()
    slowest = 0.0
    for text in scene_texts(count):
        begun = time.perf_counter()
        try:
            Scene.from_yaml(text, "fuzz.yaml")
            seen["sound"] += 1
        except SceneError as error:
            seen["refused"] += 1
            seen["mistakes"] += len(error.problems)
        slowest = max(slowest, time.perf_counter() - begun)
    print(dict(seen), f"slowest {slowest:.3f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
