import CalDAV
import EssentialFoundation
import LocalProvider
import TextEscaping
import TodoCore

/// The report of `doctor`.
extension SyncSetup {
    /// A step of a connection, in their order, for the report of what fails.
    package enum Step: String, CaseIterable, Sendable {
        case name, connection, tls = "TLS", wellKnown = "well-known", login, home, lists, write

        /// The step that has failed.
        ///
        /// - Parameters:
        ///   - failure: the error.
        ///   - step: the step that was under way: ``wellKnown``, which contains those until ``home``, or a later one.
        init(_ failure: CalDAVError, in step: Step) {
            switch failure.reason {
            case .unauthorized: self = .login
            case .certificate, .insecureConnection: self = .tls
            case .network where failure.isWithoutTLS: self = .tls
            case .network where step == .wellKnown: self = failure.isUnknownHost ? .name : .connection
            case .busy where step == .wellKnown, .cancelled where step == .wellKnown: self = .connection
            case .notCalDAV where failure.element != nil: self = .home
            default: self = step
            }
        }
    }

    /// Connects anew, from the address as it was typed, and lists the calendars.
    ///
    /// - Parameter writes: whether to add a todo to a synced list that may be changed, and to remove it.
    /// - Returns: the names of the calendars, or the first step that fails and why; `nil` without an account.
    /// - Throws: ``SyncError`` of this machine.
    package func check(writes: Bool = false) async throws(SyncError) -> Result<[String], StepFailure>? {
        guard let account = try stored({ () throws(LocalError) in try records.account() }) else { return nil }
        let client: CalDAVClient
        do throws(SyncError) {
            client = try Self.client(try login())
        } catch {
            guard case .notSetUp = error else { throw error }
            let reason = "the password is not stored; `sync add` with the same address and user stores it"
            return .failure(StepFailure(step: .login, reason: reason))
        }
        var step = Step.wellKnown
        do throws(CalDAVError) {
            let home = try await client.home()
            step = .lists
            let calendars = try await Self.calendars(in: home, client)
            let missing = account.lists.filter { list in
                !calendars.contains { $0.href == list.calendar.href }
            }
            guard missing.isEmpty else {
                let names = missing.map(\.name).joined(separator: ", ")
                return .failure(StepFailure(step: .lists, reason: "the server does not have \(names) any more"))
            }
            step = .write
            let synced = calendars.first { calendar in
                calendar.canWrite && account.lists.contains { $0.calendar.href == calendar.href }
            }
            if writes, let synced, let reason = try await Self.write(to: synced, client) {
                return .failure(StepFailure(step: .write, reason: "\(synced.name): \(reason)"))
            }
            return .success(calendars.map(\.name))
        } catch {
            return .failure(StepFailure(step: Step(error, in: step), reason: "\(error)"))
        }
    }

    /// Adds a todo to a calendar and removes it.
    ///
    /// - Returns: what the server refuses; `nil` for nothing.
    private static func write(to calendar: CalDAVCalendar, _ client: CalDAVClient) async throws(CalDAVError) -> String?
    {
        let (uuid, clock) = (UUID(), TodoClock())
        let todo = Todo(id: Todo.noID, title: "A test of the connection", now: clock.now(), uuid: uuid)
        guard let href = calendar.href.member(uuid.text + ".ics") else { return nil }
        let text = SyncObject.text(of: todo, parent: nil, clock: clock)
        let added = try await client.create(text, at: href, in: calendar)
        guard case .stored(var etag) = added else { return "a todo cannot be added (\(added))" }
        if etag == nil { etag = try await client.object(at: href, in: calendar)?.etag }
        guard let etag else { return "\(todo.title.quoted()) cannot be removed (the server states no version)" }
        let removed = try await client.delete(at: href, in: calendar, matching: etag)
        return removed == .deleted ? nil : "\(todo.title.quoted()) cannot be removed (\(removed))"
    }

    /// A step of a connection that fails.
    package struct StepFailure: Error, Sendable {
        package let step: Step
        package let reason: String
    }
}
