// The gallery: all scenes of the library over the page, and a button that brings it back.
"use strict";
(() => {
  let root = null, current = null, list = null;

  const make = (tag, name, text) => {
    const node = document.createElement(tag);
    node.className = name;
    if (text) node.textContent = text;
    return node;
  };

  async function show(open) {
    if (!root) {
      root = make("div", "");
      root.id = "taut-gallery";
      document.body.append(root);
    }
    root.hidden = !open;
    if (!open) return;
    list = list || (await (await fetch("taut/scenes.json")).json());
    root.replaceChildren();
    const head = make("div", "taut-title");
    head.append(make("h1", "", "Taut"), make("p", "", "Ropes, cranes and heavy loads, live. Choose a scene."));
    if (current) {
      const back = make("button", "taut-back", "Back");
      back.onclick = () => show(false);
      head.append(back);
    }
    const grid = make("div", "taut-grid");
    for (const scene of list) {
      const card = make("button", "taut-card");
      card.dataset.scene = scene.name;
      const picture = make("span", "taut-picture");
      if (scene.picture) picture.style.backgroundImage = `url("taut/${scene.picture}")`;
      const text = make("span", "taut-text");
      text.append(make("b", "", scene.title), make("span", "", scene.sentence), make("code", "", `taut view ${scene.name}`), make("em", "", "Open"));
      card.append(picture, text);
      card.onclick = () => { window.taut.say({ open: scene.name }); show(false); };
      grid.append(card);
    }
    root.append(head, grid);
  }

  // what the server says over the operator's socket
  window.taut.listeners.push((state) => {
    if (state.scene === undefined || state.scene === current) return;
    current = state.scene;
    // what was scrolled to in the panel of another scene is not what one looks for in this one
    document.querySelectorAll(".mantine-ScrollArea-viewport").forEach((view) => (view.scrollTop = 0));
    let button = document.getElementById("taut-scenes");
    if (!button) {
      button = make("button", "", "Scenes");
      button.id = "taut-scenes";
      button.onclick = () => { show(true); button.blur(); };
      document.body.append(button);
    }
    show(!current);
  });
})();
