// What is highlighted: the selection with what it depends on and its dependents, the path, the hits of the search.

/** Updates the highlighting, the panel, the controls and the link for the state. */
function mark() {
  const chosen = state.selected ? nodeIndex(state.selected) : -1;
  const next = graph.nodes.map(() => []), previous = graph.nodes.map(() => []);
  graph.edges.forEach(edge => { next[edge.from].push(edge.to); previous[edge.to].push(edge.from); });
  const down = chosen >= 0 ? reach(chosen, index => next[index]) : null;
  const up = chosen >= 0 ? reach(chosen, index => previous[index]) : null;
  const path = state.from && state.to ? shortestPath(byName.get(state.from), byName.get(state.to)) : null;
  const onPath = path ? new Set(path.map(index => nodeIndex(targets[index].name))) : null;
  const hits = new Set(state.query ? searchHits(state.query).map(index => nodeIndex(targets[index].name)) : []);
  nodeElements.forEach((made, index) => {
    const isNear = !down || down.has(index) || up.has(index);
    made.classList.toggle("dim", !isNear && !hits.has(index));
    made.classList.toggle("chosen", index === chosen || Boolean(onPath && onPath.has(index)));
    made.classList.toggle("hit", hits.has(index));
  });
  graph.edges.forEach((edge, index) => {
    const isDown = Boolean(down && down.has(edge.from) && down.has(edge.to));
    const isUp = Boolean(up && up.has(edge.from) && up.has(edge.to));
    const isPath = Boolean(path) && edge.members.some(member =>
      path.some((from, place) => edges[member].from === from && edges[member].to === path[place + 1]));
    const classes = edgeElements[index].classList;
    classes.toggle("down", isDown);
    classes.toggle("up", isUp && !isDown);
    classes.toggle("path", isPath);
    classes.toggle("dim", Boolean(down) && !isDown && !isUp && !isPath);
    if (labelElements[index]) labelElements[index].style.display = down && !isDown && !isUp ? "none" : "";
  });
  showControls();
  showPanel(chosen);
  showStatus(path);
  saveState();
}

/** Highlights the edges of the node under the pointer. */
function hover(id) {
  edgeElements.forEach(made => {
    made.classList.toggle("near", Boolean(id) && (made.dataset.from === id || made.dataset.to === id));
  });
}

function showControls() {
  for (const key of flags) byId(key).checked = state[key];
  byId("focus").setAttribute("aria-pressed", String(Boolean(state.focus)));
  byId("focus").textContent = state.focus ? `Focus: ${state.focus}` : "Focus";
  byId("depth").value = String(state.depth);
  for (const key of ["from", "to"]) if (document.activeElement !== byId(key)) byId(key).value = state[key];
  if (document.activeElement !== byId("search")) byId("search").value = state.query;
  byId("theme").value = state.theme;
  const isDarkSystem = matchMedia("(prefers-color-scheme: dark)").matches;
  const isDark = state.theme === "dark" || (state.theme === "auto" && isDarkSystem);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
}

function showStatus(path) {
  const parts = [`${graph.nodes.length} of ${targets.length} nodes, ${graph.edges.length} edges`];
  if (state.from && state.to) {
    const steps = path ? path.length - 1 : 0;
    parts.unshift(path ? `${steps} step${steps === 1 ? "" : "s"} from ${state.from} to ${state.to}`
      : `there is no path from ${state.from} to ${state.to}`);
  }
  if (isReduced(state)) parts.push("reduced");
  byId("status").textContent = parts.join(" \u00b7 ");
}

let saving = 0;

/** Writes the state to the address a moment later: the browser limits how often that is possible. */
function saveState() {
  clearTimeout(saving);
  saving = setTimeout(() => history.replaceState(null, "", "#" + formatState(state)), 120);
}

/** Changes the state and draws what that requires. */
function change(values, isCentred = true) {
  const anchor = state.selected;
  Object.assign(state, values);
  draw();
  const index = state.selected ? nodeIndex(state.selected) : -1;
  if (index >= 0 && isCentred && anchor) centre(index);
  else fit();
  saveState();
}

/** Selects a node by its name, and shows it first if the state hides it; an empty name selects nothing. */
function select(id, isCentred = false) {
  state.selected = id;
  if (id && byName.has(id)) show(byName.get(id));
  mark();
  const index = id ? nodeIndex(id) : -1;
  if (index >= 0) (isCentred ? centre : reveal)(index);
  saveState();
}

/** Changes the state so that a target is visible. */
function show(index) {
  const target = targets[index];
  const values = {};
  if (target.isTest && !state.tests) values.tests = true;
  if (target.kind === "product" && !state.externals) values.externals = true;
  if (state.collapsed.has(target.group)) {
    values.collapsed = new Set([...state.collapsed].filter(group => group !== target.group));
  }
  const isHidden = !visibleTargets({ ...state, ...values }).includes(index);
  if (isHidden) Object.assign(values, { focus: "", from: "", to: "" });
  if (!Object.keys(values).length) return;
  Object.assign(state, values);
  draw();
}
