/// The products of other packages that the targets of a package depend on, with a unique name for each.
struct ProductNodes {
    private struct Product: Hashable {
        var name: String
        /// The identity of the package; empty if it is unknown.
        var package: String
    }

    private let targets: Set<String>
    private let packages: [ManifestDump.Package]
    /// The unique name of the node of each product.
    private var labels: [Product: String] = [:]

    init(_ manifest: ManifestDump) {
        targets = Set(manifest.targets.map(\.name))
        packages = manifest.packages
        var found: [String: Set<String>] = [:]
        for reference in manifest.targets.flatMap(\.references) where isProduct(reference) {
            found[reference.name, default: []].insert(identity(for: reference))
        }
        for (name, packages) in found {
            // A reference without a package means the only package that another one names.
            let named = packages.count > 1 ? packages.subtracting([""]) : packages
            let isUnique = named.count == 1 && !targets.contains(name)
            for package in named {
                labels[Product(name: name, package: package)] = isUnique ? name : "\(name) (\(package))"
            }
        }
    }

    /// The nodes, sorted by name.
    var nodes: [GraphTarget] {
        labels.sorted { $0.value < $1.value }.map { product, label in
            GraphTarget(
                name: label,
                kind: .product,
                folder: "",
                package: product.package.isEmpty ? nil : product.package,
                product: product.name
            )
        }
    }

    /// Returns the edge from a target to the node that a reference names.
    func edge(to reference: ManifestDump.Reference) -> GraphTarget.Dependency {
        var edge = reference.edge
        guard isProduct(reference) else { return edge }
        let product = Product(name: reference.name, package: identity(for: reference))
        edge.name = labels[product] ?? labels.filter { $0.key.name == reference.name }.values.min() ?? reference.name
        return edge
    }

    private func isProduct(_ reference: ManifestDump.Reference) -> Bool {
        switch reference.kind {
        case .target: false
        case .product: true
        case .byName: !targets.contains(reference.name)
        }
    }

    /// Returns the identity of the package of a product: of the one that the reference names, or, as SwiftPM does for a product
    /// without a package, of the one with the product's name.
    private func identity(for reference: ManifestDump.Reference) -> String {
        let name = reference.package ?? reference.name
        let found = packages.first { $0.name == name } ?? packages.first { $0.identity == name.lowercased() }
        if let found { return found.identity }
        return reference.package ?? (packages.count == 1 ? packages[0].identity : "")
    }
}
