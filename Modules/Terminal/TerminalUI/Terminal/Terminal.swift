internal import CTerminal
internal import EssentialFoundation
public import Pictures
import SystemCalls

/// The terminal that the process runs in.
///
/// ``start()`` sets raw mode and the alternate screen. The terminal is restored by ``stop()``, `exit`, SIGINT, SIGTERM,
/// SIGHUP, SIGQUIT, a suspension (Ctrl-Z), and the crashes SIGSEGV, SIGILL, SIGTRAP, SIGABRT, SIGBUS and SIGFPE, after
/// which the process ends as it would have otherwise. It is restored within a second even if its output is not read.
///
/// A signal that ends the process is first delivered as an event. An application that does not stop within the grace
/// period of 2 seconds, or receives a second SIGINT, SIGTERM or SIGQUIT, is ended.
@MainActor
public final class Terminal: TerminalDevice {
    /// The capabilities; replies of the terminal refine them.
    public private(set) var capabilities: TerminalCapabilities
    /// The time after a query in which ``stop()`` waits for the reply. Terminals reply in a few milliseconds; more is the
    /// way over a network.
    package var replyLimit = Duration.milliseconds(300)
    /// The time for which restoring waits, at most twice, for a terminal whose output is not read.
    package var restoreLimit = Duration.milliseconds(250)

    private let (input, output) = (STDIN_FILENO, STDOUT_FILENO)
    /// The modes that are set while the terminal is entered; `nil` for raw mode without any change of the screen.
    private let modes: TerminalModes?
    private let term: String
    private let queries: String
    private var reader: InputReader?

    /// Creates a terminal on standard input and output.
    ///
    /// It is asked for synchronized updates, its keyboard protocol and its background colour when it is entered. The replies
    /// arrive as events; nothing waits for them.
    ///
    /// - Parameter environment: The environment variables; `nil` for those of the process.
    public convenience init(environment: [String: String]? = nil) {
        self.init(TerminalModes(), environment, queries: TerminalCapabilities.screenQueries)
    }

    private init(_ modes: TerminalModes?, _ environment: [String: String]?, queries: String) {
        let environment = environment ?? ProcessInfo.processInfo.environment
        term = environment["TERM"] ?? ""
        var modes = modes
        // The Linux console and DEC's terminals print what they do not know of the sequence.
        if term == "linux" || term.hasPrefix("vt") { modes?.keyboardProtocol = false }
        self.modes = modes
        // The Linux console prints unknown queries.
        self.queries = term == "linux" ? "" : queries
        capabilities = TerminalCapabilities(
            environment: environment,
            isTerminal: isatty(input) == 1 && isatty(output) == 1
        )
    }

    /// The number of columns and rows; 80 by 24 if the system does not report them.
    public var size: GridSize { TerminalWindow(descriptor: output)?.size ?? GridSize(width: 80, height: 24) }

    /// The size of a cell in pixels; `nil` if the system does not report it.
    public var cellSize: PixelSize? {
        guard let window = TerminalWindow(descriptor: output), window.pixels.width >= window.size.width,
            window.pixels.height >= window.size.height
        else { return nil }
        return PixelSize(
            width: window.pixels.width / window.size.width,
            height: window.pixels.height / window.size.height
        )
    }

    /// Enters the terminal and returns its events.
    ///
    /// - Throws: ``TerminalError`` if it is not a terminal, cannot show a full screen or has been entered already.
    public func start() throws(TerminalError) -> AsyncStream<TerminalEvent> {
        guard isatty(input) == 1 && isatty(output) == 1 else { throw .notATerminal }
        guard capabilities.isFullScreen else { throw .notFullScreen(term: term) }
        guard reader == nil && !cterminal_is_entered() else { throw .alreadyEntered }
        let (enter, leave) = (modes?.enter ?? [], modes?.leave ?? [])
        let reader = try InputReader(input: input, output: output, enter: enter, replyLimit: replyLimit)
        // The handlers are installed first, so that no signal can find an entered terminal without a handler.
        let events = try reader.start()
        let patience = Int32(restoreLimit / .milliseconds(1))
        let failure = cterminal_enter(input, output, enter, enter.count, leave, leave.count, patience)
        guard failure == 0 else {
            reader.stop()
            cterminal_remove_handlers()
            cterminal_close()
            throw failure == EBUSY ? .alreadyEntered : .system(operation: "Entering the terminal", code: failure)
        }
        self.reader = reader
        if !queries.isEmpty { query(queries) }
        return events
    }

    /// Writes a frame. Waits for at most one second for a terminal that accepts no output; frames after that are
    /// discarded without waiting, until ``TerminalEvent/writable``.
    ///
    /// - Returns: Whether the frame was written completely, or the terminal is closed.
    @discardableResult
    public func write(_ bytes: [UInt8]) -> Bool {
        guard let reader, !bytes.isEmpty else { return true }
        guard !reader.isStalled else { return false }
        guard cterminal_write_frame(bytes, bytes.count) == ETIMEDOUT else { return true }
        reader.watchOutput()
        return false
    }

    /// Updates the capabilities from a reply.
    public func handle(_ reply: TerminalReply) { _ = capabilities.update(from: reply) }

    /// Asks the terminal for its graphics protocol and the size of a cell in pixels. Nothing waits for the replies.
    public func queryGraphics() {
        guard !queries.isEmpty else { return }
        query(TerminalCapabilities.cellSizeQuery + TerminalCapabilities.graphicsQueries)
    }

    /// Writes queries that end with DA1.
    private func query(_ text: String) {
        if write(Array(text.utf8)) { reader?.expectReply() }
    }

    /// Extends the time after a signal until the process is ended, counted from now.
    public func extendGracePeriod(by duration: Duration) { reader?.extendGracePeriod(by: duration) }

    /// Stops the foreground process group as Ctrl-Z does, with the terminal restored meanwhile.
    public func suspend() {
        // As if the terminal had sent the signal; the reader then restores the terminal.
        kill(0, SIGTSTP)
    }

    /// Restores the terminal, runs something that uses it, and enters the terminal again.
    ///
    /// Meanwhile SIGINT, SIGQUIT and SIGTSTP are for the other program; SIGTERM and SIGHUP are delivered afterwards.
    public func lend(_ body: @escaping @Sendable (_ stop: () -> Void) -> Void) async {
        guard let reader else { return }
        await withCheckedContinuation { continuation in
            reader.lend {
                body(cterminal_stop)
                continuation.resume()
            }
        }
    }

    /// Restores the terminal and discards unread input, so that a shell does not receive it. A second call does
    /// nothing.
    ///
    /// If the terminal was asked for its capabilities less than 300 milliseconds ago and has not replied, the reply is
    /// awaited for the rest of this time.
    public func stop() {
        guard let reader else { return }
        self.reader = nil
        reader.stop()
        cterminal_leave()
        cterminal_remove_handlers()
        cterminal_close()
        tcflush(input, TCIFLUSH)
    }
}

/// A protocol for showing real pixels in a terminal.
public enum TerminalGraphics: Hashable, Sendable {
    /// The terminal has no graphics: draw with characters (`PictureRenderer`).
    case none
    /// kitty's graphics protocol; encode with `KittyGraphics`.
    case kitty
    /// iTerm2's inline images; encode with `ITermGraphics`.
    case iterm
    /// Sixel graphics; encode with `SixelGraphics`. `cell` is the size of a character cell in pixels.
    case sixel(cell: PixelSize)
}

extension Terminal {
    /// Asks the terminal of standard input and output for its graphics protocol, for commands that print a picture
    /// without a full screen.
    ///
    /// Raw mode is set until the reply has arrived. Keys typed meanwhile are discarded. A reply after the time limit would be
    /// typed text for the shell: call ``discardUnreadInput(_:)`` when the command ends.
    ///
    /// - Parameters:
    ///   - environment: The environment variables; `nil` for those of the process.
    ///   - timeLimit: How long to wait for the reply.
    /// - Returns: The protocol, `.none` if the terminal does not reply in time or is not a terminal.
    public static func detectGraphics(
        environment: [String: String]? = nil,
        timeLimit: Duration = .milliseconds(300)
    ) async -> TerminalGraphics {
        let terminal = Terminal(nil, environment, queries: TerminalCapabilities.graphicsQueries)
        guard !terminal.queries.isEmpty, let events = try? terminal.start() else { return .none }
        let timeout = Task {
            guard (try? await Task.sleep(for: timeLimit)) != nil else { return }
            terminal.stop()
        }
        var signal: Int32?
        reading: for await event in events {
            switch event {
            case .input(.reply(let reply)):
                if terminal.capabilities.update(from: reply) { break reading }
            case .terminated(let number):
                signal = number
                break reading
            case .closed: break reading
            default: break
            }
        }
        timeout.cancel()
        terminal.stop()
        // The handlers have been removed: the signal has its usual effect.
        if let signal { kill(getpid(), signal) }
        if terminal.capabilities.kittyGraphics { return .kitty }
        if terminal.capabilities.itermGraphics { return .iterm }
        guard terminal.capabilities.sixelGraphics else { return .none }
        // The common size if the terminal does not report it.
        return .sixel(cell: terminal.cellSize ?? PixelSize(width: 8, height: 16))
    }

    /// Discards input that was not read, such as a reply of the terminal that came too late.
    ///
    /// - Parameter input: The descriptor of the terminal, by default standard input.
    public static func discardUnreadInput(_ input: Int32 = 0) {
        if isatty(input) == 1 { tcflush(input, TCIFLUSH) }
    }
}
