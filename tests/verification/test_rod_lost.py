"""Rods that slip off what lifts them, and find no equilibrium nearby: forces stay those of a hose, and the energy is accounted for."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from taut import Simulation
from taut.scenes import open_scene

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "harness.md"
LIFTED = ("housing.kind=kinematic", "housing.velocity=[0, 0, 0.02]")
CABLES = ("trunk", "lead_a", "lead_b")


@pytest.fixture
def lifted(tmp_path: Path) -> Simulation:
    """The harness of the page, its housing lifted into it."""
    blocks = re.findall(r"```yaml\n(# my_harness\.yaml.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    file = tmp_path / "my_harness.yaml"
    file.write_text(blocks[0], encoding="utf-8")
    return Simulation(open_scene(str(file), LIFTED))


def test_a_harness_that_slips_off_a_part_keeps_its_forces_and_its_account(lifted: Simulation) -> None:
    """A branch of some milligrams is carried up on a box, slides to its edge and off it.

    While it lies on the box the hoses push with about a newton. Where a hose goes round the edge next to its end, with a lever of its
    own thickness, a bend of a millimetre is some twenty newtons: fifty is beyond what any of them could do. It used to be tens of kilonewtons.
    What is left over is compared with what went through the account: the work of the housing. A step in which the push rises tenfold
    is not linear, and some hundredths of that are its error; it used to be kilojoules.
    """
    worst, left, energies = 0.0, 0.0, []
    for _ in range(300):
        lifted.step()
        worst = max(worst, float(np.abs(lifted.state.rod_end[:, [0, 1, 2, 6, 7, 8]]).max()))
        worst = max(worst, *(float(np.linalg.norm(lifted.read(f"{name}.contact_on_housing"))) for name in CABLES))
        left = max(left, abs(float(lifted.read("energy.remainder"))))
        energies.append(float(lifted.read("energy.mechanical")))
    assert worst < 50.0
    assert left < 0.1 * float(lifted.read("energy.kinematic"))
    assert lifted.read("energy.joint_loss") > 0.0
    # stored are the bent hoses and their weight, and never more than the housing has brought
    assert max(energies) < energies[0] + lifted.read("energy.kinematic")
    # few, and it is found again: at the end it lies on the housing
    assert sum(lifted.read(f"{name}.unsolved") for name in CABLES) <= 10
    assert np.linalg.norm(lifted.read("fork.velocity")) < 0.1


def test_a_step_begun_anew_goes_on_to_the_bit_after_restore(lifted: Simulation) -> None:
    """All that a step is begun anew from is in the state."""
    lifted.run(223)
    kept, anew, ends = lifted.snapshot(), 0, []
    for _ in range(2):
        lifted.restore(kept)
        for _ in range(6):
            lifted.step()
            anew += int(lifted.work.rod_lost.max())
        ends.append(lifted.snapshot().floats)
    assert anew > 0
    assert np.array_equal(*ends)
