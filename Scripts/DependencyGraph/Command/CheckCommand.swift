import CommandKit

/// Checks the graph of a package.
struct CheckCommand {
    let command: GraphCommand.Parsed
    let path: String

    func run() throws -> GraphCommand.Result {
        let graph = try PackageReader(path: path).read()
        let file = command.value("rules")
        let rules = try file.map(DependencyRules.init(path:)) ?? DependencyRules(ofPackage: graph.root)
        let findings = try GraphChecker(graph: graph, rules: rules).findings()
        var result =
            command.value("format") == "json"
            ? try GraphCommand.write(Array(try JSONDocument.encode(findings).utf8), command)
            : try GraphCommand.write(Array(findings.map { "\($0)\n" }.joined().utf8), command)
        let edges = graph.edges.count
        result.errors = "\(findings.count) findings in \(graph.targets.count) targets and \(edges) dependencies\n"
        result.status = findings.isEmpty ? 0 : 1
        return result
    }
}

extension CheckCommand {
    static let command = Command<GraphCommand.Verb>(
        .check,
        words: ["check"],
        operands: GraphCommand.package,
        options: [
            CommandOption(
                "rules",
                value: "FILE",
                help: "the rules; .dependency-rules.json in the package by default",
                completion: .files
            ),
            GraphCommand.format, GraphCommand.output,
        ],
        summary: "find cycles, violated rules, undeclared imports and unused dependencies, with file and line",
        examples: ["check", "check --format json"]
    )
}
