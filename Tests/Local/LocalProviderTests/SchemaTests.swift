import Foundation
import LocalProviderTestSupport
import TestSupport
import Testing
import Threading

@testable import LocalProvider

@Suite("Schema versions")
struct SchemaTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory("schema") }

    private func backup(_ kind: LocalStoreKind) -> String {
        folder.path + (kind == .defaults ? "/defaults.journal.v1" : "/plists/.v1")
    }

    @Test(
        "A store of the first version is migrated step by step, with a report and an archive",
        arguments: SchemaFixture.kinds
    )
    func migrates(kind: LocalStoreKind) async throws {
        try SchemaFixture.fill(folder.path, kind)
        let before = try folderImage(folder.path)
        let reported = Locked<[LocalMigrationReport]>([])
        let options = SchemaFixture.options(3) { report in reported.withLock { $0.append(report) } }
        let provider = LocalProvider(location: FileStoreLocation(directory: folder.path), options: options)
        var stream = provider.changes(in: kind).makeAsyncIterator()
        // The first use does it.
        #expect(try provider.read(LocalKey<[String: String]>("theme", in: kind)) == ["name": "red"])
        #expect(try SchemaFixture.contents(provider, kind) == SchemaFixture.three)

        let reports = reported.withLock { $0 }
        #expect(try provider.migrate() == reports)
        let report = try #require(reports.first)
        #expect(reports.count == 1)
        #expect((report.oldVersion, report.newVersion) == (1, 3))
        #expect(report.steps == ["colour becomes theme", "one more, and the parts' colours"])
        #expect(
            report.changes == [
                "colour": .removed, "theme": .added, "count": .changed, "part1": .changed, "part2": .changed,
                "part3": .changed, "old": .removed,
            ]
        )
        // The stream of defaults begins with a reading, which migrates.
        for _ in kind == .propertyList ? report.changes : [:] {
            let change = try #require(await stream.next())
            #expect((change.kind == .removed) == (report.changes[change.identifier] == .removed), "\(change)")
            #expect(change.origin == .thisProcess, "\(change)")
        }
        #expect(report.backup == backup(kind))
        #expect(
            report.description.contains(report.backup) && report.description.contains("1 added, 4 changed, 2 removed")
        )

        // The backup is what was there, byte for byte, and the old program opens it.
        if kind == .defaults {
            #expect(try Data(contentsOf: URL(fileURLWithPath: report.backup)) == before["defaults.journal"])
            let restored = folder.file("restored")
            try FileManager.default.createDirectory(at: restored, withIntermediateDirectories: false)
            try FileManager.default.copyItem(atPath: report.backup, toPath: restored.path + "/defaults.journal")
            #expect(try SchemaFixture.contents(restored.path, version: 1, kind) == SchemaFixture.one)
        } else {
            let stored = try folderImage(report.backup)
            #expect(
                stored
                    == before.reduce(into: [:]) { result, file in
                        if file.key.hasSuffix(".plist") {
                            result[String(file.key.dropFirst("plists/".count))] = file.value
                        }
                    }
            )
        }
        // Another use, also in a later process, does nothing more.
        let later = try folderImage(folder.path)
        let other = SchemaFixture.open(folder.path, version: 3)
        #expect(try SchemaFixture.contents(other, kind) == SchemaFixture.three)
        #expect(try other.migrate() == [] && other.migrationPlan() == [])
        #expect(try folderImage(folder.path) == later)
    }

    @Test("Renaming keeps the value as it is, also under a name in other bytes", arguments: SchemaFixture.kinds)
    func renames(kind: LocalStoreKind) throws {
        let number = try #require(Decimal(string: "0.12345678901234567890123456789"))
        let old = LocalProvider(location: FileStoreLocation(directory: folder.path))
        try old.set(LocalKey("é", in: kind), to: number)
        #expect(try old.read(LocalKey<Decimal>("é", in: kind)) == number)
        func schema<Tree>() -> LocalSchema<Tree> {
            LocalSchema().migrating("other names") { store in
                for (old, new) in [("é", "between"), ("between", "é"), ("é", "e\u{301}")] {
                    try store.rename(old, to: new)
                }
            }
        }
        var options = LocalProvider.Options()
        (options.defaults.schema, options.propertyLists.schema) = (schema(), schema())
        let new = LocalProvider(location: FileStoreLocation(directory: folder.path), options: options)
        #expect(try new.migrate().map(\.changes) == [["é": .changed]])
        #expect(try new.identifiers(in: kind).map { Array($0.utf8) } == [Array("e\u{301}".utf8)])
        #expect(try new.read(LocalKey<Decimal>("e\u{301}", in: kind)) == number)
    }

    @Test("From a version in between, only the later steps are run", arguments: SchemaFixture.kinds)
    func fromBetween(kind: LocalStoreKind) throws {
        try SchemaFixture.fill(folder.path, kind)
        try SchemaFixture.open(folder.path, version: 2).migrate()
        let reports = try SchemaFixture.open(folder.path, version: 3).migrate()
        #expect(reports.map(\.oldVersion) == [2] && reports.map(\.steps.count) == [1])
        #expect(try SchemaFixture.contents(folder.path, version: 3, kind) == SchemaFixture.three)
    }

    @Test("A new store has the present version, and no step is run", arguments: SchemaFixture.kinds)
    func startsAtPresent(kind: LocalStoreKind) throws {
        let provider = SchemaFixture.open(folder.path, version: 3)
        #expect(try provider.count(in: kind) == 0)
        // A step would rename it.
        try provider.set(LocalKey("colour", in: kind), to: 1)
        let other = SchemaFixture.open(folder.path, version: 3)
        #expect(try other.identifiers(in: kind) == ["colour"] && other.migrate() == [])
        // Neither on one that has lost all its values.
        try provider.removeAll(in: kind)
        let next = SchemaFixture.open(folder.path, version: 3)
        try next.set(LocalKey("colour", in: kind), to: 2)
        #expect(try SchemaFixture.open(folder.path, version: 3).identifiers(in: kind) == ["colour"])
    }

    @Test("An emptied store of an earlier version gets the present one", arguments: SchemaFixture.kinds)
    func emptied(kind: LocalStoreKind) throws {
        try SchemaFixture.fill(folder.path, kind)
        try SchemaFixture.open(folder.path, version: 1).removeAll(in: kind)
        try SchemaFixture.open(folder.path, version: 3).set(LocalKey("colour", in: kind), to: 1)
        #expect(try SchemaFixture.open(folder.path, version: 3).identifiers(in: kind) == ["colour"])
        #expect(throws: LocalError.self) { try SchemaFixture.open(folder.path, version: 1).count(in: kind) }
    }

    @Test("A plan lists the changes and makes none", arguments: SchemaFixture.kinds)
    func plans(kind: LocalStoreKind) throws {
        try SchemaFixture.fill(folder.path, kind)
        let before = try folderImage(folder.path)
        let provider = SchemaFixture.open(folder.path, version: 3)
        let plan = try provider.migrationPlan()
        #expect(try folderImage(folder.path) == before)
        #expect(plan.count == 1 && plan.first?.changes.count == 7 && plan.first?.backup == backup(kind))
        #expect(try provider.migrate() == plan)
        #expect(try provider.migrationPlan() == [])
    }

    @Test("Values of a newer program are refused by every call and unchanged", arguments: SchemaFixture.kinds)
    func refusesNewer(kind: LocalStoreKind) throws {
        try SchemaFixture.fill(folder.path, kind)
        try SchemaFixture.open(folder.path, version: 3).migrate()
        let before = try folderImage(folder.path)
        let path = folder.path + (kind == .defaults ? "/defaults.journal" : "/plists")
        // A program without a schema is of version 1.
        for version in [1, 2] {
            let old = SchemaFixture.open(folder.path, version: version)
            let key = LocalKey<Int>("count", in: kind)
            let calls: [() throws -> Void] = [
                { _ = try old.read(key) }, { _ = try old.contains(key) }, { _ = try old.count(in: kind) },
                { _ = try old.all(Int.self, in: kind) }, { _ = try old.identifiers(in: kind) },
                { try old.set(key, to: 1) }, { try old.create(LocalKey("new", in: kind), to: 1) },
                { try old.update(key, to: 1) }, { try old.update(key) { $0 = nil } }, { try old.delete(key) },
                { try old.removeAll(in: kind) }, { try old.migrate() }, { _ = try old.migrationPlan() },
                { if kind == .defaults { try old.defaults.compactNow() } else { _ = try old.read(key) } },
            ]
            for call in calls {
                #expect(throws: LocalError.newerVersion(path: path, found: 3, supported: version)) { try call() }
            }
            let stream = old.changes(in: kind)
            _ = stream
            let error = LocalError.newerVersion(path: path, found: 3, supported: version)
            #expect(error.description.contains("version 3") && error.description.contains("up to \(version)"))
            #expect(error.description.contains(path) && error.description.contains("Use the newer program"))
        }
        #expect(try folderImage(folder.path) == before)
    }

    @Test("A program that runs while a newer one migrates is refused from then on", arguments: SchemaFixture.kinds)
    func refusesMeanwhile(kind: LocalStoreKind) throws {
        try SchemaFixture.fill(folder.path, kind)
        let old = SchemaFixture.open(folder.path, version: 1)
        #expect(try old.read(LocalKey<Int>("count", in: kind)) == 41)
        try SchemaFixture.open(folder.path, version: 3).migrate()
        let before = try folderImage(folder.path)
        #expect(throws: LocalError.self) { try old.read(LocalKey<Int>("count", in: kind)) }
        #expect(throws: LocalError.self) { try old.set(LocalKey("count", in: kind), to: 0) }
        #expect(try folderImage(folder.path) == before)
    }

    @Test(
        "A read during which a newer program migrates has the old value or is refused",
        arguments: SchemaFixture.kinds
    )
    func refusesDuringRead(kind: LocalStoreKind) throws {
        for number in 1... {
            let folder = try MemoryFolder()
            try SchemaFixture.fill(folder.path, kind)
            let count = Locked(0)
            let calls = FaultyCalls(.none) {
                let isNow = count.withLock { count in
                    count += 1
                    return count == number
                }
                if isNow { #expect(throws: Never.self) { try SchemaFixture.open(folder.path, version: 3).migrate() } }
            }
            let location = FileStoreLocation(directory: folder.path)
            let old = LocalProvider(location: location, options: SchemaFixture.options(1), system: FileSystem(calls))
            let value = Result { try old.read(LocalKey<Int>("count", in: kind)) }
            if case .failure(LocalError.newerVersion) = value {
            } else {
                #expect(try value.get() == 41, "call \(number)")
            }
            guard count.withLock({ $0 }) >= number else {
                #expect(number > 3)
                return
            }
        }
    }

    @Test(
        "A step that throws leaves everything unchanged, and the error names the step and the reason",
        arguments: SchemaFixture.kinds
    )
    func stepThrows(kind: LocalStoreKind) throws {
        struct Refused: Error, CustomStringConvertible { let description = "no such colour" }
        try SchemaFixture.fill(folder.path, kind)
        let before = try folderImage(folder.path)
        var options = SchemaFixture.options(3)
        options.defaults.schema = options.defaults.schema.migrating("paint") { store in
            try store.set("theme", to: 1)
            throw Refused()
        }
        options.propertyLists.schema = options.propertyLists.schema.migrating("paint") { store in
            try store.set("theme", to: 1)
            throw Refused()
        }
        let provider = LocalProvider(location: FileStoreLocation(directory: folder.path), options: options)
        for call in [{ _ = try provider.count(in: kind) }, { try provider.set(LocalKey("new", in: kind), to: 1) }] {
            let error = try #require(throws: LocalError.self, performing: call)
            guard case .migrationFailed(let path, 1, "paint", "no such colour") = error else { throw error }
            #expect(error.description.contains(path) && error.description.contains("Nothing was changed"))
        }
        #expect(try folderImage(folder.path) == before)
        // A program of the old version can use it.
        #expect(try SchemaFixture.contents(folder.path, version: 1, kind) == SchemaFixture.one)
    }

    @Test("A value with another type than a step expects throws an error with the step", arguments: SchemaFixture.kinds)
    func stepCannotRead(kind: LocalStoreKind) throws {
        try SchemaFixture.open(folder.path, version: 1).set(LocalKey("count", in: kind), to: ["no": "number"])
        let error = try #require(throws: LocalError.self) {
            try SchemaFixture.open(folder.path, version: 3).migrate()
        }
        guard case .migrationFailed(_, 1, "one more, and the parts' colours", let detail) = error else { throw error }
        #expect(!detail.isEmpty)
    }

    @Test("A step that uses the store itself throws", arguments: SchemaFixture.kinds)
    func reentry(kind: LocalStoreKind) throws {
        try SchemaFixture.fill(folder.path, kind)
        let slot = Locked<LocalProvider?>(nil)
        var options = LocalProvider.Options()
        let use: @Sendable () throws -> Void = {
            try slot.withLock { $0 }?.set(LocalKey("count", in: kind), to: 0)
        }
        options.defaults.schema = LocalSchema().migrating("around") { _ in try use() }
        options.propertyLists.schema = LocalSchema().migrating("around") { _ in try use() }
        let provider = LocalProvider(location: FileStoreLocation(directory: folder.path), options: options)
        slot.withLock { $0 = provider }
        #expect(throws: LocalError.self) { try provider.count(in: kind) }
        slot.withLock { $0 = nil }
        #expect(try SchemaFixture.contents(folder.path, version: 1, kind) == SchemaFixture.one)
    }

    @Test("After a migration, a flipped bit in the version never runs a step twice")
    func damagedVersion() throws {
        let keys = SchemaFixture.kinds
        for kind in keys { try SchemaFixture.fill(folder.path, kind) }
        try SchemaFixture.open(folder.path, version: 3).migrate()
        for (kind, name, count) in [
            (LocalStoreKind.defaults, "defaults.journal", JournalFormat.headerSize),
            (.propertyList, "plists/.schema", 0),
        ] {
            let whole = try Data(contentsOf: folder.file(name))
            for bit in FlippedBits.of(count > 0 ? count : whole.count) {
                let copy = try MemoryFolder(copying: folder.path)
                try whole.flipping(bit).write(to: URL(fileURLWithPath: copy.path + "/" + name))
                let provider = SchemaFixture.open(copy.path, version: 3)
                #expect(try provider.read(LocalKey<Int>("count", in: kind)) == 42, "bit \(bit) of \(name)")
                #expect(try provider.migrate() == [], "bit \(bit) of \(name)")
                #expect(throws: LocalError.self) {
                    try SchemaFixture.open(copy.path, version: 2).read(LocalKey<Int>("count", in: kind))
                }
            }
        }
    }

    @Test("Documents with hashed names and those of other programs are migrated")
    func unusualDocuments() throws {
        let long = "part" + String(repeating: "x", count: 300)
        let provider = SchemaFixture.open(folder.path, version: 1)
        try provider.set(LocalKey(long, in: .propertyList), to: ["colour": "grey"])
        try provider.set(LocalKey("colour", in: .propertyList), to: "red")
        let xml = #"<?xml version="1.0"?><plist version="1.0"><dict><key>colour</key><string>x</string></dict></plist>"#
        try xml.write(toFile: folder.path + "/plists/part.plist", atomically: false, encoding: .utf8)
        let new = SchemaFixture.open(folder.path, version: 3)
        #expect(try new.read(LocalKey<[String: String]>(long, in: .propertyList)) == ["theme": "grey"])
        #expect(try new.read(LocalKey<[String: String]>("part", in: .propertyList)) == ["theme": "x"])
        #expect(try Set(new.identifiers(in: .propertyList)) == [long, "part", "theme"])
        // The backup that a damaged document falls back to is of the new version as well.
        let path = folder.path + "/plists/part.plist"
        try Data("bad".utf8).write(to: URL(fileURLWithPath: path))
        #expect(try new.read(LocalKey<[String: String]>("part", in: .propertyList)) == ["theme": "x"])
        #expect(new.recoveries.map(\.damage) == [.replacedByBackup])
    }
}
