extension Routing {
    /// The tree below this node as text, a line a node, with whether each is active.
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
}
