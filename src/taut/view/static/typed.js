// What is typed is not lost between the page and the server.
//
// viser gathers what is typed, ticked and pressed for 50 ms and sends the last of it alone. A tab that draws slowly gets key
// and click in one go: the press would go out, and what was typed would not. A press that comes so soon waits for it.
//
// What the server writes into a field may come while a person types there, or shortly before: the field would then show the old
// value again, or the tab show one value and the server hold another. What was typed stays, and is said again. Whatever comes
// after a press is the answer to it, and is shown. This goes for fields that act only when a button is pressed: a speed that was
// typed must never be said again after somebody has stopped the machine.
"use strict";
(() => {
  const GATHERED = 50; // how long viser gathers [ms]
  const WAIT = 2 * GATHERED + 20; // by then what was gathered has gone out, and the next goes out at once [ms]
  const OURS = 2000; // how long what was typed is held against the server [ms]
  const LOOK = 100; // between two looks at it [ms]
  const WAITING = /^(wind \[m\/s\]|blows to \[deg\]|mass of the .*|centre of gravity of the .*|value)$/;
  const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  let touched = -WAIT, letThrough = null, field = null, text = "", until = 0, saying = false;

  const touch = () => { touched = performance.now(); };
  const keep = () => { text = field.value; until = performance.now() + OURS; };
  const typed = (node) => node instanceof HTMLInputElement && /^(text|number)$/.test(node.type) && !node.readOnly;

  // by the words beside it
  function waits(node) {
    for (let up = node.parentElement, k = 0; up && k < 6; up = up.parentElement, k++) {
      const label = up.querySelector("label");
      if (label) return WAITING.test(label.textContent.trim());
    }
    return false;
  }

  for (const kind of ["input", "change"]) window.addEventListener(kind, (event) => {
    touch();
    if (kind !== "input" || !typed(event.target) || saying) return;
    field = waits(event.target) ? event.target : null;
    if (field) { keep(); setTimeout(insist); }
  }, true);
  // a number is brought into its range when the field is left
  window.addEventListener("focusout", (event) => {
    if (event.target !== field) return;
    insist();
    setTimeout(() => { if (field) keep(); });
  }, true);
  setInterval(insist, LOOK);

  function insist() {
    if (!field) return;
    if (performance.now() > until || !field.isConnected) { field = null; return; }
    if (field.value === text) return;
    write.call(field, text);
    saying = true;
    try { field.dispatchEvent(new Event("input", { bubbles: true })); } finally { saying = false; }
  }

  window.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    if (!target || target.closest("#taut-operator, #taut-gallery")) return;
    const button = target.closest("button");
    if (!button) { if (!typed(target)) touch(); return; } // an entry of a list, a box that is ticked
    if (button === letThrough || performance.now() - touched >= WAIT) { field = null; return; }
    event.stopImmediatePropagation();
    event.preventDefault();
    // a timer that was set later runs later, however late they all are
    setTimeout(() => { letThrough = button; try { button.click(); } finally { letThrough = null; } }, WAIT);
  }, true);
})();
