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
