"""For mkdocs: a page that nobody has put into the list of mkdocs.yml is shown at its end all the same, and never lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def named(nav: Any) -> set[str]:
    """Files of a list of pages, however deep."""
    if isinstance(nav, str):
        return {nav}
    parts = nav.values() if isinstance(nav, dict) else nav
    return set().union(*(named(part) for part in parts)) if parts else set()


def on_config(config: Any) -> Any:
    """Called by mkdocs when it has read its settings."""
    folder = Path(config["docs_dir"])
    files = {str(file.relative_to(folder).as_posix()) for file in folder.rglob("*.md")}
    left = sorted(files - named(config["nav"]))
    if left:
        config["nav"] = [*config["nav"], {"More": left}]
    return config
