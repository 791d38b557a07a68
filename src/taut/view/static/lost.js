// A tab whose server has ended looks alive and does nothing. It asks the server for its word every other second, says so when
// there is no answer, and loads itself anew when there is one again, also from another server at the same port.
//
// A connection that is refused counts at once. An answer that does not come may be a server that is busy, as one that loads machine
// code, or a computer that has slept: that it is busy is said when it has not answered for some time and nothing else was heard from it
// meanwhile, that it has ended when that goes on. Tabs in the background are given few seconds by the browser; they ask as soon as they
// are looked at.
"use strict";
(() => {
  const EVERY = 2000, WAIT = 2500; // between two questions, and for an answer [ms]
  const BUSY = 8000, ENDED = 25000; // without a word: from then on it is said to be busy, and to have ended [ms]
  const ADDRESS = new URL("taut/alive", document.baseURI).href;
  let word = "", known = "", silent = 0, last = 0, asking = false, leaving = false, gone = false, banner = null;

  function say(text, colour) {
    if (!banner) {
      banner = document.createElement("div");
      banner.id = "taut-lost";
      banner.setAttribute("role", "alert");
      banner.style.cssText = "position:fixed;top:0;left:0;right:0;z-index:100000;padding:0.7em 1.2em;text-align:center;" +
        "color:#fff;font:600 15px/1.4 system-ui,sans-serif;box-shadow:0 2px 8px rgba(0,0,0,.35)";
      document.body.append(banner);
    }
    banner.style.background = colour;
    if (banner.textContent !== text) banner.textContent = text;
  }

  function lost(text) {
    gone = true;
    say(text, "#c92a2a");
  }
  const ended = () => lost("The server has ended or cannot be reached. Start taut view or taut route again" +
    (location.port ? ` at port ${location.port}` : "") + "; this page will find it.");
  const busy = () => say("The server is busy and has not answered for some seconds.", "#8a5a00");

  // something was heard: whatever was late is not
  function hear() {
    silent = 0;
    if (banner && !gone) { banner.remove(); banner = null; }
  }

  // what the page hears of by other ways than by asking: clock, progress and readings, and the socket of the levers
  const heard = () => [window.taut?.heard, ...[...document.querySelectorAll("[data-taut]")].map((one) => one.textContent)].join("\n");

  async function ask() {
    if (asking || !document.body) return;
    asking = true;
    const began = performance.now();
    const limit = new AbortController(), timer = setTimeout(() => limit.abort(), WAIT);
    try {
      const answer = await fetch(ADDRESS, { cache: "no-store", signal: limit.signal });
      const said = answer.ok ? await answer.text() : "";
      if (answer.status === 403) {
        lost("The server was started again with another key: open the address that it has printed.");
      } else if (!answer.ok) {
        ended(); // something else answers at this port
      } else if (gone || (word && word !== said)) {
        location.reload();
      } else {
        word = said;
        known = heard();
        hear();
      }
    } catch (error) {
      if (leaving) return;
      const before = known;
      known = heard();
      if (error.name !== "AbortError") ended();
      else if (known !== before) hear();
      else {
        // since the last question, but no time in which the computer slept
        silent += Math.min(performance.now() - Math.max(last, began - EVERY), WAIT + EVERY);
        if (silent >= ENDED) ended();
        else if (silent >= BUSY && !gone) busy();
      }
    } finally {
      clearTimeout(timer);
      last = performance.now();
      asking = false;
    }
  }

  setInterval(ask, EVERY);
  window.addEventListener("pagehide", () => { leaving = true; });
  window.addEventListener("pageshow", () => { leaving = false; ask(); });
  for (const kind of ["focus", "online"]) window.addEventListener(kind, ask);
  document.addEventListener("visibilitychange", ask);
  ask();
})();
