"""The sky: a dome whose colour goes from the horizon up, as a small glTF file made here."""

from __future__ import annotations

import json
import struct

import numpy as np

from taut.view.colours import Colour, from_hex

HORIZON = from_hex("#ffffff")
ZENITH = from_hex("#3f86cc")


def dome(radius: float, horizon: Colour = HORIZON, zenith: Colour = ZENITH) -> bytes:
    """A dome of that radius [m], z up, seen from inside and lit by nothing, as a binary glTF."""
    rings, sides = 16, 32
    height = np.linspace(-0.5 * np.pi, 0.5 * np.pi, rings + 1)
    angle = 2.0 * np.pi * np.arange(sides) / sides
    up = np.repeat(np.sin(height), sides)
    across = np.repeat(np.cos(height), sides)
    points = radius * np.column_stack(
        [across * np.tile(np.cos(angle), rings + 1), across * np.tile(np.sin(angle), rings + 1), up]
    )
    # most of the change lies low over the horizon, as in the real one
    share = np.sqrt(np.clip(up, 0.0, 1.0))[:, None]
    # glTF wants linear light
    shades = ((1.0 - share) * np.asarray(horizon) + share * np.asarray(zenith)) ** 2.2
    row, column = np.meshgrid(np.arange(rings), np.arange(sides), indexing="ij")
    a = (row * sides + column).ravel()
    b = (row * sides + (column + 1) % sides).ravel()
    # clockwise from outside: the inside is the front
    faces = np.concatenate([np.column_stack([a, b + sides, b]), np.column_stack([a, a + sides, b + sides])])
    return _glb(points.astype("<f4"), shades.astype("<f4"), faces.astype("<u4"))


def _glb(points: np.ndarray, shades: np.ndarray, faces: np.ndarray) -> bytes:
    """One mesh with colours at its corners and a material that takes no light."""
    blobs = [points.tobytes(), shades.tobytes(), faces.tobytes()]
    views, offset = [], 0
    for blob, target in zip(blobs, (34962, 34962, 34963)):
        views.append({"buffer": 0, "byteOffset": offset, "byteLength": len(blob), "target": target})
        offset += len(blob)
    corners = {"count": len(points), "type": "VEC3", "componentType": 5126}
    document = {
        "asset": {"version": "2.0"},
        "extensionsUsed": ["KHR_materials_unlit"],
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "COLOR_0": 1}, "indices": 2, "material": 0}]}],
        "materials": [{"extensions": {"KHR_materials_unlit": {}}, "doubleSided": True}],
        "accessors": [
            {"bufferView": 0, **corners, "min": points.min(axis=0).tolist(), "max": points.max(axis=0).tolist()},
            {"bufferView": 1, **corners},
            {"bufferView": 2, "count": faces.size, "type": "SCALAR", "componentType": 5125},
        ],
        "bufferViews": views,
        "buffers": [{"byteLength": offset}],
    }
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    binary = b"".join(blobs)
    body = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(binary), 0x004E4942) + binary
    return struct.pack("<III", 0x46546C67, 2, 12 + len(body)) + body
