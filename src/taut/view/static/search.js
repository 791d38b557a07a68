// What is typed into a list that can be searched replaces what was chosen: otherwise it goes behind it, and nothing is found. While the
// list is open, what was typed is edited as in any other field.
"use strict";
(() => {
  const closed = (node) => node instanceof HTMLInputElement && node.matches(".mantine-Select-input[aria-expanded=false]") && !node.readOnly;
  let opens = null;
  window.addEventListener("pointerdown", (event) => { opens = closed(event.target) ? event.target : null; }, true);
  // not before: the browser puts the caret somewhere when the pointer goes down
  window.addEventListener("click", (event) => { if (event.target === opens) opens?.select(); });
  // the first that is found, unless another one is chosen by the arrows
  let typed = null;
  window.addEventListener("input", (event) => { if (event.target instanceof HTMLInputElement && event.target.matches(".mantine-Select-input")) typed = event.target; }, true);
  window.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target !== typed || closed(typed)) return;
    typed = null;
    const list = document.getElementById(event.target.getAttribute("aria-controls"));
    if (!list || list.querySelector("[data-combobox-selected]")) return;
    list.querySelector("[role=option]")?.click();
  }, true);
  // after a choice the field keeps the focus
  window.addEventListener("keydown", (event) => {
    const writes = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.altKey && !event.metaKey;
    if (writes && closed(event.target)) event.target.select();
  }, true);
})();
