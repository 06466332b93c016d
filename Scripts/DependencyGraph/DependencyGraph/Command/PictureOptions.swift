import CommandKit

/// The options of a picture, which `diff` has too.
struct PictureOptions {
    /// The number of edges from which svg, png and html pictures are simplified unless options say otherwise.
    static let plainEdges = 40
    /// The number of targets from which svg and png pictures show folders.
    static let plainTargets = 500

    let command: GraphCommand.Parsed
    /// The rules of the package, for the tags in `--exclude`; none if it has no tags.
    private let rules: DependencyRules

    /// Creates the options of a command for the package in a folder.
    ///
    /// - Throws: ``GraphError/rules(path:message:)`` if a tag is excluded and the rules file is invalid.
    init(_ command: GraphCommand.Parsed, package: String) throws {
        self.command = command
        let usesTags = (command.allValues("exclude") ?? []).contains { $0.hasPrefix("tag:") }
        rules = usesTags ? try DependencyRules(ofPackage: package) : DependencyRules()
    }

    /// Refuses options that have no effect on an output.
    func refuse(_ names: [String], for output: String) throws {
        for name in names where command.has(name) {
            throw GraphError.usage("--\(name) has no effect on \(output)")
        }
    }

    static let all = [
        CommandOption(
            "format",
            value: "F",
            help: "tree (default), dot, mermaid, json, svg, png or html; svg and png need Graphviz",
            choices: GraphFormat.allCases.map(\.rawValue)
        ),
        GraphCommand.output,
        CommandOption("reduce", help: "without edges that a longer path implies"),
        CommandOption(
            "collapse",
            value: "DIR",
            help: "draw all targets below a folder as one; may be repeated",
            completion: .folders,
            isRepeatable: true
        ),
        CommandOption("no-tests", help: "without test targets"),
        CommandOption("no-externals", help: "without the products of other packages"),
        CommandOption("externals", help: "with the products of other packages in large svg, png and html pictures too"),
        CommandOption(
            "exclude",
            value: "PATTERN",
            help: "without the targets that a pattern of the rules file matches, such as 'Tests/*'; may be repeated",
            isRepeatable: true
        ),
        CommandOption("full", help: "svg, png, html: everything, also of a graph with more than 40 edges"),
        CommandOption(
            "label",
            value: "L",
            help: "text on the edges: imports (number of importing files), lines (file and line of an import) or none",
            choices: GraphPicture.Label.allCases.map(\.rawValue)
        ),
        CommandOption(
            "size",
            value: "S",
            help: "dot, svg, png, html: nodes as large as the sources of their targets, in lines or bytes",
            choices: GraphPicture.Size.allCases.map(\.rawValue)
        ),
        CommandOption("findings", help: "mark the edges that check reports, as html does always"),
    ]

    /// The format; json or Mermaid may follow from other options.
    func format() throws -> GraphFormat {
        let format = command.value("format").flatMap(GraphFormat.init)
        if command.has("verify"), !command.has("into") { throw GraphError.usage("--verify is for --into alone") }
        if command.has("into") {
            guard format ?? .mermaid == .mermaid, !command.has("output") else {
                throw GraphError.usage("--into writes a Mermaid graph; it takes neither --output nor another --format")
            }
            return .mermaid
        }
        if command.has("externals"), command.has("no-externals") {
            throw GraphError.usage("--externals and --no-externals contradict each other")
        }
        guard !command.has("size") || [.dot, .svg, .png, .html].contains(format) else {
            throw GraphError.usage("--size is for the formats dot, svg, png and html")
        }
        return format ?? .tree
    }

    /// Adds the labels and the findings, which refer to the whole graph.
    func addMarks(to picture: inout GraphPicture, notice: (String) -> Void) {
        let isPage = command.value("format") == "html"
        picture.label = command.value("label").flatMap(GraphPicture.Label.init) ?? .none
        if picture.label != .none { picture.imports = ImportIndex(graph: picture.graph) }
        if let size = command.value("size").flatMap(GraphPicture.Size.init) { picture.measure(size) }
        guard isPage || command.has("findings") else { return }
        do {
            let rules = try DependencyRules(ofPackage: picture.graph.root)
            let checker = try GraphChecker(graph: picture.graph, rules: rules, cache: CompilerImports.defaultCache)
            picture.findings = checker.findings()
        } catch {
            notice("findings are not marked: \(error)")
        }
    }

    /// Reports the patterns of `--exclude` that match no target of any graph, with the nearest name in the first one.
    func reportUnmatched(in graphs: PackageGraph..., notice: (String) -> Void) {
        for pattern in command.allValues("exclude") ?? []
        where !graphs.contains(where: { graph in
            graph.targets.contains { rules.matches([pattern], $0, in: graph) }
        }) {
            let nearest = graphs.first.flatMap { rules.nearest(to: pattern, in: $0) }
            notice("--exclude \(pattern) matches no target" + (nearest.map { "; did you mean \($0)?" } ?? ""))
        }
    }

    /// Returns the graph without what the options leave out. A page hides tests and externals instead.
    func filtered(_ graph: PackageGraph) -> PackageGraph {
        let isPage = command.value("format") == "html"
        let excluded = command.allValues("exclude") ?? []
        let names = graph.targets.filter { target in
            (isPage || !command.has("no-tests") || target.kind != .test)
                && (isPage || !command.has("no-externals") || target.kind != .product)
                && !rules.matches(excluded, target, in: graph)
        }
        return names.count == graph.targets.count ? graph : graph.subgraph(of: Set(names.map(\.name)))
    }

    /// Collapses folders and reduces the graph as the options say, or as a large picture requires.
    func simplify(_ picture: inout GraphPicture, for format: GraphFormat, notice: (String) -> Void) throws {
        let folders = command.allValues("collapse") ?? []
        for folder in folders {
            let collapsed = picture.graph.collapsing(folder)
            guard collapsed.targets != picture.graph.targets else {
                throw GraphError.usage("--collapse \(folder): there is no target below that folder")
            }
            if format == .html {
                picture.collapsed.append(folder.droppingTrailingSlash)
            } else {
                picture.graph = collapsed
            }
        }
        let isLarge = picture.graph.edges.count > Self.plainEdges && !command.has("full")
        switch format {
        case .html:
            picture.isReduced = command.has("reduce") || isLarge
            picture.hidesTests = command.has("no-tests") || isLarge
            picture.hidesExternals = command.has("no-externals") || (isLarge && !command.has("externals"))
        case .svg, .png:
            if isLarge { simplifyLarge(&picture, notice: notice) } else if command.has("reduce") { reduce(&picture) }
            if picture.graph.targets.count > Self.plainTargets { foldLarge(&picture, notice: notice) }
        case .tree, .dot, .mermaid, .json:
            if command.has("reduce") { reduce(&picture) }
        }
    }

    /// Reduces a graph; the edges with changes stay.
    private func reduce(_ picture: inout GraphPicture) {
        let changed = picture.comparison.map { Set($0.edges.keys) } ?? []
        picture.graph = picture.graph.reduced { changed.contains(GraphPicture.Edge(from: $0, to: $1)) }
    }

    private func simplifyLarge(_ picture: inout GraphPicture, notice: (String) -> Void) {
        let before = (picture.graph.targets.count, picture.graph.edges.count)
        let withExternals = command.has("externals") || picture.comparison != nil
        let kept = picture.graph.targets.filter { target in
            (target.kind != .test || picture.comparison != nil) && (target.kind != .product || withExternals)
        }
        // A package of tests alone is drawn with them.
        if kept.contains(where: { $0.kind != .product }) {
            picture.graph = picture.graph.subgraph(of: Set(kept.map(\.name)))
        }
        reduce(&picture)
        var text = "\(before.0) targets with \(before.1) edges are drawn as \(picture.graph.targets.count) with "
        text += "\(picture.graph.edges.count), grouped by folder: without tests"
        if !withExternals { text += ", products of other packages (--externals shows them)" }
        notice(text + " and edges that a longer path implies; --full draws everything")
    }

    private func foldLarge(_ picture: inout GraphPicture, notice: (String) -> Void) {
        let count = picture.graph.targets.count
        let groups = FolderGroups(picture.graph).groups.filter { !$0.folder.isEmpty && $0.targets.count > 1 }
        if command.has("full") || groups.count < 8 {
            notice("drawing \(count) targets with \(picture.graph.edges.count) edges may take a minute; html is faster")
            return
        }
        notice(
            "\(count) targets are too many for a picture: each of \(groups.count) folders is drawn as one node;"
                + " --full draws every target, which may take minutes"
        )
        for group in groups { picture.graph = picture.graph.collapsing(group.folder) }
        reduce(&picture)
    }
}
