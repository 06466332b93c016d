import CommandKit

/// Compares the graphs of a package at two git revisions.
struct DiffCommand {
    let command: GraphCommand.Parsed
    let reader: PackageReader
    /// Receives lines for standard error at once, before long work begins.
    let notice: (String) -> Void

    func run() throws -> GraphCommand.Result {
        let operands = command.operands
        let reader = operands.count > 2 ? reader.reader(of: operands[2]) : reader
        let options = try PictureOptions(command, package: reader.path)
        let format = try options.format()
        if command.has("comment") {
            try options.refuse(["reduce", "collapse", "externals"], for: "--comment")
        } else if !command.has("format") {
            try options.refuse(["reduce", "collapse", "externals", "full"], for: "a diff without --format")
        }
        let revisions = RevisionReader(reader: reader)
        let (old, new) = (try revisions.read(operands[0]), try revisions.read(operands[1]))
        options.reportUnmatched(in: new, old, notice: notice)
        let comparison = GraphComparison(
            from: (operands[0], options.filtered(old)),
            to: (operands[1], options.filtered(new))
        )
        var picture = GraphPicture(graph: comparison.graph)
        picture.comparison = comparison
        if !command.has("full") { picture.graph = comparison.graph.subgraph(of: comparison.affected) }
        if command.has("comment") {
            guard !command.has("format") else { throw GraphError.usage("--comment has its own format") }
            let graph = MarkdownGraph.block(MermaidRenderer(picture: picture).document(notice: notice))
            let differences = "```diff\n\(comparison.text)```\n\n\(graph)"
            let title = "**Dependency graph, \(operands[0]) to \(operands[1]):** \(comparison.summary)\n"
            return try GraphCommand.write(
                Array((comparison.text.isEmpty ? title : "\(title)\n\(differences)").utf8),
                command
            )
        }
        guard command.has("format") else {
            var result = try GraphCommand.write(Array(comparison.text.utf8), command)
            result.errors = comparison.summary + "\n"
            return result
        }
        notice(comparison.summary)
        try options.simplify(&picture, for: format, notice: notice)
        if format == .html { (picture.hidesTests, picture.hidesExternals) = (false, false) }
        return try GraphCommand.write(try format.render(picture, notice: notice), command)
    }
}

extension DiffCommand {
    static let command = Command<GraphCommand.Verb>(
        .diff,
        words: ["diff"],
        operands: .between("REV1 REV2 [PACKAGE]", 2...3),
        options: PictureOptions.all.filter { !["label", "findings"].contains($0.name) }.map { option in
            var option = option
            if option.name == "format" { option.help = "a picture instead of one line for each difference" }
            if option.name == "full" { option.help = "everything, not only what differs and its neighbours" }
            return option
        } + [CommandOption("comment", help: "a Markdown comment for a pull request, with a Mermaid graph")],
        summary: "list the targets and edges that came and went between two git revisions",
        examples: ["diff main HEAD", "diff v1 v2 --format html --output diff.html", "diff main HEAD --comment"]
    )
}
