// A layered layout from left to right: dependents to the left of their dependencies.
//
// Every node has a column. The edges to one target share a trunk: a horizontal line that has a place of its own in each
// column it passes, like a node. Curves run in the gaps between the columns only, so that no edge is over a box. The
// nodes of a folder have a band of their own, which makes the folder a box.
//
// Order: barycenter sweeps and exchanges of neighbours, with the fewest crossings found (Sugiyama, Tagawa, Toda 1981).
// Positions: the weighted mean of the neighbours, in order, by merging of blocks (pool adjacent violators).

const spacing = { node: 9, trunk: 7, band: 54, gap: 46, padding: 14, title: 20 };

/** Returns the positions of nodes {width, height, group} and the routes of edges {from, to}, near an aspect ratio. */
function layOutInLayers(nodes, list, aspect) {
  const links = withoutCycles(nodes.length, list);
  const ranks = rankNodes(nodes.length, links);
  const plan = planColumns(nodes, links, ranks);
  orderBands(plan);
  orderColumns(plan);
  placeRows(plan);
  return drawRoutes(plan, nodes, list, links, aspect);
}

/** Returns the edges with those reversed that close a cycle. */
function withoutCycles(count, list) {
  const next = Array.from({ length: count }, () => []);
  list.forEach((edge, index) => next[edge.from].push(index));
  const mark = new Uint8Array(count);
  const reversed = new Set();
  for (let root = 0; root < count; root += 1) {
    if (mark[root]) continue;
    const stack = [[root, 0]];
    mark[root] = 1;
    while (stack.length) {
      const top = stack[stack.length - 1];
      if (top[1] === next[top[0]].length) { mark[top[0]] = 2; stack.pop(); continue; }
      const index = next[top[0]][top[1]];
      top[1] += 1;
      const other = list[index].to;
      if (mark[other] === 1) reversed.add(index);
      if (!mark[other]) { mark[other] = 1; stack.push([other, 0]); }
    }
  }
  return list.map((edge, index) => reversed.has(index)
    ? { from: edge.to, to: edge.from, isReversed: true } : { from: edge.from, to: edge.to, isReversed: false });
}

/** Returns the rank of each node, 0 for those without dependencies; no rank has many more nodes than the others. */
function rankNodes(count, links) {
  const down = Array.from({ length: count }, () => []), up = Array.from({ length: count }, () => []);
  links.forEach(link => { down[link.from].push(link.to); up[link.to].push(link.from); });
  const order = topologicalOrder(count, down, up);
  const above = new Int32Array(count);
  [...order].reverse().forEach(node => down[node].forEach(other => {
    above[other] = Math.max(above[other], above[node] + 1);
  }));
  const width = Math.max(14, Math.ceil(1.8 * Math.sqrt(count)));
  const sizes = [], ranks = new Int32Array(count);
  const place = (node, rank) => { ranks[node] = rank; sizes[rank] = (sizes[rank] || 0) + 1; };
  const natural = new Int32Array(count);
  order.forEach(node => { natural[node] = Math.max(-1, ...down[node].map(other => natural[other])) + 1; });
  const sorted = [...order].sort((a, b) => natural[a] - natural[b] || above[b] - above[a] || a - b);
  for (const node of sorted) {
    let rank = Math.max(-1, ...down[node].map(other => ranks[other])) + 1;
    while ((sizes[rank] || 0) >= width) rank += 1;
    place(node, rank);
  }
  // A node moves towards its dependents unless that lengthens a trunk of its dependencies.
  for (const node of [...sorted].reverse()) {
    if (!up[node].length) continue;
    const highest = Math.min(...up[node].map(other => ranks[other])) - 1;
    const isFree = rank => down[node].every(other => up[other].some(user => user !== node && ranks[user] >= rank));
    for (let rank = highest; rank > ranks[node]; rank -= 1) {
      if ((sizes[rank] || 0) >= width || !isFree(rank)) continue;
      sizes[ranks[node]] -= 1;
      place(node, rank);
      break;
    }
  }
  return ranks;
}

/** Returns the nodes with every node after its dependencies. */
function topologicalOrder(count, down, up) {
  const open = down.map(list => list.length);
  const order = [];
  for (let node = 0; node < count; node += 1) if (!open[node]) order.push(node);
  for (const node of order) for (const user of up[node]) if ((open[user] -= 1) === 0) order.push(user);
  return order;
}

/** Returns the columns of items, which are nodes or pieces of trunks, and the links between items of adjacent ones. */
function planColumns(nodes, links, ranks) {
  const last = Math.max(0, ...ranks);
  const columns = Array.from({ length: last + 1 }, () => []);
  const groups = [...new Set(nodes.map(node => node.group))];
  const items = nodes.map((node, index) => ({
    node: index, column: last - ranks[index], group: groups.indexOf(node.group), height: node.height,
    space: spacing.node, left: [], right: [], y: 0,
  }));
  const trunks = new Map();
  const start = nodes.map(() => Infinity);
  links.forEach(link => { start[link.to] = Math.min(start[link.to], items[link.from].column); });
  const join = (a, b, weight) => {
    const known = a.right.find(link => link.item === b);
    if (known) { known.weight += weight; b.left.find(link => link.item === a).weight += weight; return; }
    a.right.push({ item: b, weight });
    b.left.push({ item: a, weight });
  };
  items.forEach(item => columns[item.column].push(item));
  nodes.forEach((_, index) => {
    let next = items[index];
    for (let column = next.column - 1; column > start[index]; column -= 1) {
      const piece = {
        trunk: index, column, group: items[index].group, height: 2, space: spacing.trunk, left: [], right: [], y: 0,
      };
      trunks.set(index + " " + column, piece);
      columns[column].push(piece);
      join(piece, next, 8);
      next = piece;
    }
  });
  const entry = (to, column) => trunks.get(to + " " + column) || items[to];
  links.forEach(link => join(items[link.from], entry(link.to, items[link.from].column + 1), 1));
  return { columns, items, trunks, groups, entry };
}

/** Orders the folders so that those with many edges between them are near each other. */
function orderBands(plan) {
  const count = plan.groups.length;
  const weights = Array.from({ length: count }, () => new Float64Array(count));
  const columnOf = Array.from({ length: count }, () => [0, 0]);
  for (const item of plan.columns.flat()) {
    if (item.node !== undefined) { columnOf[item.group][0] += item.column; columnOf[item.group][1] += 1; }
    for (const link of item.right) {
      weights[item.group][link.item.group] += 1;
      weights[link.item.group][item.group] += 1;
    }
  }
  const order = plan.groups.map((_, index) => index)
    .sort((a, b) => columnOf[a][0] / columnOf[a][1] - columnOf[b][0] / columnOf[b][1]);
  const cost = () => {
    let sum = 0;
    for (let a = 0; a < count; a += 1) {
      for (let b = a + 1; b < count; b += 1) sum += weights[order[a]][order[b]] * (b - a);
    }
    return sum;
  };
  let best = cost();
  for (let pass = 0, isBetter = count < 80; isBetter && pass < 20; pass += 1) {
    isBetter = false;
    for (let a = 0; a < count; a += 1) {
      for (let b = a + 1; b < count; b += 1) {
        [order[a], order[b]] = [order[b], order[a]];
        const sum = cost();
        if (sum < best - 1e-9) { best = sum; isBetter = true; } else [order[a], order[b]] = [order[b], order[a]];
      }
    }
  }
  plan.rankOfGroup = plan.groups.map((_, index) => order.indexOf(index));
  plan.bandOrder = order;
}
