package import EssentialFoundation
package import TodoCore

/// The sync of a running program, as its screens use it.
package protocol SyncServing: Sendable {
    /// Returns the state as it was read last, and each later one.
    func states() async -> AsyncStream<SyncState>

    /// Reads the account and what waits again.
    ///
    /// - Returns: the state; without an account, no file is written.
    func refresh() async -> SyncState

    /// Syncs all lists, unless no account is set up. The state has what came of it.
    func sync(_ request: SyncRequest) async -> SyncOutcome

    /// Signs in to a server, and finds its lists. Nothing is stored before ``add(_:localTodos:)``.
    ///
    /// - Parameter login: the server and the user; `nil` for those of the account.
    /// - Returns: the lists.
    /// - Throws: ``SyncError``.
    func connect(_ login: SyncLogin?) async throws(SyncError) -> [SyncOffer]

    /// Syncs lists of the server that was connected last. Lists that are synced already remain as they are, and all others become
    /// local.
    ///
    /// - Parameters:
    ///   - lists: the IDs of the lists.
    ///   - localTodos: the list to which the local todos move, which is synced, too; `nil` leaves them local.
    /// - Throws: ``SyncError``.
    func add(_ lists: Set<String>, localTodos: SyncDestination?) async throws(SyncError)

    /// Ends the sync. The todos stay here and on the server.
    func remove() async throws(SyncError)
}

/// Why a sync is requested.
package enum SyncRequest: Hashable, Sendable {
    /// By the program. It does not happen during a pause after a failure.
    case unasked
    /// By the user.
    case now
    /// By the user, who allows the deletion of more than half of a list.
    case deleting
    /// By the user, to restore the todos whose deletion requires consent.
    case restoring
}

/// The end of a sync.
package enum SyncOutcome: Hashable, Sendable {
    /// It was made, no account is set up, or the user has to sign in again first.
    case done
    /// Another sync was under way, here or in another process.
    case isRunning
    /// It failed, or there is a pause after a failure, which ends after this time.
    case paused(Duration)
}

/// The account of a server.
package struct SyncLogin: Hashable, Sendable {
    /// A URL or a mail address.
    package var address: String
    package var user: String
    package var password: String

    package init(address: String, user: String, password: String) {
        (self.address, self.user, self.password) = (address, user, password)
    }
}

/// A list of a server that can be synced.
package struct SyncOffer: Hashable, Sendable, Identifiable {
    /// The path on the server.
    package var id: String
    package var name: String
    /// Whether the server allows no changes.
    package var isReadOnly: Bool
    /// Whether it is synced already.
    package var isSynced: Bool

    package init(id: String, name: String, isReadOnly: Bool = false, isSynced: Bool = false) {
        (self.id, self.name, self.isReadOnly, self.isSynced) = (id, name, isReadOnly, isSynced)
    }
}

/// A list of a server to which todos move.
package enum SyncDestination: Hashable, Sendable {
    /// The list of an offer's ID. Several lists may have the same name.
    case offer(SyncOffer.ID)
    /// A list of a name, which is created if the server has none.
    case new(String)
}

/// What a program shows of its sync.
package struct SyncState: Hashable, Sendable {
    /// The account of a server.
    package struct Account: Hashable, Sendable {
        package var address: String
        package var user: String
        /// The names of the lists.
        package var lists: [String]

        package init(address: String, user: String, lists: [String]) {
            (self.address, self.user, self.lists) = (address, user, lists)
        }
    }

    /// The account; `nil` if no sync is set up.
    package var account: Account?
    /// Whether a sync of this process is under way.
    package var isRunning = false
    /// The todos whose changes were not sent yet.
    package var waiting: Set<TodoUnsynced> = []
    /// The time of the last sync; `nil` before the first one.
    package var success: Date?
    /// The failure of the last sync.
    package var problem: SyncProblem?
    /// The deletions of the last sync that require consent.
    package var refusals: [SyncReport.Refusal] = []
    /// The todos that the last sync could not send or read.
    package var failures: [SyncEvent] = []
    /// The last todo in which the last sync has chosen between two values.
    package var conflict: Conflict?
    /// The last actions, the latest first.
    package var log: [SyncEvent] = []

    package init() {}

    /// A choice between two values of a todo, and the change whose undo brings the other value back.
    package struct Conflict: Hashable, Sendable {
        package var event: SyncEvent
        package var step: TodoStep

        package init(event: SyncEvent, step: TodoStep) { (self.event, self.step) = (event, step) }
    }

    /// The state in one word.
    package enum Summary: Hashable, Sendable {
        case notSetUp, syncing, synced, waiting(Int), offline(Int), problem
    }

    /// The state in one word.
    package var summary: Summary {
        guard account != nil else { return .notSetUp }
        if isRunning { return .syncing }
        switch problem?.kind {
        case .offline, .busy: return .offline(waiting.count)
        case nil where refusals.isEmpty && failures.isEmpty: return waiting.isEmpty ? .synced : .waiting(waiting.count)
        default: return .problem
        }
    }
}
