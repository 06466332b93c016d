/// A drawing of a layout as SVG elements: rectangles with names, marks with numbers, and a legend of the marks.
struct LayoutPicture {
    typealias Edges = ItemRecord.Edges

    /// The kind of a rectangle, which is its class in the style sheet.
    enum Kind: String {
        case item
        case guide
        case hidden
    }

    struct Box {
        var left: Double
        var top: Double
        var right: Double
        var bottom: Double

        func meets(_ other: Box) -> Bool {
            left < other.right && other.left < right && top < other.bottom && other.top < bottom
        }
    }

    static let margin = 12.0
    static let lineHeight = 12.0
    /// The approximate width of a character of the labels: monospaced, ten pixels high.
    static let characterWidth = 6.1

    let unitWidth: Double
    let unitHeight: Double
    private(set) var shapes: [String] = []
    private(set) var labels: [String] = []
    private(set) var marks: [String] = []
    private(set) var badges: [String] = []
    private(set) var legend: [String] = []
    /// The rectangles of labels and badges, so that no two overlap.
    var taken: [Box] = []
    var extent = Box(left: 0, top: 0, right: 0, bottom: 0)

    /// Draws an item or guide with its name.
    mutating func add(_ name: String, _ edges: Edges, kind: Kind) {
        let box = box(edges)
        include(box)
        let size = "\(edges.right - edges.left) x \(edges.bottom - edges.top)"
        shapes.append(
            "<rect class=\"\(kind.rawValue)\" \(Self.attributes(box))>"
                + "<title>\(Self.escaped(name)): \(size) at \(edges.left), \(edges.top)</title></rect>"
        )
        let shown = name.count > 40 ? name.prefix(39) + "…" : Substring(name)
        let place = free(width: Double(shown.count) * Self.characterWidth, from: box.left + 3, box.top + 1)
        labels.append(Self.text(shown, kind == .guide ? "guide-name" : "name", place.left, place.bottom - 3))
    }

    /// Marks a part of an item with a number, and adds a text to the legend.
    ///
    /// - Parameters:
    ///   - edges: the item's edges.
    ///   - attribute: the part; left or right, not leading or trailing.
    ///   - offset: for a first baseline its distance from the top, for a last one from the bottom.
    ///   - text: the text of the legend.
    mutating func mark(_ edges: Edges, _ attribute: LayoutAttribute, offset: Double, _ text: String) {
        let box = box(edges)
        let (middleX, middleY) = ((box.left + box.right) / 2, (box.top + box.bottom) / 2)
        let farX = max(middleX, box.right - 6)
        let lowY = max(middleY, box.bottom - 3)
        func vertical(_ x: Double) -> Box { Box(left: x, top: box.top, right: x, bottom: box.bottom) }
        func horizontal(_ y: Double) -> Box { Box(left: box.left, top: y, right: box.right, bottom: y) }
        let line =
            switch attribute {
            case .left, .leading: vertical(box.left)
            case .right, .trailing: vertical(box.right)
            case .top: horizontal(box.top)
            case .bottom: horizontal(box.bottom)
            case .centerX: vertical(middleX)
            case .centerY: horizontal(middleY)
            // Away from the name in the upper corner.
            case .width: horizontal(lowY)
            case .height: vertical(farX)
            case .firstBaseline: horizontal(box.top + offset * unitHeight)
            case .lastBaseline: horizontal(box.bottom - offset * unitHeight)
            }
        let number = "\(legend.count + 1)"
        legend.append("\(number)  \(text)")
        let width = Double(number.count) * Self.characterWidth + 6
        let place = free(width: width, from: (line.left + line.right - width) / 2, (line.top + line.bottom) / 2 - 6)
        let ends = attribute.isExtent ? " marker-start=\"url(#end)\" marker-end=\"url(#end)\"" : ""
        marks.append(
            "<line class=\"wrong\" x1=\"\(Self.number(line.left))\" y1=\"\(Self.number(line.top))\""
                + " x2=\"\(Self.number(line.right))\" y2=\"\(Self.number(line.bottom))\"\(ends)/>"
        )
        badges.append(
            "<g><title>\(Self.escaped(text))</title><rect class=\"badge\" rx=\"3\" \(Self.attributes(place))/>"
                + Self.text(Substring(number), "number", place.left + 3, place.bottom - 2.5) + "</g>"
        )
        include(place)
    }

    // MARK: - Positions

    func box(_ edges: Edges) -> Box {
        Box(
            left: Double(edges.left) * unitWidth,
            top: Double(edges.top) * unitHeight,
            right: Double(edges.right) * unitWidth,
            bottom: Double(edges.bottom) * unitHeight
        )
    }

    mutating func include(_ box: Box) {
        extent.left = min(extent.left, box.left)
        extent.top = min(extent.top, box.top)
        extent.right = max(extent.right, box.right)
        extent.bottom = max(extent.bottom, box.bottom)
    }

    /// Returns the first free rectangle from a point downwards, and occupies it.
    mutating func free(width: Double, from left: Double, _ top: Double) -> Box {
        var box = Box(left: left, top: top, right: left + width, bottom: top + Self.lineHeight)
        while let other = taken.first(where: { $0.meets(box) }) {
            box.top = other.bottom
            box.bottom = box.top + Self.lineHeight
        }
        taken.append(box)
        include(box)
        return box
    }

    // MARK: - Text

    static func attributes(_ box: Box) -> String {
        "x=\"\(number(box.left))\" y=\"\(number(box.top))\""
            + " width=\"\(number(box.right - box.left))\" height=\"\(number(box.bottom - box.top))\""
    }

    static func text(_ text: Substring, _ style: String, _ left: Double, _ baseline: Double) -> String {
        "<text class=\"\(style)\" x=\"\(number(left))\" y=\"\(number(baseline))\">\(escaped(String(text)))</text>"
    }

    static func number(_ value: Double) -> String { LayoutEngine.text(value) }

    /// Returns text escaped for XML. Characters that XML does not allow become U+FFFD.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\t", "\n", "\r": escaped += " "
            case _ where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) || scalar.value & 0xFFFE == 0xFFFE:
                escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    // MARK: - Document

    /// The picture as an SVG document.
    var document: String {
        let lines = legend.enumerated().map { place, line in
            let y = extent.bottom + Self.margin + Double(place + 1) * Self.lineHeight * 1.2
            return Self.text(Substring(line), "legend", extent.left, y)
        }
        let widest = legend.map { Double($0.count) * Self.characterWidth }.max() ?? 0
        let left = extent.left - Self.margin
        let top = extent.top - Self.margin
        let width = max(extent.right - extent.left, widest) + 2 * Self.margin
        let under = legend.isEmpty ? 0 : Self.margin + Double(legend.count) * Self.lineHeight * 1.2
        let height = extent.bottom - extent.top + under + 2 * Self.margin
        let box = [left, top, width, height].map(Self.number).joined(separator: " ")
        return """
            <svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="\(Self.number(width))" \
            height="\(Self.number(height))" viewBox="\(box)">
            <style>
            text { font: 10px monospace; }
            .item { fill: #3b82f6; fill-opacity: 0.08; stroke: #3b82f6; }
            .hidden { fill: none; stroke: #8a8f98; stroke-dasharray: 2 2; }
            .guide { fill: none; stroke: #0f9f6e; stroke-dasharray: 5 3; }
            .wrong { stroke: #e5484d; stroke-width: 2.5; }
            .end { fill: #e5484d; }
            .badge { fill: #e5484d; }
            .number { fill: #ffffff; font-weight: bold; }
            .name { fill: #7a7f87; }
            .guide-name { fill: #0f9f6e; font-style: italic; }
            .legend { fill: #e5484d; }
            </style>
            <defs><marker id="end" markerWidth="1" markerHeight="4" refX="0.5" refY="2" orient="auto">\
            <rect class="end" width="1" height="4"/></marker></defs>
            \((shapes + marks + labels + badges + lines).joined(separator: "\n"))
            </svg>

            """
    }
}
