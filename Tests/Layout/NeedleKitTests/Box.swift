import NeedleKit

/// An item for tests with a name, children and content.
@MainActor
final class Box: LayoutItem {
    let layoutNode = LayoutNode()
    private(set) weak var parent: Box?
    private(set) var children: [Box] = []
    var content = IntrinsicSize.none
    /// The number of cells of wrapping text, if any.
    var wrappingText: Int?
    /// The height for a width, of other content.
    var heightForWidth: ((Double) -> Double)?
    var baselines: (first: Double?, last: Double)?
    var laidOut = LayoutRect.zero

    init(_ name: String, content: IntrinsicSize = .none) {
        layoutNode.name = name
        self.content = content
    }

    var layoutParent: (any LayoutItem)? { parent }
    var layoutChildren: [any LayoutItem] { children }
    var intrinsicLayoutSize: IntrinsicSize { content }
    var firstBaselineFromTop: Double? { baselines?.first }
    var lastBaselineFromBottom: Double { baselines?.last ?? 0 }

    func intrinsicLayoutHeight(forWidth width: Double) -> Double? {
        heightForWidth?(width) ?? wrappingText.map { (Double($0) / max(1, width)).rounded(.up) }
    }

    func add(_ boxes: Box...) {
        for box in boxes {
            box.parent = self
            children.append(box)
        }
    }

    func removeAll() {
        for child in children { child.parent = nil }
        children = []
    }

    func remove(_ box: Box) {
        children.removeAll { $0 === box }
        box.parent = nil
    }
}

/// A root with a size and an engine, for tests of solved frames.
@MainActor
struct Stage {
    let root: Box
    let engine: LayoutEngine

    init(width: Double, height: Double, _ boxes: Box...) { self.init(width: width, height: height, boxes: boxes) }

    init(width: Double, height: Double, boxes: [Box]) {
        root = Box("root")
        for box in boxes { root.add(box) }
        engine = LayoutEngine(root: root)
        engine.setSize(width: width, height: height)
    }

    /// Adds a box below the root or below another box.
    func add(_ box: Box, to parent: Box? = nil) {
        (parent ?? root).add(box)
        engine.itemAdded(box)
    }

    /// Lays out and stores the frames in the boxes.
    @discardableResult
    func layout() -> [FrameChange] {
        let changes = engine.layout()
        for change in changes { (change.item as? Box)?.laidOut = change.frame }
        return changes
    }

    /// Lays out, and returns the frame of a box.
    func frame(of box: Box) -> LayoutRect {
        layout()
        return box.laidOut
    }

    /// Lays out, and returns the problems.
    func problems() -> [LayoutDiagnostic] {
        layout()
        return engine.diagnostics
    }
}

extension Box {
    /// Constrains the given parts of the frame to numbers.
    @discardableResult
    func pin(left: Double? = nil, top: Double? = nil, width: Double? = nil, height: Double? = nil) -> [Constraint] {
        ndl.makeConstraints { make in
            if let left { make.left.equalTo(left) }
            if let top { make.top.equalTo(top) }
            if let width { make.width.equalTo(width) }
            if let height { make.height.equalTo(height) }
        }
    }
}

extension LayoutRect {
    init(_ x: Int, _ y: Int, _ width: Int, _ height: Int) {
        self.init(x: x, y: y, width: width, height: height)
    }
}

extension LayoutDiagnostic {
    /// The conflict; `nil` for another problem.
    var conflict: LayoutConflict? { if case .conflict(let conflict) = self { conflict } else { nil } }
    /// The error of a rejected constraint; `nil` for another problem.
    var error: LayoutError? { if case .rejected(let error) = self { error } else { nil } }
}

extension LayoutEngine {
    /// The conflicts among the diagnostics.
    var conflicts: [LayoutConflict] { diagnostics.compactMap(\.conflict) }
}
