"""Draw the figures of the pages of models: python tools/figures.py [NAME ...]. Takes a minute or two.

Curves are those of `taut validate`, ours and theory in one plot; pictures of scenes are those of the gallery (tools/pictures.py).
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from taut.validate import Lab, checks_of
from taut.validate.report import picture

ROOT = Path(__file__).resolve().parents[1]
FOLDER, GALLERY = ROOT / "docs" / "figures", ROOT / "src" / "taut" / "view" / "static" / "scenes"
#: file -> set of checks, check, title of its plot
CURVES = {
    "massless_relift": ("massless", "relift", "Landing, slack, re-lift, c_s = 1e6 N/m"),
    "massless_layers": ("massless", "drum_layers", "Drum with layers"),
    "segmented_catenary": ("segmented", "catenary", "Catenary, 40 segments"),
    "segmented_price": ("segmented", "chain_modes", "Price of geometric stiffness at 1/60 s"),
    "segmented_pendulum": ("segmented", "elastic_pendulum", "Elastic pendulum"),
    "layered_decay": ("layered", "decay", "Paper 2, Fig. 8: energy of the hook's bounce, waves damped by 0.1 1/s"),
    "layered_lift": ("layered", "lift_delay", "Paper 2, Fig. 9: the hook leaves the floor late"),
    "auto_tension": ("segmented", "moored", "Tension of a line that is a rope while it is taut, and segmented while it is slack"),
    "honeycomb_threshold": ("honeycomb", "figure_9", "Landing of the printed scheme (paper 4, Fig. 9)"),
    "contact_capstan": ("contact", "capstan", "A segmented rope hauled over a post"),
    "wrapping_peg": ("wrapping", "interrupted_pendulum", "A pendulum that meets a peg, five seconds"),
    "rod_clamped": ("rod", "clamped", "Rod between clamps, w L^3/EI = 102"),
    "rod_phone_cord": ("rod", "phone_cord", "Paper 3, Fig. 6: rest curvature of 60/L"),
}  # fmt: skip
SCENES = (
    "block_and_tackle", "four_leg_sling", "mooring", "pile", "rope_heap", "robot_hose", "snag", "tower_crane",
)  # fmt: skip


def main(names: list[str]) -> None:
    """Draw all of them, or some."""
    FOLDER.mkdir(exist_ok=True)
    for scene in SCENES:
        shutil.copyfile(GALLERY / f"{scene}.jpg", FOLDER / f"{scene}.jpg")
    for name in names or list(CURVES):
        which, check, title = CURVES[name]
        lab = Lab()
        made = next(one for one in checks_of(which) if one.__name__ == check)
        failed = [item.id for item in made(lab) if item.passed is False]
        if failed:
            sys.exit(f"{name}: not drawn, {', '.join(failed)} failed")
        (FOLDER / f"{name}.png").write_bytes(picture(next(plot for plot in lab.plots if plot.title == title)))
        print(name, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
