package import AppLanguage
package import CalDAV
package import LocalProvider
import TextEscaping
package import TodoCore

/// A failure of a sync. What was done before it stays done.
package enum SyncError: Error, Sendable, CustomStringConvertible {
    /// No account is stored.
    case notSetUp
    /// Another process syncs at this moment.
    case isRunning
    /// The address of a server is neither a URL nor a mail address.
    case invalidAddress(String)
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
        case .invalidAddress(let text):
            "\(text.quoted(limit: 200)) is no address; write https://HOST or a mail address"
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
    package struct Refusal: Codable, Hashable, Sendable, CustomStringConvertible {
        /// The list.
        package let list: String
        /// The number of todos that would be deleted, and the number of all.
        package let count: Int
        package let total: Int
        /// Whether they were deleted on the server, and would be here; otherwise the reverse.
        package let isFromServer: Bool

        package var description: String { text(.english) + " `sync --allow-deletions` deletes them" }

        package init(list: String, count: Int, total: Int, isFromServer: Bool) {
            (self.list, self.count, self.total, self.isFromServer) = (list, count, total, isFromServer)
        }

        /// What has happened, without a next step.
        package var text: LocalizedText {
            isFromServer
                ? LocalizedText(
                    "\(count) of \(total) todos of the list \(list) were deleted on the server. Nothing was deleted here.",
                    ko: "서버에서 \(list) 목록의 할 일 \(total)개 가운데 \(count)개가 삭제되었습니다. 여기서는 아무것도 지우지 않았습니다."
                )
                : LocalizedText(
                    "\(count) of \(total) todos of the list \(list) were deleted here. Nothing was deleted on the server.",
                    ko: "여기서 \(list) 목록의 할 일 \(total)개 가운데 \(count)개를 삭제했습니다. 서버에서는 아무것도 지우지 않았습니다."
                )
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
