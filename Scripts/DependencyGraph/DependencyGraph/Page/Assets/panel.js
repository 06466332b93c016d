// The panel with the details of the selected target, and the legend.

/** Returns a new HTML element with a text or children. */
function html(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function showPanel(chosen) {
  const panel = byId("panel");
  panel.hidden = chosen < 0;
  if (chosen < 0) { panel.replaceChildren(); return; }
  const node = graph.nodes[chosen];
  const close = html("button", { class: "close", "aria-label": "Close" }, "\u2715");
  close.addEventListener("click", () => select(""));
  panel.replaceChildren(close, html("h2", {}, node.title), ...(node.kind === "folded" ? folderDetails(node)
    : targetDetails(node.members[0])));
}

function folderDetails(node) {
  const expand = html("button", {}, "Expand");
  expand.addEventListener("click", () => toggleFolder(node.title));
  const members = list("Targets", node.members.map(index => [index, ""]));
  return [html("p", {}, `${node.members.length} targets`), expand, members];
}

function targetDetails(index) {
  const target = targets[index];
  const place = [kindNames[target.kind], target.folder || target.package].filter(Boolean).join(" \u00b7 ");
  const parts = [html("p", {}, html("small", {}, place))];
  if (target.change) parts.push(html("p", { class: target.change }, target.change));
  for (const fault of target.faults) parts.push(html("p", { class: "bad" }, "\u26a0 " + fault));
  for (const finding of target.findings) {
    const site = html("small", {}, `${finding.file}:${finding.line}`);
    const color = finding.kind === "unused" ? "warn" : "bad";
    parts.push(html("p", { class: color }, `${finding.kind}: ${finding.message}`, html("br"), site));
  }
  const below = reach(index, dependencies).size - 1, above = reach(index, dependents).size - 1;
  const metrics = target.metrics;
  parts.push(html("p", {}, html("small", {},
    `fan-in ${metrics.fanIn} \u00b7 fan-out ${metrics.fanOut} \u00b7 instability ${metrics.instability.toFixed(2)}`,
    ` \u00b7 depth ${metrics.depth}`, data.size ? ` \u00b7 ${target.amount ?? 0} ${data.size}` : "")));
  const row = key => edge => [edges[edge][key], [edges[edge].note, edges[edge].change].filter(Boolean).join(", ")];
  parts.push(list(`Dependencies (${downEdges[index].length}; ${below} in all)`, downEdges[index].map(row("to"))));
  parts.push(list(`Dependents (${upEdges[index].length}; ${above} in all)`, upEdges[index].map(row("from"))));
  return parts;
}

function list(title, rows) {
  const section = html("section", {}, html("h3", {}, title));
  const items = html("ul");
  for (const [index, note] of rows) {
    const button = html("button", {}, targets[index].name);
    button.addEventListener("click", () => select(targets[index].name, true));
    const words = [kindWord(targets[index].kind), note].filter(Boolean).map(word => " " + word).join(",");
    items.append(html("li", {}, button, html("small", {}, words)));
  }
  section.append(items);
  return section;
}

/** Draws one sample of each kind and of each sort of edge in the graph. */
function drawLegend() {
  const rows = [];
  const row = (sample, text) => rows.push(html("div", {}, element("svg", { viewBox: "0 0 46 22" }, sample), text));
  for (const kind of Object.keys(kindNames)) {
    if (kind !== "folded" && !targets.some(target => target.kind === kind)) continue;
    const shape = element("path", { class: "shape", d: outline(kind, 44, 18), transform: "translate(1 2)" });
    row(element("g", { class: "node " + kind }, shape), kindNames[kind]);
  }
  const line = classes => element("path", { class: "edge " + classes, d: "M1,11H42", "marker-end": "url(#arrow)" });
  const hasChange = change => [...edges, ...targets].some(item => item.change === change);
  const has = test => edges.some(test);
  row(line(""), "depends on");
  if (has(edge => edge.isConditional)) row(line("conditional"), "on some platforms or traits");
  if (has(edge => edge.isPlugin)) row(line("plugin"), "uses the plugin");
  if (has(edge => violations.includes(edge.finding))) row(line("violation"), "violates a rule");
  if (has(edge => edge.finding === "undeclared")) row(line("undeclared"), "imports without declaring it");
  if (has(edge => edge.finding === "unused")) row(line("unused"), "is declared, not imported");
  for (const change of changes) if (hasChange(change)) row(line(change), change);
  row(line("down"), "below the selected target");
  row(line("up"), "above the selected target");
  byId("legend").replaceChildren(...rows);
}
