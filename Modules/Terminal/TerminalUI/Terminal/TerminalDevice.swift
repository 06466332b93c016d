/// The terminal of an application: a real one, or one in memory for tests.
@MainActor
public protocol TerminalDevice: AnyObject {
    /// The number of columns and rows.
    var size: GridSize { get }
    /// The capabilities known so far; ``handle(_:)`` updates them.
    var capabilities: TerminalCapabilities { get }
    /// The height of a cell divided by its width; 2 if the terminal has not reported it.
    var cellAspect: Double { get }
    /// Enters the terminal and returns its events; the stream ends with `stop`.
    func start() throws(TerminalError) -> AsyncStream<TerminalEvent>
    /// Writes a frame. Does nothing before `start` and after `stop`.
    ///
    /// - Returns: Whether the frame was written completely. Otherwise the terminal's output is not read; the event
    ///   ``TerminalEvent/writable`` follows when it is read again, and the screen must be redrawn then.
    func write(_ bytes: [UInt8]) -> Bool
    /// Updates the capabilities from a reply of the terminal.
    func handle(_ reply: TerminalReply)
    /// Asks the terminal for its graphics protocol; the replies arrive as events. Without one, pictures are drawn in
    /// cells.
    func queryGraphics()
    /// Extends the time that the application has to stop after a signal.
    func extendGracePeriod(by duration: Duration)
    /// Restores the terminal and stops the process as Ctrl-Z does; enters the terminal again when it is continued.
    func suspend()
    /// Restores the terminal, runs something that uses it, such as an editor, and enters the terminal again. Frames are discarded
    /// meanwhile; ``TerminalEvent/resumed`` follows.
    ///
    /// - Parameter body: called on another thread with a function that stops this process as well, for a program that Ctrl-Z has
    ///   stopped.
    func lend(_ body: @escaping @Sendable (_ stop: () -> Void) -> Void) async
    /// Restores the terminal. A second call does nothing.
    func stop()
}

extension TerminalDevice {
    /// The aspect from the terminal's replies; 2 before them.
    public var cellAspect: Double { capabilities.cellAspect ?? 2 }

    /// Does nothing.
    public func queryGraphics() {}

    /// Runs what uses the terminal, of which there is none.
    public func lend(_ body: @escaping @Sendable (_ stop: () -> Void) -> Void) async { body {} }
}

/// An event of a terminal.
public enum TerminalEvent: Hashable, Sendable {
    /// Decoded input.
    case input(InputEvent)
    /// The size has changed.
    case resized(GridSize)
    /// The process was stopped and has been continued: the screen must be redrawn.
    case resumed
    /// The terminal accepts output again after it has refused a frame: the screen must be redrawn.
    case writable
    /// The process received SIGINT, SIGTERM, SIGHUP or SIGQUIT.
    case terminated(signal: Int32)
    /// The terminal was closed; no more input follows.
    case closed
}

/// An error in entering a terminal.
public enum TerminalError: Error, Hashable, CustomStringConvertible {
    /// The input or output is not a terminal but a pipe or a file.
    case notATerminal
    /// The terminal cannot position its cursor (`TERM` is empty or `dumb`).
    case notFullScreen(term: String)
    /// Another `Terminal` of this process has entered the terminal.
    case alreadyEntered
    /// A system call failed; `code` is its errno.
    case system(operation: String, code: Int32)

    /// The problem and what to do about it.
    public var description: String {
        switch self {
        case .notATerminal:
            "Standard input and output are not both a terminal; run it in a terminal, or use a command that prints lines."
        case .notFullScreen(let term):
            "The terminal type \"\(term)\" cannot show a full screen; set TERM (xterm-256color, for example)."
        case .alreadyEntered:
            "Another application of this process uses the terminal; stop it first."
        case .system(let operation, let code):
            "\(operation) failed with error \(code); check that the terminal is still open."
        }
    }
}
