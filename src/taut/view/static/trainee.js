// `?trainee` in the address: levers and picture alone, for who is to drive while somebody else changes the world from another tab.
"use strict";
(() => {
  if (!new URLSearchParams(location.search).has("trainee")) return;
  const LOOK = 200; // between two looks for a panel that viser has made anew [ms]
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
  }, LOOK);
})();
