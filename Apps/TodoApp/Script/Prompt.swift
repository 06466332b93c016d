import SystemCalls
import TerminalUI

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

    /// Reads a value for a command. If standard input ends before it, a text names what should be there.
    func value(_ label: String, isSecret: Bool, missing: (_ label: String) -> String) throws(ScriptFailure) -> String {
        do throws(Failure) { return try read(label, isSecret) } catch {
            switch error {
            case .interrupted: throw ScriptFailure(.interrupted, nil)
            case .ended: throw ScriptFailure(.usage, missing(label))
            }
        }
    }

    /// The prompt of the process: the terminal if standard input is one, otherwise the lines of standard input.
    static func standard(isInputTerminal: Bool) -> Prompt {
        Prompt(
            read: { label, isSecret throws(Failure) in
                guard isInputTerminal else { return try line() }
                let label = label + ": "
                if isSecret { return try secret(label) }
                try? POSIX.writeAll(label, to: STDERR_FILENO)
                return try line()
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

    /// Reads a line from the terminal without showing it, and ends the line of the label.
    private static func secret(_ label: String) throws(Failure) -> String {
        defer { try? POSIX.writeAll("\n", to: STDERR_FILENO) }
        do throws(SecretLine.Failure) {
            return try SecretLine.read(label)
        } catch {
            switch error {
            case .interrupted: throw .interrupted
            case .ended, .unavailable: throw .ended
            }
        }
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
