/// Renders a graph as one HTML page that loads no other file: columns by depth, a search field, and a click that highlights
/// the dependencies and dependents of a node.
struct HTMLRenderer {
    var graph: PackageGraph

    func text() throws -> String {
        // A "</script>" inside a name must not end the script.
        let data = try JSONRenderer(graph: graph).text().split(separator: "<").joined(separator: "\\u003c")
        let title = escaped(graph.name)
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>\(title): module graph</title>
            <style>
            body { font: 14px system-ui, sans-serif; margin: 0; color: #1d2733; background: #fff; }
            header { position: sticky; top: 0; background: #f5f7fa; padding: 8px 16px; border-bottom: 1px solid #d5dce5; }
            #stage { position: relative; }
            svg { position: absolute; inset: 0; pointer-events: none; }
            .node { position: absolute; padding: 4px 10px; border: 1px solid #9fb0c5; border-radius: 6px;
              background: #eef3fb; cursor: pointer; white-space: nowrap; }
            .executable { background: #fdebd0; } .test { background: #e3f4e1; } .product { border-style: dashed; }
            .system, .binary { background: #eee; } .macro, .plugin { background: #f3e6fa; }
            .dim { opacity: .15; } .chosen { outline: 2px solid #2a6fdb; }
            path { fill: none; stroke: #8494aa; } path.dim { opacity: .06; } path.lit { stroke: #2a6fdb; stroke-width: 2; }
            </style></head><body>
            <header><b>\(title)</b> <input id="search" placeholder="find a target" aria-label="find a target">
            <label><input type="checkbox" id="tests"> tests</label> <span id="note"></span></header>
            <div id="stage"><svg></svg></div>
            <script>
            const graph = \(data.trimmed);
            const stage = document.getElementById("stage"), svg = stage.querySelector("svg");
            const search = document.getElementById("search"), tests = document.getElementById("tests");
            const note = document.getElementById("note");
            const byName = new Map(graph.targets.map(t => [t.name, t]));
            let chosen = null;
            const needs = t => t.dependencies.map(d => byName.get(d.name)).filter(Boolean);
            const depths = new Map();
            function depth(t, way) {
              if (depths.has(t)) return depths.get(t);
              if (way.has(t)) return 0;
              way.add(t);
              const d = Math.max(-1, ...needs(t).map(n => depth(n, way))) + 1;
              way.delete(t); depths.set(t, d); return d;
            }
            graph.targets.forEach(t => depth(t, new Set()));
            function reach(t, next) {
              const found = new Set([t]), queue = [t];
              while (queue.length) for (const n of next(queue.pop())) if (!found.has(n)) { found.add(n); queue.push(n); }
              return found;
            }
            const users = t => graph.targets.filter(o => needs(o).includes(t));
            function draw() {
              stage.querySelectorAll(".node").forEach(n => n.remove());
              const shown = graph.targets.filter(t => tests.checked || t.kind !== "test");
              const columns = [];
              shown.forEach(t => (columns[depth(t, new Set())] ||= []).push(t));
              const boxes = new Map();
              let x = 24, height = 0;
              columns.reverse().forEach(column => {
                let y = 24, width = 0;
                (column || []).forEach(t => {
                  const box = document.createElement("div");
                  box.className = "node " + t.kind; box.textContent = t.name; box.title = t.folder;
                  box.style.left = x + "px"; box.style.top = y + "px";
                  box.onclick = () => { chosen = chosen === t ? null : t; mark(); };
                  stage.append(box); boxes.set(t, box);
                  y += box.offsetHeight + 12; width = Math.max(width, box.offsetWidth);
                });
                height = Math.max(height, y); x += width + 90;
              });
              stage.style.width = x + "px"; stage.style.height = height + "px";
              svg.setAttribute("width", x); svg.setAttribute("height", height);
              svg.replaceChildren();
              shown.forEach(t => needs(t).forEach(n => {
                const a = boxes.get(t), b = boxes.get(n);
                if (!a || !b) return;
                const x1 = a.offsetLeft + a.offsetWidth, y1 = a.offsetTop + a.offsetHeight / 2;
                const x2 = b.offsetLeft, y2 = b.offsetTop + b.offsetHeight / 2, bend = Math.max(30, (x2 - x1) / 2);
                const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
                path.setAttribute("d", `M${x1},${y1} C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`);
                path.edge = [t, n]; svg.append(path);
              }));
              stage.boxes = boxes; mark();
            }
            function mark() {
              const word = search.value.toLowerCase();
              const down = chosen && reach(chosen, needs), up = chosen && reach(chosen, users);
              const lit = t => (!chosen || down.has(t) || up.has(t)) && t.name.toLowerCase().includes(word);
              stage.boxes.forEach((box, t) => {
                box.classList.toggle("dim", !lit(t)); box.classList.toggle("chosen", t === chosen);
              });
              svg.querySelectorAll("path").forEach(p => {
                const [a, b] = p.edge;
                const on = chosen && ((down.has(a) && down.has(b)) || (up.has(a) && up.has(b)));
                p.classList.toggle("lit", !!on); p.classList.toggle("dim", !on && !(lit(a) && lit(b)) || (chosen && !on));
              });
              note.textContent = chosen
                ? `${chosen.name}: ${down.size - 1} dependencies, ${up.size - 1} dependents` : `${graph.targets.length} targets`;
            }
            search.oninput = mark; tests.onchange = draw; draw();
            </script></body></html>

            """
    }

    private func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.append(character)
            }
        }
    }
}
