// The shapes and words of the kinds, which tell them apart without colour.

const kindNames = {
  regular: "target", executable: "executable", test: "test", macro: "macro", plugin: "plugin", system: "system library",
  binary: "binary", product: "product of another package", folded: "collapsed folder",
};

/** The words after the name of a node; none for a regular target. */
const kindWords = { regular: "", system: "system", folded: "folder", product: "product" };
const kindWord = kind => kindWords[kind] ?? kind;

/** Returns the outline of a node as path data. */
function outline(kind, width, height) {
  const w = width, h = height, r = 6;
  const polygon = points => "M" + points.map(point => point.join(",")).join("L") + "Z";
  const rounded = radius => `M${radius},0H${w - radius}Q${w},0 ${w},${radius}V${h - radius}`
    + `Q${w},${h} ${w - radius},${h}H${radius}Q0,${h} 0,${h - radius}V${radius}Q0,0 ${radius},0Z`;
  switch (kind) {
    case "executable": return rounded(h / 2);
    case "test": return polygon([[9, 0], [w - 9, 0], [w, h / 2], [w - 9, h], [9, h], [0, h / 2]]);
    case "macro":
      return polygon([[7, 0], [w - 7, 0], [w, 7], [w, h - 7], [w - 7, h], [7, h], [0, h - 7], [0, 7]]);
    case "plugin": return polygon([[8, 0], [w, 0], [w - 8, h], [0, h]]);
    case "system": return polygon([[0, 0], [w, 0], [w, h], [0, h]]) + `M5,0V${h}M${w - 5},0V${h}`;
    case "binary": return polygon([[0, 0], [w - 9, 0], [w, 9], [w, h], [0, h]]) + `M${w - 9},0V9H${w}`;
    case "folded": return `M0,-4H${Math.min(40, w / 3)}L${Math.min(46, w / 3 + 6)},0H${w}V${h}H0Z`;
    default: return rounded(r);
  }
}

const measuring = document.createElement("canvas").getContext("2d");

/** Returns the width of a text of the page in pixels. */
function textWidth(text, size = 13) {
  measuring.font = `${size}px "Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif`;
  return measuring.measureText(text).width;
}

/** Gives a node its size. */
function measure(node) {
  const word = kindWord(node.kind);
  if (node.kind === "folded") node.count = node.members.length;
  node.word = node.count ? `${node.count} targets` : word;
  if (node.members.some(index => targets[index].faults.length)) node.word += " \u26a0";
  node.nameWidth = textWidth(node.title);
  node.width = Math.ceil(node.nameWidth + (node.word ? textWidth(node.word, 10.5) + 6 : 0) + 26);
  const amount = node.members.reduce((sum, index) => sum + (targets[index].amount ?? 0), 0);
  node.height = 26 + Math.round(78 * Math.min(2, Math.sqrt(amount / data.largestAmount)));
}

const svgNamespace = "http://www.w3.org/2000/svg";

/** Returns a new SVG element with attributes. */
function element(name, attributes = {}, ...children) {
  const made = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
