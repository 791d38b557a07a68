// What is typed into a number field beside digits is heard: viser's fields drop every letter, and 53 cm would be taken as 53 mm.
//
// From the first letter on the keys are kept here and shown in a note below the field. A unit that fits the one in the label is turned into it; anything
// else is refused with what was typed, and the field shows again what held.
"use strict";
(() => {
  const WAIT = 700; // without a key, until what was typed counts [ms]
  const TOLD = 5000; // how long a refusal stands [ms]
  const KINDS = [
    { mm: 1, cm: 10, m: 1000, in: 25.4, inch: 25.4, '"': 25.4, ft: 304.8, um: 1e-3, "µm": 1e-3, "μm": 1e-3, km: 1e6 },
    { deg: 1, "°": 1, rad: 180 / Math.PI },
    { N: 1, kN: 1e3, mN: 1e-3, MN: 1e6 },
    { "N m": 1, Nm: 1, "kN m": 1e3, kNm: 1e3, "N mm": 1e-3, Nmm: 1e-3, "N cm": 1e-2, Ncm: 1e-2 },
    { kg: 1, g: 1e-3, t: 1e3 },
    { "m/s": 1, "km/h": 1 / 3.6, kn: 1852 / 3600 },
  ];
  const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  const numeric = (node) => node instanceof HTMLInputElement && /^(numeric|decimal)$/.test(node.inputMode) && !node.readOnly;
  const plain = (text) => text.trim() !== "" && Number.isFinite(Number(text));
  let field = null, held = "", rest = "", waiting = 0, note = null, fading = 0;

  // by the words beside it
  function unit(node) {
    for (let up = node.parentElement, k = 0; up && k < 8; up = up.parentElement, k++) {
      const label = up.querySelector("label");
      if (label) return (label.textContent.match(/\[([^\]]*)\]/) || ["", ""])[1];
    }
    return "";
  }

  function tell(text, fades) {
    if (!note) {
      note = document.createElement("div");
      note.dataset.typed = "note";
      note.style.cssText = "position:fixed;z-index:400;padding:2px 8px;border-radius:4px;background:#fff4e0;color:#7a3d00;border:1px solid #d08a30;" +
        "font:13px/1.4 system-ui,sans-serif;pointer-events:none;max-width:24em";
      document.body.append(note);
    }
    clearTimeout(fading);
    note.hidden = !text;
    note.textContent = text;
    if (!text) return;
    const box = field.getBoundingClientRect();
    note.style.top = `${box.bottom + 2}px`;
    note.style.left = `${Math.max(4, Math.min(box.left, innerWidth - note.offsetWidth - 8))}px`;
    if (fades) fading = setTimeout(() => { note.hidden = true; }, TOLD);
  }

  function put(text) {
    write.call(field, text);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  // what was typed as a number in the unit of the field; not a number where it is none
  function value(text, asked) {
    if (plain(text)) return Number(text);
    const found = text.trim().match(/^([-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*(.*)$/);
    if (!found || !plain(found[1])) return NaN;
    const word = found[2].trim().replace(/\s+/g, " "), kind = KINDS.find((one) => asked in one);
    if (word === asked) return Number(found[1]);
    return kind && Object.hasOwn(kind, word) ? Number(found[1]) * kind[word] / kind[asked] : NaN;
  }

  function count() {
    clearTimeout(waiting);
    if (!field || !rest) return;
    const text = field.value + rest, asked = unit(field), found = value(text, asked), blank = !rest.trim();
    rest = "";
    if (blank) { tell(""); return; }
    if (Number.isFinite(found)) {
      const told = Number(found.toPrecision(10));
      put(String(told));
      held = field.value;
      tell(`${text.trim()} is ${told} ${asked}`, true);
    } else {
      put(held);
      const kind = KINDS.find((one) => asked in one);
      tell(`${text.trim()} is refused: expected a number${asked ? ` of ${asked}${kind ? `, or with one of ${Object.keys(kind).slice(0, 4).join(", ")}` : ""}` : ""}`, true);
    }
  }

  function more(text) {
    rest += text;
    tell(rest.trim() ? field.value + rest : "");
    clearTimeout(waiting);
    waiting = setTimeout(count, WAIT);
  }

  window.addEventListener("focusin", (event) => {
    field = numeric(event.target) ? event.target : null;
    rest = "";
    if (field) held = field.value;
  }, true);
  window.addEventListener("keydown", (event) => {
    if (!field || event.target !== field || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Enter" || event.key === "Tab") { count(); return; }
    const starts = event.key.length === 1 && !/[\d.,+-]/.test(event.key);
    if (event.key === "Backspace" && rest) {
      rest = rest.slice(0, -1);
      more("");
    } else if (event.key.length === 1 && (rest || starts)) more(event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }, true);
  window.addEventListener("paste", (event) => {
    const text = event.clipboardData ? event.clipboardData.getData("text").trim() : "";
    if (!field || event.target !== field || !text || plain(text)) return;
    event.preventDefault();
    event.stopPropagation();
    const all = field.selectionStart === 0 && field.selectionEnd === field.value.length, lead = (text.match(/^[-+]?[\d.]+/) || [""])[0];
    if (all || !field.value) put(lead || held);
    rest = "";
    more(lead ? text.slice(lead.length) : ` ${text}`);
  }, true);
  window.addEventListener("focusout", (event) => {
    if (event.target === field) { count(); field = null; }
  }, true);
})();
