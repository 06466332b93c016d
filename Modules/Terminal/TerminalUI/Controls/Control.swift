internal import NeedleKit

/// The base class of interactive views.
@MainActor
open class Control: View {
    /// Whether the user can interact with the control. A disabled control cannot have the focus.
    public var isEnabled = true {
        didSet {
            guard isEnabled != oldValue else { return }
            if !isEnabled { window?.resignFocus(of: self) }
            setNeedsDisplay()
        }
    }

    /// Creates an enabled control.
    public override init() {
        super.init()
        layoutNode.verticalHugging = .required - 1
    }

    /// The theme's style of a field, by its state.
    var fieldStyle: TextStyle { isFirstResponder ? theme.focusedField : isEnabled ? theme.field : theme.disabledButton }

    /// Whether it can have the focus, which is `isEnabled` by default.
    open override var canBecomeFirstResponder: Bool { isEnabled }
}
