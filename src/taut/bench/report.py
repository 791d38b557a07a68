"""The file of numbers: where and when they were measured, with what, and the numbers of each entry."""

from __future__ import annotations

import json
import math
import os
import platform
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from taut import __version__

#: what decides a time, besides the machine; peers that are not installed are left out
PACKAGES = (
    "numpy", "scipy", "numba", "llvmlite", "mujoco", "exudyn", "pyelastica", "newton", "pybullet", "cosseratbench",
)  # fmt: skip


def begin() -> dict[str, Any]:
    """A report without entries."""
    return {
        "taut": __version__,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine(),
        "versions": versions(),
        "entries": {},
    }


def machine() -> dict[str, Any]:
    """Processor, cores, system, and how busy it was with other things when the run began."""
    load = getattr(os, "getloadavg", None)
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "load_average": load()[0] if load else None,
    }


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def versions() -> dict[str, str]:
    """Versions of Python and of the packages that matter."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def write(report: dict[str, Any], path: Path) -> None:
    """Write it, whole or not at all."""
    part = path.with_name(path.name + ".part")
    part.write_text(json.dumps(plain(report), indent=2, allow_nan=False) + "\n", encoding="utf-8")
    part.replace(path)


def plain(value: Any) -> Any:
    """Numbers, texts, lists and mappings only; what is not finite becomes null."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, bool | str | int | None):
        return value
    number = float(value)
    return number if math.isfinite(number) else None
