import EssentialFoundation

/// Reads the requests of a connection.
struct RequestReader {
    private let connection: Connection
    private var buffer: [UInt8] = []
    private var start = 0

    init(connection: Connection) {
        self.connection = connection
        buffer.reserveCapacity(4_096)
    }

    /// Returns the next request; nil if the connection ended or the request is malformed.
    mutating func next() -> ServedRequest? {
        buffer.removeFirst(start)
        start = 0
        guard let first = line(), !first.isEmpty else { return nil }
        let parts = first.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var request = ServedRequest(
            method: String(parts[0]),
            target: String(parts[1]),
            headers: [],
            body: Data(),
            connection: connection.number
        )
        while let field = line() {
            if field.isEmpty { return readBody(of: &request) ? request : nil }
            guard let colon = field.firstIndex(of: ":") else { return nil }
            let value = field[field.index(after: colon)...]
            request.headers.append((String(field[..<colon]), String(value.drop { $0 == " " || $0 == "\t" })))
        }
        return nil
    }

    private mutating func readBody(of request: inout ServedRequest) -> Bool {
        if request.header("Expect")?.lowercased() == "100-continue" {
            guard connection.send("HTTP/1.1 100 Continue\r\n\r\n") else { return false }
        }
        if request.header("Transfer-Encoding")?.lowercased() == "chunked" {
            while let size = line() {
                guard let count = Int(size.prefix { $0 != ";" }, radix: 16) else { return false }
                if count == 0 {
                    while let trailer = line() { if trailer.isEmpty { return true } }
                    return false
                }
                guard let chunk = bytes(count), line() != nil else { return false }
                request.body.append(contentsOf: chunk)
            }
            return false
        }
        let count = request.header("Content-Length").flatMap { Int($0) } ?? 0
        guard let body = bytes(count) else { return false }
        request.body = Data(body)
        return true
    }

    private mutating func line() -> String? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = buffer[start..<end]
                start = end + 1
                return String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
            }
            searched = buffer.count
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
        let connection = connection
        return withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 8) { block in
            guard let count = connection.read(into: block) else { return false }
            buffer.append(contentsOf: block[..<count])
            return true
        }
    }
}
