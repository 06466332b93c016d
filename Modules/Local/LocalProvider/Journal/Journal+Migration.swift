import EssentialFoundation

/// Migrating the values to a newer schema version.
extension Journal {
    /// The changes of a migration.
    struct MigrationPlan {
        var operations: [JournalFormat.Operation]
        var report: LocalMigrationReport
    }

    /// Runs the steps without writing anything; returns `nil` if there is nothing to migrate.
    func migrationPlan(for schema: LocalSchema<JSONValue>) throws(LocalError) -> MigrationPlan? {
        guard self.schema < schema.version, !entries.isEmpty else { return nil }
        let entries = entries
        var values = LocalMigration<JSONValue>(Set(entries.all.keys)) { identifier in
            guard let bytes = entries[identifier] else { return nil }
            return try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
        }
        try schema.run(from: self.schema, on: &values, path: path)
        let codec = JSONCodec(path: path)
        var operations: [JournalFormat.Operation] = []
        var changes: [String: LocalMigrationReport.Change] = [:]
        for (identifier, tree) in values.changed {
            let old = entries[identifier]
            // A tree does not have all digits of every number.
            var new = values.renamed[identifier].flatMap { entries[$0] }
            if new == nil, let tree { new = try codec.encode(tree, identifier) }
            guard old != new else { continue }
            operations.append(JournalFormat.Operation(key: identifier, value: new))
            changes.add(old == nil ? .added : new == nil ? .removed : .changed, of: identifier)
        }
        let report = LocalMigrationReport(
            path: path,
            oldVersion: self.schema,
            newVersion: schema.version,
            steps: schema.steps.dropFirst(self.schema - 1).map(\.name),
            changes: changes,
            backup: path + ".v\(self.schema)"
        )
        return MigrationPlan(operations: operations, report: report)
    }

    /// Migrates the values. The lock is held and the file has been read.
    ///
    /// The new file replaces the old one by one rename. The old one is unchanged until then, and archived afterwards.
    ///
    /// - Returns: the report and the changes, or `nil` if there are no values.
    /// - Throws: ``LocalError``; nothing has changed then.
    func migrate(
        by schema: LocalSchema<JSONValue>
    ) throws(LocalError) -> (report: LocalMigrationReport, changes: [LocalChange])? {
        guard let plan = try migrationPlan(for: schema) else {
            // A file that is created later gets the version then; one that has lost all its values gets it now.
            if file.file == nil { self.schema = schema.version } else { _ = try replace([], schema.version) }
            return nil
        }
        try file.archive(as: plan.report.backup)
        return (plan.report, try replace(plan.operations, schema.version))
    }

    /// Replaces the file by one with changed values and another schema version; on failure everything is unchanged.
    func replace(_ operations: [JournalFormat.Operation], _ version: Int) throws(LocalError) -> [LocalChange] {
        let before = (entries, schema)
        let sequence = entries.lastSequence + 1
        let effective = entries.apply(JournalFormat.Record(sequence: sequence, writer: writer, operations: operations))
        (entries.lastSequence, schema) = (sequence, version)
        do {
            // A backup of the old version must not replace the new file.
            try compactWithoutBackup()
        } catch {
            (entries, schema) = before
            // Either file may be in place now.
            file.forget()
            throw error
        }
        return effective.map { change($0.key, $0.value == nil ? .removed : .set, by: writer) }
    }
}
