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
