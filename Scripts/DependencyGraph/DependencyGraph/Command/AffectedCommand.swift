import CommandKit

/// Finds what the changes since a git revision can break.
struct AffectedCommand {
    /// The formats of the targets.
    enum Format: String, CaseIterable {
        /// One target a line, with the reason.
        case text
        /// An array of objects.
        case json
        /// A regular expression for `swift test --filter`.
        case filter
        /// The names of the test targets, one a line.
        case targets
    }

    let command: GraphCommand.Parsed
    let reader: PackageReader

    func run() throws -> GraphCommand.Result {
        try refuseCombinations()
        if command.has("verify") { return try verify() }
        let names = command.allValues("files").map { values in
            values.flatMap { value in
                let isName = value.contains(",") && (Files.exists("\(reader.path)/\(value)") || Files.exists(value))
                return isName ? [value] : value.split { $0 == "," || $0.isNewline }.map(String.init)
            }
        }
        let affected = try AffectedTargets(reader, since: command.value("since"), files: names)
        let tests = affected.entries.filter(\.isTest)
        var result = try GraphCommand.write(Array(try text(of: affected, tests: tests).utf8), command)
        let notes = affected.notes.map { "dependency-graph: \($0)\n" }.joined()
        let isForTools = format == .filter || format == .targets
        result.errors = (isForTools ? affected.entries.map { "\($0.name): \($0.because)\n" }.joined() : "") + notes
        if command.has("check-names") { try checkNames(of: tests, &result) }
        return result
    }

    private var format: Format { command.value("format").flatMap(Format.init) ?? .text }

    private func text(of affected: AffectedTargets, tests: [AffectedTargets.Entry]) throws -> String {
        switch format {
        case .text where command.has("explain"): return affected.entries.map(Self.explanation).joined()
        case .text: return affected.entries.map { "\($0.name): \($0.because)\n" }.joined()
        case .json: return try JSONDocument.encode(affected.entries)
        case .targets: return tests.map { $0.name + "\n" }.joined()
        case .filter:
            // Without tests there is no filter: an empty one would select all tests.
            let modules = tests.map { GraphTarget(name: $0.name, kind: .test, folder: "").moduleName }
            return modules.isEmpty ? "" : "^(\(modules.joined(separator: "|")))\\.\n"
        }
    }

    /// Returns the path of reasons, one step a line.
    private static func explanation(of entry: AffectedTargets.Entry) -> String {
        let steps = entry.path.dropFirst().map { "  depends on \($0)\n" }
        return "\(entry.name)\n\(steps.joined())  \(entry.change)\n"
    }

    private func refuseCombinations() throws {
        let isVerifying = command.has("verify")
        if !isVerifying, command.value("since") == nil, command.allValues("files") == nil {
            throw UsageError.missingOperand(command: "affected", operand: "--since REV or --files NAME")
        }
        for name in ["since", "files", "explain", "check-names"] where isVerifying && command.has(name) {
            throw GraphError.usage("--\(name) does not apply to --verify")
        }
        if isVerifying, format == .filter || format == .targets {
            throw GraphError.usage("--format \(format.rawValue) does not apply to --verify")
        }
        for name in ["test", "program"] where !isVerifying && command.has(name) {
            throw GraphError.usage("--\(name) applies to --verify only")
        }
        if command.has("explain"), format != .text {
            throw GraphError.usage("--explain applies to --format text only; json has the path of each target")
        }
    }

    private func checkNames(of tests: [AffectedTargets.Entry], _ result: inout GraphCommand.Result) throws {
        let graph = try reader.read()
        let missing = try TestNames.withoutTests(among: tests.compactMap { graph[$0.name] }, root: graph.root)
        for name in missing { result.errors += "dependency-graph: swift test list has no test of \(name)\n" }
        if !missing.isEmpty { result.status = 1 }
    }

    /// Runs the tests and reports the files that they read without a declaration.
    private func verify() throws -> GraphCommand.Result {
        let graph = try reader.read()
        let rules = try DependencyRules(ofPackage: graph.root)
        try rules.validate(for: graph)
        let tests = graph.targets.filter { $0.kind == .test }.map(\.name)
        let chosen = try command.allValues("test").map { try $0.map { try GraphCommand.name($0, in: graph) } } ?? tests
        let reads = UndeclaredReads(graph: graph, rules: rules, program: command.value("program"))
        let (findings, failures) = try reads.findings(in: chosen)
        let lines = findings.flatMap { finding in
            finding.files.map { file in
                "\(finding.target) reads \(file): declare it in \"reads\" of .dependency-rules.json: "
                    + "{\"targets\": [\"\(finding.target)\"], \"paths\": [\"\(file)\"]}\n"
            }
        }
        let text = format == .json ? try JSONDocument.encode(findings) : lines.joined()
        var result = try GraphCommand.write(Array(text.utf8), command)
        result.errors = "\(lines.count) undeclared files in \(chosen.count) test targets\n"
        for failure in failures {
            let tests = failure.tests.isEmpty ? "" : ": \(failure.tests.joined(separator: ", "))"
            result.errors +=
                "dependency-graph: \(failure.target) failed under strace, its trace may be incomplete\(tests)\n"
        }
        result.status = findings.isEmpty ? 0 : 1
        return result
    }
}

extension AffectedCommand {
    static let command = Command<GraphCommand.Verb>(
        .affected,
        words: ["affected"],
        operands: GraphCommand.package,
        options: [
            CommandOption("since", value: "REV", help: "the git revision to compare with, from its common ancestor"),
            CommandOption(
                "files",
                value: "NAMES",
                help:
                    "these files instead of git's, divided by commas unless the whole is a file, below the package or else the working folder; may be repeated",
                completion: .files,
                isRepeatable: true
            ),
            CommandOption(
                "format",
                value: "F",
                help: "text (default), json, filter for swift test, or the names of the test targets",
                choices: Format.allCases.map(\.rawValue)
            ),
            GraphCommand.output,
            CommandOption("explain", help: "print the path of reasons, one step a line"),
            CommandOption("check-names", help: "fail if swift test list has no test of a selected target"),
            CommandOption("verify", help: "run the tests and find the files that they read without a declaration"),
            CommandOption(
                "test",
                value: "TARGET",
                help: "with --verify: only this test target; may be repeated",
                isRepeatable: true
            ),
            CommandOption(
                "program",
                value: "FILE",
                help: "with --verify: run the tests of Swift Testing in this program of swift build --build-tests"
            ),
        ],
        summary: "list the targets that changes can break, and why",
        examples: ["affected --since main", "affected --files README.md --explain", "affected --verify"]
    )
}
