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

    /// What failed, and what to do about it, in English.
    package var description: String {
        switch self {
        case .server(let error): "\(error)"
        case .todos(let error): "\(error)"
        case .storage(let error): "\(error)"
        case .notSetUp, .invalidAddress, .isRunning: text(.english)
        }
    }

    /// What failed, and what to do about it. The details of a server and of files are in English.
    package var text: LocalizedText { text(isSetUp: true) }

    /// Returns ``text`` for a program with an account, or without one.
    package func text(isSetUp: Bool) -> LocalizedText {
        switch self {
        case .notSetUp:
            LocalizedText(
                "no sync is set up; `sync add URL --user USER` sets it up",
                ko: "동기화가 설정되지 않았습니다. `sync add URL --user USER`로 설정하세요"
            )
        case .invalidAddress(let text):
            LocalizedText(
                "\(text.quoted(limit: 200)) is no address; write https://HOST or a mail address",
                ko: "\(text.quoted(limit: 200).with(.topic)) 주소가 아닙니다. https://HOST나 메일 주소를 쓰세요"
            )
        case .isRunning:
            LocalizedText(
                "another process is syncing; its result appears here, too",
                ko: "다른 프로그램이 동기화하고 있습니다. 그 결과는 여기에도 나타납니다"
            )
        case .server, .todos, .storage:
            LocalizedText(description, ko: SyncProblem(self)?.korean(isSetUp: isSetUp) ?? description)
        }
    }
}

extension CalDAVError {
    /// Whether a failure says something about one object or one list alone, so that others may succeed.
    var concernsOneResource: Bool {
        switch reason {
        case .notFound, .refused, .malformedReply, .limitExceeded, .invalidRequest: true
        default: false
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

        package var description: String { textWithCommand(.english) }

        /// What has happened, and the commands that delete them and bring them back.
        package var textWithCommand: LocalizedText {
            text.followed(
                by: LocalizedText(
                    "`sync --allow-deletions` deletes them, `sync --restore-deletions` brings them back",
                    ko: "`sync --allow-deletions`로 지울 수 있습니다. `sync --restore-deletions`로 되살릴 수 있습니다"
                )
            )
        }

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
