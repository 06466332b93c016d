package import TodoSync

/// A sync in memory that records what was requested.
@MainActor
package final class FakeSync: SyncServing {
    /// The state, which a test changes.
    package var state = SyncState() { didSet { for observer in observers { observer.yield(state) } } }
    /// What each sync returns.
    package var outcome = SyncOutcome.done
    /// Called during a sync.
    package var onSync: (@MainActor (SyncRequest) -> Void)?
    /// Called while signing in.
    package var onConnect: (@MainActor () async -> Void)?
    /// The lists of the server.
    package var offers: [SyncOffer] = []
    /// The error that signing in and changes of the account throw.
    package var failure: SyncError?
    /// The syncs that were requested.
    package private(set) var requests: [SyncRequest] = []
    /// The logins; `nil` for the stored one.
    package private(set) var logins: [SyncLogin?] = []
    /// The lists that were chosen, each time with the list of the local todos.
    package private(set) var added: [(lists: Set<String>, localTodos: SyncDestination?)] = []
    /// The number of reads.
    package private(set) var reads = 0
    private var observers: [AsyncStream<SyncState>.Continuation] = []

    package init() {}

    /// Returns the requests since the last call.
    package func takeRequests() -> [SyncRequest] {
        defer { requests = [] }
        return requests
    }

    package func states() async -> AsyncStream<SyncState> {
        let (stream, continuation) = AsyncStream<SyncState>.makeStream()
        continuation.yield(state)
        observers.append(continuation)
        return stream
    }

    package func refresh() async -> SyncState {
        reads += 1
        return state
    }

    package func sync(_ request: SyncRequest) async -> SyncOutcome {
        requests.append(request)
        onSync?(request)
        return outcome
    }

    package func connect(_ login: SyncLogin?) async throws(SyncError) -> [SyncOffer] {
        logins.append(login)
        await onConnect?()
        if let failure { throw failure }
        return offers
    }

    package func add(_ lists: Set<String>, localTodos: SyncDestination?) async throws(SyncError) {
        if let failure { throw failure }
        added.append((lists, localTodos))
        var names = offers.filter { lists.contains($0.id) || localTodos == .offer($0.id) }.map(\.name)
        if case .new(let name) = localTodos { names.append(name) }
        let login = logins.compactMap { $0 }.last
        state.account = SyncState.Account(address: login?.address ?? "", user: login?.user ?? "", lists: names)
    }

    package func remove() async throws(SyncError) {
        if let failure { throw failure }
        state = SyncState()
    }
}
