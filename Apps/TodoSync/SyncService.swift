import CalDAV
import EssentialFoundation
import LocalProvider
import Threading
package import TodoCore

/// The sync of a store in a running program: one sync at a time, and its state for every screen.
package actor SyncService: SyncServing {
    private let setup: SyncSetup
    private let store: TodoStore
    private let clock: TodoClock
    private var state = SyncState()
    private var connection: SyncSetup.Connection?
    private let observers = Broadcast<SyncState>(unreadLimit: 1)

    /// Creates the service. No file is accessed before the first use.
    ///
    /// - Parameters:
    ///   - setup: the account.
    ///   - store: the todos.
    ///   - clock: the present time, and the time zone of the user.
    package init(_ setup: SyncSetup, store: TodoStore, clock: TodoClock = TodoClock()) {
        (self.setup, self.store, self.clock) = (setup, store, clock)
    }

    // MARK: State

    package func states() -> AsyncStream<SyncState> { observers.stream(first: state) }

    private func publish(_ state: SyncState) {
        guard state != self.state else { return }
        self.state = state
        observers.send(state)
    }

    package func refresh() async -> SyncState {
        var new = SyncState()
        do {
            if let account = try setup.records.account() {
                let status = account.status
                new.account = SyncState.Account(
                    address: account.address,
                    user: account.user,
                    lists: account.lists.map(\.name)
                )
                (new.success, new.refusals, new.failures) =
                    (status.success, status.refusals ?? [], status.problems ?? [])
                if let problem = status.problem {
                    new.problem = SyncProblem(status.kind ?? .server, detail: problem)
                }
                new.log = try setup.records.log()
                new.waiting = Set(try await store.unsynced())
            }
        } catch {
            // What was known remains, with the reason.
            new = state
            new.problem = SyncProblem(.files, detail: "\(error)")
        }
        (new.isRunning, new.conflict) = (state.isRunning, state.conflict)
        publish(new)
        return new
    }

    // MARK: Sync

    package func sync(_ request: SyncRequest) async -> SyncOutcome {
        guard !state.isRunning else { return .isRunning }
        let account = try? setup.records.account()
        guard state.account != nil || account != nil else { return .done }
        if request == .unasked {
            if let pause = remainingPause() { return .paused(pause) }
            // What the server has refused is not sent again and again: it might lock the user out.
            if account?.status.kind == .login { return .done }
        }
        var running = state
        (running.isRunning, running.conflict) = (true, nil)
        publish(running)
        var outcome = SyncOutcome.done
        var failure: SyncError?
        do throws(SyncError) {
            let report = try await setup.sync(clock: clock).run(
                allowsDeletions: request == .deleting,
                restoresDeletions: request == .restoring
            )
            await note(report)
        } catch {
            failure = error
        }
        var ended = state
        ended.isRunning = false
        publish(ended)
        _ = await refresh()
        switch failure {
        case nil: break
        case .isRunning: outcome = .isRunning
        case .notSetUp:
            guard var state = state.account.map({ _ in state }) else { break }
            state.problem = SyncProblem(SyncError.notSetUp)
            publish(state)
        default: outcome = .paused(remainingPause() ?? .seconds(60))
        }
        return outcome
    }

    /// Finds the change whose undo brings a value back that was not taken.
    private func note(_ report: SyncReport) async {
        let event = report.events.last { if case .conflict = $0.action { true } else { false } }
        // A later change of the user is undone first.
        guard let event, let step = try? await store.lastStep(), step.summary.hasPrefix("sync ") else { return }
        var state = state
        state.conflict = SyncState.Conflict(event: event, step: step)
        publish(state)
    }

    /// The time until a sync may be tried unasked; `nil` if it may be now.
    private func remainingPause() -> Duration? {
        guard let status = (try? setup.records.account())?.status, let end = status.pause else { return nil }
        let (now, longest) = (clock.now(), TodoSync.longestPause)
        let sinceAttempt = now.timeIntervalSince(status.attempt ?? now)
        // The clock was ahead at the attempt, and was set back: how long ago that was is not known.
        guard sinceAttempt > -60 else { return nil }
        // An older program may have left a later end.
        let rest = min(end.timeIntervalSince(now), longest - max(0, sinceAttempt))
        return rest > 0 ? .milliseconds(Int((rest * 1_000).rounded(.up))) : nil
    }

    // MARK: Account

    package func connect(_ login: SyncLogin?) async throws(SyncError) -> [SyncOffer] {
        let present = if let login { login } else { try setup.login() }
        let connection = try await setup.connect(present)
        self.connection = connection
        let account = try stored { () throws(LocalError) in try setup.records.account() }
        return connection.calendars.map { calendar in
            SyncOffer(
                id: calendar.url.absoluteString,
                name: calendar.name,
                isReadOnly: !calendar.canWrite,
                isSynced: account?.lists.contains { $0.calendar.url == calendar.url } ?? false
            )
        }
    }

    package func add(_ lists: Set<String>, localTodos: SyncDestination?) async throws(SyncError) {
        guard var connection else { throw .notSetUp }
        var chosen = connection.calendars.filter { lists.contains($0.url.absoluteString) }
        var localList: CalDAVCalendar?
        switch localTodos {
        case nil: break
        case .offer(let id): localList = connection.calendars.first { $0.url.absoluteString == id }
        case .new(let name): localList = try await setup.calendar(named: name, on: &connection)
        }
        if let localList, !chosen.contains(where: { $0.url == localList.url }) { chosen.append(localList) }
        try await setup.add(connection, chosen, localList: localList)
        self.connection = nil
        _ = await refresh()
    }

    package func remove() async throws(SyncError) {
        try await setup.remove()
        _ = await refresh()
    }
}
