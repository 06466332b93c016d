public import HTTPTransport

/// A transport did not do what every transport must.
public struct ConformanceFailure: Error, CustomStringConvertible {
    /// What was expected and what happened.
    public let description: String
    /// The error that came where another one or an answer was expected.
    public let error: HTTPTransportError?
    /// Whether the case was not done when its time was over.
    public let isHang: Bool

    init(description: String, error: HTTPTransportError? = nil, isHang: Bool = false) {
        self.description = description
        self.error = error
        self.isHang = isHang
    }
}

/// Fails with `message` when the condition does not hold.
func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    guard condition else { throw ConformanceFailure(description: message()) }
}

/// Fails when both are not equal, showing both.
func expectEqual<Value: Equatable>(_ value: Value, _ expected: Value, _ what: String) throws {
    guard value == expected else {
        throw ConformanceFailure(description: "\(what): got \(brief(value)), expected \(brief(expected))")
    }
}

private func brief(_ value: some Any) -> String {
    let text = "\(value)"
    return text.count > 200 ? text.prefix(200) + "..." : text
}
