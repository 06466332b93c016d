import EssentialFoundation
import JSONValues
import NetworkProvider
import TextEscaping

/// The parts of a URL's text, without unescaping.
struct URLParts {
    let origin: String
    let path: String
    /// Names with their values, sorted by name; values of one name in their own order.
    let query: [(name: String, values: [String])]

    init(_ text: String) {
        let start = text.firstRange(of: "://").map(\.upperBound) ?? text.startIndex
        let end = text[start...].firstIndex { "/?#".contains($0) } ?? text.endIndex
        origin = text[..<end].lowercased()
        let path = text[end...].prefix { $0 != "?" && $0 != "#" }
        self.path = path.isEmpty ? "/" : String(path)
        query = URLParts.pairs(text[path.endIndex...].prefix { $0 != "#" }.dropFirst(), plusIsSpace: false)
    }

    /// Returns the names and values of a query or a form, of which only the latter has spaces as `+`.
    static func pairs(_ query: some StringProtocol, plusIsSpace: Bool) -> [(name: String, values: [String])] {
        func decoded(_ text: some StringProtocol) -> String { PercentEncoding.decode(text, plusIsSpace: plusIsSpace) }
        var values: [String: [String]] = [:]
        for pair in query.split(separator: "&") {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            values[decoded(halves[0]), default: []].append(halves.count > 1 ? decoded(halves[1]) : "")
        }
        return values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

extension RecordedRequest {
    /// Returns the differences of another request from this one; empty if they are equal by the rules.
    func differences(to actual: RecordedRequest, _ rule: RequestMatching) -> [RequestDifference] {
        var found: [RequestDifference] = []
        func compare(_ part: String, _ expected: String?, _ actual: String?, weight: Int) {
            guard expected != actual else { return }
            found.append(RequestDifference(part: part, expected: expected, actual: actual, weight: weight))
        }
        let (left, right) = (URLParts(url), URLParts(actual.url))
        compare("method", method.rawValue, actual.method.rawValue, weight: 10)
        if rule.origin { compare("origin", left.origin, right.origin, weight: 10) }
        compare("path", left.path, right.path, weight: 20 - RecordedRequest.likeness(left.path, right.path))
        RecordedRequest.eachName(left.query, right.query) { name, expected, actual in
            compare("query \(name)", expected, actual, weight: 2)
        }
        for name in rule.headers.sorted() {
            let (expected, shown) = (headers.values(name), actual.headers.values(name))
            compare(
                "header \(name.lowercased())",
                expected.isEmpty ? nil : expected.joined(separator: ", ").debugDescription,
                shown.isEmpty ? nil : shown.joined(separator: ", ").debugDescription,
                weight: 2
            )
        }
        if rule.body { found += bodyDifferences(to: actual) }
        return found
    }

    private func bodyDifferences(to actual: RecordedRequest) -> [RequestDifference] {
        let (left, right) = (body, actual.body)
        if left.isWhole, right.isWhole, left.bytes == right.bytes { return [] }
        // Of a truncated body only the beginning can be compared, which the other one has, too, unless it is truncated earlier.
        let common = right.isWhole ? left.bytes.count : min(left.bytes.count, right.bytes.count)
        if !left.isWhole, right.bytes.count >= common, left.bytes.prefix(common) == right.bytes.prefix(common) {
            return []
        }
        let decoder = JSONDecoder()
        if let expected = try? decoder.decode(JSONValue.self, from: left.bytes),
            let shown = try? decoder.decode(JSONValue.self, from: right.bytes)
        {
            var found: [RequestDifference] = []
            JSONValue.eachDifference(expected, shown) { path, expected, actual in
                found.append(
                    RequestDifference(
                        part: path.isEmpty ? "body" : "body \(path)",
                        expected: expected?.summary,
                        actual: actual?.summary,
                        weight: 1
                    )
                )
            }
            return found
        }
        if (headers[.contentType] ?? "").hasPrefix("application/x-www-form-urlencoded"), let form = left.text,
            let other = right.text
        {
            var found: [RequestDifference] = []
            let (expected, shown) = (
                URLParts.pairs(form, plusIsSpace: true), URLParts.pairs(other, plusIsSpace: true)
            )
            RecordedRequest.eachName(expected, shown) { name, expected, actual in
                found.append(RequestDifference(part: "body \(name)", expected: expected, actual: actual, weight: 1))
            }
            return found
        }
        return [RequestDifference(part: "body", expected: left.summary, actual: right.summary, weight: 3)]
    }

    /// Calls `take` for each name whose values differ, with both as texts.
    private static func eachName(
        _ left: [(name: String, values: [String])],
        _ right: [(name: String, values: [String])],
        _ take: (_ name: String, _ expected: String?, _ actual: String?) -> Void
    ) {
        func text(_ values: [String]?) -> String? { values.map { $0.map(\.debugDescription).joined(separator: ", ") } }
        for name in Set(left.map(\.name)).union(right.map(\.name)).sorted() {
            let (expected, actual) = (left.first { $0.name == name }?.values, right.first { $0.name == name }?.values)
            if expected != actual { take(name, text(expected), text(actual)) }
        }
    }

    /// Returns the similarity of two paths, from 0 to 10.
    private static func likeness(_ left: String, _ right: String) -> Int {
        let (left, right) = (left.split(separator: "/"), right.split(separator: "/"))
        let same = zip(left, right).count { $0 == $1 }
        return 10 * same / max(left.count, right.count, 1)
    }
}
