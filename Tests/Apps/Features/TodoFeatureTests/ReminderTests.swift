import AppTestSupport
import Foundation
import RIBs
import TerminalTesting
import TestSupport
import Testing
import Threading
import TodoCore

@testable import TodoFeature

@Suite("Reminders")
@MainActor
struct ReminderTests {
    /// What was reminded of, and the log on the disk.
    @MainActor
    private final class Notes {
        var reminded: [String] = []
        var saved: ReminderLog.Entries = [:]
    }

    private let notes = Notes()
    private let clock = ManualClock()
    private let time = Locked(Date.distantPast)
    private let minutes = Locked(Int?.some(10))
    private let scope = Interactor()

    private func worker(_ store: FakeTodoStore) -> ReminderWorker {
        let (notes, time, minutes) = (notes, time, minutes)
        let worker = ReminderWorker(
            store: store,
            clock: clock,
            time: TodoClock(zone: .utc, now: { time.withLock { $0 } }),
            log: ReminderLog(load: { notes.saved }, save: { notes.saved = $0 }),
            minutes: { minutes.withLock { $0 } }
        )
        worker.onReminder = { notes.reminded.append($0.title) }
        return worker
    }

    private func set(_ text: String) throws {
        let date = try #require(ISO8601DateFormatter().date(from: text + "Z"))
        time.withLock { $0 = date }
    }

    /// Sets the time, and lets the worker check it.
    private func tick(_ text: String) async throws {
        try set(text)
        clock.advance(by: ReminderWorker.interval)
        try await eventually { clock.sleepers == 1 }
    }

    private func start(_ worker: ReminderWorker, _ store: FakeTodoStore) async throws {
        scope.activate()
        let reads = store.reads
        worker.start(scope)
        try await eventually { clock.sleepers == 1 && store.reads > reads }
    }

    private func stop(_ worker: ReminderWorker) async throws {
        worker.stop()
        try await eventually { clock.sleepers == 0 }
    }

    @Test("A todo with a time is reminded of once, a while before it, whatever process or day it is")
    func reminds() async throws {
        let store = try FakeTodoStore([
            "meeting due:2026-11-18 15:00", "call due:2026-11-18 16:00", "walk due:2026-11-18",
            "dinner due:2026-11-18 18:00", "later due:2026-11-27 09:00",
        ])
        let first = worker(store)
        try set("2026-11-18T14:00:00")
        try await start(first, store)
        for (text, reminded) in [
            ("14:49:59", []), ("14:50:00", ["meeting"]), ("14:50:10", ["meeting"]), ("15:50:00", ["meeting", "call"]),
        ] {
            try await tick("2026-11-18T" + text)
            #expect(notes.reminded == reminded, "\(text)")
        }
        #expect(notes.saved.count == 1, "what is over is forgotten")
        try await stop(first)
        // Another process knows of it.
        let second = worker(store)
        try await start(second, store)
        try await tick("2026-11-18T15:50:10")
        try await stop(second)
        // What was due while nothing ran is over.
        try set("2026-11-18T18:10:00")
        try await start(second, store)
        try await tick("2026-11-18T18:10:10")
        #expect(notes.reminded == ["meeting", "call"])
        // Nine days ahead was not read on the first day.
        try await tick("2026-11-27T08:50:00")
        #expect(notes.reminded == ["meeting", "call", "later"])
        try await stop(second)
    }

    @Test("A reading that ends after a later one does not replace it")
    func lateReading() async throws {
        let store = try FakeTodoStore()
        let worker = worker(store)
        try set("2026-11-18T14:00:00")
        try await start(worker, store)
        var reading: CheckedContinuation<Void, Never>?
        store.onRead = {
            store.onRead = nil
            await withCheckedContinuation { reading = $0 }
        }
        // The todos are read again with the reminders.
        minutes.withLock { $0 = nil }
        try await tick("2026-11-18T14:00:10")
        minutes.withLock { $0 = 10 }
        clock.advance(by: ReminderWorker.interval)
        try await eventually { reading != nil }
        for line in ["call due:2026-11-18 14:05", "meeting due:2026-11-18 15:00"] {
            try store.keep(TodoChange(quick: line, today: .sample))
        }
        store.changeOutside { _ in }
        try await eventually { notes.reminded == ["call"] }
        reading?.resume()
        try await eventually { clock.sleepers == 1 }
        try await tick("2026-11-18T14:50:00")
        #expect(notes.reminded == ["call", "meeting"])
        try await stop(worker)
    }

    @Test("A changed zone applies at once, a sleep loses no reminder, and what was due without reminders is over")
    func zoneAndSleep() async throws {
        let store = try FakeTodoStore([
            "meeting due:2026-11-18 15:00", "late due:2026-11-18 23:55", "off due:2026-11-19 08:00",
            "early due:2026-11-19 10:00",
        ])
        let worker = worker(store)
        worker.time.zone = Zone(secondsFromGMT: 9 * 3_600)
        try set("2026-11-18T00:00:00")
        try await start(worker, store)
        try await tick("2026-11-18T00:00:10")
        // 15:00 of the old zone is the morning of the new one.
        worker.time.zone = .utc
        try await tick("2026-11-18T05:55:00")
        #expect(notes.reminded.isEmpty)
        try await tick("2026-11-18T14:50:00")
        #expect(notes.reminded == ["meeting"])
        try await tick("2026-11-18T23:44:50")
        try await tick("2026-11-19T00:10:00")
        #expect(notes.reminded == ["meeting", "late"], "the machine slept at midnight")
        minutes.withLock { $0 = nil }
        try await tick("2026-11-19T09:00:00")
        minutes.withLock { $0 = 10 }
        try await tick("2026-11-19T09:00:10")
        try await tick("2026-11-19T09:50:00")
        #expect(notes.reminded == ["meeting", "late", "early"])
        try await stop(worker)
    }
}
