// Lights as they come into the scene: with every scene, and in a replay with every round of it.
//
// viser's own lights, which are white, stand there until the first messages are read, and again at the start of every round: a
// pale flash, or on a slow machine pale seconds. Ours are never white. Shadows are left out where a processor draws (soft.js), from the
// start: a picture with and one without them differ in brightness. Nor is the arrow shown that viser draws for every drag.
"use strict";
(() => {
  const EARLY = 20, LOOK = 300; // between two looks, until the scene is there and afterwards [ms]
  const soft = () => document.documentElement.dataset.tautRenderer;
  const none = { configurable: true, get: () => false, set: () => {} };

  function tame(node) {
    // viser's own arrow of a drag: it begins where a piece of rope has gone since, and the pull has an arrow with its force
    if (node.type === "ArrowHelper" && node.line && node.cone) node.line.visible = node.cone.visible = false;
    if (!node.isLight || !node.color) return;
    // ours are made white, too, and get their colour a moment later
    const theirs = node.color.getHex() === 0xffffff;
    if (theirs !== Boolean(node.userData.tautHidden)) {
      node.userData.tautHidden = theirs;
      node.visible = !theirs;
    }
    // as far as one point of the shadow's map is wide: less, and a surface casts stripes upon itself
    const cast = node.shadow && node.shadow.camera;
    if (cast && cast.right > cast.left) node.shadow.normalBias = 1.5 * (cast.right - cast.left) / node.shadow.mapSize.x;
    const known = soft() && Object.getOwnPropertyDescriptor(node, "castShadow");
    if (known && !known.get) Object.defineProperty(node, "castShadow", none);
  }

  let watched = null;
  function watch(scene) {
    let kind = scene;
    while (kind && !Object.hasOwn(kind, "add")) kind = Object.getPrototypeOf(kind);
    if (!kind || kind === watched) return;
    watched = kind;
    const add = kind.add;
    kind.add = function (...nodes) {
      for (const node of nodes) if (node && node.traverse) {
        node.traverse(tame);
        queueMicrotask(() => node.traverse(tame)); // what is set of it right after it was made
      }
      return add.apply(this, nodes);
    };
  }

  function tend() {
    const scene = window.__viserMutable && window.__viserMutable.scene;
    if (!scene) return false;
    watch(scene);
    scene.traverse(tame);
    return true;
  }
  const early = setInterval(() => tend() && clearInterval(early), EARLY);
  setInterval(tend, LOOK);
})();
