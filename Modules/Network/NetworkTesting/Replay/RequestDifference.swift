import JSONValues
import NetworkProvider

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

extension [RequestDifference] {
    /// How strongly all of them together suggest that this is another request.
    var weight: Int { reduce(0) { $0 + $1.weight } }
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

extension RecordedBody {
    /// A short text of the body, for a difference.
    var summary: String {
        guard !bytes.isEmpty else { return "empty" }
        guard let text else { return "\(bytes.count) bytes" }
        return text.count <= 80
            ? text.debugDescription : "\(text.prefix(80).debugDescription)... (\(bytes.count) bytes)"
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
                let (first, second) = (index < left.count ? left[index] : nil, index < right.count ? right[index] : nil)
                eachDifference(first, second, at: "\(path)[\(index)]", take)
            }
        default: take(path, expected, actual)
        }
    }
}
