"""URDF and MJCF in: the same mechanics as in MuJoCo, and words for what cannot be taken over."""

from pathlib import Path

import numpy as np
import pytest

import taut

mujoco = pytest.importorskip("mujoco", reason="needs mujoco: pip install 'taut[robots]'")

from taut.exchange.errors import ExchangeError  # noqa: E402
from taut.exchange.robots import read_robot  # noqa: E402

CRANE = """
<mujoco>
  <option timestep="0.0005"/>
  <default><geom rgba="1 0.5 0 1" friction="0.4"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1"/>
    <body name="trolley" pos="0 0 5">
      <joint name="travel" type="slide" axis="1 0 0" range="-2 2" limited="true"/>
      <geom type="box" size="0.5 0.3 0.1" mass="50" contype="0" conaffinity="0"/><site name="up" pos="0 0 -0.1"/>
    </body>
    <body name="load" pos="0.8 0 2"><freejoint/>
      <geom type="sphere" size="0.2" mass="100"/><site name="hook" pos="0 0 0.2"/></body>
    <body name="arm 1" pos="3 0 3" euler="0 40 0">
      <joint name="swing" type="hinge" axis="0 1 0" pos="0 0 0.5" range="-180 180"/>
      <geom type="capsule" fromto="0 0 0.5 0 0 -0.5" size="0.05" mass="2" contype="0" conaffinity="0"/>
      <body name="tip" pos="0 0 -0.6">
        <joint name="wrist" type="ball" pos="0 0 0.1"/>
        <geom type="box" size="0.1 0.15 0.2" mass="1" contype="0" conaffinity="0"/></body>
    </body>
  </worldbody>
  <tendon><spatial name="rope" limited="true" range="0 2.8"><site site="up"/><site site="hook"/></spatial></tendon>
  <actuator><velocity joint="travel" kv="100000" forcelimited="true" forcerange="-5000 5000"/></actuator>
</mujoco>
"""
ARM = """
<robot name="arm">
  <link name="base"><inertial><mass value="5"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.4 0.4 0.2"/></geometry></collision></link>
  <link name="upper"><inertial><origin xyz="0 0 0.5"/><mass value="2"/>
    <inertia ixx="0.2" iyy="0.2" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0 0.5"/><geometry><cylinder radius="0.05" length="1"/></geometry></collision></link>
  <link name="slide"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 0.1"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="2" effort="10" velocity="1"/></joint>
  <joint name="reach" type="prismatic"><parent link="upper"/><child link="slide"/><origin xyz="0 0 1.2"/>
    <axis xyz="0 0 1"/><limit lower="0" upper="0.5" effort="10" velocity="1"/></joint>
</robot>
"""


def written(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text)
    return file


def test_a_crane_of_mujoco_moves_as_there(tmp_path: Path) -> None:
    """A trolley, a load on a rope that starts slack by 5 mm, an arm that swings with a block on a ball joint."""
    file = written(tmp_path, "crane.xml", CRANE)
    read = read_robot(file)
    scene = read.scene
    assert list(scene.bodies) == ["floor", "trolley", "load", "arm_1", "tip"]
    assert scene.bodies["floor"].kind == "static" and scene.materials["friction_0_4"].friction == 0.4
    assert scene.joints["travel"].limits.upper == 2.0 and scene.joints["travel"].motor.force_limit == 5000.0
    assert any("no stiffness" in note for note in read.notes)

    model = mujoco.MjModel.from_xml_path(str(file))
    data = mujoco.MjData(model)
    sim = taut.Simulation(scene.with_overrides(["dt=1/480"]))
    sim.run(480)
    for _ in range(2000):
        mujoco.mj_step(model, data)
    for name, theirs in (("arm_1", "arm 1"), ("tip", "tip")):
        place = data.body(theirs).xipos
        assert sim.read(f"{name}.position") == pytest.approx(place, abs=0.01)
    # caught by the rope: MuJoCo's is a soft limit, ours of steel, so that the bounce differs by centimetres
    assert sim.read("rope.path") < 2.801
    assert sim.read("load.position") == pytest.approx(data.body("load").xipos, abs=0.15)
    assert sim.read("trolley.position[0]") == pytest.approx(0.0, abs=0.02)


def test_an_arm_of_urdf_keeps_its_masses_joints_and_limits(tmp_path: Path) -> None:
    read = read_robot(written(tmp_path, "arm.urdf", ARM))
    scene = read.scene
    assert any("cylinders are drawn" in note for note in read.notes)
    sim = taut.Simulation(scene)
    assert scene.bodies["upper"].mass == pytest.approx(2.0)
    assert sim.read("upper.position") == pytest.approx([0, 0, 0.6]) and sim.read("slide.position[2]") == pytest.approx(
        1.3
    )
    shoulder, reach = scene.joints["shoulder"], scene.joints["reach"]
    assert (shoulder.type, shoulder.a, shoulder.at) == ("hinge", "world", pytest.approx((0, 0, 0.1)))
    assert (shoulder.limits.lower, shoulder.limits.upper) == (-1.0, 2.0)
    assert (reach.type, reach.a, reach.b, reach.limits.upper) == ("slider", "upper", "slide", 0.5)
    sim.push("slide", (5.0, 0.0, 0.0))
    sim.run(600)
    # it falls over, slides out, and rests on its stops
    assert sim.read("shoulder.angle") == pytest.approx(2.0, abs=0.02)
    assert sim.read("reach.travel") == pytest.approx(0.5, abs=0.02)


def test_shapes_beside_the_centre_and_meshes_lie_where_mujoco_has_them(tmp_path: Path) -> None:
    import trimesh

    box = trimesh.creation.box((0.2, 0.4, 0.6))
    box.apply_translation((0.5, 0.1, 0.0))
    box.export(tmp_path / "part.stl")
    text = """
    <mujoco><asset><mesh name="part" file="part.stl" scale="2 2 2"/></asset><worldbody>
      <body name="thing" pos="1 2 3" euler="30 20 10"><freejoint/>
        <inertial pos="0 0 0" mass="10" diaginertia="1 2 2.5"/>
        <geom name="skin" type="mesh" mesh="part"/><geom name="knob" type="sphere" pos="0 0 0.7" size="0.1"/></body>
    </worldbody></mujoco>"""
    file = written(tmp_path, "thing.xml", text)
    read = read_robot(file)
    scene = read.scene
    assert sum(scene.bodies[name].mass for name in ("thing", "skin", "knob")) == pytest.approx(10.0)
    model = mujoco.MjModel.from_xml_path(str(file))
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    assert scene.bodies["knob"].position == pytest.approx(tuple(data.geom("knob").xpos))
    turned = data.geom("skin").xmat.reshape(3, 3)
    theirs = model.mesh_vert @ turned.T + data.geom("skin").xpos
    from taut.compile.frames import matrix

    body = scene.bodies["skin"]
    ours = body.shape.content().vertices @ matrix(np.array(body.orientation)).T + np.array(body.position)
    assert sorted(map(tuple, ours.round(5).tolist())) == sorted(set(map(tuple, theirs.round(5).tolist())))
    taut.Simulation(scene).run(5)


def test_what_cannot_be_taken_over_is_listed_at_once(tmp_path: Path) -> None:
    text = """
    <mujoco><worldbody>
      <body name="two"><joint type="hinge" axis="1 0 0"/><joint type="hinge" axis="0 1 0"/>
        <geom name="egg" type="ellipsoid" size="0.1 0.2 0.3"/><site name="a"/></body>
      <body name="post" pos="0 1 0"><joint name="s" type="slide"/><geom name="drum" type="cylinder" size="0.1 0.2"/><site name="b" pos="0 0 1"/></body>
    </worldbody>
    <tendon><spatial name="belt"><site site="a"/><geom geom="drum"/><site site="b"/></spatial></tendon>
    <equality><joint joint1="s"/></equality></mujoco>"""
    with pytest.raises(ExchangeError) as told:
        read_robot(written(tmp_path, "odd.xml", text))
    for words in ("2 joints in one place", "geom egg: a ellipsoid", "tendon belt: only sites", "only connect and weld"):
        assert words in str(told.value)


def test_files_that_cannot_be_read_say_why(tmp_path: Path) -> None:
    with pytest.raises(ExchangeError, match="no such file"):
        read_robot(tmp_path / "none.urdf")
    with pytest.raises(ExchangeError, match=r"ending in .urdf"):
        read_robot(written(tmp_path, "a.sdf", ""))
    with pytest.raises(ExchangeError, match=r"shape: \{type: mesh, file: part.stl, unit: mm, up: z\}"):
        read_robot(tmp_path / "part.stl")
    with pytest.raises(ExchangeError, match="MuJoCo cannot read it"):
        read_robot(written(tmp_path, "a.xml", "<mujoco><nonsense/></mujoco>"))


def test_the_command_writes_a_scene_that_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from taut.cli import main

    file, scene = written(tmp_path, "crane.xml", CRANE), tmp_path / "crane.yaml"
    assert main(["import", str(file), "--to", str(scene)]) == 0
    assert "5 bodies, 3 joints, 1 cables" in capsys.readouterr().out
    assert main(["run", str(scene), "--seconds", "0.1", "--quiet"]) == 0
    assert main(["import", str(file), "--to", str(scene)]) == 2
    assert main(["import", str(tmp_path / "none.urdf"), "--to", str(tmp_path / "x.yaml")]) == 1
