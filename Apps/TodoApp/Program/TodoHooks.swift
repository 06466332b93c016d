import JSONValues
import SystemCalls
import Threading
import TodoCore

/// Programs of the user that see each change of the todos before it is stored: the executable files in `hooks`, in the folder
/// of `config.json`.
///
/// A hook is named after its event, `add`, `change` or `complete`, also with a suffix such as `add-estimate` or `add.py`. The
/// hooks of an event run once for each change, in the order of their names, each with what the one before has returned. One
/// reads a line of JSON for each todo from standard input, `{"after":…,"before":…}` with the fields of
/// `todo export --format json` and without `before` for a new todo. It writes nothing, or the todo after the change for each
/// line, with other values. An exit status other than 0 refuses the change, and the error output is the reason.
struct TodoHooks: TodoReviewing {
    /// What happens to a todo.
    enum Event: String, CaseIterable {
        case add, change, complete

        fileprivate init?(_ version: TodoLogEntry.Version) {
            guard let after = version.after else { return nil }
            guard let before = version.before else {
                self = .add
                return
            }
            guard after != before else { return nil }
            self = after.isDone && !before.isDone ? .complete : .change
        }
    }

    /// The environment variable that programs which a hook starts have: they run no hooks.
    static let variable = "PAWKIT_HOOK"
    private static let timeLimit = 5
    private static let outputLimit = 16 << 20

    /// The folder of the hooks.
    let folder: String
    private let environment: [String: String]

    /// Creates the hooks; `nil` without a home folder, and in a program that a hook has started.
    ///
    /// - Parameter environment: the environment variables, by which the folder is found and with which the hooks run.
    init?(_ environment: [String: String]) {
        guard let folder = ConfigurationFile.folder(environment), environment[Self.variable] == nil else { return nil }
        self.folder = "\(folder)/hooks"
        self.environment = environment
    }

    var isActive: Bool { access(folder, F_OK) == 0 }

    /// Returns the files whose names are those of an event, in the order of their names, executable or not.
    func files(of event: Event) -> [String] {
        let names = ((try? POSIX.list(folder)) ?? []).filter { name in
            guard name.hasPrefix(event.rawValue), !name.hasSuffix("~") else { return false }
            return name.dropFirst(event.rawValue.count).first.map { "-.".contains($0) } ?? true
        }
        return names.sorted().map { "\(folder)/\($0)" }
    }

    /// Whether a file can be run.
    static func isExecutable(_ path: String) -> Bool {
        access(path, X_OK) == 0 && (try? POSIX.status(of: path).kind) == .regular
    }

    func review(_ versions: [TodoLogEntry.Version]) async throws(TodoError) -> [TodoID: Todo] {
        var amended: [TodoID: Todo] = [:]
        let groups = Dictionary(grouping: versions) { Event($0) }
        for event in Event.allCases {
            guard var group = groups[event] else { continue }
            for path in files(of: event) where Self.isExecutable(path) {
                let todos = try await run(path, event, group)
                for (index, todo) in todos.enumerated() {
                    // The next hook sees what is going to be stored.
                    guard var after = group[index].after else { continue }
                    do throws(TodoError) {
                        try after.amend(with: todo)
                    } catch {
                        throw .hookFailed(hook: path, .invalidLine(number: index + 1, message: "\(error)"))
                    }
                    group[index] = TodoLogEntry.Version(id: after.id, before: group[index].before, after: after)
                    amended[after.id] = after
                }
            }
        }
        return amended
    }

    /// Runs a hook, and returns the todos that it has written, if any.
    private func run(
        _ path: String,
        _ event: Event,
        _ versions: [TodoLogEntry.Version]
    ) async throws(TodoError) -> [Todo] {
        let program = ChildProgram(
            path: path,
            arguments: [event.rawValue],
            environment: environment.merging([Self.variable: event.rawValue]) { $1 }
        )
        let input = Self.input(versions)
        let outcome = try? await BlockingCalls.run {
            program.run(input: input, timeLimit: .seconds(Self.timeLimit), outputLimit: Self.outputLimit)
        }
        switch outcome {
        case .ended(0, let output, _): return try Self.todos(output, path, versions)
        case .ended(_, _, let errors):
            throw .refused(hook: path, reason: String(decoding: errors, as: UTF8.self).trimmed)
        case .timeLimit: throw .hookFailed(hook: path, .timeLimit(seconds: Self.timeLimit))
        case .outputLimit: throw .hookFailed(hook: path, .outputLimit(bytes: Self.outputLimit))
        case .notStarted, nil: throw .hookFailed(hook: path, .notStarted)
        }
    }

    private static func input(_ versions: [TodoLogEntry.Version]) -> [UInt8] {
        versions.flatMap { version in
            JSONWriter.bytes { writer in
                writer.object { writer in
                    if let todo = version.after { writer.member("after") { $0.write(todo) } }
                    if let todo = version.before { writer.member("before") { $0.write(todo) } }
                }
            } + [0x0A]
        }
    }

    private static func todos(
        _ output: [UInt8],
        _ path: String,
        _ versions: [TodoLogEntry.Version]
    ) throws(TodoError) -> [Todo] {
        let lines = output.split(separator: 0x0A).filter { !$0.allSatisfy { $0 <= 0x20 } }
        guard !lines.isEmpty else { return [] }
        guard lines.count == versions.count else {
            throw .hookFailed(hook: path, .lineCount(expected: versions.count, found: lines.count))
        }
        var todos: [Todo] = []
        for (index, line) in lines.enumerated() {
            func failure(_ message: String) -> TodoError {
                .hookFailed(hook: path, .invalidLine(number: index + 1, message: message))
            }
            do throws(JSONError) {
                try JSONReader.read(Array(line)) { reader throws(JSONError) in todos.append(try Todo(reading: &reader))
                }
            } catch {
                throw failure(error.message)
            }
            let id = versions[index].id
            guard todos[index].id == id else { throw failure("it is \(todos[index].id), and not \(id)") }
        }
        return todos
    }
}
