#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Renders a graph as one JSON document with stable members.
struct JSONRenderer {
    var graph: PackageGraph

    private struct Document: Encodable {
        var package: String
        var targets: [Node]
    }

    private struct Node: Encodable {
        var name: String
        var kind: String
        var folder: String
        /// The identity of the package of a product.
        var package: String?
        var dependencies: [Edge]
    }

    private struct Edge: Encodable {
        var name: String
        var platforms: [String]
        var plugin: Bool
    }

    func text() throws -> String {
        let document = Document(
            package: graph.name,
            targets: graph.targets.map { target in
                Node(
                    name: target.name,
                    kind: target.kind.rawValue,
                    folder: target.folder,
                    package: target.package,
                    dependencies: target.dependencies.map {
                        Edge(name: $0.name, platforms: $0.platforms, plugin: $0.isPlugin)
                    }
                )
            }
        )
        return try JSONDocument.encode(document)
    }
}

/// Encodes JSON as in all output of the tool: sorted keys, a line break at the end.
enum JSONDocument {
    static func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
    }
}
