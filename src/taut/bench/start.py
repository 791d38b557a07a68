"""The first impression: from the command to its help, to the page, to the first motion; with cold and warm cache.

Everything runs in fresh processes. Cold is an empty cache of compiled code, warm the same cache the second time. The
other scenes begin with the cache that the first scene has filled, as they do for a person who looks around, unless the
long form is asked for.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from taut.bench.display import Display
from taut.bench.processes import Child, ChildError, free_port
from taut.scenes import library

#: what `make run` shows
FIRST_SCENE = "gantry"
WARM_REPEATS = 5
HELP_REPEATS = 3
#: targets [s]
PAGE_UP, COLD_MOTION, WARM_MOTION = 3.0, 25.0, 2.0

FIRST_STEP = """
import sys, taut
taut.Simulation(sys.argv[1]).run(1)
print("moved", flush=True)
"""
#: what `taut view` does, and a word when the first step is on the page
PAGE = """
import sys, time
from taut.view import Page
page = Page(sys.argv[1], port=int(sys.argv[2]))
page.start()
while not (page.runner and page.runner.frame and page.runner.frame.step):
    page.wait(0.005)
print("moved", flush=True)
"""


def run(
    display: Display, first: str = FIRST_SCENE, scenes: Sequence[str] | None = None, long: bool = False
) -> dict[str, Any]:
    """Measure, show, and hand back the numbers. `long`: every scene with an empty cache."""
    chosen = list(library()) if scenes is None else list(scenes)
    with display.progress("taut --help") as progress:
        found: dict[str, Any] = {"help": min(_help() for _ in range(HELP_REPEATS)), "scene": first}
        progress(f"page of {first}, cold")
        with _cache() as cache:
            found["page_cold"] = _page(first, cache)
            progress(f"page of {first}, warm")
            warm = [_page(first, cache) for _ in range(WARM_REPEATS)]
            found["page_warm"] = min(warm, key=lambda page: page["motion"])
            found["page_warm_all"] = [page["motion"] for page in warm]
            found["view_up"] = _view_up(first, cache)
            found["scenes"], found["long"] = {}, long
            for name in chosen:
                progress(f"first step of {name}")
                with _cache() if long else nullcontext(cache) as used:
                    found["scenes"][name] = {"first": _first_step(name, used), "warm": _first_step(name, used)}
    _show(display, found)
    return found


@contextmanager
def _cache() -> Iterator[Path]:
    """An empty cache of compiled code."""
    with tempfile.TemporaryDirectory(prefix="taut-bench-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def _help() -> float:
    """Time of `taut --help` [s]."""
    with Child("-m", "taut.cli", "--help") as child:
        return child.until_end()


def _view_up(scene: str, cache: Path) -> float:
    """Time from `taut view` until the page is served [s]."""
    port = free_port()
    with Child("-m", "taut.cli", "view", scene, "--no-open", "--port", str(port), cache=cache) as child:
        return child.until_answer(port)


def _page(scene: str, cache: Path) -> dict[str, float]:
    """Times until the page is served, and until something has moved on it [s]."""
    port = free_port()
    with Child("-c", PAGE, scene, str(port), cache=cache) as child:
        return {"up": child.until_answer(port), "motion": child.until_line("moved")}


def _first_step(scene: str, cache: Path) -> float | None:
    """Time from the start of Python until the first step is made [s]; None when it cannot be made."""
    with Child("-c", FIRST_STEP, scene, cache=cache) as child:
        try:
            return child.until_line("moved")
        except ChildError:
            return None


def _show(display: Display, found: dict[str, Any]) -> None:
    cold, warm = found["page_cold"], found["page_warm"]
    rows = [
        ("taut --help", found["help"], None),
        (f"taut view {found['scene']}: page up", found["view_up"], PAGE_UP),
        ("page up, cold cache", cold["up"], PAGE_UP),
        ("first motion on the page, cold cache", cold["motion"], COLD_MOTION),
        (f"first motion on the page, warm cache, best of {WARM_REPEATS}", warm["motion"], WARM_MOTION),
    ]
    display.table(
        "from the command, in a fresh process",
        ("", "time [s]", "target [s]", ""),
        [
            (
                label, f"{seconds:.2f}", "" if target is None else f"{target:g}",
                "" if target is None else "reached" if seconds <= target else "missed",
            )
            for label, seconds, target in rows
        ],
    )  # fmt: skip
    if found["scenes"]:
        display.table(
            "from the start of Python to the first step",
            ("scene", "cold [s]" if found["long"] else f"first time after {found['scene']} [s]", "warm [s]"),
            [(name, *map(_seconds, times.values())) for name, times in found["scenes"].items()],
        )


def _seconds(value: float | None) -> str:
    return "failed" if value is None else f"{value:.2f}"
