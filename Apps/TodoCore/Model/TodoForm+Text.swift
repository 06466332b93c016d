import AppLanguage
import TextEscaping

/// A form as text for an editor: a line for each field, a line of hyphens, and the note.
///
///     # Edit the fields and the note below the line, then save.
///     title: Buy oat milk
///     priority: A
///     due: 2026-03-24 15:00
///     ...
///     ---
///     the cheap one
extension TodoForm {
    private static let fields: [(name: String, path: any WritableKeyPath<TodoForm, String> & Sendable)] = [
        ("title", \.title), ("priority", \.priority), ("due", \.due), ("project", \.project), ("context", \.contexts),
        ("tag", \.tags), ("recurrence", \.recurrence), ("threshold", \.threshold), ("list", \.list),
        ("parent", \.parent), ("after", \.after),
    ]

    private static let separator = "---"

    /// Returns the text of the form.
    ///
    /// - Parameter comment: the lines above it, which are not a part of the todo.
    /// - Returns: the text.
    package func text(_ comment: String) -> String {
        let comments = comment.split(separator: "\n").map { "# \($0)" }
        let lines = Self.fields.map { field in
            let value = self[keyPath: field.path]
            return value.isEmpty ? "\(field.name):" : "\(field.name): \(value)"
        }
        return (comments + lines + [Self.separator, note, ""]).joined(separator: "\n")
    }

    /// Returns the form with the values of a text. A field without a line keeps its value.
    ///
    /// - Throws: ``TodoFieldError`` with the number of a line that is not one of a field.
    package func reading(_ text: String) throws(TodoFieldError) -> TodoForm {
        var form = self
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)[...]
        var number = 0
        while let line = lines.popFirst() {
            number += 1
            if line.trimmed == Self.separator {
                form.note = lines.joined(separator: "\n")
                while form.note.last?.isNewline == true { form.note.removeLast() }
                return form
            }
            guard !line.isBlank, !line.hasPrefix("#") else { continue }
            guard let colon = line.firstIndex(of: ":"),
                let field = Self.fields.first(where: { $0.name == String(line[..<colon]).trimmed.lowercased() })
            else {
                let names = Self.fields.map(\.name).joined(separator: ", ")
                throw Self.error(
                    number,
                    "\(line.quoted(limit: 40)) is not a field; write one of \(names), with a colon",
                    "\(line.quoted(limit: 40).with(.topic)) 항목이 아닙니다. \(names) 가운데 하나를 쌍점과 함께 적어 주세요"
                )
            }
            form[keyPath: field.path] = String(line[line.index(after: colon)...]).trimmed
        }
        throw Self.error(
            number,
            "the line \(Self.separator) above the note is missing",
            "메모 위의 \(Self.separator) 줄이 없습니다"
        )
    }

    private static func error(_ line: Int, _ english: String, _ korean: String) -> TodoFieldError {
        TodoFieldError(LocalizedText("line \(line): \(english)", ko: "\(line)번째 줄: \(korean)"))
    }
}
