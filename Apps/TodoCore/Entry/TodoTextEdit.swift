package import AppLanguage
import EssentialFoundation
import SystemCalls
import TextEscaping

/// The edit of a todo as text in the user's editor. A text with a fault is opened again with the reason above it.
package struct TodoTextEdit {
    /// Why there is no change.
    package enum Failure: Error, Hashable {
        /// The file or the editor cannot be used, as the text says.
        case failed(LocalizedText)
        /// The text still has a fault, and was left as it is. It stays in a file.
        case invalid(LocalizedText, path: String)

        /// What failed, and what to do.
        package var text: LocalizedText {
            switch self {
            case .failed(let text): text
            case .invalid(let text, let path):
                LocalizedText(
                    "\(text.english)\nnothing was changed; the text is in \(path)",
                    ko: "\(text.korean)\n바뀐 것이 없습니다. 적은 내용은 \(path)에 있습니다"
                )
            }
        }
    }

    private let todo: Todo
    private let store: any TodoStoring
    private let today: Day
    private let firstWeekday: Int
    private let language: AppLanguage
    private let open: @MainActor (_ path: String) async -> Int32

    /// Creates the edit of a todo.
    ///
    /// - Parameters:
    ///   - todo: the todo as the user knows it.
    ///   - store: the store, whose lists and todos the text can name.
    ///   - today: the day that relative dates count from.
    ///   - firstWeekday: the day with which weeks begin, 0 for Monday to 6 for Sunday.
    ///   - language: the language of the lines above the text.
    ///   - open: opens a file in the editor, and returns its exit status once it has ended.
    package init(
        _ todo: Todo,
        in store: any TodoStoring,
        today: Day,
        firstWeekday: Int,
        language: AppLanguage,
        open: @escaping @MainActor (_ path: String) async -> Int32
    ) {
        (self.todo, self.store, self.today, self.firstWeekday) = (todo, store, today, firstWeekday)
        (self.language, self.open) = (language, open)
    }

    /// Opens the editor until the text is saved or given up.
    ///
    /// - Parameter save: saves the change. An error of it opens the text again, as a fault of the text does; a conflict with
    ///   another change of the todo ends the edit, with the text in a file.
    /// - Returns: whether there was a change.
    /// - Throws: ``Failure``.
    @MainActor
    package func run(_ save: @MainActor (TodoChange) async throws(TodoError) -> Void) async throws(Failure) -> Bool {
        let folder = FileManager.default.temporaryDirectory.path
        let path = "\(folder)/pawkit-\(todo.id)-\(UUID().uuidString.prefix(8)).txt"
        let todos: [Todo]
        do throws(TodoError) { todos = try await store.todos() } catch { throw .failed(error.text) }
        let form = TodoForm(todo, among: todos)
        var text = form.text(Self.help(language))
        var keepsFile = false
        defer { if !keepsFile { unlink(path) } }
        while true {
            try write(text, to: path)
            let status = await open(path)
            guard status == 0 else {
                throw .failed(
                    LocalizedText(
                        "the editor ended with status \(status); nothing was changed. Set VISUAL or EDITOR to another one",
                        ko: "편집기가 상태 \(status.with(.direction)) 끝나 바뀐 것이 없습니다. VISUAL이나 EDITOR에 다른 편집기를 지정하세요"
                    )
                )
            }
            guard FileManager.default.fileExists(atPath: path) else {
                throw .failed(
                    LocalizedText(
                        "the editor has removed the file of the text; nothing was changed",
                        ko: "편집기가 파일을 지워 바뀐 것이 없습니다"
                    )
                )
            }
            guard let data = try? Data(contentsOf: URL(filePath: path)), data.count <= Self.limit,
                let edited = String(validating: data, as: UTF8.self)
            else {
                keepsFile = true
                throw .invalid(
                    LocalizedText("the text is not UTF-8, or too long", ko: "UTF-8이 아니거나 너무 깁니다"),
                    path: path
                )
            }
            var reason: LocalizedText
            var mayRepeat = true
            do throws(TodoFieldError) {
                let change = try await change(to: form.reading(edited), todos)
                if change.isEmpty { return false }
                do throws(TodoError) {
                    try await save(change)
                    return true
                } catch {
                    reason = error.text
                    if case .changedElsewhere = error { mayRepeat = false }
                }
            } catch {
                reason = error.text
            }
            // A text that was not changed since the reason was shown is given up.
            guard mayRepeat, edited != text else {
                keepsFile = true
                throw .invalid(reason, path: path)
            }
            text = Self.with(reason(language), above: edited)
        }
    }

    private func change(to form: TodoForm, _ todos: [Todo]) async throws(TodoFieldError) -> TodoChange {
        var change = try form.change(from: todo, today: today, firstWeekday: firstWeekday, among: todos)
        if let name = change.list?.value {
            do throws(TodoListError) {
                change.list = .set(try await store.list(named: name).name)
            } catch {
                let korean = "\(name.quoted()) 목록을 찾을 수 없습니다. 목록의 이름을 확인하세요"
                throw TodoFieldError(LocalizedText(error.description, ko: korean))
            }
        }
        return change
    }

    private static let limit = 1 << 20

    /// Creates the file for the user alone; it must not exist before.
    private func write(_ text: String, to path: String) throws(Failure) {
        do throws(SystemError) {
            unlink(path)
            let descriptor = try POSIX.open(path, O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600)
            defer { close(descriptor) }
            try POSIX.writeAll(text, to: descriptor)
        } catch {
            throw .failed(LocalizedText("\(path) cannot be written: \(error)", ko: "\(path) 파일을 쓸 수 없습니다: \(error)"))
        }
    }

    /// Returns a text with a reason in its first lines, in place of an earlier one.
    private static func with(_ reason: String, above text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("# ! ") }
        return "# ! \(reason.split(separator: "\n").joined(separator: " "))\n" + lines.joined(separator: "\n")
    }

    private static func help(_ language: AppLanguage) -> String {
        LocalizedText(
            "Edit the fields, and the note below the line; then save and quit. Without a change nothing happens.",
            ko: "항목과 줄 아래의 메모를 고친 뒤 저장하고 끝내세요. 고치지 않으면 아무것도 바뀌지 않습니다."
        )(language)
    }
}
