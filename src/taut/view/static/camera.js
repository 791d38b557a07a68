// The camera stays above the ground: from below one sees the underside of a floor and takes it for a broken picture.
//
// How far it may be turned down depends on where it looks and from how far: cos(angle) = (ground + margin - target) / distance,
// with the angle from straight above. The ground is that of the scene, told with what there is to drive; without one nothing is limited.
"use strict";
(() => {
  const MARGIN = 0.01; // of the distance, above the ground
  let ground = null, held = null;

  function limit() {
    const target = held.getTarget(held.camera.position.clone()), far = held.distance;
    if (ground === null || !(far > 0)) { held.maxPolarAngle = Math.PI; return; }
    const up = (ground + MARGIN * far - target.y) / far;
    held.maxPolarAngle = Math.acos(Math.max(-1, Math.min(1, up)));
    if (held.polarAngle > held.maxPolarAngle + 1e-3) held.rotatePolarTo(held.maxPolarAngle, false);
  }

  // viser makes its camera when it is ready, and may make another one
  setInterval(() => {
    const found = window.__viserMutable && window.__viserMutable.cameraControl;
    if (!found || found === held) return;
    held = found;
    held.addEventListener("update", limit);
    held.addEventListener("control", limit);
  }, 300);

  window.taut.listeners.push((message) => {
    ground = typeof message.ground === "number" ? message.ground : null;
    if (held) limit();
  });
})();
