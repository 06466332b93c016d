internal import NeedleKit

/// Two views side by side with a line between them that the user can move, by dragging or with Alt and an arrow key.
///
/// Where there is no room for both minimum widths, only one side is shown; see ``showsSecondAlone``. For a narrow screen
/// the views can be one above the other; see ``arrangement-swift.property``.
public final class SplitView: View {
    /// The view at the left.
    public let first: View
    /// The view at the right.
    public let second: View
    /// How the views are arranged.
    public var arrangement = Arrangement.sideBySide { didSet { if arrangement != oldValue { setNeedsLayout() } } }
    /// The share of the width for the first view, from 0 to 1; of the height if the views are stacked.
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
    /// Whether the line is drawn in its whole length. Otherwise a short grip at its middle shows where to drag.
    public var hasFullLine: Bool {
        get { line.isFull }
        set { line.isFull = newValue }
    }
    /// Called when the user has moved the line.
    public var onChange: ((Double) -> Void)?

    /// How the views of a split view are arranged.
    public enum Arrangement: Hashable, Sendable {
        /// The first view at the left and the second one at the right, with a line between them.
        case sideBySide
        /// The first view above the second one, without a line.
        case stacked
        /// The first view alone.
        case first
    }

    private let line = SplitLine()
    private var placed: Placement?
    private var isDragging = false

    private enum Placement: Equatable {
        case both(Int)
        case stacked(Int)
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
        line.isHidden = column == nil
        first.isHidden = placement == .only(isFirst: false)
        second.isHidden = placement == .only(isFirst: true)
        for view in [first, second] {
            let isFirst = view === first
            view.ndl.remakeConstraints { make in
                switch placement {
                case .both(let column) where isFirst:
                    make.left.vertical.equalTo(self)
                    make.width.equalTo(Double(column))
                case .both:
                    make.left.equalTo(line.ndl.right)
                    make.right.vertical.equalTo(self)
                case .stacked(let row) where isFirst:
                    make.top.horizontal.equalTo(self)
                    make.height.equalTo(Double(row))
                case .stacked:
                    make.top.equalTo(first.ndl.bottom)
                    make.bottom.horizontal.equalTo(self)
                case .only: make.edges.equalTo(self)
                }
            }
        }
        line.ndl.remakeConstraints { make in
            make.vertical.equalTo(self)
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
        switch arrangement {
        case .sideBySide: break
        case .stacked: return .stacked(Int((Double(bounds.height) * min(1, max(0, fraction))).rounded()))
        case .first: return .only(isFirst: true)
        }
        guard bounds.width >= 2 * minimumWidth + 1 else { return .only(isFirst: !showsSecondAlone) }
        let column = Int((Double(bounds.width - 1) * min(1, max(0, fraction))).rounded())
        return .both(max(minimumWidth, min(bounds.width - 1 - minimumWidth, column)))
    }

    private func move(to column: Int) {
        let column = max(minimumWidth, min(bounds.width - 1 - minimumWidth, column))
        fraction = Double(column) / Double(max(1, bounds.width - 1))
        onChange?(fraction)
    }
}

/// The line of a split view. It is highlighted while the pointer is above it.
final class SplitLine: View {
    /// The rows of the grip of a line that is not drawn in its whole length.
    private static let gripHeight = 3

    var isFull = true { didSet { if isFull != oldValue { setNeedsDisplay() } } }

    override var showsHover: Bool { true }

    override func draw(in canvas: Canvas) {
        let style = isHovered && !theme.isMonochrome ? TextStyle(foreground: effectiveTint) : theme.border
        let grip =
            max(0, (bounds.height - Self.gripHeight) / 2)..<min(bounds.height, (bounds.height + Self.gripHeight) / 2)
        for y in isFull ? 0..<bounds.height : grip { canvas.text(isFull ? "│" : "┃", x: 0, y: y, style: style) }
    }
}
