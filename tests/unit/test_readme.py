"""The README's code runs and says what the README says."""

import re
from pathlib import Path

import pytest

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    return re.findall(rf"```{language}\n(.*?)```", README, re.S)[0]


def test_python_quick_start(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(block("python"), "README.md", "exec"), {})
    period, tension = re.findall(r"[\d.]+", capsys.readouterr().out)[0], capsys
    # the rope's own weight shortens the period by half a per mille; 10 m pendulum at 3 degrees
    assert float(period) == pytest.approx(6.34, abs=0.03)
    del tension


def test_yaml_quick_start() -> None:
    import taut

    scene = taut.Scene.from_yaml(block("yaml"))
    sim = taut.Simulation(scene)
    sim.run(60)
    assert sim.read("rope.tension[0]") == pytest.approx(1004 * 9.81, rel=0.02)
