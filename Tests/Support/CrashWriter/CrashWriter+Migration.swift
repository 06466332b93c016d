import LocalProvider

extension CrashWriter {
    /// Opens a store of version 1 as version 3 and prints whether it was this process that migrated it.
    ///
    /// - Parameters:
    ///   - kind: the store.
    ///   - location: the folder.
    ///   - end: before which of the calls that change files the process is killed; 0 for none.
    /// - Throws: what the store throws.
    static func migrate(_ kind: LocalStoreKind, _ location: FileStoreLocation, _ end: Int) throws {
        var options = patient
        options.defaults.schema = schema()
        options.propertyLists.schema = schema()
        let calls = KillingCalls(before: end)
        let provider = LocalProvider(location: location, options: options, system: FileSystem(calls))
        let reports = try provider.store(kind).migrate()
        print(reports == nil ? "present" : "migrated")
    }

    /// Three versions; doing the last step twice, or one step without the other, would show.
    private static func schema<Tree>() -> LocalSchema<Tree> {
        LocalSchema()
            .migrating("colour becomes theme") { try $0.rename("colour", to: "theme") }
            .migrating("one more, and the parts' colours") { store in
                try store.convert("count", from: Int.self) { $0 + 1 }
                try store.updateAll(prefix: "part") { $0.renameMember("colour", to: "theme") }
                try store.remove("old")
            }
    }
}
