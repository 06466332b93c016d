internal import CTerminal

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The terminal that the process runs in.
///
/// `start` sets raw mode and the alternate screen; from then on the terminal is given back whatever happens: `stop`,
/// `exit`, SIGINT, SIGTERM, SIGHUP, SIGQUIT, a stop (Ctrl-Z), and the crashes SIGSEGV, SIGILL, SIGTRAP, SIGABRT, SIGBUS
/// and SIGFPE, after which the process dies as it would have. An ending signal comes as an event first; an application
/// that does not stop within the grace period, or gets a second one, is ended.
/// One thread waits for input, signals and time-outs; nothing polls.
@MainActor
public final class Terminal: TerminalDevice {
    /// What it can do; grows as the terminal answers.
    public private(set) var capabilities: TerminalCapabilities
    /// What is asked of it while the application has it.
    public let modes: TerminalModes

    private let input: Int32
    private let output: Int32
    private let term: String
    private let asks: Bool
    private let limits: InputDecoder.Limits
    private var reader: InputReader?

    /// The terminal behind two descriptors, standard input and output by default.
    ///
    /// `environment` is the process's own where it is nil. `asks` tells whether it is asked what it can do
    /// (synchronized updates, graphics) when it is taken over; the answers come as events, and nothing waits for them.
    public init(
        input: Int32 = 0,
        output: Int32 = 1,
        modes: TerminalModes = TerminalModes(),
        environment: [String: String]? = nil,
        limits: InputDecoder.Limits = InputDecoder.Limits(),
        asks: Bool = true
    ) {
        self.input = input
        self.output = output
        self.modes = modes
        self.limits = limits
        let environment = environment ?? ProcessInfo.processInfo.environment
        term = environment["TERM"] ?? ""
        // The Linux console and old multiplexers print such questions.
        self.asks = asks && term != "linux"
        capabilities = TerminalCapabilities(
            environment: environment,
            isTerminal: isatty(input) == 1 && isatty(output) == 1
        )
    }

    /// Columns and rows now; 80 by 24 where the system does not tell.
    public var size: Size {
        var columns: Int32 = 0
        var rows: Int32 = 0
        guard cterminal_size(output, &columns, &rows) == 0, columns > 0, rows > 0 else {
            return Size(width: 80, height: 24)
        }
        return Size(width: Int(columns), height: Int(rows))
    }

    /// Takes the terminal over and tells its events; throws ``TerminalError`` where it cannot be had.
    public func start() throws -> AsyncStream<TerminalEvent> {
        guard isatty(input) == 1 && isatty(output) == 1 else { throw TerminalError.notATerminal }
        guard capabilities.isFullScreen else { throw TerminalError.notFullScreen(term: term) }
        guard reader == nil && !cterminal_is_entered() else { throw TerminalError.alreadyEntered }
        let reader = try InputReader(input: input, output: output, enter: modes.enter, limits: limits)
        // The handlers come first: there is no moment in which a signal finds the terminal taken and nobody to give it
        // back.
        let events = try reader.start()
        let leave = modes.leave
        let enter = modes.enter
        let failure = cterminal_enter(input, output, enter, enter.count, leave, leave.count)
        guard failure == 0 else {
            reader.stop()
            cterminal_remove_handlers()
            throw failure == EBUSY
                ? TerminalError.alreadyEntered : .system(operation: "Taking the terminal over", code: failure)
        }
        self.reader = reader
        if asks { write(Array(TerminalCapabilities.questions.utf8)) }
        return events
    }

    /// Writes a frame whole; of a terminal that is gone the end of the events tells, not this.
    public func write(_ bytes: [UInt8]) {
        // A terminal that is gone tells so by the end of its input.
        _ = cterminal_write_frame(bytes, bytes.count)
    }

    /// Stops the process and its group as Ctrl-Z does, the terminal given back meanwhile.
    public func suspend() {
        // The whole foreground group stops, as if the terminal had sent it; the reader then gives the terminal back.
        kill(0, SIGTSTP)
    }

    /// Gives the terminal back and drops what was typed ahead. Does nothing the second time.
    public func stop() {
        guard let reader else { return }
        self.reader = nil
        reader.stop()
        cterminal_leave()
        cterminal_remove_handlers()
        // What was typed ahead is not the shell's.
        tcflush(input, TCIFLUSH)
    }

    /// Takes in the terminal's answer.
    public func take(_ reply: TerminalReply) {
        _ = capabilities.take(reply)
    }
}
