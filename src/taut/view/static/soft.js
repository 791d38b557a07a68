// A machine without a graphics card draws with its processor: without shadows and smoothed edges it draws several times
// as many pictures a second, and leaves more time to the simulation. Loaded before viser, which makes its canvas later.
"use strict";
(() => {
  const probe = document.createElement("canvas").getContext("webgl");
  const asked = probe && probe.getExtension("WEBGL_debug_renderer_info");
  const name = asked ? String(probe.getParameter(asked.UNMASKED_RENDERER_WEBGL)) : "";
  const lose = probe && probe.getExtension("WEBGL_lose_context");
  if (lose) lose.loseContext();
  if (!/swiftshader|llvmpipe|softpipe|software|basic render/i.test(name)) return;
  document.documentElement.dataset.tautRenderer = name;
  const make = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, options) {
    return make.call(this, kind, /^webgl/.test(kind) ? { ...options, antialias: false } : options);
  };
  // lights come with every scene
  setInterval(() => {
    const scene = window.__viserMutable && window.__viserMutable.scene;
    if (scene) scene.traverse((node) => { if (node.isLight && node.castShadow) node.castShadow = false; });
  }, 300);
})();
