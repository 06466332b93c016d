/// An object that outlived the RIB it belongs to, or a view that stayed on screen.
public struct Leak: Equatable, Sendable, CustomStringConvertible {
    /// The fault.
    public enum Fault: Equatable, Sendable {
        /// The object was not deallocated.
        case notDeallocated
        /// The view did not leave the screen.
        case onScreen
    }

    /// The type of the object.
    public var type: String
    /// The fault.
    public var fault: Fault
    /// The reason why it is a fault, as the rest of a sentence.
    public var reason: String
    /// The time that was allowed.
    public var allowed: Duration

    /// The fault, its reason and where to look.
    public var description: String {
        switch fault {
        case .notDeallocated:
            """
            \(type) is still alive after \(allowed), although \(reason). Look for a strong reference: a closure or a task \
            without [weak self], a listener or a delegate that is not weak, or a view that is still shown.
            """
        case .onScreen:
            """
            \(type) is still on screen after \(allowed), although \(reason). Dismiss its view in the router that detaches \
            it.
            """
        }
    }
}

/// An expectation of a ``LeakDetector``, which can be cancelled.
@MainActor
public final class LeakExpectation {
    private var onCancel: (@MainActor () -> Void)?

    init(onCancel: @escaping @MainActor () -> Void) {
        self.onCancel = onCancel
    }

    /// Cancels the expectation; does nothing if it is met, expired or cancelled already.
    public func cancel() {
        let cancel = onCancel
        onCancel = nil
        cancel?()
    }
}
