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
