/// A report of damage that a store found in a file and repaired.
public struct LocalRecovery: Hashable, Sendable, CustomStringConvertible {
    /// The damage.
    public enum Damage: Hashable, Sendable {
        /// A crash or a loss of power interrupted the last write. Its `bytes` bytes were removed. No write that had returned
        /// is lost.
        case unfinishedWrite(bytes: Int)
        /// `bytes` bytes in the middle of the file had changed. The values in them were restored from the backup, or have
        /// their previous content.
        case damaged(bytes: Int)
        /// The whole file was unreadable and was replaced by its backup.
        case replacedByBackup
    }

    /// The path of the file.
    public let path: String
    /// The damage.
    public let damage: Damage
    /// The path of a copy of the damaged file, for a repair by hand; `nil` if no copy was made.
    public let setAside: String?

    /// Creates a report.
    public init(path: String, damage: Damage, setAside: String?) {
        (self.path, self.damage, self.setAside) = (path, damage, setAside)
    }

    /// The damage, the file, and the copy of the damaged file.
    public var description: String {
        let what =
            switch damage {
            case .unfinishedWrite(let bytes): "\(path) ended in an unfinished write; its \(bytes) bytes were removed."
            case .damaged(let bytes):
                "\(path) had \(bytes) damaged bytes; the values in them have their previous content."
            case .replacedByBackup: "\(path) was unreadable and was replaced by its backup."
            }
        guard let setAside else { return what }
        let advice =
            path.hasSuffix(PropertyListFolder.documentSuffix)
            ? " If its XML was edited by hand, delete the last line, the checksum, and move it back." : ""
        return what + " A copy of the damaged file is \(setAside)." + advice
    }
}
