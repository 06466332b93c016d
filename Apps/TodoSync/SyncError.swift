package import CalDAV
package import LocalProvider
package import TodoCore

/// A failure of a sync. What was done before it stays done.
package enum SyncError: Error, Sendable, CustomStringConvertible {
    /// No account is stored.
    case notSetUp
    /// Another process syncs at this moment.
    case isRunning
    /// A request failed.
    case server(CalDAVError)
    /// The todos could not be read or changed.
    case todos(TodoError)
    /// The files of the sync could not be read or written.
    case storage(LocalError)

    /// What failed, and what to do about it.
    package var description: String {
        switch self {
        case .notSetUp: "no sync is set up; `sync add URL --user USER` sets it up"
        case .isRunning: "another process is syncing; its result appears here, too"
        case .server(let error): "\(error)"
        case .todos(let error): "\(error)"
        case .storage(let error): "\(error)"
        }
    }
}

/// What a sync has done.
package struct SyncReport: Sendable {
    /// The actions in order.
    package var events: [SyncEvent] = []
    /// The deletions that require consent.
    package var refusals: [Refusal] = []

    /// Deletions that would remove more than half of a list.
    package struct Refusal: Hashable, Sendable, CustomStringConvertible {
        /// The list.
        package let list: String
        /// The number of todos that would be deleted, and the number of all.
        package let count: Int
        package let total: Int
        /// Whether they were deleted on the server, and would be here; otherwise the reverse.
        package let isFromServer: Bool

        package var description: String {
            "\(count) of \(total) todos of the list \(list) "
                + (isFromServer
                    ? "were deleted on the server; nothing was deleted here"
                    : "were deleted here; nothing was deleted on the server")
                + ". `sync --allow-deletions` deletes them"
        }
    }

    /// The todos that could not be synced.
    package var problems: [SyncEvent] { events.filter { if case .problem = $0.action { true } else { false } } }
}

/// Calls the store, and converts its error.
func todos<Result>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws(TodoError) -> Result
) async throws(SyncError) -> Result {
    do throws(TodoError) { return try await body() } catch { throw .todos(error) }
}

/// Calls the server, and converts its error.
func remote<Result>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws(CalDAVError) -> Result
) async throws(SyncError) -> Result {
    do throws(CalDAVError) { return try await body() } catch { throw .server(error) }
}

/// Accesses the files of the sync, and converts the error.
func stored<Result>(_ body: () throws(LocalError) -> Result) throws(SyncError) -> Result {
    do throws(LocalError) { return try body() } catch { throw .storage(error) }
}
