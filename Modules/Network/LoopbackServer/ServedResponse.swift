public import EssentialFoundation

/// A response of the server, correct or with a fault.
public struct ServedResponse: Sendable {
    /// The status code.
    public var status: Int
    /// Header fields, written in this order; the framing fields are added by the server.
    public var headers: [(name: String, value: String)]
    /// The body.
    public var body: Body
    /// The framing of the body.
    public var framing: Framing
    /// The delay before the first byte; it ends early if the client resets the connection or the server stops.
    public var delay: Duration
    /// Whether the connection is closed after the response.
    public var closes: Bool
    /// The fault; nil for a correct response.
    public var fault: Fault?

    /// Creates a response.
    public init(
        status: Int = 200,
        headers: [(name: String, value: String)] = [],
        body: Body = .data(Data()),
        framing: Framing = .contentLength,
        delay: Duration = .zero,
        closes: Bool = false,
        fault: Fault? = nil
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.framing = framing
        self.delay = delay
        self.closes = closes
        self.fault = fault
    }
}

extension ServedResponse {
    /// The bytes of a body.
    public enum Body: Sendable {
        /// Bytes in memory.
        case data(Data)
        /// `count` bytes of the same value, produced while they are sent; none if it is negative.
        case repeated(UInt8, count: Int)

        var count: Int {
            switch self {
            case .data(let data): data.count
            case .repeated(_, let count): max(count, 0)
            }
        }
    }

    /// The framing of a body.
    public enum Framing: Sendable {
        /// A Content-Length field.
        case contentLength
        /// Chunks of at most `size` bytes.
        case chunked(size: Int)
        /// The end of the connection.
        case untilClose
    }

    /// Returns a response with a text, by default `text/plain` in UTF-8.
    public static func text(
        _ text: String,
        status: Int = 200,
        contentType: String = "text/plain; charset=utf-8"
    ) -> ServedResponse {
        ServedResponse(status: status, headers: [("Content-Type", contentType)], body: .data(Data(text.utf8)))
    }

    /// Returns a response with JSON text.
    public static func json(_ text: String, status: Int = 200) -> ServedResponse {
        .text(text, status: status, contentType: "application/json")
    }

    /// Returns a response with bytes and their media type.
    public static func data(_ data: Data, contentType: String, status: Int = 200) -> ServedResponse {
        ServedResponse(status: status, headers: [("Content-Type", contentType)], body: .data(data))
    }

    /// Returns a response with a fault.
    public static func failing(_ fault: Fault, body: Data = Data()) -> ServedResponse {
        ServedResponse(body: .data(body), fault: fault)
    }
}
