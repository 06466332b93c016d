import Foundation
import LocalProviderTestSupport
import SystemCalls
import TestSupport
import Testing

@testable import LocalProvider

/// Changes of many values at once, each call of which fails in turn: the change is made completely or not at all, and the
/// store can still be used.
@Suite("Faults in changes of many values")
struct JournalFaultTests {
    private typealias Values = [String: String]

    /// A change of several values.
    enum Change: CaseIterable {
        case removingAll, merging, replacing, flushing

        /// Half of a record with it is longer than the next record may be.
        private static let text = String(repeating: "new d", count: 50)

        /// The values before and after, and between the steps if a change has several.
        var states: [[String: String]] {
            let before = ["a": "old a", "b": "old b", "c": "old c"]
            return switch self {
            case .removingAll: [before, [:]]
            case .merging: [before, ["a": "new a", "b": "old b", "c": "old c", "d": Self.text]]
            case .replacing: [before, ["a": "new a", "d": Self.text]]
            case .flushing:
                [
                    before, before.merging(["e": "new e"]) { $1 },
                    ["a": "new a", "c": "old c", "d": Self.text, "e": "new e"],
                ]
            }
        }

        /// Further possible states for the store itself: values that are deferred, which other stores do not have.
        var ownStates: [[String: String]] {
            guard self == .flushing else { return [] }
            let before = ["a": "new a", "b": "old b", "c": "old c", "e": "new e"]
            let removed = before.filter { $0.key != "b" }
            return [before, removed]
        }

        /// What comes before the change itself.
        func prepare(_ store: JSONDefaults) throws(LocalError) {
            guard self == .flushing else { return }
            try store.set("e", "new e")
            try store.set("a", "new a", LocalDurability.deferred)
            try store.remove("b", LocalDurability.deferred)
            try store.set("d", Self.text, LocalDurability.deferred)
        }

        func make(in store: JSONDefaults) throws(LocalError) {
            let json = Data("{\"a\": \"new a\", \"d\": \"\(Self.text)\"}".utf8)
            switch self {
            case .removingAll: try store.removeAll(durability: nil)
            case .merging: try store.importJSON(json)
            case .replacing: try store.importJSON(json, replacing: true)
            case .flushing: try store.flush()
            }
        }
    }

    private static let path = "/data/defaults.journal"

    private static func values(_ store: JSONDefaults) throws -> Values {
        try store.values(of: String.self, prefix: "")
    }

    /// A journal with a compacted beginning, a backup, and records behind; all of it on the disk.
    private static func sample() throws -> SimulatedDisk {
        let disk = SimulatedDisk()
        let store = JSONDefaults(on: disk)
        for name in ["a", "b"] { try store.set(name, "oldest", .synced) }
        try store.compactNow()
        for name in ["a", "b", "c"] { try store.set(name, "old " + name, .synced) }
        // As a repair leaves it.
        try SimulatedProcess(disk).link(path, to: path + ".damaged")
        return disk
    }

    /// Looks at the disk as the next process does, after this one's end and after a loss of power.
    private static func check(
        _ disk: SimulatedDisk,
        _ states: [Values],
        _ place: String,
        mayBeUnfinished: Bool = false
    ) throws {
        let some: Set<PowerLoss> = [.nothing, .everything, .allCases.randomElement() ?? .chance]
        for loss in isLongRun ? Set(PowerLoss.allCases) : some {
            let seed = UInt64.random(in: 0...UInt64.max)
            let next = JSONDefaults(on: disk.afterPowerLoss(loss, seed: seed))
            let values = try values(next)
            #expect(states.contains(values), "\(place), \(loss) \(seed): \(values)")
            guard loss == .nothing else { continue }
            for recovery in next.recoveries {
                if mayBeUnfinished, case .unfinishedWrite = recovery.damage { continue }
                Issue.record("\(place): \(recovery)")
            }
        }
    }

    /// How a change is made.
    private struct Setting {
        /// How many records its store has appended before: from the ninth on there is room behind them.
        var appended = 0
        /// Who writes something else after the fault.
        var next = Writer.nobody

        enum Writer: CaseIterable { case nobody, same, other }

        /// All there are in a long run, else some by chance.
        static var some: [Setting] {
            let all = [0, 8, 9].flatMap { count in Writer.allCases.map { Setting(appended: count, next: $0) } }
            return isLongRun ? all : Array(all.shuffled().prefix(2))
        }
    }

    /// Makes a change of which a call goes wrong, looks what is there, and makes it again in the same store.
    ///
    /// - Returns: how many calls the first try took, and its error.
    private static func run(
        _ change: Change,
        on sample: SimulatedDisk,
        _ setting: Setting,
        _ fault: (Int) -> FaultyCalls.Fault
    ) throws -> (calls: Int, error: LocalError?) {
        let disk = sample.copy()
        let calls = FaultyCalls(.none, over: SimulatedProcess(disk), synchronises: true)
        let store = JSONDefaults(on: calls)
        for number in 0..<setting.appended {
            let text = number == setting.appended - 1 ? "old c" : "old \(number)"
            try store.set("c", text, .synced)
        }
        let begin = calls.count
        let fault = fault(begin)
        calls.begin(fault)
        var (isPrepared, error) = (false, LocalError?.none)
        do throws(LocalError) {
            try change.prepare(store)
            isPrepared = true
            try change.make(in: store)
        } catch let failure { error = failure }
        let count = calls.count - begin
        calls.begin(.none)
        let place = "\(change), \(setting), \(fault)"
        let after = try #require(change.states.last)
        // Where nothing can be done any more, a half of a record may stay until the next process.
        var isBroken: Bool { if case .broken = fault { true } else { false } }
        try check(disk, error == nil ? [after] : change.states, place, mayBeUnfinished: isBroken)
        let seen = try values(store)
        let own = isPrepared && change == .flushing ? [] : change.states + change.ownStates
        #expect(seen == after || error != nil && own.contains(seen), "\(place): \(seen)")
        var wanted = after
        if setting.next != .nobody {
            let next = setting.next == .same ? store : JSONDefaults(on: disk)
            try next.set("z", "1", .synced)
            #expect(try values(store) == seen.merging(["z": "1"]) { $1 }, "\(place)")
            if change == .merging || change == .flushing { wanted["z"] = "1" }
            let states = (change.states + [seen]).map { $0.merging(["z": "1"]) { $1 } }
            try check(disk, states, "\(place), written on")
        }
        if !isPrepared { try change.prepare(store) }
        try change.make(in: store)
        #expect(try values(store) == wanted, "\(place), again")
        try check(disk, [wanted], "\(place), again")
        if change == .removingAll { try checkTraces(disk, place) }
        return (count, error)
    }

    /// No file holds anything of the values.
    private static func checkTraces(_ disk: SimulatedDisk, _ place: String) throws {
        let disk = disk.afterPowerLoss(.everything)
        for name in try SimulatedProcess(disk).list("/data") {
            let bytes = try #require(disk.bytes(of: "/data/" + name))
            #expect(Data(bytes).range(of: Data("old".utf8)) == nil, "\(place): \(name)")
        }
    }

    @Test(
        "If a call fails, or all from there on, the change is complete or not made, and the store can repeat it",
        arguments: Change.allCases,
        [EIO, ENOSPC]
    )
    func failing(change: Change, code: Int32) throws {
        let sample = try Self.sample()
        for setting in Setting.some {
            let count = try Self.run(change, on: sample, setting) { _ in .none }.calls
            #expect(count > 4)
            for number in 1...count {
                let once = try Self.run(change, on: sample, setting) { .failing(at: $0 + number, code: code) }
                let forever = try Self.run(change, on: sample, setting) { .broken(from: $0 + number, code: code) }
                for error in [once.error, forever.error].compactMap(\.self) {
                    switch (error, code) {
                    case (.io, EIO), (.full, ENOSPC): break
                    default: Issue.record("\(change), \(setting), call \(number): \(error)")
                    }
                }
                // Some calls may fail without harm; where all do, nothing can have been brought to the disk.
                #expect(forever.error != nil, "\(change), \(setting), call \(number) of \(count)")
            }
        }
    }

    @Test("A short read or write is not an error", arguments: Change.allCases)
    func slow(change: Change) throws {
        let sample = try Self.sample()
        for setting in Setting.some {
            let count = try Self.run(change, on: sample, setting) { _ in .none }.calls
            for number in 1...count {
                let short = try Self.run(change, on: sample, setting) { .short(at: $0 + number) }
                #expect(short.error == nil, "\(change), \(setting), call \(number)")
            }
            #expect(try Self.run(change, on: sample, setting) { _ in .slow }.error == nil)
        }
    }
}
