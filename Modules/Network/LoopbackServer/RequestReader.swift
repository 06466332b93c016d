import EssentialFoundation
import TextEscaping

/// The limits of the requests that a server reads. By default a request has no limits: a test may send anything.
public struct RequestLimits: Sendable {
    /// The most bytes of the request line and the header fields; a longer head is refused with status 431.
    public var head: Int
    /// The most bytes of a body; a longer one is refused with status 413.
    public var body: Int
    /// How long a client may take to send a request, or to accept a part of a response; then the connection is closed.
    public var time: Duration?

    /// Creates limits.
    public init(head: Int = .max, body: Int = .max, time: Duration? = nil) {
        (self.head, self.body, self.time) = (head, body, time)
    }
}

/// Reads the requests of a connection.
struct RequestReader {
    /// Why a request is refused, as the status of the response. What follows it cannot be read: the connection is closed.
    struct Refusal: Error {
        let status: Int

        static let malformed = Refusal(status: 400)
        static let bodyTooLarge = Refusal(status: 413)
        static let headTooLarge = Refusal(status: 431)
    }

    /// How the body of a request is framed.
    private enum Framing {
        case length(Int)
        case chunks
    }

    private let connection: Connection
    private let limits: RequestLimits
    private var buffer: [UInt8] = []
    private var start = 0
    private var end: ContinuousClock.Instant?
    /// How many bytes the lines of the present head may still have.
    private var headRest = 0

    init(connection: Connection, limits: RequestLimits) {
        (self.connection, self.limits) = (connection, limits)
        buffer.reserveCapacity(4_096)
    }

    /// Returns the next request; nil if the connection ended.
    ///
    /// - Throws: ``Refusal`` if the request is malformed, its end is not certain, or it is beyond a limit.
    mutating func next() throws(Refusal) -> ServedRequest? {
        buffer.removeFirst(start)
        start = 0
        headRest = limits.head
        end = Connection.instant(after: limits.time)
        guard var first = try line() else { return nil }
        // RFC 9112, section 2.2: some clients send an empty line after a body.
        if first.isEmpty {
            guard let second = try line() else { return nil }
            first = second
        }
        let parts = first.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty, ["HTTP/1.0", "HTTP/1.1"].contains(parts[2]) else {
            throw .malformed
        }
        var request = ServedRequest(
            method: String(parts[0]),
            target: Self.originForm(parts[1]),
            headers: [],
            body: Data(),
            connection: connection.number
        )
        while let field = try line() {
            if field.isEmpty {
                let closes = request.headers.contains { name, value in
                    name.lowercased() == "connection"
                        && value.lowercased().split(separator: ",").contains { Self.trimmed($0) == "close" }
                }
                request.isLast = closes || parts[2] == "HTTP/1.0"
                return try readBody(of: &request) ? request : nil
            }
            guard let colon = field.firstIndex(of: ":") else { throw .malformed }
            let name = field[..<colon]
            // RFC 9112, section 5.1: such a name is read differently by different servers.
            guard !name.contains(where: \.isWhitespace) else { throw .malformed }
            let value = Self.trimmed(field[field.index(after: colon)...])
            request.headers.append((String(name), String(value)))
        }
        return nil
    }

    private mutating func readBody(of request: inout ServedRequest) throws(Refusal) -> Bool {
        let framing = try Self.framing(of: request)
        if case .length(let count) = framing, count > limits.body { throw .bodyTooLarge }
        if request.header("Expect")?.lowercased() == "100-continue" {
            guard connection.send("HTTP/1.1 100 Continue\r\n\r\n") else { return false }
        }
        switch framing {
        case .length(let count):
            guard let body = bytes(count) else { return false }
            request.body = Data(body)
            return true
        case .chunks: return try readChunks(of: &request)
        }
    }

    private mutating func readChunks(of request: inout ServedRequest) throws(Refusal) -> Bool {
        while let size = try line() {
            let digits = Self.trimmed(size.prefix { $0 != ";" })
            guard digits.utf8.allSatisfy({ Hexadecimal.value(ofDigit: $0) != nil }), let count = Int(digits, radix: 16)
            else { throw .malformed }
            if count == 0 {
                while let trailer = try line() { if trailer.isEmpty { return true } }
                return false
            }
            guard count <= limits.body - request.body.count else { throw .bodyTooLarge }
            guard let chunk = bytes(count) else { return false }
            request.body.append(contentsOf: chunk)
            // The lines of the chunks are no part of the head.
            headRest = limits.head
            guard let end = try line() else { return false }
            guard end.isEmpty else { throw .malformed }
        }
        return false
    }

    /// Returns the framing of a request's body.
    ///
    /// - Throws: ``Refusal/malformed`` if a proxy in front of the server could read another one: the rest of the body would then
    ///   be a second request (RFC 9112, section 6.3).
    private static func framing(of request: ServedRequest) throws(Refusal) -> Framing {
        func values(_ name: String) -> [String] {
            request.headers.filter { $0.name.lowercased() == name }.map(\.value)
        }
        let (codings, lengths) = (values("transfer-encoding"), Set(values("content-length")))
        if !codings.isEmpty {
            guard lengths.isEmpty, codings.map({ $0.lowercased() }) == ["chunked"] else { throw .malformed }
            return .chunks
        }
        guard let length = lengths.first else { return .length(0) }
        guard lengths.count == 1, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(length) else {
            throw .malformed
        }
        return .length(count)
    }

    /// Returns the path and query of an absolute target, which every server accepts (RFC 9112, section 3.2.2), and any other
    /// target unchanged.
    private static func originForm(_ target: Substring) -> String {
        guard target.first != "/", let mark = target.firstRange(of: "://"),
            ["http", "https"].contains(target[..<mark.lowerBound].lowercased())
        else { return String(target) }
        let rest = target[mark.upperBound...].drop { $0 != "/" && $0 != "?" }
        return rest.first == "/" ? String(rest) : "/" + rest
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }

    /// Returns the next line; nil if the connection ended.
    private mutating func line() throws(Refusal) -> String? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = buffer[start..<end]
                guard line.count < headRest else { throw .headTooLarge }
                headRest -= line.count + 1
                start = end + 1
                return String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
            }
            searched = buffer.count
            guard searched - start < headRest else { throw .headTooLarge }
            guard fill() else { return nil }
        }
    }

    private mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        while buffer.count - start < count {
            guard fill() else { return nil }
        }
        defer { start += count }
        return buffer[start..<start + count]
    }

    private mutating func fill() -> Bool {
        let (connection, end) = (connection, end)
        return withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 8) { block in
            guard let count = connection.read(into: block, until: end) else { return false }
            buffer.append(contentsOf: block[..<count])
            return true
        }
    }
}
