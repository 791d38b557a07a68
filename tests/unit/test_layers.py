"""Imports go one way: core <- scene, cables, contact <- compile <- step <- measure <- record, view, ... <- cli."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "taut"

#: each layer may import those before it
LAYERS = [
    {"core"},
    {"scene"},
    {"contact", "cables"},
    {"compile"},
    {"step"},
    {"measure"},
    {"simulation", "scenes", "lifting"},
    {"record", "view", "validate", "bench", "sweep", "soak"},
    {"gym", "serve", "exchange"},
    {"cli"},
]
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}


def part_of(module: str) -> str | None:
    parts = module.split(".")
    return parts[1] if parts[0] == "taut" and len(parts) > 1 else None


def imports_of(file: Path) -> set[str]:
    """Modules imported when `file` is loaded; those inside functions are imported later, on purpose."""
    found: set[str] = set()
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


@pytest.mark.parametrize("file", sorted(PACKAGE.rglob("*.py")), ids=lambda file: str(file.relative_to(PACKAGE)))
def test_imports_go_one_way(file: Path) -> None:
    here = file.relative_to(PACKAGE).parts[0].removesuffix(".py")
    if here in ("__init__", "__main__"):
        return
    for module in imports_of(file):
        there = part_of(module)
        if there is None or there == here:
            continue
        assert RANK[there] <= RANK[here], f"{here} must not import {module}"


def test_import_needs_neither_page_nor_plots() -> None:
    import subprocess
    import sys

    code = (
        "import sys, taut; taut.Scene; taut.Simulation; print([m for m in ('viser', 'matplotlib') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
