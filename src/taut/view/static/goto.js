// A click beside the worst of a motion sets the slider of its frames: the number beside it is typed, as a person would.
"use strict";
(() => {
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;

  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element && event.target.closest("[data-frame]");
    if (!button) return;
    const label = [...document.querySelectorAll("label")].find((one) => one.textContent.trim() === "frame");
    const inputs = label ? label.closest("[class*=Flex]").querySelectorAll("input") : [];
    const number = inputs[inputs.length - 1];
    if (!number) return;
    number.focus();
    set.call(number, button.dataset.frame);
    number.dispatchEvent(new Event("input", { bubbles: true }));
    number.blur();
  });
})();
