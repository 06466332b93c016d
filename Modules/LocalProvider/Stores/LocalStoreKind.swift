/// The three stores of a ``LocalProvider``.
public enum LocalStoreKind: String, Hashable, Sendable, CaseIterable, Codable {
    /// One property list file for each value: for documents, and for files that other programs read.
    case propertyList
    /// Many small values in one journal: for settings and records.
    case defaults
    /// The memory of this process, bounded: for what can be had again.
    case memory
}
