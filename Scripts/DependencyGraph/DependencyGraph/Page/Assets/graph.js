// The graph as the page shows it: the targets and folders that the state makes visible, and the edges between them.

const targets = data.targets;
const byName = new Map(targets.map((target, index) => [target.name, index]));
const edges = data.edges;
const downEdges = targets.map(() => []);
const upEdges = targets.map(() => []);
edges.forEach((edge, index) => {
  if (!edge.isDeclared) return;
  downEdges[edge.from].push(index);
  upEdges[edge.to].push(index);
});

/** The folders that contain targets, in the order of the first target of each. */
const folders = [...new Set(targets.map(target => target.group))].filter(Boolean);

/** Returns the indexes that are reachable from `start`, with the number of steps to each, within `limit` steps. */
function reach(start, next, limit = Infinity) {
  const steps = new Map([[start, 0]]);
  const queue = [start];
  for (let place = 0; place < queue.length; place += 1) {
    const step = steps.get(queue[place]);
    if (step >= limit) continue;
    for (const other of next(queue[place])) {
      if (!steps.has(other)) { steps.set(other, step + 1); queue.push(other); }
    }
  }
  return steps;
}

const dependencies = index => downEdges[index].map(edge => edges[edge].to);
const dependents = index => upEdges[index].map(edge => edges[edge].from);

/** Returns the targets of a shortest path, or null. */
function shortestPath(from, to) {
  const previous = new Map([[from, from]]);
  const queue = [from];
  for (const index of queue) {
    for (const other of dependencies(index)) {
      if (!previous.has(other)) { previous.set(other, index); queue.push(other); }
    }
  }
  if (!previous.has(to)) return null;
  const path = [to];
  while (path[0] !== from) path.unshift(previous.get(path[0]));
  return path;
}

/** Returns the indexes of the targets that the state shows, before folders are collapsed. */
function visibleTargets(state) {
  let shown = targets.map((_, index) => index).filter(index =>
    (state.tests || !targets[index].isTest) && (state.externals || targets[index].kind !== "product"));
  const focus = byName.get(state.focus);
  if (focus !== undefined) {
    const limit = state.depth || Infinity;
    const down = reach(focus, dependencies, limit), up = reach(focus, dependents, limit);
    shown = shown.filter(index => down.has(index) || up.has(index));
    if (!shown.includes(focus)) shown.push(focus);
  }
  const ends = [byName.get(state.from), byName.get(state.to)];
  if (ends[0] !== undefined && ends[1] !== undefined && shortestPath(...ends)) {
    const down = reach(ends[0], dependencies), up = reach(ends[1], dependents);
    shown = targets.map((_, index) => index).filter(index => down.has(index) && up.has(index));
  }
  return shown;
}

/**
 * Returns the nodes and edges that the state shows. A node is a target, or a collapsed folder with its members;
 * an edge has the indexes of the edges that it represents.
 */
function visibleGraph(state) {
  const nodes = [];
  const nodeOf = new Map();
  const folded = new Map();
  for (const index of visibleTargets(state).sort((a, b) => a - b)) {
    const target = targets[index];
    if (!state.collapsed.has(target.group)) {
      nodeOf.set(index, nodes.length);
      nodes.push({ id: target.name, title: target.name, kind: target.kind, group: target.group, members: [index] });
      continue;
    }
    if (!folded.has(target.group)) {
      folded.set(target.group, nodes.length);
      nodes.push({ id: target.group + "/", title: target.group, kind: "folded", group: "", members: [] });
    }
    nodeOf.set(index, folded.get(target.group));
    nodes[folded.get(target.group)].members.push(index);
  }
  const joined = new Map();
  edges.forEach((edge, index) => {
    if (!edge.isDeclared && !isMarked(edge, state)) return;
    const from = nodeOf.get(edge.from), to = nodeOf.get(edge.to);
    if (from === undefined || to === undefined || from === to) return;
    const key = from + " " + to;
    if (!joined.has(key)) joined.set(key, { from, to, members: [] });
    joined.get(key).members.push(index);
  });
  let shown = [...joined.values()];
  if (isReduced(state)) shown = reduced(nodes.length, shown, index => isMarked(edges[index], state));
  return { nodes, edges: shown };
}

/** Whether implied edges are hidden: never in a focus or on a path, whose steps are the direct edges. */
const isReduced = state => state.reduce && !byName.has(state.focus) && !(state.from && state.to);

/** The kinds of findings that are always seen; the others, about imports, can be hidden. */
const violations = ["forbidden", "cycle", "testOnly", "platform"];

/** Whether an edge has a mark that the state shows: a change, a violation of a rule, or a finding about an import. */
function isMarked(edge, state) {
  if (edge.change || violations.includes(edge.finding)) return true;
  return Boolean(state.findings && edge.finding);
}

/**
 * Returns the edges that no longer path implies; those within a cycle stay, and so do those with a mark,
 * which would otherwise be invisible.
 */
function reduced(count, list, isMarked) {
  const next = Array.from({ length: count }, () => []);
  list.forEach(edge => next[edge.from].push(edge.to));
  const words = (count + 31) >> 5;
  const closure = Array.from({ length: count }, () => null);
  const has = (set, index) => (set[index >> 5] >>> (index & 31)) & 1;
  for (let start = 0; start < count; start += 1) {
    const set = new Uint32Array(words);
    const queue = [...next[start]];
    while (queue.length) {
      const index = queue.pop();
      if (has(set, index)) continue;
      set[index >> 5] |= 1 << (index & 31);
      if (closure[index]) for (let word = 0; word < words; word += 1) set[word] |= closure[index][word];
      else queue.push(...next[index]);
    }
    closure[start] = set;
  }
  return list.filter(edge =>
    edge.members.some(isMarked) ||
    !next[edge.from].some(other =>
      other !== edge.to && other !== edge.from && has(closure[other], edge.to) &&
      !has(closure[edge.to], other) && !has(closure[other], edge.from)));
}
