/// The lines of a body, read once by one reader.
public struct HTTPBodyLines: AsyncSequence, Sendable {
    /// A line without its line break.
    public typealias Element = String
    /// A failure of the body, or `bodyTooLarge` for a line over the limit.
    public typealias Failure = HTTPTransportError

    let body: HTTPResponseBody
    let limit: Int

    /// Begins to read.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(body: body, pieces: body.makeAsyncIterator(), splitter: LineSplitter(limit: limit), limit: limit)
    }

    /// Returns the lines in their order.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// A failure of the body.
        public typealias Failure = HTTPTransportError

        let body: HTTPResponseBody
        var pieces: HTTPResponseBody.AsyncIterator
        var splitter: LineSplitter
        let limit: Int
        var ready: [String] = []
        var isFinished = false
        /// Whether a line over the limit follows the lines that are ready.
        var isTooLong = false

        /// Returns the next line; nil at the end.
        public mutating func next() async throws(HTTPTransportError) -> String? {
            while ready.isEmpty, !isFinished {
                if isTooLong { throw .bodyTooLarge(limit: limit) }
                guard let piece = try await pieces.next() else {
                    isFinished = true
                    return splitter.rest().map { String(decoding: $0, as: UTF8.self) }
                }
                var lines: [String] = []
                do throws(LineSplitter.Overflow) {
                    try splitter.split(piece) { lines.append(String(decoding: $0, as: UTF8.self)) }
                } catch {
                    body.cancel()
                    isTooLong = true
                }
                // In reverse order, so that removing one takes constant time.
                ready = lines.reversed()
            }
            return ready.popLast()
        }
    }
}

extension HTTPResponseBody {
    /// Returns the body's lines as they arrive, without line breaks (LF, CR LF or CR); invalid UTF-8 is replaced.
    /// - Parameter limit: the maximum size of a line, in bytes; a longer one fails.
    /// - Returns: the lines, to be read once in place of the body.
    public func lines(upTo limit: Int = 1 << 20) -> HTTPBodyLines { HTTPBodyLines(body: self, limit: limit) }
}

/// Divides bytes into lines that end with LF, CR LF or CR.
struct LineSplitter {
    /// A line is larger than the limit.
    struct Overflow: Error {}

    private let limit: Int
    private var line: [UInt8] = []
    private var isAfterReturn = false

    /// Begins a text; `limit` is the maximum size of a line, in bytes.
    init(limit: Int) { self.limit = limit }

    /// Calls `take` with each line that ends in these bytes.
    mutating func split(_ bytes: some Sequence<UInt8>, _ take: ([UInt8]) -> Void) throws(Overflow) {
        for byte in bytes {
            defer { isAfterReturn = byte == UInt8(ascii: "\r") }
            switch byte {
            // The second half of a CR LF, which may come in another piece than the first.
            case UInt8(ascii: "\n") where isAfterReturn: break
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                take(line)
                line.removeAll(keepingCapacity: true)
            default:
                guard line.count < limit else { throw Overflow() }
                line.append(byte)
            }
        }
    }

    /// Returns the text after the last line break; nil if it is empty.
    mutating func rest() -> [UInt8]? {
        defer { line = [] }
        return line.isEmpty ? nil : line
    }
}
