import Foundation
import TestSupport
import Testing

@testable import LocalProvider

/// The origin of changes, when the file that records it has been replaced.
@Suite("Origins of changes in journals")
struct JournalOriginTests {
    private static let path = "/data/defaults.journal"

    /// Another handle on the reader's file, of the reader's process or of another one.
    private final class Handle {
        let journal: Journal
        let origin: LocalChange.Origin

        init(_ system: FileSystem, _ origin: LocalChange.Origin) {
            journal = Journal(path: path, system: system, writer: origin == .thisProcess ? 1 : 2)
            self.origin = origin
        }

        func set(_ names: String...) throws {
            try append(names.map { (try LocalIdentifier($0), Array("1".utf8)) })
        }

        func remove(_ names: String...) throws { try append(names.map { (try LocalIdentifier($0), nil) }) }

        private func append(_ changes: [(LocalIdentifier, [UInt8]?)]) throws {
            _ = try journal.refresh(.exclusive)
            _ = try journal.append(changes.map { JournalFormat.Operation(key: $0.0, value: $0.1) })
        }

        func compact(_ rewriting: Rewriting) throws {
            _ = try journal.refresh(.exclusive)
            switch rewriting {
            case .keepingBackup: try journal.compact()
            case .withoutTraces: try journal.compactWithoutBackup()
            }
        }
    }

    enum Rewriting: CaseIterable {
        case keepingBackup, withoutTraces
    }

    private let disk = SimulatedDisk()
    private let system: FileSystem
    private let reader: Journal
    private let own: Handle
    private let foreign: Handle

    init() throws {
        system = FileSystem(SimulatedProcess(disk))
        reader = Journal(path: Self.path, system: system, writer: 1)
        own = Handle(system, .thisProcess)
        foreign = Handle(system, .anotherProcess)
        try system.makeFolders("/data")
    }

    private func removed() throws -> [String: LocalChange.Origin] {
        let changes = try reader.refresh(.shared).filter { $0.kind == .removed }
        return Dictionary(uniqueKeysWithValues: changes.map { ($0.identifier, $0.origin) })
    }

    @Test("The origin of a removal is reported although the file was compacted since", arguments: Rewriting.allCases)
    func rewritten(rewriting: Rewriting) throws {
        for rewriter in [own, foreign] {
            try own.set("a", "b", "c")
            _ = try reader.refresh(.shared)
            try own.remove("a")
            try foreign.remove("b")
            try rewriter.compact(rewriting)
            #expect(try removed() == ["a": .thisProcess, "b": .anotherProcess])
            try own.set("a", "b")
            _ = try reader.refresh(.shared)
            // The removals may also come only afterwards, or some of them.
            try foreign.remove("a")
            try rewriter.compact(rewriting)
            try own.remove("b")
            #expect(try removed() == ["a": .anotherProcess, "b": .thisProcess])
        }
    }

    @Test("The origin is reported although the file was compacted twice, if the backup has it")
    func rewrittenTwice() throws {
        try own.set("a", "b", "c", "d", "e")
        _ = try reader.refresh(.shared)
        try own.remove("a")
        try foreign.remove("b")
        try own.compact(.keepingBackup)
        try own.remove("c")
        try foreign.remove("d")
        try foreign.compact(.keepingBackup)
        #expect(try removed() == ["a": .thisProcess, "b": .anotherProcess, "c": .thisProcess, "d": .anotherProcess])
    }

    @Test("Of several removals of a value the last one counts", arguments: Rewriting.allCases)
    func lastOne(rewriting: Rewriting) throws {
        for (first, second) in [(own, foreign), (foreign, own)] {
            try own.set("a")
            _ = try reader.refresh(.shared)
            try first.remove("a")
            try first.compact(rewriting)
            try second.set("a")
            try second.remove("a")
            #expect(try removed() == ["a": second.origin])
        }
    }

    @Test("If a part of the history is in no file, no removal is reported as this process's", arguments: 2...4)
    func unknown(rewritings: Int) throws {
        try own.set("a", "b")
        _ = try reader.refresh(.shared)
        try own.remove("a")
        for _ in 0..<rewritings {
            try own.compact(.withoutTraces)
            try foreign.set("a")
            try foreign.remove("a")
            try own.set("c")
        }
        try own.compact(.withoutTraces)
        #expect(try removed() == ["a": .anotherProcess])
    }

    @Test("An old removal is not the origin of a value that is missing from a restored file")
    func putBack() throws {
        try own.set("a", "b")
        try own.remove("a")
        try own.compact(.keepingBackup)
        let (old, backup) = (disk.bytes(of: Self.path), disk.bytes(of: Self.path + ".backup"))
        try own.set("a")
        _ = try reader.refresh(.shared)
        try system.remove(Self.path)
        try system.remove(Self.path + ".backup")
        for (path, bytes) in [(Self.path, old), (Self.path + ".backup", backup)] {
            try #require(try system.open(path, .creating)).write(try #require(bytes), at: 0)
        }
        #expect(try removed() == ["a": .anotherProcess])
    }

    @Test("A backup from which the file was not made is no source of origins")
    func otherBackup() throws {
        try own.set("a", "b")
        _ = try reader.refresh(.shared)
        try own.remove("a")
        try own.compact(.keepingBackup)
        let backup = try #require(disk.bytes(of: Self.path + ".backup"))
        try foreign.set("a")
        try foreign.remove("a")
        try foreign.compact(.keepingBackup)
        disk.damage(Self.path + ".backup") { $0 = backup }
        #expect(try removed() == ["a": .anotherProcess])
    }

    @Test("Removals have the right origin whatever several processes do")
    func anything() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        let handles = [own, Handle(system, .thisProcess), foreign]
        let names = try ["a", "b", "c", "d"].map { try LocalIdentifier($0) }
        // The last process to change each name, and how often the file has been rewritten, since the reader looked.
        var (last, rewritings): ([String: LocalChange.Origin], Int) = ([:], 0)
        var (explained, unexplained) = (0, 0)
        for step in 0..<(isLongRun ? 100_000 : 1_000) {
            let handle = handles[Int.random(in: 0..<3, using: &generator)]
            let name = names[Int.random(in: 0..<4, using: &generator)]
            _ = try handle.journal.refresh(.exclusive)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<3:
                try handle.set(name.text)
                last[name.text] = handle.origin
            case 3..<6 where handle.journal.entries[name] != nil:
                try handle.remove(name.text)
                last[name.text] = handle.origin
            case 6..<8 where handle.journal.file.file != nil:
                try handle.compact(Bool.random(using: &generator) ? .keepingBackup : .withoutTraces)
                rewritings += 1
            case 8..<10:
                let changes = Dictionary(try reader.refresh(.shared).map { ($0.identifier, $0) }) { $1 }
                for change in changes.values where change.origin != last[change.identifier] {
                    // With one file between, all that happened is there to be read.
                    let isExcusable = rewritings > 1 && change.kind == .removed && change.origin == .anotherProcess
                    #expect(isExcusable, "seed \(seed), step \(step), \(rewritings) rewritings: \(change)")
                    unexplained += 1
                }
                if rewritings > 0 { explained += changes.values.count { $0.kind == .removed } }
                (last, rewritings) = ([:], 0)
            default: break
            }
        }
        #expect(explained > unexplained && explained > 20, "seed \(seed): \(explained), \(unexplained)")
    }

    @Test("A removal by a second store of this process has this process as its origin", arguments: [true, false])
    func stores(removesAll: Bool) async throws {
        let stores = (0..<2).map { _ in JSONDefaults(on: disk) }
        for name in ["a", "b"] { try stores[0].set(name, 1) }
        // Without the watcher's thread: one look finds all there is.
        var changes = stores[0].hub.stream().makeAsyncIterator()
        if removesAll {
            try stores[1].removeAll(durability: nil)
        } else {
            for name in ["a", "b"] { try stores[1].remove(name, .written) }
            try stores[1].compactNow()
        }
        stores[0].findChanges()
        let reported = [await changes.next(), await changes.next()].compactMap(\.self)
        #expect(reported.allSatisfy { $0.kind == .removed && $0.origin == .thisProcess }, "\(reported)")
        #expect(Set(reported.map(\.identifier)) == ["a", "b"])
    }
}
