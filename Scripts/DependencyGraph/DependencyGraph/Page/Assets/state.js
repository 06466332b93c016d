// What the page shows, and the link that holds it.

const initial = data.initial;

function newState() {
  return {
    tests: initial.tests, externals: initial.externals, reduce: initial.reduce, findings: true,
    focus: "", depth: 1, from: "", to: "",
    collapsed: new Set(initial.collapsed), selected: "", query: "", theme: "auto", view: null,
  };
}

const flags = ["tests", "externals", "reduce", "findings"];

/** Returns the state of a link's fragment; unknown names and malformed values are ignored. */
function parseState(fragment) {
  const state = newState();
  const values = new URLSearchParams(fragment.replace(/^#/, ""));
  for (const key of flags) if (values.has(key)) state[key] = values.get(key) === "1";
  for (const key of ["focus", "from", "to"]) if (byName.has(values.get(key))) state[key] = values.get(key);
  const depth = Number(values.get("depth") ?? 1);
  if ([0, 1, 2, 3].includes(depth)) state.depth = depth;
  if (values.has("collapsed")) {
    state.collapsed = new Set(values.getAll("collapsed").filter(folder => folders.includes(folder)));
  }
  const selected = values.get("selected") || "";
  if (byName.has(selected) || folders.includes(selected.slice(0, -1))) state.selected = selected;
  state.query = values.get("query") || "";
  if (["light", "dark"].includes(values.get("theme"))) state.theme = values.get("theme");
  const view = (values.get("view") || "").split(",").map(Number);
  if (view.length === 3 && view.every(Number.isFinite) && view[2] > 0) {
    state.view = { x: view[0], y: view[1], scale: Math.min(4, Math.max(.02, view[2])) };
  }
  return state;
}

/** Returns the fragment of the link to a state; values that are the default are left out. */
function formatState(state) {
  const plain = newState();
  const values = new URLSearchParams();
  for (const key of flags) if (state[key] !== plain[key]) values.set(key, state[key] ? "1" : "0");
  for (const key of ["focus", "from", "to", "selected", "query"]) if (state[key]) values.set(key, state[key]);
  if (state.focus && state.depth !== plain.depth) values.set("depth", state.depth);
  const collapsed = [...state.collapsed].sort();
  if (collapsed.join("\n") !== [...plain.collapsed].sort().join("\n")) {
    (collapsed.length ? collapsed : [""]).forEach(folder => values.append("collapsed", folder));
  }
  if (state.theme !== plain.theme) values.set("theme", state.theme);
  const { x, y, scale } = state.view || {};
  if (state.view) values.set("view", [Math.round(x), Math.round(y), scale.toFixed(3)].join());
  return values.toString();
}
