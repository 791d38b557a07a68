"""Scenes: what a person writes, in Python or YAML. Frozen, validated descriptions; names and units live here."""

from taut.scene.bodies import Body, MassProperties
from taut.scene.cables import Cable
from taut.scene.chains import Chain
from taut.scene.joints import WORLD, Ball, Distance, Hinge, Joint, Lock, PointOnLine, Slider
from taut.scene.materials import Material
from taut.scene.motions import ControlMotion, PoseMotion, VelocityMotion
from taut.scene.motors import AngularLimits, AngularMotor, LinearLimits, LinearMotor
from taut.scene.parts import DriveCurve, End, Falls, PayOut, Ring, Sheave, Traction, Winch
from taut.scene.problems import Problem, SceneError
from taut.scene.scene import Scene
from taut.scene.schema import json_schema
from taut.scene.shapes import Box, Capsule, Cylinder, HeightField, Hull, Mesh, Plane, Shape, Sphere
from taut.scene.solver import SolverSettings
from taut.scene.view import Course, Gate, ViewSettings
from taut.scene.wind import Gust, Profile, Wind

__all__ = [
    "WORLD",
    "AngularLimits",
    "AngularMotor",
    "Ball",
    "Body",
    "Box",
    "Cable",
    "Capsule",
    "Chain",
    "ControlMotion",
    "Course",
    "Cylinder",
    "Distance",
    "DriveCurve",
    "End",
    "Falls",
    "Gate",
    "Gust",
    "HeightField",
    "Hinge",
    "Hull",
    "Joint",
    "LinearLimits",
    "LinearMotor",
    "Lock",
    "MassProperties",
    "Material",
    "Mesh",
    "PayOut",
    "Plane",
    "PointOnLine",
    "PoseMotion",
    "Problem",
    "Profile",
    "Ring",
    "Scene",
    "SceneError",
    "Shape",
    "Sheave",
    "Slider",
    "SolverSettings",
    "Sphere",
    "Traction",
    "VelocityMotion",
    "ViewSettings",
    "Winch",
    "Wind",
    "json_schema",
]
