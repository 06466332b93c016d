import NetworkProvider

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A URL's text taken apart without unescaping it.
struct URLParts {
    let origin: String
    let path: String
    /// Names with their values, in the order of the names; values of one name in their own order.
    let query: [(name: String, values: [String])]

    init(_ text: String) {
        let start = text.firstRange(of: "://").map(\.upperBound) ?? text.startIndex
        let end = text[start...].firstIndex { "/?#".contains($0) } ?? text.endIndex
        origin = text[..<end].lowercased()
        let path = text[end...].prefix { $0 != "?" && $0 != "#" }
        self.path = path.isEmpty ? "/" : String(path)
        query = URLParts.pairs(text[path.endIndex...].prefix { $0 != "#" }.dropFirst())
    }

    private static func pairs(_ query: Substring) -> [(name: String, values: [String])] {
        var values: [String: [String]] = [:]
        for pair in query.split(separator: "&") {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = halves.count > 1 ? PercentEncoding.decode(halves[1]) : ""
            values[PercentEncoding.decode(halves[0]), default: []].append(value)
        }
        return values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

extension RecordedRequest {
    /// Where a request that was asked for differs from this one; empty when it is the same by the rule.
    func differences(to asked: RecordedRequest, _ rule: RequestMatching) -> [RequestDifference] {
        var found: [RequestDifference] = []
        func compare(_ part: String, _ expected: String?, _ asked: String?, weight: Int) {
            guard expected != asked else { return }
            found.append(RequestDifference(part: part, expected: expected, asked: asked, weight: weight))
        }
        let (left, right) = (URLParts(url), URLParts(asked.url))
        compare("method", method.rawValue, asked.method.rawValue, weight: 10)
        if rule.origin { compare("origin", left.origin, right.origin, weight: 10) }
        compare("path", left.path, right.path, weight: 20 - RecordedRequest.likeness(left.path, right.path))
        RecordedRequest.eachName(left.query, right.query) { name, expected, asked in
            compare("query \(name)", expected, asked, weight: 2)
        }
        for name in rule.headers.sorted() {
            let (expected, shown) = (headers.values(name), asked.headers.values(name))
            compare(
                "header \(name.lowercased())",
                expected.isEmpty ? nil : expected.joined(separator: ", ").debugDescription,
                shown.isEmpty ? nil : shown.joined(separator: ", ").debugDescription,
                weight: 2
            )
        }
        if rule.body { found += bodyDifferences(to: asked) }
        return found
    }

    private func bodyDifferences(to asked: RecordedRequest) -> [RequestDifference] {
        let (left, right) = (body, asked.body)
        if left.isWhole, right.isWhole, left.bytes == right.bytes { return [] }
        // Of what was too long to be kept only the beginning can be compared.
        let common = min(left.bytes.count, right.bytes.count)
        if !left.isWhole, right.bytes.count >= common, left.bytes.prefix(common) == right.bytes.prefix(common) {
            return []
        }
        let decoder = JSONDecoder()
        if let expected = try? decoder.decode(JSONValue.self, from: left.bytes),
            let shown = try? decoder.decode(JSONValue.self, from: right.bytes)
        {
            var found: [RequestDifference] = []
            JSONValue.eachDifference(expected, shown) { path, expected, asked in
                found.append(
                    RequestDifference(
                        part: path.isEmpty ? "body" : "body \(path)",
                        expected: expected?.summary,
                        asked: asked?.summary,
                        weight: 1
                    )
                )
            }
            return found
        }
        if (headers["Content-Type"] ?? "").hasPrefix("application/x-www-form-urlencoded"), let form = left.text,
            let other = right.text
        {
            var found: [RequestDifference] = []
            RecordedRequest.eachName(URLParts("?" + form).query, URLParts("?" + other).query) { name, expected, asked in
                found.append(RequestDifference(part: "body \(name)", expected: expected, asked: asked, weight: 1))
            }
            return found
        }
        return [RequestDifference(part: "body", expected: left.summary, asked: right.summary, weight: 3)]
    }

    /// Calls `take` with each name whose values differ, and both as texts.
    private static func eachName(
        _ left: [(name: String, values: [String])],
        _ right: [(name: String, values: [String])],
        _ take: (_ name: String, _ expected: String?, _ asked: String?) -> Void
    ) {
        func text(_ values: [String]?) -> String? { values.map { $0.map(\.debugDescription).joined(separator: ", ") } }
        for name in Set(left.map(\.name)).union(right.map(\.name)).sorted() {
            let (expected, asked) = (
                left.first { $0.name == name }?.values, right.first { $0.name == name }?.values
            )
            if expected != asked { take(name, text(expected), text(asked)) }
        }
    }

    /// How much of two paths is the same, from 0 to 10.
    private static func likeness(_ left: String, _ right: String) -> Int {
        let (left, right) = (left.split(separator: "/"), right.split(separator: "/"))
        let same = zip(left, right).count { $0 == $1 }
        return 10 * same / max(left.count, right.count, 1)
    }
}

extension RecordedBody {
    /// A short text of the body, for a difference.
    var summary: String {
        guard !bytes.isEmpty else { return "empty" }
        guard let text else { return "\(bytes.count) bytes" }
        return text.count <= 80
            ? text.debugDescription : "\(text.prefix(80).debugDescription)... (\(bytes.count) bytes)"
    }
}

/// One part in which a request differs from a recorded or an expected one.
public struct RequestDifference: Sendable, Hashable, CustomStringConvertible {
    /// Which part: `method`, `origin`, `path`, `query page`, `header accept`, `body`, `body dog.name`.
    public let part: String
    /// What was recorded or expected there; nil for nothing.
    public let expected: String?
    /// What was asked; nil for nothing.
    public let asked: String?
    /// How much it tells that this is another request altogether.
    let weight: Int

    /// One line.
    public var description: String { "\(part) is \(asked ?? "missing"), expected \(expected ?? "none")" }
}

/// What must be equal for a request to be taken for a recorded one. Method, path and query always are; the order of a
/// query's names does not count, nor that of JSON's members.
public struct RequestMatching: Sendable, Hashable {
    /// Whether scheme, host and port must be equal; not, for a recording of a server on another port.
    public var origin: Bool
    /// The names of header fields that must be equal.
    public var headers: Set<String>
    /// Whether bodies must be equal.
    public var body: Bool

    /// Creates a rule.
    public init(origin: Bool = true, headers: Set<String> = [], body: Bool = true) {
        self.origin = origin
        self.headers = headers
        self.body = body
    }
}
