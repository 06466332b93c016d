import CommandKit

/// Draws the graph of a package, or a part of it, or its metrics.
struct DrawCommand {
    let command: GraphCommand.Parsed
    let reader: PackageReader
    /// Receives lines for standard error at once, before long work begins.
    let notice: (String) -> Void

    func run() throws -> GraphCommand.Result {
        let depth = try command.value("depth").map { text throws(UsageError) in
            guard let number = Int(text), number >= 0 else {
                throw .invalidValue(Self.depth, value: text, hint: "it is a number from 0")
            }
            return number
        }
        if depth != nil, command.value("focus") == nil { throw GraphError.usage("--depth is for --focus alone") }
        let options = try PictureOptions(command, package: reader.path)
        let format = try options.format()
        if command.has("metrics") {
            let ofPictures = ["reduce", "collapse", "externals", "full", "label", "findings"]
            try options.refuse(ofPictures, for: "--metrics")
        }
        let own = try reader.read()
        var picture = GraphPicture(graph: own)
        options.addMarks(to: &picture, notice: notice)
        let whole = command.has("packages") ? own.including(OtherPackages(of: own, reader)) : own
        options.reportUnmatched(in: whole, notice: notice)
        var graph = options.filtered(whole)
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
        if command.has("metrics") { return try writeMetrics(of: graph, format) }
        if let log = command.value("build-log") {
            throw GraphError.usage("--build-log \(log) is for --metrics alone")
        }
        picture.graph = graph
        try options.simplify(&picture, for: format, notice: notice)
        if let file = command.value("into") { return try write(picture, into: file) }
        return try GraphCommand.write(try format.render(picture, notice: notice), command)
    }

    private func writeMetrics(of graph: PackageGraph, _ format: GraphFormat) throws -> GraphCommand.Result {
        guard format == .tree || format == .json else {
            throw GraphError.usage("--metrics is a table or, with --format json, JSON; it is not drawn as \(format)")
        }
        let seconds = try command.value("build-log").map { try BuildLog(path: $0).seconds(of: graph) }
        let report = MetricsReport(metrics: GraphMetrics(graph, seconds: seconds), package: graph.name)
        return try GraphCommand.write(Array((format == .json ? try report.json() : report.table).utf8), command)
    }

    /// Writes the Mermaid graph between the markers of a Markdown file, or compares it with what is there.
    private func write(_ picture: GraphPicture, into file: String) throws -> GraphCommand.Result {
        let graph = MermaidRenderer(picture: picture).document(notice: notice)
        guard let old = String(validating: try Files.read(file), as: UTF8.self) else {
            throw GraphError.file(path: file, message: "it is not UTF-8, so that the rest of it would change")
        }
        let new = try MarkdownGraph(old, path: file).replacing(with: graph)
        if old == new { return GraphCommand.Result() }
        if command.has("verify") {
            let message = "\(file) has an old graph; run the same command without --verify to update it"
            return GraphCommand.Result(errors: "dependency-graph: \(message)\n", status: 1)
        }
        try Files.replace(file, with: Array(new.utf8))
        return GraphCommand.Result()
    }
}

extension DrawCommand {
    private static let depth = CommandOption("depth", value: "N", help: "with --focus: only N edges away")

    static let command = Command<GraphCommand.Verb>(
        .draw,
        operands: GraphCommand.package,
        options: PictureOptions.all + [
            CommandOption("focus", value: "TARGET", help: "only what TARGET depends on and its dependents"),
            depth,
            CommandOption("reaches", value: "TARGET", help: "only what depends on TARGET, directly or not"),
            CommandOption("path", value: "FROM TO", help: "only what is on a path from FROM to TO"),
            CommandOption(
                "packages",
                help: "with the targets of other packages: those named by path, and the checkouts"
            ),
            CommandOption("metrics", help: "print fan-in, fan-out, instability, depth and the longest chain instead"),
            CommandOption(
                "build-log",
                value: "PATH",
                help: "with --metrics: compile times, as the compiler's -stats-output-dir or lines \"MODULE SECONDS\"",
                completion: .files
            ),
            CommandOption(
                "into",
                value: "FILE",
                help: "write the Mermaid graph between the markers of a Markdown file",
                completion: .files
            ),
            CommandOption("verify", help: "with --into: change nothing, and exit with 1 if the file has another graph"),
        ],
        summary: "draw the graph of the package in a folder",
        examples: [
            "--format mermaid --no-tests --reduce", "--format html --output graph.html", "--focus NeedleKit --depth 1",
            "--metrics",
        ]
    )
}
