"""Around the scene: sky, light, ground, camera, and the look of the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import viser

from taut.scene import Plane, Scene
from taut.view.bounds import bounds
from taut.view.colours import BRAND, CELL, GROUND, SECTION, Colour, as_bytes, shaded
from taut.view.eye import look
from taut.view.reach import points_of
from taut.view.sky import dome

if TYPE_CHECKING:
    from taut.view.first_look import FirstLook

FIELD_OF_VIEW = np.radians(45.0)
#: what is seen at least from side to side [rad]
NARROWEST = np.radians(52.0)
#: the sun stands over the left shoulder
SUN_FROM = (-8.0, -5.0, 12.0)
SUN, SKY_LIGHT, GROUND_LIGHT = (255, 244, 229), (222, 234, 248), (158, 150, 140)
#: x^2 + y^2 of the turn of a floor that still counts as level
LEVEL = 1e-6
#: light of the lines of a floor that has a colour, fine and coarse, beside it: no sun falls on them
LINED = (1.12, 1.06)
#: from where a camera looks that was given no place: right, front, above
ASIDE = np.array([0.55, -1.0, 0.38])


def dress(server: viser.ViserServer) -> None:
    """Colours and layout of the page, before anything is known of the scene."""
    server.gui.configure_theme(brand_color=BRAND, show_logo=False, show_share_button=False, control_width="medium")
    server.gui.main_panel.dock_right()
    server.gui.main_panel.set_width(380)
    server.scene.world_axes.visible = False
    if server.initial_camera.fov != FIELD_OF_VIEW:
        # once, before there are browsers: it goes to all of them, also to those that were fitted
        server.initial_camera.fov = FIELD_OF_VIEW


def set_up(server: viser.ViserServer, scene: Scene, keep_camera: bool = False) -> None:
    """Sky, light, ground and camera for a scene; cameras that look at it already may keep their place."""
    low, high = bounds(scene.all_bodies(), points_of(scene))
    size = float(np.linalg.norm(high - low))
    server.scene.add_glb("/sky", dome(_dome_radius(size)), cast_shadow=False, receive_shadow=False)
    _light(server)
    _ground(server, scene, size)
    position, target = camera(scene, low, high)
    start = server.initial_camera
    start.near, start.far = 0.01 * max(size, 0.5), max(1000.0, 100.0 * size)
    start.position, start.look_at = position, target
    for client in () if keep_camera else server.get_clients().values():
        # a page that was open before the scene was read
        look(client.camera, position, target)


def field(aspect: float) -> float:
    """Of view from top to bottom, in a window of that width over height [rad]."""
    return max(float(FIELD_OF_VIEW), 2.0 * float(np.arctan(np.tan(NARROWEST / 2.0) / aspect)))


def fit(client: viser.ClientHandle, first: Callable[[], FirstLook | None] = lambda: None) -> None:
    """Let a narrow browser see as much from side to side as others do, also when its window, or what the panel leaves of it,
    changes. `first`: from where it looks at what is shown now, as long as nobody moves its camera."""
    fitted = 0.0

    def follow(camera: viser.CameraHandle) -> None:
        nonlocal fitted
        aspect, look = float(camera.aspect), first()
        if look is not None and look.overtaken(client):
            look.place(client)
        if abs(aspect - fitted) > 0.01 * aspect:
            if look is not None and (fitted == 0.0 or look.stands(client)):
                look.place(client)
            fitted = aspect
            camera.fov = field(aspect)

    follow(client.camera)
    client.camera.on_update(follow)


def _dome_radius(size: float) -> float:
    """Of the sky [m]: far beyond the scene, but within the kilometre that a camera without orders sees."""
    return max(min(max(300.0, 20.0 * size), 900.0), 3.0 * size)


def _light(server: viser.ViserServer) -> None:
    """A sun that casts shadows, and the sky and the ground lighting what it does not reach."""
    server.scene.configure_default_lights(False)
    server.scene.configure_environment_map(None)
    server.scene.add_light_directional("/light/sun", color=SUN, intensity=3.2, cast_shadow=True, position=SUN_FROM)
    server.scene.add_light_hemisphere("/light/sky", sky_color=SKY_LIGHT, ground_color=GROUND_LIGHT, intensity=1.3)


def camera(scene: Scene, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where the camera stands and looks: as the scene says, or so that all of it is seen [m]."""
    view = scene.view
    target = np.asarray(view.look_at) if view.look_at is not None else 0.5 * (low + high)
    if view.camera is not None:
        return np.asarray(view.camera), target
    radius = max(0.5 * float(np.linalg.norm(high - low)), 0.05)
    distance = 1.15 * radius / np.sin(0.5 * FIELD_OF_VIEW)
    return target + distance * ASIDE / np.linalg.norm(ASIDE), target


def heading(scene: Scene) -> float:
    """To where in the plane one looks at first, from the x axis on, counter-clockwise [rad]."""
    eye, target = camera(scene, *bounds(scene.all_bodies(), points_of(scene)))
    return float(np.arctan2(target[1] - eye[1], target[0] - eye[0]))


def _ground(server: viser.ViserServer, scene: Scene, size: float) -> None:
    """Every plane as a floor with a grid; without one, a grid beneath everything if the scene wants it."""
    planes = [(name, body) for name, body in scene.bodies.items() if isinstance(body.shape, Plane) and body.visible]
    cell = cell_size(size)
    for name, body in planes:
        _floor(server, f"/ground/{name}", cell, size, body.start_position, body.start_orientation, 1.0, body.color)
    if not planes and (lowest := ground_level(scene)) is not None:
        _floor(server, "/ground/grid", cell, size, (0.0, 0.0, lowest), (1.0, 0.0, 0.0, 0.0), 0.6)


def ground_level(scene: Scene) -> float | None:
    """Height of the ground that is drawn, None where there is none or it is not level [m]."""
    planes = [body for body in scene.bodies.values() if isinstance(body.shape, Plane) and body.visible]
    if planes:
        # a turn (w, x, y, z) leaves 1 - 2 (x^2 + y^2) of the normal upright
        tilts = [body.start_orientation[1] ** 2 + body.start_orientation[2] ** 2 for body in planes]
        return min(float(body.start_position[2]) for body in planes) if max(tilts) < LEVEL else None
    low, _ = bounds(scene.all_bodies(), points_of(scene))
    return min(0.0, float(low[2])) if scene.view.ground else None


def cell_size(size: float) -> float:
    """Side of a cell of the grid: a power of ten near a twentieth of the scene [m]."""
    return float(10.0 ** np.round(np.log10(max(size, 1e-6) / 20.0)))


def _floor(
    server: viser.ViserServer,
    name: str,
    cell: float,
    size: float,
    position: tuple[float, ...],
    orientation: tuple[float, ...],
    opacity: float,
    colour: Colour | None = None,
) -> None:
    # on a floor with a colour of its own, such as water, the usual lines would be a net
    plane, fine, coarse = (GROUND, CELL, SECTION) if colour is None else (colour, *(shaded(colour, s) for s in LINED))
    server.scene.add_grid(
        name,
        infinite_grid=True,
        cell_size=cell,
        cell_color=as_bytes(fine),
        section_size=5.0 * cell,
        section_color=as_bytes(coarse),
        fade_distance=max(8.0 * size, 10.0),
        fade_strength=2.0,
        shadow_opacity=0.35,
        plane_color=as_bytes(plane),
        plane_opacity=opacity,
        position=np.asarray(position),
        wxyz=np.asarray(orientation),
    )
