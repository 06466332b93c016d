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

extension HTTPDate {
    private static let weekdayNames = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// A time in seconds since 1970 as HTTP writes it, such as `Sun, 06 Nov 1994 08:49:37 GMT`; years 1970 to 9999.
    ///
    /// The days are reckoned by Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms".
    static func text(of time: Double) -> String {
        let seconds = Int(min(max(time, 0), 253_402_300_799))
        let days = seconds / 86_400
        let shifted = days + 719_468
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * part + 2) / 5 + 1
        let month = part < 10 ? part + 3 : part - 9
        let year = yearOfEra + shifted / 146_097 * 400 + (month <= 2 ? 1 : 0)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let clock = [seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60].map(two).joined(separator: ":")
        let fullYear = String(repeating: "0", count: max(0, 4 - "\(year)".count)) + "\(year)"
        return "\(weekdayNames[days % 7]), \(two(day)) \(monthNames[month - 1]) \(fullYear) \(clock) GMT"
    }
}
