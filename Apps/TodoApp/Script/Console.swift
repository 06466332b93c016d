import SystemCalls
import TextEscaping
import Threading

/// The input and output of commands.
struct Console: Sendable {
    /// Writes text in UTF-8 to standard output. Returns false if a part of it could not be written.
    let write: @Sendable (UnsafeRawBufferPointer) -> Bool
    /// Writes text to standard error.
    let complain: @Sendable (String) -> Void
    /// Reads at most `limit` bytes of standard input.
    let read: @Sendable (_ limit: Int) -> [UInt8]
    /// Whether standard error is a terminal, where a line can be replaced by another one.
    var isErrorTerminal = false

    /// The standard streams of the process.
    static let standard = Console(
        write: { put($0, to: STDOUT_FILENO) },
        complain: { text in _ = Array(text.utf8).withUnsafeBytes { put($0, to: STDERR_FILENO) } },
        read: { take($0) },
        isErrorTerminal: isatty(STDERR_FILENO) == 1
    )

    /// The lines of standard input, read on a dedicated thread, so that no task waits for the user.
    static func inputLines() -> AsyncStream<String> {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        let read: @Sendable () -> Void = {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
        do { try SystemThread.detach(read) } catch { continuation.finish() }
        return lines
    }

    /// The maximum number of characters of a line to standard error.
    private static let noteLimit = 2_000

    /// Writes a message to standard error, with control characters escaped.
    func note(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        complain(lines.map { $0.escapingControls(limit: Self.noteLimit) + "\n" }.joined())
    }

    /// Replaces the last line of standard error by another one; an empty text removes it.
    func replaceLine(_ text: String) { complain("\r\u{1B}[K" + text.escapingControls(limit: 200)) }

    private static func put(_ text: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var rest = text[...]
        while !rest.isEmpty {
            let count = systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EPIPE {
                // The reader, such as `head`, has what it wants.
                return true
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    private static func take(_ limit: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < limit {
            let wanted = min(buffer.count, limit - bytes.count)
            let count = buffer.withUnsafeMutableBytes { systemRead(STDIN_FILENO, $0.baseAddress, wanted) }
            if count > 0 {
                bytes += buffer[..<count]
            } else if count == 0 || errno != EINTR {
                break
            }
        }
        return bytes
    }
}

// The members of the type hide the system's functions of the same name.
private let systemWrite = write as @Sendable (Int32, UnsafeRawPointer?, Int) -> Int
private let systemRead = read as @Sendable (Int32, UnsafeMutableRawPointer?, Int) -> Int
