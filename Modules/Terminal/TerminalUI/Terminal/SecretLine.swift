internal import CTerminal
internal import SystemCalls

/// Reads a line from a terminal without showing it, such as a password.
///
/// The terminal is restored in every case: at the end of the line, on an error, and on a signal that ends the process, which
/// then ends as it would without this function.
public enum SecretLine {
    /// A line could not be read.
    public enum Failure: Error, Hashable, Sendable {
        /// The input is not a terminal, or it is in use by a full screen.
        case unavailable
        /// The input ended before the line: the terminal was closed, or the user pressed Ctrl-D.
        case ended
        /// The user pressed Ctrl-C, or the process received `SIGINT`.
        case interrupted
    }

    /// Reads a line up to Enter. Backspace removes a character and Ctrl-U removes all; other control characters and keys such as
    /// arrows and Alt with a character are ignored.
    ///
    /// It blocks the calling thread. Not a byte after the line is read.
    ///
    /// - Parameter prompt: a text for standard error. It is written once the terminal no longer shows what is typed, so that
    ///   not even the first character of a user or program that replies at once is shown.
    /// - Returns: the line without its end. Invalid UTF-8 is replaced by U+FFFD.
    /// - Throws: ``Failure``.
    public static func read(_ prompt: String = "") throws(Failure) -> String {
        let input = STDIN_FILENO
        guard isatty(input) == 1, !cterminal_is_entered() else { throw .unavailable }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .unavailable }
        defer { for end in ends { POSIX.close(end) } }
        for end in ends {
            _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        // The handlers are installed first, so that no signal can find a terminal without echo and without a handler.
        guard cterminal_install_handlers(ends[1]) == 0 else { throw .unavailable }
        defer { cterminal_remove_handlers() }
        guard cterminal_enter(input, input, [], 0, [], 0, 0) == 0 else {
            cterminal_close()
            // One that asked the process to end while it was in the background.
            try handleSignals(ends[0])
            throw .unavailable
        }
        defer {
            cterminal_leave()
            cterminal_close()
        }
        try? POSIX.writeAll(prompt, to: STDERR_FILENO)
        var line = Line()
        while true {
            var waiting = [
                pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0),
                pollfd(fd: input, events: Int16(POLLIN), revents: 0),
            ]
            // After a pause an ESC is the key Escape, and what follows is typed.
            let ready = poll(&waiting, nfds_t(waiting.count), line.isInSequence ? 50 : -1)
            guard ready != 0 else {
                line.endSequence()
                continue
            }
            guard ready > 0 else {
                if errno == EINTR { continue }
                throw .ended
            }
            if waiting[0].revents != 0 { try handleSignals(ends[0]) }
            guard waiting[1].revents != 0 else { continue }
            guard let byte = nextByte(of: input) else { throw .ended }
            if let text = try line.add(byte) { return text }
        }
    }

    private static func handleSignals(_ descriptor: Int32) throws(Failure) {
        while let number = nextByte(of: descriptor) {
            switch Int32(number) {
            case SIGINT: throw .interrupted
            case SIGTERM, SIGHUP, SIGQUIT: cterminal_die(Int32(number))
            case SIGTSTP:
                cterminal_leave()
                cterminal_stop()
                if cterminal_reenter([], 0) != 0 { throw .ended }
            case SIGCONT where !cterminal_is_raw():
                // A shell has reset the terminal while the process was stopped.
                cterminal_leave()
                if cterminal_reenter([], 0) != 0 { throw .ended }
            default: break
            }
        }
    }

    private static func nextByte(of descriptor: Int32) -> UInt8? {
        var byte: UInt8 = 0
        let count = withUnsafeMutableBytes(of: &byte) { buffer in
            (try? POSIX.read(descriptor, into: buffer)) ?? 0
        }
        return count == 1 ? byte : nil
    }

    /// The bytes that were typed.
    private struct Line {
        var bytes: [UInt8] = []
        private var escape = Escape.none

        /// How much of the sequence of a key has been read.
        private enum Escape { case none, escape, introducer, parameters }

        /// Whether bytes of a sequence have been read, but not its final one.
        var isInSequence: Bool { escape != .none }

        /// Takes the sequence for complete.
        mutating func endSequence() { escape = .none }

        /// Adds a byte; returns the line at its end.
        mutating func add(_ byte: UInt8) throws(Failure) -> String? {
            switch byte {
            case _ where continuesSequence(byte): break
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return String(decoding: bytes, as: UTF8.self)
            case 3: throw .interrupted
            case 4 where bytes.isEmpty: throw .ended
            case 8, 127:
                // The last character: its continuation bytes and its first byte.
                while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
            case 21: bytes = []
            case 0..<32: break
            default: bytes.append(byte)
            }
            return nil
        }

        /// Returns whether a byte is part of the sequence of a key: of CSI or SS3, up to the final byte, or of Alt with a
        /// character.
        private mutating func continuesSequence(_ byte: UInt8) -> Bool {
            switch (escape, byte) {
            case (_, 0x1B): escape = .escape
            case (.escape, UInt8(ascii: "[")), (.escape, UInt8(ascii: "O")): escape = .introducer
            // Linux's console sends `CSI [ A` for F1.
            case (.introducer, UInt8(ascii: "[")), (.introducer, 0x20..<0x40), (.parameters, 0x20..<0x40):
                escape = .parameters
            case (.escape, 0x20..<0x7F), (.introducer, 0x40..<0x7F), (.parameters, 0x40..<0x7F): escape = .none
            default:
                escape = .none
                return false
            }
            return true
        }
    }
}
