"""Mistakes of a file in the page: each told once, with few names."""

from pathlib import Path

import pytest

from taut.scene import Scene, SceneError
from taut.scenes import open_scene
from taut.view import mistakes

TWICE = """taut: 1
bodies:
  a: {mass: 1 t, shape: {type: box, size: [1, 1, 1]}, position: [0, 0, -5]}
cables:
  left:
    axial_stiffness: 1 MN
    route:
      - &winch {type: winch, at: [0, 0, 0], axis: [0, 1, 0], radius: 0.3, brak: 60 kN}
      - {type: end, on: a, at: [0, 0, -4.5]}
  right:
    axial_stiffness: 1 MN
    diametr: 3
    route:
      - {<<: *winch, at: [3, 0, 0]}
      - {type: end, on: b, at: [3, 0, -4.5]}
"""


def test_a_line_that_two_cables_share_is_told_once_with_the_nearest_names(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(TWICE)
    with pytest.raises(SceneError) as found:
        open_scene(file)
    lines = mistakes.told(found.value).splitlines()
    assert len(found.value.problems) == len(lines) + 1
    shared = next(line for line in lines if "brak" in line)
    assert ":8: cables.(left, right).route[0].brak: '60 kN' - no such field, did you mean 'brake'?" in shared
    assert "brake, " in shared and shared.endswith("more)") and len(shared) < 250, shared
    assert "(known here: diameter, " in next(line for line in lines if "diametr" in line)
    assert mistakes.summary(found.value, "mine.yaml") == f"{len(lines)} mistakes in mine.yaml, see the panel."
    assert mistakes.summary(ValueError("x"), "mine.yaml") == "A mistake in mine.yaml, see the panel."


def test_mistakes_that_only_look_alike_are_told_one_by_one() -> None:
    with pytest.raises(SceneError) as found:
        Scene.from_yaml("taut: 1\nbodies:\n  a: {mas: 1}\n  b: {mas: 1}\n")
    assert [line.split(": ")[1] for line in mistakes.told(found.value).splitlines() if "mas:" in line] == [
        "bodies.a.mas",
        "bodies.b.mas",
    ]
    assert mistakes.told(ValueError("as it is")) == "as it is"
