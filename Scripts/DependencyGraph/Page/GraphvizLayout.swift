#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The positions that Graphviz computed for one state of a page.
struct GraphvizLayout: Encodable {
    struct Route: Encodable {
        /// The path data of the edge.
        var path: String
        /// The position of the label.
        var label: [Double]
    }

    struct Folder: Encodable {
        var name: String
        var box: [Double]

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(name)
            for number in box { try container.encode(number) }
        }
    }

    var tests: Bool
    var externals: Bool
    var reduce: Bool
    /// The left, top, width and height of each node, by its index; `nil` for a node that the state hides.
    var boxes: [[Double]?]
    /// The route of each edge, by its index; `nil` for an edge that the state hides.
    var routes: [Route?]
    var folders: [Folder]

    /// The height of a node in pixels, as in the script.
    private static let height = 26.0

    /// Lays out what a page shows at first; returns `nil` if Graphviz is not installed or fails.
    init?(_ data: PageData) {
        let state = data.initial
        let shown = data.targets.indices.filter { index in
            let node = data.targets[index]
            return (state.tests || !node.isTest) && (state.externals || node.kind != "product")
        }
        var edges = data.edges.indices.filter {
            shown.contains(data.edges[$0].from) && shown.contains(data.edges[$0].to)
                && data.edges[$0].from != data.edges[$0].to
                && (data.edges[$0].isDeclared || Self.isMarked(data.edges[$0]))
        }
        // Beyond that, the script's own layout is faster.
        guard !shown.isEmpty, shown.count <= 300, edges.count <= 1500, state.collapsed.isEmpty else { return nil }
        if state.reduce { edges = Self.reduced(edges, data) }
        let text = Self.dot(data, shown, edges)
        guard let output = try? Graphviz.draw(text, as: "json0"),
            let drawing = try? JSONDecoder().decode(Drawing.self, from: Data(output))
        else { return nil }
        (tests, externals, reduce) = (state.tests, state.externals, state.reduce)
        boxes = Array(repeating: nil, count: data.targets.count)
        routes = Array(repeating: nil, count: data.edges.count)
        folders = []
        let bounds = drawing.bb.numbers
        guard bounds.count == 4 else { return nil }
        for object in drawing.objects ?? [] {
            if let box = object.bb?.numbers, box.count == 4, let label = object.label {
                folders.append(
                    Folder(name: label, box: [box[0], bounds[3] - box[3], box[2] - box[0], box[3] - box[1]])
                )
            } else if let index = Int(object.name.dropFirst()), let center = object.pos?.numbers, center.count == 2,
                let width = object.width.flatMap(Double.init), data.targets.indices.contains(index)
            {
                let width = (width * 72).rounded()
                boxes[index] = [center[0] - width / 2, bounds[3] - center[1] - Self.height / 2, width, Self.height]
            }
        }
        for edge in drawing.edges ?? [] {
            guard let index = edge.id.flatMap(Int.init), data.edges.indices.contains(index),
                let route = Self.route(edge.pos, height: bounds[3])
            else { continue }
            routes[index] = route
        }
    }

    /// Whether the page shows an edge in any case: one with a change, or a violation of a rule.
    private static func isMarked(_ edge: PageData.Edge) -> Bool {
        edge.change != nil || ["forbidden", "cycle", "testOnly", "platform"].contains(edge.finding)
    }

    /// Returns the edges of the transitive reduction, and those with a mark.
    private static func reduced(_ edges: [Int], _ data: PageData) -> [Int] {
        var targets = data.targets.map { GraphTarget(name: $0.name, kind: .regular, folder: "") }
        for edge in edges {
            targets[data.edges[edge].from].dependencies.append(.init(name: data.targets[data.edges[edge].to].name))
        }
        let graph = PackageGraph(name: "", root: "", targets: targets).reduced()
        let kept = Set(graph.edges.map { GraphPicture.Edge(from: $0.from, to: $0.to) })
        return edges.filter { index in
            let edge = data.edges[index]
            let key = GraphPicture.Edge(from: data.targets[edge.from].name, to: data.targets[edge.to].name)
            return isMarked(edge) || kept.contains(key)
        }
    }

    private static func dot(_ data: PageData, _ shown: [Int], _ edges: [Int]) -> String {
        var lines = [
            "digraph g {", "  rankdir=LR; nodesep=0.13; ranksep=0.75; newrank=true; remincross=true;",
            "  node [shape=box, fixedsize=true, height=\(height / 72), label=\"\"];", "  edge [arrowsize=0.5];",
        ]
        var groups: [String] = []
        var members: [String: [Int]] = [:]
        for index in shown {
            let group = data.targets[index].group
            if members[group] == nil { groups.append(group) }
            members[group, default: []].append(index)
        }
        for (number, group) in groups.enumerated() {
            if !group.isEmpty {
                lines.append("  subgraph cluster_\(number) { margin=14; fontsize=12; labeljust=l;")
                lines.append("    label=\(DotRenderer.quoted(group));")
            }
            for index in members[group] ?? [] {
                let node = data.targets[index]
                let kind = node.kind == "regular" ? "" : node.kind
                let width = textWidth(node.name, size: 13) + (kind.isEmpty ? 0 : textWidth(kind, size: 10.5) + 6) + 30
                lines.append("    n\(index) [width=\((width + (node.faults.isEmpty ? 0 : 16)) / 72)];")
            }
            if !group.isEmpty { lines.append("  }") }
        }
        for edge in edges { lines.append("  n\(data.edges[edge].from) -> n\(data.edges[edge].to) [id=\"\(edge)\"];") }
        return lines.joined(separator: "\n") + "\n}\n"
    }

    /// Returns an upper estimate of the width of a text in Helvetica.
    private static func textWidth(_ text: String, size: Double) -> Double {
        let width = text.unicodeScalars.reduce(0.0) { width, scalar in
            switch scalar {
            case "i", "j", "l", "t", "f", "r", "I", ".", ",", ":", ";", "'", "|", "!", "(", ")", "[", "]", "-", "/",
                " ":
                width + 0.34
            case "m", "w", "M", "W", "%", "@": width + 0.95
            case "A"..."Z", "_", "+", "~": width + 0.72
            default: width + (scalar.value < 0x1100 ? 0.57 : 1.05)
            }
        }
        return width * size
    }

    /// Returns the path of a spline `e,X,Y X,Y X,Y ...` of Graphviz, whose vertical axis points up.
    private static func route(_ text: String?, height: Double) -> Route? {
        guard let text else { return nil }
        var points: [[Double]] = []
        var end: [Double]?
        for part in text.split(separator: " ") {
            let isEnd = part.hasPrefix("e,")
            if part.hasPrefix("s,") { return nil }
            let numbers = String(isEnd ? part.dropFirst(2) : part[...]).numbers
            guard numbers.count == 2 else { return nil }
            let point = [numbers[0], height - numbers[1]]
            if isEnd { end = point } else { points.append(point) }
        }
        guard points.count >= 4, (points.count - 1) % 3 == 0 else { return nil }
        func pair(_ point: [Double]) -> String { point.map { "\(($0 * 10).rounded() / 10)" }.joined(separator: ",") }
        var path = "M" + pair(points[0])
        for index in stride(from: 1, to: points.count, by: 3) {
            path += "C" + points[index..<index + 3].map(pair).joined(separator: " ")
        }
        if let end { path += "L" + pair(end) }
        return Route(path: path, label: points[points.count / 2])
    }

    /// The parts of Graphviz's JSON that have positions.
    private struct Drawing: Decodable {
        struct Object: Decodable {
            var name: String
            var bb: String?
            var label: String?
            var pos: String?
            var width: String?
        }

        struct Edge: Decodable {
            var id: String?
            var pos: String?
        }

        var bb: String
        var objects: [Object]?
        var edges: [Edge]?
    }
}

extension String {
    /// The numbers between commas.
    fileprivate var numbers: [Double] { split(separator: ",").compactMap { Double($0) } }
}
