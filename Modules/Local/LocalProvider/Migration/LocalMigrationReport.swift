/// The changes of a migration, done or planned.
public struct LocalMigrationReport: Hashable, Sendable, CustomStringConvertible {
    /// The change of a value.
    public enum Change: Hashable, Sendable {
        /// The value was added.
        case added
        /// The value has another content.
        case changed
        /// The value was removed.
        case removed
    }

    /// The path of the file or folder.
    public let path: String
    /// The version before the migration.
    public let oldVersion: Int
    /// The version after the migration.
    public let newVersion: Int
    /// The names of the steps, in their order.
    public let steps: [String]
    /// The changed values by identifier. Identifiers that differ only in their Unicode normalisation are one key here, with
    /// ``Change/changed`` if their changes differ.
    public let changes: [String: Change]
    /// The path of the archive of the values before the migration: a file for a journal, a folder for property lists.
    ///
    /// A plan does not create it. The older program can open it in the place of the present file or folder.
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
        (self.path, self.oldVersion, self.newVersion, self.steps) = (path, oldVersion, newVersion, steps)
        (self.changes, self.backup) = (changes, backup)
    }

    /// The versions, the numbers of changes and the archive; no values.
    public var description: String {
        let counts = [Change.added, .changed, .removed].map { kind in changes.values.count { $0 == kind } }
        return
            "\(path): version \(oldVersion) to \(newVersion) (\(steps.joined(separator: ", "))): \(counts[0]) added, "
            + "\(counts[1]) changed, \(counts[2]) removed; as it was before: \(backup)"
    }
}

extension [String: LocalMigrationReport.Change] {
    /// Adds the change of a value.
    mutating func add(_ change: LocalMigrationReport.Change, of identifier: LocalIdentifier) {
        let other = self[identifier.text] ?? change
        self[identifier.text] = other == change ? change : .changed
    }
}
