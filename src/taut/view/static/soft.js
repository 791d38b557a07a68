// A machine without a graphics card draws with its processor: without shadows and smoothed edges it draws several times
// as many pictures a second, and leaves more time to the simulation. While nothing moves because the solver is still being
// compiled, or the gallery lies over it, few pictures do: the processor is the compiler's. Loaded before viser, which makes
// its canvas later.
"use strict";
(() => {
  if (new URLSearchParams(location.search).has("fine")) return; // pictures that are waited for may cost what they cost
  const probe = document.createElement("canvas").getContext("webgl");
  const asked = probe && probe.getExtension("WEBGL_debug_renderer_info");
  const name = asked ? String(probe.getParameter(asked.UNMASKED_RENDERER_WEBGL)) : "";
  const lose = probe && probe.getExtension("WEBGL_lose_context");
  if (lose) lose.loseContext();
  if (!/swiftshader|llvmpipe|softpipe|software|basic render/i.test(name)) return;
  document.documentElement.dataset.tautRenderer = name; // lights.js leaves out shadows then
  const make = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, options) {
    return make.call(this, kind, /^webgl/.test(kind) ? { ...options, antialias: false } : options);
  };

  // between pictures [ms] while there is nothing to see: at first, when all that there is to be seen comes in, while somebody looks
  // around, and otherwise; and between frames of which most draw nothing
  const FIRST = 1000, AROUND = 250, WAITING = 5000, SPARE = 80;
  // how long all of that takes to come in, and how long somebody looks around after the last move [ms]
  const COMING = 6000, LOOKING = 2000;
  let waiting = true, drawn = -WAITING, now = 0, resting = false, skipping = false, last = 2 ** 30, looked = -LOOKING;
  for (const kind of ["pointermove", "pointerdown", "wheel", "keydown"]) window.addEventListener(kind, () => (looked = performance.now()), true);
  // a script may ask for fewer pictures at any time
  function rest() {
    if (!waiting) return window.tautRest || 0;
    const time = performance.now();
    return time - looked < LOOKING ? AROUND : time < COMING ? FIRST : WAITING;
  }
  const frame = window.requestAnimationFrame.bind(window), cancel = window.cancelAnimationFrame.bind(window);
  const delayed = new Map();
  window.requestAnimationFrame = (call) => {
    const begin = () => frame((time) => {
      if (time !== now) {
        now = time;
        resting = time - drawn < rest();
        if (!resting) drawn = time;
      }
      // what is drawn outside of a frame was asked for and is always drawn
      skipping = resting;
      try { call(time); } finally { skipping = false; }
    });
    if (!rest()) return begin();
    // numbers of its own, far from those of the browser and from the -1 that others cancel without having asked
    const id = ++last;
    delayed.set(id, setTimeout(() => { delayed.delete(id); begin(); }, SPARE));
    return id;
  };
  window.cancelAnimationFrame = (id) => {
    if (!delayed.has(id)) return cancel(id);
    clearTimeout(delayed.get(id));
    delayed.delete(id);
  };
  // A frame that rests computes and answers like any other, but leaves the canvas as it is. What is drawn into textures is
  // drawn: it may be wanted later.
  const gl = WebGL2RenderingContext.prototype, aimed = new WeakMap(), aim = gl.bindFramebuffer;
  gl.bindFramebuffer = function (target, buffer) {
    if (target !== gl.READ_FRAMEBUFFER) aimed.set(this, buffer);
    return aim.call(this, target, buffer);
  };
  for (const kind of ["clear", "drawArrays", "drawElements", "drawRangeElements", "drawArraysInstanced", "drawElementsInstanced"]) {
    const work = gl[kind];
    gl[kind] = function (...given) { if (!skipping || aimed.get(this)) work.apply(this, given); };
  }
  setInterval(() => {
    waiting = Boolean(document.querySelector("[data-taut=status], #taut-gallery:not([hidden])"));
  }, 300);
})();
