import Foundation
import TestSupport
import Testing

@testable import LocalProvider

/// Files exactly as earlier software wrote them, which every later one has to open.
@Suite("Stores of older software")
struct OlderStoreTests {
    /// A journal of format 1 without a schema: theme, count set twice, gone set and removed.
    private static let journal = """
        5061774a726e6cff010000007472b4a200000000000000002000000000000000\
        fefffdf512000000663f7ad6010000000000000047b2cf67010500060000007468656d65226461726b22\
        fefffdf50d000000ec7797ce020000000000000047b2cf6701050001000000636f756e7436\
        fefffdf50d000000723fc812030000000000000047b2cf6701050001000000636f756e7437\
        fefffdf50f000000c7a964bb040000000000000047b2cf6701040004000000676f6e6574727565\
        fefffdf50b0000000452f8f0050000000000000047b2cf6700040000000000676f6e65
        """

    private static let binary = """
        62706c6973743030d20102030453616765546e616d65513762bcf4b9ac080d11161850eddf301d00010100000000000000050000000000000\
        000000000000000001d
        """

    private static let xml = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \t<key>age</key>
        \t<string>7</string>
        \t<key>name</key>
        \t<string>보리</string>
        </dict>
        </plist>
        <!-- checksum crc32c 7abb6909 of all above; after editing by hand, delete this line -->

        """

    private static func bytes(_ hex: String) throws -> Data {
        let digits = try hex.map { try #require($0.hexDigitValue) }
        let places = stride(from: 0, to: digits.count, by: 2)
        return Data(places.map { (place: Int) -> UInt8 in UInt8(digits[place] << 4 | digits[place + 1]) })
    }

    private func folder() throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory("older")
        try FileManager.default.createDirectory(at: folder.file("plists"), withIntermediateDirectories: false)
        try Self.bytes(Self.journal).write(to: folder.file("defaults.journal"))
        try Self.bytes(Self.binary).write(to: folder.file("plists/one.plist"))
        try Data(Self.xml.utf8).write(to: folder.file("plists/two.plist"))
        return folder
    }

    @Test("Stores of earlier versions are read and continued without a repair")
    func opens() throws {
        let folder = try folder()
        let image = try folderImage(folder.path)
        let provider = LocalProvider(location: FileStoreLocation(directory: folder.path))
        #expect(try provider.read(LocalKey<String>("theme", in: .defaults)) == "dark")
        #expect(try provider.read(LocalKey<Int>("count", in: .defaults)) == 7)
        #expect(try Set(provider.identifiers(in: .defaults)) == ["theme", "count"])
        for name in ["one", "two"] {
            #expect(try provider.read(LocalKey(name, in: .propertyList)) == ["name": "보리", "age": "7"])
        }
        #expect(try folderImage(folder.path) == image)
        #expect(provider.recoveries.isEmpty)
        try provider.set(LocalKey("count", in: .defaults), to: 8)
        try provider.set(LocalKey("one", in: .propertyList), to: ["name": "초코"])
        // The format is still the same: the older program can read it.
        let journal = try Data(contentsOf: folder.file("defaults.journal"))
        #expect(journal.starts(with: try Self.bytes(Self.journal)))
        let other = LocalProvider(location: FileStoreLocation(directory: folder.path))
        #expect(try other.read(LocalKey<Int>("count", in: .defaults)) == 8)
        #expect(try other.read(LocalKey<[String: String]>("one", in: .propertyList)) == ["name": "초코"])
    }

    @Test("Stores of earlier versions have version 1 and are migrated from it")
    func migrates() throws {
        let folder = try folder()
        var options = LocalProvider.Options()
        options.defaults.schema = LocalSchema().migrating("count by tens") { store in
            try store.convert("count", from: Int.self) { $0 * 10 }
        }
        options.propertyLists.schema = LocalSchema().migrating("age is a number") { store in
            try store.updateAll { tree in
                guard case .string(let text) = tree["age"], let age = Int64(text) else { return }
                tree["age"] = .integer(age)
            }
        }
        struct Pet: Codable, Equatable {
            var name: String
            var age: Int
        }
        let provider = LocalProvider(location: FileStoreLocation(directory: folder.path), options: options)
        #expect(try provider.migrate().map(\.newVersion) == [2, 2])
        #expect(try provider.read(LocalKey<Int>("count", in: .defaults)) == 70)
        for name in ["one", "two"] {
            #expect(try provider.read(LocalKey(name, in: .propertyList)) == Pet(name: "보리", age: 7))
        }
        #expect(try Data(contentsOf: folder.file("plists/.v1/two.plist")) == Data(Self.xml.utf8))
        #expect(try Data(contentsOf: folder.file("defaults.journal.v1")) == Self.bytes(Self.journal))
    }
}
