/// Renders a graph as an indented tree from the nodes without dependents. A repeated subtree is folded to `…`.
struct TreeRenderer {
    var picture: GraphPicture

    /// A line to write: a node below another one.
    private struct Step {
        var edge: GraphPicture.Edge
        /// What precedes the node in its line.
        var first: String
        /// What precedes the nodes below it in theirs.
        var rest: String
    }

    var text: String {
        let graph = picture.graph
        var text = graph.faults.map { "! \($0)\n" }.joined()
        var shown: Set<String> = []
        let dependents = graph.dependentsByName
        for target in graph.targets where dependents[target.name]?.isEmpty ?? true {
            describe(target.name, shown: &shown, into: &text)
        }
        // The rest depends on a cycle without dependents.
        for target in graph.targets where !shown.contains(target.name) {
            describe(target.name, shown: &shown, into: &text)
        }
        return text
    }

    /// Writes a subtree, without recursion: a chain of dependencies may be longer than a thread's stack.
    private func describe(_ root: String, shown: inout Set<String>, into text: inout String) {
        var waiting = [Step(edge: GraphPicture.Edge(from: "", to: root), first: "", rest: "")]
        while let step = waiting.popLast() {
            let name = step.edge.to
            let isNew = shown.insert(name).inserted
            let dependencies = picture.graph.dependencies(of: name)
            text += step.first + mark(step.edge) + description(of: name, below: step.edge)
            text += isNew || dependencies.isEmpty ? "\n" : " …\n"
            guard isNew else { continue }
            for (index, dependency) in dependencies.enumerated().reversed() {
                let isLast = index == dependencies.count - 1
                waiting.append(
                    Step(
                        edge: GraphPicture.Edge(from: name, to: dependency),
                        first: step.rest + (isLast ? "└─ " : "├─ "),
                        rest: step.rest + (isLast ? "   " : "│  ")
                    )
                )
            }
        }
    }

    /// The sign of a change of the edge, or of the node if there is no edge.
    private func mark(_ edge: GraphPicture.Edge) -> String {
        guard picture.comparison != nil else { return "" }
        let change = edge.from.isEmpty ? picture.comparison?.targets[edge.to] : picture.change(of: edge)
        return change.map { $0.sign + " " } ?? ""
    }

    private func description(of name: String, below edge: GraphPicture.Edge) -> String {
        guard let target = picture.graph[name] else { return name }
        var text = name
        if target.kind != .regular { text += " (\(target.kind.rawValue))" }
        if let note = picture.note(of: edge) { text += " [\(note)]" }
        for finding in picture.findings(on: edge) { text += " ! \(finding.kind.rawValue)" }
        for fault in target.faults { text += " ! \(fault)" }
        return text
    }
}
