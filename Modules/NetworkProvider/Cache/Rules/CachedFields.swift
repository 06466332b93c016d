#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Which fields of an answer are kept, and how a later answer renews them.
enum CachedFields {
    /// Fields of the connection (RFC 9110, section 7.6.1), of a proxy (section 11.7), those that would hand a secret
    /// out a second time, and Age, which is told anew each time.
    private static let dropped: Set<String> = [
        "connection", "proxy-connection", "keep-alive", "te", "transfer-encoding", "upgrade", "proxy-authenticate",
        "proxy-authentication-info", "proxy-authorization", "set-cookie", "set-cookie2", "authentication-info", "age",
    ]

    /// Fields that speak of the stored bytes, which an answer without a body cannot change (RFC 9111, section 3.2): some
    /// servers send a type of their own with a 304.
    private static let ofTheBody: Set<String> = [
        "content-length", "content-encoding", "content-range", "content-type",
    ]

    /// The fields to keep (section 3.1), with a Date where there was none.
    static func kept(of headers: HTTPHeaders, receivedAt time: Double) -> HTTPHeaders {
        let fields = headers.fields
        let named = connectionOptions(headers)
        var kept = HTTPHeaders(fields.filter { !isDropped($0.name.lowercased(), named) })
        if !kept.contains("date") { kept.append("Date", HTTPDate.text(of: time)) }
        return kept
    }

    /// Stored fields renewed by those of a 304, or of an answer to HEAD (section 3.2).
    static func renewed(_ stored: HTTPHeaders, by update: HTTPHeaders, receivedAt time: Double) -> HTTPHeaders {
        let named = connectionOptions(update)
        var newer = HTTPHeaders(
            update.fields.filter { field in
                let name = field.name.lowercased()
                return !isDropped(name, named) && !ofTheBody.contains(name)
            }
        )
        if !newer.contains("date") { newer.append("Date", HTTPDate.text(of: time)) }
        return stored.merging(newer)
    }

    private static func connectionOptions(_ headers: HTTPHeaders) -> Set<String> {
        guard headers.contains("connection") else { return [] }
        return Set(headers.list("connection").map { $0.lowercased() })
    }

    private static func isDropped(_ name: String, _ connection: Set<String>) -> Bool {
        dropped.contains(name) || connection.contains(name)
    }
}
