import CommandKit
import SystemCalls
import TextEscaping
import TodoCore

/// The commands `todo import` and `todo export`.
extension TodoCommands {
    func importFile(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        guard !(command.has("update") && command.has("new")) else {
            throw ScriptFailure(.usage, "--update and --new exclude each other")
        }
        let path = command.operands.first.flatMap { $0 == "-" ? nil : $0 }
        // An unknown or unsuitable format is an error before standard input is read.
        guard try format(command, path: path, among: TodoFileFormat.importable) != .csv else {
            throw ScriptFailure(.usage, "csv cannot be imported; use json")
        }
        let bytes = try read(path)
        let format = try format(command, path: path, contents: bytes, among: TodoFileFormat.importable)
        let source = path ?? "standard input"
        let progress = ImportProgress(console, source: source, size: bytes.count)
        progress.show("reading \(source)")
        let file = format.parse(bytes, clock: clock)
        let problems = file.problems.prefix(100).map { "\(source): \($0)" }
        guard file.problems.isEmpty || command.has("skip-invalid") else {
            progress.end()
            let rest = file.problems.count > 100 ? ["and \(file.problems.count - 100) more"] : []
            throw ScriptFailure(
                .usage,
                (problems + rest).joined(separator: "\n") + "\nnothing was imported; --skip-invalid imports the rest"
            )
        }
        progress.begin(file.records.count)
        let mode: TodoImportMode = command.has("new") ? .new : .update
        let outcomes: [TodoImportOutcome]
        do throws(TodoError) {
            if command.has("dry-run") {
                outcomes = try await store.outcomes(of: file.records, mode, clock: clock)
            } else {
                outcomes = try await store.add(file.records, mode) { progress.update($0) }.outcomes
            }
            progress.end()
        } catch {
            progress.end()
            throw ScriptFailure(error)
        }
        let cuts = outcomes.flatMap { outcome in
            outcome.cutDependencies.map { other in
                "\(source): line \(outcome.line): \(outcome.title.quoted()) does not wait for \(other.quoted()), which waits for it"
            }
        }
        let completions = outcomes.filter(\.staysDone).map { outcome in
            "\(source): line \(outcome.line): \(outcome.title.quoted()) stays completed; the next one of its repetition is open"
        }
        var notices = cuts + completions
        if file.records.isEmpty, file.problems.isEmpty {
            notices.append("\(source): " + (file.contents ?? "the file contains no todos"))
        }
        if command.has("json") {
            var result = ScriptResult.json(
                TodoImportDocument(outcomes, problems: file.problems, isDryRun: command.has("dry-run"))
            )
            result.notices = notices
            return result
        }
        var output = ""
        if command.has("quiet") {
            // A todo that is only planned has no ID yet.
            for outcome in outcomes where outcome.kind == .changed || outcome.kind == .added && !command.has("dry-run")
            {
                output += "\(outcome.id)\n"
            }
        } else {
            for outcome in outcomes where outcome.kind != .unchanged {
                let fields = outcome.kind == .changed ? " (\(outcome.fields.joined(separator: ", ")))" : ""
                output +=
                    "line \(outcome.line): \(outcome.kind.rawValue) \(outcome.title.escapingControls())\(fields)\n"
            }
            func count(_ kind: TodoImportOutcome.Kind) -> Int { outcomes.count { $0.kind == kind } }
            output += "\(count(.added)) added, \(count(.changed)) changed, \(count(.unchanged)) unchanged, "
            output += "\(file.problems.count) refused"
            output += command.has("dry-run") ? "; nothing was changed (--dry-run)\n" : "\n"
        }
        return ScriptResult(
            output: output,
            notices: problems + notices,
            exitCode: file.problems.isEmpty ? .done : .nothingMatched
        )
    }

    func exportFile(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        let path = command.operands.first.flatMap { $0 == "-" ? nil : $0 }
        let format = try format(command, path: path, among: TodoFileFormat.allCases)
        var filter = TodoFilter.everything
        let contents = try await contents(filter)
        filter.query = try query(command.value("filter") ?? "")
        let todos = filter.query.isEmpty ? contents.todos : contents.todos.matching(filter)
        let bytes = format.bytes(todos, all: contents.todos, clock: clock)
        var result = ScriptResult(notices: contents.damage.map(\.description))
        if !contents.damage.isEmpty { result.exitCode = .data }
        guard let path else {
            result.bytes = bytes
            return result
        }
        // The file may be the backup from which the missing todos must come.
        if !contents.damage.isEmpty, (try? POSIX.status(of: path))?.kind == .regular {
            let reason = "\(path.quoted()) stays as it is, since the export would lack todos; choose another file"
            throw ScriptFailure(.data, (result.notices + [reason]).joined(separator: "\n"))
        }
        try UserFile.writeOutput(bytes, to: path)
        if !command.has("quiet") { result.output = "\(todos.count) exported\n" }
        return result
    }

    private func format(
        _ command: AppCommand,
        path: String?,
        contents: [UInt8]? = nil,
        among formats: [TodoFileFormat]
    ) throws(ScriptFailure) -> TodoFileFormat {
        if let name = command.value("format"), let format = TodoFileFormat(rawValue: name) { return format }
        if let path, let format = TodoFileFormat(fileName: path, contents: contents) { return format }
        let names = formats.map(\.rawValue).joined(separator: ", ")
        throw ScriptFailure(.usage, "the format is unknown; add --format with one of \(names)")
    }

    func read(_ path: String?) throws(ScriptFailure) -> [UInt8] {
        let limit = TodoFileFormat.sizeLimit
        let bytes: [UInt8]
        if let path {
            do throws(SystemError) {
                bytes = try POSIX.contents(of: path, limit: limit)
            } catch  where error.code == EFBIG {
                throw Self.tooLong(path.quoted(), limit)
            } catch {
                let reason = SystemError.message(of: error.code)
                throw ScriptFailure(.data, "\(path.quoted()) cannot be read: \(reason); is the path right?")
            }
        } else {
            bytes = console.read(limit + 1)
        }
        guard bytes.count <= limit else { throw Self.tooLong("standard input", limit) }
        return bytes
    }

    private static func tooLong(_ source: String, _ limit: Int) -> ScriptFailure {
        ScriptFailure(.usage, "\(source) has more than \(limit >> 20) MB; divide it")
    }
}

/// Shows how far an import of many todos is: on a terminal as one line that changes, elsewhere as one line at the beginning.
private struct ImportProgress: Sendable {
    /// The size of a file in bytes, and its number of todos, from which on the progress is shown.
    private static let thresholds = (bytes: 500_000, todos: 10_000)
    /// The number of todos after which the line on a terminal changes.
    private static let step = 1_000

    private let console: Console
    private let source: String
    private let isShown: Bool

    init(_ console: Console, source: String, size: Int) {
        (self.console, self.source) = (console, source)
        isShown = console.isErrorTerminal && size >= Self.thresholds.bytes
    }

    /// Shows what is done, on a terminal alone.
    func show(_ text: String) {
        if isShown { console.replaceLine(text) }
    }

    func begin(_ count: Int) {
        guard count >= Self.thresholds.todos, !console.isErrorTerminal else { return }
        console.note("importing \(count) todos from \(source)")
    }

    func update(_ progress: TodoImportProgress) {
        let isLast = progress.count == progress.total
        guard isShown, isLast || progress.count % Self.step == 0 else { return }
        switch progress.phase {
        case .comparing: show("comparing \(progress.count) of \(progress.total) todos from \(source)")
        case .storing where isLast: show("saving \(progress.total) todos")
        case .storing: show("storing \(progress.count) of \(progress.total) todos")
        }
    }

    /// Removes the line.
    func end() { show("") }
}
