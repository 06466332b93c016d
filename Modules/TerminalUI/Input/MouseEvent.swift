/// What the mouse did, in cells of the screen or, once dispatched, of the view.
public struct MouseEvent: Hashable, Sendable {
    /// What happened.
    public var kind: Kind
    /// The cell under the pointer, from zero.
    public var location: Point
    /// The keys held down.
    public var modifiers: Key.Modifiers

    /// An event of the mouse.
    public init(_ kind: Kind, at location: Point, modifiers: Key.Modifiers = []) {
        self.kind = kind
        self.location = location
        self.modifiers = modifiers
    }

    /// What a mouse can do.
    public enum Kind: Hashable, Sendable {
        /// A button went down.
        case down(Button)
        /// A button came up.
        case up(Button)
        /// The pointer moved with a button down.
        case drag(Button)
        /// The pointer moved.
        case move
        /// The wheel turned away from the user.
        case wheelUp
        /// The wheel turned towards the user.
        case wheelDown
        /// The wheel was pushed to the left.
        case wheelLeft
        /// The wheel was pushed to the right.
        case wheelRight
    }

    /// A mouse's buttons.
    public enum Button: Hashable, Sendable {
        /// The main one.
        case left
        /// The wheel pressed.
        case middle
        /// The one for menus.
        case right
    }
}
