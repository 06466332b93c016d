// The picture of a layout: boxes, the routes of the edges, the boxes of the folders.

/** Returns the boxes of the nodes, the paths of the edges and the boxes of the folders. */
function drawRoutes(plan, nodes, list, links, aspect) {
  const { columns, items, entry } = plan;
  stretchRows(columns, placeColumns(columns, nodes).width / aspect);
  const { left, right } = placeColumns(columns, nodes);
  const boxes = nodes.map((node, index) => ({
    x: left[items[index].column], y: items[index].y - node.height / 2, width: node.width, height: node.height,
  }));
  const routes = list.map((edge, index) => {
    const link = links[index];
    const source = items[link.from], target = items[link.to];
    const points = [[boxes[link.from].x + boxes[link.from].width, source.y]];
    const curves = [];
    let item = source;
    while (item !== target) {
      const next = entry(link.to, item.column + 1);
      curves.push([right[item.column], item.y, left[next.column], next.y]);
      item = next;
    }
    return link.isReversed ? backward(points, curves) : forward(points, curves);
  });
  return { boxes, routes, folders: folderBoxes(nodes, boxes), crossings: plan.crossings };
}

/** Returns the left and right edges of the columns; a gap is wider if many or long curves are in it. */
function placeColumns(columns, nodes) {
  const left = [], right = [];
  let x = 0, gap = 0;
  columns.forEach((column, index) => {
    x += gap;
    const widths = column.filter(item => item.node !== undefined).map(item => nodes[item.node].width);
    left[index] = x;
    x += Math.max(8, ...widths);
    right[index] = x;
    let longest = 0, count = 0;
    for (const item of column) {
      for (const link of item.right) { longest = Math.max(longest, Math.abs(link.item.y - item.y)); count += 1; }
    }
    gap = spacing.gap + Math.min(90, longest * .06 + count * .25);
  });
  return { left, right, width: x };
}

/**
 * Moves the rows apart towards a height, so that a wide picture uses the height of the window; boxes keep theirs.
 * However wide the picture is, it is at most three times as wide in proportion as the window.
 */
function stretchRows(columns, height) {
  const all = columns.flat().map(item => item.y);
  const natural = Math.max(...all) - Math.min(...all) + 60;
  const factor = Math.max(1, Math.min(1.8, height / natural), height / 3 / natural);
  for (const column of columns) for (const item of column) item.y *= factor;
}

const short = number => Math.round(number * 10) / 10;

function forward(points, curves) {
  let path = "M" + points[0].map(short).join(",");
  for (const [x1, y1, x2, y2] of curves) {
    const middle = short((x1 + x2) / 2);
    path += `H${short(x1)}C${middle},${short(y1)} ${middle},${short(y2)} ${short(x2)},${short(y2)}`;
  }
  const [x1, y1, x2, y2] = curves[0];
  return { path, label: [(x1 + x2) / 2, (y1 + y2) / 2] };
}

/** A route from the right to the left, for an edge that closes a cycle. */
function backward(points, curves) {
  const last = curves[curves.length - 1];
  let path = `M${short(last[2])},${short(last[3])}`;
  for (const [x1, y1, x2, y2] of [...curves].reverse()) {
    const middle = short((x1 + x2) / 2);
    path += `H${short(x2)}C${middle},${short(y2)} ${middle},${short(y1)} ${short(x1)},${short(y1)}`;
  }
  const [x1, y1, x2, y2] = curves[0];
  return { path: path + "H" + short(points[0][0]), label: [(x1 + x2) / 2, (y1 + y2) / 2] };
}

/** Returns a box around the nodes of each folder, with room for its title. */
function folderBoxes(nodes, boxes) {
  const found = new Map();
  nodes.forEach((node, index) => {
    if (!node.group) return;
    const { x, y, width, height } = boxes[index];
    const box = found.get(node.group) || { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
    found.set(node.group, {
      left: Math.min(box.left, x), top: Math.min(box.top, y),
      right: Math.max(box.right, x + width), bottom: Math.max(box.bottom, y + height),
    });
  });
  return [...found].map(([group, box]) => ({
    group,
    x: box.left - spacing.padding,
    y: box.top - spacing.padding - spacing.title,
    width: box.right - box.left + 2 * spacing.padding,
    height: box.bottom - box.top + 2 * spacing.padding + spacing.title,
  }));
}
