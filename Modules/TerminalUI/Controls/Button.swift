public import NeedleKit

/// A button: Enter, Space or a click acts.
public final class Button: Control {
    /// What it says.
    public var title: String { didSet { if title != oldValue { invalidateIntrinsicContentSize(); setNeedsDisplay() } } }
    /// A character before the title, such as a provider's sign.
    public var icon: Character? { didSet { invalidateIntrinsicContentSize(); setNeedsDisplay() } }
    /// How much it draws attention.
    public var kind: Kind { didSet { setNeedsDisplay() } }
    /// Letters and ground of its own, as a provider's colours; the focus still shows.
    public var colors: Style? { didSet { setNeedsDisplay() } }
    /// What it does.
    public var onTap: (() -> Void)?

    private var isPressed = false { didSet { setNeedsDisplay() } }

    /// A button with a title.
    public init(_ title: String, kind: Kind = .plain, onTap: (() -> Void)? = nil) {
        self.title = title
        self.kind = kind
        self.onTap = onTap
        super.init()
        // More than a label beside it, less than what a form says of its width.
        layoutNode.horizontalHugging = .low + 50
    }

    /// The kinds of buttons.
    public enum Kind: Hashable, Sendable {
        /// One of several.
        case plain
        /// The one that is meant.
        case primary
        /// One that takes something away.
        case destructive
        /// One in a bar: no ground of its own.
        case bar
    }

    /// Acts, as Enter does; nothing where it is disabled.
    public func tap() {
        if isEnabled { onTap?() }
    }

    /// One row, and the label's columns with two more in a bar, four more elsewhere.
    public override var intrinsicContentSize: IntrinsicSize {
        IntrinsicSize(width: Double(DisplayWidth.of(label) + (kind == .bar ? 2 : 4)), height: 1)
    }

    /// Enter and space tap it.
    public override func keyDown(_ key: Key) -> Bool {
        guard key == Key(.enter) || key == .character(" ") else { return false }
        tap()
        return true
    }

    /// The left button taps it when it is let go of inside; a disabled one only takes the event.
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

    /// Draws the label in the middle, cut where it does not fit.
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
        if isPressed { style.attributes.formSymmetricDifference(.reverse) }
        return style
    }
}
