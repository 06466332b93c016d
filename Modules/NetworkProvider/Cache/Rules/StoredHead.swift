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
