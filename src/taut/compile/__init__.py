"""Scene to arrays."""

from taut.compile.system import Compiled, compile_scene, make_work

__all__ = ["Compiled", "compile_scene", "make_work"]
