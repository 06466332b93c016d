import Foundation
import LocalProvider

/// The stores of a program that has had three versions.
enum SchemaFixture {
    static let kinds = [LocalStoreKind.defaults, .propertyList]

    /// Stores the values of version 1.
    static func fill(_ folder: String, _ kind: LocalStoreKind) throws {
        try fill(LocalProvider(location: FileStoreLocation(directory: folder)), kind)
    }

    static func fill(_ provider: LocalProvider, _ kind: LocalStoreKind) throws {
        try provider.set(LocalKey("colour", in: kind), to: ["name": "red"])
        try provider.set(LocalKey("count", in: kind), to: 41)
        for number in 1...3 { try provider.set(LocalKey("part\(number)", in: kind), to: ["colour": "c\(number)"]) }
        try provider.set(LocalKey("old", in: kind), to: [true])
        try provider.set(LocalKey("same", in: kind), to: ["x": 1.5])
    }

    /// A program of the version `version`, whose steps are those of `crash-writer`.
    static func options(_ version: Int, _ reported: (@Sendable (LocalMigrationReport) -> Void)? = nil)
        -> LocalProvider.Options
    {
        var options = LocalProvider.Options()
        options.defaults.schema = schema(version)
        options.propertyLists.schema = schema(version)
        options.defaults.onMigration = reported
        options.propertyLists.onMigration = reported
        return options
    }

    static func open(_ folder: String, version: Int) -> LocalProvider {
        LocalProvider(location: FileStoreLocation(directory: folder), options: options(version))
    }

    private static func schema<Tree>(_ version: Int) -> LocalSchema<Tree> {
        var schema = LocalSchema<Tree>()
        if version > 1 {
            schema = schema.migrating("colour becomes theme") { try $0.rename("colour", to: "theme") }
        }
        if version > 2 {
            schema = schema.migrating("one more, and the parts' colours") { store in
                try store.convert("count", from: Int.self) { $0 + 1 }
                try store.updateAll(prefix: "part") { $0.renameMember("colour", to: "theme") }
                try store.remove("old")
                try store.rename("old", to: "same")
            }
        }
        return schema
    }

    /// All values of a store, as text.
    static func contents(_ provider: LocalProvider, _ kind: LocalStoreKind) throws -> [String: String] {
        var result: [String: String] = [:]
        for name in try provider.identifiers(in: kind) { result[name] = try content(provider, name, kind) }
        return result
    }

    /// The values that a program of a version finds, as text.
    static func contents(_ folder: String, version: Int, _ kind: LocalStoreKind) throws -> [String: String] {
        try contents(open(folder, version: version), kind)
    }

    /// A value, written as text.
    static func content(_ provider: LocalProvider, _ name: String, _ kind: LocalStoreKind) throws -> String {
        if let number = try? provider.read(LocalKey<Int>(name, in: kind)) { return "\(number)" }
        if let members = try? provider.read(LocalKey<[String: String]>(name, in: kind)) {
            return members.map { "\($0.key)=\($0.value)" }.joined()
        }
        if let members = try? provider.read(LocalKey<[String: Double]>(name, in: kind)) {
            return members.map { "\($0.key)=\($0.value)" }.joined()
        }
        return "\(try provider.read(LocalKey<[Bool]>(name, in: kind)))"
    }

    /// The values of the versions, as ``contents(_:_:)`` returns them.
    static let one = [
        "colour": "name=red", "count": "41", "part1": "colour=c1", "part2": "colour=c2", "part3": "colour=c3",
        "old": "[true]", "same": "x=1.5",
    ]
    static let two = [
        "theme": "name=red", "count": "41", "part1": "colour=c1", "part2": "colour=c2", "part3": "colour=c3",
        "old": "[true]", "same": "x=1.5",
    ]
    static let three = [
        "theme": "name=red", "count": "42", "part1": "theme=c1", "part2": "theme=c2", "part3": "theme=c3",
        "same": "x=1.5",
    ]
}
