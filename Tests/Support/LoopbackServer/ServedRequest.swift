#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// One request as it came over the socket.
public struct ServedRequest: Sendable {
    /// The method token, as sent.
    public var method: String
    /// The request target, undecoded: path and query exactly as the client wrote them.
    public var target: String
    /// The header fields in the order of arrival, names as sent.
    public var headers: [(name: String, value: String)]
    /// The whole body, transfer coding removed.
    public var body: Data
    /// The number of the connection that carried it, counted from 0: equal numbers mean a reused connection.
    public var connection: Int

    /// The path without its query, percent-decoded.
    public var path: String {
        PercentDecoding.decode(target.prefix { $0 != "?" })
    }

    /// The query as sent, without the question mark; nil when there is none.
    public var query: String? {
        guard let mark = target.firstIndex(of: "?") else { return nil }
        return String(target[target.index(after: mark)...])
    }

    /// The query's pairs in order, decoded as HTML forms are (`+` is a space).
    public var queryItems: [(name: String, value: String)] {
        ServedRequest.formItems(query ?? "")
    }

    /// The first value of a header field; the name's case does not matter.
    public func header(_ name: String) -> String? {
        let wanted = name.lowercased()
        return headers.first { $0.name.lowercased() == wanted }?.value
    }

    /// The pairs of a form-urlencoded text, in order and decoded.
    public static func formItems(_ text: String) -> [(name: String, value: String)] {
        text.split(separator: "&").map { pair in
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (decode(halves[0]), halves.count > 1 ? decode(halves[1]) : "")
        }
    }

    private static func decode(_ text: Substring) -> String {
        PercentDecoding.decode(text, plusIsSpace: true)
    }
}
