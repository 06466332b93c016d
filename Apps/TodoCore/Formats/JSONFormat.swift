import JSONValues

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
        let places = Dictionary(document.todos.enumerated().map { ($1.id, $0) }) { first, _ in first }
        for (index, todo) in document.todos.enumerated() {
            var record = TodoRecord(line: index + 1, title: todo.title)
            record.uuid = todo.uuid
            record.parentIndex = todo.parent.flatMap { places[$0] }
            record.change = TodoChange(textsOf: todo)
            do {
                var whole = todo
                try record.change.apply(to: &whole)
                record.whole = whole
                file.records.append(record)
            } catch {
                file.problems.append(TodoImportProblem(line: index + 1, message: "\(error)"))
            }
        }
        return file
    }
}

extension TodoChange {
    /// Creates the change that sets the texts of another todo to those of this one.
    fileprivate init(textsOf todo: Todo) {
        (title, note) = (todo.title, .init(todo.note))
        (projects, contexts, tags) = (todo.projects, todo.contexts, todo.tags)
    }
}
