// The tree as text and as a graph, for diagnostics and documentation.

extension Routing {
    /// The tree below this node as text: one line for each node, with its activity.
    ///
    ///     RootRouter (active)
    ///     ├─ TodoRouter (active)
    ///     │  └─ EditRouter (active)
    ///     └─ PictureRouter (active)
    public var treeDescription: String {
        var lines: [String] = []
        describe(into: &lines, first: "", rest: "")
        return lines.joined(separator: "\n")
    }

    private func describe(into lines: inout [String], first: String, rest: String) {
        lines.append("\(first)\(type(of: self)) (\(interactable.isActive ? "active" : "inactive"))")
        for (index, child) in children.enumerated() {
            let isLast = index == children.count - 1
            child.describe(into: &lines, first: rest + (isLast ? "└─ " : "├─ "), rest: rest + (isLast ? "   " : "│  "))
        }
    }

    /// The tree below this node in the language of Graphviz: a box for each node, dashed while it is inactive.
    ///
    ///     digraph RIBs {
    ///         node [shape=box];
    ///         n0 [label="RootRouter"];
    ///         n1 [label="TodoRouter", style=dashed];
    ///         n0 -> n1;
    ///     }
    public var treeDot: String {
        var lines = ["digraph RIBs {", "    node [shape=box];"]
        var count = 0
        appendDot(to: &lines, count: &count)
        return (lines + ["}"]).joined(separator: "\n")
    }

    /// Appends this node and the nodes below it, numbered from `count`, and returns the name of this node.
    @discardableResult
    private func appendDot(to lines: inout [String], count: inout Int) -> String {
        let name = "n\(count)"
        count += 1
        let label = "\(type(of: self))".replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        lines.append("    \(name) [label=\"\(label)\"\(interactable.isActive ? "" : ", style=dashed")];")
        for child in children {
            let childName = child.appendDot(to: &lines, count: &count)
            lines.append("    \(name) -> \(childName);")
        }
        return name
    }
}
