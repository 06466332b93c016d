#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The command line of the tool.
public struct GraphCommand {
    /// What a command leaves: bytes for standard output, text for standard error, the exit status.
    public struct Result: Sendable {
        /// What goes to standard output.
        public var output: [UInt8] = []
        /// What goes to standard error.
        public var errors = ""
        /// 0 done, 1 something was found or failed, 2 wrong usage.
        public var status: Int32 = 0

        /// Standard output as text.
        public var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// What `--help` prints.
    public static let help = """
        Draws and checks the module graph of a Swift package, offline and unresolved.

        usage:
          dependency-graph [PACKAGE] [--format tree|dot|mermaid|json|svg|png|html] [--output FILE]
                           [--focus TARGET [--depth N]] [--reaches TARGET] [--path FROM TO]
                           [--reduce] [--collapse FOLDER] [--no-tests]
          dependency-graph check [PACKAGE] [--rules FILE] [--format text|json]
          dependency-graph affected [PACKAGE] --since REV [--test-targets | --format text|json]

          PACKAGE          the package's folder; this project's by default
          --format         tree by default; svg and png need Graphviz; html is one file that fetches nothing
          --output FILE    writes to a file instead of standard output
          --focus TARGET   only what TARGET needs and what needs it, within N edges if --depth is given
          --reaches TARGET only what needs TARGET, directly or not
          --path FROM TO   only what lies on a way from FROM to TO
          --reduce         leaves out the edges that a longer way stands for
          --collapse DIR   draws all targets below a folder as one
          --no-tests       leaves out test targets

          check            cycles, the rules file (.dependency-rules.json in the package by default), imports that are
                           not declared, dependencies that are not used; each with its file and line
          affected         what the changes since a git revision can break, and why
          --test-targets   only the names of the affected test targets, one a line

        examples:
          dependency-graph --format mermaid --no-tests --reduce
          dependency-graph --focus NeedleKit --depth 1
          dependency-graph check
          dependency-graph affected --since main

        exit codes: 0 done, 1 something was found or failed, 2 wrong usage

        """

    private let defaultPackage: String

    /// Creates a command.
    ///
    /// - Parameter defaultPackage: The package that is meant when none is named.
    public init(defaultPackage: String) {
        self.defaultPackage = defaultPackage
    }

    /// Runs the command.
    ///
    /// - Parameter arguments: The arguments after the program's name.
    /// - Returns: What it leaves; errors are part of it.
    public func run(_ arguments: [String]) -> Result {
        do {
            let options = try GraphOptions(arguments)
            if options.wantsHelp { return Result(output: Array(Self.help.utf8)) }
            let path = options.package ?? defaultPackage
            switch options.verb {
            case .draw: return try draw(options, path)
            case .check: return try check(options, path)
            case .affected: return try affected(options, path)
            }
        } catch let error as GraphError {
            return Result(errors: "dependency-graph: \(error)\n", status: error.exitStatus)
        } catch {
            return Result(errors: "dependency-graph: \(error)\n", status: 1)
        }
    }

    private func draw(_ options: GraphOptions, _ path: String) throws -> Result {
        var graph = try PackageReader(path: path).read()
        if options.withoutTests { graph = graph.keeping(Set(graph.targets.filter { $0.kind != .test }.map(\.name))) }
        if let focus = options.focus {
            graph = graph.keeping(graph.neighbourhood(of: try named(focus, in: graph), depth: options.depth))
        }
        if let target = options.reaches {
            graph = graph.keeping(graph.reverseClosure(of: [try named(target, in: graph)]))
        }
        if let (from, to) = options.path {
            let (start, end) = (try named(from, in: graph), try named(to, in: graph))
            guard graph.shortestPath(from: start, to: end) != nil else {
                return Result(errors: "dependency-graph: no way leads from \(start) to \(end)\n", status: 1)
            }
            graph = graph.keeping(graph.between(start, end))
        }
        for folder in options.collapsed {
            let collapsed = graph.collapsing(folder)
            guard collapsed.targets != graph.targets else {
                throw GraphError.usage("--collapse \(folder): no target lies below that folder")
            }
            graph = collapsed
        }
        if options.reduces { graph = graph.reduced() }
        guard let format = GraphFormat(rawValue: options.format ?? "tree") else {
            let known = GraphFormat.allCases.map(\.rawValue)
            throw GraphError.usage(
                "--format knows no \(options.format ?? ""); the formats are: \(known.joined(separator: ", "))"
            )
        }
        return try write(try format.render(graph), options)
    }

    private func check(_ options: GraphOptions, _ path: String) throws -> Result {
        let graph = try PackageReader(path: path).read()
        let standard = graph.root + "/.dependency-rules.json"
        let rules: DependencyRules =
            if let file = options.rules {
                try DependencyRules(path: file)
            } else if FileManager.default.fileExists(atPath: standard) {
                try DependencyRules(path: standard)
            } else {
                DependencyRules()
            }
        let findings = try GraphChecker(graph: graph, rules: rules).findings()
        var result: Result
        switch options.format ?? "text" {
        case "json": result = try write(Array(try JSONText.encode(findings).utf8), options)
        case "text": result = try write(Array(findings.map { "\($0)\n" }.joined().utf8), options)
        default: throw GraphError.usage("check knows the formats text and json")
        }
        let edges = graph.edges.count
        result.errors = "\(findings.count) found in \(graph.targets.count) targets and \(edges) dependencies\n"
        result.status = findings.isEmpty ? 0 : 1
        return result
    }

    private func affected(_ options: GraphOptions, _ path: String) throws -> Result {
        guard let revision = options.since else { throw GraphError.usage("affected needs --since REV") }
        let entries = try AffectedTargets(package: path, since: revision).entries
        let why = entries.map { "\($0.name): \($0.because)\n" }.joined()
        if options.testTargetsOnly {
            var result = try write(
                Array(entries.filter(\.isTest).map { $0.name + "\n" }.joined().utf8),
                options
            )
            result.errors = why
            return result
        }
        switch options.format ?? "text" {
        case "json": return try write(Array(try JSONText.encode(entries).utf8), options)
        case "text": return try write(Array(why.utf8), options)
        default: throw GraphError.usage("affected knows the formats text and json")
        }
    }

    private func named(_ name: String, in graph: PackageGraph) throws -> String {
        if graph[name] != nil { return name }
        let nearest = Spelling.nearest(to: name, among: graph.targets.map(\.name))
        throw GraphError.usage("no target is called \(name)" + (nearest.map { "; did you mean \($0)?" } ?? ""))
    }

    private func write(_ bytes: [UInt8], _ options: GraphOptions) throws -> Result {
        guard let file = options.output else { return Result(output: bytes) }
        do {
            try Data(bytes).write(to: URL(filePath: file))
        } catch {
            throw GraphError.file(path: file, message: "it cannot be written (\(error))")
        }
        return Result()
    }
}
