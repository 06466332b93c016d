#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A parser for the JSON of a stored todo that is much faster than `JSONDecoder`.
///
/// It accepts only the form that the store writes: known fields in the order of their names, without white space. For
/// anything else, such as a field of a newer version, it returns `nil` and the caller uses `JSONDecoder`, which decodes
/// the same value.
struct TodoReader {
    private var cursor: JSONCursor

    /// Parses a todo; `nil` if the bytes do not have the form above. They can still be valid JSON.
    static func todo(_ bytes: [UInt8]) -> Todo? {
        bytes.withUnsafeBufferPointer { buffer in
            var reader = TodoReader(cursor: JSONCursor(buffer))
            return reader.todo()
        }
    }

    /// Parses a todo in any form; `nil` if the JSON is not that of a todo.
    static func decode(_ bytes: UnsafeRawBufferPointer) -> Todo? {
        var reader = TodoReader(cursor: JSONCursor(bytes.bindMemory(to: UInt8.self)))
        return reader.todo() ?? (try? JSONDecoder().decode(Todo.self, from: Data(bytes)))
    }

    /// Parses a todo in any form; `nil` if the JSON is not that of a todo.
    static func decode(_ bytes: [UInt8]) -> Todo? {
        bytes.withUnsafeBytes { decode($0) }
    }

    private mutating func todo() -> Todo? {
        guard cursor.take("{") else { return nil }
        var values = Values()
        var order = 0
        repeat {
            guard let field = field(from: &order), read(field, into: &values) else { return nil }
        } while cursor.take(",")
        guard cursor.take("}"), cursor.isAtEnd else { return nil }
        return values.todo
    }

    /// Parses the name of the next field. `order` is the index of the first name that can still follow.
    private mutating func field(from order: inout Int) -> Todo.Field? {
        while order < Self.names.count {
            defer { order += 1 }
            if cursor.take(Self.names[order].bytes) { return Self.names[order].field }
        }
        return nil
    }

    /// The names as written in the JSON, with quotation marks and colon.
    private static let names = Todo.Field.allCases.map { (field: $0, bytes: Array("\"\($0.rawValue)\":".utf8)) }

    private struct Values {
        var id: TodoID?
        var title: String?
        var priority: Priority?
        var project: String?
        var projects: [String]?
        var contexts: [String]?
        var tags: [String]?
        var due: Day?
        var dueTime: TimeOfDay?
        var threshold: Day?
        var recurrence: Recurrence?
        var parent: TodoID?
        var dependencies: [UUID]?
        var uuid: UUID?
        var note: String?
        var created: Date?
        var modified: Date?
        var completed: Date?
        var isArchived: Bool?
        var extras: [String: String]?

        var todo: Todo? {
            guard let id, let title, let contexts, let created, let modified, let isArchived, let extras else {
                return nil
            }
            return Todo(
                id: id,
                title: title,
                priority: priority,
                projects: projects ?? project.map { [$0] } ?? [],
                contexts: contexts,
                tags: tags ?? [],
                due: due,
                dueTime: dueTime,
                threshold: threshold,
                recurrence: recurrence,
                parent: parent,
                dependencies: dependencies ?? [],
                note: note,
                created: created,
                modified: modified,
                completed: completed,
                isArchived: isArchived,
                uuid: uuid,
                extras: extras
            )
        }
    }

    private mutating func read(_ field: Todo.Field, into values: inout Values) -> Bool {
        func set<Value>(_ place: inout Value?, _ value: Value?) -> Bool {
            place = value
            return value != nil
        }
        switch field {
        case .completed: return set(&values.completed, date())
        case .contexts: return set(&values.contexts, texts())
        case .created: return set(&values.created, date())
        case .dependencies: return set(&values.dependencies, uuids())
        case .due: return set(&values.due, day())
        case .dueTime: return set(&values.dueTime, cursor.string().flatMap { TimeOfDay($0) })
        case .extras: return set(&values.extras, dictionary())
        case .id: return set(&values.id, cursor.string().flatMap { TodoID($0) })
        case .isArchived: return set(&values.isArchived, cursor.bool())
        case .modified: return set(&values.modified, date())
        case .note: return set(&values.note, cursor.string())
        case .parent: return set(&values.parent, cursor.string().flatMap { TodoID($0) })
        case .priority: return set(&values.priority, cursor.string().flatMap { Priority($0) })
        case .project: return set(&values.project, cursor.string())
        case .projects: return set(&values.projects, texts())
        case .recurrence: return set(&values.recurrence, cursor.string().flatMap { Recurrence($0) })
        case .tags: return set(&values.tags, texts())
        case .threshold: return set(&values.threshold, day())
        case .title: return set(&values.title, cursor.string())
        case .uuid: return set(&values.uuid, cursor.string().flatMap(UUID.init(uuidString:)))
        }
    }

    private mutating func date() -> Date? {
        cursor.number().map { Date(timeIntervalSinceReferenceDate: $0) }
    }

    private mutating func day() -> Day? {
        guard cursor.take("\""), let year = cursor.digits(4), cursor.take("-"), let month = cursor.digits(2),
            cursor.take("-"), let day = cursor.digits(2), cursor.take("\"")
        else { return nil }
        return Day(year: year, month: month, day: day)
    }

    private mutating func uuids() -> [UUID]? {
        guard let texts = texts() else { return nil }
        let uuids = texts.compactMap(UUID.init(uuidString:))
        return uuids.count == texts.count ? uuids : nil
    }

    private mutating func texts() -> [String]? {
        guard cursor.take("[") else { return nil }
        if cursor.take("]") { return [] }
        var texts: [String] = []
        repeat {
            guard let text = cursor.string() else { return nil }
            texts.append(text)
        } while cursor.take(",")
        return cursor.take("]") ? texts : nil
    }

    private mutating func dictionary() -> [String: String]? {
        guard cursor.take("{") else { return nil }
        if cursor.take("}") { return [:] }
        var values: [String: String] = [:]
        repeat {
            guard let name = cursor.string(), cursor.take(":"), let value = cursor.string() else { return nil }
            // JSONDecoder decides which of two equal names is used.
            guard values.updateValue(value, forKey: name) == nil else { return nil }
        } while cursor.take(",")
        return cursor.take("}") ? values : nil
    }
}
