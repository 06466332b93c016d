public import NeedleKit

/// A checkbox with a title; Space, Enter or a click toggles it.
public final class Checkbox: Control {
    /// The title.
    public var title: String { didSet { invalidateIntrinsicContentSize(); setNeedsDisplay() } }
    /// Whether the box is checked.
    public var isOn = false { didSet { setNeedsDisplay() } }
    /// Called when the user has toggled the checkbox.
    public var onChange: ((Bool) -> Void)?

    /// Creates a checkbox.
    public init(_ title: String, isOn: Bool = false, onChange: ((Bool) -> Void)? = nil) {
        self.title = title
        self.isOn = isOn
        self.onChange = onChange
        super.init()
    }

    /// One row; the title's width plus four columns for the box.
    public override var intrinsicContentSize: IntrinsicSize {
        IntrinsicSize(width: Double(4 + DisplayWidth.of(title)), height: 1)
    }

    /// Enter and Space toggle it.
    public override func keyDown(_ key: Key) -> Bool {
        guard key == Key(.enter) || key == .character(" ") else { return false }
        toggle()
        return true
    }

    /// A click toggles it. A disabled checkbox ignores clicks but handles the event.
    public override func mouse(_ event: MouseEvent) -> Bool {
        guard case .down(.left) = event.kind else { return false }
        if isEnabled { toggle() }
        return true
    }

    /// The box and the title.
    public override var plainText: [String] { [(isOn ? "[x] " : "[ ] ") + (accessibilityLabel ?? title)] }

    /// Draws the box and the title, truncated if necessary.
    public override func draw(in canvas: Canvas) {
        var style = isEnabled ? theme.text : theme.secondary
        if isFirstResponder {
            style = theme.isMonochrome ? theme.selection : TextStyle(foreground: effectiveTint, attributes: .bold)
        }
        let text = TextLayout.truncate(title, to: max(0, bounds.width - 4))
        canvas.text((isOn ? "[x] " : "[ ] ") + text, x: 0, y: 0, style: style)
    }

    private func toggle() {
        isOn.toggle()
        onChange?(isOn)
    }
}
