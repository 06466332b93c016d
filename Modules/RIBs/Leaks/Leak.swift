/// An object that outlived the RIB it belongs to.
public struct Leak: Equatable, Sendable, CustomStringConvertible {
    /// The object's type.
    public var type: String
    /// Why it should have gone, as the rest of a sentence.
    public var reason: String
    /// How long it was allowed to live on.
    public var allowed: Duration

    /// What leaked, why it should not have, and where to look.
    public var description: String {
        """
        \(type) is still alive \(allowed) later, though \(reason). Look for who holds it strongly: a closure or a task \
        without [weak self], a listener or a delegate that is not weak, or a view that is still shown.
        """
    }
}
