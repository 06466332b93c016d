import EssentialFoundation
import HTTPTransport
import NetworkProvider

/// The parts of a response's head that the rules of freshness use; parsed once, when the response is received, and
/// stored.
struct StoredHead: Sendable, Equatable {
    let status: Int
    /// When the request was sent, in seconds since 1970 by the local clock.
    let requestTime: Double
    /// When the head was received.
    let responseTime: Double
    /// The response's directives.
    let control: CacheControl
    /// The response's Date, or the time when it was received (RFC 9110, section 6.6.1).
    let date: Double
    /// The seconds in its Age field; 0 without one.
    let ageField: Int
    /// How long the response is fresh, in seconds (section 4.2.1).
    let lifetime: Double
    /// Whether the response set a cookie; the field itself is not stored.
    let setsCookie: Bool

    /// Returns the age at a time, in seconds (section 4.2.3).
    ///
    /// If the clock was set back by more than a minute, the age is not known, and the response counts as very old.
    func age(at now: Double) -> Double {
        guard !isAhead(of: now) else { return Double(CacheControl.longest) }
        let apparentAge = max(0, responseTime - date)
        let correctedAge = Double(ageField) + max(0, responseTime - requestTime)
        return max(apparentAge, correctedAge) + max(0, now - responseTime)
    }

    /// Returns whether the response was received at a later time by the clock, which was set back since.
    private func isAhead(of now: Double) -> Bool { now < responseTime - 60 }

    /// Returns whether this response is newer than one that is complete only now (section 4: the latest Date).
    ///
    /// A response whose request was sent after this one had arrived is newer whatever its Date says, since a server's
    /// clock may be wrong. So may the local one have been, when this response was received.
    func hasOvertaken(_ other: StoredHead, at now: Double) -> Bool {
        !isAhead(of: now) && responseTime > other.requestTime
            && (date, requestTime) > (other.date, other.requestTime)
    }
}

extension StoredHead {
    /// Parses the fields of a response. `hadCookie` says whether an earlier response, which it renews, set a cookie.
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
        let date =
            headers.values(.date).first.flatMap { HTTPDate.date($0, now: came) }?.timeIntervalSince1970 ?? responseTime
        let setsCookie = hadCookie || headers.contains(.setCookie)
        self.init(
            status: status,
            requestTime: requestTime,
            responseTime: responseTime,
            control: control,
            date: date,
            ageField: ageField,
            lifetime: rules.lifetime(status, headers, control, date: date, mayGuess: !setsCookie, receivedAt: came),
            setsCookie: setsCookie
        )
    }

    /// Parses the head of a response that was just received.
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

    /// Returns the first Age if it is a number (section 5.1), otherwise 0.
    static func ageField(_ headers: HTTPHeaders) -> Int {
        guard let text = headers.values(.age).first else { return 0 }
        return CacheControl.seconds(text.prefix { $0 != "," }.filter { $0 != " " && $0 != "\t" }) ?? 0
    }
}

/// Decides which fields of a response are stored, and how a later response renews them.
enum CachedFields {
    /// Fields of the connection (RFC 9110, section 7.6.1), of a proxy (section 11.7), secrets that must not be
    /// returned again, and Age, which is computed.
    private static let dropped: Set<String> = [
        "connection", "proxy-connection", "keep-alive", "te", "transfer-encoding", "upgrade", "proxy-authenticate",
        "proxy-authentication-info", "proxy-authorization", "set-cookie", "set-cookie2", "authentication-info", "age",
    ]

    /// Fields about the stored bytes, which a response without a body cannot change (RFC 9111, section 3.2): some
    /// servers send another type with a 304.
    private static let ofTheBody: Set<String> = [
        "content-length", "content-encoding", "content-range", "content-type",
    ]

    /// Returns the fields to store (section 3.1), with a Date if it is missing.
    static func stored(of headers: HTTPHeaders, receivedAt time: Double) -> HTTPHeaders {
        let fields = headers.fields
        let named = connectionOptions(headers)
        var kept = HTTPHeaders(fields.filter { !isDropped($0.name.lowercased(), named) })
        if !kept.contains("date") { kept.append("Date", HTTPDate.text(of: time)) }
        return kept
    }

    /// Returns stored fields renewed by those of a 304 or of a response to HEAD (section 3.2).
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
