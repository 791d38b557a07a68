// What the panel of the routing studio says at its top, once more over the picture: the panel may be scrolled. What is being solved
// with a button that stops it, which limits are broken, and what was said last.
"use strict";
(() => {
  const LOOK = 250; // between two looks at the panel [ms]
  const MOST = 4; // limits that are named
  let bar = null;

  function make() {
    bar = document.createElement("div");
    bar.id = "taut-bar";
    bar.style.cssText = "position:fixed;left:10px;bottom:10px;z-index:80;max-width:min(46em,calc(100vw - 25em));padding:5px 10px;" +
      "border-radius:6px;background:rgba(255,255,255,.88);color:#20303e;font:13px/1.4 system-ui,sans-serif;pointer-events:none;" +
      "box-shadow:0 1px 4px rgba(20,35,50,.25)";
    for (const name of ["busy", "stop", "limits", "said"]) {
      const part = document.createElement(name === "stop" ? "button" : "div");
      part.dataset.bar = name;
      bar.append(part);
    }
    const stop = bar.querySelector("[data-bar=stop]");
    stop.textContent = "stop";
    stop.title = "all stays as it was before";
    stop.style.cssText = "pointer-events:auto;border:0;border-radius:4px;padding:2px 12px;background:#d6231d;color:#fff;font:inherit;cursor:pointer";
    stop.addEventListener("click", () => {
      const theirs = [...document.querySelectorAll("button")].find((one) => !bar.contains(one) && one.textContent.trim() === "stop");
      if (theirs) theirs.click();
    });
    bar.querySelector("[data-bar=busy]").style.cssText = "font-weight:700;color:#b35c00";
    bar.querySelector("[data-bar=limits]").style.cssText = "font-weight:700;white-space:pre-line";
    document.body.append(bar);
  }

  function put(name, text) {
    const part = bar.querySelector(`[data-bar=${name}]`);
    if (part.textContent !== text) part.textContent = text;
    part.hidden = !text;
  }

  function look() {
    const panel = document.querySelector("[data-taut=studio]");
    if (!panel) { if (bar) bar.hidden = true; return; }
    if (!bar) make();
    const busy = document.querySelector("[data-taut=busy]"), said = panel.querySelector("[data-taut=said]");
    const broken = Number(panel.dataset.broken), asked = Number(panel.dataset.asked);
    put("busy", busy ? busy.textContent : "");
    bar.querySelector("[data-bar=stop]").hidden = !busy;
    const open = Number(panel.dataset.open), moved = [...panel.querySelectorAll("[data-taut=moved]")].map((one) => one.textContent);
    const which = [...panel.querySelectorAll("[data-taut=broken]")].map((one) => one.textContent);
    const more = which.length > MOST ? [`and ${which.length - MOST} more`] : [];
    const limits = (count) => `${count} limit${count === 1 ? "" : "s"}`;
    const unjudged = open ? `, ${open} not judged` : "";
    const stands = broken ? `${broken} of ${limits(asked)} broken` : open ? asked ? `${limits(asked)} kept` : "no limit broken"
      : asked === 1 ? "the limit is kept" : `all ${asked} limits are kept`;
    const told = asked || open ? [stands + unjudged, ...which.slice(0, MOST), ...more] : [];
    if (moved.length) told.push(`${moved.length} broken in the motion`, ...moved.slice(0, MOST));
    put("limits", told.join("\n"));
    bar.querySelector("[data-bar=limits]").style.color = broken || moved.length ? "#c92a2a" : open ? "#b35c00" : "#1b7f3b";
    put("said", said ? said.textContent : "");
    bar.hidden = !busy && !told.length && !said;
  }

  setInterval(look, LOOK);
})();
