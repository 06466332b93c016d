import TextEscaping
import TodoCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What `--json` writes of todos: one document, its fields always there, absent values as `null`.
struct TodoDocument: Encodable {
    /// The todos that a command listed or changed.
    let todos: [TodoFields]
    /// A few words on what was undone or redone; `nil` for other commands.
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

/// A todo as `--json` writes it.
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
        // `encode` of an optional writes null where `encodeIfPresent` would leave the field out.
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

/// A todo on one line, for a terminal or a pipe.
struct TodoLine {
    /// Whether colours and other attributes may be used.
    let isStyled: Bool
    /// The day it is, for what is overdue.
    let today: Day

    /// The line, without its end: name, state, priority, title, tags, due day.
    func text(for todo: Todo) -> String {
        var parts = [dim(todo.id.description), todo.isDone ? "[x]" : "[ ]"]
        if let priority = todo.priority { parts.append(bold("(\(priority))")) }
        // The texts are checked when they are typed, yet a file can have been written by anything.
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
