// Labels in the picture stay readable: viser draws them to the right of their place and below it, where the edge of the window or the
// panel cuts them off. What would be cut off goes to the other side, and a text longer than half of the picture into lines.
"use strict";
(() => {
  const LOOK = 100; // between two looks [ms]
  const FONT = '12px -apple-system, BlinkMacSystemFont, "Segoe UI", "Roboto", "Helvetica Neue", Arial, sans-serif', LINE = 15, MARGIN = 8; // as viser draws them; height of a line, room to the edge [px]
  const SHARE = 0.5; // of the picture that a line may be long [-]
  const OURS = new Set(["/cursor/label", "/pull_force"]);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = FONT;
  const long = (text) => pen.measureText(text).width;
  const picture = () => document.querySelector("canvas[data-engine]");

  function broken(text) {
    const most = SHARE * (picture()?.clientWidth || window.innerWidth) - 2 * MARGIN, lines = [];
    for (const word of text.split(/(?<=[,:]) /)) {
      const longer = lines.length ? `${lines.at(-1)} ${word}` : "";
      longer && long(longer) <= most ? lines.splice(-1, 1, longer) : lines.push(word);
    }
    return lines.join("\n");
  }

  window.tautMessages.push((messages) => {
    for (const { name, updates } of messages)
      if (OURS.has(name) && updates && typeof updates.text === "string") updates.text = broken(updates.text);
    return messages;
  });

  // where a node is in the picture [px]
  function seen(held, name) {
    const parent = held.nodeRefFromName[name.slice(0, name.lastIndexOf("/"))], camera = held.cameraControl?.camera;
    if (!parent || !camera) return null;
    const place = camera.position.clone().set(...(held.nodePoseData[name]?.position ?? [0, 0, 0]));
    place.applyMatrix4(parent.matrixWorld).project(camera);
    return [0.5 * (place.x + 1), 0.5 * (1 - place.y)];
  }

  function anchor(at, text, box) {
    const lines = text.split("\n"), x = at[0] * box.clientWidth, y = at[1] * box.clientHeight;
    const right = x + Math.max(...lines.map(long)) + MARGIN > box.clientWidth, below = y + lines.length * LINE + MARGIN > box.clientHeight;
    return `${below ? "bottom" : "top"}-${right ? "right" : "left"}`;
  }

  setInterval(() => {
    const held = window.__viserMutable, tree = window.__viserSceneTree, box = picture();
    if (!held || !tree || !box) return;
    const nodes = tree.getState();
    for (const name of OURS) {
      const said = nodes[name]?.message, at = said && seen(held, name);
      if (!at) continue;
      const wanted = anchor(at, said.props.text, box);
      if (wanted === said.props.anchor) continue;
      held.messageQueue.push({ type: "SceneNodeUpdateMessage", name, updates: { anchor: wanted }, owner: said.owner });
      held.requestRender();
    }
  }, LOOK);
})();
