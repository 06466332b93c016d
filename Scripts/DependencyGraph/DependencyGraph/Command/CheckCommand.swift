import CommandKit

/// Checks the graph of a package.
struct CheckCommand {
    let command: GraphCommand.Parsed
    let reader: PackageReader

    func run() throws -> GraphCommand.Result {
        try refuseCombinations()
        let graph = try reader.read()
        let rules =
            try command.value("rules").map(DependencyRules.init(path:)) ?? DependencyRules(ofPackage: graph.root)
        let cache = command.has("no-cache") ? nil : CompilerImports.defaultCache
        let all = try GraphChecker(graph: graph, rules: rules, cache: cache, reader: reader).findings()
        if command.has("write-baseline") { return try writeBaseline(all) }
        let baseline = try command.value("baseline").map(FindingBaseline.init(path:))
        let (findings, fixed) = baseline?.news(in: all) ?? (all, 0)
        if command.has("fix") { return try fix(findings, graph) }
        // Annotations have the paths of the repository.
        let git = Git(folder: graph.root)
        let prefix = format == .github ? (try? git.text("rev-parse", "--show-prefix")) ?? "" : ""
        var result = try GraphCommand.write(Array(try format.render(findings, prefix: prefix).utf8), command)
        let known = all.count - findings.count
        result.errors =
            "\(findings.count) findings in \(graph.targets.count) targets and \(graph.edges.count) dependencies"
        if baseline != nil { result.errors += "; \(known) more are in the baseline" }
        result.errors += "\n"
        if fixed > 0 {
            result.errors +=
                "\(fixed) findings of the baseline no longer exist; --write-baseline removes them from it\n"
        }
        result.status = findings.isEmpty ? 0 : 1
        return result
    }

    private var format: FindingFormat { command.value("format").flatMap(FindingFormat.init) ?? .text }

    private func refuseCombinations() throws {
        if command.has("write-baseline"), command.value("baseline") == nil {
            throw GraphError.usage("--write-baseline needs --baseline FILE, the file to write")
        }
        for name in ["format", "output", "fix"] where command.has("write-baseline") && command.has(name) {
            throw GraphError.usage("--\(name) does not apply to --write-baseline")
        }
        for name in ["format", "output"] where command.has("fix") && command.has(name) {
            throw GraphError.usage("--\(name) does not apply to --fix")
        }
    }

    private func writeBaseline(_ findings: [Finding]) throws -> GraphCommand.Result {
        let file = command.value("baseline") ?? ""
        try Files.write(Array(try FindingBaseline.document(of: findings).utf8), to: file)
        return GraphCommand.Result(errors: "\(file) has \(findings.count) findings now\n")
    }

    /// Declares the undeclared dependencies and removes the unused ones; what cannot be changed, and all other findings, remain.
    private func fix(_ findings: [Finding], _ graph: PackageGraph) throws -> GraphCommand.Result {
        var lines: [String] = []
        var remaining = findings.filter { !ManifestFix.canFix($0) }.map(\.description)
        for (finding, outcome) in try ManifestFix(reader: reader, manifest: graph.manifest).apply(to: findings) {
            switch outcome {
            case .fixed:
                let verb = finding.kind == .unused ? "no longer declares" : "now declares"
                lines.append("\(finding.target) \(verb) \(finding.dependency)")
            case .notPlain, .refused:
                let source = ManifestSource(try Files.read("\(graph.root)/\(graph.manifest)"))
                let place = "\(graph.manifest):\(source.line(of: finding.target))"
                let reason =
                    outcome == .refused
                    ? "a change of \(finding.target) here has another effect"
                    : "\(finding.target) is not a plain definition"
                let advice =
                    finding.kind == .unused
                    ? "remove \"\(finding.dependency)\" from its dependencies by hand"
                    : "add \"\(finding.dependency)\", to its dependencies by hand"
                remaining.append("\(place): \(reason): \(advice)")
            }
        }
        return GraphCommand.Result(
            output: Array((lines + remaining).map { $0 + "\n" }.joined().utf8),
            errors: "\(lines.count) findings fixed, \(remaining.count) remain\n",
            status: remaining.isEmpty ? 0 : 1
        )
    }
}

extension CheckCommand {
    static let rulesTopic = CommandTable<GraphCommand.Verb>.Topic(
        "Rules file",
        """
        .dependency-rules.json has any of these members; a pattern that names nothing is an error.
          "rules": [{"targets": PATTERNS, "allow": PATTERNS, "forbid": PATTERNS, "because": TEXT}]
          "layers": [{"name": TEXT, "targets": PATTERNS, "isolated": true, "because": TEXT}]   the highest first
          "platforms": [{"targets": PATTERNS, "only": ["ios"], "because": TEXT}]
          "tags": {"screens": PATTERNS}   "anywhere", "testOnly", "unused": PATTERNS   "defines": ["FLAG"]
          "reads": [{"targets": PATTERNS, "paths": ["README.md", "Scripts/*"]}]   for affected
        A pattern is a target, a folder (Apps/*), tag:NAME, product:NAME, package:IDENTITY or kind:test.
        """
    )

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
            CommandOption(
                "format",
                value: "F",
                help: "text (default), json, github or sarif",
                choices: FindingFormat.allCases.map(\.rawValue)
            ),
            GraphCommand.output,
            CommandOption(
                "baseline",
                value: "FILE",
                help: "report only the findings that are not in the file",
                completion: .files
            ),
            CommandOption("write-baseline", help: "write all findings to the file of --baseline"),
            CommandOption("fix", help: "declare undeclared dependencies in the manifest, and remove unused ones"),
            CommandOption("no-cache", help: "neither read nor store the compiler's results"),
        ],
        summary: "find cycles, violated rules, undeclared imports and unused dependencies, with file and line",
        examples: ["check", "check --format sarif -o graph.sarif", "check --baseline known.json --write-baseline"]
    )
}
