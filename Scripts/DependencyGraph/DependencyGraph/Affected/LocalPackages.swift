/// The changes in the packages that a manifest names by path, and in those that these name.
struct LocalPackages {
    /// The products of a package that a change affects.
    struct Change {
        /// The names of the nodes in the graph.
        var products: [String]
        var reason: String
    }

    let graph: PackageGraph
    /// The graph of each local package by its folder; a package that cannot be read has none.
    private let packages: [String: PackageGraph]
    /// The absolute folders of the local packages, of which several may be unreadable.
    let folders: [String]

    /// Reads the local packages of a package, and the local packages of these.
    init(graph: PackageGraph, _ reader: PackageReader) {
        self.graph = graph
        var packages: [String: PackageGraph] = [:]
        var folders: [String] = []
        var waiting = graph.localPackages.values.sorted()
        while let folder = waiting.popLast() {
            guard folder != graph.root, !folders.contains(folder) else { continue }
            folders.append(folder)
            packages[folder] = try? reader.reader(of: folder).read()
            waiting += (packages[folder]?.localPackages ?? [:]).values.sorted()
        }
        self.packages = packages
        self.folders = folders.sorted()
    }

    /// The identities of the packages whose products the package or one of the local packages uses.
    var namedPackages: Set<String> {
        let products = ([graph] + packages.values).flatMap(\.targets).filter { $0.kind == .product }
        return Set(products.compactMap { $0.package?.lowercased() })
    }

    /// Returns the changes by some files, whose paths are below the package's folder or absolute, and by pins.
    func changes(by files: [String], _ pins: PinChanges?) -> [Change] {
        guard !files.isEmpty else { return [] }
        let paths = files.map { $0.hasPrefix("/") ? $0 : "\(graph.root)/\($0)" }
        return changes(in: graph, by: paths, pins, path: [graph.root])
    }

    private func changes(in graph: PackageGraph, by files: [String], _ pins: PinChanges?, path: [String]) -> [Change] {
        graph.localPackages.sorted { $0.key < $1.key }.flatMap { identity, folder -> [Change] in
            // Local packages must not depend on each other in a circle, but a manifest may say so.
            guard path.count < 16, !path.contains(folder) else { return [] }
            let nodes = graph.targets.filter { $0.kind == .product && $0.package == identity }
            guard !nodes.isEmpty else { return [] }
            return products(of: folder, by: files, pins, path: path + [folder]).compactMap { names, reason in
                let names = nodes.filter { names?.contains($0.product ?? $0.name) ?? true }.map(\.name)
                return names.isEmpty ? nil : Change(products: names, reason: reason)
            }
        }
    }

    /// Returns the products of a local package that the files and pins affect, or `nil` for all, with a reason.
    private func products(
        of folder: String,
        by files: [String],
        _ pins: PinChanges?,
        path: [String]
    ) -> [(names: Set<String>?, reason: String)] {
        let own = files.compactMap { $0.relative(to: folder) }
        if let manifest = own.first(where: ManifestChanges.isManifest) {
            return [(nil, "\(folder)/\(manifest) changed")]
        }
        guard let package = packages[folder] else {
            return own.isEmpty ? [] : [(nil, "\(folder)/\(own[0]) changed")]
        }
        let rules = (try? DependencyRules(ofPackage: folder)) ?? DependencyRules()
        let inputs = TargetInputs(graph: package, rules: rules)
        var found: [(Set<String>?, String)] = []
        func add(_ targets: some Sequence<String>, _ reason: String) {
            let affected = package.reverseClosure(of: targets)
            let products = package.products.filter { !affected.isDisjoint(with: $0.targets) }.map(\.name)
            if !products.isEmpty { found.append((Set(products), reason)) }
        }
        for file in own {
            let users = inputs.users(of: file)
            if !users.isEmpty { add(users.map(\.target), "\(folder)/\(file) changed") }
        }
        for (product, reason) in pins?.products(of: package) ?? [] { add([product], reason) }
        for change in changes(in: package, by: files, pins, path: path) { add(change.products, change.reason) }
        return found
    }
}
