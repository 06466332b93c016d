extension LocalProvider {
    /// Brings what both stores on disk keep to the program's schema versions, which otherwise the first use of each does.
    ///
    /// - Returns: what each has migrated since the provider was created.
    /// - Throws: ``LocalError/migrationFailed(path:version:step:detail:)``, ``LocalError/newerVersion(path:found:supported:)``,
    ///   and what reading and writing throw; the store concerned is then as it was.
    @discardableResult
    public func migrate() throws(LocalError) -> [LocalMigrationReport] {
        var reports: [LocalMigrationReport] = []
        for kind in LocalStoreKind.allCases {
            if let report = try migrate(kind) { reports.append(report) }
        }
        return reports
    }

    /// What ``migrate()`` would do. Nothing is written, locked or repaired.
    ///
    /// - Throws: as ``migrate()``.
    public func migrationPlan() throws(LocalError) -> [LocalMigrationReport] {
        let plans = [try propertyLists.migrationPlan(), try defaults.migrationPlan()]
        return plans.compactMap(\.self)
    }

    /// As ``migrate()``, for one store; memory has nothing to migrate.
    package func migrate(_ kind: LocalStoreKind) throws(LocalError) -> LocalMigrationReport? {
        switch kind {
        case .propertyList: try propertyLists.migrate()
        case .defaults: try defaults.migrate()
        case .memory: nil
        }
    }
}
