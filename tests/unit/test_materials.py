"""Materials: what two surfaces have together."""

from __future__ import annotations

import math

import numpy as np
import pytest

import taut
from taut.compile.contacts import _materials, compile_materials
from taut.core.model import MAT_FRICTION
from taut.scene import SceneError
from taut.scene.material_table import USUAL


def friction(scene, a, b):
    names = ["", *_materials(scene)]
    table = compile_materials(scene)
    assert len(table) == len(names) ** 2
    return table[names.index(a) * len(names) + names.index(b), MAT_FRICTION]


def test_pairs():
    """What one says of the other, in either order; else the geometric mean; the scene before the table."""
    scene = taut.Scene(
        materials={
            "steel": taut.Material(friction=0.2, against={"wood": 0.9}),
            "mud": taut.Material(friction=0.5, against={"steel": 0.05}),
            "slab": taut.Material(friction=0.8),
        }
    )
    assert friction(scene, "steel", "wood") == friction(scene, "wood", "steel") == 0.9
    assert friction(scene, "steel", "mud") == friction(scene, "mud", "steel") == 0.05
    assert friction(scene, "mud", "slab") == pytest.approx(math.sqrt(0.5 * 0.8))
    assert friction(scene, "", "slab") == pytest.approx(math.sqrt(0.5 * 0.8))
    assert friction(scene, "rubber", "concrete") == friction(scene, "concrete", "rubber") == 0.8


def test_the_table_is_whole_and_symmetric():
    scene = taut.Scene()
    names = list(USUAL)
    table = np.array([[friction(scene, a, b) for b in names] for a in names])
    assert np.allclose(table, table.T) and (table > 0.0).all() and (table <= 1.0).all()
    for material in USUAL.values():
        assert set(material.against) <= set(names)


def test_usual_materials_need_no_definition_and_others_do():
    taut.Scene(bodies={"b": {"kind": "static", "material": "concrete"}})
    with pytest.raises(SceneError, match="did you mean 'concrete'"):
        taut.Scene(bodies={"b": {"kind": "static", "material": "concrte"}})
