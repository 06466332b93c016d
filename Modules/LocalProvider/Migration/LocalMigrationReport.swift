/// What a migration has changed, or would change.
public struct LocalMigrationReport: Hashable, Sendable, CustomStringConvertible {
    /// What happens to a value.
    public enum Change: Hashable, Sendable {
        /// It is new.
        case added
        /// It has other contents.
        case changed
        /// It is gone.
        case removed
    }

    /// The file or folder.
    public let path: String
    /// The version before.
    public let oldVersion: Int
    /// The version after.
    public let newVersion: Int
    /// The names of the steps, in their order.
    public let steps: [String]
    /// What happens to which value, by identifier; those that stay as they are do not appear.
    public let changes: [String: Change]
    /// Where everything is kept as it was before: a file for a journal, a folder for property lists.
    ///
    /// A plan names the place without making it. Put back in place of the present one, it is opened by the older program.
    public let backup: String

    /// Creates a report.
    public init(
        path: String,
        oldVersion: Int,
        newVersion: Int,
        steps: [String],
        changes: [String: Change],
        backup: String
    ) {
        self.path = path
        self.oldVersion = oldVersion
        self.newVersion = newVersion
        self.steps = steps
        self.changes = changes
        self.backup = backup
    }

    /// The versions, how much changes, and where the old values are; no value is told.
    public var description: String {
        let counts = [Change.added, .changed, .removed].map { kind in changes.values.count { $0 == kind } }
        return
            "\(path): version \(oldVersion) to \(newVersion) (\(steps.joined(separator: ", "))): \(counts[0]) added, "
            + "\(counts[1]) changed, \(counts[2]) removed; as it was before: \(backup)"
    }
}
