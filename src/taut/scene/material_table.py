"""Usual materials and how they rub on each other, dry and clean.

Coefficients of sliding friction as handbooks list them, rounded to what such numbers are worth; two surfaces of one kind
differ by a third from one piece to the next. Grease takes steel on steel down to 0.1.
"""

from taut.scene.materials import Material

USUAL: dict[str, Material] = {
    "steel": Material(
        friction=0.4,
        against={"cast_iron": 0.25, "concrete": 0.45, "ice": 0.03, "plastic": 0.25, "rubber": 0.7, "wood": 0.4},
    ),
    "cast_iron": Material(friction=0.2, against={"concrete": 0.45, "rubber": 0.7, "wood": 0.4}),
    "concrete": Material(friction=0.6, against={"ice": 0.05, "rubber": 0.8, "wood": 0.5}),
    "wood": Material(friction=0.4, against={"ice": 0.05, "rubber": 0.7}),
    "rubber": Material(friction=1.0, against={"ice": 0.1}),
    "plastic": Material(friction=0.25),
    "ice": Material(friction=0.03),
    "soil": Material(friction=0.6, against={"steel": 0.4, "wood": 0.5}),
    "wire_rope": Material(
        friction=0.15, against={"cast_iron": 0.12, "concrete": 0.4, "soil": 0.4, "steel": 0.15, "wood": 0.3}
    ),
    "fibre_rope": Material(
        friction=0.3, against={"cast_iron": 0.25, "concrete": 0.5, "soil": 0.5, "steel": 0.25, "wood": 0.4}
    ),
}
"""Materials that every scene knows by name; one of the same name in the scene takes its place."""
