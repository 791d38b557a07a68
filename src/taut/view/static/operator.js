// Held keys, on-page sticks and gamepads for the operator of a machine.
//
// viser reports presses only and moves its camera with W A S D Q E and arrows. This script is loaded before it, hears keys
// first, keeps those of the machine to itself, and says over a socket of its own how far each lever is deflected.
"use strict";
(() => {
  const BEAT = 40; // time between two messages while a lever is held [ms]; the server waits for three
  const SILENCE = 120; // then it lets the levers go [ms]
  const TOLD = 4000; // how long it is said that this happened [ms]
  const DEAD = 0.15; // deflection of a gamepad that counts as none
  const CREEP = 0.3; // deflection while Shift is held
  const PAD = { left_x: [0, 1], left_y: [1, -1], right_x: [2, 1], right_y: [3, -1] };
  const PAD_BUTTONS = { 0: "hook", 1: "emergency" };
  const MOST = 0.13; // share of the picture that the box with all its words may cover; the first camera keeps clear of it
  const PANEL = document.documentElement.hasAttribute("data-taut-trainee") ? 0 : 380; // width of viser's panel [px]
  const STEP = Math.PI / 36; // headings are told apart in such steps [rad]
  let looked = null; // the heading that was told last, in steps
  let socket = null, levers = [], last = [], keys = [], on = true, sent = "[]", state = {};
  const held = new Set(), sticks = {}, padHeld = {};

  // ---- the socket ---------------------------------------------------------------------------------------------------

  function connect() {
    const url = new URL("taut/operator", location.href);
    url.protocol = url.protocol.replace("http", "ws");
    url.search = url.hash = "";
    socket = new WebSocket(url);
    looked = null;
    socket.onmessage = (event) => {
      window.taut.heard += 1;
      const message = JSON.parse(event.data);
      message.settle ? settle() : take(message);
    };
    // a page with nothing to drive has no one at the other end
    socket.onclose = (event) => { letGo(); if (event.code !== 4404) setTimeout(connect, 1000); };
  }

  function say(message) {
    if (socket && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  }

  // say when what was received so far is on the screen: at the second picture from now
  function settle() {
    const answer = () => say({ settled: true });
    if (document.hidden) answer();
    else requestAnimationFrame(() => requestAnimationFrame(answer));
  }

  function take(message) {
    const what = (levers, keys, state) => JSON.stringify([levers, keys, state.hook == null, !state.exercise]);
    const same = what(message.levers, message.keys, message) === what(levers, keys, state);
    levers = message.levers;
    keys = message.keys;
    state = message;
    if (levers.length) last = levers;
    if (!same) { letGo(); draw(); }
    show();
    window.taut.listeners.forEach((hear) => hear(message));
  }

  // for the other scripts of the page; heard: messages so far
  window.taut = { say, listeners: [], heard: 0 };

  // ---- deflections --------------------------------------------------------------------------------------------------

  const clamp = (x) => Math.max(-1, Math.min(1, x));

  function pad() {
    const found = {};
    for (const one of navigator.getGamepads ? navigator.getGamepads() : []) {
      if (!one || !one.connected) continue;
      for (const [slot, [axis, way]] of Object.entries(PAD)) {
        const x = one.axes[axis] || 0;
        if (Math.abs(x) > DEAD) found[slot] = clamp((way * (x - Math.sign(x) * DEAD)) / (1 - DEAD));
      }
      for (const [k, what] of Object.entries(PAD_BUTTONS)) {
        const down = !!(one.buttons[k] && one.buttons[k].pressed);
        if (down && !padHeld[what]) say({ press: what });
        padHeld[what] = down;
      }
    }
    return found;
  }

  function deflections() {
    const most = held.has("Shift") ? CREEP : 1;
    const stick = listening() ? pad() : {};
    return levers.map((lever) => {
      const keys = (held.has(lever.codes[1]) ? most : 0) - (held.has(lever.codes[0]) ? most : 0);
      return Math.round(1000 * clamp(keys + (sticks[lever.slot] || 0) + (stick[lever.slot] || 0))) / 1000;
    });
  }

  // a page that nobody looks at does not drive
  const listening = () => on && !document.hidden && document.hasFocus();

  // a tab that draws too slowly to say in time that a key is still held: levers jerk, and nobody would know why
  let heard = 0, stalled = 0;
  function watch(held) {
    const now = performance.now();
    if (held && sent !== none() && now - heard > SILENCE) stalled = now;
    heard = now;
    if (stalled && now - stalled > TOLD) stalled = 0;
  }

  const none = () => JSON.stringify(levers.map(() => 0));

  function beat(always) {
    if (!listening()) letGo();
    const now = deflections(), text = JSON.stringify(now), before = stalled;
    watch(now.some((x) => x !== 0));
    if (!before !== !stalled) show();
    if (text !== sent || (always && now.some((x) => x !== 0))) {
      say({ levers: now });
      if (text !== sent) glow(now);
      sent = text;
    }
  }

  function letGo() {
    held.clear();
    for (const slot in sticks) delete sticks[slot];
    document.querySelectorAll(".taut-knob").forEach((knob) => (knob.style.transform = ""));
  }

  // to where the camera looks in the plane of the ground, from x on: an exercise tells left and right as they are in this picture.
  // viser turns the scene as a whole into the axes of three.js
  function look() {
    const camera = window.__viserMutable?.cameraControl?.camera;
    if (!camera || !state.exercise) return;
    const turn = window.__viserSceneTree?.getState()[""]?.wxyz;
    if (!turn) return;
    const back = camera.quaternion.clone().set(turn[1], turn[2], turn[3], turn[0]).invert();
    const seen = (z, y) => camera.position.clone().set(0, y, z).applyQuaternion(camera.quaternion).applyQuaternion(back);
    const ahead = seen(-1, 0), up = seen(0, 1), down = Math.max(0, -ahead.z); // who looks straight down has ahead above in the picture
    const now = Math.round(Math.atan2(ahead.y + down * up.y, ahead.x + down * up.x) / STEP);
    if (now !== looked && socket && socket.readyState === WebSocket.OPEN) say({ heading: (looked = now) * STEP });
  }

  // ---- keys ---------------------------------------------------------------------------------------------------------

  const typing = (target) =>
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName) ||
      (target.tagName === "INPUT" && !/^(checkbox|radio|button|range)$/.test(target.type)));

  // words may have blanks in them, numbers have none: there Space is the emergency stop like everywhere else
  const writing = (target) => typing(target) && !/^(decimal|numeric)$/.test(target.inputMode || "");

  function key(event) {
    const down = event.type === "keydown";
    // a number that was entered is done with: the keys are the machine's again
    if (down && event.key === "Enter" && typing(event.target) && !writing(event.target)) setTimeout(() => event.target.blur());
    // what stops works everywhere but where words are written; what drives only while keys drive
    const button = keys.find((one) => one.press && one.code === event.code);
    const free = button && (button.driving ? on && !typing(event.target) : !writing(event.target));
    if (free && !event.ctrlKey && !event.altKey && !event.metaKey) {
      event.stopPropagation();
      event.preventDefault();
      if (down && !event.repeat) say({ press: button.press });
      return;
    }
    if (event.key === "Shift") { down ? held.add("Shift") : held.delete("Shift"); beat(); return; }
    // while a scene is being opened nobody means the camera by the keys of the machine before
    if (down && !levers.length && last.some((lever) => lever.codes.includes(event.code)) && document.querySelector("[data-taut=status]") && !typing(event.target)) {
      event.stopPropagation();
      event.preventDefault();
      return;
    }
    const ours = on && levers.length > 0 && levers.some((lever) => lever.codes.includes(event.code));
    if (!down && held.delete(event.code)) { beat(); event.stopPropagation(); return; }
    if (!on || !levers.length || typing(event.target) || event.ctrlKey || event.altKey || event.metaKey) return;
    if (ours) {
      event.stopPropagation();
      event.preventDefault();
      if (down && !event.repeat) { held.add(event.code); beat(); }
    }
  }

  // while keys drive, none of them moves viser's camera, whether this machine has a lever for it or not. viser hears them at the
  // document: what has the focus, a slider say, has heard them before
  const CAMERA = /^(Key[WASDQE]|Arrow(Up|Down|Left|Right))$/;
  function hush(event) {
    if (on && levers.length && CAMERA.test(event.code) && !typing(event.target)) event.stopPropagation();
  }

  // viser's keys do nothing while a tick box has the focus: one that was clicked gives it back, one that was reached by keys keeps it
  const TICKED = "input[type=checkbox], input[type=radio], input[type=range], [role=slider]";
  function giveBack(event) {
    if (event.type === "click" && !event.detail) return; // by a key
    setTimeout(() => { if (document.activeElement?.matches(TICKED)) document.activeElement.blur(); });
  }

  window.addEventListener("keydown", key, true);
  window.addEventListener("keyup", key, true);
  for (const done of ["pointerup", "click"]) window.addEventListener(done, giveBack, true);
  for (const gone of ["blur", "pagehide"]) window.addEventListener(gone, () => { letGo(); beat(); });
  document.addEventListener("visibilitychange", () => beat());
  setInterval(() => beat(true), BEAT);
  setInterval(look, 4 * BEAT);

  // ---- what is drawn ------------------------------------------------------------------------------------------------

  const make = (tag, name, text) => {
    const node = document.createElement(tag);
    node.className = name;
    if (text) node.textContent = text;
    return node;
  };

  function draw() {
    let root = document.getElementById("taut-operator");
    if (!root) {
      root = make("div", "");
      root.id = "taut-operator";
      document.body.append(root);
    }
    root.classList.remove("taut-small");
    root.replaceChildren();
    root.hidden = !levers.length && !keys.length;
    if (root.hidden) return;
    const said = make("div", "taut-said");
    said.append(make("div", "taut-note", ""), make("div", "taut-driver", ""));
    const top = make("div", "taut-top");
    top.append(said);
    root.append(top);
    if (!levers.length) { root.append(legend()); return; }
    closePanel();
    const head = make("div", "taut-head");
    const toggle = make("button", "taut-toggle", on ? "Driving" : "Drive");
    toggle.title = "keys and sticks move the machine; switch off to move the camera with keys";
    toggle.onclick = () => { on = !on; letGo(); beat(); draw(); show(); toggle.blur(); };
    const stop = make("button", "taut-stop", "");
    stop.title = `emergency stop: all drives off, brakes close (${cap("emergency")})`;
    stop.onclick = () => { say({ press: "emergency" }); stop.blur(); };
    head.append(toggle, stop);
    if (state.hook != null) {
      const hook = make("button", "taut-hook", "");
      hook.title = `hook on or off (${cap("hook")})`;
      hook.onclick = () => { say({ press: "hook" }); hook.blur(); };
      head.append(hook);
    }
    if (state.exercise) {
      const exercise = make("button", "taut-exercise", "");
      exercise.title = "lead the load through the gates, from the beginning and against the clock";
      exercise.onclick = () => { say({ press: "exercise" }); exercise.blur(); };
      head.append(exercise, make("span", "taut-more", ""));
    }
    const fold = make("button", "taut-fold", "Keys");
    fold.title = "show the keys, or hide them: they cover what lies behind them";
    fold.onclick = () => { folded = !folded; keep(folded); draw(); show(); };
    head.append(fold);
    top.append(head);
    const row = make("div", "taut-row");
    for (const side of ["left", "right"]) {
      const x = levers.find((l) => l.slot === side + "_x"), y = levers.find((l) => l.slot === side + "_y");
      if (on && (x || y)) row.append(stick(side, x, y));
    }
    const table = legend();
    row.append(table);
    root.append(row);
    // as large as it would be with all its words: where that is too much of the picture, it is small
    show();
    said.style.display = "none"; // what is said just now is none of it
    const full = root.getBoundingClientRect();
    size = full.width * full.height;
    said.style.display = "";
    root.classList.toggle("taut-small", crowded());
    folded = recalled();
    fold.setAttribute("aria-expanded", String(!folded));
    if (folded) table.remove();
    drawn = shape();
  }

  // whether the keys are hidden, remembered by the browser where it may
  let kept = null, size = 0, folded = false, drawn = "";
  const wide = () => Math.max(100, window.innerWidth - (narrow() ? 0 : PANEL)); // of the picture [px]
  const crowded = () => !narrow() && size > MOST * wide() * window.innerHeight;
  const brief = () => narrow() || wide() < 520; // no room for long words
  const shape = () => JSON.stringify([narrow(), crowded(), brief()]);
  function recalled() {
    try { kept = localStorage.getItem("taut-keys") || kept; } catch { /* not allowed */ }
    return kept ? kept === "hidden" : crowded();
  }
  function keep(hidden) {
    kept = hidden ? "hidden" : "shown";
    try { localStorage.setItem("taut-keys", kept); } catch { /* not allowed */ }
  }

  // on a phone the panel covers what one came for: it is closed once there is something to drive, and opens with a tap
  const NARROW = window.matchMedia("(max-width: 36em)"), narrow = () => NARROW.matches;
  let closing = null;
  function closePanel() {
    if (closing != null || !narrow()) return;
    closing = setInterval(() => { // viser may not have made it yet
      const handle = document.querySelector('.mantine-Paper-root[style*="max-height: 60%"] div[style*="cursor: pointer"]');
      if (handle) { clearInterval(closing); handle.click(); }
    }, 200);
  }

  // a window that is resized, a phone that is turned
  function reshape() {
    if (!narrow()) { clearInterval(closing); closing = null; } // viser makes another panel for the next time
    letGo();
    beat();
    draw();
    show();
  }
  window.addEventListener("resize", () => { if (drawn && shape() !== drawn) reshape(); });

  const cap = (press) => keys.find((one) => one.press === press)?.caps[0] || "";

  function legend() {
    const table = make("div", "taut-legend");
    if (on) levers.forEach((lever, k) => {
      const line = make("div", "taut-line");
      line.dataset.lever = k;
      // as they lie on the keyboard: from left to right, or the upper one first
      const order = lever.beside ? [0, 1] : [1, 0];
      for (const k of order) {
        const kbd = make("kbd", "", lever.caps[k]);
        kbd.dataset.way = k ? 1 : -1;
        line.append(kbd);
      }
      line.append(make("span", "", lever.name), make("small", "", order.map((k) => lever.words[k]).join("/")));
      line.title = order.map((k) => `${lever.caps[k]} ${lever.words[k]}`).join(", ");
      table.append(line);
    });
    for (const one of keys) {
      if (one.driving && !on) continue;
      const line = make("div", "taut-line");
      const [words, more] = one.words.split(": ");
      line.append(...one.caps.map((cap) => make("kbd", "", cap)), make("span", "", words));
      line.title = more ? one.words : "";
      table.append(line);
    }
    return table;
  }

  function stick(side, x, y) {
    const pad = make("div", "taut-stick"), knob = make("div", "taut-knob");
    pad.dataset.side = side;
    pad.slots = [x, y].map((lever) => lever && lever.slot);
    pad.append(knob);
    if (x) pad.append(make("i", "taut-we", `↔ ${x.name}`));
    if (y) pad.append(make("i", "taut-ns", `↕ ${y.name}`));
    const put = (event) => {
      const box = pad.getBoundingClientRect(), r = box.width / 2;
      const dx = x ? clamp((event.clientX - box.left - r) / (0.75 * r)) : 0;
      const dy = y ? clamp((box.top + r - event.clientY) / (0.75 * r)) : 0;
      if (x) sticks[x.slot] = Math.abs(dx) > DEAD ? dx : 0;
      if (y) sticks[y.slot] = Math.abs(dy) > DEAD ? dy : 0;
      knob.style.transform = `translate(${dx * 0.55 * r}px, ${-dy * 0.55 * r}px)`;
      beat();
    };
    const rest = () => {
      if (x) delete sticks[x.slot];
      if (y) delete sticks[y.slot];
      knob.style.transform = "";
      beat();
    };
    pad.onpointerdown = (event) => { event.preventDefault(); window.focus(); pad.setPointerCapture(event.pointerId); put(event); };
    pad.onpointermove = (event) => { if (pad.hasPointerCapture(event.pointerId)) put(event); };
    pad.onpointerup = pad.onpointercancel = pad.onlostpointercapture = rest;
    return pad;
  }

  function glow(now) {
    document.querySelectorAll(".taut-line[data-lever]").forEach((line) => {
      const x = now[Number(line.dataset.lever)] || 0;
      line.querySelectorAll("kbd").forEach((kbd) => kbd.classList.toggle("taut-on", x * Number(kbd.dataset.way) > 0));
    });
    // a stick shows what its levers do, whoever moves them
    document.querySelectorAll(".taut-stick").forEach((pad) => {
      const [dx, dy] = pad.slots.map((slot) => (slot && now[levers.findIndex((lever) => lever.slot === slot)]) || 0), r = pad.offsetWidth / 2;
      pad.querySelector(".taut-knob").style.transform = dx || dy ? `translate(${dx * 0.55 * r}px, ${-dy * 0.55 * r}px)` : "";
    });
  }

  function show() {
    const root = document.getElementById("taut-operator");
    if (!root || root.hidden) return;
    const note = root.querySelector(".taut-note");
    note.textContent = state.note || "";
    note.hidden = !state.note;
    if (!levers.length) return;
    root.classList.toggle("taut-stopped", !!state.emergency);
    const stop = root.querySelector(".taut-stop"), hook = root.querySelector(".taut-hook");
    stop.textContent = state.emergency ? (brief() ? "Release" : "Release emergency stop") : brief() ? "E-STOP" : "EMERGENCY STOP";
    if (hook) hook.textContent = state.hook ? "Unhook" : "Hook on";
    const exercise = root.querySelector(".taut-exercise");
    if (exercise) exercise.textContent = brief() ? state.exercise.replace("Begin again", "Again") : state.exercise;
    const more = root.querySelector(".taut-more"), others = state.exercise_more || [];
    if (more && more.dataset.shown !== JSON.stringify(others)) { // levers that are held meanwhile stay as they are
      more.dataset.shown = JSON.stringify(others);
      more.replaceChildren(...others.map(([press, words, about]) => {
        const button = make("button", "taut-" + press.replace("_", "-"), words);
        button.title = about;
        button.onclick = () => { say({ press }); button.blur(); };
        return button;
      }));
    }
    const driver = root.querySelector(".taut-driver");
    if (driver) driver.textContent = state.driver === "other" ? "someone else drives"
      : state.emergency ? "all drives are off"
      : stalled ? "this tab draws too slowly: levers are let go; a smaller window helps" : "";
  }

  const style = document.createElement("link");
  style.rel = "stylesheet";
  style.href = "taut/operator.css";
  style.onload = () => { if (document.getElementById("taut-operator")) { draw(); show(); } }; // it had no size before
  document.head.append(style);
  // keys are heard from the first moment; what is drawn needs a body
  const begin = () => { document.body.addEventListener("keydown", hush); connect(); };
  if (document.body) begin();
  else document.addEventListener("DOMContentLoaded", begin);
})();
