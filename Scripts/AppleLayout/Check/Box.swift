internal import NeedleKit

/// An item of the engine, the counterpart of a view.
@MainActor
final class Box: LayoutItem {
    let layoutNode = LayoutNode()
    private(set) weak var parent: Box?
    private(set) var children: [Box] = []

    init(_ name: String) { layoutNode.name = name }

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

/// The baselines of every item of the check.
enum Baseline {
    static let firstFromTop = 6.0
    static let lastFromBottom = 4.0
}
