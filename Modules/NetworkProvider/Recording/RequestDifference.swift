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
