extension Window {
    /// Where the focus stays now: the uppermost view that traps it, or the window.
    var focusRoot: View { focusTrap ?? self }

    /// Gives a view the focus; false where it cannot have it or stands outside of what traps it.
    @discardableResult
    func focus(_ view: View) -> Bool {
        guard view.canBecomeFirstResponder, view.window === self, view.isShown, view.isDescendant(of: focusRoot) else {
            return false
        }
        setFirstResponder(view)
        return true
    }

    /// Takes the focus away; the next layout finds another view for it.
    func resignFocus(of view: View) {
        if firstResponder === view { setFirstResponder(nil) }
    }

    /// Gives the focus to the next view, or the one before, around the end.
    func moveFocus(by step: Int) -> Bool {
        let views = focusRoot.focusable
        guard !views.isEmpty else { return false }
        let present = views.firstIndex { $0 === firstResponder }
        let index = present.map { ($0 + step + views.count) % views.count } ?? (step > 0 ? 0 : views.count - 1)
        setFirstResponder(views[index])
        return true
    }

    /// Sees that something has the focus that may have it: what had it in this trap before, or else its first view.
    func settleFocus() {
        let root = focusRoot
        if let view = firstResponder, view.canBecomeFirstResponder, view.isShown, view.isDescendant(of: root) { return }
        let views = root.focusable
        let remembered = root.rememberedFocus.flatMap { view in views.first { $0 === view } }
        let chosen = remembered ?? views.first
        if chosen !== firstResponder { setFirstResponder(chosen) }
    }

    private func setFirstResponder(_ view: View?) {
        guard view !== firstResponder else { return }
        let before = firstResponder
        replaceFirstResponder(view)
        if let view { (view.enclosingTrap ?? self).rememberedFocus = view }
        before?.focusDidChange()
        view?.focusDidChange()
        view?.scrollIntoView()
        setNeedsUpdate()
    }
}

extension View {
    /// The nearest view around this one that traps the focus.
    var enclosingTrap: View? {
        sequence(first: self) { $0.superview }.first { $0.trapsFocus }
    }
}

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
