/// What comes from the terminal, decoded.
public enum InputEvent: Hashable, Sendable {
    /// A key was pressed.
    case key(Key)
    /// The mouse did something.
    case mouse(MouseEvent)
    /// Text was pasted.
    case paste(Paste)
    /// The terminal's window got the focus (true) or lost it.
    case focus(Bool)
    /// The terminal answered a question.
    case reply(TerminalReply)
}

/// Text that was pasted, as one event.
public struct Paste: Hashable, Sendable {
    /// The text, line breaks as "\n"; what was no UTF-8 is replaced by U+FFFD.
    public var text: String
    /// Whether it is whole.
    public var completeness: Completeness

    /// A paste, whole unless told otherwise.
    public init(_ text: String, completeness: Completeness = .whole) {
        self.text = text
        self.completeness = completeness
    }

    /// How much of what was pasted has arrived.
    public enum Completeness: Hashable, Sendable {
        /// All of it.
        case whole
        /// The head of it: the rest went beyond the limit and was thrown away.
        case truncated
        /// What had come when its end did not arrive in time.
        case unfinished
    }
}

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

/// The terminal's answer to a question that the program asked.
public enum TerminalReply: Hashable, Sendable {
    /// Primary device attributes (DA1): what the terminal says it can do; 4 is sixel graphics.
    case deviceAttributes([Int])
    /// A private mode's state (DECRPM): 0 unknown, 1 set, 2 reset, 3 always set, 4 always reset.
    case mode(number: Int, state: Int)
    /// The cursor's place, from zero.
    case cursor(Point)
    /// The answer to a kitty graphics command, as it came.
    case graphics(String)
    /// An operating system command (OSC), as it came: number and text.
    case operatingSystem(String)
}
