// The controls: search, toolbar, mouse and keys.

/** Returns the targets whose name contains the words, names that start with them first. */
function searchHits(query) {
  const word = query.trim().toLowerCase();
  if (!word) return [];
  const place = index => targets[index].name.toLowerCase().indexOf(word);
  return targets.map((_, index) => index).filter(index => place(index) >= 0)
    .sort((a, b) => (place(a) > 0) - (place(b) > 0) || targets[a].name.length - targets[b].name.length || a - b);
}

let hit = 0;

function search(query) {
  state.query = query;
  hit = 0;
  showHits();
  mark();
  goToHit();
}

function showHits() {
  const found = searchHits(state.query);
  byId("hits").hidden = !found.length;
  byId("hits").replaceChildren(...found.slice(0, 60).map((index, place) => {
    const target = targets[index];
    const isHidden = nodeIndex(target.name) < 0 || state.collapsed.has(target.group);
    const row = html("li", { "aria-selected": String(place === hit) }, target.name,
      html("span", {}, [kindWord(target.kind), isHidden ? "hidden" : ""].filter(Boolean).join(", ")));
    row.addEventListener("mousedown", event => {
      event.preventDefault();
      hit = place;
      chooseHit();
    });
    return row;
  }));
}

/** Centres the current hit if the state shows it. */
function goToHit() {
  const index = searchHits(state.query)[hit];
  const node = index === undefined ? -1 : nodeIndex(targets[index].name);
  if (node >= 0) centre(node);
}

/** Selects the current hit and shows it if the state hides it. */
function chooseHit() {
  const index = searchHits(state.query)[hit];
  if (index === undefined) return;
  select(targets[index].name, true);
  showHits();
}

function toggleFolder(group) {
  const collapsed = new Set(state.collapsed);
  if (!collapsed.delete(group)) collapsed.add(group);
  change({ collapsed, selected: "" });
}

function setFocus(name) {
  const isFocused = Boolean(name) && state.focus !== name;
  change({ focus: isFocused ? name : "", from: "", to: "" });
}

/** Undoes the last thing that is open: help, hits, search, selection, path, focus. */
function back() {
  if (!byId("keys").hidden) byId("keys").hidden = true;
  else if (state.query || !byId("hits").hidden) {
    state.query = "";
    byId("hits").hidden = true;
    byId("search").value = "";
    mark();
  } else if (state.selected) select("");
  else if (state.from || state.to) change({ from: "", to: "" });
  else if (state.focus) change({ focus: "" });
  stage.focus();
}

/** Selects the node that an arrow key leads to; without a selection, returns false. */
function step(key) {
  const index = state.selected ? nodeIndex(state.selected) : -1;
  if (index < 0) return false;
  const middle = node => layout.boxes[node].y + layout.boxes[node].height / 2;
  const nearest = candidates => candidates
    .sort((a, b) => Math.abs(middle(a) - middle(index)) - Math.abs(middle(b) - middle(index)))[0];
  let next;
  if (key === "ArrowRight") next = nearest(graph.edges.filter(edge => edge.from === index).map(edge => edge.to));
  else if (key === "ArrowLeft") next = nearest(graph.edges.filter(edge => edge.to === index).map(edge => edge.from));
  else {
    const isBelow = node => (key === "ArrowDown" ? middle(node) > middle(index) : middle(node) < middle(index));
    const others = graph.nodes.map((_, node) => node).filter(node => node !== index && isBelow(node));
    const isBeside = node => Math.abs(layout.boxes[node].x - layout.boxes[index].x) < 4;
    next = nearest(stepSiblings.filter(node => others.includes(node))) ?? nearest(others.filter(isBeside));
  }
  if (next === undefined) return true;
  if (key === "ArrowRight") stepSiblings = graph.edges.filter(edge => edge.from === index).map(edge => edge.to);
  if (key === "ArrowLeft") stepSiblings = graph.edges.filter(edge => edge.to === index).map(edge => edge.from);
  select(graph.nodes[next].id);
  return true;
}

let stepSiblings = [];

function chooseFolderOfSelection() {
  const node = graph.nodes[nodeIndex(state.selected)];
  if (!node) return;
  const group = node.kind === "folded" ? node.title : node.group;
  if (group) toggleFolder(group);
}

function toggleLegend() {
  byId("legend").hidden = !byId("legend").hidden;
  byId("legendToggle").setAttribute("aria-expanded", String(!byId("legend").hidden));
}

const keys = {
  "/": () => { byId("search").focus(); byId("search").select(); },
  "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(.8), "0": () => fit(),
  t: () => change({ tests: !state.tests }), e: () => change({ externals: !state.externals }),
  r: () => change({ reduce: !state.reduce }), i: () => change({ findings: !state.findings }), l: toggleLegend,
  f: () => setFocus(byName.has(state.selected) ? state.selected : ""),
  c: chooseFolderOfSelection, "?": () => { byId("keys").hidden = !byId("keys").hidden; }, Escape: back,
};

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isTyping = ["INPUT", "SELECT"].includes(event.target.tagName) && event.target.type !== "checkbox";
  if (isTyping && event.key !== "Escape") return;
  const moves = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
  if (moves[event.key]) {
    if (event.shiftKey || !step(event.key)) { pan(...moves[event.key]); saveState(); }
  } else if (keys[event.key]) {
    keys[event.key]();
    saveState();
  } else return;
  event.preventDefault();
});

byId("search").addEventListener("input", event => search(event.target.value));
byId("search").addEventListener("focus", showHits);
byId("search").addEventListener("blur", () => { byId("hits").hidden = true; });
byId("search").addEventListener("keydown", event => {
  const count = Math.min(60, searchHits(state.query).length);
  const move = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (!count || (!move && event.key !== "Enter")) return;
  event.preventDefault();
  if (move) { hit = (hit + move + count) % count; showHits(); goToHit(); return; }
  const isRepeated = state.selected === targets[searchHits(state.query)[hit]].name;
  if (isRepeated) hit = (hit + (event.shiftKey ? -1 : 1) + count) % count;
  chooseHit();
});
for (const key of flags) {
  byId(key).addEventListener("change", event => change({ [key]: event.target.checked }));
}
for (const key of ["from", "to"]) {
  byId(key).addEventListener("change", event => {
    const name = event.target.value.trim();
    if (name && !byName.has(name)) { byId("status").textContent = `there is no target ${name}`; return; }
    change({ [key]: name, focus: "", selected: "" });
  });
}
byId("names").append(...targets.map(target => html("option", { value: target.name })));
byId("focus").addEventListener("click", () => setFocus(byName.has(state.selected) ? state.selected : state.focus));
byId("depth").addEventListener("change", event => {
  const selected = byName.has(state.selected) ? state.selected : "";
  change({ depth: Number(event.target.value), focus: state.focus || selected });
});
byId("collapse").addEventListener("click", () => change({ collapsed: new Set(folders), selected: "" }));
byId("expand").addEventListener("click", () => change({ collapsed: new Set() }));
byId("in").addEventListener("click", () => { zoom(1.25); saveState(); });
byId("out").addEventListener("click", () => { zoom(.8); saveState(); });
byId("fit").addEventListener("click", () => { fit(); saveState(); });
byId("help").addEventListener("click", keys["?"]);
byId("theme").addEventListener("change", event => { state.theme = event.target.value; mark(); });
byId("legendToggle").addEventListener("click", toggleLegend);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", showControls);
