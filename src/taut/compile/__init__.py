"""Scene to arrays."""

from taut.compile.carry import carry_over
from taut.compile.choices import MODELS, SEGMENTED
from taut.compile.choosing import LOOK, wanted
from taut.compile.rearranging import cut, rearrange
from taut.compile.remodelling import remodelled
from taut.compile.slides import handed_over
from taut.compile.switching import switched
from taut.compile.system import Compiled, compile_scene, make_work

__all__ = [
    "LOOK",
    "MODELS",
    "SEGMENTED",
    "Compiled",
    "carry_over",
    "compile_scene",
    "cut",
    "handed_over",
    "make_work",
    "rearrange",
    "remodelled",
    "switched",
    "wanted",
]
