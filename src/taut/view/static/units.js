// What is typed into a number field beside digits is heard: viser's fields drop every letter, and 53 cm would be taken as 53 mm.
//
// From the first letter on what is typed is kept here and shown over the field, which has again what held before: no part of it counts alone. A unit
// that fits the one in the label is turned into it; anything else is refused below the field with what was typed.
"use strict";
(() => {
  const WAIT = 700; // without a key, until what was typed counts [ms]
  const TOLD = 5000; // how long a refusal stands [ms]
  const KINDS = [
    { mm: 1, cm: 10, m: 1000, in: 25.4, inch: 25.4, '"': 25.4, ft: 304.8, um: 1e-3, "µm": 1e-3, "μm": 1e-3, km: 1e6 },
    { deg: 1, "°": 1, rad: 180 / Math.PI },
    { N: 1, kN: 1e3, mN: 1e-3, MN: 1e6 },
    { "N m": 1, Nm: 1, "kN m": 1e3, kNm: 1e3, "N mm": 1e-3, Nmm: 1e-3, "N cm": 1e-2, Ncm: 1e-2 },
    { "N m^2": 1, "Nm^2": 1, Nm2: 1, "N m²": 1, "N mm^2": 1e-6, "Nmm^2": 1e-6, "N cm^2": 1e-4 },
    { kg: 1, g: 1e-3, t: 1e3 },
    { "kg/m": 1, "g/m": 1e-3, "g/mm": 1, "kg/km": 1e-3 },
    { "m/s": 1, "km/h": 1 / 3.6, kn: 1852 / 3600 },
  ];
  const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  const numeric = (node) => node instanceof HTMLInputElement && /^(numeric|decimal)$/.test(node.inputMode) && !node.readOnly;
  const plain = (text) => text.trim() !== "" && Number.isFinite(Number(text));
  // held: what the field held before anything was typed; lead, rest: what is typed, before the first letter and from it on
  let field = null, held = "", lead = "", rest = "", waiting = 0, note = null, fading = 0;

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
        "font:13px/1.4 system-ui,sans-serif;pointer-events:none;max-width:24em;box-sizing:border-box";
      document.body.append(note);
    }
    clearTimeout(fading);
    note.hidden = !text;
    note.textContent = text;
    if (!text) return;
    const box = field.getBoundingClientRect();
    note.style.minWidth = fades ? "" : `${box.width}px`;
    note.style.top = `${fades ? box.bottom + 2 : box.top}px`;
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
    const text = lead + rest, asked = unit(field), found = value(text, asked);
    lead = rest = "";
    if (!text.trim()) { tell(""); return; }
    if (Number.isFinite(found)) {
      const told = Number(found.toPrecision(10));
      put(String(told));
      held = field.value;
      const said = text.trim(), means = `${told} ${asked}`;
      tell(plain(text) || said === means ? "" : `${said} is ${means}`, true);
    } else {
      const kind = KINDS.find((one) => asked in one);
      tell(`${text.trim()} is refused: expected a number${asked ? ` of ${asked}${kind ? `, or with one of ${Object.keys(kind).slice(0, 4).join(", ")}` : ""}` : ""}`, true);
    }
  }

  function more(text) {
    if (!rest) {
      const all = field.selectionStart === 0 && field.selectionEnd === field.value.length;
      lead = all ? "" : field.value;
      if (field.value !== held) put(held);
    }
    rest += text;
    tell(lead + rest);
    clearTimeout(waiting);
    waiting = setTimeout(count, WAIT);
  }

  // what is left goes back into the field when no letter is among it
  function less() {
    rest = rest.slice(0, -1);
    clearTimeout(waiting);
    tell(rest ? lead + rest : "");
    if (rest) waiting = setTimeout(count, WAIT);
    else if (field.value !== lead) put(lead);
  }

  window.addEventListener("focusin", (event) => {
    field = numeric(event.target) ? event.target : null;
    lead = rest = "";
    if (field) held = field.value;
  }, true);
  window.addEventListener("keydown", (event) => {
    if (!field || event.target !== field || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Enter" || event.key === "Tab") {
      count();
      held = field.value;
      return;
    }
    if (event.key === "Backspace" && rest) less();
    else if (event.key.length === 1 && (rest || !/[\d.,+-]/.test(event.key))) more(event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }, true);
  // what comes without a key: pasted, dictated, or from the keyboard of a phone
  window.addEventListener("beforeinput", (event) => {
    const text = event.data ?? (event.dataTransfer ? event.dataTransfer.getData("text") : "");
    if (!field || event.target !== field || !text || event.isComposing || !(rest || /[^\d.,+-]/.test(text.trim()))) return;
    event.preventDefault();
    event.stopPropagation();
    more(text);
  }, true);
  // what was said stands below its field: where the field has gone, it is no longer said
  window.addEventListener("scroll", () => { if (note && !note.hidden) rest ? tell(lead + rest) : tell(""); }, true);
  window.addEventListener("focusout", (event) => {
    if (event.target === field) { count(); field = null; }
  }, true);
})();
