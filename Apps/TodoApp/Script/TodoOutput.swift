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
