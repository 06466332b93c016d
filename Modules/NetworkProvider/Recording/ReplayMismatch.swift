/// A request that was not recorded, the recorded one that is closest to it, and what differs.
public struct ReplayMismatch: Error, Sendable, CustomStringConvertible {
    /// What was asked, secrets replaced.
    public let asked: RecordedRequest
    /// The closest recorded request; nil when nothing was recorded.
    public let closest: RecordedRequest?
    /// Which one of the recording it is, from 1.
    public let number: Int?
    /// Where the two differ; empty when they are equal, and all equal ones were replayed already.
    public let differences: [RequestDifference]

    /// One line: the request, the closest one, and up to five differences.
    public var description: String {
        let text = "\(asked.method) \(asked.url) was not recorded"
        guard let closest, let number else { return "\(text): nothing was" }
        if differences.isEmpty { return "\(asked.method) \(asked.url) was recorded less often than it is asked for" }
        let shown = differences.prefix(5).map(\.description).joined(separator: "; ")
        let more = differences.count > 5 ? "; and \(differences.count - 5) more" : ""
        return "\(text); closest is number \(number), \(closest.method) \(closest.url): \(shown)\(more)"
            .withVisibleControls
    }
}
