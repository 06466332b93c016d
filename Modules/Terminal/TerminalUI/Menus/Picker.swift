public import NeedleKit

/// A control that shows one of several options, and a list of all when it is opened.
///
/// Enter, Space, Down or a click opens the list; Left and Right choose the previous and next option without it.
public final class Picker: Control {
    /// The titles of the options.
    public var options: [String] {
        didSet {
            if let selectedIndex, !options.indices.contains(selectedIndex) { self.selectedIndex = nil }
            invalidateIntrinsicContentSize()
            setNeedsDisplay()
        }
    }
    /// The index of the chosen option; `nil` if none is chosen.
    public var selectedIndex: Int? { didSet { if selectedIndex != oldValue { setNeedsDisplay() } } }
    /// The text while no option is chosen.
    public var placeholder: String { didSet { setNeedsDisplay() } }
    /// Called when the user has chosen an option.
    public var onChange: ((Int) -> Void)?
    /// Called with the option to which the user moves in the list; `nil` when the list closes, before a choice.
    public var onPreview: ((Int?) -> Void)?

    /// Creates a picker.
    public init(_ options: [String], selectedIndex: Int? = nil, placeholder: String = "") {
        self.options = options
        self.selectedIndex = selectedIndex.flatMap { options.indices.contains($0) ? $0 : nil }
        self.placeholder = placeholder
        super.init()
        layoutNode.horizontalHugging = 100
        layoutNode.horizontalCompressionResistance = .low
    }

    /// One row, as wide as the longest option and four columns.
    public override var intrinsicContentSize: IntrinsicSize {
        let widest = (options + [placeholder]).map { DisplayWidth.of($0) }.max() ?? 0
        return IntrinsicSize(width: Double(widest + 4), height: 1)
    }

    /// The label, if any, and the chosen option.
    public override var plainText: [String] {
        [(accessibilityLabel.map { "\($0): " } ?? "") + "[\(title.isEmpty ? placeholder : title) ▾]"]
    }

    /// Opens the list, or chooses a neighbouring option.
    public override func keyDown(_ key: Key) -> Bool {
        switch key {
        case Key(.enter), .character(" "), Key(.down): openList()
        case Key(.left): choose((selectedIndex ?? options.count) - 1)
        case Key(.right): choose((selectedIndex ?? -1) + 1)
        default: return false
        }
        return true
    }

    /// A click opens the list; the wheel chooses a neighbouring option.
    public override func mouse(_ event: MouseEvent) -> Bool {
        guard isEnabled else { return false }
        switch event.kind {
        case .down(.left): openList()
        case .wheelUp: choose((selectedIndex ?? options.count) - 1)
        case .wheelDown: choose((selectedIndex ?? -1) + 1)
        default: return false
        }
        return true
    }

    /// Draws the chosen option and a mark at the right.
    public override func draw(in canvas: Canvas) {
        let style = fieldStyle
        canvas.fill(bounds, style: style)
        let text = TextLayout.truncate(title.isEmpty ? placeholder : title, to: max(0, bounds.width - 4))
        canvas.text(text, x: 1, y: 0, style: title.isEmpty ? TextStyle(theme.placeholder, over: style) : style)
        canvas.text("▾", x: bounds.width - 2, y: 0, style: style)
    }

    private var title: String { selectedIndex.flatMap { options.indices.contains($0) ? options[$0] : nil } ?? "" }

    private func choose(_ index: Int) {
        guard options.indices.contains(index), index != selectedIndex else { return }
        selectedIndex = index
        onChange?(index)
    }

    private func openList() {
        var menu = Menu(
            options.enumerated().map { index, title in
                Menu.Item(title, isMarked: index == selectedIndex) { [weak self] in self?.choose(index) }
            }
        )
        menu.onMove = onPreview
        open(menu)
    }
}
