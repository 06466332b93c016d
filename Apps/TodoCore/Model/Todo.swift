package import LocalProvider

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A todo.
public struct Todo: Hashable, Sendable, Identifiable {
    /// The short name that people and scripts use. It is never assigned to another todo.
    public let id: TodoID
    /// The task: one line, never empty, without control characters.
    public var title: String
    /// The priority; `nil` if none was set.
    public var priority: Priority?
    /// The project, without the `+` of todo.txt.
    public var project: String?
    /// The places or tools it requires, without the `@` of todo.txt. Each is contained once, in the order of input.
    public var contexts: [String]
    /// The day by which it is due.
    public var due: Day?
    /// Further text of any number of lines.
    public var note: String?
    /// The time at which it was added.
    public var created: Date
    /// The time of the last change.
    public var modified: Date
    /// The time at which it was completed; `nil` while it is open.
    public var completed: Date?
    /// Whether it is archived: stored, but listed only on request.
    public var isArchived: Bool
    /// Fields of other programs, preserved by import and export.
    public var extras: [String: String]
    /// Fields of newer versions of the program, by name. They are preserved by every change.
    package var unknownFields: [String: JSONValue] = [:]

    /// Whether it has been completed.
    public var isDone: Bool { completed != nil }
}

extension Todo {
    /// Creates a todo from a checked draft.
    public init(id: TodoID, draft: TodoDraft, now: Date) {
        self.init(
            id: id,
            title: draft.title,
            priority: draft.priority,
            project: draft.project,
            contexts: draft.contexts,
            due: draft.due,
            note: draft.note,
            created: now,
            modified: now,
            completed: nil,
            isArchived: false,
            extras: [:]
        )
    }
}

extension Todo: Codable {
    /// The fields by name, in the order of the names.
    enum Field: String, CaseIterable {
        case completed, contexts, created, due, extras, id, isArchived, modified, note, priority, project, title
    }

    /// The name of any field, known or not.
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init(_ field: Field) { stringValue = field.rawValue }
        init?(intValue: Int) { nil }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        id = try container.decode(TodoID.self, forKey: Name(.id))
        title = try container.decode(String.self, forKey: Name(.title))
        priority = try container.decodeIfPresent(Priority.self, forKey: Name(.priority))
        project = try container.decodeIfPresent(String.self, forKey: Name(.project))
        contexts = try container.decode([String].self, forKey: Name(.contexts))
        due = try container.decodeIfPresent(Day.self, forKey: Name(.due))
        note = try container.decodeIfPresent(String.self, forKey: Name(.note))
        created = try container.decode(Date.self, forKey: Name(.created))
        modified = try container.decode(Date.self, forKey: Name(.modified))
        completed = try container.decodeIfPresent(Date.self, forKey: Name(.completed))
        isArchived = try container.decode(Bool.self, forKey: Name(.isArchived))
        extras = try container.decode([String: String].self, forKey: Name(.extras))
        for name in container.allKeys where Field(rawValue: name.stringValue) == nil {
            unknownFields[name.stringValue] = try container.decode(JSONValue.self, forKey: name)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        try container.encode(id, forKey: Name(.id))
        try container.encode(title, forKey: Name(.title))
        try container.encodeIfPresent(priority, forKey: Name(.priority))
        try container.encodeIfPresent(project, forKey: Name(.project))
        try container.encode(contexts, forKey: Name(.contexts))
        try container.encodeIfPresent(due, forKey: Name(.due))
        try container.encodeIfPresent(note, forKey: Name(.note))
        try container.encode(created, forKey: Name(.created))
        try container.encode(modified, forKey: Name(.modified))
        try container.encodeIfPresent(completed, forKey: Name(.completed))
        try container.encode(isArchived, forKey: Name(.isArchived))
        try container.encode(extras, forKey: Name(.extras))
        for (name, value) in unknownFields { try container.encode(value, forKey: Name(stringValue: name)) }
    }
}
