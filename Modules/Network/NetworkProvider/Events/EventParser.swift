/// Parses the bytes of an event stream (WHATWG HTML, section 9.2.6).
struct EventParser {
    /// An event or a line is larger than the limit.
    struct Overflow: Error {
        /// The events before it that end in the same bytes.
        var events: [ServerSentEvent] = []
    }

    /// The ID for the `Last-Event-ID` of the next connection.
    private(set) var lastID: String
    /// The delay that the server requires before the next connection; nil if it has sent none.
    private(set) var retry: Duration?

    /// Whether a line has arrived on this connection, such as an event or a comment that shows that the server is alive.
    private(set) var hasReadLine = false

    private let limit: Int
    private var splitter: LineSplitter
    private var isFirstLine = true
    private var type = ""
    private var data: [UInt8] = []
    private var hasData = false
    private var id: String

    /// Begins a connection: an incomplete event of an earlier one is discarded, its ID remains.
    init(limit: Int, lastID: String = "", retry: Duration? = nil) {
        self.limit = limit
        self.lastID = lastID
        self.retry = retry
        id = lastID
        splitter = LineSplitter(limit: limit)
    }

    /// Returns the events that end in these bytes.
    mutating func events(in bytes: some Sequence<UInt8>) throws(Overflow) -> [ServerSentEvent] {
        var lines: [[UInt8]] = []
        var isTooLong = false
        do throws(LineSplitter.Overflow) {
            try splitter.split(bytes) { lines.append($0) }
        } catch {
            isTooLong = true
        }
        hasReadLine = hasReadLine || !lines.isEmpty
        var events: [ServerSentEvent] = []
        for line in lines {
            do throws(Overflow) {
                if let event = try take(line) { events.append(event) }
            } catch {
                throw Overflow(events: events)
            }
        }
        guard !isTooLong else { throw Overflow(events: events) }
        return events
    }

    private mutating func take(_ line: [UInt8]) throws(Overflow) -> ServerSentEvent? {
        var line = line[...]
        if isFirstLine {
            isFirstLine = false
            if line.starts(with: [0xef, 0xbb, 0xbf]) { line = line.dropFirst(3) }
        }
        guard !line.isEmpty else { return dispatch() }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "event": type = String(decoding: value, as: UTF8.self)
        case "data":
            guard data.count + value.count < limit else { throw Overflow() }
            if hasData { data.append(UInt8(ascii: "\n")) }
            hasData = true
            data += value
        // An ID with a NUL or another control character, which cannot be sent in a field, and a delay that is not a
        // number are ignored.
        case "id" where !value.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7f }):
            id = String(decoding: value, as: UTF8.self)
        case "retry" where !value.isEmpty && value.allSatisfy { (0x30...0x39).contains($0) }:
            retry = .milliseconds(Int64(String(decoding: value, as: UTF8.self)) ?? Int64(Int32.max))
        default: break
        }
        return nil
    }

    private mutating func dispatch() -> ServerSentEvent? {
        defer { (type, data, hasData) = ("", [], false) }
        // The ID is valid from here on, even without an event.
        lastID = id
        guard hasData else { return nil }
        return ServerSentEvent(
            type: type.isEmpty ? "message" : type,
            data: String(decoding: data, as: UTF8.self),
            id: lastID
        )
    }
}
