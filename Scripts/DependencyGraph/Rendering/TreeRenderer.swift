/// A graph as text for people: from the nodes that nobody needs down, each subtree once.
struct TreeRenderer {
    var graph: PackageGraph

    var text: String {
        var lines: [String] = []
        var shown: Set<String> = []
        let dependents = graph.dependentsByName
        for target in graph.targets where dependents[target.name]?.isEmpty ?? true {
            describe(target.name, first: "", rest: "", shown: &shown, into: &lines)
        }
        // What is left hangs on a cycle that nothing outside needs.
        for target in graph.targets where !shown.contains(target.name) {
            describe(target.name, first: "", rest: "", shown: &shown, into: &lines)
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func describe(
        _ name: String,
        first: String,
        rest: String,
        shown: inout Set<String>,
        into lines: inout [String]
    ) {
        let isNew = shown.insert(name).inserted
        let dependencies = graph.dependencies(of: name)
        let kind = graph[name]?.kind ?? .regular
        let note = kind == .regular ? "" : " (\(kind.rawValue))"
        lines.append(first + name + note + (isNew || dependencies.isEmpty ? "" : " …"))
        guard isNew else { return }
        for (index, dependency) in dependencies.enumerated() {
            let isLast = index == dependencies.count - 1
            describe(
                dependency,
                first: rest + (isLast ? "└─ " : "├─ "),
                rest: rest + (isLast ? "   " : "│  "),
                shown: &shown,
                into: &lines
            )
        }
    }
}
