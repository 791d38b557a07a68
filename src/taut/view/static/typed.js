// What was typed goes out before the button that is pressed after it.
//
// viser gathers what is typed, ticked and pressed for 50 ms and sends the last of it alone. A tab that draws slowly gets key
// and click in one go: the press would go out, and what was typed would not. A press that comes so soon waits for it.
"use strict";
(() => {
  const GATHERED = 50; // how long viser gathers [ms]
  const WAIT = 2 * GATHERED + 20; // by then what was gathered has gone out, and the next goes out at once [ms]
  let touched = -WAIT, letThrough = null;
  const touch = () => { touched = performance.now(); };
  for (const kind of ["input", "change"]) window.addEventListener(kind, touch, true);

  window.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    if (!target || target.closest("#taut-operator, #taut-gallery")) return;
    const button = target.closest("button");
    if (!button) { touch(); return; } // an entry of a list, a box that is ticked
    if (button === letThrough || performance.now() - touched >= WAIT) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    // a timer that was set later runs later, however late they all are
    setTimeout(() => { letThrough = button; try { button.click(); } finally { letThrough = null; } }, WAIT);
  }, true);
})();
