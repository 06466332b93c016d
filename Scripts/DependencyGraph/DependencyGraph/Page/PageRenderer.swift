import EssentialFoundation

/// Renders a graph as one HTML page that loads no other file; its parts are in Assets.
struct PageRenderer {
    var picture: GraphPicture

    /// The files of the script, in order.
    private static let script = [
        PackageResources.graph_js, PackageResources.layers_js, PackageResources.rows_js, PackageResources.routes_js,
        PackageResources.state_js, PackageResources.shapes_js, PackageResources.stage_js, PackageResources.marks_js,
        PackageResources.panel_js, PackageResources.controls_js, PackageResources.mouse_js,
    ]

    func text() throws -> String {
        let data = PageData(picture)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let title =
            picture.comparison.map { "\(picture.graph.name), \($0.from) to \($0.to)" } ?? picture.graph.name
        let parts = [
            "title": Self.escaped(title),
            "style": Self.text([PackageResources.page_css, PackageResources.stage_css]),
            // A "</script>" inside a name must not end the script.
            "data": String(
                decoding: Array(
                    try encoder.encode(data)
                        .split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false)
                        .joined(separator: "\\u003c".utf8)
                ),
                as: UTF8.self
            ),
            "script": Self.text(Self.script),
        ]
        return Self.fill(Self.text([PackageResources.page_html]), with: parts)
    }

    /// Replaces each `{{name}}` of the template by a part; a part is not searched for names.
    private static func fill(_ template: String, with parts: [String: String]) -> String {
        var result = ""
        var rest = template[...]
        while let opening = rest.firstRange(of: "{{"), let closing = rest[opening.upperBound...].firstRange(of: "}}") {
            result += rest[..<opening.lowerBound]
            result += parts[String(rest[opening.upperBound..<closing.lowerBound])] ?? ""
            rest = rest[closing.upperBound...]
        }
        return result + rest
    }

    private static func text(_ files: [[UInt8]]) -> String {
        files.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    }

    private static func escaped(_ text: String) -> String {
        // A sign that is one character with a scalar before or after it needs its escape, too.
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            default: String(scalar)
            }
        }
        .joined()
    }
}
