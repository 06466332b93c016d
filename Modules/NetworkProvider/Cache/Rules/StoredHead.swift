#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An answer's head with the times that its age is reckoned from.
struct StoredHead {
    let status: Int
    let headers: HTTPHeaders
    /// When the request was sent, in seconds since 1970 by this machine's clock.
    let requestTime: Double
    /// When the head had come.
    let responseTime: Double
    /// Its own directives.
    let control: CacheControl
    /// Its Date, or where it has none the time when it came (RFC 9110, section 6.6.1).
    let date: Double
    /// Whether it came with a cookie; the field itself is not kept.
    let setsCookie: Bool
    /// Its age when it came (section 4.2.3), in seconds.
    private let initialAge: Double

    init(
        status: Int,
        headers: HTTPHeaders,
        requestTime: Double,
        responseTime: Double,
        ageField: Int,
        setsCookie: Bool
    ) {
        self.status = status
        self.headers = headers
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.setsCookie = setsCookie
        control = CacheControl(headers)
        let came = Date(timeIntervalSince1970: responseTime)
        date = headers["date"].flatMap { HTTPDate.date($0, now: came) }?.timeIntervalSince1970 ?? responseTime
        let apparentAge = max(0, responseTime - date)
        let correctedAge = Double(ageField) + max(0, responseTime - requestTime)
        initialAge = max(apparentAge, correctedAge)
    }

    /// The time when it came, as a date.
    var responseDate: Date { Date(timeIntervalSince1970: responseTime) }

    /// The age at a time, in seconds.
    ///
    /// An answer from the future, by a clock that has been set back by more than a minute, is as old as can be: nobody
    /// knows how long it has lain here.
    func age(at now: Double) -> Double {
        guard now >= responseTime - 60 else { return Double(CacheControl.longest) }
        return initialAge + max(0, now - responseTime)
    }

    /// The head of an answer that has just come.
    init(_ head: HTTPResponseHead, requestTime: Double, responseTime: Double) {
        self.init(
            status: head.status,
            headers: head.headers,
            requestTime: requestTime,
            responseTime: responseTime,
            ageField: StoredHead.ageField(head.headers),
            setsCookie: head.headers.contains("set-cookie")
        )
    }

    /// The first Age, where it is a number (section 5.1); else 0.
    static func ageField(_ headers: HTTPHeaders) -> Int {
        guard let text = headers["age"] else { return 0 }
        return CacheControl.seconds(text.prefix { $0 != "," }.filter { $0 != " " && $0 != "\t" }) ?? 0
    }
}
