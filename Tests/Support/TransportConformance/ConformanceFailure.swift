public import HTTPTransport

/// A requirement that a transport does not meet.
public struct ConformanceFailure: Error, CustomStringConvertible {
    /// The expected and the actual result.
    public let description: String
    /// The error, if another one or a response was expected.
    public let error: HTTPTransportError?
    /// Whether the case did not end in time.
    public let isHang: Bool

    init(description: String, error: HTTPTransportError? = nil, isHang: Bool = false) {
        self.description = description
        self.error = error
        self.isHang = isHang
    }
}

/// Throws a failure with `message` if the condition does not hold.
func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    guard condition else { throw ConformanceFailure(description: message()) }
}

/// Throws a failure with both values if they are not equal.
func expectEqual<Value: Equatable>(_ value: Value, _ expected: Value, _ what: String) throws {
    guard value == expected else {
        throw ConformanceFailure(description: "\(what): got \(brief(value)), expected \(brief(expected))")
    }
}

private func brief(_ value: some Any) -> String {
    let text = "\(value)"
    return text.count > 200 ? text.prefix(200) + "..." : text
}
