package import LocalProvider

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A todo. Formats, orders, links and recurrence add what they need of it, each in its own file.
public struct Todo: Hashable, Sendable, Identifiable {
    /// The short name that people and scripts use. It is never assigned to another todo.
    public let id: TodoID
    /// The task: one line, never empty, without control characters.
    public var title: String
    /// The priority; `nil` if none was set.
    public var priority: Priority?
    /// The projects, without the `+` of todo.txt. Each is contained once, in the order of input.
    public var projects: [String]
    /// The places or tools it requires, without the `@` of todo.txt. Each is contained once, in the order of input.
    public var contexts: [String]
    /// Further labels, without the `#`. Each is contained once, in the order of input.
    public var tags: [String] = []
    /// The day by which it is due.
    public var due: Day?
    /// The time of the due day; `nil` if the whole day is meant.
    public var dueTime: TimeOfDay?
    /// The day before which it is hidden from lists: it waits.
    public var threshold: Day?
    /// The repetition: completing the todo adds the next one.
    public var recurrence: Recurrence?
    /// The todo of which it is a part. The parent may have been deleted.
    public var parent: TodoID?
    /// The todos that must be done before it, by their ``uuid``.
    public var dependencies: [UUID] = []
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
    /// Identifies the todo in other programs, and when it is imported again. Todos of the first version have none until
    /// they are changed.
    public var uuid: UUID?
    /// Fields of other programs, preserved by import and export.
    public var extras: [String: String]
    /// Fields of newer versions of the program, by name. They are preserved by every change.
    package var unknownFields: [String: JSONValue] = [:]

    /// Whether it has been completed.
    public var isDone: Bool { completed != nil }

    /// The first project. Setting it replaces all.
    public var project: String? {
        get { projects.first }
        set { projects = newValue.map { [$0] } ?? [] }
    }

    /// Whether it is hidden from lists, because its ``threshold`` is later than `today`.
    public func isWaiting(on today: Day) -> Bool {
        guard let threshold, !isDone else { return false }
        return threshold > today
    }

    /// Whether it is open and was due before a time. Without a time of day, it is overdue when its day is over.
    public func isOverdue(on today: Day, at time: TimeOfDay? = nil) -> Bool {
        guard let due, !isDone else { return false }
        if due == today, let dueTime, let time { return dueTime < time }
        return due < today
    }
}

extension Todo {
    /// Creates a todo from a checked draft.
    public init(id: TodoID, draft: TodoDraft, now: Date, uuid: UUID = UUID()) {
        self.init(
            id: id,
            title: draft.title,
            priority: draft.priority,
            projects: draft.projects,
            contexts: draft.contexts,
            tags: draft.tags,
            due: draft.due,
            dueTime: draft.dueTime,
            threshold: draft.threshold,
            recurrence: draft.recurrence,
            parent: draft.parent,
            note: draft.note,
            created: now,
            modified: now,
            completed: nil,
            isArchived: false,
            uuid: uuid,
            extras: [:]
        )
    }
}

extension Todo: Codable {
    /// The fields by name, in the order of the names.
    ///
    /// The first project is stored as `project`, as in the first version; `projects` is stored if there are several.
    enum Field: String, CaseIterable {
        case completed, contexts, created, dependencies, due, dueTime, extras, id, isArchived, modified, note, parent
        case priority, project, projects, recurrence, tags, threshold, title, uuid
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
        func optional<Value: Decodable>(_ field: Field) throws -> Value? {
            try container.decodeIfPresent(Value.self, forKey: Name(field))
        }
        id = try container.decode(TodoID.self, forKey: Name(.id))
        title = try container.decode(String.self, forKey: Name(.title))
        priority = try optional(.priority)
        let project: String? = try optional(.project)
        projects = try optional(.projects) ?? project.map { [$0] } ?? []
        contexts = try container.decode([String].self, forKey: Name(.contexts))
        tags = try optional(.tags) ?? []
        due = try optional(.due)
        dueTime = try optional(.dueTime)
        threshold = try optional(.threshold)
        recurrence = try optional(.recurrence)
        parent = try optional(.parent)
        dependencies = try optional(.dependencies) ?? []
        note = try optional(.note)
        created = try container.decode(Date.self, forKey: Name(.created))
        modified = try container.decode(Date.self, forKey: Name(.modified))
        completed = try optional(.completed)
        isArchived = try container.decode(Bool.self, forKey: Name(.isArchived))
        uuid = try optional(.uuid)
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
        if projects.count > 1 { try container.encode(projects, forKey: Name(.projects)) }
        try container.encode(contexts, forKey: Name(.contexts))
        if !tags.isEmpty { try container.encode(tags, forKey: Name(.tags)) }
        try container.encodeIfPresent(due, forKey: Name(.due))
        try container.encodeIfPresent(dueTime, forKey: Name(.dueTime))
        try container.encodeIfPresent(threshold, forKey: Name(.threshold))
        try container.encodeIfPresent(recurrence, forKey: Name(.recurrence))
        try container.encodeIfPresent(parent, forKey: Name(.parent))
        if !dependencies.isEmpty { try container.encode(dependencies, forKey: Name(.dependencies)) }
        try container.encodeIfPresent(note, forKey: Name(.note))
        try container.encode(created, forKey: Name(.created))
        try container.encode(modified, forKey: Name(.modified))
        try container.encodeIfPresent(completed, forKey: Name(.completed))
        try container.encode(isArchived, forKey: Name(.isArchived))
        try container.encodeIfPresent(uuid, forKey: Name(.uuid))
        try container.encode(extras, forKey: Name(.extras))
        for (name, value) in unknownFields { try container.encode(value, forKey: Name(stringValue: name)) }
    }
}
