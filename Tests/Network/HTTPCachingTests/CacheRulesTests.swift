import Foundation
import HTTPTransport
import TestSupport
import Testing

@testable import HTTPCaching
@testable import NetworkProvider

@Suite("Cache: the rules of RFC 9111")
struct CacheRulesTests {
    private static let start = 1_790_000_000.0
    private static let rules = CacheRules()

    private static func date(_ offset: Double) -> String { HTTPDate.text(of: start + offset) }

    /// A response that was received at the start, `delay` seconds after its request was sent.
    private static func response(
        _ fields: KeyValuePairs<String, String>,
        status: Int = 200,
        delay: Double = 0
    ) -> Answer {
        let headers = HTTPHeaders(fields.map { HTTPHeaders.Field(name: $0.key, value: $0.value) })
        let head = HTTPResponseHead(status: status, headers: headers, url: URL(fileURLWithPath: "/"))
        return Answer(headers: headers, head: StoredHead(head, requestTime: start - delay, responseTime: start, rules))
    }

    private static let directivesCases: [(String, CacheControl)] = [
        ("max-age=60", CacheControl.with { $0.maxAge = 60 }),
        ("MAX-AGE=60 , No-Store", CacheControl.with { ($0.maxAge, $0.noStore) = (60, true) }),
        ("max-age=\"60\"", CacheControl.with { $0.maxAge = 60 }),
        ("max-age = 60", CacheControl.with { $0.maxAge = 60 }),
        ("max-age=60, max-age=30", CacheControl.with { $0.maxAge = 30 }),
        ("max-age=60, max-age=x", CacheControl.with { $0.maxAge = 0 }),
        ("max-age=-1", CacheControl.with { $0.maxAge = 0 }), ("max-age", CacheControl.with { $0.maxAge = 0 }),
        ("max-age=1.5", CacheControl.with { $0.maxAge = 0 }),
        ("max-age=99999999999999999999", CacheControl.with { $0.maxAge = Int(Int32.max) }),
        ("no-cache=\"set-cookie, max-age=5\", max-age=7", CacheControl.with { ($0.noCache, $0.maxAge) = (true, 7) }),
        ("x=\"a\\\"b, no-store\", public", CacheControl.with { $0.isPublic = true }),
        ("x=\"no end, no-store", CacheControl.with { _ in }),
        ("max-age=60;no-store", CacheControl.with { $0.maxAge = 0 }),
        (",,  ,private,", CacheControl.with { $0.isPrivate = true }),
        ("no-storex, xno-store, s-maxage=5", CacheControl.with { _ in }),
        ("max-stale", CacheControl.with { $0.maxStale = CacheControl.longest }),
        ("max-stale=5, max-stale", CacheControl.with { $0.maxStale = 5 }),
        ("max-stale=x", CacheControl.with { $0.maxStale = 0 }),
        ("min-fresh=5, min-fresh=9", CacheControl.with { $0.minFresh = 9 }),
        ("min-fresh=x", CacheControl.with { $0.minFresh = CacheControl.longest }),
        (
            "only-if-cached, immutable, must-revalidate",
            .with { ($0.onlyIfCached, $0.isImmutable, $0.mustRevalidate) = (true, true, true) }
        ),
        (
            "stale-if-error=3, stale-while-revalidate=4",
            .with { ($0.staleIfError, $0.staleWhileRevalidate) = (3, 4) }
        ),
        ("must-understand, no-store", CacheControl.with { ($0.mustUnderstand, $0.noStore) = (true, true) }),
        ("", CacheControl.with { _ in }),
        (
            "min-fresh=5, min-fresh=3, max-stale=7, max-stale, max-stale=9",
            .with { ($0.minFresh, $0.maxStale) = (5, 7) }
        ),
        (#"private="a\", max-age=9", max-age="\7", max-age=8"#, .with { ($0.isPrivate, $0.maxAge) = (true, 7) }),
    ]

    @Test("5.2 Directives: case, spaces, quotes, repetition, invalid numbers")
    func directives() {
        for (text, expected) in Self.directivesCases {
            #expect(CacheControl(text) == expected, "\(text)")
        }
        // As they are stored.
        for flags in 0...UInt16.max {
            let read = CacheControl(flags: flags, maxAge: 1, staleIfError: nil, staleWhileRevalidate: 3)
            #expect(
                read.map { [Int($0.flags)] + $0.numbers.map { $0 ?? -1 } }
                    == (flags < 128 ? [Int(flags), 1, -1, 3] : nil)
            )
            if flags > 600 { break }
        }
    }

    @Test("A ticket is current until its key or all are invalidated, whatever other tickets there were")
    func tickets() {
        let changes = CacheChanges()
        let old = changes.ticket("a")
        for round in 1...3 {
            let (held, other) = (changes.ticket("a"), changes.ticket("b"))
            do { _ = changes.ticket("a") }
            #expect(held.isCurrent && other.isCurrent && old.isCurrent == false || round == 1 && old.isCurrent)
            changes.invalidate("a")
            #expect(!held.isCurrent && !old.isCurrent && other.isCurrent)
            let (next, third) = (changes.ticket("a"), changes.ticket("c"))
            #expect(next.isCurrent && third.isCurrent)
            changes.invalidateAll()
            #expect(![held, other, next, third, old].contains { $0.isCurrent })
            let last = (changes.ticket("a"), changes.ticket("b"))
            #expect(last.0.isCurrent && last.1.isCurrent)
            changes.invalidateAll()
            #expect(!last.0.isCurrent && !last.1.isCurrent)
        }
    }

    @Test("Scheme and host in any case, the usual port and a fragment are the same URL; another port or path is not")
    func identity() throws {
        func key(_ text: String) throws -> String { CacheIdentity.key(of: try #require(URL(string: text))) }
        let plain = try key("http://dog.ceo/a?b=C")
        for same in ["HTTP://Dog.CEO/a?b=C", "http://dog.ceo:80/a?b=C", "http://DOG.ceo:80/a?b=C#d"] {
            #expect(try key(same) == plain, "\(same)")
        }
        for other in [
            "https://dog.ceo/a?b=C", "http://dog.ceo:81/a?b=C", "http://dog.ceo/a?b=c",
            "http://dog.ceo/A?b=C",
        ] { #expect(try key(other) != plain, "\(other)") }
    }

    private struct Answer {
        var headers: HTTPHeaders
        var head: StoredHead
    }

    private static func mayStore(_ response: Answer, for request: CacheControl) -> Bool {
        rules.mayStore(response.head, response.headers, for: request)
    }

    @Test("5.2 Several fields are one list, and 5.4 Pragma counts only without them")
    func severalFields() {
        let two: HTTPHeaders = ["Cache-Control": "max-age=60", "cache-control": "max-age=5, no-cache"]
        #expect(CacheControl(two) == .with { ($0.maxAge, $0.noCache) = (5, true) })
        #expect(CacheControl(["Pragma": "No-Cache"], isRequest: true).noCache)
        #expect(!CacheControl(["Pragma": "no-cache"]).noCache)
        #expect(!CacheControl(["Pragma": "no-cache", "Cache-Control": "max-age=1"], isRequest: true).noCache)
    }

    private static let lifetimesCases: [(Answer, Double)] = [
        (response(["Cache-Control": "max-age=60", "Expires": date(500)]), 60.0),
        (response(["Cache-Control": "s-maxage=60", "Expires": date(500), "Date": date(0)]), 500),
        (response(["Expires": date(500), "Date": date(-100)]), 600), (response(["Expires": date(500)]), 500),
        (response(["Expires": date(-500), "Date": date(0)]), 0),
        (response(["Expires": "0", "Last-Modified": date(-1_000)]), 0),
        (response(["Expires": date(500), "expires": date(600), "Date": date(0)]), 0),
        (response(["Expires": date(500), "expires": date(500), "Date": date(0)]), 500),
        (response(["Cache-Control": "max-age=x", "Expires": date(500)]), 0),
        (response(["Last-Modified": date(-1_000), "Date": date(0)]), 100),
        (response(["Last-Modified": date(-1_000), "Date": date(-500)]), 50),
        (response(["Last-Modified": date(1_000), "Date": date(0)]), 0),
        (response(["Last-Modified": "never"]), 0),
        (response(["Last-Modified": date(-1e8), "Date": date(0)]), 86_400),
        (response(["Last-Modified": date(-1_000), "Date": date(0)], status: 302), 0),
        (response(["Last-Modified": date(-1_000), "Date": date(0), "Cache-Control": "public"], status: 302), 100),
        (response(["Last-Modified": date(-1_000), "Date": date(0)], status: 404), 100),
        (response(["Last-Modified": date(-1_000), "Date": date(0), "Set-Cookie": "a=1"]), 0),
        (response(["Cache-Control": "max-age=9", "Set-Cookie": "a=1"]), 9), (response([:]), 0),
    ]

    @Test("4.2.1 and 4.2.2 The lifetime: max-age, then Expires, then a tenth of the age of the last change")
    func lifetimes() {
        for (response, expected) in Self.lifetimesCases {
            #expect(response.head.lifetime == expected, "\(response.headers)")
        }
    }

    private static let agesCases: [(Answer, Double, Double)] = [
        (response(["Date": date(0)]), 10.0, 10.0), (response(["Date": date(-7)]), 10, 17),
        (response(["Date": date(7)]), 10, 10), (response(["Date": date(0)], delay: 3), 10, 13),
        (response(["Date": date(-2)], delay: 3), 10, 13), (response(["Date": date(-5)], delay: 3), 10, 15),
        (response(["Date": date(-5), "Age": "4"], delay: 3), 10, 17), (response(["Age": "4"]), 10, 14),
        (response(["Age": "4, 9"]), 10, 14), (response(["Age": "-4"]), 10, 10),
        (response(["Age": "x"]), 10, 10),
        (response(["Age": "99999999999999999999"]), 10, Double(Int32.max) + 10),
        (response(["Date": "no date"]), 10, 10),
        // A clock that was set back a little, and far.
        (response(["Date": date(0)]), -30, 0), (response(["Date": date(0)]), -90, Double(Int32.max)),
    ]

    @Test("4.2.3 The age: Date, Age, the transfer time, and the time since")
    func ages() {
        for (response, after, expected) in Self.agesCases {
            #expect(response.head.age(at: Self.start + after) == expected, "\(response.headers)")
        }
    }

    @Test("3 Which responses may be stored: every status with every directive, the request's no-store, and Vary: *")
    func storability() {
        let heuristic: Set = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]
        for status in 200...599 {
            let isPossible = status != 206 && status != 304
            for explicit in ["max-age=0", "public", "private"] {
                #expect(
                    Self.mayStore(Self.response(["Cache-Control": explicit], status: status), for: CacheControl())
                        == isPossible
                )
            }
            #expect(Self.mayStore(Self.response(["Expires": "0"], status: status), for: CacheControl()) == isPossible)
            #expect(
                Self.mayStore(Self.response([:], status: status), for: CacheControl()) == heuristic.contains(status)
            )
            let refused: [KeyValuePairs<String, String>] = [
                ["Cache-Control": "no-store, max-age=60"], ["Cache-Control": "max-age=60", "Vary": "Accept, *"],
            ]
            for fields in refused {
                #expect(!Self.mayStore(Self.response(fields, status: status), for: CacheControl()))
            }
            // 5.2.2.3: no-store is for those who understand less.
            let understood = Self.response(["Cache-Control": "must-understand, no-store, max-age=9"], status: status)
            #expect(
                Self.mayStore(understood, for: CacheControl())
                    == (heuristic.contains(status) || [302, 303, 307].contains(status))
            )
        }
        let fresh = Self.response(["Cache-Control": "max-age=60"])
        #expect(!Self.mayStore(fresh, for: CacheControl("no-store")))
        #expect(!Self.mayStore(Self.response(["Cache-Control": "max-age=60"], status: 101), for: CacheControl()))
    }

    private static let verdictsCases: [(String, String, Double, CacheVerdict)] = [
        // response, request, age, verdict
        ("max-age=60", "", 59, CacheVerdict.fresh), ("max-age=60", "", 60, .validate),
        ("max-age=60, no-cache", "", 1, .validate), ("max-age=60, no-cache=\"x\"", "", 1, .validate),
        ("max-age=60", "no-cache", 1, .validate), ("max-age=60", "max-age=10", 10, .fresh),
        ("max-age=60", "max-age=10", 11, .validate), ("max-age=60", "max-age=0", 0, .fresh),
        ("max-age=60", "max-age=0", 1, .validate), ("max-age=60", "min-fresh=20", 40, .fresh),
        ("max-age=60", "min-fresh=20", 41, .validate), ("max-age=60", "max-stale", 1_000_000, .stale),
        ("max-age=60", "max-stale=10", 70, .stale), ("max-age=60", "max-stale=10", 71, .validate),
        ("max-age=60", "max-stale=10, max-age=65", 66, .validate),
        ("max-age=60", "max-stale=10, min-fresh=1", 65, .validate),
        ("max-age=60, must-revalidate", "max-stale", 59, .fresh),
        ("max-age=60, must-revalidate", "max-stale", 61, .validate),
        ("max-age=60, stale-while-revalidate=30", "", 90, .staleWhileRevalidating),
        ("max-age=60, stale-while-revalidate=30", "", 91, .validate),
        ("max-age=60, stale-while-revalidate=30", "max-age=70", 80, .validate),
        ("max-age=60, stale-while-revalidate=30", "max-stale=25", 80, .stale),
        ("max-age=60, stale-while-revalidate=30, must-revalidate", "", 61, .validate),
        ("private, max-age=60", "", 1, .fresh), ("proxy-revalidate, max-age=60", "max-stale", 61, .stale),
        ("", "", 0, .validate), ("", "max-stale", 0, .stale),
    ]

    @Test("5.2.1 and 5.2.2 How a stored response is used, by the directives of both sides")
    func verdicts() {
        for (response, request, age, expected) in Self.verdictsCases {
            let stored = Self.response(["Cache-Control": response, "Date": Self.date(0)])
            let verdict = Self.rules.verdict(on: stored.head, for: CacheControl(request), at: Self.start + age)
            #expect(verdict == expected, "\(response) for \(request) at \(age)")
        }
    }

    private static let errorReplacementCases: [(String, String, Double, Double, Bool)] = [
        ("max-age=60", "", 0.0, 61.0, false), ("max-age=60, stale-if-error=30", "", 0, 90, true),
        ("max-age=60, stale-if-error=30", "", 0, 91, false),
        ("max-age=60, stale-if-error=30", "stale-if-error=100", 0, 160, true),
        ("max-age=60", "", 5, 65, true), ("max-age=60", "", 5, 66, false),
        ("max-age=60, stale-if-error=30, must-revalidate", "", 100, 61, false),
        ("max-age=60, stale-if-error=30, no-cache", "", 100, 1, false),
        ("max-age=60, stale-if-error=30", "no-cache", 100, 61, false),
        // Fresh, but the request wanted it confirmed.
        ("max-age=60, stale-if-error=30", "max-age=0", 0, 5, true),
    ]

    @Test("RFC 5861, 4 Which stale responses may replace an error")
    func errorReplacement() {
        for (response, request, allowance, age, expected) in Self.errorReplacementCases {
            let stored = Self.response(["Cache-Control": response, "Date": Self.date(0)])
            let may = Self.rules.mayReplaceError(
                stored.head,
                for: CacheControl(request),
                allowance: allowance,
                at: Self.start + age
            )
            #expect(may == expected, "\(response) for \(request) at \(age)")
        }
    }

    @Test("3.1 and 7.3 Which fields are stored")
    func keptFields() {
        let headers: HTTPHeaders = [
            "Connection": "close, X-Hop", "X-Hop": "1", "Keep-Alive": "5", "Transfer-Encoding": "chunked", "TE": "x",
            "Upgrade": "h2c", "Proxy-Authenticate": "Basic", "Set-Cookie": "session=secret", "set-cookie": "b",
            "Age": "5", "X": "1", "ETag": "\"a\"", "X": "2",
        ]
        let kept = CachedFields.stored(of: headers, receivedAt: 784_111_777)
        #expect(kept == ["X": "1", "ETag": "\"a\"", "X": "2", "Date": "Sun, 06 Nov 1994 08:49:37 GMT"])
        let update: HTTPHeaders = ["Connection": "X", "X": "3", "ETag": "\"b\"", "Date": "today", "Age": "1"]
        let renewed = CachedFields.renewed(kept, by: update, receivedAt: 0)
        #expect(renewed.values("X") == ["1", "2"] && renewed["ETag"] == "\"b\"" && renewed["Age"] == nil)
    }

    @Test("A formatted date is parsed to the same date, for every day of 400 years")
    func dates() {
        for day in stride(from: 0.0, to: 146_097, by: isLongRun ? 1 : 50) {
            let time = day * 86_400 + day.truncatingRemainder(dividingBy: 86_400)
            let text = HTTPDate.text(of: time)
            #expect(HTTPDate.date(text, now: Date())?.timeIntervalSince1970 == time)
        }
        #expect(HTTPDate.text(of: 0) == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(HTTPDate.text(of: 951_827_696) == "Tue, 29 Feb 2000 12:34:56 GMT")
    }
}

extension CacheControl {
    /// Only the directives that `change` sets.
    static func with(_ change: (inout CacheControl) -> Void) -> CacheControl {
        var control = CacheControl()
        change(&control)
        return control
    }
}
