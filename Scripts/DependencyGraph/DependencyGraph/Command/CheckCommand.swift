import CommandKit

/// Checks the graph of a package.
struct CheckCommand {
    let command: GraphCommand.Parsed
    let reader: PackageReader

    func run() throws -> GraphCommand.Result {
        try refuseCombinations()
        let graph = try reader.read()
        let all = try self.findings(in: graph)
        if command.has("write-baseline") { return try writeBaseline(all) }
        let baseline = try command.value("baseline").map(FindingBaseline.init(path:))
        let (findings, fixed) = baseline?.news(in: all) ?? (all, 0)
        if command.has("fix") { return try fix(findings, graph, baseline) }
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

    private func findings(in graph: PackageGraph) throws -> [Finding] {
        let rules =
            try command.value("rules").map(DependencyRules.init(path:)) ?? DependencyRules(ofPackage: graph.root)
        let cache = command.has("no-cache") ? nil : CompilerImports.defaultCache
        return try GraphChecker(graph: graph, rules: rules, cache: cache, reader: reader).findings()
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
        try Files.replace(file, with: Array(try FindingBaseline.document(of: findings).utf8))
        return GraphCommand.Result(errors: "\(file) has \(findings.count) findings now\n")
    }

    /// Declares the undeclared dependencies and removes the unused ones; what cannot be changed, and all other findings, remain.
    private func fix(
        _ findings: [Finding],
        _ graph: PackageGraph,
        _ baseline: FindingBaseline?
    ) throws -> GraphCommand.Result {
        var lines: [String] = []
        var failed: [String] = []
        var seen: Set<[String]> = []
        for (finding, outcome) in try ManifestFix(reader: reader, manifest: graph.manifest).apply(to: findings) {
            guard outcome != .fixed else {
                let verb = finding.kind == .unused ? "no longer declares" : "now declares"
                lines.append("\(finding.target) \(verb) \(finding.dependency)")
                continue
            }
            seen.insert([finding.kind.rawValue, finding.target, finding.dependency])
            failed.append(try advice(for: finding, outcome, graph))
        }
        var remaining: [String]
        do {
            // A dependency that is gone may have been a part of another finding.
            let all = lines.isEmpty ? findings : try self.findings(in: try reader.read())
            remaining = (baseline?.news(in: all).0 ?? all).filter {
                !seen.contains([$0.kind.rawValue, $0.target, $0.dependency])
            }
            .map(\.description)
        } catch {
            remaining = ["\(error)"]
        }
        remaining += failed
        return GraphCommand.Result(
            output: Array((lines + remaining).map { $0 + "\n" }.joined().utf8),
            errors: "\(lines.count) findings fixed, \(remaining.count) remain\n",
            status: remaining.isEmpty ? 0 : 1
        )
    }

    /// Returns the place in the manifest to change by hand, and why.
    private func advice(for finding: Finding, _ outcome: ManifestFix.Outcome, _ graph: PackageGraph) throws -> String {
        let source = ManifestSource(try Files.read("\(graph.root)/\(graph.manifest)"))
        let reason =
            switch outcome {
            case .cycle: "with \(finding.dependency), \(finding.target) would depend on itself"
            case .refused: "a change of \(finding.target) here has another effect"
            case .unknownPackage: "\(graph.manifest) does not name the package of \(finding.dependency)"
            case .notPlain, .fixed: "\(finding.target) is not a plain definition"
            }
        let advice =
            switch (finding.kind, outcome) {
            case (.unused, _): "remove \"\(finding.dependency)\" from its dependencies by hand"
            case (_, .cycle): "remove the import"
            case (_, .unknownPackage): "add both to it by hand"
            default: "add \(finding.declaration ?? finding.dependency), to its dependencies by hand"
            }
        return "\(graph.manifest):\(source.line(of: finding.target)): \(reason): \(advice)"
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
          "reads": [{"targets": PATTERNS, "paths": ["README.md", "Scripts"]}]   for affected
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
