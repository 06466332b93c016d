import SystemCalls
import Threading

/// The other packages that can be read offline: those that the manifest names by path, and the checkouts of a build.
final class OtherPackages: Sendable {
    private let reader: PackageReader
    /// The folder of each package, by its identity.
    private let folders: [String: String]
    /// The modules that the text of each manifest names; `nil` if it computes names.
    private let named = Locked<[String: Set<String>?]>([:])
    private let graphs = Locked<[String: PackageGraph?]>([:])

    /// Finds the packages that a package may depend on.
    ///
    /// - Parameters:
    ///   - graph: the package.
    ///   - reader: reads the others.
    ///   - isDeep: whether the local packages are read, for those that they name.
    init(of graph: PackageGraph, _ reader: PackageReader, isDeep: Bool = false) {
        self.reader = reader
        let checkouts = graph.root + "/.build/checkouts"
        var folders: [String: String] = [:]
        for name in (try? POSIX.list(checkouts)) ?? [] { folders[name.lowercased()] = "\(checkouts)/\(name)" }
        folders.merge(graph.localPackages) { $1 }
        var waiting = isDeep ? graph.localPackages.keys.sorted() : []
        while let identity = waiting.popLast() {
            let package = folders[identity].flatMap { try? reader.reader(of: $0).read() }
            graphs.withLock { $0[identity] = .some(package) }
            for (other, folder) in package?.localPackages ?? [:] where folders[other] == nil {
                folders[other] = folder
                waiting.append(other)
            }
        }
        self.folders = folders.filter { Files.exists($0.value + "/Package.swift") }
    }

    /// Returns the graph of a package, or `nil` if it cannot be read.
    func graph(of identity: String) -> PackageGraph? {
        if let known = graphs.withLock({ $0[identity] }) { return known }
        let graph = folders[identity].flatMap { try? reader.reader(of: $0).read() }
        graphs.withLock { $0[identity] = .some(graph) }
        return graph
    }

    /// Returns the products with a module, and the identities of their packages.
    func products(with module: String) -> [(product: String, package: String)] {
        folders.keys.sorted().filter { mayHave(module, $0) }.flatMap { identity in
            (graph(of: identity)?.products ?? []).filter { product in
                product.kind == "library" && product.targets.contains { graph(of: identity)?[$0]?.moduleName == module }
            }
            .map { ($0.name, identity) }
        }
    }

    /// Whether a product of a package has a module, or depends on it within the package.
    func contains(_ module: String, product: String, package identity: String) -> Bool {
        guard let graph = graph(of: identity), let product = graph.products.first(where: { $0.name == product }) else {
            return false
        }
        return graph.closure(of: product.targets).contains { graph[$0]?.moduleName == module }
    }

    /// Returns the products among the nodes of a graph whose code has a module, in whatever package.
    func nodes(with module: String, in graph: PackageGraph) -> [GraphTarget] {
        guard folders.keys.contains(where: { mayHave(module, $0) }) else { return [] }
        return graph.targets.filter { node in
            var seen: Set<String> = []
            return reaches(module, from: node, &seen)
        }
    }

    private func reaches(_ module: String, from node: GraphTarget, _ seen: inout Set<String>) -> Bool {
        guard node.kind == .product, let identity = node.package, seen.insert("\(identity)/\(node.name)").inserted,
            let graph = graph(of: identity), let product = graph.products.first(where: { $0.name == node.product })
        else { return false }
        return graph.closure(of: product.targets).contains { name in
            guard let target = graph[name] else { return false }
            return target.kind == .product ? reaches(module, from: target, &seen) : target.moduleName == module
        }
    }

    /// Whether a package may have a module: only then SwiftPM is asked for its targets.
    private func mayHave(_ module: String, _ identity: String) -> Bool {
        let modules: Set<String>?
        if let known = named.withLock({ $0[identity] }) {
            modules = known
        } else {
            let manifest = folders[identity].flatMap { try? Files.read("\($0)/\(ManifestName.chosen(in: $0))") }
            modules = ManifestSource(manifest ?? []).moduleNames
            named.withLock { [modules] in $0[identity] = .some(modules) }
        }
        return modules?.contains(module) ?? true
    }
}

extension PackageGraph {
    /// Returns the graph with the targets of other packages, in a folder with the identity of the package, instead of their
    /// products. A product of a package that cannot be read stays.
    func including(_ others: OtherPackages) -> PackageGraph {
        var packages: [String: PackageGraph] = [:]
        var waiting = targets.compactMap(\.package)
        while let identity = waiting.popLast() {
            guard packages[identity] == nil, let package = others.graph(of: identity) else { continue }
            packages[identity] = package
            waiting += package.targets.compactMap(\.package)
        }
        let own = Set(targets.filter { $0.kind != .product }.map(\.name))
        let all = own.union(packages.values.flatMap { $0.targets.filter { $0.kind != .product }.map(\.name) })
        func label(_ name: String, _ identity: String) -> String {
            let isUnique =
                !own.contains(name) && packages.values.count { $0[name].map { $0.kind != .product } ?? false } == 1
            return isUnique ? name : "\(name) (\(identity))"
        }
        /// The edges of a target of a package, by the names in the joined graph; `identity` is `nil` for this package.
        func edges(_ target: GraphTarget, in graph: PackageGraph, _ identity: String?) -> [GraphTarget.Dependency] {
            target.dependencies.flatMap { dependency -> [GraphTarget.Dependency] in
                var edge = dependency
                guard let node = graph[dependency.name], node.kind == .product, let package = node.package,
                    let product = packages[package]?.products.first(where: { $0.name == node.product })
                else {
                    if let identity, graph[dependency.name]?.kind != .product {
                        edge.name = label(dependency.name, identity)
                    }
                    return [edge]
                }
                return product.targets.map { name in
                    edge.name = label(name, package)
                    return edge
                }
            }
        }
        var joined = self
        joined.targets.removeAll { $0.kind == .product && packages[$0.package ?? ""] != nil }
        joined.update { $0.dependencies = edges($0, in: self, nil) }
        for (identity, package) in packages.sorted(by: { $0.key < $1.key }) {
            for var target in package.targets where target.kind != .test {
                if target.kind == .product {
                    guard packages[target.package ?? ""] == nil, joined[target.name] == nil, !all.contains(target.name)
                    else { continue }
                } else {
                    target.dependencies = edges(target, in: package, identity)
                    target.name = label(target.name, identity)
                    target.folder = "\(identity)/\(target.folder)"
                    target.faults = []
                }
                joined.targets.append(target)
            }
        }
        return joined.subgraph(of: joined.closure(of: own))
    }
}
