import JSONValues
import NetworkProvider

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
        // Of a truncated body only the beginning can be compared.
        let common = min(left.bytes.count, right.bytes.count)
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
        if (headers["Content-Type"] ?? "").hasPrefix("application/x-www-form-urlencoded"), let form = left.text,
            let other = right.text
        {
            var found: [RequestDifference] = []
            RecordedRequest.eachName(URLParts("?" + form).query, URLParts("?" + other).query) {
                name,
                expected,
                actual in
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
            let (expected, actual) = (
                left.first { $0.name == name }?.values, right.first { $0.name == name }?.values
            )
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

extension RecordedBody {
    /// A short text of the body, for a difference.
    var summary: String {
        guard !bytes.isEmpty else { return "empty" }
        guard let text else { return "\(bytes.count) bytes" }
        return text.count <= 80
            ? text.debugDescription : "\(text.prefix(80).debugDescription)... (\(bytes.count) bytes)"
    }
}

/// A part in which a request differs from a recorded or an expected one.
public struct RequestDifference: Sendable, Hashable, CustomStringConvertible {
    /// The part: `method`, `origin`, `path`, `query page`, `header accept`, `body`, `body dog.name`.
    public let part: String
    /// The recorded or expected value; nil for none.
    public let expected: String?
    /// The value of the request; nil for none.
    public let actual: String?
    /// How strongly the difference suggests that this is another request.
    let weight: Int

    /// One line.
    public var description: String { "\(part) is \(actual ?? "missing"), expected \(expected ?? "none")" }
}

/// The rules for equal requests. Method, path and query are always compared; the order of a query's names and of JSON
/// members is ignored.
public struct RequestMatching: Sendable, Hashable {
    /// Whether scheme, host and port are compared; false for a recording of a server on another port.
    public var origin: Bool
    /// The names of header fields that are compared.
    public var headers: Set<String>
    /// Whether bodies are compared.
    public var body: Bool

    /// Creates rules.
    public init(origin: Bool = true, headers: Set<String> = [], body: Bool = true) {
        self.origin = origin
        self.headers = headers
        self.body = body
    }
}

extension JSONValue {
    /// A short text of the value, for a difference.
    var summary: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .unsigned(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let value): value.debugDescription
        case .array(let values): "an array of \(values.count)"
        case .object(let members): "an object of \(members.count)"
        }
    }

    /// Calls `take` for each path at which two values differ.
    static func eachDifference(
        _ expected: JSONValue?,
        _ actual: JSONValue?,
        at path: String = "",
        _ take: (_ path: String, _ expected: JSONValue?, _ actual: JSONValue?) -> Void
    ) {
        if expected == actual { return }
        switch (expected, actual) {
        case (.object(let left)?, .object(let right)?):
            for name in Set(left.keys).union(right.keys).sorted() {
                eachDifference(left[name], right[name], at: path.isEmpty ? name : "\(path).\(name)", take)
            }
        case (.array(let left)?, .array(let right)?):
            for index in 0..<max(left.count, right.count) {
                let (first, second) = (
                    index < left.count ? left[index] : nil, index < right.count ? right[index] : nil
                )
                eachDifference(first, second, at: "\(path)[\(index)]", take)
            }
        default: take(path, expected, actual)
        }
    }
}
