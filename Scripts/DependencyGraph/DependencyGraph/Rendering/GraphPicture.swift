/// A graph with what a picture shows beside its targets and dependencies: labels, findings and changes.
struct GraphPicture {
    /// A pair of a node and a direct dependency.
    struct Edge: Hashable, Comparable {
        var from: String
        var to: String

        static func < (a: Edge, b: Edge) -> Bool { (a.from, a.to) < (b.from, b.to) }
    }

    /// The text on an edge.
    enum Label: String, CaseIterable {
        /// The number of files that import the dependency.
        case imports
        /// The file and line of the first import, and the number of the others.
        case lines
        case none
    }

    /// What the sizes of nodes show.
    enum Size: String, CaseIterable {
        case lines
        case bytes
    }

    var graph: PackageGraph
    /// What the sizes of nodes show; `nil` if all are alike.
    private(set) var size: Size?
    /// The folder and the amount of sources of each target, if ``size`` needs them.
    private var amounts: [String: (folder: String, count: Int)] = [:]
    /// The text on each edge.
    var label = Label.none
    /// The imports behind each edge, if ``label`` needs them.
    var imports: ImportIndex?
    /// The findings of the check that are marked.
    var findings: [Finding] = []
    /// The differences to another revision.
    var comparison: GraphComparison?
    /// Whether the edges that a longer path implies are hidden at first in html.
    var isReduced = false
    /// Whether tests are hidden at first in html.
    var hidesTests = false
    /// Whether the products of other packages are hidden at first in html.
    var hidesExternals = false
    /// The folders that are collapsed at first in html.
    var collapsed: [String] = []

    init(graph: PackageGraph) { self.graph = graph }

    /// Counts the sources of all targets, which the sizes of nodes show from then on.
    mutating func measure(_ size: Size) {
        self.size = size
        let tree = SourceTree(graph: graph)
        for target in graph.targets {
            amounts[target.name] = (
                target.folder,
                tree.listing(of: target).sources.reduce(0) { sum, file in
                    let bytes = (try? tree.bytes(of: file)) ?? []
                    return sum + (size == .bytes ? bytes.count : bytes.count { $0 == UInt8(ascii: "\n") })
                }
            )
        }
    }

    /// Returns the amount of the sources of a target, or of those in a collapsed folder; `nil` if sizes show nothing.
    func amount(of target: GraphTarget) -> Int? {
        guard size != nil, target.kind != .product else { return nil }
        return amounts[target.name]?.count
            ?? amounts.values.reduce(0) { $1.folder.hasPrefix(target.folder + "/") ? $0 + $1.count : $0 }
    }

    /// The amount of the largest target, at least 1.
    var largestAmount: Int { amounts.values.reduce(1) { max($0, $1.count) } }

    /// All edges, in the order of the targets and of their dependencies.
    var edges: [Edge] { graph.edges.map { Edge(from: $0.from, to: $0.to) } }

    /// Returns the dependencies that an edge represents: several if they have different conditions.
    func dependencies(of edge: Edge) -> [GraphTarget.Dependency] {
        graph[edge.from]?.dependencies.filter { $0.name == edge.to } ?? []
    }

    /// Returns the conditions and module aliases of an edge, or `nil` if it has none.
    func condition(of edge: Edge) -> String? {
        let conditions = dependencies(of: edge).map(\.condition)
        let texts = conditions.compactMap { $0 }
        return texts.isEmpty || texts.count < conditions.count ? nil : texts.joined(separator: " | ")
    }

    /// Returns the text on an edge, or `nil` for an edge without one.
    func text(of edge: Edge) -> String? {
        let sites = imports?.sites(from: edge.from, to: edge.to) ?? []
        switch label {
        case .none: return nil
        case .imports:
            guard imports?.sources[edge.from]?.files.isEmpty == false else { return nil }
            let files = Set(sites.map(\.file)).count
            return files == 1 ? "1 file" : "\(files) files"
        case .lines:
            guard let first = sites.first else { return nil }
            let name = first.file.split(separator: "/").last.map(String.init) ?? first.file
            return "\(name):\(first.line)" + (sites.count > 1 ? " and \(sites.count - 1) more" : "")
        }
    }

    /// Returns the condition and the label of an edge in one text, or `nil` if it has neither.
    func note(of edge: Edge) -> String? {
        let parts = [condition(of: edge), text(of: edge)].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    /// Whether every dependency of an edge has a condition.
    func isConditional(_ edge: Edge) -> Bool {
        dependencies(of: edge).allSatisfy { !$0.platforms.isEmpty || !$0.traits.isEmpty || $0.configuration != nil }
    }

    /// Whether an edge is the use of a build plugin.
    func isPlugin(_ edge: Edge) -> Bool { dependencies(of: edge).allSatisfy(\.isPlugin) }

    /// Returns the findings on an edge, or, without one, those on a node that are on none of its edges.
    func findings(on edge: Edge) -> [Finding] {
        findings.filter { $0.target == edge.from && $0.dependency == edge.to }
    }

    func change(of edge: Edge) -> GraphComparison.Change? { comparison?.edges[edge] }

    func change(of target: GraphTarget) -> GraphComparison.Change? { comparison?.targets[target.name] }
}

extension GraphTarget.Kind {
    /// The kind as words in a picture; empty for a regular target.
    var word: String { self == .regular ? "" : rawValue }
}
