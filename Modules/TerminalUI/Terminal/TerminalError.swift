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
