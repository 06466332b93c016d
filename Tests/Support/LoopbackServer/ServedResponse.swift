#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What the server answers, and how it misbehaves while it does.
public struct ServedResponse: Sendable {
    /// The status code.
    public var status: Int
    /// Header fields, written in this order; the framing fields are added by the server.
    public var headers: [(name: String, value: String)]
    /// The body's bytes.
    public var body: Body
    /// How the body's end is told.
    public var framing: Framing
    /// Waited before the first byte; ends early when the client goes away or the server stops.
    public var delay: Duration
    /// Whether the connection is closed after the answer.
    public var closes: Bool
    /// What goes wrong, if anything does.
    public var fault: Fault?

    /// Creates an answer; without a fault it is a right one.
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
        /// These bytes.
        case data(Data)
        /// `count` bytes of the same value, made while they are sent.
        case repeated(UInt8, count: Int)

        var count: Int {
            switch self {
            case .data(let data): data.count
            case .repeated(_, let count): count
            }
        }
    }

    /// How the end of a body is told to the client.
    public enum Framing: Sendable {
        /// By a Content-Length field.
        case contentLength
        /// By chunks of at most `size` bytes.
        case chunked(size: Int)
        /// By closing the connection.
        case untilClose
    }

    /// An answer of text, `text/plain` in UTF-8 unless told otherwise.
    public static func text(
        _ text: String,
        status: Int = 200,
        contentType: String = "text/plain; charset=utf-8"
    ) -> ServedResponse {
        ServedResponse(status: status, headers: [("Content-Type", contentType)], body: .data(Data(text.utf8)))
    }

    /// An answer of JSON text.
    public static func json(_ text: String, status: Int = 200) -> ServedResponse {
        .text(text, status: status, contentType: "application/json")
    }

    /// An answer of bytes with their media type.
    public static func data(_ data: Data, contentType: String, status: Int = 200) -> ServedResponse {
        ServedResponse(status: status, headers: [("Content-Type", contentType)], body: .data(data))
    }

    /// An answer that misbehaves, over a body that would have been right.
    public static func failing(_ fault: Fault, body: Data = Data()) -> ServedResponse {
        ServedResponse(body: .data(body), fault: fault)
    }
}
