/// What a terminal tells its application.
public enum TerminalEvent: Hashable, Sendable {
    /// Decoded input.
    case input(InputEvent)
    /// The window has another size now.
    case resized(Size)
    /// The process was stopped and goes on: the screen has to be drawn anew.
    case resumed
    /// A signal asks the process to end: SIGINT, SIGTERM, SIGHUP or SIGQUIT.
    case terminated(signal: Int32)
    /// The terminal is gone: no more input will come.
    case closed
}
