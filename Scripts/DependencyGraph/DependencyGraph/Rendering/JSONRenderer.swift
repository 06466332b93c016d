import EssentialFoundation

/// Renders a graph as one JSON document with stable members, which Schemas/graph.schema.json describes.
struct JSONRenderer {
    var picture: GraphPicture

    private struct Document: Encodable {
        var package: String
        var faults: [Fault]
        var products: [PackageGraph.Product]
        var targets: [Node]
        var comparison: Revisions?
        var findings: [Finding]?
    }

    private struct Revisions: Encodable {
        var from: String
        var to: String
    }

    private struct Node: Encodable {
        var name: String
        var kind: String
        var folder: String
        var package: String?
        var product: String?
        var faults: [Fault]
        var change: String?
        var dependencies: [Edge]
    }

    private struct Fault: Encodable {
        var kind: String
        var path: String
        var message: String

        init(_ fault: GraphFault) {
            kind = fault.kind.rawValue
            path = fault.path
            message = fault.message
        }
    }

    private struct Edge: Encodable {
        var name: String
        var platforms: [String]
        var traits: [String]
        var configuration: String?
        var moduleAliases: [String: String]
        var plugin: Bool
        var change: String?
        var imports: [ImportIndex.Site]?
    }

    func text() throws -> String {
        let graph = picture.graph
        let document = Document(
            package: graph.name,
            faults: graph.faults.map(Fault.init),
            products: graph.products,
            targets: graph.targets.map(node(of:)),
            comparison: picture.comparison.map { Revisions(from: $0.from, to: $0.to) },
            findings: picture.findings.isEmpty ? nil : picture.findings
        )
        return try JSONDocument.encode(document)
    }

    private func node(of target: GraphTarget) -> Node {
        Node(
            name: target.name,
            kind: target.kind.rawValue,
            folder: target.folder,
            package: target.package,
            product: target.product,
            faults: target.faults.map(Fault.init),
            change: picture.change(of: target)?.rawValue,
            dependencies: target.dependencies.map { dependency in
                let edge = GraphPicture.Edge(from: target.name, to: dependency.name)
                return Edge(
                    name: dependency.name,
                    platforms: dependency.platforms,
                    traits: dependency.traits,
                    configuration: dependency.configuration,
                    moduleAliases: dependency.moduleAliases,
                    plugin: dependency.isPlugin,
                    change: picture.change(of: edge)?.rawValue,
                    imports: picture.imports?.sites(from: edge.from, to: edge.to)
                )
            }
        )
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
