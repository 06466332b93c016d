/// The formats of a graph.
enum GraphFormat: String, CaseIterable, Sendable {
    case tree, dot, mermaid, json, svg, png, html

    /// Returns the picture in this format.
    ///
    /// - Parameters:
    ///   - picture: the graph and what is marked in it.
    ///   - notice: receives what the picture leaves out and why, before long work begins.
    /// - Returns: the bytes of the picture.
    /// - Throws: ``GraphError/missingProgram(name:install:)`` for svg and png if Graphviz is not installed.
    func render(_ picture: GraphPicture, notice: (String) -> Void) throws -> [UInt8] {
        switch self {
        case .tree: Array(TreeRenderer(picture: picture).text.utf8)
        case .dot: Array(DotRenderer(picture: picture).text.utf8)
        case .mermaid: Array(MermaidRenderer(picture: picture).document(notice: notice).utf8)
        case .json: Array(try JSONRenderer(picture: picture).text().utf8)
        case .svg, .png: try Graphviz.draw(DotRenderer(picture: picture, isDrawing: true).text, as: rawValue)
        case .html: Array(try PageRenderer(picture: picture).text().utf8)
        }
    }
}

/// The nodes of a graph grouped by their parent folder.
struct FolderGroups {
    /// The folder and its nodes in order; the folder is empty for nodes without one.
    var groups: [(folder: String, targets: [GraphTarget])]

    /// The name of the group of the products of other packages in a page.
    static let externals = "Other packages"

    init(_ graph: PackageGraph) {
        var order: [String] = []
        var members: [String: [GraphTarget]] = [:]
        for target in graph.targets {
            let folder = Self.folder(of: target)
            if members[folder] == nil { order.append(folder) }
            members[folder, default: []].append(target)
        }
        groups = order.map { ($0, members[$0] ?? []) }
    }

    /// Returns the parent folder of a target; empty for a product, and for a target in the package's folder.
    static func folder(of target: GraphTarget) -> String {
        target.folder.split(separator: "/").dropLast().joined(separator: "/")
    }
}
