"""Stores a whole run of the benchmarks, entry by entry, where the pages take their numbers from.

    taut bench --json all.json && python tools/keep.py all.json && python tools/measured.py

Each file has date, machine and versions of the run, as `taut bench NAME --json` writes them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

BENCH = Path(__file__).resolve().parents[1] / "docs" / "data" / "bench"


def main(files: list[str]) -> int:
    """Split every file; the exit code."""
    for file in files:
        whole = json.loads(Path(file).read_text(encoding="utf-8"))
        for name, entry in whole["entries"].items():
            one = json.dumps({**whole, "entries": {name: entry}}, indent=2, ensure_ascii=False)
            (BENCH / f"{name}.json").write_text(one + "\n", encoding="utf-8")
            print(f"{name}.json")
    return 0 if files else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
