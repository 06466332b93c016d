import AppLanguage
import CalDAV
import CommandKit
import EssentialFoundation
import TextEscaping
import TodoCore
import TodoSync

/// The `sync` commands.
///
/// The password is read from the terminal without echo or from standard input, never from an argument, which other users of the
/// machine can see.
struct SyncCommands {
    let setup: SyncSetup
    let store: TodoStore
    let prompt: Prompt
    let console: Console
    /// The language of what people read; `--json` is in English.
    let language: AppLanguage

    /// Runs a `sync` command.
    func run(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        switch command.verb {
        case .syncAdd: return try await add(command)
        case .syncStatus: return try await status(command)
        case .syncRemove: return try await remove(command)
        default: return try await sync(command)
        }
    }

    // MARK: Now

    /// The document of `sync --json`.
    private struct ReportDocument: Encodable {
        struct Event: Encodable {
            let date: Date
            let list: String
            let title: String
            let text: String
        }

        let events: [Event]
        let problems: [String]
        let refused: [String]
    }

    private func sync(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        let report = try await attempt { () throws(SyncError) in
            try await setup.sync().run(allowsDeletions: command.has("allow-deletions"))
        }
        var result: ScriptResult
        if command.has("json") {
            result = .json(
                ReportDocument(
                    events: report.events.map { event in
                        ReportDocument.Event(
                            date: event.date,
                            list: event.list,
                            title: event.title,
                            text: event.text(.english)
                        )
                    },
                    problems: report.problems.map { $0.text(.english) },
                    refused: report.refusals.map(\.description)
                )
            )
        } else {
            result = ScriptResult()
            if !command.has("quiet") {
                for event in report.events { result.output += event.text(language).escapingControls() + "\n" }
                if report.events.isEmpty { result.output = SyncCommandText.nothing(language) + "\n" }
            }
        }
        result.notices = report.refusals.map { $0.textWithCommand(language) }
        if !report.refusals.isEmpty || !report.problems.isEmpty { result.exitCode = .nothingMatched }
        return result
    }

    // MARK: Setup

    private func add(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        guard try present() == nil else {
            throw ScriptFailure(.nothingMatched, SyncCommandText.present(language))
        }
        let address = command.operands.first ?? ""
        let user: String
        if let value = command.value("user") { user = value } else { user = try ask(SyncCommandText.user) }
        let password = try ask(SyncCommandText.password, isSecret: true)
        let login = SyncLogin(address: address, user: user, password: password)
        var connection = try await attempt { () throws(SyncError) in try await setup.connect(login) }
        let names = try listNames(connection.calendars.map(\.name), command)
        let localList = try await localList(command)
        if let localList, !connection.calendars.contains(where: { $0.name == localList }) {
            let created = connection
            connection = try await attempt { () throws(SyncError) in
                var connection = created
                try await setup.createCalendar(localList, on: &connection)
                return connection
            }
        }
        let calendars = try chosen(from: connection.calendars, names, localList)
        let ready = connection
        try await attempt { () throws(SyncError) in try await setup.add(ready, calendars, localList: localList) }
        return try await sync(command)
    }

    /// Returns the names of `--list`, or those that the user types; empty for all lists.
    private func listNames(_ names: [String], _ command: AppCommand) throws(ScriptFailure) -> [String] {
        if let chosen = command.allValues("list"), !chosen.isEmpty { return chosen }
        guard prompt.isInteractive, names.count > 1 else { return [] }
        for name in names { console.note("  " + name.escapingControls()) }
        return try ask(SyncCommandText.lists).split(separator: ",").map { String($0).trimmed }
    }

    /// Returns the list of `--local-to`, or the one that the user types; `nil` if the local todos stay local.
    private func localList(_ command: AppCommand) async throws(ScriptFailure) -> String? {
        if let name = command.value("local-to") { return name }
        guard prompt.isInteractive, try await hasLocalTodos() else { return nil }
        let name = try ask(SyncCommandText.localList).trimmed
        return name.isEmpty ? nil : name
    }

    private func hasLocalTodos() async throws(ScriptFailure) -> Bool {
        do throws(TodoError) {
            return try await store.contents().todos.contains { $0.list == nil }
        } catch {
            throw ScriptFailure(error)
        }
    }

    /// Returns the calendars of the names; all without names.
    private func chosen(
        from calendars: [CalDAVCalendar],
        _ names: [String],
        _ localList: String?
    ) throws(ScriptFailure) -> [CalDAVCalendar] {
        guard !calendars.isEmpty else {
            throw ScriptFailure(.nothingMatched, SyncCommandText.noList(language))
        }
        if names.isEmpty { return calendars }
        var chosen: [CalDAVCalendar] = []
        for name in names + (localList.map { [$0] } ?? []) {
            guard let calendar = calendars.first(where: { $0.name.lowercased() == name.lowercased() }) else {
                let text = SyncCommandText.noList(name, of: calendars.map(\.name))
                throw ScriptFailure(.nothingMatched, text(language))
            }
            if !chosen.contains(where: { $0.href == calendar.href }) { chosen.append(calendar) }
        }
        return chosen
    }

    private func remove(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        guard let account = try present() else { throw ScriptFailure(SyncError.notSetUp, language) }
        try await attempt { () throws(SyncError) in try await setup.remove() }
        if command.has("json") { return .json(["removed": account.address]) }
        return ScriptResult(output: SyncCommandText.removed(account.address)(language) + "\n")
    }

    // MARK: Status

    /// The document of `sync status --json`.
    private struct StatusDocument: Encodable {
        @OrNull var address: String?
        @OrNull var user: String?
        let lists: [String]
        let waiting: Int
        @OrNull var lastSuccess: Date?
        @OrNull var lastAttempt: Date?
        @OrNull var problem: String?
        @OrNull var nextAttempt: Date?
        let log: [String]
    }

    private func status(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        let account = try present()
        let waiting: Int
        let log: [SyncEvent]
        do {
            waiting = account == nil ? 0 : try await store.unsynced().count
            log = try setup.records.log()
        } catch {
            throw ScriptFailure(.data, "\(error)")
        }
        if command.has("json") {
            return .json(
                StatusDocument(
                    address: account?.address,
                    user: account?.user,
                    lists: account?.lists.map(\.name) ?? [],
                    waiting: waiting,
                    lastSuccess: account?.status.success,
                    lastAttempt: account?.status.attempt,
                    problem: account?.status.problem,
                    nextAttempt: account?.status.pause,
                    log: log.map { $0.text(.english) }
                )
            )
        }
        guard let account else {
            return ScriptResult(output: SyncCommandText.none(language) + "\n", exitCode: .nothingMatched)
        }
        let lastSync = account.status.success.map { DateText.text($0, .system) }
        var output = SyncCommandText.rows(account, waiting: waiting, lastSync: lastSync)
            .map { "\($0.0(language)): \($0.1(language).escapingControls())\n" }.joined()
        for event in log {
            output += "  \(DateText.text(event.date, .system)) \(event.text(language).escapingControls())\n"
        }
        return ScriptResult(output: output)
    }

    private func present() throws(ScriptFailure) -> SyncAccount? {
        do {
            return try setup.records.account()
        } catch {
            throw ScriptFailure(SyncError.storage(error), language)
        }
    }

    // MARK: Values

    private func attempt<Value: Sendable>(
        _ call: () async throws(SyncError) -> Value
    ) async throws(ScriptFailure) -> Value {
        do throws(SyncError) {
            return try await call()
        } catch {
            throw ScriptFailure(error, language)
        }
    }

    private func ask(_ label: LocalizedText, isSecret: Bool = false) throws(ScriptFailure) -> String {
        do throws(Prompt.Failure) {
            return try prompt.read(label(language), isSecret)
        } catch {
            switch error {
            case .interrupted: throw ScriptFailure(.interrupted, nil)
            case .ended: throw ScriptFailure(.usage, SyncCommandText.missing(label)(language))
            }
        }
    }
}

extension SyncSetup {
    /// Creates the setup of a store of the app.
    init(_ store: TodoStore, _ configuration: Configuration) {
        self.init(store: store, location: configuration.location, keyPath: configuration.accountKeyPath)
    }
}

extension DoctorCommand {
    /// Checks the connection to the server of the sync, and names the first step that fails.
    func checkSync(_ report: inout DoctorReport, writes: Bool) async {
        let store = TodoStore(directory: configuration.location, now: { Date() })
        do {
            switch try await SyncSetup(store, configuration).check(writes: writes) {
            case nil: break
            case .success(let lists)?:
                report.add("sync", .ok, "connected and signed in, \(lists.count) lists on the server")
            case .failure(let failure)?:
                report.add("sync", .failed, "\(failure.step.rawValue): \(failure.reason)", failure: .network)
            }
        } catch {
            report.add("sync", .failed, "\(error)", failure: .data)
        }
    }
}

extension ScriptFailure {
    init(_ error: SyncError, _ language: AppLanguage) {
        let code: ExitCode
        switch error {
        case .notSetUp, .isRunning: code = .nothingMatched
        case .todos(let error):
            self.init(ScriptFailure(error).exitCode, "\(error)")
            return
        case .invalidAddress: code = .usage
        case .storage: code = .data
        case .server(let error):
            switch error.reason {
            case .network, .busy, .certificate, .malformedReply, .limitExceeded: code = .network
            case .cancelled: code = .interrupted
            case .invalidRequest: code = .usage
            default: code = .nothingMatched
            }
        }
        self.init(code, error.text(language))
    }
}
