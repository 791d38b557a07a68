// `?trainee` in the address: levers and picture alone, for who is to drive while somebody else changes the world from another tab.
"use strict";
(() => {
  if (!new URLSearchParams(location.search).has("trainee")) return;
  const LOOK = 200; // between two looks for a panel that viser has made anew [ms]
  const THEIRS = /^\/(cursor|pull|pull_force)(\/|$)/; // what the instructor clicked, and what is told of it
  window.tautMessages.push((messages) => messages.filter((message) => !THEIRS.test(message.name ?? "")));
  document.documentElement.dataset.tautTrainee = "";
  const style = document.createElement("style");
  style.textContent = "[data-taut-away], #taut-scenes { display: none !important; } [data-taut-wide] { inset: 0 !important; }";
  document.head.append(style);

  // what lies around the panel and not around the picture
  function outermost(node) {
    while (node.parentElement && !node.parentElement.querySelector("canvas[data-engine]")) node = node.parentElement;
    return node;
  }
  setInterval(() => {
    const inside = document.querySelector("[data-taut=title]");
    if (!inside || !document.querySelector("canvas[data-engine]")) return;
    const panel = outermost(inside);
    // and the edge at which its width is dragged, which may come later; the picture takes the place of both
    for (const one of panel.parentElement.children)
      one.toggleAttribute(one.querySelector("canvas[data-engine]") ? "data-taut-wide" : "data-taut-away", true);
    // viser may have told the picture meanwhile how wide it would be beside the panel
    const canvas = document.querySelector("canvas[data-engine]"), room = canvas.parentElement;
    if (Math.abs(canvas.clientWidth - room.clientWidth) > 1) window.__viserMutable?.syncCanvasSize?.(room.clientWidth, room.clientHeight);
  }, LOOK);
})();
