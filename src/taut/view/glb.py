"""A small writer of binary glTF: meshes, nodes that move, and skins. https://registry.khronos.org/glTF/specs/2.0"""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

from taut.view.colours import Colour

_FLOAT, _SHORT, _INT = 5126, 5123, 5125
_KINDS = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


class Glb:
    """A file in the making. Positions are in a world with z up; the file's root turns it to glTF's y, unless told not to."""

    def __init__(self, upright: bool = True) -> None:
        self._parts: list[bytes] = []
        self._size = 0
        self._materials: dict[Colour, int] = {}
        half = float(np.sqrt(0.5))
        self.document: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": "Taut"},
            "scene": 0,
            "scenes": [{"nodes": [0]}],
            "nodes": [
                {
                    "name": "world",
                    "rotation": [-half, 0.0, 0.0, half] if upright else [0.0, 0.0, 0.0, 1.0],
                    "children": [],
                }
            ],
            "meshes": [],
            "materials": [],
            "accessors": [],
            "bufferViews": [],
            "skins": [],
            "animations": [{"name": "run", "channels": [], "samplers": []}],
        }

    # ---- parts -------------------------------------------------------------------------------------------------------

    def array(self, values: np.ndarray, bounds: bool = False, target: int | None = None) -> int:
        """Numbers, one row an entry; the number of their accessor."""
        rows = values.reshape(len(values), -1)
        component = {"f": _FLOAT, "u": _SHORT if values.dtype.itemsize == 2 else _INT}[values.dtype.kind]
        view: dict[str, Any] = {"buffer": 0, "byteOffset": self._size, "byteLength": values.nbytes}
        if target is not None:
            view["target"] = target
        self._append(np.ascontiguousarray(values).tobytes())
        accessor: dict[str, Any] = {
            "bufferView": len(self.document["bufferViews"]),
            "componentType": component,
            "count": len(rows),
            "type": _KINDS[rows.shape[1]],
        }
        if bounds:
            accessor |= {"min": rows.min(axis=0).tolist(), "max": rows.max(axis=0).tolist()}
        self._added("bufferViews", view)
        return self._added("accessors", accessor)

    def mesh(self, vertices: np.ndarray, faces: np.ndarray, colour: Colour, **attributes: np.ndarray) -> int:
        """Triangles of one colour, with more attributes for skins and colours of corners; the number of the mesh."""
        with_normals = {"POSITION": self.array(vertices.astype("<f4"), True, 34962)}
        with_normals["NORMAL"] = self.array(normals(vertices, faces).astype("<f4"), target=34962)
        for name, values in attributes.items():
            with_normals[name] = self.array(values, target=34962)
        indices = self.array(faces.astype("<u4").ravel(), target=34963)
        primitive = {"attributes": with_normals, "indices": indices, "material": self._material(colour)}
        return self._added("meshes", {"primitives": [primitive]})

    def node(self, name: str, **fields: Any) -> int:
        """A node under the world; its number."""
        number = self._added("nodes", {"name": name, **fields})
        self.document["nodes"][0]["children"].append(number)
        return number

    def move(self, node: int, times: int, position: np.ndarray, turn: np.ndarray) -> None:
        """Let a node follow positions and orientations (w, x, y, z) at the times of an accessor."""
        for path, values in (("translation", position), ("rotation", np.roll(_continuous(turn), -1, axis=1))):
            run = self.document["animations"][0]
            run["samplers"].append({"input": times, "output": self.array(values.astype("<f4"))})
            run["channels"].append({"sampler": len(run["samplers"]) - 1, "target": {"node": node, "path": path}})

    def skin(self, joints: list[int], inverse: np.ndarray) -> int:
        """A skin over joints, with the matrices that take the mesh to each of them, shape (n, 4, 4)."""
        # columns first
        matrices = self.array(np.swapaxes(inverse, 1, 2).reshape(-1, 16).astype("<f4"))
        return self._added("skins", {"joints": joints, "inverseBindMatrices": matrices})

    def write(self, to: Path) -> int:
        """Write the file; its size in bytes."""
        content = self.content()
        to.write_bytes(content)
        return len(content)

    def content(self) -> bytes:
        """The file."""
        document = {key: value for key, value in self.document.items() if value or key == "scene"}
        if not self.document["animations"][0]["channels"]:
            del document["animations"]
        document["buffers"] = [{"byteLength": self._size}]
        text = json.dumps(document, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        binary = b"".join(self._parts)
        body = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(binary), 0x004E4942) + binary
        return struct.pack("<III", 0x46546C67, 2, 12 + len(body)) + body

    def _material(self, colour: Colour) -> int:
        if colour not in self._materials:
            base = [*(float(part) ** 2.2 for part in colour), 1.0]
            look = {"baseColorFactor": base, "metallicFactor": 0.1, "roughnessFactor": 0.6}
            self._materials[colour] = self._added("materials", {"pbrMetallicRoughness": look, "doubleSided": True})
        return self._materials[colour]

    def _added(self, kind: str, value: Any) -> int:
        self.document[kind].append(value)
        return len(self.document[kind]) - 1

    def _append(self, data: bytes) -> None:
        data += b"\0" * (-len(data) % 4)
        self._parts.append(data)
        self._size += len(data)


def normals(vertices: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Of every corner, the mean of its triangles, shape (n, 3)."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    across = np.cross(b - a, c - a)
    total = np.zeros_like(vertices, dtype=float)
    for k in range(3):
        np.add.at(total, faces[:, k], across)
    size = np.linalg.norm(total, axis=1, keepdims=True)
    return np.where(size > 1e-12, total / np.maximum(size, 1e-12), [0.0, 0.0, 1.0])


def _continuous(turn: np.ndarray) -> np.ndarray:
    """The same orientations without jumps of sign, which would spin a node between two of them, shape (n, 4)."""
    flips = np.where((turn[1:] * turn[:-1]).sum(axis=1) < 0.0, -1.0, 1.0)
    return turn * np.concatenate([[1.0], np.cumprod(flips)])[:, None]
