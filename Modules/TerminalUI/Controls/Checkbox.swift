public import NeedleKit

/// A yes or no with its text; Space, Enter or a click turns it.
public final class Checkbox: Control {
    /// What is agreed to.
    public var title: String { didSet { invalidateIntrinsicContentSize(); setNeedsDisplay() } }
    /// Whether it is.
    public var isOn = false { didSet { setNeedsDisplay() } }
    /// Called when the user turned it.
    public var onChange: ((Bool) -> Void)?

    /// A checkbox with its text.
    public init(_ title: String, isOn: Bool = false, onChange: ((Bool) -> Void)? = nil) {
        self.title = title
        self.isOn = isOn
        self.onChange = onChange
        super.init()
    }

    /// One row, and the title's columns with four for the box.
    public override var intrinsicContentSize: IntrinsicSize {
        IntrinsicSize(width: Double(4 + DisplayWidth.of(title)), height: 1)
    }

    /// Enter and space toggle it.
    public override func keyDown(_ key: Key) -> Bool {
        guard key == Key(.enter) || key == .character(" ") else { return false }
        toggle()
        return true
    }

    /// A click toggles it; a disabled one only takes the event.
    public override func mouse(_ event: MouseEvent) -> Bool {
        guard case .down(.left) = event.kind else { return false }
        if isEnabled { toggle() }
        return true
    }

    /// Draws the box, crossed where it is on, and the title behind it, cut where it does not fit.
    public override func draw(in canvas: Canvas) {
        var style = isEnabled ? theme.text : theme.secondary
        if isFirstResponder {
            style = theme.isMonochrome ? theme.selection : Style(foreground: effectiveTint, attributes: .bold)
        }
        let text = TextLayout.truncate(title, to: max(0, bounds.width - 4))
        canvas.text((isOn ? "[x] " : "[ ] ") + text, x: 0, y: 0, style: style)
    }

    private func toggle() {
        isOn.toggle()
        onChange?(isOn)
    }
}
