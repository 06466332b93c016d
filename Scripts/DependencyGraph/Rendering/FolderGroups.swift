/// The nodes of a graph by the folder that holds them, for formats that draw groups.
struct FolderGroups {
    /// A folder's name, and its nodes in order; the name is empty for what has no folder.
    var groups: [(folder: String, targets: [GraphTarget])]

    init(_ graph: PackageGraph) {
        var order: [String] = []
        var members: [String: [GraphTarget]] = [:]
        for target in graph.targets {
            let folder = target.folder.split(separator: "/").dropLast().joined(separator: "/")
            if members[folder] == nil { order.append(folder) }
            members[folder, default: []].append(target)
        }
        groups = order.map { ($0, members[$0] ?? []) }
    }
}
