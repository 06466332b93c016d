import Foundation
import HTTPTransport
import TestSupport
import Testing

@testable import HTTPCaching
@testable import NetworkProvider

/// The rules of the RFC's text, implemented a second time: plainly, from the fields alone, without shared code.
private struct PlainRules {
    private let formatter = DateFormatter()

    init() {
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    }

    /// A directive's value in all Cache-Control fields; "" where it has none, nil where it is not there. The least of
    /// several numbers.
    func directive(_ name: String, _ fields: [(String, String)]) -> String? {
        var found: String?
        for (field, value) in fields where field.lowercased() == "cache-control" {
            for part in value.components(separatedBy: ",") {
                let halves = part.components(separatedBy: "=").map { $0.trimmingCharacters(in: .whitespaces) }
                guard halves[0].lowercased() == name else { continue }
                let number = halves.count > 1 ? halves[1] : ""
                if let old = found.flatMap({ Int($0) }), old < Int(number) ?? .max { continue }
                found = number
            }
        }
        return found
    }

    func value(_ name: String, _ fields: [(String, String)]) -> String? {
        fields.first { $0.0.lowercased() == name }?.1
    }

    func time(_ text: String?) -> Double? {
        guard let text else { return nil }
        return formatter.date(from: text)?.timeIntervalSince1970
    }

    /// "fresh", "stale", "background" or "validate".
    func verdict(
        _ status: Int,
        _ response: [(String, String)],
        _ request: [(String, String)],
        requestTime: Double,
        responseTime: Double,
        now: Double
    ) -> String {
        if directive("no-cache", response) != nil || directive("no-cache", request) != nil { return "validate" }
        let date = time(value("date", response)) ?? responseTime
        let apparentAge = max(0, responseTime - date)
        let responseDelay = responseTime - requestTime
        let correctedAge = (value("age", response).flatMap { Double($0) } ?? 0) + responseDelay
        let currentAge = max(apparentAge, correctedAge) + (now - responseTime)
        var lifetime = 0.0
        if let text = directive("max-age", response) {
            lifetime = Double(text) ?? 0
        } else if let text = value("expires", response) {
            lifetime = max(0, (time(text) ?? date) - date)
        } else if let changed = time(value("last-modified", response)), value("set-cookie", response) == nil,
            [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
                || directive("public", response) != nil
        {
            lifetime = min(max(0, (date - changed) / 10), 86_400)
        }
        if let text = directive("max-age", request), currentAge > Double(text) ?? 0 { return "validate" }
        let minFresh = directive("min-fresh", request).flatMap { Double($0) }
        if currentAge < lifetime { return lifetime - currentAge >= minFresh ?? 0 ? "fresh" : "validate" }
        if directive("must-revalidate", response) != nil || minFresh != nil { return "validate" }
        if let text = directive("max-stale", request) {
            if text.isEmpty || currentAge - lifetime <= Double(text) ?? 0 { return "stale" }
        }
        if let text = directive("stale-while-revalidate", response), currentAge - lifetime <= Double(text) ?? 0 {
            return "background"
        }
        return "validate"
    }
}

@Suite("Cache: a plain model")
struct CacheModelTests {
    @Test("The rules agree with a second implementation, for any fields and times")
    func agrees() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        let base = 1_790_000_000.0
        let plain = PlainRules()
        var seen: [String: Int] = [:]
        for _ in 0..<(isLongRun ? 300_000 : 2_500) {
            func seconds() -> Int { [0, 1, 5, 10, 30, 60, 100, 1_000].randomElement(using: &generator) ?? 0 }
            func perhaps(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &generator) == 0 }
            let responseTime = base + Double(seconds())
            let requestTime = responseTime - Double(seconds())
            let now = responseTime + Double(seconds())
            func date() -> String {
                HTTPDate.text(of: responseTime + Double(seconds()) * (perhaps(2) ? -1 : 1))
            }
            var response: [(String, String)] = []
            var directives: [String] = []
            for name in ["max-age", "stale-while-revalidate"] where perhaps(2) {
                directives.append("\(name)=\(seconds())")
            }
            for name in ["must-revalidate", "public", "private"] where perhaps(6) { directives.append(name) }
            if perhaps(12) { directives.append("no-cache") }
            if perhaps(8) { directives.append("max-age=\(seconds())") }
            directives.shuffle(using: &generator)
            for directive in directives {
                if perhaps(2), let last = response.indices.last {
                    response[last].1 += ", " + directive
                } else {
                    response.append((perhaps(2) ? "Cache-Control" : "cache-control", directive))
                }
            }
            if perhaps(2) { response.append(("Date", date())) }
            if perhaps(3) { response.append(("Age", "\(seconds())")) }
            if perhaps(4) { response.append(("Expires", perhaps(6) ? "0" : date())) }
            if perhaps(2) {
                response.append(("Last-Modified", HTTPDate.text(of: responseTime - 50 * Double(seconds()))))
            }
            if perhaps(8) { response.append(("Set-Cookie", "a=1")) }
            var request: [(String, String)] = []
            for name in ["max-age", "min-fresh", "max-stale"] where perhaps(5) {
                request.append(("Cache-Control", "\(name)=\(seconds())"))
            }
            if perhaps(8) { request.append(("Cache-Control", "max-stale")) }
            if perhaps(16) { request.append(("Cache-Control", "no-cache")) }
            let status = [200, 301, 302, 404, 500].randomElement(using: &generator) ?? 200

            func headers(_ fields: [(String, String)]) -> HTTPHeaders {
                HTTPHeaders(fields.map { HTTPHeaders.Field(name: $0.0, value: $0.1) })
            }
            let head = HTTPResponseHead(status: status, headers: headers(response), url: URL(fileURLWithPath: "/"))
            let stored = StoredHead(head, requestTime: requestTime, responseTime: responseTime, CacheRules())
            let verdict = CacheRules().verdict(
                on: stored,
                for: CacheControl(headers(request), isRequest: true),
                at: now
            )
            let name =
                switch verdict {
                case .fresh: "fresh"
                case .stale: "stale"
                case .staleWhileRevalidating: "background"
                case .validate: "validate"
                }
            let expected = plain.verdict(
                status,
                response,
                request,
                requestTime: requestTime,
                responseTime: responseTime,
                now: now
            )
            seen[expected, default: 0] += 1
            #expect(name == expected, "seed \(seed): \(status) \(response) for \(request), \(requestTime) \(now)")
            guard name == expected else { return }
        }
        #expect(seen.count == 4, "seed \(seed): \(seen)")
    }

    @Test("A record is decoded as it was encoded, and other bytes are rejected or harmless")
    func recordBytes() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        for round in 0..<40 {
            func bytes(_ most: Int) -> [UInt8] {
                (0..<Int.random(in: 0...most, using: &generator)).map { _ in .random(in: 0...255, using: &generator) }
            }
            let record = CacheRecord(
                variants: (0..<Int.random(in: 0...3, using: &generator)).map { number in
                    CachedVariant(
                        partition: bytes(4),
                        isDecompressed: .random(using: &generator),
                        varyNames: number == 0 ? [] : ["accept", "강아지"],
                        varyDigest: bytes(4),
                        head: StoredHead(
                            status: Int.random(in: 200...599, using: &generator),
                            requestTime: Double.random(in: 0...1e10, using: &generator),
                            responseTime: Double.random(in: 0...1e10, using: &generator),
                            control: CacheControl(["max-age=5, no-cache", "", "public, stale-if-error=0"][number]),
                            date: Double.random(in: 0...1e10, using: &generator),
                            ageField: Int.random(in: 0...CacheControl.longest, using: &generator),
                            lifetime: Double.random(in: 0...1e10, using: &generator),
                            setsCookie: .random(using: &generator)
                        ),
                        fields: bytes(20),
                        body: number == 1 ? .separate(key: "body-1", count: 99_999) : .inline(Data(bytes(9)))
                    )
                }
            )
            let encoded = record.encoded
            #expect(CacheRecord(encoded) == record, "seed \(seed)")
            for count in 0..<encoded.count { #expect(CacheRecord(encoded.prefix(count)) == nil, "seed \(seed)") }
            #expect(CacheRecord(encoded + [0]) == nil)
            // A store that returns wrong bytes must not end the program.
            for _ in 0..<200 where !encoded.isEmpty {
                var wrong = encoded
                wrong[Int.random(in: 0..<wrong.count, using: &generator)] = .random(in: 0...255, using: &generator)
                _ = CacheRecord(wrong)?.variants.map { $0.head.age(at: 0) }
            }
            _ = CacheRecord(Data(bytes(60 + round)))
        }
    }
}
