// A number field that was emptied, or filled with what is no number, shows again what holds when it is left or Enter is pressed:
// viser ignores what is no number, and would leave the field empty as if nothing held.
"use strict";
(() => {
  const LOOK = 100; // the server may write into the field meanwhile [ms]
  const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  let field = null, held = "";

  // as a list of choices does not: it has no such keyboard
  const numeric = (node) => node instanceof HTMLInputElement && /^(numeric|decimal)$/.test(node.inputMode) && !node.readOnly;
  const number = (text) => text.trim() !== "" && Number.isFinite(Number(text));

  function look() {
    if (field && number(field.value)) held = field.value;
  }

  function restore() {
    if (!field || number(field.value) || !number(held)) return;
    write.call(field, held);
    field.dispatchEvent(new Event("input", { bubbles: true })); // so that viser's page knows it too; for the server nothing changes
  }

  window.addEventListener("focusin", (event) => {
    field = numeric(event.target) ? event.target : null;
    held = "";
    look();
  }, true);
  window.addEventListener("input", (event) => { if (event.target === field) look(); }, true);
  window.addEventListener("keydown", (event) => { if (event.target === field && event.key === "Enter") restore(); }, true);
  window.addEventListener("focusout", (event) => {
    if (event.target !== field) return;
    restore();
    field = null;
  }, true);
  setInterval(look, LOOK);
})();
