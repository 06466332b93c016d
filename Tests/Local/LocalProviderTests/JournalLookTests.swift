import Foundation
import LocalProviderTestSupport
import SystemCalls
import TestSupport
import Testing

@testable import LocalProvider

/// The changes that a store finds when it reads its file, and reports.
@Suite("Reading journals that others change")
struct JournalLookTests {
    private static let path = "/data/defaults.journal"

    /// What has become of a file since it was looked at.
    enum Event: CaseIterable {
        case appended, unfinished, rewritten, damagedBeginning, damagedMiddle, gone, allGone

        func happen(on disk: SimulatedDisk) throws {
            let other = JSONDefaults(on: disk)
            let compactedEnd: Int
            if self == .appended || self == .unfinished {
                compactedEnd = 0
            } else {
                try other.set("b", 2)
                try other.compactNow()
                compactedEnd = other.journal.file.end
            }
            try other.remove("a", .written)
            try other.set("d", 4)
            switch self {
            case .appended, .rewritten: break
            case .unfinished: disk.damage(path) { $0 += JournalFormat.mark }
            case .damagedBeginning: disk.damage(path) { $0[20] ^= 1 }
            // The record that removes a.
            case .damagedMiddle: disk.damage(path) { $0[compactedEnd + JournalFormat.recordHeaderSize] ^= 1 }
            case .gone: try SimulatedProcess(disk).remove(path)
            case .allGone: for name in [path, path + ".backup"] { try SimulatedProcess(disk).remove(name) }
            }
        }

        /// The values afterwards; before they were a, b and c, each 1.
        var values: [String: Int] {
            switch self {
            case .appended, .unfinished: ["b": 1, "c": 1, "d": 4]
            case .rewritten, .damagedBeginning: ["b": 2, "c": 1, "d": 4]
            case .damagedMiddle: ["a": 1, "b": 2, "c": 1, "d": 4]
            case .gone: ["a": 1, "b": 2, "c": 1]
            case .allGone: [:]
            }
        }
    }

    private static func sample() throws -> SimulatedDisk {
        let disk = SimulatedDisk()
        let store = JSONDefaults(on: disk)
        for name in ["a", "b", "c"] { try store.set(name, 1) }
        return disk
    }

    /// All reported changes, in order.
    private static func reported(_ store: JSONDefaults, _ stream: AsyncStream<LocalChange>) async throws
        -> [LocalChange]
    {
        let end = try LocalIdentifier("end")
        // In no file, so that it is reported where nothing may be written.
        try store.set(UInt64.random(in: 1...UInt64.max), for: end, rule: .set, durability: LocalDurability.deferred)
        var changes: [LocalChange] = []
        for await change in stream {
            if change.identifier == end.text { break }
            changes.append(change)
        }
        return changes
    }

    private static func values(_ store: JSONDefaults) throws -> [String: Int] {
        try store.values(of: UInt64.self, prefix: "").filter { $0.key != "end" }.mapValues { Int($0) }
    }

    /// Of each value that is another one, new or gone, one change, and of the others none.
    private static func expect(
        _ reported: [LocalChange],
        _ old: [String: Int],
        _ new: [String: Int],
        _ place: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let wanted = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
        let isRight = reported.allSatisfy { ($0.kind == .set) == (new[$0.identifier] != nil) }
        #expect(
            reported.map(\.identifier).sorted() == wanted.sorted() && isRight,
            "\(place): \(reported)",
            sourceLocation: sourceLocation
        )
    }

    @Test("Each change is reported once, whichever call of a reading has failed before", arguments: Event.allCases)
    func faults(event: Event) async throws {
        for number in 1... {
            let disk = try Self.sample()
            let calls = FaultyCalls(.none, over: SimulatedProcess(disk))
            let store = JSONDefaults(on: calls)
            let before = try Self.values(store)
            let stream = store.hub.stream()
            try event.happen(on: disk)
            let begin = calls.count
            calls.begin(.failing(at: begin + number, code: EIO))
            store.findChanges()
            let isOver = calls.count < begin + number
            calls.begin(.none)
            store.findChanges()
            #expect(try Self.values(store) == event.values, "call \(number)")
            Self.expect(try await Self.reported(store, stream), before, event.values, "call \(number)")
            guard !isOver else {
                #expect(number > 2)
                return
            }
        }
    }

    @Test("A process that may not repair a file is informed once of its values", arguments: Event.allCases)
    func readOnly(event: Event) async throws {
        let disk = try Self.sample()
        let calls = RefusingCalls(.openingForWriting, of: SimulatedProcess(disk))
        let store = JSONDefaults(on: calls)
        let before = try Self.values(store)
        let stream = store.hub.stream()
        try event.happen(on: disk)
        calls.isRefusing = true
        store.findChanges()
        let seen = try Self.values(store)
        Self.expect(try await Self.reported(store, stream), before, seen, "unwritable")
        for _ in 0..<3 { store.findChanges() }
        Self.expect(try await Self.reported(store, stream), seen, seen, "unwritable, again")
        calls.isRefusing = false
        store.findChanges()
        #expect(try Self.values(store) == event.values)
        Self.expect(try await Self.reported(store, stream), seen, event.values, "writable")
    }

    @Test("A value that a repair has restored is not reported as a change of its writer")
    func comesBack() async throws {
        let disk = try Self.sample()
        let store = JSONDefaults(on: disk)
        #expect(try store.count() == 3)
        let stream = store.hub.stream()
        let start = store.journal.file.end
        try store.set("c", 6)
        disk.damage(Self.path) { $0[start + JournalFormat.recordHeaderSize] ^= 1 }
        // Who opens the file repairs it.
        #expect(try JSONDefaults(on: disk).value("c") == 1)
        store.findChanges()
        let reported = try await Self.reported(store, stream)
        #expect(reported.map(\.identifier) == ["c", "c"] && reported.map(\.origin) == [.thisProcess, .anotherProcess])
    }

    @Test("A replaced folder is noticed although the sequence numbers are the same")
    func replaced() async throws {
        let disk = try Self.sample()
        let store = JSONDefaults(on: disk)
        #expect(try store.count() == 3)
        let stream = store.hub.stream()
        try SimulatedProcess(disk).remove(Self.path)
        let other = JSONDefaults(on: disk)
        for (name, value) in [("a", 1), ("b", 2), ("c", 1)] { try other.set(name, value) }
        store.findChanges()
        let reported = try await Self.reported(store, stream)
        #expect(reported.map(\.identifier) == ["b"])
    }

    @Test("A record of a rewritten file that has a byte like room where the records ended is read")
    func likeRoom() throws {
        let disk = try Self.sample()
        let store = JSONDefaults(on: disk)
        #expect(try store.count() == 3)
        let end = store.journal.file.end
        let operation = JournalFormat.operationHeaderSize + 1
        // The length of the second record begins there.
        let lengths = [end - 4 - JournalFormat.headerSize - JournalFormat.recordHeaderSize, Int(JournalFormat.filler)]
        let names = lengths.map { String(repeating: "k", count: $0 - operation) }
        var bytes = JournalFormat.header(baseSequence: 100, baseEnd: JournalFile.rewrittenBaseEnd)
        for (number, name) in names.enumerated() {
            let change = JournalFormat.Operation(key: try LocalIdentifier(name), value: Array("1".utf8))
            JournalFormat.append(.init(sequence: UInt64(number + 1), writer: 1, operations: [change]), to: &bytes)
        }
        disk.damage(Self.path) { $0 = bytes }
        #expect(try Self.values(store) == [names[0]: 1, names[1]: 1])
    }

    @Test("A synced call synchronises the records it has read, even if it changes nothing")
    func unseen() throws {
        let disk = try Self.sample()
        let store = JSONDefaults(on: disk)
        #expect(try store.count() == 3)
        let other = JSONDefaults(on: disk)
        try other.set("x", 1)
        try other.compactNow()
        try other.remove("x", .written)
        #expect(try !store.remove("x", .synced))
        let next = JSONDefaults(on: disk.afterPowerLoss(.everything))
        #expect(try next.count() == 3)
    }
}
