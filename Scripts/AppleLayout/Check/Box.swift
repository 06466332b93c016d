internal import NeedleKit

/// An item that the engine lays out, beside the view that the system would.
@MainActor
final class Box: LayoutItem {
    let layoutNode = LayoutNode()
    private(set) weak var parent: Box?
    private(set) var children: [Box] = []

    init(_ name: String) {
        layoutNode.name = name
    }

    var layoutParent: (any LayoutItem)? { parent }
    var layoutChildren: [any LayoutItem] { children }
    var firstBaselineFromTop: Double? { Baseline.firstFromTop }
    var lastBaselineFromBottom: Double { Baseline.lastFromBottom }

    func add(_ boxes: Box...) {
        for box in boxes {
            box.parent = self
            children.append(box)
        }
    }
}

/// Where every item of the check has its lines of text.
enum Baseline {
    static let firstFromTop = 6.0
    static let lastFromBottom = 4.0
}
