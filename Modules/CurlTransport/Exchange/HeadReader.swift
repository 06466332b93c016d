import HTTPTransport

/// Gathers the lines of a response's head, and refuses what is none or too much.
struct HeadReader {
    /// What a line came to.
    enum Step {
        /// More lines follow.
        case more
        /// The head is whole.
        case done
    }

    /// The status of the head being read.
    private(set) var status = 0
    /// Whether the final head is whole; what follows are trailers.
    private(set) var isDone = false
    /// The lines so far, without the status line; empty again when they have been taken.
    private var lines: [UInt8] = []
    private var size = 0
    private var fields = 0
    private var contentLength: ArraySlice<UInt8>?

    /// The lines of the whole head, given away.
    mutating func take() -> HTTPHeaders {
        defer { lines = [] }
        return HTTPHeaders(block: lines)
    }

    /// Takes a line with its end.
    /// - Throws: `HTTPTransportError` for a head over a limit, or a line that is no field.
    mutating func add(_ line: UnsafeRawBufferPointer, _ limits: HTTPLimits) throws(HTTPTransportError) -> Step {
        // Interim answers and trailers count as well: a flood of them is no head either.
        size += line.count
        fields += 1
        guard size <= limits.headerBytes else { throw HeadReader.tooLarge("\(limits.headerBytes) bytes") }
        guard fields <= limits.headerFields else { throw HeadReader.tooLarge("\(limits.headerFields) fields") }
        guard let first = line.first else { return .more }
        if first == UInt8(ascii: "\r") || first == UInt8(ascii: "\n") {
            guard !isDone else { return .more }
            guard status >= 200 || status == 101 else {
                lines.removeAll(keepingCapacity: true)  // an interim answer: the real one follows
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

    /// Refuses a line that is no field: what a client and a proxy read differently is how answers are smuggled.
    private mutating func check(_ line: UnsafeRawBufferPointer, _ first: UInt8) throws(HTTPTransportError) {
        if first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
            guard !lines.isEmpty || isDone else { throw HeadReader.noField("continues a field where there is none") }
            return
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw HeadReader.noField("has no colon") }
        guard colon > 0, line[colon - 1] != UInt8(ascii: " "), line[colon - 1] != UInt8(ascii: "\t") else {
            throw HeadReader.noField("has no name, or a blank before its colon")
        }
        guard !line.contains(0) else { throw HeadReader.noField("holds a NUL") }
        guard !isDone, colon == 14, first | 0x20 == UInt8(ascii: "c"), HeadReader.isContentLength(line) else { return }
        let value = HeadReader.trimmed(line[(colon + 1)...])
        guard !value.isEmpty, value.allSatisfy({ $0 >= 48 && $0 <= 57 }), value.count <= 18 else {
            throw HTTPTransportError(.malformedResponse, detail: "the answer's Content-Length is no length")
        }
        if let contentLength, contentLength != value {
            throw HTTPTransportError(.malformedResponse, detail: "the answer declares two lengths that differ")
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
        HTTPTransportError(.headersTooLarge, detail: "more than \(limit); raise the request's limit if that is right")
    }

    private static func noField(_ why: String) -> HTTPTransportError {
        HTTPTransportError(.malformedResponse, detail: "a line of the answer's head \(why)")
    }
}
