public import NeedleKit

/// A push button; Enter, Space or a click triggers it.
public final class Button: Control {
    /// The title.
    public var title: String { didSet { if title != oldValue { invalidateIntrinsicContentSize(); setNeedsDisplay() } } }
    /// A character before the title, such as the logo of a service.
    public var icon: Character? { didSet { invalidateIntrinsicContentSize(); setNeedsDisplay() } }
    /// The role of the button, which decides its colours.
    public var kind: Kind { didSet { setNeedsDisplay() } }
    /// Custom colours, such as those of a service; `nil` uses the theme. The focus remains visible.
    public var colors: Style? { didSet { setNeedsDisplay() } }
    /// Called when the button is triggered.
    public var onTap: (() -> Void)?

    private var isPressed = false { didSet { setNeedsDisplay() } }

    /// Creates a button with a title.
    public init(_ title: String, kind: Kind = .plain, onTap: (() -> Void)? = nil) {
        self.title = title
        self.kind = kind
        self.onTap = onTap
        super.init()
        // Hugs its title more than a label beside it, but less than a form's width constraint.
        layoutNode.horizontalHugging = .low + 50
    }

    /// The role of a button.
    public enum Kind: Hashable, Sendable {
        /// An ordinary button.
        case plain
        /// The default button.
        case primary
        /// A button that deletes or discards something.
        case destructive
        /// A button in a bar, drawn without a background.
        case bar
    }

    /// Triggers the button as Enter does. Does nothing while it is disabled.
    public func tap() {
        if isEnabled { onTap?() }
    }

    /// One row; the width of the icon and title plus two columns in a bar or four elsewhere.
    public override var intrinsicContentSize: IntrinsicSize {
        IntrinsicSize(width: Double(DisplayWidth.of(label) + (kind == .bar ? 2 : 4)), height: 1)
    }

    /// Enter and Space trigger the button.
    public override func keyDown(_ key: Key) -> Bool {
        guard key == Key(.enter) || key == .character(" ") else { return false }
        tap()
        return true
    }

    /// Releasing the left mouse button inside triggers it. A disabled button ignores clicks but handles the event.
    public override func mouse(_ event: MouseEvent) -> Bool {
        switch event.kind {
        case .down(.left):
            isPressed = isEnabled
            return true
        case .up(.left):
            let acts = isPressed && bounds.contains(event.location)
            isPressed = false
            if acts { tap() }
            return true
        default: return false
        }
    }

    /// Draws the icon and title in the centre, truncated if necessary.
    public override func draw(in canvas: Canvas) {
        let style = style
        if kind != .bar || isFirstResponder || isPressed { canvas.fill(bounds, style: style) }
        let brackets = theme.isMonochrome && kind != .bar && bounds.width >= 4
        let text = TextLayout.truncate(label, to: max(0, bounds.width - (kind == .bar ? 2 : 4)))
        let x = max(0, (bounds.width - DisplayWidth.of(text)) / 2)
        let y = max(0, (bounds.height - 1) / 2)
        canvas.text(text, x: x, y: y, style: style)
        if brackets {
            canvas.text("[", x: 0, y: y, style: style)
            canvas.text("]", x: bounds.width - 1, y: y, style: style)
        }
    }

    override var showsHover: Bool { isEnabled }

    /// The title in brackets.
    public override var plainText: [String] {
        ["[\(accessibilityLabel ?? title)]\(isEnabled ? "" : " (disabled)")"]
    }

    private var label: String { icon.map { "\($0) \(title)" } ?? title }

    private var style: Style {
        if !isEnabled { return theme.disabledButton }
        var style =
            switch kind {
            case .plain: theme.button
            case .primary: theme.primaryButton
            case .destructive: Style(foreground: theme.error.foreground, background: theme.button.background)
            case .bar: Style(attributes: .bold)
            }
        if let colors, !theme.isMonochrome { style = colors }
        if isFirstResponder {
            if kind == .bar {
                style = Style(foreground: theme.bar.background, background: theme.bar.foreground, attributes: .bold)
                if theme.isMonochrome { style.attributes = [.underline, .bold] }
            } else if colors != nil && !theme.isMonochrome {
                style.attributes.formUnion([.bold, .underline])
            } else {
                style = theme.focusedButton
                if let tintColor { style.background = tintColor }
            }
        }
        if isHovered && !isFirstResponder { style.attributes.insert(.underline) }
        if isPressed { style.attributes.formSymmetricDifference(.reverse) }
        return style
    }
}
