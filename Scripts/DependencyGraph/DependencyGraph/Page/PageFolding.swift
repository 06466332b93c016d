/// The boxes of a page: the folder of each target or, in a large package, the groups that the page shows at first.
struct PageFolding {
    /// The number of visible targets from which a page begins with collapsed groups.
    static let limit = 150

    /// The box of each target, by its name; empty for a target without one.
    private(set) var groups: [String: String] = [:]
    /// The boxes that are collapsed at first.
    private(set) var collapsed: [String] = []

    init(_ picture: GraphPicture) {
        let graph = picture.graph
        for target in graph.targets {
            groups[target.name] = target.kind == .product ? FolderGroups.externals : FolderGroups.folder(of: target)
            // A collapsed folder takes all that is below it, at any depth; one inside another takes nothing.
            let folders = picture.collapsed.filter { "\(target.folder)/".hasPrefix($0 + "/") }
            if let folder = folders.min(by: { $0.count < $1.count }) { groups[target.name] = folder }
        }
        let visible = graph.targets.filter { target in
            !(picture.hidesTests && target.kind == .test) && !(picture.hidesExternals && target.kind == .product)
        }
        guard visible.count > Self.limit, picture.collapsed.isEmpty else { return }
        let own = graph.targets.filter { $0.kind != .product }
        let grouping = Self.groupings(of: own, graph).first { group in
            5...40 ~= Set(visible.map { $0.kind == .product ? FolderGroups.externals : group($0) }).count
        }
        guard let grouping else { return }
        for target in own { groups[target.name] = grouping(target) }
        var seen: Set<String> = []
        collapsed = graph.targets.compactMap { groups[$0.name] }.filter { !$0.isEmpty && seen.insert($0).inserted }
    }

    /// The ways to group targets, the best first: by the folders of each level, by the first word of the name, by layers.
    private static func groupings(of targets: [GraphTarget], _ graph: PackageGraph) -> [(GraphTarget) -> String] {
        let paths = targets.map { FolderGroups.folder(of: $0).split(separator: "/") }
        let levels = 1...max(1, paths.map(\.count).max() ?? 1)
        let byFolder = levels.map { level -> (GraphTarget) -> String in
            { FolderGroups.folder(of: $0).split(separator: "/").prefix(level).joined(separator: "/") }
        }
        let depths = Dictionary(
            GraphMetrics(graph).entries.map { ($0.name, $0.depth) },
            uniquingKeysWith: { first, _ in first }
        )
        let layers = max(1, (depths.values.max() ?? 0) / 20 + 1)
        return byFolder + [{ firstWord(of: $0.name) }, { "Layer \((depths[$0.name] ?? 0) / layers + 1)" }]
    }

    /// Returns the first word of a name in any usual spelling: "Core" of CoreModule, "core" of core-module.
    private static func firstWord(of name: String) -> String {
        let first = name.prefix(1)
        return String(first + name.dropFirst().prefix { $0.isLowercase })
    }
}
