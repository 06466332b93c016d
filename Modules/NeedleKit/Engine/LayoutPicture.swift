/// The drawing of a layout, gathered as SVG elements.
struct LayoutPicture {
    typealias Edges = ItemRecord.Edges

    enum Kind {
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
    /// How wide a character of the labels is, about: monospaced, ten pixels high.
    static let characterWidth = 6.1

    let unitWidth: Double
    let unitHeight: Double
    private(set) var shapes: [String] = []
    private(set) var labels: [String] = []
    private(set) var marks: [String] = []
    private(set) var badges: [String] = []
    private(set) var legend: [String] = []
    /// Where labels and badges stand, so that no two cover each other.
    var taken: [Box] = []
    var extent = Box(left: 0, top: 0, right: 0, bottom: 0)

    init(unitWidth: Double, unitHeight: Double) {
        self.unitWidth = unitWidth
        self.unitHeight = unitHeight
    }

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
}
