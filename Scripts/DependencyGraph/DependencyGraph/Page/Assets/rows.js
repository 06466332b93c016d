// The order of the items in the columns of the layered layout, and their positions.

/** Orders the items of each column, within the bands, so that few links cross. */
function orderColumns(plan) {
  const { columns, rankOfGroup } = plan;
  const byBand = (a, b) => rankOfGroup[a.group] - rankOfGroup[b.group];
  columns.forEach(column => {
    column.sort((a, b) => byBand(a, b) || (a.node ?? a.trunk) - (b.node ?? b.trunk));
    stack(column);
  });
  let best = columns.map(column => [...column]);
  let fewest = crossings(columns);
  for (let sweep = 0; sweep < 28 && fewest > 0; sweep += 1) {
    const side = sweep % 2 ? "right" : "left";
    const way = sweep % 2 ? [...columns].reverse() : columns;
    for (const column of way) {
      for (const item of column) item.wish = mean(item[side], item.y);
      column.sort((a, b) => byBand(a, b) || a.wish - b.wish);
      stack(column);
    }
    if (sweep % 4 === 3) exchange(columns);
    const count = crossings(columns);
    if (count < fewest) { fewest = count; best = columns.map(column => [...column]); }
  }
  best.forEach((column, index) => { columns[index] = column; stack(column); });
  exchange(columns);
  plan.crossings = crossings(columns);
}

function mean(links, otherwise) {
  let sum = 0, weight = 0;
  for (const link of links) { sum += link.item.y * link.weight; weight += link.weight; }
  return weight ? sum / weight : otherwise;
}

/** Gives the items of a column provisional positions around 0. */
function stack(column) {
  let height = 0;
  for (const item of column) height += item.height + item.space;
  let y = -height / 2;
  column.forEach((item, place) => {
    item.y = y + item.height / 2;
    item.place = place;
    y += item.height + item.space;
  });
}

/** Exchanges neighbours of one band as long as that removes crossings. */
function exchange(columns) {
  for (let pass = 0, isBetter = true; isBetter && pass < 6; pass += 1) {
    isBetter = false;
    for (const column of columns) {
      for (let place = 0; place + 1 < column.length; place += 1) {
        const a = column[place], b = column[place + 1];
        if (a.group !== b.group) continue;
        if (pairCrossings(b, a) < pairCrossings(a, b)) {
          column[place] = b; column[place + 1] = a;
          b.place = place; a.place = place + 1;
          isBetter = true;
        }
      }
      stack(column);
    }
  }
}

/** Returns the number of crossings between the links of two items of a column if `a` is above `b`. */
function pairCrossings(a, b) {
  let count = 0;
  for (const side of ["left", "right"]) {
    for (const one of a[side]) for (const other of b[side]) if (one.item.place > other.item.place) count += 1;
  }
  return count;
}

/** Returns the number of pairs of links that cross, counted by a binary indexed tree. */
function crossings(columns) {
  let count = 0;
  for (let index = 0; index + 1 < columns.length; index += 1) {
    const size = columns[index + 1].length;
    const tree = new Int32Array(size + 1);
    let seen = 0;
    for (const item of columns[index]) {
      const ends = item.right.map(link => link.item.place);
      for (const end of ends) {
        let before = 0;
        for (let node = end + 1; node > 0; node -= node & -node) before += tree[node];
        count += seen - before;
      }
      for (const end of ends) for (let node = end + 1; node <= size; node += node & -node) tree[node] += 1;
      seen += ends.length;
    }
  }
  return count;
}

/** Gives each band a range of rows, and each item a row near its neighbours. */
function placeRows(plan) {
  const { columns, bandOrder } = plan;
  const skyline = columns.map(() => 0);
  const runs = [];
  for (const group of bandOrder) {
    const parts = columns.map(column => column.filter(item => item.group === group));
    const used = parts.map((part, index) => (part.length ? index : -1)).filter(index => index >= 0);
    if (!used.length) continue;
    const first = used[0], last = used[used.length - 1];
    let top = 0;
    for (let index = first; index <= last; index += 1) top = Math.max(top, skyline[index]);
    const sizes = parts.map(part => part.reduce((sum, item) => sum + item.height + item.space, 0));
    const height = Math.max(...sizes) * 1.06 + 4;
    for (let index = first; index <= last; index += 1) {
      skyline[index] = top + height + spacing.band;
      if (parts[index].length) runs.push({ items: parts[index], top, bottom: top + height, column: index });
    }
  }
  for (const run of runs) settle(run, item => run.top + (run.bottom - run.top) / 2 + item.y * .2);
  runs.sort((a, b) => a.column - b.column);
  for (let pass = 0; pass < 24; pass += 1) {
    const way = pass % 2 ? [...runs].reverse() : runs;
    const sides = pass < 16 ? (pass % 2 ? ["right"] : ["left"]) : ["left", "right"];
    for (const run of way) settle(run, item => mean(sides.flatMap(side => item[side]), item.y));
  }
}

/** Places the items of a run in order and without overlap, each as near to its wish as the others allow. */
function settle(run, wish) {
  let offset = 0;
  const blocks = [];
  for (const item of run.items) {
    item.offset = offset + item.height / 2;
    offset += item.height + item.space;
    const weight = 1 + item.left.length + item.right.length + (item.trunk === undefined ? 0 : 4);
    blocks.push({ items: [item], sum: (wish(item) - item.offset) * weight, weight });
    while (blocks.length > 1) {
      const b = blocks[blocks.length - 1], a = blocks[blocks.length - 2];
      if (a.sum / a.weight <= b.sum / b.weight) break;
      blocks.pop();
      a.items.push(...b.items);
      a.sum += b.sum;
      a.weight += b.weight;
    }
  }
  const highest = Math.max(run.top, run.bottom - offset);
  for (const block of blocks) {
    const base = Math.min(highest, Math.max(run.top, block.sum / block.weight));
    for (const item of block.items) item.y = base + item.offset;
  }
}
