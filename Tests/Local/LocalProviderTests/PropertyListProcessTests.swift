import Foundation
import TestSupport
import Testing

@testable import LocalProvider

/// Property lists that several processes write, and that run out of room.
@Suite("Property lists and other processes", .timeLimit(.minutes(10)))
struct PropertyListProcessTests {
    private static let program = ChildProcess.productsDirectory.appendingPathComponent("crash-writer")

    @Test("Several processes that update one document lose no update")
    func noLostUpdate() async throws {
        let folder = try TemporaryDirectory("count")
        let each = isLongRun ? 20_000 : 200
        let children = (0..<2).map { _ in
            Task { try await ChildProcess.run(Self.program, ["count-plist", folder.path, "\(each)"]) }
        }
        // This one updates it, too, and a reader sees it only grow.
        let options = LocalProvider.Options(lockTimeLimit: .seconds(600))
        let provider = LocalProvider(location: FileStoreLocation(directory: folder.path), options: options)
        let counter = LocalKey("counter", in: .propertyList, default: [0])
        var last = 0
        for _ in 0..<each {
            let value = try provider.update(counter, durability: .written) { counts in
                counts = [(counts?.first ?? 0) + 1]
                return counts?.first ?? 0
            }
            #expect(value > last)
            last = try provider.read(counter).first ?? 0
            #expect(last >= value)
        }
        for child in children {
            let result = try await child.value
            #expect(result.status == 0, "\(result.errors)")
        }
        #expect(try provider.read(counter).first == 3 * each)
        #expect(provider.recoveries.isEmpty)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/plists")
        #expect(names.allSatisfy { !$0.hasSuffix(".tmp") })
    }

    @Test("A document that may not grow throws full, and the one before is intact", arguments: [98_304, 100_000])
    func full(limit: Int) async throws {
        let folder = try TemporaryDirectory("full")
        let result = try await ChildProcess.run(Self.program, ["full-plist", folder.path, "\(limit)"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("No space is left") && result.output.contains(folder.path), "\(result.output)")
        let acknowledged = CrashChild.acknowledged(folder.path)
        #expect(acknowledged > 20)
        let provider = LocalProvider(location: FileStoreLocation(directory: folder.path))
        let document = LocalKey<[String]>("document", in: .propertyList)
        let texts = try provider.read(document)
        #expect(texts.count == acknowledged && texts.last?.hasPrefix("\(acknowledged) ") == true)
        #expect(provider.recoveries.isEmpty)
        // With room again it grows on, and nothing of the attempt is left.
        try provider.set(document, to: texts + ["more"])
        #expect(try provider.read(document).count == acknowledged + 1)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/plists/document.plist.tmp"))
    }

    @Test("A repair is reported as a change of this process")
    func repairIsOwn() async throws {
        let folder = try TemporaryDirectory("repair")
        let store = PropertyListStore(location: FileStoreLocation(directory: folder.path))
        let name = try LocalIdentifier("x")
        try store.set(1, for: name, rule: .set, durability: nil)
        try store.set(2, for: name, rule: .set, durability: nil)
        let path = store.path(for: name)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes[9] ^= 1
        // Damage without an event.
        try bytes.write(to: folder.file("x.plist"))
        var changes = store.changes().makeAsyncIterator()
        #expect(try store.value(for: name, as: Int.self) == 1)
        try store.set("end", 1, nil)
        var reported: [LocalChange] = []
        while let change = await changes.next(), change.identifier != "end" { reported.append(change) }
        #expect(reported == [LocalChange(store: .propertyList, identifier: "x", kind: .set, origin: .thisProcess)])
    }
}
