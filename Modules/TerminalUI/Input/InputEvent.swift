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
