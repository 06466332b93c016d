import JSONValues

/// The packages whose pins in Package.resolved differ.
struct PinChanges {
    /// The identities of the packages; `nil` if a file is missing or has an unknown format.
    private let changed: Set<String>?
    /// A package with another pin that only packages elsewhere use: any of them may use it.
    private let indirect: String?

    /// Compares two states of Package.resolved.
    ///
    /// - Parameters:
    ///   - old: the bytes of the older state, `nil` if there are none.
    ///   - new: the bytes of the newer state, `nil` if there are none.
    ///   - direct: the identities of the packages that this package or one of its local packages names.
    init(from old: [UInt8]?, to new: [UInt8]?, direct: Set<String>) {
        guard let old = old.flatMap(Self.pins), let new = new.flatMap(Self.pins) else {
            (changed, indirect) = (nil, nil)
            return
        }
        let changed = Set(Set(old.keys).union(new.keys).filter { old[$0] != new[$0] })
        (self.changed, indirect) = (changed, changed.subtracting(direct).min())
    }

    /// Returns the products of a graph that the changes affect, each with a reason.
    ///
    /// The products of a local package are affected through the targets of that package; see ``LocalPackages``.
    func products(of graph: PackageGraph) -> [(name: String, reason: String)] {
        graph.targets.filter { $0.kind == .product }.compactMap { product in
            guard let changed, let package = product.package?.lowercased(), !changed.contains(package) else {
                return (product.name, "Package.resolved changed")
            }
            guard let indirect, graph.localPackages[package] == nil else { return nil }
            return (product.name, "Package.resolved changed the package \(indirect), which other packages use")
        }
    }

    /// Reads the pins of the versions 1 to 3 of the format.
    private static func pins(_ bytes: [UInt8]) -> [String: JSONValue]? {
        guard let document = try? JSONValue(parsing: bytes) else { return nil }
        guard let pins = document["pins"].elements ?? document["object"]["pins"].elements else { return nil }
        var found: [String: JSONValue] = [:]
        for pin in pins {
            guard let identity = pin["identity"].text ?? pin["repositoryURL"].text.map(identity) else { return nil }
            found[identity.lowercased()] = pin
        }
        return found
    }

    /// The identity of a package by its address: the last part without ".git".
    private static func identity(of address: String) -> String {
        let last = address.droppingTrailingSlash.split { $0 == "/" || $0 == ":" }.last.map(String.init) ?? address
        return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
    }
}
