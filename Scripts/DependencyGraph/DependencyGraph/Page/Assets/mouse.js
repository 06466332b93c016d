// The mouse and touch: drag to move the view, the wheel to zoom, a click to select, a double click to focus or expand.

let drag = null;

stage.addEventListener("pointerdown", event => {
  if (event.button !== 0) return;
  stage.focus();
  drag = { x: event.clientX, y: event.clientY, isMoved: false, node: event.target.closest(".node") };
});

addEventListener("pointermove", event => {
  if (!drag) return;
  const x = event.clientX - drag.x, y = event.clientY - drag.y;
  if (!drag.isMoved && Math.hypot(x, y) < 4) return;
  drag.isMoved = true;
  drag.x = event.clientX;
  drag.y = event.clientY;
  stage.classList.remove("moving");
  stage.classList.add("dragging");
  pan(x, y);
});

addEventListener("pointerup", event => {
  if (!drag) return;
  const { isMoved, node } = drag;
  drag = null;
  stage.classList.remove("dragging");
  if (isMoved) { saveState(); return; }
  if (event.target.closest(".title")) return;
  if (node) select(node.dataset.id === state.selected ? "" : node.dataset.id);
  else if (event.target.closest("#stage")) select("");
});

addEventListener("pointercancel", () => { drag = null; });

stage.addEventListener("dblclick", event => {
  const node = event.target.closest(".node");
  if (!node) return;
  if (node.dataset.id.endsWith("/")) toggleFolder(node.dataset.id.slice(0, -1));
  else { state.selected = node.dataset.id; setFocus(node.dataset.id); }
});

stage.addEventListener("wheel", event => {
  event.preventDefault();
  const area = stage.getBoundingClientRect();
  const isPan = event.shiftKey;
  if (isPan) pan(-event.deltaX - event.deltaY, 0);
  else {
    const distance = Math.max(-160, Math.min(160, event.deltaY));
    zoom(Math.exp(-distance * .0022), event.clientX - area.left, event.clientY - area.top);
  }
  saveState();
}, { passive: false });

stage.addEventListener("pointerover", event => {
  const node = event.target.closest(".node");
  hover(node ? node.dataset.id : "");
});

addEventListener("hashchange", () => {
  if (location.hash.slice(1) === formatState(state)) return;
  state = parseState(location.hash);
  start();
});

function start() {
  byId("search").value = state.query;
  const view = state.view;
  draw();
  if (view) { state.view = view; applyView(); } else fit();
  stage.classList.remove("moving");
}

drawLegend();
byId("legend").hidden = innerHeight < 500;
start();
addEventListener("resize", () => applyView());
