"""Draw the pictures of the gallery: python tools/pictures.py [SCENE ...]. Needs a Chromium; takes a minute for each."""

from __future__ import annotations

import sys

from PIL import Image

from taut.scenes import catalogue, open_scene
from taut.view.door import STATIC
from taut.view.framing import closer, seen_points
from taut.view.gallery import PICTURES
from taut.view.live import LivePlayer
from taut.view.render import Camera

SIZE, SHOWN = (960, 600), (480, 300)
#: how long a scene runs before its picture is taken, and what is driven meanwhile [s]
USUAL = 2.0
MOMENTS = {
    "drum_winding": 6.0,
    "knot": 6.0,
    "pile": 1.8,
    "stack": 1.0,
    "tumbling_box": 0.5,
    "pendulum": 0.6,
    "heavy_pendulum": 0.2,
    "fishing_rod": 1.2,
}
DRIVEN = {
    "gantry": (7.0, {"left.speed": 0.8, "right.speed": 0.8, "travel.speed": 0.2}),
    "tower_crane": (6.0, {"hoist.speed": 1.5}),
    "mobile_crane": (5.0, {"hoist.speed": 0.5}),
    "block_and_tackle": (3.0, {"two.speed": 0.5, "four.speed": 0.5, "eight.speed": 0.5}),
}


def main(names: list[str]) -> None:
    """Draw all scenes of the library, or some."""
    folder = STATIC / PICTURES
    folder.mkdir(exist_ok=True)
    for name in names or list(catalogue()):
        seconds, controls = DRIVEN.get(name, (MOMENTS.get(name, USUAL), {}))
        player = LivePlayer(open_scene(name))
        for control, value in controls.items():
            player.set_control(control, value)
        player.advance(round(seconds / player.dt))
        with Camera(player.scene, SIZE) as camera:
            frame = player.frame("", False)
            camera.look(*closer(*camera.pose, seen_points(player.scene, frame), SIZE[0] / SIZE[1]))
            picture = Image.fromarray(camera.still(frame))
        file = folder / f"{name}.jpg"
        picture.resize(SHOWN, Image.Resampling.LANCZOS).save(file, quality=80, optimize=True)
        print(f"{file.name}: {file.stat().st_size} bytes", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
