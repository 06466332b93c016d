package import LocalProvider

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// One thing to do.
public struct Todo: Hashable, Sendable, Identifiable {
    /// The name by which people and scripts speak of it; never given to another todo.
    public let id: TodoID
    /// What is to be done: one line, never empty, without control characters.
    public var title: String
    /// How pressing it is; `nil` where nobody said.
    public var priority: Priority?
    /// What larger work it belongs to, without the `+` of todo.txt.
    public var project: String?
    /// Where or with what it can be done, without the `@` of todo.txt; in the order given, no two alike.
    public var contexts: [String]
    /// The day by which it should be done.
    public var due: Day?
    /// Anything more, on as many lines as it takes.
    public var note: String?
    /// When it was added.
    public var created: Date
    /// When it was last changed.
    public var modified: Date
    /// When it was completed; `nil` while it is open.
    public var completed: Date?
    /// Whether it has been put away: kept, yet in no list unless asked for.
    public var isArchived: Bool
    /// Fields of other programs, kept through import and export.
    public var extras: [String: String]
    /// What the store keeps of it that this version does not know, by name: a newer one's, so it outlives every change.
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

    /// Any name, known or not.
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
