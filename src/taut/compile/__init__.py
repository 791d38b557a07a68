"""Scene to arrays."""

from taut.compile.carry import carry_over
from taut.compile.rearranging import cut, rearrange
from taut.compile.system import Compiled, compile_scene, make_work

__all__ = ["Compiled", "carry_over", "compile_scene", "cut", "make_work", "rearrange"]
