"""How numba compiles kernels, in less than half of its usual time.

- A kernel that other kernels call is taken no further than LLVM's intermediate code. The stage that calls it links what
  it needs, each kernel once, and only then is all of it optimised and made into machine code. numba would do both at
  every level of calls.
- Passes for closures, list comprehensions, array expressions and the like are left out: kernels have none of these.
- What `a * b` means for two floats is looked up once, not at every place; and the like (taut.core.short_ways).

None of this changes an operation of the code that comes out, or their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import llvmlite.ir as ir
import numba
from numba._dynfunc import make_function
from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, Flags, PassManager, compile_extra
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import register_pass
from numba.core.registry import cpu_target
from numba.core.typed_passes import (
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.untyped_passes import (
    DeadBranchPrune,
    FixupArgs,
    GenericRewrites,
    IRProcessing,
    ReconstructSSA,
    RewriteSemanticConstants,
    TranslateByteCode,
)
from numba.np import linalg

from taut.core.jit import folders_of, kept_at
from taut.core.locks import held
from taut.core.objects import ObjectCode
from taut.core.short_ways import short_ways

#: every stage is f(context, h, extra)
STAGE = types.int64(types.int64, types.float64, types.float64)


def _import_without_blas() -> None:
    """Import numba's array functions without scipy's linear algebra, a quarter of a second that no kernel needs.

    numba asks for it here only to know whether it is there, and again where a function is compiled that uses it.
    """
    ensure_blas = linalg.ensure_blas
    if find_spec("scipy") is not None:
        linalg.ensure_blas = lambda: None
    try:
        arraymath = import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = ensure_blas
    arraymath.ensure_blas = ensure_blas


_import_without_blas()


class CalleeLibrary(JITCodeLibrary):
    """Intermediate code of one kernel, without that of the kernels it calls and without machine code."""

    def finalize(self) -> None:
        """Nothing more can be added."""
        self._raise_if_finalized()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """There is no machine code."""
        return 0

    def needed(self) -> list[Any]:
        """This library and those of all that it calls, directly or not, each once."""
        return list(dict.fromkeys([self, *self._linking_libraries]))


@register_pass(mutates_CFG=True, analysis_only=False)
class CalleeLowering(NativeLowering):
    """Lower a kernel to intermediate code that its callers link."""

    _name = "taut_callee_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower, and tell the target how the kernel is called."""
        state.library = CalleeLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        described = state.cr.fndesc
        # numba tells callees apart by such an object; it is never called
        handle = make_function(described.lookup_module(), described.qualname, "", 0, state.cr.env, (state.library,))
        state.targetctx.insert_user_function(handle, described, state.library.needed())
        state.cr = state.cr._replace(cfunc=handle)
        return True


class CompleteLibrary(JITCodeLibrary):
    """Code of a kernel and of all that it calls."""

    def _optimize_final_module(self) -> None:
        self._link_what_is_missing(self._final_module)
        super()._optimize_final_module()

    def _link_what_is_missing(self, module: Any) -> None:
        """Link once more what is called but not there. The linker leaves out what nobody calls yet, and kernels are linked in the
        order in which numba met them: where a branch that called one was dropped, another that needs it may come later."""
        libraries = dict.fromkeys(self._linking_libraries)
        while missing := {
            each.name for each in module.functions if each.is_declaration and each.name.startswith("_ZN")
        }:
            found = False
            for library in libraries:
                code = library._get_module_for_linking()
                if any(each.name in missing for each in code.functions if not each.is_declaration):
                    module.link_in(code, preserve=True)
                    found = True
            if not found:
                return


@register_pass(mutates_CFG=True, analysis_only=False)
class EntryLowering(NativeLowering):
    """Lower what is called by address or from Python."""

    _name = "taut_entry_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower, with all callees linked."""
        state.library = CompleteLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return bool(super().run_pass(state))


class StageLibrary(CompleteLibrary):
    """Code of a stage and of all that it calls. Only its entry can be seen from outside: what other objects call alike
    is not mixed up with its own, and what is not called is left out."""

    entry = ""

    def _optimize_final_module(self) -> None:
        module = self._final_module
        self._link_what_is_missing(module)
        for each in (*module.functions, *module.global_variables):
            if not each.is_declaration and each.name != self.entry:
                each.linkage = "internal"
        # once: numba's first round is for references, of which there are none
        manager, builder = self._codegen._module_pass_manager()
        manager.run(module, builder)


@register_pass(mutates_CFG=True, analysis_only=False)
class BareCalleeLowering(CalleeLowering):
    """Lower a kernel that a stage calls. Nothing in a stage owns memory, so references are not counted."""

    _name = "taut_bare_callee_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower without references."""
        state.targetctx.enable_nrt = False
        return super().run_pass(state)


@register_pass(mutates_CFG=True, analysis_only=False)
class StageLowering(NativeLowering):
    """Lower a stage to intermediate code, its callees linked; machine code is made by `compile_stage`."""

    _name = "taut_stage_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower without references."""
        state.targetctx.enable_nrt = False
        state.flags.no_compile = True
        state.library = StageLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return bool(super().run_pass(state))


class _KernelCompiler(CompilerBase):
    lowering: type[NativeLowering]

    def compile_extra(self, func: Any) -> Any:
        """Compile a function."""
        with short_ways():
            return super().compile_extra(func)

    def define_pipelines(self) -> list[PassManager]:
        """The one pipeline."""
        passes = PassManager("kernel")
        for each in (
            TranslateByteCode, FixupArgs, IRProcessing, RewriteSemanticConstants, DeadBranchPrune, GenericRewrites,
            ReconstructSSA, DeadBranchPrune, NopythonTypeInference, PreLowerStripPhis, IRLegalization, self.lowering,
            NoPythonBackend,
        ):  # fmt: skip
            passes.add_pass(each, each.__name__)
        passes.finalize()
        return [passes]


class CalleeCompiler(_KernelCompiler):
    """Compiles a kernel for the kernels that call it."""

    lowering = CalleeLowering


class BareCalleeCompiler(_KernelCompiler):
    """Compiles a kernel for stages."""

    lowering = BareCalleeLowering


class EntryCompiler(_KernelCompiler):
    """Compiles what is called by address or from Python."""

    lowering = EntryLowering


class StageCompiler(_KernelCompiler):
    """Compiles a stage."""

    lowering = StageLowering


_stages_at_work = 0


@contextmanager
def _for_stages() -> Iterator[None]:
    """While a stage is compiled (numba lets one thread compile at a time), kernels give it their code for stages."""
    global _stages_at_work
    _stages_at_work += 1
    try:
        yield
    finally:
        _stages_at_work -= 1


@global_compiler_lock
def compile_stage(function: Callable[..., int], symbol: str) -> ObjectCode:
    """Machine code of a stage that needs no interpreter; its entry, a plain C function, is to be called `symbol`."""
    flags = Flags()
    flags.error_model, flags.nrt = "numpy", True
    flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    context = cpu_target.target_context
    with _for_stages():
        made = compile_extra(
            cpu_target.typing_context, context, function, STAGE.args, STAGE.return_type, flags, {},
            pipeline_class=StageCompiler,
        )  # fmt: skip
    made.library.entry = symbol
    _add_entry(context, made.library, made.fndesc, symbol)
    made.library.finalize()
    declared = [each.name for each in made.library._final_module.functions if each.is_declaration]
    needs = tuple(sorted(name for name in declared if not name.startswith("llvm.")))
    if absent := [name for name in needs if name.startswith("_ZN4taut")]:
        raise TypeError(f"{function.__name__} calls {', '.join(absent)}, which was not linked")
    if memory := [name for name in needs if name.startswith("NRT_")]:
        raise TypeError(f"{function.__name__} takes memory ({', '.join(memory)}), which a stage must not")
    return ObjectCode(symbol, needs, made.library._get_compiled_object())


def _add_entry(context: Any, library: Any, described: Any, symbol: str) -> None:
    """A C function that calls a compiled one."""
    module = context.create_module("entry")
    types_of = described.restype, described.argtypes
    native = ir.Function(module, context.call_conv.get_function_type(*types_of), described.llvm_func_name)
    plain = ir.FunctionType(
        context.get_value_type(described.restype), [context.get_value_type(each) for each in described.argtypes]
    )
    entry = ir.Function(module, plain, symbol)
    builder = ir.IRBuilder(entry.append_basic_block("entry"))
    # kernels raise nothing (a test reads their sources), so there is no status to look at
    _, result = context.call_conv.call_function(builder, native, *types_of, entry.args)
    builder.ret(result)
    library.add_ir_module(module)


def dispatcher_of(body: Callable[..., Any], entry: bool, fused: bool, inlined: bool) -> Any:
    """What Python calls, and what other kernels compile in.

    Compiled callers get a twin without Python wrappers or a cache file of its own (its caller's file holds its code),
    compiled once for plain types: numba would compile f(x, 0) and f(x, 1) apart, and `table(state, BODY_POS)` anew for
    every field. Both together halve the cold start.
    """
    kept = kept_at(folders_of(body.__module__))
    if kept is not None:
        numba.config.CACHE_DIR = str(kept)
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": {"contract"} if fused else False}
    outer: Any = numba.njit(cache=kept is not None, pipeline_class=EntryCompiler, **options)(body)

    compile_outer = outer.compile

    def compile_once(signature: Any) -> Any:
        with held(None if kept is None else kept / "locks" / f"{body.__module__}.{body.__qualname__}"):
            return compile_outer(signature)  # looks in the cache first

    outer.compile = compile_once

    @cache
    def inner(for_stages: bool) -> Any:
        return numba.njit(
            no_cpython_wrapper=True,
            no_cfunc_wrapper=True,
            pipeline_class=BareCalleeCompiler if for_stages else CalleeCompiler,
            forceinline=inlined,
            **options,
        )(body)

    def called() -> Any:
        return inner(_stages_at_work > 0)

    if not entry:
        outer.get_call_template = lambda args, kws: called().get_call_template([types.unliteral(a) for a in args], kws)
        outer.get_overload = lambda signature: called().get_overload(signature)
    return outer


_intrinsics: list[Any] = []  # numba keeps weak references only


def intrinsic_type(define: Callable[..., Any]) -> Any:
    """The type of an intrinsic for numba."""
    made = numba.extending.intrinsic(define)
    _intrinsics.append(made)
    context = cpu_target.typing_context
    context.refresh()
    return context.resolve_value_type(made)
