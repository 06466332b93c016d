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
        let (allows, restores) = (command.has("allow-deletions"), command.has("restore-deletions"))
        guard !allows || !restores else {
            throw ScriptFailure(.usage, "--allow-deletions excludes --restore-deletions; write one of them")
        }
        let report = try await attemptSync { () throws(SyncError) in
            try await setup.sync().run(allowsDeletions: allows, restoresDeletions: restores)
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
                if report.events.isEmpty, report.refusals.isEmpty {
                    result.output = SyncCommandText.nothing(language) + "\n"
                }
            }
        }
        result.notices = report.refusals.map { $0.textWithCommand(language) }
        if !report.refusals.isEmpty || !report.problems.isEmpty { result.exitCode = .nothingMatched }
        return result
    }

    // MARK: Setup

    private func add(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        let account = try present()
        let address = command.operands.first ?? ""
        func requireSame(_ isSame: Bool) throws(ScriptFailure) {
            guard let account, !isSame else { return }
            throw ScriptFailure(.nothingMatched, SyncCommandText.present(account)(language))
        }
        // Other lists of the account are chosen on the screen.
        try requireSame(address == account?.address && command.value("list") == nil && command.value("local-to") == nil)
        let user: String
        if let value = command.value("user") { user = value } else { user = try ask(SyncCommandText.user) }
        try requireSame(user == account?.user)
        let password = try ask(SyncCommandText.password, isSecret: true)
        let login = SyncLogin(address: address, user: user, password: password)
        let connection = try await attemptSync { () throws(SyncError) in try await setup.connect(login) }
        if account == nil {
            try await choose(connection, command)
        } else {
            try await attemptSync { () throws(SyncError) in try await setup.signIn(connection) }
        }
        return try await sync(command)
    }

    /// Sets up the sync of the lists of a server that the options name, or the user.
    private func choose(_ connection: SyncSetup.Connection, _ command: AppCommand) async throws(ScriptFailure) {
        let names = try listNames(connection.calendars.map(\.name), command)
        let localName = try await localList(command)
        var chosen = try chosen(from: connection.calendars, names, localName)
        guard let localName else {
            guard !chosen.isEmpty else { throw ScriptFailure(.nothingMatched, SyncCommandText.noList(language)) }
            return try await attemptSync { [chosen] () throws(SyncError) in
                try await setup.add(connection, chosen)
            }
        }
        let local = try await attemptSync { () throws(SyncError) in
            var connection = connection
            return try await setup.calendar(named: localName, on: &connection)
        }
        if !chosen.contains(where: { $0.url == local.url }) { chosen.append(local) }
        try await attemptSync { [chosen] () throws(SyncError) in
            try await setup.add(connection, chosen, localList: local)
        }
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
        let name: String
        if let value = command.value("local-to") {
            name = value
        } else {
            guard prompt.isInteractive else { return nil }
            let todos = try await attempt { () throws(TodoError) in try await store.contents().todos }
            guard todos.contains(where: { $0.list == nil }) else { return nil }
            name = try ask(SyncCommandText.localList)
            if name.isBlank { return nil }
        }
        return try await attempt { () throws(TodoListError) in try TodoList.name(name) }
    }

    /// Returns the calendars of the names; all without names. The list of the local todos may be one that is created later.
    private func chosen(
        from calendars: [CalDAVCalendar],
        _ names: [String],
        _ localList: String?
    ) throws(ScriptFailure) -> [CalDAVCalendar] {
        if names.isEmpty { return calendars }
        var chosen: [CalDAVCalendar] = []
        for name in names {
            guard let calendar = calendars.first(where: { $0.name.lowercased() == name.lowercased() }) else {
                if name.lowercased() == localList?.lowercased() { continue }
                let text = SyncCommandText.noList(name, of: calendars.map(\.name))
                throw ScriptFailure(.nothingMatched, text(language))
            }
            if !chosen.contains(where: { $0.href == calendar.href }) { chosen.append(calendar) }
        }
        return chosen
    }

    private func remove(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        guard let account = try present() else { throw ScriptFailure(SyncError.notSetUp, language) }
        let unsent = try await waiting()
        try await attemptSync { () throws(SyncError) in try await setup.remove() }
        if command.has("json") { return .json(RemovalDocument(removed: account.address, unsent: unsent)) }
        return ScriptResult(output: SyncCommandText.removed(account.address, unsent: unsent)(language) + "\n")
    }

    /// The document of `sync rm --json`.
    private struct RemovalDocument: Encodable {
        let removed: String
        let unsent: Int
    }

    private func waiting() async throws(ScriptFailure) -> Int {
        try await attempt { () throws(TodoError) in try await store.unsynced().count }
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
        let problems: [String]
        let refused: [String]
        @OrNull var nextAttempt: Date?
        let log: [String]
    }

    private func status(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        let account = try present()
        let waiting = account == nil ? 0 : try await waiting()
        let log: [SyncEvent]
        do {
            log = try setup.records.log()
        } catch {
            throw ScriptFailure(SyncError.storage(error), language)
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
                    problems: account?.status.problems?.map { $0.text(.english) } ?? [],
                    refused: account?.status.refusals?.map(\.description) ?? [],
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

    /// Returns the result of a call of the sync, whose error ends the command with what to do.
    private func attemptSync<Value: Sendable>(
        _ call: () async throws(SyncError) -> Value
    ) async throws(ScriptFailure) -> Value {
        do throws(SyncError) {
            return try await call()
        } catch {
            let account = try present()
            var text = error.text(isSetUp: account != nil)
            if let account, SyncProblem(error)?.kind == .login { text = SyncCommandText.signIn(account, after: text) }
            throw ScriptFailure(error, language, text)
        }
    }

    private func ask(_ label: LocalizedText, isSecret: Bool = false) throws(ScriptFailure) -> String {
        try prompt.value(label(language), isSecret: isSecret) { _ in SyncCommandText.missing(label)(language) }
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
                let count = lists.count == 1 ? "1 list" : "\(lists.count) lists"
                report.add("sync", .ok, "connected and signed in, \(count) on the server")
            case .failure(let failure)?:
                report.add("sync", .failed, "\(failure.step.rawValue): \(failure.reason)", failure: .network)
            }
        } catch {
            report.add("sync", .failed, "\(error)", failure: .data)
        }
    }
}

extension ScriptFailure {
    init(_ error: SyncError, _ language: AppLanguage, _ text: LocalizedText? = nil) {
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
        self.init(code, (text ?? error.text)(language))
    }
}
