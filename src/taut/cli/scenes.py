"""taut scenes: what is in the library."""

from __future__ import annotations


def scenes() -> None:
    """List the library scenes, routes among them."""
    from taut.cli.terminal import print_table
    from taut.scenes import about, catalogue

    print_table(("scene", "what it shows"), [(name, about(path)["sentence"]) for name, path in catalogue().items()])
