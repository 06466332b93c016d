extension View {
    /// Whether it has the focus.
    public var isFirstResponder: Bool { window?.firstResponder === self }

    /// Asks for the focus; false where it cannot have it now.
    @discardableResult
    public func becomeFirstResponder() -> Bool {
        window?.focus(self) ?? false
    }

    /// Whether the focus is in it or in a view inside.
    public var containsFirstResponder: Bool {
        window?.firstResponder?.isDescendant(of: self) ?? false
    }

    /// Whether it and all above it are shown.
    var isShown: Bool {
        sequence(first: self) { $0.superview }.allSatisfy { !$0.isHidden }
    }

    /// The views inside that can have the focus, in the order of Tab.
    var focusable: [View] {
        guard !isHidden else { return [] }
        return (canBecomeFirstResponder ? [self] : []) + subviews.flatMap(\.focusable)
    }

    /// The innermost and uppermost shown view inside that traps the focus; nil where none does.
    var focusTrap: View? {
        guard !isHidden else { return nil }
        for view in subviews.reversed() {
            if let trap = view.focusTrap { return trap }
        }
        return trapsFocus ? self : nil
    }
}
