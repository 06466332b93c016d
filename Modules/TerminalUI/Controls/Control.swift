internal import NeedleKit

/// A view that the user acts on.
@MainActor
open class Control: View {
    /// Whether it can be acted on; a disabled control cannot have the focus.
    public var isEnabled = true {
        didSet {
            guard isEnabled != oldValue else { return }
            if !isEnabled { window?.resignFocus(of: self) }
            setNeedsDisplay()
        }
    }

    /// A control that is enabled.
    public override init() {
        super.init()
        layoutNode.verticalHugging = .required
    }

    /// Whether it can have the focus: whenever it is enabled.
    open override var canBecomeFirstResponder: Bool { isEnabled }
}
