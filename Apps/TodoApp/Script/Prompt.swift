import SystemCalls

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Reads the values that a command needs: from the terminal, with a label, or line by line from standard input.
struct Prompt: Sendable {
    /// A value could not be read.
    enum Failure: Error {
        /// Standard input ended before the value.
        case ended
        /// The user pressed Ctrl-C.
        case interrupted
    }

    /// Reads a value. A secret is not shown while it is typed.
    let read: @Sendable (_ label: String, _ isSecret: Bool) throws(Failure) -> String
    /// Whether the values come from a terminal.
    let isInteractive: Bool

    /// The prompt of the process: the terminal if standard input is one, otherwise the lines of standard input.
    static func standard(isInputTerminal: Bool) -> Prompt {
        Prompt(
            read: { label, isSecret throws(Failure) in
                guard isInputTerminal else { return try line() }
                try? POSIX.writeAll(label + ": ", to: STDERR_FILENO)
                return isSecret ? try secret() : try line()
            },
            isInteractive: isInputTerminal
        )
    }

    /// Reads a line of standard input, without its end. Not a byte of the next line is read: it may be for another reader.
    private static func line() throws(Failure) -> String {
        var bytes: [UInt8] = []
        while let byte = nextByte() {
            if byte == UInt8(ascii: "\n") { return text(bytes) }
            bytes.append(byte)
        }
        guard !bytes.isEmpty else { throw .ended }
        return text(bytes)
    }

    /// Reads a line from the terminal without showing it. The terminal is restored in every case.
    private static func secret() throws(Failure) -> String {
        var former = termios()
        guard tcgetattr(STDIN_FILENO, &former) == 0 else { return try line() }
        var silent = former
        // Byte by byte and without signals, so that Ctrl-C does not leave a terminal that shows nothing.
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &former)
            try? POSIX.writeAll("\n", to: STDERR_FILENO)
        }
        var bytes: [UInt8] = []
        while let byte = nextByte() {
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return text(bytes)
            case 3: throw .interrupted
            case 4 where bytes.isEmpty: throw .ended
            case 8, 127:
                // The last character: its continuation bytes and its first byte.
                while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
            case 21: bytes = []
            case 0..<32: break
            default: bytes.append(byte)
            }
        }
        throw .ended
    }

    private static func nextByte() -> UInt8? {
        var byte: UInt8 = 0
        let count = withUnsafeMutableBytes(of: &byte) { buffer in
            (try? POSIX.read(STDIN_FILENO, into: buffer)) ?? 0
        }
        return count == 1 ? byte : nil
    }

    private static func text(_ bytes: [UInt8]) -> String {
        let line = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes[...]
        return String(decoding: line, as: UTF8.self)
    }
}
