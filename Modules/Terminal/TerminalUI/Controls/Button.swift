public import NeedleKit

/// A push button; Enter, Space or a click triggers it.
public final class Button: Control {
    /// The title.
    public var title: String { didSet { if title != oldValue { invalidateIntrinsicContentSize(); setNeedsDisplay() } } }
    /// A character before the title, such as the logo of a service.
    public var icon: Character? { didSet { invalidateIntrinsicContentSize(); setNeedsDisplay() } }
    /// A text at the right edge, such as the key that does the same; omitted where there is no room.
    public var detail = "" { didSet { if detail != oldValue { invalidateIntrinsicContentSize(); setNeedsDisplay() } } }
    /// The role of the button, which decides its colours.
    public var kind: Kind { didSet { if kind != oldValue { invalidateIntrinsicContentSize(); setNeedsDisplay() } } }
    /// Custom colours of the icon, such as those of a service; `nil` uses those of the title.
    public var iconColors: TextStyle? { didSet { setNeedsDisplay() } }
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
        /// A button in a bar, drawn without a background. A click on it leaves the focus where it is.
        case bar
        /// An entry of a menu: its title begins at the left edge, and it has the colours of a selected row with the focus.
        case item
    }

    /// Triggers the button as Enter does. Does nothing while it is disabled.
    public func tap() {
        if isEnabled { onTap?() }
    }

    /// One row; the width of the icon, title and detail plus two columns in a bar or menu, or four elsewhere.
    public override var intrinsicContentSize: IntrinsicSize {
        let detailWidth = detail.isEmpty ? 0 : DisplayWidth.of(detail) + 2
        return IntrinsicSize(width: Double(DisplayWidth.of(label) + padding + detailWidth), height: 1)
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

    /// Draws the icon and title in the centre, or at the left edge in a menu: without the space around them where it is short,
    /// and truncated if necessary. The detail is at the right edge.
    public override func draw(in canvas: Canvas) {
        let style = style
        if hasBackground || isFirstResponder || isPressed { canvas.fill(bounds, style: style) }
        let fits = DisplayWidth.of(label) <= bounds.width
        let text = TextLayout.truncate(label, to: fits ? bounds.width : max(0, bounds.width - padding))
        let brackets = theme.isMonochrome && hasBackground && bounds.width >= max(4, DisplayWidth.of(text) + 2)
        let margin = fits ? bounds.width - DisplayWidth.of(text) : padding
        let x = kind == .item ? min(1, margin) : max(0, margin / 2)
        let y = max(0, (bounds.height - 1) / 2)
        canvas.text(text, x: x, y: y, style: style)
        if let icon, let iconColors, isEnabled, fits, !theme.isMonochrome {
            canvas.text("\(icon)", x: x, y: y, style: iconColors)
        }
        if theme.isMonochrome, kind == .item, isFirstResponder, x > 0 { canvas.text(">", x: 0, y: y, style: style) }
        let detailX = bounds.width - DisplayWidth.of(detail) - (hasBackground ? 2 : 1)
        if !detail.isEmpty, detailX > x + DisplayWidth.of(text) {
            canvas.text(detail, x: detailX, y: y, style: isFirstResponder || hasBackground ? style : theme.secondary)
        }
        if brackets {
            canvas.text("[", x: 0, y: y, style: style)
            canvas.text("]", x: bounds.width - 1, y: y, style: style)
        }
    }

    override var showsHover: Bool { isEnabled }

    // A bar opens panels beside the content, in which the user then continues.
    override var takesFocusOnClick: Bool { kind != .bar }

    /// The title in brackets.
    public override var plainText: [String] {
        ["[\(accessibilityLabel ?? title)]\(isEnabled ? "" : " (disabled)")"]
    }

    private var padding: Int { hasBackground ? 4 : 2 }

    /// Whether the button is visible as a surface without the focus.
    private var hasBackground: Bool { kind != .bar && kind != .item }

    private var label: String { icon.map { "\($0) \(title)" } ?? title }

    private var style: TextStyle {
        if !isEnabled { return theme.disabledButton }
        var style =
            switch kind {
            case .plain: theme.button
            case .primary: theme.primaryButton
            case .destructive: TextStyle(foreground: theme.error.foreground, background: theme.button.background)
            case .bar: TextStyle(attributes: .bold)
            case .item: TextStyle.plain
            }
        if isFirstResponder {
            if kind == .bar {
                style = TextStyle(foreground: theme.bar.background, background: theme.bar.foreground, attributes: .bold)
                if theme.isMonochrome { style.attributes = [.underline, .bold] }
            } else if kind == .item {
                style = theme.selection
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
