import Foundation
import TestSupport
import Testing
import Threading

@testable import LocalProvider

struct Draft: LocalStorable {
    typealias Value = String
    let identifier: String, store = LocalStoreKind.propertyList
}

struct Settings {
    @Stored var theme: String

    init(_ provider: LocalProvider) {
        _theme = Stored(wrappedValue: "dark", "theme", in: .defaults, of: provider)
    }
}

@Suite("Documentation")
struct DocumentationTests {
    private let temporary: TemporaryDirectory
    private var folder: String { temporary.path }

    init() throws { temporary = try TemporaryDirectory("documentation") }

    @Test("Every example of the documentation is compiled by a test")
    func examplesAreCompiled() throws {
        #expect(try DocumentedExamples(of: "LocalProvider", count: 22).missing == [])
    }

    @Test("The first example has the documented result")
    func landingPage() throws {
        let theme = LocalKey("theme", in: .defaults, default: "dark")
        let provider = LocalProvider(location: FileStoreLocation(directory: folder))
        try provider.set(theme, to: "light")
        let present = try provider.read(theme)
        #expect(present == "light")
    }

    @Test("Storing values")
    func keepAValue() async throws {
        let theme = LocalKey("theme", in: .defaults, default: "dark")
        let provider = LocalProvider(location: FileStoreLocation(directory: folder))
        do {
            try provider.create(theme, to: "light")
            try provider.update(theme, to: "blue")
            let length = try provider.update(theme) { value in
                value?.append("!")
                return value?.count
            }
            let present = try provider.read(theme)
            let isGone = try provider.delete(theme)
            #expect(length == 5 && present == "blue!" && isGone)
        }
        try provider.set(Draft(identifier: "draft-1"), to: "one")
        try provider.set(Draft(identifier: "note"), to: "two")
        do {
            let drafts = try provider.all(String.self, in: .propertyList, prefix: "draft-")
            let count = try provider.count(in: .propertyList)
            try provider.removeAll(in: .propertyList)
            #expect(drafts == ["draft-1": "one"] && count == 2)
            #expect(try provider.count(in: .propertyList) == 0)
        }
        try await provider.async.set(theme, to: "light")
        let chosen = try await provider.async.read(theme)
        #expect(chosen == "light")
        let settings = Settings(provider)
        #expect(settings.theme == "light")
        settings.theme = "dark"
        #expect(try provider.read(theme) == "dark")
    }

    @Test("Storing values: observation")
    func follow() async throws {
        let provider = LocalProvider(location: FileStoreLocation(directory: folder))
        let theme = LocalKey("theme", in: .defaults, default: "dark")
        let isHeard = Locked(false)
        let following = Task {
            for await change in provider.changes(of: theme) {
                if change.origin == .anotherProcess { break }
            }
            isHeard.withLock { $0 = true }
        }
        let writer = Task {
            let child = try CrashChild("theme", folder)
            defer { child.kill() }
            while !isHeard.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(2)) }
        }
        await following.value
        try await writer.value
        try provider.set(theme, to: "blue")
        for try await value in provider.values(of: theme) {
            if value == "blue" { break }
        }
    }

    @Test("Choosing a store")
    func chooseAStore() async throws {
        let provider = LocalProvider(location: FileStoreLocation(directory: folder + "/defaults"))
        let position = LocalKey("position", in: .defaults, default: 0)
        try provider.set(position, to: 7, durability: .written)
        try provider.set(position, to: 8, durability: .deferred)
        try provider.defaults.flush()
        let other = LocalProvider(location: FileStoreLocation(directory: folder + "/defaults"))
        #expect(try other.read(position) == 8)

        try provider.set(LocalKey("balance", in: .defaults), to: 12)
        try provider.defaults.transaction { values in
            let balance = try values.value(for: "balance", as: Int.self) ?? 0
            try values.set(balance - 5, for: "balance")
            try values.set(5, for: "spent")
        }
        #expect(try other.all(Int.self, in: .defaults) == ["position": 8, "balance": 7, "spent": 5])

        var options = LocalProvider.Options()
        options.propertyLists.format = .xml
        let documents = LocalProvider(location: FileStoreLocation(directory: folder), options: options)
        try documents.set(LocalKey("profile", in: .propertyList), to: ["name": "보리"])
        #expect(
            try String(contentsOf: temporary.file("plists/profile.plist"), encoding: .utf8).contains("<key>name</key>")
        )

        let cache = MemoryCache<String, [UInt8]>(.init(countLimit: 100))
        let picture = try await cache.value(for: "dog.png") { Array("a picture".utf8) }
        #expect(picture == Array("a picture".utf8) && cache.value(for: "dog.png") == picture)
    }

    @Test("Crash safety")
    func whatSurvives() throws {
        let provider = LocalProvider(location: FileStoreLocation(directory: folder))
        try provider.set(LocalKey("number", in: .defaults), to: 7)
        let journal = temporary.file("defaults.journal")
        // What a process leaves that dies in the middle of a write.
        try (Data(contentsOf: journal) + Data(JournalFormat.mark)).write(to: journal)
        do {
            let store = LocalProvider(location: FileStoreLocation(directory: folder))
            let number = try store.read(LocalKey<Int>("number", in: .defaults))
            for recovery in store.recoveries { print(recovery) }
            #expect(number == 7 && store.recoveries.map(\.damage) == [.unfinishedWrite(bytes: 4)])
        }
        for (provider, expected) in [
            (provider, ""), (LocalProvider(location: FileStoreLocation(directory: "/proc/1/pawkit")), "/proc"),
        ] {
            var message = ""
            do {
                try provider.set(LocalKey("number", in: .defaults), to: 8)
            } catch .full(let path, _) {
                message = "No room for \(path)."
            } catch {
                message = error.description
            }
            #expect(expected.isEmpty ? message.isEmpty : message.contains(expected))
        }
    }

    @Test("Migrations")
    func migrate() throws {
        let older = LocalProvider(location: FileStoreLocation(directory: folder))
        try older.set(LocalKey("colour", in: .defaults), to: "red")
        try older.set(LocalKey("size", in: .defaults), to: 16)
        try older.set(LocalKey("person-1", in: .defaults), to: ["name": "Ada Lovelace"])
        try older.set(LocalKey("person-2", in: .defaults), to: ["name": ""])
        try older.set(Draft(identifier: "draft-1"), to: "one")
        try older.set(Draft(identifier: "note"), to: "two")
        let reported = Locked<[String]>([])
        let log: @Sendable (String) -> Void = { line in reported.withLock { $0.append(line) } }

        let schema = LocalSchema<JSONValue>()
            .migrating("colour becomes theme") { store in
                try store.rename("colour", to: "theme")
            }
            .migrating("sizes in points, people in two names") { store in
                try store.convert("size", from: Int.self) { Double($0) * 0.75 }
                try store.updateAll(prefix: "person-") { person in
                    guard case .string(let name) = person["name"] else { return }
                    let parts = name.split(separator: " ", maxSplits: 1).map(String.init)
                    person["given"] = .string(parts.first ?? "")
                    person["family"] = .string(parts.dropFirst().first ?? "")
                    person["name"] = nil
                }
            }
        var options = LocalProvider.Options()
        options.defaults.schema = schema
        options.propertyLists.schema = LocalSchema().migrating("no drafts") { store in
            for draft in store.identifiers(prefix: "draft-") { try store.remove(draft) }
        }
        options.defaults.onMigration = { report in log(report.description) }
        let provider = LocalProvider(location: FileStoreLocation(directory: folder), options: options)
        for plan in try provider.migrationPlan() { log(plan.description) }
        let reports = try provider.migrate()

        #expect(reports.map(\.newVersion) == [2, 3] && reported.withLock { $0.count } == 3)
        #expect(try provider.read(LocalKey<String>("theme", in: .defaults)) == "red")
        #expect(try provider.read(LocalKey<Double>("size", in: .defaults)) == 12)
        let ada = try provider.read(LocalKey<[String: String]>("person-1", in: .defaults))
        #expect(ada == ["given": "Ada", "family": "Lovelace"])
        #expect(try provider.identifiers(in: .propertyList) == ["note"])
        #expect(reports.map(\.backup) == [folder + "/plists/.v1", folder + "/defaults.journal.v1"])

        var message = ""
        do {
            _ = try older.read(LocalKey<String>("theme", in: .defaults))
        } catch {
            message = error.description
        }
        #expect(
            message.hasPrefix("\(folder)/defaults.journal has version 3, and this program supports versions up to 1.")
        )
    }
}
