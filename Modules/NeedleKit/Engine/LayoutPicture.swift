/// The drawing of a layout, gathered as SVG elements.
struct LayoutPicture {
    typealias Edges = ItemRecord.Edges

    enum Kind {
        case item
        case guide
        case hidden
    }

    private struct Box {
        var left: Double
        var top: Double
        var right: Double
        var bottom: Double

        func meets(_ other: Box) -> Bool {
            left < other.right && other.left < right && top < other.bottom && other.top < bottom
        }
    }

    private static let margin = 12.0
    private static let lineHeight = 12.0
    /// How wide a character of the labels is, about: monospaced, ten pixels high.
    private static let characterWidth = 6.1

    let unitWidth: Double
    let unitHeight: Double
    private var shapes: [String] = []
    private var labels: [String] = []
    private var marks: [String] = []
    private var badges: [String] = []
    private var legend: [String] = []
    /// Where labels and badges stand, so that no two cover each other.
    private var taken: [Box] = []
    private var extent = Box(left: 0, top: 0, right: 0, bottom: 0)

    init(unitWidth: Double, unitHeight: Double) {
        self.unitWidth = unitWidth
        self.unitHeight = unitHeight
    }

    // MARK: - Adding

    /// Draws an item or guide with its name.
    mutating func add(_ name: String, _ edges: Edges, kind: Kind) {
        let box = box(edges)
        include(box)
        let style =
            switch kind {
            case .item: "item"
            case .guide: "guide"
            case .hidden: "hidden"
            }
        let size = "\(edges.right - edges.left) x \(edges.bottom - edges.top)"
        shapes.append(
            "<rect class=\"\(style)\" \(Self.attributes(box))>"
                + "<title>\(Self.escaped(name)): \(size) at \(edges.left), \(edges.top)</title></rect>"
        )
        let shown = name.count > 40 ? name.prefix(39) + "…" : Substring(name)
        let place = free(width: Double(shown.count) * Self.characterWidth, from: box.left + 3, box.top + 1)
        labels.append(Self.text(shown, kind == .guide ? "guide-name" : "name", place.left, place.bottom - 3))
    }

    /// Marks a part of an item as one where something is wrong, which is told below.
    ///
    /// - Parameters:
    ///   - edges: the item's.
    ///   - attribute: the part, a left or right one where it depends on the direction of reading.
    ///   - offset: how far from the top a first baseline is, or from the bottom a last one.
    ///   - text: what is wrong.
    mutating func mark(_ edges: Edges, _ attribute: LayoutAttribute, offset: Double, _ text: String) {
        let box = box(edges)
        let (middleX, middleY) = ((box.left + box.right) / 2, (box.top + box.bottom) / 2)
        let farX = max(middleX, box.right - 6)
        let lowY = max(middleY, box.bottom - 3)
        let line =
            switch attribute {
            case .left, .leading: Box(left: box.left, top: box.top, right: box.left, bottom: box.bottom)
            case .right, .trailing: Box(left: box.right, top: box.top, right: box.right, bottom: box.bottom)
            case .top: Box(left: box.left, top: box.top, right: box.right, bottom: box.top)
            case .bottom: Box(left: box.left, top: box.bottom, right: box.right, bottom: box.bottom)
            case .centerX: Box(left: middleX, top: box.top, right: middleX, bottom: box.bottom)
            case .centerY: Box(left: box.left, top: middleY, right: box.right, bottom: middleY)
            // Beside the name, which stands in the corner above.
            case .width: Box(left: box.left, top: lowY, right: box.right, bottom: lowY)
            case .height: Box(left: farX, top: box.top, right: farX, bottom: box.bottom)
            case .firstBaseline:
                Box(
                    left: box.left,
                    top: box.top + offset * unitHeight,
                    right: box.right,
                    bottom: box.top + offset * unitHeight
                )
            case .lastBaseline:
                Box(
                    left: box.left,
                    top: box.bottom - offset * unitHeight,
                    right: box.right,
                    bottom: box.bottom - offset * unitHeight
                )
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

    // MARK: - The document

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

    // MARK: - Places

    private func box(_ edges: Edges) -> Box {
        Box(
            left: Double(edges.left) * unitWidth,
            top: Double(edges.top) * unitHeight,
            right: Double(edges.right) * unitWidth,
            bottom: Double(edges.bottom) * unitHeight
        )
    }

    private mutating func include(_ box: Box) {
        extent.left = min(extent.left, box.left)
        extent.top = min(extent.top, box.top)
        extent.right = max(extent.right, box.right)
        extent.bottom = max(extent.bottom, box.bottom)
    }

    /// The first place from a point downwards where nothing is written yet.
    private mutating func free(width: Double, from left: Double, _ top: Double) -> Box {
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

    private static func attributes(_ box: Box) -> String {
        "x=\"\(number(box.left))\" y=\"\(number(box.top))\""
            + " width=\"\(number(box.right - box.left))\" height=\"\(number(box.bottom - box.top))\""
    }

    private static func text(_ text: Substring, _ style: String, _ left: Double, _ baseline: Double) -> String {
        "<text class=\"\(style)\" x=\"\(number(left))\" y=\"\(number(baseline))\">\(escaped(String(text)))</text>"
    }

    private static func number(_ value: Double) -> String { LayoutEngine.text(value) }

    /// Text as XML takes it; what XML has no place for becomes the replacement character.
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
}
