// The picture on the stage: nodes, edges, folders, and which part of them is seen.

const byId = id => document.getElementById(id);
const stage = byId("stage"), world = byId("world");
let state = parseState(location.hash);
let graph = { nodes: [], edges: [] };
let layout = null;
const changes = ["added", "removed", "changed"];
let nodeElements = [], edgeElements = [], labelElements = [];

byId("markers").append(element(
  "marker",
  { id: "arrow", viewBox: "0 0 8 8", refX: 7.5, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto",
    markerUnits: "userSpaceOnUse" },
  element("path", { d: "M0,0.8L8,4L0,7.2Z", class: "arrow" })
));

/** Computes the visible graph and its layout and draws both. */
function draw() {
  const old = new Map(graph.nodes.map((node, index) => [node.id, layout && layout.boxes[index]]));
  graph = visibleGraph(state);
  graph.nodes.forEach(measure);
  const aspect = stage.clientWidth / stage.clientHeight;
  layout = layOutInLayers(graph.nodes, graph.edges, aspect);
  drawFolders();
  drawEdges();
  drawNodes(old);
  stage.classList.add("moving");
  mark();
}

function drawFolders() {
  byId("folders").replaceChildren(...layout.folders.map(folder => {
    const count = graph.nodes.filter(node => node.group === folder.group).length;
    const text = element("text", { x: folder.x + 12, y: folder.y + 19 }, `\u25be ${folder.group} (${count})`);
    const titleWidth = Math.min(folder.width - 8, textWidth(text.textContent, 12) * 1.1 + 18);
    const title = element(
      "g", { class: "title", role: "button", "aria-label": `Collapse ${folder.group}` },
      element("rect", { x: folder.x + 4, y: folder.y + 4, width: titleWidth, height: 22, rx: 5 }),
      text
    );
    title.addEventListener("click", () => change({ collapsed: new Set([...state.collapsed, folder.group]) }));
    const { x, y, width, height } = folder;
    const box = element("rect", { x, y, width, height, rx: 10 });
    return element("g", { class: "folder", "data-folder": folder.group }, box, title);
  }));
}

function drawEdges() {
  edgeElements = graph.edges.map((edge, index) => {
    const parts = edge.members.map(member => edges[member]);
    const classes = ["edge"];
    if (parts.every(part => part.isConditional)) classes.push("conditional");
    if (parts.every(part => part.isPlugin)) classes.push("plugin");
    const marked = parts.filter(part => isMarked(part, state));
    if (marked.some(part => violations.includes(part.finding))) classes.push("violation");
    else classes.push(...["undeclared", "unused"].filter(kind => marked.some(part => part.finding === kind)));
    classes.push(...changes.filter(change => parts.some(part => part.change === change)));
    const path = element("path", { class: classes.join(" "), d: layout.routes[index].path });
    path.setAttribute("marker-end", "url(#arrow)");
    path.dataset.from = graph.nodes[edge.from].id;
    path.dataset.to = graph.nodes[edge.to].id;
    path.append(element("title", {}, parts.map(edgeTitle).join("\n")));
    return path;
  });
  byId("edges").replaceChildren(...edgeElements);
  labelElements = graph.edges.map((edge, index) => {
    const text = edge.members.map(member => edges[member].label).filter(Boolean).join("; ");
    const [x, y] = layout.routes[index].label;
    return text ? element("text", { class: "label", x, y: y - 3, "text-anchor": "middle" }, text) : null;
  });
  byId("labels").replaceChildren(...labelElements.filter(Boolean));
}

function edgeTitle(edge) {
  const lines = [`${targets[edge.from].name} \u2192 ${targets[edge.to].name}`];
  if (edge.note) lines.push(edge.note);
  if (edge.change) lines.push(edge.change);
  return lines.concat(edge.messages).join("\n");
}

function drawNodes(old) {
  nodeElements = graph.nodes.map((node, index) => {
    const { width, height } = layout.boxes[index];
    const total = node.nameWidth + (node.word ? 6 + textWidth(node.word, 10.5) : 0);
    const x = (width - total) / 2, y = height / 2 + 4.5;
    const made = element(
      "g", { class: "node " + classesOf(node), role: "button", tabindex: -1, "data-id": node.id },
      element("path", { class: "shape", d: outline(node.kind, width, height) }),
      element("text", { x, y }, node.title)
    );
    if (node.word) made.append(element("text", { class: "kind", x: x + node.nameWidth + 6, y }, node.word));
    made.setAttribute("aria-label", `${node.title}, ${kindNames[node.kind]}`);
    const before = old.get(node.id);
    position(made, before || layout.boxes[index]);
    return made;
  });
  byId("nodes").replaceChildren(...nodeElements);
  stage.getBoundingClientRect();
  nodeElements.forEach((made, index) => position(made, layout.boxes[index]));
}

function position(made, box) { made.style.transform = `translate(${short(box.x)}px, ${short(box.y)}px)`; }

function classesOf(node) {
  const parts = node.members.map(index => targets[index]);
  const classes = [node.kind];
  if (parts.some(target => target.faults.length)) classes.push("fault");
  const kinds = parts.flatMap(target => target.findings).map(finding => finding.kind);
  if (kinds.some(kind => state.findings || violations.includes(kind))) classes.push("finding");
  classes.push(...changes.filter(change => parts.some(target => target.change === change)));
  return classes.join(" ");
}

/** Returns the index of the node that shows a target or a folder, or -1. */
function nodeIndex(id) {
  const direct = graph.nodes.findIndex(node => node.id === id);
  if (direct >= 0 || !byName.has(id)) return direct;
  return graph.nodes.findIndex(node => node.members.includes(byName.get(id)));
}

// MARK: The view

function applyView() {
  const { x, y, scale } = state.view;
  world.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
}

/** The bounds of the picture in its own coordinates. */
function bounds() {
  const all = [...layout.boxes, ...layout.folders];
  if (graph.edges.length) all.push(byId("edges").getBBox());
  if (!all.length) return { x: 0, y: 0, width: 1, height: 1 };
  const x = Math.min(...all.map(box => box.x)), y = Math.min(...all.map(box => box.y));
  const right = Math.max(...all.map(box => box.x + box.width));
  const bottom = Math.max(...all.map(box => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** The part of the stage that no panel covers. */
function freeArea() {
  const area = stage.getBoundingClientRect();
  const panel = byId("panel");
  return { width: area.width - (panel.hidden ? 0 : panel.offsetWidth + 16), height: area.height };
}

function fit() {
  const box = bounds(), area = freeArea();
  const scale = Math.min(1.3, (area.width - 32) / box.width, (area.height - 32) / box.height);
  const x = (area.width - box.width * scale) / 2 - box.x * scale;
  const y = (area.height - box.height * scale) / 2 - box.y * scale;
  state.view = { x, y, scale };
  applyView();
}

/** Puts a node in the middle of the view, large enough to be read. */
function centre(index) {
  const box = layout.boxes[index], area = freeArea();
  const scale = Math.max(state.view.scale, .8);
  const x = area.width / 2 - (box.x + box.width / 2) * scale, y = area.height / 2 - (box.y + box.height / 2) * scale;
  state.view = { x, y, scale };
  applyView();
}

/** Moves the view as little as brings a node into it. */
function reveal(index) {
  const box = layout.boxes[index], area = freeArea(), { x, y, scale } = state.view;
  const left = box.x * scale + x, top = box.y * scale + y;
  const right = left + box.width * scale, bottom = top + box.height * scale;
  const isInside = left > 8 && top > 8 && right < area.width - 8 && bottom < area.height - 8;
  if (!isInside) centre(index);
}

function zoom(factor, x = stage.clientWidth / 2, y = stage.clientHeight / 2) {
  const scale = Math.min(4, Math.max(.02, state.view.scale * factor));
  const ratio = scale / state.view.scale;
  state.view = { scale, x: x - (x - state.view.x) * ratio, y: y - (y - state.view.y) * ratio };
  applyView();
}

function pan(x, y) {
  state.view = { ...state.view, x: state.view.x + x, y: state.view.y + y };
  applyView();
}
