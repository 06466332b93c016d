/// A store found a file not as it was written, and went on with what is whole.
public struct LocalRecovery: Hashable, Sendable, CustomStringConvertible {
    /// What was found.
    public enum Damage: Hashable, Sendable {
        /// The last write was never finished, by a crash or a loss of power: `bytes` of it were taken away. Nothing that
        /// was reported as kept is lost.
        case unfinishedWrite(bytes: Int)
        /// `bytes` in the middle had changed since they were written; the values in them are as the backup has them, or
        /// as they were before.
        case damaged(bytes: Int)
        /// The whole file was unreadable and the backup stands in its place.
        case replacedByBackup
    }

    /// The file.
    public let path: String
    /// What was found.
    public let damage: Damage
    /// Where the damaged file was put, for a look or a repair by hand; `nil` where it was not worth keeping.
    public let setAside: String?

    /// Creates a report.
    public init(path: String, damage: Damage, setAside: String?) {
        self.path = path
        self.damage = damage
        self.setAside = setAside
    }

    /// What was found, where, and where the damaged file is now.
    public var description: String {
        let what =
            switch damage {
            case .unfinishedWrite(let bytes): "\(path) ended in an unfinished write; its \(bytes) bytes were dropped."
            case .damaged(let bytes): "\(path) had \(bytes) damaged bytes; what they held is as it was before."
            case .replacedByBackup: "\(path) was unreadable; its backup took its place."
            }
        guard let setAside else { return what }
        let advice =
            path.hasSuffix(PropertyListStore.suffix)
            ? " Where somebody edited its XML, delete the last line, the checksum, and put it back." : ""
        return what + " The damaged file is kept as \(setAside)." + advice
    }
}
