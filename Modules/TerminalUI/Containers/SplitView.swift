internal import NeedleKit

/// Two views side by side with a line between them that the user can move, by dragging or with Alt and an arrow key.
///
/// Where there is no room for both minimum widths, only one side is shown; see ``showsSecondAlone``.
public final class SplitView: View {
    /// The view at the left.
    public let first: View
    /// The view at the right.
    public let second: View
    /// The share of the width for the first view, from 0 to 1.
    public var fraction: Double {
        didSet {
            if !fraction.isFinite { fraction = 0.5 }
            setNeedsLayout()
        }
    }
    /// The smallest width of each view, in columns.
    public var minimumWidth = 12 { didSet { setNeedsLayout() } }
    /// Whether the second view is shown where there is room for one only.
    public var showsSecondAlone = false { didSet { if showsSecondAlone != oldValue { setNeedsLayout() } } }
    /// Called when the user has moved the line.
    public var onChange: ((Double) -> Void)?

    private let line = Divider(.vertical)
    private var placed: Placement?
    private var isDragging = false

    private enum Placement: Equatable {
        case both(Int)
        case only(isFirst: Bool)
    }

    /// Creates a split view.
    public init(_ first: View, _ second: View, fraction: Double = 0.5) {
        self.first = first
        self.second = second
        self.fraction = fraction
        super.init()
        for view in [first, line, second] { addSubview(view) }
    }

    /// Places both views, or only one in a narrow window.
    public override func layoutSubviews() {
        let placement = wanted
        guard placement != placed else { return }
        placed = placement
        let isSplit = if case .both = placement { true } else { false }
        line.isHidden = !isSplit
        first.isHidden = placement == .only(isFirst: false)
        second.isHidden = placement == .only(isFirst: true)
        for view in [first, second] {
            view.ndl.remakeConstraints { make in
                make.top.equalTo(self)
                make.bottom.equalTo(self)
                if case .both(let column) = placement {
                    if view === first {
                        make.left.equalTo(self)
                        make.width.equalTo(Double(column))
                    } else {
                        make.left.equalTo(line.ndl.right)
                        make.right.equalTo(self)
                    }
                } else {
                    make.left.equalTo(self)
                    make.right.equalTo(self)
                }
            }
        }
        line.ndl.remakeConstraints { make in
            make.top.equalTo(self)
            make.bottom.equalTo(self)
            make.width.equalTo(1)
            make.left.equalTo(self).offset(column.map(Double.init) ?? 0)
        }
    }

    /// Alt-Left and Alt-Right move the line, unless the focused view uses these keys.
    public override func keyDown(_ key: Key) -> Bool {
        guard let column else { return false }
        switch key {
        case Key(.left, .alt): move(to: column - 2)
        case Key(.right, .alt): move(to: column + 2)
        default: return false
        }
        return true
    }

    /// Dragging the line moves it.
    public override func mouse(_ event: MouseEvent) -> Bool {
        switch event.kind {
        case .down(.left):
            isDragging = event.location.x == column
            return isDragging
        case .drag(.left) where isDragging:
            move(to: event.location.x)
            return true
        case .up(.left) where isDragging:
            isDragging = false
            return true
        default: return false
        }
    }

    private var column: Int? {
        if case .both(let column) = wanted { column } else { nil }
    }

    private var wanted: Placement {
        guard bounds.width >= 2 * minimumWidth + 1 else {
            return .only(isFirst: !showsSecondAlone)
        }
        let column = Int((Double(bounds.width - 1) * min(1, max(0, fraction))).rounded())
        return .both(max(minimumWidth, min(bounds.width - 1 - minimumWidth, column)))
    }

    private func move(to column: Int) {
        let column = max(minimumWidth, min(bounds.width - 1 - minimumWidth, column))
        fraction = Double(column) / Double(max(1, bounds.width - 1))
        onChange?(fraction)
    }
}
