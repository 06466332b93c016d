import TextEscaping
import TodoCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The document of `--json`. Every field is present; missing values are `null`.
struct TodoDocument: Encodable {
    /// The listed or changed todos.
    let todos: [TodoFields]
    /// The change that was undone or redone; `nil` for other commands.
    let message: String?

    init(_ todos: [Todo], message: String? = nil) {
        self.todos = todos.map(TodoFields.init)
        self.message = message
    }

    private enum Key: String, CodingKey {
        case todos
        case message
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(todos, forKey: .todos)
        try container.encode(message, forKey: .message)
    }
}

/// A todo in the document of `--json`.
struct TodoFields: Encodable {
    let todo: Todo

    private enum Key: String, CodingKey {
        case id
        case title
        case done
        case archived
        case priority
        case project
        case contexts
        case due
        case note
        case created
        case modified
        case completed
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(todo.id, forKey: .id)
        try container.encode(todo.title, forKey: .title)
        try container.encode(todo.isDone, forKey: .done)
        try container.encode(todo.isArchived, forKey: .archived)
        // `encode` writes null for `nil`; `encodeIfPresent` would omit the field.
        try container.encode(todo.priority, forKey: .priority)
        try container.encode(todo.project, forKey: .project)
        try container.encode(todo.contexts, forKey: .contexts)
        try container.encode(todo.due, forKey: .due)
        try container.encode(todo.note, forKey: .note)
        try container.encode(todo.created, forKey: .created)
        try container.encode(todo.modified, forKey: .modified)
        try container.encode(todo.completed, forKey: .completed)
    }
}

/// A todo as one line of text.
struct TodoLine {
    /// Whether the line contains colours.
    let isStyled: Bool
    /// The current day, for overdue todos.
    let today: Day

    /// Returns the line without its line break: ID, state, priority, title, tags, due day.
    func text(for todo: Todo) -> String {
        var parts = [dim(todo.id.description), todo.isDone ? "[x]" : "[ ]"]
        if let priority = todo.priority { parts.append(bold("(\(priority))")) }
        // Typed text is validated, but another program may have written the file.
        let title = todo.title.escapingControls()
        parts.append(todo.isDone ? dim(title) : title)
        if let project = todo.project { parts.append(colour("+\(project)".escapingControls(), 34)) }
        parts += todo.contexts.map { colour("@\($0)".escapingControls(), 36) }
        if let due = todo.due {
            let text = "due:\(due)"
            parts.append(!todo.isDone && due < today ? colour(text, 31) : text)
        }
        if todo.note != nil { parts.append(dim("…")) }
        if todo.isArchived { parts.append(dim("archived")) }
        return parts.joined(separator: " ")
    }

    private func dim(_ text: String) -> String { styled(text, 2) }
    private func bold(_ text: String) -> String { styled(text, 1) }
    private func colour(_ text: String, _ code: Int) -> String { styled(text, code) }

    private func styled(_ text: String, _ code: Int) -> String {
        isStyled ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
