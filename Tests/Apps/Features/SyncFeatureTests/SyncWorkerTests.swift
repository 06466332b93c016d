import AppTestSupport
import Foundation
import RIBs
import TerminalTesting
import TestSupport
import Testing
import TodoCore
import TodoSync

@testable import SyncFeature

@Suite("The sync in the background")
@MainActor
struct SyncWorkerTests {
    private let sync = FakeSync()
    private let store: FakeTodoStore
    private let clock = ManualClock()
    private let scope = Interactor()

    init() throws {
        store = try FakeTodoStore()
        scope.activate()
    }

    private func start(interval: Duration? = .seconds(300), isSetUp: Bool = true) async throws -> SyncWorker {
        if isSetUp { sync.state.account = SyncState.Account(address: "https://a.test", user: "dog", lists: ["Home"]) }
        let worker = SyncWorker(sync: sync, store: store, clock: clock, interval: interval)
        worker.start(scope)
        // The first sync is complete when the state was read after it.
        try await eventually { store.listenerCount == 1 && sync.reads == (isSetUp ? 2 : 1) }
        try await eventually { clock.sleepers == (interval == nil ? 0 : 1) }
        return worker
    }

    /// Changes a todo, which then waits.
    private func change(_ mark: String = "1") {
        sync.state.waiting.insert(TodoUnsynced(uuid: UUID(), mark: mark))
        store.changeOutside { _ in }
    }

    @Test("Without an account nothing is synced: not at the start, after a change, at the interval, or on request")
    func notSetUp() async throws {
        let worker = try await start(isSetUp: false)
        change()
        try await eventually { sync.reads == 2 }
        worker.request(.now)
        try await eventually { sync.reads == 3 }
        clock.advance(by: .seconds(300))
        try await eventually { sync.reads == 4 }
        #expect(sync.requests.isEmpty)
    }

    @Test("It syncs at the start, at the interval, and on request")
    func interval() async throws {
        let worker = try await start()
        #expect(sync.takeRequests() == [.unasked])
        clock.advance(by: .seconds(299))
        clock.advance(by: .seconds(1))
        try await eventually { sync.takeRequests() == [.unasked] }
        var ends: [SyncRequest] = []
        worker.onSync = { request, _ in ends.append(request) }
        worker.request(.now)
        try await eventually { ends == [.now] }
        #expect(sync.takeRequests() == [.now])
    }

    @Test(
        "Changes are sent together after two seconds, and what the server does not accept is not sent again and again"
    )
    func changes() async throws {
        let worker = try await start()
        _ = sync.takeRequests()
        change()
        change()
        try await eventually { clock.sleepers == 2 && sync.reads == 4 }
        clock.advance(by: .milliseconds(1_999))
        #expect(sync.requests.isEmpty)
        clock.advance(by: .milliseconds(1))
        try await eventually { sync.reads == 6 }
        #expect(sync.takeRequests() == [.unasked])
        // Both wait still: the changes of the sync itself are no reason for another one.
        store.changeOutside { _ in }
        try await eventually { sync.reads == 7 }
        for _ in 0..<100 { await Task.yield() }
        #expect(clock.sleepers == 1)
        change()
        try await eventually { clock.sleepers == 2 }
        worker.stop()
        try await eventually { clock.sleepers == 0 }
    }

    @Test("A change during a sync is sent two seconds after it")
    func changeDuringSync() async throws {
        let worker = try await start()
        _ = sync.takeRequests()
        sync.onSync = { [sync] _ in
            sync.onSync = nil
            sync.state.waiting = [TodoUnsynced(uuid: UUID(), mark: "later")]
        }
        worker.request(.now)
        try await eventually { clock.sleepers == 2 }
        #expect(sync.takeRequests() == [.now])
        clock.advance(by: SyncWorker.patience)
        try await eventually { sync.takeRequests() == [.unasked] }
    }

    @Test("While another process syncs, changes wait for it; after a failure, a retry waits for the end of the pause")
    func pauses() async throws {
        let worker = try await start()
        _ = sync.takeRequests()
        sync.outcome = .isRunning
        // Where nothing waits, the other process does all.
        worker.request(.now)
        try await eventually { sync.takeRequests() == [.now] }
        for _ in 0..<100 { await Task.yield() }
        #expect(clock.sleepers == 1)
        change()
        try await eventually { clock.sleepers == 2 }
        clock.advance(by: SyncWorker.patience)
        try await eventually { sync.takeRequests() == [.unasked] }
        try await eventually { clock.sleepers == 2 }
        sync.outcome = .paused(.seconds(60))
        clock.advance(by: SyncWorker.patience)
        try await eventually { sync.takeRequests() == [.unasked] }
        try await eventually { clock.sleepers == 2 }
        worker.request(.now)
        try await eventually { sync.takeRequests() == [.now] }
        sync.outcome = .done
        clock.advance(by: .seconds(60))
        try await eventually { sync.takeRequests() == [.unasked] }
    }

    @Test("Without an interval it syncs at the start and after changes, and does not try again by itself")
    func withoutInterval() async throws {
        sync.outcome = .paused(.seconds(60))
        let worker = try await start(interval: nil)
        #expect(sync.takeRequests() == [.unasked])
        #expect(clock.sleepers == 0)
        sync.outcome = .done
        change()
        try await eventually { clock.sleepers == 1 }
        clock.advance(by: SyncWorker.patience)
        try await eventually { sync.takeRequests() == [.unasked] }
        worker.stop()
    }
}
