// The axes of the world in a corner of the routing studio, where they stay however the camera is turned: x red, y green, z blue.
"use strict";
(() => {
  const SIZE = 84, LONG = 28; // of the picture, of an axis [px]
  const AXES = [["x", [1, 0, 0], "#d6231d"], ["y", [0, 1, 0], "#1b7f3b"], ["z", [0, 0, 1], "#1452c8"]];
  let box = null, last = "";

  function make() {
    box = document.createElement("div");
    box.id = "taut-tripod";
    box.style.cssText = `position:fixed;left:10px;top:10px;z-index:70;width:${SIZE}px;height:${SIZE}px;pointer-events:none`;
    document.body.append(box);
  }

  function draw() {
    requestAnimationFrame(draw);
    const held = window.__viserMutable && window.__viserMutable.cameraControl, tree = window.__viserSceneTree;
    const there = document.querySelector("[data-taut=studio]");
    if (!held || !tree || !there) { if (box) box.hidden = true; return; }
    if (!box) make();
    box.hidden = false;
    const turn = tree.getState()[""].wxyz, eye = held.camera.quaternion.clone().invert();
    const q = eye.clone().set(turn[1], turn[2], turn[3], turn[0]);
    const seen = AXES.map(([name, axis, colour]) => {
      const v = held.camera.position.clone().set(...axis).applyQuaternion(q).applyQuaternion(eye);
      return { name, colour, x: v.x, y: -v.y, z: v.z };
    }).sort((a, b) => a.z - b.z);
    const text = seen.map(({ name, colour, x, y }) =>
      `<line x2="${(LONG * x).toFixed(1)}" y2="${(LONG * y).toFixed(1)}" stroke="${colour}" stroke-width="3" stroke-linecap="round"/>` +
      `<text x="${(1.32 * LONG * x).toFixed(1)}" y="${(1.32 * LONG * y).toFixed(1)}" fill="${colour}">${name}</text>`).join("");
    if (text === last) return;
    last = text;
    box.innerHTML = `<svg width="${SIZE}" height="${SIZE}" viewBox="${-SIZE / 2} ${-SIZE / 2} ${SIZE} ${SIZE}" ` +
      `font-family="system-ui,sans-serif" font-size="12" font-weight="700" text-anchor="middle" dominant-baseline="central">${text}</svg>`;
  }

  requestAnimationFrame(draw);
})();
