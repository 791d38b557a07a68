// A tab whose server has ended looks alive and does nothing. It asks the server for its word every other second, says so when
// there is no answer, and loads itself anew when there is one again, also from another server at the same port.
//
// A connection that is refused counts at once. An answer that does not come may be a server that is busy, or a computer that has
// slept: it counts when it has not come several times. Tabs in the background are given few seconds by the browser; they ask as
// soon as they are looked at.
"use strict";
(() => {
  const EVERY = 2000, WAIT = 2500; // between two questions, and for an answer [ms]
  const LATE = 3; // answers that did not come in time, one after the other
  const ADDRESS = new URL("taut/alive", document.baseURI).href;
  let word = "", late = 0, asking = false, leaving = false, banner = null;

  function say(text) {
    if (!banner) {
      banner = document.createElement("div");
      banner.id = "taut-lost";
      banner.setAttribute("role", "alert");
      banner.style.cssText = "position:fixed;top:0;left:0;right:0;z-index:100000;padding:0.7em 1.2em;text-align:center;" +
        "background:#c92a2a;color:#fff;font:600 15px/1.4 system-ui,sans-serif;box-shadow:0 2px 8px rgba(0,0,0,.35)";
      document.body.append(banner);
    }
    if (banner.textContent !== text) banner.textContent = text;
  }

  const lost = () => say("The server has ended or cannot be reached. Start taut view or taut route again" +
    (location.port ? ` at port ${location.port}` : "") + "; this page will find it.");

  async function ask() {
    if (asking || !document.body) return;
    asking = true;
    const limit = new AbortController(), timer = setTimeout(() => limit.abort(), WAIT);
    try {
      const answer = await fetch(ADDRESS, { cache: "no-store", signal: limit.signal });
      const said = answer.ok ? await answer.text() : "";
      late = 0;
      if (answer.status === 403) {
        say("The server was started again with another key: open the address that it has printed.");
      } else if (!answer.ok) {
        lost(); // something else answers at this port
      } else if (banner || (word && word !== said)) {
        location.reload();
      } else {
        word = said;
      }
    } catch (error) {
      late += 1;
      if (!leaving && (error.name !== "AbortError" || late >= LATE)) lost();
    } finally {
      clearTimeout(timer);
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
