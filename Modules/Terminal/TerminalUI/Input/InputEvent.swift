/// A decoded event from the terminal's input.
public enum InputEvent: Hashable, Sendable {
    /// A key press.
    case key(Key)
    /// A mouse event.
    case mouse(MouseEvent)
    /// Pasted text.
    case paste(Paste)
    /// The terminal window has received (true) or lost the focus.
    case focus(Bool)
    /// A reply to a query.
    case reply(TerminalReply)
}

/// Pasted text.
public struct Paste: Hashable, Sendable {
    /// The text with "\n" as line breaks; invalid UTF-8 is replaced by U+FFFD.
    public var text: String
    /// Whether the text is complete.
    public var completeness: Completeness

    /// Creates a paste, complete by default.
    public init(_ text: String, completeness: Completeness = .whole) {
        self.text = text
        self.completeness = completeness
    }

    /// Whether all of the pasted text has arrived.
    public enum Completeness: Hashable, Sendable {
        /// The text is complete.
        case whole
        /// The text exceeded the limit; the rest was discarded.
        case truncated
        /// The end of the paste did not arrive in time.
        case unfinished
    }
}

/// A mouse event, in cells of the screen or, when it is dispatched, of the view.
public struct MouseEvent: Hashable, Sendable {
    /// The kind of event.
    public var kind: Kind
    /// The cell below the pointer, counted from zero.
    public var location: GridPoint
    /// The modifier keys.
    public var modifiers: Key.Modifiers
    /// The number of presses of the button at this cell in quick succession; 2 is a double click. The window counts
    /// them; events from the terminal have 1.
    public var clickCount = 1

    /// Creates a mouse event.
    public init(_ kind: Kind, at location: GridPoint, modifiers: Key.Modifiers = []) {
        self.kind = kind
        self.location = location
        self.modifiers = modifiers
    }

    /// The kinds of mouse events.
    public enum Kind: Hashable, Sendable {
        /// A button was pressed.
        case down(Button)
        /// A button was released.
        case up(Button)
        /// The pointer moved with a pressed button.
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

    /// The buttons of a mouse.
    public enum Button: Hashable, Sendable {
        /// The primary button.
        case left
        /// The middle button.
        case middle
        /// The secondary button.
        case right
    }
}

/// A terminal's reply to a query.
public enum TerminalReply: Hashable, Sendable {
    /// Primary device attributes (DA1); 4 means sixel graphics.
    case deviceAttributes([Int])
    /// The state of a private mode (DECRPM): 0 unknown, 1 set, 2 reset, 3 always set, 4 always reset.
    case mode(number: Int, state: Int)
    /// The flags of kitty's keyboard protocol that are in effect; 1 means that the key Escape is a sequence.
    case keyboard(flags: Int)
    /// The width and height of a cell in pixels.
    case cellSize(GridSize)
    /// The position of the cursor, counted from zero.
    case cursor(GridPoint)
    /// The reply to a kitty graphics command, unparsed.
    case graphics(String)
    /// An operating system command (OSC): number and text, unparsed.
    case operatingSystem(String)
}
