"""What went wrong, in words, and the exit code that goes with it."""

from __future__ import annotations

#: exit codes: a run, file or check that failed; input that cannot be used; Ctrl-C
FAILED, BAD_INPUT, INTERRUPTED = 1, 2, 130


def explained(error: Exception) -> tuple[str, int] | None:
    """Text and exit code of a failure that a person can do something about; None for any other."""
    if isinstance(error, BrokenPipeError):
        return None  # whoever read our output has gone, and says nothing about us
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        return f"{place}{(error.strerror or str(error)).lower()}", FAILED
    if isinstance(error, MemoryError):
        return "not enough memory", FAILED
    if isinstance(error, ModuleNotFoundError) and not (error.name or "").startswith("taut"):
        return f"the package {error.name!r} is missing; install taut with its requirements", FAILED
    # ours are written to be read; by name, as importing them here would cost as much as the command itself
    kinds = {kind.__name__ for kind in type(error).__mro__ if kind.__module__.startswith("taut.")}
    if kinds & {"SceneError", "UnknownName", "SweepInput"}:
        return str(error), BAD_INPUT
    return (str(error), FAILED) if kinds else None
