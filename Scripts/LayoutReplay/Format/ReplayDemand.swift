/// A number that must be met: the value of a variable, or the violation of a priority.
public struct ReplayDemand<Subject: Hashable & Sendable>: Hashable, Sendable {
    /// What the number belongs to.
    public var subject: Subject
    /// The number.
    public var value: Double

    /// Makes a demand.
    public init(_ subject: Subject, _ value: Double) {
        self.subject = subject
        self.value = value
    }
}
