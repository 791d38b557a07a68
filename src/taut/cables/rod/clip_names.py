"""What clips are called: by the name that a route gives them, else by their number along the list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from taut.scene.problems import Problem, item, shown

#: longest name of a clip, in characters: it stands in tables and beside rings
LONGEST = 60


def clip_name(clip: Any, place: int) -> str:
    """What a clip is called whose place in the list of its cable is counted from 0."""
    given = item(clip, "name") if isinstance(clip, Mapping) else None
    return f"clip {place + 1}" if given is None or not isinstance(given, str | int | float) else str(given)


def clip_names(clips: Sequence[Any] | None) -> list[str]:
    """What the clips of a cable are called, in the order of the list."""
    return [clip_name(clip, k) for k, clip in enumerate(clips or ())]


def unfit_name(name: str) -> str:
    """Why something cannot be called so, in words; empty where it can."""
    if not name.strip():
        return "a name must not be empty"
    if name != name.strip() or not name.isprintable():
        return "a name is one line of text, without blanks around it"
    if "/" in name:
        return "a name must not hold a /"
    return f"a name has at most {LONGEST} characters" if len(name) > LONGEST else ""


def called_twice(place: tuple[Any, ...], clips: Any) -> Iterator[Problem]:
    """Clips of a cable that are called like one before: which one is meant could not be told. place: of the cable."""
    known: dict[str, int] = {}
    for k, name in enumerate(clip_names(clips) if isinstance(clips, list) else ()):
        if name in known:
            written, other = item(clips[k], "name"), known[name]
            told = isinstance(written, str | int | float)
            words = f"clip {other + 1} of this cable is called so too; give each another name"
            if not told:
                words = f"has no name and would be called '{name}', as clip {other + 1} is; give it a name"
            yield Problem(
                words,
                (*place, "clips", k, "name") if told else (*place, "clips", k),
                shown(written) if told else "",
            )
        known.setdefault(name, k)
