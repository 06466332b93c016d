/// The seam between an application and what shows it: a real terminal, or one in memory for tests.
@MainActor
public protocol TerminalDevice: AnyObject {
    /// Columns and rows now.
    var size: Size { get }
    /// What it can do, as far as is known; answers come as `TerminalEvent.input(.reply)`.
    var capabilities: TerminalCapabilities { get }
    /// Takes the terminal over and begins to tell its events; the stream ends with `stop`.
    func start() throws -> AsyncStream<TerminalEvent>
    /// Writes a frame; nothing is written while the terminal is not taken over.
    func write(_ bytes: [UInt8])
    /// Gives the terminal back, stops the process as Ctrl-Z does, and takes it over again when the process goes on.
    func suspend()
    /// Gives the terminal back. Does nothing the second time.
    func stop()
}

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

/// Why a terminal could not be taken over.
public enum TerminalError: Error, Hashable, CustomStringConvertible {
    /// Input or output is no terminal: a pipe or a file.
    case notATerminal
    /// The terminal cannot place its cursor (`TERM` is empty or `dumb`).
    case notFullScreen(term: String)
    /// Another `Terminal` of this process has taken it over.
    case alreadyEntered
    /// The system refused, with its error number.
    case system(operation: String, code: Int32)

    /// What is wrong and what to do about it.
    public var description: String {
        switch self {
        case .notATerminal:
            "Standard input and output are not both a terminal; run it in a terminal, or use a command that prints lines."
        case .notFullScreen(let term):
            "The terminal type \"\(term)\" cannot show a full screen; set TERM (xterm-256color, for example)."
        case .alreadyEntered:
            "The terminal is already taken over in this process; stop the other application first."
        case .system(let operation, let code):
            "\(operation) failed with error \(code); check that the terminal is still open."
        }
    }
}
