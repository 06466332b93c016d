public import EssentialFoundation
import TextEscaping

/// A request as it was received.
public struct ServedRequest: Sendable {
    /// The method token, as sent.
    public var method: String
    /// The request target: path and query as the client sent them, not decoded, also of an absolute target.
    public var target: String
    /// The header fields in the order of arrival.
    public var headers: [(name: String, value: String)]
    /// The complete body, without its transfer coding.
    public var body: Data
    /// The number of the connection, counted from 0: equal numbers mean a reused connection.
    public var connection: Int
    /// Whether the client wants the connection to be closed after the response (RFC 9112, section 9.3).
    var isLast = false

    /// The path without its query, percent-decoded.
    public var path: String { PercentEncoding.decode(target.prefix { $0 != "?" }) }

    /// The query as it was sent, without the question mark; nil if there is no query.
    public var query: String? {
        guard let mark = target.firstIndex(of: "?") else { return nil }
        return String(target[target.index(after: mark)...])
    }

    /// The pairs of the query in order, decoded like an HTML form (`+` is a space).
    public var queryItems: [(name: String, value: String)] { ServedRequest.formItems(query ?? "") }

    /// Returns the first value of a header field, without regard to the name's case.
    public func header(_ name: String) -> String? {
        let wanted = name.lowercased()
        return headers.first { $0.name.lowercased() == wanted }?.value
    }

    /// Returns the pairs of a form-urlencoded text, in order and decoded.
    public static func formItems(_ text: String) -> [(name: String, value: String)] {
        text.split(separator: "&").map { pair in
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (decode(halves[0]), halves.count > 1 ? decode(halves[1]) : "")
        }
    }

    private static func decode(_ text: Substring) -> String {
        PercentEncoding.decode(text, plusIsSpace: true)
    }
}
