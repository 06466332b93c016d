#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Journal {
    /// What a migration is going to write.
    struct Plan {
        var operations: [JournalFormat.Operation]
        var report: LocalMigrationReport
    }

    /// Runs the steps on a view of the values; `nil` where there is nothing to migrate.
    func migrationPlan(for schema: LocalSchema<JSONValue>) throws(LocalError) -> Plan? {
        guard self.schema < schema.version, !entries.isEmpty else { return nil }
        let (entries, path) = (entries, path)
        var values = LocalMigration<JSONValue>(Set(entries.keys)) { identifier in
            guard let bytes = entries[identifier]?.value else { return nil }
            return try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
        }
        try schema.run(from: self.schema, on: &values, path: path)
        var operations: [JournalFormat.Operation] = []
        var changes: [String: LocalMigrationReport.Change] = [:]
        for (identifier, tree) in values.changed {
            let old = entries[identifier]?.value
            let new = try tree.map { tree throws(LocalError) in try encoded(tree, identifier) }
            guard old != new else { continue }
            operations.append(JournalFormat.Operation(key: identifier, value: new))
            changes[identifier.text] = old == nil ? .added : new == nil ? .removed : .changed
        }
        let report = LocalMigrationReport(
            path: path,
            oldVersion: self.schema,
            newVersion: schema.version,
            steps: schema.steps.dropFirst(self.schema - 1).map(\.name),
            changes: changes,
            backup: path + ".v\(self.schema)"
        )
        return Plan(operations: operations, report: report)
    }

    /// Brings the values to the schema's version. The lock is held and the journal fresh.
    ///
    /// The new file takes the old one's place by a single rename; until then nothing of the old one has changed, and after
    /// it the old one is whole under the name of its version.
    ///
    /// - Parameters:
    ///   - schema: the steps.
    ///   - tell: is given the changes.
    /// - Returns: what was done; `nil` where there were no values.
    /// - Throws: ``LocalError``; then nothing has changed.
    func migrate(
        by schema: LocalSchema<JSONValue>,
        _ tell: ([LocalChange]) -> Void
    ) throws(LocalError) -> LocalMigrationReport? {
        guard let plan = try migrationPlan(for: schema) else {
            // Nothing there: the file gets its version when it is made, one that has lost all its values at once.
            if file == nil { self.schema = schema.version } else { _ = try adopt([], schema.version) }
            return nil
        }
        try keepOld(as: plan.report.backup)
        tell(try adopt(plan.operations, schema.version))
        return plan.report
    }

    /// Puts a file with the changed values, of another schema version, in place; where that fails all is as before.
    private func adopt(_ operations: [JournalFormat.Operation], _ version: Int) throws(LocalError) -> [LocalChange] {
        let before = (entries, liveBytes, lastSequence, schema)
        let changes = apply(JournalFormat.Record(sequence: lastSequence + 1, writer: writer, operations: operations))
        (lastSequence, schema) = (lastSequence + 1, version)
        do {
            // A backup of the old version must not stand in for the new file.
            try write(to: backupPath)
            try rewrite(keepsBackup: false)
        } catch {
            (entries, liveBytes, lastSequence, schema) = before
            // Whichever file is there now, it is read anew.
            (file, outline) = (nil, nil)
            throw error
        }
        return changes
    }

    /// Gives the present file another name too; where the file system knows no second names, copies it.
    private func keepOld(as target: String) throws(LocalError) {
        try file?.synchronise()
        let name = target + ".tmp"
        try system.remove(name)
        let linked: Void? = try? system.uninterrupted(path) { () throws(SystemFailure) in
            try system.calls.link(path, to: name)
        }
        if linked == nil, let bytes = try system.contents(of: path), let copy = try system.open(name, .creating) {
            try copy.write(bytes, at: 0)
            try copy.synchronise()
        }
        try system.rename(name, to: target)
        try system.remove(name)
        try system.synchroniseFolder(FileSystem.parent(of: path))
    }

    private func encoded(_ tree: JSONValue, _ identifier: LocalIdentifier) throws(LocalError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return try Array(encoder.encode(tree))
        } catch {
            throw .unencodable(identifier: identifier.text, path: path, detail: CodingProblem.text(of: error))
        }
    }
}
