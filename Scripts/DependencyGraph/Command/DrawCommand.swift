import CommandKit

/// Draws the graph of a package, or a part of it.
struct DrawCommand {
    let command: GraphCommand.Parsed
    let path: String

    func run() throws -> GraphCommand.Result {
        let depth = try command.value("depth").map { text throws(UsageError) in
            guard let number = Int(text), number >= 0 else {
                throw .invalidValue(Self.depth, value: text, hint: "it is a number from 0")
            }
            return number
        }
        var graph = try PackageReader(path: path).read()
        if command.has("no-tests") {
            graph = graph.subgraph(of: Set(graph.targets.filter { $0.kind != .test }.map(\.name)))
        }
        if let focus = command.value("focus") {
            graph = graph.subgraph(of: graph.neighbourhood(of: try GraphCommand.name(focus, in: graph), depth: depth))
        }
        if let target = command.value("reaches") {
            graph = graph.subgraph(of: graph.reverseClosure(of: [try GraphCommand.name(target, in: graph)]))
        }
        if let ends = command.allValues("path") {
            let (start, end) = (try GraphCommand.name(ends[0], in: graph), try GraphCommand.name(ends[1], in: graph))
            guard graph.shortestPath(from: start, to: end) != nil else {
                return GraphCommand.Result(
                    errors: "dependency-graph: there is no path from \(start) to \(end)\n",
                    status: 1
                )
            }
            graph = graph.subgraph(of: graph.between(start, end))
        }
        for folder in command.allValues("collapse") ?? [] {
            let collapsed = graph.collapsing(folder)
            guard collapsed.targets != graph.targets else {
                throw GraphError.usage("--collapse \(folder): there is no target below that folder")
            }
            graph = collapsed
        }
        if command.has("reduce") { graph = graph.reduced() }
        let format = command.value("format").flatMap(GraphFormat.init) ?? .tree
        return try GraphCommand.write(try format.render(graph), command)
    }
}

extension DrawCommand {
    private static let depth = CommandOption("depth", value: "N", help: "with --focus: only N edges away")

    static let command = Command<GraphCommand.Verb>(
        .draw,
        operands: GraphCommand.package,
        options: [
            CommandOption(
                "format",
                value: "F",
                help: "tree (default), dot, mermaid, json, svg, png or html; svg and png need Graphviz",
                choices: GraphFormat.allCases.map(\.rawValue)
            ),
            GraphCommand.output,
            CommandOption("focus", value: "TARGET", help: "only what TARGET depends on and its dependents"),
            depth,
            CommandOption("reaches", value: "TARGET", help: "only what depends on TARGET, directly or not"),
            CommandOption("path", value: "FROM TO", help: "only what is on a path from FROM to TO"),
            CommandOption("reduce", help: "without edges that a longer path implies"),
            CommandOption(
                "collapse",
                value: "DIR",
                help: "draw all targets below a folder as one; may be repeated",
                completion: .folders,
                isRepeatable: true
            ),
            CommandOption("no-tests", help: "without test targets"),
        ],
        summary: "draw the graph of the package in a folder",
        examples: ["--format mermaid --no-tests --reduce", "--focus NeedleKit --depth 1"]
    )
}
