import TextEscaping

/// A line for a todo with its fields in braces, such as `{id} {title}`.
///
/// `\t` is a tab, `\n` a line break and `{{` a brace. Values contain no control characters: they are escaped.
package struct TodoTemplate: Sendable {
    /// The fields.
    package enum Field: String, Hashable, Sendable, CaseIterable {
        case id, uuid, title, state, done, archived, priority, project, projects, contexts, tags, list, due, time,
            threshold
        case recurrence, parent, note, created, modified, completed
    }

    private enum Piece {
        case text(String)
        case field(Field)
    }

    private var pieces: [Piece] = []

    /// Creates the template of some columns, separated by tabs.
    ///
    /// - Throws: ``TodoFieldError`` with the position and the nearest name of an unknown field.
    package init(columns: String) throws(TodoFieldError) {
        var column = 1
        for (index, name) in columns.split(separator: ",", omittingEmptySubsequences: false).enumerated() {
            if index > 0 { pieces.append(.text("\t")) }
            pieces.append(.field(try Self.field(name, column: column)))
            column += name.count + 1
        }
    }

    /// Parses a template.
    ///
    /// - Throws: ``TodoFieldError`` with the position and the nearest name of an unknown field.
    package init(parsing text: String) throws(TodoFieldError) {
        var literal = ""
        var name: (text: String, column: Int)?
        var isEscaped = false
        let characters = Array(text)
        var index = 0
        while index < characters.count {
            let character = characters[index]
            let next = index + 1 < characters.count ? characters[index + 1] : nil
            index += 1
            if let field = name {
                guard character == "}" else {
                    name?.text.append(character)
                    continue
                }
                pieces.append(.field(try Self.field(field.text, column: field.column)))
                name = nil
            } else if isEscaped {
                literal.append(character == "t" ? "\t" : character == "n" ? "\n" : character)
                isEscaped = false
            } else if character == "\\", next == "t" || next == "n" || next == "\\" {
                isEscaped = true
            } else if character == "{", next == "{" {
                literal.append("{")
                index += 1
            } else if character == "{" {
                pieces.append(.text(literal))
                literal = ""
                name = ("", index + 1)
            } else {
                literal.append(character)
            }
        }
        if let name {
            throw TodoFieldError(message: "column \(name.column - 1): the brace is not closed; write {title}")
        }
        pieces.append(.text(literal))
    }

    private static func field(_ name: some StringProtocol, column: Int) throws(TodoFieldError) -> Field {
        if let field = Field(rawValue: name.lowercased()) { return field }
        let names = Field.allCases.map(\.rawValue)
        let hint = NearestName.of(String(name), among: names).map { "did you mean \($0.quoted())?" }
        throw TodoFieldError(
            message: "column \(column): there is no field \(name.quoted(limit: 40)); "
                + (hint ?? "it is one of " + names.joined(separator: ", "))
        )
    }

    /// Returns the line of a todo without a line break.
    package func text(for todo: Todo) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .field(let field): field.value(of: todo).escapingControls()
            }
        }.joined()
    }
}

extension TodoTemplate.Field {
    /// Returns the value of the field as text; empty if it has none.
    func value(of todo: Todo) -> String {
        switch self {
        case .id: todo.id.description
        case .uuid: todo.uuid?.text ?? ""
        case .title: todo.title
        case .state: todo.isDone ? "[x]" : "[ ]"
        case .done: todo.isDone ? "true" : "false"
        case .archived: todo.isArchived ? "true" : "false"
        case .priority: todo.priority?.description ?? ""
        case .project: todo.project ?? ""
        case .projects: todo.projects.joined(separator: " ")
        case .contexts: todo.contexts.joined(separator: " ")
        case .tags: todo.tags.joined(separator: " ")
        case .list: todo.list ?? ""
        case .due: todo.due?.description ?? ""
        case .time: todo.dueTime?.description ?? ""
        case .threshold: todo.threshold?.description ?? ""
        case .recurrence: todo.recurrence?.description ?? ""
        case .parent: todo.parent?.description ?? ""
        case .note: todo.note ?? ""
        case .created: Timestamp.extended(todo.created)
        case .modified: Timestamp.extended(todo.modified)
        case .completed: todo.completed.map(Timestamp.extended) ?? ""
        }
    }
}
