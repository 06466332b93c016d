import HTTPTransport
import NetworkProvider

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What of an answer's head its use is reckoned from: read from the fields once, when it comes, and kept with it.
struct StoredHead: Sendable, Equatable {
    let status: Int
    /// When the request was sent, in seconds since 1970 by this machine's clock.
    let requestTime: Double
    /// When the head had come.
    let responseTime: Double
    /// Its own directives.
    let control: CacheControl
    /// Its Date, or where it has none the time when it came (RFC 9110, section 6.6.1).
    let date: Double
    /// The seconds that its Age field told; 0 without one.
    let ageField: Int
    /// How long it is fresh, in seconds (section 4.2.1).
    let lifetime: Double
    /// Whether it came with a cookie; the field itself is not kept.
    let setsCookie: Bool

    /// The age at a time, in seconds (section 4.2.3).
    ///
    /// An answer from the future, by a clock that has been set back by more than a minute, is as old as can be: nobody
    /// knows how long it has lain here.
    func age(at now: Double) -> Double {
        guard now >= responseTime - 60 else { return Double(CacheControl.longest) }
        let apparentAge = max(0, responseTime - date)
        let correctedAge = Double(ageField) + max(0, responseTime - requestTime)
        return max(apparentAge, correctedAge) + max(0, now - responseTime)
    }
}

extension StoredHead {
    /// Reads the fields of an answer. `hadCookie` tells whether an earlier one, which it renews, came with a cookie.
    init(
        _ status: Int,
        _ headers: HTTPHeaders,
        requestTime: Double,
        responseTime: Double,
        ageField: Int,
        hadCookie: Bool = false,
        _ rules: CacheRules
    ) {
        let control = CacheControl(headers)
        let came = Date(timeIntervalSince1970: responseTime)
        let date = headers["date"].flatMap { HTTPDate.date($0, now: came) }?.timeIntervalSince1970 ?? responseTime
        let setsCookie = hadCookie || headers.contains("set-cookie")
        self.init(
            status: status,
            requestTime: requestTime,
            responseTime: responseTime,
            control: control,
            date: date,
            ageField: ageField,
            lifetime: rules.lifetime(
                status,
                headers,
                control,
                date: date,
                mayGuess: !setsCookie,
                receivedAt: came
            ),
            setsCookie: setsCookie
        )
    }

    /// Reads the head of an answer that has just come.
    init(_ head: HTTPResponseHead, requestTime: Double, responseTime: Double, _ rules: CacheRules) {
        self.init(
            head.status,
            head.headers,
            requestTime: requestTime,
            responseTime: responseTime,
            ageField: StoredHead.ageField(head.headers),
            rules
        )
    }

    /// The first Age, where it is a number (section 5.1); else 0.
    static func ageField(_ headers: HTTPHeaders) -> Int {
        guard let text = headers["age"] else { return 0 }
        return CacheControl.seconds(text.prefix { $0 != "," }.filter { $0 != " " && $0 != "\t" }) ?? 0
    }
}

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
