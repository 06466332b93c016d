import JSONValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The app's own format: every field of the todos, in one JSON document with a version.
enum JSONFormat {
    /// The version that this program writes. It reads this one and earlier ones.
    static let version = 1
    private static let name = "pawkit-todos"

    private struct Document: Codable {
        var format: String
        var version: Int
        var todos: [Todo]
    }

    private struct Head: Decodable {
        var format: String
        var version: Int
    }

    /// Returns the document.
    static func bytes(_ todos: [Todo]) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        return try Array(encoder.encode(Document(format: name, version: version, todos: todos))) + [0x0A]
    }

    /// Parses a document.
    static func parse(_ bytes: [UInt8], clock: TodoClock) -> TodoImportFile {
        var file = TodoImportFile()
        func refuse(_ message: String) -> TodoImportFile {
            file.problems.append(TodoImportProblem(line: 1, message: message))
            return file
        }
        do throws(JSONError) {
            _ = try JSONValue(parsing: bytes)
        } catch {
            file.problems.append(TodoImportProblem(line: error.line, column: error.column, message: error.message))
            return file
        }
        guard let head = try? JSONDecoder().decode(Head.self, from: Data(bytes)), head.format == name else {
            return refuse("the document is not a \"\(name)\" document; `todo export --format json` writes one")
        }
        guard head.version <= version else {
            return refuse(
                "the document has version \(head.version), and this program reads version \(version); update it"
            )
        }
        let document: Document
        do {
            document = try JSONDecoder().decode(Document.self, from: Data(bytes))
        } catch {
            return refuse("a todo is malformed: \(error)")
        }
        let uuids = Dictionary(document.todos.map { ($0.id, $0.uuid) }) { $1 }
        let places = Dictionary(document.todos.enumerated().map { ($1.id, $0) }) { first, _ in first }
        for (index, todo) in document.todos.enumerated() {
            var record = TodoRecord(line: index + 1, title: todo.title)
            record.uuid = todo.uuid
            record.change = TodoChange(allFieldsOf: todo)
            record.completed = todo.completed.map { .set($0) } ?? .clear
            record.isArchived = todo.isArchived
            record.created = todo.created
            record.extras = todo.extras
            record.dependencies = todo.dependencies
            if let parent = todo.parent {
                if let uuid = uuids[parent] ?? nil { record.parentUUID = uuid }
                record.parentIndex = places[parent]
            }
            var copy = todo
            do {
                try record.change.apply(to: &copy)
                file.records.append(record)
            } catch {
                file.problems.append(TodoImportProblem(line: index + 1, message: "\(error)"))
            }
        }
        return file
    }
}

extension TodoChange {
    /// Creates the change that sets all fields of another todo to those of this one, except for its parent.
    init(allFieldsOf todo: Todo) {
        func update<Value>(_ value: Value?) -> Update<Value> { value.map { .set($0) } ?? .clear }
        title = todo.title
        priority = update(todo.priority)
        projects = todo.projects
        contexts = todo.contexts
        tags = todo.tags
        due = update(todo.due)
        dueTime = update(todo.dueTime)
        threshold = update(todo.threshold)
        recurrence = update(todo.recurrence)
        note = update(todo.note)
    }
}
