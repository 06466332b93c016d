extension Window {
    /// The topmost visible view that traps the focus, or else the window.
    var focusRoot: View { focusTrap ?? self }

    /// Moves the focus to a view. Returns false if it cannot have the focus or is outside of the focus trap.
    @discardableResult
    func focus(_ view: View) -> Bool {
        guard view.canBecomeFirstResponder, view.window === self, view.isShown, view.isDescendant(of: focusRoot) else {
            return false
        }
        setFirstResponder(view)
        return true
    }

    /// Removes the focus from a view that can no longer have it. It moves to the nearest view in Tab order, the next one if
    /// two are equally near in the hierarchy; without any, the next layout chooses one.
    func resignFocus(of view: View) {
        guard firstResponder === view else { return }
        let views = focusRoot.focusable(and: view).filter { $0 === view || !$0.isInBar || view.isInBar }
        guard let index = views.firstIndex(where: { $0 === view }) else { return setFirstResponder(nil) }
        /// The number of superviews up to one that contains both.
        func distance(_ other: View) -> Int {
            sequence(first: view) { $0.superview }.prefix { !other.isDescendant(of: $0) }.count
        }
        let (next, last) = (views.dropFirst(index + 1).first, index > 0 ? views[index - 1] : nil)
        let isNextNearer = next.map { next in last.map { distance(next) <= distance($0) } ?? true } ?? false
        setFirstResponder(isNextNearer ? next : last)
    }

    /// Moves the focus to the next or previous view, wrapping around at the ends.
    func moveFocus(by step: Int) -> Bool {
        let views = focusRoot.focusable
        guard !views.isEmpty else { return false }
        let present = views.firstIndex { $0 === firstResponder }
        let index = present.map { ($0 + step + views.count) % views.count } ?? (step > 0 ? 0 : views.count - 1)
        setFirstResponder(views[index])
        return true
    }

    /// Ensures that a visible view has the focus: the last one of the trap that had it and still can, or else its first
    /// focusable view. A view in a bar is chosen only if it was the last one; without any view, keys go to the content.
    func settleFocus() {
        let root = focusRoot
        if let view = firstResponder, view.canBecomeFirstResponder, view.isShown, view.isDescendant(of: root) { return }
        let last = root.rememberedFocus.first?.view
        let views = root.focusable.filter { !$0.isInBar || $0 === last }
        let remembered = root.rememberedFocus.lazy.compactMap { last in views.first { $0 === last.view } }.first
        let chosen = remembered ?? views.first { !$0.isFocusedLast } ?? views.first
        if chosen !== firstResponder { setFirstResponder(chosen) }
    }

    private func setFirstResponder(_ view: View?) {
        guard view !== firstResponder else { return }
        let before = firstResponder
        replaceFirstResponder(view)
        if let view { (view.enclosingTrap ?? self).rememberFocus(of: view) }
        before?.focusDidChange()
        view?.focusDidChange()
        view?.scrollIntoView()
        setNeedsUpdate()
    }
}

extension View {
    /// Notes that a view has received the focus inside this focus trap.
    fileprivate func rememberFocus(of view: View) {
        rememberedFocus.removeAll { $0.view == nil || $0.view === view }
        rememberedFocus.insert(WeakView(view: view), at: 0)
        if rememberedFocus.count > 4 { rememberedFocus.removeLast() }
    }

    /// The nearest enclosing view that traps the focus.
    var enclosingTrap: View? {
        sequence(first: self) { $0.superview }.first { $0.trapsFocus }
    }
}

extension View {
    /// Whether the view has the focus.
    public var isFirstResponder: Bool { window?.firstResponder === self }

    /// Moves the focus to the view; returns false if it cannot have the focus now.
    @discardableResult
    public func becomeFirstResponder() -> Bool {
        window?.focus(self) ?? false
    }

    /// Whether the view or a descendant has the focus.
    public var containsFirstResponder: Bool { window?.firstResponder?.isDescendant(of: self) ?? false }

    /// Whether the view and all its ancestors are visible.
    var isShown: Bool {
        sequence(first: self) { $0.superview }.allSatisfy { !$0.isHidden }
    }

    /// Whether the view is inside of a bar, such as a button of a toolbar.
    fileprivate var isInBar: Bool { sequence(first: self) { $0.superview }.contains { $0.isBar } }

    /// The focusable views of the subtree, in Tab order.
    var focusable: [View] { focusable(and: nil) }

    /// The focusable views of the subtree and another one of it, in Tab order.
    func focusable(and other: View?) -> [View] {
        guard !isHidden else { return [] }
        return (canBecomeFirstResponder || self === other ? [self] : []) + subviews.flatMap { $0.focusable(and: other) }
    }

    /// The topmost visible view of the subtree that traps the focus, if any.
    var focusTrap: View? {
        guard !isHidden else { return nil }
        for view in subviews.reversed() {
            if let trap = view.focusTrap { return trap }
        }
        return trapsFocus ? self : nil
    }
}

/// A view that is not retained.
struct WeakView {
    weak var view: View?
}
