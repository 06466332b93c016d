import CommandKit
import SystemCalls

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The command line of the tool.
public struct GraphCommand {
    /// The result of a command: bytes for standard output, text for standard error, the exit status.
    public struct Result: Sendable {
        /// The bytes for standard output.
        public var output: [UInt8] = []
        /// The text for standard error.
        public var errors = ""
        /// 0 done, 1 something was found or failed, 2 invalid arguments.
        public var status: Int32 = 0

        /// Standard output as text.
        public var text: String { String(decoding: output, as: UTF8.self) }
    }

    private enum Verb: Hashable, Sendable { case draw, check, affected }

    private typealias Parsed = ParsedCommand<Verb>

    private let defaultPackage: String

    /// Creates a command.
    ///
    /// - Parameter defaultPackage: the folder of the package if the arguments have none.
    public init(defaultPackage: String) {
        self.defaultPackage = defaultPackage
    }

    /// Runs the command.
    ///
    /// - Parameter arguments: the arguments after the program's name.
    /// - Returns: the result; it includes errors.
    public func run(_ arguments: [String]) -> Result {
        do {
            switch try Self.table.parse(arguments) {
            case .print(let text): return Result(output: Array(text.utf8))
            case .run(let command):
                let path = command.operands.first ?? defaultPackage
                switch command.verb {
                case .draw: return try draw(command, path)
                case .check: return try check(command, path)
                case .affected: return try affected(command, path)
                }
            }
        } catch {
            let isUsage = error is UsageError
            let status = isUsage ? 2 : (error as? GraphError)?.exitStatus ?? 1
            return Result(errors: "dependency-graph: \(error)\n", status: status)
        }
    }

    private func draw(_ command: Parsed, _ path: String) throws -> Result {
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
            graph = graph.subgraph(of: graph.neighbourhood(of: try name(focus, in: graph), depth: depth))
        }
        if let target = command.value("reaches") {
            graph = graph.subgraph(of: graph.reverseClosure(of: [try name(target, in: graph)]))
        }
        if let ends = command.allValues("path") {
            let (start, end) = (try name(ends[0], in: graph), try name(ends[1], in: graph))
            guard graph.shortestPath(from: start, to: end) != nil else {
                return Result(errors: "dependency-graph: there is no path from \(start) to \(end)\n", status: 1)
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
        return try write(try format.render(graph), command)
    }

    private func check(_ command: Parsed, _ path: String) throws -> Result {
        let graph = try PackageReader(path: path).read()
        let file = command.value("rules")
        let rules = try file.map(DependencyRules.init(path:)) ?? DependencyRules(ofPackage: graph.root)
        let findings = try GraphChecker(graph: graph, rules: rules).findings()
        var result =
            command.value("format") == "json"
            ? try write(Array(try JSONDocument.encode(findings).utf8), command)
            : try write(Array(findings.map { "\($0)\n" }.joined().utf8), command)
        let edges = graph.edges.count
        result.errors = "\(findings.count) findings in \(graph.targets.count) targets and \(edges) dependencies\n"
        result.status = findings.isEmpty ? 0 : 1
        return result
    }

    private func affected(_ command: Parsed, _ path: String) throws -> Result {
        guard let revision = command.value("since") else {
            throw UsageError.missingOperand(command: "affected", operand: "--since REV")
        }
        let entries = try AffectedTargets(package: path, since: revision).entries
        let reasons = entries.map { "\($0.name): \($0.because)\n" }.joined()
        if command.has("test-targets") {
            let names = entries.filter(\.isTest).map { $0.name + "\n" }.joined()
            var result = try write(Array(names.utf8), command)
            result.errors = reasons
            return result
        }
        let isJSON = command.value("format") == "json"
        return try write(Array(isJSON ? try JSONDocument.encode(entries).utf8 : reasons.utf8), command)
    }

    private func name(_ name: String, in graph: PackageGraph) throws -> String {
        if graph[name] != nil { return name }
        let nearest = NearestName.of(name, among: graph.targets.map(\.name))
        throw GraphError.usage("there is no target \(name)" + (nearest.map { "; did you mean \($0)?" } ?? ""))
    }

    private func write(_ bytes: [UInt8], _ command: Parsed) throws -> Result {
        guard let file = command.value("output") else { return Result(output: bytes) }
        do throws(SystemError) {
            try POSIX.write(bytes, toFile: file)
        } catch {
            throw GraphError.file(path: file, message: "it cannot be written (\(error))")
        }
        return Result()
    }
}

extension GraphCommand {
    private static let package = Operands.optional("PACKAGE", completion: .folders)
    private static let depth = CommandOption("depth", value: "N", help: "with --focus: only N edges away")
    private static let output = CommandOption(
        "output",
        letter: "o",
        value: "FILE",
        help: "write to a file instead of standard output",
        completion: .files
    )
    private static let format = CommandOption("format", value: "F", help: "text or json", choices: ["text", "json"])

    private static let table = CommandTable<Verb>(
        program: "dependency-graph",
        summary: "draws and checks the target graph of a Swift package, offline and unresolved",
        commands: [
            Command(
                .draw,
                operands: package,
                options: [
                    CommandOption(
                        "format",
                        value: "F",
                        help: "tree (default), dot, mermaid, json, svg, png or html; svg and png need Graphviz",
                        choices: GraphFormat.allCases.map(\.rawValue)
                    ),
                    output,
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
            ),
            Command(
                .check,
                words: ["check"],
                operands: package,
                options: [
                    CommandOption(
                        "rules",
                        value: "FILE",
                        help: "the rules; .dependency-rules.json in the package by default",
                        completion: .files
                    ),
                    format, output,
                ],
                summary: "find cycles, violated rules, undeclared imports and unused dependencies, with file and line",
                examples: ["check", "check --format json"]
            ),
            Command(
                .affected,
                words: ["affected"],
                operands: package,
                options: [
                    CommandOption("since", value: "REV", help: "the git revision to compare with; required"),
                    CommandOption("test-targets", help: "only the names of test targets, one a line"), format, output,
                ],
                summary: "list the targets that the changes since a git revision can break, and why",
                examples: ["affected --since main"]
            ),
        ],
        exitStatuses: [.init(0, "done"), .init(1, "something was found or failed"), .init(2, "invalid arguments")]
    )
}
