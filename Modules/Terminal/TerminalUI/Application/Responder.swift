public import And

/// An object that can handle input: a view, a view controller or the application.
///
/// An event that a responder does not handle is passed to its ``next`` responder: from the focused view through its
/// superviews, each followed by its view controller, to the window and the application.
@MainActor
open class Responder: And {
    /// Creates a responder without a next one.
    public init() {}

    /// The responder that receives events this one does not handle.
    open var next: Responder? { nil }

    /// Handles a key press. Returns whether it was handled.
    open func keyDown(_ key: Key) -> Bool { false }

    /// Handles pasted text. Returns whether it was handled.
    open func paste(_ paste: Paste) -> Bool { false }

    /// This responder and all that follow it.
    var chain: some Sequence<Responder> { sequence(first: self) { $0.next } }
}

extension Window {
    /// Dispatches an event to the views. Returns whether it was handled.
    ///
    /// Keys and pasted text go to the focused view first. Without a focused view they go to the topmost visible view
    /// controller. Those that a presented view controller does not handle go to the window and the application alone. A letter of
    /// Hangul that is not typed into a text is the Latin letter of the same key. A mouse event goes to the view below the pointer.
    @discardableResult
    public func dispatch(_ event: InputEvent) -> Bool {
        layoutIfNeeded()
        switch event {
        case .key(let key): return dispatch(key)
        case .mouse(let mouse): return dispatch(mouse)
        case .paste(let paste): return offer { $0.paste(paste) }
        case .focus, .reply: return false
        }
    }

    private var firstInChain: Responder {
        if let firstResponder { return firstResponder }
        let root = focusRoot
        return root.topmostController?.viewIfLoaded ?? root
    }

    /// Offers an event to the responders in order. Returns whether one handled it.
    private func offer(_ handle: (Responder) -> Bool) -> Bool {
        for responder in firstInChain.chain {
            if handle(responder) { return true }
            // What is typed does not apply to the screen below a presented one; the keys of the application do apply.
            if (responder as? ViewController)?.presenting != nil { return chain.contains(where: handle) }
        }
        return false
    }

    private func dispatch(_ key: Key) -> Bool {
        // An input method may be on while no text is typed.
        let isText = key.text != nil && firstResponder?.acceptsText == true
        let key = isText ? key : key.inLatinLayout
        if offer({ $0.keyDown(key) }) { return true }
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
            if event.location != pressedCell?.location { pressedCell = nil }
            guard let view = mouseCapture, view.window === self else { break }
            guard case .up = event.kind, let pressedCell else { return deliver(event, to: view) }
            // A layout since the press can have moved the view; a pointer that stayed clicks what was pressed.
            var event = event
            event.location = pressedCell.local
            return view.mouse(event)
        default: break
        }
        var event = event
        if case .down = event.kind { event.clickCount = clicks.count(event, clock) }
        if let overlay = overlay(at: event.location), deliver(event, to: overlay) { return true }
        let root = focusRoot
        // A focus trap also receives events outside of it, so that an alert or a drawer can close.
        let hit = root.hitTest(root.convertFromWindow(event.location)) ?? root
        setHovered(hit)
        if inspectsLayout { setNeedsUpdate() }
        if case .down = event.kind {
            capture(hit, at: event.location)
            let target = sequence(first: hit) { $0 === root ? nil : $0.superview }.first { $0.canBecomeFirstResponder }
            if let target, target.takesFocusOnClick { focus(target) }
        }
        for view in sequence(first: hit, next: { $0 === root ? nil : $0.superview }) where deliver(event, to: view) {
            if case .down = event.kind { capture(view, at: event.location) }
            return true
        }
        return false
    }

    private func capture(_ view: View, at location: GridPoint) {
        mouseCapture = view
        pressedCell = (location, view.convertFromWindow(location))
    }

    /// The topmost overlay at a cell.
    private func overlay(at location: GridPoint) -> View? {
        subviews.reversed().first { $0.isOverlay && !$0.isHidden && $0.frame.contains(location) }
    }

    private func deliver(_ event: MouseEvent, to view: View) -> Bool {
        var local = event
        local.location = view.convertFromWindow(event.location)
        return view.mouse(local)
    }
}

extension View {
    /// The deepest view controller of the topmost visible views.
    fileprivate var topmostController: ViewController? {
        guard !isHidden else { return nil }
        for view in subviews.reversed() {
            if let controller = view.topmostController { return controller }
        }
        return viewController
    }
}

/// Counts the presses of a mouse button at one cell in quick succession.
struct ClickCounter {
    /// The maximum time between two presses of a double click.
    static let interval = Duration.milliseconds(400)

    private var last: (kind: MouseEvent.Kind, location: GridPoint, count: Int, age: () -> Duration)?

    /// Returns the number of presses up to and including an event, from 1 to 3.
    mutating func count(_ event: MouseEvent, _ clock: any Clock<Duration>) -> Int {
        var count = 1
        if let last, last.kind == event.kind, last.location == event.location, last.age() < ClickCounter.interval {
            count = last.count % 3 + 1
        }
        last = (event.kind, event.location, count, ClickCounter.stopwatch(clock))
        return count
    }

    private static func stopwatch(_ clock: some Clock<Duration>) -> () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}
