import HTTPTransport

/// Collects the lines of a response's head, and rejects invalid lines and heads that exceed a limit.
struct HeadReader {
    /// The state of the head after a line.
    enum Step {
        /// More lines follow.
        case more
        /// The head is complete.
        case done
    }

    /// The status of the head that is being read.
    private(set) var status = 0
    /// Whether the final head is complete; the lines after it are trailers.
    private(set) var isDone = false
    /// Whether any line has arrived.
    var hasBegun: Bool { size > 0 }
    /// The lines so far, without the status line; empty again when they have been taken.
    private var lines: [UInt8] = []
    private var size = 0
    private var fields = 0
    private var contentLength: ArraySlice<UInt8>?

    /// Returns the fields of the complete head and releases its lines.
    mutating func take() -> HTTPHeaders {
        defer { lines = [] }
        return HTTPHeaders(block: lines)
    }

    /// Adds a line with its terminator.
    /// - Throws: `HTTPTransportError` for a head that exceeds a limit, or an invalid line.
    mutating func add(_ line: UnsafeRawBufferPointer, _ limits: HTTPLimits) throws(HTTPTransportError) -> Step {
        // Interim responses and trailers count as well, since a server could send any number of them.
        size += line.count
        fields += 1
        guard size <= limits.headerBytes else { throw HeadReader.tooLarge("\(limits.headerBytes) bytes") }
        guard fields <= limits.headerFields else { throw HeadReader.tooLarge("\(limits.headerFields) fields") }
        guard let first = line.first else { return .more }
        if first == UInt8(ascii: "\r") || first == UInt8(ascii: "\n") {
            guard !isDone else { return .more }
            guard status >= 200 || status == 101 else {
                lines.removeAll(keepingCapacity: true)  // an interim response: the final one follows
                contentLength = nil
                return .more
            }
            isDone = true
            return .done
        }
        if !isDone, lines.isEmpty, line.starts(with: [0x48, 0x54, 0x54, 0x50, 0x2f]) {  // HTTP/
            status = HeadReader.status(in: line)
            lines.reserveCapacity(512)
            return .more
        }
        try check(line, first)
        if !isDone { lines.append(contentsOf: line) }
        return .more
    }

    /// Rejects a line that is not a field: lines that clients and proxies parse differently allow response smuggling.
    private mutating func check(_ line: UnsafeRawBufferPointer, _ first: UInt8) throws(HTTPTransportError) {
        if first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
            guard !lines.isEmpty || isDone else { throw HeadReader.malformed("continues a field, but there is none") }
            return
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw HeadReader.malformed("has no colon") }
        guard colon > 0, line[colon - 1] != UInt8(ascii: " "), line[colon - 1] != UInt8(ascii: "\t") else {
            throw HeadReader.malformed("has no name, or a space before its colon")
        }
        guard !line.contains(0) else { throw HeadReader.malformed("contains a NUL") }
        guard !isDone, colon == 14, first | 0x20 == UInt8(ascii: "c"), HeadReader.isContentLength(line) else { return }
        let value = HeadReader.trimmed(line[(colon + 1)...])
        guard !value.isEmpty, value.allSatisfy({ $0 >= 48 && $0 <= 57 }), value.count <= 18 else {
            throw HTTPTransportError(.malformedResponse, detail: "the response's Content-Length is invalid")
        }
        if let contentLength, contentLength != value {
            throw HTTPTransportError(.malformedResponse, detail: "the response has two different Content-Length fields")
        }
        contentLength = value
    }

    private static func isContentLength(_ line: UnsafeRawBufferPointer) -> Bool {
        zip(line, "content-length".utf8).allSatisfy { $0 | 0x20 == $1 | 0x20 }
    }

    private static func trimmed(_ value: Slice<UnsafeRawBufferPointer>) -> ArraySlice<UInt8> {
        var value = Array(value)[...]
        while let first = value.first, first == 0x20 || first == 0x09 { value = value.dropFirst() }
        while let last = value.last, last <= 0x20 { value = value.dropLast() }
        return value
    }

    private static func status(in line: UnsafeRawBufferPointer) -> Int {
        guard let space = line.firstIndex(of: UInt8(ascii: " ")) else { return 0 }
        return line[(space + 1)...].prefix(3).reduce(0) { sum, byte in
            byte >= 48 && byte <= 57 ? sum * 10 + Int(byte - 48) : 0
        }
    }

    private static func tooLarge(_ limit: String) -> HTTPTransportError {
        HTTPTransportError(
            .headersTooLarge,
            detail: "more than \(limit); if that is correct, raise the request's limit"
        )
    }

    private static func malformed(_ reason: String) -> HTTPTransportError {
        HTTPTransportError(.malformedResponse, detail: "a line of the response's head \(reason)")
    }
}
