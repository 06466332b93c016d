/// The files that the targets of a package are built from, and those that they read.
struct TargetInputs {
    private struct Input {
        /// A file, or a folder with all its files, below the package's folder or absolute.
        var path: String
        var target: String
        /// What the target does with it, after the file's name.
        var reason: String
    }

    private let graph: PackageGraph
    private var owners: [String: [String]] = [:]
    /// The targets below each folder: a submodule changes as a whole, under the name of its folder.
    private var below: [String: [String]] = [:]
    /// The inputs outside the folders of their targets.
    private var outside: [Input] = []
    /// The patterns of paths that the rules file declares, with the targets that read them.
    private var reads: [(pattern: String, targets: [String])] = []

    init(graph: PackageGraph, rules: DependencyRules) {
        self.graph = graph
        let tree = SourceTree(graph: graph)
        let own = graph.targets.filter { $0.kind != .product && !$0.folder.isEmpty }
        let found = Parallel.map(own) { target in
            let listing = tree.listing(of: target)
            return (links: listing.links, headers: IncludedHeaders(of: listing.sources, in: tree).places)
        }
        for (target, (links, headers)) in zip(own, found) {
            owners[target.folder, default: []].append(target.name)
            for slash in target.folder.indices where target.folder[slash] == "/" {
                below[String(target.folder[..<slash]), default: []].append(target.name)
            }
            let folder = "\(graph.root)/\(target.folder)"
            for path in target.layout.headerSearchPaths {
                addOutside(path, from: folder, of: target, "changed, which is in a header search path")
            }
            for path in target.layout.flaggedHeaders {
                addOutside(path, from: graph.root, of: target, "changed, which is in a header search path")
            }
            for path in target.layout.resources + (target.layout.sources ?? []) {
                addOutside(path, from: folder, of: target, "changed")
            }
            for (path, file) in headers {
                addOutside(path, from: graph.root, of: target, "changed, which \(file) includes")
            }
            for (link, destination) in links {
                let reason = "changed, which the symbolic link \(link) leads to"
                outside.append(Input(path: relative(destination), target: target.name, reason: reason))
            }
        }
        for entry in rules.reads {
            let targets = graph.targets.filter { rules.matches(entry.targets, $0, in: graph) }.map(\.name)
            for path in entry.paths {
                let whole = "\(graph.root)/\(path)".absolutePath
                reads.append((whole == graph.root ? "*" : relative(whole), targets))
            }
        }
    }

    /// Returns the targets that a file belongs to or that read it, with the reason.
    ///
    /// - Parameter file: a path below the package's folder, or an absolute one.
    /// - Returns: the names of the targets and what the file's change means to each.
    func users(of file: String) -> [(target: String, reason: String)] {
        var users = (owners(of: file) + (below[file] ?? [])).map { ($0, "\(file) changed") }
        for input in outside where "\(file)/".hasPrefix(input.path + "/") || input.path.hasPrefix(file + "/") {
            users.append((input.target, "\(file) \(input.reason)"))
        }
        for (pattern, targets) in reads
        where TargetPattern.glob(pattern, file) || TargetPattern.glob(pattern + "/*", file)
            || pattern.hasPrefix(file + "/")
        {
            users += targets.map { ($0, "\(file) changed, which it reads") }
        }
        return users
    }

    /// Returns the targets with the deepest folder that contains a file.
    private func owners(of file: String) -> [String] {
        if let targets = owners[file] { return targets }
        var folder = Substring(file)
        while let slash = folder.lastIndex(of: "/") {
            folder = folder[..<slash]
            if let targets = owners[String(folder)] { return targets }
        }
        return file.hasPrefix("/") || ManifestChanges.isManifest(file) || file == "Package.resolved"
            ? [] : owners["."] ?? []
    }

    /// Adds a path, absolute or relative to a folder, if it leads out of the target's folder.
    private mutating func addOutside(_ path: String, from folder: String, of target: GraphTarget, _ reason: String) {
        let input = (path.hasPrefix("/") ? path : "\(folder)/\(path)").absolutePath
        let own = "\(graph.root)/\(target.folder)".absolutePath
        guard !"\(input)/".hasPrefix(own + "/") else { return }
        outside.append(Input(path: relative(input), target: target.name, reason: reason))
    }

    private func relative(_ path: String) -> String { path.relative(to: graph.root) ?? path }
}
