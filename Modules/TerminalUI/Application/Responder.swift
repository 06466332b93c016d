public import And

/// What can answer input; what it does not handle goes to the next one.
///
/// From the focused view the chain goes up through its superviews, each view controller after its view, to the window
/// and the application.
@MainActor
open class Responder {
    /// A responder without a next one.
    public init() {}

    /// Who is asked after this one.
    open var next: Responder? { nil }

    /// A key was pressed. Returns whether it was handled; a key that was not goes on.
    open func keyDown(_ key: Key) -> Bool { false }

    /// Text was pasted. Returns whether it was handled.
    open func paste(_ paste: Paste) -> Bool { false }

    /// Every responder from this one up.
    var chain: some Sequence<Responder> {
        sequence(first: self) { $0.next }
    }
}

// Views and view controllers can be configured in the expression that makes them.
extension Responder: And {}

extension Window {
    /// Hands an event to the views; false where nobody handled it.
    @discardableResult
    public func dispatch(_ event: InputEvent) -> Bool {
        layoutIfNeeded()
        switch event {
        case .key(let key): return dispatch(key)
        case .mouse(let mouse): return dispatch(mouse)
        case .paste(let paste): return firstInChain.chain.contains { $0.paste(paste) }
        case .focus, .reply: return false
        }
    }

    private var firstInChain: Responder { firstResponder ?? focusRoot }

    private func dispatch(_ key: Key) -> Bool {
        if firstInChain.chain.contains(where: { $0.keyDown(key) }) { return true }
        switch (key.code, key.modifiers) {
        case (.tab, []), (.down, []), (.right, []): return moveFocus(by: 1)
        case (.tab, .shift), (.up, []), (.left, []): return moveFocus(by: -1)
        default: return false
        }
    }

    private func dispatch(_ event: MouseEvent) -> Bool {
        switch event.kind {
        case .drag, .up:
            defer { if case .up = event.kind { mouseCapture = nil } }
            if let view = mouseCapture, view.window === self { return deliver(event, to: view) }
        default: break
        }
        let root = focusRoot
        let inside = root.convertFromWindow(event.location)
        // Outside of an alert or a drawer only that is told, so that it can close.
        let hit = root.hitTest(inside) ?? root
        if case .down = event.kind {
            mouseCapture = hit
            let target = sequence(first: hit) { $0 === root ? nil : $0.superview }.first { $0.canBecomeFirstResponder }
            if let target { focus(target) }
        }
        for view in sequence(first: hit, next: { $0 === root ? nil : $0.superview }) where deliver(event, to: view) {
            if case .down = event.kind { mouseCapture = view }
            return true
        }
        return false
    }

    private func deliver(_ event: MouseEvent, to view: View) -> Bool {
        var local = event
        local.location = view.convertFromWindow(event.location)
        return view.mouse(local)
    }
}
