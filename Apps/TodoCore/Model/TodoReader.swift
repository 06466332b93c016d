#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads a todo from the JSON that a store writes, many times faster than a decoder that must be ready for any JSON.
///
/// It knows that form alone: known fields in the order of their names, no white space. Whatever else there is, such as a
/// field of a newer version, it leaves to `JSONDecoder`; what it does read, that would read the same.
struct TodoReader {
    private var cursor: JSONCursor

    /// The todo in `bytes`; `nil` where they are not in the form above, which does not mean that they are wrong.
    static func todo(_ bytes: [UInt8]) -> Todo? {
        bytes.withUnsafeBufferPointer { buffer in
            var reader = TodoReader(cursor: JSONCursor(buffer))
            return reader.todo()
        }
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

    /// The next field's name; `order` is how many of the names cannot come any more.
    private mutating func field(from order: inout Int) -> Todo.Field? {
        while order < Self.names.count {
            defer { order += 1 }
            if cursor.take(Self.names[order].bytes) { return Self.names[order].field }
        }
        return nil
    }

    /// Each name as it stands in the JSON, with quotation marks and colon.
    private static let names = Todo.Field.allCases.map { (field: $0, bytes: Array("\"\($0.rawValue)\":".utf8)) }

    private struct Values {
        var id: TodoID?
        var title: String?
        var priority: Priority?
        var project: String?
        var contexts: [String]?
        var due: Day?
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
                project: project,
                contexts: contexts,
                due: due,
                note: note,
                created: created,
                modified: modified,
                completed: completed,
                isArchived: isArchived,
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
        case .due: return set(&values.due, day())
        case .extras: return set(&values.extras, dictionary())
        case .id: return set(&values.id, cursor.string().flatMap { TodoID($0) })
        case .isArchived: return set(&values.isArchived, cursor.bool())
        case .modified: return set(&values.modified, date())
        case .note: return set(&values.note, cursor.string())
        case .priority: return set(&values.priority, cursor.string().flatMap { Priority($0) })
        case .project: return set(&values.project, cursor.string())
        case .title: return set(&values.title, cursor.string())
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
            // Of a name twice, let one decide.
            guard values.updateValue(value, forKey: name) == nil else { return nil }
        } while cursor.take(",")
        return cursor.take("}") ? values : nil
    }
}
