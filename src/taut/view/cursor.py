"""The cursor: what was clicked is marked, read out and plotted."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import numpy as np
import viser

from taut.compile import frames
from taut.scene import Scene
from taut.view import solids
from taut.view.axes import Scale, number
from taut.view.bounds import extent
from taut.view.colours import as_bytes, from_hex
from taut.view.curves import STRAIGHT, curvatures
from taut.view.frame import Frame
from taut.view.mirror import Mirror
from taut.view.pick import Picked, Picker
from taut.view.readout import fixed, metres, newtons, places, span
from taut.view.shades import pull_along
from taut.view.shares import safety

COLOUR = from_hex("#ffb000")
#: a centre of mass that lies so far from the centre is told [m]
APART = 1e-3
#: what is plotted of a body and of a rope, the first that there is
OF_BODY, OF_ROPE = ("{}.speed", "{}.position[2]"), ("{}.tensions[0]", "{}.tension[0]", "{}.tension")


class Cursor:
    """A mark on a rope or a body that follows it. Clicks come in from the server's threads, the rest from the pusher's. `now` tells
    the scene with what was changed of it since it was opened."""

    def __init__(
        self, server: viser.ViserServer, scene: Scene, mirror: Mirror, now: Callable[[], Scene] | None = None
    ) -> None:
        self._now = now or (lambda: scene)
        self.picker = Picker(scene, mirror)
        self.picked: Picked | None = None
        self._api = server.scene
        self._radius = 0.007 * extent(scene.all_bodies())
        self._mark: viser.MeshHandle | None = None
        self._marks: Picked | None = None
        self.marked: Callable[[viser.MeshHandle, Picked], None] | None = None
        """Hears of every new mark, and of what it marks."""
        self._label: viser.LabelHandle | None = None
        self._scale = Scale("N")
        self._links = {
            link: (name, k) for name, chain in scene.chains.items() for k, link in enumerate(chain.link_names(name))
        }
        self._counts = {name: chain.links for name, chain in scene.chains.items()}

    def click(self, origin: tuple[float, ...], way: tuple[float, ...], frame: Frame) -> Picked | None:
        """A ray of a click; what it hits, if anything. A click beside everything takes the mark away."""
        picked = self.picked = self.picker.at(np.asarray(origin, float), np.asarray(way, float), frame)
        return picked

    def show(self, frame: Frame) -> None:
        """Bring the mark to where the picked point is now."""
        picked = self.picked
        if picked is not self._marks and self._mark is not None:
            self._mark.remove()
            self._mark = self._label = None
        self._marks = picked
        if picked is None:
            return
        point = self.picker.follow(picked, frame)
        if self._mark is None:
            solid = solids.ball(self._radius)
            self._mark = self._api.add_mesh_simple(
                "/cursor", solid.vertices, solid.faces, color=as_bytes(COLOUR), cast_shadow=False, position=point
            )
            self._label = self._api.add_label(
                "/cursor/label", "", position=(0.0, 0.0, 2.5 * self._radius), depth_test=False
            )
            if self.marked is not None:
                self.marked(self._mark, picked)
        self._mark.position = point

    def write(self, frame: Frame) -> str:
        """The label of the mark, and the same as a line for the panel."""
        # what is marked, not what is picked: a click may take that away meanwhile
        marked, label = self._marks, self._label
        if marked is None or label is None:
            return ""
        text = self._reading(marked, frame)
        label.text = f"{marked.name}: {text}"
        if marked.kind == "body":
            return places(marked.name, self._of_link(marked.name, frame), self.places(marked, frame))
        return f"<b>{escape(marked.name)}</b> {escape(text)}"

    def can_be_pulled(self, frame: Frame) -> bool:
        """Whether what is marked can be pulled; where nothing is: whether anything can."""
        return self.picker.pulls if self._marks is None else self.picker.grip(self._marks, frame) is not None

    def places(self, picked: Picked, frame: Frame) -> dict[str, np.ndarray]:
        """Points of a picked body: where it was clicked, its centre, and its centre of mass where that lies elsewhere [m]."""
        centre, way = self.picker.pose(picked, frame)
        found = {"clicked at": self.picker.follow(picked, frame), "centre": centre}
        body = self._now().all_bodies().get(picked.name)
        if body is not None and body.kind == "dynamic":
            arm = np.asarray(body.mass_properties().centre, float)
            if np.linalg.norm(arm) > APART:
                found["centre of mass"] = centre + frames.rotate(way, arm)
        return found

    def _reading(self, picked: Picked, frame: Frame) -> str:
        if picked.kind == "body":
            # the label stands over the picture, and is short
            link, centre = self._of_link(picked.name, frame), self.picker.pose(picked, frame)[0]
            return f"{link}{', ' if link else ''}centre at {', '.join(fixed(part, 2) for part in centre)} m"
        rope, where = frame.cables.get(picked.name), self.picker._mirror.cables.span_of(picked.name, picked.piece)
        if rope is not None and rope.spans is not None and where is not None and where < len(rope.spans):
            told = safety(self._now(), picked.name, float(max(rope.spans[where][:2])))
            return ", ".join(text for text in (span(rope.spans[where]), told) if text)
        pull, words = self.pull(picked, frame), []
        if pull is not None:
            self._scale.fit(np.array([pull]))
            words.append(f"{number(pull / self._scale.size)} {self._scale.text}")
            words += [told] if (told := safety(self._now(), picked.name, pull)) else []
        here, smallest = self.bend(picked, frame)
        if here is not None:
            words.append(f"bend radius {metres(here)}")
        if smallest is not None and (here is None or smallest < 0.98 * here):
            words.append(f"smallest bend radius {metres(smallest)}")
        if rope is not None and rope.twist is not None:
            words.append(f"twist {fixed(np.degrees(rope.twist), 1)}°")
        return ", ".join(words)

    def _of_link(self, body: str, frame: Frame) -> str:
        """What a link of a chain carries; nothing for other bodies."""
        if body not in self._links:
            return ""
        chain, k = self._links[body]
        pull = pull_along(frame.cables.get(chain), self._counts[chain])[k]
        return "" if np.isnan(pull) else newtons(float(pull))

    def bend(self, picked: Picked, frame: Frame) -> tuple[float | None, float | None]:
        """Radius to which a rope is bent at the picked point and where it is bent most [m]; None where it is straight."""
        line = self.picker.curve(picked.name, frame)
        if line is None:
            return self.picker.wheels(picked)
        share = self.picker.share(picked, frame)
        bent = curvatures(line)
        if not len(bent):
            return None, None
        here = float(np.interp(share * (len(line) - 1), np.arange(1, len(line) - 1), bent))
        most = float(bent.max())
        return (1.0 / here if here > STRAIGHT else None), (1.0 / most if most > STRAIGHT else None)

    def pull(self, picked: Picked, frame: Frame) -> float | None:
        """Tension of a rope at the picked point [N]; None where it is not known."""
        rope = frame.cables.get(picked.name)
        if rope is None or not len(rope.tension):
            return None
        names, _, _ = self.picker.lines(frame)
        mine = [k for k, name in enumerate(names) if name == picked.name]
        if rope.course_tension is not None:
            # the pieces of its course come last; before them those of its spans, which have no length
            course = mine[-len(rope.course_tension) :]
            return float(rope.course_tension[course.index(picked.piece)]) if picked.piece in course else None
        where = self.picker._mirror.cables.span_of(picked.name, picked.piece)
        if where is None:
            # a segmented cable knows its tension at every joint: at the one that is plotted, too
            return float(rope.tension[self._number(picked, frame)])
        return float(np.broadcast_to(rope.tension, max(where + 1, len(rope.tension)))[where])

    def quantity(self, picked: Picked, frame: Frame, unit_of: Callable[[str], str | None]) -> str:
        """What to plot of a picked thing, of a rope its tension there; empty if there is nothing. `unit_of` knows what there is."""
        forms = OF_BODY if picked.kind == "body" else (f"{{}}.tensions[{self._number(picked, frame)}]", *OF_ROPE)
        names = (form.format(picked.name) for form in forms)
        return next((name for name in names if unit_of(name) is not None), "")

    def _number(self, picked: Picked, frame: Frame) -> int:
        """Which of the tensions of a rope is that of the picked point: of its span, or of the nearest of its segments."""
        rope, where = frame.cables.get(picked.name), self.picker._mirror.cables.span_of(picked.name, picked.piece)
        if where is not None or rope is None or rope.course_tension is not None or not len(rope.tension):
            return where or 0
        return round(self.picker.share(picked, frame) * (len(rope.tension) - 1))
