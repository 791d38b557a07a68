"""What compiled code may not do, read from its sources."""

import ast

import pytest

from taut.core.jit import PACKAGE, STEP_FOLDERS

FILES = sorted(file for folder in STEP_FOLDERS for file in (PACKAGE / folder).rglob("*.py"))


def _kernels(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            names = [d.func if isinstance(d, ast.Call) else d for d in node.decorator_list]
            if any(isinstance(name, ast.Name) and name.id == "kernel" for name in names):
                yield node


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(PACKAGE).as_posix())
def test_kernels_raise_nothing(file):
    """The status of a compiled call is not looked at."""
    for kernel in _kernels(ast.parse(file.read_text(encoding="utf-8"))):
        found = [node.lineno for node in ast.walk(kernel) if isinstance(node, (ast.Raise, ast.Assert))]
        assert not found, f"{kernel.name} raises at line {found}"


def _counts_from_the_end(node):
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return any(isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.USub) for part in parts)


@pytest.mark.parametrize("file", sorted(PACKAGE.rglob("*.py")), ids=lambda file: file.relative_to(PACKAGE).as_posix())
def test_kernels_have_no_negative_index(file):
    """Elements are found without a look at the sign of an index."""
    for kernel in _kernels(ast.parse(file.read_text(encoding="utf-8"))):
        found = [n.lineno for n in ast.walk(kernel) if isinstance(n, ast.Subscript) and _counts_from_the_end(n)]
        assert not found, f"{kernel.name} counts from the end at line {found}"
